"""What the person sees: everything the seat may know, nothing else."""

import random
import re
from collections import Counter
from io import StringIO

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rich.console import Console

from fcdl.engines import make_engine
from fcdl.language.diagnostics import render_finding
from fcdl.language.load import load_text
from fcdl.model import ChanceError, Game, IllegalMoveError, RandomChance, ScriptedChance
from fcdl.ui import picture
from fcdl.ui.menu import Menu
from fcdl.ui.plain import PlainTable
from fcdl.ui.plain_lessons import zone_name
from fcdl.ui.session import Session, default_seats
from fcdl.ui.view import shown_as
from fcdl.ui.words import seat_values
from tests.engines.charts import charts
from tests.ui.tables import LONGER, SHORT, make_view, play_on, play_to_your_turn, session


def everything_shown(table: Session) -> str:
    """All that plain play and the table ever print about a position."""
    lines: list[str] = []
    PlainTable(table, StringIO("log\ntable\n").readline, lines.append).run()
    view, out = table.view(), StringIO()
    console = Console(file=out, width=200)
    console.print(picture.seats(table.game, view, table.mover, table.seats, 200))
    console.print(picture.trick(table.game, view, 200, boxes=True))
    console.print(picture.facts(table.game, view, 200))
    return "\n".join([*lines, out.getvalue(), str([item.text for item in Menu.of(table, view).items])])


def assert_true_view(table: Session) -> None:
    """Numbers of cards are right, known cards are where they are said to be, and seen zones are wholly known."""
    view = table.view()
    truth = make_view(table.game, table.engine.events(table._moment.state), table.seat)
    for zone, place in table.game.places.values():
        shown = shown_as(table.game, zone, place)
        pile, real = view.piles[shown], truth.piles[shown]
        assert len(pile.cards) == len(real.cards), shown
        if None not in real.cards:
            assert not Counter(pile.known) - Counter(real.known), shown
            if table.seat in table.game.seers(zone, place):
                assert Counter(pile.cards) == Counter(real.cards), shown


@pytest.mark.parametrize("name", SHORT)
def test_view_is_true_at_every_moment(name: str) -> None:
    table = session(name)
    while table.mover is not None:
        assert_true_view(table)
        play_on(table, 1)
    assert_true_view(table)
    assert table.outcome is not None
    assert table.view().scores == tuple(map(str, table.outcome.scores))


@given(charts(), st.integers(0, 9))
@settings(max_examples=15)
def test_view_of_any_chart_is_true(text: str, seed: int) -> None:
    flowchart = load_text(text).flowchart
    assume(flowchart is not None)
    assert flowchart is not None
    game = Game.make(flowchart, name="made_up")
    table = Session(game, default_seats(game.players, "random"), str(seed))
    for _ in range(20):
        assert_true_view(table)
        play_on(table, 1)


def other_worlds(table: Session, source: random.Random) -> list[Session]:
    """The same game with two unseen cards swapped in the first shuffle, where the person cannot tell."""
    outcomes = table._chance.outcomes
    at, order = next((at, answer) for at, answer in enumerate(outcomes) if isinstance(answer, list))
    seen = {card for event in table.observation.events for card in event.cards or ()}
    hidden = [card for card in order if table.game.flowchart.deck.code(card) not in seen]
    found = []
    for _ in range(10):
        a, b = source.sample(hidden, 2)
        swapped = [{a: b, b: a}.get(card, card) for card in order]
        chance = ScriptedChance([*outcomes[:at], swapped, *outcomes[at + 1 :]])
        try:
            other = Session(table.game, table.seats, table.seed, engine=table.engine, chance=chance)
            for move in table.moves:
                other.apply(move)
        except (IllegalMoveError, ChanceError):
            continue
        if other.observation == table.observation:
            found.append(other)
    return found[:3]


@pytest.mark.parametrize("name", LONGER)
def test_worlds_that_look_the_same_are_shown_the_same(name: str) -> None:
    number = 0
    source = random.Random(name)
    for moves in (0, 3, 8):
        table = session(name)
        play_on(table, moves)
        play_to_your_turn(table)
        shown = everything_shown(table)
        for other in other_worlds(table, source):
            number += 1
            assert other.view() == table.view()
            assert other.legal == table.legal
            assert everything_shown(other) == shown
    assert number > 0


@pytest.mark.parametrize("name", SHORT)
def test_no_card_is_shown_that_was_not_seen(name: str) -> None:
    table = session(name)
    play_on(table, 5)
    play_to_your_turn(table)
    deck = table.game.flowchart.deck
    published = " ".join(event.value or "" for event in table.observation.events)
    seen = {card for event in table.observation.events for card in event.cards or ()} | set(published.split())
    shown = {
        word for word in re.findall(r"\w+", everything_shown(table)) if len(word) > 1 and deck.cards_with_code(word)
    }
    assert shown <= seen


