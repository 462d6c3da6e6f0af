"""What the teacher says, in plain lines, and the words that the full-screen table shares."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from fcdl.agents import MoveValue
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.ui.talk import either, sentence
from fcdl.ui.teacher import SAME, Hint, Judged, worst_first
from fcdl.ui.view import shown_as
from fcdl.ui.words import seat_names, zone_words

if TYPE_CHECKING:
    from fcdl.beliefs.sampler import Marginals


def worth(hint: Hint) -> str:
    """What values of moves mean, and whose they are."""
    return f"expected points ahead of the others until {hint.until} ({hint.adviser})"


def advice(hint: Hint, said: Callable[[Move], str] = str) -> str:
    """What to do and why, in one sentence: `Play 6C: it leaves the trick to the others; 5C is as good.`"""
    best, other = hint.best, hint.runner_up
    named = [said(move) if not move.cards else move.what for move in hint.as_good]
    text = sentence(said(best.move))
    if len(hint.values) == 1:
        return f"{text}: there is no other choice."
    if other is None:
        return f"{text}; all moves are about equally good." if hint.as_good else f"{text}."
    also = f"; {either(named, 'and')} {'is' if len(named) == 1 else 'are'} as good" if 0 < len(named) < MANY else ""
    also = f"; {len(named)} others are as good" if len(named) >= MANY else also
    return f"{text}: {_why(hint, other, said)}{also}."


MANY = 4
"""So many moves that are as good are counted, not named."""
SURELY = 0.9
"""A trick is as good as taken in so many of the deals."""
CLEARLY = 0.15
"""A trick that is taken in so many more of the deals makes a difference."""


def _why(hint: Hint, other: MoveValue, said: Callable[[Move], str]) -> str:
    """Why the best move is better than another one: by what happens at once, or by what it is worth in the end."""
    best, name = hint.best, other.move.what if other.move.cards else said(other.move)
    mine, theirs = hint.outlook.get(best.move), hint.outlook.get(other.move)
    better = how_much(hint, best.value - other.value)
    if mine is None or theirs is None or not best.move.cards:
        return f"{better} than {name}"
    gained = (mine.gain - theirs.gain) * (-1 if hint.lowest_wins else 1)
    if gained > SAME and not hint.only_wins:
        costs = mine.gain > 0 if hint.lowest_wins else mine.gain < 0
        now = "costs you less" if costs or (hint.lowest_wins and theirs.gain > 0) else "brings more"
        return f"it {now} at once than {name}"
    if mine.takes is None or theirs.takes is None:
        return f"{better} than {name}"
    kept = f"and you {f'get rid of {best.move.what}' if hint.is_higher(best.move, other.move) else f'keep {name}'}"
    if min(mine.takes, theirs.takes) > SURELY:
        return f"it takes the trick as {name} would, and you keep {name}"
    if max(mine.takes, theirs.takes) < 1 - SURELY:
        return f"the trick goes to another either way, {kept}"
    if mine.takes > theirs.takes + CLEARLY:
        sure = mine.takes > SURELY and theirs.takes < 1 - SURELY
        return f"it takes the trick, unlike {name}" if sure else f"it takes the trick more often than {name}"
    if mine.takes < theirs.takes - CLEARLY:
        sure = theirs.takes > SURELY and mine.takes < 1 - SURELY
        return (
            f"it leaves the trick to another, unlike {name}" if sure else f"it takes the trick less often than {name}"
        )
    return f"{better} than {name}"


def how_much(hint: Hint, difference: float) -> str:
    """How much better a move is."""
    if hint.only_wins:
        return f"it wins about {max(1, round(50 * difference))} % more often"
    number = f"{difference:.0f}" if difference >= 10 else f"{difference:.1f}"
    return f"it is about {number.removesuffix('.0')} point{'' if number in ('1', '1.0') else 's'} better"


def disagreement(hint: Hint, said: Callable[[Move], str] = str) -> str:
    """Why the rules of thumb prefer another move, if they do."""
    if hint.thumb is None or hint.thumb == hint.best.move:
        return ""
    thumb = said(hint.thumb)
    if hint.thumb in hint.as_good:
        return f"Rules of thumb prefer {thumb}, which is as good."
    return (
        f"Rules of thumb would {thumb if hint.thumb.cards else f'say: {thumb}'}. They go by this turn and typical next "
        f"ones; the search played many deals on to {hint.until}, so trust the search."
    )


def in_words(hint: Hint, reasons: Iterable[str], said: Callable[[Move], str] = str) -> Iterator[str]:
    """Reasons in which moves are called as they are at the table: `a suit`, not `choose suitGame`."""
    names = {str(value.move): said(value.move) for value in hint.values}
    changed = sorted((name for name, words in names.items() if words != name), key=len, reverse=True)
    if not changed:
        yield from reasons
        return
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, changed))})\b")
    for reason in reasons:
        yield pattern.sub(lambda found: names[found[0]], reason)


def worth_text(value: float) -> str:
    """What a move is worth, with its sign."""
    text = f"{value:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text


def times(number: int) -> str:
    """`once`, `7 times`."""
    return "once" if number == 1 else f"{number} times"


def hint_lines(hint: Hint, said: Callable[[Move], str] = str) -> Iterator[str]:
    """What to do and why, then what all moves are worth."""
    yield advice(hint, said)
    for value in hint.values:
        visits = f" (looked at {times(value.visits)})" if value.visits else ""
        yield f"{said(value.move)}: {worth_text(value.value)}{visits}"
    yield from in_words(hint, hint.reasons, said)
    if other := disagreement(hint, said):
        yield other
    if hint.heuristics:
        yield "by rules of thumb alone:"
    yield from in_words(hint, hint.heuristics, said)
    if hint.measured:
        yield "measured by play:"
    yield from in_words(hint, hint.measured, said)
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
        better = "the best found" if one.is_best else f"cost {one.lost:.2f}, better: {one.made.said(one.best)}"
        yield f"move {one.made.number + 1}: {one.made.said(one.made.move)}: {better}"
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
        return zone_words(game, name)
    player = "you" if owner == seat else seat_names(game)[owner]
    return player if name == "hand" else f"{player}'s {zone_words(game, name)}".replace("you's", "your")
