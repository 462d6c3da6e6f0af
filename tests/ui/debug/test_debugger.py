"""The debugger without a user interface."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fcdl.agents import AgentError
from fcdl.engines.native import NativeEngine
from fcdl.language.diagnostics import ChartError
from fcdl.model import LOOP_LIMIT, IllegalMoveError, Move, Outcome, RandomChance, Reason
from fcdl.ui.debug import debugger as module
from fcdl.ui.debug.debugger import DebugError, Debugger
from fcdl.ui.debug.reasons import parts
from tests.ui.debug.charts import ENDLESS, FAULTY, TRICKS, debug, write


def node_after(debugger: Debugger, command: Callable[[], str]) -> int:
    command()
    return debugger.node.number


# --- forwards


def test_steps_go_node_by_node_into_sub_charts(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path))
    assert [node_after(debugger, debugger.step) for _ in range(6)] == [1, 2, 3, 4, 8, 9]
    assert debugger.state.waiting
    assert debugger.state.calls == (4,)


def test_over_passes_a_whole_sub_chart_and_out_leaves_it(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path))
    for _ in range(4):
        debugger.step()
    assert node_after(debugger, debugger.over) == 5
    assert len(debugger.moves) == 2
    assert [node_after(debugger, debugger.over) for _ in range(2)] == [4, 5]
    debugger.step()
    debugger.step()
    assert debugger.node.chart == "trick"
    assert node_after(debugger, debugger.out) == 5
    with pytest.raises(DebugError, match="chart main is the outermost one"):
        debugger.out()


def test_continue_stops_at_each_decision_and_go_at_the_end(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path))
    assert [node_after(debugger, debugger.to_decision) for _ in range(3)] == [9, 10, 9]
    assert debugger.go() == "the game is over"
    assert debugger.outcome is not None
    assert sum(debugger.outcome.scores) == 3
    assert debugger.step() == "the game is over"


def test_people_decide_themselves_and_agents_for_their_seats(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path), ["random", "human"])
    assert debugger.go() == "player 1 decides"
    assert debugger.go() == "player 1 decides"
    assert len(debugger.moves) == 1
    move = debugger.legal[-1]
    debugger.play(move)
    assert debugger.moves[-1].move == move


def test_moves_are_made_by_hand_for_any_seat(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path))
    with pytest.raises(DebugError, match="nobody decides here"):
        debugger.play(Move("pass"))
    debugger.to_decision()
    with pytest.raises(IllegalMoveError, match="illegal move 'pass'"):
        debugger.play(Move("pass"))
    for seat in (0, 1):
        assert debugger.mover == seat
        debugger.play(debugger.legal[1])
    assert [made.seat for made in debugger.moves] == [0, 1]


def test_the_same_seed_deals_the_same_cards_as_any_other_game() -> None:
    debugger = debug("trumps", seed="7")
    debugger.to_decision()
    engine = NativeEngine(debugger.game)
    state = engine.start(RandomChance("7"))
    assert engine.events(state) == debugger.engine.events(debugger.state)


def test_an_endless_loop_ends_by_itself(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path, ENDLESS))
    assert debugger.go().startswith("the game is over: step limit at node ")
    assert debugger.state.steps == LOOP_LIMIT + 1


def test_a_fault_tells_its_node(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path, FAULTY))
    assert debugger.go() == "the game is over: fault at node 2"
    assert debugger.outcome == Outcome((0, 0), Reason.FAULT, 2)
    assert debugger.node.number == 2
    debugger.back()
    assert debugger.outcome is None


def test_what_runs_can_be_interrupted(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path, ENDLESS))
    steps: list[int] = []

    class Impatient(dict[int, module.Breakpoint]):
        def get(self, key, default=None):  # type: ignore[no-untyped-def]
            steps.append(key)
            debugger.interrupted = len(steps) == 5
            return default

    debugger.breakpoints = Impatient()
    assert debugger.go() == "interrupted"
    assert debugger.state.steps == 6


# --- backwards


def test_back_undoes_one_node_and_previous_goes_to_a_decision(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path))
    with pytest.raises(DebugError, match="this is the start"):
        debugger.back()
    nodes = [0]
    for _ in range(12):
        nodes.append(node_after(debugger, debugger.step))
    assert [debugger.node.number, *(node_after(debugger, debugger.back) for _ in range(12))] == nodes[::-1]
    debugger.go()
    assert node_after(debugger, debugger.back_to_decision) == 10
    assert [node_after(debugger, debugger.back_to_decision) for _ in range(6)] == [9, 10, 9, 10, 9, 0]


def test_the_same_game_is_played_again_after_going_back(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path))
    debugger.go()
    moves, events = debugger.moves, debugger.engine.events(debugger.state)
    debugger.restart()
    assert debugger.moves == []
    debugger.to_decision()
    assert debugger.planned == moves[0].move
    debugger.go()
    assert debugger.moves == moves
    assert debugger.engine.events(debugger.state) == events


def test_the_same_cards_are_dealt_again_after_going_back(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path))
    for _ in range(3):
        debugger.step()
    hands = [debugger.value(f"hand(player({seat}))") for seat in (0, 1)]
    for _ in range(3):
        debugger.back()
    for _ in range(3):
        debugger.step()
    assert [debugger.value(f"hand(player({seat}))") for seat in (0, 1)] == hands


def test_another_move_forgets_those_that_came_after(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path))
    debugger.go()
    first = debugger.moves[0].move
    debugger.restart()
    debugger.to_decision()
    other = next(move for move in debugger.legal if move != first)
    debugger.play(other)
    assert debugger.state.waiting
    assert debugger.planned is None
    assert [made.move for made in debugger.moves] == [other]


def test_only_the_last_positions_of_a_long_game_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 50)
    debugger = debug(write(tmp_path, ENDLESS))
    debugger.go()
    while len(debugger._history) > 1:
        debugger.back()
    with pytest.raises(DebugError, match="only 50 nodes are kept"):
        debugger.back()
    assert debugger.state.steps > LOOP_LIMIT - 50


# --- where to stop, and values


def test_breakpoints_stop_at_nodes(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path))
    debugger.set_breakpoint(debugger.find_node("taken"))
    assert debugger.go() == "breakpoint at node 13"
    del debugger.breakpoints[13]
    assert debugger.go() == "the game is over"
    with pytest.raises(DebugError, match="there is no node 'token'"):
        debugger.find_node("token")
    with pytest.raises(DebugError, match="several charts have a label 'finish': nodes 29, 43"):
        debug("skat").find_node("finish")


def test_breakpoints_stop_other_commands_too(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path))
    debugger.set_breakpoint(11)
    for _ in range(4):
        debugger.step()
    assert debugger.over() == "breakpoint at node 11"
    assert debugger.node.chart == "trick"


def test_conditions_decide_whether_a_breakpoint_stops(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path))
    debugger.set_breakpoint(5, "cardsRemaining(player(0)) == 1")
    assert debugger.go() == "breakpoint at node 5: cardsRemaining(player(0)) == 1"
    assert len(debugger.moves) == 4
    with pytest.raises(ChartError, match="unknown name 'nonsense'"):
        debugger.set_breakpoint(5, "nonsense")
    assert debugger.breakpoints[5].text == "cardsRemaining(player(0)) == 1"
    with pytest.raises(ChartError, match="yes or no"):
        debugger.set_breakpoint(5, "1 + 1")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("cardsRemaining(leader)", "3"),
        ("leader", "player 0"),
        ("next(leader) == leader", "no"),
        ("count(pack)", "46"),
        ("card(ace, spades)", "AS"),
        ("middle(leader)", "none"),
        ("suit(AS)", "spades"),
        ("any", "any"),
        ("7", "7"),
    ],
)
def test_expressions_of_every_type_have_values(tmp_path: Path, text: str, value: str) -> None:
    debugger = debug(write(tmp_path))
    debugger.to_decision()
    assert debugger.value(text) == value


def test_wrong_seats_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path)
    with pytest.raises(AgentError, match="2 players need 2 seats"):
        debug(path, ["random"])
    with pytest.raises(AgentError, match="nobody is called 'rndom'"):
        debug(path, ["rndom", "random"])


# --- another chart


def reload_with(debugger: Debugger, path: Path, text: str) -> str:
    path.write_text(text)
    assert debugger.file.has_changed()
    return debugger.reload()


def test_a_new_chart_is_played_to_where_the_old_one_stood(tmp_path: Path) -> None:
    path = write(tmp_path)
    debugger = debug(path)
    for _ in range(3):
        debugger.to_decision()
    hand, moves = debugger.value("hand(player(1))"), debugger.moves
    assert not debugger.file.has_changed()
    said = reload_with(debugger, path, TRICKS.replace("    Stack.empty", '    publish("taken")\n    Stack.empty'))
    assert said == "reloaded; the game is at the same node as before"
    assert debugger.moves == moves
    assert debugger.value("hand(player(1))") == hand
    assert debugger.state.waiting
    assert '"taken"' in debugger.game.flowchart.nodes[14].caption
    assert not debugger.file.has_changed()


def test_a_position_between_decisions_is_found_again_by_its_node(tmp_path: Path) -> None:
    path = write(tmp_path)
    debugger = debug(path)
    debugger.set_breakpoint(14)
    debugger.go()
    debugger.go()
    assert len(debugger.moves) == 4
    said = reload_with(debugger, path, TRICKS.replace("    Deal(3)\n", "    Deal(3)\n    round = 1\n"))
    assert said == "reloaded; the game is at the same node as before"
    assert (debugger.node.number, debugger.node.caption) == (15, "Stack.empty")
    assert len(debugger.moves) == 4
    assert list(debugger.breakpoints) == [15]


def test_it_is_told_where_a_new_chart_parts_from_the_old_game(tmp_path: Path) -> None:
    path = write(tmp_path)
    debugger = debug(path)
    for _ in range(3):
        debugger.to_decision()
    lost = debugger.moves[0].move
    said = reload_with(
        debugger, path, TRICKS.replace("playCard(leader, cards)", f"playCard(leader, except(cards, {lost.what}))")
    )
    assert said == (
        f"reloaded; the game differs from the old one from move 1, node 9: '{lost}' of player 0 is no longer legal"
    )
    assert debugger.moves == []
    assert lost not in debugger.legal
    said = reload_with(debugger, path, TRICKS.replace("playCard(leader, cards)", "playCardOrPass(leader, cards)"))
    assert said == "reloaded; the game is at the same node as before"


def test_another_player_than_before_parts_the_games(tmp_path: Path) -> None:
    path = write(tmp_path)
    debugger = debug(path)
    debugger.to_decision()
    debugger.to_decision()
    said = reload_with(debugger, path, TRICKS.replace("leader = player(0)", "leader = player(1)"))
    assert said.endswith("from move 1, node 9: player 1 decides, not player 0")


def test_a_move_that_another_player_could_make_is_not_his(tmp_path: Path) -> None:
    chart = "chart main\n    start\n    choose(player(0), x, {1, 2})\n    score(player(0)) = x\n    end\n"
    path = write(tmp_path, chart)
    debugger = debug(path)
    debugger.go()
    said = reload_with(debugger, path, chart.replace("choose(player(0)", "choose(player(1)"))
    assert said.endswith("from move 1, node 1: player 1 decides, not player 0")
    assert debugger.planned is None


def test_a_game_that_ends_earlier_and_a_node_that_is_gone_are_told(tmp_path: Path) -> None:
    path = write(tmp_path)
    debugger = debug(path)
    for _ in range(5):
        debugger.to_decision()
    said = reload_with(debugger, path, TRICKS.replace("    Deal(3)", "    Deal(1)"))
    assert "'play " in said or "over after" in said
    debugger = debug(write(tmp_path))
    debugger.set_breakpoint(12)
    debugger.set_breakpoint(5, "tricks(leader) == 2")
    debugger.watch("leader")
    debugger.set_breakpoint(14)
    debugger.go()
    while debugger.node.number != 14:
        debugger.go()
    without = TRICKS.replace(
        "    Stack.empty\n", "    move(all, middle(leader), stack)\n    move(all, middle(next(leader)), stack)\n"
    )
    said = reload_with(debugger, path, without)
    assert "the game no longer reaches the node where it was" in said
    assert said.endswith("gone: breakpoint 14")
    assert sorted(debugger.breakpoints) == [5, 12]
    assert list(debugger.watches) == ["leader"]


def test_a_chart_with_errors_leaves_the_old_one_running(tmp_path: Path) -> None:
    path = write(tmp_path)
    debugger = debug(path)
    debugger.to_decision()
    state = debugger.state
    said = reload_with(debugger, path, TRICKS.replace("do scoring", "do scorign"))
    assert said == "not reloaded: 1 error; still using the old chart"
    assert f"{path}:15:5: " in debugger.trouble[0]
    assert debugger.trouble[1:] == ["        do scorign", "        ^^^^^^^^^^"]
    assert debugger.state is state
    assert debugger.source_line(debugger.game.flowchart.nodes[6]) == "do scoring"
    debugger.to_decision()
    assert reload_with(debugger, path, TRICKS).startswith("reloaded")
    assert debugger.trouble == []


@pytest.mark.parametrize("change", ["deleted", "binary", "three players", "no cards"])
def test_a_file_that_cannot_be_used_leaves_the_old_chart_running(tmp_path: Path, change: str) -> None:
    path = write(tmp_path)
    debugger = debug(path, ["random", "random"], players=2)
    debugger.go()
    match change:
        case "deleted":
            path.unlink()
        case "binary":
            path.write_bytes(bytes(range(256)))
        case "three players":
            path.write_text(TRICKS.replace("players 2", "players 3"))
        case "no cards":
            path.write_text("")
    assert debugger.file.has_changed()
    assert debugger.reload().startswith("not reloaded: ")
    assert debugger.trouble
    assert debugger.outcome is not None
    assert not debugger.file.has_changed()
    path.write_text(TRICKS)
    assert debugger.file.has_changed()
    assert debugger.reload() == "reloaded; the game is at the same node as before"


def test_a_smaller_deck_gets_new_cards(tmp_path: Path) -> None:
    path = write(tmp_path)
    debugger = debug(path)
    debugger.to_decision()
    small = TRICKS.replace("players 2\n", "players 2\ndeck cards c in standard where rankValue(c) > 9\n")
    said = reload_with(debugger, path, small)
    assert said == "reloaded; the game is at the same node as before; with new cards, because the old ones do not fit"
    assert debugger.value("count(pack)") == "14"


def test_a_chart_that_is_wrong_at_first_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ChartError):
        debug(write(tmp_path, "chart main\n start\n"))
    with pytest.raises(ChartError, match="there is no game or file"):
        debug(tmp_path / "missing.fcdl")


def test_loops_inside_loops_may_reuse_a_name(tmp_path: Path) -> None:
    best = "some(p in players where rankValue(middle(p)) == max(rankValue(middle(p)) for p in players))"
    chart = TRICKS.replace("rankValue(middle(leader)) >= rankValue(middle(next(leader)))?", f"{best}?")
    debugger = debug(write(tmp_path, chart))
    while debugger.node.condition is None or debugger.node.chart != "trick":
        debugger.step()
    equal = [part for part in parts(debugger.node, debugger.engine.values, debugger.state) if "==" in part.text]
    assert len(equal) == 2
    for seat, part in enumerate(equal):  # of the inner loop nothing is filled in
        own = f"rankValue(middle(player({seat}))) == max(rankValue(middle(p_)) for p_ in players)"
        assert (part.text, part.value) == (own, debugger.value(own))
    assert {part.value for part in equal} == {"yes", "no"}
