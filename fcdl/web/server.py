"""The site: pages, what they ask for, and the WebSockets of tables and of the "try it" pane."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import hmac
import json
import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Address
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from fcdl.data import data_text
from fcdl.errors import FcdlError
from fcdl.language.load import builtin_names
from fcdl.web.child import AnswerError, Child, LimitError, Pool
from fcdl.web.door import Door, is_here
from fcdl.web.limits import NETWORK, Bucket, Buckets, Limits
from fcdl.web.network import Network, make_passphrase
from fcdl.web.store import Draft, Store, StoreError, TableRow, visitor_of
from fcdl.web.tables import COMPUTERS, TableError, Tables, Viewer
from fcdl.web.templates import TEMPLATES

PAGES = {"/": "index.html", "/table/{id}": "table.html", "/edit/{id}": "editor.html", "/help": "help.html"}
DRAFT = "draft-"
"""What the name of a game begins with that is somebody's published chart."""
CLEAN_EVERY = 30.0
QUICK = ("check", "edit", "draw", "convert", "import")
LONG = ("heuristics", "test")

mimetypes.add_type("text/javascript", ".js")


class RequestError(FcdlError):
    """A request that makes no sense or is not allowed, with its HTTP status."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


@cache
def page_files() -> dict[str, tuple[bytes, str]]:
    """The files that anybody may get, by name, with their types: these and no others."""
    folder = files("fcdl.web") / "pages"
    return {
        entry.name: (entry.read_bytes(), mimetypes.guess_type(entry.name)[0] or "application/octet-stream")
        for entry in folder.iterdir()
        if entry.is_file() and entry.name.rpartition(".")[2] in ("html", "js", "css", "svg", "webmanifest")
    }


@dataclass(frozen=True, slots=True)
class Settings:
    """How the server was started."""

    limits: Limits
    local: bool
    """Whether only this machine can reach it."""
    passphrase: str = ""
    """What authors must know; empty: everybody may draw."""
    names: tuple[str, ...] = ()


class Site:
    """Everything that lives as long as the server."""

    def __init__(self, store: Store, settings: Settings, network: Network | None = None) -> None:
        self.store = store
        self.settings = settings
        self.network = network
        self.passphrase = settings.passphrase
        """What authors must know; empty: everybody may draw. Letting the network in sets one."""
        self.limits = settings.limits
        self.tables = Tables(store, self.limits)
        self.quick = Pool("fcdl.web.workshop", 2, memory_mb=self.limits.memory_mb)
        self.long = Pool("fcdl.web.workshop", 1, memory_mb=self.limits.memory_mb)
        self.tryouts = 0
        self._long_work = Buckets(self.limits.long_work)
        self._passphrases = Buckets(self.limits.passphrases)
        self._games: dict[str, dict[str, Any]] = {}

    # --- who asks

    def visitor(self, request: Request) -> str:
        """Who asks, by the secret that their browser keeps; raises RequestError."""
        token = request.headers.get("x-visitor", "")
        if not 20 <= len(token) <= 100:
            raise RequestError("who are you? Reload the page.", 401)
        return visitor_of(token)

    def is_author(self, visitor: str) -> bool:
        """Whether a visitor may draw."""
        return not self.passphrase or self.store.visitor(visitor)[1]

    def author(self, request: Request) -> str:
        """Who asks, if they may draw; raises RequestError."""
        visitor = self.visitor(request)
        if not self.is_author(visitor):
            raise RequestError("drawing needs the passphrase of this server", 403)
        return visitor

    def limits_of(self, client: Address | None) -> Limits:
        """What somebody may have: on a network less than on this machine."""
        return self.limits if is_here(client) else NETWORK

    def draft(self, request: Request) -> Draft:
        """The draft that is asked for, if it belongs to who asks; raises RequestError."""
        visitor = self.visitor(request)
        draft = self.store.draft(request.path_params["id"])
        if draft is None or draft.visitor != visitor:
            raise RequestError("there is no such draft, or it is not yours", 404)
        return draft

    async def body(self, request: Request) -> dict[str, Any]:
        """What a request says, as JSON, if it is not too long."""
        size, parts = 0, []
        async for part in request.stream():
            size += len(part)
            if size > self.limits.body_bytes:
                raise RequestError("this is too long", 413)
            parts.append(part)
        try:
            value = json.loads(b"".join(parts) or b"{}")
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise RequestError("this is not a JSON object")
        return value

    def chart(self, body: dict[str, Any], key: str = "text") -> str:
        """A chart's text in a request; raises RequestError."""
        text = body.get(key)
        if not isinstance(text, str):
            raise RequestError(f"'{key}' is missing")
        if len(text.encode()) > self.limits.chart_bytes:
            raise RequestError(f"a chart may have at most {self.limits.chart_bytes} bytes here", 413)
        return text.replace("\r\n", "\n").replace("\0", "")

    def name(self, value: object) -> str:
        """A person's name: one line, not long, nothing that cannot be seen."""
        text = "".join(sign for sign in str(value or "") if sign.isprintable())
        return " ".join(text.split())[: self.limits.name_letters]

    # --- games

    async def game(self, name: str) -> tuple[str, dict[str, Any], bool]:
        """The chart of a game, what is to be known about it, and whether it is built in; raises RequestError."""
        builtin = name in builtin_names()
        if builtin:
            chart = data_text("games", f"{name}.fcdl")
        else:
            draft = self.store.draft(name.removeprefix(DRAFT)) if name.startswith(DRAFT) else None
            if draft is None or draft.published is None:
                raise RequestError("there is no such game", 404)
            chart = draft.published
        return chart, await self.describe(chart, name), builtin

    async def describe(self, chart: str, name: str) -> dict[str, Any]:
        """What is to be known about a chart before it is played; raises AnswerError if it has errors."""
        if chart not in self._games:
            if len(self._games) > 200:
                self._games.clear()
            self._games[chart] = await self.quick.ask("game", seconds=self.limits.check_seconds, chart=chart, name=name)
        return {**self._games[chart], "name": name}

    async def work(self, what: str, visitor: str, arguments: dict[str, Any]) -> Any:
        """Lets the workshop do something."""
        if what in QUICK:
            return await self.quick.ask(what, seconds=self.limits.check_seconds, **arguments)
        if not self._long_work.take(visitor):
            raise RequestError("this takes the server long; wait a little before the next one", 429)
        return await self.long.ask(what, seconds=self.limits.long_seconds, **arguments)

    def may_try_passphrase(self, client: str) -> bool:
        """Whether somebody may guess once more."""
        return self._passphrases.take(client)

    async def close(self) -> None:
        """Ends everything."""
        await self.tables.close()
        await self.quick.close()
        await self.long.close()


