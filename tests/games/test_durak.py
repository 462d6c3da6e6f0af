"""Durak, refereed: the rules as Zarlykov gives them, for more players the usual ones, and the length of his games."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from fcdl.language.diagnostics import Severity
from fcdl.language.load import load, load_flowchart
from fcdl.language.text import format_source
from fcdl.model.moves import Move
from fcdl.model.outcome import Reason
from tests.games.table import Choose, Decision, Played, decisions, make_game, play, strength, suit


def lowest_card(_seat: int, moves: Sequence[Move]) -> Move:
    """A player who never passes when able to play."""
    return min(moves, key=lambda move: (move.kind == "pass", strength(move.what) if move.what else 0))


def beats(card: str, other: str, trumps: str | None) -> bool:
    """Whether a card beats another."""
    if suit(card) == suit(other):
        return strength(card) > strength(other)
    return suit(card) == trumps


class Referee:
    """Follows a game of Durak with rules of its own; `check` returns the scores it should end with."""

    def __init__(self, played: Played) -> None:
        self.played = played
        self.story = decisions(played)
        self.seats = played.game.players
        self.ahead = next(self.story, None)
        self.transferred = 0

    def check(self) -> tuple[int, ...]:
        """Checks every decision and returns the scores."""
        total = len(self.played.game.cards)
        dealt = min(6, total // self.seats)
        if self.ahead is None:
            assert dealt == 0
            return (0,) * self.seats
        self.hands = [set(hand) for hand in self.ahead.hands]
        assert [len(hand) for hand in self.hands] == [dealt] * self.seats
        self.pack = total - dealt * self.seats
        self.trumps = {"none": None}.get(self.ahead.values["trumpSuit"], self.ahead.values["trumpSuit"][0].upper())
        assert (self.trumps is None) == (self.played.game.option_text("trumps") == "no")

        attacker = self.ahead.seat
        held = [
            (strength(card), seat)
            for seat in range(self.seats)
            for card in self.hands[seat]
            if suit(card) == self.trumps
        ]
        assert attacker == min(held, default=(0, attacker))[1]
        takes = 0
        self.bouts = 0
        while sum(map(bool, self.hands)) > 1 and takes < 100:
            attacker = self.next_with_cards(attacker)
            taken, attacker, defender = self.bout(attacker, self.next_with_cards(attacker + 1))
            takes = takes + 1 if taken else 0
            self.refill(attacker, defender)
            attacker = defender + 1 if taken else defender
        assert self.ahead is None
        left = [seat for seat in range(self.seats) if self.hands[seat]]
        if len(left) != 1:
            return (0,) * self.seats
        return tuple(-1 if seat in left else 1 for seat in range(self.seats))

    def next_with_cards(self, seat: int) -> int:
        """The first player from a seat on who has cards."""
        return next(turn % self.seats for turn in range(seat, seat + self.seats) if self.hands[turn % self.seats])

    def decision(self, seat: int, cards: set[str], may_pass: bool) -> str | None:
        """The card of the next decision, None for a pass; checks who decides and what was legal."""
        made = self.ahead
        assert made is not None
        assert made.seat == seat
        assert [set(hand) for hand in made.hands] == self.hands
        assert {move for move in made.legal if move != "pass"} == {f"play {card}" for card in cards}
        assert ("pass" in made.legal) == may_pass
        self.ahead = next(self.story, None)
        if made.move == "pass":
            return None
        self.hands[seat].remove(made.card)
        return made.card

    def transfers(self, attacker: int, defender: int, attacks: list[str]) -> tuple[int, int]:
        """Cards of the same rank pass the attack on; who attacks then, and whom."""
        allowed = self.played.game.option_text("transfers")
        while allowed == "always" or (allowed == "afterFirst" and self.bouts > 1):
            heir = self.next_with_cards(defender + 1)
            if heir == defender or len(self.hands[heir]) <= len(attacks):
                break
            card = self.decision(defender, {c for c in self.hands[defender] if c[0] == attacks[0][0]}, may_pass=True)
            if card is None:
                break
            attacks.append(card)
            self.transferred += 1
            attacker, defender = defender, heir
        return attacker, defender

    def bout(self, attacker: int, defender: int) -> tuple[bool, int, int]:
        """One bout; whether the defender took the cards, and who attacked whom in the end."""
        self.bouts += 1
        first = self.decision(attacker, set(self.hands[attacker]), may_pass=False)
        assert first is not None
        attacks, defences = [first], list[str]()
        attacker, defender = self.transfers(attacker, defender, attacks)
        most = len(self.hands[defender])
        unbeaten = attacks[1:] + attacks[:1]
        taking = False
        while True:
            while unbeaten and not taking:
                other = unbeaten.pop()
                good = {card for card in self.hands[defender] if beats(card, other, self.trumps)}
                answer = self.decision(defender, good, may_pass=True)
                taking = answer is None
                defences += [answer] if answer else []
            for turn in range(attacker, attacker + self.seats):
                thrower = turn % self.seats
                if thrower == defender or not self.hands[thrower] or len(attacks) == most:
                    continue
                ranks = {card[0] for card in attacks + defences}
                thrown = self.decision(thrower, {c for c in self.hands[thrower] if c[0] in ranks}, may_pass=True)
                if thrown is not None:
                    attacks.append(thrown)
                    unbeaten.append(thrown)
                    break
            else:
                if taking:
                    self.hands[defender] |= {*attacks, *defences}
                return taking, attacker, defender

    def refill(self, attacker: int, defender: int) -> None:
        """Everybody draws up to six cards, the defender last."""
        order = [seat % self.seats for seat in range(attacker, attacker + self.seats) if seat % self.seats != defender]
        for seat in [*order, defender]:
            number = max(0, min(6 - len(self.hands[seat]), self.pack))
            self.pack -= number
            if self.ahead is None:
                self.hands[seat] |= {f"drawn {index}" for index in range(number)}
            else:
                drawn = self.ahead.hands[seat] - self.hands[seat]
                assert len(drawn) == number
                self.hands[seat] |= drawn


def test_chart_is_clean_and_formatted() -> None:
    checked = load("durak")
    assert [item for item in checked.findings if item.severity is not Severity.NOTE] == []
    assert format_source(checked.source) == checked.source


def test_seats_and_options() -> None:
    flowchart = load_flowchart("durak")
    assert flowchart.players == (2, 6)
    assert {name: (option.default, option.low, option.high) for name, option in flowchart.options.items()} == {
        "lowestRank": (6, 2, 14),
        "trumps": (1, 0, 1),
        "transfers": (0, 0, 2),
    }
    assert [len(make_game("durak", options={"lowestRank": low}).cards) for low in (2, 6, 13)] == [52, 36, 8]


@pytest.mark.parametrize("choose", [None, lowest_card])
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("options", [{}, {"trumps": "no"}, {"lowestRank": 2}, {"lowestRank": 9}, {"lowestRank": 13}])
def test_every_move_and_the_scores_are_by_the_rules(
    options: dict[str, str | int], players: int, choose: Choose | None
) -> None:
    game = make_game("durak", players, options)
    for seed in range(10):
        played = play(game, seed, choose)
        assert played.outcome.reason is Reason.END
        assert played.outcome.scores == Referee(played).check()


@pytest.mark.parametrize("transfers", ["always", "afterFirst"])
@pytest.mark.parametrize("players", range(2, 7))
def test_attacks_are_passed_on_by_the_rules(players: int, transfers: str) -> None:
    game = make_game("durak", players, {"transfers": transfers})
    transferred = 0
    for seed in range(10):
        played = play(game, seed, None if seed % 2 else lowest_card)
        referee = Referee(played)
        assert played.outcome.reason is Reason.END
        assert played.outcome.scores == referee.check()
        transferred += referee.transferred
    assert transferred > 10


@pytest.mark.parametrize("trumps", ["yes", "no"])
@pytest.mark.parametrize("lowest", range(2, 15))
def test_every_pack_plays_to_the_end(lowest: int, trumps: str) -> None:
    for players in range(2, 7):
        game = make_game("durak", players, {"lowestRank": lowest, "trumps": trumps})
        for choose in (None, lowest_card):
            played = play(game, lowest, choose)
            assert played.outcome.reason is Reason.END
            assert played.outcome.scores == Referee(played).check()


def test_draws_happen() -> None:
    game = make_game("durak")
    outcomes = {play(game, seed, lowest_card).outcome.scores for seed in range(200)}
    assert outcomes == {(0, 0), (1, -1), (-1, 1)}


def test_trump_card_lies_open_and_is_drawn_last() -> None:
    game = make_game("durak")
    for seed in range(20):
        played = play(game, seed)
        moves = [event for event in played.events if event.kind == "move"]
        turned = [event for event in moves if event.target == "trumpCard"]
        drawn = [event for event in moves if event.source == "trumpCard"]
        assert [event.number for event in turned] == [1]
        assert turned[0].seers == {0, 1}
        from_pack = [event for event in moves if event.source == "pack"]
        assert sum(event.number or 0 for event in from_pack) == 36
        assert len(drawn) == 1
        assert played.events.index(drawn[0]) > played.events.index(from_pack[-1])


def thesis_counts(played: Played) -> tuple[int, int]:
    """Bouts and plies as the thesis's program counts them.

    It starts counting bouts at one, so that its number is one too high. Plies are the attacker's moves and the cards of
    the defender; to take is none, nor is to add nothing after a take when there is nothing to add.
    """

    def is_ply(decision: Decision) -> bool:
        if decision.move != "pass":
            return True
        defends = decision.values["defender"] == str(decision.seat)
        return not defends and (decision.values["taking"] == "no" or len(decision.legal) > 1)

    story = list(decisions(played))
    return int(story[-1].values["bouts"]) + 1, sum(map(is_ply, story))


@pytest.mark.slow
def test_random_players_need_as_long_as_in_the_thesis() -> None:
    # The thesis, section 2.7, over 1000 games: 24.0 bouts, 2.9 plies a bout, 68.0 plies. Its random player passes with
    # probability 0.21 when it could play; its sums leave out draws.
    dice = random.Random(2023)

    def choose(_seat: int, moves: Sequence[Move]) -> Move:
        cards = [move for move in moves if move.kind != "pass"]
        if not cards or (len(cards) < len(moves) and dice.random() < 0.21):
            return moves[-1]
        return dice.choice(cards)

    game, games = make_game("durak"), 1000
    finished = [play(game, seed, choose) for seed in range(games)]
    counts = [thesis_counts(played) for played in finished if any(played.outcome.scores)]
    bouts, plies = (sum(numbers) / games for numbers in zip(*counts, strict=True))
    assert bouts == pytest.approx(24.0, abs=0.9)
    assert plies == pytest.approx(68.0, abs=2.2)
    assert sum(ply / bout for bout, ply in counts) / games == pytest.approx(2.9, abs=0.1)
