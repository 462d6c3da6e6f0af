"""Why a move is not legal, and why a condition holds, in words; the values come from whoever knows the position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Protocol

from fcdl.language import written
from fcdl.language.flow import reachable
from fcdl.language.flowchart import ANY, Choose, Expr, Flowchart, Node, Pick, Play, TakeSet, Type
from fcdl.language.melds import mask_of
from fcdl.language.ops import OPS
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.tally import tallies

Bound = Mapping[str, int]
"""What locals stand for."""
NOTHING_BOUND: Bound = MappingProxyType({})
PLAIN = 12
"""A definition of more parts than this is called by its name; of fewer, its conditions are said."""
Value = int | tuple[int, ...]
"""Cards and other domains have several elements."""


class Facts(Protocol):
    """The values of expressions in one position."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        ...

    def value(self, expr: Expr, bound: Bound = NOTHING_BOUND) -> Value | None:
        """The value of an expression; None if it is not known."""
        ...


def expr_text(expr: Expr, flowchart: Flowchart, names: Mapping[str, str] | None = None) -> str:
    """An expression as the author says it."""
    return written.expr_text(expr, flowchart, names, definitions=True)


class Wording:
    """How reasons are worded: here for those who read the chart, with its nodes and in its own language."""

    everything = True
    """Whether all is said that is in the way of a card, or only what another card would do better."""

    def place(self, node: Node) -> str:
        """Where it is decided, after a sentence."""
        return f" (node {node.number}: {node.caption})"

    def text(self, expr: Expr, flowchart: Flowchart, names: Mapping[str, str] | None = None) -> str:
        """An expression; empty if there are no words for it. `names` says what locals stand for."""
        return expr_text(expr, flowchart, names)

    def holds(self, condition: Expr, flowchart: Flowchart, names: Mapping[str, str], holds: bool) -> str:
        """That a condition holds, or does not; empty if there are no words for it."""
        return f"{expr_text(condition, flowchart, names)} {'holds' if holds else 'does not hold'}"

    def inside(self, zone: Expr, flowchart: Flowchart) -> str:
        """Where cards lie, after a sentence."""
        return f" in {expr_text(zone, flowchart)}"

    def because(self, diamond: Node, yes: bool, such: str) -> str:
        """The answer of the diamond that led to the decision, after a sentence; `such`: that one has a card for it."""
        if such:
            return f" because {such}{self.place(diamond)}"
        return f" because {diamond.caption.removesuffix('?')}{'' if yes else ' does not hold'} (node {diamond.number})"


WRITTEN = Wording()


def why_illegal(
    facts: Facts,
    node: Node,
    player: int,
    move: Move,
    legal: Sequence[Move],
    came_by: tuple[int, bool] | None,
    wording: Wording = WRITTEN,
) -> str:
    """One sentence: which node, which condition and which facts forbid a player's move.

    `came_by` is the diamond right before the decision, if it was one, and whether its answer was yes.
    """
    listed = ", ".join(map(str, legal[:20])) + (" ..." if len(legal) > 20 else "")
    return f"illegal move '{move}': {_reason(facts, wording, node, f'player {player}', move, came_by)}; legal: {listed}"


def _reason(
    facts: Facts, wording: Wording, node: Node, player: str, move: Move, came_by: tuple[int, bool] | None
) -> str:
    statement, place = node.statement, wording.place(node)
    if isinstance(statement, Choose):
        asked = f"{player} must choose a value for {statement.target.name}{place}"
        return asked if move.kind != "choose" else f"'{move.what}' is not on offer: {asked}"
    if isinstance(statement, TakeSet):
        return _reason_for_set(facts, wording, statement, player, move, place)
    assert isinstance(statement, Play | Pick)
    kind = "play" if isinstance(statement, Play) else "pick"
    if move.kind != kind:
        return f"{player} must {kind} a card{place}"
    cards = facts.game.flowchart.deck.cards_with_code(move.what)
    in_play = [card for card in cards if card in facts.game.cards]
    if not in_play:
        return f"there is no card '{move.what}' in this game"
    held = facts.value(statement.source)
    if isinstance(held, tuple) and not any(card in held for card in in_play):
        where = (
            " in hand" if statement.source.name == "hand" else wording.inside(statement.source, facts.game.flowchart)
        )
        return f"{player} does not have {move.what}{where}{place}"
    card = next((card for card in in_play if isinstance(held, tuple) and card in held), in_play[0])
    rule = _forbids(facts, wording, statement.cards, card, kind)
    return f"{player} {rule}{place}{_last_diamond(facts.game, wording, node, statement.cards, player, came_by)}"


