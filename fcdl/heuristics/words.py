"""Heuristics in card language: one sentence each, and all of them as a page."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fcdl.heuristics.after import natural_variables, never_negative
from fcdl.heuristics.choices import asked
from fcdl.heuristics.definitions import DEFINED
from fcdl.heuristics.derive import Heuristic, Heuristics, partners
from fcdl.heuristics.english import DONE, counted, does, done_to, is_plural, join, named
from fcdl.heuristics.goals import Goal, said_goals
from fcdl.heuristics.reduced import reduced
from fcdl.heuristics.roles import role_lines
from fcdl.heuristics.situation import UnclearError
from fcdl.heuristics.speech import ORDINALS, Speaker, is_clear
from fcdl.heuristics.symbols import Linear, distance_of, linear
from fcdl.heuristics.terms import term_of
from fcdl.language import flowchart as fc
from fcdl.language.flow import shortest_path, through_calls
from fcdl.language.flowchart import TRUE, Expr, Node, Type
from fcdl.model.game import Game

MANY = 24
"""So many lines of one kind are on the page."""


LARGE = 20
"""Goals that count so many times as much as others are said to count above all."""
MAX_SENTENCE = 400
"""Longer sentences are no advice that anybody follows at a table; JSON and ASP have all of them."""


YOURS = "On your turn"
_JOINED = re.compile(", | and ")
UNSAID_WORTH = "as much as this changes what you want"
"""A worth that would read like a formula."""


def describe(derived: Heuristics) -> str:
    """All heuristics as a page: first what to want, then what is good and bad for me by when I play."""
    whole, derived = derived, derived.short or derived
    heuristics = derived.heuristics
    lines = [f"{derived.game.flowchart.title}: {_number(len(whole.heuristics), 'heuristic')}", *_goals(derived)]
    lines += role_lines(derived)
    for start in derived.starts:
        here = [item for item in (*heuristics, *derived.open) if item.start == start.number and _is_mine(item)]
        neutral = [item for item in derived.neutral if item.start == start.number and _is_mine(item)]
        here = reduced(here, neutral, lambda item: _kind(derived, item))
        sections: dict[tuple[str, ...], list[str]] = {}
        for title in dict.fromkeys(path_title(item) for item in here):
            section = tuple(_section(derived, [item for item in here if path_title(item) == title]))
            sections.setdefault(section, []).append(title)
        if start != derived.starts[0] and any(sections):
            lines += ["", _later(derived, start, mine=all(path_title(item) == YOURS for item in here))]
        for section, titles in sections.items():
            when = "Wherever you play" if len(titles) == derived.game.players > 2 else _when(titles)
            lines += [line.replace("{}", when) if line.startswith("{}") else line for line in section]
    readable = [line for line in lines if len(line) <= MAX_SENTENCE]
    if len(readable) < len(lines):
        left_out = _number(len(lines) - len(readable), "longer sentence")
        readable += ["", f"{left_out} left out, too long to be advice: fcdl heuristics --measured may say it better."]
    return "\n".join(readable) + "\n"


def _is_mine(heuristic: Heuristic) -> bool:
    """Whether I decide anything; what the others do among themselves is no advice."""
    return any(item.distance == 0 for item in heuristic.parameters)


def _later(derived: Heuristics, start: Node, *, mine: bool) -> str:
    """The heading of cycles that begin inside the main loop: by the first decision there, which may be mine."""
    chart, speaker = derived.game.flowchart, Speaker(derived, None)
    when = "Later" if start.chart == chart.main else f"Later in the {named(chart, start.chart)}"
    decision = _first_decision(chart, start)
    if decision is None or not isinstance(decision.statement, fc.Play | fc.Choose):
        return f"{when}:"
    statement = decision.statement
    player = "you" if mine else speaker.thing(speaker.term_of(statement.player))
    if isinstance(statement, fc.Choose):
        kind = chart.variables[statement.target.name].type
        if mine:
            return f"{when}, when you {asked(chart, decision, kind)}:"
        return f"{when}, when {player} chooses the {named(chart, statement.target.name)}:"
    cards = speaker.cards(speaker.term_of(statement.cards, decision.caption))
    return f"{when}, when {player} {'may play' if statement.may_pass else 'play' if mine else 'plays'} {cards}:"


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
        if not part or (label == "not known" and len(part) < len(group)):
            continue
        lines = _lines(derived, part)
        if not lines and label == "it depends" and len(part) == len(group):
            yield from ("", f"{{}}, it depends on {_what_counts(derived)}.")
        if not lines:
            continue
        worths = {line.worth for line in lines}
        shared = worths.pop() if len(worths) == 1 else ""
        if label == "it depends" and UNSAID_WORTH in worths | {shared}:
            label = f"it depends on {_what_counts(derived)}"
        yield from ("", f"{{}}, {label}{f' ({shared})' if shared not in ('', UNSAID_WORTH) else ''}:")
        unsaid = (shared, UNSAID_WORTH)
        texts = {line: _text(line.phrases, "" if line.worth in unsaid else line.worth) for line in lines}
        said = sorted({(-line.size, line.column, text) for line, text in texts.items()})
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

    @property
    def content(self) -> Hashable:
        """Equal for lines that say the same things in another order."""
        return self.size, self.column, self.worth, tuple(frozenset(_JOINED.split(text)) for text in self.phrases)


def _lines(derived: Heuristics, group: Sequence[Heuristic]) -> list[_Line]:
    """The lines about some heuristics.

    What holds whichever of the others has a role, and whether or not something holds for me, is said once.
    """
    opposites: dict[str, str] = {}
    found: dict[_Line, dict[_Line, None]] = {}
    for item in group:
        alone, alike = (_line(derived, item, speaker) for speaker in _speakers(derived, item, opposites))
        found.setdefault(alike, {})[alone] = None
    every = derived.game.players - len(partners(derived.game))
    lines = {line: None for alike, alone in found.items() for line in ([alike] if len(alone) == every else alone)}
    while (pair := next(_pairs(lines, opposites), None)) is not None:
        line, other, place = pair
        del lines[line], lines[other]
        lines[replace(line, phrases=(*line.phrases[:place], *line.phrases[place + 1 :]))] = None
    said = list({line.content: line for line in reversed(lines) if line.phrases}.values())[::-1]
    said = [line for line in said if not any(_says_more(other, line) for other in said)]
    vague = {line.phrases for line in said if line.worth == UNSAID_WORTH}
    return [line for line in said if line.worth == UNSAID_WORTH or line.phrases not in vague]


def _says_more(line: _Line, other: _Line) -> bool:
    """Whether a line says the same as another one, under fewer conditions."""
    alike = (line.size, line.column, line.worth) == (other.size, other.column, other.worth)
    covered = all(any(_follows(phrase, theirs) for theirs in other.phrases) for phrase in line.phrases)
    return alike and covered and line.phrases != other.phrases


def _follows(phrase: str, other: str) -> bool:
    """Whether a phrase says the same as another one, or less: that some opponent wins, if one of them does."""
    several, one = (re.fullmatch("(.+) becomes? (.+)", text) for text in (phrase, other))
    if phrase == other or several is None or one is None or several[2] != one[2]:
        return phrase == other
    members = {"you or your partner": ("you", "your partner")}.get(several[1])
    if members is not None:
        return one[1] in members
    return several[1] in ("an opponent", "another player") and one[1].endswith("player after you")


def _speakers(derived: Heuristics, heuristic: Heuristic, opposites: dict[str, str]) -> Iterator[Speaker]:
    for alike in (False, True):
        speaker = Speaker(derived, heuristic, alike=alike)
        yield speaker
        opposites.update(speaker.opposites)


def _line(derived: Heuristics, heuristic: Heuristic, speaker: Speaker) -> _Line:
    counted = heuristic.worth is not None and heuristic.weight is None
    worth = spoken_worth(derived, heuristic, speaker) if counted else ""
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
    when = [path_title(heuristic).removeprefix("When ")] if heuristic.summary.merged else []
    phrases = _phrases(heuristic, speaker) or _moves(derived, heuristic)
    return _text([*when, *phrases], spoken_worth(derived, heuristic, speaker))


def _moves(derived: Heuristics, heuristic: Heuristic) -> list[str]:
    """What is done, where nothing more can be said about it."""
    found: dict[str, None] = {}
    for item in heuristic.parameters:
        verb = {Type.CARD: "play a card", Type.CARDS: "play cards"}.get(item.type, "choose")
        two = derived.game.players == 2
        found[f"you {verb}" if not item.distance else f"they {verb}" if two else f"another player {does(verb)}"] = None
    return [*found, "in some of these cases"] if found else []


def _phrases(heuristic: Heuristic, speaker: Speaker) -> list[str]:
    phrases = speaker.summary() if heuristic.summary.merged else speaker.phrases()
    phrases = [phrase for phrase in phrases if is_clear(phrase)]
    if heuristic.worth is not None and heuristic.weight is None and speaker.hands_matter:
        phrases += speaker.effects()
    if speaker.unsaid and not heuristic.summary.outcome:
        return [*phrases, "in some of these cases"] if speaker.told else []
    return phrases


def steps_of(derived: Heuristics, heuristic: Heuristic) -> list[str]:
    """What happens along a path, one thing after the other."""
    speaker = Speaker(derived, heuristic)
    speaker.one_by_one = True
    return _phrases(heuristic, speaker)


def _text(phrases: Sequence[str], worth: str) -> str:
    text = "; ".join(phrases) or "in all other cases"
    return f"{text[:1].upper()}{text[1:]}{f': {worth}' if worth else ''}."


def path_title(heuristic: Heuristic) -> str:
    """When I play in the cycle."""
    players = list(dict.fromkeys(item.distance for item in heuristic.parameters))
    if players == [0]:
        return YOURS
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
    natural = all(never_negative(part, chart, natural_variables(chart)) for part in total.parts)
    if natural and total.constant >= 0 and all(times > 0 for times in total.parts.values()):
        return "good for you"
    if natural and total.constant <= 0 and all(times < 0 for times in total.parts.values()):
        return "bad for you"
    return "it depends"


def _kind(derived: Heuristics, heuristic: Heuristic) -> tuple[str, str, str]:
    """What is said of the worth of a heuristic."""
    speaker = Speaker(derived, heuristic)
    return _label(derived, heuristic), _column(derived, heuristic), spoken_worth(derived, heuristic, speaker)


def is_good(derived: Heuristics, heuristic: Heuristic) -> bool | None:
    """Whether it is good or bad for me; None if that depends or is not known."""
    return {"good for you": True, "bad for you": False}.get(_label(derived, heuristic))


def _column(derived: Heuristics, heuristic: Heuristic) -> str:
    if heuristic.weight is not None:
        return signed(heuristic.weight)
    return {"good for you": "+", "bad for you": "−"}.get(_label(derived, heuristic), "?")


def spoken_worth(derived: Heuristics, heuristic: Heuristic, speaker: Speaker) -> str:
    """What it is worth: a number, or how it is counted."""
    if heuristic.worth is None:
        return "its worth is not known"
    if heuristic.weight is not None:
        return signed(heuristic.weight)
    total = linear(heuristic.worth)
    cards = {item.expr for item in heuristic.parameters}
    tables = _tables(heuristic)
    by_card = {part.args[0]: times for part, times in total.parts.items() if part.op == "table"}
    if len(tables) == 1 and by_card.keys() == cards and len(set(by_card.values())) == 1:
        times = next(iter(by_card.values()))
        factor = _times(times)
        rest = {part: times for part, times in total.parts.items() if part.op != "table"}
        if not rest:
            more = f" {'plus' if total.constant > 0 else 'minus'} {abs(total.constant)}" if total.constant else ""
            what = counted(speaker.chart, tables.pop())
            return f"{'plus' if times > 0 else 'minus'} {factor}the {what} of all cards played{more}"
    if any(part.op in ("if", "minimum", "maximum") for whole in total.parts for part in whole.walk()):
        return _card_by_card(derived) or (_at_least(derived, heuristic, total) or UNSAID_WORTH)
    parts = {part: speaker.thing(speaker.term_of(part)) for part in total.parts}
    if len(set(parts.values())) < len(parts) or not all(map(is_clear, parts.values())):
        return UNSAID_WORTH
    amounts = [
        f"{'plus' if times > 0 else 'minus'} {_times(times)}{parts[part]}" for part, times in total.parts.items()
    ]
    amounts += [f"{'plus' if total.constant > 0 else 'minus'} {abs(total.constant)}"] * bool(total.constant)
    said = " ".join(amounts)
    return said if is_clear(said) else UNSAID_WORTH


def _times(factor: int) -> str:
    """`twice `, `3 times ` or nothing."""
    return {1: "", 2: "twice "}.get(abs(factor), f"{abs(factor)} times ")


def _at_least(derived: Heuristics, heuristic: Heuristic, total: Linear) -> str | None:
    """A worth of which only the least is said."""
    if not total.constant or _label(derived, heuristic) == "it depends":
        return None
    return f"{signed(total.constant)} or more"


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


def _amount(name: str, more: bool) -> str:
    """`more tricks`, `a lower bonus`."""
    if is_plural(name):
        return f"{'more' if more else 'fewer'} {name}"
    return f"a {'higher' if more else 'lower'} {name}"


def _counted(what: Expr, more: bool, whose: str, speaker: Speaker) -> str:
    """Cards somewhere, or what they count."""
    zone = next((part for part in what.walk() if part.op == "zone"), None)
    table = next((part for part in what.walk() if part.op == "table"), None)
    place = "" if zone is None else f" in {whose if zone.args else 'the'} {speaker.named(zone.name or '')}"
    done = "" if zone is None else done_to(speaker.chart, zone.name or "", DONE)
    cards = "cards"
    if what.op in ("sum", "countOf") and what.args[1] != TRUE:
        said = speaker.relative(what.args[1], Expr("local", Type.CARD, name=what.name))
        cards = f"cards {said}" if is_clear(said) else "some cards"
    if table is None and zone is not None and zone.name in DONE and whose in ("your", "their"):
        return f"{'' if whose == 'your' else 'them '}to have {done} {'more' if more else 'fewer'} {cards}"
    if table is None:
        return f"{'more' if more else 'fewer'} {cards}{place}"
    name = counted(speaker.chart, table.name or "")
    if zone is not None and zone.name in DONE and whose in ("your", "their") and is_plural(name) and cards == "cards":
        return f"{'' if whose == 'your' else 'them '}to have {done} {'more' if more else 'fewer'} {name}"
    if table.name == "rankValue":
        return f"{'higher' if more else 'lower'} {cards}{place}"
    if not is_plural(name):
        return f"a {'higher' if more else 'lower'} {name} of {'the ' * (cards == 'cards')}{cards}{place}"
    return f"{'more' if more else 'fewer'} {name}{place if cards == 'cards' else f' of {cards}{place}'}"


def _variable(expr: Expr) -> str:
    """The name of the variable of which an expression speaks."""
    return next((part.name or "" for part in expr.walk() if part.op == "variable"), "")


def signed(weight: int) -> str:
    """A number with its sign."""
    return f"{weight:+d}".replace("-", "−")


def _what_counts(derived: Heuristics) -> str:
    """What a worth that cannot be said depends on: what is wanted."""
    speaker = Speaker(derived, None, alike=True)
    mine = [goal for goal in derived.goals if not goal.context and distance_in(goal.what) == 0]
    said = [speaker.thing(speaker.term_of(goal.what)) for goal in mine]
    clear = list(dict.fromkeys(text for text in said if is_clear(text)))
    return f"what it does to {join(clear, 'and')}" if clear and len(clear) == len(said) else "the cards"


def distance_in(expr: Expr) -> int | None:
    """How many seats after me the first player sits of whom an expression speaks."""
    return next((distance for part in expr.walk() if (distance := distance_of(part)) is not None), None)


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class _Wish:
    """Something that I want: `more tricks`, for whom if that is said after it, and whether it is about me."""

    what: str
    whom: str
    mine: bool


def goal_sentences(derived: Heuristics) -> list[str]:
    """What to want."""
    return list(_goals(derived.short or derived))


def _goals(derived: Heuristics) -> Iterator[str]:
    """What I want, then what I want of the others; alike things of several others once."""
    parts: dict[str, list[_Wish]] = {}
    for goal in derived.goals:
        speaker = Speaker(derived, None, alike=True)
        conditions = [speaker.term_of(test) for test in goal.context]
        for condition in conditions:
            speaker.name_by_part(condition)
        wishes = parts.setdefault(join([speaker.condition(term) for term in conditions], "and"), [])
        wishes.append(_goal(derived, goal, speaker))
    for context, wishes in parts.items():
        source = ", as the chart says" if derived.game.flowchart.goals else ""
        wanted = join(_wanted(wishes), "and")
        said = f"If {context}, you want {wanted}{source}." if context else f"You want {wanted}{source}."
        best = "lowest" if derived.game.flowchart.lowest_wins else "highest"
        yield said if len(said) <= MAX_SENTENCE else f"You want the {best} score at the end."


def _wanted(wishes: Sequence[_Wish]) -> list[str]:
    """Wishes, my own first; what I want for me and for my partner is said once."""
    ordered = sorted(dict.fromkeys(wishes), key=lambda wish: not wish.mine)
    by_what: dict[str, list[str]] = {}
    for wish in ordered:
        by_what.setdefault(wish.what, []).append(wish.whom)
    by_whom: dict[str, list[str]] = {}
    for what, names in by_what.items():
        whom = join([name for name in names if name], "and")
        by_whom.setdefault(f" for {whom}" if whom else f"{len(by_whom)}", []).append(what)
    said = [f"{join(whats, 'and')}{'' if whom.isdigit() else whom}" for whom, whats in by_whom.items()]
    return [f"{said[0]},", *said[1:]] if len(said) == 2 and " and " in said[0] else said


def goal_words(game: Game) -> list[str]:
    """What the chart's goal line says, in words."""
    if not game.flowchart.goals:
        return []
    try:
        goals = said_goals(game)
    except UnclearError:
        return []
    return [line.replace(", as the chart says", "") for line in _goals(Heuristics.of_goals(game, goals))]


