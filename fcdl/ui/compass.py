"""The large table: everybody at their side of it, with the cards that they have played before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.style import Style
from rich.text import Text

from fcdl.model.game import Game
from fcdl.ui.pairs import Pair, pairs
from fcdl.ui.picture import BACK, Faces, pile_text
from fcdl.ui.view import View
from fcdl.ui.words import own_zones, seat_values, zone_words

CARD_WIDTH, CARD_HEIGHT = 6, 3
SIDE = 24
"""Columns for a player who sits at the left or at the right."""
PLACE_HEIGHT = 4
LEAST_WIDTH, LEAST_HEIGHT = 56, 19
"""A smaller board has no large table."""
MOST_AROUND = 7
MOST_APART = 3
"""Empty lines between the middle of the table and those who sit above and below it."""

_PLAIN, _DIM, _BOLD = Style(), Style(dim=True), Style(bold=True)


@dataclass(slots=True)
class Canvas:
    """Signs in a rectangle."""

    width: int
    height: int
    rows: list[list[tuple[str, Style]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rows = [[(" ", _PLAIN)] * self.width for _ in range(self.height)]

    def put(self, x: int, y: int, text: Text) -> None:
        """Writes a line; what does not fit is cut off."""
        if not 0 <= y < self.height:
            return
        for number, sign in enumerate(text.plain):
            if 0 <= x + number < self.width:
                self.rows[y][x + number] = (sign, _style_at(text, number))

    def card(self, x: int, y: int, faces: Faces, code: str, style: Style = _PLAIN) -> None:
        """A card in its frame; `10` takes no more room than others."""
        inner = CARD_WIDTH - 2
        label = faces.label(code).rjust(inner - 1).ljust(inner)
        self.put(x, y, Text(f"╭{'─' * inner}╮", style))
        self.put(x, y + 1, Text.assemble(("│", style), (label, faces.style(code) + style), ("│", style)))
        self.put(x, y + 2, Text(f"╰{'─' * inner}╯", style))

    @property
    def text(self) -> Text:
        """Everything, without what is empty at the ends of lines."""
        lines = []
        for row in self.rows:
            line = Text.assemble(*((sign, style) for sign, style in row))
            line.rstrip()
            lines.append(line)
        return Text("\n").join(lines)


def _style_at(text: Text, place: int) -> Style:
    style = text.style if isinstance(text.style, Style) else Style.parse(text.style or "none")
    for span in text.spans:
        if span.start <= place < span.end:
            style += span.style if isinstance(span.style, Style) else Style.parse(span.style)
    return style


def has_room(width: int, height: int, players: int) -> bool:
    """Whether the large table fits."""
    return width >= LEAST_WIDTH and height >= LEAST_HEIGHT and 2 <= players <= MOST_AROUND


def compass(game: Game, view: View, mover: int | None, agents: Sequence[str], width: int, height: int) -> Text:
    """The table from where the seat sits, which is below; play goes around to the left."""
    return _Compass(game, view, mover, agents, width).draw(height)


class _Compass:
    def __init__(self, game: Game, view: View, mover: int | None, agents: Sequence[str], width: int) -> None:
        self.game, self.view, self.mover, self.agents = game, view, mover, agents
        self.pairs = pairs(view.played or view.last_trick, view.answers)
        self.faces = Faces(game)
        self.width = min(width, 100)
        me = view.seat or 0
        around = [(me + step) % view.players for step in range(1, view.players)]
        sides = len(around) >= 2
        self.left: int | None = around[0] if sides else None
        self.right: int | None = around[-1] if sides else None
        self.top = around[1:-1] if sides else around
        self.me = me
        zones = [zone for zone in own_zones(view) if not self._is_trick(zone)]
        self.zones = zones[:2]

    def draw(self, height: int) -> Text:
        """Everything; where there is room, things stand further apart."""
        shown, style = (self.view.played, _PLAIN) if self.view.played else (self.view.last_trick, _DIM)
        each_once = len({seat for seat, _ in shown}) == len(shown)
        before = dict(shown) if each_once and self.pairs is None else {}
        played = CARD_HEIGHT if before or not shown else 0  # so that nothing moves when the first card is played
        head = PLACE_HEIGHT + played if self.top else 0
        sides = PLACE_HEIGHT if self.left is not None else 0
        centre = self._centre_height(shown, before)
        middle = max(sides, centre) if before else sides + centre  # what lies in the middle has the whole width
        gap = max(0, min(MOST_APART, (height - head - middle - played - 2) // 2))
        canvas = Canvas(self.width, head + middle + played + 2 + 2 * gap)
        room = self.width // max(1, len(self.top))
        for number, seat in enumerate(self.top):
            self._place(canvas, seat, number * room, 0, room, "center")
            if seat in before:
                self._played(canvas, number * room + (room - CARD_WIDTH) // 2, PLACE_HEIGHT, seat, before, style)
        y = head + (gap if self.top else 0)
        if self.left is not None and self.right is not None:
            self._place(canvas, self.left, 0, y, SIDE, "left")
            self._place(canvas, self.right, self.width - SIDE, y, SIDE, "right")
            for seat, x in ((self.left, SIDE), (self.right, self.width - SIDE - CARD_WIDTH)):
                if seat in before:
                    self._played(canvas, x, y, seat, before, style)
        self._centre(canvas, y if before else y + sides, shown, before, style)
        y += middle + gap
        if self.me in before:
            self._played(canvas, (self.width - CARD_WIDTH) // 2, y, self.me, before, style)
        self._place(canvas, self.me, 0, y + played, self.width, "center", lines=2)
        return canvas.text

    def _is_trick(self, zone: str) -> bool:
        played = {card for _, card in self.view.played}
        return all(card in played for pile in self.view.own(zone) for card in pile.cards)

    def _played(self, canvas: Canvas, x: int, y: int, seat: int, before: dict[int, str], style: Style) -> None:
        canvas.card(x, y, self.faces, before[seat], style)
        if seat == self.view.taker and len(before) > 1:
            canvas.put(x + CARD_WIDTH // 2 - 1, y + CARD_HEIGHT - 1, Text("▲", _BOLD))

    def _place(
        self, canvas: Canvas, seat: int, x: int, y: int, room: int, side: str, lines: int = PLACE_HEIGHT
    ) -> None:
        """A player: name, cards, score and what else is known; in a few lines."""
        for number, line in enumerate(self._about(seat, room, lines)):
            line.truncate(room, overflow="ellipsis")
            gap = {"left": 0, "center": (room - len(line)) // 2, "right": room - len(line)}[side]
            canvas.put(x + gap, y + number, line)

    def _about(self, seat: int, room: int, lines: int) -> list[Text]:
        view = self.view
        name = Text(f"{'▶ ' if seat == self.mover else ''}{view.titles[seat]}", "bold" if seat == self.mover else "")
        if view.positions[seat]:
            name.append(f", {view.positions[seat]}")
        agent = f" {self.agents[seat]}"
        if seat != view.seat and agent.strip() and len(name) + len(agent) <= room:
            name.append(agent, "dim")
        number = len(view.piles["hand", seat].cards)
        backs = f"{BACK * min(number, 10)} {number}" if number else "no cards"
        parts = []
        if view.score_label:
            parts.append(Text.assemble((f"{view.score_label} ", "dim"), (view.scores[seat], "bold")))
        parts += [Text.assemble((f"{what} ", "dim"), value) for what, value in seat_values(self.game, view, seat)]
        for zone in self.zones:
            pile = view.piles[zone, seat]
            if pile.cards:
                parts.append(Text.assemble((f"{zone_words(self.game, zone)} ", "dim"), pile_text(self.faces, pile, 0)))
        if lines == 2:
            return [Text("   ").join([name, Text(backs)]), Text("   ").join(parts)]
        rows: list[Text] = [name, Text(backs)]
        for part in parts:
            if len(rows) > 2 and len(rows[-1]) + 2 + len(part) <= room:
                rows[-1] = Text("  ").join([rows[-1], part])
            elif len(rows) < lines:
                rows.append(part)
        return rows

    # --- the middle of the table

    def _centre_height(self, shown: Sequence[tuple[int, str]], before: dict[int, str]) -> int:
        if self.pairs is not None:
            return CARD_HEIGHT + 3
        return CARD_HEIGHT + 2 if shown and not before else 3

    def _centre(
        self, canvas: Canvas, y: int, shown: Sequence[tuple[int, str]], before: dict[int, str], style: Style
    ) -> None:
        left = SIDE if before and self.left is not None else 0
        room = self.width - 2 * left
        if self.pairs is not None:
            draw_pairs(canvas, left, y, room, self.faces, self.pairs, style)
            return
        title = Text("" if self.view.played else "last trick" if len(shown) > 1 else "last card", "dim")
        if not shown:
            title = Text("nothing has been played yet", "dim")
        taker = self.view.taker
        if taker is not None and len(before) > 1:
            title = Text(f"{self.view.names[taker]} take{'' if taker == self.view.seat else 's'} it", "bold")
        if before or not shown:
            below = CARD_HEIGHT if self.left is not None else 1  # below the cards of those at the sides
            canvas.put(left + (room - len(title)) // 2, y + below, title)
            return
        fitting = shown[-max(1, room // (CARD_WIDTH + 3)) :]
        wide = len(fitting) * (CARD_WIDTH + 3)
        for number, (seat, card) in enumerate(fitting):
            x = left + (room - wide) // 2 + number * (CARD_WIDTH + 3)
            canvas.card(x + 1, y, self.faces, card, style)
            name = Text(self.view.names[seat].replace("player ", "p")[: CARD_WIDTH + 3], style)
            canvas.put(x + (CARD_WIDTH + 3 - len(name)) // 2, y + CARD_HEIGHT, name)
        canvas.put(left + (room - len(title)) // 2, y + CARD_HEIGHT + 1, title)


def draw_pairs(canvas: Canvas, left: int, y: int, room: int, faces: Faces, cards: Sequence[Pair], style: Style) -> None:
    """Cards with their answers over them, a little lower and to the right."""
    step = CARD_WIDTH + 4
    fitting = cards[-max(1, room // step) :]
    start = left + max(0, (room - len(fitting) * step) // 2)
    for number, ((_, card), answer) in enumerate(fitting):
        canvas.card(start + number * step, y, faces, card, style)
        if answer is not None:
            canvas.card(start + number * step + 2, y + 2, faces, answer[1], style)


def pairs_text(faces: Faces, cards: Sequence[Pair], width: int, *, is_old: bool) -> Text:
    """Cards with their answers, on a smaller table; those that are gone are dim."""
    canvas = Canvas(width, CARD_HEIGHT + 2)
    draw_pairs(canvas, 0, 0, min(width, len(cards) * (CARD_WIDTH + 4)), faces, cards, _DIM if is_old else _PLAIN)
    return canvas.text
