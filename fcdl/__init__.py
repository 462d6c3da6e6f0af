"""Card games as flowcharts: one chart, three executions.

`fcdl.load("hearts")` is a game; docs/api.md tells the rest. Names are imported when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from fcdl.agents import Agent, AgentError
    from fcdl.api.game import Game, check, load
    from fcdl.api.state import State
    from fcdl.errors import FcdlError
    from fcdl.language.diagnostics import ChartError, Finding
    from fcdl.language.load import builtin_names
    from fcdl.model import PASS, Event, GameError, IllegalMoveError, Move, MoveError, Observation, Outcome
    from fcdl.model.table import Table

_HOMES = {
    "load": "api.game",
    "check": "api.game",
    "builtin_names": "language.load",
    "Game": "api.game",
    "State": "api.state",
    "Move": "model",
    "PASS": "model",
    "Event": "model",
    "Observation": "model",
    "Outcome": "model",
    "Table": "model.table",
    "Agent": "agents",
    "Finding": "language.diagnostics",
    "FcdlError": "errors",
    "ChartError": "language.diagnostics",
    "GameError": "model",
    "MoveError": "model",
    "IllegalMoveError": "model",
    "AgentError": "agents",
}
"""Where each public name lives."""

__all__ = [  # noqa: RUF022 - from the outside in
    "load",
    "check",
    "builtin_names",
    "Game",
    "State",
    "Move",
    "PASS",
    "Event",
    "Observation",
    "Outcome",
    "Table",
    "Agent",
    "Finding",
    "FcdlError",
    "ChartError",
    "GameError",
    "MoveError",
    "IllegalMoveError",
    "AgentError",
]


def __getattr__(name: str) -> object:
    """Imports a public name."""
    if name not in _HOMES:
        raise AttributeError(f"module 'fcdl' has no attribute '{name}'")
    value: object = getattr(import_module(f"fcdl.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
