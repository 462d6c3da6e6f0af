"""The engines: ASP, which is the meaning of the language, and native, which is its speed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fcdl.model import Engine, Game

if TYPE_CHECKING:
    from fcdl.engines.native import NativeEngine

ENGINES = ("native", "asp")


def make_engine(game: Game, name: str = "native") -> Engine:
    """The engine of this name; without the C extension, or for a chart too large for it, ASP takes over and says so."""
    if name not in ENGINES:
        raise ValueError(f"unknown engine '{name}'; engines: {', '.join(ENGINES)}")
    if name == "native":
        native = native_engine(game)
        if native is not None:
            return native
    from fcdl.engines.asp import asp_engine

    return asp_engine(game)


def native_engine(game: Game) -> NativeEngine | None:
    """The native engine, or None with one line on stderr that says why there is none."""
    try:
        from fcdl.engines.native import NativeEngine
        from fcdl.engines.native.assembler import TooLargeError
    except ImportError as error:
        print(f"fcdl: the native engine is not there ({error}); using the slower ASP engine", file=sys.stderr)
        return None
    try:
        engine = NativeEngine(game)
        engine.telling_program  # noqa: B018 - compiles
    except TooLargeError as error:
        print(f"fcdl: {error}; using the slower ASP engine", file=sys.stderr)
        return None
    return engine
