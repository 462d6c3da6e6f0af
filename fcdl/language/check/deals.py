"""Deals: more cards than the deck has, or than are left, for some number of players and values of options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf

from fcdl.language import flowchart as fc
from fcdl.language.check.fold import Folder, Setting, option_values, settings
from fcdl.language.check.program import Program, zone_name
from fcdl.language.diagnostics import Findings
from fcdl.language.flow import BitProblem, solve
from fcdl.language.flowchart import Expr, MoveBy
from fcdl.language.ops import depends_on_play

MAX_WALKS = 16
"""How many settings are followed through the whole chart; most need no look at the paths at all."""


def check(program: Program, findings: Findings) -> None:
    """Reports deals for which the cards cannot suffice."""
    takes = dict(_takes(program))
    deals = [number for number, move in takes.items() if move.each_seat]
    if not deals:
        return
    folder = Folder(program.flowchart, _constants(program))
    numbers = _Numbers(program, folder, takes)
    reported = _too_many(program, numbers, deals, findings)
    _again(program, numbers, [number for number in deals if number not in reported], findings)


def _takes(program: Program) -> Iterator[tuple[int, fc.Move]]:
    """The nodes that take a number of cards from the pack."""
    for node in program.in_text_order():
        match node.statement:
            case fc.Move(by=MoveBy.NUMBER, source=source) as move if zone_name(source) == "pack":
                yield node.number, move


def _refills(node: fc.Node) -> bool:
    """Whether a node puts cards into the pack."""
    match node.statement:
        case fc.Gather():
            return True
        case fc.Move(target=target) | fc.Play(target=target) | fc.Pick(target=target) | fc.TakeSet(target=target):
            return zone_name(target) == "pack"
    return False


def _constants(program: Program) -> dict[str, Expr]:
    """Variables that only ever get one value, which does not depend on the play."""
    values: dict[str, Expr | None] = {}
    for number in program.reachable():
        match program.nodes[number].statement:
            case fc.Choose(target=target):
                values[target.name] = None
            case fc.Assign(target=target, value=value):
                same = values.get(target.name, value) == value
                fixed = target.player is None and same and not depends_on_play(value)
                values[target.name] = value if fixed else None
    return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class _Numbers:
    """How many cards there are and how many are taken, in a setting."""

    program: Program
    folder: Folder
    takes: dict[int, fc.Move]

    def settings(self) -> list[Setting]:
        """The settings to look at: all of them, or the defaults and each option's extremes."""
        flowchart = self.program.flowchart
        exprs = [move.what for move in self.takes.values() if move.what is not None]
        exprs += list(self.folder.constants.values())
        exprs += [restriction for restriction in flowchart.deck.restrictions if restriction is not None]
        every = settings(flowchart, exprs)
        if every is not None:
            return _largest_table_first(every)
        read = sorted({part.name for expr in exprs for part in expr.walk() if part.op == "option" and part.name})
        defaults = {name: flowchart.options[name].default for name in read}
        chosen = [defaults]
        for name in read:
            values = option_values(flowchart, flowchart.options[name])
            chosen += [{**defaults, name: value} for value in (min(values), max(values))]
        low, high = flowchart.players
        return [Setting(players, options) for options in chosen for players in range(high, low - 1, -1)]

    def deck(self, setting: Setting) -> int:
        """How many cards there are at most."""
        return self.folder.deck_bounds(setting)[1].bit_count()

    def each(self, number: int, setting: Setting) -> int:
        """How many cards a node takes, for one seat if it deals; 0 if that is not known."""
        what = self.takes[number].what
        return max(0, self.folder.value(what, setting) or 0) if what is not None else 0

    def total(self, number: int, setting: Setting) -> int:
        """How many cards a node takes."""
        return self.each(number, setting) * (setting.players if self.takes[number].each_seat else 1)


