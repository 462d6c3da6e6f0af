"""How a game is talked about: the words of the chart or derived ones, from what a seat has seen and nothing else."""

from __future__ import annotations

import threading

import pytest
from textual.pilot import Pilot

from fcdl.language.load import load_flowchart, load_text
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.ui.panels import Result, RoundPage
from fcdl.ui.plain_lessons import advice, disagreement, zone_name
from fcdl.ui.replay import Replay
from fcdl.ui.session import Session
from fcdl.ui.table import TableApp
from fcdl.ui.talk import third_person, you_form
from fcdl.ui.teacher import Hint, Teacher
from fcdl.ui.words import game_words, rules, seat_names
from tests.ui import guessing
from tests.ui.driving import on_table, press, screen_lines, settle, shown
from tests.ui.tables import play_on, play_to_your_turn, session

PEEK = """game "Peek"
players 2
each player has plan = 3
secret plan
chart main
    start
    Shuffle
    Deal(2)
    plan(player(1)) = rankValue(lowest(rankValue(c) for c in hand(player(1))))
ask:
    playCard(player(0), cards)
    score(player(0)) = score(player(0)) + 1
    playCard(player(1), cards)
    end
say ask ask: "They plan #{plan(next(me))}"
say ask main: "Play one of your #{cardsRemaining(me)} cards"
say tell score: "#{me} scores with #{hand(player(1))}"
say tell score: "#{me} scores #{score(me)} points"
"""


def table_of(source: str, *, options: dict[str, str] | None = None) -> Session:
    chart = load_text(source).flowchart
    assert chart is not None
    game = Game.make(chart, name="x", options=options)
    return Session(game, ("human", *["random"] * (game.players - 1)), "1")


@pytest.mark.parametrize(
    ("verb", "to_you"),
    [("takes", "take"), ("passes", "pass"), ("is", "are"), ("has", "have"), ("carries", "carry"), ("goes", "go")],
)
def test_the_one_who_does_it_reads_you(verb: str, to_you: str) -> None:
    assert you_form(verb) == to_you
    if verb != "was":
        assert third_person(to_you) == verb


def test_words_never_tell_what_the_seat_has_not_seen() -> None:
    table = table_of(PEEK)
    assert table.prompt == "Play one of your 2 cards"
    table.apply(table.legal[0])
    assert "You score 1 point" in table.view().log
    assert not any("scores with" in line or "score with" in line for line in table.view().log)


def test_words_go_by_the_decision_and_the_moment() -> None:
    table = session("skat", "21")
    play_to_your_turn(table)
    assert {table.said(move) for move in table.legal} == {"play at 18", "pass"}
    assert table.prompt == "Nobody has bid. Play at 18, or pass?"
    assert table.parse("play at 18") == Move("choose", "bid")
    assert table.view().positions == ("forehand", "middlehand", "rearhand")
    assert table.view().names == ("you", "player 1", "player 2")


def test_a_hand_is_sorted_by_the_words_and_again_when_trumps_change() -> None:
    table = session("skat", "21")
    play_to_your_turn(table)
    assert table.view().hand == ("JC", "KC", "QC", "8C", "TD", "9D", "7D", "9S", "AH", "TH")
    for answer in ("bid", "takeSkat", "7D", "8C", "suitGame", "hearts"):
        table.apply(table.parse(answer))
        play_to_your_turn(table)
    assert table.view().hand[:4] == ("JC", "AH", "TH", "7H")


def test_derived_order_has_trumps_first_and_alternating_colours() -> None:
    chart = load_flowchart("whist")
    table = Session(Game.make(chart, name="whist"), ("human", *["random"] * 3), "3")
    play_to_your_turn(table)
    deck, view = chart.deck, table.view()
    suits = list(dict.fromkeys(deck.suits[deck.suit_of(deck.cards_with_code(card)[0])] for card in view.hand))
    trumps = view.values["trumps", None]
    assert suits[0] == trumps or trumps not in suits
    rest = [suit for suit in suits if suit != trumps]
    assert rest == [suit for suit in ("clubs", "diamonds", "spades", "hearts") if suit in rest]


def test_rules_follow_the_options() -> None:
    chart = load_flowchart("hearts")
    text = "\n".join(rules(Game.make(chart, name="hearts", options={"target": "20"})))
    assert "more than 20 points" in text
    assert "100" not in text.partition("Options")[0]
    assert "Points: hearts 1, queen of spades 13" in text


def test_a_question_is_derived_from_names() -> None:
    source = "words bid, pass\nchart main\n    start\n    Shuffle\n    choose(player(0), call, {bid, pass})\n    end\n"
    table = table_of(source)
    assert table.prompt == "Call: bid or pass?"
    table.apply(table.legal[0])
    assert "You: bid" in table.view().log


