"""What a person can pick at a moment: the cards of the hand, values, a pass; with a cursor and what was typed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from fcdl.language.flowchart import TakeSet
from fcdl.model.moves import PASS, Move
from fcdl.ui.session import Session
from fcdl.ui.ticks import Ticks
from fcdl.ui.view import View

LISTED_SETS = 12
"""If no more sets of cards than this are possible, they are listed, too."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something to pick: a card of the hand, or an option (a value, a pass, a card that lies elsewhere)."""

    text: str
    move: Move | None
    """None: cannot be picked now, as cards when a value is to be chosen."""
    legal: bool
    in_hand: bool
    ticked: bool | None = None
    """Whether a card is ticked, where several make one move; None: an item is picked at once."""


class Menu:
    """The items of a moment, cards first; `cursor` is the index of one that can be picked, or None."""

    def __init__(self, items: list[Item], cursor: int | None = None) -> None:
        self.items = items
        self.typed = ""
        legal = (number for number, item in enumerate(items) if item.legal)
        self.cursor = cursor if cursor is not None else next(legal, None)

    @classmethod
    def of(cls, session: Session, view: View) -> Menu:
        """What the person can pick in a session, where `view` is shown."""
        if (decision := session.set_decision) is not None:
            return TickMenu(session, view, decision)
        legal = session.legal
        cards = view.hand
        kind = session.kind if session.your_turn and session.kind != "choose" else None
        items = []
        for card in cards:
            move = Move(kind, card) if kind else None
            items.append(Item(card, move, move in legal, in_hand=True))
        items += [
            Item(session.said(move), move, legal=True, in_hand=False)
            for move in legal
            if move.kind in ("pass", "choose") or move.what not in cards
        ]
        return cls(items)

    @property
    def hand(self) -> list[Item]:
        """The cards of the hand."""
        return [item for item in self.items if item.in_hand]

    @property
    def options(self) -> list[Item]:
        """All else."""
        return [item for item in self.items if not item.in_hand]

    @property
    def current(self) -> Item | None:
        """The item under the cursor."""
        return self.items[self.cursor] if self.cursor is not None else None

    def point_at(self, move: Move) -> None:
        """Puts the cursor on a move."""
        self.cursor = next((number for number, item in enumerate(self.items) if item.move == move), self.cursor)

    def step(self, by: int, *, legal: bool = False) -> None:
        """Moves the cursor to the next item that can be picked (or is legal), around the ends."""
        places = [
            number
            for number, item in enumerate(self.items)
            if (item.move is not None and (item.legal or not legal)) or number == self.cursor
        ]
        if places:
            at = places.index(self.cursor) if self.cursor is not None else -1
            self.cursor = places[(at + by) % len(places)]

    def cross(self) -> None:
        """Moves the cursor between the hand and the options."""
        here = self.current
        for number, item in enumerate(self.items):
            if here is not None and item.in_hand is not here.in_hand and item.move is not None and item.legal:
                self.cursor = number
                return

    def type(self, letter: str) -> bool:
        """Types a letter of a card or an option; False if nothing begins like that, or a letter came twice in vain."""
        twice = self.typed.lower() == letter.lower()
        for text in (self.typed + letter, letter):
            found = self._beginning(text)
            if found is not None and not (twice and text == letter):
                self.typed, self.cursor = text, found
                return True
        self.typed = ""
        return False

    @property
    def card_typed(self) -> bool:
        """Whether a whole card of the hand, or one to tick, was typed."""
        item = self.current
        is_card = item is not None and (item.in_hand or item.ticked is not None)
        return item is not None and is_card and self.typed.lower() in _spellings(item)

    def _beginning(self, text: str) -> int | None:
        """The first item that can be picked and begins so; what is exactly so comes first."""
        wanted = text.lower()
        found = [
            number
            for number, item in enumerate(self.items)
            if item.move is not None and any(spelling.startswith(wanted) for spelling in _spellings(item))
        ]
        return min(found, key=lambda number: (wanted not in _spellings(self.items[number]), number), default=None)


class TickMenu(Menu):
    """Where one of several sets of cards is to be played: cards are ticked, and sets that fit are listed, too."""

    def __init__(self, session: Session, view: View, decision: TakeSet) -> None:
        game = session.game
        self.ticks = Ticks(game, decision.word, session.legal)
        self._pass = session.said(PASS) if PASS in session.legal else ""
        self._hand = list(view.hand)
        self._from_hand = decision.source.name == "hand" and self.ticks.most <= Counter(self._hand)
        places = [Counter(pile.known) for pile in view.piles.values() if pile.zone.split()[0] == decision.source.name]
        lying = [cards for cards in places if self.ticks.most <= cards]
        there = lying[0] if len(lying) == 1 else self.ticks.most  # several places: nobody knows which is meant
        self._elsewhere = game.in_deck_order(there.elements())
        super().__init__(self._make_items())

    def tick(self, number: int) -> None:
        """Ticks a card, or not any more."""
        item = self.items[number]
        self.ticks.toggle(item.text, on=not item.ticked)
        self.items, self.cursor, self.typed = self._make_items(), number, ""

    def point_at(self, move: Move) -> None:
        """Ticks the cards of a move, or puts the cursor on it."""
        self.ticks.ticked.clear()
        for code in move.cards:
            self.ticks.toggle(code, on=True)
        self.items = self._make_items()
        super().point_at(move)
        if move.cards:
            marked = (number for number, item in enumerate(self.items) if item.ticked)
            self.cursor = next(marked, self.cursor)

    def untick(self) -> None:
        """Begins again."""
        self.ticks.ticked.clear()
        self.items = self._make_items()
        self.cursor = next((number for number, item in enumerate(self.items) if item.ticked is not None), None)

    def _make_items(self) -> list[Item]:
        items = [Item(code, None, legal=False, in_hand=True) for code in self._hand if not self._from_hand]
        ticked, addable, met = self.ticks.ticked, self.ticks.addable(), Counter[str]()
        for code in self._hand if self._from_hand else self._elsewhere:
            met[code] += 1
            on = met[code] <= ticked[code]
            legal = on or ticked[code] < addable[code]
            items.append(Item(code, Move(self.ticks.kind, code), legal, self._from_hand, on))
        fitting, chosen = self.ticks.fitting, self.ticks.move
        listed = [move for move in fitting if len(fitting) <= LISTED_SETS or move == chosen]
        items += [Item(str(move), move, legal=True, in_hand=False) for move in listed]
        return [*items, Item(self._pass, PASS, legal=True, in_hand=False)] if self._pass else items


def _spellings(item: Item) -> list[str]:
    """How an item may be typed; the ten of hearts is TH or 10H."""
    text = item.text.lower()
    is_card = item.move is not None and item.move.cards == (item.text,)
    if is_card:
        return [text, "10" + text[1:]] if text.startswith("t") else [text]
    return [text, *([item.move.what.lower()] if item.move is not None and item.move.what else [])]
