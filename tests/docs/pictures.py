"""Makes the pictures of the table in `docs/images`: `python -m tests.docs.pictures`."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from fcdl.language.load import load_flowchart
from fcdl.model import Game
from fcdl.ui.session import Session
from fcdl.ui.table import TableApp
from fcdl.ui.teacher import Teacher
from tests.ui.driving import press, settle, steady_lines
from tests.ui.tables import play_to_your_turn

IMAGES = Path(__file__).parents[2] / "docs" / "images"
SIZE = (112, 33)
FONTS = "'DejaVu Sans Mono', Menlo, Consolas, monospace"
ADVISER = ("ismcts:iterations=4000,utility=score",)


def hearts(moves: int) -> Session:
    """A game against easy players in which the person follows every hint."""
    game = Game.make(load_flowchart("hearts"), name="hearts")
    table = Session(game, ("human", "easy", "easy", "easy"), "7")
    table.teacher = Teacher(game, table.engine, advisers=ADVISER)
    while len(table.moves) < moves or not table.your_turn:
        table.apply(table.hint()().best.move if table.your_turn else table.think())
    play_to_your_turn(table)
    return table


async def picture(table: Session, *keys: str) -> str:
    """The table as SVG, after some keys; it needs no fonts from elsewhere."""
    app = TableApp(table, pace=0)
    async with app.run_test(size=SIZE) as pilot:
        await settle(app, pilot)
        await press(app, pilot, *keys)
        await steady_lines(app, pilot)
        svg = app.export_screenshot(title="fcdl play hearts")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font-family: Fira Code, monospace", f"font-family: {FONTS}", svg)
    return re.sub(r"terminal-\d+", "t", svg).replace("<text ", '<text xml:space="preserve" ')


def main() -> None:
    """Writes both pictures."""
    for name, moves, keys in [("play-hearts", 27, ()), ("play-hint", 27, ("h",))]:
        (IMAGES / f"{name}.svg").write_text(asyncio.run(picture(hearts(moves), *keys)), encoding="utf-8")


if __name__ == "__main__":
    main()
