"""What the operators of the language do to numbers; every consumer of expressions uses these."""

from __future__ import annotations

from collections.abc import Callable, Mapping


def _floor_divide(a: int, b: int) -> int:
    return a // b if b else 0


def _modulo(a: int, b: int) -> int:
    return a % b if b else 0


BINARY: Mapping[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": _floor_divide,
    "modulo": _modulo,
    "minimum": min,
    "maximum": max,
    "equal": lambda a, b: int(a == b),
    "notEqual": lambda a, b: int(a != b),
    "less": lambda a, b: int(a < b),
    "lessEqual": lambda a, b: int(a <= b),
    "greater": lambda a, b: int(a > b),
    "greaterEqual": lambda a, b: int(a >= b),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
}
UNARY: Mapping[str, Callable[[int], int]] = {
    "negate": lambda a: -a,
    "absolute": abs,
    "not": lambda a: 1 - a,
    "playerNumber": lambda a: a,
}


def saturate(value: int) -> int:
    """Integers of charts are 32-bit and saturate."""
    return max(-(2**31), min(2**31 - 1, value))
