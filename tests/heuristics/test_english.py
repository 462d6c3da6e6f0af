"""What is chosen, and what a card is, in the words of card players."""

from __future__ import annotations

import pytest

from fcdl.heuristics.choices import asked, chosen, one_more
from fcdl.heuristics.english import does, doing, is_noun, verb_of
from fcdl.heuristics.measured import at_least
from fcdl.heuristics.vocabulary import Feature
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import TRUE, Type
from fcdl.language.load import load_text


@pytest.mark.parametrize(
    ("verb", "gerund", "third"),
    [
        ("fold", "folding", "folds"),
        ("raise least", "raising least", "raises least"),
        ("bid", "bidding", "bids"),
        ("pass", "passing", "passes"),
        ("marry", "marrying", "marries"),
        ("lie", "lying", "lies"),
        ("see", "seeing", "sees"),
        ("swap", "swapping", "swaps"),
        ("keep", "keeping", "keeps"),
        ("draw", "drawing", "draws"),
        ("order", "ordering", "orders"),
        ("play", "playing", "plays"),
    ],
)
def test_verbs_are_conjugated(verb: str, gerund: str, third: str) -> None:
    assert (doing(verb), does(verb)) == (gerund, third)


@pytest.mark.parametrize(
    ("name", "verb"), [("raiseHalfPot", "raise half pot"), ("discards", None), ("pile", None), ("trumps", None)]
)
def test_names_that_are_verbs_are_known(name: str, verb: str | None) -> None:
    assert verb_of(name) == verb


def test_a_question_may_be_a_verb_in_the_third_person() -> None:
    assert verb_of("knocks", third=True) == "knock"


@pytest.mark.parametrize("name", ["fox", "trump", "ten", "king", "queen", "joker", "special trump"])
def test_what_a_card_is_has_an_article(name: str) -> None:
    assert is_noun(name)


@pytest.mark.parametrize("name", ["wild", "red", "playable", "forbidden", "locked", "higher", "winning"])
def test_what_a_card_is_like_has_none(name: str) -> None:
    assert not is_noun(name)


@pytest.mark.parametrize(
    ("name", "kind", "phrase", "said"),
    [
        ("said", Type.WORD, "fold", "folding"),
        ("source", Type.WORD, "pile", "choosing pile"),
        ("knocks", Type.BOOL, "yes", "knocking"),
        ("alone", Type.BOOL, "yes", "saying yes to “alone”"),
        ("bid", Type.INT, "3 or less", "bidding 3 or less"),
        ("fingers", Type.INT, "2 or less", "choosing 2 fingers or fewer"),
        ("depth", Type.INT, "2 or more", "choosing a depth of 2 or more"),
        ("trumps", Type.SUIT, "the suit that you hold most of", "choosing the suit that you hold most of as trumps"),
        ("wanted", Type.SUIT, "a suit that you do not hold", "choosing a suit that you do not hold"),
        ("victim", Type.PLAYER, "the next player", "choosing the next player"),
    ],
)
def test_choices_are_said_as_what_one_does(name: str, kind: Type, phrase: str, said: str) -> None:
    assert chosen(name, kind, phrase) == said


def test_each_one_more_is_said_of_what_is_counted() -> None:
    assert [one_more(name) for name in ("bid", "fingers", "depth")] == [
        "each one more that you bid",
        "each finger more that you choose",
        "each one more in depth that you choose",
    ]


CHOICES = """
players 2
words fold, call, raise, pile
secret depth
each player has bid = 0
chart main
    start
    depth = 0
    Shuffle
    choose(player(0), said, {fold, call, raise})
    choose(player(0), source, {call, pile})
    choose(player(0), knocks, {no, yes})
    choose(player(0), bid(player(0)), {0 to 3})
    choose(player(0), trumps, suits)
    choose(player(0), wanted, suits)
    choose(player(0), victim, players)
    end
"""


def test_decisions_are_headed_by_what_there_is_to_choose() -> None:
    chart = load_text(CHOICES).flowchart
    assert chart is not None
    choices = [node.statement for node in chart.nodes.values() if isinstance(node.statement, fc.Choose)]
    kinds = [chart.variables[choice.target.name].type for choice in choices]
    assert [asked(choice, kind, chart.words) for choice, kind in zip(choices, kinds, strict=True)] == [
        "fold, call or raise",
        "choose call or pile",
        "may knock",
        "bid",
        "choose trumps",
        "choose the wanted suit",
        "choose a player",
    ]


def test_numbers_are_said_from_their_limits_on() -> None:
    assert at_least(Feature("your total", TRUE, 2), 17).phrase == "when your total is 17 or more"
    assert at_least(Feature("the eyes of your pile", TRUE, 2), 3).phrase == "when the eyes of your pile are 3 or more"
