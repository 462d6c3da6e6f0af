"""Words and orders that the full-screen table and play line by line share."""

from __future__ import annotations

from fcdl.language.diagnostics import printable
from fcdl.language.flowchart import Flowchart, Type, Variable
from fcdl.language.saying import called
from fcdl.model.game import Game
from fcdl.ui.relevant import is_seat, telling_order
from fcdl.ui.view import Pile, View

LONG_PILE = 12
"""Public piles of more cards than this are shown as their number and their top card."""


def count_text(number: int) -> str:
    """`1 card`, `7 cards`."""
    return f"{number} card" if number == 1 else f"{number} cards"


def rules(game: Game) -> list[str]:
    """The game in words: its title, what it is about, how many play, how one wins, its options."""
    chart = game.flowchart
    lines = [chart.title, "", *game_words(chart), f"{game.players} are playing now."]
    if chart.options:
        lines += ["", "Options (set with --set name=value):"]
        lines += [f"  {name} = {game.option_text(name)}  {option.text}" for name, option in chart.options.items()]
    return [printable(line) for line in lines]


def game_words(chart: Flowchart) -> list[str]:
    """A chart in words: what it is about, how many play, how one wins."""
    low, high = chart.players
    lines = [" ".join(chart.about), ""] if chart.about else []
    number = str(low) if low == high else f"{low} to {high}"
    lines.append(f"{number} players. The {'lowest' if chart.lowest_wins else 'highest'} score wins.")
    if chart.teams:
        lines.append("Teams: " + ", ".join(" and ".join(f"player {seat}" for seat in team) for team in chart.teams))
    if chart.goals:
        from fcdl.heuristics.words import goal_words

        lines += goal_words(Game.make(chart, name=chart.title))
    return [printable(line) for line in lines]


def shared_piles(view: View) -> list[Pile]:
    """The zones that belong to nobody, without the empty ones."""
    return [pile for pile in view.piles.values() if pile.owner is None and pile.cards and not pile.hidden]


def own_zones(view: View) -> list[str]:
    """The zones that every player has, except hands, without those that are empty for all."""
    names = dict.fromkeys(zone for zone, owner in view.piles if owner is not None and zone != "hand")
    return [name for name in names if any(pile.cards and not pile.hidden for pile in view.own(name))]


def zone_words(game: Game, shown: str) -> str:
    """A zone as it stands on the table, with its keys: `row hearts`."""
    zone, _, keys = shown.partition(" ")
    return " ".join(filter(None, (called(game.flowchart, zone), keys)))


def pile_is_long(pile: Pile, most: int = LONG_PILE) -> bool:
    """Whether a pile is better counted than listed."""
    return not pile.known or len(pile.cards) > most


def public_values(game: Game, view: View) -> list[tuple[str, str]]:
    """The variables that matter, belong to nobody and have a value, the most telling first; players as their names."""
    shown = []
    for variable in telling_order(game.flowchart):
        if variable.name not in view.telling or variable.per_player:
            continue
        first = None if variable.initial is None else game.value_text(variable.type, variable.initial)
        for place in game.places_of(variable):
            value = view.values.get((variable.name, place))
            if value not in (None, "none", "any", first) and view.labels.get((variable.name, place)):
                # of many places those that something was done to
                shown.append((place_words(game, view, variable.name, place), _value(game, view, variable, value)))
    return shown


def place_words(game: Game, view: View, name: str, place: int | None) -> str:
    """A zone or variable in words: `discard pile`, `row hearts`, `your slot 3`, `slot 3 of player 2`."""
    label = view.labels.get((name, place)) or called(game.flowchart, name)
    if place is None:
        return label
    keys = list(game.key_texts(name, place))
    if not game.flowchart.family(name).owned:
        return " ".join((label, *keys))
    seat, *others = keys
    words = " ".join((label, *others))
    return f"your {words}" if view.seat in game.owners(name, place) else f"{words} of {view.names[int(seat)]}"


def seat_values(game: Game, view: View, seat: int) -> list[tuple[str, str]]:
    """The variables of one seat that matter and are known, without the score; in brackets those of before the deal."""
    return [
        (view.labels[variable.name, seat], f"({value})" if (variable.name, seat) in view.old else value)
        for variable in telling_order(game.flowchart)
        if variable.name in view.telling and variable.per_player and view.labels.get((variable.name, seat))
        for value in [_value(game, view, variable, view.values[variable.name, seat])]
    ]


def _value(game: Game, view: View, variable: Variable, value: str) -> str:
    if is_seat(game.flowchart, variable) and value.isdigit():
        return view.names[int(value)] if int(value) < view.players else value
    return called(game.flowchart, value) if variable.type is Type.WORD else value
