"""`python -m tests.results.cardplay A B`: card play of two players at Skat, contract by contract.

As in Rebstock's thesis (6.1): `skat.bidder` bids, declares and puts cards away; then each player plays alone against
two of the other and against two of its own kind, with the same cards. What counts are tournament points (Seeger and
Fabian) of the declarer less those of the others. All figures are points a game, where everybody is declarer in a third
of the games: the lead of A over B, and how much of it comes from defending and from playing alone.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fcdl.agents import Agent, agent, make_agent
from fcdl.engines.native.engine import NativeEngine, State
from fcdl.errors import FcdlError
from fcdl.language.load import load_flowchart
from fcdl.model.chance import RandomChance
from fcdl.model.game import Game
from fcdl.model.moves import Move
from tests.results.fcdl import MODULES
from tests.results.journal import Journal, manifest

KINDS = ("suit", "grand", "null")
LOST = 40
"""What each of the others gets for a lost game."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A position in which the first card is to be played."""

    state: State
    declarer: int
    kind: str


@dataclass(frozen=True, slots=True)
class Match:
    """One deal in four seatings, as points of the declarer less those of the others: who is alone, against whom."""

    a_b: float
    b_a: float
    a_a: float
    b_b: float

    @property
    def lead(self) -> float:
        """Of A over B (6.1)."""
        return (self.a_b - self.b_a) / 3

    @property
    def defending(self) -> float:
        """How much better A defends (6.2; its text has the sign the other way round, its tables have it so)."""
        return ((self.a_b + self.b_b) - (self.a_a + self.b_a)) / 6

    @property
    def alone(self) -> float:
        """How much better A plays alone (6.3)."""
        return ((self.a_a - self.b_a) + (self.a_b - self.b_b)) / 6


class Table:
    """Deals, and plays them."""

    def __init__(self, first: str, second: str, bidder: str) -> None:
        self.game = Game.make(load_flowchart("skat"), name="skat", options={"scoring": "seegerFabian"})
        self.engine = NativeEngine(self.game)
        self.bidder = make_agent(bidder, self.game)
        # A player keeps what it knows of a game, so that every seat has one of its own.
        self.players: dict[str, list[Agent]] = {
            name: [make_agent(text, self.game) for _ in range(3)] for name, text in (("a", first), ("b", second))
        }

    def deal(self, seed: str) -> Deal | None:
        """A deal up to the first card; None if everybody passes."""
        engine, chance, dice = self.engine, RandomChance(seed), random.Random(seed)
        state = engine.start(chance)
        last: dict[str, str] = {}
        while (seat := engine.mover(state)) is not None:
            legal = engine.legal(state)
            if legal[0].kind == "play":
                kind = {"suitGame": "suit", "grand": "grand", "nullGame": "null"}[last["contract"]]
                return Deal(state, int(last["declarer"]), kind)
            move = self.bidder.choose(engine.observe(state, seat), legal, dice)
            state = engine.apply(state, move, chance)
            for event in engine.latest(state):
                if event.kind in ("assign", "choose") and event.name and event.value is not None:
                    last[event.name] = event.value
        return None

    def played(self, deal: Deal, alone: str, against: str, seed: str) -> float:
        """The declarer's points less those of the others."""
        engine, state = self.engine, deal.state
        dice = [random.Random(f"{seed} seat {seat}") for seat in range(3)]
        while (seat := engine.mover(state)) is not None:
            player = self.players[alone if seat == deal.declarer else against][seat]
            move: Move = player.choose(engine.observe(state, seat), engine.legal(state), dice[seat])
            state = engine.apply(state, move, RandomChance(0))
        own = state.scores[deal.declarer]
        return own - (LOST if own < 0 else 0)

    def match(self, deal: Deal, seed: str) -> Match:
        """All four."""
        return Match(*(self.played(deal, alone, against, seed) for alone, against in ("ab", "ba", "aa", "bb")))


def summary(matches: Sequence[Match], kind: str) -> dict[str, Any]:
    """The figures of a kind of contract, with their intervals."""
    row: dict[str, Any] = {"kind": kind, "deals": len(matches)}
    row["points"] = [statistics.fmean(getattr(match, name) for match in matches) / 3 for name in ("a_b", "b_a")]
    for name in ("lead", "defending", "alone"):
        values = [getattr(match, name) for match in matches]
        half = 1.96 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
        row[name] = {"mean": statistics.fmean(values), "half": half}
    return row


def told(row: dict[str, Any]) -> str:
    """In words."""
    parts = [f"{name} {row[name]['mean']:+.1f} ± {row[name]['half']:.1f}" for name in ("lead", "defending", "alone")]
    first, second = row["points"]
    return f"{row['kind']:6} {row['deals']} deals, points {first:.1f} : {second:.1f}, {', '.join(parts)}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Plays and prints."""
    parser = argparse.ArgumentParser(prog="python -m tests.results.cardplay", description=__doc__)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--deals", type=int, default=50, help="deals of each kind of contract, played four times")
    parser.add_argument("--kinds", default="/".join(KINDS), help="suit/grand/null")
    parser.add_argument("--bidder", default="skat.bidder", help="who bids, declares and puts cards away")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--resume", type=Path, help="a folder in which what was played is kept, and goes on")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    kinds = given.kinds.split("/")
    if given.deals < 1 or not set(kinds) <= set(KINDS):
        parser.error(f"--deals is at least 1, --kinds are some of {'/'.join(KINDS)}")
    agent.KIND_MODULES = (*agent.KIND_MODULES, *MODULES)
    table = Table(given.first, given.second, given.bidder)
    journal = Journal(given.resume, "matches.jsonl")
    started = datetime.now(UTC).isoformat(timespec="seconds")
    while (found := _by_kind(journal.values, kinds)) and min(map(len, found.values())) < given.deals:
        seed = f"{given.seed}/{len(journal.values)}"
        deal = table.deal(seed)
        wanted = deal is not None and len(found.get(deal.kind, range(given.deals))) < given.deals
        played = table.match(deal, seed) if deal is not None and wanted else None
        journal.add([deal.kind if deal is not None else "", None if played is None else list(astuple(played))])
        if played is not None and (done := sum(map(len, found.values())) + 1) % 20 == 0:
            print(f"{done} of {given.deals * len(kinds)} deals", file=sys.stderr, flush=True)
    rows = [summary(matches, kind) for kind, matches in found.items()]
    if given.json:
        result = {"games": 4 * sum(map(len, found.values())), "rows": rows, "manifest": manifest(started)}
        print(json.dumps(result, indent=1))
    else:
        print("\n".join(map(told, rows)))


def _by_kind(journal: Sequence[tuple[str, list[float] | None]], kinds: Sequence[str]) -> dict[str, list[Match]]:
    """The matches that were played."""
    found: dict[str, list[Match]] = {kind: [] for kind in kinds}
    for kind, points in journal:
        if points is not None:
            found[kind].append(Match(*points))
    return found


if __name__ == "__main__":
    try:
        main()
    except FcdlError as error:
        sys.exit(str(error))
