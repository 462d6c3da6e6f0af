"""The pages' modules are typed (JSDoc) and checked by tsc where it is installed: `.ci/run` fetches it by npm."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / ".venv" / "web-tools" / "node_modules"


def test_modules_have_no_type_errors() -> None:
    local = TOOLS / ".bin" / "tsc"
    tsc = str(local) if local.exists() else shutil.which("tsc")
    if tsc is None:
        pytest.skip("tsc is not here: npm install --prefix .venv/web-tools typescript axe-core")
    done = subprocess.run(
        [tsc, "-p", str(ROOT / "tests/web/tsconfig.json")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
