"""Files of recorded games become decisions to learn from; what cannot be used is counted and told."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.arena.replay import collected
from fcdl.cli import main
from fcdl.engines.native.engine import NativeEngine
from fcdl.learning.records import MOST_TOLD, Decision, Tally, decisions
from fcdl.model.record import RecordError, from_line, replay
from tests.games.table import make_game

SERVER = Path(__file__).parent.parent / "data" / "skat-iss.sgf"


def read(*paths: Path, game: str = "skat", **options: str) -> tuple[list[Decision], Tally]:
    engine = NativeEngine(make_game(game, options=options or None))
    tally = Tally()
    return list(decisions(engine, collected(paths, engine.game), tally)), tally


def test_games_of_the_skat_server_become_decisions() -> None:
    found, tally = read(SERVER)
    assert (tally.used, tally.bad, tally.broken_off) == (6, 0, 1)
    assert str(tally) == f"6 of 6 records, {len(found)} decisions, 1 games broken off"
    assert {one.record for one in found} == set(range(6))
    engine = NativeEngine(make_game("skat"))
    for one in found:
        state = engine.state(one.position)
        assert (state.mover, engine.telling_program.legal(one.position)) == (one.seat, one.legal)
        assert one.move in one.legal
        assert len(one.legal) > 1
    assert {one.scores for one in found if one.record == 1} == {(0, 0, 96)}
    assert {one.scores for one in found if one.record == 5} == {None}, "it was broken off"


@pytest.mark.parametrize("game", ["durak", "trumps", "scopa"])
def test_own_records_give_the_positions_in_which_their_moves_were_made(game: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    command = ["simulate", game, "--agents", "random/random", "--games", "3", "--seed", "1", "-o", str(file)]
    assert CliRunner().invoke(main, command).exit_code == 0
    found, tally = read(file, game=game)
    assert (tally.used, tally.bad) == (3, 0)
    engine = NativeEngine(make_game(game))
    expected = []
    for number, line in enumerate(file.read_text().splitlines()):
        record = from_line(line, engine.game.flowchart)
        for place, move in enumerate(record.moves):
            state = replay(engine, record, until=place)
            legal = engine.legal(state)  # type: ignore[arg-type]
            if len(legal) > 1:
                zones = engine.zones(state)  # type: ignore[arg-type]
                expected.append((number, zones, engine.mover(state), legal, move, record.scores))  # type: ignore[arg-type]
    ours = []
    for one in found:
        state = engine.state(one.position)
        legal = tuple(engine.move(state, choice) for choice in one.legal)
        zones = engine.zones(one.position)
        ours.append((one.record, zones, one.seat, legal, engine.move(state, one.move), one.scores))
    assert ours == expected


def test_bad_records_are_left_out_whole_and_counted(tmp_path: Path) -> None:
    lines = SERVER.read_text().splitlines()
    file = tmp_path / "mixed.sgf"
    bad = [
        lines[0].replace("0 SA 1 S7", "0 SA 1 CJ"),
        lines[0].replace("v:-54", "v:-53"),
        lines[0][:300] + "\nanything",
        lines[2].replace("0 18", "0 18 1 20"),
    ]
    file.write_text("\n".join([*bad, lines[1], "(;" + "x" * 200_000, lines[3]]))
    found, tally = read(file)
    assert (tally.used, tally.bad) == (2, 5)
    assert {one.record for one in found} == {0, 1}
    words = ["illegal move 'play JC'", "the record says [0, 0, -53]", "not a record of Skat", "", "more than 100000"]
    assert all(word in told for word, told in zip(words, tally.told, strict=True))


def test_records_of_other_charts_and_options_are_left_out(tmp_path: Path) -> None:
    assert read(SERVER, jumpBids="yes")[1].told[0] == "the record has jumpBids=no, not yes"
    file = tmp_path / "games.jsonl"
    command = ["simulate", "trumps", "--agents", "random/random", "--games", "20", "--seed", "1", "-o", str(file)]
    assert CliRunner().invoke(main, command).exit_code == 0
    found, tally = read(file, game="kings_and_jacks")
    assert not found
    assert tally.bad == 20
    assert len(tally.told) == MOST_TOLD
    assert "made with another chart" in tally.told[0]


def test_packed_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "games.sgf.gz"
    file.write_bytes(gzip.compress(SERVER.read_bytes()))
    assert read(file)[0] == read(SERVER)[0]
    file.write_bytes(file.read_bytes()[:500])
    with pytest.raises(RecordError, match=r"games\.sgf\.gz cannot be read"):
        read(file)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", "", "a.jsonl: no records"),
        ("a.jsonl", "nonsense\n", "a.jsonl, record 1: not a line of JSON"),
        ("a.jsonl", "[" * 100_000, "a.jsonl, record 1: not a line of JSON"),
        ("a.sgf", "nonsense\n", "a.sgf, record 1: not a record of Skat"),
        ("a.sgf", "\0\n", "a.sgf, record 1: not a record of Skat"),
    ],
)
def test_files_without_records_are_refused(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(RecordError, match=message):
        read(tmp_path / name)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        read(tmp_path / "none.jsonl")


def test_a_policy_learns_to_play_as_recorded(tmp_path: Path) -> None:
    """`durak.greedy` is told from random moves by what it does in games that were not learned."""
    games, policy = tmp_path / "games.jsonl", tmp_path / "durak.policy"
    agents = "durak.greedy/durak.greedy"
    command = ["simulate", "durak", "--agents", agents, "--games", "100", "--seed", "1", "-o", str(games)]
    assert CliRunner().invoke(main, command).exit_code == 0
    games.write_text(games.read_text() + "nonsense\n")
    learning = ["learn", "durak", "--records", str(games), "-o", str(policy), "--seed", "1", "--hidden", "32", "--json"]
    done = CliRunner().invoke(main, learning)
    assert done.exit_code == 0, done.output
    assert f"left out: {games}, record 101: not a line of JSON" in done.stderr
    found = json.loads(done.stdout)
    assert (found["records"], found["left_out"]) == (100, 1)
    last = found["rounds"][-1]
    assert last["hits"] > last["chance"] + 0.1
    assert last["wins"] > 0.6, "it plays better than random"
    before = policy.read_bytes()
    assert CliRunner().invoke(main, learning).exit_code == 0
    assert policy.read_bytes() == before, "the same seed learns the same"


def test_learning_from_records_that_cannot_be_used_says_why(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["learn", "durak", "--records", str(SERVER), "-o", str(tmp_path / "a.policy")])
    assert done.exit_code == 1
    assert "no record can be used" in done.output
    assert "made with another chart" in done.output
    assert not (tmp_path / "a.policy").exists()
