"""Simulations: fair seats, results that depend on the seed only, and clear errors before anything is played."""

import csv
import io
import json
import math
import multiprocessing
import os
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.agents import AgentError, parse_agent
from fcdl.arena.measures import Spread, signed_rank, wilson
from fcdl.arena.play import Played, native_position, play
from fcdl.arena.run import Runner
from fcdl.arena.simulate import TIES, Counting, Setup, Simulation, Tally, seatings, simulate
from fcdl.arena.tournament import pair_seatings
from fcdl.cli import main
from fcdl.engines import make_engine
from fcdl.model.chance import RandomChance, ScriptedChance
from fcdl.model.moves import PASS
from fcdl.model.record import from_line, to_line
from tests.arena.players import AlwaysPeeping, First, Peeping, players
from tests.games.table import make_game

__all__ = ["players"]

HEARTS = (("target", "0"),)
TIMES = ("elapsed_s", "ms_per_move", "started", "ended")


def setup(game: str, agents: str, *, rotate: str = "turn", mirror: bool = False, **more: object) -> Setup:
    names = tuple(agents.split("/"))
    options = dict(HEARTS) if game == "hearts" else {}
    table = make_game(game, len(names), options)
    return Setup(table, "native", names, "7", seatings(names, rotate, mirror=mirror), mirror, **more)  # type: ignore[arg-type]


def run(arguments: list[str]) -> str:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def run_json(*arguments: str) -> dict[str, object]:
    output: dict[str, object] = json.loads(run([*arguments, "--json", "--seed", "3"]))
    return output


def without_times(value: object) -> object:
    """A result without what depends on the clock."""
    match value:
        case dict():
            return {key: without_times(item) for key, item in value.items() if key not in TIMES}
        case list():
            return [without_times(item) for item in value]
    return value


def lines(jobs: int) -> list[str]:
    chosen = setup("trumps", "random/random", records=True)
    with Runner(chosen, jobs) as runner:
        records = [played.record for _, played in runner.play(range(12))]
    return [to_line(record, chosen.game.flowchart.deck) for record in records if record is not None]


# --- the same for any number of jobs


def test_results_do_not_depend_on_the_number_of_jobs() -> None:
    assert lines(1) == lines(2)
    assert len(lines(1)) == 12


