"""What the teacher says: hints, who may hold which card, the review."""

import threading
from collections.abc import Callable, Sequence

import pytest
from rich.console import Console
from textual.pilot import Pilot

from fcdl.agents import MoveValue
from fcdl.model import Move, Observation
from fcdl.ui import lessons, plain_lessons
from fcdl.ui.panels import Page, Result, Review
from fcdl.ui.picture import Faces
from fcdl.ui.plain import PlainTable
from fcdl.ui.replay_screen import ReplayScreen
from fcdl.ui.session import Session
from fcdl.ui.table import TableApp
from fcdl.ui.teacher import CANNOT, DecisionMade, Hint, Judged, Teacher, TeacherError, worst_first
from tests.ui import guessing
from tests.ui.driving import on_table, press, screen_lines, shown
from tests.ui.tables import LONGER, everything, play_on, play_to_your_turn, session

ISMCTS = ("ismcts:iterations=200",)


@pytest.fixture(autouse=True)
def _guesser(monkeypatch: pytest.MonkeyPatch) -> None:
    guessing.make_known(monkeypatch)


def guessed(name: str, moves: int, seed: str = "1") -> Session:
    """A game whose teacher likes the last legal move best."""
    table = session(name, seed)
    table.teacher = Teacher(table.game, table.engine, advisers=("guesser",), talkers=())
    play_on(table, moves)
    play_to_your_turn(table)
    return table


def printed(content: object) -> str:
    console = Console(width=80, color_system=None)
    with console.capture() as capture:
        console.print(content)
    return capture.get()


@pytest.mark.parametrize("name", LONGER)
def test_every_game_has_hints(name: str) -> None:
    table = session(name)
    table.teacher = Teacher(table.game, table.engine, advisers=ISMCTS)
    play_on(table, 6)
    play_to_your_turn(table)
    hint = table.hint()()
    assert {value.move for value in hint.values} == set(table.legal)
    assert hint.adviser == ISMCTS[0]


@pytest.mark.parametrize("name", LONGER)
def test_every_game_says_who_may_hold_a_card(name: str) -> None:
    table = session(name)
    play_on(table, 6)
    play_to_your_turn(table)
    known = table.known()()
    seen = {card for event in table.observation.events for card in event.cards or ()}
    for card, places in known.places.items():
        assert sum(places.values()) == pytest.approx(1)
        assert f"hand({table.seat})" not in places
        assert card not in seen or len(places) > 1
    truth = table.replay().view(len(table.moves), None)
    for (zone, owner), pile in truth.piles.items():
        for card in pile.known:
            written = zone if owner is None else f"{zone}({owner})"
            assert card not in known.places or known.places[card].get(written, 0) > 0


def test_known_cards_are_shown_by_place() -> None:
    table = session("trumps")
    play_on(table, 6)
    play_to_your_turn(table)
    text = printed(lessons.known_table(table.known()(), table.game, table.seat))
    assert "player 1" in text
    assert "pack" in text


def test_hint_shows_values_and_reasons() -> None:
    table = guessed("trumps", 0)
    hint = table.hint()()
    text = printed(lessons.hint_table(hint, Faces(table.game)))
    assert text.startswith("Play ")
    assert "comes last." in text
    assert "guesser" in text
    lines = list(plain_lessons.hint_lines(hint))
    assert lines[0].startswith(f"Play {table.legal[-1].what}: it ")
    assert lines[1] == f"{table.legal[-1]}: 0.00 (looked at 10 times)"


def test_heuristics_speak_for_themselves() -> None:
    table = session("trumps")
    table.teacher = Teacher(table.game, table.engine, advisers=("guesser",), talkers=("guesser",))
    play_to_your_turn(table)
    hint = table.hint()()
    assert hint.heuristics == (f"{table.legal[-1]} comes last.",)
    assert "by rules of thumb alone:" in list(plain_lessons.hint_lines(hint))
    assert "By rules of thumb alone:" in printed(lessons.hint_table(hint, Faces(table.game)))


