"""A page about rows of games: who won how often, how strong the agents are, what scores and which seats."""

from __future__ import annotations

import csv
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from fcdl.arena.measures import CONFIDENCE, wilson
from fcdl.arena.plots import distribution_chart, row_chart
from fcdl.arena.rows import FORMS, RowsError
from fcdl.arena.sweep import Figure

NEEDED = ("match", "game", "seat", "agent", "score", "won", "moves", "ms", "reason")
ELO = 400 / math.log(10)
"""Points of a rating for each unit of strength: 400 are ten to one."""


@dataclass(frozen=True, slots=True)
class Row:
    """A seat of a game."""

    match: str
    game: int
    seat: int
    agent: str
    score: int
    won: float
    moves: int
    ms: float
    reason: str
    first: bool = False
    """Whether it had the first decision."""


def read_rows(path: Path) -> list[Row]:
    """The rows that `--rows` wrote; raises RowsError or OSError."""
    if path.suffix not in FORMS:
        raise RowsError(f"{path}: rows are .csv or .parquet (--rows writes them)")
    values: Iterable[Mapping[str, Any]]
    if path.suffix == ".csv":
        values = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    else:
        try:
            from pyarrow import parquet
        except ImportError:
            raise RowsError("Parquet needs pyarrow: pip install 'fcdl[frames]'") from None
        values = parquet.read_table(path).to_pylist()
    try:
        return [
            Row(str(value["match"]), int(value["game"]), int(value["seat"]), str(value["agent"]), int(value["score"]),
                float(value["won"]), int(value["moves"]), float(value["ms"]), str(value["reason"]),
                str(value.get("first")) == "True")
            for value in values
        ]  # fmt: skip
    except (KeyError, TypeError, ValueError):
        raise RowsError(f"{path}: not rows of fcdl (columns: {', '.join(NEEDED)})") from None


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong an agent is: points above the mean of all, and the standard error."""

    agent: str
    points: float
    error: float


def ratings(games: Sequence[Sequence[Row]]) -> list[Rating]:
    """Bradley-Terry ratings of a pool of agents, by who had the better share of each game, strongest first.

    Every two seats of a game with different agents are a comparison: the one with the larger share of the win won it,
    equal shares are half a win for each. Half a game drawn against everybody keeps those finite who won or lost
    everything. The comparisons of one game count as one over their number, so that tables of four are not four times as
    sure.
    """
    agents = sorted({row.agent for game in games for row in game})
    number = {agent: place for place, agent in enumerate(agents)}
    size = len(agents)
    won = [[0.0] * size for _ in agents]
    for game in games:
        pairs = [(one, two) for one in game for two in game if one.seat < two.seat and one.agent != two.agent]
        for one, two in pairs:
            share = 0.5 + (one.won > two.won) / 2 - (one.won < two.won) / 2
            won[number[one.agent]][number[two.agent]] += share / len(pairs)
            won[number[two.agent]][number[one.agent]] += (1 - share) / len(pairs)
    for place in range(size):
        for other in range(size):
            won[place][other] += 0.25 * (place != other)
    strength = [1.0] * size
    for _ in range(2000):
        after = []
        for place in range(size):
            total = sum(won[place])
            expected = sum(
                (won[place][other] + won[other][place]) / (strength[place] + strength[other])
                for other in range(size)
                if other != place
            )
            after.append(total / expected if expected else 1.0)
        mean = math.exp(sum(map(math.log, after)) / size)
        after = [value / mean for value in after]
        change = max(abs(math.log(new / old)) for new, old in zip(after, strength, strict=True))
        strength = after
        if change < 1e-9:
            break
    return sorted(
        (Rating(agent, ELO * math.log(strength[place]), ELO * error) for place, (agent, error) in
         enumerate(zip(agents, _errors(strength, won), strict=True))),
        key=lambda rating: -rating.points,
    )  # fmt: skip


def _errors(strength: Sequence[float], won: Sequence[Sequence[float]]) -> list[float]:
    """Standard errors of the logarithms, whose mean is zero, from the information matrix."""
    import numpy as np

    size = len(strength)
    if size < 2:
        return [0.0] * size
    information = np.zeros((size, size))
    for one in range(size):
        for two in range(size):
            if one != two:
                share = strength[one] / (strength[one] + strength[two])
                weight = (won[one][two] + won[two][one]) * share * (1 - share)
                information[one, one] += weight
                information[one, two] -= weight
    return [math.sqrt(max(0.0, value)) for value in np.diag(np.linalg.pinv(information))]


def by_game(rows: Sequence[Row]) -> list[list[Row]]:
    """The seats of each game together."""
    games: defaultdict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in rows:
        games[row.match, row.game].append(row)
    return list(games.values())


def shares(rows: Iterable[Row], key: str, confidence: float = CONFIDENCE) -> dict[str, tuple[Figure, int]]:
    """The share of games won, in percent, by agent or by seat, and how many seats that were."""
    groups: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        groups[str(getattr(row, key))].append(row.won)
    found = {}
    for name, won in sorted(groups.items()):
        low, high = wilson(sum(won), len(won), confidence)
        found[name] = (Figure(100 * sum(won) / len(won), 100 * low, 100 * high), len(won))
    return found


def report(rows: Sequence[Row], title: str, manifest: Mapping[str, Any] | None = None) -> str:
    """The page: HTML with its pictures inside, which needs nothing else."""
    games = by_game(rows)
    seats = max(len(game) for game in games)
    parts = [f"<h1>{escape(title)}</h1>", *_about(games, manifest)]
    won = dict(sorted(shares(rows, "agent").items(), key=lambda item: -item[1][0].value))
    level = 100 / seats
    parts += [
        "<h2>Games won</h2>",
        row_chart("Games won", "%", [(name, figure) for name, (figure, _) in won.items()], level),
    ]
    parts.append(
        _table(["agent", "seats played", "games won, %", "interval", "mean score", "ms a move"], _agents(rows, won))
    )
    if len(won) > 1:
        rated = ratings(games)
        figures = [
            (one.agent, Figure(one.points, one.points - 1.96 * one.error, one.points + 1.96 * one.error))
            for one in rated
        ]
        parts += [
            "<h2>Ratings</h2>",
            row_chart("Ratings", "points (400 are ten to one)", figures, 0.0),
            _table(
                ["agent", "rating", "standard error"],
                [[one.agent, _signed(one.points), f"{one.error:.0f}"] for one in rated],
            ),
            "<p>Bradley-Terry: from who did better in each game, whoever played whom. The mean of all agents is 0.</p>",
        ]
    if len({row.match for row in rows}) > 1:
        parts += ["<h2>Matches</h2>", *_matches(rows, list(won))]
    scores: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for row in rows:
        scores[row.agent][row.score] += 1
    parts += ["<h2>Scores</h2>", distribution_chart("Scores", "score at the end", scores)]
    places = shares(rows, "seat")
    parts += [
        "<h2>Seats</h2>",
        row_chart("Games won by seat", "%", [(f"seat {name}", figure) for name, (figure, _) in places.items()], level),
        _table(["agent", *(f"seat {seat}" for seat in range(seats))], _seats(rows, seats)),
        *_first(rows),
    ]
    style = (
        "body{font:16px/1.5 sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#222}"
        "table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}svg{max-width:100%;height:auto}"
        "td,th{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}"
        "td:first-child,th:first-child,.about td{text-align:left;white-space:normal;overflow-wrap:anywhere}"
        "td:first-child{min-width:12rem}.about td:first-child{min-width:5rem}"
    )
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style>\n" + "\n".join(parts) + "\n</html>\n"
    )


def _about(games: Sequence[Sequence[Row]], manifest: Mapping[str, Any] | None) -> Iterator[str]:
    odd = Counter(game[0].reason for game in games if game[0].reason != "end")
    ended = "".join(f" {count} did not end properly ({escape(reason)})." for reason, count in odd.items())
    yield f"<p>{len(games)} games.{ended}</p>"
    if manifest is not None:
        options = ", ".join(f"{name}={value}" for name, value in manifest.get("options", {}).items())
        yield _table(
            [],
            [
                ["game", f"{manifest.get('game')}, {manifest.get('players')} players"],
                ["options", options],
                ["command", f"fcdl {' '.join(manifest.get('command', ()))}"],
                ["version", f"fcdl {manifest.get('version')}, chart {str(manifest.get('chart'))[:12]}"],
                ["played", f"{manifest.get('started')} to {manifest.get('ended') or '?'}"],
            ],
            "about",
        )


def _agents(rows: Sequence[Row], won: Mapping[str, tuple[Figure, int]]) -> Iterator[list[str]]:
    for name, (figure, count) in won.items():
        mine = [row for row in rows if row.agent == name]
        moves = sum(row.moves for row in mine)
        score = sum(row.score for row in mine) / len(mine)
        time = sum(row.ms for row in mine) / moves if moves else 0.0
        yield [
            name,
            str(count),
            f"{figure.value:.1f}",
            f"{figure.low:.1f} to {figure.high:.1f}",
            f"{score:.2f}",
            f"{time:.2f}",
        ]


def _matches(rows: Sequence[Row], agents: Sequence[str]) -> Iterator[str]:
    """Every agent against every other, or, where matches are something else, match by match."""
    numbers = {agent: str(number) for number, agent in enumerate(agents, start=1)}
    cells: dict[tuple[str, str], str] = {}
    listed = []
    for match in dict.fromkeys(row.match for row in rows):
        found = shares([row for row in rows if row.match == match], "agent")
        texts = {
            name: (f"{figure.value:.1f}", f"{figure.low:.1f} to {figure.high:.1f}", str(count))
            for name, (figure, count) in found.items()
        }
        listed += [[match, name, *text] for name, text in texts.items()]
        if len(found) == 2:
            one, two = found
            cells[one, two], cells[two, one] = (f"{texts[name][0]} ({texts[name][1]})" for name in (one, two))
    if len(cells) < len(listed):
        yield _table(["match", "agent", "games won, %", "interval", "seats played"], listed)
        return
    yield "<p>Games won by the agent of the row against that of the column, in percent.</p>"
    lines = [[f"{numbers[one]}  {one}", *(cells.get((one, two), "") for two in agents)] for one in agents]
    yield _table(["", *numbers.values()], lines)


def _first(rows: Sequence[Row]) -> Iterator[str]:
    won = [row.won for row in rows if row.first]
    if won:
        low, high = wilson(sum(won), len(won))
        share = f"{100 * sum(won) / len(won):.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        yield f"<p>Whoever moved first won {share} of the games.</p>"


def _signed(number: float) -> str:
    return f"{number:+.0f}".replace("-", "\N{MINUS SIGN}")


def _seats(rows: Sequence[Row], seats: int) -> Iterator[list[str]]:
    for name in sorted({row.agent for row in rows}):
        mine = shares([row for row in rows if row.agent == name], "seat")
        cells = [mine.get(str(seat)) for seat in range(seats)]
        yield [
            name,
            *(f"{cell[0].value:.1f} % ({cell[0].low:.1f} to {cell[0].high:.1f})" if cell else "" for cell in cells),
        ]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    top = f"<tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr>\n" if head else ""
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<table class="{kind}">\n{top}{body}\n</table>'