def _largest_table_first(every: list[Setting]) -> list[Setting]:
    """The settings with the same options together, the most players first: their limit holds for all tables."""
    position: dict[tuple[tuple[str, int], ...], int] = {}
    for setting in every:
        position.setdefault(tuple(setting.options.items()), len(position))
    return sorted(every, key=lambda setting: (position[tuple(setting.options.items())], -setting.players))


# --- too many at once, or along every path ----------------------------------------------------------------------------


def _too_many(program: Program, numbers: _Numbers, deals: list[int], findings: Findings) -> set[int]:
    reported: set[int] = set()
    walks = 0
    for setting in numbers.settings():
        taken = {number: numbers.total(number, setting) for number in numbers.takes}
        size = numbers.deck(setting) if any(taken.values()) else 0
        if sum(taken.values()) <= size:
            continue
        walks += 1
        before = solve(program, _Taken(taken)).before if walks <= MAX_WALKS else {}
        for number in deals:
            gone = int(min(before.get(number, 0), size))
            if number not in reported and gone + taken[number] > size:
                reported.add(number)
                _report(program, numbers, number, setting, size, gone, findings)
    return reported


def _report(
    program: Program, numbers: _Numbers, number: int, setting: Setting, size: int, gone: int, findings: Findings
) -> None:
    node, each = program.nodes[number], numbers.each(number, setting)
    left = f"only {size - gone} of {size} are left" if gone else f"the deck has {size}"
    product = f"{_plural(setting.players, 'player')} × {_plural(each, 'card')} = {each * setting.players}"
    findings.error(
        "too-many-cards",
        f"{setting.describe(program.flowchart)}{product}, but {left}",
        program.place(node),
        node=number,
        hint=f"deal at most {(size - gone) // setting.players} to each",
    )


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


_Gone = tuple[float, float]


class _Taken:
    """The least number of cards that are gone, over all paths since the pack was last filled.

    An effect is what is added to what was gone before, and what is gone since a refill; infinite if no path does.
    """

    at_start: float = 0
    identity: _Gone = (0, inf)
    unreached: _Gone = (inf, inf)

    def __init__(self, taken: Mapping[int, int]) -> None:
        self._taken = taken

    def leave(self, node: fc.Node, effect: _Gone) -> Iterator[tuple[int, _Gone]]:
        """Where a node leads, with what it takes."""
        number = self._taken.get(node.number, 0)
        after = (inf, 0.0) if _refills(node) else (effect[0] + number, effect[1] + number)
        return ((target, after) for target in node.successors)

    def then(self, first: _Gone, second: _Gone) -> _Gone:
        """One after the other."""
        return first[0] + second[0], self.apply(second, first[1])

    def either(self, first: _Gone, second: _Gone) -> _Gone:
        """The path that takes less."""
        return min(first[0], second[0]), min(first[1], second[1])

    def apply(self, effect: _Gone, value: float) -> float:
        """What is gone after a path."""
        return min(value + effect[0], effect[1])

    def meet(self, first: float, second: float) -> float:
        """The call before which less is gone."""
        return min(first, second)


# --- the same deal again ----------------------------------------------------------------------------------------------


def _again(program: Program, numbers: _Numbers, deals: list[int], findings: Findings) -> None:
    """Reports deals that come round again with the cards still out, when the pack cannot have enough."""
    low, high = program.flowchart.players
    defaults = {name: option.default for name, option in program.flowchart.options.items()}
    usual = [Setting(players, defaults) for players in range(low, high + 1)]
    large = [number for number in deals if all(2 * numbers.total(number, s) > numbers.deck(s) for s in usual)]
    bits = {number: 1 << index for index, number in enumerate(large)}
    problem = BitProblem(must=False, sets=dict(bits))
    problem.clears = {number: ~0 for number in program.reachable() if _refills(program.nodes[number])}
    before = solve(program, problem).before if large else {}
    for number in large:
        if before[number] & bits[number]:
            findings.warning(
                "too-few-left",
                "when this deal comes round again, too few cards are left in the pack",
                program.place(program.nodes[number]),
                node=number,
                hint="write 'Shuffle' before it",
            )
