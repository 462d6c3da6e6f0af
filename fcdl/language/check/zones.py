"""Zones: used before anything is put there, moved onto themselves, dealt from without shuffling."""

from __future__ import annotations

from collections.abc import Iterator

from fcdl.language import flowchart as fc
from fcdl.language.check.program import ZONE, Program, moves_all, zone_name
from fcdl.language.diagnostics import Findings
from fcdl.language.flow import BitProblem, solve
from fcdl.language.flowchart import Expr, MoveBy
from fcdl.language.ops import looked_into


def check(program: Program, findings: Findings) -> None:
    """Reports cards that are taken from where none can be, and moves that do nothing."""
    _same_zone(program, findings)
    _empty_zones(program, findings)
    _unshuffled(program, findings)


def _same_zone(program: Program, findings: Findings) -> None:
    for node in program.in_text_order():
        statement = node.statement
        if node.box is not None or not isinstance(statement, (fc.Move, fc.Play, fc.Pick, fc.TakeSet)):
            continue
        if statement.source == statement.target:
            findings.warning(
                "same-zone",
                f"cards move from '{zone_name(statement.source)}' to where they already are",
                program.place(node),
                node=node.number,
            )


# --- nothing has been put there ---------------------------------------------------------------------------------------


def _empty_zones(program: Program, findings: Findings) -> None:
    """Reports zones that are used when no path to the node has put a card there."""
    zones = program.flowchart.zones
    bits = {name: 1 << index for index, name in enumerate(zones)}
    problem = BitProblem(must=False, at_start=bits["pack"])
    filled = bits["pack"]
    for number in program.reachable():
        match program.nodes[number].statement:
            case fc.Gather():
                problem.sets[number] = bits["pack"]
                problem.clears[number] = ~0
            case fc.Move(source=source, target=target) as move:
                problem.sets[number] = bits[zone_name(target)]
                if moves_all(move, program.flowchart):
                    problem.clears[number] = bits[zone_name(source)]
            case fc.Play(target=target) | fc.Pick(target=target) | fc.TakeSet(target=target):
                problem.sets[number] = bits[zone_name(target)]
        filled |= problem.sets.get(number, 0)
    before = solve(program, problem).before
    reported: set[str] = set()
    for node in program.in_text_order():
        _never_filled(program, node, bits, filled, reported, findings)
        for expr in _takes_from(node):
            name = zone_name(expr)
            if name not in reported and not before[node.number] & bits[name]:
                findings.warning(
                    "empty-zone",
                    f"'{name}' is always empty here",
                    program.place(node, expr),
                    node=node.number,
                    hint=_FILLED_BY.get(name),
                )


def _never_filled(
    program: Program, node: fc.Node, bits: dict[str, int], filled: int, reported: set[str], findings: Findings
) -> None:
    """Reports a zone that something asks about although no node ever puts cards there, once."""
    reads = {key[len(ZONE) :]: expr for key, expr in program.facts[node.number].reads.items() if key.startswith(ZONE)}
    for expr in _takes_from(node):
        reads.setdefault(zone_name(expr), expr)
    for name, expr in reads.items():
        if not filled & bits[name] and name not in reported:
            reported.add(name)
            findings.warning(
                "empty-zone",
                f"nothing is ever put into '{name}'",
                program.place(node, expr),
                node=node.number,
                hint=_FILLED_BY.get(name),
            )


_FILLED_BY = {
    "hand": "Deal puts cards there",
    "pack": "Shuffle brings all cards back",
    "middle": "playCard puts cards there",
    "stack": "Stack.empty puts cards there",
}


def _takes_from(node: fc.Node) -> Iterator[Expr]:
    """The zones of which a node wants a card: moved, played or picked from, shuffled, or looked at on top."""
    match node.statement:
        case fc.Move(source=source) | fc.Play(source=source) | fc.Pick(source=source) | fc.TakeSet(source=source):
            yield source
        case fc.ShuffleZone(zone=zone):
            yield zone
    for expr in node.exprs():
        for part in expr.walk():
            looked_at = looked_into(part)
            if looked_at is not None and part.op != "position":
                yield looked_at


# --- not shuffled -----------------------------------------------------------------------------------------------------


def _unshuffled(program: Program, findings: Findings) -> None:
    """Reports the first deal from a pack that no path has shuffled: it gives everybody the same cards in every game."""
    problem = BitProblem(must=False)
    deals: set[int] = set()
    for number in program.reachable():
        match program.nodes[number].statement:
            case fc.Gather():
                problem.sets[number] = 1
            case fc.ShuffleZone(zone=zone) if zone_name(zone) == "pack":
                problem.sets[number] = 1
            case fc.Move(by=MoveBy.NUMBER, source=source) if zone_name(source) == "pack":
                deals.add(number)
    before = solve(program, problem).before if deals else {}
    for node in program.in_text_order():
        if node.number in deals and not before[node.number]:
            findings.warning(
                "unshuffled",
                "cards are taken from the pack before it has been shuffled",
                program.place(node),
                node=node.number,
                hint="write 'Shuffle' before it",
            )
            return