def test_finished_trick_is_shown_before_it_is_taken_off() -> None:
    table = session("trumps")
    play_to_your_turn(table)
    while len(table.frames()) == 1:
        play_on(table, 1)
    before, now = table.frames()
    assert len(before.played) == 2
    assert now.played == ()
    assert now.last_trick == before.played


def test_secret_choice_of_another_is_not_shown() -> None:
    checked = load_text("game \"x\"\nplayers 2\neach player has plan = 0\nsecret plan\nchart main\n    start\n"
                        "    Shuffle\n    Deal(1)\n    choose(player(1), plan(player(1)), {3, 4})\n"
                        "    playCard(player(0), cards)\n    end\n")  # fmt: skip
    assert checked.flowchart is not None
    table = Session(Game.make(checked.flowchart, name="x"), ("human", "random"), "1")
    assert table.view().values["plan", 1] == "0"
    play_to_your_turn(table)
    assert ("plan", 1) not in table.view().values
    assert table.view().log[-1] == "Player 1 chooses plan"


def test_what_is_decided_together_is_told_when_it_is_shown() -> None:
    checked = load_text("game \"x\"\nplayers 2\neach player has bid = 0\nchart main\n    start\n    Shuffle\n"
                        "    Deal(1)\n    together choose(p, bid(p), {3}) for p in players from player(1)\n"
                        "    together pick(p, 1, cards, hand(p), middle(p)) for p in players from player(1)\n"
                        "    playCardOrPass(player(0), cards)\n    end\n")  # fmt: skip
    assert checked.flowchart is not None
    table = Session(Game.make(checked.flowchart, name="x"), ("human", "random"), "1")
    play_to_your_turn(table)
    assert table.prompt == "Bid: 3?"
    assert table.view().log[-1] == "Player 1 chooses bid"
    table.apply(table.legal[0])
    assert table.view().log[-2:] == ("Player 1: bid 3", "You: bid 3")
    play_to_your_turn(table)
    assert table.prompt == "Pick a card to lay aside"
    card = table.legal[0].what
    table.apply(table.legal[0])
    assert table.view().log[-1] == f"You show {card}"
    assert table.view().log[-2].startswith("Player 1 shows ")
    assert [seat for seat, _ in table.view().played] == [1, 0]


def test_chart_cannot_steer_the_terminal() -> None:
    lines = [
        'game "T\x1b[2J"',
        'about "A\x1b[3J"',
        "players 2",
        "chart main",
        "    start",
        "    Shuffle",
        "    Deal(1)",
    ]
    lines += ['    publish("P\x1b]0;x\x07")', "    playCard(player(0), cards)", "    end", ""]
    checked = load_text("\n".join(lines))
    assert checked.flowchart is None
    assert {finding.code for finding in checked.findings} == {"control-character"}
    said = [render_finding(finding, "x", checked.source) for finding in checked.findings]
    assert all(line.isprintable() for text in said for line in text.splitlines())


def test_bids_of_before_the_deal_are_in_brackets() -> None:
    table = session("oh_hell")  # a game of several deals
    assert [dict(seat_values(table.game, table.view(), seat))["bid"] for seat in range(4)] == ["(0)"] * 4
    first = table.mover
    assert first is not None
    play_on(table, 1)
    bids = [dict(seat_values(table.game, table.view(), seat))["bid"] for seat in range(4)]
    assert [seat for seat, bid in enumerate(bids) if "(" not in bid] == [first]
    play_on(table, 3)
    deals = table.view().log.count("A new deal.")
    while table.view().log.count("A new deal.") == deals:
        play_on(table, 1)
    assert all("(" in dict(seat_values(table.game, table.view(), seat))["bid"] for seat in range(4))


def test_zones_with_keys_are_shown_place_by_place() -> None:
    chart = load_text(
        "players 4\nteams 0 2, 1 3\n"
        "zone slot(player, 1 to 2): face up\nzone row(suit): face up\nzone won(team): face up\n"
        "chart main\nstart\nShuffle\nmove(1, pack, slot(player(1), 2))\nmove(2, pack, row(hearts))\n"
        "move(3, pack, won(player(3)))\nDeal(1)\nplayCard(player(0), cards)\nend\n"
    ).flowchart
    assert chart is not None
    game = Game.make(chart, name="keys")
    engine = make_engine(game)
    view = make_view(game, engine.observe(engine.start(RandomChance(1)), 0).events, 0)
    piles = {slot: len(pile.cards) for slot, pile in view.piles.items() if pile.cards and slot[0] != "pack"}
    assert piles == {
        ("hand", 0): 1,
        ("hand", 1): 1,
        ("hand", 2): 1,
        ("hand", 3): 1,
        ("slot 2", 1): 1,
        ("row hearts", None): 2,
        ("won of players 1 and 3", None): 3,
    }
    assert zone_name(game, "slot(1, 2)", 1) == "your slot 2"
    assert zone_name(game, "row(hearts)", 1) == "row hearts"
