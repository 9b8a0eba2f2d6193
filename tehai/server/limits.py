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
from tehai.server.security import ANONYMOUS


@dataclass(frozen=True, slots=True)
class Limits:
    """``upload``, ``frame``, ``text``: bytes of a body that holds photos, one frame, JSON. ``photos``: shots
    of one hand. ``uploads``: bodies with photos that are in memory at once; ``uploads_each``: of one client.

    ``in_flight``: requests at once of all clients, of which ``followers`` may wait for news of a game;
    ``in_flight_each``: of one client. ``a_minute``: of one client.
    A client is a cookie, and an address, whatever cookies come from there.
    ``in_flight_anonymous``, ``a_minute_anonymous``: of all together who have no token where one is needed.
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
    in_flight_anonymous: int = 8
    a_minute_anonymous: int = 120
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


class RateLimit:
    """A limit of requests a minute for each client (token bucket)."""

    CLIENTS = 1024
    """The number of clients to remember. The least recent ones are dropped."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self._most = float(a_minute)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> float:
        """Seconds until the client may send a request. 0: it may now, and this request counts."""
        now = self._clock()
        left, then = self._left.pop(client, (self._most, now))
        left = min(self._most, left + (now - then) * self._most / 60)
        allowed = left >= 1
        self._left[client] = (left - allowed, now)
        if len(self._left) > self.CLIENTS:
            self._left.popitem(last=False)
        return 0.0 if allowed else (1 - left) * 60 / self._most


def names_of(scope: Scope) -> Collection[str]:
    """The names that a request counts for: its cookie and its address, or one name for all anonymous
    clients."""
    client = scope["state"]["client"]
    return (client,) if client == ANONYMOUS else {client, scope["state"]["address"]}


class ConcurrencyLimit:
    """A limit of requests in progress: ``most`` in all, ``each`` for one name."""

    def __init__(self, most: int, each: int) -> None:
        self._most = most
        self._each = each
        self._all = 0
        self._counts: Counter[str] = Counter()

    @contextmanager
    def joined(self, names: Collection[str]) -> Iterator[None]:
        """Count a request within this context. Raises :class:`Refusal` for too many."""
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


class LimitsMiddleware:
    """ASGI middleware that applies the limits to requests under ``/api/``.

    The state of the scope has the ``client`` and ``address`` of the request.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._pace = RateLimit(limits.a_minute)
        self._anonymous = RateLimit(limits.a_minute_anonymous)
        self._in_flight = ConcurrencyLimit(limits.in_flight, limits.in_flight_each)
        self._anonymous_in_flight = ConcurrencyLimit(limits.in_flight, limits.in_flight_anonymous)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        if scope["state"]["client"] == ANONYMOUS:
            receive = await self._received(scope, receive)
        with self._admitted(names_of(scope)):
            await self._app(scope, receive, send)

    async def _received(self, scope: Scope, receive: Receive) -> Receive:
        """Receive the whole body of an anonymous client before the request counts. Otherwise bodies that
        never arrive would block all other anonymous clients."""
        body = await whole(Request(scope, receive), self._limits.text, self._limits)
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def received() -> Message:
            return waiting.pop() if waiting else await receive()

        return received

    @contextmanager
    def _admitted(self, names: Collection[str]) -> Iterator[None]:
        limits, rate, crowd, a_minute = self._limits, self._pace, self._in_flight, self._limits.a_minute
        if ANONYMOUS in names:
            rate, crowd, a_minute = self._anonymous, self._anonymous_in_flight, limits.a_minute_anonymous
        with crowd.joined(names):
            if wait := max(rate.wait(name) for name in names):
                raise Refusal(429, "too_fast", f"These are more than {a_minute} requests a minute.", wait)
            yield


async def chunks(request: Request, most: int, limits: Limits) -> AsyncGenerator[bytes, None]:
    """The chunks of the body. Raises :class:`Refusal` if it is larger than ``most`` bytes, by its header or
    in fact, or slower than the limits allow."""
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
    """The whole body; raises as :func:`chunks` does."""
    return b"".join([chunk async for chunk in chunks(request, most, limits)])
