"""`fcdl verify`: what holds in every game."""

from __future__ import annotations

from pathlib import Path

import click

from fcdl.cli.common import check_output, game_argument, json_option, print_json, write_output
from fcdl.cli.options import make_game, players_option, set_option


@click.command("verify")
@game_argument
@click.option(
    "--seconds",
    type=click.FloatRange(0.1),
    default=30.0,
    show_default=True,
    help="Take about this long, in seconds of processor time.",
)
@players_option
@set_option
@json_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File for records of the games that refute.")
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    seconds: float,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    as_json: bool,
    output: Path | None,
) -> None:
    """Prove what holds in every game of GAME, or refute it by a game.

    The answers are for every number of players (or for --players) and the options as they are set. Each is proved,
    refuted or not decided within the time. -o keeps the games that refute; open them with fcdl play --debug --replay.
    The exit code is 1 if something is refuted that makes a game go wrong.
    """
    from fcdl.model.record import to_line
    from fcdl.verify.answers import PROPERTIES, REFUTED, WRONG, answers

    check_output(output)
    first = make_game(game, players, settings)
    low, high = first.flowchart.players
    numbers = [players] if players is not None else list(range(low, high + 1))
    games = [make_game(game, number, settings) for number in numbers]
    found = []
    lines = []
    try:
        for answer in answers(games, seconds):
            found.append(answer)
            if answer.record is not None and answer.verdict == REFUTED:
                lines.append(to_line(answer.record, first.flowchart.deck) + "\n")
                place = f" (game {len(lines)})"
            else:
                place = ""
            if not as_json:
                colour = {"proved": "green", "refuted": "red"}.get(answer.verdict, "yellow")
                label = click.style(answer.verdict, fg=colour, bold=True)
                click.echo(f"{label}: {PROPERTIES[answer.property]}{place}\n    {answer.how}")
    finally:
        if as_json:
            print_json(
                [
                    {
                        "property": answer.property,
                        "says": PROPERTIES[answer.property],
                        "verdict": answer.verdict,
                        "how": answer.how,
                        "players": numbers,
                    }
                    for answer in found
                ]
            )
        if output is not None and lines:
            write_output("".join(lines), output)
    if any(answer.verdict == REFUTED and answer.property in WRONG for answer in found):
        ctx.exit(1)
