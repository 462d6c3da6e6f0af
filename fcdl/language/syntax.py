"""Syntax errors in words: what is wrong with a line, and what its author probably meant.

`MISTAKES` is a table of what people write who play cards and do not program. It feeds the reporter and its tests: each
row's examples must get that row's hint. A pattern is looked for in the line with the fault marked,
`before⟦fault⟧after`, where the fault is what the parser could not use, or nothing where the line ends too soon.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from fcdl.language.diagnostics import Findings, Span
from fcdl.language.lines import without_comment

HEADER_WORDS = (
    "game", "genre", "about", "players", "teams", "lowest", "highest", "goal", "always", "deck", "order", "table",
    "list", "words", "option", "zone", "each", "secret", "define", "expect", "say", "sort", "chart",
)  # fmt: skip


_CLOSING = {"(": ")", "{": "}"}
_BRACKET = re.compile(r'"(?:\\.|[^"\\])*"?|[(){}]')
_CUTS = ("", "?", "->", "yes", "no")
"""What cannot stand inside brackets, so that one of them must be missing."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A typical mistake: how it looks, what to say, and lines that have it."""

    pattern: str
    hint: str
    examples: tuple[str, ...]


def _mistake(pattern: str, hint: str, *examples: str) -> Mistake:
    return Mistake(pattern, hint, examples)


