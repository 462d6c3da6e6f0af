"""What simulations watch in games: the last value of a variable, or how often the answer in a diamond was yes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fcdl.language.diagnostics import did_you_mean
from fcdl.language.flowchart import Expr, Flowchart, Node, Type
from fcdl.model.events import Event
from fcdl.model.game import Game, GameError

Watched = tuple[tuple[int, ...], ...]
"""For each thing that is watched one number, or one for each seat (or other place)."""


def check_watch(flowchart: Flowchart, watch: Sequence[str]) -> None:
    """Raises GameError if something is neither a variable that is a number nor the text of a diamond."""
    numbers = [name for name, variable in flowchart.variables.items() if variable.type is Type.INT]
    for name in watch:
        if name not in numbers and not _diamonds(flowchart, name):
            diamonds = [_bare(node.caption) for node in flowchart.nodes.values() if node.condition is not None]
            hint = did_you_mean(name, [*numbers, *diamonds]) or f"numbers: {', '.join(numbers)}"
            raise GameError(
                f"{flowchart.title} has no variable '{name}' that is a number, and no such diamond ({hint})"
            )


def watched_values(game: Game, events: Sequence[Event], watch: Sequence[str]) -> Watched:
    """What a finished game comes to."""
    return tuple(
        _last_values(game, events, name)
        if name in game.flowchart.variables
        else _answers(game, events, _diamonds(game.flowchart, name))
        for name in watch
    )


def _last_values(game: Game, events: Sequence[Event], name: str) -> tuple[int, ...]:
    variable = game.flowchart.variables[name]
    values: dict[int | None, int] = {}
    for event in events:
        if event.kind in ("assign", "choose") and event.name == name and event.value is not None:
            values[event.owner] = int(event.value)
    return tuple(values.get(place, variable.initial or 0) for place in game.places_of(variable))


def _answers(game: Game, events: Sequence[Event], diamonds: Sequence[Node]) -> tuple[int, ...]:
    """How often yes; by seat if the diamond asks about one player, who is in a variable."""
    numbers = {node.number for node in diamonds}
    asked = {one.name for node in diamonds if node.condition is not None for one in _players(node.condition)}
    name = asked.pop() if len(asked) == 1 else None
    counts, seat = [0] * (game.players if name is not None else 1), 0
    for event in events:
        if event.kind == "assign" and event.name == name and name is not None:
            seat = int(event.value) if event.value is not None and event.value.isdigit() else 0
        elif event.kind == "branch" and event.node in numbers and event.value == "yes":
            counts[seat if name is not None else 0] += 1
    return tuple(counts)


def _players(expr: Expr) -> Iterator[Expr]:
    """The variables in an expression that are players."""
    if expr.op == "variable" and expr.type is Type.PLAYER:
        yield expr
    for part in expr.args:
        yield from _players(part)


def _diamonds(flowchart: Flowchart, text: str) -> list[Node]:
    wanted = _bare(text)
    return [node for node in flowchart.nodes.values() if node.condition is not None and _bare(node.caption) == wanted]


def _bare(caption: str) -> str:
    """A diamond's text without what makes no difference."""
    return "".join(caption.split()).removesuffix("?")
