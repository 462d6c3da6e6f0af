"""Who can see this? The one answer that checker, policies, beliefs, explanations and the table share.

`docs/language-design.md` ("Who can see what") gives the rules and the reasons. An expression is seen by a player whom
an expression names (the viewer), or by everybody. Seen means: its value follows from what the viewer has been told,
without reasoning, at every moment of every game. So a part that is not seen may still be known.
"""

from __future__ import annotations

from collections.abc import Iterator

from fcdl.language.flowchart import (
    Choose,
    Expr,
    Flowchart,
    Gather,
    Move,
    Pick,
    Play,
    Statement,
    TakeSet,
    Type,
    Variable,
    Visibility,
    Zone,
)
from fcdl.language.ops import BINDERS, BY_ORDER, OPS, Known, complete

_PUBLIC = frozenset({"cardsRemaining"})
"""Operators that look at the position, but only at what all see."""
_OWNED = frozenset({"zone", "playerHas", "variable", "playerVariable"})
"""Those that look at something that may be hidden; whose it is, the first argument says."""
complete("language/sight.py", _PUBLIC, _OWNED, (row.name for row in OPS.values() if row.known is not Known.PLAY))


def sees_cards(zone: Zone, mine: bool | None) -> bool:
    """Whether a player sees which cards are in a zone; `mine`: whether it is the player's own (None: it may be)."""
    match zone.visibility:
        case Visibility.ALL:
            return True
        case Visibility.OWNER:
            return mine is True
        case Visibility.OTHERS:
            return mine is False
        case Visibility.NOBODY:
            return False


def sees_value(variable: Variable, mine: bool | None) -> bool:
    """Whether a player sees the value of a variable; `mine` as for zones."""
    return not variable.secret or (variable.owned and mine is True)


def sees_zone(chart: Flowchart, zone: Expr, player: Expr) -> bool | None:
    """Whether a player sees which cards are in a zone; None: it depends on the position."""
    family = chart.zones[zone.name or ""]
    mine, _ = _owner(chart, zone, player)
    seen = {sees_cards(family, own) for own in ((True, False) if mine is None else (mine,))}
    return seen.pop() if len(seen) == 1 else None


def owner_of(part: Expr) -> Expr:
    """The player who says whose a zone or a variable of a family is."""
    return part.args[0].args[0] if part.args[0].op == "place" else part.args[0]


def hidden_part(chart: Flowchart, expr: Expr, viewer: Expr | None = None) -> Expr | None:
    """The first part of an expression that the viewer may not see; None if there is none."""
    return next(hidden_parts(chart, expr, viewer), None)


def hidden_parts(chart: Flowchart, expr: Expr, viewer: Expr | None = None) -> Iterator[Expr]:
    """The parts of an expression that the viewer (None: everybody) may not see, in the order of the text.

    They are zones, secret variables, `playerHas`, and what looks at the order of a seen zone that comes from chance.
    """
    pending = [(expr, viewer)]
    while pending:
        part, watcher = pending.pop()
        args = part.args
        match part.op:
            case "count" | "empty" if args[0].op == "zone":
                args = args[0].args  # how many cards there are is seen by all
            case op if op in BY_ORDER and part.args[BY_ORDER[op]].name in chart.shuffled:
                if hidden_part(chart, part.args[BY_ORDER[op]], watcher) is None:
                    yield part
            case op if op in _OWNED:
                mine, others = _owner(chart, part, watcher)
                if not _sees(chart, part, mine):
                    yield part
                if mine is not None:
                    args = others  # the viewers know who they are and who sits beside them
        if watcher is not None and part.op in BINDERS and part.name in _locals(watcher):
            watcher = None  # inside, the name stands for somebody else
        pending += [(arg, watcher) for arg in reversed(args)]


