"""What pyproject.toml cannot say: the data folders go into the wheel, and C sources become optional extensions."""

import os
import shutil
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

DATA_FOLDERS = ("grammars", "games", "asp")
NATIVE = Path("fcdl/engines/native")
# The same sources, once for every machine and once for those with fast bit operations. The module's name reaches
# the sources as FCDL_MODULE. A variant that a compiler cannot build is left out: all of them are optional.
VARIANTS = {"_engine": [], "_engine_bmi2": ["-mbmi2", "-mpopcnt"]}


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


sources = sorted(path.as_posix() for path in NATIVE.glob("*.c"))
extensions = [
    Extension(
        f"fcdl.engines.native.{name}",
        sources,
        depends=sorted(path.as_posix() for path in NATIVE.glob("*.h")),
        define_macros=[("FCDL_MODULE", name)],
        extra_compile_args=["-O3", *flags],
        optional=True,
    )
    for name, flags in VARIANTS.items()
]
setup(ext_modules=extensions if sources else [], cmdclass={"build_py": BuildWithData})
