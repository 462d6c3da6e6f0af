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
from fcdl.verify.answers import Answer, answers, options_answer
from fcdl.verify.explore import Explorer
from fcdl.verify.levels import levels, prove
from fcdl.verify.small import SmallDecks

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


_ALWAYS = """
game "Two tricks"
players 2
always score(player(0)) + score(player(1)) == {total}
deck ranks 2 3 4 5 6 7 suits clubs hearts
chart main
    start
    Shuffle
    Deal(2)
again:
    playCard(player(0), cards)
    playCard(player(1), cards)
    winner = highest(rankValue(middle(p)) for p in players)
    score(winner) = score(winner) + 1
    Stack.empty
    cardsRemaining(player(0)) > 0?   yes -> again
    end
"""


def test_what_a_chart_states_is_proved_or_refuted(tmp_path: Path) -> None:
    assert _answers(_ALWAYS.format(total=2))["stated"].verdict == "proved"
    wrong = _ALWAYS.format(total=3)
    answer = _answers(wrong)["stated"]
    assert answer.verdict == "refuted"
    assert "score(player(0)) + score(player(1)) == 3" in answer.how
    assert _replays(wrong, answer, tmp_path)


def test_scores_of_this_game_have_bounds_and_the_first_player_is_not_like_the_second() -> None:
    found = _answers(_ALWAYS.format(total=2))
    assert found["bounds"].how.endswith("a score is from 0 to 2")
    assert found["seats"].verdict == "refuted"
    assert found["end"].verdict == "proved"


def test_an_always_line_is_no_part_of_the_rules() -> None:
    first, second = (load_text(_ALWAYS.format(total=total)).flowchart for total in (2, 3))
    assert first is not None
    assert second is not None
    assert first.hash == second.hash


def test_a_game_of_several_hands_is_proved_to_end_although_positions_come_again() -> None:
    proof = prove(Game.make(load_flowchart("oh_hell"), name="oh_hell"), time.process_time() + 2)
    assert proof.terminates
    assert proof.longest is None


def test_nothing_gets_less_in_a_game_that_can_go_round() -> None:
    proof = prove(Game.make(load_flowchart("crazy_eights"), name="crazy_eights"), time.process_time() + 1)
    assert not proof.terminates


def test_an_option_that_nothing_depends_on_is_found() -> None:
    chart = _ALWAYS.format(total=2).replace("deck", 'option loud = no "Nothing."\ndeck', 1)
    flowchart = load_text(chart).flowchart
    assert flowchart is not None
    assert options_answer(Game.make(flowchart, name="loud"), time.process_time() + 5, "x").verdict == "refuted"
    hearts = Game.make(load_flowchart("hearts"), name="hearts")
    assert options_answer(hearts, time.process_time() + 20, "x").verdict == "proved"


def test_small_decks_are_said_to_be_small() -> None:
    chart = """
game "Guessing"
players 2
deck ranks 2 3 4 suits clubs
chart main
    start
    Shuffle
    Deal(1)
again:
    playCardOrPass(player(0), card(2, any))
    passed(player(0)) & playerHas(player(1), card(2, any))?   yes -> again
    score(player(1)) = 1
    end
"""
    flowchart = load_text(chart).flowchart
    assert flowchart is not None
    small = SmallDecks([Game.make(flowchart, name="guessing")], time.process_time() + 20)
    said = small.instead(Answer("fault", "not decided", "nobody knows")).how
    assert said == "holds for all decks up to 3 cards and 2 players; beyond that: nobody knows"
    assert small.instead(Answer("ends", "not decided", "nobody knows")).how == "nobody knows"


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
    assert _answers(chart, 1.0)["ends"].verdict != "proved"


COVERED = [
    *((name, 4) for name in ("trumps", "agram", "kuhn_poker", "leduc_poker", "kings_and_jacks")),
    *((name, level) for name in ("agram", "briscola", "oh_hell", "scopa", "cuckoo") for level in (0, 1)),
    ("goofspiel", 3),
]


@pytest.mark.parametrize(("name", "level"), COVERED)
def test_abstract_positions_cover_real_ones(name: str, level: int) -> None:
    """At every level, from the one where nothing is told apart (0) to the one where everything is (4)."""
    game = Game.make(load_flowchart(name), name=name)
    rules = Abstract(game)
    rules.coarse = list(levels(game))[level]
    explorer = Explorer(rules, time.process_time() + 60)
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
