"""What the teacher says, as text; without colours it can be read, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from fcdl.agents import MoveValue
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.ui.picture import SYMBOLS, Faces
from fcdl.ui.plain_lessons import (
    advice,
    disagreement,
    in_words,
    known_rows,
    percent,
    times,
    worth,
    worth_text,
    zone_name,
)
from fcdl.ui.teacher import Hint, Judged

if TYPE_CHECKING:
    from fcdl.beliefs.sampler import Marginals

BAR = 16
"""Columns of the longest bar."""
MOST_FIRST = 6
"""Of more moves the others stand below the reasons, so that those can be seen at once."""


def move_text(move: Move, faces: Faces, said: Callable[[Move], str] = str) -> Text:
    """A move with the card's face: `play Q♥`, or by its name."""
    return faces.sentence(said(move))


def hint_table(hint: Hint, faces: Faces, said: Callable[[Move], str] = str) -> RenderableType:
    """What to do, the best moves with what they are worth, the reasons, then all other moves."""
    first = MOST_FIRST if len(hint.values) > MOST_FIRST + 1 else len(hint.values)
    lines: list[RenderableType] = [faces.sentence(advice(hint, said)), Text("")]
    lines += [_values(hint, hint.values[:first], faces, said), Text("")]
    if other := disagreement(hint, said):
        lines += [faces.sentence(other), Text("")]
    if hint.heuristics:
        lines.append(Text("By rules of thumb alone:", "bold"))
        lines += [faces.sentence(f"• {reason}") for reason in in_words(hint, hint.heuristics, said)]
    if hint.measured:
        lines.append(Text("Measured by play:", "bold"))
        lines += [faces.sentence(f"• {reason}") for reason in in_words(hint, hint.measured, said)]
    if first < len(hint.values):
        lines += [Text("The other moves:", "bold"), _values(hint, hint.values[first:], faces, said)]
    lines += [faces.sentence(f"• {reason}") for reason in in_words(hint, hint.reasons, said)]
    lines.append(Text(f"Worth: {worth(hint)}.", "dim"))
    return Group(*lines)


def _values(hint: Hint, shown: Sequence[MoveValue], faces: Faces, said: Callable[[Move], str]) -> Table:
    """Some of the moves with what they are worth."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", show_edge=False)
    table.add_column("move")
    table.add_column("worth", justify="right")
    table.add_column("")
    table.add_column("looked at" if any(value.visits for value in hint.values) else "", justify="right")
    values = [value.value for value in hint.values]
    low, high = min(values, default=0.0), max(values, default=0.0)
    for value in shown:
        length = round(BAR * (value.value - low) / (high - low)) if high > low else BAR
        worth = Text(worth_text(value.value), "bold" if value is hint.best else "")
        visits = times(value.visits) if value.visits else ""
        table.add_row(move_text(value.move, faces, said), worth, Text("■" * length, "dim"), visits)
    return table


def known_table(known: Marginals, game: Game, seat: int) -> RenderableType:
    """Suit by suit who may hold which card, in percent."""
    if not known.places:
        return Text("You know where every card is.")
    faces = Faces(game)
    lines: list[RenderableType] = []
    width = max(len(zone_name(game, zone, seat)) for zones in known.places.values() for zone in zones)
    for suit, cards, zones in known_rows(known, game):
        heading = Text(SYMBOLS.get(suit, suit[:width]).ljust(width + 1), faces.style(cards[0]))
        for card in cards:
            heading.append(f"{faces.label(card)[:-1]:>4}", faces.style(card))
        lines.append(heading)
        for zone, shares in zones.items():
            line = Text(zone_name(game, zone, seat).ljust(width + 1), "dim")
            for share in shares:
                line.append(f"{percent(share):>4}", "bold" if share > 0.995 else "" if share > 0.005 else "dim")
            lines.append(line)
    if known.note:
        lines.append(Text(known.note, "dim"))
    lines.append(Text(f"In percent, from {known.effective_size:.0f} deals that fit everything you have seen;", "dim"))
    lines.append(Text("· never seen there. Cards that are not listed can be in one place only.", "dim"))
    return Group(*lines)


def judged_line(one: Judged, faces: Faces) -> Text:
    """A decision in a line: what was played, what it cost, what was better."""
    line = Text(f"move {one.made.number + 1:>3}: ") + move_text(one.made.move, faces, one.made.said)
    line = Text.assemble(line, " " * max(1, 24 - len(line)))
    if one.is_best:
        return line + Text("the best found", "dim")
    return Text.assemble(
        line, (f"cost {one.lost:5.2f}", "bold"), "   better: ", move_text(one.best, faces, one.made.said)
    )


def review_summary(judged: Sequence[Judged], done: int, number: int) -> Text:
    """How far the review is, and what all decisions cost."""
    best = sum(one.is_best for one in judged)
    total = sum(one.lost for one in judged)
    text = Text("Review of your moves\n", "bold")
    if done < number:
        text.append(f"looking at decision {done + 1} of {number} ...", "dim")
    else:
        text.append(
            f"{len(judged)} decisions with a choice: {best} were the best found; together they cost {total:.2f}."
        )
    return text
