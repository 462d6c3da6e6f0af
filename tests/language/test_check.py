"""Good charts get no complaints, and the analyses agree with trying every path."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcdl.language import tree
from fcdl.language.check import check_structure
from fcdl.language.check.program import Program
from fcdl.language.diagnostics import Finding, Findings, Severity
from fcdl.language.flowchart import Flowchart, NodeKind
from fcdl.language.load import builtin_names, load, load_text
from fcdl.language.parser import parse_text
from fcdl.language.resolve import resolve, vocabulary

THESIS = sorted((Path(__file__).parents[1] / "data" / "law2013").glob("*.lp"))


def serious(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(item.code, item.message) for item in findings if item.severity is not Severity.NOTE]


@pytest.mark.parametrize("name", builtin_names())
def test_builtin_game_is_clean(name: str) -> None:
    assert serious(load(name).findings) == []


@pytest.mark.parametrize("path", THESIS, ids=lambda path: path.name)
def test_thesis_file_is_accepted(path: Path) -> None:
    """One of them has a variable that it never uses."""
    checked = load(path)
    assert checked.flowchart is not None
    assert {code for code, _ in serious(checked.findings)} <= {"unused-variable"}


# --- charts that are fine ---------------------------------------------------------------------------------------------

DEAL = "chart main\nstart\nShuffle\nDeal(7)\n"
LEAD = DEAL + "playCard(player(0), cards)\nled = suit(middle(player(0)))\np = player(1)\n"
SCORE = "score(player(0)) = 1\n"

FINE = {
    "must follow": LEAD + "playerHas(p, card(any, led))? no -> free\nplayCard(p, card(any, led)) -> done\n"
    "free: playCard(p, cards)\ndone: score(p) = 1\nend\n",
    "must follow, asked the other way round": LEAD + "!playerHas(p, card(any, led))? yes -> free\n"
    "playCard(p, card(any, led)) -> done\nfree: playCard(p, cards)\ndone: score(p) = 1\nend\n",
    "must follow, counted": LEAD + "count(c in hand(p) where suit(c) == led) > 0? no -> free\n"
    "playCard(p, cards d in hand(p) where suit(d) == led) -> done\nfree: playCard(p, cards)\ndone: score(p) = 1\nend\n",
    "must follow, not empty": LEAD + "empty(intersect(hand(p), card(any, led)))? yes -> free\n"
    "playCard(p, card(any, led)) -> done\nfree: playCard(p, cards)\ndone: score(p) = 1\nend\n",
    "one of two kinds": LEAD + "playerHas(p, card(8, any))? no -> free\n"
    "playCard(p, union(card(any, led), card(8, any))) -> done\nfree: playCard(p, cards)\ndone: score(p) = 1\nend\n",
    "asked in another chart": LEAD + "playerHas(p, card(any, led))? no -> free\ndo follow -> done\n"
    "free: playCard(p, cards)\ndone: score(p) = 1\nend\nchart follow\nstart\nplayCard(p, card(any, led))\nend\n",
    "rule that lifts itself": DEAL + "p = player(1)\nplayCard(p, cards c in hand(p) where suit(c) != hearts |"
    " every(d in hand(p) where suit(d) == hearts))\nscore(p) = 1\nend\n",
    "values with opposite conditions": DEAL + "x = random(2)\nchoose(player(0), y, {1 if x == 1, 2 if x != 1})\n"
    "score(player(0)) = y\nend\n",
    "values with a condition that was asked": DEAL + "x = random(2)\nx > 0? no -> done\n"
    "choose(player(0), x, {3 if x > 0})\ndone: score(player(0)) = x\nend\n",
    "several deals": "players 2\nchart main\nstart\nShuffle\nrounds = 0\nagain: Deal(4)\nrounds = rounds + 1\n"
    "rounds < 6? yes -> again\n" + SCORE + "end\n",
    "deals from a pack that is filled again": "players 2\nchart main\nstart\nShuffle\nrounds = 0\nagain: Deal(26)\n"
    "move(all, hand(player(0)), pack)\nmove(all, hand(player(1)), pack)\nrounds = rounds + 1\n"
    "rounds < 6? yes -> again\n" + SCORE + "end\n",
    "either of two deals": "players 4\noption large = no\nchart main\nstart\nShuffle\nlarge? no -> small\n"
    "Deal(13) -> done\nsmall: Deal(7)\ndone: " + SCORE + "end\n",
    "two deals that only options keep apart": "players 4\noption early = no\nchart main\nstart\nShuffle\n"
    "early? no -> later\nDeal(10)\nlater: early? yes -> done\nDeal(10)\ndone: " + SCORE + "end\n",
    "assigned in every branch": DEAL + "x = random(2)\nx == 0? no -> b\np = player(0) -> c\nb: p = player(1)\n"
    "c: score(p) = 1\nend\n",
    "assigned by another chart": DEAL + "do pick\nscore(p) = 1\nend\nchart pick\nstart\nx = random(2)\n"
    "x == 0? no -> b\np = player(0) -> c\nb: p = player(1)\nc: end\n",
    "loop that an inner chart ends": "chart main\nstart\nn = 0\nagain: do more\nn < 10? yes -> again\n"
    "score(player(0)) = n\nend\nchart more\nstart\nn = n + 1\nend\n",
    "loop that a decision ends": "chart main\nstart\nagain: choose(player(0), more, {yes, no})\nmore? yes -> again\n"
    + SCORE + "end\n",
    "loop with a way out that an option closes": "option short = no\nchart main\nstart\nn = 0\nagain: n = n + 1\n"
    "n % 3 == 0? no -> again\nshort? yes -> done\nn < 20? yes -> again\ndone: score(player(0)) = n\nend\n",
    "definitions that use options": "option best = high of high, low\nwords x, y\n"
    "define wanted = if(best == high, x, y)\nchart main\nstart\nx == wanted? no -> done\n" + SCORE + "done: end\n",
}  # fmt: skip


@pytest.mark.parametrize("source", FINE.values(), ids=FINE)
def test_good_chart_gets_no_complaint(source: str) -> None:
    checked = load_text(source)
    assert serious(checked.findings) == []
    assert not [item for item in checked.findings if item.code == "perhaps-no-move"]


# --- drawings that only facts and JSON can make -----------------------------------------------------------------------


def structure(*charts: tree.Chart) -> list[tuple[str, int | None]]:
    findings = Findings()
    check_structure(tree.Document((), charts), findings)
    return [(item.code, item.node) for item in findings.items]


def test_arrow_to_nowhere_is_dangling() -> None:
    nodes = (tree.Node(0, tree.Start(), next=1), tree.Node(1, tree.Action("Shuffle"), next=9), tree.Node(2, tree.End()))
    assert structure(tree.Chart("main", nodes)) == [("dangling-connection", 1)]


def test_arrow_into_another_chart_is_refused() -> None:
    main = (tree.Node(0, tree.Start(), next=3), tree.Node(1, tree.Do("sub"), next=2), tree.Node(2, tree.End()))
    sub = (tree.Node(3, tree.Start(), next=4), tree.Node(4, tree.End()))
    assert structure(tree.Chart("main", main), tree.Chart("sub", sub)) == [("other-chart", 0)]


def test_arrow_too_many_is_refused() -> None:
    nodes = (tree.Node(0, tree.Start(), next=1, extra=(0,)), tree.Node(1, tree.End()))
    assert structure(tree.Chart("main", nodes)) == [("doubled-connection", 0)]


def test_arrow_of_the_wrong_kind_is_refused() -> None:
    nodes = (tree.Node(0, tree.Start(), yes=1, next=1), tree.Node(1, tree.End(), next=0))
    assert structure(tree.Chart("main", nodes)) == [("wrong-arrow", 0), ("wrong-arrow", 1)]


def test_number_twice_is_refused() -> None:
    nodes = (tree.Node(0, tree.Start(), next=1), tree.Node(1, tree.End()), tree.Node(1, tree.End()))
    assert ("doubled-label", 1) in structure(tree.Chart("main", nodes))


def test_findings_of_forms_without_places_have_no_span() -> None:
    findings = Findings()
    check_structure(tree.Document((), (tree.Chart("main", (tree.Node(0, tree.Start()),)),)), findings)
    assert {item.span for item in findings.items} == {None}


# --- against trying every path ----------------------------------------------------------------------------------------


@st.composite
def small_programs(draw: st.DrawFn) -> str:
    """A main chart and two sub-charts, with assignments to and reads of `a` and `b` at random."""
    names = ["main", "one", "two"]
    lines = []
    for index, name in enumerate(names):
        size = draw(st.integers(1, 5))
        lines += [f"chart {name}", "start"]
        for place in range(size):
            kinds = ["a = 1", "b = 1", "score(player(0)) = a", "score(player(0)) = b", "diamond", "back"]
            kinds += [f"do {other}" for other in names[index + 1 :]]
            kind = draw(st.sampled_from(kinds))
            if kind == "diamond":
                kind = f"score(player(0)) > {place}? no -> n{draw(st.integers(place + 1, size))}"
            elif kind == "back":
                kind = f"score(player(0)) > {place}? yes -> n{draw(st.integers(0, place))}"
            lines += [f"n{place}:", kind]
        lines += [f"n{size}:", "end"]
    return (
        "\n".join(["chart main", "start", "do first", "end", *lines])
        .replace("chart main", "chart game", 1)
        .replace("chart main", "chart first")
    )


def read_too_early(flowchart: Flowchart) -> set[str]:
    """The variables that some path, with its calls and returns, reads before it assigns them."""
    found: set[str] = set()
    nodes = flowchart.nodes
    pending: list[tuple[int, tuple[int, ...], frozenset[str]]]
    pending = [(flowchart.charts[flowchart.main].start, (), frozenset())]
    seen = set(pending)
    facts = Program(flowchart).facts
    while pending:
        number, stack, assigned = pending.pop()
        node = nodes[number]
        found |= {name for name in facts[number].reads if name in ("a", "b") and name not in assigned}
        assigned = assigned | {name for name in facts[number].writes if name in ("a", "b")}
        following: list[tuple[int, tuple[int, ...], frozenset[str]]] = []
        if node.kind is NodeKind.CALL:
            assert node.next is not None
            following = [(flowchart.charts[node.caption.removeprefix("do ")].start, (*stack, node.next), assigned)]
        elif node.kind is NodeKind.END and stack:
            following = [(stack[-1], stack[:-1], assigned)]
        else:
            following = [(target, stack, assigned) for target in node.successors]
        new = [state for state in following if state not in seen]
        seen.update(new)
        pending.extend(new)
    return found


@given(small_programs())
@settings(max_examples=200)
def test_unassigned_variables_are_those_that_some_path_reads_first(source: str) -> None:
    checked = load_text(source)
    reported = {item.message.split("'")[1] for item in checked.findings if item.code == "unassigned"}
    others = {item.code for item in checked.findings if item.severity is Severity.ERROR} - {"unassigned"}
    if others:
        return
    quiet = Findings()
    flowchart = resolve(parse_text(source, quiet), quiet)
    assert flowchart is not None
    assert reported == read_too_early(flowchart)


def test_types_are_inferred_through_a_long_chain() -> None:
    nodes = "\n".join(f"w{n} = w{n + 1}" for n in range(300))
    source = f"chart main\nstart\nw300 = hearts\n{nodes}\nw0 == spades? no -> done\nscore(player(0)) = 1\ndone: end\n"
    assert {code for code, _ in serious(load_text(source).findings)} == {"unassigned"}


def test_two_paths_are_told_apart_by_their_calls() -> None:
    """A chart that is done twice returns to where it was done, so the second read is fine and the first is not."""
    source = "chart main\nstart\ndo tell\na = 1\ndo tell\nscore(player(0)) = a\nend\nchart tell\nstart\nShuffle\nend\n"
    assert serious(load_text(source).findings) == []


def test_every_statement_and_function_has_a_form_for_hints() -> None:
    words = (vocabulary.SIMPLE_FUNCTIONS, vocabulary.FOLDED_FUNCTIONS, vocabulary.TABLED_FUNCTIONS)
    functions = {*vocabulary.SPECIAL_FUNCTIONS, "subsets", *(word for row in words for word in row)}
    assert set(vocabulary.SIGNATURES) == {*vocabulary.STATEMENTS, *functions, "rankValue"}
    for name, form in vocabulary.SIGNATURES.items():
        assert name in form