# --- answers ---------------------------------------------------------------------------------------------------------

Endpoint = Callable[[Site, Request], Awaitable[Any]]


async def page(site: Site, request: Request) -> Response:
    """A page or one of its files."""
    name = request.path_params.get("file") or PAGES[request.scope["page"]]
    if name not in page_files():
        raise RequestError("there is no such page", 404)
    content, kind = page_files()[name]
    return Response(content, media_type=kind, headers={"cache-control": "no-cache"})


async def qr(site: Site, request: Request) -> Response:
    """A link as a QR code; the fragment, which has the secret, is in the body and not in the address."""
    import segno

    text = str((await site.body(request)).get("text", ""))
    if not 0 < len(text) <= 400:
        raise RequestError("a link of at most 400 letters")
    svg = segno.make(text, error="m").svg_inline(scale=6, border=3, dark="#111827", light="#ffffff")
    return Response(svg, media_type="image/svg+xml")


async def me(site: Site, request: Request) -> Any:
    """Who one is here."""
    visitor = site.visitor(request)
    if request.method == "POST":
        site.store.set_name(visitor, site.name((await site.body(request)).get("name")))
    name, _ = site.store.visitor(visitor)
    return {
        "name": name,
        "author": site.is_author(visitor),
        "here": is_here(request.client),
        "address": site.network.address if site.network is not None else None,
        "canOpen": site.settings.local and site.network is not None and is_here(request.client),
        "passphrase": site.passphrase if site.settings.local and is_here(request.client) else "",
        "computers": COMPUTERS,
        "limits": {"name": site.limits.name_letters, "chat": site.limits.chat_letters},
    }


