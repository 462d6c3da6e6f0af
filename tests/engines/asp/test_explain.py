"""Explanations name the node, the condition and the facts."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.cli import main
from fcdl.engines.asp.explain import explain_path
from fcdl.engines.stepping import SteppingEngine
from fcdl.language.written import expr_text
from fcdl.model import IllegalMoveError, Move, RandomChance, RecordingChance, ScriptedChance
from fcdl.model.record import make_record, to_line
from tests.engines.asp.charts import builtin, chart
from tests.games.some import some_games


def test_whoever_does_not_follow_is_told_what_he_must_play() -> None:
    engine, chance, rng = builtin("trumps"), RandomChance(3), random.Random(3)
    state = engine.start(chance)
    deck = engine.game.flowchart.deck
    for _ in range(14):
        mover = engine.mover(state)
        assert mover is not None
        forbidden = {Move("play", deck.code(card)) for card in engine.cards(state, "hand", mover)} - {
            *engine.legal(state)
        }
        if forbidden:
            break
        state = engine.apply(state, rng.choice(engine.legal(state)), chance)
    with pytest.raises(IllegalMoveError) as refused:
        engine.apply(state, forbidden.pop(), chance)
    assert f"player {mover} must play " in str(refused.value)
    assert "has such a card (node 13: playerHas(currentPlayer, card(any, leadSuit))); legal: play" in str(refused.value)


def test_a_condition_is_explained_with_the_values_of_its_parts() -> None:
    rule = "playCard(player(0), cards c in hand(player(0)) where rankValue(c) > least & suit(c) == hearts)"
    engine = chart("least = 7", "Deal(3)", rule, header="deck ranks 7 8 9 suits hearts spades")
    state = engine.start(RandomChance(0))
    with pytest.raises(
        IllegalMoveError, match=r"may not play 7H: rankValue\(7H\) \(7\) is not more than least \(7\) \(node"
    ):
        engine.apply(state, Move("play", "7H"), RandomChance(0))


def test_a_long_definition_is_called_by_its_name() -> None:
    """What it stands for would fill a screen; a short one is taken apart, which says more."""
    twin = "some(e in hand(player(0)) where rank(e) == rank(c) & e != c)"
    long = f"define fits(c, d) = suit(c) == suit(d) | rank(c) == rank(d) | {twin}"
    engine = chart(
        "Deal(3)",
        "playCard(player(0), cards c in hand(player(0)) where fits(c, 9S))",
        header=f"deck ranks 7 8 9 suits hearts spades\n{long}",
    )
    with pytest.raises(IllegalMoveError, match=r"may not play 7H: fits\(7H, 9S\) does not hold \(node"):
        engine.apply(engine.start(RandomChance(0)), Move("play", "7H"), RandomChance(0))


def test_the_path_says_why_each_diamond_went_its_way() -> None:
    engine = chart("x = 2", "x > 1 & empty(stack)? no -> out", "Deal(1)", "out:")
    path = explain_path(engine, None, None, RandomChance(0))
    assert [step.node.number for step in path] == [0, 1, 2, 3, 4]
    assert path[2].went == "yes"
    assert path[2].why == ("x > 1 is yes, x is 2", "empty(stack) is yes, stack is none")


def test_published_text_is_part_of_the_path() -> None:
    answer = CliRunner().invoke(main, ["explain", "trumps", "--seed", "3"])
    assert '"hearts has been chosen as trumps."' in answer.stdout


def test_expressions_are_written_as_in_charts() -> None:
    text = "(1 + 2) * 3 - min(4, 5) == 5 & !(true | 7 < 8)"
    engine = chart(f"{text}? no -> out", "Deal(1)", "out:")
    condition = engine.game.flowchart.nodes[1].condition
    assert condition is not None
    assert expr_text(condition, engine.game.flowchart).replace("yes", "true") == text


def test_the_command_explains_positions_and_moves_of_records(tmp_path: Path) -> None:
    engine, chance, rng = builtin("trumps"), RecordingChance(RandomChance(1)), random.Random(1)
    state, moves = engine.start(chance), []
    while engine.mover(state) is not None:
        moves.append(rng.choice(engine.legal(state)))
        state = engine.apply(state, moves[-1], chance)
    file = tmp_path / "games.jsonl"
    file.write_text(to_line(make_record(engine, state, chance, moves), engine.game.flowchart.deck) + "\n")
    place = ["explain", "trumps", "--record", str(file), "--at", "3"]
    path = json.loads(CliRunner().invoke(main, [*place, "--json"]).stdout)
    assert path[0]["caption"].startswith("playCard")
    assert any(step["went"] for step in path)
    answer = CliRunner().invoke(main, [*place, "--move", "pass"])
    assert answer.exit_code == 0
    assert answer.stdout.startswith("illegal move 'pass': player")


@pytest.mark.parametrize("name", some_games())
def test_the_stepping_engine_says_the_same(name: str) -> None:
    engine, rng = builtin(name), random.Random(1)
    plain, chance, deck = SteppingEngine(engine.game), RecordingChance(RandomChance(1)), engine.game.flowchart.deck
    state, said = engine.start(chance), 0
    same = plain.start(ScriptedChance(chance.outcomes))
    for _ in range(30):
        illegal = {Move("play", deck.code(card)) for card in engine.game.cards} - {*engine.legal(state)}
        for move in rng.sample(sorted(illegal, key=str), 3):
            with pytest.raises(IllegalMoveError) as by_rules:
                engine.apply(state, move, chance)
            with pytest.raises(IllegalMoveError) as by_steps:
                plain.decide(same, move)
            assert str(by_steps.value) == str(by_rules.value)
            said += 1
        move, used = rng.choice(engine.legal(state)), len(chance.outcomes)
        state = engine.apply(state, move, chance)
        same = plain.apply(same, move, ScriptedChance(chance.outcomes[used:]))
        if engine.mover(state) is None:
            break
    assert said > 5


def test_a_diamond_that_chose_no_decision_is_no_reason() -> None:
    rule = ["1 < 2? no -> out", "playCardOrPass(player(0), card(any, spades))", "out:"]
    engine = chart("Deal(3)", *rule, header="deck ranks 7 8 9 suits hearts spades")
    state = engine.start(RandomChance(0))
    heart = engine.cards(state, "hand", 0)[0]
    with pytest.raises(IllegalMoveError) as refused:
        engine.apply(state, Move("play", engine.game.flowchart.deck.code(heart)), RandomChance(0))
    assert "must play spades" in str(refused.value)
    assert "because" not in str(refused.value)


def test_a_constant_that_an_if_led_to_is_said_with_its_condition() -> None:
    rule = "playCardOrPass(player(0), cards c in hand(player(0)) where if(rank(c) == least, none, suit(c)) == hearts)"
    engine = chart("least = 7", "Deal(3)", rule, header="deck ranks 7 8 9 suits hearts spades")
    state = engine.start(RandomChance(0))
    with pytest.raises(
        IllegalMoveError, match=r"may not play 7H: none \(because rank\(7H\) == least\) is not hearts \(node"
    ):
        engine.apply(state, Move("play", "7H"), RandomChance(0))
