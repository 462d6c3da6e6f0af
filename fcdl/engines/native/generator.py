"""From a node program to C: a function that runs this game and no other, or its functions as functions of C.

The C code has a line for each instruction, which names the body that the interpreter uses, too (`bodies.h`), with the
operands as constants. What an instruction means is said there and nowhere here, so a new instruction needs nothing from
this module. The program itself is in the C code as data: the engine compares it before it runs the function.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator

from fcdl.engines.native.opcodes import NUMBER, OPCODES
from fcdl.engines.native.program import Instruction, NodeProgram, operand_text
from fcdl.language.flowchart import Flowchart

_ARRAYS = {
    "first_slots": ("int32_t", "i"),
    "first_sets": ("uint64_t", "Q"),
    "ordered": ("uint8_t", "B"),
    "entries": ("int32_t", "i"),
    "set_entries": ("uint64_t", "Q"),
    "arrivals": ("uint32_t", "I"),
    "arrival_nodes": ("uint16_t", "H"),
    "node_of": ("uint16_t", "H"),
    "returns": ("uint16_t", "H"),
}
_HARD_TO_GUESS = {NUMBER["JTOPLT"], NUMBER["JTOPNLT"]}
"""Which of two cards is higher: most other jumps of a chart are mostly the same."""
_STRUCTS = {
    "code": ("Instruction", "H", 8),
    "functions": ("Function", "I", 4),
    "tables": ("Table", "i", 4),
    "set_tables": ("Table", "i", 4),
}


def c_source(program: NodeProgram, chart: Flowchart, name: str = "game") -> str:
    """A C file that compiles, with this folder's headers, to what `name` is in a library; see `library_source`."""
    assert not program.with_events
    assert not program.functions
    heading = _heading(program, chart, "compiled_game.h")
    return "\n".join([*heading, *_data(program), *_code(program, chart, name), *_in_library(name, game=True), ""])


def functions_source(program: NodeProgram, chart: Flowchart, name: str = "game") -> str:
    """The same for the functions of a program, without its game."""
    heading = _heading(program, chart, "compiled_functions.h")
    return "\n".join([*heading, *_data(program), *_functions(program, name), *_in_library(name, game=False), ""])


def library_source(names: Iterable[str]) -> str:
    """The C file that makes a library of the programs with these names."""
    names = list(names)
    return "\n".join(
        [
            '#include "library.h"',
            *(f"extern const CompiledGame {name};" for name in names),
            '__attribute__((visibility("default"))) const CompiledGame *const COMPILED_GAMES[] = {',
            *(f"    &{name}," for name in names),
            "    NULL};",
            "",
        ]
    )


def _heading(program: NodeProgram, chart: Flowchart, header: str) -> Iterator[str]:
    yield f"/* {_comment(chart.title)}, {program.players} players: made from its chart by `fcdl compile --to c`. */"
    yield ""
    yield f"#define DECK_SIZE {program.deck_size}"
    yield f'#include "{header}"'
    yield ""


def _data(program: NodeProgram) -> Iterator[str]:
    """The program as constants."""
    parts = program.parts()
    parts["ordered"] += bytes(program.places)  # the zones to spare
    for name, (kind, code) in _ARRAYS.items():
        yield from _array(f"static const {kind} {name}_[]", map(_number, array(code, parts[name])))
    for name, (kind, code, fields) in _STRUCTS.items():
        numbers = [_number(number) for number in array(code, parts[name])]
        rows = (", ".join(numbers[at : at + fields]) for at in range(0, len(numbers), fields))
        yield from _array(f"static const {kind} {name}_[]", (f"{{{row}}}" for row in rows))
    in_play = ", ".join(map(_number, array("Q", parts["in_play"])))
    cards = [card for card in range(program.deck_size) if program.in_play >> card & 1]
    base = len(program.constants) + program.temporaries
    yield f"enum {{ SLOTS = {len(program.first_values)}, ZONES = {len(program.zones)} }};"
    yield f"enum {{ PLAYERS = {program.players}, PLACES = {program.places} }};"
    yield "enum { LINKS = DECK_SIZE + ZONES + PLACES };"
    yield "static const Program self = {"
    yield "    .players = PLAYERS, .places = PLACES, .deck_size = DECK_SIZE,"
    yield "    .zones = ZONES, .zone_slots = ZONES + PLACES,"
    yield f"    .pack = {program.pack}, .width = SET_WORDS / 2, .links = LINKS,"
    yield f"    .cards = {{{', '.join(map(str, cards))}}}, .cards_in_play = {len(cards)},"
    yield f"    .has_copies = {int(len(set(parts['kinds'])) < len(parts['kinds']))},"
    yield f"    .kinds = {{{', '.join(map(str, parts['kinds']))}}},"
    yield f"    .score = {parts['score'] - base}, .passed = {parts['passed'] - base}, "
    yield f"    .picks_left = {parts['picks_left'] - base}, .in_play = {{{in_play}}},"
    yield f"    .constants = {len(program.constants)}, .temporaries = {program.temporaries}, .variables = SLOTS,"
    yield f"    .set_temporaries = {program.set_temporaries}, .game_size = {program.game_size},"
    yield f"    .code_size = {len(program.code)}, .function_count = {len(program.functions)},"
    yield "    .header_at = HEADER_AT(SLOTS), .links_at = LINKS_AT(SLOTS), .sets_at = SETS_AT(SLOTS, LINKS),"
    for name, (kind, _) in _ARRAYS.items():
        yield f"    .{name} = ({kind} *){name}_,"
    for name, (kind, _, _) in _STRUCTS.items():
        yield f"    .{name} = ({kind} *){name}_,"
    yield "};"
    yield ""


