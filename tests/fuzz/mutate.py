"""Hostile files without a fuzzer: seeds with pieces cut, doubled, swapped, replaced, always the same for a number."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
_PIECE = re.compile(rb'"[^"\n]*"|\w+|->|[<>=!]=|[^\w\s]|\n|[ \t]+')
_ODD = (
    b"", b"0", b"-1", b"99999999999999999999", b"2147483647", b"-2147483648", b"9" * 5000, b"\xc2\xb2", b"1e9", b"NaN",
    b"null", b"true", b"[]", b"{}", b'"', b"'", b"\\", b"\x00", b"\x1b]0;x\x07", b"\xe2\x80\xae", b"\xff\xfe", b"\r",
    b"\n", b"(", b")", b"[", b"]", b"{" * 300, b"(" * 300, b"[" * 3000, b":", b",", b"?", b"#{", b"..", b"../evil",
    b"\xf0\x9f\x98\x80", b"none", b"any", b"all", b"players 2147483647", b"teams 0 1", b"x" * 20000,
)  # fmt: skip


@cache
def seeds(target: str) -> tuple[bytes, ...]:
    """The seed inputs of a target."""
    return tuple(path.read_bytes() for path in sorted((CORPUS / target).iterdir()))


def mutated(target: str, number: int) -> bytes:
    """The hostile input of this number."""
    rng = random.Random(f"{target} {number}")
    data = rng.choice(seeds(target))
    if target == "engine" or rng.random() < 0.2:
        changed = bytearray(data)
        for _ in range(rng.randint(1, 8)):
            place = rng.randrange(len(changed) + 1)
            changed[place : place + rng.randint(0, 2)] = rng.randbytes(rng.randint(0, 2))
        return bytes(changed)
    pieces = _PIECE.findall(data)
    others = _PIECE.findall(rng.choice(seeds(target)))
    for _ in range(rng.choice((1, 1, 2, 3, 5, 8))):
        place = rng.randrange(len(pieces) + 1)
        match rng.randrange(7):
            case 0:
                del pieces[place : place + rng.choice((1, 1, 2, 20))]
            case 1:
                pieces[place:place] = pieces[place : place + rng.choice((1, 3, 30))]
            case 2 if pieces:
                other = rng.randrange(len(pieces))
                pieces[place % len(pieces)], pieces[other] = pieces[other], pieces[place % len(pieces)]
            case 3 | 4 if pieces:
                pieces[place % len(pieces)] = rng.choice(_ODD)
            case 5:
                pieces.insert(place, rng.choice(_ODD))
            case _:
                start = rng.randrange(len(others) + 1)
                pieces[place:place] = others[start : start + rng.choice((1, 5, 40))]
    return b"".join(pieces)
