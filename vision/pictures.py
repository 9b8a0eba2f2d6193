"""A folder of pictures a photo: what a trace writes its stages into."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from vision.arrays import Array32, Pixels
from vision.image import Photo
from vision.panel import Panel, titled
from vision.watch import TraceError

_STAGES = "stages.txt"
_PICTURE = re.compile(r"\d+-[a-z0-9-]+\.jpg")


class Pictures:
    """Numbered pictures of a photo's stages; ``stages.txt`` says of each what it shows.

    ``folder``: is made where it is missing; every photo has a folder of its name in it. Raises
    :class:`TraceError` where it cannot be written.
    """

    def __init__(self, folder: str | Path) -> None:
        self._top = self._folder = Path(folder)
        self._names: Counter[str] = Counter()
        with self._writing():
            self._top.mkdir(parents=True, exist_ok=True)
        self._photo: Photo | None = None
        self._stages: list[str] = []

    def _begin(self, photo: Photo) -> None:
        self._photo, self._stages = photo, []
        name = Path(photo.name).stem or "photo"
        self._names[name] += 1
        self._folder = self._top / (name if self._names[name] == 1 else f"{name}-{self._names[name]}")
        self._folder.mkdir(exist_ok=True)
        earlier = self._folder / _STAGES
        for line in earlier.read_text(encoding="utf-8").splitlines() if earlier.exists() else ():
            if _PICTURE.fullmatch(file := line.partition(":")[0]):
                (self._folder / file).unlink(missing_ok=True)  # it may have had more stages

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise TraceError(f"{self._folder} cannot be written ({reason}); name another folder.") from error

    @property
    def _pixels(self) -> Pixels:
        assert self._photo is not None, "a trace begins with a photo"
        return self._photo.pixels

    def _panel(self, quads: Array32, most: int = 1500) -> Panel:
        return Panel(self._pixels, quads, most=most)

    def _write(self, name: str, picture: Image.Image, text: str) -> None:
        file = f"{sum(line[:1].isdigit() for line in self._stages) + 1:02}-{name}.jpg"
        titled(picture, text).save(self._folder / file, quality=90)
        self._note(f"{file}: {text.splitlines()[0]}")

    def _note(self, line: str) -> None:
        self._stages.append(line)
        (self._folder / _STAGES).write_text("\n".join(self._stages) + "\n", encoding="utf-8")
