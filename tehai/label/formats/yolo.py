"""YOLO: a text file a photo, a line a tile, in fractions of the photo; boxes, or four corners (OBB)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from tehai.errors import Mistake
from tehai.label.formats.neutral import Picture, Pictures, Tile, as_quad, corners_or, upright_quad
from tehai.label.formats.parsing import lines_of, parsing, text_of
from tehai.label.photo_files import EXPORTED
from vision.reading import Quad

_Numbers = Callable[[Tile, Tile, float, float], list[float]]
"""The numbers of a tile's line, from its part inside the photo, the tile, and the photo's width and height.
"""


def write_boxes(out: Path, pictures: Pictures) -> None:
    """``labels/<split>/<name>.txt`` with class, centre and size, and ``data.yaml``."""
    _write(out, pictures, _box_numbers)


def write_pose(out: Path, pictures: Pictures) -> None:
    """As :func:`write_boxes`, with the corners as four key points, from the face's own top left.

    A corner outside the photo is not visible. There is no ``flip_idx``, because a mirrored face is no face.
    """
    _write(out, pictures, _pose_numbers, "kpt_shape: [4, 3]\n")


def write_corners(out: Path, pictures: Pictures) -> None:
    """As :func:`write_boxes`, with class and four corners for YOLO-OBB."""
    _write(out, pictures, _corner_numbers)


def _box_numbers(part: Tile, tile: Tile, width: float, height: float) -> list[float]:
    x0, y0, x1, y1 = part.box()
    return [(x0 + x1) / 2 / width, (y0 + y1) / 2 / height, (x1 - x0) / width, (y1 - y0) / height]


def _corner_numbers(part: Tile, tile: Tile, width: float, height: float) -> list[float]:
    return [value for x, y in part.quad for value in (x / width, y / height)]


def _pose_numbers(part: Tile, tile: Tile, width: float, height: float) -> list[float]:
    points = [
        (x / width, y / height, 2) if 0 <= x <= width and 0 <= y <= height else (0, 0, 0)
        for x, y in tile.quad
    ]
    return [*_box_numbers(part, tile, width, height), *(value for point in points for value in point)]


def _write(out: Path, pictures: Pictures, numbers: _Numbers, more: str = "") -> None:
    classes = list(pictures.classes)
    for picture in pictures:
        file = (out / "labels" / picture.split / picture.name).with_suffix(".txt")
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = [
            " ".join(
                [str(classes.index(tile.label))]
                + [_text(value) for value in numbers(part, tile, picture.width, picture.height)]
            )
            for tile in picture.tiles
            if (part := picture.cut(tile))
        ]
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    names = "".join(f"  {number}: '{name}'\n" for number, name in enumerate(classes))
    parts = "".join(f"{split}: images/{split}\n" for split in pictures.splits)
    missing = "" if "val" in pictures.splits else f"val: images/{pictures.splits[0]}\n"
    # Without a "path": it would be looked for from where the training is started, not from this file.
    (out / "data.yaml").write_text(
        f"{parts}{missing}nc: {len(classes)}\n{more}names:\n{names}", encoding="utf-8"
    )


def _text(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.7f}"


def read(source: Path) -> Iterator[Picture]:
    """Read any of the three kinds. A line with more corners is a polygon, unless ``data.yaml`` declares four
    key points.

    The class names come from ``data.yaml`` or from ``classes.txt``.
    """
    listed = source / "classes.txt"
    posed = _is_pose(source / "data.yaml")
    if listed.is_file() and not (source / "data.yaml").exists():
        names = dict(enumerate(text_of(listed).splitlines()))
    else:
        names = _names(source / "data.yaml")
    # names in our own exports have no split, which a folder of photos may be called as well
    ours = int((source / EXPORTED).is_file())
    for file in sorted(source.rglob("*.txt")):
        below = file.relative_to(source).with_suffix("").parts
        if "labels" not in below and file.name in ("classes.txt", "README.txt"):
            continue
        # labels/<split>/..., or <split>/labels/..., or the files themselves
        name = "/".join(below[below.index("labels") + 1 + ours :] if "labels" in below else below)
        tiles = [_tile(line.split(), names, where, posed) for where, line in lines_of(file)]
        yield Picture(name, 1, 1, tuple(tiles), reviewed=None)


def _is_pose(file: Path) -> bool:
    return file.is_file() and bool(re.search(r"^kpt_shape\s*:\s*\[\s*4\s*,\s*3", text_of(file), re.M))


def _tile(words: list[str], names: dict[int, str], where: str, posed: bool) -> Tile:
    with parsing(where, "a line of YOLO: class x y width height, or class and corners"):
        kind, values = int(words[0]), [float(word) for word in words[1:]]
        quad: Quad
        if len(values) in (4, 5):
            x, y, width, height = values[:4]
            quad = upright_quad(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        elif posed and len(values) == 16:
            x, y, width, height = values[:4]
            box = upright_quad(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            quad = corners_or(box, [values[at : at + 3] for at in (4, 7, 10, 13)])
        else:
            quad = as_quad(list(zip(values[::2], values[1::2], strict=True)))
        return Tile(quad, names.get(kind, f"class {kind}"))


def _names(file: Path) -> dict[int, str]:
    """The class names of ``data.yaml``: a list or a mapping, in one line or several. It parses only the YAML
    that data sets use."""
    if not file.is_file():
        raise Mistake(f"There is no {file}, which says which class is which; add it, or a classes.txt.")
    text = text_of(file)
    after = re.search(r"^names\s*:(.*)", text, re.MULTILINE | re.DOTALL)
    if after is None:
        raise Mistake(f"{file} has no names: it must say which class is which.")
    block = after.group(1)
    if block.lstrip().startswith(("[", "{")):
        entries = re.split(r",", re.split(r"[\]}]", block.lstrip()[1:])[0])
    else:
        entries = re.split(r"^(?=[^\s-])", block, maxsplit=1, flags=re.MULTILINE)[0].splitlines()
    found: dict[int, str] = {}
    for entry in (one.strip().lstrip("-").strip() for one in entries):
        if not entry:
            continue
        keyed = re.fullmatch(r"(\d+)\s*:\s*(.*)", entry)
        number, name = (int(keyed.group(1)), keyed.group(2)) if keyed else (len(found), entry)
        found[number] = name.strip().strip("'\"")
    return found
