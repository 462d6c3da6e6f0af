"""fcdl as a process: whatever the file holds, the answer is a message and an exit code, soon."""

import json
import os
import signal
import subprocess
import sys
import time
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


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_signal_ends_a_run_with_its_results_and_without_orphans(name: str, tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    arguments = ["trumps", "--agents", "ismcts:iterations=500/random", "--games", "100000", "--seed", "1", "-j", "2"]
    with subprocess.Popen(
        [sys.executable, "-m", "fcdl", "simulate", *arguments, "-o", str(records)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as run:
        workers: list[int] = []
        while len(workers) < 2 and run.poll() is None:
            time.sleep(0.1)
            workers = [int(pid) for pid in Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()]
        time.sleep(2)  # some games have to be over
        run.send_signal(getattr(signal, name))
        printed, said = run.communicate(timeout=60)
        assert run.returncode == 128 + getattr(signal, name), said
    assert b"win %" in printed
    assert records.read_text().endswith("}\n")
    assert not any(Path(f"/proc/{pid}/task").exists() for pid in workers)


def test_workers_end_when_the_process_that_started_them_is_killed() -> None:
    code = (
        "import multiprocessing, os, signal, time\n"
        "from fcdl.processes import end_with_parent\n"
        "def work(pipe):\n    end_with_parent()\n    pipe.send(os.getpid())\n    time.sleep(60)\n"
        "here, there = multiprocessing.Pipe()\n"
        "multiprocessing.get_context('fork').Process(target=work, args=(there,)).start()\n"
        "print(here.recv(), flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False, timeout=30)
    worker = Path(f"/proc/{int(run.stdout)}")
    for _ in range(100):
        if not worker.exists() or "State:\tZ" in (worker / "status").read_text():
            return
        time.sleep(0.1)
    pytest.fail("the worker still runs")


def test_full_disk_does_not_cost_the_summary() -> None:
    result = fcdl("simulate", "trumps", "--agents", "random/random", "--games", "2", "-o", "/dev/full")
    assert result.returncode == 1
    assert b"win %" in result.stdout
    assert b"no space left on device" in result.stderr


STEERING = "\x1b]0;owned\x07"


def test_escape_codes_of_a_chart_never_reach_the_terminal(tmp_path: Path) -> None:
    source = fcdl("convert", "trumps", "--to", "json").stdout.decode()
    chart = tmp_path / "chart.json"
    chart.write_text(source.replace("Trumps", "Trumps" + json.dumps(STEERING)[1:-1], 1))
    text = tmp_path / "chart.fcdl"
    text.write_text(f'game "x{STEERING}"\nchart main\n    start\n    end\n')
    for file in (chart, text):
        for command in ("check", "fmt", "draw --to svg", "explain", "simulate --agents random/random"):
            result = fcdl(*command.split(), file)
            assert result.returncode == 1
            assert b"control-character" in result.stdout + result.stderr
            assert b"\x1b" not in result.stdout + result.stderr


def test_message_about_a_record_shows_no_escape_codes(tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    fcdl("simulate", "trumps", "--agents", "random/random", "--games", "1", "-o", records)
    records.write_text(records.read_text().replace('"trumps"', json.dumps(f"no{STEERING}")))
    result = fcdl("replay", records)
    assert result.returncode == 1
    assert b"\x1b" not in result.stdout + result.stderr


def test_chart_is_not_passed_when_its_expansion_was_given_up(tmp_path: Path) -> None:
    """The first, silent pass used all of the budget, and nothing was left to say so with."""
    terms = " + ".join(["n"] * 15)
    lines = [
        "define a = 1 + 1 + 1 + 1",
        f"define b = {terms.replace('n', 'a')}",
        f"define d = {terms.replace('n', 'b')}",
    ]
    nodes = [f"    x = {terms.replace('n', 'd')} - x" for _ in range(120)]
    chart = tmp_path / "chart.fcdl"
    chart.write_text("\n".join(["players 2", *lines, "chart main", "    start", "    x = 1", *nodes, "    end", ""]))
    result = fcdl("check", chart)
    assert (result.returncode, b"too-large" in result.stdout) == (1, True), result.stdout
