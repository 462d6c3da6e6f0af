"""Runs: the same results wherever games are played and whatever is lost, and everything written down."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fcdl.arena.executors import Cluster, ClusterError, Failure, Here, Parcel, Processes, batches
from fcdl.arena.run import FAILED, JOURNAL, MANIFEST, Journal, Manifest, Run, RunError
from fcdl.arena.simulate import Setup, Simulation, seatings, simulate
from fcdl.cli import main
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from tests.games.table import make_game


class Dying:
    """Ends its process in some games, once each (with a folder for the marks), or whenever it plays."""

    def __init__(self, game: Game) -> None:
        self.marks = os.environ["DYING_MARKS"]

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        number = rng.randrange(1000)
        if number < 10:
            mark = Path(self.marks) / str(number)
            if self.marks == "always" or not mark.exists():
                if self.marks != "always":
                    mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return legal[number % len(legal)]


class Failing:
    """Raises an exception now and then."""

    def __init__(self, game: Game) -> None:
        pass

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        if rng.randrange(100) == 7:
            raise ValueError("no idea")
        return legal[0]


def setup(agents: Sequence[Any] = ("random", "random:"), seed: str = "3", **more: Any) -> Setup:
    order = seatings(["a", "b"])
    return Setup(make_game("trumps"), "native", tuple(agents), seed, order, **more)


def manifest(of: Setup) -> Manifest:
    return Manifest.of(of.game, of.agents, of.seed, ["simulate"])


def results(run: Run, of: Setup, games: int = 40) -> dict[str, Any]:
    with run:
        runner = run.runner(of)
        simulation = Simulation(of, runner.sees_all)
        for _ in simulate(runner, simulation, games):
            pass
    summary = simulation.summary()
    return {key: summary[key] for key in ("games", "moves_mean", "branching_geometric", "reasons")} | {
        "agents": [(row["wins"], row["losses"], row["mean_score"]) for row in summary["agents"]]
    }


def test_batches_cover_everything_once() -> None:
    ranges = [range(7), range(9, 500)]
    found = [index for batch in batches(iter(ranges), 2) for index in batch]
    assert found == [*range(7), *range(9, 500)]


# --- losses


def test_a_killed_process_costs_a_retry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYING_MARKS", str(tmp_path))
    of = setup([Dying, "random"])
    found = results(Run(Processes(2)), of)
    assert list(tmp_path.iterdir()), "nobody died"
    assert found == results(Run(Here()), of), "where all marks are set, nobody dies"


def test_a_game_that_kills_its_process_is_reported_and_the_rest_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYING_MARKS", "always")
    of = setup([Dying, "random"], seed="poison")
    run = Run(Processes(2))
    found = results(run, of, 60)
    failed = [failure.index for _, failure in run.failures]
    assert 1 <= len(failed) < 15
    assert found["games"] == 60 - len(failed)
    assert "died" in run.failures[0][1].error


def test_a_game_that_fails_is_reported_with_its_record(tmp_path: Path) -> None:
    of = setup([Failing, "random"], seed="5")
    runs = [Run(executor, Journal(tmp_path / str(number), manifest(of))) for number, executor in
            enumerate([Here(), Processes(2)])]  # fmt: skip
    assert results(runs[0], of) == results(runs[1], of)
    assert runs[0].failures
    assert [one for _, one in runs[0].failures] == [one for _, one in runs[1].failures]
    failure = runs[0].failures[0][1]
    assert "no idea" in failure.error
    assert failure.record is not None
    assert failure.record.broken_off
    kept = [json.loads(line) for line in (tmp_path / "0" / FAILED).read_text().splitlines()]
    assert [record["reason"] for record in kept] == ["broken off"] * len(runs[0].failures)


# --- any other work


@dataclass(frozen=True)
class Powers:
    """A work that has nothing to do with games: powers of a number."""

    game: Game
    base: int

    @property
    def key(self) -> str:
        return f"powers of {self.base}"

    def worker(self) -> Callable[[int], dict[str, int]]:
        return lambda number: {"power": self.base**number}

    def to_json(self, piece: dict[str, int]) -> dict[str, int]:
        return piece

    def from_json(self, value: dict[str, int]) -> dict[str, int]:
        return {"power": int(value["power"])}


def test_any_work_in_numbered_pieces_is_done_anywhere_and_continued(tmp_path: Path) -> None:
    work, all_pieces = Powers(make_game("trumps"), 3), [(number, {"power": 3**number}) for number in range(30)]
    for folder, executor in (("here", Here()), ("processes", Processes(2))):
        with Run(executor, Journal(tmp_path / folder, manifest(setup()))) as run:
            assert list(run.pieces(work, range(20))) == all_pieces[:20]
        lines = (tmp_path / folder / JOURNAL).read_text()
        (tmp_path / folder / JOURNAL).write_text(lines.replace('{"power":27}', '{"power":"?"}'))
        with Run(executor, Journal(tmp_path / folder, manifest(setup()))) as again:
            assert list(again.pieces(work, range(30))) == all_pieces
    assert Parcel.of(work).open() == work


# --- the journal


def test_a_run_that_was_cut_off_anywhere_goes_on_to_the_same_results(tmp_path: Path) -> None:
    of = setup(records=True)
    whole = results(Run(None, Journal(tmp_path / "whole", manifest(of))), of)
    data = (tmp_path / "whole" / JOURNAL).read_bytes()
    lines = data.splitlines(keepends=True)
    for number, cut in enumerate([0, 10, len(lines[0]), len(data) // 2, len(data) - 1, len(data)]):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / JOURNAL).write_bytes(data[:cut])
        assert results(Run(None, Journal(folder, manifest(of))), of) == whole
        with Run(None, Journal(folder, manifest(of))) as again:
            assert again.journal is not None
            assert len(again.journal.has(of)) == 40, "everything is there then"


def test_what_is_damaged_in_the_journal_is_played_again(tmp_path: Path) -> None:
    of = setup()
    whole = results(Run(None, Journal(tmp_path, manifest(of))), of)
    path = tmp_path / JOURNAL
    values = [json.loads(line) for line in path.read_text().splitlines()]
    values[1]["games"][3] = [[1], "end", None]
    values[1]["games"][5] = "?"
    path.write_text("".join(json.dumps(value) + "\n" for value in values) + "[1, 2\n7\n")
    assert results(Run(None, Journal(tmp_path, manifest(of))), of) == whole


def test_another_run_is_not_continued(tmp_path: Path) -> None:
    results(Run(None, Journal(tmp_path, manifest(setup()))), setup(), 2)
    with pytest.raises(RunError, match="has another run: seed differs"):
        Journal(tmp_path, manifest(setup(seed="4")))


def fcdl(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, [*map(str, arguments)])
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.output


def without_times(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{key: value for key, value in row.items() if key != "ms"} for row in rows]


def table(path: Path) -> list[dict[str, str]]:
    return without_times(list(csv.DictReader(path.read_text().splitlines())))


GAMES = ["tournament", "trumps", "--agents", "random/random:/greedy", "--games", "20", "--max-games", "20"]


@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGINT])
def test_a_command_that_was_killed_is_continued(tmp_path: Path, kill: signal.Signals) -> None:
    agents = "ismcts:iterations=300/ismcts:iterations=301"
    command = ["simulate", "trumps", "--agents", agents, "--games", "600", "--seed", "1", "--csv"]
    words = [sys.executable, "-m", "fcdl", *command, "--resume", str(tmp_path / "run")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    journal = tmp_path / "run" / JOURNAL
    until = time.monotonic() + 60
    while time.monotonic() < until and (not journal.exists() or b"\n" not in journal.read_bytes()):
        time.sleep(0.01)
    process.send_signal(kill)  # after the first batch of many
    process.communicate()
    assert process.returncode == (130 if kill is signal.SIGINT else -9)
    before = journal.stat().st_size
    again = list(csv.DictReader(fcdl(*command, "--resume", str(tmp_path / "run")).splitlines()))
    assert journal.stat().st_size > before > 0
    whole = list(csv.DictReader(fcdl(*command).splitlines()))
    assert [row["wins"] for row in again] == [row["wins"] for row in whole]
    assert [row["mean_score"] for row in again] == [row["mean_score"] for row in whole]
    assert json.loads((tmp_path / "run" / MANIFEST).read_text())["games"] == 600


# --- rows and manifests


def test_rows_have_every_seat_of_every_game(tmp_path: Path) -> None:
    import pandas

    fcdl(*GAMES, "--seed", "3", "--rows", str(tmp_path / "rows.csv"))
    fcdl(*GAMES, "--seed", "3", "--rows", str(tmp_path / "rows.parquet"), "-j", "2")
    rows = table(tmp_path / "rows.csv")
    assert len(rows) == 3 * 20 * 2
    assert {row["match"] for row in rows} == {"random v random:", "random v greedy", "random: v greedy"}
    assert sum(float(row["won"]) for row in rows) == 3 * 20
    frame = pandas.read_parquet(tmp_path / "rows.parquet").drop(columns="ms")
    assert frame.astype(str).to_dict("records") == rows


def test_a_run_is_repeated_from_its_manifest(tmp_path: Path) -> None:
    first, again = tmp_path / "first.csv", tmp_path / "again.csv"
    fcdl(*GAMES, "--rows", str(first), "-j2")
    kept = json.loads((tmp_path / "first.csv.manifest.json").read_text())
    assert kept["command"] == [*GAMES, "--seed", kept["seed"]]
    assert kept["agents"] == ["random", "random:", "greedy"]
    assert kept["games"] == 60
    fcdl("rerun", str(tmp_path / "first.csv.manifest.json"), "--rows", str(again))
    assert table(first) == table(again)
    result = tmp_path / "result.json"
    result.write_text(fcdl(*GAMES, "--json"))
    assert json.loads(result.read_text())["pairs"] == [
        pair | {"elapsed_s": ours["elapsed_s"], "ms_per_move": ours["ms_per_move"]}
        for pair, ours in zip(
            json.loads(fcdl("rerun", str(result)))["pairs"], json.loads(result.read_text())["pairs"], strict=True
        )
    ]


def test_a_run_of_another_chart_is_not_repeated(tmp_path: Path) -> None:
    chart = tmp_path / "mine.fcdl"
    chart.write_text((Path(__file__).parents[2] / "games" / "trumps.fcdl").read_text())
    fcdl("simulate", str(chart), "--agents", "random/random", "--games", "2", "--rows", str(tmp_path / "rows.csv"))
    chart.write_text(chart.read_text().replace("Deal(7)", "Deal(6)"))
    output = fcdl("rerun", str(tmp_path / "rows.csv.manifest.json"), code=1)
    assert "the chart of mine is not the one of this run any more" in output
    assert "is not a manifest" in fcdl("rerun", str(chart), code=1)


def test_bad_places_are_named() -> None:
    play = ["simulate", "trumps", "--agents", "random/random", "--games", "2"]
    assert "rows are written as .csv or .parquet" in fcdl(*play, "--rows", "rows.xls", code=2)
    assert "there is no run to continue" in fcdl(*play, "--resume", "last", code=1)
    assert "give one of them" in fcdl(*play, "-j", "2", "--cluster", "local:2", code=2)


# --- a cluster


def test_workers_refuse_another_version_and_another_chart() -> None:
    parcel = Parcel.of(setup())
    assert parcel.open() == setup()
    with pytest.raises(ClusterError, match=r"not 9\.9"):
        Parcel("9.9", parcel.chart, parcel.data).open()
    with pytest.raises(ClusterError, match="differently"):
        Parcel(parcel.version, "0" * 64, parcel.data).open()


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_results_though_a_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYING_MARKS", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    of = setup(["tests.arena.test_runs:Dying", "random"])
    found = results(Run(Cluster("local:2")), of)
    assert list(tmp_path.iterdir()), "nobody died"
    assert found == results(Run(Here()), of)


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_does_not_answer_is_said() -> None:
    with pytest.raises(ClusterError, match="no Dask scheduler answers"):
        Cluster("tcp://127.0.0.1:1", timeout=0.5)
    with pytest.raises(ClusterError, match="local:N"):
        Cluster("local:many")


def test_failures_are_written_and_read(tmp_path: Path) -> None:
    of = setup()
    with Run(None, Journal(tmp_path, manifest(of))) as run:
        assert run.journal is not None
        run.journal.add(of, 0, [Failure(0, "because")])
    with Run(None, Journal(tmp_path, manifest(of))) as run:
        assert run.journal is not None
        assert run.journal.take(of, 0) == Failure(0, "because")
