"""A set of cards that a person puts together card by card, where a decision is for one of several sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from fcdl.model.game import Game
from fcdl.model.moves import Move


class Ticks:
    """The cards that are ticked, and what can become of them.

    A set is a bit mask, with as many bits for a card as sets have copies of it: thousands are gone through in a moment.
    """

    def __init__(self, game: Game, kind: str, legal: Iterable[Move]) -> None:
        self._game = game
        self.kind = kind
        sets = [(move, Counter(move.cards)) for move in legal if move.cards]
        self.most = Counter[str]()
        """Of every card as many copies as a legal set has at most."""
        for _, counted in sets:
            self.most |= counted
        self._first_bit: dict[str, int] = {}
        bit = 0
        for code, copies in self.most.items():
            self._first_bit[code] = bit
            bit += copies
        self._masks = [(self._mask(counted), move) for move, counted in sets]
        self.ticked = Counter[str]()

    @property
    def move(self) -> Move | None:
        """The move with the cards that are ticked, legal or not; None without any."""
        cards = self._game.in_deck_order(self.ticked.elements())
        return Move(self.kind, " ".join(cards)) if cards else None

    @property
    def is_legal(self) -> bool:
        """Whether the cards that are ticked are a legal set."""
        return self.move in self.fitting

    @property
    def fitting(self) -> list[Move]:
        """The legal sets with all the cards that are ticked, the smallest first."""
        mask = self._mask(self.ticked)
        found = [] if mask is None else [move for each, move in self._masks if each is not None and each & mask == mask]
        return sorted(found, key=lambda move: len(move.cards))

    def addable(self) -> Counter[str]:
        """Of every card as many as may be ticked, so that a legal set is left."""
        possible = Counter[str]()
        for move in self.fitting:
            possible |= Counter(move.cards)
        return possible

    def said(self, tally: str, confirm: str) -> str:
        """The cards that are ticked, what they come to, and what can become of them; `confirm` if they are legal."""
        move, fitting = self.move, len(self.fitting)
        sets = "1 set is possible." if fitting == 1 else f"{fitting:,} sets are possible."
        if move is None:
            return f"Tick the cards. {sets}"
        status = confirm if self.is_legal else sets if fitting else "No legal set has these cards."
        return f"{move.what}{f': {tally}' if tally else ''}. {status}"

    def toggle(self, code: str, *, on: bool) -> None:
        """Ticks one more copy of a card, or one less."""
        self.ticked[code] += 1 if on else -1
        self.ticked += Counter()  # forgets what is not ticked any more

    def _mask(self, counted: Counter[str]) -> int | None:
        """None: no set has so many of a card."""
        if any(copies > self.most[code] for code, copies in counted.items()):
            return None
        return sum(((1 << copies) - 1) << self._first_bit[code] for code, copies in counted.items())
