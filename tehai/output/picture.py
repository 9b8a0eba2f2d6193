"""Pictures inside a page."""

from __future__ import annotations

import io
from base64 import b64encode
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image as Picture


def data_uri(picture: Picture) -> str:
    """The picture as the address of an ``<img>`` that needs no file."""
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=88)
    return "data:image/jpeg;base64," + b64encode(out.getvalue()).decode("ascii")
