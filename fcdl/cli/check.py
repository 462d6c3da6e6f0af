"""`fcdl check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fcdl.cli.common import form_option, game_argument, json_option, print_findings, print_json, summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fcdl.language.diagnostics import Finding
    from fcdl.language.load import Checked

_LEVELS = ["error", "warning", "note"]


class _Level(click.Choice[str]):
    """A level of findings; notes were once called information."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert("note" if value == "information" else value, param, ctx)


@click.command("check")
@game_argument
@json_option
@click.option(
    "--level",
    type=_Level(_LEVELS),
    default="note",
    show_default=True,
    help="Show findings of this level and above.",
)
@click.option("--expect", "expect", is_flag=True, help="Also play out the chart's expect lines.")
@form_option
@click.pass_context
def command(ctx: click.Context, game: str, as_json: bool, level: str, expect: bool, form: str | None) -> None:
    """List everything that is wrong with the chart GAME, and where.

    The exit code is 1 if there are errors. A chart with only warnings and notes can be played.
    """
    from fcdl.language.load import load

    checked = load(game, form=form)
    findings = [*checked.findings, *(_unmet(checked) if expect else ())]
    shown = [item for item in findings if _LEVELS.index(item.severity) <= _LEVELS.index(level)]
    if as_json:
        print_json([_describe(item) for item in shown])
    else:
        print_findings(shown, checked.filename, checked.source)
        click.echo(f"{checked.filename}: {summary(findings)}{_met(checked, findings) if expect else ''}", err=True)
    if any(item.severity == "error" for item in findings):
        ctx.exit(1)


def _unmet(checked: Checked) -> Iterator[Finding]:
    """Failed expectations, as errors; none in a chart that has other errors."""
    from fcdl.arena.expectations import failures
    from fcdl.language.diagnostics import Finding, Severity

    for failure in failures(checked.flowchart) if checked.flowchart is not None else ():
        yield Finding(Severity.ERROR, "expectation", failure.text, failure.expectation.span)


def _met(checked: Checked, findings: Sequence[Finding]) -> str:
    """How many expectations are met: `; expectations: 2 of 3 hold`."""
    total = len(checked.flowchart.expectations) if checked.flowchart is not None else 0
    failed = sum(item.code == "expectation" for item in findings)
    return f"; expectations: {total - failed} of {total} hold" if total else ""


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
