"""Loads any photo, from a path, bytes, a PIL image or an array, as an upright RGB array of checked size."""

from __future__ import annotations

import io
import math
import os
import re
import struct
import tempfile
import warnings
from _thread import allocate_lock
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array32, Pixels
from vision.pixels import decode_jpeg, from_grey, shrink, upright

if TYPE_CHECKING:
    from PIL import JpegImagePlugin
    from PIL.Image import Image

PhotoSource: TypeAlias = "str | Path | bytes | bytearray | memoryview | Image | NDArray[Any]"

MIN_SIDE = 32
"""Pixels. A smaller photo cannot show even one tile."""

MAX_PIXELS = {
    **dict.fromkeys(("JPEG", "MPO"), 210_000_000),
    **dict.fromkeys(("WEBP", "AVIF", "JPEG2000"), 32_000_000),
}
"""Largest photo that is decoded, by format. JPEG decodes to a smaller size, so 200-megapixel phones pass. The
other decoders hold 12 to 16 bytes a pixel, and no camera writes such large ones."""

MAX_PROGRESSIVE_SAMPLES = 305_000_000
"""Of all components of a progressive JPEG, whose decoder always holds two bytes for each. 200 megapixels take
730 MB with colours at half size, and 1.3 GB at full size."""

MAX_PIXELS_OTHERWISE = 64_000_000
"""For all other formats, which are decoded at full size, with 3 bytes a pixel."""

WORKING_PIXELS = 6_500_000
"""A larger JPEG is decoded at a half, a quarter or an eighth: 12 megapixels take 36 ms instead of 77, and
tiles still have far more pixels than the networks need."""

_SIGNATURES: tuple[tuple[str, int, bytes], ...] = (
    ("JPEG", 0, b"\xff\xd8\xff"),
    ("PNG", 0, b"\x89PNG\r\n"),
    ("WEBP", 8, b"WEBP"),
    ("AVIF", 4, b"ftypavi"),
    ("JPEG2000", 4, b"jP  \r\n"),
    ("JPEG2000", 0, b"\xff\x4f\xff\x51"),
    ("HEIF", 4, b"ftyp"),
    ("TIFF", 0, b"II*\0"),
    ("TIFF", 0, b"MM\0*"),
    ("GIF", 0, b"GIF8"),
    ("BMP", 0, b"BM"),
    ("PPM", 0, b"P6"),
)
"""Format, offset of its signature in the file, and the signature."""

_PPM = re.compile(rb"P6\s+(?:#(?: of (\d{1,6}) (\d{1,6}))?[^\n]*\n\s*)?(\d{1,6})\s+(\d{1,6})\s+255\s")
"""The head of a binary PPM (Netpbm, ppm(5)): width, height and maximum. One comment before them may give the
full size of a reduced photo: ``# of 4000 3000``."""

_PPM_HEAD = 200
"""Bytes at most."""

_EXIF_ORIENTATION = 0x0112
_BACKDROP = 128  # grey under transparent pixels: unlike a white tile or a dark table

_DECODED_HERE = ("RGB", "L")
"""Modes of a JPEG that is decoded without Pillow."""

_BAND_PIXELS = 1_000_000
"""Pixels that are converted to RGB at once: each step copies them, and 64 megapixels take 1.5 GB."""

_ORIENTATIONS = range(1, 9)
_ON_ITS_SIDE = range(5, 9)  # EXIF orientations that swap width and height


class PhotoError(ValueError):
    """A photo that cannot be used; the message is one sentence: what is wrong and what to do.

    ``why``: a key of :data:`FAULTS`, for the sentence in another language.
    """

    def __init__(self, sentence: str, why: str = "") -> None:
        super().__init__(sentence)
        self.why = why  # the default serves unpickling, which passes the sentence alone


@dataclass(frozen=True, slots=True)
class Photo:
    """An upright photo.

    ``pixels``: (h, w, 3) uint8 RGB, contiguous, perhaps reduced. ``width``, ``height``: of the upright photo
    at full resolution. ``name``: the path as given, else empty. ``fault``: a key of :data:`FAULTS` if part of
    the photo may be missing, else empty.
    """

    pixels: Pixels
    width: int
    height: int
    name: str = ""
    fault: str = ""

    @classmethod
    def decoded(cls, pixels: NDArray[Any], full_size: tuple[int, int], name: str = "") -> Photo:
        """A photo that something else decoded, such as a browser, and perhaps reduced.

        ``pixels``: an upright array as for :func:`load`. ``full_size``: width and height of the upright
        photo; a reading gives positions in its pixels. Raises :class:`PhotoError` for pixels that are no
        picture, and ValueError for another aspect or a larger size than the photo's.
        """
        rgb = _from_array(pixels)
        (height, width), (full_width, full_height) = rgb.shape[:2], full_size
        ratio = max(full_size) / max(height, width)
        # Reduced sides were rounded to whole pixels.
        if ratio < 1 or max(abs(full_width - ratio * width), abs(full_height - ratio * height)) > ratio:
            raise ValueError(
                f"{width}×{height} pixels are no photo of {full_width}×{full_height} made smaller"
            )
        return cls(rgb, full_width, full_height, name)

    @property
    def scale(self) -> float:
        """Full-resolution pixels for each pixel of ``pixels``, at least 1."""
        return float(max(self.width, self.height) / max(self.pixels.shape[:2]))

    def to_full(self, points: Array32) -> Array32:
        """Points (..., 2) of ``pixels`` in the full-resolution photo; whole numbers are pixel centres."""
        return np.asarray((points + 0.5) * self.scale - 0.5, np.float32)


