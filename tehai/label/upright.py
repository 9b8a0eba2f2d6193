"""Photos for tools that ignore EXIF and cannot read HEIC: upright, in the pixels of the labels."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL import Image

    from vision.reading import Quad

PLAIN: Final = frozenset({".jpg", ".jpeg", ".png", ".webp"})
"""Suffixes of photos that every tool opens. Others are exported as JPEG."""

_PLAIN_FORMATS: Final = frozenset({"JPEG", "MPO", "PNG", "WEBP"})
"""What such a photo may hold: some phones call HEIC ``.jpg``."""

_JPEG: Final = b"\xff\xd8\xff"

_GREY: Final = (114, 114, 114)
"""The colour with which detectors pad pictures, so that they detect nothing in it."""


def open_image(source: IO[bytes]) -> Image.Image:
    """Open a photo, HEIC included. Raises OSError."""
    from PIL import Image, JpegImagePlugin
    from pillow_heif import register_heif_opener

    begins = source.read(len(_JPEG))
    source.seek(0)
    if begins == _JPEG:  # Image.open refuses the 200 megapixels that are labelled
        try:
            return JpegImagePlugin.JpegImageFile(source)
        except SyntaxError as reason:
            raise OSError(f"it is damaged: {reason}") from None
    register_heif_opener()
    return Image.open(source)


def is_upright(image: Image.Image) -> bool:
    """Whether the pixels are stored upright."""
    from vision.image import orientation

    return orientation(image) == 1


def for_all(data: bytes, name: str, covered: Sequence[Quad] = ()) -> bytes:
    """The content of the photo ``name`` in the pixels of the labels; the same bytes if nothing changes.

    ``covered``: the regions to cover. Raises OSError.
    """
    suffix = PurePosixPath(name).suffix.lower()
    with open_image(io.BytesIO(data)) as image:
        plain = suffix in PLAIN and image.format in _PLAIN_FORMATS
        if plain and is_upright(image) and not covered:
            return data
        return upright(image, "PNG" if suffix == ".png" else "JPEG", covered)


def upright(image: Image.Image, kind: str, covered: Sequence[Quad] = ()) -> bytes:
    """The photo as ``PNG`` or ``JPEG`` as it was read, with grey over the ``covered`` regions. Raises
    OSError."""
    from PIL import Image, ImageDraw

    from vision.image import PhotoError, load

    data = io.BytesIO()
    try:
        photo = Image.fromarray(load(image).pixels)
    except PhotoError as error:
        raise OSError(str(error)) from None
    for quad in covered:
        ImageDraw.Draw(photo).polygon([tuple(point) for point in quad], fill=_GREY)
    photo.save(data, kind, quality=95)
    return data.getvalue()
