"""How much one may ask of the server: bytes, requests in flight and a minute, seconds for a body."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tehai.server.answers import GONE, Refusal
from tehai.server.security import GUEST


@dataclass(frozen=True, slots=True)
class Limits:
    """``upload``, ``frame``, ``text``: bytes of a body that holds photos, one frame, JSON. ``photos``: shots
    of one hand. ``uploads``: bodies with photos that are in memory at once; more wait.

    ``in_flight``: requests at once of all clients; ``in_flight_each``: of one. ``a_minute``: of one client.
    ``in_flight_guests``, ``a_minute_guests``: of all together who have no token where one is needed.
    ``grace``: seconds after which a body must have come at ``slowest`` bytes a second.
    """

    upload: int = 20_000_000
    frame: int = 4_000_000
    text: int = 64_000
    photos: int = 6
    uploads: int = 12
    in_flight: int = 96
    in_flight_each: int = 16
    a_minute: int = 600
    in_flight_guests: int = 8
    a_minute_guests: int = 120
    grace: float = 10.0
    slowest: float = 100_000


class Pace:
    """Requests a minute of each client, as a bucket that fills steadily and may be emptied at once."""

    CLIENTS = 1024
    """Clients remembered; those not seen for longest are forgotten first."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self._most = float(a_minute)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> float:
        """Seconds until the client may ask again, 0 where it may now; then the request is counted."""
        now = self._clock()
        left, then = self._left.pop(client, (self._most, now))
        left = min(self._most, left + (now - then) * self._most / 60)
        allowed = left >= 1
        self._left[client] = (left - allowed, now)
        if len(self._left) > self.CLIENTS:
            self._left.popitem(last=False)
        return 0.0 if allowed else (1 - left) * 60 / self._most


class Gate:
    """ASGI middleware that lets requests under ``/api/`` pass as the limits allow.

    Whose request it is stands in the scope's state as ``client``.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._pace = Pace(limits.a_minute)
        self._guests = Pace(limits.a_minute_guests)
        self._in_flight: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        client = scope["state"]["client"]
        if client == GUEST:
            receive = await self._received(scope, receive)
        with self._admitted(client):
            await self._app(scope, receive, send)

    async def _received(self, scope: Scope, receive: Receive) -> Receive:
        """The body of who has no token, whole before the request counts: bodies that do not come would take
        the place of all the others."""
        body = await whole(Request(scope, receive), self._limits.text, self._limits)
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def received() -> Message:
            return waiting.pop() if waiting else await receive()

        return received

    @contextmanager
    def _admitted(self, client: str) -> Iterator[None]:
        limits, pace = self._limits, self._pace
        each, a_minute = limits.in_flight_each, limits.a_minute
        if client == GUEST:
            each, a_minute, pace = limits.in_flight_guests, limits.a_minute_guests, self._guests
        if self._in_flight.total() >= limits.in_flight or self._in_flight[client] >= each:
            raise Refusal(429, "busy", "Too many requests are waiting; try again in a moment.", 1)
        if wait := pace.wait(client):
            raise Refusal(429, "too_fast", f"That were more than {a_minute} requests in a minute.", wait)
        self._in_flight[client] += 1
        try:
            yield
        finally:
            self._in_flight[client] -= 1
            if not self._in_flight[client]:
                del self._in_flight[client]


async def chunks(request: Request, most: int, limits: Limits) -> AsyncGenerator[bytes, None]:
    """The body as it comes. Raises :class:`Refusal` once it is larger than ``most`` bytes, said or not, or
    slower than the limits allow."""
    too_large = Refusal(
        413, "too_large", f"That is larger than {most / 1e6:g} MB; send less, or a smaller photo."
    )
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise too_large
    start = monotonic()
    received = 0
    stream = request.stream()
    while True:
        try:
            async with asyncio.timeout(start + limits.grace + received / limits.slowest - monotonic()):
                chunk = await anext(stream, None)
        except TimeoutError:
            raise Refusal(408, "too_slow", "The request took too long to arrive; send it again.") from None
        except ClientDisconnect:
            raise GONE from None
        if chunk is None:
            return
        received += len(chunk)
        if received > most:
            raise too_large
        yield chunk


async def whole(request: Request, most: int, limits: Limits) -> bytes:
    """The body at once, as :func:`chunks` lets it through."""
    return b"".join([chunk async for chunk in chunks(request, most, limits)])
