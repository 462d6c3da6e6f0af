"""Games that the language was designed against and that are not built in: they can be said, and scores are right."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from fcdl.engines.asp import AspEngine
from fcdl.engines.stepping import SteppingEngine
from fcdl.language.diagnostics import Severity
from fcdl.language.load import load, load_flowchart
from fcdl.language.text import format_source
from fcdl.model import Game, RandomChance, Reason
from tests.engines.lockstep import play_in_lockstep

native = pytest.importorskip("fcdl.engines.native")

FOLDER = Path(__file__).parent / "design"
NAMES = sorted(path.stem for path in FOLDER.glob("*.fcdl"))
Zones = Mapping[str, Sequence[str]]


def make_game(name: str, **options: int) -> Game:
    return Game.make(load_flowchart(str(FOLDER / f"{name}.fcdl")), name=name, options=options)


@pytest.mark.parametrize("name", NAMES)
def test_chart_is_clean_and_formatted(name: str) -> None:
    path = FOLDER / f"{name}.fcdl"
    assert [item for item in load(str(path)).findings if item.severity is not Severity.NOTE] == []
    assert format_source(path.read_text(encoding="utf-8")) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_engines_agree(name: str) -> None:
    sets = {"handSize": 6} if name in ("big_two", "canasta") else {}  # the plain engines take long for many sets
    game = make_game(name, **sets)
    engine = native.NativeEngine(game)
    play_in_lockstep(engine, SteppingEngine(game), 1, max_moves=50)
    play_in_lockstep(engine, AspEngine(game), 1, max_moves=5)


def _hanabi(zones: Zones) -> list[int]:
    fireworks = [[int(card[0]) for card in cards] for zone, cards in zones.items() if zone.startswith("fireworks(")]
    assert all(sorted(cards) == list(range(1, len(cards) + 1)) for cards in fireworks)
    return [sum(map(len, fireworks))] * 2


def _lost_cities(zones: Zones) -> list[int]:
    scores = [0, 0]
    for zone, cards in zones.items():
        if zone.startswith("expedition(") and cards:
            values = [10 if card[0] == "T" else int(card[0]) for card in cards]
            assert sorted(values) in (values, values[::-1])
            scores[int(zone[len("expedition(")])] += sum(values) - 20 + 20 * (len(cards) >= 8)
    return scores


def _big_two(zones: Zones) -> list[int]:
    left = [len(zones[f"hand({seat})"]) for seat in range(4)]
    assert left.count(0) == 1
    return [-number if number else sum(left) for number in left]


def _canasta(zones: Zones) -> list[int]:
    worth = {"JO": 50, "2": 20, "A": 20, **dict.fromkeys("KQJT98", 10), **dict.fromkeys("34567", 5)}

    def points(cards: Sequence[str]) -> int:
        return sum(worth["JO"] if card.startswith("JO") else worth[card[0]] for card in cards)

    scores = [0, 0]
    for zone, cards in zones.items():
        if zone.startswith("meld(") and cards:
            natural = [card for card in cards if not card.startswith(("JO", "2"))]
            assert len({card[0] for card in natural}) == 1
            assert len(natural) > len(cards) - len(natural)
            scores[int(zone[len("meld(")])] += points(cards) + 300 * (len(cards) >= 7)
    for seat in range(4):
        scores[seat % 2] -= points(zones[f"hand({seat})"])
    return scores * 2


REFEREES: dict[str, Callable[[Zones], list[int]]] = {
    "big_two": _big_two,
    "canasta": _canasta,
    "hanabi": _hanabi,
    "lost_cities": _lost_cities,
}


@pytest.mark.parametrize("name", NAMES)
def test_random_games_end_properly_with_the_right_scores(name: str) -> None:
    engine = native.NativeEngine(make_game(name))
    for seed in range(15):
        chance, rng = RandomChance(seed), random.Random(seed)
        state = engine.start(chance)
        while engine.mover(state) is not None:
            state = engine.apply(state, rng.choice(engine.legal(state)), chance)
        outcome = engine.outcome(state)
        assert outcome is not None
        assert outcome.reason is Reason.END
        assert list(outcome.scores) == REFEREES[name](engine.zones(state))
