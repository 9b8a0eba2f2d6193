"""``tehai serve``: a socket, the address and its QR code on the terminal, the server until Ctrl-C."""

from __future__ import annotations

import errno
import io
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path

import segno
import uvicorn
from rich.console import Console

from tehai.errors import Mistake
from tehai.web.app import make_app
from tehai.web.desk import open_desk
from tehai.web.house import House
from tehai.web.security import LOOPBACK, Access

PORT = 8765


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says. ``lan``: None for this machine alone, else an interface, an address, or
    empty for the one that leads out. ``port``: 0 for any that is free."""

    port: int = PORT
    lan: str | None = None
    https: bool = False
    rules: str = "ema2008"
    keep: Path | None = None


def serve(options: Options, console: Console) -> None:
    """Serve until interrupted. Raises :class:`Mistake` for what cannot be: a port taken, unknown rules."""
    house = House.of(options.rules)
    address = "127.0.0.1"
    with listen(address, options.port) as listening:
        port = listening.getsockname()[1]
        token = secrets.token_urlsafe(24) if options.lan is not None else ""
        access = Access(LOOPBACK | {address}, options.https, token)
        config = uvicorn.Config(
            make_app(open_desk(), access, house),
            http="h11",
            ws="none",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=256,
            timeout_graceful_shutdown=20,
        )
        url = f"{access.scheme}://{address}:{port}/{f'?t={token}' if token else ''}"
        console.print(f"tehai is at [bold]{url}[/bold]  (Ctrl-C stops it)", soft_wrap=True)
        console.print(_qr_code(url))
        try:
            uvicorn.Server(config).run(sockets=[listening])
        except KeyboardInterrupt:
            console.print("Stopped.")


def _qr_code(text: str) -> str:
    drawn = io.StringIO()
    segno.make(text, error="m").terminal(drawn, compact=True)
    return drawn.getvalue()


def listen(address: str, port: int) -> socket.socket:
    """A socket that listens there. Raises :class:`Mistake` where it cannot."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise Mistake(
                f"Port {port} is taken by another program; stop it, or choose another with --port (0: any)."
            ) from None
        raise Mistake(f"{address}:{port} cannot be listened on: {error.strerror}.") from None
    return listening
