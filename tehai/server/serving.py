"""How an application is served: by uvicorn, on a socket, until Ctrl-C."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import uvicorn
from rich.console import Console
from rich.logging import RichHandler
from uvicorn.server import HANDLED_SIGNALS

from tehai.server import connection
from tehai.server.certificate import Certificate
from tehai.server.connection import CONNECTIONS, Impatient

FINISH = 30
"""Seconds that requests in flight have to end after Ctrl-C; a second one ends them at once."""


@contextmanager
def until_interrupted(server: uvicorn.Server, console: Console) -> Iterator[None]:
    """While a server is announced and runs, Ctrl-C ends it gracefully, whenever it comes; a second one ends
    at once what is in flight. What goes wrong meanwhile is told on stderr.

    uvicorn listens to signals itself, but only while it serves, and leaves the rest to the handlers of
    before: an interrupt would be lost where these ignore it, as in a command started behind ``&``.
    """
    logging.basicConfig(
        level=logging.WARNING, format="%(message)s", handlers=[RichHandler(console=Console(stderr=True))]
    )
    before = {number: signal.signal(number, server.handle_exit) for number in HANDLED_SIGNALS}
    try:
        yield
        console.print("Stopped.")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Server(uvicorn.Server):
    """uvicorn's own; a handshake of TLS, for which it sets no limit, is waited for as long as headers are."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if self.config.ssl:
            loop = asyncio.get_running_loop()
            bounded = partial(loop.create_server, ssl_handshake_timeout=connection.HEADERS)
            loop.create_server = bounded  # type: ignore[method-assign]
        await super().startup(sockets)


def configured(app: object, certificate: Certificate | None = None) -> uvicorn.Config:
    """How uvicorn serves the application."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=Impatient,
        ws="none",
        log_config=None,  # the token is in an address: no address is ever logged
        access_log=False,
        proxy_headers=False,  # who asks is who is connected, whatever the headers say
        server_header=False,
        limit_concurrency=2 * CONNECTIONS,  # never reached: connections make room themselves
        timeout_graceful_shutdown=FINISH,
        ssl_certfile=certificate.server if certificate else None,
    )