def test_players_that_remember_play_the_same_in_any_process(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one", "two")]
    for jobs, file in zip("12", files, strict=True):
        agents = ["--agents", "ismcts:iterations=50/montecarlo:playouts=3", "--games", "6", "-j", jobs]
        run(["simulate", "durak", *agents, "--seed", "3", "-o", str(file)])
    assert files[0].read_text() == files[1].read_text()


@pytest.mark.parametrize("command", ["simulate", "tournament"])
def test_added_games_do_not_depend_on_the_number_of_jobs(command: str) -> None:
    arguments = [command, "trumps", "--agents", "random/random:", "--games", "7", "--max-games", "40", "--mirror"]
    one, two = (without_times(run_json(*arguments, "-j", jobs)) for jobs in ("1", "2"))
    assert one == two


# --- seats and deals


def test_each_agent_plays_each_seat_equally_often() -> None:
    chosen = setup("hearts", "random/random/random/random")
    orders = [chosen.seating(index) for index in range(8)]
    for seat in range(4):
        assert sorted(order[seat] for order in orders) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_all_orders_of_two_pairs_are_six() -> None:
    orders = seatings(("a", "a", "b", "b"), "all")
    assert len({tuple("aabb"[agent] for agent in order) for order in orders}) == len(orders) == 6


def test_mirrored_pairs_are_not_seated_twice_in_the_same_way() -> None:
    assert len(seatings(("a", "b", "a", "b"), mirror=True)) == 2
    assert len(seatings(("a", "b", "a", "b"))) == 4
    assert seatings(("a", "b"), "none", mirror=True) == ((0, 1),)


@pytest.mark.parametrize(("number", "orders"), [(2, 2), (3, 6), (4, 2), (5, 10), (7, 14)])
def test_two_agents_at_a_larger_table_have_every_seat_equally_often(number: int, orders: int) -> None:
    found = pair_seatings(make_game("durak", number) if number < 7 else make_game("oh_hell", number))
    assert len(found) == orders
    for seat in range(number):
        assert Counter(order[seat] for order in found) == {0: orders // 2, 1: orders // 2}


def test_mirrored_games_have_the_same_deal_in_every_seating() -> None:
    chosen = setup("hearts", "random/random:/random/random:", mirror=True, records=True)
    with Runner(chosen) as runner:
        records = [played.record for _, played in runner.play(range(4))]
    deals = [record.chance for record in records if record is not None]
    assert deals[0] == deals[1] != deals[2] == deals[3]
    assert [record.agents for record in records if record is not None][:2] == [
        ("random", "random:", "random", "random:"),
        ("random:", "random", "random:", "random"),
    ]
    assert records[0] != records[1]


# --- counting


def test_wins_ties_and_losses_add_up() -> None:
    chosen = setup("kings_and_jacks", "random/random")
    with Runner(chosen) as runner:
        simulation = Simulation(chosen, runner.sees_all)
        assert len(list(simulate(runner, simulation, 60))) == 60
    first, second = simulation.summary()["agents"]
    assert first["wins"] == second["losses"]
    assert first["ties"] == second["ties"] > 0
    assert first["wins"] + first["ties"] + first["losses"] == 60
    assert first["win_rate"] + second["win_rate"] == pytest.approx(1)


def test_equal_agents_are_counted_together() -> None:
    result = run_json("simulate", "oh_hell", "--agents", "random/random:/random/random:", "--games", "30")
    agents, sides = result["agents"], result["sides"]
    assert isinstance(agents, list)
    assert isinstance(sides, list)
    for side, members in zip(sides, (agents[::2], agents[1::2]), strict=True):
        assert side["mean_score"] == pytest.approx(sum(member["mean_score"] for member in members) / 2)
        assert side["win_rate"] == pytest.approx(sum(member["win_rate"] for member in members))
        assert side["wins"] + side["ties"] + side["losses"] == 30


def test_figures_are_those_of_the_records(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ["durak", "--agents", "random/random", "--games", "20", "--watch", "bouts", "-o", str(file)]
    result = run_json("simulate", *arguments)
    records = [json.loads(line) for line in file.read_text().splitlines()]
    lengths = [len(record["moves"]) for record in records]
    assert result["moves_mean"] == sum(lengths) / 20
    assert (result["moves_min"], result["moves_max"]) == (min(lengths), max(lengths))
    engine = make_engine(make_game("durak"))
    bouts, choices, plays, forced = [], [], [], 0
    for line in file.read_text().splitlines():
        record = from_line(line, engine.game.flowchart)
        chance = ScriptedChance(record.chance)
        state = engine.start(chance)
        for move in record.moves:
            choices.append(len(engine.legal(state)))
            plays.append(max(1, sum(move.kind != "pass" for move in engine.legal(state))))
            forced += engine.legal(state) == (PASS,)
            state = engine.apply(state, move, chance)
        bouts.append(sum("attacks" in str(event.value) for event in engine.events(state) if event.kind == "publish"))
    assert result["branching_mean"] == pytest.approx(sum(choices) / len(choices))
    assert result["branching_geometric"] == pytest.approx(math.prod(x ** (1 / len(choices)) for x in choices))
    assert result["branching_without_pass"] == pytest.approx(math.prod(x ** (1 / len(plays)) for x in plays))
    assert result["forced_passes_mean"] == pytest.approx(forced / 20)
    watched = result["watched"]
    assert isinstance(watched, dict)
    assert watched["bouts"]["mean"] == pytest.approx(sum(bouts) / 20)


def test_wilson_interval_is_that_of_the_textbooks() -> None:
    low, high = wilson(7, 10)
    assert (round(low, 4), round(high, 4)) == (0.3968, 0.8922)
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("won", "interval"), [(913, (89.8, 93.8)), (79, (6.2, 10.2))])
def test_wilson_interval_is_that_of_the_durak_thesis(won: int, interval: tuple[float, float]) -> None:
    """Zarlykov, figure 3.5: 913 won, 79 lost, 8 draws, which he leaves out, at 98 %."""
    tally = Tally("greedy", sees_all=False, wins=won, ties=8, losses=992 - won)
    low, high = tally.summary(Counting(0.98, "drop"))["wilson"]
    assert (round(100 * low, 1), round(100 * high, 1)) == interval


def test_ties_are_shared_dropped_or_won() -> None:
    tally = Tally("x", sees_all=False, wins=5, ties=2, losses=3, shares=6.0)
    rates = [tally.summary(Counting(ties=ties))["win_rate"] for ties in TIES]
    assert rates == [6 / 10, 5 / 8, 7 / 10]


def test_spread_is_that_of_the_numbers() -> None:
    spread = Spread()
    for value in (4, -1, 7, 7):
        spread.add(value)
    assert (spread.mean, spread.low, spread.high) == (4.25, -1, 7)
    assert spread.deviation == pytest.approx(math.sqrt(sum((x - 4.25) ** 2 for x in (4, -1, 7, 7)) / 3))


def test_signed_rank_is_exact_for_few_pairs() -> None:
    """Of the 32 ways to sign 1 to 5, two have a rank sum as far out as all positive."""
    assert signed_rank([1, 2, 3, 4, 5]).p == pytest.approx(2 / 32)
    assert signed_rank([0, 0]).p == 1


def test_paired_scores_are_those_of_the_deals(tmp_path: Path, players: None) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ["trumps", "--agents", "random/first", "--games", "21", "--mirror", "-o", str(file)]
    result = run_json("simulate", *arguments)
    records = [json.loads(line) for line in file.read_text().splitlines()]
    gains = []
    for record in records[:20]:
        first, second = record["scores"]
        gains.append(first - second if record["agents"][0] == "random" else second - first)
    paired = result["paired_scores"]
    assert isinstance(paired, dict)
    assert paired["pairs"] == 10  # the last game's deal was not mirrored
    assert paired["mean_difference"] == pytest.approx(sum(gains) / 20)


def test_games_are_added_until_it_is_decided(players: None) -> None:
    agents = ["durak", "--agents", "first/random", "--games", "4", "--confidence", "0.98"]
    result = run_json("simulate", *agents, "--max-games", "500")
    assert result["decided"] is True
    games = result["games"]
    assert isinstance(games, int)
    assert games % 4 == 0
    assert 4 < games < 500
    before = run_json("simulate", *agents[:4], str(games - 4), *agents[5:])
    assert before["decided"] is False


# --- open cards


def test_only_agents_that_may_are_shown_the_position() -> None:
    game = make_game("trumps")
    engine = make_engine(game)
    for open_cards, shown in ((False, [0, 7]), (True, [7, 7])):
        agents = [Peeping(game), AlwaysPeeping(game)]
        play(engine, agents, "1", "1", open_cards=open_cards)
        assert [len(agent.shown) for agent in agents] == shown
    first = engine.start(RandomChance("1"))
    assert native_position(first) in agents[0].shown + agents[1].shown


def test_results_say_who_saw_all_cards(players: None) -> None:
    agents = ["trumps", "--agents", "peeping/always_peeping", "--games", "2"]
    for more, expected in (([], [False, True]), (["--open"], [True, True])):
        result = run_json("simulate", *agents, *more)
        rows = result["agents"]
        assert isinstance(rows, list)
        assert [row["sees_all"] for row in rows] == expected


@pytest.mark.parametrize(("agents", "more"), [("peeping/random", ["--open"]), ("always_peeping/random", [])])
def test_all_cards_can_be_seen_on_the_native_engine_only(players: None, agents: str, more: list[str]) -> None:
    result = CliRunner().invoke(main, ["simulate", "trumps", "--agents", agents, "--engine", "asp", *more])
    assert result.exit_code == 2
    assert "sees all cards, which is possible on the native engine only" in result.output


def test_observation_of_an_agent_that_asks_is_that_of_the_engine() -> None:
    game = make_game("oh_hell", 3, {"firstHand": 3})
    engine = make_engine(game)
    views: list[tuple[int, int, object]] = []

    class Asking(First):
        def __init__(self, every: int) -> None:
            super().__init__(game)
            self.every = every
            self.observations: list[object] = []

        def choose(self, observation, legal, rng):  # type: ignore[no-untyped-def]
            self.observations.append(observation)
            if len(self.observations) % self.every == 0:
                views.append((observation.seat, len(observation.events), observation))
            return legal[0]

    agents = [Asking(1), Asking(3), Asking(100)]
    play(engine, agents, "1", "1")
    assert {seat for seat, _, _ in views} == {0, 1}
    chance = RandomChance("1")
    state = engine.start(chance)
    asked = [iter(agent.observations) for agent in agents]
    while (mover := engine.mover(state)) is not None:
        # Those of seat 2 are read only now, when the game is long over.
        assert next(asked[mover]) == engine.observe(state, mover)
        state = engine.apply(state, engine.legal(state)[0], chance)


# --- the command


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trumps", "--agents", "randm/random"], "unknown agent 'randm' (did you mean 'random'?)"),
        (["trumps", "--agents", "random:x=1/random"], "agent 'random' has no parameter 'x' (parameters: none)"),
        (["trumps", "--agents", "random/"], "'random/' has no agent at place 2"),
        (["trumps", "--agents", ""], "'' has no agent at place 1"),
        (["trumps", "--agents", "random/random/random"], "Trumps is for 2 players, not 3"),
        (["hearts", "--players", "4", "--agents", "random/random"], "4 players need 4 agents"),
        (["hearts", "--agents", "random/random/random/random", "--set", "target=x"], "option target is a number"),
        (["hearts", "--agents", "random/random/random/random", "--set", "tarket=1"], "did you mean 'target'?"),
        (["trumps", "--agents", "random/random", "--games", "0"], "0 is not in the range"),
        (["trumps", "--agents", "random/random", "--max-games", "200"], "needs two different agents"),
        (["trumps", "--agents", "random/random:", "--max-games", "20"], "--max-games 20 is less than --games 100"),
        (["trumps", "--agents", "random/random", "--confidence", "95"], "a number between 0 and 1"),
        (["durak", "--agents", "random/random", "--watch", "bout"], "did you mean 'bouts'?"),
        (["durak", "--agents", "random/random", "--watch", "trumpSuit"], "no variable 'trumpSuit' that is a number"),
    ],
)
def test_bad_requests_end_with_a_clear_usage_error(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["simulate", *arguments])
    assert result.exit_code == 2
    assert message in result.output


