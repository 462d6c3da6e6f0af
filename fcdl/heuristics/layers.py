"""Which heuristics a game has: derived from its rules, measured by play, or none; and why not the better ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from fcdl.heuristics.clock import WORK
from fcdl.heuristics.derive import Heuristics, derive
from fcdl.language.loops import OutsideError
from fcdl.model.game import Game

if TYPE_CHECKING:
    from fcdl.heuristics.measured import Measured

SECONDS = 10.0
"""Nobody waits longer than this, even where the machine is so slow that the work takes longer."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The best heuristics that a game has.

    `derived` or `measured` are there if the kind says so. `reason` is a sentence that says why there are no better
    ones ('' for derived ones) and `line` where in the chart, if it is one line's doing.
    """

    kind: Literal["derived", "measured", "none"]
    derived: Heuristics | None = None
    reason: str = ""
    line: int | None = None
    measured: Measured | None = None


_LAYERS: dict[tuple[object, ...], Layer] = {}


def heuristics_for(game: Game) -> Layer:
    """The best heuristics of a game, found once; this never raises and takes a few seconds at most."""
    key = game_key(game)
    if key not in _LAYERS:
        _LAYERS[key] = _find(game)
    return _LAYERS[key]


def best_layer(game: Game, *, wait: bool = True) -> Layer:
    """The best heuristics of a game, measured by a little play where none can be derived.

    Without `wait` that is done in the background, and until it is there the layer is `none`.
    """
    layer = heuristics_for(game)
    if layer.kind != "none":
        return layer
    try:
        from fcdl.heuristics.measured import measured_for, measured_soon
    except ImportError:
        return replace(layer, reason=f"{layer.reason}; the native engine, which could measure them, is not built here")
    found = measured_for(game) if wait else measured_soon(game)
    if found is None:
        return replace(layer, reason=f"{layer.reason}; they are being measured by play")
    if not found.effects:
        return replace(layer, reason=f"{layer.reason}; measured by play: {found.note}")
    return replace(layer, kind="measured", measured=found)


def game_key(game: Game) -> tuple[object, ...]:
    """What two games have in common that have the same heuristics."""
    return game.flowchart.hash, game.players, tuple(game.options.items())


def _find(game: Game) -> Layer:
    try:
        return Layer("derived", derive(game, work=WORK, seconds=SECONDS))
    except OutsideError as error:
        span = None if error.node is None else error.node.span
        return Layer("none", None, str(error), None if span is None else span.line)
    except (ArithmeticError, AssertionError, LookupError, MemoryError, RuntimeError, TypeError, ValueError) as error:
        # A fault of ours must not end somebody's game.
        return Layer("none", None, f"a fault of fcdl ({type(error).__name__}: {error})")
