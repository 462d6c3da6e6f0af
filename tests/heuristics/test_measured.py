"""Heuristics measured by play."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.agents import Thinker, make_agent
from fcdl.agents.agent import tools
from fcdl.cli import main
from fcdl.engines.native import NativeEngine
from fcdl.engines.native.search import NoTimeError, Search
from fcdl.heuristics.compared import compare
from fcdl.heuristics.features import decisions
from fcdl.heuristics.layers import Layer, best_layer, heuristics_for
from fcdl.heuristics.measured import Effort, Measured, MeasuredPolicy, measure, measured_for, measured_soon
from fcdl.heuristics.measured_words import effect_sentence, heading, measured_page
from fcdl.heuristics.symbols import ME
from fcdl.heuristics.vocabulary import is_card_language
from fcdl.language.flowchart import Expr, Type
from fcdl.language.load import load_flowchart, load_text
from fcdl.language.sight import hidden_part
from fcdl.model import RandomChance
from fcdl.model.game import Game

ROOT = Path(__file__).parents[2]
CHARTS = sorted(path for folder in ("games", "tests/charts") for path in (ROOT / folder).glob("*.fcdl"))
QUICK = Effort(300, 1_000_000, 60.0)


def _game(text: str) -> Game:
    flowchart = load_text(text).flowchart
    assert flowchart is not None
    return Game.make(flowchart, name="made up")


def weights(measured: Measured, phrase: str) -> list[float]:
    return [effect.weight for effect in measured.effects if phrase in effect.feature.phrase]


@pytest.mark.parametrize(("sign", "good"), [(">", 1), ("<", -1)])
def test_high_cards_are_good_where_they_win_and_bad_where_the_comparison_is_reversed(sign: str, good: int) -> None:
    found = measure(_game(ONE_SIDED.format(sign=sign)), "1", QUICK)
    signs = [value * good for value in [*weights(found, "high"), *(-low for low in weights(found, "low"))]]
    assert signs
    assert all(value > 0 for value in signs)


ONE_SIDED = """game "One trick"
players 2
chart main
    start
    Shuffle
    Deal(3)
    playCard(player(0), cards)
    playCard(player(1), cards)
    rankValue(middle(player(0))) {sign} rankValue(middle(player(1)))?    no -> lost
    score(player(0)) = 1          -> done
lost:
    score(player(1)) = 1
done:
    end
"""


def test_the_wrong_player_scored_turns_the_sign() -> None:
    wrong = ONE_SIDED.format(sign=">").replace("score(player(0))", "score(player(2))")
    wrong = wrong.replace("score(player(1))", "score(player(0))").replace("score(player(2))", "score(player(1))")
    found = measure(_game(wrong), "1", QUICK)
    signs = [*(-value for value in weights(found, "high")), *weights(found, "low")]
    assert signs
    assert all(value > 0 for value in signs)


def test_where_there_are_only_winners_and_losers_it_counts_in_wins() -> None:
    found = measure(_game(ONE_SIDED.format(sign=">")), "1", QUICK)
    assert found.unit == "of a win"
    assert "% of a win" in effect_sentence(found.game.flowchart, found.effects[0], found.unit)


def test_a_game_with_nothing_to_decide_says_so() -> None:
    text = (
        'game "Luck"\nplayers 2\nchart main\n    start\n    lucky = player(random(2))\n    score(lucky) = 1\n    end\n'
    )
    assert "Nobody decides anything" in measured_page(measure(_game(text), "1", QUICK))
    forced = ONE_SIDED.format(sign=">").replace("Deal(3)", "Deal(1)")
    assert "never more than one legal move" in measured_page(measure(_game(forced), "1", QUICK))


PARTNERS = """game "Together"
players 4
teams 0 2, 1 3
chart main
    start
    Shuffle
    Deal(3)
    playCard(player(0), cards)
    rankValue(middle(player(0))) > 8?    no -> done
    score(player(2)) = 2
done:
    end
"""


SETS = """game "Melds"
players 2
chart main
    start
    Shuffle
    Deal(6)
    playCardsOrPass(player(0), sets s in subsets(hand(player(0)), 1 to 2) where isGroup(s))
    score(player(0)) = {score}
    end
