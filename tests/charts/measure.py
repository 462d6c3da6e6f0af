"""What is measured of one chart of the corpus, kept in docs/charts.json, and the page docs/charts.md made from it."""

from __future__ import annotations

import json
import random
import resource
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fcdl.agents.agent import make_agent
from fcdl.arena.play import play
from fcdl.arena.trial import Trial
from fcdl.beliefs.sampler import Beliefs
from fcdl.engines.native import NativeEngine
from fcdl.errors import FcdlError
from fcdl.heuristics import derive
from fcdl.heuristics.clock import WORK
from fcdl.heuristics.measured import Effort
from fcdl.heuristics.measured import measure as play_and_measure
from fcdl.heuristics.measured_words import measured_json
from fcdl.language.load import load
from fcdl.model import RandomChance
from tests.charts.corpus import NAMES, WITHOUT_DECISIONS, flowchart, make_game, path_of
from tests.games.some import SHORT

ROOT = Path(__file__).parents[2]
STORE = ROOT / "docs" / "charts.json"
PAGE = ROOT / "docs" / "charts.md"
STRONG = "ismcts:iterations=100"
WORLDS = 20
"""Worlds drawn at a decision."""
DECISIONS = 40
"""Decisions of seat 0 at which worlds are drawn, at most."""
RANDOM_GAMES = 200
SEED = "charts"
Row = dict[str, Any]


PARTS = ("chart", "worlds", "trial", "strength", "derived", "measured")
"""What is measured of a chart."""


def measure(name: str, games: int, seconds: float, parts: Sequence[str] = PARTS) -> Row:
    """These parts; each of those that take long has so many seconds."""
    found: dict[str, Callable[[], Row]] = {
        "chart": lambda: about(name),
        "worlds": lambda: worlds(name, seconds),
        "trial": lambda: trial(name),
        "strength": lambda: strength(name, games, seconds),
        "derived": lambda: derived(name),
        "measured": lambda: measured(name),
    }
    return {part: found[part]() for part in parts}


def about(name: str) -> Row:
    """How large a chart is, and what the checker says."""
    chart = flowchart(name)
    findings = Counter(item.code for item in load(str(path_of(name))).findings)
    return {
        "lines": len(path_of(name).read_text(encoding="utf-8").splitlines()),
        "nodes": len(chart.nodes),
        "players": list(chart.players),
        "findings": dict(sorted(findings.items())),
    }


def worlds(name: str, seconds: float) -> Row:
    """Worlds for every decision of seat 0 in a random game, as a player would ask for them."""
    engine = NativeEngine(make_game(name))
    beliefs, rng, chance = Beliefs(engine), random.Random(SEED), RandomChance(SEED)
    layers, times, sizes, failed = Counter[str](), list[float](), list[float](), list[str]()
    state, until = engine.start(chance), _cpu() + seconds
    while (mover := engine.mover(state)) is not None and len(times) < DECISIONS and _cpu() < until:
        if mover == 0:
            observation, before = engine.observe(state, 0), _cpu()
            try:
                found = beliefs.sample(observation, WORLDS, 1, engine.legal(state))
                layers[found.layer] += 1
                sizes.append(found.effective_size)
            except (FcdlError, ValueError) as error:
                failed.append(str(error))
            times.append(1000 * (_cpu() - before))
        state = engine.apply(state, rng.choice(engine.legal(state)), chance)
    return {
        "decisions": len(times),
        "layers": dict(sorted(layers.items())),
        "median_ms": statistics.median(times) if times else None,
        "worst_ms": max(times, default=None),
        "effective": statistics.median(sizes) if sizes else None,
        "failed": sorted(set(failed)),
        "failures": len(failed),
    }


def trial(name: str) -> Row:
    """What `fcdl test` finds out with random players."""
    tried = Trial(make_game(name), SEED)
    for _ in tried.run(RANDOM_GAMES, 0, 60):
        pass
    found = tried.summary()
    return {"random": found["random"], "findings": found["findings"]}


def strength(name: str, games: int, seconds: float) -> Row:
    """How often a player that searches, with all seats of a side, wins against random ones; ties are shared."""
    game = make_game(name, options=SHORT.get(name))
    engine, won, played = NativeEngine(game), 0.0, 0
    until = _cpu() + seconds
    while played < games and _cpu() < until and name not in WITHOUT_DECISIONS:
        side = game.sides[played % len(game.sides)]
        agents = [make_agent(STRONG if seat in side else "random", game) for seat in range(game.players)]
        winners = game.winning_sides(play(engine, agents, f"{SEED} {played}", SEED).scores)
        won += (side in winners) / len(winners)
        played += 1
    return {"games": played, "won": won, "fair": 1 / len(game.sides), "options": SHORT.get(name, {})}


def derived(name: str) -> Row:
    """Heuristics derived from the rules: how many, and how long it took; or why there are none."""
    before = _cpu()
    try:
        found = derive(make_game(name), work=WORK)
    except Exception as error:  # one chart must not end the run; the page says what went wrong
        return {"count": 0, "why": str(error) or repr(error), "seconds": _cpu() - before}
    return {"count": len(found.heuristics), "why": "", "seconds": _cpu() - before}


def measured(name: str) -> Row:
    """Heuristics measured by play: how many effects, how long it took, and the strongest in words."""
    before = _cpu()
    found = play_and_measure(make_game(name), SEED, Effort(seconds=60))  # enough for all decisions on a busy machine
    said = measured_json(found)["effects"]
    return {
        "count": len(found.effects),
        "why": found.note,
        "seconds": _cpu() - before,
        "sentence": said[0]["sentence"] if said else "",
    }


def _cpu() -> float:
    """Processor time of this process and of those it has waited for, in seconds."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def load_rows() -> dict[str, Row]:
    """What has been measured so far."""
    rows: dict[str, Row] = json.loads(STORE.read_text(encoding="utf-8")) if STORE.exists() else {}
    return {name: rows[name] for name in NAMES if name in rows}


def save_rows(rows: dict[str, Row]) -> None:
    """Keeps it, whole or not at all."""
    beside = STORE.with_suffix(".new")
    beside.write_text(json.dumps(rows, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(STORE)