def _owner(chart: Flowchart, part: Expr, viewer: Expr | None) -> tuple[bool | None, tuple[Expr, ...]]:
    """Whether something that may be hidden is the viewer's (nobody's is not), and its arguments but for its owner."""
    if part.op == "playerHas":
        return is_viewer(chart, part.args[0], viewer), part.args[1:]
    family = chart.family(part.name or "")
    keys = part.args[0].args if part.args and part.args[0].op == "place" else part.args
    if not family.owned:
        return False, keys
    if family.keys[0].kind == "team":
        return _in_team(chart, keys[0], viewer), keys[1:]
    return is_viewer(chart, keys[0], viewer), keys[1:]


def remembered_zones(chart: Flowchart) -> frozenset[str]:
    """The zones whose cards everybody knows who has watched: they are seen, or all that came there was seen before.

    So the tricks that lie face down are known if they were played face up.
    """
    arriving: dict[str, set[str]] = {}
    for node in chart.nodes.values():
        match node.statement:
            case Play() | Pick() | TakeSet() | Move() as statement:
                arriving.setdefault(statement.target.name or "", set()).add(statement.source.name or "")
            case Gather():
                arriving.setdefault("pack", set()).add("pack")
    seen = {zone.name for zone in chart.zones.values() if zone.visibility is Visibility.ALL}
    known = (seen | set(arriving)) - {"pack"}
    while lost := {zone for zone in known - seen if not arriving[zone] <= known}:
        known -= lost
    return frozenset(known)


def decisive(statement: Statement | None) -> tuple[Expr, tuple[Expr, ...]] | None:
    """Who decides, and what that player's list of legal moves depends on; None if nobody does."""
    match statement:
        case Play(player=player, cards=cards, source=source) | Pick(player=player, cards=cards, source=source):
            return player, (source, cards)
        case TakeSet(player=player, sets=sets, source=source):
            return player, (source, sets)
        case Choose(player=player, values=values):
            return player, (values,)
    return None


def _sees(chart: Flowchart, part: Expr, mine: bool | None) -> bool:
    if part.op in ("variable", "playerVariable"):
        return sees_value(chart.variables[part.name or ""], mine)
    return sees_cards(chart.zones["hand" if part.op == "playerHas" else part.name or ""], mine)


def is_viewer(chart: Flowchart, player: Expr, viewer: Expr | None) -> bool | None:
    """Whether two expressions mean the same player in every position; None: it depends, or nobody can say."""
    if viewer is None:
        return None
    (base, steps), (other, others) = _seat(chart, player), _seat(chart, viewer)
    if base != other:
        return None
    low, high = chart.players
    same = {(steps - others) % players == 0 for players in range(low, high + 1)}
    return same.pop() if len(same) == 1 else None


def _in_team(chart: Flowchart, player: Expr, viewer: Expr | None) -> bool | None:
    """Whether two expressions mean players of one team in every position; None: it depends, or nobody can say."""
    if viewer is None:
        return None
    (base, steps), (other, others) = _seat(chart, player), _seat(chart, viewer)
    if base != other:
        return None
    players = chart.players[0]
    team_of = {seat: team for team in chart.teams for seat in team}
    seats = (0,) if base is None else range(players)
    same = {(seat + steps) % players in team_of[(seat + others) % players] for seat in seats}
    return same.pop() if len(same) == 1 else None


def _locals(expr: Expr) -> set[str | None]:
    return {part.name for part in expr.walk() if part.op == "local"}


def _seat(chart: Flowchart, player: Expr) -> tuple[Expr | None, int]:
    """A player as so many seats after another, or after seat 0 (None)."""
    steps = 0
    while player.op in ("next", "previous"):
        steps += 1 if player.op == "next" else -1
        player = player.args[0]
    number = player.args[0] if player.op == "player" else player
    if number.op != "const" or number.value is None:
        return player, steps
    if 0 <= number.value < chart.players[0]:
        return None, number.value + steps
    return seat_named(number.value), steps  # a seat that not every game has


def seat_named(seat: int) -> Expr:
    """The player on a seat, as a viewer."""
    return Expr("const", Type.PLAYER, value=seat)