"""


def test_each_card_more_of_a_set_is_worth_what_it_scores() -> None:
    found = measure(_game(SETS.format(score="3 * count(middle(player(0)))")), "1", QUICK)
    assert [effect.feature.phrase for effect in found.effects] == ["each card more"]
    assert found.effects[0].weight == pytest.approx(3)
    assert "Each card more that you play is worth +3.00 points" in measured_page(found)


def test_a_card_of_a_set_that_scores_is_named() -> None:
    found = measure(_game(SETS.format(score="count(c in middle(player(0)) where rank(c) == king)")), "1", QUICK)
    assert effect_sentence(found.game.flowchart, found.effects[0], found.unit, interval=False) == (
        "Each king that you play is worth +1.00 points."
    )


def test_passing_instead_of_a_set_has_a_worth() -> None:
    found = measure(_game(SETS.format(score="if(passed(player(0)), 5, 0)")), "1", QUICK)
    assert [effect.passes for effect in found.effects] == [True]


def test_a_card_that_takes_something_is_told_from_one_that_takes_nothing() -> None:
    scopa = Game.make(load_flowchart("scopa"), name="scopa")
    play = next(one for one in decisions(scopa) if "playCard(" in one.node.caption)
    phrases = [feature.phrase for feature in play.moves]
    for said in ("something", "two cards or more", "everything", "the 7 of diamonds", "a diamond"):
        assert f"a card that takes {said}" in phrases


def test_what_a_partner_gets_is_ours() -> None:
    found = measure(_game(PARTNERS), "1", QUICK)
    assert [*weights(found, "high"), *weights(found, "that is"), *weights(found, "whose")]
    assert all(value > 0 for value in weights(found, "high"))
    assert all(value < 0 for value in weights(found, "low"))


def test_the_same_seed_finds_the_same() -> None:
    game = Game.make(load_flowchart(str(ROOT / "games/agram.fcdl")), name="agram")
    first, second = (measured_page(measure(game, "7", QUICK)) for _ in range(2))
    assert first == second
    assert first != measured_page(measure(game, "8", QUICK))


def test_features_are_about_what_the_seat_sees() -> None:
    for path in CHARTS:
        game = Game.make(load_flowchart(str(path)), name=path.stem)
        for decision in decisions(game):
            for feature in (*decision.moves, *decision.situations):
                assert hidden_part(game.flowchart, feature.expr, ME) is None
                assert is_card_language(feature.phrase), feature.phrase


def _check(path: Path, effort: Effort) -> Measured:
    game = Game.make(load_flowchart(str(path)), name=path.stem)
    found = measure(game, "1", effort)
    for effect in found.effects:
        assert effect.low * effect.high > 0
        sentence = effect_sentence(found.game.flowchart, effect, found.unit, interval=False)
        assert is_card_language(sentence.replace("(", "").replace(")", "").removesuffix("."))
        assert "Always" not in heading(game, effect.decision)
    NativeEngine(game, policies=[found.policy]).play_games(5, 1, policies="measured")
    return found


@pytest.mark.parametrize("name", ["agram", "go_fish", "holdem", "whist", "golf"])
def test_sentences_have_no_chart_syntax(name: str) -> None:
    _check(ROOT / f"games/{name}.fcdl", Effort(150, 300_000, 20.0))


@pytest.mark.slow
@pytest.mark.parametrize("path", CHARTS, ids=lambda path: path.stem)
def test_every_chart_can_be_measured(path: Path) -> None:
    found = _check(path, Effort())
    assert found.effects or found.note


def test_the_measured_policy_beats_random_players() -> None:
    game = Game.make(load_flowchart(str(ROOT / "games/agram.fcdl")), name="agram")
    found = measure(game, "1", Effort(1000, 3_000_000, 60.0))
    engine = NativeEngine(game, policies=[found.policy])
    scores = engine.play_games(4000, 3, policies=["measured", None]).scores
    assert scores[:, 0].mean() > 0.55


def test_the_command_writes_a_page_or_json() -> None:
    path = str(ROOT / "games/agram.fcdl")
    arguments = ["heuristics", path, "--measured", "--seed", "1", "--decisions", "300"]
    page = CliRunner().invoke(main, arguments)
    assert page.exit_code == 0
    assert "is worth" in page.output
    result = CliRunner().invoke(main, [*arguments, "--json"])
    assert '"interval"' in result.output
    assert CliRunner().invoke(main, [*arguments, "--format", "asp"]).exit_code == 2


def test_the_page_in_the_docs_is_what_the_command_prints() -> None:
    text = (ROOT / "docs/heuristics.md").read_text()
    block = next(part for part in text.split("```") if part.startswith("\n$ fcdl heuristics trumps --measured"))
    command, printed = block.removeprefix("\n$ fcdl ").split("\n", 1)
    assert CliRunner().invoke(main, command.split()).output == printed


def test_the_layer_says_that_heuristics_are_measured_where_none_are_derived() -> None:
    game = _game(PARTNERS)
    layer = best_layer(game)
    assert layer.kind in ("derived", "measured")
    assert (layer.measured is not None) == (layer.kind == "measured")


def test_measuring_in_the_background_is_done_once() -> None:
    game = _game(ONE_SIDED.format(sign=">"))
    found = measured_soon(game) or measured_for(game)
    assert found is measured_for(game) is measured_soon(game)


def test_the_player_says_which_heuristics_speak_for_a_move() -> None:
    game = _game(ONE_SIDED.format(sign=">"))
    engine = NativeEngine(game)
    state = engine.start(RandomChance("3"))
    agent = make_agent("measured", game)
    assert isinstance(agent, Thinker)
    thought = agent.think(engine.observe(state, 0), engine.legal(state), random.Random(1))
    assert thought.reasons
    assert all("is worth" in reason for reason in thought.reasons)
    ranks = {move: game.flowchart.deck.cards_with_code(move.what)[0] % 13 for move in engine.legal(state)}
    assert ranks[thought.move] == max(ranks.values())


def test_ctrl_c_keeps_what_there_is() -> None:
    def stop(part: float) -> None:
        if part > 0.5:
            raise KeyboardInterrupt

    found = measure(_game(ONE_SIDED.format(sign=">")), "1", Effort(600, 1_000_000, 60.0), stop)
    assert found.interrupted
    assert found.effects
    assert found.note.startswith("Interrupted")


def test_playouts_by_heuristics_use_measured_ones_where_none_are_derived(monkeypatch: pytest.MonkeyPatch) -> None:
    game = _game(ONE_SIDED.format(sign=">"))
    assert not isinstance(tools("POLICIES")["heuristics"](game), MeasuredPolicy)
    monkeypatch.setattr("fcdl.heuristics.layers.heuristics_for", lambda game: Layer("none", None, "nothing to derive"))
    policy = tools("POLICIES")["heuristics"](game)
    assert isinstance(policy, MeasuredPolicy)
    assert policy.name == "heuristics"
    NativeEngine(game, policies=[policy]).play_games(5, 1, policies="heuristics")


def test_searching_players_can_use_what_was_measured() -> None:
    game = _game(ONE_SIDED.format(sign=">"))
    engine = NativeEngine(game)
    state = engine.start(RandomChance("3"))
    agent = make_agent("ismcts:iterations=50,simulation=measured", game)
    assert agent.choose(engine.observe(state, 0), engine.legal(state), random.Random(1)) in engine.legal(state)


def test_play_agrees_with_derived_heuristics_and_contradicts_them_turned_round() -> None:
    game = Game.make(load_flowchart("trumps"), name="trumps")
    layer = heuristics_for(game)
    assert layer.derived is not None
    turned = replace(
        layer.derived,
        heuristics=tuple(
            replace(one, weight=-one.weight, worth=Expr("const", Type.INT, value=-one.weight))
            for one in layer.derived.heuristics
            if one.weight is not None
        ),
    )
    measured = measure(game, "1", Effort(60, 100_000, 60.0))
    for derived, verdict in ((layer.derived, "agrees"), (turned, "contradicts")):
        compared = compare(derived, measured.aim, "1", 60.0)
        assert len(compared) == 8  # of 12; the other four never apply
        assert {one.verdict for one in compared} == {verdict}
        page = measured_page(measured, replace(layer, derived=derived), compared)
        assert ("Play says otherwise" in page) == (verdict == "contradicts")


def test_what_is_not_derived_is_said_with_its_reason() -> None:
    game = Game.make(load_flowchart(str(ROOT / "tests/charts/war.fcdl")), name="war")
    layer = heuristics_for(game)
    assert layer.derived is None
    assert "Nothing is derived from the rules: " in measured_page(measure(game, "1", QUICK), layer)


BLIND = """game "Blind"
players 2
chart main
    start
    Shuffle
    Deal(4)
    shuffle(pack)
    choose(player(0), place, numbers k in 1 to 4)
    {after}
    score(player(0)) = rankValue(top(pack))
    end
"""


def test_where_nothing_can_matter_it_says_so_by_trying_twice() -> None:
    found = measure(_game(BLIND.format(after="move(place - 1, pack, stack)")), "1", QUICK)
    assert not found.effects
    assert "makes no difference what you do" in found.note


def test_where_it_matters_but_nothing_says_how_no_difference_is_not_claimed() -> None:
    parity = "(place + sum(rankValue(c) for c in hand(player(0)))) % 2"  # known to the player, and in no words
    text = BLIND.format(after="seen = 0").replace("rankValue(top(pack))", parity)
    found = measure(_game(text), "1", QUICK)
    assert not found.effects
    assert "makes no difference" not in found.note


def test_a_search_that_had_no_time_ends_no_measuring(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine the time can be over before a single move was tried."""

    def late(*_: object) -> None:
        raise NoTimeError

    monkeypatch.setattr(Search, "flat", late)
    found = measure(Game.make(load_flowchart("trumps"), name="trumps"), "1", Effort(4, 1000, 0.3))
    assert not found.effects
    assert found.note
