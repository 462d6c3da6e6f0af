"""Law's player (2013, 3.4): worlds, the rest of the cycle by minimax, heuristics for the cards left; and `greedy`."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fcdl.agents.agent import AgentKind, MoveValue, Parameter, Thought, at_random, one_of, whole
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from fcdl.heuristics.evaluation import Evaluation
    from fcdl.heuristics.layers import Layer
    from fcdl.heuristics.measured import MeasuredPolicy
    from fcdl.heuristics.policies import LookAhead

SAME = 1e-9
"""Values that differ by less are the same."""
REASONS = 3
"""How many heuristics are given as reasons, at most."""


class HyperheurAgent:
    """Plays the move with the best mean value over the worlds; without heuristics it is `greedy`."""

    clairvoyant = False

    def __init__(
        self, game: Game, *, worlds: int, weights: str, lines: int, heuristics: bool, **style: int | str
    ) -> None:
        from fcdl.beliefs.sampler import EQUAL, UNIFORM, Beliefs
        from fcdl.engines.native import NativeEngine
        from fcdl.heuristics.evaluation import Style
        from fcdl.heuristics.layers import heuristics_for
        from fcdl.heuristics.policies import GREEDY, HEURISTICS, evaluation_of

        self.worlds, self.lines = worlds, lines
        read = Style(**style)  # type: ignore[arg-type]
        self.evaluation = evaluation_of(game, HEURISTICS if heuristics else GREEDY, read)
        self.note = _note(heuristics_for(game), self.evaluation)
        """What it does instead where heuristics are missing; '' if none are."""
        self.engine = NativeEngine(game, functions=self.evaluation.functions, pauses=self.evaluation.pauses)
        self.compiled = self.evaluation.compiled(self.engine.program, self.engine.function_numbers)
        self.beliefs = Beliefs(self.engine, UNIFORM if weights == "hyperplay" else EQUAL)
        self._seen: bytes | None = None

    @property
    def has_heuristics(self) -> bool:
        """Whether it judges by heuristics, and not by random play for want of them."""
        return self.evaluation.derived is not None

    def peek(self, position: bytes) -> None:
        """The next choice is made for this position alone."""
        self._seen = position

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """The best move; any of the best if there are several."""
        if len(legal) == 1:
            self._seen = None
            return legal[0]
        try:
            return _best(legal, self._values(observation, legal, rng)[0], rng)
        except Exception as error:  # whatever it is, it must not end a game
            return at_random(legal, rng, error).move

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """The best move, with the values of all and the heuristics that made the difference."""
        try:
            return self._think(observation, legal, rng)
        except Exception as error:  # whatever it is, it must not end a game
            return at_random(legal, rng, error)

    def _think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        values, parts = self._values(observation, legal, rng, explain=True)
        move = legal[0] if len(legal) == 1 else _best(legal, values, rng)
        ranked = sorted(zip(legal, values, strict=True), key=lambda pair: -pair[1])
        valued = tuple(MoveValue(one, float(value)) for one, value in ranked)
        noted = [self.note] if self.note else []
        return Thought(move, valued, (*self._reasons(legal, values, parts, move), *noted))

    def _values(
        self, observation: Observation, legal: Sequence[Move], rng: random.Random, *, explain: bool = False
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The mean over the worlds of what the moves are worth, and of its parts (if these are wanted)."""
        import numpy as np

        seed = rng.getrandbits(63)
        positions: tuple[bytes, ...]
        if self._seen is not None:
            positions, weights = (self._seen,), np.ones(1)
            self._seen = None
        else:
            worlds = self.beliefs.sample(observation, self.worlds, seed, legal)
            positions, weights = worlds.positions, worlds.weights
        values = np.zeros((len(positions), len(legal)))
        parts = np.zeros((*values.shape, 1 + len(self.evaluation.cases))) if explain else None
        if self.engine.game.flowchart.deck.copies == 1:
            moves = self._numbers(positions[0], legal)
            self.compiled.values(b"".join(positions), moves, self.lines, seed, values, parts)
        else:  # which copy of a card I hold is not the same in all worlds
            for world, position in enumerate(positions):
                one = slice(world, world + 1)
                part = None if parts is None else parts[one]
                moves = self._numbers(position, legal)
                self.compiled.values(position, moves, self.lines, (seed + world) % 2**63, values[one], part)
        mean = weights @ values
        return mean, np.zeros((len(legal), 1)) if parts is None else np.tensordot(weights, parts, 1)

    def _numbers(self, position: bytes, legal: Sequence[Move]) -> bytes:
        """The engine's numbers of the legal moves in a world."""
        import numpy as np

        state = self.engine.state(position)
        numbers = {self.engine.move(state, number): number for number in self.engine.program.legal(position)}
        return np.array([numbers[move] for move in legal], np.int32).tobytes()

    def _reasons(
        self, legal: Sequence[Move], values: npt.NDArray[np.float64], parts: npt.NDArray[np.float64], move: Move
    ) -> list[str]:
        """Why the move is better than the best of the others that are not as good."""
        from fcdl.heuristics.words import sentence

        chosen = legal.index(move)
        worse = [index for index in range(len(legal)) if values[index] < values[chosen] - SAME]
        if not worse:
            return ["All moves are worth the same."] if len(legal) > 1 else []
        other = max(worse, key=lambda index: values[index])
        difference = parts[chosen] - parts[other]
        reasons = [f"{move} rather than {legal[other]}: {_signed(values[chosen] - values[other])}."]
        if abs(difference[0]) > SAME:
            reasons.append(f"{_signed(difference[0])} from what it wins at once.")
        ranked = sorted(range(1, len(difference)), key=lambda index: -abs(difference[index]))
        for index in ranked[:REASONS]:
            if abs(difference[index]) > SAME:
                heuristic, derived = self.evaluation.cases[index - 1].heuristic, self.evaluation.derived
                assert derived is not None
                reasons.append(f"{_signed(difference[index])} later: {sentence(derived, heuristic)}")
        return reasons


