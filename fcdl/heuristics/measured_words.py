"""Measured heuristics in card language: one sentence each, and all of them as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fcdl.heuristics.choices import asked, chosen, one_more
from fcdl.heuristics.compared import Comparison
from fcdl.heuristics.english import doing, words
from fcdl.heuristics.features import Decision
from fcdl.heuristics.layers import Layer
from fcdl.heuristics.measured import WINS, Effect, Measured
from fcdl.heuristics.vocabulary import is_card_language, of_suit, plain_speaker
from fcdl.heuristics.words import sentence
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import Type
from fcdl.language.saying import answer_words
from fcdl.model.game import Game

COMPARED = 12
"""So many derived heuristics are shown beside play."""


def effect_sentence(chart: fc.Flowchart, effect: Effect, unit: str, *, interval: bool = True) -> str:
    """`Leading a low card is worth +0.42 points (+0.31 to +0.53).`"""
    low, high = (amount(value, unit, named=False) for value in (effect.low, effect.high))
    between = f" ({low} to {high})" if interval else ""
    return f"{_what(chart, effect)} is worth {amount(effect.weight, unit)}{between}."


def amount(value: float, unit: str, *, named: bool = True) -> str:
    """A gain or a loss with its sign: `+0.42 points`, `−3.1 % of a win`."""
    if unit == WINS:
        text = f"{value * 100:+.1f}" + (" % of a win" if named else "")
    else:
        text = f"{value:+.{1 if abs(value) >= 10 else 2}f}" + (f" {unit}" if named else "")
    return text.replace("-", "\N{MINUS SIGN}")


def _what(chart: fc.Flowchart, effect: Effect) -> str:
    """What is done, and when, in the words of the chart."""
    statement = effect.decision.statement
    when = "" if effect.situation is None else f" {effect.situation.phrase}"
    if effect.passes:
        said = doing(answer_words(chart, effect.decision.node, "pass"))
        return f"{said[0].upper()}{said[1:]}{when}"
    phrase = effect.feature.phrase
    if isinstance(statement, fc.Choose):
        name, kind = statement.target.name, effect.decision.kind
        counts = effect.feature.expr.type is Type.INT
        said = one_more(chart, name) if counts else chosen(chart, name, kind, phrase)
        return f"{said[0].upper()}{said[1:]}{when}"
    verb = _verb(statement, leads=effect.leads)
    if effect.feature.expr.type is Type.INT:
        done = "" if " that you " in phrase else f" that you {verb}"
        return f"{phrase[0].upper()}{phrase[1:]}{done}{when}"
    return f"{doing(verb).capitalize()} {phrase}{when}"


def _verb(statement: fc.Play | fc.Pick | fc.TakeSet, *, leads: bool) -> str:
    """What one does with the cards of a decision."""
    if isinstance(statement, fc.Pick):
        return "pick"
    if isinstance(statement, fc.TakeSet) and statement.word == "take":
        return "take"
    return "lead" if leads else "discard" if "discard" in words(statement.target.name or "") else "play"


def measured_json(
    measured: Measured, layer: Layer | None = None, compared: Sequence[Comparison] = ()
) -> dict[str, Any]:
    """All measured heuristics as JSON, with the derived ones beside what came of them in play."""
    return {
        "game": measured.game.name,
        "seed": measured.seed,
        "games": measured.games,
        "decisions": measured.decisions,
        "unit": measured.unit,
        "note": measured.note,
        "effects": [effect_json(measured, effect) for effect in measured.effects],
        "not_derived": "" if layer is None else layer.reason,
        "derived": [] if layer is None else [comparison_json(layer, one) for one in compared],
    }


def effect_json(measured: Measured, effect: Effect) -> dict[str, Any]:
    """One measured heuristic as JSON."""
    node = effect.decision.node
    return {
        "node": node.number,
        "line": node.span.line if node.span is not None else None,
        "decision": heading(measured.game, effect.decision),
        "sentence": effect_sentence(measured.game.flowchart, effect, measured.unit, interval=False),
        "weight": round(effect.weight, 4),
        "interval": [round(effect.low, 4), round(effect.high, 4)],
        "cases": effect.cases,
    }


def heading(game: Game, decision: Decision) -> str:
    """When a decision comes: `When you play a card of the suit led`."""
    statement, line = decision.statement, decision.node.span.line if decision.node.span is not None else None
    if isinstance(statement, fc.Choose):
        said = f"When you {asked(game.flowchart, decision.node, decision.kind)}"
    elif isinstance(statement, fc.TakeSet):
        said = f"When you {'may ' if statement.may_pass else ''}{statement.word} cards"
    else:
        verb = "pick" if isinstance(statement, fc.Pick) else "may play" if statement.may_pass else "play"
        said = f"When you {verb} {_cards(game, decision)}"
        if not is_card_language(said):
            said = f"When you {verb} a card"
    return said if line is None else f"{said}, line {line}"


def _cards(game: Game, decision: Decision) -> str:
    """Of which cards one is played: `a card of the suit led`."""
    statement, speaker = decision.statement, plain_speaker(game)
    assert isinstance(statement, fc.Play | fc.Pick)
    cards = statement.cards
    if cards.op == "template" and cards.args[0].value == fc.ANY and cards.args[1].op == "variable":
        return of_suit(game.flowchart, cards.args[1].name or "")
    try:
        return speaker.cards(speaker.term_of(cards, decision.node.caption))
    except (AssertionError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
        return "a card"  # nobody has said such a thing before


def measured_page(measured: Measured, layer: Layer | None = None, compared: Sequence[Comparison] = ()) -> str:
    """All measured heuristics as a page, with the derived ones beside what came of them in play."""
    game = measured.game
    lines = [
        f"{game.flowchart.title}: measured by play ({measured.games} games, {measured.decisions} decisions, "
        f"seed {measured.seed})"
    ]
    said = measured.strongest
    if said:
        lines.append("A move is worth so much more than the other legal moves, with 95 % intervals.")
    for number in dict.fromkeys(effect.decision.node.number for effect in said):
        here = [effect for effect in said if effect.decision.node.number == number]
        lines += ["", f"{heading(game, here[0].decision)}:"]
        lines += [f"    {effect_sentence(game.flowchart, effect, measured.unit)}" for effect in here]
    if measured.note:
        lines += [*([""] if said else []), measured.note]
    if layer is not None:
        lines += ["", *_derived(measured, layer, compared)]
    return "\n".join(lines) + "\n"


def _derived(measured: Measured, layer: Layer, compared: Sequence[Comparison]) -> Iterator[str]:
    """The derived heuristics beside play: first where play says otherwise."""
    if layer.derived is None:
        at = "" if layer.line is None or layer.reason.startswith("line ") else f" (line {layer.line})"
        yield f"Nothing is derived from the rules: {layer.reason}{at}."
        return
    number, came_up = len(layer.derived.heuristics), len(compared)
    agrees, differs = (sum(one.verdict == verdict for one in compared) for verdict in ("agrees", "contradicts"))
    if compared:
        but = f" and contradicts {differs}" if differs else ""
        came = f"{number}, of which {came_up} came up often enough"
        yield f"Derived from the rules ({came}): play agrees with {agrees}{but}."
    else:
        yield f"Derived from the rules ({number}): none came up often enough in play to be compared."
    for one in sorted(compared, key=lambda one: (one.verdict != "contradicts", -one.cases))[:COMPARED]:
        low, high = (amount(value, measured.unit, named=False) for value in (one.low, one.high))
        play = f"In play {amount(one.difference, measured.unit)} ({low} to {high})"
        first = "Play says otherwise: " if one.verdict == "contradicts" else ""
        unclear = ", which is not clear" if one.verdict == "not clear" else ""
        yield f"    {first}{sentence(layer.derived, one.heuristic)} {play}{unclear}."


def comparison_json(layer: Layer, one: Comparison) -> dict[str, Any]:
    """A derived heuristic beside play as JSON."""
    assert layer.derived is not None
    return {
        "id": one.heuristic.number,
        "weight": one.heuristic.weight,
        "good": one.good,
        "sentence": sentence(layer.derived, one.heuristic),
        "measured": round(one.difference, 4),
        "interval": [round(one.low, 4), round(one.high, 4)],
        "cases": one.cases,
        "verdict": one.verdict,
    }
