"""Drives the table without a screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from rich.console import Console
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Static

from fcdl.ui.items import ItemsView
from fcdl.ui.panels import THINKING, Handover, RoundPage
from fcdl.ui.session import Session
from fcdl.ui.table import TableApp

SMALL, LARGE = (80, 24), (120, 40)
Play = Callable[[TableApp, Pilot[None]], Awaitable[None]]


def on_table(table: Session, play: Play, size: tuple[int, int] = SMALL) -> TableApp:
    """Lays a table, lets the computers begin and runs the test's part; computers take no time."""
    app = TableApp(table, pace=0)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await settle(app, pilot)
            await play(app, pilot)

    asyncio.run(run())
    return app


async def settle(app: App[Any], pilot: Pilot[Any]) -> None:
    """Until nobody thinks any more, or a person is asked to sit down or to go on, and all is drawn."""
    await pilot.pause()
    while not isinstance(app.screen, Handover | RoundPage) and (
        any(not worker.is_finished for worker in app.workers) or (isinstance(app, TableApp) and not app.idle)
    ):
        await asyncio.sleep(0.01)
    await pilot.pause()


async def press(app: App[Any], pilot: Pilot[Any], *keys: str) -> None:
    """Presses keys, each when the table has settled."""
    for key in keys:
        await pilot.press(key)
        await settle(app, pilot)


def shown(app: TableApp, part: str) -> str:
    """The text of a part of the table."""
    widget = app.screen_stack[0].query_one(part)
    if isinstance(widget, ItemsView):
        return widget.render().plain
    assert isinstance(widget, Static)
    console = Console(width=200, color_system=None)
    with console.capture() as capture:
        console.print(widget.content)
    return capture.get()


def screen_lines(app: App[Any]) -> list[str]:
    """What stands on the screen, line by line."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


async def steady_lines(app: App[Any], pilot: Pilot[Any]) -> list[str]:
    """What stands on the screen when it does not change any more: sizes and scrollbars can take some rounds."""
    same, lines = 0, screen_lines(app)
    while same < 3:
        await asyncio.sleep(0.03)
        await pilot.pause()
        before, lines = lines, screen_lines(app)
        unfinished = any(text in line for line in lines for text in (THINKING, "looking at decision"))
        same = same + 1 if lines == before and not unfinished else 0
    return lines


def with_app(app: App[Any], *keys: str, size: tuple[int, int] = SMALL) -> list[str]:
    """Runs any app, presses keys, and gives what stands on the screen then."""
    lines: list[str] = []

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await settle(app, pilot)
            await press(app, pilot, *keys)
            lines.extend(await steady_lines(app, pilot))

    asyncio.run(run())
    return lines