async def open_network(site: Site, request: Request) -> Any:
    """Whoever sits at this machine lets others on its network in; drawing then needs a passphrase."""
    visitor = site.visitor(request)
    if site.network is None or not site.settings.local or not is_here(request.client):
        raise RequestError("only who sits at the server's own machine can do this", 403)
    address = await site.network.open()
    if not site.passphrase:
        site.passphrase = make_passphrase()
        site.store.make_author(visitor)
    return {"address": address}


async def become_author(site: Site, request: Request) -> Any:
    """The passphrase makes an author."""
    visitor = site.visitor(request)
    client = request.client.host if request.client else ""
    if not site.may_try_passphrase(client):
        raise RequestError("too many tries; wait a minute", 429)
    given = str((await site.body(request)).get("passphrase", ""))
    if not hmac.compare_digest(given.encode(), site.passphrase.encode()):
        raise RequestError("this is not the passphrase", 403)
    site.store.make_author(visitor)
    return {"author": True}


async def export_me(site: Site, request: Request) -> Any:
    """All that is kept of a visitor."""
    return site.store.everything_of(site.visitor(request))


async def forget_me(site: Site, request: Request) -> Any:
    """Deletes all that is kept of a visitor."""
    visitor = site.visitor(request)
    for row in site.store.tables_of(visitor):
        await site.tables.drop(row.id)
    site.store.forget(visitor)
    return {}


async def games(site: Site, request: Request) -> Any:
    """The games that can be played."""
    found = []
    for name in builtin_names():
        _, game, _ = await site.game(name)
        found.append(_card(game, name, builtin=True))
    for draft in site.store.published():
        with contextlib.suppress(AnswerError, LimitError, RequestError):
            _, game, _ = await site.game(DRAFT + draft.id)
            author = site.store.visitor(draft.visitor)[0]
            found.append({**_card(game, DRAFT + draft.id, builtin=False), "author": author})
    played = site.store.times_played()
    found.sort(key=lambda one: (-played.get(one["name"], 0), one["title"]))
    return {"games": found, "templates": [{"name": one.name, "text": one.says} for one in TEMPLATES]}


def _card(game: dict[str, Any], name: str, *, builtin: bool) -> dict[str, Any]:
    keys = ("title", "about", "genre", "tags", "players")
    return {"name": name, "builtin": builtin, **{key: game[key] for key in keys}}


async def game(site: Site, request: Request) -> Any:
    """What is to be known about a game."""
    chart, found, builtin = await site.game(request.path_params["name"])
    return {**found, "builtin": builtin, "chart": chart}


async def lobby(site: Site, request: Request) -> Any:
    """One's own tables, those that are open, and those that are finished."""
    visitor = site.visitor(request)
    mine = site.store.tables_of(visitor)
    known = {row.id for row in mine}
    open_ = [row for row in site.store.open_tables(over=False) if row.id not in known]
    finished = [row for row in site.store.open_tables(over=True, limit=20) if row.id not in known]
    return {
        "mine": [_table(site, row, visitor) for row in mine],
        "open": [_table(site, row, visitor) for row in open_],
        "finished": [_table(site, row, visitor) for row in finished],
    }


