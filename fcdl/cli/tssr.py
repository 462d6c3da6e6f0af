"""`fcdl tssr`: how good a policy is as a model of the others, by the true state sampling ratio."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcdl.cli.arena import confidence_option, interval_name
from fcdl.cli.common import check_output, game_argument, json_option, print_json, write_output
from fcdl.cli.options import make_game, model_option, players_option, seed_option, set_option
from fcdl.cli.runs import Places, chosen_seed, playing, work_options
from fcdl.cli.tables import console, table

if TYPE_CHECKING:
    from fcdl.arena.tssr import Measured, Row, Study

FORMS = (".csv", ".svg")
MOST_ROWS = 16
"""Steps of cards that have been played are made so wide that a group has no more rows."""


@click.command("tssr")
@game_argument
@model_option(required=True)
@click.option("--games", "number", type=click.IntRange(1), default=20, show_default=True, help="Number of games.")
@click.option("--agents", help="Who plays: a/b/c, or one for all seats. Default: everybody plays by the model.")
@click.option("--by", multiple=True, metavar="VARIABLE", help="Group by what everybody sees: a variable, or seat.")
@click.option(
    "--worlds", type=click.IntRange(10, 1_000_000), default=1000, show_default=True, help="Worlds for each decision."
)
@click.option("--decisions", type=click.IntRange(1), help="So many decisions of a game, at random. Default: all.")
@confidence_option
@players_option
@set_option
@seed_option
@work_options
@json_option
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Write all decisions as .csv, or a curve as .svg."
)
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    model: str,
    number: int,
    agents: str | None,
    by: tuple[str, ...],
    worlds: int,
    decisions: int | None,
    confidence: float,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    seed: str | None,
    places: Places,
    as_json: bool,
    output: Path | None,
) -> None:
    """Measure how many times likelier a model of the others makes the true hidden cards than chance does (TSSR).

    1 is no better than chance. The mean is what is usually published; the geometric mean does not depend on a few large
    ratios. Intervals are by bootstrap over games. An interrupted run prints the figures so far, and --resume goes on.
    """
    from fcdl.arena.executors import Failure
    from fcdl.arena.simulate import split_agents
    from fcdl.arena.tssr import Study
    from fcdl.cli.progress import Bar

    if output is not None and output.suffix not in FORMS:
        raise click.UsageError(f"-o: the file is written as {' or '.join(FORMS)}")
    check_output(output)
    chosen = make_game(game, players, settings)
    names = split_agents(agents) if agents is not None else ()
    names = names * chosen.players if len(names) == 1 else names
    study = Study(chosen, model, names, chosen_seed(seed, places), worlds, by, decisions)
    study.worker()  # what is wrong is said before anything is played
    found: list[Sequence[Measured]] = []
    with playing(ctx, chosen, names or (model,), study.seed, places) as session:
        bar = Bar()
        bar.start("games", number)
        try:
            for index, piece in session.run.pieces(study, range(number)):
                bar.advance()
                if isinstance(piece, Failure):
                    click.echo(f"fcdl: game {index}: {piece.error}", err=True)
                    continue
                session.run.games += 1
                found.append(piece)
        finally:
            bar.stop()
            if any(found):
                rows = _rows(study, found, confidence)
                if as_json:
                    print_json(session.result(_result(study, rows)))
                else:
                    _print(study, rows, confidence)
                if output is not None:
                    write_output(_csv(study, found) if output.suffix == ".csv" else _curve(study, rows), output)


def _rows(study: Study, found: Sequence[Sequence[Measured]], confidence: float) -> list[Row]:
    """The figures, trick by trick where there are not too many."""
    from fcdl.arena.tssr import rows

    most = max((one.cards or 0 for game in found for one in game), default=0)
    width = study.game.players
    while most // width >= MOST_ROWS:
        width *= 2
    return rows(study, found, width, confidence)


def _result(study: Study, rows: Sequence[Row]) -> dict[str, object]:
    return {
        "game": study.game.name,
        "model": study.model,
        "agents": list(study.agents) or None,
        "seed": study.seed,
        "worlds": study.worlds,
        "rows": [row.summary(study.by) for row in rows],
    }


def _cards(row: Row) -> str:
    if row.before:
        return "before the first"
    return "any" if row.cards is None else f"{row.cards[0]}-{row.cards[1]}"


def _print(study: Study, rows: Sequence[Row], confidence: float) -> None:
    who = f"between {'/'.join(study.agents)}" if study.agents else "by the model"
    title = f"{study.game.name}: true state sampling ratio of {study.model}, {rows[0].games} games {who}"
    bounds = interval_name({"confidence": confidence})
    words = [*study.by, "cards played"]
    shown = table(
        f"{title}, {study.worlds} worlds, seed {study.seed}", words, ("TSSR", bounds, "geometric", bounds, "decisions")
    )
    for row in rows:
        low, high = row.interval
        shown.add_row(
            *row.groups, _cards(row), f"{row.mean:.2f}", f"{low:.2f}-{high:.2f}", f"{row.geometric:.2f}",
            "{:.2f}-{:.2f}".format(*row.geometric_interval), str(row.decisions),
        )  # fmt: skip
    console().print(shown)


def _csv(study: Study, found: Sequence[Sequence[Measured]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("game", *study.by, "cards", "tssr", "worlds", "exact"))
    for index, game in enumerate(found):
        for one in game:
            cells = ("" if one.cards is None else one.cards, one.ratio, one.worlds, int(one.exact))
            writer.writerow((index, *one.groups, *cells))
    return text.getvalue()


def _curve(study: Study, rows: Sequence[Row]) -> str:
    """The geometric mean by cards played, of all groups together."""
    from fcdl.arena.plots import STEPS, line_chart
    from fcdl.arena.sweep import Figure

    points = [
        (float(row.cards[0]), Figure(row.geometric, *row.geometric_interval))
        for row in rows
        if row.cards is not None and row.groups == rows[0].groups
    ] or [(0.0, Figure(rows[0].geometric, *rows[0].geometric_interval))]
    heading = f"{study.game.flowchart.title}: worlds by {study.model}"
    return line_chart(heading, "cards played", "TSSR (geometric)", points, ((1.0, "chance"),), STEPS[0])