def load(photo: PhotoSource | Photo, max_side: int | None = None) -> Photo:
    """The photo as an upright RGB array.

    ``photo``: a path; the bytes of a JPEG, PNG, WebP, HEIC, BMP or PPM file; a PIL image; or an array, (h, w)
    grey, (h, w, 3) RGB or (h, w, 4) RGBA, uint8 (uint16 is brought down to it). EXIF orientation is applied
    wherever there is EXIF: an array has none. ``max_side``: pixels to which the longer side is brought down.

    Raises :class:`PhotoError` for what is no photo, is damaged, too small or too large.
    """
    if isinstance(photo, Photo):
        return _shrink(photo, max_side)
    if isinstance(photo, np.ndarray):
        pixels = _from_array(photo)
        return _shrink(Photo(pixels, pixels.shape[1], pixels.shape[0]), max_side)
    if isinstance(photo, (str, Path)):
        return _from_file(_read_file(Path(photo)), str(photo), max_side)
    if isinstance(photo, (bytes, bytearray, memoryview)):
        return _from_file(bytes(photo), "", max_side)
    if hasattr(photo, "getexif"):
        return _shrink(_from_image(photo, ""), max_side)
    raise TypeError(f"a photo is a path, bytes, a PIL image or an array, not {type(photo).__name__}")


FAULTS: Final = {
    "missing": "does not exist; check the path.",
    "folder": "is a folder; give the photo's own path.",
    "unopened": "cannot be opened ({reason}); check its permissions.",
    "empty": "is empty; take or copy the photo again.",
    "no_image": "is not an image; give a JPEG, PNG, WebP or HEIC photo.",
    "unsupported": "is in a format that cannot be read here; give a JPEG, PNG, WebP or HEIC photo.",
    "transparent": "is wholly transparent; save it again with its background.",
    "undecoded": "cannot be decoded by this browser; give a JPEG or PNG photo."
    " An iPhone takes JPEG with Settings, Camera, Formats, “Most Compatible”.",
    "damaged": "is damaged; take or copy the photo again.",
    "cut_off": "breaks off before its end; copy or download the photo again.",
    "too_small": "is only {width}×{height} pixels; give a photo of at least {least} pixels a side.",
    "too_large": "is {width}×{height} pixels, more than the {most} megapixels that are read;"
    " make it smaller.",
    "progressive": "is a progressive JPEG of {width}×{height} pixels, which takes too much memory to decode;"
    " make it smaller, or save it as a baseline JPEG.",
    "bomb": "has far too many pixels to be a photo; make it smaller.",
}
"""What is wrong with a photo and what to do, by the reason."""


def _error(name: str, why: str, **values: object) -> PhotoError:
    return PhotoError(f"{name or 'the photo'} {FAULTS[why].format(**values)}", why)


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise _error(str(path), "missing") from None
    except IsADirectoryError:
        raise _error(str(path), "folder") from None
    except OSError as reason:
        raise _error(str(path), "unopened", reason=reason.strerror) from None


