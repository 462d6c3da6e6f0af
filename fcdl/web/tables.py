"""Tables that somebody looks at: who sits where, whose pages are open, and the computers that play in between.

A page gets what its seat may see, made by the croupier from that seat's observation, and nothing else. A move counts
when it is in the log, and pages are told after that; so whatever crashes, everybody goes on from the same position.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from fcdl.errors import FcdlError
from fcdl.ui.opponents import DEFAULT_STRENGTH, STRENGTHS
from fcdl.web.child import AnswerError, Child, LimitError
from fcdl.web.limits import Bucket, Limits
from fcdl.web.store import SeatRow, Store, StoreError, TableRow, new_token

CROUPIER = "fcdl.web.croupier"
COMPUTERS = (*STRENGTHS, "random", "hyperheur", "measured", "pimc", "montecarlo")
"""The computers that may sit down: none whose parameters could make it think for long."""
CLOSE_AFTER = 90.0
"""Seconds after which a table that nobody looks at is closed; it is opened again from its log."""


class TableError(FcdlError):
    """Something that cannot be done at a table, in words for the one who wanted to."""


class Croupiers:
    """The processes that play: one for all built-in games, one for each other chart."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.house = Child(CROUPIER, memory_mb=limits.memory_mb * 2)
        self._others: dict[str, Child] = {}
        self._in_use: dict[str, int] = {}

    def take(self, row: TableRow) -> Child:
        """The process for a table; raises TableError if there would be too many."""
        if row.builtin:
            return self.house
        key = hashlib.sha256(row.chart.encode()).hexdigest()
        if key not in self._others:
            if len(self._others) >= self._limits.croupiers:
                raise TableError("too many charts are being played right now; try again in a few minutes")
            self._others[key] = Child(CROUPIER, memory_mb=self._limits.memory_mb)
        self._in_use[key] = self._in_use.get(key, 0) + 1
        return self._others[key]

    async def give_back(self, row: TableRow) -> None:
        """A table is closed; the last one of its chart ends the process."""
        if row.builtin:
            return
        key = hashlib.sha256(row.chart.encode()).hexdigest()
        self._in_use[key] -= 1
        if not self._in_use[key]:
            del self._in_use[key]
            await self._others.pop(key).close()

    @property
    def children(self) -> list[Child]:
        """All of them."""
        return [self.house, *self._others.values()]

    async def close(self) -> None:
        """Ends all processes."""
        for child in self.children:
            await child.close()


class Viewer:
    """An open page at a table."""

    def __init__(self, visitor: str, name: str, limits: Limits) -> None:
        self.visitor = visitor
        self.name = name
        self.seat: int | None = None
        self.chats = Bucket(*limits.chats)
        self._queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue(maxsize=500)

    def send(self, message: dict[str, Any]) -> None:
        """Sends a message when the page can take it; a page that takes none for long is cut off, and comes again."""
        try:
            self._queue.put_nowait(message)
        except asyncio.QueueFull:
            self.cut_off()

    def cut_off(self) -> None:
        """Ends the connection."""
        with contextlib.suppress(asyncio.QueueEmpty):
            while True:
                self._queue.get_nowait()
        self._queue.put_nowait(None)

    async def next(self) -> dict[str, Any] | None:
        """The next message to send; None: no more."""
        return await self._queue.get()


