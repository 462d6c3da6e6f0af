"""Plays experiments and keeps what they gave in docs/results.json, one by one, so that a run can be resumed."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.results.experiments import Experiment
from tests.results.variants import VARIANTS, variant

ROOT = Path(__file__).parents[2]
STORE = ROOT / "docs" / "results.json"
PROGRAMS = {"fcdl": "fcdl", "python -m tests.results.fcdl": "tests.results.fcdl"}
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


def result_of(experiment: Experiment, stored: Stored) -> dict[str, Any] | None:
    """What an experiment gave, if it was played as the table has it now."""
    found = stored.get(experiment.name)
    if found is None or found["command"] not in (experiment.command(True), experiment.command(False)):
        return None
    return found


def is_due(experiment: Experiment, stored: Stored, quick: bool) -> bool:
    """Whether an experiment is to be played; in the full form also if only the quick one was."""
    found = result_of(experiment, stored)
    return found is None or (not quick and found["command"] != experiment.command(False))


def run(experiment: Experiment, quick: bool, jobs: int = 1) -> dict[str, Any]:
    """Plays an experiment by its command; raises FailedError."""
    command = experiment.command(quick)
    words = shlex.split(command.removeprefix(experiment.program))
    with tempfile.TemporaryDirectory() as folder:
        for name in VARIANTS:
            (Path(folder) / f"{name}.fcdl").write_text(variant(name), encoding="utf-8")
        process = subprocess.run(
            [sys.executable, "-m", PROGRAMS[experiment.program], *words, "--json", "-j", str(jobs)],
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
    result = json.loads(process.stdout)
    manifest = result.pop("manifest")
    return {"command": command, "result": result, "played": {key: manifest[key] for key in ("version", "started")}}
