"""Moves: small, hashable, and text both ways (`play QH`, `pass`, `choose 3`, `pick QS`, `take 3C 4H`)."""

from __future__ import annotations

from dataclasses import dataclass

from fcdl.errors import FcdlError

KINDS = ("play", "pick", "take", "choose", "pass")
OF_CARDS = frozenset({"play", "pick", "take"})
"""The kinds of moves with cards."""


class MoveError(FcdlError):
    """A text that is not a move."""


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One move; `what` is a card's code, those of a set in deck order with spaces, a chosen value as text, or empty.

    Values are written as the chart writes them: numbers, suit and rank names, words, `yes`/`no`, and a player's seat
    number. Copies of a card are the same move.
    """

    kind: str
    what: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.what}" if self.what else self.kind

    @property
    def cards(self) -> tuple[str, ...]:
        """The codes of its cards; none if it is not a move with cards."""
        return tuple(self.what.split()) if self.kind in OF_CARDS else ()

    @classmethod
    def parse(cls, text: str) -> Move:
        """The move that a text says; does not know whether it is legal."""
        kind, _, what = text.strip().partition(" ")
        if kind not in KINDS or (kind == "pass") != (not what):
            raise MoveError(f"'{text}' is not a move; moves are: play CARD, pick CARD, take CARDS, choose VALUE, pass")
        return cls(kind, " ".join(what.split()))


PASS = Move("pass")
