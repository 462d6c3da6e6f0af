"""Where programs get compiled code from: built with the package, kept from an earlier run, or compiled meanwhile.

The interpreter plays everything; what is here only makes it faster, so whatever goes wrong is no error. How programs
run in this process and in those it starts is said by the environment, FCDL_ENGINE:

  auto          what is there is used; in a process that has worked for a while, the rest is compiled in the background
  ready         what is there is used
  compiled      the rest is compiled before it is used
  interpreter   nothing is used

The game and the functions of a program are compiled on their own, so that engines with different functions share the
code of their game. A compiled library is loaded only from a folder of this user that nobody else can write to, and the
engine compares it with the program before it runs it (library.c). A new one has to play as the interpreter does, in a
process of its own, before it is kept; its digest is kept with it, so that a damaged file is not loaded. Should it crash
all the same, the interpreter goes on from where it began to run (guard.h).
"""

from __future__ import annotations

import atexit
import hashlib
import os
import pickle
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fcdl.data import cache_folder, is_private
from fcdl.engines.native import _engine, toolchain
from fcdl.engines.native.compiler import compile_game
from fcdl.engines.native.generator import c_source, functions_source, library_source

if TYPE_CHECKING:
    from fcdl.engines.native.engine import NativeEngine

EXECUTIONS = ("auto", "compiled", "interpreter", "ready")
VARIABLE = "FCDL_ENGINE"
GAME, FUNCTIONS = "game", "functions"
MOST_INSTRUCTIONS = {GAME: 5000, FUNCTIONS: 20000}
"""Larger parts are not compiled: the C compiler would take minutes, and paths might be too long to be counted so."""
COMPILE_SECONDS, TRIAL_SECONDS = 120, 60
KEPT_FILES, KEPT_BYTES = 200, 64 << 20
DIGEST_BYTES = 32
MAKING = "making-"
"""How the names of folders begin in which something is compiled."""
BUSY_SECONDS = 1.0
"""Processor time of this process after which it is worth while to compile what it runs."""


def execution() -> str:
    """How programs run in this process."""
    said = os.environ.get(VARIABLE, "auto")
    return said if said in EXECUTIONS else "auto"


def set_execution(name: str) -> None:
    """Says how programs run from now on in this process and in those it starts."""
    if name not in EXECUTIONS:
        raise ValueError(f"unknown way to run programs '{name}'; there are: {', '.join(EXECUTIONS)}")
    os.environ[VARIABLE] = name


def serve(engine: NativeEngine, program: _engine.Program) -> None:
    """Lets an engine's new program run compiled code, now or as soon as there is some."""
    how = execution()
    if how == "interpreter":
        return
    _use_what_is_there(program)
    if how == "ready" or not lacking(program):
        return
    if how == "compiled":
        compile_now(engine, program)
    else:
        _background.add(engine)


def lacking(program: _engine.Program) -> tuple[str, ...]:
    """The parts of a program that only the interpreter runs."""
    compiled = {GAME: program.is_compiled, FUNCTIONS: program.functions_are_compiled}
    return tuple(part for part, done in compiled.items() if not done)


def _use_what_is_there(program: _engine.Program) -> None:
    builtin = _builtin()
    if builtin is not None:
        program.use_library(builtin)
    for part in lacking(program):
        _use(program, part)


@cache
def _builtin() -> Path | None:
    path = toolchain.FOLDER / f"{toolchain.LIBRARY}{sysconfig.get_config_var('EXT_SUFFIX')}"
    return path if path.is_file() else None


def _use(program: _engine.Program, part: str) -> bool:
    """Uses what is kept for a part; returns whether there is some."""
    path = library_path(program, part)
    if path is None or not is_trusted(path) or not is_whole(path):
        return False
    if program.use_library(path) and part not in lacking(program):
        with suppress(OSError):
            os.utime(path)  # the least recently used go first
        return True
    return False


# --- libraries that are kept


def library_path(program: _engine.Program, part: str = GAME) -> Path | None:
    """Where the compiled code of a part of a program is kept; it need not be there. None where nothing can be kept."""
    folder = cache_folder()
    if folder is None or os.name != "posix":
        return None
    name = hashlib.sha256(_engine.ABI.encode() + program.text(part == FUNCTIONS)).hexdigest()[:40]
    return folder / "compiled" / f"{name}.so"


def is_trusted(path: Path) -> bool:
    """Whether a library is one of this user's, in a folder that nobody else can change."""
    with suppress(OSError):
        status = path.lstat()
        if not path.is_symlink() and path.is_file() and is_private(status) and is_private(path.parent.lstat()):
            return all(_nobody_can_move(folder) for folder in path.parent.resolve().parents)
    return False


def _nobody_can_move(folder: Path) -> bool:
    """Whether only this user and root can rename what is in a folder."""
    status = folder.stat()
    return status.st_uid in (0, os.geteuid()) and (not status.st_mode & 0o022 or bool(status.st_mode & 0o1000))


def seal(path: Path) -> None:
    """Puts the digest of a library at its end, where nothing else looks."""
    with path.open("ab") as file:
        file.write(hashlib.sha256(path.read_bytes()).digest())


def is_whole(path: Path) -> bool:
    """Whether a library is as it was sealed."""
    with suppress(OSError):
        data = path.read_bytes()
        return hashlib.sha256(data[:-DIGEST_BYTES]).digest() == data[-DIGEST_BYTES:]
    return False


