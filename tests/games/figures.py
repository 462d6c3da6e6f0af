"""What is measured of one built-in game, kept in docs/games.json; the page and the plots are made from it.

Every part of a game is kept with the hash of its chart, so a run can be stopped and goes on where it stopped, and a
chart that has changed is measured again.
"""

from __future__ import annotations

import csv
import json
import math
import random
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from fcdl.agents.agent import make_agent
from fcdl.arena.bench import Playouts
from fcdl.arena.play import play
from fcdl.data import data_text
from fcdl.engines.asp.bench import measure as measure_asp
from fcdl.engines.native import NativeEngine, libraries
from fcdl.engines.native.engine import State
from fcdl.language.load import builtin_names
from fcdl.model import RandomChance
from fcdl.model.game import Game
from tests.games.table import flowchart, make_game

ROOT = Path(__file__).parents[2]
STORE = ROOT / "docs" / "games.json"
PUBLISHED = ROOT / "tests" / "data" / "valet.csv"
STRONG = "ismcts:iterations=200"
SEED = "games"
STRENGTH_GAMES = 100
MORE_GAMES = {"cuckoo": 400, "eights": 400, "last_card": 400}
"""Where luck decides so much that 100 games do not tell players apart."""
RANDOM_GAMES = 300
SCORED_GAMES = 2000
SPEED_RUNS = 9
"""The best of so many short runs counts: on a machine with other work the others tell more of that work."""
LEAD_GAMES, LEAD_POINTS, LEAD_PLAYOUTS = 40, 11, 60
SPREAD_DECISIONS, SPREAD_PLAYOUTS = 60, 60
ASP_DECISIONS = 20
BINS = 24

Row = dict[str, Any]

VALET_NAMES = {"eights": "crazy_eights", "leduc_poker": "leduc"}
"""Where Valet calls a game otherwise; its Crazy Eights is not Law's."""
SEATS = {"cuckoo": 6, "eights": 3, "go_fish": 4, "golf": 4, "holdem": 2, "last_card": 4, "oh_hell": 4, "pitch": 4}
"""How many play, where Valet does not say it and it is not the fewest."""
ONE_DEAL: dict[str, dict[str, str | int]] = {
    "blackjack": {"deals": 1},
    "bridge": {"deals": 1},
    "cassino": {"deals": 1},
    "cribbage": {"target": 31},
    "cuckoo": {"lives": 1},
    "euchre": {"target": 1},
    "hearts": {"target": 0},
    "holdem": {"deals": 1},
    "klaverjassen": {"deals": 1},
    "koi_koi": {"deals": 1},
    "oh_hell": {"firstHand": 7, "rounds": "down"},
    "pinochle": {"target": 100},
    "pitch": {"deals": 1},
    "president": {"rounds": 1},
    "rummy_500": {"deals": 1},
    "scarto": {"deals": 1},
    "schnapsen": {"target": 1},
    "schwimmen": {"lives": 1},
    "scopa": {"target": 1},
    "spades": {"target": 100},
    "sueca": {"target": 1},
    "whist": {"target": 1},
}
"""One deal, or as little more as the options allow, as Valet plays them."""


def published() -> dict[str, dict[str, str]]:
    """Valet's figures by the names of our games."""
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        rows = {row["game"]: row for row in csv.DictReader(file)}
    names = {name: VALET_NAMES.get(name, name) for name in builtin_names()}
    return {name: rows[valet] for name, valet in names.items() if valet in rows and name != "crazy_eights"}


def game_of(name: str) -> Game:
    """A game with as many players as in Valet, if it is there, and of one deal."""
    chart = flowchart(name)
    valet = published().get(name)
    seats = int(valet["players"]) if valet else SEATS.get(name, chart.players[0])
    seats = min(max(seats, chart.players[0]), chart.players[1])
    options = {key: value for key, value in ONE_DEAL.get(name, {}).items() if key in chart.options}
    return make_game(name, seats, options)


# --- the parts -------------------------------------------------------------------------------------------------------