def _table(site: Site, row: TableRow, visitor: str) -> dict[str, Any]:
    live = site.tables.live.get(row.id)
    seats = site.store.seats(row.id)
    mine = next((seat.seat for seat in seats if seat.visitor == visitor), None)
    return {
        "id": row.id,
        "title": row.title,
        "begun": row.begun,
        "over": row.over,
        "open": row.open,
        "changed": row.changed,
        "host": row.visitor == visitor,
        "seat": mine,
        "yourTurn": live is not None and live.mover is not None and live.mover == mine,
        "free": 0 if row.begun else sum(seat.person and seat.visitor is None for seat in seats),
        "seats": [{"name": seat.name, "person": seat.person, "computer": seat.computer} for seat in seats],
    }


async def new_table(site: Site, request: Request) -> Any:
    """Sets up a table of a game, or of a draft of one's own."""
    visitor = site.visitor(request)
    body = await site.body(request)
    name = str(body.get("game", ""))
    draft = site.store.draft(name.removeprefix(DRAFT)) if name.startswith(DRAFT) else None
    if draft is not None and draft.visitor == visitor:
        chart, builtin = draft.text, False
        found = await site.describe(chart, name)
    else:
        chart, found, builtin = await site.game(name)
    seats = body.get("seats")
    low, high = found["players"]
    if not isinstance(seats, list) or not low <= len(seats) <= high:
        raise RequestError(f"this game is for {low} to {high} players" if low < high else f"{low} players play this")
    kinds = []
    for seat in seats:
        if seat != "person" and seat not in COMPUTERS:
            raise RequestError(f"nobody is called '{str(seat)[:20]}'")
        kinds.append((seat == "person", "" if seat == "person" else str(seat)))
    if not any(person for person, _ in kinds):
        raise RequestError("somebody must play")
    given = body.get("options")
    known = {option["name"] for option in found["options"]}
    options = {str(key): str(value)[:50] for key, value in (given if isinstance(given, dict) else {}).items()}
    if set(options) - known:
        raise RequestError("this game does not have such an option")
    await site.quick.ask(
        "fits",
        seconds=site.limits.check_seconds,
        chart=chart,
        name=name,
        players=len(kinds),
        options=options,
    )
    table = site.store.new_table(
        visitor,
        chart=chart,
        name=name,
        title=found["title"],
        builtin=builtin,
        options=options,
        is_open=bool(body.get("open")),
        seats=kinds,
        most=site.limits_of(request.client).tables,
    )
    own = next(seat for seat in site.store.seats(table) if seat.person)
    name = site.store.visitor(visitor)[0] or f"Player {own.seat + 1}"
    site.store.save_seat(table, replace(own, visitor=visitor, name=name))
    return {"id": table}


async def table_game(site: Site, request: Request) -> Any:
    """What the page of a table must know about its game."""
    row = site.store.table(request.path_params["id"])
    if row is None:
        raise RequestError("there is no such table; perhaps it was deleted", 404)
    return await site.describe(row.chart, row.name)


async def delete_table(site: Site, request: Request) -> Any:
    """The host deletes a table."""
    visitor = site.visitor(request)
    row = site.store.table(request.path_params["id"])
    if row is None or row.visitor != visitor:
        raise RequestError("there is no such table, or it is not yours", 404)
    await site.tables.drop(row.id)
    site.store.delete_table(row.id)
    return {}


async def drafts(site: Site, request: Request) -> Any:
    """One's own drafts, or a new one: empty, from a template, from a game, or from a text in any form."""
    if request.method == "GET":
        found = site.store.drafts(site.visitor(request))
        return {"drafts": [_draft(one) for one in found]}
    visitor = site.author(request)
    body = await site.body(request)
    if "text" in body:
        answer = await site.work("import", visitor, {"text": site.chart(body)})
        text = answer["text"]
    elif "game" in body:
        text = (await site.game(str(body["game"])))[0]
    else:
        template = next((one for one in TEMPLATES if one.name == body.get("template")), TEMPLATES[0])
        text = template.chart
    title = site.name(body.get("title")) or await _title(site, visitor, text)
    draft = site.store.new_draft(visitor, title, text, site.limits.drafts)
    site.store.add_version(draft, text, "the beginning", site.limits.versions)
    return {"id": draft}


