"""Teams win together, by the mean of their scores: a chart that scores one partner only is probably not meant so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fcdl.language import flowchart as fc
from fcdl.language.check.program import Program
from fcdl.language.diagnostics import Findings
from fcdl.language.flow import circles, through_calls
from fcdl.language.flowchart import Expr

_STEPS = ("next", "previous", "partner", "player", "add")
"""What an assignment that goes on to another seat, or counts seats, consists of."""


def check(program: Program, findings: Findings) -> None:
    """Warns if no score is ever given to both partners: neither to each of them, nor in a loop over the seats."""
    flowchart = program.flowchart
    if all(len(team) < 2 for team in flowchart.teams):
        return
    scored = {node: player for node in program.in_text_order() if (player := _scored(node)) is not None}
    if not scored or _both_partners(flowchart, [*scored.values()]) or _seat_by_seat(program, scored):
        return
    first = next(iter(scored))
    findings.warning(
        "partners-differ",
        "only one player of a team is given this score, but a team wins together",
        program.place(first),
        node=first.number,
        hint="give partner(...) the same score",
    )


def _scored(node: fc.Node) -> Expr | None:
    """The player whose score a node changes."""
    match node.statement:
        case fc.Assign(target=fc.VariableRef(name="score", player=player)):
            return player
    return None


def _both_partners(flowchart: fc.Flowchart, players: Sequence[Expr]) -> bool:
    """Whether a score of somebody and one of their partner are assigned."""
    if any(player.op == "partner" and player.args[0] in players for player in players):
        return True
    seats = {seat for player in players if (seat := _seat(player)) is not None}
    return any(len(seats.intersection(team)) > 1 for team in flowchart.teams)


def _seat(player: Expr) -> int | None:
    if player.op == "player" and player.args[0].op == "const":
        return player.args[0].value
    return player.value if player.op == "const" else None


def _seat_by_seat(program: Program, scored: Mapping[fc.Node, Expr]) -> bool:
    """Whether a score is assigned in a loop that goes from seat to seat."""
    for circle in map(set, circles(program.reachable(), through_calls(program.flowchart))):
        statements = (program.nodes[number].statement for number in circle)
        stepping = {one.target.name for one in statements if isinstance(one, fc.Assign) and one.value.op in _STEPS}
        if any(node.number in circle and _depends_on(player, stepping) for node, player in scored.items()):
            return True
    return False


def _depends_on(player: Expr, names: set[str]) -> bool:
    return any(part.op == "variable" and part.name in names for part in player.walk())
