"""What one can begin with instead of an empty page."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Template:
    """A beginning."""

    name: str
    says: str
    """What it is, for the one who chooses."""
    chart: str


_EMPTY = """game "My game"
players 2
deck standard

chart main
    start
    Shuffle
    end
"""

_HIGH_CARD = """game "High card"
about "Both play a card; the higher card scores."
players 2

chart main
    start
    Shuffle
    Deal(5)
round:
    empty(hand(player(0)))?                                 yes -> finish
    playCard(player(0), cards)
    playCard(player(1), cards)
    rankValue(middle(player(0))) > rankValue(middle(player(1)))? no -> second
    score(player(0)) = score(player(0)) + 1                 -> clear
second:
    score(player(1)) = score(player(1)) + 1
clear:
    Stack.empty                                             -> round
finish:
    end
"""

_SHEDDING = """game "Last card"
about "Follow suit or rank, or draw. Who has no cards left wins."
players 2 to 5

chart main
    start
    Shuffle
    Deal(5)
    move(1, pack, stack)
    turn = player(0)
next:
    empty(pack)?                                            yes -> finish
    playCardOrPass(turn, union(card(any, suit(top(stack))), card(rank(top(stack)), any)), stack)
    passed(turn)?                                           no -> played
    pickUp(turn, 1)
played:
    empty(hand(turn))?                                      yes -> won
    turn = next(turn)                                       -> next
won:
    score(turn) = 1
    publish("#{turn} has played the last card.")
finish:
    end
"""


def _trick_taking() -> str:
    text = (files("fcdl.cli") / "new_game.fcdl").read_text(encoding="utf-8")
    return text.replace("TITLE", "My tricks")


TEMPLATES = (
    Template("empty", "An empty page: shuffle, and then whatever you like.", _EMPTY),
    Template("high card", "The smallest game: both play a card, the higher one scores.", _HIGH_CARD),
    Template("tricks", "A trick-taking game, with a comment at every line.", _trick_taking()),
    Template("shedding", "Get rid of your cards: follow suit or rank, or draw.", _SHEDDING),
)