def _note(layer: Layer, evaluation: Evaluation) -> str:
    if evaluation.derived is None:
        why = layer.reason or "they are too large for the engine"
        return f"There are no heuristics for this game ({why}), so moves are judged by random play."
    if evaluation.left_out:
        return f"{evaluation.left_out} of the heuristics are too large for the engine and left out."
    return ""


def _evaluation(game: Game, name: str) -> Evaluation:
    from fcdl.heuristics.policies import evaluation_of

    return evaluation_of(game, name)


def _greedy_policy(game: Game) -> LookAhead:
    from fcdl.heuristics.policies import GREEDY, LookAhead

    return LookAhead(GREEDY, _evaluation(game, GREEDY))


def _heuristics_policy(game: Game) -> LookAhead | MeasuredPolicy:
    """By derived heuristics; by measured ones where none can be derived."""
    from fcdl.heuristics.layers import best_layer
    from fcdl.heuristics.policies import HEURISTICS, LookAhead

    measured = best_layer(game).measured
    if measured is not None:
        return replace(measured.policy, name=HEURISTICS)
    return LookAhead(HEURISTICS, _evaluation(game, HEURISTICS))


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")


def _best(legal: Sequence[Move], values: npt.NDArray[np.float64], rng: random.Random) -> Move:
    best = [move for move, value in zip(legal, values, strict=True) if value >= values.max() - SAME]
    return best[rng.randrange(len(best))]


def _hyperheur(game: Game, **parameters: int | str) -> HyperheurAgent:
    return HyperheurAgent(game, heuristics=True, **parameters)  # type: ignore[arg-type]


def _greedy(game: Game, **parameters: int | str) -> HyperheurAgent:
    return HyperheurAgent(game, heuristics=False, **parameters)  # type: ignore[arg-type]


_LOOKING: Mapping[str, Parameter] = {
    "worlds": Parameter(whole(1, 100_000), 20, "guesses at the hidden cards for each decision"),
    "weights": Parameter(
        one_of("hyperplay", "uniform"),
        "hyperplay",
        "hyperplay: a guess counts by how likely random players would have come to it; uniform: all count the same",
    ),
    "lines": Parameter(whole(1, 65_536), 100, "lines of play to look at for each move in each guess"),
    "depth": Parameter(whole(1, 100), 1, "cycles (tricks, rounds) to look ahead"),
}
_READING: Mapping[str, Parameter] = {
    "replies": Parameter(one_of("mean", "min"), "mean", "expect the others' average reply, or their worst"),
    "normalise": Parameter(
        one_of("shares", "instances"),
        "shares",
        "divide a card's value by the sum of 1 / (1 + count)² over its instances, or by their number",
    ),
    "leader": Parameter(
        one_of("any", "now"), "any", "any: it does not matter who leads; now: another leader counts as one change"
    ),
    "impossible": Parameter(
        one_of("drop", "keep"), "drop", "what to do with instances in which players play cards they cannot have"
    ),
}
_FEARED = Parameter(one_of("mean", "min"), "min", _READING["replies"].meaning)
POLICIES: Mapping[str, Callable[[Game], LookAhead | MeasuredPolicy]] = {
    "greedy": _greedy_policy,
    "heuristics": _heuristics_policy,
}
EVALUATIONS: Mapping[str, Callable[[Game], Evaluation]] = {"heuristics": lambda game: _evaluation(game, "heuristics")}
KINDS: Mapping[str, AgentKind] = {
    "greedy": AgentKind(
        _greedy, "plays the move that wins most in the current trick or round", {**_LOOKING, "replies": _FEARED}
    ),
    "hyperheur": AgentKind(
        _hyperheur,
        "like greedy, but also weighs what the cards it keeps are worth, by rules of thumb read off the chart",
        {**_LOOKING, **_READING},
    ),
}
