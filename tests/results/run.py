"""Plays experiments and keeps what they gave in docs/results.json, one by one.

Each is a run of its own (`--resume`), kept in build/ until it is finished: what is killed goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.results.experiments import Curve, Experiment, Measure
from tests.results.variants import VARIANTS, variant

ROOT = Path(__file__).parents[2]
STORE = ROOT / "docs" / "results.json"
UNDER_WAY = ROOT / "build" / "results"
"""Runs that are not finished."""
PROGRAMS = {
    "fcdl": "fcdl",
    "python -m tests.results.fcdl": "tests.results.fcdl",
    "python -m tests.results.cardplay": "tests.results.cardplay",
    "python -m tests.results.contracts": "tests.results.contracts",
}
"""The module that a program's name stands for."""

Stored = dict[str, dict[str, Any]]
"""By the name of an experiment, its command and its result."""


class FailedError(Exception):
    """An experiment whose command failed; the message is the command's."""


def load(path: Path = STORE) -> Stored:
    """What has been played so far."""
    if not path.exists():
        return {}
    stored: Stored = json.loads(path.read_text(encoding="utf-8"))
    return stored


def save(stored: Stored, path: Path = STORE) -> None:
    """Keeps it, whole or not at all."""
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(stored, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(path)


def result_of(experiment: Experiment | Curve | Measure, stored: Stored) -> dict[str, Any] | None:
    """What an experiment gave, if it was played as the table has it now."""
    found = stored.get(experiment.name)
    if found is None or found["command"] not in (experiment.command(True), experiment.command(False)):
        return None
    return found


def is_due(experiment: Experiment | Curve | Measure, stored: Stored, quick: bool) -> bool:
    """Whether an experiment is to be played; in the full form also if only the quick one was."""
    found = result_of(experiment, stored)
    return found is None or (not quick and found["command"] != experiment.command(False))


def folder_of(experiment: Experiment | Curve | Measure, quick: bool) -> str:
    """Where a run of it is kept while it is under way."""
    return f"{experiment.name}-{hashlib.sha256(experiment.command(quick).encode()).hexdigest()[:8]}"


def run(
    experiment: Experiment | Curve | Measure, quick: bool, places: Sequence[str] = (), under_way: Path = UNDER_WAY
) -> dict[str, Any]:
    """Plays an experiment by its command; `places` are options that say where. Raises FailedError."""
    command = experiment.command(quick)
    words = shlex.split(command.removeprefix(experiment.program))
    kept = under_way / folder_of(experiment, quick)
    alone = isinstance(experiment, Measure) and experiment.program != "fcdl"  # has no processes of its own
    with tempfile.TemporaryDirectory() as folder:
        for name in VARIANTS:
            (Path(folder) / f"{name}.fcdl").write_text(variant(name), encoding="utf-8")
        process = subprocess.run(
            [
                sys.executable,
                "-m",
                PROGRAMS[experiment.program],
                *words,
                "--json",
                "--resume",
                str(kept),
                *(() if alone else places),
            ],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
    if process.returncode == 130:
        raise KeyboardInterrupt
    if process.returncode != 0:
        raise FailedError(process.stderr.strip())
    shutil.rmtree(kept, ignore_errors=True)
    result = json.loads(process.stdout)
    manifest = result.pop("manifest")
    return {"command": command, "result": result, "played": {key: manifest[key] for key in ("version", "started")}}
