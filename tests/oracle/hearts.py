"""Hearts against OpenSpiel: one round, with every parameter that OpenSpiel has."""

from __future__ import annotations

import random

from fcdl.model.chance import Chance, RandomChance, ScriptedChance
from fcdl.model.game import Game
from tests.games.table import RANKS, ClumpedChance, decisions, make_game, play, strength, suit
from tests.oracle.peer import Counts, Peer

PARAMETERS = (
    "pass_cards", "no_pts_on_first_trick", "can_lead_any_club", "jd_bonus", "avoid_all_tricks_bonus",
    "must_break_hearts", "qs_breaks_hearts", "can_lead_hearts_instead_of_qs",
)  # fmt: skip


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    return 4 * strength(card) + "CDHS".index(suit(card))


def hearts_and_queen(game: Game, dice: random.Random) -> Chance:
    """A deal where one player may come to lead with nothing but hearts and the queen of spades."""
    order = list(game.cards)
    dice.shuffle(order)
    deck = game.flowchart.deck
    wanted = ["QS", dice.choice(["AC", "AC", "KC", "2C"]), *dice.sample([f"{rank}H" for rank in RANKS], 11)]
    hand = [card for card in order if deck.code(card) in wanted]
    rest = [card for card in order if card not in hand]
    place = 13 * dice.randrange(4)
    return ScriptedChance([rest[:place] + hand + rest[place:]])


def deal(game: Game, seed: int) -> Chance:
    """An ordinary deal or one that brings up rare rules."""
    if seed % 4 == 3:
        return hearts_and_queen(game, random.Random(seed))
    return ClumpedChance(seed) if seed % 4 == 1 else RandomChance(seed)


def compare(seed: int) -> Counts:
    """One round with random options: every pass, every card, the points."""
    dice = random.Random(seed)
    theirs = {name: dice.random() < 0.5 for name in PARAMETERS}
    direction = dice.choice([1, 2, 3]) if theirs["pass_cards"] else 0
    words = {name: "yes" if value else "no" for name, value in theirs.items()}
    game = make_game(
        "hearts",
        options={
            "target": 0,
            "passing": words["pass_cards"],
            "passTo": ["left", "left", "across", "right"][direction],
            "firstTrick": "noPoints" if theirs["no_pts_on_first_trick"] else "anything",
            "anyClub": words["can_lead_any_club"],
            "jackBonus": words["jd_bonus"],
            "noTrickBonus": words["avoid_all_tricks_bonus"],
            "breaking": words["must_break_hearts"],
            "queenBreaks": words["qs_breaks_hearts"],
            "heartsForQueen": words["can_lead_hearts_instead_of_qs"],
        },
    )
    played = play(game, seed, chance=deal(game, seed))
    story = list(decisions(played))
    hands = [sorted(hand) for hand in story[0].hands]
    peer = Peer("hearts", **theirs)
    peer.chance([direction, *(number(hands[dealt % 4][dealt // 4]) for dealt in range(52))])
    for decision in story:
        peer.decide(decision.seat, map(number, decision.legal_cards), number(decision.card))
    assert [26 - result for result in peer.returns()] == list(played.outcome.scores)
    moon = any(event.kind == "publish" and "moon" in str(event.value) for event in played.events)
    return Counts(games=1, positions=peer.positions, results=1, moons=int(moon))