MISTAKES: tuple[Mistake, ...] = (
    # --- characters that keyboards and word processors make
    _mistake("⟦[“”„«»]", 'put text in straight quotes: "..."', "game “Hearts”", "publish(“hello”)"),
    _mistake("⟦[‘’'`]", 'put text in double quotes: "..."', "game 'Hearts'", "publish('hello')"),
    _mistake("⟦≥", "write '>='", "x ≥ 3?"),
    _mistake("⟦≤", "write '<='", "x ≤ 3?"),
    _mistake("⟦≠", "write '!='", "x ≠ 3?"),
    _mistake("⟦[×·✕]", "write '*'", "x = 2 × 3"),
    _mistake("⟦[÷]", "write '/'", "x = 6 ÷ 3"),
    _mistake("⟦[–—−]", "write '-'", "x = 6 − 3", "x = 6 – 3"),
    _mistake("⟦[→⇒➔⟶]", "write '->'", "x = 1 → trick", "x > 1? no → trick"),
    _mistake("⟦[∧]", "write '&' or 'and'", "a ∧ b?"),
    _mistake("⟦[∨]", "write '|' or 'or'", "a ∨ b?"),
    _mistake("⟦[¬]", "write '!' or 'not'", "¬a?"),
    _mistake("⟦[∈]", "write 'in'", "c ∈ hand(p)?"),
    _mistake(
        "⟦[♣♦♥♠♧♢♡♤]",
        "write the suit's name (hearts) or the card's letters (QH)",
        "playCard(p, card(any, ♥))",
        "x = Q♠",
        "table points: ♥ 1",
    ),
    _mistake(
        "⟦[\u00a0\u2000-\u200f\u202f\u2060\u3000\ufeff]",
        "this is an unusual kind of space; use a plain one",
        "x =\u00a03",
        "Deal(\u200b7)",
    ),
    _mistake("⟦…", "write out what the dots stand for", "x = …"),
    _mistake(r"⟦\[|⟦\]", "arguments go in ( ), sets of values in { }", "choose(p, x, [1, 2])", "x = bids[3]"),
    _mistake(
        r"->\s*\w+\s*⟦[,;/]⟧?\s*",
        "put only a space between two arrows",
        "x > 3? yes -> a, no -> b",
        "x > 3? yes -> a; no -> b",
    ),
    _mistake(r"⟦[;]", "a line needs no ';' at its end", "Deal(7);", "x = 3;"),
    _mistake(r"\d⟦\.⟧\d", "use whole numbers only", "x = 1.5"),
    _mistake(r"⟦[.!]⟧\s*$", "a line needs no full stop", "Deal(7).", "end."),
    _mistake(r"⟦[^\W\da-zA-Z_]", "names are made of the letters a to z, digits and '_'", "größe = 3", "x = fünf"),
    # --- quotes
    _mistake(
        r'^\s*(game|about)\s+⟦[^"]', 'put the words in quotes: game "Hearts"', "game Hearts", "about A small game"
    ),
    _mistake(r"^\s*(game|about)\s*⟦⟧", 'put the words in quotes: game "Hearts"', "game", "about"),
    _mistake(
        r'^[^"]*("[^"]*"[^"]*)*⟦"[^"]*$', "a text ends with '\"' on the same line", 'game "Hearts', 'publish("hello)'
    ),
    _mistake(r'"[^"]*"\s*⟦\w', "a '\"' inside a text is written '\\\"'", 'publish("she said "hello" twice")'),
    _mistake(
        r"^\s*option\s+\w+\s*=\s*(yes|no|[^⟦]*\b(to|of)\s+\w+)\s*⟦\w+⟧",
        "put the explanation of an option in quotes",
        "option passing = yes Cards are passed",
    ),
    # --- comments and words of other languages
    _mistake(
        r"=.*\bif\s+⟦",
        "for a value that depends on something, write if(condition, value, other)",
        "x = if a then b else c",
    ),
    _mistake(
        r"=[^?]*⟦\?⟧.*:", "for a value that depends on something, write if(condition, value, other)", "x = a ? b : c"
    ),
    _mistake(r"/⟦/⟧|⟦/⟧[/*]|/⟦\*⟧", "a comment starts with '#'", "x = 1 // one", "// a comment", "/* a comment */"),
    _mistake(r"--(?!>|⟦>)", "a comment starts with '#'", "Shuffle -- well"),
    _mistake(
        r"\b[Ii]f\s*⟦\w+⟧.*\?|\b[Ii]f\s*\([^()]*\)\s*⟦\w+⟧.*\?",
        "a diamond is just a condition and '?'; leave out 'if'",
        "if x > 3?",
        "if playerHas(p, card(any, hearts))? no -> lead",
    ),
    _mistake(
        r"^\s*(\w+:)?\s*[Ii]f\b",
        "a diamond is a condition and '?', then the arrows: x > 3?  no -> label",
        "if x > 3 then Deal(3)",
        "if (x == 3) Shuffle",
        "If trumps == hearts goto lead",
    ),
    _mistake(
        r"^\s*(\w+:)?\s*⟦?([Ee]lse|[Oo]therwise|[Ee]lif)\b",
        "there is no 'else': a diamond's 'no -> label' leads there",
        "else Deal(3)",
        "otherwise x = 3",
    ),
    _mistake(
        r"⟦(then|else|otherwise|goto)⟧",
        "after a diamond's '?' come its arrows: yes -> label no -> label",
        "x > 3? then Shuffle",
        "x > 3 then -> lead",
        "x > 3? yes -> a else -> b",
    ),
    _mistake(
        r"^\s*(\w+:)?\s*(while|for|repeat|until|loop|foreach)\b",
        "a loop is an arrow back: '-> label'",
        "while x > 3",
        "for each player",
        "repeat 3 times",
        "until x > 3",
        "for p in players",
    ),
    _mistake(r"^\s*(\w+:)?\s*(goto|go|jump)\s+⟦", "an arrow leads to a label: '-> trick'", "goto trick", "go to trick"),
    _mistake(
        r"^\s*(\w+:)?\s*(return|break|continue|pass|stop)\s*⟦",
        "write 'end', or an arrow: '-> label'",
        "return x",
        "break 1",
    ),
    _mistake(
        r"^\s*(\w+:)?\s*(let|set|var|int|const)\s+⟦",
        "a variable needs no declaration: x = 3",
        "let x = 3",
        "set x = 3",
        "int x = 3",
    ),
    _mistake(
        r"^\s*(def|function|sub|procedure|proc)\s+⟦",
        "for a chart, write 'chart NAME'; for a formula, 'define f(x) = ...'",
        "def trick():",
        "function trick",
    ),
    _mistake(r"^\s*(call|run|gosub|perform)\s+⟦", "to run a chart, write 'do trick'", "call trick", "run bidding"),
    _mistake(r"&⟦&⟧", "one '&' is enough", "a && b?"),
    _mistake(r"\|⟦\|⟧", "one '|' is enough", "a || b?"),
    _mistake(r"==⟦=⟧", "to compare, write '=='", "x === 3?"),
    _mistake(r"=⟦>⟧|⟦=⟧>", "'at least' is '>='; an arrow is '->'", "x => 3?", "x > 1? no => lead"),
    _mistake(r"=⟦<⟧|⟦=⟧<", "'at most' is '<='", "x =< 3?", "x + 1 =< 3?"),
    _mistake(r"<⟦>⟧", "'not equal' is '!='", "x <> 3?"),
    _mistake(r"[-+*/]⟦=⟧", "write it out: x = x + 1", "x += 1", "x -= 1"),
    _mistake(r"\+⟦\+⟧", "write it out: x = x + 1", "x++ "),
    _mistake(r":⟦=⟧", "to assign, write '='", "x := 3"),
    _mistake(
        r"⟦(is|equals|are)⟧|\b(is|equals|are)\s+⟦",
        "to compare, write '=='; to assign, '='",
        "trumps is hearts?",
        "x equals 3?",
    ),
    _mistake(
        r"^\s*(start|end)\s*⟦=",
        "'start' and 'end' are words of the language; choose another name",
        "end = 3",
        "start = player(0)",
    ),
    _mistake(
        rf"^\s*(start|end|do|not|those|private|{'|'.join(HEADER_WORDS)})\s*⟦:⟧\s*$",
        "a word of the language cannot be a label; choose another name",
        "end:",
        "each:",
        "table:",
    ),
    _mistake(
        r"^\s*(start|end)\s*⟦", "'start' and 'end' must be alone on their line", "end game", "start here", "start()"
    ),
    _mistake(
        r"^\s*deck\s+(cards?|those)\b",
        "write 'deck cards c in standard where rankValue(c) >= 7'",
        "deck cards in standard where rank(c) != 2",
        "deck cards c where rank(c) != 2",
        "deck those c in standard",
    ),
    _mistake(
        r"[(,={]\s*(cards?|players?|suits?|ranks?|numbers?|values?)\s+⟦\w+⟧",
        "write 'cards c in hand(p) where ...', and likewise for players, suits, ranks and numbers",
        "playCard(p, cards c where suit(c) == led)",
        "choose(p, x, player q in players where q != p)",
        "playCard(p, cards where suit(c) == led)",
    ),
    _mistake(
        r"\bin\b[^⟦]*⟦(if|when|which|that|having|such)⟧",
        "the condition comes after 'where': cards c in hand(p) where ...",
        "playCard(p, cards c in hand(p) if suit(c) == led)",
        "some(c in hand(p) when suit(c) == hearts)?",
    ),
    _mistake(
        r"\b(sum|highest|lowest)\(\w+\s+⟦\w+⟧",
        "write 'sum(points(c) for c in hand(p))'",
        "x = sum(c of hand(p))",
        "x = highest(c from hand(p))",
    ),
    _mistake(
        r"⟦of⟧|\bof\s+⟦",
        "a card is its letters (QS, 10H) or card(queen, spades)",
        "playCard(p, queen of spades)",
        "x = 10 of hearts",
    ),
    # --- arrows and labels
    _mistake(r"--+⟦>⟧", "an arrow is '->'", "Shuffle --> trick"),
    _mistake(r"->\s*⟦⟧", "an arrow leads to a label: '-> trick'", "Shuffle ->", "x > 1? no ->"),
    _mistake(r"->\s*⟦->", "one arrow is enough", "x = 1 -> -> trick"),
    _mistake(
        r"->\s*⟦", "an arrow leads to a label, a name or a number: '-> trick'", "Shuffle -> (trick)", 'x = 1 -> "trick"'
    ),
    _mistake(
        r"^\s*(yes|no)\s*->\s*\w+\s*⟦(yes|no)⟧",
        "put the arrows at the end of the line above, after the diamond's '?'",
        "yes -> a no -> b",
    ),
    _mistake(
        r"->\s*\w+\s*⟦",
        "nothing may follow the arrows of a line",
        "Shuffle -> trick again",
        "x = 1 -> 3 4",
        "x = 3 -> lead -> follow",
    ),
    _mistake(r"\b(yes|no)\s*⟦", "write 'no -> label'", "x > 1? no lead", "x > 1? yes: lead", "x > 1? no = lead"),
    _mistake(
        r"\?\s*⟦\w+⟧",
        "after a diamond's '?' come its arrows: yes -> label no -> label",
        "x > 1? lead",
        "x > 1? Deal(3)",
    ),
    _mistake(r"^\s*(\w+:)?\s*⟦\?", "a diamond needs a condition before the '?'", "?", "lead: ? no -> lead"),
    _mistake(r"\?⟦\?|\?\s*⟦(&|\||and|or)⟧.*\?", "one '?' at the end of the condition is enough", "x > 3??", "a? & b?"),
    _mistake(
        r"^\s*[\w.]+(\(.*\))?\s*=(?!=)[^=]+⟦\?", "to compare, write '=='", "x = 3?", "trumps = hearts? no -> lead"
    ),
    _mistake(
        r"⟦=⟧.*\?|[(,]\s*[^(),]*⟦=⟧|[&|!]\s*[^=]*⟦=⟧",
        "to compare, write '=='",
        "x + 1 = 3?",
        "some(c in hand(p) where suit(c) = hearts)?",
        "a & b = 3?",
    ),
    _mistake(r"^\s*\w+\s*-\s*\w+\s*⟦=", "a name has no '-': leadSuit", "lead-suit = hearts"),
    _mistake(r"^\s*\w+\s*:\s*⟦:", "one ':' is enough", "lead:: Shuffle"),
    _mistake(
        r"^\s*\w+\s*:\s*\w+\s*⟦:",
        "one label is enough; put the second one on a line of its own",
        "lead: again: Shuffle",
    ),
    # --- brackets and commas (counted by `_bracket_hint`, which comes first where brackets do not match)
    _mistake(r",\s*⟦[,)}]", "one comma too many", "Deal(7,)", "playCard(p,, cards)", "choose(p, x, {1, 2,})"),
    _mistake(r"[({]\s*⟦,", "one comma too many", "Deal(, 7)"),
    _mistake(r"^\s*(\w+:)?\s*do\s+\w+\s*⟦\(", "a chart takes no arguments: do trick", "do trick(3)"),
    _mistake(r"^\s*(\w+:)?\s*do\s*⟦", "'do' needs the name of a chart", "do", "do 3", 'do "trick"'),
    _mistake(
        r"\bpublish\(\s*[^\"⟦]*⟦",
        'put the text in quotes: publish("...")',
        "publish(hello world)",
        "publish(Hello, world!)",
    ),
    _mistake(
        r"\)\s*⟦(where|with)⟧",
        "the condition goes inside the brackets: some(c in hand(p) where ...)",
        "some(c in hand(p)) where x > 3?",
        "some(c in hand(p)) with x > 3?",
    ),
    _mistake(
        r"^\s*zone\s+\w+\s*\([^)⟦]*⟦",
        "a zone can be for each player, team, suit, rank or number: 'zone slot(player, 1 to 6): face down'",
        "zone won(p): face up",
        "zone slot(player, n): face up",
    ),
    _mistake(
        r"\([^()]*(\([^()]*\)[^()]*)*⟦[\w\"]+⟧.*\)",
        "a comma is missing",
        "playCard(p card(any, any))",
        "move(3 pack hand(p))",
    ),
    _mistake(r"\{[^{}]*⟦[\w\"]+⟧.*\}", "a comma is missing", "choose(p, x, {fold call})"),
    _mistake(
        r"[-+*/%<>=&|!,]\s*⟦⟧|\b(and|or|not|in|to|where|with|for|if)\s*⟦⟧",
        "something is missing after the last sign",
        "x = 3 *",
        "x = not",
        "x == ",
        "define worth(p) = 2 *",
    ),
    # --- header lines
    _mistake(
        r"^\s*players\s+\w+\s*⟦(-|,|or|and|\.)",
        "write 'players 2 to 7'",
        "players 2-7",
        "players 2, 3",
        "players 2 or 3",
    ),
    _mistake(r"^\s*players\b", "write 'players 4' or 'players 2 to 7'", "players four", "players: 4", "players"),
    _mistake(r"^\s*teams\b", "write the seats of each team: 'teams 0 2, 1 3'", "teams north south", "teams"),
    _mistake(r"^\s*(lowest|highest)\b", "write 'lowest score wins'", "lowest wins", "highest points win"),
    _mistake(
        r"^\s*goal\b",
        "write 'goal more tricks(me)' or 'goal fewer cardsRemaining(me)'",
        "goal tricks(me)",
        "goal more",
        "goal most tricks(me)",
    ),
    _mistake(r"^\s*always\b", "write 'always score(player(0)) <= 7'", "always 7"),
    _mistake(
        r"^\s*deck\b",
        "write 'deck standard' or 'deck ranks 7 8 9 10 jack suits clubs spades'",
        "deck 52",
        "deck",
        "deck standard 52",
        "deck ranks 2 to 10",
    ),
    _mistake(
        r"^\s*zone\b[^⟦]*:[^⟦]*\b(face|seen)\b",
        "write 'face up', 'face down', 'seen by owner' or 'seen by others'",
        "zone won: face left",
        "zone won(player): seen by me",
    ),
    _mistake(
        r"^\s*zone\b",
        "write 'zone won: face up' or 'zone won(player): seen by owner'",
        "zone won",
        "zone won face up",
        "zone won: hidden",
    ),
    _mistake(
        r"^\s*expect\b",
        "write 'expect \"what should happen\": hand(player(0)): AS, do main, play AS, then score(player(0)) == 1'",
        'expect "the ace wins"',
        "expect the ace wins",
        'expect "the ace wins": do main',
    ),
    _mistake(
        r"^\s*say\b",
        "write 'say trumpSuit: \"trumps\"', 'say ask defend: \"Beat it\"' or 'say tell score: \"#{me} scores\"'",
        'say trumpSuit "trumps"',
        "say trumpSuit: trumps",
        'say ask: defend "Beat it"',
    ),
    _mistake(
        r"^\s*sort\b", "write 'sort hand by isTrump(card), rankValue(card)'", "sort hand by", "sort hand: suit(card)"
    ),
    _mistake(
        r"^\s*option\s+\w+\s*=\s*-?\d+\s*⟦",
        "a number needs its limits: 'option target = 100 from 1 to 1000'",
        "option target = 100",
        'option target = 100 "Points."',
        "option target = 100 to 200",
    ),
    _mistake(
        r"^\s*option\b",
        "write 'option target = 100 from 1 to 1000', 'option passing = yes' or 'option rounds = down of down, up'",
        "option passing",
        "option passing yes",
    ),
    _mistake(
        r"^\s*order\b", "write 'order power: 7 8 9 queen king 10 ace'", "order power 7 8 9", "order power: 7, 8, 9"
    ),
    _mistake(
        r"^\s*table\b",
        "write 'table points: hearts 1, QS 13, else 0'",
        "table points hearts 1",
        "table points: hearts = 1",
        "table points: hearts",
    ),
    _mistake(r"^\s*list\b", "write 'list bids: 18, 20, 22'", "list bids 18 20", "list bids: 18 20"),
    _mistake(r"^\s*words\b", "write 'words left, right'", "words left right", 'words "left"'),
    _mistake(r"^\s*each\b", "write 'each player has tricks = 0'", "each player tricks = 0", "each player has: tricks"),
    _mistake(r"^\s*secret\b", "write 'secret bid'", "secret bid = 3", "secret"),
    _mistake(
        r"^\s*define\b",
        "write 'define isTrump(c) = suit(c) == trumps'",
        "define isTrump(c): suit(c)",
        "define isTrump(c)",
    ),
    _mistake(r"^\s*chart\b", "write 'chart trick'", "chart", "chart trick:", 'chart "trick"'),
    # --- what is left
    _mistake(r"^\s*\w+(\s+\w+)*\s+⟦\w+⟧(\s+\w+)*\s*=", "a name is one word: leadSuit", "lead suit = hearts"),
    _mistake(
        r"^\s*(\w+:)?\s*(Shuffle|Stack\.empty)\s*⟦",
        "'Shuffle' and 'Stack.empty' must be alone on their line",
        "Shuffle the cards",
        "Stack.empty()",
    ),
    _mistake(r"⟦\.⟧\w", "write count(hand(p)), not hand(p).count", "x = hand(p).count"),
    _mistake(r"⟦mod⟧", "the remainder of a division is '%'", "x = 5 mod 3"),
    _mistake(r"⟦\^", "there are no powers; multiply", "x = 2^3"),
    _mistake(r"\w\s*⟦\{", "arguments go in ( ), sets of values in { }", "playCard{p, c}"),
    _mistake(r"\?\s*⟦\(", "arrows need no brackets: no -> label", "x > 3? (no -> b)"),
    _mistake(
        r"(&|\||==|!=|[<>]|!|\b(and|or|not|in))\s*⟦\?", "something is missing before the '?'", "x > 3 & ?", "x > 3 and?"
    ),
    _mistake(r"=[^⟦]*[^=!<>⟦]⟦=⟧", "one assignment per line; to compare, write '=='", "x = y = 3"),
    _mistake(r"^[^({⟦]*⟦,⟧", "one statement per line", "do trick, do trick", "x = 1, y = 2"),
    _mistake(
        r"^\s*(\w+:)?\s*private\b[^?]*⟦",
        "'private' goes before a diamond: private x > 3?",
        "private Deal(3) -> a",
        "private x > 3",
    ),
    _mistake(
        r"(==|!=|<|>|<=|>=|\bin|\bnot|!|&|\|)[^?]*⟦(yes|no|->)",
        "a diamond's caption ends in '?'",
        "x > 3 no -> lead",
        "x == y -> lead",
    ),
    _mistake(
        r"(==|!=|[<>]|&|\||\bin\b|\bnot\b|!|\band\b|\bor\b)[^?=]*[\w)]\s*⟦⟧",
        "a diamond's caption ends in '?'",
        "x > 3",
        "a & b",
        "not a",
    ),
    _mistake(
        r"(?i)^\s*(Deal|pickUp|move|playCard|playCardOrPass|pick|choose|publish|show|shuffle)\s+⟦",
        "arguments go in brackets: Deal(7)",
        "Deal 7",
        'publish "hello"',
        "Deal 7 cards",
    ),
    _mistake(
        r"^\s*\w+\s*⟦\w+⟧\s*(\(|=|$)",
        "a label ends in ':'; arguments go in brackets",
        "lead playCard(p, cards)",
        "lead Shuffle",
    ),
    _mistake(r'^\s*\w+\s+⟦"', "a line with a text begins with 'game', 'about' or 'publish('", 'author "Mark Law"'),
    _mistake(
        r"=[^⟦\n]*\w[ \t]+⟦\w+⟧",
        "something is missing between the two: a sign, a comma or a bracket",
        "turn = next player",
        "x = 3 4",
    ),
)
"""Tried in order; the first that fits is said."""


