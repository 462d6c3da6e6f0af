"""`fcdl test`: is this game any good?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fcdl.cli.arena import interval, percent
from fcdl.cli.common import check_output, game_argument, json_option, print_json, write_output
from fcdl.cli.options import engine_option, make_game, players_option, seed_option, set_option
from fcdl.cli.runs import Places, chosen_seed, playing, run_options
from fcdl.cli.tables import console, table

if TYPE_CHECKING:
    from fcdl.arena.trial import Trial


@click.command("test")
@game_argument
@click.option("--games", type=click.IntRange(1), default=200, show_default=True, help="Games between random players.")
@click.option(
    "--strong-games",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="Games between good players, and again as many of one good player against random ones.",
)
@click.option("--strong", default="", help="The good player.  [default: ismcts:iterations=200]")
@click.option(
    "--seconds", type=click.FloatRange(0.1), default=60.0, show_default=True, help="Stop playing after this long."
)
@players_option
@set_option
@engine_option
@seed_option
@run_options
@json_option
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="File for records of the games that did not end properly."
)
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    games: int,
    strong_games: int,
    strong: str,
    seconds: float,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    engine: str,
    seed: str | None,
    places: Places,
    as_json: bool,
    output: Path | None,
) -> None:
    """Test GAME: does it end, is every seat treated fairly, does skill matter?

    Random and good players play it, and everything that looks like a mistake in the chart is listed with its line. The
    exit code is 1 if there are warnings. -o keeps records of games that did not end; open them with
    fcdl play --debug --replay. With --resume, a test that ran out of time goes on where it stopped.
    """
    from fcdl.arena.trial import PAYS_SECONDS, STRONG, Trial
    from fcdl.cli.progress import progress
    from fcdl.model.record import to_line

    check_output(output)
    chosen = make_game(game, players, settings)
    trial = Trial(chosen, chosen_seed(seed, places), strong or STRONG, engine)
    with playing(ctx, chosen, ("random", trial.strong.players[0]), trial.seed, places) as session:
        try:
            games_ = trial.run(games, strong_games, seconds, session.run)
            for setup, index, played in progress(games_, games + 2 * strong_games, "games"):
                session.note(setup, index, played, " v ".join(setup.agents))
            trial.measure(min(PAYS_SECONDS, seconds / 3))
        finally:
            result = session.result(trial.summary())
            if trial.random.games:
                if output is not None and trial.stuck:
                    lines = [to_line(stuck.record, chosen.flowchart.deck) + "\n" for stuck in trial.stuck]
                    write_output("".join(lines), output)
                if as_json:
                    print_json(result)
                else:
                    _print(trial, result, output)
    if any(finding["severity"] == "warning" for finding in result["findings"]):
        ctx.exit(1)


def _print(trial: Trial, result: dict[str, Any], output: Path | None) -> None:
    kinds = [kind for kind in ("random", "strong") if result[kind]["games"]]
    shown = table(f"{result['game']}, seed {result['seed']}", [""], [])
    for kind in kinds:
        shown.add_column(f"{kind} players", justify="right")
    rows: list[tuple[str, Any]] = [
        ("games", lambda one: str(one["games"])),
        ("ended properly", lambda one: str(one["reasons"].get("end", 0))),
        ("moves per game", lambda one: f"{one['moves_mean']:.1f} ({one['moves_min']} to {one['moves_max']})"),
        ("legal moves per decision", lambda one: f"{one['branching_mean']:.1f}"),
        ("ties", lambda one: str(one["ties"])),
        ("lead changes per game", lambda one: f"{one['lead_changes_mean']:.1f}"),
    ]
    for name, cell in rows:
        shown.add_row(name, *(cell(result[kind]) for kind in kinds))
    for seat in range(result["players"]):
        cells = [
            f"{percent(one['win_rate'][seat])} % ({interval(one['win_rate_wilson'][seat])}), score "
            f"{one['mean_score'][seat]:.1f}, {one['decisions_mean'][seat]:.1f} decisions"
            for one in (result[kind] for kind in kinds)
        ]
        shown.add_row(f"player {seat} wins", *cells)
    console().print(shown)
    skill = result["skill"]
    if skill["games"] and len(trial.game.sides) > 1:
        click.echo(
            f"Skill: {skill['agent']} wins {percent(skill['win_rate'])} % ({interval(skill['wilson'])}) of "
            f"{skill['games']} games against random players; {percent(skill['fair_share'])} % would be luck."
        )
    if trial.pays:
        click.echo("What pays, against random players:")
        for effect in trial.pays:
            click.echo(f"    line {effect['line']}: {effect['sentence']}")
    elif trial.pays_note:
        click.echo(f"What pays: {trial.pays_note}")
    if trial.out_of_time:
        click.echo("Time ran out before all games were played (--seconds).", err=True)
    for finding in result["findings"]:
        place = f"line {finding['line']}: " if finding["line"] is not None else ""
        colour = "yellow" if finding["severity"] == "warning" else "cyan"
        label = click.style(f"{finding['severity']}[{finding['code']}]", fg=colour, bold=True)
        click.echo(f"{label}: {place}{finding['message']}")
    if trial.stuck and output is not None:
        click.echo(f"To open the games that did not end properly: fcdl play GAME --debug --replay {output}", err=True)
    elif trial.stuck:
        click.echo("Use -o FILE to keep records of the games that did not end properly, for the debugger.", err=True)
    if not result["findings"]:
        click.echo("Nothing looks wrong.")
