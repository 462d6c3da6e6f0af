"""The data folders of the project (grammars, games, asp), wherever they are.

In a checkout and in an editable install they stand beside the package; a wheel carries them inside it, in `_data`.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

FOLDERS = ("grammars", "games", "asp")


def data_folder(folder: str) -> Traversable:
    """One of the data folders; raises FileNotFoundError when the installation lacks it."""
    if folder not in FOLDERS:
        raise ValueError(f"unknown data folder '{folder}'; there are: {', '.join(FOLDERS)}")
    package = files("fcdl")
    installed = package / "_data" / folder
    if installed.is_dir():
        return installed
    if isinstance(package, Path) and (package.parent / folder).is_dir():
        return package.parent / folder
    raise FileNotFoundError(f"the data folder '{folder}' is missing; install fcdl again")


def data_names(folder: str, suffix: str = "") -> list[str]:
    """The names of the files in a data folder that end in `suffix`, sorted."""
    return sorted(entry.name for entry in data_folder(folder).iterdir() if entry.name.endswith(suffix))


def data_path(folder: str, name: str) -> Traversable:
    """A file of a data folder, which need not exist; `name` must be a plain file name."""
    if not name or name != Path(name).name or name.startswith("."):
        raise ValueError(f"'{name}' is not the name of a file in '{folder}'")
    return data_folder(folder) / name


def data_text(folder: str, name: str) -> str:
    """The text of a file in a data folder; raises FileNotFoundError when there is no such file."""
    return data_path(folder, name).read_text(encoding="utf-8")


def cache_folder() -> Path | None:
    """Where what can be made again is kept between runs: a folder that only this user can write to, or None."""
    if os.environ.get("FCDL_CACHE") == "no":
        return None
    with suppress(OSError, RuntimeError):
        base = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", "")
        folder = (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "fcdl"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
        if stat.S_ISDIR(status.st_mode) and is_private(status):
            return folder
    return None


def is_private(status: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user, and nobody else can write to it."""
    return os.name != "posix" or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)
