"""The debugger line by line, and the commands that the screen uses, too."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from fcdl.language.diagnostics import ChartError
from fcdl.ui.debug.commands import HELP, Commands
from fcdl.ui.debug.debugger import Debugger
from fcdl.ui.debug.plain import PlainDebugger
from tests.ui.debug.charts import FAULTY, TRICKS, debug, write


def said(debugger: Debugger, *lines: str) -> list[str]:
    """What is written for these lines, without the greeting."""
    written: list[str] = []
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    PlainDebugger(debugger, source.readline, written.append).run()
    assert written[1] == "node 0, line 8: start"
    return written[2:]


@pytest.fixture
def tricks(tmp_path: Path) -> Debugger:
    return debug(write(tmp_path))


def test_greeting_names_the_game_and_its_seed(tricks: Debugger) -> None:
    written: list[str] = []
    PlainDebugger(tricks, io.StringIO("").readline, written.append).run()
    assert written[0] == "Tricks, 2 players, seed 1. Type help for the commands."


def test_steps_tell_what_happened_and_what_comes_next(tricks: Debugger) -> None:
    assert said(tricks, "step 2", "s", "") == [
        "  pack is shuffled",
        "node 2, line 10: Deal(3)",
        "  pack to hand(0): 8C 6H AS",
        "  pack to hand(1): KH 5S 4S",
        "node 3, line 11: leader = player(0)",
        "  leader = 0",
        "node 4, line 13: do trick",
    ]


def test_a_diamond_shows_the_values_that_decide(tricks: Debugger) -> None:
    lines = said(tricks, "c", "play 6H", "play 5S")
    at = lines.index(
        "node 11, line 22: rankValue(middle(leader)) >= rankValue(middle(next(leader)))? yes -> taken",
    )
    assert lines[at + 1 :] == [
        "  answer: yes, on to node 13",
        "    rankValue(middle(leader)): 6",
        "      middle(leader): 6H",
        "        leader: player 0",
        "    rankValue(middle(next(leader))): 5",
        "      middle(next(leader)): 5S",
        "        next(leader): player 1",
    ]


def test_moves_are_typed_in_full_and_wrong_ones_refused(tricks: Debugger) -> None:
    lines = said(tricks, "play 6H", "c", "play 2C", "pass", "play nonsense", "choose 3", "play 6h")
    assert lines[0] == "nobody decides here"
    wrong = [line for line in lines if line.startswith(("illegal", "'"))]
    place = "(node 9: playCard(leader, cards)); legal: play 8C, play 6H, play AS"
    assert wrong == [
        f"illegal move 'play 2C': player 0 does not have 2C in hand {place}",
        f"illegal move 'pass': player 0 must play a card {place}",
        "'play nonsense' is neither a card (rank then suit, as in 2C) nor a command; ? for help",
        f"illegal move 'choose 3': player 0 must play a card {place}",
    ]
    assert "  player 0 plays 6H from hand(0) to middle(0)" in lines
    assert lines[-1] == "player 1 decides: KH 4S 5S"


def test_table_values_and_events_are_listed_with_stars_for_what_changed(tricks: Debugger) -> None:
    commands = Commands(tricks)
    commands.run("c")
    commands.run("play AS")
    assert commands.run("table") == [
        "hand(0)    (2) 8C 6H*",
        "hand(1)    (3) KH 4S 5S",
        "pack       (46) TD 5C QC 3C 2C 9C 5D JS ...",
        "middle(0)  AS*",
    ]
    commands.run("s")
    commands.run("s")
    commands.run("s")
    assert commands.run("values") == [
        "leader  0",
        "score   0  0",
        "passed  no  no",
        "tricks  1*  0",
    ]
    assert commands.run("events 2") == ["node 11: yes", "tricks(0) = 1"]


def test_breakpoints_are_set_listed_and_cleared(tricks: Debugger) -> None:
    commands = Commands(tricks)
    assert commands.run("break") == ["no breakpoints"]
    assert commands.run("break taken") == ["stops at node 13"]
    assert commands.run("break 5 if cardsRemaining(leader) == 1") == ["stops at node 5 if cardsRemaining(leader) == 1"]
    assert commands.run("break") == ["node 13", "node 5 if cardsRemaining(leader) == 1"]
    assert commands.run("go") == ["breakpoint at node 13"]
    assert commands.run("clear 13") == ["no longer stops at node 13"]
    assert commands.run("clear 13") == ["there is no breakpoint at node 13"]
    assert commands.run("go") == ["breakpoint at node 5: cardsRemaining(leader) == 1"]
    assert commands.run("break 5 cardsRemaining") == ["write break NODE, or break NODE if CONDITION"]
    assert commands.run("break 5 if") == ["write break NODE, or break NODE if CONDITION"]
    assert commands.run("break 99") == ["there is no node '99'; give its number or its label"]


def test_expressions_are_printed_and_watched(tricks: Debugger) -> None:
    commands = Commands(tricks)
    commands.run("continue")
    assert commands.run("print hand(next(leader))") == ["KH 4S 5S"]
    assert commands.run("print leader + 1")[0].startswith("expression:1:1: error[type]: ")
    assert commands.run("print")[0].startswith("expression:1:")
    assert commands.run("watch") == ["nothing is watched"]
    assert commands.run("watch count(hand(leader))") == ["count(hand(leader)): 3"]
    commands.run("play AS")
    assert commands.run("values")[0] == "count(hand(leader))  2*"
    assert commands.run("watch") == ["count(hand(leader)): 2"]
    assert commands.run("unwatch count(hand(leader))") == ["count(hand(leader)) is no longer watched"]
    assert commands.run("unwatch count(hand(leader))") == ["'count(hand(leader))' is not watched"]


def test_a_seat_sees_only_what_it_has_observed(tricks: Debugger) -> None:
    commands = Commands(tricks)
    commands.run("continue")
    assert commands.run("view 1") == ["what player 1 sees"]
    assert commands.run("table") == ["hand(0)  (3)*", "hand(1)  (3) KH 4S 5S*", "pack     (46)*"]
    assert commands.run("events 2") == ["pack to hand(1): KH 5S 4S", "leader = 0"]
    assert "pack to hand(0): 3 unseen" in commands.run("events")
    assert commands.run("where")[0] == "node 9, line 20: playCard(leader, cards)"
    assert not any("8C" in line for name in ("table", "values", "events") for line in commands.run(name))
    assert commands.run("view 2") == ["there is no seat '2' (0 to 1, or all)"]
    assert commands.run("view all") == ["all cards face up"]
    assert "8C" in commands.run("table")[0]


def test_a_seat_that_is_gone_after_a_reload_is_not_shown_any_more(tmp_path: Path) -> None:
    path = write(tmp_path, TRICKS.replace("players 2", "players 3"))
    commands = Commands(debug(path))
    commands.run("view 2")
    commands.run("reload")
    assert commands.seat == 2
    path.write_text(TRICKS)
    assert commands.run("reload") == ["reloaded; the game is at the same node as before"]
    assert commands.seat is None
    assert [line.split()[0] for line in commands.run("table")] == ["hand(0)", "hand(1)", "pack"]


def test_going_back_is_said_line_by_line(tricks: Debugger) -> None:
    lines = said(tricks, "c", "c", "previous", "back 2", "back", "p", "b", "r", "go", "previous")
    assert "this is the start" in lines
    assert any("(last time: play " in line for line in lines)
    assert any(line == "the game is over" for line in lines)
    assert tricks.state.waiting


def test_a_fault_and_the_scores_are_told(tmp_path: Path) -> None:
    written: list[str] = []
    source = io.StringIO("go\nstep\n")
    PlainDebugger(debug(write(tmp_path, FAULTY)), source.readline, written.append).run()
    assert written[2:] == [
        "  nobody = none",
        "  the game ends: fault",
        "the game is over: fault at node 2",
        "node 2, line 5: score(nobody) = 1",
        "  nobody: none",
        "scores: 0 0",
        "the game is over: fault at node 2",
    ]


def test_the_chart_is_read_again_when_its_file_has_changed(tmp_path: Path) -> None:
    path = write(tmp_path)
    written: list[str] = []
    lines = iter(["c\n", "", "where\n", "", "where\n"])
    charts = iter([TRICKS.replace("do trick", "do trikc"), TRICKS.replace("Deal(3)", "Deal(3)  # three")])

    def read_line() -> str:
        line = next(lines, "")
        if not line:
            path.write_text(next(charts, TRICKS))
            line = next(lines, "")
        return line

    PlainDebugger(debug(path), read_line, written.append).run()
    text = "\n".join(written)
    assert "not reloaded: 1 error; still using the old chart" in text
    assert f"{path}:13:5: error[unknown-chart]: there is no chart 'trikc' (did you mean 'trick'?)" in text
    assert "reloaded; the game is at the same node as before" in text


def test_help_names_every_command_and_mistakes_get_hints(tricks: Debugger) -> None:
    commands = Commands(tricks)
    assert commands.run("help") == HELP.splitlines()
    for name in [*commands._moving, *commands._others, "reload"]:
        assert name in HELP
    assert commands.run("stpe") == ["no command 'stpe' (did you mean 'step'?)"]
    assert commands.run("xyz") == ["no command 'xyz' (help lists them)"]
    assert commands.run("step many") == ["'many' is not a number"]
    assert commands.run("") == []
    assert commands.run("out") == ["chart main is the outermost one"]
    assert not commands.done
    commands.run("quit")
    assert commands.done


def test_nothing_of_a_chart_can_steer_the_terminal(tmp_path: Path) -> None:
    path = write(tmp_path, TRICKS.replace("    Stack.empty", '    publish("\x1b[31m")\n    Stack.empty'))
    with pytest.raises(ChartError, match="control-character") as refused:
        debug(path)
    assert "\N{REPLACEMENT CHARACTER}[31m" in str(refused.value)
    assert "\x1b" not in str(refused.value)


def test_box_for_all_seats_is_one_node_with_its_line(tmp_path: Path) -> None:
    text = "players 3\nchart main\nstart\nShuffle\npickUp(p, 2) for p in players where p != player(1)\nscore(p) = 1 for p in players\nend\n"  # noqa: E501
    written: list[str] = []
    script = "break 2\ngo\nstep\nstep\nstep\nwhere\nevents\n"
    PlainDebugger(debug(write(tmp_path, text)), io.StringIO(script).readline, written.append).run()
    shown = "\n".join(written)
    assert "node 2, line 5: pickUp(p, 2) for p in players where p != player(1) (p == player(0)?)" in shown
    assert "node 2: yes" in shown
    assert not {int(number) for number in re.findall(r"node (\d+)", shown)} - set(range(5))
