"""`fcdl agents`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from fcdl.cli.common import json_option, print_json

if TYPE_CHECKING:
    from fcdl.agents.agent import AgentKind, Parameter

BEST = "best"


@click.command("agents")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the computer players (agents), or the parameters of one.

    Write an agent as name:key=value,key=value. A key on its own means yes.
    """
    from fcdl.agents.agent import kinds, parse_agent

    known = kinds()
    if name is not None:
        chosen = parse_agent(name)[0]
        known = {chosen: known[chosen]}
    if as_json:
        print_json([_describe(key, kind) for key, kind in known.items()])
    elif name is not None:
        _print_parameters(chosen, known[chosen])
        if chosen == BEST:
            _print_measured()
    else:
        _print_rows([(key, kind.meaning) for key, kind in known.items()])
        click.echo("\n'fcdl agents NAME' lists the parameters of an agent.")


def _describe(name: str, kind: AgentKind) -> dict[str, Any]:
    parameters = [
        {"name": key, "default": parameter.default, "meaning": parameter.meaning, "values": _values(parameter)}
        for key, parameter in kind.parameters.items()
    ]
    described = {"name": name, "meaning": kind.meaning, "parameters": parameters}
    if name == BEST:
        from fcdl.agents.best import rows

        described["measured"] = [{"chart": chart, **asdict(row)} for chart, same in rows().items() for row in same]
    return described


def _print_parameters(name: str, kind: AgentKind) -> None:
    click.echo(f"{name}: {kind.meaning}")
    if not kind.parameters:
        click.echo("It has no parameters.")
        return
    click.echo()
    _print_rows([(f"{key}{_default(p.default)}", f"{p.meaning} ({_values(p)})") for key, p in kind.parameters.items()])


def _print_measured() -> None:
    """What `best` is, game by game."""
    from fcdl.agents.best import rows

    found = sorted((row for same in rows().values() for row in same), key=lambda row: (row.game, row.ms))
    if found:
        click.echo("\nMeasured to be strongest, with the milliseconds that it had; plain ismcts in all other games:\n")
        _print_rows([(f"{row.game}, {row.ms} ms", f"{row.agent}: {row.result} ({row.command})") for row in found])


def _default(value: object) -> str:
    if value is None:
        return ""
    return f"={('no', 'yes')[value]}" if isinstance(value, bool) else f"={value}"


def _values(parameter: Parameter) -> str:
    """The valid values in words, as the reader describes them when a text is not one of them."""
    try:
        parameter.read("")
    except ValueError as error:
        return str(error).removeprefix("expected ")
    return "any text"


def _print_rows(rows: list[tuple[str, str]]) -> None:
    formatter = click.HelpFormatter(max_width=100)
    formatter.write_dl(rows)
    click.echo(formatter.getvalue(), nl=False)
