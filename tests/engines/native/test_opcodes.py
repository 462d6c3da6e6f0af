"""The table of instructions, the C header made from it, and programs as text."""

from pathlib import Path

import pytest

from fcdl.engines.native.compiler import compile_game
from fcdl.engines.native.opcodes import HEADER, OPCODES, c_header
from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model import Game

NATIVE = HEADER.parent
EXPECTED = Path(__file__).with_name("trumps.txt")


def test_c_header_is_made_from_the_table() -> None:
    assert HEADER.read_text() == c_header(), "run python -m fcdl.engines.native.opcodes"


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