def report_syntax(error: UnexpectedInput, text: str, first_line: int, findings: Findings) -> None:
    """Says what is wrong with a line, at the place where it goes wrong."""
    line, column, found = _place(error, text)
    bracket = _unclosed(text, line, column) if found in _CUTS else None
    if bracket is not None:
        line, column, sign = bracket
        place = Span(first_line + line - 1, column, first_line + line - 1, column + 1)
        findings.error("syntax", f"this '{sign}' is never closed", place, hint=f"a '{_CLOSING[sign]}' is missing")
        return
    span = Span(first_line + line - 1, column, first_line + line - 1, column + max(1, len(found)))
    lines = text.split("\n")
    before = "\n".join([*lines[: line - 1], lines[line - 1][: column - 1]])
    after = without_comment(lines[line - 1])[column - 1 + len(found) :]
    message = f"unexpected {_quoted(found)}" if found else "the line ends too soon"
    findings.error("syntax", message, span, hint=hint_for(before, found, after))


def _unclosed(text: str, line: int, column: int) -> tuple[int, int, str] | None:
    """The innermost bracket that is open at a place, with its own line and column."""
    found: list[tuple[int, int, str]] = []
    for number, row in enumerate(text.split("\n")[:line], start=1):
        code = without_comment(row)[: column - 1 if number == line else None]
        for match in _BRACKET.finditer(code):
            if match.group() in _CLOSING:
                found.append((number, match.start() + 1, match.group()))
            elif match.group() in _CLOSING.values() and found:
                found.pop()
    return found[-1] if found else None


