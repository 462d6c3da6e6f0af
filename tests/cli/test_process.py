"""fcdl as a process: whatever the file holds, the answer is a message and an exit code, soon."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ALL_COMMANDS = """
import json, sys
from click.testing import CliRunner
from fcdl.cli import main
answers = []
for command in ("check", "check --json", "fmt", "convert --to json", "draw --to svg"):
    result = CliRunner().invoke(main, [*command.split(), sys.argv[1]])
    answers.append((command.split()[0], result.exit_code, result.output))
print(json.dumps(answers))
"""

BAD_FILES = {
    "empty": b"",
    "binary": bytes(range(256)) * 64,
    "nul": b"\0" * 1000,
    "not-utf-8": b"game \xff\xfe\n",
    "one-long-line": b"x" * 1_000_000,
    "one-long-expression": b"chart main\n    x = " + b"1 + " * 250_000 + b"1\n",
    "deep": b"chart main\n    x = " + b"(" * 20_000 + b"1" + b")" * 20_000 + b"\n",
    "deep-not": b"chart main\n    start\n    " + b"!" * 5_000 + b"true?\n    end\n",
    "deep-json": b"[" * 100_000,
    "deep-facts": b"statement(1, " + b"f(" * 50_000 + b"1" + b")" * 50_000 + b", 0, 0).\n",
    "wrong-json": b'{"charts": 3, "header": [null]}',
    "json-list": b"[]",
    "huge-number": b"chart main\n    start\n    x = " + b"9" * 10_000 + b"\n    end\n",
    "many-bad-lines": b") )\n" * 20_000,
    "open-quote": b'game "x\nchart main\n',
    "surrogates": b'{"title": "\\ud800"}',
    "python": b"import os\nprint('hello')\n",
}


def fcdl(*arguments: str | bytes | Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Runs fcdl as a user would, within a time limit."""
    return subprocess.run(
        [sys.executable, "-m", "fcdl", *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        check=False,
        timeout=30,
    )


def assert_clean_failure(code: int, printed: str) -> None:
    assert code == 1, printed
    assert "Traceback" not in printed
    assert "internal error" not in printed
    assert "error" in printed


def run_all(file: Path | str | bytes) -> list[tuple[str, int, str]]:
    """Every command on one file, in one process of their own: command, exit code, what was printed."""
    done = subprocess.run(
        [sys.executable, "-c", ALL_COMMANDS, file],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return [(command, code, printed) for command, code, printed in json.loads(done.stdout)]


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_file_fails_cleanly(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(BAD_FILES[name])
    for command, code, printed in run_all(file):
        if name != "empty" or command not in ("fmt", "convert"):
            assert_clean_failure(code, printed)


@pytest.mark.parametrize("game", [".", "missing.fcdl", "", b"\xff\xfe.fcdl", "x" * 5000, "a\nb", "/dev/null"])
def test_name_of_no_chart_fails_cleanly(game: str | bytes) -> None:
    for command, code, printed in run_all(game):
        if game != "/dev/null" or command not in ("fmt", "convert"):
            assert_clean_failure(code, printed)


def test_data_goes_to_stdout_and_messages_to_stderr() -> None:
    result = fcdl("convert", "trumps", "--to", "json")
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.startswith(b"{")


def test_closed_pipe_is_no_error() -> None:
    script = f"{sys.executable} -m fcdl convert hearts --to json | head -1; exit ${{PIPESTATUS[0]}}"
    result = subprocess.run(
        ["bash", "-c", script], env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, check=False, timeout=30
    )
    assert (result.returncode, result.stderr) == (0, b"")


def test_text_that_the_terminal_cannot_show_is_escaped(tmp_path: Path) -> None:
    file = tmp_path / "chart.fcdl"
    file.write_text("♠♠♠\n")
    result = fcdl("check", file, PYTHONIOENCODING="latin-1")
    assert result.returncode == 1
    assert b"\\u2660" in result.stdout


def test_help_imports_no_part_of_the_library() -> None:
    code = "import sys; from fcdl.cli import main; main(['--help'], standalone_mode=False); print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, check=True
    )
    modules = set(result.stdout.decode().split())
    assert not modules & {"lark", "networkx", "clingo", "numpy", "rich", "textual", "fcdl.language", "fcdl.data"}
