"""The proof by ASP that paths are worth what cycles change: every cycle of small games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from typing import Any

import pytest

from fcdl.data import data_text
from fcdl.engines.asp.cycles import Claim, Path, Verdict, judge, orders_in_piles
from fcdl.engines.asp.possible import possible
from fcdl.heuristics import Heuristics, derive
from fcdl.heuristics.symbols import conjunction
from fcdl.language.flowchart import Assign, Expr, Flowchart, Move, Pick, Publish, Type
from fcdl.language.load import load_flowchart, load_text
from fcdl.language.loops import MainLoop, main_loop
from fcdl.model import Game
from tests.heuristics.cycles import picks_up


@dataclass(frozen=True, eq=False)
class Small:
    """A game with few cards: which, how they are dealt, and how its chart is changed outside of the cycles.

    `piles`: all deals of so many cards into each hand and elsewhere. `deals`: these only, as orders of the pack.
    """

    game: str
    cards: str
    piles: Sequence[int] = ()
    changes: Mapping[str, str] = field(default_factory=dict)
    players: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    turns: int | None = None
    deals: Sequence[str] = ()

    def make(self) -> Game:
        source = data_text("games", f"{self.game}.fcdl")
        for old, new in self.changes.items():
            assert old in source
            source = source.replace(old, new)
        flowchart = load_text(source).flowchart
        assert flowchart is not None
        return Game.make(
            with_cards(flowchart, self.cards.split()), name=self.game, players=self.players, options=self.options
        )

    def derived(self) -> Heuristics:
        """The heuristics of the whole game, for this one."""
        return replace(whole(self.game, self.players), game=self.make())

    def orders(self) -> list[tuple[int, ...]]:
        """How the pack can lie."""
        game = self.make()
        codes = game.flowchart.deck.cards_with_code
        if self.deals:
            return [tuple(codes(code)[0] for code in deal.split()) for deal in self.deals]
        return list(orders_in_piles(game.cards, self.piles))

    @cache  # noqa: B019 (there are few of them)
    def verdict(self) -> Verdict:
        """What ASP finds about all its cycles."""
        derived = self.derived()
        return judge(derived.game, claim(derived), self.orders(), self.turns)


@cache
def whole(game: str, players: int | None = None) -> Heuristics:
    """The heuristics of a game with all its cards."""
    return derive(Game.make(load_flowchart(game), name=game, players=players))


def with_cards(flowchart: Flowchart, codes: Sequence[str]) -> Flowchart:
    """The same chart with a pack of these cards only."""
    deck = flowchart.deck
    card = Expr("local", Type.CARD, name="c")
    tests = [
        Expr("equal", Type.BOOL, (card, Expr("const", Type.CARD, value=deck.cards_with_code(code)[0])))
        for code in codes
    ]
    either = reduce(lambda a, b: Expr("or", Type.BOOL, (a, b)), tests)
    restriction = Expr("those", Type.CARDS, (Expr("allCards", Type.CARDS), either), name="c")
    return replace(flowchart, deck=replace(deck, restrictions=(restriction,)))


def claim(derived: Heuristics) -> Claim:
    """What the heuristics say."""
    main = main_loop(derived.game.flowchart)
    inside = {main.places[place].node.number for place in main.loop.places}
    closing = {main.places[place].node.number for place in main.closing}
    paths = [
        Path(
            path.start,
            [(item.name, item.distance, item.turn) for item in path.parameters],
            [condition.test for condition in path.conditions],
            path.worth,
        )
        for path in (*derived.heuristics, *derived.neutral)
        if path.worth is not None
    ]
    goals = [(goal.factor, conjunction(goal.context), goal.what) for goal in derived.goals]
    starts = [node.number for node in derived.starts]
    over = {number for number in derived.game.flowchart.nodes if number not in inside or number in closing}
    read = [expr for path in paths for expr in (*path.conditions, path.worth)]
    read += [expr for _, context, what in goals for expr in (context, what)]
    apart = set(derived.game.flowchart.variables) - read_in_cycles(main, read)
    return Claim(paths, goals, starts, over, apart, "pack" if picks_up(derived.game) else None)


def read_in_cycles(main: MainLoop, exprs: Sequence[Expr]) -> set[str | None]:
    """The variables that expressions or nodes of the main loop read.

    Not what only texts tell, what asks for another turn, and what a variable needs to count itself.
    """
    found = {part.name for expr in exprs for part in expr.walk()}
    asking = {*main.closing, *({main.loop.head} & main.loop.exits)}
    for node in (main.places[place].node for place in main.loop.places - asking):
        statement = node.statement
        if isinstance(statement, Publish):
            continue
        names = {part.name for expr in node.exprs() for part in expr.walk()}
        found |= names - {statement.target.name} if isinstance(statement, Assign) else names
    return found


def plays_from_hands(game: Game) -> bool:
    """Whether whoever plays a card in a cycle holds it where the cycle begins: no cards come into hands on the path."""
    main = main_loop(game.flowchart)
    statements = [main.places[place].node.statement for place in main.loop.places]
    moved = [item.target for item in statements if isinstance(item, Move)]
    return not any(isinstance(item, Pick) for item in statements) and all(zone.name != "hand" for zone in moved)


ONE_TRICK = {"Deal(13)": "Deal(1)", "tricks < 13": "tricks < 1"}
LATER_TRICK = {
    "Deal(13)": "Deal(1)",
    "tricks < 13": "tricks < 2",
    "lowest(playerNumber(p) for p in players where playerHas(p, card(2, clubs)))": "player(random(4))",
    "    tricks = 0": "    tricks = 1",
}
FEW_BIDS = {
    "Deal(10)": "Deal(1)",
    "step < size(bids)": "step < 1",
    "{takeSkat, handGame}": "{handGame}",
    "{nothing, schneider, schwarz, ouvert}": "{nothing}",
    "{nothing, ouvert}": "{nothing}",
}
FOREHAND_PLAYS = {
    "choose(bidder, call, {bid, pass})": "choose(bidder, call, {pass})",
    "choose(forehand, call, {bid, pass})": "choose(forehand, call, {bid})",
}
ONE_SUIT = {"{suitGame, grand, nullGame}": "{suitGame, nullGame}", "trumpSuit, suits": "trumpSuit, {hearts}"}
CRAZY_CARDS = "2C 8C KC 3C 2H 3H 4H"

HEARTS_DEALS = ("2C 3C QS 2H", "2C QS 3C 2H", "3C 2C QS 2H")
BOUT = {"suit(random(4))": "diamonds", "player(random(numberOfPlayers))": "player(0)"}
# Hands that are not filled up to six, or not by the pack alone: two cards and the trump are left.
FIVE_EACH = "6C 8D 10H QS AC 7C 9D JH KS 6H 7S 8H 7D"
SIX_EACH = "6C 8D 10H QS AC 8S 7C 9D JH KS 6H 9C 7S 8H 7D"

# With the number of cycles and of paths that apply to any of them.
QUICK = [
    (Small("trumps", "2C 3C 2H", (1, 1, 1), {"Deal(7)": "Deal(1)"}), 48, 8),
    (Small("kings_and_jacks", "JC QC KC AC 2H KH", (1, 1, 4), {"Deal(7)": "Deal(1)"}), 60, 24),
    (Small("crazy_eights", CRAZY_CARDS, (1, 1, 5), {"Deal(8)": "Deal(1)"}, turns=1), 172, 12),
    (Small("oh_hell", "2C 3C 2H", (1, 1, 1), options={"firstHand": "1"}), 24, 16),
    (Small("durak", "6C 7C 6H", (1, 1)), 18, 4),
    (Small("durak", "6C 6H 6S 7C 7H 7S", changes=BOUT, turns=1, deals=["6C 6H 6S 7C 7H 7S"]), 78, 26),
    (Small("durak", FIVE_EACH, changes={"min(6,": "min(5,"}, turns=1, deals=[FIVE_EACH]), 13, 4),
    (Small("durak", SIX_EACH, turns=1, deals=[SIX_EACH]), 29, 14),
    (Small("hearts", "2C 3C QS 2H", (1, 1, 1, 1), ONE_TRICK, options={"passing": "no"}), 24, 7),
    (Small("hearts", "2C 3C QS 2H", (), LATER_TRICK, options={"passing": "no"}, deals=HEARTS_DEALS), 12, 11),
    (Small("skat", "JC AC 7H", (1, 1, 1), {**FEW_BIDS, **FOREHAND_PLAYS, **ONE_SUIT}), 12, 20),
]
LONG = [
    (Small("trumps", "2C 3C 2H 3H", (2, 2), {"Deal(7)": "Deal(2)"}), 256, 8),
    (Small("kings_and_jacks", "KC JC 2C 2H KH", (2, 2, 1), {"Deal(7)": "Deal(2)"}), 336, 16),
    (Small("crazy_eights", CRAZY_CARDS, (1, 1, 5), {"Deal(8)": "Deal(1)"}, turns=3), 552, 12),
    (Small("oh_hell", "2C 3C 2H 3H", (2, 2), options={"firstHand": "2"}), 384, 16),
    (Small("oh_hell", "2C 3C 2H", (1, 1, 1), players=3, options={"firstHand": "1"}), 90, 16),
    (Small("durak", "6C 7C 6H 7H", (2, 2)), 356, 18),
    (Small("hearts", "2C 3C QS 2H", (1, 1, 1, 1), LATER_TRICK, options={"passing": "no"}), 96, 11),
    (Small("skat", "JC AC 7H", (1, 1, 1), {**FEW_BIDS, **ONE_SUIT}), 36, 54),
    (Small("skat", "7C 8C 9C", (), {**FEW_BIDS, **ONE_SUIT}, deals=["7C 8C 9C", "7C 9C 8C"]), 12, 30),
    (Small("skat", "JC AC 7H", (1, 1, 1), {**FEW_BIDS, **FOREHAND_PLAYS}), 36, 20),
]
Proof = tuple[Small, int, int]


def prove(proof: Proof) -> frozenset[int]:
    """No cycle contradicts; returns the paths that apply to any of them."""
    small, cycles, paths = proof
    verdict = small.verdict()
    assert verdict.mismatches == ()
    assert (verdict.cycles, len(verdict.applied)) == (cycles, paths)
    return verdict.applied


def prove_all(proofs: Iterable[Proof], game: str) -> tuple[int, int]:
    """How many paths apply to cycles of these proofs; all others never apply to any cycle of the whole game."""
    applied = frozenset[int]().union(*(prove(proof) for proof in proofs if proof[0].game == game))
    derived = whole(game)
    rest = [path for number, path in enumerate(claim(derived).paths) if number not in applied]
    assert possible(derived.game, rest, plays_from_hands(derived.game)) == frozenset()
    return len(applied), len(rest)


@pytest.mark.parametrize(
    ("game", "applied", "never"),
    [
        ("trumps", 8, 4),
        ("kings_and_jacks", 24, 0),
        ("crazy_eights", 12, 0),
        ("oh_hell", 16, 4),
        ("durak", 30, 0),
        ("hearts", 11, 0),
    ],
)
def test_exactly_one_path_applies_to_every_cycle_and_is_worth_its_change(game: str, applied: int, never: int) -> None:
    """And every path either applies to one of these cycles or to none at all."""
    assert prove_all(QUICK, game) == (applied, never)


def test_the_same_for_one_declarer_of_skat() -> None:
    prove(QUICK[-1])


@pytest.mark.slow
@pytest.mark.parametrize("proof", LONG, ids=lambda proof: str(proof[0].game))
def test_the_same_with_more_cards(proof: Proof) -> None:
    prove(proof)


@pytest.mark.slow
def test_the_same_for_all_paths_of_skat() -> None:
    assert prove_all(LONG, "skat") == (58, 2)


@pytest.mark.parametrize(
    ("game", "number"), [("trumps", 8), ("oh_hell", 16), pytest.param("skat", 58, marks=pytest.mark.slow)]
)
def test_paths_that_can_apply_are_possible(game: str, number: int) -> None:
    """All others contradict themselves, but only because cards are played from hands."""
    derived = whole(game)
    paths = claim(derived).paths
    assert len(possible(derived.game, paths, True)) == number
    assert len(possible(derived.game, paths, False)) == len(paths)


TINY = Small("trumps", "2C 3C", (1, 1), {"Deal(7)": "Deal(1)"})


@cache
def true_claim() -> Claim:
    """What the heuristics of Trumps say, the first path being one that applies to a cycle of the tiny game."""
    true = claim(TINY.derived())
    number = min(judge(TINY.make(), true, TINY.orders()).applied)
    return replace(true, paths=[*true.paths[number:], *true.paths[:number]])


def mistakes(claim: Claim) -> set[str]:
    """What is found wrong with a claim about the tiny game: `worth` or `number`."""
    verdict = judge(TINY.make(), claim, TINY.orders())
    assert verdict.cycles == 16
    return {re.findall(r"(?:worth|number)(?=\()", text)[-1] for text in verdict.mismatches}


def with_first_path(**changes: Any) -> Claim:
    claim = true_claim()
    return replace(claim, paths=[replace(claim.paths[0], **changes), *claim.paths[1:]])


def test_true_claim_has_no_mistakes() -> None:
    assert mistakes(true_claim()) == set()


def test_wrong_weight_is_found() -> None:
    assert mistakes(with_first_path(worth=Expr("const", Type.INT, value=7))) == {"worth"}


def test_missing_condition_is_found() -> None:
    """The last condition is which card is higher; without it the path applies where it is worth something else."""
    assert mistakes(with_first_path(conditions=true_claim().paths[0].conditions[:-1])) == {"number", "worth"}


def test_missing_path_is_found() -> None:
    assert mistakes(replace(true_claim(), paths=true_claim().paths[1:])) == {"number"}


def test_wrong_goal_is_found() -> None:
    assert mistakes(replace(true_claim(), goals=true_claim().goals[1:])) == {"worth"}


def test_chart_that_counts_otherwise_is_found() -> None:
    """The heuristics of Trumps do not fit a Trumps in which a trick is two points."""
    small = Small("trumps", "2C 3C", (1, 1), {"Deal(7)": "Deal(1)", "score(trickWinner) + 1": "score(trickWinner) + 2"})
    derived = small.derived()
    verdict = judge(derived.game, claim(derived), small.orders())
    assert verdict.cycles > 0
    assert len(verdict.mismatches) == verdict.cycles * 2
