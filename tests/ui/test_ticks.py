"""Decisions for sets of cards: a person ticks them, on the screen and line by line."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from fcdl.language.load import load_text
from fcdl.model import Game, Move
from fcdl.ui.menu import LISTED_SETS, Menu, TickMenu
from fcdl.ui.plain import PlainTable
from fcdl.ui.session import Session, default_seats
from fcdl.ui.table import TableApp
from tests.ui.driving import LARGE, SMALL, on_table, press, settle, shown, with_app
from tests.ui.test_snapshots import compare

HEAD = """game "Sets"
players 2
deck ranks ace 2 3 4 5 6 7 suits clubs hearts copies {copies}
order value: ace 2 3 4 5 6 7
zone board: face up
zone slot(player, 1 to 3): face up
zone won(player): face down
option wanted = 7 from 1 to 30 "The sum."
secret hidden
define total(s) = sum(value(c) for c in s)
chart main
    start
    hidden = random(9)
"""
# Nothing is shuffled: a hand of three is A23 of clubs, then four to six are dealt, and the board has 7C AH 2H 3H 4H.
TABLE = """Deal(3)
move(5, pack, board)
take(player(0), sets s in subsets(board) where total(s) == wanted, board, won(player(0)))"""
HAND = "Deal(7)\nplayCardsOrPass(player(0), sets s in subsets(hand(player(0)), 2 to 3) where isSequence(s))"
MANY = "Deal(7)\nplayCards(player(0), subsets(hand(player(0)), 1 to 5))"
KEYED = """Deal(3)
move(4, pack, slot(player(0), 2))
take(player(0), sets s in subsets(slot(player(0), 2), 2) where isFlush(s), slot(player(0), 2), won(player(0)))"""
SECRET = TABLE.replace("== wanted", "> hidden")


def table(rules: str, copies: int = 1) -> Session:
    """A person decides first; what happens afterwards is a card of theirs each."""
    body = rules.replace("\n", "\n    ")
    tail = "    playCard(p, cards) for p in players\n    score(player(0)) = count(won(player(0)))\n    end\n"
    loaded = load_text(HEAD.format(copies=copies) + f"    {body}\n{tail}")
    assert loaded.flowchart is not None, [item.message for item in loaded.findings]
    game = Game.make(loaded.flowchart, name="sets")
    return Session(game, default_seats(2, "random"), "1")


def menu_of(session: Session) -> TickMenu:
    menu = Menu.of(session, session.view())
    assert isinstance(menu, TickMenu)
    return menu


def tick(menu: TickMenu, *codes: str) -> TickMenu:
    for code in codes:
        menu.tick(next(n for n, item in enumerate(menu.items) if item.text == code and item.ticked is False))
    return menu


def standing_out(menu: Menu) -> str:
    """The cards that can be ticked with a legal set in the end."""
    return " ".join(item.text for item in menu.items if item.ticked is False and item.legal)


def test_cards_of_the_table_can_be_ticked_and_those_of_the_hand_cannot() -> None:
    menu = menu_of(table(TABLE))
    assert [(item.text, item.move) for item in menu.hand] == [("3C", None), ("2C", None), ("AC", None)]
    assert [item.text for item in menu.items if item.ticked is False] == ["7C", "AH", "2H", "3H", "4H"]


def test_cards_stand_out_that_lead_to_a_legal_set() -> None:
    menu = menu_of(table(TABLE))
    assert standing_out(menu) == "7C AH 2H 3H 4H"
    assert standing_out(tick(menu, "3H")) == "4H"
    assert menu.ticks.move == Move("take", "3H")
    assert not menu.ticks.is_legal
    assert standing_out(tick(menu, "4H")) == ""
    assert menu.ticks.is_legal
    assert standing_out(tick(menu, "7C")) == ""
    assert menu.ticks.fitting == []


def test_ticked_card_can_be_unticked() -> None:
    menu = tick(menu_of(table(TABLE)), "3H")
    assert menu.cursor is not None
    menu.tick(menu.cursor)
    assert menu.ticks.move is None
    tick(menu, "3H", "4H")
    menu.untick()
    assert menu.ticks.move is None


def test_sets_that_fit_are_listed_beside_the_cards() -> None:
    menu = menu_of(table(TABLE))
    assert [item.text for item in menu.options if item.ticked is None] == ["take 7C", "take 3H 4H", "take AH 2H 4H"]
    assert [item.text for item in tick(menu, "2H").options if item.ticked is None] == ["take AH 2H 4H"]


def test_hundreds_of_sets_are_not_listed_until_few_are_left() -> None:
    menu = menu_of(table(MANY))
    assert len(menu.ticks.fitting) == 119  # 7 + 21 + 35 + 35 + 21
    assert [item.text for item in menu.options] == []
    tick(menu, "AC", "2C", "3C")
    assert len(menu.ticks.fitting) == 11  # with none, one or two of the four others
    assert len(menu.options) == 11 <= LISTED_SETS
    assert menu.options[0].move == Move("play", "AC 2C 3C")


def test_copies_of_a_card_are_ticked_one_by_one() -> None:
    session = table("Deal(7)\nplayCards(player(0), sets s in subsets(hand(player(0)), 2) where isGroup(s))", copies=2)
    menu = menu_of(session)
    assert [item.text for item in menu.hand] == ["4C", "3C", "3C", "2C", "2C", "AC", "AC"]
    assert standing_out(menu) == "3C 3C 2C 2C AC AC"
    assert standing_out(tick(menu, "2C")) == "2C"
    assert [item.ticked for item in tick(menu, "2C").hand] == [False, False, False, True, True, False, False]
    assert menu.ticks.move == Move("play", "2C 2C")
    assert menu.ticks.is_legal


def test_cards_of_a_place_with_keys_can_be_ticked() -> None:
    menu = menu_of(table(KEYED))
    assert [item.text for item in menu.items if item.ticked is False] == ["7C", "AH", "2H", "3H"]
    assert standing_out(menu) == "AH 2H 3H"


@pytest.mark.parametrize(
    ("rules", "cards", "tally"),
    [
        (TABLE, "3H", "3 of 7"),
        (TABLE, "3H 4H", "7 of 7"),
        (
            TABLE.replace("== wanted", "+ value(top(board)) <= wanted & count(s) > 1"),
            "AH 2H",
            "7 of at most 7, 2 of at least 2 cards",
        ),
        (
            TABLE.replace("total(s) == wanted", "if(wanted > 5, total(s) >= wanted, count(s) == 1)"),
            "2H",
            "2 of at least 7",
        ),
        (TABLE.replace("total(s) == wanted", "count(s) == count(hand(player(0)))"), "7C AH", "2 of 3 cards"),
        (TABLE.replace("subsets(board)", "subsets(board, 2)"), "3H", "3 of 7, 1 of 2 cards"),
        (HAND, "AC", "1 of 2 to 3 cards"),
        (HAND, "AC 2C", ""),
        (SECRET, "3H", ""),
    ],
)
def test_running_word_tells_how_far_a_set_is(rules: str, cards: str, tally: str) -> None:
    session = table(rules)
    assert session.tally(Move(session.kind, cards)) == tally


@pytest.mark.parametrize(
    ("rules", "cards", "reason"),
    [
        (TABLE, "3H", "You may not take 3H: the cards make 3, not 7."),
        (TABLE, "3H 5H", "There is no 5H on the board."),
        (HAND, "AC", "You may not play AC: it takes 2 to 3 cards, not 1."),
        (HAND, "AC 3C", "You may not play AC 3C: the cards are not a sequence."),
        (HAND, "AC 3H", "You do not have 3H in hand."),
        (KEYED, "7C AH", "You may not take 7C AH: the cards are not of one suit."),
    ],
)
def test_why_a_set_is_illegal(rules: str, cards: str, reason: str) -> None:
    session = table(rules)
    assert session.why_not(session.parse(cards)) == reason


def test_why_a_set_is_illegal_does_not_tell_a_secret() -> None:
    session = table(SECRET)
    assert "make" not in session.why_not(Move("take", "7C 6C"))


# --- the screen


def test_space_ticks_and_enter_takes_the_set() -> None:
    session = table(TABLE)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        assert "Tick the cards. 3 sets are possible." in shown(app, "#prompt")
        await press(app, pilot, "right", "right", "right", "space")
        assert "3♥: 3 of 7. 1 set is possible." in shown(app, "#prompt")
        assert "[✓3♥]" in shown(app, "#options")
        await press(app, pilot, "right", "space")
        assert "3♥ 4♥: 7 of 7. Enter: take them." in shown(app, "#prompt")
        await press(app, pilot, "enter")
        assert session.moves == [Move("take", "3H 4H")]

    on_table(session, play)


def test_enter_says_why_the_ticked_set_is_illegal() -> None:
    session = table(TABLE)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "right", "space", "right", "space", "enter")
        await settle(app, pilot)
        assert "You may not take A♥ 2♥: the cards make 3, not 7" in shown(app, "#prompt")
        assert "A♥ 2♥: 3 of 7. 1 set is possible." in shown(app, "#prompt")
        await press(app, pilot, "escape")
        assert "Tick the cards." in shown(app, "#prompt")
        assert not session.moves

    on_table(session, play)


def test_enter_on_a_card_that_is_a_set_by_itself_takes_it() -> None:
    session = table(TABLE)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter")
        assert session.moves == [Move("take", "7C")]

    on_table(session, play)


def test_typed_cards_are_ticked() -> None:
    session = table(TABLE)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, *"4h3h")
        assert "3♥ 4♥: 7 of 7." in shown(app, "#prompt")
        await press(app, pilot, "enter")
        assert session.moves == [Move("take", "3H 4H")]

    on_table(session, play)


def test_a_click_ticks_a_card_and_a_click_on_a_set_plays_it() -> None:
    session = table(HAND)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.click("#hand", offset=(7, 1))
        await settle(app, pilot)
        assert isinstance(app.menu, TickMenu)
        assert app.menu.ticks.move == Move("play", "6C")
        assert "✓" in shown(app, "#hand")
        assert shown(app, "#options").startswith(" [play 5♣ 6♣]")
        await pilot.click("#options", offset=(4, 0))
        await settle(app, pilot)
        assert session.moves[0] == Move("play", "5C 6C")

    on_table(session, play)


def test_pass_is_offered_beside_the_cards() -> None:
    session = table(HAND)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "space", *"pass", "enter")
        assert session.moves[0] == Move("pass")

    on_table(session, play)


@pytest.mark.parametrize(
    ("name", "rules", "keys", "size"),
    [
        ("table", TABLE, "right right right space", SMALL),
        ("hand", HAND, "space right space", LARGE),
        ("hand-narrow", HAND, "space right space", (24, 16)),
        ("many", MANY, "space", SMALL),
        ("keyed", KEYED, "space", SMALL),
    ],
)
def test_screens(name: str, rules: str, keys: str, size: tuple[int, int]) -> None:
    compare(f"ticks-{name}", with_app(TableApp(table(rules), pace=0), *keys.split(), size=size))


# --- line by line


def said(session: Session, *lines: str) -> list[str]:
    """What is written when these lines are typed."""
    written: list[str] = []
    script = iter([*(f"{line}\n" for line in lines), ""])
    PlainTable(session, lambda: next(script), written.append).run()
    return written


def test_lines_tick_cards_and_take_them() -> None:
    session = table(TABLE)
    lines = said(session, "tick 4h", "tick 3H", "untick 4H", "tick 4H", "take")
    assert "Take cards: 7C, 3H 4H, AH 2H 4H" in lines
    assert "4H: 4 of 7. 2 sets are possible." in lines
    assert "Take cards: 3H 4H, AH 2H 4H" in lines
    assert "3H: 3 of 7. 1 set is possible." in lines
    assert "3H 4H: 7 of 7. Say take." in lines
    assert session.moves[0] == Move("take", "3H 4H")


def test_lines_say_what_cannot_be_ticked() -> None:
    lines = said(table(TABLE), "tick 9X", "tick 3H 7C", "take", "untick", "take 3h 4h", "tick 3H")
    assert "'9X' is not a card (rank then suit, as in AC)" in lines
    assert "7C 3H: 10 of 7. No legal set has these cards." in lines
    assert any(line.startswith("You may not take 7C 3H: the cards make 10, not 7") for line in lines)
    assert "Tick the cards. 3 sets are possible." in lines
    assert "You take 3H 4H" in lines
    assert "cards are ticked where several make one move" in lines


def test_lines_list_some_of_many_sets_and_all_if_asked() -> None:
    lines = said(table(MANY), "moves", "tick AC 2C 3C")
    listed = [line for line in lines if line.startswith("Play cards: ")]
    assert listed[0].endswith(" and 79 more")
    assert listed[-1].count(",") == 10
    assert any(line.count(",") == 118 for line in lines)
