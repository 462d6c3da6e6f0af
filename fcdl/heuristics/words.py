"""Heuristics in card language: one sentence each, and all of them as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fcdl.heuristics.after import never_negative
from fcdl.heuristics.derive import Heuristic, Heuristics, partners
from fcdl.heuristics.goals import Goal
from fcdl.heuristics.speech import ORDINALS, Speaker, is_clear, join, words
from fcdl.heuristics.symbols import distance_of, linear
from fcdl.heuristics.terms import term_of
from fcdl.language import flowchart as fc
from fcdl.language.flow import shortest_path, through_calls
from fcdl.language.flowchart import Expr, Node

MANY = 24
"""So many lines of one kind are on the page."""


MAX_SENTENCE = 400
"""Longer sentences are no advice that anybody follows at a table; JSON and ASP have all of them."""


def describe(derived: Heuristics) -> str:
    """All heuristics as a page: first what to want, then what is good and bad for me by when I play."""
    heuristics = derived.heuristics
    lines = [f"{derived.game.flowchart.title}: {_number(len(heuristics), 'heuristic')}", *_goals(derived)]
    for start in derived.starts:
        if start != derived.starts[0]:
            lines += ["", _later(derived, start)]
        here = [item for item in (*heuristics, *derived.open) if item.start == start.number]
        sections: dict[tuple[str, ...], list[str]] = {}
        for title in dict.fromkeys(_title(item) for item in here):
            sections.setdefault(tuple(_section(derived, [i for i in here if _title(i) == title])), []).append(title)
        for section, titles in sections.items():
            lines += [line.replace("{}", _when(titles)) if line.startswith("{}") else line for line in section]
    readable = [line for line in lines if len(line) <= MAX_SENTENCE]
    if len(readable) < len(lines):
        left_out = _number(len(lines) - len(readable), "longer sentence")
        readable += ["", f"{left_out} left out, too long to be advice: fcdl heuristics --measured may say it better."]
    return "\n".join(readable) + "\n"


def _later(derived: Heuristics, start: Node) -> str:
    """The heading of cycles that begin inside the main loop: by the first decision there."""
    chart, speaker = derived.game.flowchart, Speaker(derived, None)
    when = "Later" if start.chart == chart.main else f"Later in the {words(start.chart)}"
    decision = _first_decision(chart, start)
    if decision is None or not isinstance(decision.statement, fc.Play | fc.Choose):
        return f"{when}:"
    statement = decision.statement
    player = speaker.thing(speaker.term_of(statement.player))
    if isinstance(statement, fc.Choose):
        return f"{when}, when {player} chooses the {words(statement.target.name)}:"
    cards = speaker.cards(speaker.term_of(statement.cards, decision.caption))
    return f"{when}, when {player} {'may play' if statement.may_pass else 'plays'} {cards}:"


def _first_decision(chart: fc.Flowchart, start: Node) -> Node | None:
    """The decision to which the fewest arrows lead from a node."""
    path = shortest_path(start.number, through_calls(chart), lambda number: chart.nodes[number].is_decision)
    return chart.nodes[path[-1]] if path is not None else None


def _when(titles: Sequence[str]) -> str:
    """Several titles in one: `When you lead or play second or last`."""
    mine = [title.removeprefix("When you ") for title in titles if title.startswith("When you ")]
    if len(mine) < len(titles):
        return join([titles[0], *(title[:1].lower() + title[1:] for title in titles[1:])], "or")
    places = [title.removeprefix("play ") for title in mine if title.startswith("play ")]
    first = next((number for number, title in enumerate(mine) if title.startswith("play ")), 0)
    verbs = [title for title in mine if not title.startswith("play ")]
    if places:
        verbs.insert(first, f"play {join(places, 'or')}")
    return f"When you {join(verbs, 'or')}"


def _section(derived: Heuristics, group: Sequence[Heuristic]) -> Iterator[str]:
    """The lines about some heuristics; `{}` is for when I play."""
    for label in ("good for you", "bad for you", "it depends", "not known"):
        part = [item for item in group if _label(derived, item) == label]
        if not part:
            continue
        lines = _lines(derived, part)
        worths = {line.worth for line in lines}
        shared = worths.pop() if len(worths) == 1 else ""
        yield from ("", f"{{}}, {label}{f' ({shared})' if shared else ''}:")
        said = sorted(
            {(-line.size, line.column, _text(line.phrases, line.worth if not shared else "")) for line in lines}
        )
        yield from (f"  {column:>4}  {text}" for _, column, text in said[:MANY])
        if len(said) > MANY:
            yield f"        and {len(said) - MANY} more cases like these"


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the page; `worth` says how it is counted, if that is not the number in its column."""

    size: int
    column: str
    worth: str
    phrases: tuple[str, ...]


