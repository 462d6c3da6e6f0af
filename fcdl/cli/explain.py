"""`fcdl explain`: why a move is not legal, and which way the game went and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcdl.cli.common import game_argument, json_option, print_json
from fcdl.cli.options import given_or_new_seed, make_game, players_option, seed_option, set_option

if TYPE_CHECKING:
    from fcdl.engines.asp import AspEngine
    from fcdl.engines.asp.explain import Visited
    from fcdl.model import Chance, Game, Move


@click.command("explain")
@game_argument
@click.option(
    "--record", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A file of recorded games."
)
@click.option("--line", type=click.IntRange(1), default=1, show_default=True, help="Which record of the file.")
@click.option(
    "--at", "number", type=click.IntRange(0), default=0, show_default=True, help="The position after this many moves."
)
@click.option("--move", "text", help="A move such as 'play QH': is it legal here, and if not, why?")
@players_option
@set_option
@seed_option
@json_option
def command(
    game: str,
    record: Path | None,
    line: int,
    number: int,
    text: str | None,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    seed: str | None,
    as_json: bool,
) -> None:
    """Explain a position of GAME: the nodes visited since the last decision, and why each diamond answered yes or no.

    The position is one of a recorded game (--record, --at) or the first of a new game (--seed).
    """
    from fcdl.engines.asp import AspEngine, asp_engine
    from fcdl.engines.asp.limited import run_limited
    from fcdl.model import RandomChance

    if record is not None:
        if players is not None or settings or seed is not None:
            raise click.UsageError("--record already fixes the players, options and seed")
        played, chance, moves = _from_record(record, line, game, number)
    elif number:
        raise click.UsageError("--at needs a record")
    else:
        played, chance, moves = make_game(game, players, settings), RandomChance(given_or_new_seed(seed)), ()
    wanted = played.read_move(text) if text is not None else None

    def work() -> Answer:
        return _explained(AspEngine(played), chance, moves, wanted)

    answer = work() if isinstance(asp_engine(played), AspEngine) else run_limited(work)
    if wanted is None:
        _print_path(answer.path, as_json)
        click.echo(answer.situation, err=True)
    elif as_json:
        print_json({"move": str(wanted), "legal": answer.why is None, "node": answer.node, "why": answer.why})
    else:
        click.echo(f"'{wanted}' is legal" if answer.why is None else answer.why)


@dataclass(frozen=True, slots=True)
class Answer:
    """What there is to say: the nodes passed, or why a move is not legal (None: it is), and how the game stands."""

    path: list[Visited]
    why: str | None
    node: int
    situation: str


def _explained(engine: AspEngine, chance: Chance, moves: tuple[Move, ...], wanted: Move | None) -> Answer:
    from fcdl.engines.asp.explain import explain_path, why_illegal
    from fcdl.model import RecordingChance, ScriptedChance

    recording = RecordingChance(chance)
    state, before = engine.start(recording), None
    used = 0
    for move in moves:
        before, used = state, len(recording.outcomes)
        state = engine.apply(state, move, recording)
    mover = engine.mover(state)
    if wanted is not None:
        legal = mover is not None and wanted in engine.legal(state)
        return Answer([], None if legal else why_illegal(engine, state, wanted), state.node, "")
    path = explain_path(engine, before, moves[-1] if moves else None, ScriptedChance(recording.outcomes[used:]))
    path = _with_published(path, [event.value or "" for event in engine.latest(state) if event.kind == "publish"])
    if mover is None:
        return Answer(path, None, state.node, "the game is over")
    return Answer(path, None, state.node, f"player {mover} decides: {', '.join(map(str, engine.legal(state)))}")


def _with_published(path: list[Visited], texts: list[str]) -> list[Visited]:
    """The nodes passed, those that publish with what they said."""
    from fcdl.language.flowchart import Publish

    said = iter(texts)
    return [
        replace(step, why=(f'"{next(said, "")}"',)) if isinstance(step.node.statement, Publish) else step
        for step in path
    ]


def _from_record(path: Path, line: int, chart: str, number: int) -> tuple[Game, Chance, tuple[Move, ...]]:
    from fcdl.arena.replay import errors_of_record, first_moves, record_line
    from fcdl.language.load import load_flowchart
    from fcdl.model import ScriptedChance
    from fcdl.model.record import from_line, record_game

    flowchart = load_flowchart(chart)
    text = record_line(path, line)
    with errors_of_record(path, line):
        record = from_line(text, flowchart)
        game = record_game(record, flowchart)
    return game, ScriptedChance(record.chance), first_moves(record, number)


def _print_path(path: list[Visited], as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {"node": step.box, "caption": step.node.caption, "went": step.went, "why": list(step.why)}
                for step in path
            ]
        )
        return
    for step in path:
        went = f"  {step.went}" if step.went else ""
        click.echo(f"{step.box:>4}  {step.node.caption}{went}")
        for reason in step.why:
            click.echo(f"        {reason}")