def _array(declaration: str, items: Iterable[str]) -> Iterator[str]:
    """An array, which C wants to have an item at least."""
    yield f"{declaration} __attribute__((aligned(32), unused)) = {{"
    line = "   "
    for item in list(items) or ["0"]:
        if len(line) + len(item) > 110:
            yield line
            line = "   "
        line += f" {item},"
    yield line
    yield "};"


def _code(program: NodeProgram, chart: Flowchart, name: str) -> Iterator[str]:
    entries = _entries(program)
    jumped_over = set(_jumped_over(program, entries))
    yield f"enum {{ LONGEST = {longest_path(program)} }};"
    yield f"static RUN_BEGINS(run_{name}, {' '.join(f'ENTER_AT({at})' for at in sorted(entries))})"
    node = None
    for at, instruction in enumerate(program.code[: program.game_size]):
        if instruction.arrivals or instruction.node != node:
            for number in instruction.arrivals or (instruction.node,):
                yield f"    /* {_node(program, chart, number)} */"
            node = instruction.node
        said = " ".join(operand_text(program, *pair) for pair in _operands(instruction))
        if at + 1 in jumped_over:
            copy = program.code[at + 1]
            target, value = (_operand(program, *pair) for pair in _operands(copy))
            head = f"I_OVER_COPY({at}, {len(instruction.arrivals)}, {at + 2}, {target}, {value}, {len(copy.arrivals)}"
        elif at in jumped_over:
            yield f"    /* {_comment(said)} */"
            continue
        else:
            head = f"I({at}, {len(instruction.arrivals)}"
        operands = [_operand(program, *pair) for pair in _operands(instruction)]
        operands += ["0"] * (6 - len(operands))
        line = f"    {head}, {OPCODES[instruction.op].name}, {', '.join(operands)})"
        yield f"{line:<72} /* {_comment(said)} */" if said else line
    yield "    goto fault; /* nothing leads here */"
    yield '#include "stops.h"'
    yield "    return result;"
    yield "}"
    yield ""


def _functions(program: NodeProgram, name: str) -> Iterator[str]:
    """Every function as one of C; its temporaries are locals."""
    ends = [*(function.entry for function in program.functions[1:]), len(program.code)]
    for number, (function, end) in enumerate(zip(program.functions, ends, strict=True)):
        code = range(function.entry, end)
        operands = {at: [_operand(program, *pair, local=True) for pair in _operands(program.code[at])] for at in code}
        used = sorted({operand for at in code for operand in operands[at] if operand[:2] in ("t_", "s_")})
        first = function.arguments - len(program.constants)
        given = {f"t_{first + n}": f"given[{n}]" for n in range(len(function.parameters))}
        result = _operand(program, "s", function.result, local=True)
        yield f"/* {_comment(function.name)}({', '.join(function.parameters)}) */"
        yield f"FUNCTION_BEGINS({name}_{number})"
        for local in dict.fromkeys([*given, *used, *([result] if result.startswith("t_") else [])]):
            kind = "int32_t" if local.startswith("t_") else "SET"
            yield f"    {kind} {local} = {given.get(local, '0' if kind == 'int32_t' else '{0}')};"
        for at in code:
            padded = operands[at] + ["0"] * (6 - len(operands[at]))
            said = " ".join(operand_text(program, *pair) for pair in _operands(program.code[at]))
            line = f"    F({at}, {OPCODES[program.code[at].op].name}, {', '.join(padded)})"
            yield f"{line:<72} /* {_comment(said)} */" if said else line
        yield f"FUNCTION_ENDS({result})"
    yield f"static const Callee functions_of_{name}[] = {{"
    yield from (f"    {name}_{number}," for number in range(len(program.functions)))
    yield "};"
    yield ""


