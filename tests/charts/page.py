"""docs/charts.md, made from what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fcdl.arena.measures import wilson
from tests.charts.corpus import NAMES, flowchart, path_of
from tests.charts.measure import DECISIONS, RANDOM_GAMES, ROOT, STRONG, WORLDS, Row
from tests.games.some import SHORT

HEAD = f"""\
# Charts that fcdl was not made for

Games written from published rules with nothing but the [tutorial](tutorial.md) and the [language page](language.md) at
hand; most are built in by now, the others are in `tests/charts/`. Nothing in fcdl knows them: how it does on them is
how it does on your game. Each file says in its first lines whose rules it follows and where it differs; tests compare
the scores with referees in plain Python.

`python -m tests.charts` measures them and writes this page from `docs/charts.json` (`--page` measures nothing). Times
are processor time on a busy machine of two cores.

## The games

*Branching* is the mean number of legal moves, *length* the decisions in a game, both of {RANDOM_GAMES} games of random
players. *check* counts the notes of `fcdl check` (no chart has errors or warnings), *test* the findings of `fcdl test`
with random players.
"""
WORLDS_HEAD = f"""
## Worlds

{WORLDS} worlds for each decision of the first seat in a random game, up to {DECISIONS} decisions: how they were found
([layers](beliefs.md)), the time a decision takes at the median and at worst, the effective number of worlds at the
median, and at how many decisions there were none.
"""
PLAY_HEAD = f"""
## Players

*Wins* are those of `{STRONG}` with all seats of one side against random players (a tie is shared), with the
95 % interval of so few games, beside the *fair* share. Some games were shortened by options (below the table).
"""
HEURISTICS_HEAD = """
## Heuristics

How many heuristics `fcdl heuristics` derives from the rules, how many `fcdl heuristics --measured` finds by play, in
how many seconds each, and the strongest that was measured.
"""


def page(rows: Mapping[str, Row]) -> str:
    """The page."""
    parts = [HEAD, *_games(rows), WORLDS_HEAD, *_worlds(rows), PLAY_HEAD, *_players(rows), *_short()]
    return "\n".join([*parts, HEURISTICS_HEAD, *_heuristics(rows), ""])


def _table(*lines: tuple[Any, ...]) -> Iterator[str]:
    head, *body = lines
    yield "| " + " | ".join(map(str, head)) + " |"
    yield "|" + "---|" * len(head)
    for line in body:
        yield "| " + " | ".join(map(str, line)) + " |"


def _link(name: str) -> str:
    return f"[{flowchart(name).title}](../{path_of(name).relative_to(ROOT).as_posix()})"


def _games(rows: Mapping[str, Row]) -> Iterator[str]:
    lines: list[tuple[Any, ...]] = [("game", "lines", "boxes", "players", "branching", "length", "check", "test")]
    for name, row in rows.items():
        chart, played = row["chart"], row["trial"]["random"]
        low, high = chart["players"]
        lines.append((
            _link(name), chart["lines"], chart["nodes"], low if low == high else f"{low} to {high}",
            f"{played['branching_mean']:.1f}", f"{played['moves_mean']:.0f}",
            sum(chart["findings"].values()), len(row["trial"]["findings"]),
        ))  # fmt: skip
    return _table(*lines)


def _worlds(rows: Mapping[str, Row]) -> Iterator[str]:
    lines: list[tuple[Any, ...]] = [("game", "decisions", "layers", "median ms", "worst ms", "effective", "none")]
    for name, row in rows.items():
        found = row["worlds"]
        if not found["decisions"]:
            continue
        layers = ", ".join(f"{layer} {number}" for layer, number in found["layers"].items())
        effective = "" if found["effective"] is None else f"{found['effective']:.1f}"
        times = f"{found['median_ms']:.0f}", f"{found['worst_ms']:.0f}"
        lines.append((_link(name), found["decisions"], layers, *times, effective, found["failures"] or ""))
    return _table(*lines)


def _players(rows: Mapping[str, Row]) -> Iterator[str]:
    lines: list[tuple[Any, ...]] = [("game", "wins", "95 %", "fair", "games")]
    for name, row in rows.items():
        played = row["strength"]
        if played["games"]:
            low, high = wilson(played["won"], played["games"])
            share, interval = played["won"] / played["games"], f"{100 * low:.0f} to {100 * high:.0f}"
            lines.append(
                (_link(name), f"{100 * share:.0f} %", interval, f"{100 * played['fair']:.0f} %", played["games"])
            )
    return _table(*lines)


def _heuristics(rows: Mapping[str, Row]) -> Iterator[str]:
    lines: list[tuple[Any, ...]] = [("game", "derived", "s", "measured", "s", "the strongest")]
    for name, row in rows.items():
        derived, measured = row["derived"], row["measured"]
        found = [(one["count"] or "none", f"{one['seconds']:.1f}") for one in (derived, measured)]
        lines.append((_link(name), *found[0], *found[1], measured["sentence"] or measured["why"]))
    return _table(*lines)


def _short() -> Iterator[str]:
    options = {name: SHORT[name] for name in NAMES if name in SHORT}
    settings = (f"{name} {' '.join(f'{k}={v}' for k, v in chosen.items())}" for name, chosen in options.items())
    yield "\nShortened: " + ", ".join(settings) + "."
