"""The application of ``tehai serve`` in a browser, without threads.

``static/worker.js`` imports it and passes it each request of the page. Modules that read photos are imported
by :meth:`SiteReader.open`, so that typed hands need not wait.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar

from scorer.telling.catalogue import LANGUAGES
from tehai.server.limits import Limits
from tehai.site.asgi import ask
from tehai.web.app import make_app
from tehai.web.hands import hand_input_of, lesson_of, scored
from tehai.web.request_rules import RequestRules

if TYPE_CHECKING:
    from tehai.site.network import Runtime
    from vision.image import Photo
    from vision.reader import Reader
    from vision.reading import Reading, Region

T = TypeVar("T")

LIMITS: Final = Limits(upload=64_000_000, frame=20_000_000)
"""Photos come as pixels of three bytes: six shots of 3 megapixels, or one of 6 (``static/photos.js``). A
frame is one of 6."""


class SiteReader:
    """Reads photos once :meth:`open` has loaded the networks."""

    def __init__(self) -> None:
        self._reader: Reader | None = None

    def open(self, runtime: Runtime) -> None:
        """Load the networks. ``runtime``: runs them."""
        from tehai.site.network import loader
        from vision.reader import Engine, Reader

        self._reader = Reader(Engine(threads=1), load=loader(runtime))

    def read(self, photo: Photo, *, region: Region | None = None) -> Reading:
        assert self._reader is not None
        return self._reader.read(photo, region=region)

    def read_frame(self, photo: Photo) -> Reading:
        assert self._reader is not None
        return self._reader.read_frame(photo)

    def read_rivers(self, photo: Photo) -> Reading:
        assert self._reader is not None
        return self._reader.read_rivers(photo)


class InPlace:
    """Does all work at once, one task after another."""

    def __init__(self, reader: SiteReader) -> None:
        self.reader = reader

    async def look(self, work: Callable[[], T], is_gone: Callable[[], Awaitable[bool]]) -> T:
        return work()

    async def think(self, work: Callable[[], T]) -> T:
        return work()


_AHEAD: Final = ("ctypes", "pickle", "platform", "sysconfig")
"""Modules of the standard library that numpy imports; together half of its import time."""

_ANY: Final = {"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": True, "seat_wind": "S"}

reader = SiteReader()
app = make_app(InPlace(reader), limits=LIMITS)


async def answer(method: str, path: str, headers: Any, body: Any) -> tuple[int, Any, bytes]:
    """Status, headers and body for a request of the page. The headers and the body are JavaScript objects."""
    found = await ask(app, f"/{path}", method, headers.to_py(), body.to_bytes())
    return found.status, list(found.headers.items()), found.body


def warm() -> None:
    """Score and explain a hand, so that the player's first one is fast.

    Also import the modules of the standard library that the first photo needs.
    """
    for name in _AHEAD:
        import_module(name)
    request_rules = RequestRules()
    given = hand_input_of(_ANY, request_rules.rules(None), request_rules.default)
    for language in LANGUAGES:
        scored(given, language)
        lesson_of(given, language)
