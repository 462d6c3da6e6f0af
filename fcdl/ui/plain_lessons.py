"""What the teacher says, in plain lines, and the words that the full-screen table shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from fcdl.model.expressions import spaced
from fcdl.model.game import Game
from fcdl.ui.teacher import SAME, Hint, Judged, worst_first
from fcdl.ui.view import shown_as

if TYPE_CHECKING:
    from fcdl.beliefs.sampler import Marginals


def worth(hint: Hint) -> str:
    """What values of moves mean, and whose they are."""
    return f"expected points ahead of the others until {hint.until} ({hint.adviser})"


def advice(hint: Hint) -> str:
    """What to do, and what would be as good."""
    best, *others = hint.values
    same = [str(value.move) for value in others if abs(value.value - best.value) < SAME]
    return str(best.move) + (f" (as good: {', '.join(same)})" if same else "")


def worth_text(value: float) -> str:
    """What a move is worth, with its sign."""
    text = f"{value:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text


def times(number: int) -> str:
    """`once`, `7 times`."""
    return "once" if number == 1 else f"{number} times"


def hint_lines(hint: Hint) -> Iterator[str]:
    """What to do, the moves with what they are worth, and the reasons."""
    yield f"best: {advice(hint)}"
    for value in hint.values:
        visits = f" (looked at {times(value.visits)})" if value.visits else ""
        yield f"{value.move}: {worth_text(value.value)}{visits}"
    yield from hint.reasons
    if hint.heuristics:
        yield "by rules of thumb alone:"
    yield from hint.heuristics
    if hint.measured:
        yield "measured by play:"
    yield from hint.measured
    yield f"worth: {worth(hint)}"


def known_lines(known: Marginals, game: Game, seat: int) -> Iterator[str]:
    """For each unseen card who may hold it, in percent."""
    if not known.places:
        yield "you know where every card is"
    else:
        yield "cards you have not seen, in percent:"
    if known.note:
        yield known.note
    for _, cards, zones in known_rows(known, game):
        for number, card in enumerate(cards):
            shares = [(zone, shares[number]) for zone, shares in zones.items() if shares[number] > 0]
            yield f"{card}: {', '.join(f'{zone_name(game, zone, seat)} {percent(share)}' for zone, share in shares)}"


def review_lines(judged: Sequence[Judged]) -> Iterator[str]:
    """The person's decisions, those that cost most first."""
    for one in worst_first(judged):
        better = "the best found" if one.lost < SAME else f"cost {one.lost:.2f}, better: {one.best}"
        yield f"move {one.made.number + 1}: {one.made.move}: {better}"
    yield f"{len(judged)} decisions with a choice; together they cost {sum(one.lost for one in judged):.2f}"


def known_rows(known: Marginals, game: Game) -> Iterable[tuple[str, list[str], dict[str, list[float]]]]:
    """For each suit: its name, its unseen cards, and for each zone that may hold one the probabilities."""
    deck = game.flowchart.deck
    cards = sorted(known.places, key=lambda code: deck.cards_with_code(code)[0])
    for number, suit in enumerate(deck.suits):
        here = [code for code in cards if deck.suit_of(deck.cards_with_code(code)[0]) == number]
        zones = [zone for zone in game.zones if any(known.places[code].get(zone, 0) > 0 for code in here)]
        if here:
            yield suit, here, {zone: [known.places[code].get(zone, 0.0) for code in here] for zone in zones}


def percent(share: float) -> str:
    """A probability in a few letters: `33`, `<1`, `·` for never."""
    if share == 0:
        return "·"
    return "<1" if share < 0.01 else ">99" if share > 0.99 else f"{100 * share:.0f}"


def zone_name(game: Game, zone: str, seat: int) -> str:
    """A zone for people: a hand is its player's, all others keep their names."""
    name, owner = shown_as(game, *game.places[zone])
    if owner is None:
        return spaced(name)
    player = "you" if owner == seat else f"player {owner}"
    return player if name == "hand" else f"{player}'s {spaced(name)}".replace("you's", "your")