def _reason_for_set(facts: Facts, wording: Wording, statement: TakeSet, player: str, move: Move, place: str) -> str:
    if move.kind != statement.word:
        return f"{player} must {statement.word} cards{place}"
    game, held = facts.game, facts.value(statement.source)
    cards: list[int] = []
    for code in move.cards:
        copies = [card for card in game.flowchart.deck.cards_with_code(code) if card in game.cards]
        if not copies:
            return f"there is no card '{code}' in this game"
        free = [card for card in copies if card not in cards and (not isinstance(held, tuple) or card in held)]
        if not free:
            if statement.source.name == "hand":
                return f"{player} does not have {code} in hand{place}"
            return f"there is no {code}{wording.inside(statement.source, facts.game.flowchart)}{place}"
        cards.append(free[0])
    mask, sets = mask_of(cards), statement.sets
    if amounts := [tally.failure for tally in tallies(facts, statement, mask) if not tally.fits]:
        return f"{player} may not {statement.word} {move.what}: {'; '.join(amounts)}{place}"
    while sets.op == "those" and sets.name is not None:
        names = {sets.name: "the cards"}
        unmet = list(dict.fromkeys(_unmet(facts, wording, sets.args[1], {sets.name: mask}, names)))
        if unmet:
            return f"{player} may not {statement.word} {move.what}: {'; '.join(unmet)}{place}"
        sets = sets.args[0]
    return f"{player} may not {statement.word} {move.what}{place}"


def _forbids(facts: Facts, wording: Wording, cards: Expr, card: int, kind: str) -> str:
    """What cards are asked for, or which conditions the card does not meet."""
    if cards.op == "those" and cards.name is not None:
        domain, condition = cards.args
        inside = facts.value(domain)
        if isinstance(inside, tuple) and card not in inside:
            return _forbids(facts, wording, domain, card, kind)
        code = facts.game.value_text(Type.CARD, card)
        unmet = "; ".join(_unmet(facts, wording, condition, {cards.name: card}, {cards.name: code}))
        return f"may not {kind} {code}: {unmet}" if unmet else f"may not {kind} {code}"
    if cards.op == "if":
        return _forbids(facts, wording, taken_branch(facts, cards, NOTHING_BOUND), card, kind)
    return f"must {kind} {_kind_of_cards(facts, wording, cards)}"


def taken_branch(facts: Facts, expr: Expr, bound: Bound = NOTHING_BOUND) -> Expr:
    """Of an `if` the branch that was taken, of all else the expression itself."""
    while expr.op == "if" and (chosen := facts.value(expr.args[0], bound)) is not None:
        expr = expr.args[1 if chosen else 2]
    return expr


def rank_words(rank: str) -> str:
    """Any card of a rank: `an ace`, `a 9`."""
    return f"{'an' if rank[:1] in 'aeiou8' else 'a'} {rank}"


