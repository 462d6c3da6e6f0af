"""Heuristics in words: plain card language, with nothing of the chart's syntax in it."""

import re

import pytest

from fcdl.heuristics import Heuristics, derive, describe, sentence
from fcdl.heuristics.vocabulary import Vocabulary
from fcdl.language.load import load_flowchart, load_text
from fcdl.model.game import Game
from tests.games.some import some_games
from tests.heuristics.test_derive import derive_builtin, derive_text

SYNTAX = re.compile(r"[&|!<>=*/%#_{}“”\"]|\w\(|[a-z][A-Z]|\boperation\b|\bnone\b(?! of)|\bthose\b")
NAMES = """
game "Names"
players 2
deck ranks 2 to 10 jack queen king ace suits hearts spades
define isTrump(c) = suit(c) == trumpSuit
define mayLead(c) = rank(c) != king | isTrump(c)
define hasTrump(p) = some(c in hand(p) where isTrump(c))
define onTable(r) = some(c in middle(leader) where rank(c) == r)
define forbidden(c) = rank(c) == jack & suit(c) == spades
define beats(c, d) = suit(c) == suit(d) & rankValue(c) > rankValue(d)
chart main
    start
    leader = player(0)
    trumpSuit = hearts
    Shuffle
    Deal(4)
trick:
    playCard(leader, cards c in hand(leader) where mayLead(c))
    hasTrump(next(leader))?                                 no -> other
    playCard(next(leader), cards c in hand(next(leader)) where onTable(rank(c)) | !forbidden(c)) -> both
other:
    playCard(next(leader), card(any, any))
both:
    isTrump(top(middle(leader))) & !forbidden(top(middle(next(leader))))? no -> lost
    beats(top(middle(leader)), top(middle(next(leader))))?  no -> lost
    score(leader) = score(leader) + 1                       -> done
lost:
    score(leader) = score(leader) - 1
done:
    leader = next(leader)
    Stack.empty
    cardsRemaining(leader) > 0?                             yes -> trick
    end
"""


def derive_players(name: str, players: int) -> Heuristics:
    return derive(Game.make(load_flowchart(name), name=name, players=players))


def sentences(derived: Heuristics) -> list[str]:
    return [sentence(derived, item) for item in derived.heuristics]


def check_plain(derived: Heuristics) -> None:
    lines = [*describe(derived).splitlines(), *sentences(derived)]
    assert [line for line in lines if SYNTAX.search(line)] == []


@pytest.mark.parametrize("game", some_games("kuhn_poker"))  # it has no loop
def test_nothing_of_the_chart_is_quoted(game: str) -> None:
    check_plain(derive_builtin(game))


@pytest.mark.parametrize(
    ("game", "players"), [("oh_hell", 3), ("oh_hell", 4), pytest.param("durak", 3, marks=pytest.mark.slow)]
)
def test_nothing_of_the_chart_is_quoted_with_more_players(game: str, players: int) -> None:
    check_plain(derive_players(game, players))


def test_syntax_is_found() -> None:
    for text in ("a & b", "x != y", "hand(p)", "canTakeMore holds", "“late” holds", "your card is the none"):
        assert SYNTAX.search(text)


def test_sentences_of_the_thesis() -> None:
    trumps = sentences(derive_builtin("trumps"))
    assert len(set(trumps)) == 12
    assert (
        "You lead any card; they have a card of your card's suit and must play one; your card is lower than theirs: −1."
        in trumps
    )
    assert "They pass: +1." in sentences(derive_builtin("crazy_eights"))


@pytest.mark.parametrize("game", ["hearts", "oh_hell", "durak", "skat"])
def test_every_heuristic_is_a_sentence_of_its_own(game: str) -> None:
    derived = derive_builtin(game)
    said = sentences(derived)
    assert all(text[0].isupper() for text in said)
    by_position = {(item.start, item.parameters[:1], text) for item, text in zip(derived.heuristics, said, strict=True)}
    assert len(by_position) == len(said)


def test_sentences_of_merged_paths() -> None:
    assert (
        "You lead; you become the winner; none of the three others has a card of your card's suit and plays a card "
        "higher than yours: minus the points of all cards played."
    ) in sentences(derive_builtin("hearts"))
    assert "You lead; you become the winner; your tricks are not fewer than your bid: −9." in sentences(
        derive_players("oh_hell", 4)
    )
    assert (
        "You play second; the first player after you is the declarer; the contract is null; you have no card that "
        "follows; the declarer becomes the leader: +1."
    ) in sentences(derive_builtin("skat"))


