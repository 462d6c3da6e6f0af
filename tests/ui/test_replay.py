"""Records and games gone through move by move."""

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from textual.pilot import Pilot

from fcdl.cli import main
from fcdl.model import Move
from fcdl.model.record import RecordError, to_line
from fcdl.ui.preferences import preferences, remember
from fcdl.ui.replay import Replay
from fcdl.ui.replay_screen import ReplayApp, ReplayScreen
from fcdl.ui.session import Session
from tests.ui.driving import SMALL, press, screen_lines, settle
from tests.ui.tables import LONGER, play_on, session


def finished(name: str) -> Session:
    table = session(name)
    play_on(table, 10_000)
    return table


@pytest.mark.parametrize("name", LONGER)
def test_every_position_is_as_it_was_seen(name: str) -> None:
    table, views = session(name), []
    for _ in range(15):
        views.append(table.view())
        play_on(table, 1)
    replay = table.replay()
    assert [replay.view(number, table.seat) for number in range(15)] == views


def test_face_up_every_hand_is_known() -> None:
    view = finished("hearts").replay().view(20, None)
    assert all(None not in view.piles["hand", seat].cards for seat in range(4))


def test_face_up_nobody_is_you() -> None:
    _, lines = driven(finished("hearts").replay(), "pagedown", "pagedown")
    text = "\n".join(lines)
    assert "player 0 has " in text
    assert "Player 0 plays" in text
    assert "you" not in text.lower()


def test_moves_that_cannot_be_played_are_refused() -> None:
    table = finished("trumps")
    with pytest.raises(RecordError, match="move 1 of 1"):
        Replay(table.engine, table._chance.outcomes, [Move("pass")], ())


def driven(replay: Replay, *keys: str) -> tuple[ReplayScreen, list[str]]:
    """The screen after some keys, and what stands on it."""
    app = ReplayApp(replay)
    found: list[tuple[ReplayScreen, list[str]]] = []

    async def run() -> None:
        async with app.run_test(size=SMALL) as pilot:
            await go(pilot)

    async def go(pilot: Pilot[None]) -> None:
        await settle(app, pilot)
        await press(app, pilot, *keys)
        assert isinstance(app.screen, ReplayScreen)
        found.append((app.screen, screen_lines(app)))

    asyncio.run(run())
    return found[0]


@pytest.mark.parametrize(
    ("keys", "number"),
    [
        ("right right left", 1),
        ("left", 0),
        ("end", 14),
        ("end right", 14),
        ("pagedown", 10),
        ("pagedown pageup", 0),
        ("1 2 enter", 12),
        ("9 9 enter", 14),
        ("end home", 0),
        ("space enter", 2),
    ],
)
def test_keys_lead_to_positions(keys: str, number: int) -> None:
    screen, lines = driven(finished("trumps").replay(), *keys.split())
    assert screen.number == number
    assert f"{number} of 14 moves" in lines[0]


def test_views_go_round() -> None:
    replay = finished("trumps").replay()
    seats = [driven(replay, *["v"] * number)[0].seat for number in range(4)]
    assert seats == [None, 0, 1, None]


def replayed(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["play", *arguments])


def test_record_is_told_line_by_line(tmp_path: Path) -> None:
    table = finished("trumps")
    path = tmp_path / "games.jsonl"
    path.write_text(to_line(table.record(), table.game.flowchart.deck) + "\n")
    shown = replayed("--replay", str(path), "--view", "0")
    assert shown.exit_code == 0
    assert shown.output.splitlines() == list(table.view().log)
    assert replayed("--replay", str(path), "--view", "2").exit_code == 2
    assert "has 1 records" in replayed("--replay", str(path), "--line", "2").output
    path.write_text("nonsense\n")
    assert replayed("--replay", str(path)).exit_code == 1


def test_many_bad_records_are_counted_not_told(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("nonsense\n" * 30)
    result = CliRunner().invoke(main, ["replay", str(path)])
    assert result.exit_code == 1
    assert result.stderr.count("nonsense") == 0
    assert len(result.stderr.splitlines()) == 11
    assert "... and 20 more" in result.stderr


def test_a_replay_goes_on_by_itself_until_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcdl.ui.replay_screen.MOMENT", 0.01)
    remember(speed="instant")
    table = session("trumps")
    play_on(table, 1000)
    app = ReplayApp(table.replay())

    async def run() -> None:
        async with app.run_test() as pilot:
            screen, numbers = app.screen, list[int]()
            assert isinstance(screen, ReplayScreen)
            show = screen.show

            def noted(number: int) -> None:
                numbers.append(number)
                show(number)

            monkeypatch.setattr(screen, "show", noted)
            await pilot.press("end", "a")  # from the beginning again
            while screen.clock is not None:
                await asyncio.sleep(0.01)
            assert sorted(set(numbers)) == list(range(len(table.moves) + 1))
            screen.speed = "slow"
            await pilot.press("home", "a", "+", "left")
            assert screen.clock is None  # a step by hand stops it
            assert preferences().speed == "normal"

    asyncio.run(run())