def test_a_file_that_cannot_be_written_is_noticed_before_anything_is_played(tmp_path: Path) -> None:
    arguments = ["simulate", "trumps", "--agents", "random/random", "--games", "1000000", "-o"]
    for output, message in ((tmp_path, "is a directory"), (tmp_path / "no" / "x", "no such file or directory")):
        result = CliRunner().invoke(main, [*arguments, str(output)])
        assert result.exit_code == 1
        assert message in result.output


def test_agent_names_have_parameters_and_defaults() -> None:
    assert parse_agent("random") == ("random", {})
    with pytest.raises(AgentError, match="agents: random"):
        parse_agent("zzz")


def test_csv_has_a_row_for_each_agent() -> None:
    output = run(["simulate", "trumps", "--agents", "random/random:", "--games", "4", "--seed", "1", "--csv"])
    rows = list(csv.DictReader(io.StringIO(output)))
    assert [row["agent"] for row in rows] == ["random", "random:"]
    assert float(rows[0]["wilson_low"]) < float(rows[0]["win_rate"]) < float(rows[0]["wilson_high"])


def test_table_shows_agents_sides_and_paired_scores() -> None:
    arguments = ["hearts", "--agents", "random/random:/random/random:", "--set", "target=0", "--games", "4", "--mirror"]
    output = run(["simulate", *arguments, "--seed", "1", "--confidence", "0.9"])
    for text in ("1 random", "4 random:", "all random:", "90 %", "Wilcoxon signed-rank p", "legal moves per decision"):
        assert text in output


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("command", ["simulate", "tournament"])
def test_an_interrupted_run_keeps_what_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, jobs: str
) -> None:
    count = Simulation.add

    def interrupted(simulation: Simulation, index: int, played: Played) -> None:
        if index == 50:
            raise KeyboardInterrupt
        count(simulation, index, played)

    monkeypatch.setattr(Simulation, "add", interrupted)
    file = tmp_path / "games.jsonl"
    agents = ["--agents", "random/random:", "--games", "1000000", "-j", jobs, "--json", "-o", str(file)]
    result = CliRunner().invoke(main, [command, "trumps", *agents])
    assert (result.exit_code, result.stderr) == (130, "fcdl: interrupted\n")
    assert json.loads(result.stdout)["games"] == len(file.read_text().splitlines()) == 50
    for process in multiprocessing.active_children():  # one that a thread of the pool has waited for is listed for ever
        with pytest.raises(ProcessLookupError):
            os.kill(process.pid or 0, 0)