def _kind_of_cards(facts: Facts, wording: Wording, cards: Expr) -> str:
    """Cards in the words of card players."""
    game = facts.game
    if cards.op == "template":
        rank, suit = (facts.value(arg) for arg in cards.args)
        if isinstance(rank, int) and isinstance(suit, int):
            rank_text, suit_text = game.value_text(Type.RANK, rank), game.value_text(Type.SUIT, suit)
            if rank == ANY:
                return "a card" if suit == ANY else suit_text
            return rank_words(rank_text) if suit == ANY else f"the {rank_text} of {suit_text}"
    if cards.op == "union":
        return " or ".join(dict.fromkeys(_kind_of_cards(facts, wording, arg) for arg in cards.args))
    value = facts.value(cards)
    listed = value_text(game, cards, value) if value is not None else ""
    text = wording.text(cards, game.flowchart)
    if not text:
        return f"one of {listed}" if listed else "another card"
    return f"one of {text} ({listed})" if listed else f"one of {text}"


def _last_diamond(
    game: Game, wording: Wording, node: Node, cards: Expr, player: str, came_by: tuple[int, bool] | None
) -> str:
    """The diamond right before the decision, if its other arrow leads to another; `cards` are asked for here."""
    if came_by is None:
        return ""
    number, yes = came_by
    diamond = game.flowchart.nodes[number]
    other = diamond.no if yes else diamond.yes
    if diamond.box is not None or node.number not in diamond.successors or other is None or not _decides(game, other):
        return ""
    if yes and diamond.condition is not None and _asks_for(diamond.condition, cards):
        return wording.because(diamond, yes, f"{player} has such a card")
    return wording.because(diamond, yes, "")


def _decides(game: Game, number: int) -> bool:
    """Whether somebody decides at a node, or right after it and other diamonds."""
    nodes = game.flowchart.nodes
    after = {number: node.successors for number, node in nodes.items() if node.condition is not None}
    reached = reachable([number], after, stop=lambda number: number not in after)
    return any(nodes[number].is_decision for number in reached)


def _asks_for(condition: Expr, cards: Expr) -> bool:
    """Whether a condition is that somebody has one of these cards."""
    if condition.op == "playerHas":
        return condition.args[1] == cards
    return (
        condition.op == "some" and cards.op == "those" and (condition.name, condition.args) == (cards.name, cards.args)
    )


def simple_conditions(
    facts: Facts, condition: Expr, bound: Bound, wanted: bool | None = None, plain: int = PLAIN
) -> Iterator[tuple[Expr, bool]]:
    """Each comparison (or other simple condition) in a condition, and whether it holds.

    With `wanted`, only those that hold, or that do not; `!` reverses it. A definition of more than `plain` parts is
    simple.
    """
    condition = taken_branch(facts, condition, bound)
    named = condition in facts.game.flowchart.said and sum(1 for _ in condition.walk()) > plain
    if condition.op in ("and", "or", "not") and not named:
        turned = None if wanted is None else not wanted
        for arg in condition.args:
            yield from simple_conditions(facts, arg, bound, turned if condition.op == "not" else wanted, plain)
        return
    value = facts.value(condition, bound)
    if value is not None and condition.op != "const" and (wanted is None or bool(value) is wanted):
        yield condition, bool(value)


def why_so(facts: Facts, condition: Expr) -> Iterator[str]:
    """Each simple condition in a condition with its value and those of its sides."""
    chart = facts.game.flowchart
    for part, holds in simple_conditions(facts, condition, NOTHING_BOUND):
        simple = replace(part, args=tuple(taken_branch(facts, arg, NOTHING_BOUND) for arg in part.args))
        sides = [f"{expr_text(arg, chart)} is {text}" for arg in simple.args if (text := _side(facts, arg)) is not None]
        if simple.op == "playerHas" and (hand := _hand_text(facts, simple.args[0], NOTHING_BOUND)):
            sides = [hand]
        yield f"{expr_text(simple, chart)} is {'yes' if holds else 'no'}" + (f", {', '.join(sides)}" if sides else "")


