"""Passes of random games: exactly one way applies to each, for either player, and its weight is what the pass changed.

Weights count the cards that are to be picked up. A pack that has fewer gives fewer, so the weights of passes that
leave none there are not compared.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fcdl.engines.asp.paths import Term, live_variables
from fcdl.heuristics import Heuristics, contradiction, derive
from fcdl.language.flowchart import Type
from fcdl.language.load import load_flowchart, load_text
from fcdl.language.loops import main_loop
from fcdl.model import PASS, Game, Move
from fcdl.model.chance import RandomChance
from tests.engines.reference import ReferenceEngine, ReferenceState

GAMES = ["trumps", "kings_and_jacks", "crazy_eights"]

Value = int | str | bool | None


@dataclass(frozen=True)
class Pass:
    """One pass of the main loop: the positions before and after it, and who moved how."""

    before: ReferenceState
    after: ReferenceState
    moves: dict[int, Move]


def passes(game: Game, seed: str) -> Iterator[Pass]:
    """The passes of one random game."""
    engine, chance, source = ReferenceEngine(game), RandomChance(seed), random.Random(seed)
    main = main_loop(game.flowchart)
    head = main.places[main.loop.head].node.number
    before = state = engine.start(chance)
    moves: dict[int, Move] = {}
    while (mover := engine.mover(state)) is not None:
        moves[mover] = source.choice(engine.legal(state))
        state = engine.apply(state, moves[mover], chance)
        if any(event.kind == "branch" and event.node == head for event in engine.latest(state)):
            yield Pass(before, state, moves)
            before, moves = state, {}


class World:
    """What terms mean in one pass, for one seat."""

    def __init__(self, game: Game, one: Pass, me: int, live: set[str]) -> None:
        self.game, self.deck, self.one, self.me, self.live = game, game.flowchart.deck, one, me, live
        self.seats = {"me": me, "otherPlayer": 1 - me, "myCard": me, "otherCard": 1 - me}

    def card(self, name: str) -> int | None:
        move = self.one.moves.get(self.seats[name])
        return None if move is None or move == PASS else self.deck.cards_with_code(str(move).split()[1])[0]

    def name(self, text: str) -> Value:
        """A constant or a variable; ranks that are numbers are numbers."""
        variable = self.game.flowchart.variables.get(text)
        if variable is None:
            return int(text) if text.isdigit() else {"true": True, "false": False}.get(text, text)
        state = self.one.before if text in self.live else self.one.after
        value = state.variables[text, None]
        return value if variable.type is Type.INT else self.name(self.game.value_text(variable.type, value))

    def value(self, term: Term) -> Value:
        args = term.args
        match term.name:
            case "me" | "otherPlayer":
                return self.seats[term.name]
            case "player":
                return self.value(args[0])
            case "suit" | "rank" | "rankValue":
                card = self.card(args[0].name)
                if card is None:
                    return None
                if term.name == "rankValue":
                    return self.game.flowchart.tables["rankValue"].of_card(self.deck, card)
                suit, rank = self.deck.suits[self.deck.suit_of(card)], self.deck.ranks[self.deck.rank_of(card)]
                return suit if term.name == "suit" else self.name(rank)
            case "passed":
                return bool(self.one.after.variables["passed", self.seats[args[0].name]])
            case "operation":
                left, right = self.value(args[1]), self.value(args[2])
                if args[0].name in ("or", "and"):
                    return (bool(left) or bool(right)) if args[0].name == "or" else (bool(left) and bool(right))
                assert isinstance(left, int)
                assert isinstance(right, int)
                return {"add": left + right, "subtract": left - right}.get(args[0].name, left % (right or 1))
            case "neg":
                return not self.value(args[0])
            case "equal":
                return self.value(args[0]) == self.value(args[1])
            case "lessThan":
                left, right = self.value(args[0]), self.value(args[1])
                return isinstance(left, int) and isinstance(right, int) and left < right
            case "playerHas":
                hand = self.one.before.zones["hand", self.seats[args[0].name]]
                return any(self.fits(card, args[1]) for card in hand)
            case "cardInstanceOf":
                card = self.card(args[0].name)
                if card is None:
                    return self.one.moves.get(self.seats[args[0].name]) == PASS
                return self.fits(card, args[1])
        assert not args, term
        return self.name(term.name)

    def fits(self, card: int, cards: Term) -> bool:
        if cards.name == "union":
            return any(self.fits(card, part) for part in cards.args)
        rank, suit = map(self.value, cards.args)
        return rank in ("any", self.name(self.deck.ranks[self.deck.rank_of(card)])) and suit in (
            "any",
            self.deck.suits[self.deck.suit_of(card)],
        )

    def change(self, what: Term) -> int:
        """By how much the pass changed a property."""
        seat = self.seats[what.args[0].name]

        def measure(state: ReferenceState) -> int:
            return len(state.zones["hand", seat]) if what.name == "cardsRemaining" else state.variables[what.name, seat]

        return measure(self.one.after) - measure(self.one.before)


def check(derived: Heuristics, number: int) -> set[int]:
    """Checks so many passes, their weights too; returns the heuristics that applied to any of them."""
    game = derived.game
    live = live_variables(main_loop(game.flowchart))
    seen: set[int] = set()
    done = 0
    for seed in range(number):
        for one in passes(game, str(seed)):
            for me in (0, 1):
                world = World(game, one, me, live)
                active = [
                    way
                    for way in (*derived.heuristics, *derived.neutral)
                    if all(world.value(condition) for condition in way.conditions)
                ]
                assert len(active) == 1, (seed, one.moves, active)
                if one.after.zones["pack", None]:
                    assert active[0].weight == sum(sign * world.change(what) for sign, what in derived.wishes)
                seen.add(active[0].number)
            done += bool(one.after.zones["pack", None])
        if done >= number:
            break
    return seen - {0}


@pytest.mark.parametrize("game", GAMES)
def test_every_pass_of_random_games_is_as_its_heuristic_says(game: str) -> None:
    check(derive(Game.make(load_flowchart(game), name=game)), 300)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "never"), [("trumps", 4), ("kings_and_jacks", 0), ("crazy_eights", 0)])
def test_ten_thousand_passes(game: str, never: int) -> None:
    derived = derive(Game.make(load_flowchart(game), name=game))
    # Trumps: whoever cannot follow a trump plays no trump, which four of the thesis's heuristics ask for.
    assert len(check(derived, 10_000)) == len(derived.heuristics) - never


LED, ANSWER = "middle(player(leader))", "middle(player(1 - leader))"
QUESTIONS = [
    f"rankValue({LED}) < rankValue({ANSWER})",
    f"suit({LED}) == suit({ANSWER})",
    f"suit({LED}) == hearts",
    f"rank({ANSWER}) == king | rank({ANSWER}) == jack",
    f"suit({ANSWER}) == hearts & rankValue({ANSWER}) < rankValue({LED})",
    "rank(middle(player(0))) == king",
    "leader == 0",
    "winner == leader",
    f"!(suit({LED}) == hearts)",
]
OWNERS = ["leader", "1 - leader", "winner", "0", "1"]


@st.composite
def tricks(draw: st.DrawFn) -> str:
    """A chart with a trick of two cards, and then questions and scores in any order."""
    follow = draw(st.booleans())
    lines = [
        'game "Made up"', "players 2", "chart main", "start", "Shuffle", "Deal(6)", "leader = random(2)",
        "trick: cardsRemaining(player(0)) > 0? no -> finish", "playCard(player(leader), card(any, any))",
        "winner = leader",
    ]  # fmt: skip
    if follow:
        cards = f"card(any, suit({LED}))"
        lines.append(f"playerHas(player(1 - leader), {cards})? no -> discard")
        lines += [f"playCard(player(1 - leader), {cards}) -> s0", "discard:"]
    lines.append("playCard(player(1 - leader), card(any, any))")
    number = draw(st.integers(1, 7))
    for i in range(number):
        question = draw(st.sampled_from([*QUESTIONS, None, None, "winner"]))
        if question == "winner":
            lines.append(f"s{i}: winner = 1 - leader")
        elif question is None:
            owner, points = draw(st.sampled_from(OWNERS)), draw(st.integers(1, 5))
            lines.append(
                f"s{i}: score(player({owner})) = score(player({owner})) {draw(st.sampled_from('+-'))} {points}"
            )
        else:
            lines.append(f"s{i}: {question}? no -> s{draw(st.integers(i + 1, number))}")
    lines += [f"s{number}: score(player(winner)) = score(player(winner)) + 7", "leader = winner"]
    lines += ["Stack.empty -> trick", "finish: end"]
    return "\n".join(lines) + "\n"


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tricks())
def test_made_up_tricks_are_as_their_heuristics_say(source: str) -> None:
    flowchart = load_text(source).flowchart
    assert flowchart is not None
    derived = derive(Game.make(flowchart, name="made_up"))
    assert contradiction(derived) is None
    check(derived, 20)
