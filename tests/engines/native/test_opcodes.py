"""The table of instructions, the C header made from it, and programs as text."""

import re
from pathlib import Path

import pytest

from fcdl.engines.native import constants
from fcdl.engines.native.compiler import compile_game
from fcdl.engines.native.opcodes import HEADER, OPCODES, c_header
from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model import Game

NATIVE = HEADER.parent
EXPECTED = Path(__file__).with_name("trumps.txt")


def test_c_header_is_made_from_the_table() -> None:
    assert HEADER.read_text() == c_header(), "run python -m fcdl.engines.native.opcodes"


def test_numbers_that_c_shares_are_made_from_their_table() -> None:
    assert constants.HEADER.read_text() == constants.c_header(), "run python -m fcdl.engines.native.constants"


def test_numbers_that_c_shares_are_said_nowhere_else_in_c() -> None:
    said = "|".join([*constants.NUMBERS, *(f"{word}_[A-Z_]+" for word in constants.LISTS)])
    again = re.compile(rf"^\s*#define ({said})\b|\b({said}) = [-\d(]", re.MULTILINE)
    sources = [path for path in NATIVE.glob("*.[ch]") if path != constants.HEADER]
    assert sources
    assert [path.name for path in sources if again.search(path.read_text())] == []


def test_every_instruction_has_one_body() -> None:
    bodies = re.findall(r"^#define DO_(\w+)\(", (NATIVE / "bodies.h").read_text(), re.MULTILINE)
    assert bodies == [opcode.name for opcode in OPCODES]


def test_every_instruction_has_a_meaning_and_at_most_six_operands() -> None:
    for opcode in OPCODES:
        assert opcode.meaning
        assert len(opcode.operands) <= 6, opcode.name


def test_every_instruction_is_made_by_the_compiler() -> None:
    source = "".join((NATIVE / name).read_text() for name in ("compiler.py", "expressions.py"))
    assert [opcode.name for opcode in OPCODES if f'"{opcode.name}"' not in source] == []


def test_program_of_trumps_reads_as_before() -> None:
    game = Game.make(load_flowchart("trumps"), name="trumps")
    assert compile_game(game).disassemble() == EXPECTED.read_text()


@pytest.mark.parametrize("name", builtin_names())
def test_programs_with_and_without_events_have_the_same_variables(name: str) -> None:
    game = Game.make(load_flowchart(name), name=name)
    fast, telling = compile_game(game), compile_game(game, events=True)
    assert (fast.variables, fast.first_values, fast.zones) == (telling.variables, telling.first_values, telling.zones)
