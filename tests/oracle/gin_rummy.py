"""Gin Rummy against OpenSpiel: one deal, every draw and discard, who may knock, the lay-offs, and the points.

OpenSpiel's seat 0 plays first. Its knocker says so before the discard and then lays down melds one by one, and so does
the other player after laying off; the chart finds the melds with the least deadwood. So all ways to lay down melds are
tried there: the least that can be left over must be what the chart counts.

docs/oracle.md names the differences; what they leave out is counted.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from fcdl.model.chance import RandomChance, RecordingChance
from fcdl.model.moves import Move
from tests.games.table import Decision, Played, decisions, make_game, play, suit
from tests.oracle.peer import Counts, Peer

UPCARD, STOCK, PASS, KNOCK, FIRST_MELD = 52, 53, 54, 55, 56
SOURCES = {"discards": UPCARD, "pile": STOCK, "pass": PASS}
RANKS = "A23456789TJQK"
DEALT = 20
LONGEST_RUN = 5
"""Of a meld in OpenSpiel; a longer run is two melds."""


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    return 13 * "SCDH".index(suit(card)) + RANKS.index(card[0])


def compare(seed: int) -> Counts:
    """One deal; knocking and the bonuses as drawn."""
    dice = random.Random(seed)
    knock, gin, undercut = dice.choice([0, 5, 10, 10, 10]), dice.choice([20, 25]), dice.choice([10, 25])
    played, upcard = _play(seed, {"knockAt": knock, "ginBonus": gin, "undercutBonus": undercut})
    story = list(decisions(played))
    first = 1 - int(story[0].values["dealer"])
    peer = Peer("gin_rummy", knock_card=knock, gin_bonus=gin, undercut_bonus=undercut)
    peer.chance(map(number, [*story[0].hands[first], *story[0].hands[1 - first], upcard]))
    for place, decision in enumerate(story):
        seat, what = (decision.seat - first) % 2, decision.move.partition(" ")[2]
        if what in SOURCES:
            peer.decide(seat, [SOURCES[move.partition(" ")[2]] for move in decision.legal], SOURCES[what])
            if peer.over:  # OpenSpiel stops when the fiftieth discard is taken
                return Counts(games=1, positions=peer.positions, stopped=1)
        elif what == "yes":
            counts = _show(peer, played, seat, story[place + 1 :])
            break
        elif what != "no" and not _discard(peer, seat, decision, story[place + 1]):
            counts = Counts(knocks_not_seen=1)
            break
    else:
        assert PASS in peer.state.legal_actions()
        peer.move(peer.state.current_player(), PASS)  # to the last discard, with two cards left
        assert peer.returns() == [0, 0] == list(played.outcome.scores)
        counts = Counts(results=1, void=1)
    if peer.over and not counts["void"]:
        scores = played.outcome.scores
        gain = scores[first] - scores[1 - first]
        assert peer.returns() == ([0, 0] if counts["ties"] else [gain, -gain])
    return counts + Counts(games=1, positions=peer.positions)


def _discard(peer: Peer, seat: int, decision: Decision, knocking: Decision) -> bool:
    """A discard and whether to knock with it; no if OpenSpiel does not see a knock that is made."""
    hand, card = set(map(number, decision.hand)), number(decision.card)
    if peer.state.is_chance_node():
        peer.chance(hand - set(peer.state.hands()[seat]))
    taken = decision.values["taken"]
    legal = {*map(number, decision.legal_cards), *(() if taken == "none" else [number(taken)])}
    sees_knock = KNOCK in peer.state.legal_actions()
    if sees_knock:
        assert (card in peer.state.child(KNOCK).legal_actions()) == ("choose yes" in knocking.legal)
    if knocking.move == "choose no":
        peer.decide(seat, legal, card, unknown=[KNOCK])
    elif sees_knock:
        peer.decide(seat, {*legal, KNOCK}, KNOCK)
        peer.move(seat, card)
    return sees_knock or knocking.move == "choose no"


def _show(peer: Peer, played: Played, knocker: int, story: Sequence[Decision]) -> Counts:
    """Melds, lay-offs and deadwood after a knock."""
    counted = {str(event.name): int(str(event.value)) for event in played.events if event.name in ("mine", "theirs")}
    mine, theirs = counted["mine"], counted["theirs"]
    assert _least(peer.state, knocker) == mine
    laid_down = [decision for decision in story if decision.seat == story[0].seat]
    for decision in laid_down:
        melds = _melds(peer.state, knocker)
        best = {action for action in melds.values() if _least(peer.state.child(action), knocker) == mine}
        ours = {melds[cards] for cards in map(_cards, decision.legal) if len(cards) <= LONGEST_RUN}
        first, *rest = _parts(_cards(decision.move))
        peer.decide(knocker, ours, melds[first], unknown=set(peer.state.legal_actions()) - best)
        for cards in rest:
            peer.move(knocker, _melds(peer.state, knocker)[cards])
    peer.move(knocker, PASS)
    for decision in story[len(laid_down) :]:
        numbers = {move: PASS if move == "pass" else number(move.partition(" ")[2]) for move in decision.legal}
        far = {card for card in numbers.values() if _is_third(card, set(peer.state.layoffs()))}
        if numbers[decision.move] not in peer.state.legal_actions():
            assert numbers[decision.move] in far
            return Counts(third_cards=1)
        peer.decide(1 - knocker, set(numbers.values()) - far, numbers[decision.move], unknown=far)
    peer.state = min(_ways_to_lay(peer.state), key=lambda way: int(way.deadwood()[1 - knocker]))
    assert peer.state.deadwood()[1 - knocker] == theirs
    return Counts(
        results=1,
        gins=mine == 0,
        undercuts=0 != mine > theirs,
        ties=0 != mine == theirs,
        laid_off=sum(decision.move != "pass" for decision in story[len(laid_down) :]),
        choices_of_melds=any(len(decision.legal) > len(laid_down) for decision in laid_down),
    )


def _cards(move: str) -> frozenset[int]:
    """The cards of a meld."""
    return frozenset(map(number, move.split()[1:]))


def _parts(meld: frozenset[int]) -> list[frozenset[int]]:
    """A meld as OpenSpiel knows it: long runs in two parts."""
    cards = sorted(meld)
    return [meld] if len(cards) <= LONGEST_RUN else [frozenset(cards[:3]), *_parts(frozenset(cards[3:]))]


def _is_third(card: int, laid_off: set[int]) -> bool:
    """Whether a card is laid off next to two others that were laid off on one end of a run."""
    return any(
        all(card + step in laid_off and (card + step) // 13 == card // 13 for step in (way, 2 * way)) for way in (-1, 1)
    )


def _melds(state: Any, knocker: int) -> dict[frozenset[int], int]:
    """The melds that can be laid down now, by their cards."""
    hand = set(state.hands()[knocker])
    melds = [action for action in state.legal_actions() if action >= FIRST_MELD]
    return {frozenset(hand - set(state.child(action).hands()[knocker])): action for action in melds}


def _least(state: Any, knocker: int) -> int:
    """What is left over when the knocker lays down the best melds."""
    return min(int(way.deadwood()[knocker]) for way in _ways_to_lay(state))


def _ways_to_lay(state: Any) -> Iterator[Any]:
    """The states after a player has laid down melds in all possible ways."""
    for action in state.legal_actions():
        if action == PASS:
            yield state.child(PASS)
        else:
            assert action >= FIRST_MELD
            yield from _ways_to_lay(state.child(action))


def _play(seed: int, options: dict[str, int]) -> tuple[Played, str]:
    """A deal of players who collect cards that belong together, and the card turned up."""
    dice = random.Random(f"moves {seed}")
    game = make_game("gin_rummy", options=options)
    chance = RecordingChance(RandomChance(seed))

    def choose(_seat: int, legal: Sequence[Move]) -> Move:
        if legal[0].kind != "play" or dice.random() < 0.05:
            return dice.choice([move for move in legal if move.kind == "play"] or legal)
        cards = [move.what for move in legal if move.kind == "play"]
        return min((move for move in legal if move.kind == "play"), key=lambda move: _use(move.what, cards))

    played = play(game, seed, choose, chance)
    order = chance.outcomes[1]
    assert isinstance(order, list)
    return played, game.flowchart.deck.code(order[DEALT])


def _use(card: str, cards: list[str]) -> tuple[int, int]:
    """How many other cards go with this one; of useless cards the high ones are the worst."""
    rank = RANKS.index(card[0])
    near = [other for other in cards if suit(other) == suit(card) and 0 < abs(RANKS.index(other[0]) - rank) <= 2]
    return len(near) + sum(other[0] == card[0] for other in cards), -rank
