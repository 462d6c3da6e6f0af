"""`fcdl test`: mistakes seeded into good charts are found, and good charts are left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.arena.trial import Concern, Trial
from fcdl.cli import main
from fcdl.language.load import load_text
from fcdl.model.game import Game
from fcdl.model.record import from_line

TRICK = """chart trick
    start
    playCard(leader, cards)
    led = suit(middle(leader))
    winner = leader
    turn = next(leader)
follow:
    playerHas(turn, card(any, led))?    no -> discard
    playCard(turn, card(any, led))
    rankValue(middle(turn)) > rankValue(middle(winner))?    no -> played
    winner = turn                   -> played
discard:
    playCard(turn, cards)
played:
    turn = next(turn)
    turn == leader?                 no -> follow
    Stack.empty
    leader = winner
    end
"""

AGRAM = f"""
game "Agram"
players 3
deck standard
chart main
    start
    Shuffle
    Deal(6)
    leader = player(random(numberOfPlayers))
trick:
    do trick
    cardsRemaining(leader) > 0?     yes -> trick
    score(leader) = 1
    end
{TRICK}"""

WHIST = """
game "Whist"
players 4
teams 0 2, 1 3
deck ranks 9 10 jack queen king ace suits clubs hearts spades diamonds
each player has tricks = 0
chart main
    start
hand:
    Shuffle
    Deal(3)
    tricks(player(0)) = 0
    tricks(player(1)) = 0
    tricks(player(2)) = 0
    tricks(player(3)) = 0
    leader = player(0)
trick:
    do trick
    cardsRemaining(leader) > 0?     yes -> trick
    p = player(0)
tally:
    score(p) = score(p) + tricks(p) + tricks(partner(p))
    p = next(p)
    p == player(0)?                 no -> tally
    max(score(player(0)), score(player(1))) >= 7?   no -> hand
    end
