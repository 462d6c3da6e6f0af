"""The text form, written: expressions, lines and whole documents as canonical text, and `fmt`, which keeps comments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from fcdl.language import tree
from fcdl.language.diagnostics import ChartError, Findings
from fcdl.language.ops import Form, Strength, ops_of
from fcdl.language.parser import ChartLine, Line, LogicalLine, NodeLine, logical_lines, parse_line, without_comment

WIDTH = 110
ARROW_COLUMN = 60
INDENT = "    "

LINE_WORDS = frozenset({
    "about", "chart", "deck", "define", "do", "each", "end", "game", "list", "option", "order", "players", "private",
    "secret", "expect", "start", "table", "teams", "words", "zone",
})  # fmt: skip
"""The words that begin lines of their own kind; what else begins a line cannot have these names."""

_AFTER_PUBLIC = re.compile(r"(?!(in|and|or)\b)(\w|\(|!(?!=))")
"""How a condition begins that can follow `public`; others stand in brackets."""
_OPERATORS = {row.word: row for row in ops_of(Form.INFIX)}


def key_text(key: tree.Key) -> str:
    """A key of a zone or variable."""
    return f"{key.low} to {key.high}" if key.kind == "number" else key.kind


def _brackets(parts: Iterable[str]) -> str:
    """Parts in brackets, if there are any."""
    inside = ", ".join(parts)
    return f"({inside})" if inside else ""


def quote(text: str) -> str:
    """A text in quotes, on one line."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ").replace("\r", " ") + '"'