def test_sentences_of_durak() -> None:
    said = sentences(derive_builtin("durak"))
    assert {
        "You lead any card; they pass; you have cards left and they can take more; you play a card whose rank is on "
        "the table: +2.",
        "They lead any card; you play a card that beats their card; they have cards left and you can take more; they "
        "play a card whose rank is on the table: −1.",
        "They pass; you have no cards or they cannot take more; they take the cards of the attack and the defence; "
        "both draw from the pack and the trump card: +1 for each card more in their hand, −1 for each card more in "
        "yours.",
    } <= set(said)


def test_pages_of_durak_and_skat() -> None:
    durak = describe(derive_builtin("durak")).splitlines()
    assert [line for line in durak if line.startswith("Later")] == [
        "Later in the bout, when you may play a card whose rank is on the table:",
        "Later in the bout, when the defender may play a card that beats the top card of the attack:",
    ]
    assert (
        "When you play first, it depends (+1 for each card more in their hand, −1 for each card more in yours):"
        in durak
    )
    assert describe(derive_builtin("skat")).splitlines()[1:] == [
        "If you are the declarer and the contract is null, you want fewer tricks for you.",
        "If you are the declarer and the contract is not null, you want to have taken more points.",
        "If another player is the declarer and the contract is null, you want more tricks for the declarer.",
        "If another player is the declarer and the contract is not null, you want the declarer to have taken "
        "fewer points.",
        "Whose card has the highest strength becomes the leader.",
        "",
        "Wherever you play, good for you:",
        "    +1  Another player is the declarer; the contract is null; the declarer becomes the leader.",
        "     +  You are the declarer; the contract is not null; you become the leader: plus the points of all "
        "cards played.",
        "",
        "Wherever you play, bad for you:",
        "    −1  You are the declarer; the contract is null; you become the leader.",
        "     −  Another player is the declarer; the contract is not null; the declarer becomes the leader: minus "
        "the points of all cards played.",
    ]


def test_definitions_are_said_by_their_names() -> None:
    said = sentences(derive_text(NAMES))
    assert (
        "You lead a card that one may lead; they have a trump; they play a card whose rank is on the table or that is "
        "not forbidden; your card is a trump, their card is not forbidden and your card beats their card: +1."
    ) in said
    assert (
        "They lead a card that one may lead; you have no trump; you play any card; their card is not a trump or your "
        "card is forbidden: +1."
    ) in said


def test_the_goal_line_is_said_with_the_rules() -> None:
    from fcdl.ui.words import rules

    said = rules(Game.make(load_flowchart("euchre"), name="euchre"))
    assert "You want more tricks for you and your partner, and fewer tricks for them." in said


def test_the_page_says_how_a_trick_is_won() -> None:
    said = describe(derive_builtin("whist")).splitlines()
    assert "You become the winner if your card beats the winner's card." in said
    assert (
        "That means that your card is of the same suit as the winner's card and higher, or your card is a trump and "
        "the winner's card is no trump." in said
    )


def test_what_another_players_trick_is_worth_depends_on_their_bid() -> None:
    text = describe(derive(Game.make(load_flowchart("oh_hell"), name="oh_hell", players=4)))
    assert "+9  Another player becomes the winner; their tricks are not fewer than their bid." in text
    assert "−11  Another player becomes the winner; their tricks are fewer than their bid." in text


SAID = """
zone cellar: face up
zone won(player): face up
say leader: "dealer"
say trumpSuit: "suit of the day"
say cellar: "the wine cellar"
say won: "taken"
say pot: "chips in the pot"
say open: "doors open"
"""


@pytest.mark.parametrize(
    ("condition", "named", "said"),
    [
        ("leader == me", "you are the leader", "you are the dealer"),
        ("trumpSuit == spades", "the trump suit", "the suit of the day"),
        ("empty(cellar)", "the cellar is empty", "the wine cellar is empty"),
        ("count(won(me)) > pot", "cards you have won", "cards you have taken"),
        ("pot > 3", "the pot is", "chips in the pot are"),
        ("open", "“open” holds", "“doors open” holds"),
    ],
)
def test_things_are_called_as_the_chart_says(condition: str, named: str, said: str) -> None:
    chart = NAMES.replace("chart main", f"{SAID}chart main")
    chart = chart.replace("    Shuffle", "    pot = 1\n    open = yes\n    Shuffle")
    silent = "\n".join(line for line in chart.splitlines() if not line.startswith("say "))
    for text, expected in ((silent, named), (chart, said)):
        flowchart = load_text(text).flowchart
        assert flowchart is not None
        vocabulary = Vocabulary(Game.make(flowchart, name="names"))
        expr = vocabulary.read(condition)
        assert expr is not None
        speaker = vocabulary.speaker
        assert expected in speaker.condition(speaker.term_of(expr))


def test_derived_sentences_say_what_the_chart_says() -> None:
    text = describe(derive_builtin("crazy_eights"))
    assert "a card of the suit to match" in text
    assert "last suit" not in text
