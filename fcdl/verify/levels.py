"""What is proved about a game with the cards face down, first with hardly anything told apart, then with more and more.

Whatever one level proves is proved: a box that is safe at one of them is safe. Coarse levels take moments and prove
what only depends on what was asked just before; fine ones know how many cards everybody has, and what the score is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from fcdl.language.flowchart import Type
from fcdl.model.game import Game
from fcdl.verify.abstract import TOTAL, Abstract, UnsupportedError
from fcdl.verify.explore import Explorer, Findings, OutOfTimeError
from fcdl.verify.ranking import always_ends
from fcdl.verify.terms import INFINITE, Range


@dataclass(slots=True)
class Proof:
    """What all levels together show for one game; None: no level was finished."""

    stuck: set[int] | None = None
    """Nodes where perhaps somebody has no legal move."""
    faults: set[int] | None = None
    lost: set[tuple[int, str]] | None = None
    """Nodes where cards are shuffled to be dealt, and zones where cards may be left that nothing takes."""
    reached: set[int] | None = None
    """Nodes that a game may come to."""
    movers: set[int] | None = None
    """Seats that may decide something."""
    first_movers: set[int] | None = None
    """Seats that may decide first."""
    longest: int | None = None
    """The most decisions of a game."""
    terminates: bool = False
    sum: Range = (-INFINITE, INFINITE)
    score: Range = (-INFINITE, INFINITE)
    """What the scores add up to at the end, and what a score can be."""
    unequal: set[tuple[int, ...]] | None = None
    """Teams whose partners perhaps have different scores."""
    stated: set[int] | None = None
    """The chart's own `always` lines that perhaps do not hold, by number."""
    why_not: str = "the time was over"
    """Why there is not more."""
    levels: int = field(default=0)

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to be proved."""
        low, high = self.sum
        return not (self.stuck or self.faults or self.lost or self.unequal or self.stated) and (
            self.longest is not None and low == high
        )


def prove(game: Game, until: float) -> Proof:
    """Everything that can be proved in time."""
    proof = Proof()
    stages = list(levels(game))
    for number, coarse in enumerate(stages):
        left = until - time.process_time()
        if left <= 0 or (proof.levels and proof.is_complete):
            break
        rules = Abstract(game)
        rules.coarse = set(coarse)
        share = left if number == len(stages) - 1 else left / 2
        try:
            seen = Explorer(rules, time.process_time() + share).run()
        except OutOfTimeError:
            proof.why_not = "the time was over before all positions were found"
            continue
        except (UnsupportedError, RecursionError) as error:
            proof.why_not = str(error) or "the chart is nested too deeply"
            continue
        _add(proof, rules, seen, until)
    return proof


def levels(game: Game) -> Iterator[set[str]]:
    """What is not told apart: everything; all but players; numbers and sizes; the same without hands; nothing."""
    chart = game.flowchart
    zones = {f"@{name}" for name in chart.zones}
    variables = chart.variables.values()
    sums = {TOTAL + variable.name for variable in variables}
    numbers = {variable.name for variable in variables if variable.type is Type.INT}
    yield {*chart.variables, *sums, *zones}
    yield {variable.name for variable in variables if variable.type is not Type.PLAYER} | sums | zones
    yield numbers | sums | zones
    yield numbers | sums | (zones - {"@hand"})
    yield set()


def _add(proof: Proof, rules: Abstract, seen: Findings, until: float) -> None:
    """What one level shows."""
    proof.levels += 1
    proof.stuck = seen.stuck if proof.stuck is None else proof.stuck & seen.stuck
    proof.faults = seen.faults if proof.faults is None else proof.faults & seen.faults
    proof.lost = seen.lost if proof.lost is None else proof.lost & seen.lost
    proof.reached = seen.reached if proof.reached is None else proof.reached & seen.reached
    proof.movers = seen.movers if proof.movers is None else proof.movers & seen.movers
    proof.first_movers = seen.first_movers if proof.first_movers is None else proof.first_movers & seen.first_movers
    longest = longest_game(seen)
    if longest is not None:
        proof.terminates = True
        proof.longest = longest if proof.longest is None else min(longest, proof.longest)
    elif not proof.terminates:
        proof.terminates = always_ends([edge.step for edge in seen.edges], until)
    teams = rules.chart.teams
    unequal = set()
    if seen.ends:
        sums = [rules.range_of(end.values[TOTAL + "score", None], end) for end in seen.ends]
        proof.sum = _both(proof.sum, sums)
        scores = [rules.range_of(end.values["score", seat], end) for end in seen.ends for seat in range(rules.players)]
        proof.score = _both(proof.score, scores)
        unequal = {team for team in teams for end in seen.ends if len({end.values["score", seat] for seat in team}) > 1}
    proof.unequal = unequal if proof.unequal is None else proof.unequal & unequal
    stated = {
        number
        for number, condition in enumerate(rules.chart.always)
        for end in seen.ends
        if rules.truth(rules.value(condition, end.copy()), end) is not True
    }
    proof.stated = stated if proof.stated is None else proof.stated & stated


def _both(known: Range, ranges: list[Range]) -> Range:
    low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
    return max(known[0], low), min(known[1], high)


def longest_game(seen: Findings) -> int | None:
    """The most decisions from the start to an end; None if positions come again."""
    after: dict[int, list[tuple[int, int]]] = {}
    arriving = [0] * seen.positions
    for edge in seen.edges:
        after.setdefault(edge.step.source, []).append((edge.step.target, edge.decisions))
        arriving[edge.step.target] += 1
    most = [0] * seen.positions
    ready = [number for number, arrows in enumerate(arriving) if arrows == 0]
    done = 0
    while ready:
        number = ready.pop()
        done += 1
        for target, decisions in after.get(number, ()):
            most[target] = max(most[target], most[number] + decisions)
            arriving[target] -= 1
            if arriving[target] == 0:
                ready.append(target)
    return max(most) if done == seen.positions else None