@dataclass(frozen=True, slots=True)
class Printer:
    """Writes the tree as text, in the language of today or, `first`, as it was at first: `those c in D with ...`.

    A chart's hash is made of the first form, which must never change, or old records could not be replayed.
    """

    first: bool = False

    def expression(self, expression: tree.Expression) -> str:
        """An expression."""
        return self._format(expression, Strength.LOOSE)

    def _format(self, expression: tree.Expression, strength: int) -> str:
        """The expression, in brackets if it binds looser than `strength`."""
        text, own = self._with_strength(expression)
        return text if own >= strength else f"({text})"

    def _with_strength(self, expression: tree.Expression) -> tuple[str, int]:
        match expression:
            case tree.Number(value):
                return str(value), Strength.PRIMARY
            case tree.Text(value):
                return quote(value), Strength.PRIMARY
            case tree.Name(name):
                return name, Strength.PRIMARY
            case tree.Call(name, args):
                return f"{name}({', '.join(map(self.expression, args))})", Strength.PRIMARY
            case tree.Range(low, high):
                return f"{self._format(low, Strength.SUM)} to {self._format(high, Strength.SUM)}", Strength.LOOSE
            case tree.PlayersFrom(player):
                return f"players from {self._format(player, Strength.SUM)}", Strength.LOOSE
            case tree.Values(items):
                return "{" + ", ".join(map(self._item, items)) + "}", Strength.PRIMARY
            case tree.Each():
                return self._each(expression)
            case tree.Operation("!", (operand,)):
                infix = isinstance(operand, tree.Operation) and len(operand.operands) == 2
                inside = Strength.UNARY if infix and not self.first else Strength.NOT
                return f"!{self._format(operand, inside)}", Strength.NOT
            case tree.Operation("-", (operand,)):
                return f"-{self._format(operand, Strength.UNARY)}", Strength.UNARY
            case tree.Operation("in", (left, right)):
                return f"{self._format(left, Strength.SUM)} in {self._domain(right)}", Strength.COMPARISON
            case tree.Operation(operator, (left, right)):
                own = _OPERATORS[operator].strength
                first = own + 1 if own == Strength.COMPARISON else own
                return f"{self._format(left, first)} {operator} {self._format(right, own + 1)}", own
        raise AssertionError(expression)

    def _domain(self, domain: tree.Expression) -> str:
        bare = isinstance(domain, tree.Range | tree.PlayersFrom)
        return self.expression(domain) if bare else self._format(domain, Strength.SUM)

    def _item(self, item: tree.Item) -> str:
        condition = f" if {self.expression(item.condition)}" if item.condition is not None else ""
        return self._domain(item.value) + condition

    def _each(self, each: tree.Each) -> tuple[str, int]:
        word = "with" if self.first else "where"
        condition = f" {word} {self.expression(each.condition)}" if each.condition is not None else ""
        if each.kind == "those":
            noun = "those" if self.first else noun_of(each)
            return f"{noun} {each.variable} in {self._domain(each.domain)}{condition}", Strength.LOOSE
        value = f"{self.expression(each.value)} for " if each.value is not None else ""
        return f"{each.kind}({value}{each.variable} in {self._domain(each.domain)}{condition})", Strength.PRIMARY

    def body(self, body: tree.Body) -> str:
        """A node's caption; a diamond's without its `?`."""
        match body:
            case tree.Start():
                return "start"
            case tree.End():
                return "end"
            case tree.Assign(target, value):
                return f"{self.expression(target)} = {self.expression(value)}"
            case tree.Action(name, args):
                return f"{name}({', '.join(map(self.expression, args))})" if args else name
            case tree.Do(chart):
                return f"do {chart}"
            case tree.Choice(condition):
                return self.expression(condition)
            case tree.ForSeats():
                return self._for_seats(body)
        raise AssertionError(body)

    def _for_seats(self, box: tree.ForSeats) -> str:
        first = f" from {self._format(box.first, Strength.SUM)}" if box.first is not None else ""
        condition = f" where {self.expression(box.condition)}" if box.condition is not None else ""
        seats = f"for {box.variable} in players{first}{condition}"
        return f"{'together ' if box.together else ''}{self.body(box.body)} {seats}"

    def header(self, header: tree.Header) -> str:
        """A header line."""
        match header:
            case tree.Title(title):
                return f"game {quote(title)}"
            case tree.Genre(texts):
                return f"genre {', '.join(map(quote, texts))}"
            case tree.About(text):
                return f"about {quote(text)}"
            case tree.Players(low, high):
                return f"players {low}" if low == high else f"players {low} to {high}"
            case tree.Teams(teams):
                return "teams " + ", ".join(" ".join(map(str, team)) for team in teams)
            case tree.Wins(lowest):
                return f"{'lowest' if lowest else 'highest'} score wins"
            case tree.Goal(wishes):
                return "goal " + ", ".join(
                    f"{'more' if more else 'fewer'} {self.expression(of)}" for more, of in wishes
                )
            case tree.Always(condition):
                return f"always {self.expression(condition)}"
            case tree.Deck():
                return self._deck(header)
            case tree.Order(name, ranks):
                return f"order {name}: {' '.join(ranks)}"
            case tree.Table(name, entries, otherwise):
                last = [f"else {otherwise}"] if otherwise is not None else []
                return f"table {name}: " + ", ".join([f"{key} {value}" for key, value in entries] + last)
            case tree.List(name, values):
                return f"list {name}: {', '.join(map(str, values))}"
            case tree.Words(words):
                return f"words {', '.join(words)}"
            case tree.Option():
                return _format_option(header)
            case tree.Zone(name, keys, visibility):
                seen = {"all": "face up", "nobody": "face down"}.get(visibility, f"seen by {visibility}")
                return f"zone {name}{_brackets(map(key_text, keys))}: {seen}"
            case tree.Variables(keys, variables):
                return f"each {' and '.join(map(key_text, keys))} has " + ", ".join(
                    name if value is None else f"{name} = {self.expression(value)}" for name, value in variables
                )
            case tree.Secret(names):
                return f"secret {', '.join(names)}"
            case tree.Define(name, parameters, value):
                return f"define {name}{_brackets(parameters)} = {self.expression(value)}"
            case tree.Expect(text, given, run, conditions):
                parts = [*map(self._given, given), *run, "then " + ", ".join(map(self.expression, conditions))]
                return f"expect {quote(text)}: {', '.join(parts)}"
            case tree.Say(role, name, answer, text, meaning, condition):
                subject = " ".join(filter(None, ("say", role, f"{name}.{answer}" if answer else name)))
                after = f", {quote(meaning)}" if meaning else ""
                after += f" if {self.expression(condition)}" if condition is not None else ""
                return f"{subject}: {quote(text.value)}{after}"
            case tree.Sort(keys):
                return f"sort hand by {', '.join(map(self.expression, keys))}"
        raise AssertionError(header)

    def _given(self, given: tree.GivenValue | tree.GivenCards) -> str:
        if isinstance(given, tree.GivenCards):
            return f"{self.expression(given.zone)}: {' '.join(given.cards)}"
        return f"{self.expression(given.target)} = {self.expression(given.value)}"

    def _deck(self, deck: tree.Deck) -> str:
        part = f"ranks {' '.join(_ranges(deck.ranks))} suits {' '.join(deck.suits)}" if deck.ranks else "standard"
        part += f" copies {deck.copies}" if deck.copies != 1 else ""
        if deck.restriction is None:
            return f"deck {part}"
        return f"deck {self.expression(replace(deck.restriction, domain=tree.Name(part)))}"

    def document(self, document: tree.Document) -> str:
        """A whole document. Nodes show their numbers only if they are not simply counted from 0."""
        blocks = []
        if document.header:
            blocks.append("\n".join(wrap(self.header(header), "") for header in document.header))
        numbers = [node.number for chart in document.charts for node in chart.nodes]
        numbered = numbers != list(range(len(numbers)))
        blocks.extend(self._chart(chart, numbered) for chart in document.charts)
        return "\n\n".join(blocks) + "\n"

    def _chart(self, chart: tree.Chart, numbered: bool) -> str:
        names = _label_names(chart, numbered)
        lines = [f"chart {chart.name}"]
        for index, node in enumerate(chart.nodes):
            following = chart.nodes[index + 1].number if index + 1 < len(chart.nodes) else None
            if node.number in names and not names[node.number].isdigit():
                lines.append(f"{names[node.number]}:")
            number = f"{node.number}: " if numbered or names.get(node.number, "").isdigit() else ""
            caption = self.caption_line(node.body)
            lines.append(_with_arrows(INDENT + number + caption, _written_arrows(node, following), names))
        return "\n".join(lines)

    def caption_line(self, body: tree.Body) -> str:
        """A node's caption as it stands in a line; brackets keep a condition from looking like another kind of line."""
        caption = self.body(body)
        if isinstance(body, tree.Choice | tree.Assign | tree.ForSeats) and body.public and not self.first:
            line = self.caption_line(replace(body, public=False))
            clear = not isinstance(body, tree.Choice) or _AFTER_PUBLIC.match(line)
            return f"public {line}" if clear else f"public ({caption})?"
        if not isinstance(body, tree.Choice):
            return caption
        if body.private:
            return f"private {caption}?"
        return f"({caption})?" if re.split(r"\W", caption, maxsplit=1)[0] in LINE_WORDS else f"{caption}?"


