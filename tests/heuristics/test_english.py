"""What is chosen, and what a card is, in the words of card players."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fcdl.heuristics.choices import asked, chosen, one_more
from fcdl.heuristics.english import does, doing, is_noun, is_plural, named, verb_of
from fcdl.heuristics.measured import at_least
from fcdl.heuristics.vocabulary import Feature
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import TRUE, Flowchart, Type
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
    assert chosen(_chart(CHOICES), name, kind, phrase) == said


def test_each_one_more_is_said_of_what_is_counted() -> None:
    assert [one_more(_chart(CHOICES), name) for name in ("bid", "fingers", "depth")] == [
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


SAID = """
say depth: "number of fingers"
say bid: "stake"
say trumps: "the suit of trumps"
say wanted: "suit to match"
say call: "see the cards"
say pile: "upper pile"
say knocks: "knocking now"
say victim: "dealer shows"
"""


def _chart(text: str) -> Flowchart:
    chart = load_text(text).flowchart
    assert chart is not None
    return chart


def _asked(chart: Flowchart) -> Iterator[str]:
    for node in chart.nodes.values():
        if isinstance(node.statement, fc.Choose):
            yield asked(chart, node, chart.variables[node.statement.target.name].type)


def test_decisions_are_headed_by_what_there_is_to_choose() -> None:
    assert list(_asked(_chart(CHOICES))) == [
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


def test_what_is_chosen_is_called_as_the_chart_says() -> None:
    chart = _chart(CHOICES.replace("chart main", f"{SAID}chart main"))
    assert list(_asked(chart)) == [
        "fold, see the cards or raise",
        "choose see the cards or upper pile",
        "say yes or no to “knocking now”",
        "stake",
        "choose the suit of trumps",
        "choose the suit to match",
        "choose a player",
    ]
    assert chosen(chart, "depth", Type.INT, "2 or more") == "choosing a number of fingers of 2 or more"
    assert one_more(chart, "bid") == "each one more that you stake"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("suit led", "suit led"),
        ("the pot", "pot"),
        ("bids so far", "bids so far"),
        ("trumps", "trumps"),
        ("hearts broken", "victim"),
        ("playing", "victim"),
        ("turned up", "victim"),
        ("dealer shows", "victim"),
        ("", "victim"),
        ("what everybody at this table has bid up to now", "victim"),
    ],
)
def test_only_nouns_stand_for_names_inside_sentences(said: str, name: str) -> None:
    chart = _chart(CHOICES.replace("chart main", f'say victim: "{said}"\nchart main'))
    assert named(chart, "victim") == name


def test_what_follows_a_noun_leaves_its_number() -> None:
    assert [is_plural(name) for name in ("bids so far", "suit of trumps", "tricks", "bonus")] == [
        True,
        False,
        True,
        False,
    ]
