"""What the debugger shows of a position: with all cards face up, or as one seat sees it; and its events in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fcdl.engines.stepping import SteppingEngine, SteppingState
from fcdl.engines.stepping.state import Slot
from fcdl.language.diagnostics import printable
from fcdl.model.events import Event
from fcdl.model.table import Table


@dataclass(frozen=True, slots=True)
class Seen:
    """The cards of all zones from the top (None: one that the seat does not know) and the values of variables."""

    piles: Mapping[Slot, tuple[str | None, ...]]
    values: Mapping[Slot, str]


def seen_by(engine: SteppingEngine, state: SteppingState, seat: int | None) -> Seen:
    """What a seat sees of a position, from its observation only; None: everything."""
    game = engine.game
    if seat is not None:
        table = Table(game)
        table.read(engine.observe(state, seat))
        piles = {slot: tuple(table.zones[name].cards[::-1]) for name, slot in game.places.items()}
        return Seen(piles, table.values)
    piles = {slot: tuple(map(game.flowchart.deck.code, cards)) for slot, cards in state.zones.items()}
    types = {name: variable.type for name, variable in game.flowchart.variables.items()}
    return Seen(piles, {slot: game.value_text(types[slot[0]], value) for slot, value in state.variables.items()})


def event_text(event: Event) -> str:
    """An event in a line, with all that is known of it."""
    who = f"player {event.seat}" if event.seat is not None else ""
    cards = " ".join(event.cards) if event.cards is not None else f"{event.number or 1} unseen"
    name = event.name if event.owner is None else f"{event.name}({event.owner})"
    match event.kind:
        case "assign":
            return f"{name} = {event.value or 'unseen'}"
        case "branch":
            return f"node {event.node}: {event.value}"
        case "move":
            return f"{event.source} to {event.target}: {cards}"
        case "shuffle":
            return f"{event.source} is shuffled"
        case "play" | "pick" | "take":
            return f"{who} {event.kind}s {cards} from {event.source} to {event.target}"
        case "pass":
            return f"{who} passes"
        case "choose":
            return f"{who} chooses {name} = {event.value or 'unseen'}"
        case "publish":
            return f'says "{printable(event.value or "")}"'
        case "show":
            to = "all" if event.owner is None else f"player {event.owner}"
            return f"{event.source or 'cards'} shown to {to}: {cards}"
        case _:
            return f"the game ends: {event.value}"
