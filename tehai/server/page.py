"""What every page of ours is made of: its files as they are, and the tiles drawn."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import Any, Final

from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from scorer import svg
from scorer.tiles import TILES
from tehai.server.answers import Refusal

for _type, _suffix in (("text/javascript", ".js"), ("application/manifest+json", ".webmanifest")):
    mimetypes.add_type(_type, _suffix)  # some machines call scripts plain text, and browsers then refuse them

SHARED: Final = Path(__file__).with_name("static")
"""Scripts that all pages have in common; a page has them under ``shared/``."""


class Page(StaticFiles):
    """Files that a browser asks for anew each time, and gets again only where they have changed; packed where
    it can unpack them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._packed = GZipMiddleware(super().__call__)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._packed(scope, receive, send)

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response


async def tile(request: Request) -> Response:
    """A tile drawn."""
    drawn = _TILES.get(request.path_params["label"])
    if drawn is None:
        raise Refusal(404, "no_tile", "There is no tile of that name.")
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


def files(folder: Path, under: str = "/") -> frozenset[str]:
    """The paths of the files in a folder that is served there."""
    return frozenset(
        f"{under}{file.relative_to(folder).as_posix()}" for file in folder.rglob("*") if file.is_file()
    )


_TILES = {svg.BACK: svg.tile_svg(svg.BACK), **{str(tile): svg.tile_svg(tile) for tile in TILES}}

COMMON: Final = files(SHARED, "/shared/") | {f"/tiles/{label}.svg" for label in _TILES}
"""The paths that every page of ours asks for."""
