"""The page about a run: ratings with errors, shares with intervals, and what is watched in games."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.arena.report import Row, by_game, ratings, read_rows, report, shares
from fcdl.cli import main


def fcdl(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == code, result.output
    return result.output


def duel(game: int, one: str, two: str, won: float) -> list[Row]:
    return [
        Row(f"{one} v {two}", game, seat, agent, int(2 * share), share, 1, 1.0, "end")
        for seat, (agent, share) in enumerate(((one, won), (two, 1 - won)))
    ]


def test_ratings_are_those_of_bradley_and_terry() -> None:
    # Three quarters of the games won are 3 to 1: 400 * log10(3) = 191 points apart. With 0.25 games more for each side
    # it is 75.25 to 25.25, or 190 points.
    games = [duel(number, "a", "b", float(number % 4 > 0)) for number in range(100)]
    strong, weak = ratings(games)
    assert (strong.agent, weak.agent) == ("a", "b")
    assert strong.points - weak.points == pytest.approx(400 * 0.474295, abs=1)
    # The standard error of the difference of two is 400 / ln 10 / sqrt(n p (1 - p)) = 40; each has half of it.
    assert strong.error == pytest.approx(20, abs=0.5)


def test_ratings_of_a_pool_follow_through_others_and_stay_finite() -> None:
    games = [duel(number, "a", "b", 1.0) for number in range(20)] + [
        duel(number, "b", "c", 0.5) for number in range(20)
    ]
    found = {one.agent: one for one in ratings(games)}
    assert found["a"].points > found["b"].points
    assert found["b"].points == pytest.approx(found["c"].points, abs=15)
    assert all(0 < one.error < 1000 for one in found.values())


def test_shares_are_by_agent_or_by_seat() -> None:
    rows = [row for number in range(10) for row in duel(number, "a", "b", 0.5 if number == 0 else 1.0)]
    assert {name: round(figure.value) for name, (figure, _) in shares(rows, "agent").items()} == {"a": 95, "b": 5}
    assert list(shares(rows, "seat")) == ["0", "1"]
    assert len(by_game(rows)) == 10


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_page_has_every_part(tmp_path: Path, form: str) -> None:
    rows, page = tmp_path / f"rows.{form}", tmp_path / "page.html"
    agents = ["--agents", "random/random:/greedy", "--games", "10", "--max-games", "10", "--seed", "1"]
    fcdl("tournament", "trumps", *agents, "--rows", str(rows))
    assert len(read_rows(rows)) == 60
    fcdl("report", str(rows), "-o", str(page))
    text = page.read_text()
    assert re.findall("<h2>(.*?)</h2>", text) == ["Games won", "Ratings", "Matches", "Scores", "Seats"]
    assert text.count("<svg") == 4
    assert "against that of the column" in text
    assert "Whoever moved first won" in text
    assert "fcdl tournament trumps --agents random/random:/greedy" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_matches_of_more_than_two_agents_are_listed() -> None:
    rows = [
        Row("a table", 0, seat, agent, 0, won, 1, 1.0, "end")
        for seat, (agent, won) in enumerate((("a", 1.0), ("b", 0.0), ("c", 0.0)))
    ]
    text = report([*rows, *duel(1, "a", "b", 0.5)], "Mixed")
    assert "<td>a table</td><td>c</td>" in text
    assert "against that of the column" not in text


def test_files_that_are_no_rows_are_refused(tmp_path: Path) -> None:
    for name, message in (("x.txt", "rows are .csv"), ("x.csv", "not rows of fcdl")):
        file = tmp_path / name
        file.write_text("a,b\n1,2\n")
        assert message in fcdl("report", str(file), code=2)
    file.write_text("a,b\n")
    assert "no games" in fcdl("report", str(file), code=2)


def test_what_a_chart_says_is_escaped(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("match,game,seat,agent,score,won,moves,ms,reason\n<b>,0,0,<i>x</i>,1,1,1,1,<script>\n")
    text = fcdl("report", str(file))
    assert "<i>" not in text
    assert "<script>" not in text


# --- what is watched


def test_answers_in_a_diamond_are_counted_for_the_player_that_it_asks_about() -> None:
    name = "tricks(turn) == bid(turn)"
    agents = ["--agents", "/".join(["random"] * 4), "--games", "20", "--seed", "1"]
    rows = json.loads(fcdl("simulate", "oh_hell", *agents, "--watch", f" {name} ?", "--json"))["agents"]
    # A score has a point for each trick, 91 of them in all, and 10 for each bid made.
    made = sum(row[f" {name} ?_mean"] for row in rows)
    assert sum(row["mean_score"] for row in rows) == pytest.approx(91 + 10 * made)


def test_moves_for_each_of_a_counter_and_wins_of_the_first_mover_are_measured() -> None:
    result = json.loads(
        fcdl(
            "simulate",
            "durak",
            "--agents",
            "random/random",
            "--games",
            "30",
            "--watch",
            "bouts",
            "--seed",
            "1",
            "--json",
        )
    )
    bouts = result["watched"]["bouts"]
    assert bouts["moves_for_each"] == pytest.approx(result["moves_mean"] / bouts["mean"])
    assert 0 < result["first_mover"]["win_rate"] < 1
    text = fcdl("simulate", "durak", "--agents", "random/random", "--games", "3", "--watch", "bouts")
    assert "moves for each" in text
    assert "whoever moved first won" in text


def test_what_cannot_be_watched_is_said() -> None:
    output = fcdl("simulate", "durak", "--agents", "random/random", "--watch", "bout", code=2)
    assert "no variable 'bout' that is a number, and no such diamond (did you mean 'bouts'?)" in output
