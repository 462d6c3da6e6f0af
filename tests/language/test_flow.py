"""The flow of charts: networkx and trying every path say the same, and calls return to where they were made."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fcdl.language import flow
from fcdl.language.flow import BitProblem, Dominators, ReachableCharts
from fcdl.language.flowchart import Flowchart, NodeKind
from fcdl.language.load import builtin_names, load_flowchart, load_text
from fcdl.language.loops import OutsideError, draw_out

Graph = dict[int, list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Up to ten nodes, each with at most two arrows."""
    size = draw(st.integers(1, 10))
    return {number: draw(st.lists(st.integers(0, size - 1), max_size=2)) for number in range(size)}


def as_networkx(after: Graph) -> nx.DiGraph[int]:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(after)
    graph.add_edges_from((number, target) for number, targets in after.items() for target in targets)
    return graph


# --- graphs, beside networkx ------------------------------------------------------------------------------------------


@given(graphs())
def test_what_can_be_reached(after: Graph) -> None:
    expected = nx.descendants(as_networkx(after), 0) | {0}
    assert set(flow.reachable([0], after)) == expected
    assert set(flow.reverse_postorder(0, after)) == expected


@given(graphs(), st.integers(0, 9))
def test_nothing_is_reached_past_a_stop_nor_through_what_is_known(after: Graph, wall: int) -> None:
    assume(wall != 0)
    open_graph = {number: [] if number == wall else targets for number, targets in after.items()}
    expected = nx.descendants(as_networkx(open_graph), 0) | {0}
    assert set(flow.reachable([0], after, stop=wall.__eq__)) == expected
    assert set(flow.reachable([0], after, known={wall})) == expected - {wall}


@given(graphs(), st.integers(0, 9))
def test_a_shortest_path_is_one(after: Graph, goal: int) -> None:
    graph = as_networkx(after)
    path = flow.shortest_path(0, after, goal.__eq__)
    if goal not in graph or not nx.has_path(graph, 0, goal):
        assert path is None
    else:
        assert path is not None
        assert (path[0], path[-1]) == (0, goal)
        assert nx.is_simple_path(graph, path)
        assert len(path) == nx.shortest_path_length(graph, 0, goal) + 1


@given(graphs())
def test_reverse_postorder_without_loops_is_topological(after: Graph) -> None:
    forward = {number: [target for target in targets if target > number] for number, targets in after.items()}
    order = flow.reverse_postorder(0, forward)
    assert all(order.index(number) < order.index(target) for number in order for target in forward[number])


@given(graphs())
def test_strong_components_and_circles(after: Graph) -> None:
    graph = as_networkx(after)
    expected = {frozenset(component) for component in nx.strongly_connected_components(graph)}
    assert {frozenset(component) for component in flow.strong_components(after, after)} == expected
    on_a_circle = {number for number in after if any(nx.has_path(graph, target, number) for target in after[number])}
    assert {number for circle in flow.circles(after, after) for number in circle} == on_a_circle


@given(graphs())
def test_dominators_are_the_nodes_on_every_path(after: Graph) -> None:
    graph = as_networkx(after)
    dominators = Dominators(0, after, flow.predecessors(after))
    reached = flow.reachable([0], after)
    for first in reached:
        past = set(flow.reachable([0], after, known={first}))
        assert {other for other in reached if dominators.dominates(first, other)} == set(reached) - past
    expected = {number: above for number, above in nx.immediate_dominators(graph, 0).items() if number != 0}
    assert dominators.nearest() == expected


@given(graphs())
def test_the_body_of_a_loop_is_what_leads_to_its_ends(after: Graph) -> None:
    before = flow.predecessors(after)
    dominators = Dominators(0, after, before)
    reached = flow.reachable([0], after)
    for head in reached:
        ends = [end for end in before[head] if end in reached and dominators.dominates(head, end)]
        without = as_networkx({number: [t for t in after[number] if t != head] for number in reached})
        expected = {n for n in reached for end in ends if n == head or nx.has_path(without, n, end)}
        assert {n for n in flow.loop_body(head, ends, before) if n in reached} == (expected or {head})


# --- calls ------------------------------------------------------------------------------------------------------------

TWICE = """
chart main
    start
    a = 1
first: do sub
    b = a
second: do sub
    score(player(0)) = b
    end

chart sub
    start
    score(player(1)) > 3?   no -> out
    score(player(1)) = 4
out: end
"""


def chart(source: str) -> Flowchart:
    flowchart = load_text(source).flowchart
    assert flowchart is not None
    return flowchart


def node(flowchart: Flowchart, caption: str, which: int = 0) -> int:
    return [number for number, found in flowchart.nodes.items() if found.caption == caption][which]


def test_a_call_leads_into_its_chart_and_its_end_to_what_follows_each_call() -> None:
    twice = chart(TWICE)
    after = flow.through_calls(twice)
    assert [call.number for call in flow.calls(twice)["sub"]] == [node(twice, "do sub"), node(twice, "do sub", 1)]
    assert after[node(twice, "do sub")] == after[node(twice, "do sub", 1)] == (twice.charts["sub"].start,)
    assert after[twice.charts["sub"].end] == (node(twice, "b = a"), node(twice, "score(player(0)) = b"))
    assert after[twice.charts["main"].end] == ()


