"""The rule-based player of Joris Teunisse's thesis on Hearts (2018, section 4.2).

The thesis's Monte Carlo players (section 4.3) are settings of `montecarlo`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from fcdl.agents.agent import AgentKind, Parameter, one_of, whole
from fcdl.agents.rules import Advice, RulePlayer, rank_value, require_game, suit_code
from fcdl.model.game import Game
from fcdl.model.moves import Move

QUEEN = "QS"


def points(card: str) -> int:
    """Penalty points (section 2.4)."""
    return 13 if card == QUEEN else int(card[1] == "H")


class HeartsRules(RulePlayer):
    """Avoids points by the four rules of section 4.2; turns them round when it may shoot the moon.

    Rule 3 is read as one for players who follow suit: only so the figures of section 5.1.2 come out. Section 6.3 says
    that how to pass cards was not a subject of the thesis: any cards are passed.
    """

    def __init__(self, game: Game, threshold: int, moon: str = "left", off_suit: str = "rules") -> None:
        require_game(game, "hearts.rules", "Hearts", ("hand", "middle", "won", "parcel", "leadSuit"))
        super().__init__(game)
        self.threshold = threshold
        self.never_turns_back = moon == "kept"
        self.ranks_only = off_suit == "ranks"
        self._started = False
        """Whether it has begun to shoot the moon in this round."""

    def advise(self, seat: int, legal: Sequence[Move], rng: random.Random) -> Advice:
        """The first rule that says something."""
        if legal[0].kind == "pick":
            return legal, "Any cards may be passed."
        seats = range(self.game.players)
        trick = [card for player in seats for card in self.table.known(f"middle({player})")]
        taken = [sum(map(points, self.table.known(f"won({player})"))) for player in seats]
        shooting = taken[seat] >= self.threshold and sum(taken) == taken[seat]
        if self.never_turns_back:
            begins = not any(self.table.known(f"won({player})") for player in seats)
            self._started = shooting or (self._started and not begins)
            shooting = self._started
        if not trick:
            return self._lead(legal, shooting)
        suit = suit_code(self.table.value("leadSuit"))
        follows = legal[0].what[1] == suit
        if not follows and (advice := self._discard(legal, shooting)):
            return advice
        best = max(rank_value(card) for card in trick if card[1] == suit)
        lower = [move for move in legal if rank_value(move.what) < best]
        higher = [move for move in legal if rank_value(move.what) > best]
        if shooting and higher:
            return lowest(higher), "Shooting the moon: the lowest card that takes the trick so far."
        if lower and not shooting:
            return highest(lower), "The highest card that does not take the trick (rule 3)."
        return legal, "Any card (rule 4)."

    @staticmethod
    def _lead(legal: Sequence[Move], shooting: bool) -> Advice:
        if shooting:
            return highest(legal), "Shooting the moon: lead the highest card."
        return lowest(legal), "Lead the lowest card."

    def _discard(self, legal: Sequence[Move], shooting: bool) -> Advice | None:
        """What the first rules say; None: the others are asked, which compare the ranks of cards."""
        if shooting:
            harmless = [move for move in legal if not points(move.what)]
            return None if self.ranks_only else (harmless or legal, "Shooting the moon: keep the cards with points.")
        if any(move.what == QUEEN for move in legal):
            return [Move("play", QUEEN)], "Get rid of the queen of spades (rule 1)."
        if hearts := [move for move in legal if move.what[1] == "H"]:
            return hearts, "Get rid of a heart (rule 2)."
        return None if self.ranks_only else (legal, "Any card (rule 4).")


def lowest(moves: Sequence[Move]) -> list[Move]:
    """The moves with cards of the lowest rank."""
    low = min(rank_value(move.what) for move in moves)
    return [move for move in moves if rank_value(move.what) == low]


def highest(moves: Sequence[Move]) -> list[Move]:
    """The moves with cards of the highest rank."""
    high = max(rank_value(move.what) for move in moves)
    return [move for move in moves if rank_value(move.what) == high]


KINDS: Mapping[str, AgentKind] = {
    "hearts.rules": AgentKind(
        HeartsRules,
        "plays Hearts by four simple rules, and may shoot the moon",
        {
            "threshold": Parameter(
                whole(0, 26), 14, "tries to shoot the moon above this many points, if nobody else has any (26: never)"
            ),
            "moon": Parameter(
                one_of("left", "kept"), "left", "when others get points: stop shooting the moon, or go on all the same"
            ),
            "off_suit": Parameter(
                one_of("rules", "ranks"), "rules", "off suit rules 1, 2 and 4 count, or rule 3 does, too, by rank alone"
            ),
        },
    ),
}
