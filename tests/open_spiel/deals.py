"""What a seat has seen of a round of tricks, and one deal that agrees with it.

OpenSpiel's players want one of OpenSpiel's states. They get one in which everything that their seat saw has happened
and the unseen cards lie anywhere they could lie; what they then search are states that they draw themselves from what
the seat knows of this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fcdl.model.events import Event
from tests.games.table import RANKS

PACK = tuple(rank + suit for suit in "CDHS" for rank in RANKS)


@dataclass(slots=True)
class Round:
    """The events of one round as a seat saw them."""

    seat: int
    players: int
    dealt: set[str] = field(default_factory=set)
    """The seat's cards."""
    hand_sizes: list[int] = field(default_factory=list)
    choices: list[tuple[int, str]] = field(default_factory=list)
    plays: list[tuple[int, str]] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    """Variables of the table, as they are now."""
    shown: set[str] = field(default_factory=set)
    """Cards that lie face up and belong to nobody."""

    def voids(self) -> list[set[str]]:
        """The suits that each seat did not follow."""
        found: list[set[str]] = [set() for _ in range(self.players)]
        for place, (seat, card) in enumerate(self.plays):
            led = self.plays[place - place % self.players][1][1]
            if card[1] != led:
                found[seat].add(led)
        return found

    def played(self, seat: int) -> list[str]:
        """The cards that a seat has played."""
        return [card for who, card in self.plays if who == seat]


def read_round(seat: int, players: int, events: Sequence[Event]) -> Round:
    """The last round of an observation: all since all cards were shuffled."""
    start = max(place for place, event in enumerate(events) if event.kind == "shuffle" and event.number == len(PACK))
    found = Round(seat, players, hand_sizes=[0] * players)
    for event in events:
        if event.kind in ("assign", "choose") and event.owner is None:
            found.values[str(event.name)] = str(event.value)
    for event in events[start:]:
        cards = event.cards or ()
        match event.kind:
            case "move" if event.source == "pack" and str(event.target).startswith("hand"):
                owner = int(str(event.target)[5:-1])
                found.hand_sizes[owner] += event.number or 0
                if owner == seat:
                    found.dealt.update(cards)
            case "move" if event.source == "pack":
                found.shown.update(cards)
            case "choose":
                found.choices.append((int(event.seat or 0), str(event.value)))
            case "play":
                found.plays.append((int(event.seat or 0), cards[0]))
    return found


def share_out(cards: Iterable[str], needs: Mapping[int, int], voids: Sequence[set[str]]) -> dict[int, set[str]]:
    """Gives each seat as many of the cards as it needs, none of a suit it is void of; what is left goes to nobody.

    A matching by augmenting paths: every place in a hand looks for a card, and who has it may have to look again.
    """
    places = [seat for seat, number in needs.items() for _ in range(number)]
    pool = sorted(cards)
    holder: dict[str, int] = {}

    def find(place: int, tried: set[str]) -> bool:
        for card in pool:
            if card not in tried and card[1] not in voids[places[place]]:
                tried.add(card)
                if card not in holder or find(holder[card], tried):
                    holder[card] = place
                    return True
        return False

    for place in range(len(places)):
        if not find(place, set()):
            raise ValueError("no deal agrees with what was seen")
    shares: dict[int, set[str]] = {seat: set() for seat in needs}
    for card, place in holder.items():
        shares[places[place]].add(card)
    return shares
