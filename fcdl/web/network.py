"""From one's own machine to the network around it: which address others use, and letting them in while it runs."""

from __future__ import annotations

import asyncio
import secrets
import socket
from typing import TYPE_CHECKING

from fcdl.errors import FcdlError

if TYPE_CHECKING:
    import uvicorn

WORDS = (
    "clubs", "diamonds", "hearts", "spades", "ace", "king", "queen", "jack", "ten", "nine", "eight", "seven", "trump",
    "trick", "deal", "cut",
)  # fmt: skip


class NetworkError(FcdlError):
    """This machine cannot be reached from elsewhere."""


def make_passphrase() -> str:
    """Words that can be said across a table."""
    return "-".join(secrets.choice(WORDS) for _ in range(5))


def own_address() -> str | None:
    """The address of this machine on its network; None if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: this only asks which address would be used
            found: str = probe.getsockname()[0]
        except OSError:
            return None
    return None if found.startswith("127.") else found


class Network:
    """Lets a server that listens on this machine listen on its network, too."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.address: str | None = None
        """Where others reach it, once it is open."""
        self.server: uvicorn.Server | None = None

    async def open(self) -> str:
        """Listens on the network, on the same port; the address for others. Raises NetworkError."""
        if self.address is not None:
            return self.address
        found, server = own_address(), self.server
        if found is None or server is None:
            raise NetworkError("this machine is on no network")
        try:
            listening = socket.create_server((found, self.port), backlog=2048)
        except OSError as error:
            raise NetworkError(f"cannot listen on {found}:{self.port}: {error.strerror or error}") from None
        config, loop = server.config, asyncio.get_running_loop()

        def protocol() -> asyncio.Protocol:
            made: asyncio.Protocol = config.http_protocol_class(  # type: ignore[call-arg]
                config=config, server_state=server.server_state, app_state=server.lifespan.state
            )
            return made

        server.servers.append(await loop.create_server(protocol, sock=listening))  # closed with the server
        self.address = f"http://{found}:{self.port}"
        return self.address
