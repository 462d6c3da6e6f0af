"""What pyproject.toml cannot say: the data folders go into the wheel, and C sources become an optional extension."""

import os
import shutil
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

DATA_FOLDERS = ("grammars", "games", "asp")
NATIVE = Path("fcdl/engines/native")


class BuildWithData(build_py):
    """Copies the data folders into the package, except in an editable install, which finds them in the checkout."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for folder in filter(os.path.isdir, DATA_FOLDERS):
            target = Path(self.build_lib, "fcdl", "_data", folder)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(folder, target, ignore=shutil.ignore_patterns(".*", "__pycache__"))


def paths(pattern: str) -> list[str]:
    return sorted(path.as_posix() for path in NATIVE.glob(pattern))


engine = Extension(
    "fcdl.engines.native._engine",
    paths("*.c"),
    depends=paths("*.h"),
    extra_compile_args=["-std=gnu11", "-O3", "-fvisibility=hidden"],
    optional=True,  # without a compiler fcdl installs all the same and uses the ASP engine
)
setup(ext_modules=[engine] if engine.sources else [], cmdclass={"build_py": BuildWithData})