def test_measured_heuristics_speak_for_the_best_move() -> None:
    table = session("trumps")
    table.teacher = Teacher(table.game, table.engine, advisers=("measured",), talkers=())
    play_to_your_turn(table)
    hint = table.hint()()
    assert any("is worth" in sentence for sentence in hint.measured)
    assert "measured by play:" in list(plain_lessons.hint_lines(hint))
    assert "Measured by play:" in printed(lessons.hint_table(hint, Faces(table.game)))


def test_who_cannot_judge_says_so() -> None:
    table = everything()
    table.teacher = Teacher(table.game, table.engine, advisers=("random",))
    with pytest.raises(TeacherError, match=CANNOT):
        table.hint()()
    table.teacher = Teacher(table.game, table.engine, advisers=("nobody",))
    with pytest.raises(TeacherError, match="unknown agent"):
        table.hint()()


def test_review_has_the_worst_first() -> None:
    table = guessed("trumps", 100)
    judged = [one for one in table.teacher.review(table.decisions()) if one is not None]
    made = table.decisions()
    assert len(judged) == sum(len(one.legal) > 1 for one in made)
    for one in judged:
        assert one.best == one.made.legal[-1]
        assert one.lost == len(one.made.legal) - 1 - one.made.legal.index(one.made.move)
    costs = [one.lost for one in worst_first(judged)]
    assert costs == sorted(costs, reverse=True)


def test_review_judges_by_what_was_seen_then() -> None:
    table = guessed("hearts", 30)
    for one in table.decisions():
        before = Session(table.game, table.seats, table.seed, engine=table.engine)
        for move in table.moves[: one.number]:
            before.apply(move)
        assert before.observation == one.observation
        assert before.legal == one.legal


def test_review_stops_when_nobody_waits() -> None:
    table = guessed("trumps", 100)
    assert list(table.teacher.review(table.decisions(), lambda: True)) == []


def test_hint_and_known_cards_are_on_the_screen_and_go_away() -> None:
    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "h")
        best = app.session.legal[-1]
        assert "Hint: " in shown(app, "#prompt")
        assert app.menu.current is not None
        assert app.menu.current.move == best
        for key, text in [("h", "comes last."), ("question_mark", "Cards you have not seen")]:
            await press(app, pilot, key)
            assert isinstance(app.screen, Page)
            assert text in "\n".join(screen_lines(app))
            await press(app, pilot, "escape")
            assert not isinstance(app.screen, Page)
        await press(app, pilot, "enter")
        assert best in app.session.moves
        assert "Hint: " not in shown(app, "#prompt")

    on_table(guessed("crazy_eights", 4), play)


class Slow:
    """A teacher that thinks until it is let go."""

    def __init__(self, hint: Callable[[], Hint]) -> None:
        self.hint_now = hint
        self.may_go = threading.Event()

    def hint(self, observation: Observation, legal: Sequence[Move]) -> Hint:
        assert self.may_go.wait(60)
        return self.hint_now()


def test_hint_can_be_forgotten_while_it_is_thought_of(monkeypatch: pytest.MonkeyPatch) -> None:
    table = guessed("trumps", 0)
    slow = Slow(table.hint())
    monkeypatch.setattr(table, "hint", lambda: lambda: slow.hint(table.observation, table.legal))

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press("h")
        await pilot.pause()
        assert "looking for a hint" in "\n".join(screen_lines(app))
        await pilot.press("escape")
        await pilot.pause()
        assert "looking for a hint" not in "\n".join(screen_lines(app))
        await pilot.press("enter")
        await pilot.pause()
        assert table.moves
        slow.may_go.set()
        await press(app, pilot, "r")

    on_table(table, play)