def about(name: str) -> Row:
    """How large the chart is, and how the game was set up."""
    game, chart = game_of(name), flowchart(name)
    return {
        "title": chart.title,
        "genre": chart.genre,
        "lines": len(data_text("games", f"{name}.fcdl").splitlines()),
        "nodes": chart.size,
        "seats": game.players,
        "options": {key: game.option_text(key) for key in ONE_DEAL.get(name, {}) if key in chart.options},
    }


def chance_games(name: str) -> Row:
    """Games of random players: choices, lengths, how often a seat is first, scores."""
    game = game_of(name)
    engine, rng = NativeEngine(game), random.Random(SEED)
    branching, lengths = list[int](), list[int]()
    for number in range(RANDOM_GAMES):
        choices = [len(legal) for _, legal in walk(engine, f"{SEED} {number}", rng)]
        branching += choices
        lengths.append(len(choices))
    scores = engine.play_games(SCORED_GAMES, 1).scores.tolist()
    firsts = sum(seat in winners(game, one) for one in scores for seat in range(game.players))
    return {
        "branching": statistics.fmean(branching),
        "branching_quantiles": quantiles(branching),
        "length": statistics.fmean(lengths),
        "length_range": [min(lengths), max(lengths)],
        "first": firsts / (SCORED_GAMES * game.players),
        "scores": histogram([score for one in scores for score in one]),
    }


def speed(name: str) -> Row:
    """Playouts a second of the native engine, compiled if possible, milliseconds a decision of the other."""
    before = libraries.execution()
    libraries.set_execution("compiled")
    engine = NativeEngine(game_of(name))
    playouts = Playouts(engine)
    rate = max(playouts.games() for _ in range(SPEED_RUNS))
    libraries.set_execution(before)
    return {
        "playouts": rate,
        "moves": max(playouts.moves() for _ in range(SPEED_RUNS)),
        "asp_ms": measure_asp(game_of(name), ASP_DECISIONS)["cpu_median_ms"],
    }


def strength(name: str) -> Row:
    """One player that searches among random ones: how often it is first, its scores, its time."""
    game = game_of(name)
    games = MORE_GAMES.get(name, STRENGTH_GAMES)
    engine, first, mine, others = NativeEngine(game), 0, list[int](), list[int]()
    begun, thinking, decided = time.process_time(), 0.0, 0
    for number in range(games):
        seat = number % game.players
        agents = [make_agent(STRONG if one == seat else "random", game) for one in range(game.players)]
        played = play(engine, agents, f"{SEED} {number}", SEED)
        first += seat in winners(game, played.scores)
        mine.append(played.scores[seat])
        others += [score for one, score in enumerate(played.scores) if one != seat]
        thinking += played.seconds[seat]
        decided += played.moves[seat]
    chance = engine.play_games(SCORED_GAMES, 2).scores[:, 0].tolist()
    return {
        "games": games,
        "first": first / games,
        "mean": statistics.fmean(mine),
        "random_mean": statistics.fmean(chance),
        "p": welch(mine, chance),
        "ms_game": 1000 * (time.process_time() - begun) / games,
        "ms_move": 1000 * thinking / max(1, decided),
    }


def leads(name: str) -> Row:
    """What the winners' chances were in the course of random games: the mean at every tenth of a game."""
    game = game_of(name)
    engine, rng = NativeEngine(game), random.Random(SEED)
    curves = []
    for number in range(LEAD_GAMES):
        states = [state for state, _ in walk(engine, f"{SEED} lead {number}", rng, end=True)]
        outcome = engine.outcome(states[-1])
        if len(states) < 2 or outcome is None:
            continue
        sides = game.winning_sides(outcome.scores)
        places = [round(point * (len(states) - 2) / (LEAD_POINTS - 1)) for point in range(LEAD_POINTS)]
        curves.append([wins(engine, states[place], number, LEAD_PLAYOUTS, sides[0][0]) for place in places])
    return {"curve": [statistics.fmean(column) for column in zip(*curves, strict=True)]} if curves else {"curve": []}


