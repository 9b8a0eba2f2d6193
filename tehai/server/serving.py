"""How an application is served: by uvicorn, on a socket, until Ctrl-C."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

import uvicorn
from rich.console import Console
from rich.logging import RichHandler
from uvicorn.server import HANDLED_SIGNALS

from tehai.server import connection
from tehai.server.connection import CONNECTIONS, TimeoutProtocol

if TYPE_CHECKING:
    from tehai.server.certificate import Certificate

FINISH = 30
"""Seconds that requests in flight have to end after Ctrl-C; a second one ends them at once."""


@contextmanager
def until_interrupted(server: uvicorn.Server, console: Console) -> Iterator[None]:
    """End a server gracefully on Ctrl-C at any time; a second Ctrl-C ends open requests at once. Errors are
    reported on stderr.

    uvicorn handles signals only while it serves. Before and after, the earlier handlers would apply, and a
    command that was started with ``&`` ignores interrupts.
    """
    shown = RichHandler(console=Console(stderr=True))
    shown.addFilter(RepeatedWarningFilter())
    logging.basicConfig(level=logging.WARNING, format="%(message)s", handlers=[shown])
    before = {number: signal.signal(number, server.handle_exit) for number in HANDLED_SIGNALS}
    try:
        yield
        console.print("Stopped.")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class RepeatedWarningFilter(logging.Filter):
    """A log filter that shows only a few warnings of one kind a minute, so that bad requests cannot flood the
    terminal."""

    MOST: Final = 5
    SECONDS: Final = 60.0

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._counts: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to show a record. The last one shown says that further ones are hidden."""
        kind = str(record.msg)[:80]
        begun, count = self._counts.get(kind, (self._clock(), 0))
        if self._clock() - begun >= self.SECONDS:
            begun, count = self._clock(), 0
        if kind not in self._counts and len(self._counts) >= 100:
            self._counts.clear()
        self._counts[kind] = begun, count + 1
        if count + 1 == self.MOST:
            record.msg, record.args = (
                f"{record.getMessage()} (more of this kind are not shown for a minute)",
                (),
            )
        return count < self.MOST


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
        http=TimeoutProtocol,
        ws="none",
        log_config=None,  # the token is in an address: no address is ever logged
        access_log=False,
        proxy_headers=False,  # who asks is who is connected, whatever the headers say
        server_header=False,
        limit_concurrency=2 * CONNECTIONS,  # never reached: connections make room themselves
        timeout_graceful_shutdown=FINISH,
        ssl_certfile=certificate.server if certificate else None,
    )
