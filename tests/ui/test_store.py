"""Kept games: where they are, which there are, and what becomes of them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from textual.pilot import Pilot

from fcdl.cli import main
from fcdl.ui.journal import read_journal
from fcdl.ui.plain import PlainTable
from fcdl.ui.session import Session
from fcdl.ui.store import data_folder, export, finished_games, keep, kept_games, new_file, put_away, records_file
from fcdl.ui.table import TableApp
from tests.ui.driving import on_table, press, shown
from tests.ui.tables import EVERYTHING, play_on, play_to_your_turn, session

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("environment", "platform", "folder"),
    [
        ({"FCDL_DATA": "/somewhere"}, "linux", Path("/somewhere")),
        ({"XDG_DATA_HOME": "/data"}, "linux", Path("/data/fcdl")),
        ({"XDG_DATA_HOME": "not/absolute"}, "linux", Path.home() / ".local/share/fcdl"),
        ({}, "linux", Path.home() / ".local/share/fcdl"),
        ({}, "darwin", Path.home() / "Library/Application Support/fcdl"),
        ({"LOCALAPPDATA": "/local"}, "win32", Path("/local/fcdl")),
        ({}, "win32", Path.home() / "AppData/Local/fcdl"),
    ],
)
def test_folder_is_where_the_platform_wants_it(environment: dict[str, str], platform: str, folder: Path) -> None:
    assert data_folder(environment, platform) == folder


def test_kept_game_is_listed_and_goes_on() -> None:
    table = session("trumps")
    assert keep(table) is None
    play_on(table, 3)
    (kept,) = kept_games()
    assert (kept.head.game, kept.head.moves, kept.head.seats) == ("trumps", 3, ("human", "random"))
    again = Session.resume(read_journal(kept.path, table.game.flowchart))
    assert again.moves == table.moves
    assert again.view() == table.view()


def test_undo_is_counted_in_the_list() -> None:
    table = session("trumps")
    keep(table)
    play_on(table, 3)
    table.undo()
    assert kept_games()[0].head.moves == len(table.moves)


def test_last_game_comes_first() -> None:
    for name in ("trumps", "hearts"):
        table = session(name)
        keep(table)
        assert table.journal is not None
        os.utime(table.journal.path, (1, 1) if name == "hearts" else (2, 2))
    assert [kept.head.game for kept in kept_games()] == ["trumps", "hearts"]


def test_files_that_are_no_journals_are_left_alone() -> None:
    data_folder().mkdir()
    for name, content in [("a.journal", b"\x00"), ("b.journal", b"{}\n"), ("c.txt", b"hello")]:
        (data_folder() / name).write_bytes(content)
    assert kept_games() == []
    assert len(list(data_folder().iterdir())) == 3


def test_finished_game_becomes_a_record_that_replays() -> None:
    table = session("trumps")
    keep(table)
    play_on(table, 100)
    put_away(table)
    assert kept_games() == []
    result = CliRunner().invoke(main, ["replay", str(records_file())])
    assert result.output == "1 of 1 records replayed exactly\n"


def test_record_does_not_join_a_line_that_a_crash_left_half_written() -> None:
    records_file().parent.mkdir(parents=True, exist_ok=True)
    records_file().write_text('{"fcdl": 1, "ga')
    table = session("trumps")
    keep(table)
    play_on(table, 100)
    put_away(table)
    result = CliRunner().invoke(main, ["replay", str(records_file())])
    assert result.stdout == "1 of 2 records replayed exactly\n"


def test_game_in_which_nobody_has_decided_is_dropped() -> None:
    table = session("trumps", "5")
    keep(table)
    play_to_your_turn(table)
    put_away(table)
    assert kept_games() == []


def test_game_that_goes_on_stays() -> None:
    table = session("trumps")
    keep(table)
    play_on(table, 3)
    put_away(table)
    assert len(kept_games()) == 1


def test_folder_that_cannot_be_made_is_said_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCDL_DATA", os.devnull)
    table = session("trumps")
    trouble = keep(table)
    assert trouble is not None
    assert os.devnull in trouble
    assert table.journal is None
    result = CliRunner().invoke(main, ["play", "trumps", "--seats", "human/random"], input="")
    assert result.exit_code == 0
    assert "cannot be saved" in result.output


def test_user_without_a_home_can_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FCDL_DATA")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", _no_home)
    assert keep(session("trumps")) == "The game cannot be saved: this user has no home folder; set FCDL_DATA."
    assert kept_games() == []


def _no_home() -> Path:
    raise RuntimeError("no entry")


def test_exported_records_do_not_overwrite_each_other(tmp_path: Path) -> None:
    table = session("trumps")
    play_on(table, 100)
    assert [export(table, tmp_path).name for _ in range(2)] == ["trumps-1.jsonl", "trumps-2.jsonl"]


@pytest.mark.parametrize("name", ["../evil", "/evil", "..", "a/b", "x" * 500])
def test_name_of_a_game_cannot_lead_out_of_the_folder(name: str, tmp_path: Path) -> None:
    assert new_file(tmp_path, name).parent.resolve() == tmp_path.resolve()


def test_own_chart_is_found_again(tmp_path: Path) -> None:
    chart = tmp_path / "mine.fcdl"
    chart.write_text(EVERYTHING)
    run = CliRunner()
    run.invoke(main, ["play", str(chart), "--seats", "human/random"], input="3\n")
    (kept,) = kept_games()
    assert kept.head.chart == chart.resolve()
    listed = run.invoke(main, ["play", "--kept"])
    assert "mine, 1 move, scores 0/0, human/random" in listed.output
    resumed = run.invoke(main, ["play", "--resume", "last"], input="")
    assert "Trumps: clubs, diamonds, hearts or spades?" in resumed.output
    chart.unlink()
    gone = run.invoke(main, ["play", "--resume", "last"], input="")
    assert gone.exit_code == 1
    assert "cannot find the chart of 'mine'" in gone.output


def test_no_keep_keeps_nothing() -> None:
    CliRunner().invoke(main, ["play", "trumps", "--seats", "human/random", "--seed", "5", "--no-keep"], input="2D\n")
    assert kept_games() == []


def test_nothing_to_resume_is_a_usage_error() -> None:
    result = CliRunner().invoke(main, ["play", "--resume", "last"])
    assert result.exit_code == 2
    assert "there is no saved game" in result.output


def test_killed_process_loses_no_move_that_was_made() -> None:
    command = [sys.executable, "-m", "fcdl", "play", "trumps", "--seats", "human/random", "--seed", "5"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("2D\n")
        process.stdin.flush()
        for line in process.stdout:
            if "You play 2D" in line:
                break
        process.send_signal(signal.SIGKILL)
    (kept,) = kept_games()
    assert kept.head.moves == 3  # 3D by the computer, 2D, and the computer's next lead


def test_game_that_is_played_twice_at_once_keeps_the_first_one_whole() -> None:
    first = session("trumps", "5")
    keep(first)
    play_to_your_turn(first)
    (kept,) = kept_games()
    second = Session.resume(read_journal(kept.path, first.game.flowchart))
    second.go_on_saving(kept.path)
    first.apply(first.legal[0])
    with pytest.raises(OSError, match="played elsewhere"):
        second.apply(second.legal[-1])
    assert second.journal is None
    second.apply(second.think())  # it goes on without
    resumed = Session.resume(read_journal(kept.path, first.game.flowchart))
    assert resumed.moves == first.moves


def test_undo_that_cannot_be_saved_is_made_and_told() -> None:
    table = session("trumps", "5")
    keep(table)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter")
        (kept,) = kept_games()
        kept.path.unlink()
        await press(app, pilot, "u")
        assert "Undone, but the game is no longer being saved" in shown(app, "#prompt")

    on_table(table, play)
    assert table.journal is None
    assert kept_games() == []


def test_interrupted_game_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(table: PlainTable) -> bool:
        play_to_your_turn(table.session)
        table.session.apply(table.session.legal[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(PlainTable, "run", run)
    result = CliRunner().invoke(main, ["play", "trumps", "--seats", "human/random", "--seed", "5"])
    assert result.exit_code != 0
    assert "to continue: fcdl play --resume" in result.output
    assert len(kept_games()) == 1


def test_a_game_that_ended_on_a_screen_that_was_closed_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    table = session("trumps")
    keep(table)
    play_on(table, 100)
    assert table.outcome is not None
    assert kept_games() == []  # though nobody has put it away
    assert [kept.head.scores for kept in finished_games()] == [tuple(map(str, table.outcome.scores))]
    CliRunner().invoke(main, ["play", "--kept"])
    assert finished_games() == []
    assert len(records_file().read_text().splitlines()) == 1
    put_away(table)  # its own screen is left at last
    assert len(records_file().read_text().splitlines()) == 1


def test_kept_games_are_listed_with_scores_and_date() -> None:
    table = session("trumps")
    keep(table)
    play_on(table, 5)
    scores = "/".join(table.view().scores)
    (kept,) = kept_games()
    assert kept.text == f"trumps, 5 moves, scores {scores}, human/random, {kept.when}"
    table.undo()
    assert kept_games()[0].head.scores == table.view().scores
