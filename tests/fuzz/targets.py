"""What is fuzzed: each target is given bytes, as they would come from a stranger, and may say that they are wrong.

It may raise `FcdlError` or `ChartError`, which users are shown, and nothing else; it may not take long, and what it
says may not steer a terminal. `engine` damages programs and positions of the C engine, refused by ValueError.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from fcdl.agents.agent import make_agent, parse_agent
from fcdl.arena.iss import convert
from fcdl.arena.replay import load_record
from fcdl.drawing import draw
from fcdl.engines.native import NativeEngine, _engine
from fcdl.engines.native.compiler import compile_game
from fcdl.errors import FcdlError
from fcdl.language.diagnostics import ChartError, render_finding
from fcdl.language.forms import FORMS
from fcdl.language.load import builtin_names, load_flowchart, load_text
from fcdl.language.text import format_document
from fcdl.model import Game, RandomChance
from fcdl.model.record import replay
from fcdl.ui.journal import journal_head, read_journal

MAX_SECONDS = 20.0
"""Of processor time for one input; no input needs a tenth of that."""
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class FuzzError(AssertionError):
    """Something that must not happen whatever the input is."""


def _readable(text: str) -> None:
    if _STEERING.search(text):
        raise FuzzError(f"a message holds control characters: {text!r}")


def chart(data: bytes) -> None:
    """A file that is given as a chart, in any form: checked, written again, drawn, and played for some moves."""
    source = data.decode("utf-8", errors="replace")
    checked = load_text(source)
    for finding in checked.findings[:20]:
        for line in render_finding(finding, "chart.fcdl", source).split("\n"):
            _readable(line)
    if checked.flowchart is None:
        return
    flowchart = checked.flowchart
    written = format_document(flowchart.document)
    again = load_text(written, form="fcdl")
    if again.flowchart is None or again.flowchart.hash != flowchart.hash:
        raise FuzzError("the chart that `fmt` writes is another one")
    if len(flowchart.nodes) <= 300:
        for form in ("svg", "dot", "mmd"):
            draw(flowchart, form)
    engine = NativeEngine(Game.make(flowchart, name="fuzzed"))
    chance = RandomChance("fuzz")
    state = engine.start(chance)
    for number in range(30):
        legal = engine.legal(state)
        if not legal:
            break
        state = engine.apply(state, legal[number % len(legal)], chance)
        engine.observe(state, 0)


def form(data: bytes) -> None:
    """A file that is said to be in one of the forms; the first byte says in which."""
    if data:
        names = [name for name in FORMS if name != "fcdl"]
        load_text(data[1:].decode("utf-8", errors="replace"), form=names[data[0] % len(names)])


@cache
def _flowchart(name: str) -> Any:
    return load_flowchart(name)


def record(data: bytes) -> None:
    """Lines of recorded games of built-in games."""
    for line in data.decode("utf-8", errors="replace").split("\n")[:3]:
        try:
            found, engine = load_record(line, None, "interpreter")
            replay(engine, found)
        except FcdlError as error:
            str(error)


def journal(data: bytes) -> None:
    """A journal of a game that is not over."""
    path = Path(tempfile.gettempdir()) / f"fcdl-fuzz-{os.getpid()}.journal"
    path.write_bytes(data)
    try:
        head = journal_head(path)
        if head.game in builtin_names():
            read_journal(path, _flowchart(head.game))
    finally:
        path.unlink(missing_ok=True)


def iss(data: bytes) -> None:
    """A file of the International Skat Server."""
    for _ in convert(data.decode("utf-8", errors="replace").splitlines(keepends=True)):
        pass


@cache
def _game(name: str) -> Game:
    return Game.make(_flowchart(name), name=name)


def agent(data: bytes) -> None:
    """The name of a player with its parameters, and of the policies in it."""
    text = data.decode("utf-8", errors="replace")
    if len(text) < 300 and ":" in text and "measured" not in text and "." not in text.partition(":")[0]:
        parse_agent(text)
        make_agent(text, _game("trumps"))


def options(data: bytes) -> None:
    """Options and numbers of players, as a link or a record gives them."""
    value = json.loads(data.decode("utf-8", errors="replace")) if len(data) < 2000 else None
    if isinstance(value, dict) and value.get("game") in builtin_names():
        given = value.get("options")
        if isinstance(given, dict) and isinstance(value.get("players"), int):
            Game.make(_flowchart(value["game"]), name="x", players=value["players"], options=given)


_PROGRAMS = ("trumps", "leduc_poker", "scopa", "doppelkopf")


@cache
def _parts(name: str) -> dict[str, Any]:
    return compile_game(_game(name), events=True).parts()


def engine(data: bytes) -> None:
    """A node program and positions with bytes changed: which program, then three bytes for each change.

    A change says where (a field of the program, or the position; a place in it) and what is written there.
    """
    if len(data) < 4:
        return
    name = _PROGRAMS[data[0] % len(_PROGRAMS)]
    parts = dict(_parts(name))
    fields = sorted(key for key, value in parts.items() if isinstance(value, bytes) and value)
    changes = [(data[i], data[i + 1] << 8 | data[i + 2], data[i + 3]) for i in range(1, min(len(data) - 3, 60), 4)]
    for where, at, what in changes:
        kind = where % (2 * len(fields) + 2)
        if kind < 2 * len(fields):
            field = fields[kind // 2] if kind % 2 else "code"
            damaged = bytearray(parts[field])
            damaged[at % len(damaged)] = what
            parts[field] = bytes(damaged)
    program = _engine.Program(parts)
    chance = RandomChance(data[0])
    state, _ = program.start(chance)
    for number in range(25):
        for where, at, what in changes:
            if where % (2 * len(fields) + 2) >= 2 * len(fields) and number == where // 16:
                broken = bytearray(state)
                broken[at % len(broken)] = what
                state = bytes(broken)
        legal = program.legal(state)
        if not legal:
            break
        state, _ = program.apply(state, legal[data[number % len(data)] % len(legal)], chance)
    program.look(state)
    program.playouts(state, 0, 2, 1, bytearray(4 * 8 * 2))


TARGETS: dict[str, Callable[[bytes], None]] = {
    "chart": chart,
    "form": form,
    "record": record,
    "journal": journal,
    "iss": iss,
    "agent": agent,
    "options": options,
    "engine": engine,
}
_REFUSALS: dict[str, tuple[type[Exception], ...]] = {
    "engine": (ValueError,),
    "options": (json.JSONDecodeError, RecursionError),
}


def attack(name: str, data: bytes) -> None:
    """Gives a target an input; raises what must not happen."""
    before = time.process_time()
    refusals = (FcdlError, ChartError, *_REFUSALS.get(name, ()))
    with contextlib.suppress(*refusals):
        TARGETS[name](data)
    if time.process_time() - before > MAX_SECONDS:
        raise FuzzError(f"{name}: one input took {time.process_time() - before:.1f} s")
