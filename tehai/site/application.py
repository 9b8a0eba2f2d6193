"""The page's application in a browser: the same that ``tehai serve`` serves, at a pool without threads.

Imported by ``static/worker.js``, which asks it for each request of the page. What reads photos is imported
with :meth:`SiteReader.open`, so that typed hands wait for nothing.
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
"""Photos come as pixels, three bytes each: of six shots 3 megapixels each, 6 of one
(``static/photos.js``); a frame is one of 6."""


class SiteReader:
    """Reads photos once :meth:`open` has brought what that takes."""

    def __init__(self) -> None:
        self._reader: Reader | None = None

    def open(self, runtime: Runtime) -> None:
        """``runtime``: what runs the networks."""
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
    """Everything is done where it is asked for, one thing after another."""

    def __init__(self, reader: SiteReader) -> None:
        self.reader = reader

    async def look(self, work: Callable[[], T], is_gone: Callable[[], Awaitable[bool]]) -> T:
        return work()

    async def think(self, work: Callable[[], T]) -> T:
        return work()


_AHEAD: Final = ("ctypes", "pickle", "platform", "sysconfig")
"""What numpy imports of Python's library: half of what its own import takes, were it not there already."""

_ANY: Final = {"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": True, "seat_wind": "S"}

reader = SiteReader()
app = make_app(InPlace(reader), limits=LIMITS)


async def answer(method: str, path: str, headers: Any, body: Any) -> tuple[int, Any, bytes]:
    """Status, headers and body for a request of the page, whose headers and body are JavaScript's."""
    found = await ask(app, f"/{path}", method, headers.to_py(), body.to_bytes())
    return found.status, list(found.headers.items()), found.body


def warm() -> None:
    """Scores and tells a hand, so that the player's first one finds everything at hand, and imports what the
    first photo needs of Python's own."""
    for name in _AHEAD:
        import_module(name)
    request_rules = RequestRules()
    given = hand_input_of(_ANY, request_rules.rules(None), request_rules.default)
    for language in LANGUAGES:
        scored(given, language)
        lesson_of(given, language)
