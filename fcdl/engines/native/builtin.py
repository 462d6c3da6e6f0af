"""The built-in games as C, for `setup.py`: needs no C extension, for there is none yet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from fcdl.engines.native.compiler import compile_game
from fcdl.engines.native.generator import c_source, library_source
from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model.game import Game


def write_sources(folder: Path) -> list[Path]:
    """Writes the sources of the library of all built-in games, for any number of players, with the usual options."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = dict(_sources())
    sources["library"] = library_source(sources)
    for name, text in sources.items():
        (folder / f"{name}.c").write_text(text, encoding="utf-8")
    return [folder / f"{name}.c" for name in sources]


def _sources() -> Iterator[tuple[str, str]]:
    """The C file of each game, and its name in the library."""
    for name in builtin_names():
        flowchart = load_flowchart(name)
        fewest, most = flowchart.players
        word = re.sub(r"\W", "_", name, flags=re.ASCII)
        for players in range(fewest, most + 1):
            game = Game.make(flowchart, name=name, players=players)
            identifier = f"game_{word}_{players}"
            yield identifier, c_source(compile_game(game), flowchart, identifier)
