"""What pyproject.toml cannot say: data folders go into the wheel, C sources become an optional extension, built-in
games become C."""

import importlib.util
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

DATA_FOLDERS = ("grammars", "games", "asp")
NATIVE = Path("fcdl/engines/native")
GAMES = "fcdl.engines.native._games"


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


class BuildWithGames(build_ext):
    """Builds the engine, and the library of the built-in games from C that is generated here."""

    def build_extension(self, ext: Extension) -> None:
        if ext.name != GAMES:
            super().build_extension(ext)
            return
        folder = Path(self.build_temp, "games")
        try:
            sources = self._generated(folder)
        except Exception as error:
            # The engine plays them all the same, from their charts.
            self.warn(f"the built-in games are not compiled: {type(error).__name__}: {error}")
            return
        options = {
            "output_dir": "/",  # beside the sources, which have absolute paths
            "macros": ext.define_macros,
            "include_dirs": [str(NATIVE)],
            "extra_postargs": ext.extra_compile_args,
        }
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            compiled = list(pool.map(lambda source: self.compiler.compile([source], **options), sources))
        path = self.get_ext_fullpath(ext.name)
        self.compiler.link_shared_object([name for names in compiled for name in names], path)

    def _generated(self, folder: Path) -> list[str]:
        sys.path.insert(0, str(Path.cwd()))
        try:
            from fcdl.engines.native.builtin import write_sources

            return [str(path.resolve()) for path in write_sources(folder)]
        finally:
            del sys.path[0]


def paths(pattern: str) -> list[str]:
    return sorted(path.as_posix() for path in NATIVE.glob(pattern))


def toolchain() -> object:
    """The module of that name, without the package around it."""
    spec = importlib.util.spec_from_file_location("toolchain", NATIVE / "toolchain.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def extensions() -> list[Extension]:
    """Both are optional: without a compiler fcdl installs all the same and uses the ASP engine.

    FCDL_BUILD_GAMES=no leaves out the built-in games, for a quick build.
    """
    sources = paths("*.c")
    if not sources or not (NATIVE / "toolchain.py").exists():
        return []
    tools = toolchain()
    macros = [tools.abi_macro(tools.abi())]
    games = Extension(GAMES, [], define_macros=macros, extra_compile_args=tools.flags(), optional=True)
    return [
        Extension(
            "fcdl.engines.native._engine",
            sources,
            depends=[*paths("*.h"), "setup.py"],
            define_macros=macros,
            extra_compile_args=["-std=gnu11", "-O3", "-fvisibility=hidden", "-Wno-psabi"],
            optional=True,
        ),
        *([] if os.environ.get("FCDL_BUILD_GAMES") == "no" else [games]),
    ]


setup(ext_modules=extensions(), cmdclass={"build_py": BuildWithData, "build_ext": BuildWithGames})
