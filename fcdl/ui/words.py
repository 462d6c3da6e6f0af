"""Words and orders that the full-screen table and play line by line share."""

from __future__ import annotations

from fcdl.language.diagnostics import printable
from fcdl.language.flowchart import Flowchart, Type, Variable
from fcdl.language.saying import called
from fcdl.language.tree import Order
from fcdl.language.tree import Table as TreeTable
from fcdl.model.game import Game
from fcdl.model.table import Table
from fcdl.ui.relevant import is_seat, telling_order
from fcdl.ui.talk import Talk, sentence
from fcdl.ui.view import Pile, View

LONG_PILE = 12
"""Public piles of more cards than this are shown as their number and their top card."""


MANY_VALUES = 6
"""A table with more values than this, all different, is an order of the cards."""


def count_text(number: int) -> str:
    """`1 card`, `7 cards`."""
    return f"{number} card" if number == 1 else f"{number} cards"


def rules(game: Game) -> list[str]:
    """The game in words, as it is with its options: its title, the rules, what cards are worth, what is shown."""
    chart = game.flowchart
    said = Talk(game, Table(game), None).rules()
    about = [f"• {text}" for text in said] if said else [" ".join(chart.about)] if chart.about else []
    lines = [chart.title, "", *about, "", *_seats_and_goal(chart, game, said=bool(said)), *card_values(game)]
    meanings = [(called(chart, say.name), say.meaning) for say in chart.says if say.meaning]
    if meanings:
        lines += ["", "On the table:", *(f"  {name}: {text}" for name, text in meanings)]
    if chart.options:
        lines += ["", "Options (set with --set name=value):"]
        lines += [f"  {name} = {game.option_text(name)}  {option.text}" for name, option in chart.options.items()]
    return [printable(line) for line in lines]


def card_values(game: Game) -> list[str]:
    """What cards are worth and how they rank, from the tables of the chart."""
    chart, lines = game.flowchart, []
    used = {part.name for node in chart.nodes.values() for e in node.exprs() for part in e.walk() if part.op == "table"}
    for header in chart.document.header:
        match header:
            case Order(name, ranks) if name in used:
                lines.append(f"{_title(chart, name)}, from high to low: {' '.join(reversed(ranks))}")
            case TreeTable(name, entries, otherwise) if name in used:
                best_first = sorted(entries, key=lambda entry: -entry[1])
                if len({value for _, value in entries}) == len(entries) > MANY_VALUES and not otherwise:
                    high_to_low = ", ".join(_key_words(chart, key) for key, _ in best_first)
                    lines.append(f"{_title(chart, name)}, from high to low: {high_to_low}")
                    continue
                words = [f"{_key_words(chart, key)} {'= ' * key.isdigit()}{value}" for key, value in entries]
                words += [f"all others {otherwise}"] if otherwise else []
                lines.append(f"{_title(chart, name)}: {', '.join(words)}")
    if "rankValue" in used and not any(isinstance(header, Order) for header in chart.document.header):
        lines.insert(0, f"Ranks, from high to low: {' '.join(reversed(_ranks(game)))}")
    return ["", *lines] if lines else []


def _title(chart: Flowchart, name: str) -> str:
    return sentence("ranks" if name == "rankValue" else called(chart, name))


def _ranks(game: Game) -> list[str]:
    deck = game.flowchart.deck
    value = game.flowchart.tables["rankValue"]
    ranks = {deck.rank_of(card): value.of_card(deck, card) for card in game.cards}
    return [deck.ranks[rank] for rank in sorted(ranks, key=lambda rank: ranks[rank])]


def _key_words(chart: Flowchart, key: str) -> str:
    """What an entry of a table is for: `queen of spades`, `hearts`."""
    cards = chart.deck.cards_with_code(key)
    if cards:
        rank, suit = chart.deck.rank_of(cards[0]), chart.deck.suit_of(cards[0])
        return f"{chart.deck.ranks[rank]} of {chart.deck.suits[suit]}"
    return key


def seat_names(game: Game) -> list[str]:
    """What everybody calls the players: by the names of people, those that the chart has for seats, or numbers."""
    talk = Talk(game, Table(game), None)
    return [talk.third_name(seat) for seat in range(game.players)]


def game_words(chart: Flowchart) -> list[str]:
    """A chart in words: what it is about, how many play, how one wins."""
    lines = [" ".join(chart.about), ""] if chart.about else []
    return [printable(line) for line in [*lines, *_seats_and_goal(chart)]]


def _seats_and_goal(chart: Flowchart, game: Game | None = None, *, said: bool = False) -> list[str]:
    """How many play, how one wins, what to want; `said`: the chart says how one wins."""
    low, high = chart.players
    lines = []
    number = str(low) if low == high else f"{low} to {high}"
    lines.append(
        f"{number} players." + ("" if said else f" The {'lowest' if chart.lowest_wins else 'highest'} score wins.")
    )
    if chart.teams:
        names = seat_names(game or Game.make(chart, name=chart.title))
        lines.append("Teams: " + ", ".join(" and ".join(names[seat] for seat in team) for team in chart.teams))
    if chart.goals:
        from fcdl.heuristics.words import goal_words

        lines += goal_words(Game.make(chart, name=chart.title))
    return lines


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