def _draft(draft: Draft) -> dict[str, Any]:
    return {
        "id": draft.id,
        "title": draft.title,
        "published": draft.published is not None,
        "current": draft.published == draft.text,
        "changed": draft.changed,
    }


async def _title(site: Site, visitor: str, text: str) -> str:
    checked = await site.work("check", visitor, {"text": text})
    return site.name(checked["title"]) or "A new game"


async def draft(site: Site, request: Request) -> Any:
    """One draft: its text, a new text, or nothing of it any more."""
    found = site.draft(request)
    if request.method == "DELETE":
        site.store.delete_draft(found.id)
        return {}
    if request.method == "PUT":
        body = await site.body(request)
        site.store.save_draft(found.id, site.name(body.get("title")) or found.title, site.chart(body))
        return {}
    return {**_draft(found), "text": found.text}


async def publish(site: Site, request: Request) -> Any:
    """Lets others play a draft, or no longer."""
    site.author(request)
    found = site.draft(request)
    if (await site.body(request)).get("published"):
        await site.describe(found.text, found.id)
        site.store.add_version(found.id, found.text, "published", site.limits.versions)
        site.store.publish(found.id, found.text)
    else:
        site.store.publish(found.id, None)
    return {"game": DRAFT + found.id}


async def versions(site: Site, request: Request) -> Any:
    """The versions of a draft, each with what is different now; or keeps what it says now."""
    found = site.draft(request)
    if request.method == "POST":
        note = site.name((await site.body(request)).get("note"))
        site.store.add_version(found.id, found.text, note, site.limits.versions)
    return {
        "versions": [
            {"number": one.number, "note": one.note, "made": one.made, "text": one.text, "diff": diff}
            for one in site.store.versions(found.id)[:50]
            for diff in [_diff(one.text, found.text)]
        ]
    }


def _diff(old: str, new: str) -> list[str]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2)
    return [line for line in lines if not line.startswith(("---", "+++"))][:400]


async def work(site: Site, request: Request) -> Any:
    """Checks, edits, draws, converts, tests a chart, or finds what is worth doing."""
    what = request.path_params["what"]
    if what not in (*QUICK, *LONG):
        raise RequestError("there is no such work", 404)
    visitor = site.author(request)
    body = await site.body(request)
    arguments: dict[str, Any] = {"text": site.chart(body)}
    if what == "edit":
        edit = body.get("edit")
        if not isinstance(edit, dict):
            raise RequestError("'edit' is missing")
        arguments["edit"] = edit
    if what in ("draw", "convert"):
        arguments["form"] = str(body.get("form", ""))
    return await site.work(what, visitor, arguments)


ROUTES: list[tuple[str, Endpoint, list[str]]] = [
    ("/api/qr", qr, ["POST"]),
    ("/api/me", me, ["GET", "POST"]),
    ("/api/me", forget_me, ["DELETE"]),
    ("/api/me/export", export_me, ["GET"]),
    ("/api/author", become_author, ["POST"]),
    ("/api/network", open_network, ["POST"]),
    ("/api/games", games, ["GET"]),
    ("/api/games/{name}", game, ["GET"]),
    ("/api/lobby", lobby, ["GET"]),
    ("/api/tables", new_table, ["POST"]),
    ("/api/tables/{id}", delete_table, ["DELETE"]),
    ("/api/tables/{id}/game", table_game, ["GET"]),
    ("/api/drafts", drafts, ["GET", "POST"]),
    ("/api/drafts/{id}", draft, ["GET", "PUT", "DELETE"]),
    ("/api/drafts/{id}/publish", publish, ["POST"]),
    ("/api/drafts/{id}/versions", versions, ["GET", "POST"]),
    ("/api/work/{what}", work, ["POST"]),
]


