"""The C code is clean under -Wall -Wextra -Werror, AddressSanitizer and UndefinedBehaviorSanitizer."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("sanitize.sh")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="runs already under the sanitizers")
def test_native_tests_pass_under_the_sanitizers() -> None:
    done = subprocess.run([SCRIPT], env={**os.environ, "PYTHON": sys.executable}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
