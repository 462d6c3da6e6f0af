"""The table of experiments, how figures are read, and docs/results.md, which is what the stored results give."""

from __future__ import annotations

import json
import random
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.agents.search import SearchAgent
from fcdl.arena.play import native_position
from fcdl.arena.plots import line_chart
from fcdl.arena.ranges import read_open
from fcdl.arena.run import JOURNAL
from fcdl.arena.simulate import split_agents
from fcdl.cli import main as fcdl_main
from fcdl.engines import make_engine
from fcdl.language.load import builtin_names
from fcdl.model import RandomChance
from tests.games.table import make_game
from tests.results.experiments import PROOFS, SECTIONS, Curve, Experiment, Figure, Measure, all_experiments, everything
from tests.results.measured import Number, between, draws, made, mean_score, of_games, rounded, score, wins
from tests.results.page import pages, verdict
from tests.results.players import KINDS, RandomDeal, ToldTree
from tests.results.run import FailedError, folder_of, is_due, load, result_of, run, save
from tests.results.variants import VARIANTS

ROOT = Path(__file__).parents[2]
EXPERIMENTS = all_experiments()

TINY = Experiment("tiny", "trumps", "random/random:", (2, 4), (Figure("games won", wins()),))


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_every_seat_of_an_experiment_has_an_agent(experiment: Experiment) -> None:
    names = split_agents(experiment.agents)
    assert experiment.game in builtin_names() or experiment.game.removesuffix(".fcdl") in VARIANTS
    if experiment.game in builtin_names():
        make_game(experiment.game, len(names))
    assert "--seed 1" in experiment.command(quick=True)
    assert experiment.games[0] < experiment.games[1]


def test_page_is_what_the_stored_results_give() -> None:
    """`python -m tests.results --page` writes it again."""
    for path, text in pages(load()).items():
        assert (ROOT / "docs" / path).read_text(encoding="utf-8") == text, path


def test_every_difference_is_explained() -> None:
    stored = load()
    played: list[Experiment | Measure] = [*EXPERIMENTS.values()]
    played += [measure for section in SECTIONS for measure in section.measures]
    for experiment in played:
        found = result_of(experiment, stored)
        if found is not None:
            verdicts = [verdict(figure, figure.ours(found["result"])) for figure in experiment.figures]
            assert experiment.note or not any("*" in word for word in verdicts), experiment.name


def test_stored_results_are_of_experiments_in_the_table() -> None:
    stored = load()
    table = everything()
    for name in stored:
        assert name in table
        assert result_of(table[name], stored) is not None, f"{name} was played with another command"
    assert str(Path.home()) not in json.dumps(stored)


def test_tests_that_are_said_to_prove_something_exist() -> None:
    for proof in PROOFS:
        path, _, name = proof.test.partition("::")
        assert (ROOT / path).exists()
        assert not name or f"def {name}" in (ROOT / path).read_text(encoding="utf-8")


def test_an_experiment_is_played_by_its_command_and_kept(tmp_path: Path) -> None:
    store = tmp_path / "results.json"
    assert load(store) == {}
    found = run(TINY, quick=True, under_way=tmp_path / "under way")
    assert not list((tmp_path / "under way").iterdir()), "it is finished"
    save({"tiny": found}, store)
    stored = load(store)
    assert shlex.split(stored["tiny"]["command"])[:3] == ["fcdl", "simulate", "trumps"]
    assert stored["tiny"]["result"]["games"] == 2
    assert not is_due(TINY, stored, quick=True)
    assert is_due(TINY, stored, quick=False)
    changed = Experiment("tiny", "trumps", "random:/random", (2, 4), TINY.figures)
    assert is_due(changed, stored, quick=True)


def test_an_experiment_that_was_stopped_goes_on(tmp_path: Path) -> None:
    words = shlex.split(TINY.command(True))[1:]
    invented = tmp_path / folder_of(TINY, True)
    CliRunner().invoke(fcdl_main, [*words, "--resume", str(invented)])
    journal = invented / JOURNAL
    head, games = map(json.loads, journal.read_text().splitlines())
    games["games"] = [[[100 + seat for seat in (0, 1)], *game[1:]] for game in games["games"]]
    journal.write_text(f"{json.dumps(head)}\n{json.dumps(games)}\n")
    found = run(TINY, quick=True, under_way=tmp_path)
    assert {row["mean_score"] for row in found["result"]["agents"]} == {100.5}, "the games are those of the journal"


def test_a_curve_is_played_by_its_command(tmp_path: Path) -> None:
    curve = Curve("tiny-curve", "Tiny", "trumps", "greedy:worlds=1|2", "random", (2, 4), "", "")
    found = run(curve, quick=True, under_way=tmp_path)
    assert [row["value"] for row in found["result"]["values"]] == ["1", "2"]
    assert {row["games"] for row in found["result"]["values"]} == {2}


def test_curves_name_agents_that_exist() -> None:
    for section in SECTIONS:
        for curve in section.curves:
            read_open(curve.agent).curve(9)


def test_an_experiment_that_cannot_be_played_says_why(tmp_path: Path) -> None:
    with pytest.raises(FailedError, match="unknown agent 'nobody'"):
        run(Experiment("bad", "trumps", "nobody/random", (1, 2), ()), quick=True, under_way=tmp_path)


def test_variants_can_be_played(tmp_path: Path) -> None:
    chart = Experiment("variant", "oh_hell_up_card.fcdl", "random/random", (1, 2), (), "--set firstHand=2")
    assert run(chart, quick=True, under_way=tmp_path)["result"]["game"] == "oh_hell_up_card"