def _check_size(name: str, format: str, width: int, height: int) -> None:
    if min(width, height) < MIN_SIDE:
        raise _error(name, "too_small", width=width, height=height, least=MIN_SIDE)
    limit = MAX_PIXELS.get(format, MAX_PIXELS_OTHERWISE)
    if width * height > limit:
        raise _error(name, "too_large", width=width, height=height, most=limit // 1_000_000)


def _check_coefficients(name: str, image: JpegImagePlugin.JpegImageFile) -> None:
    """Refuses a progressive JPEG that takes too much memory. ``image.layer``: of each component its id, its
    sampling factors across and down, and its table."""
    width, height = image.size
    sampled = [across * down for _, across, down, _ in image.layer]
    if width * height * sum(sampled) > MAX_PROGRESSIVE_SAMPLES * max(sampled):
        raise _error(name, "progressive", width=width, height=height)


def _from_file(data: bytes, name: str, max_side: int | None) -> Photo:
    if not data:
        raise _error(name, "empty")
    format = next((known for known, at, mark in _SIGNATURES if data.startswith(mark, at)), "")
    if format == "PPM":
        # It comes from a browser that has decoded the photo, where there is no Pillow.
        return _shrink(_from_ppm(data, name), max_side)
    try:
        from PIL import Image, JpegImagePlugin, UnidentifiedImageError
    except ImportError:
        raise _error(name, "undecoded") from None

    if format == "HEIF":
        from pillow_heif import register_heif_opener

        register_heif_opener()
    elif format and format != "JPEG":
        Image.preinit()
        if format not in Image.OPEN:
            Image.init()  # all formats of this Pillow, which takes longer
        if format not in Image.OPEN:
            raise _error(name, "unsupported")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            if format == "JPEG":  # Image.open refuses 200 megapixels; the size is checked below
                image: Image.Image = JpegImagePlugin.JpegImageFile(io.BytesIO(data))
            else:
                image = Image.open(io.BytesIO(data), formats=[format] if format else [])
    except Image.DecompressionBombError:
        raise _error(name, "bomb") from None
    except UnidentifiedImageError:
        if format == "TIFF" and _has_unknown_samples(data):
            raise _error(name, "unsupported") from None
        raise _error(name, "damaged" if format in ("TIFF", "JPEG2000", "AVIF") else "no_image") from None
    except (OSError, SyntaxError, ValueError, EOFError):
        raise _error(name, "damaged") from None
    _check_size(name, image.format or "", *image.size)
    if isinstance(image, JpegImagePlugin.JpegImageFile) and image.info.get("progressive"):
        _check_coefficients(name, image)
    if image.format == "JPEG":
        return _shrink(_from_jpeg(data, image, name, max_side), max_side)
    return _shrink(_from_image(image, name), max_side)


def _has_unknown_samples(data: bytes) -> bool:
    """Whether Pillow refuses a TIFF only for its samples, such as colours in floats."""
    from PIL import TiffImagePlugin

    try:
        TiffImagePlugin.TiffImageFile(io.BytesIO(data))
    except (OSError, SyntaxError, ValueError, EOFError) as reason:
        return str(reason) == "unknown pixel mode"
    return False


def _from_ppm(data: bytes, name: str) -> Photo:
    """A decoded photo (:meth:`Photo.decoded`) from a binary PPM."""
    head = _PPM.match(data[:_PPM_HEAD])
    if head is None:
        raise _error(name, "damaged")
    width, height = int(head[3]), int(head[4])
    full = (int(head[1]), int(head[2])) if head[1] else (width, height)
    _check_size(name, "PPM", width, height)
    _check_size(name, "JPEG", *full)  # the largest that any format may have
    pixels = np.frombuffer(data, np.uint8, offset=head.end())
    if pixels.size < 3 * width * height:
        raise _error(name, "cut_off")
    try:
        return Photo.decoded(pixels[: 3 * width * height].reshape(height, width, 3), full, name)
    except PhotoError:
        raise
    except ValueError:
        raise _error(name, "damaged") from None


def _is_complete_jpeg(data: bytes) -> bool:
    """Whether the end-of-image marker follows the first scan. Decoders fill a missing part with grey.

    The search starts after the header, whose thumbnail has an end marker of its own. More data may follow the
    end (motion photos).
    """
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xDA:  # start of scan
            return data.rfind(b"\xff\xd9", at) >= 0  # the last one: the scan is long
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big") if marker != 0xFF else 1
    return False


def _from_jpeg(data: bytes, header: Image, name: str, max_side: int | None) -> Photo:
    width, height = header.size
    factor = 1
    while factor < 8 and (
        width * height > WORKING_PIXELS * factor**2
        or (max_side is not None and max(width, height) >= 2 * factor * max_side)
    ):
        factor *= 2
    if header.mode not in _DECODED_HERE:  # CMYK, which the decoder here does not know
        header.draft(header.mode, (width // factor, height // factor))
        photo = _from_image(header, name)
        return Photo(photo.pixels, *_upright_size(header, width, height), name, photo.fault)
    complete = _is_complete_jpeg(data)
    # The decoder refuses a file without its end.
    whole = data if complete else data + b"\xff\xd9"
    stored, warning = _with_warnings(lambda: decode_jpeg(whole, factor))
    if stored is None:
        raise _error(name, "damaged")
    fault = "damaged" if _CORRUPT.search(warning) else ""
    return replace(_upright(stored, header, name), fault=fault if complete else "cut_off")


_CORRUPT: Final = re.compile(rb"(?:bad Huffman code|premature end of data|\b\d{3,} extraneous bytes)")
"""Warnings of the decoder about a corrupt scan. A few extraneous bytes are common and harmless."""

_STDERR: Final = allocate_lock()  # a browser has locks, though no threads


def _with_warnings(decode: Callable[[], Pixels | None]) -> tuple[Pixels | None, bytes]:
    """The decoded pixels, and what the decoder wrote to standard error: it reports damage nowhere else."""
    with _STDERR, tempfile.TemporaryFile() as captured:
        try:
            stderr = os.dup(2)
        except OSError:  # there is no standard error
            return decode(), b""
        try:
            os.dup2(captured.fileno(), 2)
            decoded = decode()
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
        captured.seek(0)
        return decoded, captured.read()


def _upright(pixels: Pixels, image: Image, name: str) -> Photo:
    """The stored pixels of ``image``, rotated by its EXIF orientation."""
    return Photo(upright(pixels, orientation(image)), *_upright_size(image, *image.size), name)


def orientation(image: Image) -> int:
    """The EXIF orientation of a PIL image, 1 to 8; 1 without EXIF, and if it is damaged, as in browsers."""
    try:
        found = image.getexif().get(_EXIF_ORIENTATION, 1)
    except (SyntaxError, OSError, ValueError, struct.error):  # all that Pillow raises for it
        return 1
    return int(found) if found in _ORIENTATIONS else 1


def _upright_size(image: Image, width: int, height: int) -> tuple[int, int]:
    """Width and height of the upright photo, from those of the stored one."""
    on_its_side = orientation(image) in _ON_ITS_SIDE
    return (height, width) if on_its_side else (width, height)


def _from_image(image: Image, name: str) -> Photo:
    """A PIL image: any mode; transparent pixels lie on grey."""
    _check_size(name, image.format or "", *image.size)
    try:
        image.load()  # may apply the orientation
        if image.mode in ("I", "F"):
            pixels = _from_samples(np.asarray(image, np.float32))
        else:
            is_deep = image.mode.startswith("I;16")
            pixels = _from_array(np.asarray(image)) if is_deep else _as_rgb(image, name)
    except (OSError, SyntaxError, ValueError, EOFError) as reason:
        if isinstance(reason, PhotoError):
            raise
        raise _error(name, "damaged" if isinstance(reason, EOFError) else "cut_off") from None
    return _upright(pixels, image, name)


def _as_rgb(image: Image, name: str) -> Pixels:
    """The image's pixels, transparent ones on grey, in bands, as each step copies its input."""
    from PIL import Image as images

    width, height = image.size
    pixels = np.empty((height, width, 3), np.uint8)
    rows = max(1, _BAND_PIXELS // width)
    shows = not image.has_transparency_data
    for top in range(0, height, rows):
        band = image.crop((0, top, width, min(top + rows, height)))
        if image.has_transparency_data:
            backdrop = images.new("RGBA", band.size, (_BACKDROP, _BACKDROP, _BACKDROP, 255))
            band = band.convert("RGBA")
            shows = shows or bool(np.any(np.asarray(band)[..., 3]))
            band = images.alpha_composite(backdrop, band)
        pixels[top : top + rows] = np.asarray(band.convert("RGB"), np.uint8)
    if not shows:
        raise _error(name, "transparent")
    return pixels


def _from_samples(grey: Array32) -> Pixels:
    """Grey samples of 32 bits, whose white is not fixed: the largest of them is white here."""
    grey = np.nan_to_num(grey, posinf=0, neginf=0).clip(0)
    return from_grey((grey * (255 / max(float(grey.max()), 1e-9))).astype(np.uint8))


def _from_array(array: NDArray[Any]) -> Pixels:
    if array.dtype.type is np.uint16:  # in either byte order
        array = (array >> 8).astype(np.uint8)
    channels = array.shape[2] if array.ndim == 3 else 1
    if array.dtype != np.uint8 or array.ndim not in (2, 3) or channels not in (1, 3, 4):
        raise PhotoError(
            f"an array of shape {array.shape} and type {array.dtype} is no photo; "
            "give (height, width, 3) RGB values of type uint8.",
            "no_image",
        )
    _check_size("", "", array.shape[1], array.shape[0])
    if channels == 1:
        return from_grey(np.ascontiguousarray(array.reshape(array.shape[:2])))
    if channels == 4:
        alpha = array[..., 3:].astype(np.uint16)
        array = ((array[..., :3] * alpha + _BACKDROP * (255 - alpha)) // 255).astype(np.uint8)
    return np.ascontiguousarray(array)


def _shrink(photo: Photo, max_side: int | None) -> Photo:
    height, width = photo.pixels.shape[:2]
    if max_side is None or max(height, width) <= max_side:
        return photo
    ratio = max_side / max(height, width)
    size = (max(1, math.floor(width * ratio + 0.5)), max(1, math.floor(height * ratio + 0.5)))
    return replace(photo, pixels=shrink(photo.pixels, size))