def _place(error: UnexpectedInput, text: str) -> tuple[int, int, str]:
    """Line and column of the fault, and what stands there; nothing at the end of the line."""
    lines = text.split("\n")
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        return error.line, error.column, str(error.token)
    if isinstance(error, UnexpectedCharacters):
        return error.line, error.column, lines[error.line - 1][error.column - 1 : error.column]
    last = max((number for number, line in enumerate(lines) if without_comment(line).strip()), default=0)
    return last + 1, len(without_comment(lines[last]).rstrip()) + 1, ""


def _quoted(found: str) -> str:
    shown = found if len(found) <= 40 else found[:37] + "..."
    if not shown.isprintable():
        shown = shown.encode("unicode_escape").decode()
    return f"'{shown}'" if "'" not in shown else f'"{shown}"'


def hint_for(before: str, found: str, after: str) -> str | None:
    """What the author probably meant."""
    after = after[:200]
    if len(before) > 400:
        before = before[:60] + before[-300:]
    return (
        _header_hint(before + found + after)
        or _bracket_hint(before, found)
        or _mistake_hint(before, found, after)
        or _continued_hint(before)
    )


def _header_hint(line: str) -> str | None:
    """A misspelt first word of a header line."""
    first = re.match(r"\s*([A-Za-z_]{3,})\s+[\"\w]", line)
    if first is None or first.group(1) in (*HEADER_WORDS, "start", "end", "private"):
        return None
    import difflib

    near = difflib.get_close_matches(first.group(1), HEADER_WORDS, n=1, cutoff=0.75)
    return f"did you mean '{near[0]}'?" if near else None


def _bracket_hint(before: str, found: str) -> str | None:
    """Whether a bracket is missing or too many, when that is all that is wrong."""
    if found not in _CLOSING.values():
        return None
    rows = before.split("\n")
    bracket = _unclosed(before, len(rows), len(rows[-1]) + 1)
    if bracket is None:
        return f"there is no '{'(' if found == ')' else '{'}' for this '{found}'"
    return f"a '{_CLOSING[bracket[2]]}' is missing" if _CLOSING[bracket[2]] != found else None


def _mistake_hint(before: str, found: str, after: str) -> str | None:
    marked = f"{before}⟦{found}⟧{after}"
    return next((mistake.hint for mistake in MISTAKES if _compiled(mistake.pattern).search(marked)), None)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _continued_hint(before: str) -> str | None:
    """A line that ends in a comma or an operator takes in the next one; that is where the fault shows."""
    previous, newline, _ = before.rpartition("\n")
    ending = without_comment(previous.rpartition("\n")[2]).rstrip()[-1:]
    return f"the line before ends in '{ending}', so it continues on this one" if newline and ending else None
