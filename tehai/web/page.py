"""The files of a page: HTML, CSS and scripts as they are."""

from __future__ import annotations

import mimetypes
from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

for _type, _suffix in (("text/javascript", ".js"), ("application/manifest+json", ".webmanifest")):
    mimetypes.add_type(_type, _suffix)  # some machines call scripts plain text, and browsers then refuse them


class Page(StaticFiles):
    """Files that a browser asks for anew each time, and gets again only where they have changed."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response
