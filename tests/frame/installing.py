"""Installs the project into throw-away environments, without touching the network or the checkout."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD_INPUT = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "fcdl", "grammars", "games", "asp")


def copy_source(target: Path) -> Path:
    """A copy of what the build reads, so that building leaves nothing behind; without the C sources, to be quick."""
    for name in BUILD_INPUT:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.c"))
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, target / name)
    return target


def install(where: Path, *arguments: str) -> Path:
    """Makes a virtual environment that also sees this interpreter's packages and installs into it."""
    venv.create(where, symlinks=True)
    python = where / "bin" / "python"
    site = next((where / "lib").glob("python*/site-packages"))
    (site / "outer.pth").write_text(sysconfig.get_path("purelib") + "\n")
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    built = subprocess.run(
        [*command, "--no-build-isolation", "--no-index", *arguments],
        env=os.environ | {"FCDL_BUILD_GAMES": "no"},
        capture_output=True,
        text=True,
        check=False,
    )
    if "No module named pip" in built.stderr or "BackendUnavailable" in built.stderr:
        pytest.skip("pip cannot build here")
    assert built.returncode == 0, built.stderr
    return python