_NOW, _FIRST = Printer(), Printer(first=True)
format_expression, format_body, format_header, format_document = _NOW.expression, _NOW.body, _NOW.header, _NOW.document
"""Expressions, captions, header lines and documents as canonical text."""


def goal_text(document: tree.Document) -> str:
    """The goal line; nothing if there is none."""
    goals = [header for header in document.header if isinstance(header, tree.Goal)]
    return format_header(goals[0]) if goals else ""


def first_text(document: tree.Document) -> str:
    """A document as the first version of the language would have written it; this text never changes."""
    return _FIRST.document(document)


def noun_of(each: tree.Each) -> str:
    """What the elements of `those ...` are called: as the author did, or by the domain as it is written."""
    if each.noun:
        return each.noun
    match each.domain:
        case tree.Name("players" | "suits" | "ranks" as name):
            return name
        case tree.PlayersFrom():
            return "players"
        case tree.Range():
            return "numbers"
        case tree.Values(items):
            plain = all(isinstance(item.value, tree.Number | tree.Range) for item in items)
            return "numbers" if plain else "values"
        case tree.Each(kind="those") as inner:
            return noun_of(inner)
        case tree.Call("subsets"):
            return "sets"
    return "cards"


def _ranges(ranks: tuple[str, ...]) -> Iterable[str]:
    """Runs of three or more numbers as `2 to 10`."""
    index = 0
    while index < len(ranks):
        end = index
        while (
            end + 1 < len(ranks) and ranks[end].isdigit() and ranks[end + 1].isdigit()
            and int(ranks[end + 1]) == int(ranks[end]) + 1
        ):  # fmt: skip
            end += 1
        if end - index >= 2:
            yield f"{ranks[index]} to {ranks[end]}"
            index = end + 1
        else:
            yield ranks[index]
            index += 1


def _format_option(option: tree.Option) -> str:
    if option.low is not None:
        choice = f"{option.default} from {option.low} to {option.high}"
    elif option.words:
        choice = f"{option.default} of {', '.join(option.words)}"
    else:
        choice = "yes" if option.default else "no"
    return f"option {option.name} = {choice}" + (f" {quote(option.text)}" if option.text else "")


def wrap(line: str, indent: str) -> str:
    """Breaks a long line where the language lets it go on in the next."""
    lines = []
    rest = line
    while len(rest) > WIDTH:
        place = _break(rest, len(indent) + 8)
        if place is None:
            break
        lines.append(rest[:place])
        rest = indent + INDENT + INDENT + rest[place:].lstrip()
    return "\n".join([*lines, rest])


