"""`fcdl explain`: why a move is not legal, and which way the game went and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcdl.cli.common import game_argument, json_option, print_json
from fcdl.cli.options import given_or_new_seed, make_game, players_option, seed_option, set_option

if TYPE_CHECKING:
    from fcdl.engines.asp.explain import Passed
    from fcdl.model import Chance, Game, Move


@click.command("explain")
@game_argument
@click.option("--record", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A file of records.")
@click.option("--line", type=click.IntRange(1), default=1, show_default=True, help="Which record of the file.")
@click.option("--at", "number", type=click.IntRange(0), default=0, show_default=True, help="After how many moves.")
@click.option("--move", "text", help="A move, as 'play QH': is it legal here, and if not, why?")
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
    """Explain a position of GAME: the nodes passed since the last decision and why each diamond went its way.

    The position is one of a record (--record, --at), or the first of a new game (--seed).
    """
    from fcdl.engines.asp import AspEngine
    from fcdl.engines.asp.explain import explain_path, why_illegal
    from fcdl.model import Move, RandomChance

    wanted = Move.parse(text) if text is not None else None
    if record is not None:
        if players is not None or settings or seed is not None:
            raise click.UsageError("a record has its own players, options and chance")
        played, chance, moves = _from_record(record, line, game, number)
    elif number:
        raise click.UsageError("--at needs a record")
    else:
        played, chance, moves = make_game(game, players, settings), RandomChance(given_or_new_seed(seed)), ()
    engine = AspEngine(played)
    state, before, last = None, None, None
    path: list[Passed] = []
    if wanted is None and not moves:
        path = explain_path(engine, None, None, chance)
    else:
        state = engine.start(chance)
        for last in moves:
            before = state
            if last is moves[-1] and wanted is None:
                path = explain_path(engine, before, last, chance)
            else:
                state = engine.apply(state, last, chance)
    if wanted is None or state is None:
        _print_path(path, as_json)
        return
    legal = wanted in engine.legal(state)
    answer = f"'{wanted}' is legal" if legal else why_illegal(engine, state, wanted)
    if as_json:
        print_json({"move": str(wanted), "legal": legal, "node": state.node, "why": None if legal else answer})
    else:
        click.echo(answer)


def _from_record(path: Path, line: int, chart: str, number: int) -> tuple[Game, Chance, tuple[Move, ...]]:
    from fcdl.arena.replay import read_records
    from fcdl.language.load import load_flowchart
    from fcdl.model import ScriptedChance
    from fcdl.model.record import RecordError, from_line, record_game

    lines = [text for _, text in read_records(path)]
    if line > len(lines):
        raise RecordError(f"{path} has {len(lines)} records, not {line}")
    flowchart = load_flowchart(chart)
    record = from_line(lines[line - 1], flowchart)
    if number > len(record.moves):
        raise RecordError(f"the record has {len(record.moves)} moves, not {number}")
    return record_game(record, flowchart), ScriptedChance(record.chance), record.moves[:number]


def _print_path(path: list[Passed], as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {"node": step.node.number, "caption": step.node.caption, "went": step.went, "why": list(step.why)}
                for step in path
            ]
        )
        return
    for step in path:
        went = f"  {step.went}" if step.went else ""
        click.echo(f"{step.node.number:>4}  {step.node.caption}{went}")
        for reason in step.why:
            click.echo(f"        {reason}")