""" + TRICK.replace("leader = winner\n", "leader = winner\n    tricks(winner) = tricks(winner) + 1\n")


def tried(chart: str, *, games: int = 60, strong: int = 0) -> list[Concern]:
    flowchart = load_text(chart).flowchart
    assert flowchart is not None
    trial = Trial(Game.make(flowchart, name="mine"), "1", "ismcts:iterations=30")
    for _ in trial.run(games, strong, 300):
        pass
    return trial.concerns()


def codes(concerns: list[Concern]) -> set[str]:
    return {concern.code for concern in concerns}


@pytest.mark.parametrize("chart", [AGRAM, WHIST], ids=["agram", "whist"])
def test_a_good_chart_has_no_warnings(chart: str) -> None:
    assert [concern for concern in tried(chart) if concern.severity == "warning"] == []


MISTAKES = {
    "yes and no swapped": (AGRAM, "led))?    no -> discard", "led))?    yes -> discard", "does-not-end"),
    "trick not emptied": (AGRAM, "    Stack.empty\n", "", "never-cleared"),
    "turn never passes": (AGRAM, "    turn = next(leader)\nfollow", "    turn = leader\nfollow", "does-not-end"),
    "a seat left out": (
        AGRAM,
        "played:\n    turn = next(turn)",
        "played:\n    turn = next(next(turn))",
        "does-not-end",
    ),
    "winner never leads": (AGRAM, "    leader = winner\n    end", "    leader = player(0)\n    end", "always-wins"),
    "counter not reset": (
        WHIST,
        "    tricks(player(0)) = 0\n    tricks(player(1)) = 0\n    tricks(player(2)) = 0\n    tricks(player(3)) = 0\n",
        "",
        "never-reset",
    ),
    "partners' scores differ": (WHIST, " + tricks(partner(p))", "", "partners-differ"),
    "cards lost in a loop": (
        WHIST.replace("suits clubs hearts spades diamonds", "suits clubs hearts spades diamonds stars"),
        "    start\nhand:\n    Shuffle\n",
        "    start\n    Shuffle\nhand:\n",
        "cards-lost",
    ),
    "nobody scores": (AGRAM, "    score(leader) = 1\n", "    score(leader) = 0\n", "nobody-scores"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found(name: str) -> None:
    chart, right, wrong, code = MISTAKES[name]
    assert right in chart
    assert code in codes(tried(chart.replace(right, wrong)))


def test_a_forgotten_turn_is_an_error_of_the_checker() -> None:
    checked = load_text(
        AGRAM.replace("played:\n    turn = next(turn)\n    turn == leader?", "played:\n    turn == leader?")
    )
    assert "endless-loop" in {finding.code for finding in checked.findings if finding.severity == "error"}


def test_where_the_cards_are_is_said_of_a_game_that_is_stuck() -> None:
    _, right, wrong, _ = MISTAKES["cards lost in a loop"]
    (stuck,) = [concern for concern in tried(WHIST.replace(right, wrong)) if concern.code == "does-not-end"]
    assert "24 of 24 cards were in stack" in stuck.message


def test_a_game_that_does_not_end_is_kept_for_the_debugger(tmp_path: Path) -> None:
    chart, output = tmp_path / "mine.fcdl", tmp_path / "stuck.jsonl"
    _, right, wrong, _ = MISTAKES["yes and no swapped"]
    chart.write_text(AGRAM.replace(right, wrong))
    result = CliRunner().invoke(
        main, ["test", str(chart), "--games", "40", "--strong-games", "0", "--seed", "1", "-o", str(output)]
    )
    assert result.exit_code == 1
    line = AGRAM.splitlines().index("    playCard(turn, card(any, led))") + 1
    assert f"line {line}: " in result.output
    flowchart = load_text(chart.read_text()).flowchart
    assert flowchart is not None
    record = from_line(output.read_text().splitlines()[0], flowchart)
    assert record.reason == "no legal move"


def test_json_has_the_series_and_the_findings(tmp_path: Path) -> None:
    chart = tmp_path / "mine.fcdl"
    chart.write_text(AGRAM)
    arguments = [
        "test",
        str(chart),
        "--games",
        "40",
        "--strong-games",
        "2",
        "--strong",
        "random",
        "--seed",
        "1",
        "--json",
    ]
    result = CliRunner().invoke(main, arguments)
    report = json.loads(result.stdout)
    assert report["random"]["games"] == 40
    assert sum(report["random"]["win_rate"]) == pytest.approx(1)
    assert report["strong"]["games"] == report["skill"]["games"] == 2
    assert {finding["severity"] for finding in report["findings"]} <= {"note"}
    kept = ["--resume", str(tmp_path / "run")]
    for more in (["-j", "2"], kept, kept):  # the last plays nothing, and reads the journal
        again = json.loads(CliRunner().invoke(main, [*arguments, *more]).stdout)
        assert again | {"manifest": None} == report | {"manifest": None}
    assert again["manifest"]["games"] == 44
    rows = tmp_path / "rows.csv"
    CliRunner().invoke(main, [*arguments, *kept, "--rows", str(rows)])
    assert len(rows.read_text().splitlines()) == 1 + 3 * 44


def test_a_good_player_that_loses_is_a_warning() -> None:
    worst = AGRAM.replace("players 3\n", "players 2\nlowest score wins\n")
    flowchart = load_text(worst).flowchart
    assert flowchart is not None
    game = Game.make(flowchart, name="mine")
    trial = Trial(game, "1", "ismcts:iterations=30")
    trial.mixed.games, trial.skill = 40, 5.0
    assert "skill-loses" in codes(trial.concerns())
    trial.skill = 35.0
    assert not codes(trial.concerns())


def what_pays(chart: str) -> list[str]:
    flowchart = load_text(chart).flowchart
    assert flowchart is not None
    trial = Trial(Game.make(flowchart, name="mine"), "1")
    trial.measure(60)
    return [effect["sentence"] for effect in trial.summary()["pays"]]


def test_what_pays_shows_the_wrong_player_scored() -> None:
    """The trick counts for the player after the winner: taking one costs points, which cannot be meant."""
    wrong = WHIST.replace("tricks(winner) = tricks(winner) + 1", "tricks(next(winner)) = tricks(next(winner)) + 1")
    assert wrong != WHIST
    cost = "Playing a card that is higher than the winner's card is worth \N{MINUS SIGN}"
    assert any(sentence.startswith(cost) for sentence in what_pays(wrong))


def test_what_pays_shows_a_reversed_comparison() -> None:
    good = "Playing a card that is higher than the winner's card is worth +"
    reversed_chart = WHIST.replace("rankValue(middle(turn)) >", "rankValue(middle(turn)) <")
    assert any(sentence.startswith(good) for sentence in what_pays(WHIST))
    assert not any(sentence.startswith(good) for sentence in what_pays(reversed_chart))
    lower = "Playing a card that is lower than the winner's card is worth +"
    assert any(sentence.startswith(lower) for sentence in what_pays(reversed_chart))
