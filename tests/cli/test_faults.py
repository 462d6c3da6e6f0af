"""Faults that are not ours: killed processes, full disks, missing homes, jumping clocks, hostile words."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.test_process import ROOT, fcdl

BARE = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
"""An environment with no HOME, no TERM, no LANG."""
MARKUP = r"""
game "[bold red]x[/] </svg><script>alert(1)</script> %% \" ; --> {{x}}"
about "[link=file:///etc/passwd]y[/link] <img src=x onerror=alert(1)>"
players 2
chart main
    start
    Shuffle
    Deal(2)
    publish("[blink]#{top(pack)}[/] <b>z</b> ]]> &amp; LONG")
    playCard(player(0), cards)
    score(player(0)) = 1
    end
""".replace("LONG", "w" * 3000)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A chart whose words would act on a terminal, a page or a picture, if they were let."""
    chart = tmp_path / "hostile.fcdl"
    chart.write_text(MARKUP)
    return chart


def test_a_killed_simulation_leaves_whole_records_or_none(tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    arguments = ["trumps", "--agents", "random/random", "--games", "1000000", "--seed", "1", "-o", str(records)]
    with subprocess.Popen(
        [sys.executable, "-m", "fcdl", "simulate", *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as run:
        time.sleep(1.5)
        run.send_signal(signal.SIGKILL)
    lines = records.read_text().splitlines() if records.exists() else []
    assert all(json.loads(line)["game"] == "trumps" for line in lines)
    again = fcdl("simulate", "trumps", "--agents", "random/random", "--games", "2", "--seed", "1", "-o", records)
    assert again.returncode == 0
    assert len(records.read_text().splitlines()) == 2


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KB that is full; only where one may be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    command = [mount or "", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    (folder / "data").mkdir()
    with contextlib.suppress(OSError), (folder / "filling").open("wb", buffering=0) as file:
        while file.write(b"x" * 4096):
            pass
    yield folder
    subprocess.run(["umount", str(folder)], check=False)


def test_a_game_goes_on_when_the_disk_is_full(small_disk: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "fcdl", "play", "trumps", "--plain", "--seats", "human/random", "--seed", "5"],
        env=os.environ | {"PYTHONPATH": str(ROOT), "FCDL_DATA": str(small_disk / "data")},
        input=b"2D\nquit\n",
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert b"You play 2D" in run.stdout
    assert b"Traceback" not in run.stderr + run.stdout
    assert b"saved" in run.stdout + run.stderr


@pytest.mark.parametrize("home", [{}, {"HOME": "/proc"}, {"HOME": "/nonexistent", "LANG": "C", "TERM": "dumb"}])
def test_a_bare_environment_is_enough(home: dict[str, str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "fcdl", "play", "trumps", "--plain", "--seats", "human/random"],
        env=BARE | home,
        input=b"quit\n",
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    assert b"your hand" in run.stdout
    assert b"Traceback" not in run.stderr
    assert b"internal error" not in run.stderr


def test_clocks_that_jump_change_nothing() -> None:
    code = (
        "import time, random, sys\n"
        "real, rng = time.time, random.Random(1)\n"
        "time.time = lambda: real() + rng.uniform(-1e9, 1e9)\n"
        "from fcdl.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    arguments = ["simulate", "trumps", "--agents", "ismcts:ms=5/random", "--games", "2", "--seed", "1", "--json"]
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    assert told["games"] == 2
    assert 0 < told["elapsed_s"] < 60


def test_memory_is_limited_and_that_is_said(tmp_path: Path) -> None:
    lines = [f"l{n}:\n    n == {n}?   yes -> l{n + 1}\n    n = n + 1" for n in range(700)]
    chart = tmp_path / "large.fcdl"
    chart.write_text("players 2\nchart main\n    start\n    n = 0\n" + "\n".join(lines) + "\nl700:\n    end\n")
    run = fcdl("draw", chart, "-o", tmp_path / "large.png", FCDL_MEMORY_MB="30")
    assert (run.returncode, run.stderr) == (1, b"fcdl: out of memory\n")
    assert not (tmp_path / "large.png").exists()
    assert fcdl("check", chart, FCDL_MEMORY_MB="nonsense").returncode in (0, 1)


@pytest.mark.parametrize(
    "command",
    ["bench trumps --repetitions 1", "compile trumps", "tournament trumps --agents random/greedy --games 2",
     "simulate trumps --agents greedy/random --games 1"],
)  # fmt: skip
def test_without_the_c_extension_commands_say_so(command: str) -> None:
    code = (
        "import sys\nsys.modules['fcdl.engines.native._engine'] = None\nfrom fcdl.cli import main\nmain(sys.argv[1:])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, *command.split()],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 1
    assert b"internal error" not in run.stderr
    assert b"the native engine" in run.stderr


def test_words_of_a_chart_do_nothing_in_drawings(hostile: Path, tmp_path: Path) -> None:
    picture = fcdl("draw", hostile, "--to", "svg").stdout.decode()
    names = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(picture).iter()}
    assert not names & {"script", "img", "b", "foreignObject", "a"}
    mermaid = fcdl("draw", hostile, "--to", "mmd").stdout.decode()
    assert "<script" not in mermaid
    assert "<img" not in mermaid
    dot = fcdl("draw", hostile, "--to", "dot").stdout.decode()
    assert not re.search(r'(?<!\\)" ; -->', dot)
    for form in ("svg", "mmd", "dot"):
        assert "\x1b" not in fcdl("draw", hostile, "--to", form).stdout.decode()


def test_words_of_a_chart_are_shown_as_they_are(hostile: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "fcdl", "play", str(hostile), "--plain", "--seats", "human/random", "--seed", "1"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        input=b"quit\n",
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert b"[bold red]x[/] </svg><script>" in run.stdout
    assert b"[blink]" in run.stdout
    assert b"\x1b" not in run.stdout
    simulated = fcdl("simulate", hostile, "--agents", "random/random", "--games", "1")
    assert simulated.returncode == 0
    assert b"\x1b" not in simulated.stdout


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u200f", "\x9b", "\x07"])
def test_marks_that_turn_text_around_are_refused_in_charts(mark: str, tmp_path: Path) -> None:
    chart = tmp_path / "bidi.fcdl"
    chart.write_text(MARKUP.replace("[bold red]", mark))
    run = fcdl("check", chart)
    assert run.returncode == 1
    assert b"control-character" in run.stdout
    assert mark.encode() not in run.stdout
