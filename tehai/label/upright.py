"""Photos for those who heed no EXIF, and know no HEIC: upright, as the labels count their pixels."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from PIL import Image

    from vision.reading import Quad

_ORIENTATION: Final = 0x0112

PLAIN: Final = frozenset({".jpg", ".jpeg", ".png", ".webp"})
"""Suffixes of photos that every tool opens; others are exported as JPEG."""


_GREY: Final = (114, 114, 114)
"""What detectors pad their pictures with, and so learn to see nothing in."""


def open_image(source: Path | IO[bytes]) -> Image.Image:
    """The photo, HEIC too. Raises OSError."""
    from PIL import Image
    from pillow_heif import register_heif_opener

    register_heif_opener()
    return Image.open(source)


def is_upright(image: Image.Image) -> bool:
    """Whether its pixels lie as they are to be seen."""
    return bool(image.getexif().get(_ORIENTATION, 1) == 1)


def for_all(data: bytes, name: str, covered: Sequence[Quad] = ()) -> bytes:
    """The content of a photo, called ``name``, as every tool shows it with the pixels that the labels count;
    the same bytes where they do. ``covered``: what of it nobody is to see. Raises OSError."""
    suffix = PurePosixPath(name).suffix.lower()
    with open_image(io.BytesIO(data)) as image:
        if suffix in PLAIN and is_upright(image) and not covered:
            return data
        return upright(image, "PNG" if suffix == ".png" else "JPEG", covered)


def upright(image: Image.Image, kind: str, covered: Sequence[Quad] = ()) -> bytes:
    """The photo anew, turned as its EXIF says, as ``PNG`` or ``JPEG``, with grey over what is ``covered``."""
    from PIL import ImageDraw, ImageOps

    data = io.BytesIO()
    photo = ImageOps.exif_transpose(image).convert("RGB")
    for quad in covered:
        ImageDraw.Draw(photo).polygon([tuple(point) for point in quad], fill=_GREY)
    photo.save(data, kind, quality=95)
    return data.getvalue()