def _route(site: Site, path: str, endpoint: Endpoint, methods: list[str]) -> Route:
    async def answer(request: Request) -> Response:
        request.scope["page"] = path
        try:
            found = await endpoint(site, request)
        except RequestError as error:
            return JSONResponse({"error": str(error)}, error.status)
        except LimitError as error:
            return JSONResponse({"error": str(error)}, 503)
        except FcdlError as error:
            return JSONResponse({"error": str(error)}, 400)
        except RecursionError:
            return JSONResponse({"error": "this is nested too deeply"}, 400)
        return found if isinstance(found, Response) else JSONResponse(found)

    return Route(path, answer, methods=methods)


# --- WebSockets ------------------------------------------------------------------------------------------------------


async def _receive(socket: WebSocket, limits: Limits) -> dict[str, Any] | None:
    """The next message; None if it is not one, or too long."""
    text = await socket.receive_text()
    if len(text) > limits.body_bytes:
        return None
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _socket_route(site: Site, path: str, endpoint: Callable[[Site, WebSocket], Awaitable[None]]) -> WebSocketRoute:
    async def talk(socket: WebSocket) -> None:
        await socket.accept()
        try:
            await endpoint(site, socket)
        except (WebSocketDisconnect, asyncio.CancelledError):
            return
        except (FcdlError, OSError) as error:
            with contextlib.suppress(RuntimeError, OSError):
                await socket.send_json({"do": "fatal", "text": str(error)})
        if socket.client_state is WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, OSError):
                await socket.close()

    return WebSocketRoute(path, talk)


async def table_socket(site: Site, socket: WebSocket) -> None:
    """A page at a table."""
    hello = await asyncio.wait_for(_receive(socket, site.limits), 20)
    secret = str((hello or {}).get("visitor", ""))
    if hello is None or not 20 <= len(secret) <= 100:
        raise TableError("who are you? Reload the page.")
    visitor = visitor_of(secret)
    table = site.tables.find(socket.path_params["id"])
    viewer = Viewer(visitor, site.name(hello.get("name")) or site.store.visitor(visitor)[0], site.limits)
    await table.enter(viewer, str(hello.get("token") or ""))
    sender = asyncio.get_running_loop().create_task(_send(socket, viewer))
    messages = Bucket(*site.limits_of(socket.client).messages)
    helping: set[asyncio.Task[None]] = set()
    try:
        while not sender.done():
            message = await _receive(socket, site.limits)
            if message is None or not messages.take():
                viewer.send({"do": "error", "text": "not so fast" if message else "this is not a message"})
                continue
            if message.get("do") == "ask":
                if len(helping) < 3:
                    task = asyncio.get_running_loop().create_task(_help(site, table.row.id, viewer, message))
                    helping.add(task)
                    task.add_done_callback(helping.discard)
                continue
            try:
                await _at_table(site, table.row.id, viewer, message)
            except FcdlError as error:
                illegal = isinstance(error, AnswerError) and error.code == "illegal"
                viewer.send({"do": "illegal" if illegal else "error", "text": str(error)})
    finally:
        table.leave(viewer)
        sender.cancel()
        for task in helping:
            task.cancel()


async def _send(socket: WebSocket, viewer: Viewer) -> None:
    """Sends a page what is for it, until it is cut off."""
    with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect):
        while (message := await viewer.next()) is not None:
            await socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))
        await socket.close()


def _number(message: dict[str, Any], key: str) -> int:
    value = message.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise TableError(f"'{key}' must be a number")
    return value


async def _at_table(site: Site, table_id: str, viewer: Viewer, message: dict[str, Any]) -> None:
    """What a page wants."""
    table = site.tables.find(table_id)
    match message.get("do"):
        case "move":
            await table.move(viewer, str(message.get("move", ""))[:2000], _number(message, "number"))
        case "undo":
            await table.undo(viewer)
        case "chat":
            table.chat(viewer, str(message.get("text", "")))
        case "sit":
            await table.sit(viewer, _number(message, "seat"))
        case "leave":
            await table.leave_seat(viewer)
        case "back":
            await table.come_back(viewer)
        case "computer":
            await table.set_computer(viewer, _number(message, "seat"), str(message.get("computer", "")))
        case "begin":
            await table.begin(viewer)
        case "name":
            await table.rename(viewer, site.name(message.get("name")))
        case "rematch":
            await table.rematch(viewer, site.tables.again)
        case "ping":
            viewer.send({"do": "pong"})
        case _:
            raise TableError("this is not something to do at a table")


