"""C sources in fcdl/engines/native become an optional extension: built where that works, left out where it does not."""

import subprocess
from pathlib import Path

import pytest

from tests.frame.installing import copy_source, install

MODULE = r"""
#include <Python.h>
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "engine", NULL, -1, NULL};
PyMODINIT_FUNC PyInit__engine(void) { return PyModule_Create(&definition); }
"""


def build_with(native_source: str, directory: Path) -> Path:
    """The interpreter of an environment where fcdl was installed with this C source as its engine."""
    source = copy_source(directory / "source")
    native = source / "fcdl" / "engines" / "native"
    native.mkdir(parents=True, exist_ok=True)
    for package in (native.parent, native):
        (package / "__init__.py").write_text("")
    for code in native.glob("*.c"):
        code.unlink()
    (native / "_engine.c").write_text(native_source)
    return install(directory / "venv", str(source))


def can_import(python: Path, module: str) -> bool:
    command = [str(python), "-I", "-c", f"import {module}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "source").mkdir()
    return tmp_path


def test_extension_is_built_from_c_sources(work: Path) -> None:
    python = build_with(MODULE, work)
    assert can_import(python, "fcdl.engines.native._engine")


def test_installation_succeeds_when_the_extension_cannot_be_built(work: Path) -> None:
    python = build_with("#error no engine here", work)
    assert can_import(python, "fcdl.data")
    assert not can_import(python, "fcdl.engines.native._engine")
