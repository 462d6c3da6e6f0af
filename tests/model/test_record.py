"""Records: text both ways, exact replay on every engine, and damaged ones refused with the reason."""

import json
import random

import pytest

from fcdl.engines import make_engine
from fcdl.language.load import load_flowchart
from fcdl.model import Engine, Game, Move, RandomChance, RecordingChance
from fcdl.model.record import Record, RecordError, from_line, make_record, record_game, replay, to_line


def played(name: str, seed: int, options: dict[str, str | int] | None = None) -> tuple[Engine, Record]:
    game = Game.make(load_flowchart(name), name=name, options=options)
    engine = make_engine(game)
    chance = RecordingChance(RandomChance(seed))
    rng = random.Random(seed)
    state = engine.start(chance)
    moves: list[Move] = []
    while engine.mover(state) is not None:
        moves.append(rng.choice(engine.legal(state)))
        state = engine.apply(state, moves[-1], chance)
    return engine, make_record(engine, state, chance, moves, seed=str(seed))


GAMES: list[tuple[str, dict[str, str | int]]] = [("trumps", {}), ("hearts", {"target": 0}), ("durak", {}), ("skat", {})]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_record_survives_its_text_and_replays_exactly(name: str, options: dict[str, str | int]) -> None:
    engine, record = played(name, 1, options)
    flowchart = engine.game.flowchart
    again = from_line(to_line(record, flowchart.deck), flowchart)
    assert again == record
    assert "\n" not in to_line(record, flowchart.deck)
    replay(make_engine(record_game(again, flowchart)), again)


@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks"])
def test_record_of_one_engine_replays_on_the_other(name: str) -> None:
    engine, record = played(name, 2)
    replay(make_engine(engine.game, "asp"), record)


def test_copies_of_cards_keep_their_places() -> None:
    from fcdl.language.load import load_text

    chart = load_text(
        "deck ranks 2 3 suits clubs copies 2\nchart main\nstart\nShuffle\nDeal(2)\n"
        "playCard(player(0), card(any, any))\nend\n"
    ).flowchart
    assert chart is not None
    game = Game.make(chart, name="copies")
    engine = make_engine(game)
    for seed in range(10):
        chance = RecordingChance(RandomChance(seed))
        state = engine.start(chance)
        move = engine.legal(state)[0]
        record = make_record(engine, engine.apply(state, move, chance), chance, [move])
        replay(engine, from_line(to_line(record, chart.deck), chart))


def test_damaged_records_are_refused_with_the_reason() -> None:
    engine, record = played("trumps", 3)
    flowchart = engine.game.flowchart
    good = json.loads(to_line(record, flowchart.deck))

    def reason(line: str) -> str:
        with pytest.raises(RecordError) as caught:
            replay_line(line)
        return str(caught.value)

    def replay_line(line: str) -> None:
        changed = from_line(line, flowchart)
        replay(make_engine(record_game(changed, flowchart)), changed)

    def changed(**fields: object) -> str:
        return reason(json.dumps({**good, **fields}))

    assert reason(json.dumps(good)[:100]) == "not a line of JSON (damaged or cut off?)"
    assert reason("[" * 100_000) == "not a line of JSON (damaged or cut off?)"
    assert reason("[]") == "not a record: expected a JSON object"
    assert changed(fcdl=2) == "not a record of version 1"
    assert changed(hash="0" * 64) == "the record was made with another chart, or another version of it: 'trumps'"
    assert changed(players=5, scores=[0] * 5) == "Trumps is for 2 players, not 5"
    assert changed(options={"x": "1"}).startswith("Trumps has no option 'x'")
    assert changed(moves=[*good["moves"], "play 2C"]) == "the game is over after 14 of 15 moves"
    assert changed(moves=good["moves"][:-1]) == "the game is not over after the record's 13 moves"
    assert changed(moves=["fly", *good["moves"][1:]]).startswith("'fly' is not a move")
    assert changed(moves=[good["moves"][1], *good["moves"][1:]]).startswith("move 1 of 14: illegal move")
    assert changed(chance=good["chance"][:-1]) == "the script of chance is too short for this game"
    assert changed(chance=[*good["chance"], 1]).startswith("the record has 4 outcomes of chance")
    assert changed(chance=["2C 2C", 0, 0]).startswith("'chance' names a card '2C'")
    assert changed(chance=[True, 0, 0]).startswith("'chance' holds something")
    assert changed(scores=[7, 0] if good["scores"] != [7, 0] else [0, 7]).startswith("the record says [")
    assert changed(scores=[1]) == "'scores' is not a list of 2 numbers"
    assert changed(events="0" * 16) == "moves and scores are the same, but not every event is"
    assert changed(seed=3) == "'seed' is not a text"


def test_broken_off_game_replays_as_far_as_it_went() -> None:
    engine, record = played("trumps", 4)
    line = json.loads(to_line(record, engine.game.flowchart.deck))
    line.update(moves=line["moves"][:5], reason="resigned", scores=[1, 0])
    cut = from_line(json.dumps(line), engine.game.flowchart)
    assert cut.broken_off
    assert engine.mover(replay(engine, cut)) is not None
