"""What `asp/paths.lp` makes of a chart, with functions that know next to nothing: every diamond is open, or decided."""

from dataclasses import dataclass, field, replace

from fcdl.engines.asp.paths import State, follow
from fcdl.language.flowchart import Assign, Expr
from fcdl.language.load import load_text
from fcdl.language.loops import MainLoop, main_loop

CHART = """
game "Made up"
players 2
chart main
    start
    Shuffle
    Deal(5)
    n = 0
    m = 0
turn:
    cardsRemaining(player(0)) > 0?      no -> finish
    playCard(player(0), card(any, any))
{body}
    score(player(0)) = n + m            -> turn
finish:
    end
"""


@dataclass(frozen=True)
class Seen:
    """Where the chart is, what has been answered and how often something was assigned."""

    place: int = 0
    answers: frozenset[tuple[Expr, bool]] = frozenset()
    changes: int = 0


@dataclass
class Functions:
    """The least that the rules need; `decided` are the answers of diamonds, by their captions."""

    main: MainLoop
    decided: dict[str, bool] = field(default_factory=dict)

    def at(self, place: int, seen: Seen, remembered: object) -> Seen:
        return replace(seen, place=place)

    def turn(self, seen: Seen) -> tuple[tuple[int | None, ...], int]:
        return (), seen.changes

    def asked(self, seen: Seen) -> object:
        node = self.main.places[seen.place].node
        answer = self.decided.get(node.caption, dict(seen.answers).get(node.condition))  # type: ignore[arg-type]
        return ("open", node.condition, True, False) if answer is None else answer

    def together(self, seen: Seen) -> object:
        return ("apart",)

    def done(self, seen: Seen) -> object:
        changes = isinstance(self.main.places[seen.place].node.statement, Assign)
        return "to", replace(seen, changes=seen.changes + changes)

    def about_cards(self, condition: Expr) -> bool:
        return "card" in str(condition)

    def about_me(self, condition: Expr) -> bool:
        return condition.op == "less"

    def answered(self, seen: Seen, condition: Expr, holds: bool) -> Seen:
        return replace(seen, answers=seen.answers | {(condition, holds)})

    def question(self, seen: Seen) -> object:
        return None

    def names(self, seen: Seen) -> list[object]:
        return []


def paths(body: str, *, merged: bool = False, decided: dict[str, bool] | None = None) -> list[State]:
    checked = load_text(CHART.format(body=body))
    assert checked.flowchart is not None, checked.findings
    main = main_loop(checked.flowchart)
    return follow(main, (main.loop.head, Seen()), Functions(main, decided or {}), merged=merged)


def reasons(states: list[State]) -> list[str | None]:
    return [state.end[0] for state in states if state.end is not None]


ONE = """
    playerHas(player(0), card(7, any))?     no -> on
    n = 1
on:
    m = m
"""
TWO_ALIKE = """
    playerHas(player(0), card(7, any))?     no -> on
on:
    playerHas(player(1), card(8, any))?     no -> past
past:
    m = m
"""


def test_open_diamond_goes_both_paths() -> None:
    found = paths(ONE)
    assert reasons(found) == [None, None]
    forks = [state for state in found if len(state.to) == 2]
    assert [[answer is not None and answer.holds for answer, _ in state.to] for state in forks] == [[True, False]]


def test_decided_diamond_goes_one_path() -> None:
    found = paths(ONE, decided={"playerHas(player(0), card(7, any))": True})
    assert reasons(found) == [None]
    assert all(answer is None for state in found for answer, _ in state.to)


def test_what_has_been_answered_is_not_asked_again() -> None:
    again = ONE + ONE.replace("on", "once")
    assert reasons(paths(again)) == [None, None]


def test_paths_are_one_after_an_answer_only_where_they_are_merged() -> None:
    assert len(reasons(paths(TWO_ALIKE))) == 4
    assert len(reasons(paths(TWO_ALIKE, merged=True))) == 1


def test_answers_about_me_keep_merged_paths_apart() -> None:
    mine = TWO_ALIKE.replace("playerHas(player(0), card(7, any))", "rankValue(top(middle(player(0)))) < 7")
    found = paths(mine, merged=True)
    assert [[answer.holds for answer in state.remembered] for state in found if state.end] == [[True], [False]]


def test_path_ends_where_a_loop_turns_as_often_as_the_cards_say() -> None:
    loop = """
again:
    playerHas(player(0), card(7, any))?     no -> past
    n = n + 1
    playCard(player(0), card(any, any))     -> again
past:
    m = m
"""
    assert sorted(map(str, reasons(paths(loop, merged=True)))) == ["None", "endless"]


def test_what_comes_back_to_itself_for_ever_is_on_no_path() -> None:
    loop = """
again:
    playerHas(player(0), card(7, any))?     no -> past
    playCard(player(1), card(any, any))     -> again
past:
    m = m
"""
    found = paths(loop)
    assert reasons(found) == [None]
    assert not paths(loop, decided={"playerHas(player(0), card(7, any))": True})