def test_hint_waits_for_your_turn() -> None:
    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "v")
        assert "after the game" in "\n".join(screen_lines(app))
        while app.session.outcome is None:
            await press(app, pilot, "enter")
        await press(app, pilot, "escape", "h")
        assert "when it is your turn" in "\n".join(screen_lines(app))

    on_table(guessed("trumps", 8), play)


def test_review_leads_to_the_position() -> None:
    table = guessed("trumps", 100)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "v")
        assert isinstance(app.screen, Review)
        first: Judged = app.screen.judged[0]
        await press(app, pilot, "enter")
        assert isinstance(app.screen, ReplayScreen)
        assert app.screen.number == first.made.number
        assert "better: play" in "\n".join(screen_lines(app))
        await press(app, pilot, "right")
        assert "better: play" not in "\n".join(screen_lines(app))
        await press(app, pilot, "q", "escape")
        assert not isinstance(app.screen, Review | ReplayScreen)
        await press(app, pilot, "enter")
        assert isinstance(app.screen, Result)

    on_table(table, play)


def test_commands_line_by_line() -> None:
    table = guessed("trumps", 0, "5")
    lines: list[str] = []
    after_game = ["review", "record nowhere/at/all", "quit"]
    source = ["hint", "known", "why KS", "why 2D", "why nonsense", "review"]

    def read_line() -> str:
        if source:
            return source.pop(0) + "\n"
        if table.outcome is None:
            return f"{table.legal[0]}\n"
        return after_game.pop(0) + "\n"

    assert PlainTable(table, read_line, lines.append).run()
    text = "\n".join(lines)
    for part in [
        "(guesser)",
        "pack",
        "must follow diamonds",
        "'play 2D' is legal",
        "is neither a card",
        "after the game",
        "decisions with a choice",
        "there is no record",
    ]:
        assert part in text


def test_same_game_is_reviewed_the_same() -> None:
    table = session("hearts")
    play_on(table, 10_000)
    decisions = [made for made in table.decisions() if len(made.legal) > 1][:3]
    judged = [list(Teacher(table.game, table.engine).review(decisions)) for _ in range(2)]
    assert judged[0] == judged[1]


def test_reasons_stand_above_all_but_the_best_of_many_moves() -> None:
    table = session("hearts")
    table.teacher = Teacher(table.game, table.engine, advisers=("guesser",), talkers=("guesser",))
    lines = printed(lessons.hint_table(table.hint()(), Faces(table.game))).splitlines()
    reasons = lines.index("By rules of thumb alone:")
    shown = [number for number, line in enumerate(lines) if line.startswith("pick ")]
    assert len(shown) == 13
    assert sum(number < reasons for number in shown) == lessons.MOST_FIRST


def test_moves_of_the_same_worth_are_said_to_be_as_good() -> None:
    moves = [MoveValue(Move("play", card), value, 1) for card, value in [("QH", -0.004), ("2C", 0.0), ("3C", -1.0)]]
    hint = Hint(tuple(moves), (), (), "nobody")
    assert list(plain_lessons.hint_lines(hint))[:3] == [
        "Play QH: it is about 1 point better than 3C; 2C is as good.",
        "play QH: 0.00 (looked at once)",
        "play 2C: 0.00 (looked at once)",
    ]


def test_what_a_review_says_of_decisions_adds_up() -> None:
    made = DecisionMade(0, Observation(0, ()), (), Move("pass"))
    judged = [Judged(made, -lost, Move("pass"), 0.0) for lost in (0.004, 0.004, 0.004, 1.234, 2.344)]
    assert list(plain_lessons.review_lines(judged))[-1].endswith("together they cost 3.57")


def test_a_hint_says_how_far_it_looks() -> None:
    for name, until in (("hearts", "until the next deal"), ("trumps", "until the end of the game")):
        table = session(name)
        table.teacher = Teacher(table.game, table.engine, advisers=("guesser",), talkers=("guesser",))
        assert until in list(plain_lessons.hint_lines(table.hint()()))[-1]
