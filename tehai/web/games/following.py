"""Follow a game: server-sent events after each change, until the client leaves or the server stops."""

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
"""The most followers of one client. A further one replaces the oldest.

A phone that loses the network reconnects before the server notices.
"""

EACH_ADDRESS: Final = 12
"""The most followers from one address, whatever their cookies, so that others keep their places."""

HEARTBEAT: Final = 15.0
"""Seconds after which something is sent without a change, to detect clients that left."""


@dataclass(frozen=True, slots=True)
class View:
    """The state of a game: ``record`` for requests, ``event`` for followers; made once for all of them."""

    record: Mapping[str, Any]
    event: bytes

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> View:
        data = json.dumps(record, separators=(",", ":")).encode("ascii")
        return cls(record, b"event: game\ndata: " + data + b"\n\n")

    @property
    def state(self) -> tuple[Any, ...]:
        """A value that differs after a change and after a new dora indicator."""
        return self.record["id"], self.record["number"], self.record.get("dora")


@dataclass(eq=False, slots=True)
class Follower:
    """A client that follows. ``news``: the game changed, or the client must leave (``gone``). ``ended``:
    whether its session was ended."""

    client: str
    address: str
    news: asyncio.Event = field(default_factory=asyncio.Event)
    gone: bool = False
    ended: Callable[[], bool] = lambda: False


class Followers:
    """All followers of a server, at most ``most``. They are woken and fetch the state themselves, so that no
    queue grows for slow ones."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._all: list[Follower] = []

    def wake(self) -> None:
        """Wake all followers."""
        for follower in self._all:
            follower.news.set()

    @contextmanager
    def joined(self, client: str, address: str) -> Iterator[Follower]:
        """Add a follower within this context. Raises :class:`Refusal` for too many."""
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
        """Remove the oldest follower of a client with the most allowed."""
        if len(own) >= most:
            own[0].gone = True
            own[0].news.set()
            self._all.remove(own[0])


class Following(Response):
    """The endless answer for a follower."""

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
    """The events for a follower: the state now, and again after each change.

    ``look``: the view; its ``state`` says whether it is new.
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
