"""Decks of parts: which cards there are, in which order, and what they are called."""

from __future__ import annotations

import resource

import pytest

from fcdl.language.flowchart import Deck
from fcdl.language.load import load_text
from fcdl.language.text import format_document, format_source
from fcdl.model import Game

CHART = """
chart main
start
Shuffle
end
"""


def deck_of(*lines: str) -> Deck:
    checked = load_text("\n".join(lines) + CHART)
    assert checked.flowchart is not None, checked.findings
    return checked.flowchart.deck


def codes_of(*lines: str, **options: str) -> list[str]:
    checked = load_text("\n".join(lines) + CHART)
    assert checked.flowchart is not None, checked.findings
    game = Game.make(checked.flowchart, name="deck", options=options)
    return [game.flowchart.deck.code(card) for card in game.cards]


def codes_found(*lines: str) -> list[str]:
    return [finding.code for finding in load_text("\n".join(lines) + CHART).findings if finding.severity == "error"]


def test_parts_are_numbered_one_after_the_other() -> None:
    assert codes_of("deck ranks 1 2 suits cups coins", "deck ranks 0 1 suits trumps") == [
        "1CU", "2CU", "1CO", "2CO", "0T", "1T",
    ]  # fmt: skip


def test_copies_lie_next_to_each_other_whatever_part_they_come_from() -> None:
    assert codes_of("deck ranks 7 8 suits clubs copies 2", "deck ranks 8 9 suits clubs") == [
        "7C", "7C", "8C", "8C", "8C", "9C",
    ]  # fmt: skip


def test_a_tarot_has_78_cards_and_a_canasta_pack_108() -> None:
    suits = "suits swords cups coins clubs"
    assert len(codes_of(f"deck ranks 1 to 10 jack knight queen king {suits}", "deck ranks 0 to 21 suits trumps")) == 78
    canasta = codes_of("deck standard copies 2", "deck ranks joker suits red black copies 2")
    assert len(canasta) == 108
    assert canasta[-4:] == ["JOR", "JOR", "JOB", "JOB"]
    assert canasta.count("JS") == 2


def test_a_later_part_leaves_the_codes_of_the_first_as_they_are() -> None:
    deck = deck_of("deck standard", "deck ranks joker suits red black")
    assert deck.rank_codes[:13] == deck_of("deck standard").rank_codes
    assert deck.rank_codes[13] == "JO"


def test_each_part_has_a_condition_of_its_own() -> None:
    lines = (
        "option low = 7 from 2 to 9",
        "deck cards c in standard where rankValue(c) >= low & suit(c) == hearts",
        "deck cards x in ranks 1 to 5 suits stars copies 2 where rankValue(x) < numberOfPlayers + 1",
    )
    assert codes_of(*lines) == ["7H", "8H", "9H", "TH", "JH", "QH", "KH", "AH", "1ST", "1ST", "2ST", "2ST"]
    assert codes_of(*lines, low="9")[:2] == ["9H", "TH"]


@pytest.mark.parametrize(
    "line",
    [
        "deck standard copies 2",
        "deck cards c in standard copies 2 where rankValue(c) > 5",
        "deck cards c in ranks 1 to 5 ace suits stars moons copies 3 where rankValue(c) > 2",
        "deck ranks joker suits red black copies 4",
    ],
)
def test_a_deck_line_is_written_as_it_was_read(line: str) -> None:
    text = line + CHART
    checked = load_text(text)
    assert checked.flowchart is not None
    assert format_document(checked.flowchart.document).startswith(line + "\n")
    assert format_source(text).startswith(line + "\n")


def test_a_deck_has_at_most_256_cards() -> None:
    assert len(codes_of("deck ranks 1 to 64 suits a b c d")) == 256
    assert codes_found("deck ranks 1 to 64 suits a b c d", "deck ranks joker suits d") == ["deck-size"]
    assert codes_found("deck standard copies 2147483647", "deck standard copies 2147483647") == ["deck-size"]
    assert codes_found("deck standard", "deck ranks joker suits red copies 0") == ["deck-size"]


@pytest.mark.parametrize("line", ["deck ranks j js suits s ss", "deck ranks ace Ace suits clubs"])
def test_two_cards_with_one_code_are_reported(line: str) -> None:
    assert "same-code" in codes_found(line)


def test_many_players_with_teams_take_no_memory() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, hard))
    try:
        assert codes_found("players 2147483647", "teams 0 1") == ["players"]
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def test_an_order_has_ranges_of_ranks_like_a_deck() -> None:
    checked = load_text("deck ranks 0 to 9 suits red\norder power: 2 to 9 0 1" + CHART)
    assert checked.flowchart is not None, checked.findings
    power, deck = checked.flowchart.tables["power"], checked.flowchart.deck
    assert [power.of_card(deck, card) for card in range(10)] == [9, 10, 1, 2, 3, 4, 5, 6, 7, 8]
    assert codes_found("deck ranks 0 to 9 suits red", "order power: 9 to 2") == ["syntax"]
