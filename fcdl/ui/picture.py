"""Cards and tables as styled text; everything can be read without colours, too."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.table import Table
from rich.text import Text

from fcdl.model.game import Game
from fcdl.ui.menu import Item
from fcdl.ui.pairs import Pair, pairs
from fcdl.ui.scores import gains
from fcdl.ui.view import Pile, View
from fcdl.ui.words import (
    LONG_PILE,
    own_zones,
    pile_is_long,
    public_values,
    seat_values,
    shared_piles,
    zone_words,
)

SYMBOLS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
RED = ("diamonds", "hearts")
BACK = "▮"
WIDE_STEP = 5
"""Columns from one card of a fan to the next."""
FAN_HEIGHT = 5

_RED = Style(color="bright_red", bold=True)
_BLACK = Style(bold=True)
_DIM = Style(dim=True)
_FRAME = Style()
_HERE = Style(reverse=True)


_CODE = re.compile(r"(\w+\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\))")
"""An expression of the chart that has brackets, such as `playerHas(turn, card(any, clubs))`."""


_TOGETHER = re.compile(r"\bplayer \d+", re.IGNORECASE)
_JOINED = "\ue000"
"""Stands for a blank at which no line is broken."""


class Faces:
    """How the cards of a deck look."""

    def __init__(self, game: Game) -> None:
        self.deck = game.flowchart.deck

    def label(self, code: str, *, short: bool = False) -> str:
        """A card's face: `Q♥`, `10♥` (short: `T♥`); decks with suits of their own keep their letters."""
        deck = self.deck
        card = deck.cards_with_code(code)[0]
        rank, suit = deck.rank_of(card), deck.suit_of(card)
        rank_text = "10" if deck.ranks[rank] == "10" and not short else deck.rank_codes[rank]
        return rank_text + SYMBOLS.get(deck.suits[suit], deck.suit_codes[suit])

    def style(self, code: str) -> Style:
        """A card's colour."""
        card = self.deck.cards_with_code(code)[0]
        return _RED if self.deck.suits[self.deck.suit_of(card)] in RED else _BLACK

    def card(self, code: str | None, style: Style = _FRAME) -> Text:
        """A card, or the back of one, in a line."""
        return Text(BACK, style) if code is None else Text(self.label(code), self.style(code) + style)

    def cards(self, codes: Sequence[str | None], style: Style = _FRAME) -> Text:
        """Cards in a line."""
        return Text(" ").join(self.card(code, style) for code in codes)

    def sentence(self, text: str) -> Text:
        """A sentence in which the names of cards look like cards, and suits have their symbols; code stays code."""
        result = Text()
        for number, part in enumerate(_CODE.split(text)):
            result.append_text(Text(part) if number % 2 else self._words(part))
        return result

    def _words(self, text: str) -> Text:
        result = Text()
        for word in re.split(r"(\w+)", text):
            if word.isalnum() and len(word) > 1 and self.deck.cards_with_code(word):
                result.append_text(self.card(word))
            elif word in SYMBOLS and word in self.deck.suits:
                result.append_text(self.suit(word))
            else:
                result.append(word)
        return result

    def suit(self, name: str) -> Text:
        """A suit with its symbol."""
        return Text(f"{name} {SYMBOLS[name]}", _RED if name in RED else _BLACK)


@dataclass(frozen=True, slots=True)
class Fan:
    """Cards of a hand as text, and where each of them is: left, right (not included), top, bottom (not included)."""

    text: Text
    places: tuple[tuple[int, int, int, int], ...]

    def at(self, x: int, y: int) -> int | None:
        """The card that lies there."""
        for number, (left, right, top, bottom) in enumerate(self.places):
            if left <= x < right and top <= y < bottom:
                return number
        return None