def _in_library(name: str, *, game: bool) -> Iterator[str]:
    """What a library has of this name."""
    parts = f"run_{name}, NULL" if game else f"NULL, functions_of_{name}"
    yield f"extern const CompiledGame {name};"
    yield f"const CompiledGame {name} = {{FCDL_ABI, NEEDS_FAST_BITS, &self, {parts}}};"


def _entries(program: NodeProgram) -> set[int]:
    """The instructions where a run may begin or come back to."""
    found = {0, *program.returns, *(at for at in program.resume if at is not None)}
    for at, instruction in enumerate(program.code[: program.game_size]):
        if OPCODES[instruction.op].may_stop:
            found |= {at, at + 1}
    return {at for at in found if at < program.game_size}


def _operands(instruction: Instruction) -> list[tuple[str, int]]:
    """The operands with their kinds."""
    return list(zip(OPCODES[instruction.op].operands, instruction.operands, strict=True))


def _targets(instruction: Instruction) -> list[int]:
    """Where an instruction may jump to."""
    return [operand for kind, operand in _operands(instruction) if kind == "J"]


def _jumped_over(program: NodeProgram, entries: set[int]) -> Iterator[int]:
    """Assignments that a jump hard to guess may jump over, and that nothing else leads to."""
    code = program.code[: program.game_size]
    targets = [target for instruction in code for target in _targets(instruction)]
    for at in range(1, len(code) - 1):
        jump = code[at - 1].op in _HARD_TO_GUESS and _targets(code[at - 1]) == [at + 1]
        if jump and code[at].op == NUMBER["COPY"] and at not in entries and at not in targets:
            yield at


def longest_path(program: NodeProgram) -> int:
    """The most nodes that can be arrived at without going back, looking up a return address or making a decision."""
    longest = [0] * (program.game_size + 1)
    for at in reversed(range(program.game_size)):
        instruction = program.code[at]
        longest[at] = len(instruction.arrivals) + max(longest[to] for to in (at + 1, *_targets(instruction)) if to > at)
    return max(longest)


def _operand(program: NodeProgram, kind: str, operand: int, *, local: bool = False) -> str:
    """An operand as the bodies take it: slots and sets as C expressions, all else as numbers.

    Temporaries are in the memory of the frame, or local variables.
    """
    constants, first_variable = len(program.constants), len(program.constants) + program.temporaries
    if kind == "B":
        return str(operand - first_variable)
    if kind in "spd":
        if operand < constants:
            return f"({_number(program.constants[operand])})"
        if operand >= first_variable:
            return f"v[{operand - first_variable}]"
        return f"t_{operand - constants}" if local else f"t[{operand - constants}]"
    if kind in "SD":
        first_temporary = len(program.zones) + program.places
        if operand >= first_temporary + program.set_temporaries:
            return f"sets[{operand}]"
        return f"s_{operand}" if local and operand >= first_temporary else f"m[{operand}]"
    return str(operand)


def _number(number: int) -> str:
    if number == -(2**31):
        return "INT32_MIN"
    return f"{number:#x}u" if number >= 2**31 else str(number)


def _node(program: NodeProgram, chart: Flowchart, index: int) -> str:
    """The line of the chart that a node is."""
    node = chart.nodes[program.nodes[index]]
    line = f"line {node.span.line}: " if node.span is not None else f"node {node.number}: "
    return line + _comment(node.caption)


def _comment(text: str) -> str:
    """A text that is safe in a comment of one line, whoever wrote it."""
    return re.sub(r"[^ -~]|\\|\?\?", " ", text).replace("*/", "* /").replace("/*", "/ *")
