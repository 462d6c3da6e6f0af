"""What matters for the reader: conditions that tell a heuristic from those of another worth, and no others.

To every cycle exactly one path applies. So a condition can be left out of a heuristic if whatever else may then be the
case has the same worth: no path of another worth agrees with what is left. That is said for the page only; JSON and ASP
have all conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fcdl.heuristics.clock import tick
from fcdl.heuristics.derive import Heuristic
from fcdl.heuristics.paths import Condition
from fcdl.heuristics.symbols import COMPARISONS, ME, flattened
from fcdl.language.flowchart import Expr, Type

MANY = 500
"""More heuristics than this are not compared with each other."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a question is answered with: one of these, or (`no`) none of them."""

    values: frozenset[Hashable]
    no: bool = False

    def agrees(self, other: _Answer) -> bool:
        """Whether both may be the answer."""
        if self.no and other.no:
            return True
        if self.no or other.no:
            plain, denied = (other, self) if self.no else (self, other)
            return not plain.values <= denied.values
        return bool(self.values & other.values)

    def follows(self, other: _Answer) -> bool:
        """Whether this holds whenever the other one is the answer."""
        if self.no:
            return self.values <= other.values if other.no else not self.values & other.values
        return not other.no and other.values <= self.values


@dataclass(frozen=True, slots=True)
class _Order:
    """Which of two numbers is larger: 1 for the first of them in the order of their names, 0 for none."""

    numbers: frozenset[Expr]


_ORDERS = frozenset({-1, 0, 1})
_COMPARED = {
    "greater": (1, False),
    "less": (-1, False),
    "equal": (0, False),
    "lessEqual": (1, True),
    "greaterEqual": (-1, True),
}
"""The order that a comparison asks for, or (True) that it denies."""

_Claims = Mapping[Hashable, _Answer]
_Kind = Callable[[Heuristic], Hashable]


def reduced(heuristics: Sequence[Heuristic], others: Sequence[Heuristic], kind: _Kind) -> list[Heuristic]:
    """Some heuristics without conditions that do not matter, where all of these, and the others, may apply.

    `kind` is equal for those whose worth is said alike. What another one covers is left out.
    """
    if len(heuristics) + len(others) > MANY:
        return list(heuristics)
    every = [(kind(item), _claims(item)) for item in (*heuristics, *others)]
    found = []
    for item, (worth, claims) in zip(heuristics, every, strict=False):
        rivals = [theirs for another, theirs in every if another != worth]
        if not item.summary.merged:  # decisions in several places of the chart cannot be told apart by conditions
            rivals = [theirs for theirs in rivals if not _agree(claims, theirs)]
        left = dict(claims)
        for question, value in _droppable(item):
            less = _without(left, question, value)
            if not any(_agree(less, rival) for rival in rivals):
                left = less
        found.append((worth, left, _with(item, left)))
    return [
        item
        for number, (worth, claims, item) in enumerate(found)
        if not any(
            another == worth and _covers(theirs, claims) and (place < number or not _covers(claims, theirs))
            for place, (another, theirs, _) in enumerate(found)
            if place != number
        )
    ]


def _agree(claims: _Claims, others: _Claims) -> bool:
    """Whether both may be the case."""
    tick()
    return all(question not in others or answer.agrees(others[question]) for question, answer in claims.items())


def _covers(claims: _Claims, others: _Claims) -> bool:
    """Whether all that is claimed here follows from the others' claims."""
    return all(question in others and answer.follows(others[question]) for question, answer in claims.items())


def _without(claims: _Claims, question: Hashable, value: Hashable) -> dict[Hashable, _Answer]:
    """The claims without one that a question has, or does not have, this value."""
    less = dict(claims)
    answer = less.pop(question, None)
    if answer is not None and answer.no and len(answer.values) > 1:
        less[question] = _Answer(answer.values - {value}, no=True)
    return less


def _claims(item: Heuristic) -> dict[Hashable, _Answer]:
    first = item.parameters[0].distance if item.parameters else None
    found: dict[Hashable, _Answer] = {"first": _Answer(frozenset({first}))}
    for condition in item.conditions:
        if condition.kind == "card":
            continue
        question, value, no = _claim(condition)
        before = found.get(question)
        if isinstance(question, _Order):
            values = _ORDERS - {value} if no else {value}
            found[question] = _Answer(frozenset(values if before is None else values & before.values))
        elif before is None or (before.no and not no):
            found[question] = _Answer(frozenset({value}), no)
        elif before.no and no:
            found[question] = _Answer(before.values | {value}, no=True)
    return found


def _claim(condition: Condition) -> tuple[Hashable, Hashable, bool]:
    """A question, one answer, and whether it is not the answer."""
    test, no = (condition.test.args[0], True) if condition.test.op == "not" else (condition.test, False)
    if condition.kind == "who":
        return ("seat", test.args[0], no) if _is_my_seat(test) else (test.args[0], test.args[1], no)
    if test.op == "equal" and test.args[1].op == "const":
        return test.args[0], test.args[1], no
    if test.op in COMPARISONS and test.args[0].type is Type.INT:
        value, denied = _COMPARED[test.op]
        question = _Order(frozenset(test.args))
        first = min(test.args, key=repr)
        return question, value if test.args[0] == first else -value, no != denied
    if test.op in ("and", "or"):
        return (test.op, frozenset(flattened(test.op, test))), True, no
    return test, True, no


def _droppable(item: Heuristic) -> Iterator[tuple[Hashable, Hashable]]:
    """The claims that may be left out, those that say least first.

    Where paths are merged the worth hangs on what was settled, and the long conditions beside it are not told.
    """
    kept = {_claim(condition)[0] for condition in item.summary.settled} if item.summary.merged else set()
    mine = {_claim(condition)[0] for condition in (*item.summary.mine, *item.summary.settled)}
    asked = [condition for condition in item.conditions if condition.kind == "asked"]
    claims = [_claim(condition)[:2] for condition in reversed(asked) if not _is_of_passing(condition)]
    claims = [claim for claim in claims if claim[0] not in kept]
    yield from (_claim(condition)[:2] for condition in item.conditions if _is_my_seat(condition.test))
    yield from (claim for claim in claims if claim[0] not in mine)
    yield from (claim for claim in claims if claim[0] in mine)


def _is_my_seat(test: Expr) -> bool:
    return test.op == "equal" and test.args[1] == ME and test.args[0].op == "player"


def _is_of_passing(condition: Condition) -> bool:
    """Whether it says that somebody passed, or did not; that is told with what is played."""
    term = condition.term.args[0] if condition.term.name == "neg" else condition.term
    return term.name == "equal" and term.args[0].name == "passed"


def _with(item: Heuristic, claims: _Claims) -> Heuristic:
    """A heuristic with the conditions that are left."""

    def stays(condition: Condition) -> bool:
        if condition.kind == "card":
            return True
        question, value, no = _claim(condition)
        answer = claims.get(question)
        if isinstance(question, _Order):
            return answer is not None
        return answer is not None and answer.no == no and value in answer.values

    short = item.summary
    settled = short.settled if short.merged else tuple(filter(stays, short.settled))
    summary = replace(short, mine=tuple(filter(stays, short.mine)), settled=settled)
    return replace(item, conditions=tuple(filter(stays, item.conditions)), summary=summary)
