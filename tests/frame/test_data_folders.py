"""The data folders are found from a checkout, from an editable install and from a wheel."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fcdl.data import FOLDERS, data_folder, data_names, data_path, data_text
from tests.frame.installing import ROOT, copy_source, install

PROBE = """
import fcdl, pathlib
from fcdl.data import data_folder, data_names, data_text
from importlib.resources import files
print(pathlib.Path(fcdl.__file__).parent)
print(data_folder("games"))
print(*data_names("games"))
print(len(data_text("grammars", "line.lark")))
print((files("fcdl.cli") / "new_game.fcdl").is_file())
"""


def probe(python: Path | str, directory: Path, **environment: str) -> list[str]:
    """What an interpreter that starts in `directory` finds: package, games folder, games, size of a grammar."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    answer = subprocess.run(
        [python, "-c", PROBE], cwd=directory, env=clean | environment, capture_output=True, text=True, check=True
    )
    return answer.stdout.splitlines()


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_source(tmp_path_factory.mktemp("source"))


def test_checkout_finds_its_data_folders(tmp_path: Path) -> None:
    package, games, names, size, template = probe(sys.executable, tmp_path, PYTHONPATH=str(ROOT))
    assert package == str(ROOT / "fcdl")
    assert games == str(ROOT / "games")
    assert "trumps.fcdl" in names.split()
    assert int(size) > 0
    assert template == "True"


def test_editable_install_finds_the_data_folders_of_the_checkout(source: Path, tmp_path: Path) -> None:
    python = install(tmp_path / "venv", "--editable", str(source))
    package, games, *_, template = probe(python, tmp_path)
    assert package == str(source / "fcdl")
    assert games == str(source / "games")
    assert template == "True"


def test_wheel_carries_the_data_folders(source: Path, tmp_path: Path) -> None:
    python = install(tmp_path / "venv", str(source))
    package, games, names, size, template = probe(python, tmp_path)
    assert str(tmp_path / "venv") in package
    assert games == str(Path(package) / "_data" / "games")
    assert names.split() == data_names("games")
    assert int(size) == len(data_text("grammars", "line.lark"))
    assert template == "True"


def test_folders_are_known_by_name() -> None:
    assert all(data_folder(folder).is_dir() for folder in FOLDERS if (ROOT / folder).is_dir())
    with pytest.raises(ValueError, match="unknown data folder 'secrets'"):
        data_folder("secrets")


@pytest.mark.parametrize("name", ["../setup.py", "..", ".", "", "/etc/passwd", "a/b"])
def test_names_do_not_lead_out_of_the_folder(name: str) -> None:
    with pytest.raises(ValueError, match="is not the name of a file"):
        data_path("games", name)


def test_missing_file_is_reported() -> None:
    with pytest.raises(FileNotFoundError):
        data_text("games", "no_such_game.fcdl")
