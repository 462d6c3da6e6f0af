"""What the tests of the ASP engine share: charts from a few lines, games by random players, independent checks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from fcdl.engines.asp import AspEngine, AspState
from fcdl.language.load import load_flowchart, load_text
from fcdl.model import Chance, Game, RandomChance


def builtin(name: str, options: Mapping[str, str] | None = None, players: int | None = None) -> AspEngine:
    return AspEngine(Game.make(load_flowchart(name), name=name, players=players, options=options))


def chart(*lines: str, header: str = "", players: int | None = None) -> AspEngine:
    """An engine for a chart with these nodes between `start` and `end`."""
    source = "\n".join(['game "Test"', header, "chart main", "start", *lines, "end", ""])
    checked = load_text(source, form="fcdl")
    assert checked.flowchart is not None, [finding.message for finding in checked.findings]
    return AspEngine(Game.make(checked.flowchart, name="test", players=players))


def all_cards(engine: AspEngine, state: AspState) -> Counter[int]:
    """Every card and how often it lies somewhere."""
    cards: Counter[int] = Counter()
    for fact in state.position:
        if fact.name == "zone":
            cards.update(card.number for card in fact.arguments[1].arguments)
    return cards


def play(engine: AspEngine, seed: int, limit: int = 100_000) -> AspState:
    """A game between random players; after every move every card must be somewhere, once."""
    chance: Chance = RandomChance(seed)
    rng = random.Random(seed)
    expected = Counter(engine.game.cards)
    state = engine.start(chance)
    for _ in range(limit):
        if engine.mover(state) is None:
            break
        legal = engine.legal(state)
        assert legal
        assert len(set(legal)) == len(legal)
        move = rng.choice(legal)
        if move.kind == "play":
            hand = engine.cards(state, "hand", engine.mover(state))
            assert move.what in {engine.game.flowchart.deck.code(card) for card in hand}
        state = engine.apply(state, move, chance)
        assert all_cards(engine, state) == expected
    return state
