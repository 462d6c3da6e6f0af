"""Why a game's figures differ from Valet's, or why it is slow: for the page."""

NOTES: dict[str, str] = {}
