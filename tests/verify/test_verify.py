"""`fcdl verify`: proofs of built-in games, seeded faults that it finds, and that abstract positions cover real ones."""

import json
import random
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.cli import main
from fcdl.engines.stepping.engine import SteppingEngine
from fcdl.language.load import load_flowchart, load_text
from fcdl.model.chance import RandomChance
from fcdl.model.game import Game
from fcdl.model.record import to_line
from fcdl.verify.abstract import Abstract
from fcdl.verify.answers import Answer, answers
from fcdl.verify.explore import Explorer

_DECK = "deck ranks 2 3 4 5 6 7 suits clubs hearts\n"


def _answers(chart: str, seconds: float = 6.0) -> dict[str, Answer]:
    flowchart = load_text(chart).flowchart
    assert flowchart is not None
    return {answer.property: answer for answer in answers([Game.make(flowchart, name="seeded")], seconds)}


def _replays(chart: str, answer: Answer, folder: Path) -> bool:
    assert answer.record is not None
    flowchart = load_text(chart).flowchart
    assert flowchart is not None
    (folder / "seeded.fcdl").write_text(chart)
    (folder / "games.jsonl").write_text(to_line(answer.record, flowchart.deck) + "\n")
    result = CliRunner().invoke(main, ["replay", str(folder / "games.jsonl"), "--game", str(folder / "seeded.fcdl")])
    return result.exit_code == 0


SEEDED = {
    "turns": """
game "Idle seat"
players 3
chart main
    start
    Shuffle
    Deal(2)
    turn = player(0)
again:
    playCard(turn, cards)
    turn = player((playerNumber(turn) + 1) % 2)
    cardsRemaining(turn) > 0?   yes -> again
    score(turn) = 1
    end
""",
    "cards": """
game "Lost card"
players 2
zone aside: face down
chart main
    start
    round = 0
deal:
    shuffle(pack)
    Deal(2)
    move(1, pack, aside)
turn:
    playCard(player(0), cards)
    playCard(player(1), cards)
    Stack.empty
    cardsRemaining(player(0)) > 0?   yes -> turn
    move(all, stack, pack)
    round = round + 1
    round < 3?   yes -> deal
    score(player(0)) = 1
    end
""",
    "legal-move": """
game "Dead end"
players 2
chart main
    start
    Shuffle
    Deal(3)
    playCard(player(0), cards)
    led = suit(middle(player(0)))
    playCard(player(1), card(any, led))
    score(player(1)) = 1
    end
""",
    "partners": """
game "Wrong partner"
players 4
teams 0 2, 1 3
chart main
    start
    Shuffle
    Deal(2)
    turn = player(0)
again:
    playCard(turn, cards)
    turn = next(turn)
    turn == player(0)?   no -> again
    winner = highest(rankValue(middle(p)) for p in players)
    score(winner) = score(winner) + 1
    score(next(winner)) = score(next(winner)) + 1
    end
""",
    "hidden": """
game "Telling"
players 2
chart main
    start
    Shuffle
    Deal(3)
    playerHas(player(1), card(7, any))?   yes -> lucky
    score(player(0)) = 1   -> play
lucky:
    score(player(1)) = 1
play:
    playCard(player(0), cards)
    playCard(player(1), cards)
    end
""",
}


@pytest.mark.parametrize("fault", SEEDED)
def test_a_seeded_fault_is_refuted_by_a_game_that_replays(fault: str, tmp_path: Path) -> None:
    chart = SEEDED[fault].replace("chart main", _DECK + "chart main", 1)
    answer = _answers(chart)[fault]
    assert answer.verdict == "refuted", answer.how
    assert _replays(chart, answer, tmp_path)


def test_the_same_charts_without_their_faults_are_proved() -> None:
    sound = {
        "turns": ("player((playerNumber(turn) + 1) % 2)", "next(turn)"),
        "cards": ("    move(1, pack, aside)\n", ""),
        "legal-move": ("playCard(player(1), card(any, led))", "playCard(player(1), cards)"),
        "partners": ("next(winner)", "partner(winner)"),
        "hidden": ("    playerHas", "    public playerHas"),
    }
    for fault, (wrong, right) in sound.items():
        chart = SEEDED[fault].replace("chart main", _DECK + "chart main", 1).replace(wrong, right)
        answer = _answers(chart)[fault]
        assert answer.verdict == "proved", (fault, answer.how)


def test_trumps_is_proved_to_end_after_fourteen_cards_with_seven_tricks() -> None:
    found = {answer.property: answer for answer in answers([Game.make(load_flowchart("trumps"), name="trumps")], 10)}
    assert found["legal-move"].verdict == found["ends"].verdict == found["sum"].verdict == "proved"
    assert found["ends"].how.endswith("at most 14 decisions")
    assert found["sum"].how.endswith("always 7")


def test_an_endless_game_is_not_proved_to_end() -> None:
    chart = """
game "Round and round"
players 2
chart main
    start
    Shuffle
    Deal(1)
again:
    playCardOrPass(player(0), cards)
    passed(player(0))?   yes -> again
    playCard(player(1), cards)
    score(player(0)) = 1
    end
"""
    assert _answers(chart)["ends"].verdict != "proved"


@pytest.mark.parametrize("name", ["trumps", "agram", "kuhn_poker", "leduc_poker", "kings_and_jacks"])
def test_abstract_positions_cover_real_ones(name: str) -> None:
    game = Game.make(load_flowchart(name), name=name)
    rules = Abstract(game)
    explorer = Explorer(rules, time.monotonic() + 60)
    explorer.run()
    found: dict[tuple[int, tuple[int, ...]], list[object]] = {}
    for position in explorer.found.values():
        found.setdefault((position.node, position.calls), []).append(position)
    engine, rng = SteppingEngine(game), random.Random(name)
    for number in range(5):
        chance = RandomChance(f"{name} {number}")
        state = engine.begin()
        while state.result is None:
            assert any(_covers(rules, position, state) for position in found.get((state.node, state.calls), [])), (
                f"node {state.node}"
            )
            state = (
                engine.decide(state, rng.choice(engine.legal(state))) if state.waiting else engine.step(state, chance)
            )


def _covers(rules: Abstract, position, state) -> bool:  # type: ignore[no-untyped-def]
    """Whether a real position is among those that an abstract one stands for."""
    numbers = [(value, state.variables[slot]) for slot, value in position.values.items() if slot in state.variables]
    numbers += [(value, len(state.zones[slot])) for slot, value in position.counts.items()]
    for value, real in numbers:
        low, high = rules.range_of(value, position)
        if not low <= real <= high:
            return False
    for slot, cards in position.cards.items():
        if cards[0] == "set" and set(state.zones[slot]) != {c for c in range(256) if cards[1] >> c & 1}:
            return False
    return True


def test_the_command_prints_json_and_writes_the_games(tmp_path: Path) -> None:
    chart = tmp_path / "dead.fcdl"
    chart.write_text(SEEDED["legal-move"].replace("chart main", _DECK + "chart main", 1))
    games = tmp_path / "games.jsonl"
    result = CliRunner().invoke(main, ["verify", str(chart), "--seconds", "3", "--json", "-o", str(games)])
    assert result.exit_code == 1
    rows = {row["property"]: row["verdict"] for row in json.loads(result.stdout)}
    assert rows["legal-move"] == "refuted"
    assert rows["turns"] == "proved"
    assert CliRunner().invoke(main, ["replay", str(games), "--game", str(chart)]).exit_code == 0
