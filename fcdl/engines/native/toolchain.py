"""How C is compiled for the engine. `setup.py` reads this file, too, so it needs nothing but Python."""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import shutil
from pathlib import Path

FOLDER = Path(__file__).parent
_FAST_BITS = ["-mbmi", "-mbmi2", "-mpopcnt", "-mlzcnt"]
LIBRARY = "_games"
"""The name of the library of the built-in games, beside this file."""


def abi() -> str:
    """Which build of the engine compiled code fits to: a digest of the headers that the two share."""
    digest = hashlib.sha256(platform.machine().encode())
    for path in sorted(FOLDER.glob("*.h")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def abi_macro(value: str) -> tuple[str, str]:
    """The macro that tells C code to which build of the engine it belongs."""
    return "FCDL_ABI", f'"{value}"'


def flags() -> list[str]:
    """How the code of one program is compiled."""
    fast_bits = _FAST_BITS if platform.machine().lower() in ("x86_64", "amd64") else []
    return ["-std=gnu11", "-O2", "-g0", "-w", "-fvisibility=hidden", *fast_bits]


def compiler() -> list[str] | None:
    """The C compiler's command, or None where there is none."""
    given = shlex.split(os.environ.get("CC", ""))
    names = [given] if given else [["cc"], ["gcc"], ["clang"]]
    return next((name for name in names if shutil.which(name[0])), None)
