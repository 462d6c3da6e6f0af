"""The page leaves out conditions that do not matter, and keeps those that do."""

from __future__ import annotations

from dataclasses import replace

from fcdl.heuristics import Heuristic, Heuristics, derive
from fcdl.heuristics.reduced import reduced
from fcdl.language.flowchart import Expr
from fcdl.language.load import load_flowchart
from fcdl.model import Game


def derived(name: str) -> Heuristics:
    return derive(Game.make(load_flowchart(name), name=name))


def weight(item: Heuristic) -> int | None:
    return item.weight


def answers(item: Heuristic) -> dict[Expr, bool]:
    tests = [condition.test for condition in item.conditions if condition.kind == "asked"]
    return {(test.args[0] if test.op == "not" else test): test.op != "not" for test in tests}


def test_no_heuristic_of_another_worth_agrees_with_what_is_left() -> None:
    found = derived("trumps")
    short = reduced(found.heuristics, found.neutral, weight)
    assert sum(len(answers(item)) for item in short) < sum(len(answers(item)) for item in found.heuristics)
    for one in short:
        for other in found.heuristics:
            if other.weight != one.weight and other.leads == one.leads:
                theirs = answers(other)
                assert any(theirs.get(test, answer) != answer for test, answer in answers(one).items())


def test_if_all_are_worth_the_same_no_answer_is_left() -> None:
    found = derived("trumps")
    short = reduced([replace(item, weight=1) for item in found.heuristics], (), weight)
    assert all(condition.kind != "asked" for item in short for condition in item.conditions)


def test_a_condition_that_tells_two_worths_apart_stays() -> None:
    found = derived("crazy_eights")
    short = reduced(found.heuristics, found.neutral, weight)
    twos = [item for item in short if item.weight == 3]
    assert twos
    assert all(any("2" in str(condition) for condition in item.conditions) for item in twos)
