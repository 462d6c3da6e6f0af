"""What a person likes, kept for the next time."""

from __future__ import annotations

import pytest

from fcdl.ui.preferences import SPEEDS, THEMES, Preferences, faster, nearest_speed, preferences, remember
from fcdl.ui.start import StartApp
from fcdl.ui.store import data_folder
from tests.ui.driving import with_app


def test_what_is_remembered_is_there_the_next_time() -> None:
    assert preferences() == Preferences()
    remember(speed="fast")
    remember(theme="nord")
    assert preferences() == Preferences("fast", "nord")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"speed": "warp"}', '{"theme": 3}', "[" * 100_000])
def test_a_spoilt_file_is_no_trouble(content: str) -> None:
    data_folder().mkdir(parents=True, exist_ok=True)
    (data_folder() / "preferences.json").write_text(content)
    assert preferences() == Preferences()


def test_the_command_line_knows_all_colours() -> None:
    from fcdl.cli.play import _THEMES

    assert tuple(THEMES) == _THEMES


def test_speeds_stop_at_their_ends() -> None:
    assert faster("slow", -1) == "slow"
    assert faster("normal", 1) == "fast"
    assert faster("instant", 1) == "instant"
    assert [nearest_speed(seconds) for seconds in SPEEDS.values()] == list(SPEEDS)


def test_colours_go_round_and_are_kept(tmp_path_factory: pytest.TempPathFactory) -> None:
    app = StartApp(tmp_path_factory.mktemp("empty"))
    with_app(app, "ctrl+t", "ctrl+t")
    assert app.theme == THEMES["nord"]
    assert preferences().theme == "nord"
