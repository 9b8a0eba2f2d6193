"""How much one may ask of the server: bytes, requests in flight and a minute, seconds for a body."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import monotonic

from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tehai.server.answers import GONE, Refusal
from tehai.server.security import GUEST


@dataclass(frozen=True, slots=True)
class Limits:
    """``upload``, ``frame``, ``text``: bytes of a body that holds photos, one frame, JSON. ``photos``: shots
    of one hand. ``uploads``: bodies with photos that are in memory at once; ``uploads_each``: of one client.

    ``in_flight``: requests at once of all clients, of which ``followers`` may wait for news of a game;
    ``in_flight_each``: of one client. ``a_minute``: of one client.
    A client is a cookie, and an address, whatever cookies come from there.
    ``in_flight_guests``, ``a_minute_guests``: of all together who have no token where one is needed.
    ``grace``: seconds after which a body must have come at ``slowest`` bytes a second.
    """

    upload: int = 20_000_000
    frame: int = 4_000_000
    text: int = 64_000
    photos: int = 6
    uploads: int = 36
    uploads_each: int = 3
    in_flight: int = 96
    followers: int = 48
    in_flight_each: int = 16
    a_minute: int = 600
    in_flight_guests: int = 8
    a_minute_guests: int = 120
    grace: float = 10.0
    slowest: float = 100_000

    @classmethod
    def of(cls, upload_mb: int | None = None, clients: int | None = None) -> Limits:
        """Those of ``tehai serve``: megabytes of an upload, and phones and screens at once."""
        limits = cls()
        if upload_mb is not None:
            limits = replace(limits, upload=1_000_000 * upload_mb)
        if clients is not None:
            limits = replace(limits, in_flight=2 * clients, followers=clients)
        return limits

    def words(self) -> dict[str, str]:
        """The limits that can be set, in words."""
        return {
            "--max-upload-mb": f"{self.upload // 1_000_000}",
            "--clients": f"{self.followers}",
        }


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


def names_of(scope: Scope) -> Collection[str]:
    """Under which names a request counts: its cookie and its address, or all guests together."""
    client = scope["state"]["client"]
    return (client,) if client == GUEST else {client, scope["state"]["address"]}


class Crowd:
    """Who is being served: at most ``most`` at once, and ``each`` under one name."""

    def __init__(self, most: int, each: int) -> None:
        self._most = most
        self._each = each
        self._all = 0
        self._counts: Counter[str] = Counter()

    @contextmanager
    def joined(self, names: Collection[str]) -> Iterator[None]:
        """Raises :class:`Refusal` where there are too many."""
        if self._all >= self._most or any(self._counts[name] >= self._each for name in names):
            raise Refusal(429, "busy", "Too many requests are waiting; try again in a moment.", 1)
        self._all += 1
        self._counts.update(names)
        try:
            yield
        finally:
            self._all -= 1
            self._counts.subtract(names)
            for name in names:
                if not self._counts[name]:
                    del self._counts[name]


class Gate:
    """ASGI middleware that lets requests under ``/api/`` pass as the limits allow.

    Whose request it is stands in the scope's state as ``client`` and ``address``.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._pace = Pace(limits.a_minute)
        self._guests = Pace(limits.a_minute_guests)
        self._in_flight = Crowd(limits.in_flight, limits.in_flight_each)
        self._guests_in_flight = Crowd(limits.in_flight, limits.in_flight_guests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        if scope["state"]["client"] == GUEST:
            receive = await self._received(scope, receive)
        with self._admitted(names_of(scope)):
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
    def _admitted(self, names: Collection[str]) -> Iterator[None]:
        limits, pace, crowd, a_minute = self._limits, self._pace, self._in_flight, self._limits.a_minute
        if GUEST in names:
            pace, crowd, a_minute = self._guests, self._guests_in_flight, limits.a_minute_guests
        with crowd.joined(names):
            if wait := max(pace.wait(name) for name in names):
                raise Refusal(429, "too_fast", f"These are more than {a_minute} requests a minute.", wait)
            yield


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