async def _help(site: Site, table_id: str, viewer: Viewer, message: dict[str, Any]) -> None:
    """Answers a question without keeping the table waiting."""
    answer: dict[str, Any] = {"do": "answer", "id": message.get("id")}
    try:
        table = site.tables.find(table_id)
        what = message.get("what")
        if what == "why":
            found = await table.help(viewer, "why", move=str(message.get("move", ""))[:2000])
        elif what == "replay":
            found = await table.help(viewer, "replay", number=_number(message, "number"))
        elif what in ("hint", "known", "review", "record"):
            found = await table.help(viewer, str(what))
        else:
            raise TableError("this is not something to ask")
        answer["answer"] = found
    except FcdlError as error:
        answer["error"] = str(error)
    viewer.send(answer)


async def try_socket(site: Site, socket: WebSocket) -> None:
    """The "try it" pane: a draft under the debugger, in a process of its own that ends with the page."""
    hello = await asyncio.wait_for(_receive(socket, site.limits), 20)
    secret = str((hello or {}).get("visitor", ""))
    if hello is None or not 20 <= len(secret) <= 100 or not site.is_author(visitor_of(secret)):
        raise TableError("drawing needs the passphrase of this server")
    if site.tryouts >= site.limits.tryouts:
        raise TableError("too many games are being tried right now; try again in a few minutes")
    site.tryouts += 1
    child = Child("fcdl.web.tryout", memory_mb=site.limits.memory_mb)
    messages = Bucket(*site.limits_of(socket.client).messages)
    try:
        while True:
            message = await asyncio.wait_for(_receive(socket, site.limits), 1800)
            if message is None or not messages.take():
                await socket.send_json({"error": "not so fast" if message else "this is not a message"})
                continue
            if "text" in message:
                message["text"] = site.chart(message)
            try:
                answer = await child.ask("do", seconds=site.limits.move_seconds, message=message)
            except FcdlError as error:
                gone = isinstance(error, LimitError)
                answer = {"error": f"{error}; start again" if gone else str(error), "gone": gone}
            await socket.send_json(answer)
    except TimeoutError:
        raise TableError("nobody has tried anything for half an hour") from None
    finally:
        site.tryouts -= 1
        await child.close()


# --- the application -------------------------------------------------------------------------------------------------


async def _not_found(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": "there is no such thing"}, status)
    content, kind = page_files()["nowhere.html"]
    return Response(content, status, media_type=kind)


async def _clean(site: Site) -> None:
    """Closes and deletes what nobody needs, from time to time."""
    while True:
        await asyncio.sleep(CLEAN_EVERY)
        with contextlib.suppress(FcdlError, OSError):
            await site.tables.close_unused()
            site.store.delete_old(site.limits.days)


def make_app(store: Store, settings: Settings, network: Network | None = None) -> Door:
    """The whole site as an ASGI application."""
    site = Site(store, settings, network)

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        cleaner = asyncio.get_running_loop().create_task(_clean(site))
        try:
            yield
        finally:
            cleaner.cancel()
            await site.close()

    routes = [
        *(_route(site, path, page, ["GET"]) for path in PAGES),
        _route(site, "/files/{file}", page, ["GET"]),
        *(_route(site, path, endpoint, methods) for path, endpoint, methods in ROUTES),
        _socket_route(site, "/ws/table/{id}", table_socket),
        _socket_route(site, "/ws/try", try_socket),
    ]
    app = Starlette(
        routes=routes,
        lifespan=life,
        exception_handlers={404: _not_found, 405: _not_found},
    )
    app.state.site = site
    return Door(app, settings.limits, settings.names)


__all__ = ["Settings", "Site", "StoreError", "make_app"]
