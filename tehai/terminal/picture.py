"""Saving photos with their readings drawn on them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import cv2

from tehai.errors import Mistake
from tehai.hand import sample
from tehai.output.drawing import draw
from vision.image import load
from vision.reading import Reading


class Drawings:
    """Drawings of ``photos`` in ``out``: a file, or a folder, which is made for several photos.

    No drawing replaces one of the photos or another drawing; in a folder of the photos it replaces nothing.
    Raises :class:`Mistake` for a folder that cannot be made.
    """

    def __init__(self, photos: Sequence[str], out: Path) -> None:
        self._sources = {photo: _source(photo) for photo in photos}
        self._out = out
        if len(photos) > 1:
            try:
                out.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise Mistake(
                    f"The folder {out} cannot be made ({error.strerror}); name another one for the drawings."
                ) from None
        self._taken = {_name(source) for source in self._sources.values()}
        self._beside = any(_name(source.parent) == _name(out) for source in self._sources.values())

    def save(self, photo: str, reading: Reading) -> None:
        """Write the drawing of a photo. Raises :class:`Mistake` if it cannot be written."""
        source = self._sources[photo]
        file = self._free(source.stem) if self._out.is_dir() else self._out
        if _name(file) == _name(source):
            raise Mistake(f"{file} is the photo itself; name another file for the drawing.")
        self._taken.add(_name(file))
        picture = cv2.cvtColor(draw(load(source).pixels, reading), cv2.COLOR_RGB2BGR)
        try:
            _, data = cv2.imencode(file.suffix, picture)
            file.write_bytes(data.tobytes())  # OpenCV cannot write to every name that a file may have
        except (cv2.error, OSError):
            raise Mistake(
                f"{file} cannot be written; name a .png or .jpg file in a folder that exists."
            ) from None

    def _free(self, stem: str) -> Path:
        names = (self._out / (f"{stem}.png" if n == 1 else f"{stem}-{n}.png") for n in count(1))
        return next(
            file for file in names if _name(file) not in self._taken and not (self._beside and file.exists())
        )


def _source(photo: str) -> Path:
    return sample.sample_path() if photo == sample.NAME else Path(photo)


def _name(path: Path) -> str:
    """The same for all names of a file, also where large and small letters are one."""
    return str(path.resolve()).casefold()
