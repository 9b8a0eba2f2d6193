"""Connections with timeouts for requests and for closing, and with a limit that favours known clients.

uvicorn closes a connection that is idle between requests. It keeps one that sends nothing, or sends its
headers byte by byte, and at its limit it refuses new ones. So a stranger could block everybody with a few
hundred silent connections. Here the stranger's connections are closed instead.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from tehai.server.security import is_inside

HEADERS: Final = 10.0
"""Seconds from the opening of a connection, or the first byte of a request, to the end of its headers."""

FAREWELL: Final = 1.0
"""Seconds to wait for the client to close when the server ends. TLS would wait half a minute."""

CONNECTIONS: Final = 256
"""The most open connections; a browser opens six. A further one replaces another
(:meth:`TimeoutProtocol._make_room`)."""

LASTING: Final = "lasting"
"""A key in the state of a request with an endless answer. The server does not wait for it when it stops."""


class TimeoutProtocol(H11Protocol):
    """The HTTP protocol of uvicorn with timeouts and a limit of connections."""

    _deadline: asyncio.TimerHandle | None = None
    _moved = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._moved = self.loop.time()
        self._expect_headers()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        self._moved = self.loop.time()
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._expect_headers()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    def shutdown(self) -> None:
        super().shutdown()
        if self._state.get(LASTING):
            self.transport.close()
        if self.transport.is_closing():  # nothing is in flight
            self.loop.call_later(FAREWELL, self.transport.abort)

    @property
    def _state(self) -> dict[str, Any]:
        """What is known of the last request."""
        return dict(self.scope["state"]) if self.scope else {}

    @property
    def _is_served(self) -> bool:
        """Whether somebody who is in waits for an answer."""
        in_flight = self.cycle is not None and not self.cycle.response_complete
        return in_flight and is_inside(self._state)

    def _make_room(self) -> None:
        """Where too many are open one leaves: a stranger's before one of who is in, then the one that has
        been silent for longest. Who is in and waits for an answer stays."""
        there = [
            one
            for one in self.connections
            if isinstance(one, TimeoutProtocol) and one is not self and not one.transport.is_closing()
        ]
        if len(there) < CONNECTIONS:
            return
        resting = [one for one in there if not one._is_served] or [self]
        min(resting, key=lambda one: (is_inside(one._state), one._moved)).transport.abort()

    def _expect_headers(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEADERS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
