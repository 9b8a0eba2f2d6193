"""Photos for those who heed no EXIF, and know no HEIC: upright, as the labels count their pixels."""

from __future__ import annotations

import io
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from PIL import Image

_ORIENTATION: Final = 0x0112

PLAIN: Final = frozenset({".jpg", ".jpeg", ".png", ".webp"})
"""Suffixes of photos that every tool opens; others are exported as JPEG."""


def open_image(source: Path | IO[bytes]) -> Image.Image:
    """The photo, HEIC too. Raises OSError."""
    from PIL import Image
    from pillow_heif import register_heif_opener

    register_heif_opener()
    return Image.open(source)


def is_upright(image: Image.Image) -> bool:
    """Whether its pixels lie as they are to be seen."""
    return bool(image.getexif().get(_ORIENTATION, 1) == 1)


def turned(source: Path) -> bytes:
    """The photo anew, where not every tool would show it as the labels count its pixels: HEIC, or turned by
    its EXIF. Nothing for one that can stay as it is. Raises OSError."""
    with open_image(source) as image:
        if source.suffix.lower() in PLAIN and is_upright(image):
            return b""
        return upright(image, "PNG" if source.suffix.lower() == ".png" else "JPEG")


def for_all(source: Path) -> bytes:
    """The bytes of a photo that every tool shows as the labels count its pixels. Raises OSError."""
    return turned(source) or source.read_bytes()


def upright(image: Image.Image, kind: str) -> bytes:
    """The photo anew, turned as its EXIF says, as ``PNG`` or ``JPEG``."""
    from PIL import ImageOps

    data = io.BytesIO()
    ImageOps.exif_transpose(image).convert("RGB").save(data, kind, quality=95)
    return data.getvalue()