class LiveTable:
    """One table; everything that changes it goes through its lock."""

    def __init__(self, row: TableRow, store: Store, croupiers: Croupiers, limits: Limits) -> None:
        self.row = row
        self.seats = store.seats(row.id)
        self.viewers: set[Viewer] = set()
        self.number = 0
        self.mover: int | None = None
        self.notes: dict[int, str] = {}
        """What is to be known about a seat's computer."""
        self.left_at = time.monotonic()
        """When the last page was closed."""
        self._store = store
        self._croupiers = croupiers
        self._limits = limits
        self._child = croupiers.take(row)
        self._lock = asyncio.Lock()
        self._opened = False
        self._driver: asyncio.Task[None] | None = None

    # --- pages come and go

    async def enter(self, viewer: Viewer, token: str) -> None:
        """A page opens, with the secret of a seat or to watch."""
        async with self._lock:
            if len(self.viewers) >= self._limits.watchers:
                raise TableError("too many people look at this table")
            viewer.seat = self._seat_of(token, viewer)
            if viewer.seat is not None:
                self._sit(viewer, viewer.seat)
            await self._begin_if_full()
            self.viewers.add(viewer)  # only now: a page is greeted before it hears anything else
            await self._greet(viewer)
            self._tell_table(but=viewer)
            self._drive()

    def _seat_of(self, token: str, viewer: Viewer) -> int | None:
        """The seat that the token opens; without one, the seat that the visitor has already."""
        for row in self.seats:
            if token and row.token == token and row.person:
                return row.seat
        mine = [row.seat for row in self.seats if row.visitor == viewer.visitor and row.person]
        return mine[0] if len(mine) == 1 else None

    def _sit(self, viewer: Viewer, seat: int) -> None:
        """Somebody takes a seat that is theirs. The link they came by opens it no more for whoever else knows it."""
        row = self.seats[seat]
        if row.visitor is None:
            name = viewer.name or f"Player {seat + 1}"
            self._save(replace(row, visitor=viewer.visitor, name=name, token=new_token(), computer=""))

    def leave(self, viewer: Viewer) -> None:
        """A page is closed."""
        self.viewers.discard(viewer)
        self.left_at = time.monotonic()
        self._tell_table()

    async def _greet(self, viewer: Viewer) -> None:
        viewer.send(
            {
                "do": "hello",
                "table": self._info(viewer),
                "sight": await self._look(viewer),
                "chats": self._store.chats(self.row.id),
                "token": self.seats[viewer.seat].token if viewer.seat is not None else None,
            }
        )

    async def _look(self, viewer: Viewer) -> dict[str, Any] | None:
        if not self.row.begun:
            return None
        answer = await self._ask("look", seats=[viewer.seat], whole=True)
        self._turn(answer)
        sight: dict[str, Any] = answer["sights"][_key(viewer.seat)]
        return sight

    def _info(self, viewer: Viewer) -> dict[str, Any]:
        """The table as one page may know it: links of free seats are for the host only."""
        host = viewer.visitor == self.row.visitor
        present = {other.seat for other in self.viewers}
        return {
            "id": self.row.id,
            "title": self.row.title,
            "name": self.row.name,
            "players": self.row.players,
            "options": self.row.options,
            "open": self.row.open,
            "begun": self.row.begun,
            "over": self.row.over,
            "rematch": self.row.rematch,
            "host": host,
            "you": viewer.seat,
            "watching": sum(other.seat is None for other in self.viewers),
            "seats": [
                {
                    "seat": row.seat,
                    "name": row.name,
                    "person": row.person,
                    "computer": row.computer,
                    "taken": row.visitor is not None,
                    "present": row.seat in present,
                    "note": self.notes.get(row.seat, ""),
                    "link": row.token if host and row.person and row.visitor is None else None,
                }
                for row in self.seats
            ],
        }

    def _tell_table(self, but: Viewer | None = None) -> None:
        for viewer in self.viewers:
            if viewer is not but:
                viewer.send({"do": "table", "table": self._info(viewer)})

    def _tell_sights(self, sights: dict[str, Any]) -> None:
        for viewer in self.viewers:
            sight = sights.get(_key(viewer.seat))
            if sight is not None:  # a page that opened while the croupier was asked has its own answer
                viewer.send({"do": "sight", "sight": sight})

    @property
    def _seen_from(self) -> list[int | None]:
        return list({viewer.seat for viewer in self.viewers})

    # --- seats

    async def sit(self, viewer: Viewer, seat: int) -> None:
        """Somebody who watches takes a free seat of an open table."""
        async with self._lock:
            row = self._row(seat)
            if viewer.seat is not None:
                raise TableError("you have a seat already")
            if row.visitor is not None or not row.person:
                raise TableError("this seat is taken")
            if not self.row.open and viewer.visitor != self.row.visitor:
                raise TableError("this table is for those who have a link to a seat")
            viewer.seat = seat
            self._sit(viewer, seat)
            await self._begin_if_full()
            await self._greet(viewer)
            self._tell_table(but=viewer)
            self._drive()

    async def leave_seat(self, viewer: Viewer) -> None:
        """A player leaves: a computer plays on, and the player may come back."""
        async with self._lock:
            row = self._own(viewer)
            if not self.row.begun:
                self._save(replace(row, visitor=None, name="", token=new_token()))
                viewer.seat = None
                await self._greet(viewer)
            else:
                self._save(replace(row, computer=DEFAULT_STRENGTH))
            self._tell_table()
            self._drive()

    async def come_back(self, viewer: Viewer) -> None:
        """The player plays again instead of the computer."""
        async with self._lock:
            self._save(replace(self._own(viewer), computer=""))
            self._tell_table()

    async def set_computer(self, viewer: Viewer, seat: int, computer: str) -> None:
        """The host lets another computer play, or one instead of a player who is not there."""
        async with self._lock:
            row = self._row(seat)
            if viewer.visitor != self.row.visitor:
                raise TableError("only the host can do this")
            if computer not in COMPUTERS:
                raise TableError(f"there is no computer player '{computer[:20]}'")
            if row.person and row.visitor is not None and any(other.seat == seat for other in self.viewers):
                raise TableError("this player is here")
            self.notes.pop(seat, None)
            self._save(replace(row, computer=computer, person=row.person and row.visitor is not None))
            await self._begin_if_full()
            self._tell_table()
            self._drive()

    async def begin(self, viewer: Viewer) -> None:
        """The host begins the game; computers take the seats that are free."""
        async with self._lock:
            if viewer.visitor != self.row.visitor:
                raise TableError("only the host can begin the game")
            for row in self.seats:
                if row.person and row.visitor is None:
                    self._save(replace(row, person=False, computer=DEFAULT_STRENGTH))
            await self._begin_if_full()
            self._tell_table()
            self._drive()

    async def rename(self, viewer: Viewer, name: str) -> None:
        """Another name for a player."""
        async with self._lock:
            viewer.name = name
            if viewer.seat is not None and name:
                self._save(replace(self.seats[viewer.seat], name=name))
                self._tell_table()

    def _row(self, seat: int) -> SeatRow:
        if not 0 <= seat < self.row.players:
            raise TableError("there is no such seat")
        return self.seats[seat]

    def _own(self, viewer: Viewer) -> SeatRow:
        if viewer.seat is None:
            raise TableError("you have no seat at this table")
        return self.seats[viewer.seat]

    def _save(self, row: SeatRow) -> None:
        self._store.save_seat(self.row.id, row)
        self.seats[row.seat] = row

    # --- the game

    async def _begin_if_full(self) -> None:
        """Deals when nobody is missing."""
        if self.row.begun or any(row.person and row.visitor is None for row in self.seats):
            return
        answer = await self._open([])
        self._store.begin(self.row.id, answer["step"])
        self.row = replace(self.row, begun=True)
        self._turn(answer)
        sights = await self._ask("look", seats=self._seen_from, whole=True)
        self._tell_sights(sights["sights"])

    async def move(self, viewer: Viewer, text: str, number: int) -> None:
        """A player's move; raises TableError with the reason if it cannot be made."""
        async with self._lock:
            row = self._own(viewer)
            if not self.row.begun:
                raise TableError("the game has not begun")
            if row.computer:
                raise TableError("a computer plays for you now; take your seat back first")
            if number != self.number:
                viewer.send({"do": "sight", "sight": await self._look(viewer)})
                return
            await self._make(row.seat, text)
            self._drive()

    async def _make(self, seat: int, text: str) -> None:
        """Makes a move: in the game, in the log, then on all pages."""
        answer = await self._ask("move", seat=seat, move=text, number=self.number, seats=self._seen_from)
        over = None
        if answer["over"]:
            look = answer["sights"] or (await self._ask("look", seats=[None]))["sights"]
            over = next(iter(look.values()))["over"]
        try:
            self._store.append(self.row.id, answer["step"], over)
        except Exception:
            self._opened = False  # the croupier knows more than the log: it must read the log again
            raise
        self.row = replace(self.row, over=over)
        self._turn(answer)
        self._tell_sights(answer["sights"])
        if over is not None:
            self._tell_table()

    async def undo(self, viewer: Viewer) -> None:
        """Takes back the player's last move, where only computers have seen it."""
        async with self._lock:
            row = self._own(viewer)
            if any(other.person and other.seat != row.seat for other in self.seats):
                raise TableError("with other people at the table a move stays made")
            answer = await self._ask("undo", seat=row.seat, seats=self._seen_from)
            try:
                self._store.append(self.row.id, {"undo": answer["left"]})
            except Exception:
                self._opened = False
                raise
            self.row = replace(self.row, over=None)
            self._turn({**answer, "number": answer["left"]})
            self._tell_sights(answer["sights"])
            self._tell_table()

    async def help(self, viewer: Viewer, what: str, **arguments: Any) -> Any:
        """A hint, who may hold what, why a move is not legal, a review, a position of before, the record."""
        if what in ("replay", "record"):
            if what == "replay":
                arguments["seat"] = viewer.seat
            return await self._ask(what, **arguments)
        seat = self._own(viewer).seat
        seconds = self._limits.long_seconds if what in ("hint", "known", "review") else self._limits.move_seconds
        return await self._ask(what, seconds=seconds, seat=seat, **arguments)

    def chat(self, viewer: Viewer, text: str) -> None:
        """Somebody says something to all."""
        text = text.strip()[: self._limits.chat_letters]
        if not text:
            return
        if not viewer.chats.take():
            raise TableError("not so fast")
        name = self.seats[viewer.seat].name if viewer.seat is not None else viewer.name or "Somebody who watches"
        chat = self._store.add_chat(self.row.id, viewer.seat, name, text)
        for other in self.viewers:
            other.send({"do": "chat", "chat": chat})

    async def rematch(self, viewer: Viewer, make: Callable[[TableRow, list[SeatRow], str], str]) -> None:
        """The same game again: `make` sets up a table, and everybody is told where."""
        async with self._lock:
            self._own(viewer)
            if self.row.over is None:
                raise TableError("this game is not over")
            if self.row.rematch is None:
                other = make(self.row, self.seats, viewer.visitor)
                self._store.set_rematch(self.row.id, other)
                self.row = replace(self.row, rematch=other)
            self._tell_table()

    def _turn(self, answer: dict[str, Any]) -> None:
        self.number = answer["number"]
        self.mover = answer["mover"]

    # --- computers

    def _drive(self) -> None:
        """Lets computers play as long as it is their turn."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.get_running_loop().create_task(self._play_on())

    async def _play_on(self) -> None:
        while True:
            async with self._lock:  # wait until whoever changes the table is done
                seat = self.mover
                if not self.row.begun or seat is None or not self.seats[seat].computer:
                    return
                computer = self.seats[seat].computer
            try:
                thought = await self._ask("think", seconds=self._limits.think_seconds, seat=seat, agent=computer)
                async with self._lock:
                    if thought["number"] == self.number and self.seats[seat].computer:
                        await self._make(seat, thought["move"])
            except LimitError:
                if computer == "random":
                    self._trouble("this chart takes too long to play; the game stops here")
                    return
                self.notes[seat] = f"'{computer}' took too long for this game, so it plays at random."
                self._save(replace(self.seats[seat], computer="random"))
                self._tell_table()
            except AnswerError as error:
                if error.code != "turn":
                    self._trouble(str(error))
                    return
            except Exception as error:
                self._trouble(f"something went wrong: {error}")
                return

    def _trouble(self, text: str) -> None:
        for viewer in self.viewers:
            viewer.send({"do": "error", "text": text})

    # --- the croupier

    async def _open(self, steps: list[dict[str, Any]]) -> dict[str, Any]:
        row = self.row
        answer: dict[str, Any] = await self._child.ask(
            "open",
            seconds=self._limits.move_seconds,
            table=row.id,
            chart=row.chart,
            name=row.name,
            players=row.players,
            options=row.options,
            seed=row.seed,
            steps=steps,
        )
        self._opened = True
        return answer

    async def _ask(self, do: str, *, seconds: float = 0.0, **arguments: Any) -> Any:
        """Asks the croupier, who gets the log first if they do not have the game."""
        seconds = seconds or self._limits.move_seconds
        for last in (False, True):
            if not self._opened:
                self._turn(await self._open(self._store.steps(self.row.id)))
            try:
                return await self._child.ask(do, seconds=seconds, table=self.row.id, **arguments)
            except AnswerError as error:
                if error.code != "closed" or last:
                    raise
                self._opened = False
        raise AssertionError

    async def close(self) -> None:
        """Nobody looks any more."""
        if self._driver is not None:
            self._driver.cancel()
        if self._opened and self._child.pid is not None:
            with contextlib.suppress(FcdlError):
                await self._child.ask("close", seconds=self._limits.move_seconds, table=self.row.id)
        await self._croupiers.give_back(self.row)


class Tables:
    """All tables that somebody looks at."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self.store = store
        self.limits = limits
        self.croupiers = Croupiers(limits)
        self.live: dict[str, LiveTable] = {}

    def find(self, table: str) -> LiveTable:
        """A table by its id; raises TableError."""
        if table not in self.live:
            row = self.store.table(table)
            if row is None:
                raise TableError("there is no such table; perhaps it was deleted")
            self.live[table] = LiveTable(row, self.store, self.croupiers, self.limits)
        return self.live[table]

    def again(self, row: TableRow, seats: Iterable[SeatRow], visitor: str) -> str:
        """Sets up the same game again; those who sat there sit there again, one place further."""
        rows = list(seats)
        rows = rows[1:] + rows[:1]
        table = self.store.new_table(
            visitor,
            chart=row.chart,
            name=row.name,
            title=row.title,
            builtin=row.builtin,
            options=row.options,
            is_open=row.open,
            seats=[(one.person, "" if one.person else one.computer) for one in rows],
            most=self.limits.tables,
        )
        for fresh, old in zip(self.store.seats(table), rows, strict=True):
            self.store.save_seat(table, replace(fresh, name=old.name, visitor=old.visitor if old.person else None))
        return table

    async def close_unused(self) -> None:
        """Closes tables that nobody has looked at for a while."""
        late = time.monotonic() - CLOSE_AFTER
        for key, table in list(self.live.items()):
            if not table.viewers and table.left_at < late:
                await self.drop(key)

    async def drop(self, key: str) -> None:
        """Closes a table, and its pages."""
        table = self.live.pop(key, None)
        if table is not None:
            for viewer in list(table.viewers):
                viewer.cut_off()
            await table.close()

    async def close(self) -> None:
        """Ends all games; they are in the log."""
        for table in self.live.values():
            for viewer in list(table.viewers):
                viewer.cut_off()
            if table._driver is not None:
                table._driver.cancel()
        self.live.clear()
        await self.croupiers.close()


def _key(seat: int | None) -> str:
    return "watch" if seat is None else str(seat)


__all__ = ["COMPUTERS", "LiveTable", "StoreError", "TableError", "Tables", "Viewer"]
