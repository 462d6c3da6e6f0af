"""The node program: what the compiler makes and the C engine runs, and its text form."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from fcdl.engines.native.opcodes import OPCODES
from fcdl.language.flowchart import MAX_CARDS

Bundle = dict[str, Any]

WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction; `arrivals` are the nodes (by index) that are arrived at with it."""

    op: int
    operands: tuple[int, ...]
    arrivals: tuple[int, ...]
    node: int


@dataclass(frozen=True, slots=True)
class TableOf:
    """A table: the value of its first entry, and its entries (ints or masks)."""

    low: int
    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FunctionAt:
    """A function's place: its first instruction, the slots of its arguments and of its value."""

    name: str
    parameters: tuple[str, ...]
    entry: int
    arguments: int
    result: int


@dataclass(frozen=True)
class NodeProgram:
    """A program, with names for its slots and zones so that people can read it."""

    players: int
    places: int
    """The largest number of places of a zone or variable."""
    deck_size: int
    kinds: tuple[int, ...]
    """For each card the first one that looks like it."""
    in_play: int
    zones: tuple[str, ...]
    ordered: tuple[bool, ...]
    pack: int
    constants: tuple[int, ...]
    temporaries: int
    variables: tuple[str, ...]
    first_values: tuple[int, ...]
    score: int
    passed: int
    picks_left: int
    set_temporaries: int
    set_constants: tuple[int, ...]
    tables: tuple[TableOf, ...]
    set_tables: tuple[TableOf, ...]
    code: tuple[Instruction, ...]
    nodes: tuple[int, ...]
    resume: tuple[int | None, ...]
    returns: tuple[int, ...]
    with_events: bool
    game_size: int
    """The number of instructions before those of the functions."""
    functions: tuple[FunctionAt, ...]
    code_names: tuple[str, ...] = field(default=())
    """The deck's card codes, for the disassembler."""

    def parts(self) -> Bundle:
        """What `_engine.Program` is made from."""
        words = 1 if self.deck_size <= 64 else 2 if self.deck_size <= 128 else 4
        zone_slots = len(self.zones) + self.places
        sets = [0] * (zone_slots + self.set_temporaries) + list(self.set_constants)
        first = self.constants[:] + (0,) * self.temporaries + self.first_values
        base = len(self.constants) + self.temporaries
        tables, entries = _flat(self.tables)
        set_tables, set_entries = _flat(self.set_tables)
        functions = array("I")
        for function in self.functions:
            functions.extend((function.entry, len(function.parameters), function.arguments, function.result))
        code, arrivals, arrival_nodes = array("H"), array("I"), array("H")
        for instruction in self.code:
            operands = instruction.operands + (0,) * (6 - len(instruction.operands))
            code.extend((instruction.op, *operands, len(instruction.arrivals)))
            arrivals.append(len(arrival_nodes))
            arrival_nodes.extend(instruction.arrivals)
        return {
            "players": self.players,
            "places": self.places,
            "deck_size": self.deck_size,
            "kinds": bytes(self.kinds),
            "zones": len(self.zones),
            "pack": self.pack,
            "constants": len(self.constants),
            "temporaries": self.temporaries,
            "variables": len(self.first_values),
            "set_temporaries": self.set_temporaries,
            "first_slots": array("i", first).tobytes(),
            "first_sets": _words(sets, words),
            "score": base + self.score,
            "passed": base + self.passed,
            "picks_left": base + self.picks_left,
            "in_play": _words([self.in_play], MAX_CARDS // 64),
            "ordered": bytes(self.ordered),
            "tables": tables.tobytes(),
            "set_tables": set_tables.tobytes(),
            "entries": array("i", entries).tobytes(),
            "set_entries": _words(set_entries, words),
            "nodes": array("i", self.nodes).tobytes(),
            "resume": array("I", [2**32 - 1 if at is None else at for at in self.resume]).tobytes(),
            "returns": array("H", self.returns).tobytes(),
            "code": code.tobytes(),
            "game_size": self.game_size,
            "functions": functions.tobytes(),
            "arrivals": arrivals.tobytes(),
            "arrival_nodes": arrival_nodes.tobytes(),
            "node_of": array("H", [instruction.node for instruction in self.code]).tobytes(),
        }

    def disassemble(self) -> str:
        """The program as text, one line for each instruction, tables at the end."""
        return "\n".join(_lines(self)) + "\n"


def _words(masks: list[int], words: int) -> bytes:
    """Masks as so many words of 64 bits each, the lowest first."""
    return array("Q", [mask >> 64 * word & WORD for mask in masks for word in range(words)]).tobytes()


def _flat(tables: tuple[TableOf, ...]) -> tuple[array[int], list[int]]:
    rows, entries = array("i"), list[int]()
    for table in tables:
        rows.extend((table.low, table.low + len(table.entries) - 1, len(entries), 0))
        entries.extend(table.entries)
    return rows, entries


def _lines(program: NodeProgram) -> Iterator[str]:
    names = {function.entry: f"{function.name}({', '.join(function.parameters)})" for function in program.functions}
    for at, instruction in enumerate(program.code):
        if at in names:
            yield f"function {names[at]}:"
        opcode = OPCODES[instruction.op]
        operands = " ".join(
            operand_text(program, kind, operand)
            for kind, operand in zip(opcode.operands, instruction.operands, strict=True)
        )
        nodes = ",".join(str(program.nodes[node]) for node in instruction.arrivals)
        yield f"{at:4} {nodes:>8}  {opcode.name:<10} {operands}".rstrip()
    for number, table in enumerate(program.tables):
        yield f"table {number}, from {table.low}: {' '.join(map(str, table.entries))}"
    for number, table in enumerate(program.set_tables):
        yield f"set table {number}, from {table.low}: {' | '.join(_cards(program, mask) for mask in table.entries)}"
    for number, mask in enumerate(program.set_constants):
        yield f"set {number}: {_cards(program, mask)}"


def operand_text(program: NodeProgram, kind: str, operand: int) -> str:
    """An operand as people read it."""
    first_variable = len(program.constants) + program.temporaries
    if kind in "sdpB":
        if operand < len(program.constants):
            return str(program.constants[operand])
        if operand < first_variable:
            return f"t{operand - len(program.constants)}"
        return program.variables[operand - first_variable]
    if kind in "SDZ":
        first_temporary = len(program.zones) + program.places
        if operand < len(program.zones):
            return program.zones[operand]
        if operand < first_temporary + program.set_temporaries:
            return f"m{operand - first_temporary}"
        return f"set{operand - first_temporary - program.set_temporaries}"
    prefixes = {"T": "table", "C": "table", "M": "sets", "J": "@", "R": "returns"}
    if kind == "N":
        return f"node{program.nodes[operand]}"
    return f"{prefixes.get(kind, '')}{operand}"


def _cards(program: NodeProgram, mask: int) -> str:
    if mask == program.in_play:
        return "all"
    return " ".join(code for card, code in enumerate(program.code_names) if mask >> card & 1) or "none"
