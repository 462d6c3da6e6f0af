"""`python -m tests.opponents.moon --agents a/b`: does it pay to shoot the moon against these players?

Rounds of Hearts, three equal players against one who tries to shoot the moon whenever its hand allows
(`tests/opponents/shooter.py`), and the same deals again with that player not trying. The seats of the four rotate.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from fcdl.agents import agent, make_agent
from fcdl.arena.measures import CONFIDENCE, wilson
from fcdl.arena.play import play
from fcdl.arena.simulate import split_agents
from fcdl.engines import make_engine
from fcdl.errors import FcdlError
from fcdl.language.load import load_flowchart
from fcdl.model.game import Game
from tests.opponents.shooter import Shooter
from tests.results.fcdl import MODULES

MOON = 26


@dataclass(frozen=True, slots=True)
class Round:
    """One deal, played twice: by the shooter's points and the mean of the others', and whether it tried."""

    shooting: tuple[float, float]
    not_shooting: tuple[float, float]
    tried: bool
    shot: bool
    others_shot: bool
    """Whether one of the others shot the moon, in the game in which the shooter tries."""

    @property
    def gain(self) -> float:
        """How many points further ahead of the others it is for trying."""
        (own, theirs), (own_without, theirs_without) = self.shooting, self.not_shooting
        return (theirs - own) - (theirs_without - own_without)


@dataclass(slots=True)
class Against:
    """What came of the rounds against one agent."""

    agent: str
    rounds: list[Round] = field(default_factory=list)
    seconds: float = 0.0
    moves: int = 0

    def summary(self) -> dict[str, Any]:
        """The figures, with their intervals."""
        rounds, count = self.rounds, len(self.rounds)
        tried = sum(one.tried for one in rounds)
        shot = sum(one.shot for one in rounds)
        return {
            "agent": self.agent,
            "rounds": count,
            "points": _mean([one.shooting[1] for one in rounds]),
            "shooter_points": _mean([one.shooting[0] for one in rounds]),
            "points_not_shooting": _mean([one.not_shooting[1] for one in rounds]),
            "shooter_points_not_shooting": _mean([one.not_shooting[0] for one in rounds]),
            "tried": tried,
            "was_shot": {"rounds": shot, "share": shot / count, "interval": wilson(shot, count)},
            "shot_itself": sum(one.others_shot for one in rounds),
            "gain_of_shooting": _mean([one.gain for one in rounds]),
            "ms_per_move": 1000 * self.seconds / max(1, self.moves),
        }


def _mean(values: Sequence[float]) -> dict[str, Any]:
    """A mean with its interval."""
    mean = statistics.fmean(values)
    z = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    half = z * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return {"mean": mean, "interval": (mean - half, mean + half)}


def rounds(against: Against, chance: float, seed: str, passing: str = "yes") -> Iterator[Round]:
    """Round after round; the time that the agent takes is added up."""
    game = Game.make(load_flowchart("hearts"), name="hearts", options={"target": "0", "passing": passing})
    engine = make_engine(game)
    shooter, plain = (Shooter(game, shoot, chance, 100) for shoot in (True, False))
    agents = [make_agent(against.agent, game) for _ in range(3)]
    number = 0
    while True:
        seat = number % 4
        found = []
        tries = shooter.tries
        for player in (shooter, plain):
            table = [*agents[:seat], player, *agents[seat:]]
            played = play(engine, table, f"{seed}/{number}", f"{seed}/{number}")
            others = [other for other in range(4) if other != seat]
            against.seconds += sum(played.seconds[other] for other in others)
            against.moves += sum(played.moves[other] for other in others)
            found.append((played.scores[seat], [played.scores[other] for other in others]))
        (own, theirs), (own_without, theirs_without) = found
        yield Round(
            (own, statistics.fmean(theirs)),
            (own_without, statistics.fmean(theirs_without)),
            shooter.tries > tries,
            theirs == [MOON] * 3,
            own == MOON and 0 in theirs,
        )
        number += 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Plays and prints."""
    parser = argparse.ArgumentParser(prog="python -m tests.opponents.moon", description=__doc__)
    parser.add_argument("--agents", default="ismcts:ms=100", help="players to measure: a/b/c")
    parser.add_argument("--deals", type=int, default=40, help="deals for each, every one played twice")
    parser.add_argument("--chance", type=float, default=0.35, help="how likely the moon has to be to try")
    parser.add_argument("--passing", choices=("yes", "no"), default="yes", help="whether cards are passed")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    if given.deals < 1 or not 0 <= given.chance <= 1:
        parser.error("--deals is at least 1, --chance from 0 to 1")
    agent.KIND_MODULES = (*agent.KIND_MODULES, *MODULES)
    found = []
    for name in split_agents(given.agents):
        against = Against(name)
        for one in islice(rounds(against, given.chance, given.seed, given.passing), given.deals):
            against.rounds.append(one)
            if len(against.rounds) % 10 == 0:
                print(f"{name}: {len(against.rounds)} of {given.deals} deals", file=sys.stderr, flush=True)
        found.append(against.summary())
        if not given.json:
            print(told(found[-1]), flush=True)
    if given.json:
        print(json.dumps(found, indent=1))


def told(row: dict[str, Any]) -> str:
    """The figures in words."""

    def shown(name: str) -> str:
        low, high = row[name]["interval"]
        return f"{row[name]['mean']:.2f} ({low:.2f} to {high:.2f})"

    low, high = row["was_shot"]["interval"]
    return (
        f"{row['agent']}, {row['rounds']} deals, {row['ms_per_move']:.0f} ms a move:\n"
        f"  points a round {shown('points')}, the shooter {shown('shooter_points')}\n"
        f"  not shooting: {shown('points_not_shooting')}, that player {shown('shooter_points_not_shooting')}\n"
        f"  the shooter tried in {row['tried']} rounds and shot the moon in {row['was_shot']['rounds']}"
        f" ({100 * row['was_shot']['share']:.0f} %, {100 * low:.0f} to {100 * high:.0f}); shot by the others:"
        f" {row['shot_itself']}\n"
        f"  gain of shooting: {shown('gain_of_shooting')} points a round ahead of the others"
    )


if __name__ == "__main__":
    try:
        main()
    except FcdlError as error:
        sys.exit(f"{error}")
