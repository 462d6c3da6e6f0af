"""Simulations: fair seats, results that depend on the seed only, and clear errors before anything is played."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.agents import AgentError, parse_agent
from fcdl.arena.simulate import Setup, Simulation, run_games, wilson
from fcdl.cli import main
from fcdl.model.record import to_line


def lines(jobs: int) -> list[str]:
    setup = Setup("trumps", None, (), "native", ("random", "random"), "7")
    deck = setup.make_game().flowchart.deck
    return [to_line(played.record, deck) for _, played in run_games(setup, 12, jobs)]


def test_results_do_not_depend_on_the_number_of_jobs() -> None:
    assert lines(1) == lines(2)


def test_each_agent_plays_each_seat_equally_often() -> None:
    setup = Setup("hearts", None, (("target", "0"),), "native", ("random",) * 4, "1")
    seatings = [setup.seating(index) for index in range(8)]
    for seat in range(4):
        assert sorted(seating[seat] for seating in seatings) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_wins_ties_and_losses_add_up() -> None:
    setup = Setup("kings_and_jacks", None, (), "native", ("random", "random"), "1")
    simulation = Simulation(setup, setup.make_game())
    for index, played in run_games(setup, 60):
        simulation.add(index, played)
    first, second = simulation.summary()["agents"]
    assert first["wins"] == second["losses"]
    assert first["ties"] == second["ties"] > 0
    assert first["wins"] + first["ties"] + first["losses"] == 60
    assert first["win_rate"] + second["win_rate"] == pytest.approx(1)


def test_wilson_interval_is_that_of_the_textbooks() -> None:
    low, high = wilson(7, 10)
    assert (round(low, 4), round(high, 4)) == (0.3968, 0.8922)
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trumps", "--agents", "randm/random"], "unknown agent 'randm' (did you mean 'random'?)"),
        (["trumps", "--agents", "random:x=1/random"], "agent 'random' has no parameter 'x' (parameters: none)"),
        (["trumps", "--agents", "random/random/random"], "Trumps is for 2 players, not 3"),
        (["hearts", "--players", "4", "--agents", "random/random"], "4 players need 4 agents"),
        (["hearts", "--agents", "random/random/random/random", "--set", "target=x"], "option target is a number"),
        (["hearts", "--agents", "random/random/random/random", "--set", "tarket=1"], "did you mean 'target'?"),
        (["trumps", "--agents", "random/random", "--games", "0"], "0 is not in the range"),
    ],
)
def test_bad_requests_end_with_a_clear_usage_error(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["simulate", *arguments])
    assert result.exit_code == 2
    assert message in result.output


def test_agent_names_have_parameters_and_defaults() -> None:
    assert parse_agent("random") == ("random", {})
    with pytest.raises(AgentError, match="agents: random"):
        parse_agent("zzz")


def test_records_are_written_and_replayed(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run = CliRunner().invoke(
        main, ["simulate", "durak", "--agents", "random/random", "--games", "3", "--seed", "5", "-o", str(file)]
    )
    assert run.exit_code == 0, run.output
    replayed = CliRunner().invoke(main, ["replay", str(file)])
    assert (replayed.exit_code, replayed.output) == (0, "3 of 3 records replayed exactly\n")
    text = file.read_text()
    file.write_text(text.replace('"reason":"end"', '"reason":"fault"', 1))
    broken = CliRunner().invoke(main, ["replay", str(file)])
    assert broken.exit_code == 1
    assert "2 of 3 records replayed exactly" in broken.output


def test_worlds_of_a_recorded_game_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    CliRunner().invoke(
        main, ["simulate", "trumps", "--agents", "random/random", "--games", "1", "--seed", "5", "-o", str(file)]
    )
    arguments = ["worlds", "trumps", "--record", str(file), "--at", "14", "--seat", "0"]
    counted = CliRunner().invoke(main, [*arguments, "--count"])
    assert (counted.exit_code, counted.output) == (0, "1\n")
    listed = CliRunner().invoke(main, [*arguments[:5], "12", *arguments[6:], "-n", "3", "--json"])
    assert listed.exit_code == 0, listed.output
    assert listed.output.count('"zones"') == 3
    beyond = CliRunner().invoke(main, [*arguments[:5], "99", *arguments[6:]])
    assert beyond.exit_code == 1
    assert "the record has 14 moves, not 99" in beyond.output