def fan(faces: Faces, cards: Sequence[Item], cursor: int | None, width: int, *, low: bool = False) -> Fan:
    """A hand: legal cards stand higher, ticked ones and the one under the cursor are marked.

    The cards are small if there are too many, or if the screen is `low`.
    """
    step = min(WIDE_STEP, (width - 1) // max(1, len(cards)))
    labels = [faces.label(item.text, short=step < 4) for item in cards]
    longest = max(map(len, labels), default=2)
    if low or step < longest + 1:
        return _small_fan(faces, cards, cursor, width, longest)
    canvas = [[(" ", _FRAME)] * (len(cards) * step + 1) for _ in range(FAN_HEIGHT)]
    places = []
    for number, item in enumerate(cards):
        top, left, inner = (0 if item.legal else 1), number * step, step - 1
        frame = _FRAME if item.legal or item.move is None else _DIM
        face = faces.style(item.text) + (frame if item.legal or item.move is None else _DIM)
        here = _HERE if number == cursor else _FRAME
        label = labels[number].ljust(inner) if inner < 4 else labels[number].rjust(inner - 1).ljust(inner)
        edge = "✓".center(inner, "─") if item.ticked else "─" * inner
        rows = [(f"╭{'─' * inner}╮", frame), (f"│{label}│", face + here), (f"╰{edge}╯", frame)]
        for row, (line, style) in enumerate(rows, start=top):
            for x, sign in enumerate(line):
                canvas[row][left + x] = (sign, style if 0 < x <= inner else frame)
        if number == cursor:
            canvas[top + 3][left + 1 + (inner - 1) // 2] = ("▲", _BLACK)
        places.append((left, left + step + (number == len(cards) - 1), top, FAN_HEIGHT))
    lines = [Text.assemble(*[(sign, style) for sign, style in row]) for row in canvas]
    return Fan(Text("\n").join(lines), tuple(places))


def _small_fan(faces: Faces, cards: Sequence[Item], cursor: int | None, width: int, longest: int) -> Fan:
    """Cards without frames in several lines: legal ones in brackets, the one under the cursor with an arrow."""
    step = longest + 2
    in_line = max(1, width // step)
    text, places = Text(), []
    for number, item in enumerate(cards):
        row, column = divmod(number, in_line)
        if number and not column:
            text.append("\n")
        before, after = ("[", "✓" if item.ticked else "]") if item.legal else (" ", " ")
        style = faces.style(item.text) + (_FRAME if item.legal or item.move is None else _DIM)
        text.append("▸" if number == cursor else before, _BLACK)
        text.append(faces.label(item.text).ljust(longest), style + (_HERE if number == cursor else _FRAME))
        text.append(after, _BLACK)
        places.append((column * step, (column + 1) * step, row, row + 1))
    return Fan(text, tuple(places))


def choices(faces: Faces, options: Sequence[Item], cursor: int | None, width: int) -> Fan:
    """Values, a pass, or cards that lie elsewhere, as buttons."""
    text, places, x, row = Text(), [], 0, 0
    for number, item in enumerate(options):
        of_cards = item.move is not None and bool(item.move.cards)
        label = faces.sentence(item.text).plain if of_cards else item.text
        if item.ticked is not None:
            label = f"{'✓' if item.ticked else ' '}{label}"
        if label in SYMBOLS and label in faces.deck.suits:
            label = f"{label} {SYMBOLS[label]}"
        size = len(label) + 4
        if x and x + size > width:
            text.append("\n")
            x, row = 0, row + 1
        if number == cursor:
            text.append(f"▸[{label}]", _BLACK + _HERE)
        else:
            text.append(f" [{label}]" if item.legal else f"  {label} ", _FRAME if item.legal else _DIM)
        text.append(" ")
        places.append((x, x + size, row, row + 1))
        x += size
    return Fan(text, tuple(places))


def seats(game: Game, view: View, mover: int | None, names: Sequence[str], width: int) -> Table:
    """One line for each player: whose turn, cards, score, variables, zones."""
    faces = Faces(game)
    zones = [zone for zone in own_zones(view) if not _is_trick(view, zone)]
    variables = list(dict.fromkeys(name for seat in range(view.players) for name, _ in seat_values(game, view, seat)))
    table = Table(box=None, padding=(0, 1, 0, 0), expand=False, header_style="dim", show_edge=False)
    table.add_column("", no_wrap=True, min_width=16)
    table.add_column("cards", no_wrap=True)
    if view.score_label:
        table.add_column(view.score_label, justify="right", no_wrap=True)
    for name in variables:
        table.add_column(name, justify="right", no_wrap=True)
    for name in zones:
        table.add_column(zone_words(game, name), no_wrap=True)
    roomy = width >= 50 + 8 * (len(variables) + len(zones))
    for seat in range(view.players):
        known = dict(seat_values(game, view, seat))
        position = view.positions[seat]
        title = f"{view.names[seat]}, {position}" if position else view.titles[seat]
        row = [Text(f"{'▶' if seat == mover else ' '} {title}", "bold" if seat == mover else "")]
        if width >= 60 and seat != view.seat:
            row[0].append(f" {names[seat][:20]}", "dim")
        row.append(_backs(len(view.piles["hand", seat].cards), roomy))
        row += [Text(view.scores[seat], "bold")] if view.score_label else []
        row += [Text(known.get(name, "")) for name in variables]
        row += [pile_text(faces, view.piles[zone, seat], 4) for zone in zones]
        table.add_row(*row)
    return table


def _is_trick(view: View, zone: str) -> bool:
    """Whether a zone holds nothing but cards that are shown as played."""
    played = {card for _, card in view.played}
    return all(card in played for pile in view.own(zone) for card in pile.cards)


def _backs(number: int, roomy: bool) -> Text:
    if not number:
        return Text("none", "dim")
    return Text(f"{BACK * min(number, 13)} {number}" if roomy else f"{BACK}{number}")


def pile_text(faces: Faces, pile: Pile, most: int = LONG_PILE) -> Text:
    """A pile in a few letters: its cards, or how many and which is on top."""
    if not pile.cards:
        return Text("")
    if not pile_is_long(pile, most):
        return faces.cards(pile.cards)
    text = Text(f"{BACK}{len(pile.cards)}")
    if pile.face_up and pile.ordered and pile.top is not None:
        text.append(" top ").append_text(faces.card(pile.top))
    return text


def trick(game: Game, view: View, width: int, *, boxes: bool) -> Text:
    """The cards played last, with who played them; when all are gone, those before."""
    faces = Faces(game)
    shown, style = (view.played, _FRAME) if view.played else (view.last_trick, _DIM)
    if not shown:
        return Text("nothing has been played yet", "dim")
    is_trick = len({seat for seat, _ in shown}) == len(shown) > 1
    last = "last card" if len(shown) == 1 else "last trick" if is_trick else "last cards"
    if not boxes and (found := pairs(shown, view.answers)) is not None:
        return _pairs_line(faces, found, width)
    title = Text("played" if view.played else last, "dim")
    taker = view.taker if is_trick else None
    if taker is not None:
        title = Text(
            f"{view.names[taker]} take{'' if taker == view.seat else 's'} it", "bold" if view.played else "dim"
        )
    names = [view.names[seat] for seat, _ in shown]
    if not boxes:
        if 13 * len(shown) + 10 > width:
            names = [name.replace("player ", "p") for name in names]
        parts = [
            Text(f"{'▲' if seat == taker else ''}{name} ") + faces.card(card, style)
            for name, (seat, card) in zip(names, shown, strict=True)
        ]
        return Text("  ").join([title, *parts[-max(1, (width - 10) // (len(names[0]) + 5)) :]])
    room = 9 if 9 * len(shown) <= width else 6
    if room == 6:
        names = [name.replace("player ", "p") for name in names]
    first = max(0, len(shown) - width // room)
    lines = [Text() for _ in range(4)]
    for name, (seat, card) in list(zip(names, shown, strict=True))[first:]:
        label = faces.label(card).rjust(3)  # so that a 10 takes no more room
        inner = len(label) + 1
        margin = (room - inner - 2) // 2
        for line, (text, ink) in zip(
            lines,
            [(f"╭{'─' * inner}╮", style), (f"{label} ", faces.style(card) + style), (f"╰{'─' * inner}╯", style)],
            strict=False,
        ):
            line.append(" " * margin)
            line.append_text(
                Text.assemble(("│", style), (text, ink), ("│", style)) if label in text else Text(text, ink)
            )
            line.append(" " * (room - margin - inner - 2))
        marked = f"▲{name}" if seat == taker else name
        lines[3].append(marked.center(room), style + (_BLACK if seat == taker else _FRAME))
    lines[1].append(" ").append_text(title)
    return Text("\n").join(lines)


def _pairs_line(faces: Faces, cards: Sequence[Pair], width: int) -> Text:
    """Cards with their answers in a line, the last ones if there is no room for all: `6♥←A♦  7♣`."""
    parts = [
        faces.card(card) if answer is None else faces.card(card) + Text("←", "dim") + faces.card(answer[1])
        for (_, card), answer in cards
    ]
    while len(parts) > 1 and sum(len(part) + 2 for part in parts) > width - 7:
        del parts[0]
    return Text("  ").join([Text("table", "dim"), *parts])


def facts(game: Game, view: View, width: int) -> Text:
    """Zones that belong to nobody, cards that others are known to hold, and variables."""
    faces = Faces(game)
    parts: list[Text] = []
    played = {card for _, card in view.played} if view.answering else set()
    for pile in shared_piles(view):
        if pile.known and played.issuperset(pile.known):
            continue  # these are shown as they were played
        parts.append(Text.assemble((f"{zone_words(game, pile.zone)} ", "dim"), pile_text(faces, pile)))
    lines = [_flow(parts, width)] if parts else []
    for seat in range(view.players):
        pile = view.piles["hand", seat]
        if seat != view.seat and pile.known:
            lines.append(Text.assemble((f"{view.titles[seat]} has ", "dim"), faces.cards(view.in_order(pile.known))))
    values = [Text.assemble((f"{name}: ", "dim"), faces.sentence(value)) for name, value in public_values(game, view)]
    if values:
        lines.append(_flow(values, width))
    return Text("\n").join(lines)


class Hanging:
    """A text of several lines, all but the first a little to the right; the name of a player stays in one line."""

    def __init__(self, text: Text, by: int = 1) -> None:
        self.text, self.by = text.copy(), by
        self.text.plain = _TOGETHER.sub(lambda found: found[0].replace(" ", _JOINED), text.plain)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines."""
        first, rest = self.text.wrap(console, options.max_width)[0], self.text.copy()
        lines = [first]
        if rest := rest[len(first.plain) :]:
            while rest.plain.startswith(" "):
                rest = rest[1:]
            lines += [Text(" " * self.by) + line for line in rest.wrap(console, options.max_width - self.by)]
        for line in lines:
            line.rstrip()
            line.plain = line.plain.replace(_JOINED, " ")
            yield line


SHEET_ROUNDS = 12
"""Of more rounds the score sheet shows the last ones."""


def score_sheet(view: View) -> Table:
    """Round by round what everybody scored, and the scores after it."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", show_edge=False)
    table.add_column("round", justify="right")
    for name in view.names:
        table.add_column(name, justify="right", no_wrap=True)
    changes = gains(view.rounds)
    first = max(0, len(changes) - SHEET_ROUNDS)
    for number, row in list(enumerate(changes, start=1))[first:]:
        table.add_row(str(number), *row)
    if view.rounds:
        table.add_row(Text("total", "bold"), *(Text(score, "bold") for score in view.rounds[-1].scores))
    return table


def ranking_table(ranking: Sequence[tuple[int, str, str]]) -> Table:
    """Everybody by their place: place, name, score."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False, show_edge=False)
    table.add_column(justify="right")
    table.add_column()
    table.add_column(justify="right")
    for place, name, score in ranking:
        table.add_row(f"{place}.", Text(name, "bold" if place == 1 else ""), score)
    return table


def _flow(parts: Sequence[Text], width: int) -> Text:
    """Parts after each other; lines are broken between them, not inside."""
    text, x = Text(), 0
    for part in parts:
        if x and x + 3 + len(part) > width:
            text.append("\n")
            x = 0
        elif x:
            text.append("   ")
            x += 3
        text.append_text(part)
        x += len(part)
    return text
