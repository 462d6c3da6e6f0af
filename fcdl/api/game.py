"""Games as Python programs use them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from fcdl import model
from fcdl.api.actions import Actions
from fcdl.api.state import EngineState, State
from fcdl.engines import make_engine
from fcdl.errors import FcdlError
from fcdl.language.diagnostics import ChartError, Finding
from fcdl.language.load import Checked, load_text
from fcdl.language.load import load as load_chart
from fcdl.model.engine import Engine
from fcdl.model.moves import PASS

if TYPE_CHECKING:
    from fcdl.agents import Agent
    from fcdl.engines.native.engine import NativeEngine, Playouts


def load(
    chart: str | Path, players: int | None = None, *, options: Mapping[str, str | int] | None = None, **more: str | int
) -> Game:
    """The game of a chart: a built-in name, a file, or the chart's text; `more` are options of the game.

    Raises ChartError with all findings if the chart has errors, GameError for players or options that it does not have.
    """
    checked = _checked(chart)
    if checked.flowchart is None:
        raise ChartError(checked.findings, checked.filename, checked.source)
    name = "game" if _is_text(chart) else Path(chart).stem
    return Game.make(checked.flowchart, name=name, players=players, options={**(options or {}), **more})


def check(chart: str | Path) -> list[Finding]:
    """Everything that is wrong with a chart (a built-in name, a file, or the chart's text), in order."""
    return _checked(chart).findings


def _checked(chart: str | Path) -> Checked:
    return load_text(str(chart)) if _is_text(chart) else load_chart(chart)


def _is_text(chart: str | Path) -> bool:
    return isinstance(chart, str) and "\n" in chart


@dataclass(frozen=True)
class Game(model.Game):
    """A chart with its players and options fixed: starts games, and answers what can be asked of the rules alone."""

    # --- playing

    def new(self, seed: int | None = None) -> State:
        """A new game at its first decision; the same seed gives the same game, None gives a new one each time."""
        seed = secrets.randbits(64) if seed is None else seed & (2**64 - 1)
        if self._native is None:
            return EngineState(self, seed)
        from fcdl.api.native import NativeState

        return NativeState.of(self, seed)

    @cached_property
    def engine(self) -> Engine:
        """What plays the game: the C engine, or clingo where that was not built."""
        return make_engine(self)

    @cached_property
    def _native(self) -> NativeEngine | None:
        return self.engine if hasattr(self.engine, "play_games") else None  # type: ignore[return-value]

    @property
    def native(self) -> NativeEngine:
        """The C engine; raises FcdlError where it was not built."""
        if self._native is None:
            raise FcdlError("this needs the native engine, which is not there")
        return self._native

    @cached_property
    def actions(self) -> Actions:
        """All moves of the game; a move's place in this table is its number."""
        return Actions(self)

    @cached_property
    def plain_numbers(self) -> bool:
        """Whether the C engine's number of a card to play is its number in the table of actions."""
        return self.flowchart.deck.copies == 1 and self.actions.first_pick > 0

    @cached_property
    def pass_number(self) -> int:
        """The number of `pass` in the table of actions."""
        return self.actions.number(PASS)

    # --- players

    def agent(self, text: str) -> Agent:
        """A computer player, written as on the command line (`ismcts:ms=100`); raises AgentError."""
        from fcdl.agents import make_agent

        return make_agent(text, self)

    # --- many games, and the rules themselves

    def playouts(self, count: int, seed: int = 0, *, threads: int = 1) -> Playouts:
        """Plays so many games at random in C: `scores` has a row for each; `moves` and `reasons` are summed up."""
        return self.native.play_games(count, seed, threads=threads)

    def draw(self, path: str | Path) -> None:
        """Draws the flowchart; the ending says what: .svg, .png, .dot (Graphviz), .mmd (Mermaid)."""
        from fcdl.drawing import FORMS, draw

        form = Path(path).suffix.lower().removeprefix(".")
        if form not in FORMS:
            raise ValueError(f"cannot draw '{path}'; it must end in one of: .{', .'.join(FORMS)}")
        Path(path).write_bytes(draw(self.flowchart, form))  # type: ignore[arg-type]