def _goal(derived: Heuristics, goal: Goal, speaker: Speaker) -> _Wish:
    """A goal in words."""
    what, more = term_of(goal.what, derived.game), goal.factor > 0
    owner = next((part for part in goal.what.walk() if distance_of(part) is not None), None)
    mine = owner is not None and distance_of(owner) == 0
    player = None if owner is None else term_of(owner, derived.game)
    part = None if player is None else speaker.parts.get(player)
    ours = owner is not None and distance_of(owner) in partners(derived.game)
    part = "your partner" if ours and not mine else part
    whose, whom = ("your", "you") if mine else (f"{part}'s", part) if part is not None else ("their", "them")
    if goal.final:
        return _Wish(
            f"to {'be' if more else 'avoid being'} the {speaker.named(_variable(goal.what))} at the end", "", True
        )
    if what.name == "score":
        return _Wish(f"a {'higher' if more else 'lower'} score", whom, mine)
    if what.name == "cardsRemaining":
        return _Wish(f"{'more' if more else 'fewer'} cards in {whose} hand", "", mine)
    if goal.what.op == "absolute":
        a, b = (speaker.named(part.name) for part in what.args[1].args[1:])
        return _Wish(f"{whose} {a} {'far from' if more else 'near'} {whose} {b} (counts {abs(goal.factor)})", "", mine)
    size = max(abs(other.factor) for other in derived.goals)
    many = " (above all)" if size >= LARGE and abs(goal.factor) == size else ""
    times = many if size >= LARGE or abs(goal.factor) == 1 else f" (counts {abs(goal.factor)})"
    defined = speaker.term_of(goal.what)
    if defined.name == DEFINED:
        return _Wish(f"{_amount(speaker.named(defined.args[0].name).removesuffix(' of'), more)}{times}", whom, mine)
    if goal.what.op in ("sum", "count", "countOf", "table"):
        return _Wish(f"{_counted(goal.what, more, whose, speaker)}{times}", "", mine)
    tables = {name for item in derived.heuristics for name in _tables(item)}
    if what.name in DONE:
        amount = (
            f"{'more' if more else 'fewer'} {counted(speaker.chart, next(iter(tables)))}"
            if len(tables) == 1
            else "more"
            if more
            else "less"
        )
        return _Wish(
            f"{'' if mine else f'{whom} '}to have {done_to(speaker.chart, what.name, DONE)} {amount}{times}", "", mine
        )
    name = speaker.named(what.name)
    if len(tables) == 1 and not is_plural(name):
        return _Wish(f"{'more' if more else 'fewer'} {counted(speaker.chart, tables.pop())} {name}{times}", whom, mine)
    return _Wish(f"{_amount(name, more)}{times}", whom, mine)