def _lines(derived: Heuristics, group: Sequence[Heuristic]) -> list[_Line]:
    """The lines about some heuristics.

    What holds whichever of the others has a role, and whether or not something holds for me, is said once.
    """
    opposites: dict[str, str] = {}
    found: dict[_Line, dict[_Line, None]] = {}
    for item in group:
        alone, alike = (_line(derived, item, speaker) for speaker in _speakers(derived, item, opposites))
        found.setdefault(alike, {})[alone] = None
    every = derived.game.players - 1
    lines = {line: None for alike, alone in found.items() for line in ([alike] if len(alone) == every else alone)}
    while (pair := next(_pairs(lines, opposites), None)) is not None:
        line, other, place = pair
        del lines[line], lines[other]
        lines[replace(line, phrases=(*line.phrases[:place], *line.phrases[place + 1 :]))] = None
    return list(lines)


def _speakers(derived: Heuristics, heuristic: Heuristic, opposites: dict[str, str]) -> Iterator[Speaker]:
    for alike in (False, True):
        speaker = Speaker(derived, heuristic, alike=alike)
        yield speaker
        opposites.update(speaker.opposites)


def _line(derived: Heuristics, heuristic: Heuristic, speaker: Speaker) -> _Line:
    counted = heuristic.worth is not None and heuristic.weight is None
    worth = _worth(derived, heuristic, speaker) if counted else ""
    phrases = tuple(_phrases(heuristic, speaker))
    return _Line(abs(heuristic.weight or 0), _column(derived, heuristic), worth, phrases)


def _pairs(lines: Mapping[_Line, None], opposites: Mapping[str, str]) -> Iterator[tuple[_Line, _Line, int]]:
    """Two lines that differ only in one thing, which holds in one and not in the other."""
    for line in lines:
        for place, phrase in enumerate(line.phrases):
            if phrase in opposites:
                phrases = (*line.phrases[:place], opposites[phrase], *line.phrases[place + 1 :])
                other = replace(line, phrases=phrases)
                if other in lines:
                    yield line, other, place


def sentence(derived: Heuristics, heuristic: Heuristic) -> str:
    """A heuristic as one sentence: `You lead any card; ...; your card is lower than theirs: −1.`"""
    speaker = Speaker(derived, heuristic)
    when = [_title(heuristic).removeprefix("When ")] if heuristic.summary.merged else []
    return _text([*when, *_phrases(heuristic, speaker)], _worth(derived, heuristic, speaker))


def _phrases(heuristic: Heuristic, speaker: Speaker) -> list[str]:
    phrases = speaker.summary() if heuristic.summary.merged else speaker.phrases()
    phrases = [phrase for phrase in phrases if is_clear(phrase)]
    if heuristic.worth is not None and heuristic.weight is None:
        phrases += speaker.effects()
    return phrases


def _text(phrases: Sequence[str], worth: str) -> str:
    text = "; ".join(phrases) or "in all other cases"
    return f"{text[:1].upper()}{text[1:]}{f': {worth}' if worth else ''}."


def _title(heuristic: Heuristic) -> str:
    """When I play in the cycle."""
    players = list(dict.fromkeys(item.distance for item in heuristic.parameters))
    if not players:
        return "When nobody plays"
    if not heuristic.summary.merged:
        return "When you play first" if heuristic.leads else "When they play first"
    if 0 not in players:
        return "When you do not play"
    place = players.index(0)
    if place and place == len(players) - 1:
        return "When you play last"
    return "When you lead" if not place else f"When you play {ORDINALS.get(place + 1, f'{place + 1}th')}"


def _label(derived: Heuristics, heuristic: Heuristic) -> str:
    if heuristic.worth is None:
        return "not known"
    total = linear(heuristic.worth)
    chart = derived.game.flowchart
    natural = all(never_negative(part, chart) for part in total.parts)
    if natural and total.constant >= 0 and all(times > 0 for times in total.parts.values()):
        return "good for you"
    if natural and total.constant <= 0 and all(times < 0 for times in total.parts.values()):
        return "bad for you"
    return "it depends"


def is_good(derived: Heuristics, heuristic: Heuristic) -> bool | None:
    """Whether it is good or bad for me; None if that depends or is not known."""
    return {"good for you": True, "bad for you": False}.get(_label(derived, heuristic))


def _column(derived: Heuristics, heuristic: Heuristic) -> str:
    if heuristic.weight is not None:
        return signed(heuristic.weight)
    return {"good for you": "+", "bad for you": "−"}.get(_label(derived, heuristic), "?")


