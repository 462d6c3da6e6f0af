"""`fcdl learn`: a policy for a game, learned from games against itself."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fcdl.cli.common import check_output, game_argument, json_option, print_json
from fcdl.cli.options import make_game, players_option, seed_option, set_option
from fcdl.cli.runs import Places, chosen_seed, playing, repeated, run_options

if TYPE_CHECKING:
    from fcdl.model.game import Game


@click.command("learn")
@game_argument
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file.  [default: GAME.policy]")
@click.option("--minutes", type=click.FloatRange(min=0.01), help="Stop after about so many minutes.")
@click.option("--rounds", type=click.IntRange(1, 1000), default=8, show_default=True, help="Rounds, at most.")
@click.option(
    "--decisions",
    type=click.IntRange(400, 10_000_000),
    default=40_000,
    show_default=True,
    help="Decisions that are looked at in a round; in the first one two and a half times as many.",
)
@click.option(
    "--playouts", type=click.IntRange(1, 1000), default=8, show_default=True, help="Playouts for each legal move."
)
@click.option("--hidden", type=click.Choice(["32", "64", "128", "256"]), default="64", show_default=True,
              help="Hidden units of the network.")  # fmt: skip
@click.option(
    "--records",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Learn to play as in these recorded games instead (.jsonl, or .sgf of the Skat server; also packed, .gz).",
)
@click.option("--from", "start", type=click.Path(path_type=Path), help="Go on from the policy in this file.")
@players_option
@set_option
@seed_option
@run_options
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    output: Path | None,
    minutes: float | None,
    rounds: int,
    decisions: int,
    playouts: int,
    hidden: str,
    records: tuple[Path, ...],
    start: Path | None,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    seed: str | None,
    places: Places,
    as_json: bool,
) -> None:
    """Learn a policy: what each move is worth, from what the player sees.

    Round after round the policy plays against itself, tries the moves of some decisions, and learns what they bring.
    The file is written after every round, and every player takes it: 'policy:file=GAME.policy',
    'ismcts:policy=GAME.policy'. What was played is kept until the end, and --resume continues it.
    """
    from fcdl.learning.files import SUFFIX, read_policy
    from fcdl.learning.learn import Plan, learn

    made = make_game(game, players, settings)
    output = output or Path(f"{made.name}{SUFFIX}")
    check_output(output)
    seed = chosen_seed(seed, places)
    plan = Plan(rounds, decisions * 5 // 2, decisions, playouts, int(hidden), seed)
    if records:
        if start is not None:
            raise click.UsageError("--records and --from do not work together")
        _imitate(ctx, made, records, output, int(hidden), seed, as_json)
        return
    before = read_policy(start) if start is not None else None
    rows: list[dict[str, Any]] = []
    with playing(ctx, made, [], seed, places) as session:
        story = {"command": " ".join(["fcdl", *repeated(ctx, seed)])}
        try:
            for progress in learn(
                made,
                plan,
                pieces=session.run.pieces,
                minutes=minutes,
                made=story,
                start=before,
                tell=_Bar(rounds).show,
            ):
                progress.file.write(output)
                rows.append(
                    {
                        "round": progress.round + 1,
                        "unexplained": round(progress.unexplained, 3),
                        "wins": round(progress.wins, 3),
                        "ahead": round(progress.ahead, 2),
                    }
                )
                rival = "random moves" if progress.round == 0 and before is None else "the round before"
                click.echo(
                    f"\rround {progress.round + 1}: wins {progress.wins:.1%} against {rival} "
                    f"({progress.ahead:+.2f} points a game)",
                    err=True,
                )
        except KeyboardInterrupt:
            if rows:
                click.echo(f"\nfcdl: interrupted; {output} has the policy of round {len(rows)}", err=True)
            raise
        if as_json:
            print_json(session.result({"file": str(output), "rounds": rows}))
        else:
            click.echo(f"{output}: {output.stat().st_size // 1000} kB")


def _imitate(
    ctx: click.Context, game: Game, records: Sequence[Path], output: Path, hidden: int, seed: str, as_json: bool
) -> None:
    """Learns from recorded games, and says how well."""
    from fcdl.arena.replay import collected
    from fcdl.language.diagnostics import printable
    from fcdl.learning.imitation import imitate
    from fcdl.learning.records import Tally

    story = {"command": " ".join(["fcdl", *repeated(ctx, seed)])}
    found: list[Tally] = []

    def tell(tally: Tally) -> None:
        if not found:
            found.append(tally)
        if sys.stderr.isatty():
            click.echo(f"\r{tally}   ", err=True, nl=False)

    rows: list[dict[str, Any]] = []
    for learned in imitate(game, collected(records, game), hidden, seed, made=story, tell=tell):
        if not rows:
            click.echo(f"\r{found[0]}", err=True)
            for told in found[0].told:
                click.echo(f"  left out: {printable(told)}", err=True)
        learned.file.write(output)
        names = ("hits", "chance", "wins", "ahead")
        row = {name: None if (value := getattr(learned, name)) is None else round(value, 3) for name in names}
        rows.append({"round": learned.round + 1} | row)
        first = "" if learned.hits is None else f"first choice {learned.hits:.1%} of the time in games held out, "
        chance = "" if learned.chance is None else f"{learned.chance:.1%} by chance; "
        click.echo(f"round {learned.round + 1}: {first}{chance}wins {learned.wins:.1%} against random moves", err=True)
    if as_json:
        print_json({"file": str(output), "records": found[0].used, "left_out": found[0].bad, "rounds": rows})
    else:
        click.echo(f"{output}: {output.stat().st_size // 1000} kB")


class _Bar:
    """How far the round is, on one line of a terminal."""

    def __init__(self, rounds: int) -> None:
        self.rounds, self.told = rounds, ""

    def show(self, number: int, part: float) -> None:
        """Says it anew where it changed."""
        text = f"round {number + 1} of {self.rounds}: {part:.0%}"
        if text != self.told and sys.stderr.isatty():
            click.echo(f"\r{text}   ", err=True, nl=False)
        self.told = text
