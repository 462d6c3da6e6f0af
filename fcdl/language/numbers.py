"""Numbers that people and files write."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"-?[0-9]{1,18}")


def whole_number(text: str) -> int | None:
    """The whole number that a text is, None if it is none (`²`) or has more digits than anybody needs."""
    return int(text) if _NUMBER.fullmatch(text) else None
