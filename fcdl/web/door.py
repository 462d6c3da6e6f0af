"""Who may come in: hosts, origins, sizes and rates, and the headers that tell browsers what pages may do."""

from __future__ import annotations

import ipaddress
import socket
from collections import Counter
from collections.abc import Iterable

from starlette.datastructures import Address, Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fcdl.web.limits import NETWORK, Buckets, Limits

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Only our own files run; nothing inline, nothing from elsewhere, in nobody's frame."""
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def host_name(host: str) -> str:
    """A Host header without its port: `[::1]:80` is `::1`."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0] if host.count(":") <= 1 else host


def is_here(client: Address | None) -> bool:
    """Whether somebody sits at the server's own machine."""
    try:
        return client is not None and ipaddress.ip_address(client.host).is_loopback
    except ValueError:
        return False


class Door:
    """Middleware around the whole site."""

    def __init__(self, app: ASGIApp, limits: Limits, names: Iterable[str] = ()) -> None:
        """`names` are the names, other than addresses, that the server is known by."""
        self.app = app
        self.limits = limits
        self.names = {"localhost", socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"}
        self.names |= {name.lower() for name in names}
        self._requests = {True: Buckets(limits.requests), False: Buckets(NETWORK.requests)}
        """By whether somebody is here or elsewhere on the network."""
        self._sockets: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or one WebSocket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        client = scope["client"][0] if scope.get("client") else ""
        refused = self._refused(scope, headers, client)
        if scope["type"] == "websocket":
            if refused:
                await send({"type": "websocket.close", "code": 1008, "reason": refused})
                return
            self._sockets[client] += 1
            try:
                await self.app(scope, receive, send)
            finally:
                self._sockets[client] -= 1
                self._sockets += Counter()
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    given.setdefault(name, value)
                given.setdefault("cache-control", "no-store")
            await send(message)

        if refused:
            await PlainTextResponse(refused, 429 if refused == TOO_FAST else 403)(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)

    def _refused(self, scope: Scope, headers: Headers, client: str) -> str:
        """Why somebody may not come in; nothing if they may."""
        if not self._is_own_host(headers.get("host", "")):
            return "this server does not have that name (start it with --name to give it one)"
        here = is_here(Address(client, 0))
        if not self._requests[here].take(client):
            return TOO_FAST
        is_socket = scope["type"] == "websocket"
        if is_socket and self._sockets[client] >= (self.limits if here else NETWORK).sockets:
            return "too many pages are open"
        if is_socket or scope["method"] not in ("GET", "HEAD"):
            # Every browser says where such a request comes from; a page of another site may not make one.
            origin = headers.get("origin", "")
            if origin.partition("://")[2].lower() != headers.get("host", "").lower():
                return "this request comes from another site"
        return ""

    def _is_own_host(self, host: str) -> bool:
        """A name that somebody else gave to this address (DNS rebinding) is not ours; addresses are."""
        name = host_name(host).lower()
        if name in self.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


TOO_FAST = "too many requests; wait a little"
