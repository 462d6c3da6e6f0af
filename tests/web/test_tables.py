"""Tables over real WebSockets: whole games, seats by link, who leaves and comes back, a crash in the middle."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from fcdl.data import data_text
from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model.chance import ScriptedChance
from fcdl.model.game import Game
from fcdl.ui.session import HUMAN, Session
from fcdl.web.croupier import Croupier
from fcdl.web.store import Store
from tests.web.serving import Page, Person, Server, serving


def play_together(*pages: Page) -> None:
    """Plays the legal moves of all pages to the end of the game."""
    while True:
        for page in pages:
            page.until(lambda message: message["do"] in ("sight", "hello")) if page.sight is None else None
        first = max((page.sight for page in pages if page.sight), key=lambda sight: sight["number"])
        for page in pages:
            while page.sight is None or page.sight["number"] < first["number"]:
                page.next()
        if first["over"]:
            return
        next(page for page in pages if page.my_turn).move()


def test_game_against_computers_is_played_to_its_end(anna: Person) -> None:
    page = anna.enter(anna.table("trumps", "random"))
    page.play_to_the_end()
    assert page.sight is not None
    assert page.sight["over"]["reason"] == "end"
    assert sum(page.sight["over"]["scores"]) == 7
    assert page.ask("record")["answer"].startswith('{"fcdl"')
    over = anna.ask("GET", "/api/lobby")["mine"][0]["over"]
    assert over == page.sight["over"]
    page.close()


def test_illegal_move_is_refused_with_the_reason(anna: Person) -> None:
    page = anna.enter(anna.table("hearts", "random", "random", "random"))
    page.wait_for_turn()
    assert page.sight is not None
    held = set(page.sight["frames"][-1]["hand"])
    other = next(code for code in ("2C", "3C", "4C", "5C", "AS", "KS", "QS") if code not in held)
    page.send(do="move", move=f"pick {other}", number=page.sight["number"])
    answer = page.until(lambda message: message["do"] == "illegal")
    assert f"do not have {other}" in answer["text"]
    assert "why" in page.ask("why", move=f"pick {other}")["id"]
    page.close()


def test_nobody_moves_for_another_seat_or_out_of_turn(anna: Person, ben: Person) -> None:
    table = anna.table("trumps", "person")
    one, other = anna.enter(table), ben.enter(table)
    other.send(do="sit", seat=1)
    one.until(lambda message: message["do"] == "sight")
    other.until(lambda message: message["do"] == "hello")
    waiting = other if one.my_turn else one
    assert waiting.sight is not None
    waiting.send(do="move", move=f"play {waiting.sight['frames'][-1]['hand'][0]}", number=waiting.sight["number"])
    assert "not your turn" in waiting.until(lambda message: message["do"] in ("error", "illegal"))["text"]
    watcher = Person(anna.server, "Carl").enter(table)
    watcher.send(do="move", move="play 2C", number=0)
    assert "no seat" in watcher.until(lambda message: message["do"] == "error")["text"]
    for page in (one, other, watcher):
        page.close()


def test_link_of_a_seat_gives_it_once(anna: Person, ben: Person) -> None:
    table = anna.table("trumps", "person", is_open=False)
    host = anna.enter(table)
    link = host.table["seats"][1]["link"]
    stranger = Person(anna.server, "Carl").enter(table)
    assert all(seat["link"] is None for seat in stranger.table["seats"])
    stranger.send(do="sit", seat=1)
    assert "link" in stranger.until(lambda message: message["do"] == "error")["text"]
    friend = ben.enter(table, link)
    assert friend.table["you"] == 1
    own = friend.hello["token"]
    assert own != link
    late = Person(anna.server, "Dora").enter(table, link)
    assert late.table["you"] is None
    other_device = Person(anna.server, "Ben's phone").enter(table, own)
    assert other_device.table["you"] == 1
    host.until(lambda message: message["do"] == "table" and message["table"]["seats"][1]["taken"])
    assert all(seat["link"] is None for seat in host.table["seats"])
    for page in (host, stranger, friend, late, other_device):
        page.close()


def test_who_leaves_is_replaced_and_may_come_back(anna: Person) -> None:
    page = anna.enter(anna.table("kings_and_jacks", "random"))
    page.wait_for_turn()
    page.send(do="leave")
    page.until(lambda message: message["do"] == "table" and message["table"]["seats"][0]["computer"] != "")
    page.send(do="back")
    page.until(lambda message: message["do"] == "table" and message["table"]["seats"][0]["computer"] == "")
    page.play_to_the_end()
    page.close()


def test_undo_takes_back_ones_own_move_against_computers_only(anna: Person, ben: Person) -> None:
    page = anna.enter(anna.table("trumps", "random"))
    page.wait_for_turn()
    before = page.sight
    assert before is not None
    page.move()
    page.send(do="undo")
    page.until(lambda message: message["do"] == "sight" and message["sight"]["number"] == before["number"])
    assert page.sight is not None
    assert page.sight["frames"][-1]["hand"] == before["frames"][-1]["hand"]
    page.close()
    table = anna.table("trumps", "person")
    one, other = anna.enter(table), ben.enter(table)
    other.send(do="sit", seat=1)
    one.send(do="undo")
    assert "other people" in one.until(lambda message: message["do"] == "error")["text"]
    one.close()
    other.close()


def test_chat_reaches_all_and_rematch_keeps_the_players(anna: Person, ben: Person) -> None:
    table = anna.table("kuhn_poker", "person")
    one, other = anna.enter(table), ben.enter(table)
    other.send(do="sit", seat=1)
    other.send(do="chat", text="  <b>good</b> luck  ")
    said = one.until(lambda message: message["do"] == "chat")["chat"]
    assert (said["name"], said["text"]) == ("Ben", "<b>good</b> luck")
    play_together(one, other)
    one.send(do="rematch")
    again = one.until(lambda message: message["do"] == "table" and message["table"]["rematch"])["table"]["rematch"]
    assert ben.enter(again).table["you"] == 0
    one.close()
    other.close()


def test_crash_of_the_server_loses_no_move(tmp_path: Path) -> None:
    with serving(tmp_path / "web.sqlite") as server:
        anna = Person(server)
        table = anna.table("oh_hell", "random", "random", "random")
        page = anna.enter(table)
        for _ in range(3):
            page.move()
        page.wait_for_turn()
        before = page.sight
        server.kill()
        server.start()
        page = anna.enter(table)
        page.wait_for_turn()
        assert before is not None
        assert page.sight is not None
        for same in ("number", "mover", "legal", "rounds", "prompt"):
            assert page.sight[same] == before[same]
        assert page.sight["frames"][-1] == before["frames"][-1]
        assert page.sight["log"]["total"] == before["log"]["total"]
        page.move()
        page.close()


# --- what a page is sent ---------------------------------------------------------------------------------------------


def _worlds(name: str, moves: int, seed: str) -> tuple[Session, Session] | None:
    """A game, and the same with two cards swapped that seat 0 has not seen, so that it cannot tell them apart."""
    flowchart = load_flowchart(name)
    game = Game.make(flowchart, name=name, players=max(2, flowchart.players[0]))
    people = (HUMAN,) * game.players
    source = random.Random(seed)
    table = Session(game, people, seed)
    for _ in range(moves):
        if table.outcome is None:
            legal = table.engine.legal(table._moment.state)
            table.apply(source.choice(legal))
    table.take_seat(0)
    outcomes = table._chance.outcomes
    at, order = next((at, answer) for at, answer in enumerate(outcomes) if isinstance(answer, list))
    seen = {card for event in table.observation.events for card in event.cards or ()}
    hidden = [card for card in order if game.flowchart.deck.code(card) not in seen]
    for _ in range(40):
        a, b = source.sample(hidden, 2)
        swapped = [{a: b, b: a}.get(card, card) for card in order]
        chance = ScriptedChance([*outcomes[:at], swapped, *outcomes[at + 1 :]])
        try:
            other = Session(game, people, seed, engine=table.engine, chance=chance)
            for move in table.moves:
                other.apply(move)
        except ValueError:
            continue
        other.take_seat(0)
        if other.observation == table.observation and other.steps() != table.steps():
            return table, other
    return None


@pytest.mark.parametrize("name", ["hearts", "durak", "skat"])
def test_page_is_sent_the_same_in_worlds_that_its_seat_cannot_tell_apart(server: Server, name: str) -> None:
    worlds = next(found for seed in "abcdefgh" if (found := _worlds(name, 9, seed)) is not None)
    store = Store(server.data)
    anna = Person(server)
    sent = []
    for world in worlds:
        table = anna.table(name, *["person"] * (world.game.players - 1))
        for row in store.seats(table):
            other = replace(row, visitor=row.visitor or f"other {row.seat}", name=f"P{row.seat}", token=f"T{row.seat}")
            store.save_seat(table, other)
        steps = [
            {"move": None if step.move is None else str(step.move), "chance": list(step.chance)}
            for step in world.steps()
        ]
        store.begin(table, steps[0])
        for step in steps[1:]:
            store.append(table, step)
        page = anna.enter(table)
        if page.my_turn and name == "hearts":
            page.ask("hint")
        page.ask("why", move="play 2C")
        page.ask("replay", number=1)
        watcher = Person(server, "Carl").enter(table)
        everything = "\n".join([*page.received, *watcher.received]).replace(table, "TABLE")
        sent.append(_without_values_by_the_clock(everything))
        page.close()
        watcher.close()
    store.close()
    assert sent[0] == sent[1]


def _without_values_by_the_clock(text: str) -> list[object]:
    """What was sent, but for what searching by the clock found: values, not which moves there are."""
    found: list[object] = []
    for line in text.split("\n"):
        message = json.loads(line)
        if message["do"] == "answer" and message["id"] == "hint":
            message["answer"] = sorted(value["move"] for value in message["answer"]["values"])
        found.append(message)
    return found


def test_page_is_sent_no_card_that_its_seat_has_not_seen(anna: Person) -> None:
    page = anna.enter(anna.table("hearts", "random", "random", "random"))
    for _ in range(6):
        page.move()
    page.wait_for_turn()
    sight = page.sight
    assert sight is not None
    game = Game.make(load_flowchart("hearts"), name="hearts")
    text = " ".join(page.received)
    deck = game.flowchart.deck
    sent = {code for card in game.cards if f'"{(code := deck.code(card))}"' in text}
    # Everybody still holds as many cards as we do; of those we know at most the three that we passed on.
    unseen = 3 * len(sight["frames"][-1]["hand"]) - 3 - len(sight["frames"][-1]["played"])
    assert len(game.cards) - len(sent) >= unseen > 10
    assert "seed" not in text
    page.close()


def test_chart_of_somebody_else_is_played_in_its_own_process(anna: Person, ben: Person) -> None:
    draft = anna.ask("POST", "/api/drafts", {"text": data_text("games", "trumps.fcdl"), "title": "Mine"})["id"]
    with pytest.raises(Exception, match="404"):
        ben.ask("GET", f"/api/drafts/{draft}")
    name = anna.ask("POST", f"/api/drafts/{draft}/publish", {"published": True})["game"]
    page = ben.enter(ben.table(name, "random"))
    page.play_to_the_end()
    page.close()


@pytest.mark.parametrize("name", builtin_names())
def test_every_built_in_game_can_be_seen_from_every_seat(name: str) -> None:
    flowchart = load_flowchart(name)
    croupier = Croupier()
    players = max(2, flowchart.players[0])
    croupier.open("t", data_text("games", f"{name}.fcdl"), name, players, {}, "1", [])
    seats = [None, *range(players)]
    for number in range(12):
        look = croupier.look("t", seats)
        if look["over"]:
            break
        kind, what = look["sights"][str(look["mover"])]["legal"][0]
        croupier.move("t", look["mover"], f"{kind} {what}".strip(), number, [])


def test_places_with_keys_lie_before_their_player() -> None:
    croupier = Croupier()
    croupier.open("t", data_text("games", "golf.fcdl"), "golf", 2, {}, "1", [])
    piles = croupier.look("t", [0])["sights"]["0"]["frames"][-1]["piles"]
    own = [(pile["zone"], pile["key"], pile["count"]) for pile in piles if pile["owner"] == 0]
    assert own == [*(("down", key, 1) for key in "3456"), ("up", "1", 1), ("up", "2", 1)]


def test_page_is_greeted_before_it_hears_anything_else(anna: Person) -> None:
    for _ in range(5):  # the computers play at once
        page = anna.enter(anna.table("president", "random", "random", "random"))
        assert json.loads(page.received[0])["do"] == "hello"
        page.close()
