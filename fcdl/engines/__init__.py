"""The engines: ASP, which is the meaning of the language, and native, which is its speed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fcdl.model import Engine, Game

if TYPE_CHECKING:
    from fcdl.engines.native import NativeEngine

ENGINES = ("auto", "compiled", "interpreter", "asp")
"""The native engine, with compiled code where there is some, everywhere, or nowhere; and ASP."""


def make_engine(game: Game, name: str = "auto") -> Engine:
    """The engine of this name; without the C extension, or for a chart too large for it, ASP takes over and says so.

    How the native engine runs programs holds for the whole process: for the players that search, too.
    """
    if name not in (*ENGINES, "native"):
        raise ValueError(f"unknown engine '{name}'; engines: {', '.join(ENGINES)}")
    if name != "asp":
        native = native_engine(game, name)
        if native is not None:
            return native
    from fcdl.engines.asp import asp_engine

    return asp_engine(game)


def native_engine(game: Game, name: str = "auto") -> NativeEngine | None:
    """The native engine, or None with one line on stderr that says why there is none."""
    try:
        from fcdl.engines.native import NativeEngine, libraries
        from fcdl.engines.native.assembler import TooLargeError
    except ImportError:
        print("fcdl: the native engine was not built here; using the slower ASP engine", file=sys.stderr)
        return None
    if name in ("compiled", "interpreter"):
        libraries.set_execution(name)
    try:
        engine = NativeEngine(game)
        engine.telling_program  # noqa: B018 - compiles
    except TooLargeError as error:
        print(f"fcdl: {error}; using the slower ASP engine", file=sys.stderr)
        return None
    if name == "compiled" and not engine.program.is_compiled:
        why = libraries.can_compile() or "compiling failed"
        print(f"fcdl: the chart is not compiled: {why}; using the interpreter", file=sys.stderr)
    return engine
