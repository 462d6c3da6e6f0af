"""docs/results.md and its pictures, made from what was played."""

from __future__ import annotations

from collections.abc import Iterator

from fcdl.arena.plots import line_chart
from fcdl.arena.sweep import picture
from tests.results.experiments import PROOFS, SECTIONS, Curve, Experiment, Figure, Measure, Plot, Section
from tests.results.measured import Number
from tests.results.run import Stored, result_of

HEAD = """\
# Published results, and ours

`python -m tests.results` plays what is missing, with `-j` in several processes or with `--cluster` on
[other machines](experiments.md#more-than-one-machine), and writes this page from `docs/results.json` (`--quick` takes
an hour on one core, the full run many hours; what was killed goes on where it was; `--page` plays nothing). Do not
edit it.

Figures about playing strength in the theses are shown beside ours, with our interval (95 % unless stated), the
number of games, and the command that plays the same games again (except for players with a time limit instead of
a number of steps), or there is a sentence why not. Agreement is judged in two ways. *Agrees* means that one of the two
figures lies within the other's interval, *overlaps* only that the intervals meet, *differs* that they do not; where
the number of games was not published, the published figure counts as rounded. Where two players are compared,
*the other way* means that ours has another winner, whatever the intervals say. Differences are explained below each
table.
"""


def pages(stored: Stored) -> dict[str, str]:
    """All files, by their path inside docs/."""
    files = {
        "results.md": "\n".join(
            [HEAD, *_proofs(), *(line for section in SECTIONS for line in _section(section, stored))]
        )
    }
    for section in SECTIONS:
        for plot in section.plots:
            points = _points(plot, stored)
            if points:
                files[f"images/{plot.file}"] = line_chart(plot.title, plot.across, plot.up, points, plot.levels)
        for curve in section.curves:
            if (found := result_of(curve, stored)) is not None:
                result = found["result"]
                for drawn in curve.drawn:
                    heading = f"{section.title}: {curve.agent.partition(':')[0]} against {curve.against}"
                    files[_file(curve, drawn)] = picture(heading, result["parameter"], result["values"], drawn)
    return files


def _file(curve: Curve, drawn: str) -> str:
    return f"images/{curve.name}{'' if drawn == curve.drawn[0] else f'-{drawn}'}.svg"


def _section(section: Section, stored: Stored) -> Iterator[str]:
    yield f"\n## {section.title}\n"
    yield f"{section.words}\n"
    yield "| | | published | ours | interval | games | |"
    yield "|---|---|---|---|---|---|---|"
    commands, notes = [], []
    played: list[Experiment | Measure] = [*section.experiments, *section.measures]
    for number, experiment in enumerate(played, start=1):
        yield from _rows(number, experiment, stored)
        commands.append(f"{number:>2}  {_command(experiment, stored)}")
        if experiment.note:
            notes.append(f"- ({number}) {experiment.note}")
    yield ""
    if notes:
        yield "Why ours differ:\n"
        yield from notes
        yield ""
    yield "```\n" + "\n".join(commands) + "\n```\n"
    for plot in section.plots:
        yield from _plot(plot, stored)
    for curve in section.curves:
        yield from _curve(curve, stored)


def _rows(number: int, experiment: Experiment | Measure, stored: Stored) -> Iterator[str]:
    found = result_of(experiment, stored)
    for place, figure in enumerate(experiment.figures):
        cells = [str(number) if place == 0 else "", figure.what, _published(figure)]
        if found is None:
            cells += ["not played yet", "", "", ""]
        else:
            ours = figure.ours(found["result"])
            cells += [
                _text(ours),
                _bounds(ours),
                f"{found['result']['games']:,}" if place == 0 else "",
                verdict(figure, ours),
            ]
        yield f"| {' | '.join(cells)} |"


def verdict(figure: Figure, ours: Number) -> str:
    """Whether ours agrees with what was published, or reaches its aim."""
    if figure.published is not None:
        word = (
            "agrees"
            if ours.agrees_with(figure.published)
            else "overlaps"
            if ours.overlaps(figure.published)
            else "**differs**"
        )
        if figure.level is None or _direction(ours, figure.level) == _direction(figure.published, figure.level):
            return word
        return f"{word}, **the other way**"
    if figure.aim is not None:
        if ours.high < figure.aim:
            return "**missed**"
        return "reached" if ours.low >= figure.aim else "reached, not for sure" if ours.value >= figure.aim else "open"
    return ""


def _direction(number: Number, level: float) -> bool:
    return number.value > level


def _published(figure: Figure) -> str:
    if figure.published is not None:
        number = figure.published
        return number.said or f"{number.value:g} {number.unit}".strip()
    return f"aim: {figure.aim:g} %" if figure.aim is not None else ""


def _text(number: Number) -> str:
    return f"{number.value:.{_digits(number)}f} {number.unit}".strip()


def _digits(number: Number) -> int:
    return 2 if abs(number.value) < 10 else 1


def _bounds(number: Number) -> str:
    digits = _digits(number)
    return f"{number.low:.{digits}f} to {number.high:.{digits}f}" if number.has_interval else ""


def _command(experiment: Experiment | Curve | Measure, stored: Stored) -> str:
    found = result_of(experiment, stored)
    return found["command"] if found is not None else experiment.command(False)


def _points(plot: Plot, stored: Stored) -> list[tuple[float, Number]]:
    played = ((x, experiment, result_of(experiment, stored)) for x, experiment in plot.points)
    return [(x, experiment.figures[0].ours(found["result"])) for x, experiment, found in played if found is not None]


def _plot(plot: Plot, stored: Stored) -> Iterator[str]:
    points = _points(plot, stored)
    if not points:
        yield f"{plot.title}: not played yet.\n"
        return
    yield f"![{plot.title}](images/{plot.file})\n"
    figures = ", ".join(f"{x:g}: {number.value:.1f}" for x, number in points)
    first = plot.points[0][1]
    yield f"{plot.words} Ours, in percent: {figures}. The games of the first point: `{_command(first, stored)}`.\n"


def _curve(curve: Curve, stored: Stored) -> Iterator[str]:
    yield f"**{curve.title}.** {curve.words}\n"
    found = result_of(curve, stored)
    if found is None:
        yield "Not played yet.\n"
    else:
        result = found["result"]
        rows = result["values"]
        lines = [
            [result["parameter"], *(row["value"] for row in rows)],
            ["---"] * (len(rows) + 1),
            ["games won, %", *(f"{100 * row['win_rate']:.1f}" for row in rows)],
            ["95 %", *(" to ".join(f"{100 * bound:.0f}" for bound in row["wilson"]) for row in rows)],
        ]
        if "score" in curve.drawn:
            lines.append(["points", *(f"{row['mean_score']:.1f}" for row in rows)])
            lines.append(["95 %", *(" to ".join(f"{bound:.1f}" for bound in row["score_interval"]) for row in rows)])
        lines.append(["ms a move", *(f"{row['ms_per_move']:.2f}" for row in rows)])
        yield from (f"| {' | '.join(line)} |" for line in lines)
        yield ""
        yield " ".join(f"![{curve.title}]({_file(curve, drawn)})" for drawn in curve.drawn) + "\n"
    yield f"```\n{_command(curve, stored)}\n```\n"


def _proofs() -> Iterator[str]:
    yield "\n## Proved by tests\n"
    yield "| | published | ours | test |"
    yield "|---|---|---|---|"
    for proof in PROOFS:
        yield f"| {proof.what} | {proof.published} | {proof.ours} | `{proof.test}` |"
