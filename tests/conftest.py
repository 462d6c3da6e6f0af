"""Settings that all tests share."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# CI tries the same examples each time, so that a landing does not hang on luck; everybody else tries new ones.
settings.register_profile("fcdl", deadline=None, print_blob=True, derandomize=os.environ.get("CI") == "true")
settings.load_profile("fcdl")

# A shell that starts the tests in the background lets them ignore Ctrl-C, and tests of it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Nothing is compiled while tests run, unless a test asks for it.
os.environ["FCDL_ENGINE"] = "ready"


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that tests play are kept in a folder of their own."""
    monkeypatch.setenv("FCDL_DATA", str(tmp_path / "fcdl data"))
