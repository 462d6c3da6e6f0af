"""What the commands share: their usual arguments, how findings are printed and how files are written."""

from __future__ import annotations

import csv
import errno
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from fcdl.language.diagnostics import Finding
    from fcdl.language.tree import Document

MAX_FINDINGS_SHOWN = 100
"""More findings than this are counted but not shown to a person."""

_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Built-in names, then files."""
    from fcdl.language.load import builtin_names

    names = [CompletionItem(name) for name in builtin_names() if name.startswith(incomplete)]
    return [*names, CompletionItem(incomplete, type="file")]


game_argument = click.argument("game", shell_complete=complete_game)

output_option = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write the result to this file. Default, or with -: stdout.",
)

FORMS = ["fcdl", "facts", "states", "json"]

form_option = click.option(
    "--from", "form", type=click.Choice(FORMS), help="The form GAME is written in, if fcdl does not recognise it."
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def read_chart(game: str, form: str | None = None) -> tuple[Document, str, str]:
    """A chart as it was written, its file's name and its text; raises ChartError when it cannot be read."""
    from fcdl.language.diagnostics import ChartError
    from fcdl.language.load import read_document

    document, findings, filename, source = read_document(game, form=form)
    if document is None or findings.has_errors:
        raise ChartError(findings.sorted(), filename, source)
    return document, filename, source


def print_json(value: Any) -> None:
    """Prints a value as JSON on stdout."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_findings(findings: Sequence[Finding], filename: str, source: str, *, err: bool = False) -> None:
    """Prints findings, each with its place and its line."""
    from fcdl.language.diagnostics import render_finding

    for finding in findings[:MAX_FINDINGS_SHOWN]:
        label = f"{finding.severity}[{finding.code}]"
        styled = click.style(label, fg=_COLOURS[finding.severity], bold=True)
        click.echo(render_finding(finding, filename, source).replace(label, styled, 1), err=err)
    if len(findings) > MAX_FINDINGS_SHOWN:
        click.echo(f"... and {len(findings) - MAX_FINDINGS_SHOWN} more", err=err)


def summary(findings: Sequence[Finding]) -> str:
    """How many findings there are of each severity: `2 errors, 1 warning`."""
    counts = Counter(str(finding.severity) for finding in findings)
    parts = [
        f"{counts[name]} {name}{'s' if counts[name] > 1 else ''}"
        for name in ("error", "warning", "note")
        if counts[name]
    ]
    return ", ".join(parts) or "nothing to report"


def check_output(output: Path | None) -> None:
    """Raises OSError if a file could not be written; for work that takes long, before it begins."""
    if output is None or str(output) == "-":
        return
    if output.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(output))
    if not output.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(output))
    if not os.access(output if output.exists() else output.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(output))


def print_csv(rows: Sequence[dict[str, Any]]) -> None:
    """Prints rows as CSV on stdout, their keys first."""
    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def write_output(data: str | bytes, output: Path | None) -> None:
    """Writes a command's result to a file, whole or not at all, or to stdout."""
    content = data.encode("utf-8") if isinstance(data, str) else data
    if output is None or str(output) == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    elif output.exists() and not output.is_file():
        output.write_bytes(content)  # a device or a pipe; a directory is an error
    else:
        _replace(output.resolve(), content)


def _replace(path: Path, content: bytes) -> None:
    """Writes beside the file, then renames, so that nobody ever sees half a file."""
    try:
        mode = path.stat().st_mode & 0o777
    except FileNotFoundError:
        mode = 0o666 & ~_umask()
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:50]}.")
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, error.strerror, str(path)) from None
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink()
        raise


def _umask() -> int:
    """The process's umask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