def spread(name: str) -> Row:
    """How much decisions matter: the best move's share of wins less the worst move's, by random games after them."""
    game = game_of(name)
    engine, rng = NativeEngine(game), random.Random(SEED)
    found: list[float] = []
    for number in range(SPREAD_DECISIONS):
        states = [(state, legal) for state, legal in walk(engine, f"{SEED} spread {number}", rng) if len(legal) > 1]
        if not states:
            continue
        state, legal = rng.choice(states)
        seat, chance = engine.mover(state), RandomChance(number)
        assert seat is not None
        moves = legal if len(legal) <= 8 else rng.sample(legal, 8)
        worth = [wins(engine, engine.apply(state, move, chance), number, SPREAD_PLAYOUTS, seat) for move in moves]
        found.append(max(worth) - min(worth))
    return {"mean": statistics.fmean(found) if found else 0.0, "quantiles": quantiles(found)}


PARTS: dict[str, Callable[[str], Row]] = {
    "about": about,
    "random": chance_games,
    "speed": speed,
    "strength": strength,
    "leads": leads,
    "spread": spread,
}


# --- helpers ---------------------------------------------------------------------------------------------------------


def walk(
    engine: NativeEngine, seed: str, rng: random.Random, *, end: bool = False
) -> Iterable[tuple[State, Sequence[Any]]]:
    """The positions of a random game with their moves; the last one, without any, if wanted."""
    chance = RandomChance(seed)
    state = engine.start(chance)
    while engine.mover(state) is not None:
        legal = engine.legal(state)
        yield state, legal
        state = engine.apply(state, rng.choice(legal), chance)
    if end:
        yield state, ()


def winners(game: Game, scores: Sequence[int]) -> set[int]:
    """The seats that are first; all of those that tie."""
    return {seat for side in game.winning_sides(scores) for seat in side}


def wins(engine: NativeEngine, state: State, seed: int, playouts: int, seat: int) -> float:
    """The share of random games from here that a seat wins; ties are shared."""
    scores = engine.playouts(state, playouts, seed).scores.tolist()
    won = 0.0
    for one in scores:
        sides = engine.game.winning_sides(one)
        won += any(seat in side for side in sides) / len(sides)
    return won / playouts


def quantiles(values: Sequence[float]) -> list[float]:
    """The lowest, the quartiles and the highest."""
    if len(values) < 2:
        return [0.0] * 5
    return [min(values), *statistics.quantiles(values, n=4, method="inclusive"), max(values)]


def histogram(values: Sequence[int]) -> Row:
    """How many of all values are in each of some equal steps."""
    low, high = min(values), max(values)
    counts = [0] * BINS
    for value in values:
        counts[min(BINS - 1, (value - low) * BINS // max(1, high - low))] += 1
    return {"low": low, "high": high, "shares": [round(count / len(values), 4) for count in counts]}


def welch(one: Sequence[float], two: Sequence[float]) -> float:
    """How likely means at least so different are by chance (t-test for unequal variances; large samples)."""
    error = math.sqrt(statistics.variance(one) / len(one) + statistics.variance(two) / len(two))
    difference = abs(statistics.fmean(one) - statistics.fmean(two))
    return math.erfc(difference / error / math.sqrt(2)) if error else float(difference == 0)


# --- what is kept ----------------------------------------------------------------------------------------------------


def load_rows() -> dict[str, Row]:
    """What has been measured so far, of the games that there are."""
    rows: dict[str, Row] = json.loads(STORE.read_text(encoding="utf-8")) if STORE.exists() else {}
    return {name: rows[name] for name in builtin_names() if name in rows}


def due(row: Row, name: str, again: bool, wanted: Sequence[str]) -> list[str]:
    """The parts of a game that are to be measured: new ones, and those of a chart that has changed since."""
    now = flowchart(name).hash[:12]
    return [part for part in wanted or PARTS if again or row.get(part, {}).get("hash") != now]


def keep(name: str, part: str, found: Row) -> None:
    """Keeps one part of one game, the file whole or not at all."""
    rows = load_rows()
    rows.setdefault(name, {})[part] = found | {"hash": flowchart(name).hash[:12]}
    beside = STORE.with_suffix(".new")
    beside.write_text(json.dumps(rows, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(STORE)
