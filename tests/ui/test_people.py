"""Several people at one screen, and cards face up."""

import re
from collections.abc import Iterator

import pytest
from textual.pilot import Pilot

from fcdl.ui.panels import Handover
from fcdl.ui.plain import PlainTable
from fcdl.ui.session import Session
from fcdl.ui.table import TableApp
from tests.ui.driving import on_table, press, screen_lines
from tests.ui.tables import play_on, session


def two_people(name: str = "trumps", *, face_up: bool = False) -> Session:
    """People on seats 0 and 1, computers on all others."""
    game = session(name).game
    seats = ("human", "human", *["random"] * (game.players - 2))
    return Session(game, seats, "1", face_up=face_up)


def cards_on(lines: list[str]) -> set[str]:
    return set(re.findall("(?:10|[2-9JQKA])[♣♦♥♠]", "\n".join(lines)))


def hand_of(app: TableApp, seat: int) -> set[str]:
    table = app.session
    truth = table.replay().view(len(table.moves), seat)
    return {app._faces.label(card) for card in truth.hand}


def test_nobody_sees_a_card_before_the_right_one_sits_down() -> None:
    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        for seat in (0, 1, 0):
            assert isinstance(app.screen, Handover)
            assert not cards_on(screen_lines(app))
            assert f"Player {app.session.handover} is next." in "\n".join(screen_lines(app))
            await press(app, pilot, "x", "u", "h", "question_mark")  # nothing but enter helps
            assert isinstance(app.screen, Handover)
            await press(app, pilot, "enter")
            assert not isinstance(app.screen, Handover)
            mover = app.session.mover
            assert mover is not None
            assert app.session.seat == mover
            other = hand_of(app, 1 - mover)
            assert hand_of(app, mover) <= cards_on(screen_lines(app))
            assert not other & cards_on(screen_lines(app))
            await press(app, pilot, "enter")
            assert seat in (0, 1)

    on_table(two_people(), play)


def test_undo_hands_over_to_whoever_decided() -> None:
    table = two_people()

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter")
        first = table.mover
        await press(app, pilot, "enter", "enter")
        assert table.mover != first
        await press(app, pilot, "u")
        assert isinstance(app.screen, Handover)
        assert table.handover == first

    on_table(table, play)


def test_computers_between_people_move_by_themselves() -> None:
    table = two_people("hearts")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        for _ in range(30):
            await press(app, pilot, "enter")

    on_table(table, play)
    assert {table.engine.mover(moment.state) for moment in table._moments} == {0, 1, 2, 3}
    assert len(table.moves) > 16


def test_game_of_people_is_played_to_its_end_line_by_line() -> None:
    table = two_people()
    lines: list[str] = []

    def answers() -> Iterator[str]:
        while table.outcome is None:
            yield "\n" if table.handover is not None else f"{table.legal[0]}\n"
        yield ""

    source = answers()
    assert PlainTable(table, lambda: next(source), lines.append).run()
    text = "\n".join(lines)
    assert text.count("everybody else, look away") == len(
        [1 for before, after in zip([None, *movers(table)], movers(table), strict=False) if before != after]
    )


def movers(table: Session) -> list[int | None]:
    return [table.engine.mover(moment.state) for moment in table._moments[:-1]]


def test_input_that_ends_at_a_handover_ends_cleanly() -> None:
    lines: list[str] = []
    assert not PlainTable(two_people(), lambda: "", lines.append).run()


@pytest.mark.parametrize("name", ["trumps", "hearts", "skat"])
def test_face_up_all_cards_are_shown(name: str) -> None:
    table = two_people(name, face_up=True)
    play_on(table, 7)
    view = table.view()
    for seat in range(view.players):
        assert None not in view.piles["hand", seat].cards


def test_face_up_there_is_nothing_to_hide() -> None:
    table = two_people(face_up=True)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        first = table.seat
        assert not isinstance(app.screen, Handover)
        assert hand_of(app, 0) | hand_of(app, 1) <= cards_on(screen_lines(app))
        await press(app, pilot, "enter")
        assert table.seat != first
        assert not isinstance(app.screen, Handover)

    on_table(table, play)


def test_computers_do_not_see_what_is_face_up() -> None:
    table, hidden = two_people("hearts", face_up=True), two_people("hearts")
    play_on(table, 30)
    play_on(hidden, 30)
    assert table.moves == hidden.moves
