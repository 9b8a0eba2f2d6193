"""Who follows a game: told of each change by server-sent events, until he goes or the server stops."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tehai.server.answers import Refusal
from tehai.server.connection import LASTING

MOST: Final = 48
"""Followers at once; half of what the server lets be in flight."""

EACH: Final = 4
"""Followers of one client. One more, and the one that began first is let go: a phone that has lost the
network comes again before the server knows that it was gone."""

HEARTBEAT: Final = 15.0
"""Seconds after which something is sent though nothing changed, so that who is gone is noticed."""

View = dict[str, Any]


@dataclass(eq=False, slots=True)
class Follower:
    """``news``: something changed, or he is to go (``gone``)."""

    client: str
    news: asyncio.Event = field(default_factory=asyncio.Event)
    gone: bool = False


class Followers:
    """All of a server. They are woken and look themselves, so that nothing waits in a queue for the slow."""

    def __init__(self) -> None:
        self._all: list[Follower] = []

    def wake(self) -> None:
        """Something has changed."""
        for follower in self._all:
            follower.news.set()

    @contextmanager
    def joined(self, client: str) -> Iterator[Follower]:
        """Raises :class:`Refusal` where too many are there."""
        own = [one for one in self._all if one.client == client]
        if len(own) >= EACH:
            own[0].gone = True
            own[0].news.set()
            self._all.remove(own[0])
        if len(self._all) >= MOST:
            raise Refusal(429, "busy", "Too many phones follow a game here; close one of them.", 10)
        follower = Follower(client)
        self._all.append(follower)
        try:
            yield follower
        finally:
            if follower in self._all:
                self._all.remove(follower)


class Following(Response):
    """The answer to who follows: it has no end."""

    def __init__(self, followers: Followers, look: Callable[[], Awaitable[View]]) -> None:
        super().__init__()
        self._followers = followers
        self._look = look

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["state"][LASTING] = True
        with self._followers.joined(scope["state"]["client"]) as follower:
            stream = told(follower, self._look)
            headers = {"Cache-Control": "no-store"}
            answer = StreamingResponse(stream, headers=headers, media_type="text/event-stream")
            await answer(scope, receive, send)


async def told(follower: Follower, look: Callable[[], Awaitable[View]]) -> AsyncIterator[bytes]:
    """What is sent to a follower: how the game stands now, and again after each change of it.

    ``look``: the view, whose ``id``, ``number`` and ``dora`` say whether it is another than before.
    """
    last: tuple[Any, ...] | None = None
    yield b"retry: 2000\n\n"
    while not follower.gone:
        follower.news.clear()
        view = await look()
        seen = view["id"], view["number"], view.get("dora")
        yield b": here\n\n" if seen == last else _event(view)
        last = seen
        with suppress(TimeoutError):
            async with asyncio.timeout(HEARTBEAT):
                await follower.news.wait()


def _event(view: View) -> bytes:
    return b"event: game\ndata: " + json.dumps(view, separators=(",", ":")).encode("ascii") + b"\n\n"
