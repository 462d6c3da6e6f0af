"""The paths through a cycle: steps from its beginning to its ends, and the conditions under which they are taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from fcdl.heuristics.situation import Situation
from fcdl.heuristics.symbols import FALSE, choice, conjunction
from fcdl.heuristics.terms import Term
from fcdl.language.flowchart import TRUE, Expr

Arrow = tuple[int, str]
"""An arrow of the chart: the number of the node it comes from, and `next`, `yes` or `no`."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a path: `test` is an expression of the chart's language, `term` the same in the thesis's words.

    `kind`: `who` says who somebody is, `card` from which cards one is played, `asked` is the answer of a diamond.
    """

    kind: str
    test: Expr
    term: Term
    answer: tuple[str, bool] | None = field(default=None, compare=False)
    """What the diamond asks, as the chart has it, and what was answered."""

    def __str__(self) -> str:
        return str(self.term)


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """The end of a path: at the next cycle, or where the walk cannot go on, and why."""

    at: Situation
    mine: tuple[tuple[Expr, str, bool], ...]
    """Where paths are merged, the answers that concern me, with what was asked and whether yes was said."""
    reason: str | None
    place: int
    """Where the reason lies."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What is told on the path, and where it goes on, with the answer that leads there if there are two."""

    told: tuple[Condition, ...]
    to: tuple[tuple[Condition | None, Step], ...]
    end: End | None
    arrows: tuple[frozenset[Arrow], ...]
    """The arrows that lead to each of `to`; none where it is the same place."""


# All functions take steps in an order in which each comes before those to which it leads.


def ends(steps: Sequence[Step]) -> list[End]:
    """All ends, in the order of the answers, yes before no."""
    found: dict[Step, End | None] = {}
    pending = [steps[0]]
    while pending:
        step = pending.pop()
        if step not in found:
            found[step] = step.end
            pending += [to for _, to in reversed(step.to)]
    return [end for end in found.values() if end is not None]


def said(steps: Sequence[Step], kind: str) -> list[Condition]:
    """Everything of one kind that is told on any path, each once, in order."""
    return list(dict.fromkeys(condition for step in steps for condition in step.told if condition.kind == kind))


def paths_through(steps: Sequence[Step]) -> Iterator[tuple[tuple[Condition, ...], End]]:
    """All paths, one by one, with what is told and answered on each, if no two of them meet."""
    before: dict[Step, tuple[Condition, ...]] = {steps[0]: ()}
    for step in steps:
        told = (*before[step], *step.told)
        if step.end is not None:
            yield told, step.end
        for asked, to in step.to:
            before[to] = told if asked is None else (*told, asked)


def arrows_to(steps: Sequence[Step], wanted: Callable[[End], bool]) -> frozenset[Arrow]:
    """The arrows of all paths to the wanted ends."""
    found: set[Arrow] = set()
    leading: set[Step] = set()
    for step in reversed(steps):
        onward = [arrows for (_, to), arrows in zip(step.to, step.arrows, strict=True) if to in leading]
        if onward or (step.end is not None and wanted(step.end)):
            leading.add(step)
            found.update(*onward)
    return frozenset(found)


def reaching(steps: Sequence[Step], wanted: Callable[[End], bool]) -> Expr:
    """The condition under which one of the wanted ends is reached."""
    return _folded(steps, lambda end: TRUE if wanted(end) else FALSE, lambda told, rest: rest) or FALSE


def legality(steps: Sequence[Step], wanted: Callable[[End], bool]) -> Expr:
    """The condition that every card is one of those that may be played, on the paths to the wanted ends."""

    def with_cards(told: Sequence[Condition], rest: Expr) -> Expr:
        return conjunction([*(condition.test for condition in told if condition.kind == "card"), rest])

    return _folded(steps, lambda end: TRUE if wanted(end) else None, with_cards) or TRUE


def _folded(
    steps: Sequence[Step], of_end: Callable[[End], Expr | None], of_step: Callable[[Sequence[Condition], Expr], Expr]
) -> Expr | None:
    """A condition made from the ends back to the start; None is what does not matter."""
    found: dict[Step, Expr | None] = {}
    for step in reversed(steps):
        rests = [(asked, rest) for asked, to in step.to if (rest := found[to]) is not None]
        match [(asked.test if asked else TRUE, rest) for asked, rest in rests]:
            case [(test, yes), (_, no)]:
                rest = choice(test, yes, no)
            case [(_, rest)]:
                pass
            case _:
                rest = None if step.end is None else of_end(step.end)
        found[step] = None if rest is None else of_step(step.told, rest)
    return found[steps[0]]
