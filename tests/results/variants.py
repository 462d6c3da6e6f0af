"""Charts that differ from built-in ones in a few lines, for experiments: `python -m tests.results.variants NAME`."""

from __future__ import annotations

import sys

from fcdl.data import data_text

VARIANTS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    # Trumps are the suit of a card that is turned up, as in OpenSpiel.
    "oh_hell_up_card": (
        "oh_hell",
        (
            ("each player has bid", "zone upCard: face up\n\neach player has bid"),
            ("trumps = suit(suitsUsed % 4)", "move(bottom(pack), pack, upCard)\n    trumps = suit(upCard)"),
        ),
    ),
}
"""By name: the game, and what is put in place of what."""


def variant(name: str) -> str:
    """The text of a chart's variant."""
    game, changes = VARIANTS[name]
    text = data_text("games", f"{game}.fcdl")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


if __name__ == "__main__":
    print(variant(sys.argv[1]), end="")