def _forget_the_oldest(folder: Path) -> None:
    """Keeps the folder small."""
    found = []
    for path in folder.glob("*.so"):
        with suppress(OSError):
            status = path.stat()
            found.append((status.st_mtime, status.st_size, path))
    found.sort(reverse=True)
    size = 0
    for number, (_, bytes_of_one, path) in enumerate(found):
        size += bytes_of_one
        if number >= KEPT_FILES or size > KEPT_BYTES:
            path.unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path, *, waiting: bool) -> Iterator[None]:
    """The only process that compiles for the folder; BlockingIOError if it is not. One that dies lets others in."""
    import fcntl

    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | (0 if waiting else fcntl.LOCK_NB))
        for left_behind in folder.glob(f"{MAKING}*"):
            shutil.rmtree(left_behind, ignore_errors=True)
        yield


# --- compiling

_running: set[subprocess.Popen[bytes]] = set()


def _stop_all() -> None:
    for process in list(_running):
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)


atexit.register(_stop_all)


def can_compile() -> str | None:
    """None, or why programs cannot be compiled here."""
    if os.name != "posix":
        return "that is not possible on this system"
    if toolchain.compiler() is None:
        return "there is no C compiler (cc)"
    if toolchain.abi() != _engine.ABI:
        return "the engine was built from other headers; install fcdl again"
    return "there is no folder to keep it in" if cache_folder() is None else None


def compile_now(engine: NativeEngine, program: _engine.Program) -> bool:
    """Compiles the engine's program, or waits until another process has; returns whether all is compiled now."""
    if can_compile() is None:
        for part in lacking(program):
            with suppress(OSError, subprocess.SubprocessError):
                _compile(engine, program, part, waiting=True)
    return not lacking(program)


def _compile(engine: NativeEngine, program: _engine.Program, part: str, *, waiting: bool) -> None:
    """Raises OSError or SubprocessError; BlockingIOError if another process compiles and this is not to wait."""
    path, of_game = library_path(program, part), engine.node_program.game_size
    size = of_game if part == GAME else len(engine.node_program.code) - of_game
    if path is None or size > MOST_INSTRUCTIONS[part]:
        return
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with _alone(path.parent, waiting=waiting):
        if _use(program, part):
            return
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=MAKING) as folder:
            made = build_library(engine, Path(folder), part)
            _try_out(engine, made)
            seal(made)
            made.replace(path)
        _forget_the_oldest(path.parent)
    _use(program, part)


def build_library(engine: NativeEngine, folder: Path, part: str = GAME) -> Path:
    """Compiles a part of the engine's program into a folder."""
    command = toolchain.compiler()
    assert command is not None
    source, library = folder / f"{part}.c", folder / f"{part}.so"
    source.write_text(part_source(engine, part), encoding="utf-8")
    macro = "-D{}={}".format(*toolchain.abi_macro(_engine.ABI))
    include = ["-I", str(toolchain.FOLDER)]
    command += [*toolchain.flags(), "-fPIC", "-shared", macro, *include, str(source), "-o", str(library)]
    _run(command, b"", COMPILE_SECONDS)
    library.chmod(0o700)
    return library


def part_source(engine: NativeEngine, part: str = GAME) -> str:
    """The C file of a library of a part of the engine's program."""
    chart = engine.game.flowchart
    if part == FUNCTIONS:
        return functions_source(engine.node_program, chart) + library_source(["game"])
    return c_source(compile_game(engine.game, pauses=engine.pauses), chart) + library_source(["game"])


def _try_out(engine: NativeEngine, library: Path) -> None:
    """Lets a new library play beside the interpreter, where it can do no harm; raises SubprocessError."""
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), VARIABLE: "interpreter"}
    command = [sys.executable, "-m", "fcdl.engines.native.trial", str(library)]
    _run(command, pickle.dumps(engine.node_program.parts()), TRIAL_SECONDS, os.environ | environment)


def _run(command: list[str], given: bytes, seconds: float, environment: dict[str, str] | None = None) -> None:
    """Runs a command at low priority, without a word, and ends it when this process ends."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        ["nice", *command], stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, env=environment, start_new_session=True
    )
    _running.add(process)
    try:
        process.communicate(given, timeout=seconds)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        _running.discard(process)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)


class _Background:
    """Compiles the programs of a busy process, one after the other."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[float, weakref.ref[NativeEngine]]] = deque()
        self.lock = threading.Lock()
        self.works = False

    def add(self, engine: NativeEngine) -> None:
        """An engine whose program is not compiled yet."""
        with self.lock:
            self.waiting.append((time.process_time(), weakref.ref(engine)))
            if not self.works:
                self.works = True
                threading.Thread(target=self._work, name="fcdl compiler", daemon=True).start()

    def _work(self) -> None:
        while True:
            time.sleep(0.3)
            with self.lock:
                if not self.waiting:
                    self.works = False
                    return
                since, reference = self.waiting[0]
                if time.process_time() - since < BUSY_SECONDS and reference() is not None:
                    continue
                self.waiting.popleft()
            engine = reference()
            if engine is not None and can_compile() is None:
                for part in lacking(engine.program):
                    try:
                        _compile(engine, engine.program, part, waiting=False)
                    except BlockingIOError:
                        with self.lock:
                            self.waiting.append((time.process_time(), reference))
                        break
                    except (OSError, subprocess.SubprocessError):
                        pass  # the interpreter plays on
            del engine


_background = _Background()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _background.__init__())  # type: ignore[misc]
