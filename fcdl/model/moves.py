"""Moves: small, hashable, and text both ways (`play QH`, `pass`, `choose 3`, `pick QS`)."""

from __future__ import annotations

from dataclasses import dataclass

from fcdl.errors import FcdlError

KINDS = ("play", "pick", "choose", "pass")


class MoveError(FcdlError):
    """A text that is not a move."""


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One move; `what` is a card's code, or a chosen value as text, or empty for a pass.

    Values are written as the chart writes them: numbers, suit and rank names, words, `yes`/`no`, and a player's seat
    number. Copies of a card are the same move.
    """

    kind: str
    what: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.what}" if self.what else self.kind

    @classmethod
    def parse(cls, text: str) -> Move:
        """The move that a text says; does not know whether it is legal."""
        kind, _, what = text.strip().partition(" ")
        if kind not in KINDS or (kind == "pass") != (not what):
            raise MoveError(f"'{text}' is not a move; moves are: play CARD, pick CARD, choose VALUE, pass")
        return cls(kind, what.strip())


PASS = Move("pass")