def test_a_random_deal_keeps_own_cards_and_numbers_of_cards() -> None:
    game = make_game("hearts", options={"passing": "no"})
    player = KINDS["random_deal"].make(game, **parse_agent_values("random_deal:playouts=20"))
    assert isinstance(player, RandomDeal)
    engine = make_engine(game)
    chance = RandomChance(1)
    state = engine.start(chance)
    for _ in range(9):
        state = engine.apply(state, engine.legal(state)[0], chance)
    seat = engine.mover(state)
    assert seat is not None
    worlds, weights, _ = player._worlds(engine.observe(state, seat), engine.legal(state), None, 1)
    assert sum(weights) == pytest.approx(1)
    hands = [hands_of(player, world) for world in worlds]
    assert {frozenset(hand[seat]) for hand in hands} == {frozenset(hands_of(player, native_position(state))[seat])}
    assert {tuple(map(len, hand)) for hand in hands} == {tuple(map(len, hands[0]))}
    assert len({tuple(hand) for hand in hands}) == 20


def test_a_player_that_is_told_draws_knows_all_cards_but_the_first_ones() -> None:
    game = make_game("durak")
    player = KINDS["told_mcts"].make(game, **parse_agent_values("told_mcts:samples=10,limit=5"))
    assert isinstance(player, ToldTree)
    engine = make_engine(game)
    chance, dice = RandomChance(4), random.Random(4)
    state = engine.start(chance)
    first: frozenset[str] | None = None
    wrong = right = 0
    while (seat := engine.mover(state)) is not None:
        if seat == 0:
            true = hands_of(player, native_position(state))
            first = frozenset(true[1]) if first is None else first
            told = player.told(engine.observe(state, 0), native_position(state))
            worlds = player.beliefs.sample(told, 10, 1).positions
            drawn = set(true[1]) - first
            assert all(drawn <= set(hands_of(player, world)[1]) for world in worlds)
            right += len(drawn)
            wrong += any(set(hands_of(player, world)[1]) != set(true[1]) for world in worlds)
        state = engine.apply(state, dice.choice(engine.legal(state)), chance)
    assert right > 20
    assert wrong > 3


def parse_agent_values(text: str) -> dict[str, object]:
    """The parameters of a player of these experiments."""
    kind = KINDS[text.partition(":")[0]]
    values = {key: parameter.default for key, parameter in kind.parameters.items()}
    for item in text.partition(":")[2].split(","):
        key, _, value = item.partition("=")
        values[key] = kind.parameters[key].read(value)
    return values


def hands_of(player: SearchAgent, world: bytes) -> list[tuple[str, ...]]:
    zones = player.engine.zones(world)
    return [tuple(zones[f"hand({seat})"]) for seat in range(player.game.players)]


def row(agent: str, **more: float) -> dict[str, object]:
    return {"agent": agent, "win_rate": 0.5, "wilson": [0.4, 0.6], "mean_score": 50.0, "score_sd": 10.0} | more


def test_figures_are_read_from_results() -> None:
    result = {"agents": [row("a", ties=3), row("b", mean_score=60.0)] * 2, "games": 100, "confidence": 0.95}
    assert wins()(result) == Number(50, 40, 60, "%")
    assert score(1)(result).value == 60
    assert mean_score(result).value == 55
    assert draws(result).value == 3
    spread = 1.959964 * 10 / 10
    assert score(0, side=False)(result).low == pytest.approx(50 - spread)
    watched = {"agents": [row("a", x_mean=2, x_sd=1), row("b", x_mean=4, x_sd=1)] * 2, "games": 100, "confidence": 0.95}
    assert (made("x")(watched).value, made("x", 1)(watched).value) == (3, 4)
    sides = result | {"sides": [row("a"), row("b")]}
    assert score(0)(sides).low == pytest.approx(50 - spread / 2**0.5)


def test_verdicts_compare_intervals() -> None:
    assert verdict(Figure("", wins(), between(50, 54)), Number(53, 50, 56)) == "agrees"
    assert verdict(Figure("", wins(), between(50, 54)), Number(56, 53, 59)) == "overlaps"
    assert (
        verdict(Figure("", wins(), between(50.8, 54.3), level=50), Number(48.5, 45.5, 51.5))
        == "overlaps, **the other way**"
    )
    assert verdict(Figure("", wins(), between(50.8, 54.3), level=50), Number(60, 58, 62)) == "**differs**"
    assert (
        verdict(Figure("", wins(), between(50.8, 54.3), level=50), Number(40, 38, 42))
        == "**differs**, **the other way**"
    )
    assert verdict(Figure("", wins(), between(50, 54)), Number(57, 55, 59)) == "**differs**"
    assert verdict(Figure("", wins(), rounded(8.3)), Number(8.34, 8.34, 8.34)) == "agrees"
    assert verdict(Figure("", wins(), of_games(70, 40)), Number(80, 79, 81)) == "agrees"
    aims = [
        verdict(Figure("", wins(), aim=60), Number(*bounds)) for bounds in ((55, 51, 59), (59, 50, 70), (62, 59, 65))
    ]
    assert aims == ["**missed**", "open", "reached, not for sure"]
    assert verdict(Figure("", wins(), aim=60), Number(70, 61, 79)) == "reached"


def test_plot_shows_every_point_and_level() -> None:
    points = [(1.0, Number(70, 68, 72)), (20.0, Number(75, 74, 76))]
    picture = line_chart("A & B", "worlds", "%", points, [(73, "thesis")])
    assert picture.count('class="dot"') == 2
    assert picture.count('class="level"') == 1
    assert "A &amp; B" in picture


def test_all_sections_have_experiments() -> None:
    assert all(section.experiments or section.measures for section in SECTIONS)
