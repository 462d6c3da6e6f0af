"""docs/games.md and its plots, made from what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fcdl.cli.common import write_output
from tests.games.figures import (
    LEAD_PLAYOUTS,
    RANDOM_GAMES,
    ROOT,
    SPEED_RUNS,
    SPREAD_PLAYOUTS,
    STRENGTH_GAMES,
    STRONG,
    Row,
    published,
)
from tests.games.notes import NOTES
from tests.games.plots import bars, boxes, cells, curve

PAGE = ROOT / "docs" / "games.md"
IMAGES = ROOT / "docs" / "images"

HEAD = f"""\
# The built-in games in figures

`python -m tests.games` measures the games in [`games/`](../games) and writes this page and its plots from
`docs/games.json` (`--page` measures nothing; a run can be stopped and goes on where it stopped). Times are processor
time on a busy machine of two cores, but *ms/move* is the time on the clock, beside the other work.

Beside ours are the published figures of Valet (arXiv 2603.03252), 21 games in RECYCLE played by CardStock
(`tests/data/valet.csv`). Games have as many players as there, and one deal, or as little more as the options of the
chart allow (the last column of the first table).

## The games

*Branching* is the mean number of legal moves, *length* the mean number of decisions, both of {RANDOM_GAMES} games of
random players. *Playouts* are whole random games a second of the native engine, compiled, on one thread (the best of
{SPEED_RUNS} short runs), *ASP* the milliseconds a decision takes when clingo plays by the rules in `asp/`.
"""
PLAYERS_HEAD = f"""
## Players

*First* is how often one `{STRONG}` among random players was first in {STRENGTH_GAMES} games (together with
others if they tie, as Valet counts), beside a random player's share. *p* is that of a t-test between its scores and a
random player's. Valet's player is MCTS with ten determinizations and 1,000 tests; the milliseconds are those of a whole
game with it.
"""
NOTES_HEAD = """
## Where they differ, and why
"""
PLOTS_HEAD = f"""
## Four plots

As in Valet's paper, made from our games.

*Branching*: the number of legal moves at a decision; box: quartiles, dot: mean (cut at 30).

![Branching](images/games-branching.svg)

*Lead history*: the chance that the later winner had, at each tenth of a random game, found by {LEAD_PLAYOUTS} random
games from there. Flat and then steep: open until the end.

![Lead history](images/games-leads.svg)

*Decision spread*: the best move's share of wins less the worst move's, by {SPREAD_PLAYOUTS} random games after each
move. At 0 the choice makes no difference to random players.

![Decision spread](images/games-spread.svg)

*Score distribution*: the scores of all seats in 2,000 random games, from the lowest to the highest.

![Score distribution](images/games-scores.svg)
"""


def write_page(rows: Mapping[str, Row]) -> None:
    """Writes the page and the pictures; only of games that have been measured in all parts."""
    whole = complete(rows)
    for name, picture in pictures(whole).items():
        write_output(picture, IMAGES / f"games-{name}.svg")
    write_output(page(whole), PAGE)


def complete(rows: Mapping[str, Row]) -> dict[str, Row]:
    """The games that have been measured in all parts."""
    parts = {"about", "random", "speed", "strength", "leads", "spread"}
    return {name: row for name, row in rows.items() if parts <= set(row)}


def pictures(rows: Mapping[str, Row]) -> dict[str, str]:
    """The four plots."""
    titles = {name: row["about"]["title"] for name, row in rows.items()}

    def of(part: str, *keys: str) -> dict[str, Any]:
        found = {}
        for name, row in rows.items():
            value = row[part]
            for key in keys:
                value = value[key]
            found[titles[name]] = value
        return found

    means, quartiles = of("random", "branching"), of("random", "branching_quantiles")
    spreads, middles = of("spread", "quantiles"), of("spread", "mean")
    return {
        "branching": boxes("Legal moves", {n: (quartiles[n], means[n]) for n in means}, [0, 5, 10, 15, 20, 25, 30]),
        "leads": cells("The chance of the later winner in the course of a game", of("leads", "curve"), curve),
        "spread": boxes(
            "Best less worst move (share of wins)",
            {n: (spreads[n], middles[n]) for n in middles},
            [0, 0.25, 0.5, 0.75, 1],
        ),
        "scores": cells("Scores of random players", of("random", "scores"), bars),
    }


def page(rows: Mapping[str, Row]) -> str:
    """The page."""
    parts = [HEAD, *_games(rows), PLAYERS_HEAD, *_players(rows), NOTES_HEAD, *_notes(rows), PLOTS_HEAD]
    return "\n".join(parts)


def _table(*lines: tuple[Any, ...]) -> Iterator[str]:
    head, *body = lines
    yield "| " + " | ".join(map(str, head)) + " |"
    yield "|" + "---|" * len(head)
    for line in body:
        yield "| " + " | ".join(map(str, line)) + " |"


def _link(name: str, row: Row) -> str:
    return f"[{row['about']['title']}](../games/{name}.fcdl)"


def _games(rows: Mapping[str, Row]) -> Iterator[str]:
    lines: list[tuple[Any, ...]] = [(
        "game", "genre", "lines", "boxes", "players", "branching", "Valet", "length", "Valet", "playouts/s",
        "ASP ms", "options",
    )]  # fmt: skip
    valet = published()
    for name, row in rows.items():
        chart, chance, theirs = row["about"], row["random"], valet.get(name, {})
        lines.append((
            _link(name, row), chart["genre"], chart["lines"], chart["nodes"], chart["seats"],
            f"{chance['branching']:.1f}", theirs.get("branching_mean_digitised", ""),
            f"{chance['length']:.0f}", theirs.get("decisions_random_plot", ""),
            f"{row['speed']['playouts']:,.0f}", f"{row['speed']['asp_ms']:.0f}",
            " ".join(f"{key}={value}" for key, value in chart["options"].items()),
        ))  # fmt: skip
    return _table(*lines)


def _players(rows: Mapping[str, Row]) -> Iterator[str]:
    lines: list[tuple[Any, ...]] = [(
        "game", "first", "random", "p", "ms/move", "ms/game", "Valet: first", "random", "p", "ms/game",
    )]  # fmt: skip
    valet = published()
    for name, row in rows.items():
        ours, theirs = row["strength"], valet.get(name)
        beside = ("", "", "", "")
        if theirs is not None:
            beside = (
                _percent(float(theirs["valet_mcts_rank1"])), _percent(float(theirs["valet_random_rank1"])),
                _p(float(theirs["ttest_p"])), f"{float(theirs['cardstock_ms_game_mcts']):,.0f}",
            )  # fmt: skip
        lines.append((
            _link(name, row), _percent(ours["first"]), _percent(row["random"]["first"]), _p(ours["p"]),
            f"{ours['ms_move']:.1f}", f"{ours['ms_game']:,.0f}", *beside,
        ))  # fmt: skip
    return _table(*lines)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}" if value < 0.01 else f"{value:.2f}"


def _notes(rows: Mapping[str, Row]) -> Iterator[str]:
    for name, row in rows.items():
        if name in NOTES:
            yield f"- **{row['about']['title']}**: {NOTES[name]}"
