"""Loops that never end: nothing in them changes what their diamonds ask."""

from __future__ import annotations

from fcdl.language import flowchart as fc
from fcdl.language.check.program import Program
from fcdl.language.diagnostics import Findings
from fcdl.language.flow import Dominators, circles, loop_body, predecessors, strong_components

MAX_STEPS = 2_000_000
"""Loops nested thousands deep are not looked at to the end."""


def check(program: Program, findings: Findings) -> None:
    """Reports loops that go on for ever once they have gone round."""
    places = _Places(program)
    for name in program.order:
        for number in _Loops(program, places, name).endless():
            node = program.nodes[number]
            findings.error(
                "endless-loop",
                "this loop never ends: nothing in it changes what this diamond asks",
                program.place(node, node.condition),
                node=number,
                hint="change something inside the loop, or point the arrow elsewhere",
            )


class _Places:
    """What nodes and whole charts ask and change, as bits."""

    def __init__(self, program: Program) -> None:
        self._bits: dict[str, int] = {}
        self.asks: dict[int, int] = {}
        self.changes: dict[int, int] = {}
        charts: dict[str, tuple[int, int]] = {}
        for name in reversed(program.order):
            asks = changes = 0
            for number in program.order[name]:
                node, facts = program.nodes[number], program.facts[number]
                callee = program.callee(number)
                if callee is not None:
                    self.asks[number], self.changes[number] = charts[callee]
                else:
                    self.asks[number] = self._mask(facts.reads) if node.condition is not None else 0
                    self.changes[number] = self._mask(facts.writes)
                asks |= self.asks[number]
                changes |= self.changes[number]
            charts[name] = (asks, changes)

    def _mask(self, names: dict[str, fc.Expr] | tuple[str, ...]) -> int:
        mask = 0
        for name in names:
            mask |= self._bits.setdefault(name, 1 << len(self._bits))
        return mask


class _Loops:
    """The loops of one chart."""

    def __init__(self, program: Program, places: _Places, chart: str) -> None:
        self.nodes = program.nodes
        self.places = places
        self.order = program.order[chart]
        self.position = {number: index for index, number in enumerate(self.order)}
        self.after = {number: program.after[number] for number in self.order}
        self.before = predecessors(self.after)

    def endless(self) -> list[int]:
        """One diamond of each endless loop, in the order of the chart."""
        found = {*self._idle_circles(), *self._constant_exits()}
        return sorted(found, key=self.position.__getitem__)

    def _idle_circles(self) -> list[int]:
        """Circles on which no node changes anything that a diamond of the loops around it asks."""
        found = []
        for component in strong_components(self.order, self.after):
            asked = 0
            for number in component:
                asked |= self.places.asks[number]
            idle = [number for number in component if not self.places.changes[number] & asked]
            for circle in circles(idle, self.after):
                found.extend(self._first_diamond(circle))
        return found

    def _first_diamond(self, members: list[int]) -> list[int]:
        diamonds = [number for number in members if self.nodes[number].condition is not None]
        return [min(diamonds, key=self.position.__getitem__)] if diamonds else []

    def _constant_exits(self) -> list[int]:
        """Loops whose every round passes all diamonds that lead out, and changes nothing that these ask."""
        dominators = Dominators(self.order[0], self.after, self.before)
        latches: dict[int, list[int]] = {}
        for number in self.order:
            for target in self.after[number]:
                if dominators.dominates(target, number):
                    latches.setdefault(target, []).append(number)
        found = []
        steps = 0
        for head, ends in latches.items():
            body = loop_body(head, ends, self.before)
            steps += len(body)
            if steps > MAX_STEPS:
                break
            changed = 0
            for number in body:
                changed |= self.places.changes[number]
            exits = [number for number in body if any(target not in body for target in self.after[number])]
            if exits and all(
                not self.places.asks[number] & changed and all(dominators.dominates(number, end) for end in ends)
                for number in exits
            ):
                found.append(min(exits, key=self.position.__getitem__))
        return found
