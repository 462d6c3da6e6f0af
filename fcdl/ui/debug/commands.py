"""The debugger's commands as lines of text; the keys of the screen are short for them."""

from __future__ import annotations

from collections.abc import Callable

from fcdl.errors import FcdlError
from fcdl.language.diagnostics import ChartError, did_you_mean
from fcdl.model.moves import KINDS
from fcdl.ui.debug.debugger import DebugError, Debugger
from fcdl.ui.debug.rows import Row, Rows
from fcdl.ui.session import parse_move

HELP = """s  step [N]             one node on, into sub-charts
n  next                 one node on, over sub-charts
o  out                  to the end of this sub-chart
c  continue             to the next decision
g  go                   to the next breakpoint, or to the end
b  back [N]             one node back
p  previous             back to the previous decision
r  restart              back to the start
   play CARD            make a move; so do pick CARD, choose VALUE and pass
   break NODE           stop at a node (number or label); alone: list them
   break NODE if COND   stop there only if a condition holds
   clear NODE           no longer stop there
   print EXPRESSION     print its value
   watch EXPRESSION     show its value from now on; alone: list them
   unwatch EXPRESSION   no longer show it
   view SEAT            what one seat sees; view all: all cards face up
w  where                the next node, and what it will do and why
   table, values        where the cards are; all variables
   events [N]           what has happened
   reload               read the chart again; automatic when its file changes
q  quit, help"""

_SHORT = {
    "s": "step", "n": "next", "o": "out", "c": "continue", "g": "go", "b": "back", "p": "previous", "r": "restart",
    "w": "where", "q": "quit", "exit": "quit", "?": "help",
}  # fmt: skip


class Commands:
    """Does what lines say to a debugger, and knows whose view is shown and with what it is compared."""

    def __init__(self, debugger: Debugger) -> None:
        self.debugger = debugger
        self.seat: int | None = None
        """Whose view is shown; None: everything."""
        self.before = debugger.state
        """The position at the previous stop."""
        self.done = False
        self._moving: dict[str, Callable[[], str]] = {
            "step": debugger.step,
            "next": debugger.over,
            "out": debugger.out,
            "continue": debugger.to_decision,
            "go": debugger.go,
            "back": debugger.back,
            "previous": debugger.back_to_decision,
            "restart": debugger.restart,
        }
        self._others: dict[str, Callable[[str], list[str]]] = {
            "break": self._break,
            "clear": self._clear,
            "print": self._print,
            "watch": self._watch,
            "unwatch": self._unwatch,
            "view": self._view,
            "where": lambda _: self._where(),
            "table": lambda _: _lines(self.rows().table()),
            "values": lambda _: _lines([*self.rows().values(), *self.rows().seat_values()]),
            "events": lambda text: self.rows().events(_number(text, 20)),
            "help": lambda _: HELP.splitlines(),
            "quit": self._quit,
        }

    def rows(self) -> Rows:
        """What there is to show."""
        return Rows(self.debugger, self.seat, self.before)

    def run(self, line: str) -> list[str]:
        """Does what a line says; what there is to say about it, or what is wrong with it."""
        word, _, rest = line.strip().partition(" ")
        name, rest = _SHORT.get(word, word), rest.strip()
        before = self.debugger.state
        try:
            said = self._run(name, rest)
        except (FcdlError, ChartError) as error:
            said = str(error).splitlines()
        if name == "reload":
            self.before = self.debugger.state
            self.seat = self.seat if self.seat in range(self.debugger.game.players) else None
        elif self.debugger.state is not before:
            self.before = before
        return said

    def _run(self, name: str, rest: str) -> list[str]:
        if not name:
            return []
        if name in KINDS:
            legal, deck = self.debugger.legal, self.debugger.game.flowchart.deck
            return _said(self.debugger.play(parse_move(f"{name} {rest}".strip(), legal, deck)))
        if name == "reload":
            return [self.debugger.reload(), *self.debugger.trouble]
        if name in self._moving:
            said = ""
            for _ in range(_number(rest, 1) if name in ("step", "back") else 1):
                said = self._moving[name]()
                if said:
                    break
            return _said(said)
        if name in self._others:
            return self._others[name](rest)
        hint = did_you_mean(name, [*self._moving, *self._others, *KINDS, "reload"]) or "help lists them"
        raise DebugError(f"no command '{name}' ({hint})")

    def _where(self) -> list[str]:
        rows = self.rows()
        parts = [f"  {'  ' * part.depth}{part.text}: {part.value}" for part in rows.parts()]
        return [rows.node(), *parts, *_said(rows.decision())]

    def _break(self, text: str) -> list[str]:
        if not text:
            points = self.debugger.breakpoints.values()
            listed = [f"node {point.node}" + (f" if {point.text}" if point.text else "") for point in points]
            return listed or ["no breakpoints"]
        place, _, condition = text.partition(" ")
        word, _, condition = condition.strip().partition(" ")
        if word not in ("", "if") or (word and not condition.strip()):
            raise DebugError("write break NODE, or break NODE if CONDITION")
        number = self.debugger.find_node(place)
        self.debugger.set_breakpoint(number, condition.strip())
        return [f"stops at node {number}" + (f" if {condition.strip()}" if condition else "")]

    def _clear(self, text: str) -> list[str]:
        number = self.debugger.find_node(text)
        if self.debugger.breakpoints.pop(number, None) is None:
            raise DebugError(f"there is no breakpoint at node {number}")
        return [f"no longer stops at node {number}"]

    def _print(self, text: str) -> list[str]:
        return [self.debugger.value(text)]

    def _watch(self, text: str) -> list[str]:
        if not text:
            return [f"{text}: {self.debugger.value(text)}" for text in self.debugger.watches] or ["nothing is watched"]
        self.debugger.watch(text)
        return [f"{text}: {self.debugger.value(text)}"]

    def _unwatch(self, text: str) -> list[str]:
        if self.debugger.watches.pop(text, None) is None:
            raise DebugError(f"'{text}' is not watched")
        return [f"{text} is no longer watched"]

    def _view(self, text: str) -> list[str]:
        players = self.debugger.game.players
        if text in ("", "all"):
            self.seat = None
        elif text.isdecimal() and int(text) < players:
            self.seat = int(text)
        else:
            raise DebugError(f"there is no seat '{text}' (0 to {players - 1}, or all)")
        return ["all cards face up" if self.seat is None else f"what player {self.seat} sees"]

    def _quit(self, _: str) -> list[str]:
        self.done = True
        return []


def _said(text: str) -> list[str]:
    return [text] if text else []


def _number(text: str, default: int) -> int:
    if not text:
        return default
    if not text.isdecimal() or not 0 < int(text) <= 1_000_000:
        raise DebugError(f"'{text}' is not a number")
    return int(text)


def _lines(rows: list[Row]) -> list[str]:
    """Rows as lines; a star marks what has changed."""
    width = max((len(row.name) for row in rows), default=0)
    return [
        f"{row.name:<{width}}  " + "  ".join(f"{cell.text}{'*' if cell.changed else ''}" for cell in row.cells)
        for row in rows
    ]