@pytest.mark.parametrize(
    "name", ["trumps", "kings_and_jacks", "oh_hell", "hearts", "skat", "whist", "euchre", "spades"]
)
def test_the_taker_of_a_trick_is_told_and_leads_or_is_known(name: str) -> None:
    table = session(name) if name not in ("whist", "euchre", "spades") else _more(name)
    takers = []
    for _ in range(120):
        if table.mover is None:
            break
        play_on(table, 1)
        frames = table.frames()
        if len(frames) > 1 and frames[0].taker is not None:
            takers.append(frames[0].taker)
            assert table.mover in (None, frames[0].taker) or frames[1].rounds != frames[0].rounds
    assert takers
    assert any("take the trick" in line or "takes the trick" in line for line in table.view().log)


def _more(name: str, **options: str) -> Session:
    game = Game.make(load_flowchart(name), name=name, options=options)
    return Session(game, ("human", *["random"] * (game.players - 1)), "1")


def test_a_round_ends_with_a_summary_and_waits() -> None:
    table = _more("oh_hell", firstHand="2")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        for _ in range(30):
            await press(app, pilot, "enter")
            if isinstance(app.screen, RoundPage):
                break
        text = "\n".join(screen_lines(app))
        assert "round 1 is over" in text
        assert "Bid made: " in text
        moves = len(table.moves)
        await pilot.pause()
        assert len(table.moves) == moves
        await press(app, pilot, "enter")
        assert not isinstance(app.screen, RoundPage)

    on_table(table, play)
    assert len(table.view().rounds) >= 1


def test_the_result_leads_to_a_new_game_with_the_same_seats() -> None:
    table = session("trumps")
    play_on(table, 100)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        assert isinstance(app.screen, Result)
        text = "\n".join(screen_lines(app))
        assert table.verdict in text
        assert "1.  " in text
        await press(app, pilot, "enter")
        assert "n new game" in "\n".join(screen_lines(app))
        await press(app, pilot, "n")

    app = on_table(table, play)
    assert app.again
    another = table.again("2")
    assert another.seats == table.seats
    assert not another.moves


def test_hint_and_review_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    guessing.make_known(monkeypatch)
    table = session("hearts")
    table.teacher = Teacher(table.game, table.engine, advisers=("ismcts:iterations=300,utility=score",), talkers=())
    hints: list[Hint] = []
    for _ in range(6):
        play_to_your_turn(table)
        if len(table.legal) > 1:
            hints.append(table.hint()())
        table.apply(table.legal[-1])
    judged = [one for one in table.teacher.review(table.decisions()) if one is not None]
    assert [one.best for one in judged] == [hint.best.move for hint in hints]
    for hint, one in zip(hints, judged, strict=True):
        assert one.is_best == (one.made.move in (hint.best.move, *hint.as_good))


def test_enter_waits_for_a_hint_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    table = session("trumps")
    play_to_your_turn(table)
    found, may_go = table.hint(), threading.Event()
    moves = len(table.moves)

    def slow() -> Hint:
        assert may_go.wait(60)
        return found()

    monkeypatch.setattr(table, "hint", lambda: slow)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press("h")
        await pilot.press("enter")
        assert len(table.moves) == moves
        may_go.set()
        await settle(app, pilot)
        assert "Hint: " in shown(app, "#prompt")
        await press(app, pilot, "enter")
        assert len(table.moves) > moves

    on_table(table, play)


def test_a_hint_says_why_rules_of_thumb_differ() -> None:
    table = session("trumps", "3")
    play_to_your_turn(table)
    hint = table.hint()()
    assert advice(hint, table.whole).endswith(".")
    said = disagreement(hint, table.whole)
    assert bool(said) == (hint.thumb is not None and hint.thumb != hint.best.move)


def test_a_review_calls_moves_as_the_table_does() -> None:
    table = session("durak")
    named: set[str] = set()
    for _ in range(40):
        play_to_your_turn(table)
        if table.mover is None:
            break
        table.apply(table.legal[-1])
    for made in table.decisions():
        named |= {made.said(move) for move in made.legal if not move.cards}
    assert named == {"take", "leave it"}


COMPASS = """game "Compass"
players 4
teams 0 2, 1 3
deck ranks 2 3 4 5 suits clubs hearts
say player: "South" if me == player(0)
say player: "West" if me == player(1)
say player: "North" if me == player(2)
say player: "East" if me == player(3)
chart main
    start
    Shuffle
    Deal(2)
    playCard(player(0), card(any, any))
    playCard(player(1), card(any, any))
    end
"""


def test_seats_have_their_names_wherever_players_are_listed() -> None:
    chart = load_text(COMPASS).flowchart
    assert chart is not None
    game = Game.make(chart, name="compass")
    assert "Teams: South and North, West and East" in game_words(chart)
    assert "Teams: South and North, West and East" in rules(game)
    hands = [zone for zone in game.zones if zone.startswith("hand")]
    assert [zone_name(game, zone, 0) for zone in hands] == ["you", "West", "North", "East"]
    assert seat_names(game.with_people(["", "Anna", "", ""])) == ["South", "Anna", "North", "East"]
    table = Session(game, ("human", "random", "random", "random"), "1")
    play_on(table, 1)
    assert Replay(table.engine, table._chance.outcomes, table.moves, ()).made(1).startswith("South: play ")
