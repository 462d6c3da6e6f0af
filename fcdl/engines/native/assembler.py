"""Slots, tables, labels and instructions: what a program is put together from, and how.

Operands are kept apart by large numbers until the whole program is known: constants are small, then come temporaries
and variables; zones are small, then come temporary and constant card sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from fcdl.engines.native.constants import SLOT_ALIGNMENT
from fcdl.engines.native.opcodes import NUMBER, OPCODES
from fcdl.engines.native.program import FunctionAt, Instruction, NodeProgram, TableOf
from fcdl.engines.native.terms import Term, Terms
from fcdl.language.flowchart import NONE, Type
from fcdl.model.game import Game

MAX_CODE = 60_000
TEMPORARY, VARIABLE, SET_TEMPORARY, SET_CONSTANT = 1 << 20, 1 << 21, 1 << 22, 1 << 23


class TooLargeError(ValueError):
    """A chart whose program would be larger than the engine takes."""


class Label:
    """A place in the code, known when it has been put there."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at: int | None = None


Operand = int | Label


@dataclass(slots=True)
class Draft:
    """An instruction whose operands and labels are not final yet."""

    op: int
    operands: tuple[Operand, ...]
    arrivals: tuple[int, ...]
    node: int


@dataclass
class Pool:
    """Values with numbers, each kept once."""

    numbers: dict[object, int] = field(default_factory=dict)

    def number(self, value: object) -> int:
        """The number of a value."""
        return self.numbers.setdefault(value, len(self.numbers))


