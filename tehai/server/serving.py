"""How an application is served: by uvicorn, on a socket, until Ctrl-C."""

from __future__ import annotations

import logging
import socket

import uvicorn
from rich.console import Console
from rich.logging import RichHandler

from tehai.server.certificate import Certificate
from tehai.server.connection import Impatient

CONNECTIONS = 256
"""Open at once; a browser opens six. More are answered 503 by uvicorn itself."""

FINISH = 30
"""Seconds that requests in flight have to end after Ctrl-C; a second one ends them at once."""


def until_interrupted(server: uvicorn.Server, listening: socket.socket, console: Console) -> None:
    """Serve on a socket until Ctrl-C; what goes wrong meanwhile is told on stderr."""
    logging.basicConfig(
        level=logging.WARNING, format="%(message)s", handlers=[RichHandler(console=Console(stderr=True))]
    )
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        console.print("Stopped.")


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
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=FINISH,
        ssl_certfile=certificate.server if certificate else None,
    )