def test_liveness_through_calls_has_paths_that_no_game_takes() -> None:
    """In by the second call and back by the first: `a` seems to be read after the second call, `b` is really."""
    twice = chart(TWICE)
    live = flow.live_variables(twice.nodes, flow.through_calls(twice))
    assert live[node(twice, "do sub", 1)] - {"score"} == {"a", "b"}
    assert live[node(twice, "score(player(0)) = b")] - {"score"} == {"b"}
    assert live[twice.charts["main"].start] >= {"b"}, "back from the first call as if from the second"


def test_solved_facts_return_to_where_they_were_called() -> None:
    """What holds since the first assignment does not come to the first call by way of the second."""
    twice = chart(TWICE)
    charts = ReachableCharts(twice)
    assigned = BitProblem(must=False, sets={node(twice, "b = a"): 1})
    solution = flow.solve(charts, assigned)
    assert [solution.before[node(twice, "do sub", which)] for which in (0, 1)] == [0, 1]
    assert solution.before[node(twice, "b = a")] == 0, "context-insensitive it would be 1"
    assert solution.before[twice.charts["sub"].start] == 1, "by some call"
    everywhere = flow.solve(charts, BitProblem(must=True, sets={node(twice, "b = a"): 1}))
    assert everywhere.before[twice.charts["sub"].start] == 0, "not by every call"
    assert solution.through["sub"] == (0, -1), "the sub-chart changes nothing"


def test_drawn_out_a_sub_chart_stands_once_for_each_call() -> None:
    twice = chart(TWICE)
    places = draw_out(twice)
    assert len(places) == len(twice.charts["main"].nodes) + 2 * len(twice.charts["sub"].nodes)
    ends = [place for place in places.values() if place.node.number == twice.charts["sub"].end]
    assert [places[end.next or 0].node.caption for end in ends] == ["b = a", "score(player(0)) = b"]


def test_charts_that_call_charts_that_call_charts_are_not_drawn_out_for_ever() -> None:
    lines = ["chart main", "start", "do c0", "end"]
    for level in range(40):
        lines += [f"chart c{level}", "start", f"do c{level + 1}", f"do c{level + 1}", "end"]
    flowchart = chart("\n".join([*lines, "chart c40", "start", "score(player(0)) = 1", "end"]))
    with pytest.raises(OutsideError, match="over 20,000 nodes"):
        draw_out(flowchart)
    assert len(flow.reachable([flowchart.charts["main"].start], flow.through_calls(flowchart))) == len(flowchart.nodes)
    assert len(list(ReachableCharts(flowchart).reachable())) == len(flowchart.nodes)


def test_a_read_that_does_not_matter_can_be_left_out() -> None:
    flowchart = chart("chart main\nstart\na = 1\nb = a\nc = b\nc > 0? no -> done\nscore(player(0)) = 1\ndone: end\n")
    after = flow.through_calls(flowchart)
    nothing = flow.live_variables(flowchart.nodes, after, lambda node, _: frozenset())
    assert set(nothing.values()) == {frozenset()}


@pytest.mark.parametrize("name", builtin_names())
def test_live_variables_are_those_that_some_path_reads_first(name: str) -> None:
    """Asked forwards, for each variable by itself, beside the one pass backwards."""
    flowchart = load_flowchart(name)
    after, nodes = flow.through_calls(flowchart), flowchart.nodes
    live = flow.live_variables(nodes, after)
    for variable in flowchart.variables:
        for number in nodes:

            def reads(at: int, variable: str = variable) -> bool:
                return variable in flow.variables_read(nodes[at])

            def ends(at: int, variable: str = variable) -> bool:
                return flow.overwritten(nodes[at]) == variable

            assert (variable in live[number]) == (flow.shortest_path(number, after, reads, stop=ends) is not None)


@pytest.mark.parametrize("name", builtin_names())
def test_callers_come_before_what_they_call(name: str) -> None:
    charts = ReachableCharts(load_flowchart(name))
    place = {chart: number for number, chart in enumerate(charts.order)}
    for callee, calls in charts.calls.items():
        assert all(place[charts.nodes[call].chart] < place[callee] for call in calls)
        assert all(charts.nodes[call].kind is NodeKind.CALL for call in calls)


SCORED = """
chart main
start
rounds = 0
hand:
Shuffle
Deal(3)
playCard(player(0), cards)
IN_HAND
rounds = rounds + 1
rounds < 3?    yes -> hand
AT_END
end
"""


@pytest.mark.parametrize(
    ("in_hand", "at_end", "expected"),
    [("score(player(0)) = 1", "n = 0", False), ("n = 0", "score(player(0)) = 1", True), ("n = 0", "n = 1", True)],
)
def test_scores_made_only_after_the_last_deal(in_hand: str, at_end: str, expected: bool) -> None:
    chart = load_text(SCORED.replace("IN_HAND", in_hand).replace("AT_END", at_end)).flowchart
    assert chart is not None
    assert flow.deals_again(chart)
    assert flow.scores_only_at_the_end(chart) == expected


def test_a_game_of_one_deal_looks_to_its_end() -> None:
    chart = load_flowchart("trumps")
    assert not flow.deals_again(chart)
    assert not flow.scores_only_at_the_end(chart)
