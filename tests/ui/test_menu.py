"""The cursor, and what typed letters mean."""

import pytest

from fcdl.model import PASS, Move
from fcdl.ui.menu import Item, Menu
from tests.ui.tables import everything, session


def cards(*codes: str, legal: str = "") -> list[Item]:
    return [Item(code, Move("play", code), code in legal.split(), in_hand=True) for code in codes]


def values(*texts: str) -> list[Item]:
    return [Item(text, Move("choose", text), legal=True, in_hand=False) for text in texts]


def typed(menu: Menu, letters: str) -> str | None:
    """The item that typing leads to; None if a letter was not taken."""
    for letter in letters:
        if not menu.type(letter):
            return None
    return menu.current.text if menu.current else None


def test_cursor_begins_at_the_first_legal_card() -> None:
    menu = Menu(cards("2C", "3D", "4D", legal="3D 4D"))
    assert menu.current is not None
    assert menu.current.text == "3D"


def test_arrows_reach_illegal_cards_and_tab_does_not() -> None:
    menu = Menu(cards("2C", "3D", "4D", legal="3D"))
    menu.step(1)
    assert menu.cursor == 2
    menu.step(1)
    assert menu.cursor == 0
    menu.step(1, legal=True)
    assert menu.cursor == 1


def test_up_and_down_go_between_cards_and_pass() -> None:
    menu = Menu([*cards("2C", "3D", legal="3D"), Item("pass", PASS, legal=True, in_hand=False)])
    menu.cross()
    assert menu.cursor == 2
    menu.cross()
    assert menu.cursor == 1


@pytest.mark.parametrize(("letters", "card"), [("qh", "QH"), ("QS", "QS"), ("th", "TH"), ("10h", "TH"), ("2c", "2C")])
def test_typed_card_is_found(letters: str, card: str) -> None:
    menu = Menu(cards("2C", "QH", "TH", "QS", legal="QH"))
    assert typed(menu, letters) == card
    assert menu.card_typed


def test_card_is_not_whole_after_one_letter() -> None:
    menu = Menu(cards("QH", "QS", legal="QH"))
    assert menu.type("q")
    assert not menu.card_typed


def test_letter_twice_is_a_command() -> None:
    menu = Menu(cards("QH", "QS", legal="QH"))
    assert menu.type("q")
    assert not menu.type("q")
    assert menu.typed == ""


def test_letter_that_begins_nothing_is_a_command() -> None:
    assert not Menu(cards("2C", legal="2C")).type("q")


@pytest.mark.parametrize(("letters", "value"), [("1", "1"), ("12", "12"), ("0", "0"), ("10", "10")])
def test_typed_number_is_found(letters: str, value: str) -> None:
    assert typed(Menu(values(*map(str, range(13)))), letters) == value


def test_second_word_with_the_same_letter_is_told_apart() -> None:
    assert typed(Menu(values("hold", "hearts")), "he") == "hearts"


def test_cards_cannot_be_picked_while_a_value_is_chosen() -> None:
    table = everything()
    menu = Menu.of(table, table.view())
    assert {item.move for item in menu.hand} == {None}
    assert [item.text for item in menu.options] == [str(number) for number in range(13)]


def test_nothing_can_be_picked_when_another_player_decides() -> None:
    table = session("trumps", "5")
    assert not table.your_turn
    assert Menu.of(table, table.view()).current is None
