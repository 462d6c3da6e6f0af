"""The ASP engine: clingo plays any chart by the rules in `asp/*.lp`; the only home of clingo."""

from __future__ import annotations

from fcdl.engines.asp.engine import AspEngine, AspState
from fcdl.engines.asp.sandbox import AspLimitError, SandboxEngine
from fcdl.model import Engine, Game

__all__ = ["AspEngine", "AspLimitError", "AspState", "SandboxEngine", "asp_engine"]


def asp_engine(game: Game) -> Engine:
    """The ASP engine for a game: in this process for built-in charts, in a limited one of its own for all others."""
    from fcdl.language.load import builtin_names, load_flowchart

    if game.name in builtin_names() and load_flowchart(game.name).hash == game.flowchart.hash:
        return AspEngine(game)
    return SandboxEngine(game)
