"""`fcdl check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fcdl.cli.common import form_option, game_argument, json_option, print_findings, print_json, summary

if TYPE_CHECKING:
    from fcdl.language.diagnostics import Finding

_LEVELS = ["error", "warning", "information"]


@click.command("check")
@game_argument
@json_option
@click.option(
    "--level",
    type=click.Choice(_LEVELS),
    default="information",
    show_default=True,
    help="The least serious findings to show.",
)
@form_option
@click.pass_context
def command(ctx: click.Context, game: str, as_json: bool, level: str, form: str | None) -> None:
    """Say everything that is wrong with the chart GAME, and where.

    The exit code is 1 when there are errors; warnings and information do not keep a chart from being played.
    """
    from fcdl.language.load import load

    checked = load(game, form=form)
    shown = [item for item in checked.findings if _LEVELS.index(item.severity) <= _LEVELS.index(level)]
    if as_json:
        print_json([_describe(item) for item in shown])
    else:
        print_findings(shown, checked.filename, checked.source)
        click.echo(f"{checked.filename}: {summary(checked.findings)}", err=True)
    if any(item.severity == "error" for item in checked.findings):
        ctx.exit(1)


def _describe(finding: Finding) -> dict[str, Any]:
    return {
        "severity": str(finding.severity),
        "code": finding.code,
        "line": finding.span.line if finding.span else None,
        "column": finding.span.column if finding.span else None,
        "node": finding.node,
        "message": finding.message,
        "hint": finding.hint,
    }
