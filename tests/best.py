"""`python -m tests.best GAME...`: measures which `ismcts` is strongest in a game, and writes the row of `best`.

Candidates play against plain `ismcts` with the same milliseconds for each move, on mirrored deals and in all seats. The
one that won most is measured again on other deals, so that what is written down was not picked for its luck; if its
interval is above one half, it becomes the game's row in `fcdl/agents/best.json`. It lives with the tests because it
writes into the package. What was played is kept, and the same command continues.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

import fcdl.agents.best
from fcdl.agents.agent import make_agent
from fcdl.agents.best import PLAIN, TABLE, Row, rows
from fcdl.arena.executors import executor
from fcdl.arena.run import Journal, Manifest, Run, write_json
from fcdl.arena.simulate import Counting, Setup
from fcdl.arena.tournament import Schedule, Tournament
from fcdl.cli.options import make_game, players_option, set_option
from fcdl.data import cache_folder
from fcdl.errors import FcdlError
from fcdl.language.load import builtin_names
from fcdl.model.game import Game
from tests.games.some import SHORT

CANDIDATES = (
    "policy=learned",
    "policy=learned,until=12",
    "policy=learned,infer=learned",
    "prior=learned",
    "simulation=learned",
    "infer=learned",
    "policy=measured",
    "prior=measured",
    "simulation=measured",
    "curiosity=0.3",
)
"""Parameters of `ismcts`; a game that has no such policy leaves them out."""
SEED, OTHER_DEALS = "best", "best, other deals"


def usable(candidates: Sequence[str], game: Game) -> Iterator[str]:
    """The candidates that can play a game."""
    for candidate in candidates:
        try:
            make_agent(f"{PLAIN}:{candidate}", game)
        except FcdlError as error:
            click.echo(f"  {candidate}: left out, {error}")
        else:
            yield candidate


class Measuring:
    """Candidates against plain `ismcts` in one game."""

    def __init__(self, game: Game, ms: int, run: Run) -> None:
        self.game, self.ms, self.run = game, ms, run

    def match(self, candidate: str, games: int, seed: str) -> dict[str, Any]:
        """So many games; the figures are the candidate's."""
        agents = (f"{PLAIN}:ms={self.ms},{candidate}", f"{PLAIN}:ms={self.ms}")
        setup = Setup(self.game, "auto", agents, seed, mirror=True)
        tournament = Tournament(setup, Schedule(games, games, Counting(0.95, "share")))
        for _ in tournament.play(self.run):
            pass
        (pair,) = tournament.summary()["pairs"]
        low, high = pair["wilson"]
        points = pair["paired_scores"]["mean_difference"] * (-1 if self.game.flowchart.lowest_wins else 1)
        click.echo(
            f"  {candidate}: {pair['win_rate']:.1%} ({low:.1%} to {high:.1%}) of {pair['games']} games, "
            f"{points:+.2f} points a game (p = {pair['paired_scores']['p']:.3f})"
        )
        return dict(pair)

    def strongest(self, candidates: Sequence[str], games: int, confirming: int, command: str) -> Row | None:
        """The row of the game; None if nothing is stronger than plain `ismcts`."""
        found = {candidate: self.match(candidate, games, SEED) for candidate in candidates}
        promising = {candidate: pair for candidate, pair in found.items() if pair["win_rate"] > pair["fair_share"]}
        if not promising:
            return None
        best = max(promising, key=lambda candidate: float(promising[candidate]["win_rate"]))
        click.echo("  again, on other deals:")
        pair = self.match(best, confirming, OTHER_DEALS)
        low, high = pair["wilson"]
        if low <= pair["fair_share"]:
            return None
        return Row(
            self.game.name, self.ms, best, pair["win_rate"], (low, high), pair["games"], command, self.game.players
        )


def save(game: Game, ms: int, row: Row | None) -> None:
    """Writes a row, or that there is none, in the place of those of the same game and time, of older charts, too."""
    same = (game.name, ms, game.players)
    kept = {
        chart: [old for old in found if (old.game, old.ms, old.players or game.players) != same]
        for chart, found in rows().items()
    }
    if row is not None:
        kept.setdefault(game.flowchart.hash, []).append(row)
    table = {chart: [asdict(one) for one in found] for chart, found in sorted(kept.items()) if found}
    write_json(Path(fcdl.agents.best.__file__).with_name(TABLE), table)
    rows.cache_clear()


@click.command()
@click.argument("games", nargs=-1, metavar="GAME...", required=True)
@click.option("--ms", type=click.IntRange(1), default=100, show_default=True, help="Milliseconds for each move.")
@click.option("--games", "number", type=click.IntRange(2), default=60, show_default=True, help="For each candidate.")
@click.option("--confirm", type=click.IntRange(2), default=200, show_default=True, help="Games of the best candidate.")
@click.option("--candidate", "candidates", multiple=True, help="Parameters of ismcts, instead of the usual ones.")
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--dry", is_flag=True, help="Write no row.")
@players_option
@set_option
def main(
    games: tuple[str, ...],
    ms: int,
    number: int,
    confirm: int,
    candidates: tuple[str, ...],
    jobs: int,
    dry: bool,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
) -> None:
    """Measure which ismcts is strongest in these games, and write their rows of `best`."""
    for name in games:
        options = settings or tuple((key, str(value)) for key, value in SHORT.get(name, {}).items())
        game = make_game(name, players, options)
        given = [f"--ms {ms} --games {number} --confirm {confirm}", *(f"--candidate {text}" for text in candidates)]
        given += [f"--players {players}"] * (players is not None) + [f"--set {key}={value}" for key, value in options]
        command = " ".join(["python -m tests.best", name, *given])
        click.echo(command)
        folder = (cache_folder() or Path(tempfile.gettempdir())) / "best" / f"{name}-{game.players}-{ms}"
        manifest = Manifest.of(game, [f"{PLAIN}:ms={ms}"], SEED, [command])
        with Run(executor(jobs), Journal(folder, manifest)) as run:
            measuring = Measuring(game, ms, run)
            row = measuring.strongest(list(usable(candidates or CANDIDATES, game)), number, confirm, command)
        click.echo(f"  {json.dumps(asdict(row))}" if row else f"  nothing is stronger than plain {PLAIN}")
        if not dry and name in builtin_names():
            save(game, ms, row)


if __name__ == "__main__":
    main()