class Assembler:
    """Collects instructions and makes the program of them."""

    def __init__(self, game: Game, events: bool) -> None:
        self.game = game
        self.chart = game.flowchart
        self.events = events
        self.terms = Terms(game)
        self.code: list[Draft] = []
        self.constants = Pool()
        self.set_constants = Pool()
        self.tables = Pool()
        self.set_tables = Pool()
        self.value_tables: dict[str, int] = {}
        """By name of a table of the chart: that of its values by card."""
        self.temporaries = self.most_temporaries = 0
        self.set_temporaries = self.most_set_temporaries = 0
        self.pending: tuple[int, ...] = ()
        self.node = 0
        self.locals: dict[str, int] = {}
        self.cases = 0
        self.known: dict[Term, int] = {}
        """Terms whose values have been computed in this node."""
        self.drawn: int | None = None
        """The slot of the random number of this node, once it is drawn."""
        families = (*self.chart.zones.values(), *self.chart.variables.values())
        self.places = max(game.players, *(len(game.places_of(family)) for family in families))
        """The largest number of places of a zone or variable: indices are smaller or negative."""
        self.zone_base: dict[str, int] = {}
        zones: list[bool] = []
        for zone in self.chart.zones.values():
            self.zone_base[zone.name] = len(zones)
            zones.extend([zone.ordered or zone.name == "pack"] * len(game.places_of(zone)))
        self.ordered = tuple(zones)
        self._lay_out_variables()
        self.node_index = {number: index for index, number in enumerate(self.chart.nodes)}
        self.labels = {number: Label() for number in self.chart.nodes}
        self.resume: dict[int, Label] = {}
        self.returns: list[Label] = []
        self.game_size = 0
        self.functions: list[FunctionAt] = []
        """Those that are compiled; the slots are not final."""
        self.zero, self.one, self.none = self.constant(0), self.constant(1), self.constant(NONE)

    def _lay_out_variables(self) -> None:
        """Slots of the variables, the count of picks, the return addresses, and some to spare (see engine.h)."""
        names: list[str] = []
        values: list[int] = []
        self.variable_base: dict[str, int] = {}
        for variable in self.chart.variables.values():
            self.variable_base[variable.name] = len(names)
            first = variable.initial
            if first is None:
                first = 0 if variable.type in (Type.INT, Type.BOOL) else NONE
            places = self.game.places_of(variable)
            names.extend(self.game.place_text(variable.name, place) for place in places)
            values.extend([first] * len(places))
        self.picks_left = len(names)
        names.append("picksLeft")
        self.return_base = {name: len(names) + index for index, name in enumerate(self.chart.charts)}
        names.extend(f"return of {name}" for name in self.chart.charts)
        names.extend("-" for _ in range(self.places))
        self.variable_names = tuple(names)
        self.first_values = tuple(values) + (0,) * (len(names) - len(values))

    # --- pools and instructions

    def constant(self, value: int) -> int:
        """The slot of a number."""
        return self.constants.number(value)

    def set_constant(self, mask: int) -> int:
        """The slot of a set of cards."""
        return SET_CONSTANT + self.set_constants.number(mask)

    def table(self, low: int, entries: Iterable[int]) -> int:
        """The number of a table of ints."""
        return self.tables.number((low, tuple(entries)))

    def set_table(self, low: int, entries: Iterable[int]) -> int:
        """The number of a table of card sets."""
        return self.set_tables.number((low, tuple(entries)))

    def temporary(self) -> int:
        """A new int slot."""
        self.temporaries += 1
        self.most_temporaries = max(self.most_temporaries, self.temporaries)
        return TEMPORARY + self.temporaries - 1

    def set_temporary(self) -> int:
        """A new slot for a card set."""
        self.set_temporaries += 1
        self.most_set_temporaries = max(self.most_set_temporaries, self.set_temporaries)
        return SET_TEMPORARY + self.set_temporaries - 1

    def emit(self, name: str, *operands: Operand) -> None:
        """Adds an instruction; the first of a node counts the arrivals."""
        if len(self.code) > MAX_CODE:
            raise TooLargeError(f"the chart needs more than {MAX_CODE} instructions")
        self.code.append(Draft(NUMBER[name], operands, self.pending, self.node))
        self.pending = ()

    def put(self, label: Label) -> None:
        """The label is here. What was computed before may not have been on the way to it."""
        label.at = len(self.code)
        self.known.clear()

    def variable(self, name: str, place: int = 0) -> int:
        """The slot of a variable."""
        return VARIABLE + self.variable_base[name] + place

    # --- assembly

    def assembled(self) -> NodeProgram:
        """The program, with all operands final."""
        self.most_temporaries += -(len(self.constants.numbers) + self.most_temporaries) % SLOT_ALIGNMENT
        deck = self.chart.deck
        resolve = self._resolver()
        code = tuple(Instruction(draft.op, resolve(draft), draft.arrivals, draft.node) for draft in self.code)
        return NodeProgram(
            players=self.game.players,
            places=self.places,
            deck_size=deck.size,
            kinds=deck.first_copies,
            in_play=self.terms.in_play,
            zones=self.game.zones,
            ordered=self.ordered,
            pack=self.zone_base["pack"],
            constants=tuple(self.constants.numbers),  # type: ignore[arg-type]
            temporaries=self.most_temporaries,
            variables=self.variable_names,
            first_values=self.first_values,
            score=self.variable_base["score"],
            passed=self.variable_base["passed"],
            picks_left=self.picks_left,
            set_temporaries=self.most_set_temporaries,
            set_constants=tuple(self.set_constants.numbers),  # type: ignore[arg-type]
            tables=tuple(TableOf(*key) for key in self.tables.numbers),  # type: ignore[misc]
            set_tables=tuple(TableOf(*key) for key in self.set_tables.numbers),  # type: ignore[misc]
            code=code,
            nodes=tuple(self.chart.nodes),
            resume=tuple(self._resume_at(index) for index in range(len(self.chart.nodes))),
            returns=tuple(_placed(label) for label in self.returns),
            with_events=self.events,
            game_size=self.game_size,
            functions=tuple(
                replace(function, arguments=self._slot(function.arguments), result=self._slot(function.result))
                for function in self.functions
            ),
            code_names=tuple(deck.code(card) for card in range(deck.size)),
        )

    def _resume_at(self, node: int) -> int | None:
        label = self.resume.get(node)
        return None if label is None else _placed(label)

    def _slot(self, operand: int) -> int:
        """The final number of an int slot."""
        if operand >= VARIABLE:
            return len(self.constants.numbers) + self.most_temporaries + operand - VARIABLE
        return operand - TEMPORARY + len(self.constants.numbers) if operand >= TEMPORARY else operand

    def _resolver(self) -> Callable[[Draft], tuple[int, ...]]:
        """What gives the final operands of an instruction."""
        slots = len(self.constants.numbers)
        first_variable = slots + self.most_temporaries - VARIABLE
        first_set = len(self.ordered) + self.places - SET_TEMPORARY
        first_set_constant = first_set + SET_TEMPORARY + self.most_set_temporaries - SET_CONSTANT

        def resolve(draft: Draft) -> tuple[int, ...]:
            final = []
            for kind, operand in zip(OPCODES[draft.op].operands, draft.operands, strict=True):
                if isinstance(operand, Label):
                    final.append(_placed(operand))
                elif kind in "sdpB":
                    shift = first_variable if operand >= VARIABLE else slots - TEMPORARY if operand >= TEMPORARY else 0
                    final.append(operand + shift)
                elif kind in "SD":
                    from_constants = operand >= SET_CONSTANT
                    shift = first_set_constant if from_constants else first_set if operand >= SET_TEMPORARY else 0
                    final.append(operand + shift)
                else:
                    final.append(operand)
            return tuple(final)

        return resolve


def _placed(label: Label) -> int:
    assert label.at is not None
    return label.at
