"""Turn one photo into a line of the journal. This part of labelling runs in every worker."""

from __future__ import annotations

import hashlib
from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tehai.label import points
from tehai.label.files import Readable, content, unopened
from tehai.label.hashing import perceptual_hash
from vision.arrays import Array
from vision.faces import probabilities
from vision.image import Photo, PhotoError, load
from vision.labels import CLASSES, FOREIGN, UNREADABLE
from vision.reader import Engine, Reader
from vision.reading import PHOTO_DOUBTS, Reading, SeenTile

CANDIDATES = 3
"""The number of labels to keep for each tile, likeliest first."""


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """The result of labelling a photo. ``facts``: the fields of its line; None if it was not read.

    ``message``: why it cannot be read; empty if it was settled already. ``sha256``: of its bytes; None if
    they cannot be read.
    """

    sha256: str | None
    facts: dict[str, Any] | None
    message: str = ""


class Labeller:
    """Reads photos for the journal, with networks that are loaded once."""

    def __init__(self, engine: Engine) -> None:
        self._reader = Reader(engine)

    def __call__(self, file: Readable, settled: Container[str] = (), *, known: bool = False) -> PhotoResult:
        """The result for a file. This never raises, so that one bad file does not stop the others.

        ``settled``: hashes of contents that need no reading. ``known``: whether the networks have read it
        before, so that only its points are missing.
        """
        sha256 = None
        try:
            data = content(file)
            sha256 = hashlib.sha256(data).hexdigest()
            if sha256 in settled:
                return PhotoResult(sha256, None)
            photo = load(data)  # load first: it reports faults of the file
            if photo.fault:
                why = PHOTO_DOUBTS[photo.fault]  # training could not load such a file
                return PhotoResult(sha256, None, why[0].lower() + why[1:])
            if known:
                return PhotoResult(sha256, {"points": points.found(photo.pixels)})
            return PhotoResult(sha256, {"taken": when_taken(data), **self._facts(photo)})
        except PhotoError as error:
            return PhotoResult(sha256, None, str(error))
        except OSError as error:
            return PhotoResult(sha256, None, unopened(error))
        except MemoryError:
            return PhotoResult(sha256, None, "the photo needs more memory than there is; make it smaller.")
        except Exception as error:
            return PhotoResult(
                sha256, None, f"reading it failed inside tehai ({type(error).__name__}: {error})."
            )

    def _facts(self, photo: Photo) -> dict[str, Any]:
        reading = self._reader.read(photo)
        record = reading.to_record()
        return {
            "width": photo.width,
            "height": photo.height,
            "phash": perceptual_hash(photo.pixels),
            "points": points.found(photo.pixels),
            "tiles": self._tiles(photo, reading),
            "hand": record["hand"],
            "status": reading.status,
            "message": reading.message,
            "confidence": record["confidence"],
            "doubts": record["doubts"],
            "ms": round(sum(reading.elapsed_ms.values()), 1),
        }

    def _tiles(self, photo: Photo, reading: Reading) -> list[dict[str, Any]]:
        """The tiles with the candidates of the face network at their quads."""
        quads = np.array([tile.quad for tile in reading.tiles], np.float32).reshape(-1, 4, 2)
        faces = self._reader.classify(photo, np.asarray((quads + 0.5) / photo.scale - 0.5, np.float32))
        return [
            tile_record(readable(tile), shares)
            for tile, shares in zip(reading.tiles, probabilities(faces).astype(float), strict=True)
        ]


def readable(tile: SeenTile) -> SeenTile:
    """The tile, with a foreign face as unreadable: the journal has no label for it."""
    return replace(tile, label=UNREADABLE) if tile.label == FOREIGN else tile


def tile_record(tile: SeenTile, probabilities: Array) -> dict[str, Any]:
    """A tile of the journal: that of the reading, with ``top3`` and ``margin`` from ``probabilities`` (39,).

    The margin is the probability of the label minus that of the likeliest other label. It is negative if the
    rules overruled the pixels.
    """
    order = np.argsort(-probabilities)
    top = [(CLASSES[k], round(float(probabilities[k]), 4)) for k in order[: CANDIDATES + 1]]
    own = float(probabilities[CLASSES.index(tile.label)]) if tile.label in CLASSES else 0.0
    record = {name: value for name, value in tile.to_record().items() if name != "runner_up"}
    return {
        **record,
        "probability": round(own, 4),
        "margin": round(own - next(p for label, p in top if label != tile.label), 4),
        "top3": [list(one) for one in top[:CANDIDATES]],
    }


def when_taken(data: bytes) -> str | None:
    """The time of a photo from its EXIF (ISO 8601, local time); None without one."""
    import struct
    import warnings
    from datetime import datetime
    from io import BytesIO

    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(BytesIO(data)) as image:
                stamp = image.getexif().get_ifd(_EXIF).get(_TAKEN)
        return datetime.strptime(str(stamp), "%Y:%m:%d %H:%M:%S").isoformat()
    except (OSError, ValueError, SyntaxError, struct.error, Image.DecompressionBombError):
        return None


_EXIF, _TAKEN = 0x8769, 0x9003
"""The EXIF tags of the time block and of the time."""