def _unmet(facts: Facts, wording: Wording, condition: Expr, bound: Bound, names: Mapping[str, str]) -> Iterator[str]:
    """Each simple condition that is in the way, as a sentence; `names` says what locals stand for."""
    chart = facts.game.flowchart
    found = list(simple_conditions(facts, condition, bound, wanted=False))
    if not wording.everything and any(_mentions(simple, bound) for simple, _ in found):
        found = [(simple, holds) for simple, holds in found if _mentions(simple, bound)]
    for simple, holds in found:
        row = OPS[simple.op]
        if simple.op == "every" and not holds and not wording.everything and simple.name is not None:
            yield from _first_unmet(facts, wording, simple, bound, names)
            continue
        if row.of_cards is not None and row.says:
            of_set = simple.args[0].op == "local"
            text = wording.text(simple.args[0], chart, names)
            if text:
                yield f"{text} {'are' if of_set else 'is'} {'' if holds else 'not '}{row.says}"
            continue
        if not row.denies:
            hand = _hand_text(facts, simple.args[0], bound) if simple.op == "playerHas" else ""
            text = wording.holds(simple, chart, names, holds)
            if text:
                yield f"{text} ({hand})" if hand else text
            elif simple.op in ("and", "or") and not holds:  # a long definition that there are no words for
                for arg in simple.args:
                    yield from _unmet(facts, wording, arg, bound, names)
            continue
        left, right = (_said_side(facts, wording, arg, bound, names) for arg in simple.args)
        if left and right:
            verb = row.says if holds else row.denies
            table = simple.args[0].name or "" if simple.args[0].op == "table" else ""
            yield f"{left} {f'are{verb[2:]}' if table.endswith('s') else verb} {right}"


def _first_unmet(facts: Facts, wording: Wording, every: Expr, bound: Bound, names: Mapping[str, str]) -> Iterator[str]:
    """Of a set in which every card must be such, why the first is not that is not."""
    assert every.name is not None
    cards = facts.value(every.args[0], bound)
    if not isinstance(cards, tuple) or every.args[0].op != "local":
        return
    for card in cards:
        if not facts.value(every.args[1], {**bound, every.name: card}):
            code = facts.game.value_text(Type.CARD, card)
            yield from _unmet(facts, wording, every.args[1], {**bound, every.name: card}, {**names, every.name: code})
            return


def _mentions(expr: Expr, bound: Bound) -> bool:
    return any(part.op == "local" and part.name in bound for part in expr.walk())


def _said_side(facts: Facts, wording: Wording, expr: Expr, bound: Bound, names: Mapping[str, str]) -> str:
    """One side of a comparison with its value; a constant that an `if` led to, with the condition that did."""
    taken = taken_branch(facts, expr, bound)
    text = wording.text(taken, facts.game.flowchart, names)
    if text and taken.op == "const" and expr.op == "if":
        while (branch := expr.args[1 if facts.value(expr.args[0], bound) else 2]) is not taken:
            expr = branch
        condition, holds = wording.text(expr.args[0], facts.game.flowchart, names), branch is expr.args[1]
        return f"{text} (because {condition}{'' if holds else ' does not hold'})" if condition else text
    value = _side(facts, taken, bound)
    return f"{text} ({value})" if text and value else text


def _side(facts: Facts, expr: Expr, bound: Bound = NOTHING_BOUND) -> str | None:
    """The value of one side of a comparison, if its text does not say it already."""
    if expr.op in ("const", "local") or expr.type is Type.DOMAIN:
        return None
    value = facts.value(expr, bound)
    return None if value is None else value_text(facts.game, expr, value)


def _hand_text(facts: Facts, player: Expr, bound: Bound) -> str:
    """Which cards a player holds, if that is known."""
    hand = Expr("zone", Type.CARDS, (player,), name="hand")
    seat, cards = facts.value(player, bound), facts.value(hand, bound)
    if seat is None or cards is None:
        return ""
    return f"{value_text(facts.game, player, seat)} holds {value_text(facts.game, hand, cards)}"


def value_text(game: Game, expr: Expr, value: Value) -> str:
    """The value of an expression in words."""
    if isinstance(value, int):
        return game.published_text(expr.type, value)
    kind = Type.CARD if expr.type is Type.CARDS else Type.INT
    return " ".join(game.value_text(kind, item) for item in value) or "none"
