"""`fcdl web`."""

from __future__ import annotations

import importlib.util
import ipaddress
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path

import click

PASSPHRASE = "FCDL_PASSPHRASE"


@click.command("web")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 is the whole network.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: any that is free.")
@click.option("--data", type=click.Path(path_type=Path, dir_okay=False), help="The file that keeps everything.")
@click.option("--name", "names", multiple=True, help="A name by which browsers reach this machine.")
@click.option("--passphrase", help=f"What authors must know on a network. Default: ${PASSPHRASE}, or it is asked for.")
@click.option("--open/--no-open", "opens", default=True, help="Open the page in a browser.")
def command(
    host: str, port: int, data: Path | None, names: tuple[str, ...], passphrase: str | None, opens: bool
) -> None:
    """Draw, play and study games in the browser, alone or with friends on the same network.

    Ctrl-C ends the server; drafts and games stay where they are.
    """
    for needed in ("segno", "starlette", "uvicorn", "websockets"):
        if importlib.util.find_spec(needed) is None:
            raise click.ClickException(f"{needed} is missing: pip install 'fcdl[web]'")
    import uvicorn

    from fcdl.ui.store import data_folder
    from fcdl.web.limits import LOCAL, NETWORK
    from fcdl.web.network import Network
    from fcdl.web.server import Settings, make_app
    from fcdl.web.store import Store

    local = _is_local(host)
    secret = "" if local else passphrase or os.environ.get(PASSPHRASE) or _ask_passphrase()
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    store = Store(data or data_folder() / "web.sqlite")
    try:
        addresses = [f"http://{'localhost' if local else address}:{port}/" for address in _addresses(host)]
        network = Network(port)
        if not local:
            network.address = addresses[0].rstrip("/")
        app = make_app(store, Settings(LOCAL if local else NETWORK, local, secret, names), network)
        for address in addresses:
            click.echo(address)
        if secret:
            click.echo(f"To draw games one must know the passphrase: {secret}", err=True)
        click.echo("Ctrl-C ends the server.", err=True)
        if opens:
            threading.Timer(0.5, webbrowser.open, [addresses[0]]).start()
        config = uvicorn.Config(
            app,
            log_level="warning",
            ws="websockets-sansio",
            ws_max_size=1_000_000,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=3,
        )
        network.server = uvicorn.Server(config)
        network.server.run(sockets=[listening])
    finally:
        store.close()


def _is_local(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens; raises OSError that names the place."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise click.ClickException(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    listening.setblocking(False)
    return listening


def _ask_passphrase() -> str:
    """Asks for a passphrase; without a terminal it makes one."""
    from fcdl.web.network import make_passphrase

    made = make_passphrase()
    if not sys.stdin.isatty():
        return made
    given: str = click.prompt("Passphrase for those who may draw games", default=made, err=True)
    return given


def _addresses(host: str) -> list[str]:
    """The addresses to give to others."""
    if host not in ("0.0.0.0", "::"):
        return [host]
    from fcdl.web.network import own_address

    found = own_address()
    return [found, "127.0.0.1"] if found else ["127.0.0.1"]
