"""What the course of the game tells everybody about cards that not everybody sees.

Whatever of a public diamond, a public assignment or a published text not everybody sees (`fcdl/language/sight.py`) is
given away. So is what decides which moves are legal, to the one who decides: the list of moves is seen.
"""

from __future__ import annotations

from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.blind import PLACE
from fcdl.language.check.program import Program
from fcdl.language.check.words import card_of, code, shortened
from fcdl.language.diagnostics import Findings
from fcdl.language.flowchart import Expr
from fcdl.language.ops import looked_into
from fcdl.language.sight import decisive, hidden_parts, sees_cards, sees_value, sees_zone
from fcdl.language.text import format_expression


def check(program: Program, findings: Findings) -> None:
    """Tells the author what each node gives away."""
    origins = _origins(program)
    _check_together(program, findings)
    tells: set[int] = set()
    """The boxes that are meant to tell something hidden, and do."""
    for node in program.in_text_order():
        _check_moves(program, node, origins, findings)
        told = told_by(program.flowchart, node)
        hidden = list(hidden_parts(program.flowchart, told)) if told is not None else []
        if told is None or not hidden or _draws_blind(program, node):
            continue
        if tree.is_meant(program.tree_nodes[node.number].body):
            tells.add(program.flowchart.box_of(node.number).number)
            continue
        findings.note(
            "reveals",
            f"tells everybody {_what(program, node, told, hidden, origins)}",
            program.place(node, node.condition),
            node=node.number,
            hint=_hint(node),
        )
    for chart in program.flowchart.document.charts:
        for written in chart.nodes if chart.name in program.order else ():
            if tree.is_meant(written.body) and written.number not in tells:
                message = "nothing hidden is told here, so 'public' makes no difference"
                place = program.place(program.nodes[written.number])
                findings.note("needless-public", message, place, node=written.number)


def _draws_blind(program: Program, node: fc.Node) -> bool:
    """Whether a node belongs to a blind pick: what that tells, it tells by its list of moves."""
    box = program.flowchart.box_of(node.number).statement
    return isinstance(box, fc.Choose) and box.target.name == PLACE


def told_by(flowchart: fc.Flowchart, node: fc.Node) -> Expr | None:
    """The expression whose value everybody gets to know."""
    if node.condition is not None:
        return node.condition if not node.private else None
    match node.statement:
        case fc.Assign(target=target, value=value) if sees_value(flowchart.variables[target.name], None):
            return value
        case fc.Publish(parts=parts):
            exprs = tuple(part for part in parts if isinstance(part, Expr))
            return Expr("values", fc.Type.DOMAIN, exprs) if exprs else None
    return None


def _check_moves(program: Program, node: fc.Node, origins: dict[str, set[str]], findings: Findings) -> None:
    """Tells the author what the list of legal moves tells the one who has to decide."""
    flowchart = program.flowchart
    deciding = decisive(node.statement)
    if deciding is None:
        return
    player, exprs = deciding
    source = node.statement.source if isinstance(node.statement, fc.Play | fc.Pick | fc.TakeSet) else None
    if source is not None and sees_zone(flowchart, source, player) is False:
        zone = code(flowchart, source)
        findings.warning(
            "shows-hidden",
            f"the list of moves shows {code(flowchart, player)} the cards of {zone}, which that player cannot see",
            program.place(node),
            node=node.number,
            hint=f"to take a card without seeing it: pick({code(flowchart, player)}, 1, cards, {zone}, ...)",
        )
        return
    hidden = [part for expr in exprs for part in hidden_parts(flowchart, expr, player)]
    if hidden:
        findings.note(
            "moves-tell",
            f"the list of moves tells {code(flowchart, player)} {_things(flowchart, hidden, origins)}",
            program.place(node),
            node=node.number,
        )


def _check_together(program: Program, findings: Findings) -> None:
    """Players who decide at the same time take cards from places that nobody else sees."""
    for chart in program.flowchart.document.charts:
        for written in chart.nodes if chart.name in program.order else ():
            node = program.nodes[written.number]
            source: Expr | None = getattr(node.statement, "source", None)
            if not isinstance(written.body, tree.ForSeats) or not written.body.together or source is None:
                continue
            if not source.args or sees_cards(program.flowchart.zones[source.name or ""], False):
                findings.warning(
                    "not-together",
                    f"others see what is taken from {code(program.flowchart, source)}, before all have decided",
                    program.place(node),
                    node=node.number,
                    hint="let them take it from a place of their own that only its owner sees",
                )


def _origins(program: Program) -> dict[str, set[str]]:
    """The hidden zones from which each secret variable gets its values, also through others."""
    flowchart = program.flowchart
    secrets = (name for name, variable in flowchart.variables.items() if not sees_value(variable, None))
    origins: dict[str, set[str]] = {name: set() for name in secrets}
    sources: list[tuple[str, set[str]]] = []
    for number in program.reachable() if origins else ():
        match program.nodes[number].statement:
            case fc.Assign(target=target, value=value) if target.name in origins:
                sources.append((target.name, {_subject(part) for part in hidden_parts(flowchart, value)}))
    changed = bool(sources)
    while changed:
        changed = False
        for name, read in sources:
            new = {zone for item in read for zone in origins.get(item, (item,))}
            changed = changed or not new <= origins[name]
            origins[name] |= new
    return origins


def _subject(part: Expr) -> str:
    part = looked_into(part) or part
    return "hand" if part.op == "playerHas" else part.name or ""


# --- in words ---------------------------------------------------------------------------------------------------------


def _what(program: Program, node: fc.Node, told: Expr, hidden: list[Expr], origins: dict[str, set[str]]) -> str:
    flowchart = program.flowchart
    if told.op == "playerHas":
        player, cards = told.args
        return f"whether hand({code(flowchart, player)}) holds {card_of(flowchart, cards)}"
    body = program.tree_nodes[node.number].body
    if isinstance(body, tree.Choice):
        match body.condition:
            case tree.Each(kind="some", variable=name, domain=domain, condition=condition) if condition is not None:
                place, rule = format_expression(domain), format_expression(condition)
                return f"whether {shortened(place)} holds a card {name} where {shortened(rule)}"
    return _things(flowchart, hidden, origins)


def _things(flowchart: fc.Flowchart, hidden: list[Expr], origins: dict[str, set[str]]) -> str:
    things = dict.fromkeys(_thing(flowchart, part, origins) for part in hidden)
    return "something about " + " and ".join(list(things)[:4])


def _thing(flowchart: fc.Flowchart, part: Expr, origins: dict[str, set[str]]) -> str:
    ordered = looked_into(part)
    if ordered is not None:
        return f"the order of {code(flowchart, ordered)}"
    zone = Expr("zone", fc.Type.CARDS, part.args[:1], name="hand") if part.op == "playerHas" else part
    text = code(flowchart, zone)
    if zone.op == "zone":
        return f"everybody's {zone.name}" if zone.args and zone.args[0].op == "local" else text
    zones = sorted(origins.get(part.name or "", ()))
    return f"the secret {text}" + (f" (from {', '.join(zones)})" if zones else "")


def _hint(node: fc.Node) -> str | None:
    if node.condition is not None:
        return "write 'private' before the diamond to hide the answer, or 'public' if it is meant"
    return (
        "make the variable 'secret' to hide it, or write 'public' before it if it is meant"
        if isinstance(node.statement, fc.Assign)
        else None
    )