def _worth(derived: Heuristics, heuristic: Heuristic, speaker: Speaker) -> str:
    """What it is worth: a number, or how it is counted."""
    if heuristic.worth is None:
        return "its worth is not known"
    if heuristic.weight is not None:
        return signed(heuristic.weight)
    total = linear(heuristic.worth)
    cards = {item.expr for item in heuristic.parameters}
    tables = _tables(heuristic)
    counted = {part.args[0]: times for part, times in total.parts.items() if part.op == "table"}
    if len(tables) == 1 and counted.keys() == cards and len(set(counted.values())) == 1:
        times = next(iter(counted.values()))
        factor = "" if abs(times) == 1 else f"{abs(times)} times "
        rest = {part: times for part, times in total.parts.items() if part.op != "table"}
        if not rest:
            more = f" {'plus' if total.constant > 0 else 'minus'} {abs(total.constant)}" if total.constant else ""
            return f"{'plus' if times > 0 else 'minus'} {factor}the {words(tables.pop())} of all cards played{more}"
    if any(part.op in ("if", "minimum", "maximum") for whole in total.parts for part in whole.walk()):
        return _card_by_card(derived) or "as much as this changes what you want"
    parts = []
    for part, times in total.parts.items():
        factor = "" if abs(times) == 1 else f"{abs(times)} times "
        parts.append(f"{'plus' if times > 0 else 'minus'} {factor}{speaker.thing(speaker.term_of(part))}")
    parts += [f"{'plus' if total.constant > 0 else 'minus'} {abs(total.constant)}"] * bool(total.constant)
    said = " ".join(parts)
    return said if is_clear(said) else "as much as this changes what you want"


def _card_by_card(derived: Heuristics) -> str | None:
    """How the worth is counted if what is wanted is to have more or fewer cards."""
    goals = derived.goals
    if any(goal.context or goal.what.op != "cardsRemaining" for goal in goals):
        return None
    factors = {distance_of(goal.what.args[0]): goal.factor for goal in goals}
    mine, others = factors.pop(0, 0), set(factors.values())
    if not mine or len(others) != 1:
        return None
    whose = "their" if derived.game.players == 2 else "another"
    return f"{signed(others.pop())} for each card more in {whose} hand, {signed(mine)} for each card more in yours"


def _tables(heuristic: Heuristic) -> set[str]:
    """The tables by which cards are counted."""
    return (
        {part.name or "" for part in linear(heuristic.worth).parts if part.op == "table"} if heuristic.worth else set()
    )


def _variable(expr: Expr) -> str:
    """The name of the variable of which an expression speaks."""
    return next((part.name or "" for part in expr.walk() if part.op == "variable"), "")


def signed(weight: int) -> str:
    """A number with its sign."""
    return f"{weight:+d}".replace("-", "−")


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _goals(derived: Heuristics) -> Iterator[str]:
    """What I want, then what I want of the others; alike things of several others once."""
    parts: dict[str, dict[str, bool]] = {}
    for goal in derived.goals:
        speaker = Speaker(derived, None, alike=True)
        conditions = [speaker.term_of(test) for test in goal.context]
        for condition in conditions:
            speaker.name_by_part(condition)
        text, mine = _goal(derived, goal, speaker)
        parts.setdefault(join([speaker.condition(term) for term in conditions], "and"), {})[text] = mine
    for context, wanted in parts.items():
        ordered = join(sorted(wanted, key=lambda part: not wanted[part]), "and")
        source = ", as the chart says" if derived.game.flowchart.goals else ""
        yield f"If {context}, you want {ordered}{source}." if context else f"You want {ordered}{source}."


def _goal(derived: Heuristics, goal: Goal, speaker: Speaker) -> tuple[str, bool]:
    """A goal in words, and whether it is about me."""
    what, more = term_of(goal.what, derived.game), goal.factor > 0
    owner = next((part for part in goal.what.walk() if distance_of(part) is not None), None)
    mine = owner is not None and distance_of(owner) == 0
    player = None if owner is None else term_of(owner, derived.game)
    part = None if player is None else speaker.parts.get(player)
    ours = owner is not None and distance_of(owner) in partners(derived.game)
    part = "your partner" if ours and not mine else part
    whose, whom = ("your", "you") if mine else (f"{part}'s", part) if part is not None else ("their", "them")
    if goal.final:
        return f"to {'be' if more else 'avoid being'} the {words(_variable(goal.what))} at the end", True
    if what.name == "score":
        return f"a {'higher' if more else 'lower'} score for {whom}", mine
    if what.name == "cardsRemaining":
        return f"{'more' if more else 'fewer'} cards in {whose} hand", mine
    if goal.what.op == "absolute":
        a, b = (words(part.name) for part in what.args[1].args[1:])
        return f"{whose} {a} {'far from' if more else 'near'} {whose} {b} (counts {abs(goal.factor)})", mine
    times = f" (counts {abs(goal.factor)})" if abs(goal.factor) != 1 else ""
    if goal.what.op in ("sum", "count", "countOf", "table"):
        zone = next((part for part in goal.what.walk() if part.op == "zone"), None)
        table = next((part for part in goal.what.walk() if part.op == "table"), None)
        counted = "cards" if table is None else words(table.name or "")
        place = "" if zone is None else f" in {whose if zone.args else 'the'} {words(zone.name or '')}"
        return f"{'more' if more else 'fewer'} {counted}{place}{times}", mine
    name, tables = words(what.name), {name for item in derived.heuristics for name in _tables(item)}
    if name.endswith("s"):
        return f"{'more' if more else 'fewer'} {name} for {whom}{times}", mine
    if len(tables) == 1:
        return f"{'more' if more else 'fewer'} {words(tables.pop())} {name} for {whom}{times}", mine
    return f"a {'higher' if more else 'lower'} {name} for {whom}{times}", mine
