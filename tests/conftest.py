"""Settings that all tests share."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("fcdl", deadline=None, print_blob=True)
settings.load_profile("fcdl")


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that tests play are kept in a folder of their own."""
    monkeypatch.setenv("FCDL_DATA", str(tmp_path / "fcdl data"))
