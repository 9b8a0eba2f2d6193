"""A connection that does not wait for ever for a request to begin, nor for a farewell.

uvicorn closes a connection that rests between requests, but lets one that has just been opened, or that sends
its headers byte by byte, stay; a few hundred of these would keep everybody else out.
"""

from __future__ import annotations

import asyncio
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADERS: Final = 10.0
"""Seconds from the opening of a connection, or the first byte of a request, to the end of its headers."""

FAREWELL: Final = 1.0
"""Seconds that the other side has to take leave when the server ends; TLS would wait half a minute for it."""


class Impatient(H11Protocol):
    """uvicorn's own protocol with these limits."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_headers()

    def data_received(self, data: bytes) -> None:
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
        if self.transport.is_closing():  # nothing is in flight
            self.loop.call_later(FAREWELL, self.transport.abort)

    def _expect_headers(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEADERS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
