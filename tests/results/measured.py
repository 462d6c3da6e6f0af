"""Figures read from the JSON of `fcdl simulate`, each with its interval, and figures that were published."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fcdl.arena.measures import wilson

Result = Mapping[str, Any]
"""What `fcdl simulate --json` prints."""


@dataclass(frozen=True, slots=True)
class Number:
    """A figure with the bounds between which it may well lie; without bounds it is exact."""

    value: float
    low: float
    high: float
    unit: str = ""
    said: str = ""
    """How it was published, if the value does not say it."""

    @property
    def has_interval(self) -> bool:
        """Whether it is not exact."""
        return self.low < self.high

    def agrees_with(self, other: Number) -> bool:
        """Whether one of the figures lies within the interval of the other."""
        return self.low <= other.value <= self.high or other.low <= self.value <= other.high

    def overlaps(self, other: Number) -> bool:
        """Whether the intervals meet, if no more."""
        return self.low <= other.high and other.low <= self.high


Reader = Callable[[Result], Number]


def _interval(mean: float, deviation: float, count: int, confidence: float, unit: str = "") -> Number:
    spread = statistics.NormalDist().inv_cdf((1 + confidence) / 2) * deviation / math.sqrt(max(1, count))
    return Number(mean, mean - spread, mean + spread, unit)


def _row(result: Result, number: int, side: bool) -> Mapping[str, Any]:
    row: Mapping[str, Any] = (result.get("sides", result["agents"]) if side else result["agents"])[number]
    return row


def wins(number: int = 0, *, side: bool = True) -> Reader:
    """Games won, in percent, by a side or by one agent."""

    def read(result: Result) -> Number:
        row = _row(result, number, side)
        low, high = row["wilson"]
        return Number(100 * row["win_rate"], 100 * low, 100 * high, "%")

    return read


def lead(result: Result) -> Number:
    """How many percentage points the first side won more than the second; the interval takes both as independent."""
    first, second = wins()(result), wins(1)(result)
    value = first.value - second.value
    spread = math.hypot(first.high - first.low, second.high - second.low) / 2
    return Number(value, value - spread, value + spread, "%")


def score(number: int = 0, *, side: bool = True) -> Reader:
    """The mean score of a side or of one agent."""

    def read(result: Result) -> Number:
        row = _row(result, number, side)
        seats = sum(agent["agent"] == row["agent"] for agent in result["agents"]) if side else 1
        return _interval(row["mean_score"], row["score_sd"], seats * result["games"], result["confidence"])

    return read


def mean_score(result: Result) -> Number:
    """The mean score of all agents."""
    rows = result["agents"]
    mean = statistics.fmean(row["mean_score"] for row in rows)
    deviation = math.sqrt(statistics.fmean(row["score_sd"] ** 2 for row in rows))
    return _interval(mean, deviation, len(rows) * result["games"], result["confidence"])


def made(name: str, number: int | None = None) -> Reader:
    """The mean of something that was watched for each player: of a side, or of all."""

    def read(result: Result) -> Number:
        rows = result["agents"] if number is None else [_row(result, number, side=True)]
        count = sum(row["agent"] in {one["agent"] for one in rows} for row in result["agents"]) * result["games"]
        mean = statistics.fmean(row[f"{name}_mean"] for row in rows)
        spread = math.sqrt(statistics.fmean(row[f"{name}_sd"] ** 2 for row in rows))
        return _interval(mean, spread, count, result["confidence"])

    return read


def deviation(result: Result) -> Number:
    """The standard deviation of all scores."""
    value = math.sqrt(statistics.fmean(row["score_sd"] ** 2 for row in result["agents"]))
    return Number(value, value, value)


def extreme(which: str) -> Reader:
    """The lowest or the highest score of all."""

    def read(result: Result) -> Number:
        value = (min if which == "score_min" else max)(row[which] for row in result["agents"])
        return Number(value, value, value)

    return read


def first_mover(result: Result) -> Number:
    """Games won by whoever had the first decision, in percent."""
    row = result["first_mover"]
    low, high = row["wilson"]
    return Number(100 * row["win_rate"], 100 * low, 100 * high, "%")


def draws(result: Result) -> Number:
    """Games without a single winner, in percent."""
    ties = result["agents"][0]["ties"]
    low, high = wilson(ties, result["games"], result["confidence"])
    return Number(100 * ties / result["games"], 100 * low, 100 * high, "%")


def plies(result: Result) -> Number:
    """Decisions a game at which there was something to decide; not those where one can only pass."""
    every = _interval(result["moves_mean"], result["moves_sd"], result["games"], result["confidence"])
    forced = result["forced_passes_mean"]
    return Number(every.value - forced, every.low - forced, every.high - forced)


def watched(name: str) -> Reader:
    """The mean of a variable at the end of the games."""

    def read(result: Result) -> Number:
        values = result["watched"][name]
        return _interval(values["mean"], values["sd"], result["games"], result["confidence"])

    return read


def plies_for_each(name: str) -> Reader:
    """Plies of all games divided by the sum of a variable at their ends."""

    def read(result: Result) -> Number:
        value = plies(result).value / result["watched"][name]["mean"]
        return Number(value, value, value)

    return read


def branching(result: Result) -> Number:
    """The geometric mean of the number of legal moves, passes not counted."""
    value = result["branching_without_pass"]
    return Number(value, value, value)


def time_for_a_move(number: int = 0) -> Reader:
    """Milliseconds that a side took for a move, on the machine that played."""

    def read(result: Result) -> Number:
        value = _row(result, number, side=True)["ms_per_move"]
        return Number(value, value, value, "ms")

    return read


# --- Skat


def contracts(name: str, of_kind: str = "") -> Reader:
    """A figure of `tests.results.contracts`: a share in percent, of all games or of a kind of contract, or points."""

    def read(result: Result) -> Number:
        (row,) = result["rows"]
        if name == "tournament_points":
            mean, half = row[name], row["tournament_points_half"]
            return Number(mean, mean - half, mean + half)
        if of_kind == "won":
            kind = row["kinds"][name]
            low, high = kind["interval"]
            return Number(100 * (kind["won"] or 0.0), 100 * low, 100 * high, "%")
        share = row["kinds"][name]["share"] if of_kind else row[name]
        low, high = wilson(share * row["deals"], row["deals"])
        return Number(100 * share, 100 * low, 100 * high, "%")

    return read


def card_play(kind: str, name: str) -> Reader:
    """A figure of `tests.results.cardplay`."""

    def read(result: Result) -> Number:
        found = next(row for row in result["rows"] if row["kind"] == kind)[name]
        return Number(found["mean"], found["mean"] - found["half"], found["mean"] + found["half"])

    return read


def pair_share(result: Result) -> Number:
    """The games that the first of two agents won in a tournament, in percent."""
    pair = result["pairs"][0]
    low, high = pair["wilson"]
    return Number(100 * pair["win_rate"], 100 * low, 100 * high, "%")


def pair_score(number: int) -> Reader:
    """The mean score of one of two agents in a tournament."""

    def read(result: Result) -> Number:
        value = result["pairs"][0]["mean_scores"][number]
        return Number(value, value, value)

    return read


# --- what was published


def roughly(value: float, spread: float) -> Number:
    """A share that was given roughly."""
    return Number(value, value - spread, value + spread, "%", f"about {value:g} %")


def near(value: float, spread: float) -> Number:
    """A mean whose deviation was not given; it may be so much off."""
    return Number(value, value - spread, value + spread)


def worded(said: str, low: float, high: float) -> Number:
    """A figure that was given in words: it lies between two."""
    return Number((low + high) / 2, low, high, said=said)


def rounded(value: float, unit: str = "") -> Number:
    """A figure that is right but for what was left out in rounding."""
    half = 0.5 * 10 ** -len(f"{value:g}".partition(".")[2])
    return Number(value, value - half, value + half, unit)


def of_scores(mean: float, deviation: float, count: int) -> Number:
    """The mean of so many scores, rounded, whose deviation was not given and is taken to be as ours."""
    exact = _interval(mean, deviation, count, 0.95)
    return Number(mean, exact.low - 0.5, exact.high + 0.5)


def of_games(percent: float, games: int) -> Number:
    """A share of so many games, with the Wilson interval that belongs to it."""
    low, high = wilson(percent / 100 * games, games)
    return Number(percent, 100 * low, 100 * high, "%")


def between(low: float, high: float) -> Number:
    """An interval that was published without its middle."""
    return Number((low + high) / 2, low, high, "%", f"{low:g} to {high:g} %")
