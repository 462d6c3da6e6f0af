"""Sessions for tests: the built-in games in short forms, and a made-up chart with every kind of decision."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

from fcdl.language.load import load_flowchart, load_text
from fcdl.model import Chance, Event, Game, Move
from fcdl.ui.session import Session, default_seats
from fcdl.ui.view import View, Watcher

SHORT: dict[str, tuple[int | None, dict[str, str]]] = {
    "crazy_eights": (None, {}),
    "durak": (3, {}),
    "hearts": (None, {"target": "0"}),
    "kings_and_jacks": (None, {}),
    "kuhn_poker": (None, {}),
    "leduc_poker": (None, {}),
    "oh_hell": (4, {"firstHand": "3"}),
    "skat": (None, {}),
    "trumps": (None, {}),
}
"""Some of the built-in games, with players and options that keep them short."""
LONGER = [name for name in SHORT if not name.endswith("_poker")]
"""Those that are not over after a few moves."""

EVERYTHING = """
game "Everything"
about "Every kind of decision, once."
players 2 to 7
words left, right
option extra = no "Says nothing."
zone parcel(player): seen by owner
zone shop: face up
each player has bid = 0, side = left
secret side

chart main
    start
    Shuffle
    Deal(5)
    move(3, pack, shop)
    choose(player(0), bid(player(0)), {0 to 12})
    choose(player(0), trumps, suits)
    choose(player(0), side(player(0)), {left, right})
    choose(player(0), mate, players)
    choose(player(0), sure, {yes, no})
    publish("#{mate} is the mate, #{trumps} are trumps, #{sure}.")
    pick(player(0), 2, card(any, any), hand(player(0)), parcel(player(0)))
    pick(player(0), 1, card(any, any), shop, hand(player(0)))
    playCardOrPass(player(0), card(any, trumps))
    playCard(player(0), card(any, any))
    playCard(player(1), card(any, any))
    Stack.empty
    score(player(0)) = score(player(0)) + bid(player(0))
    end
"""


_flowchart = lru_cache(load_flowchart)


def session(name: str, seed: str = "1", chance: Chance | None = None) -> Session:
    """A built-in game with the person on seat 0."""
    players, options = SHORT[name]
    game = Game.make(_flowchart(name), name=name, players=players, options=options)
    return Session(game, default_seats(game.players, "random"), seed, chance=chance)


def everything(players: int = 2) -> Session:
    """The made-up chart."""
    checked = load_text(EVERYTHING)
    flowchart = checked.flowchart
    assert flowchart is not None, checked.findings
    return Session(Game.make(flowchart, name="everything", players=players), default_seats(players, "random"), "1")


def crowded() -> Session:
    """Seven players with thirteen cards each, long names and several variables."""
    lines = [
        'game "A Game with Quite a Long Name"',
        "players 7",
        "deck ranks 2 to 10 jack queen king ace suits clubs diamonds hearts spades copies 2",
        "each player has bid = 0",
    ]
    lines += ["zone wonCards(player): face up", "chart main", "    start", "    Shuffle", "    Deal(13)"]
    lines += ["    trumpSuit = hearts", "    highestBidSoFar = 0", "    turn = player(1)", "again:"]
    lines += ["    playCard(turn, cards)", "    turn = next(turn)", "    turn == player(1)?  no -> again"]
    lines += ["    bid(turn) = highestBidSoFar", "    Stack.empty", "    move(all, stack, wonCards(turn))"]
    lines += [
        "    empty(hand(turn))?  no -> again",
        "    trumpSuit == hearts?  yes -> over no -> over",
        "over:",
        "    end",
    ]
    checked = load_text("\n".join([*lines, ""]))
    assert checked.flowchart is not None, checked.findings
    return Session(Game.make(checked.flowchart, name="crowded"), default_seats(7, "random"), "1")


def make_view(game: Game, events: Sequence[Event], seat: int | None) -> View:
    """What a seat (None: nobody's) sees after all these events."""
    watcher = Watcher(game, seat)
    watcher.follow(events)
    return watcher.view()


def play_to_your_turn(table: Session) -> None:
    """Lets the computers move until the person decides or the game is over."""
    while table.mover is not None and not table.your_turn:
        table.apply(table.think())


def play_on(table: Session, moves: int) -> None:
    """So many moves, the person's at random, too."""
    for _ in range(moves):
        if table.mover is not None:
            table.apply(random_move(table) if table.mover in table.humans else table.think())


def random_move(table: Session) -> Move:
    """A move for the person, the same whenever the game comes here."""
    legal = table.engine.legal(table._moment.state)
    source = random.Random(f"{table.seed} seat {table.mover} move {len(table.moves)}")
    return legal[source.randrange(len(legal))]
