"""The door to clingo: symbols in and out, what functions raise is raised, and whatever takes too long is given up."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from clingo import Function, Number, String, Symbol

from fcdl.engines.asp import program
from fcdl.engines.asp.program import Budget, GaveUpError, Grounding, RuleError, Rules, by_signature, symbol_of
from fcdl.engines.asp.worlds import Fact, solve
from fcdl.heuristics.terms import Term, name_term

ASP = Path(program.__file__).parent
DOOR = {"Control", "Backend", "Model", "parse_term", "clingo_main", "parse_string", "parse_files", "ProgramBuilder"}
"""Clingo's names for making programs, for text and for answers."""


def rules(text: str, *inputs: str) -> Rules:
    return Rules([("base", statement) for statement in program._parse(text)[1:]], inputs)


def shown(grounding: Grounding, *assumed: Symbol) -> list[list[str]]:
    return sorted(sorted(map(str, answer)) for answer in grounding.answers(Budget(10), assumed))


@pytest.mark.parametrize("module", sorted(path.name for path in ASP.glob("*.py")))
def test_only_the_door_makes_programs_and_reads_answers(module: str) -> None:
    used = set(_clingo_names((ASP / module).read_text()))
    if module == "program.py":
        assert {"Control", "parse_string", "ProgramBuilder"} <= used
    else:
        assert not used & DOOR, f"{module} goes past program.py"


def _clingo_names(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "clingo":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            assert not any(alias.name.split(".")[0] == "clingo" for alias in node.names), "import names from clingo"


def test_facts_are_symbols_and_stay_what_they_are() -> None:
    nasty = String('"). a. %*')
    grounding = rules("q(X) :- p(X). r :- on.", "p/1", "on/0").ground(
        by_signature([Function("p", [nasty]), Function("on")])
    )
    assert [fact.arguments[0] for fact in grounding.facts("q", 1)] == [nasty]
    assert grounding.facts("r", 0) == [Function("r")]


def test_facts_that_no_rule_expects_are_refused() -> None:
    with pytest.raises(KeyError):
        rules("q(X) :- p(X).", "p/1").ground(by_signature([Function("other", [Number(1)])]))


def test_terms_become_the_symbols_that_their_text_is() -> None:
    odd = name_term('say "no" \\ twice')
    term = Term("f", (Term("12"), Term("-3"), name_term("clubs"), odd, Term("", (odd, Term("me")))))
    assert str(symbol_of(term)) == str(term)
    assert symbol_of(odd) == String('say "no" \\ twice')
    assert [part.type.name for part in symbol_of(term).arguments] == [
        "Number", "Number", "Function", "String", "Function",
    ]  # fmt: skip


def test_answers_are_all_answer_sets_or_those_with_what_is_assumed() -> None:
    grounding = rules("1 { pick(X) : p(X) } 1. #show pick/1.", "p/1").ground(
        by_signature(Function("p", [Number(n)]) for n in range(3))
    )
    # clingo looks for one answer set unless it is told otherwise
    assert len(shown(grounding)) == 1
    assert shown(grounding, Function("pick", [Number(2)])) == [["pick(2)"]]
    every = rules("1 { pick(X) : p(X) } 1. #show pick/1.", "p/1").ground(
        by_signature(Function("p", [Number(n)]) for n in range(3)), options=["--models=0"]
    )
    assert shown(every) == [["pick(0)"], ["pick(1)"], ["pick(2)"]]


def test_what_a_function_raises_is_raised() -> None:
    class Functions:
        def refuse(self, _: Symbol) -> Symbol:
            raise LookupError("not that one")

    with pytest.raises(LookupError, match="not that one"):
        rules("q(@refuse(X)) :- p(X).", "p/1").ground(by_signature([Function("p", [Number(1)])]), Functions())


def test_what_clingo_warns_of_is_an_error() -> None:
    with pytest.raises(RuleError, match="AtomUndefined"):
        rules("q(X) :- unheard(X).").ground({})


PIGEONS = """
1 { in(P,H) : H = 1..N-1 } 1 :- P = 1..N, n(N).
:- in(P,H), in(Q,H), P < Q.
"""
"""One pigeon more than there are holes: for many of them no solver finds out."""


def test_solving_ends_when_the_time_is_over() -> None:
    grounding = rules(PIGEONS, "n/1").ground(by_signature([Function("n", [Number(14)])]))
    with pytest.raises(GaveUpError, match=r"^gave up after 0\.3 s$"):
        list(grounding.answers(Budget(0.3)))


def test_rules_that_ask_for_the_time_end_when_it_is_over() -> None:
    endless = rules("p(@in_time(X)+1) :- p(X). p(0) :- n(0).", "n/1")
    with pytest.raises(GaveUpError, match=r"^gave up after 0\.2 s$"):
        endless.ground(by_signature([Function("n", [Number(0)])]), budget=Budget(0.2))


def test_worlds_that_are_too_large_to_ground_are_given_up() -> None:
    facts = [Fact("start", (0,)), *(Fact("card", (card,)) for card in range(128))]
    for step in range(4000):
        facts += [Fact("step", (step, step % 20, 3, (step + 1) % 20)), Fact("hidden", (step,))]
    with pytest.raises(GaveUpError, match=r"gave up after 0\.5 s"):
        list(solve(facts, seconds=0.5))