def test_records_are_written_and_replayed(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run(["simulate", "durak", "--agents", "random/random", "--games", "3", "--seed", "5", "-o", str(file)])
    replayed = CliRunner().invoke(main, ["replay", str(file)])
    assert (replayed.exit_code, replayed.output) == (0, "3 of 3 records replayed exactly\n")
    text = file.read_text()
    file.write_text(text.replace('"reason":"end"', '"reason":"fault"', 1))
    broken = CliRunner().invoke(main, ["replay", str(file)])
    assert broken.exit_code == 1
    assert "2 of 3 records replayed exactly" in broken.output


def test_worlds_of_a_recorded_game_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run(["simulate", "trumps", "--agents", "random/random", "--games", "1", "--seed", "5", "-o", str(file)])
    arguments = ["worlds", "trumps", "--record", str(file), "--at", "14", "--seat", "0"]
    counted = CliRunner().invoke(main, [*arguments, "--count"])
    assert (counted.exit_code, counted.output) == (0, "1\n")
    listed = CliRunner().invoke(main, [*arguments[:5], "12", *arguments[6:], "-n", "3", "--json"])
    assert listed.exit_code == 0, listed.output
    assert listed.output.count('"zones"') == 3
    beyond = CliRunner().invoke(main, [*arguments[:5], "99", *arguments[6:]])
    assert beyond.exit_code == 1
    assert "the record has 14 moves, not 99" in beyond.output


def test_games_without_end_are_told_at_once(tmp_path: Path) -> None:
    chart = tmp_path / "swapped.fcdl"
    chart.write_text(
        """players 2
chart main
    start
again:
    Shuffle
    Deal(1)
    playCard(player(0), cards)
    rankValue(middle(player(0))) == 20?  yes -> done no -> again
done:
    end
"""
    )
    result = CliRunner().invoke(main, ["simulate", str(chart), "--agents", "random/random", "--games", "1"])
    assert result.stderr.startswith("fcdl: note: 5 of 5 games between random players never ended and were stopped")
