"""Names as people write them."""

from __future__ import annotations

import re


def spaced(name: str) -> str:
    """A name of a chart as people write it: `trumpSuit` is `trump suit`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", name).lower() if not name.isupper() else name
