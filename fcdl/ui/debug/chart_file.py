"""The file of the chart that is debugged: what it says, whether that has changed, and what stayed the same in it."""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path

from fcdl.language.diagnostics import ChartError
from fcdl.language.flowchart import Flowchart
from fcdl.language.load import Checked, load
from fcdl.model.game import Game


class ChartFile:
    """A chart by its name, and how it becomes a game with the players and options that were asked for."""

    def __init__(self, name: str, make_game: Callable[[Flowchart], Game]) -> None:
        self.name = name
        self._make_game = make_game
        self._path = Path(name) if Path(name).is_file() else None
        self._stamp = self._now()

    def read(self) -> Checked:
        """What the file says now."""
        self._stamp = self._now()
        return load(self._path or self.name)

    def game(self, checked: Checked) -> Game:
        """The game of a chart; raises ChartError or GameError."""
        if checked.flowchart is None:
            raise ChartError(checked.findings, checked.filename, checked.source)
        return self._make_game(checked.flowchart)

    def has_changed(self) -> bool:
        """Whether the file is another one than when it was last read; a built-in game never is."""
        return self._now() != self._stamp

    def _now(self) -> tuple[int, int, int] | None:
        try:
            status = self._path.stat() if self._path is not None else None
        except OSError:
            return None
        return (status.st_mtime_ns, status.st_size, status.st_ino) if status is not None else None


def same_nodes(old: Flowchart, new: Flowchart) -> dict[int, int]:
    """For nodes of an old chart those of a new one that took their places: the same, or one that was changed."""
    same: dict[int, int] = {}
    for name in old.charts.keys() & new.charts.keys():
        before, after = old.charts[name].nodes, new.charts[name].nodes
        captions = [old.nodes[number].caption for number in before], [new.nodes[number].caption for number in after]
        for _, i, i_end, j, j_end in SequenceMatcher(None, *captions, autojunk=False).get_opcodes():
            if i_end - i == j_end - j:
                same.update(zip(before[i:i_end], after[j:j_end], strict=True))
    return same
