"""Games played at random and told again, decision by decision, for the referees of this folder.

A referee knows the rules of one game, written down independently of its chart. It only uses what the engine
reported: the events, the legal moves and the scores.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from fcdl.engines import make_engine
from fcdl.language.flowchart import Flowchart
from fcdl.language.load import load_flowchart
from fcdl.model.chance import Chance, RandomChance
from fcdl.model.events import Event
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.outcome import Outcome

RANKS = "23456789TJQKA"

Choose = Callable[[int, Sequence[Move]], Move]


class TooLong(Exception):  # noqa: N818
    """A game that did not end within the number of decisions it was given."""


@dataclass(frozen=True)
class Played:
    """A finished game: its events, what was legal at each decision, and how it ended."""

    game: Game
    events: tuple[Event, ...]
    legal: tuple[tuple[str, ...], ...]
    outcome: Outcome


@dataclass(frozen=True)
class Decision:
    """One decision: who made it, what they did, what else they could have done, and hands and variables before it."""

    seat: int
    move: str
    legal: tuple[str, ...]
    hands: tuple[frozenset[str], ...]
    values: dict[str, str]

    @property
    def card(self) -> str:
        """The card that was played or picked."""
        return self.move.partition(" ")[2]

    @property
    def legal_cards(self) -> set[str]:
        """The cards that could have been played or picked."""
        return {move.partition(" ")[2] for move in self.legal}

    @property
    def hand(self) -> frozenset[str]:
        """The hand of the one who decides."""
        return self.hands[self.seat]


@cache
def flowchart(name: str) -> Flowchart:
    """A built-in chart, read once."""
    return load_flowchart(name)


def make_game(name: str, players: int | None = None, options: Mapping[str, str | int] | None = None) -> Game:
    """A built-in game with its seats and options."""
    return Game.make(flowchart(name), name=name, players=players, options=options)


def play(
    game: Game, seed: int, choose: Choose | None = None, chance: Chance | None = None, limit: int = 10_000
) -> Played:
    """One game on the native engine; at random unless `choose` decides. Raises TooLong."""
    engine = make_engine(game, "native")
    dice = random.Random(f"moves {seed}")
    chance = chance or RandomChance(seed)
    state = engine.start(chance)
    legal: list[tuple[str, ...]] = []
    while (seat := engine.mover(state)) is not None:
        if len(legal) == limit:
            raise TooLong
        moves = engine.legal(state)
        legal.append(tuple(map(str, moves)))
        state = engine.apply(state, choose(seat, moves) if choose else dice.choice(moves), chance)
    outcome = engine.outcome(state)
    assert outcome is not None
    return Played(game, engine.events(state), tuple(legal), outcome)


class ClumpedChance(RandomChance):
    """Deals hands of few suits, where the rare rules apply: only hearts left, only points in the first trick."""

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """A pack of four suits sorted by suit and rank, with noise."""
        order = random.Random(self.random.random())
        ranks = len(cards) // 4
        suits, noise = order.sample(range(4), 4), order.random() * 6
        return sorted(cards, key=lambda card: suits[card // ranks] * ranks + card % ranks + order.gauss(0, noise))


def decisions(played: Played) -> Iterator[Decision]:
    """The decisions of a game in order, each with the table as it was."""
    deck = played.game.flowchart.deck
    all_cards = [deck.code(card) for card in played.game.cards]
    zones: dict[str, list[str]] = defaultdict(list, pack=all_cards)
    values: dict[str, str] = {}
    legal = iter(played.legal)
    for event in played.events:
        name = event.name if event.owner is None else f"{event.name}({event.owner})"
        if event.kind in ("play", "pick", "choose", "pass"):
            assert event.seat is not None
            what = " ".join(event.cards) if event.cards else event.value
            move = f"{event.kind} {what}" if what else event.kind
            hands = tuple(frozenset(zones[f"hand({seat})"]) for seat in range(played.game.players))
            yield Decision(event.seat, move, next(legal), hands, dict(values))
        if event.kind in ("move", "play", "pick"):
            for card in event.cards or ():
                zones[str(event.source)].remove(card)
                zones[str(event.target)].append(card)
        elif event.kind in ("assign", "choose"):
            values[str(name)] = str(event.value)
        elif event.kind == "shuffle" and event.source == "pack" and event.number == len(all_cards):
            zones.clear()
            zones["pack"] = list(all_cards)
    assert next(legal, None) is None


def suit(card: str) -> str:
    """The suit of a card: C, D, H or S."""
    return card[1]


def strength(card: str) -> int:
    """Ranks in order, the ace highest."""
    return RANKS.index(card[0])


def trick_winner(trick: Sequence[tuple[int, str]], trumps: str | None = None) -> int:
    """Who wins a trick of (seat, card): the highest trump, else the highest card of the suit led."""
    led = suit(trick[0][1])
    return max(trick, key=lambda play: (suit(play[1]) == trumps, suit(play[1]) == led, strength(play[1])))[0]
