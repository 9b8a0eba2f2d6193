"""WebDataset (https://github.com/webdataset/webdataset): tar files of photos, each photo beside its
labels."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

from tehai.label.formats.neutral import Picture, Pictures, Tile, as_quad
from tehai.label.formats.parsing import parsing
from tehai.output.join import printable

SHARD: Final = 500_000_000
"""The approximate bytes of photos in a tar file."""


def write(out: Path, pictures: Pictures) -> None:
    """Write ``<split>-000000.tar`` and so on, with ``KEY.jpg`` and ``KEY.json``, and ``classes.txt`` with a
    class a line.

    A key has no folders and no dots, because everything after the first dot is the type of the file.
    """
    (out / "classes.txt").write_text("".join(f"{name}\n" for name in pictures.classes), encoding="utf-8")
    for split in pictures.splits:
        some = enumerate(pictures.photos(split))
        todo = next(some, None)
        number = 0
        while todo is not None:
            size = 0
            with tarfile.open(out / f"{split}-{number:06}.tar", "w") as tar:
                while todo is not None and size < SHARD:
                    at, (picture, image) = todo
                    size += _add(tar, at, picture, image.data, pictures.classes)
                    todo = next(some, None)
            number += 1


def _add(tar: tarfile.TarFile, at: int, picture: Picture, image: bytes, classes: Sequence[str]) -> int:
    path = PurePosixPath(picture.name)
    key = f"{at:06}-{str(path.with_suffix('')).replace('/', '-').replace('.', '_')}"
    for suffix, data in ((path.suffix, image), (".json", json.dumps(_facts(picture, classes)).encode())):
        entry = tarfile.TarInfo(key + suffix)
        entry.size = len(data)
        tar.addfile(entry, io.BytesIO(data))
    return len(image)


def _facts(picture: Picture, classes: Sequence[str]) -> dict[str, Any]:
    return {
        "path": picture.name,
        "width": picture.width,
        "height": picture.height,
        "reviewed": picture.reviewed,
        "tiles": [
            {
                "label": part.label,
                "class": classes.index(part.label),
                "box": [round(value, 2) for value in part.box()],
                "corners": [[round(x, 2), round(y, 2)] for x, y in part.quad],
                "score": part.score,
                "visible": part.visible,
            }
            for part in picture.clipped()
        ],
    }


def read(source: Path) -> Iterator[Picture]:
    """Read the named tar file, or all below a folder."""
    for file in [source] if source.is_file() else sorted(source.rglob("*.tar")):
        with parsing(file, "photos with tiles"), tarfile.open(file) as tar:
            for entry in tar:
                content = tar.extractfile(entry) if entry.name.endswith(".json") else None
                if content is not None:
                    with parsing(f"{file}, {printable(entry.name)}", "a photo with tiles"):
                        yield _picture(json.loads(content.read()))


def _picture(facts: dict[str, Any]) -> Picture:
    tiles = (Tile(as_quad(tile["corners"]), str(tile["label"]), tile["score"]) for tile in facts["tiles"])
    size = facts["width"], facts["height"]
    return Picture(str(facts["path"]), *size, tuple(tiles), reviewed=bool(facts["reviewed"]))