_BREAKS = re.compile(r'"(?:\\.|[^"\\])*"|[,|&+](?= )|(?<=" )if(?= )|(?<= )(?:where|for|[-*/%<>]|[=!<>]=)(?= )')


def _break(line: str, least: int) -> int | None:
    """Where to break a line that is too long: after `,|&+` if possible, else after a word, else after a comparison."""
    found = [match for match in _BREAKS.finditer(line) if not match.group().startswith('"') and match.end() > least]
    for signs in ((",", "|", "&", "+"), ("if", "where", "for"), ()):
        places = [match.end() for match in found if not signs or match.group() in signs]
        fitting = [place for place in places if place <= WIDTH]
        if fitting:
            return fitting[-1]
    places = [match.end() for match in found if match.group() in ",|&+"]
    return places[0] if places else None


# --- whole documents ------------------------------------------------------------------------------------------------


def _label_names(chart: tree.Chart, numbered: bool) -> dict[int, str]:
    """What each node is called in arrows: its label, or its number, which then stands before it."""
    names = {node.number: node.label for node in chart.nodes if node.label is not None}
    if numbered:
        return {node.number: names.get(node.number, str(node.number)) for node in chart.nodes}
    for index, node in enumerate(chart.nodes):
        following = chart.nodes[index + 1].number if index + 1 < len(chart.nodes) else None
        for _, target in _written_arrows(node, following):
            names.setdefault(target, str(target))
    return names


def _written_arrows(node: tree.Node, following: int | None) -> list[tuple[str, int]]:
    """The arrows that the text has to show: those that do not simply lead to the next line."""
    if isinstance(node.body, tree.Choice):
        arrows = [(kind, to) for kind, to in (("yes", node.yes), ("no", node.no)) if to is not None]
        for kind in ("yes", "no"):
            if (kind, following) in arrows:
                arrows.remove((kind, following))  # type: ignore[arg-type]
                break
        return arrows
    return [("next", node.next)] if node.next is not None and node.next != following else []


def _with_arrows(line: str, arrows: list[tuple[str, int]], names: dict[int, str]) -> str:
    words = " ".join(f"{'' if kind == 'next' else kind + ' '}-> {names.get(to, to)}" for kind, to in arrows)
    return wrap(_align(line, words), INDENT)


def _align(line: str, arrows: str) -> str:
    return f"{line.ljust(ARROW_COLUMN - 1)} {arrows}" if arrows else line


# --- fmt ------------------------------------------------------------------------------------------------------------


def format_source(source: str, filename: str = "<text>") -> str:
    """A source file in canonical layout, comments and blank lines kept; raises ChartError on a syntax error."""
    findings = Findings()
    lines: list[str] = []
    for logical in logical_lines(source):
        parsed = parse_line(logical, findings)
        lines.extend(_format_logical(logical, parsed))
    if findings.has_errors:
        raise ChartError(findings.sorted(), filename, source)
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    return text + "\n"


def _format_logical(logical: LogicalLine, parsed: Line | None) -> list[str]:
    first, *more = logical.text.split("\n")
    comment = first[len(without_comment(first)) :].rstrip()
    if parsed is None:
        indent = INDENT if first[:1] in " \t" else ""
        return [indent + comment if comment else ""]
    if more and (comment or any(line != without_comment(line) for line in more)):
        return [line.rstrip() for line in logical.text.split("\n")]
    *before, last = _format_line(parsed)
    return [
        *before,
        *wrap(last, INDENT).split("\n")[:-1],
        wrap(last, INDENT).split("\n")[-1] + (f"  {comment}" if comment else ""),
    ]


def _format_line(parsed: Line) -> list[str]:
    if isinstance(parsed, ChartLine):
        return [f"chart {parsed.name}"]
    if not isinstance(parsed, NodeLine):
        return [format_header(parsed)]
    named = parsed.label is not None and not parsed.label.isdigit()
    before = [f"{parsed.label}:"] if named else []
    if parsed.body is None:
        return before or [f"{parsed.label}:"]
    number = f"{parsed.label}: " if parsed.label is not None and not named else ""
    arrows = " ".join(f"{'' if arrow.kind == 'next' else arrow.kind + ' '}-> {arrow.target}" for arrow in parsed.arrows)
    return [*before, _align(INDENT + number + _NOW.caption_line(parsed.body), arrows)]
