"""Who follows a game: told of each change by server-sent events, until he goes or the server stops."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tehai.server.answers import Refusal
from tehai.server.connection import LASTING

EACH: Final = 4
"""Followers of one client. One more, and the one that began first is let go: a phone that has lost the
network comes again before the server knows that it was gone."""

EACH_ADDRESS: Final = 12
"""Followers from one address, whatever cookies they have: the others keep their places."""

HEARTBEAT: Final = 15.0
"""Seconds after which something is sent though nothing changed, so that who is gone is noticed."""


@dataclass(frozen=True, slots=True)
class View:
    """How a game stands: ``record`` for who asks, ``event`` for who follows; made once for all of them."""

    record: Mapping[str, Any]
    event: bytes

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> View:
        data = json.dumps(record, separators=(",", ":")).encode("ascii")
        return cls(record, b"event: game\ndata: " + data + b"\n\n")

    @property
    def state(self) -> tuple[Any, ...]:
        """What is another after a change, or a dora indicator that was turned."""
        return self.record["id"], self.record["number"], self.record.get("dora")


@dataclass(eq=False, slots=True)
class Follower:
    """``news``: something changed, or he is to go (``gone``). ``ended``: whether his session was ended."""

    client: str
    address: str
    news: asyncio.Event = field(default_factory=asyncio.Event)
    gone: bool = False
    ended: Callable[[], bool] = lambda: False


class Followers:
    """All of a server, ``most`` at once. They are woken and look themselves, so that nothing waits in a queue
    for the slow."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._all: list[Follower] = []

    def wake(self) -> None:
        """Something has changed."""
        for follower in self._all:
            follower.news.set()

    @contextmanager
    def joined(self, client: str, address: str) -> Iterator[Follower]:
        """Raises :class:`Refusal` where too many are there."""
        self._make_room([one for one in self._all if one.client == client], EACH)
        self._make_room([one for one in self._all if one.address == address], EACH_ADDRESS)
        if len(self._all) >= self._most:
            raise Refusal(429, "busy", "Too many phones follow a game here; close one of them.", 10)
        follower = Follower(client, address)
        self._all.append(follower)
        try:
            yield follower
        finally:
            if follower in self._all:
                self._all.remove(follower)

    def _make_room(self, own: Sequence[Follower], most: int) -> None:
        """Where a client has as many as it may, the one that began first goes."""
        if len(own) >= most:
            own[0].gone = True
            own[0].news.set()
            self._all.remove(own[0])


class Following(Response):
    """The answer to who follows: it has no end."""

    def __init__(self, followers: Followers, look: Callable[[], Awaitable[View]]) -> None:
        super().__init__()
        self._followers = followers
        self._look = look

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["state"][LASTING] = True
        state = scope["state"]
        with self._followers.joined(state["client"], state["address"]) as follower:
            follower.ended = state.get("ended", follower.ended)
            stream = told(follower, self._look)
            headers = {"Cache-Control": "no-store"}
            answer = StreamingResponse(stream, headers=headers, media_type="text/event-stream")
            await answer(scope, receive, send)


async def told(follower: Follower, look: Callable[[], Awaitable[View]]) -> AsyncIterator[bytes]:
    """What is sent to a follower: how the game stands now, and again after each change of it.

    ``look``: the view, whose ``state`` says whether it is another than before.
    """
    last: tuple[Any, ...] | None = None
    yield b"retry: 1000\n\n"
    while not (follower.gone or follower.ended()):
        follower.news.clear()
        view = await look()
        yield b": here\n\n" if view.state == last else view.event
        last = view.state
        with suppress(TimeoutError):
            async with asyncio.timeout(HEARTBEAT):
                await follower.news.wait()
