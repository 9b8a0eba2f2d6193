"""Photos for the browser, upright in the pixels of the labels, and crops of their tiles."""

from __future__ import annotations

import hashlib
import io
import warnings
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final

import cv2
import numpy as np

from tehai.label.files import Folder, content, unopened
from tehai.label.journal import Line
from tehai.label.upright import is_upright, open_image, upright
from tehai.output.join import capitalised, printable
from vision.arrays import Pixels
from vision.faces import CropShape, cut
from vision.image import Photo, PhotoError, load

CROP: Final = CropShape(96, 120)
"""The size of a crop in the bulk view."""

KEPT: Final = 4000
"""The most crops in memory, some 4 kB each."""

_PLAIN: Final = {"JPEG": "image/jpeg", "MPO": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp"}
"""Formats that every browser shows."""
_DECODING: Final = Lock()
"""Photos are decoded one at a time: the largest takes 900 MB for a moment."""


class PhotoMissing(LookupError):
    """A photo that is not at its place. The message is a sentence."""


def read_bytes(folder: Folder, paths: Sequence[str], key: str) -> bytes:
    """The bytes of the photo with the hash ``key``. Raises :class:`PhotoMissing` if no path has it."""
    reason = ""
    for path in paths:
        try:
            data = content(folder / path)
        except FileNotFoundError:
            reason = f"{printable(path)} is not there any more"
        except OSError as error:
            raise PhotoMissing(f"{printable(path)}: {unopened(error)}") from None
        else:
            if hashlib.sha256(data).hexdigest() == key:
                return data
            reason = f"{printable(path)} holds another photo than when it was labelled"
    reason = reason or "The photo is nowhere in the folder any more"
    raise PhotoMissing(f"{reason}; where it has been moved, tehai label finds it again. Its labels are kept.")


def decoded(data: bytes, most: int | None = None) -> Photo:
    """The photo's pixels, its longer side at most ``most``. Raises :class:`vision.image.PhotoError`."""
    try:
        with _DECODING:
            return load(data, most)
    except PhotoError as error:
        raise PhotoError(capitalised(error), error.why) from None


def shown(data: bytes) -> tuple[bytes, str]:
    """The photo in full size with its media type. Raises OSError.

    Unchanged if every browser shows it upright; otherwise (HEIC, rotated by EXIF) converted.
    """
    from PIL.Image import DecompressionBombWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DecompressionBombWarning)
        with _DECODING, open_image(io.BytesIO(data)) as image:
            format_ = image.format or ""
            if format_ in _PLAIN and is_upright(image):
                return data, _PLAIN[format_]
            kind = "PNG" if format_ == "PNG" else "JPEG"
            return upright(image, kind), _PLAIN[kind]


def smaller(data: bytes, side: int) -> bytes:
    """The photo as a JPEG whose longer side is at most ``side``. Raises :class:`vision.image.PhotoError`."""
    return jpeg(decoded(data, side).pixels, 88)


def jpeg(pixels: Pixels, quality: int) -> bytes:
    """RGB pixels (h, w, 3) as a JPEG."""
    bgr = cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR)
    _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()


class Crops:
    """Upright crops as JPEG. A request for one makes all of the photo, which stay in memory for a while."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._crops: OrderedDict[tuple[str, int, int], bytes] = OrderedDict()
        self._lock = Lock()
        self._cutting = Lock()

    def find(self, key: str, revision: int, tile: int) -> bytes | None:
        """The crop, if it is in memory."""
        with self._lock:
            name = key, revision, tile
            if name in self._crops:
                self._crops.move_to_end(name)
            return self._crops.get(name)

    def cut(self, line: Line, tile: int, photo: Callable[[], Photo]) -> bytes:
        """The crop of a tile of a revision. Simultaneous requests for a photo decode it once."""
        with self._cutting:
            known = self.find(line["sha256"], line["revision"], tile)
            return known or self._cut(line, photo())[tile]

    def _cut(self, line: Line, photo: Photo) -> list[bytes]:
        quads = np.array([tile["quad"] for tile in line["tiles"]], np.float32).reshape(-1, 4, 2)
        pixels = np.asarray((quads + 0.5) / photo.scale - 0.5, np.float32)
        crops = [jpeg(crop, 85) for crop in cut(photo.pixels, pixels, CROP)]
        with self._lock:
            for at, crop in enumerate(crops):
                self._crops[line["sha256"], line["revision"], at] = crop
            while len(self._crops) > self._kept:
                self._crops.popitem(last=False)
        return crops
