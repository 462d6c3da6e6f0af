"""A real server on 127.0.0.1 and people who talk to it over HTTP and WebSockets, as pages do."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

ROOT = Path(__file__).parents[2]
WAIT = 30.0


class Server:
    """`fcdl web` in a process of its own, which can be killed and started again on the same file and port."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.data = data
        self.arguments = arguments
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "fcdl", "web", "--no-open", "--port", str(self.port), "--data", str(self.data)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [*command, *self.arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        assert self.process.stdout is not None
        address = self.process.stdout.readline().strip()
        self.port = int(address.rstrip("/").rpartition(":")[2])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """As a crash would end it."""
        self.process.send_signal(signal.SIGKILL)
        self._gone()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self._gone()
        except subprocess.TimeoutExpired:
            self.kill()

    def _gone(self) -> None:
        self.process.wait(15)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextlib.contextmanager
def serving(data: Path, *arguments: str) -> Iterator[Server]:
    server = Server(data, *arguments)
    try:
        yield server
    finally:
        server.stop()


class Refused(Exception):  # noqa: N818
    """The server says no."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text}")
        self.status = status


class Person:
    """A browser as the server knows it."""

    def __init__(self, server: Server, name: str = "Anna") -> None:
        self.server = server
        self.name = name
        self.token = f"{name:_<30}"

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        given = {"origin": self.server.address, "x-visitor": self.token, **headers}
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.server.address + path, data, given, method=method)
        try:
            with urllib.request.urlopen(request, timeout=WAIT) as answer:
                content, kind = answer.read(), answer.headers["content-type"]
        except urllib.error.HTTPError as error:
            with error:
                raise Refused(error.code, error.read().decode()) from None
        return json.loads(content) if kind == "application/json" else content.decode()

    def table(self, game: str, *seats: str, is_open: bool = True, **options: str) -> str:
        """Sets up a table, and sits at it."""
        wanted = {"game": game, "seats": ["person", *seats], "options": options, "open": is_open}
        found: str = self.ask("POST", "/api/tables", wanted)["id"]
        return found

    def enter(self, table: str, token: str = "") -> "Page":
        return Page(self, table, token)


class Page:
    """An open page at a table; keeps everything that it was sent."""

    def __init__(self, person: Person, table: str, token: str = "") -> None:
        server = person.server
        self._open = contextlib.ExitStack()
        self.socket: ClientConnection = self._open.enter_context(
            connect(
                f"ws://127.0.0.1:{server.port}/ws/table/{table}",
                origin=Origin(server.address),
                max_size=None,
                open_timeout=WAIT,
            )
        )
        self.received: list[str] = []
        self.send(do="hello", visitor=person.token, name=person.name, token=token)
        self.hello = self.until(lambda message: message["do"] in ("hello", "fatal"))
        self.table: dict[str, Any] = self.hello.get("table", {})
        self.sight: dict[str, Any] | None = self.hello.get("sight")

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def next(self, timeout: float = WAIT) -> dict[str, Any]:
        text = self.socket.recv(timeout)
        assert isinstance(text, str)
        self.received.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["do"] in ("sight", "hello") and message.get("sight"):
            self.sight = message["sight"]
        if "table" in message:
            self.table = message["table"]
        return message

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            message = self.next()
            if wanted(message):
                return message

    def ask(self, what: str, **more: Any) -> Any:
        self.send(do="ask", id=what, what=what, **more)
        return self.until(lambda message: message["do"] == "answer" and message["id"] == what)

    @property
    def my_turn(self) -> bool:
        return self.sight is not None and self.sight["mover"] == self.table["you"] and not self.sight["over"]

    def wait_for_turn(self) -> None:
        """Until it is one's turn, or the game is over."""
        while not (self.sight and (self.my_turn or self.sight["over"])):
            self.next()

    def move(self, number: int = 0) -> str:
        """Makes a legal move, and waits until the server says so."""
        self.wait_for_turn()
        assert self.sight is not None
        kind, what = self.sight["legal"][number % len(self.sight["legal"])]
        text, before = f"{kind} {what}".strip(), self.sight["number"]
        self.send(do="move", move=text, number=before)
        self.until(lambda message: message["do"] == "sight" and message["sight"]["number"] > before)
        return text

    def play_to_the_end(self) -> None:
        self.wait_for_turn()
        while self.sight is not None and not self.sight["over"]:
            self.move()
            self.wait_for_turn()

    def close(self) -> None:
        self._open.close()
