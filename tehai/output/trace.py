"""Draw every stage of a reading with the alternatives of each tile, to find where a photo was misread.

>>> from vision import Reader
>>> from tehai.output.trace import Trace
>>> Reader(watch=Trace("trace")).read("photo.jpg")  # doctest: +SKIP

writes numbered pictures into ``trace/photo``. ``stages.txt`` there says what each shows. A second look adds
its own pictures.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tehai.errors import Mistake
from tehai.output.drawing import COLOURS, MELD_COLOURS, Colour, draw
from vision.arrays import Array32, Pixels
from vision.detections import ROLES, Detections
from vision.faces import CropShape, cut, softmax
from vision.image import Photo
from vision.labels import FACES, WITH_FOREIGN
from vision.observer import Stage
from vision.quads import lengths
from vision.reading import Reading
from vision.scene.decode import HandReading, PlayerReadings, Scene

_STAGES, _TILES = "stages.txt", "tiles.tsv"
_PICTURE = re.compile(r"\d+-[a-z0-9-]+\.jpg")
_MOST_READINGS = 6
"""The most readings to draw for a player."""
_MOST_ALTERNATIVES = 3
"""The most alternatives to write for a tile."""
_SIDE = 60
"""The preferred side of a tile on a panel in pixels."""
_CROP = CropShape(width=112, height=140)

_INK: Colour = (20, 20, 20)
_PAPER: Colour = (250, 250, 245)
_FAINT: Colour = (150, 150, 150)
_GOOD: Colour = (30, 170, 70)
_BAD: Colour = (220, 40, 40)
_HUES: tuple[Colour, ...] = (
    (230, 60, 60), (40, 120, 235), (30, 160, 70), (200, 120, 0), (150, 70, 210), (0, 155, 165),
    (205, 60, 150), (110, 110, 40),
)  # fmt: skip
"""Colours for rivers, and for roles without one in :data:`tehai.output.drawing.COLOURS`."""
_HUE_OF = {
    **{role: COLOURS.get(role, _HUES[at]) for at, role in enumerate(ROLES)},
    "called": MELD_COLOURS[0], "none": _FAINT,
}  # fmt: skip

_TEXT = 18
"""The least height of a line of text in pixels. Wide pictures get larger text ..."""
_TITLE = 75
"""... their width divided by this."""
_GAP = 6


class Trace:
    """Draws every stage: the ``observer`` of a :class:`vision.scene.reader.SceneReader`.

    ``folder``: created if missing. Each photo gets a folder with its name. Raises
    :class:`tehai.errors.Mistake` if it cannot be written.
    """

    def __init__(self, folder: str | Path) -> None:
        self._top = self._folder = Path(folder)
        self._names: set[str] = set()
        self._photo: Photo | None = None
        self._stages: list[str] = []
        self._classified = 0
        with self._writing():
            self._top.mkdir(parents=True, exist_ok=True)

    def __call__(self, stage: object) -> None:
        with self._writing():
            match stage:
                case Photo():
                    self._begin(stage)
                case Stage("detect", found):
                    self._detect(found)
                case Stage("classify", found) if len(found):
                    self._classify(found)
                case Stage("relate", found) if len(found):
                    self._relate(found)
                case Stage("decode", found, Scene(players=players)):
                    for number, player in enumerate(players, 1):
                        self._decode(found, player, number)
                case Reading():
                    if stage.table:
                        self._table(stage)
                    self._judge(stage)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise Mistake(f"{self._folder} cannot be written ({reason}); name another folder.") from error

    def _begin(self, photo: Photo) -> None:
        self._photo, self._stages = photo, []
        name = Path(photo.name).stem or "photo"
        names = (name if n == 1 else f"{name}-{n}" for n in count(1))
        name = next(one for one in names if one.casefold() not in self._names)
        self._names.add(name.casefold())
        self._folder = self._top / name
        self._folder.mkdir(exist_ok=True)
        earlier = self._folder / _STAGES
        if not earlier.exists():
            return
        for line in earlier.read_text(encoding="utf-8").splitlines():
            if _PICTURE.fullmatch(file := line.partition(":")[0]):
                (self._folder / file).unlink(missing_ok=True)  # an earlier trace may have had more stages
        (self._folder / _TILES).unlink(missing_ok=True)

    def _detect(self, found: Detections) -> None:
        self._classified = 0
        panel = self._panel(found.quads)
        for quad, score in zip(found.quads, found.scores, strict=True):
            colour = _GOOD if score >= 0.5 else _BAD
            panel.outline(quad, colour, 2)
            panel.mark(quad.mean(axis=0), f"{score:.2f}", colour, 12)
        self._write("detect", panel.image, f"{len(found)} detections with their scores; thick: the top edge")

    def _classify(self, found: Detections) -> None:
        assert found.logits is not None and found.turns is not None
        shares, crops = softmax(found.logits), cut(self._pixels, found.quads, _CROP)
        cells = []
        for i, crop in enumerate(crops):
            turn = int(found.turns[i].argmax())
            number = f"{self._classified + i}{f', turned {turn}' if turn else ''}"
            text = "\n".join([number, *_likeliest(shares[i], WITH_FOREIGN)])
            colour = _INK if shares[i].max() > 0.5 else _BAD
            cells.append(_titled(Image.fromarray(crop), text, colour, least=130))
        look = "Second look, new detections: n" if self._classified else "N"
        self._classified += len(found)
        self._write("classify", _sheet(cells, 10), f"{look}umber and likeliest faces, by the crop alone")

    def _relate(self, found: Detections) -> None:
        assert found.roles is not None and found.faces is not None
        roles, faces = np.exp(found.roles), np.exp(found.faces)
        best = [ROLES[k] for k in roles.argmax(axis=1)]
        there = [i for i, role in enumerate(best) if role != "none"]
        panel = self._panel(found.quads[there] if there else found.quads, most=2400)
        for i, role in enumerate(best):
            panel.outline(found.quads[i], _HUE_OF[role], 1 if role == "none" else 3)
        for i in there:
            text = f"{i} {WITH_FOREIGN[int(faces[i].argmax())]}\n{best[i]}"
            panel.mark(found.quads[i].mean(axis=0), text, _HUE_OF[best[i]], 13)
        self._write(
            "relate", panel.image,
            f"Number, face and role, by all tiles together; {_TILES} has the alternatives of each",
        )  # fmt: skip
        with (self._folder / _TILES).open("w", encoding="utf-8", newline="") as out:
            table = csv.writer(out, delimiter="\t", lineterminator="\n")
            table.writerow(("number", "score", "crop", "faces", "roles", "player of", "set of"))
            table.writerows(_row(found, i, faces[i], roles[i]) for i in range(len(found)))

    def _decode(self, found: Detections, player: PlayerReadings, number: int) -> None:
        shown = player.readings[:_MOST_READINGS]
        among = sorted({tile for reading in shown for tile in reading.tiles})
        best = [self._reading(found, among, player, rank) for rank in range(len(shown))]
        self._write(
            f"decode-{number}", _sheet(best, 2),
            f"Player {number}: the likeliest {len(shown)} of {len(player.readings)} readings; "
            f"log odds of the best {player.odds:.1f}",
        )  # fmt: skip

    def _reading(self, found: Detections, among: list[int], player: PlayerReadings, rank: int) -> Image.Image:
        reading = player.readings[rank]
        panel = self._panel(found.quads[among], most=900)
        for tile, face in reading.faces.items():
            panel.outline(found.quads[tile], _hue(reading, tile), 4)
            panel.mark(found.quads[tile].mean(axis=0), FACES[face], _hue(reading, tile))
        for tile in set(among) - set(reading.tiles):
            panel.outline(found.quads[tile], _FAINT, 2)
        kind = "finished" if reading.finished else "not finished"
        text = f"{rank + 1}. {reading.score - player.best.score:+.1f}, {reading.size} tiles, {kind}"
        return _titled(panel.image, text, _INK if rank else _GOOD)

    def _table(self, reading: Reading) -> None:
        """Each river as a line through its discards, with an outline of the tile that may be turned."""
        quads = np.array([tile.quad for tile in reading.tiles], np.float32)
        scale = self._pixels.shape[1] / reading.width
        panel = self._panel(quads * scale)
        for number, player in enumerate(reading.table or ()):
            if player.river is None:
                continue
            at = (quads[list(player.river.tiles)] + 0.5) * scale - 0.5
            panel.path(at.mean(axis=1), _HUES[number], 3)
            for order, quad in enumerate(at, 1):
                panel.mark(quad.mean(axis=0), f"{order}", _HUES[number], 13)
            if player.river.turned > 0.5:
                panel.outline(at[player.river.riichi], _HUES[number], 5)
            panel.mark(at[0, 0], f"{player.seat} {player.river.turned:.2f}", _HUES[number], 16)
        self._write(
            "table", panel.image, "Rivers in order, whose each is, how likely a tile is turned for riichi"
        )

    def _judge(self, reading: Reading) -> None:
        sure = "" if reading.confidence is None else f" Confidence {reading.confidence:.3f}."
        lines = [f"Verdict: {reading.status}.{sure} {reading.message}".strip()]
        if reading.hand:
            lines.append(", ".join(f"{name}: {value}" for name, value in reading.hand.items()))
        lines += [f"{doubt.kind}: {doubt.text}" for doubt in reading.doubts]
        self._write("judge", Image.fromarray(draw(self._pixels, reading)), "\n".join(lines))

    @property
    def _pixels(self) -> Pixels:
        assert self._photo is not None, "a trace begins with a photo"
        return self._photo.pixels

    def _panel(self, quads: Array32, most: int = 1500) -> _Panel:
        return _Panel(self._pixels, quads, most)

    def _write(self, name: str, picture: Image.Image, text: str) -> None:
        file = f"{len(self._stages) + 1:02}-{name}.jpg"
        _titled(picture, text).save(self._folder / file, quality=90)
        self._stages.append(f"{file}: {text.splitlines()[0]}")
        (self._folder / _STAGES).write_text("\n".join(self._stages) + "\n", encoding="utf-8")


def _row(found: Detections, i: int, faces: Array32, roles: Array32) -> tuple[str, ...]:
    """A line of ``tiles.tsv``."""
    assert found.logits is not None
    assert found.same_player is not None and found.same_set is not None
    crop = softmax(found.logits[i : i + 1])[0]
    return (
        str(i), f"{found.scores[i]:.2f}", " ".join(_likeliest(crop, WITH_FOREIGN)),
        " ".join(_likeliest(faces, WITH_FOREIGN)), " ".join(_likeliest(roles, ROLES)),
        *(
            " ".join(str(j) for j in np.flatnonzero(pairs[i] > 0) if j != i)
            for pairs in (found.same_player, found.same_set)
        ),
    )  # fmt: skip


def _likeliest(shares: Array32, names: tuple[str, ...]) -> list[str]:
    return [f"{names[k]} {shares[k]:.2f}" for k in np.argsort(-shares)[:_MOST_ALTERNATIVES]]


def _hue(reading: HandReading, tile: int) -> Colour:
    for at, each in enumerate(reading.called):
        if tile in each.tiles:
            return MELD_COLOURS[at % len(MELD_COLOURS)]
    return COLOURS["win" if tile == reading.win else "hand"]


class _Panel:
    """A legible part of a photo. Drawing uses pixels of the photo.

    ``pixels``: (h, w, 3) RGB. ``around``: the quads (n, 4, 2) to show; without any, the whole photo.
    ``most``: the most pixels of the longer side.
    """

    def __init__(self, pixels: Pixels, around: NDArray[np.floating], most: int) -> None:
        height, width = pixels.shape[:2]
        low, high, scale = np.zeros(2), np.array([width, height]), most / max(height, width)
        if len(around):
            side = float(np.median(lengths(around).mean(axis=1)))
            corners = around.reshape(-1, 2)
            low = np.clip(np.floor(corners.min(axis=0) - 1.5 * side), 0, high - 2)
            high = np.clip(np.ceil(corners.max(axis=0) + 1.5 * side), low + 2, high)
            scale = min(_SIDE / max(side, 1.0), most / float((high - low).max()))
        (x0, y0), (x1, y1) = low.astype(int).tolist(), high.astype(int).tolist()
        size = max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale))
        self._low, self._scale = np.array([x0, y0], float), scale
        self.image = Image.fromarray(pixels[y0:y1, x0:x1]).resize(size, Image.Resampling.LANCZOS)
        self._pen = ImageDraw.Draw(self.image)

    def outline(self, quad: NDArray[np.floating], colour: Colour, width: int) -> None:
        """Draw a quad. Its first edge, the top of the face, is twice as thick."""
        a, b, c, d = self._at(quad)
        self._pen.line([a, b, c, d, a], fill=colour, width=width, joint="curve")
        self._pen.line([a, b], fill=colour, width=2 * width)

    def path(self, points: NDArray[np.floating], colour: Colour, width: int) -> None:
        self._pen.line(self._at(points), fill=colour, width=width, joint="curve")

    def mark(self, point: NDArray[np.floating], text: str, colour: Colour, size: int = _TEXT) -> None:
        """Write text centred at a point, on a background with a frame in the colour."""
        font = ImageFont.load_default(size)
        ((x, y),) = self._at(point[None])
        if not (0 <= x < self.image.width and 0 <= y < self.image.height):
            return
        left, top, right, bottom = self._pen.textbbox((0, 0), text, font=font)
        w, h = right - left + 6, bottom - top + 6
        x = min(max(x - w / 2, 0), max(self.image.width - w, 0))
        y = min(max(y - h / 2, 0), max(self.image.height - h, 0))
        self._pen.rectangle((x, y, x + w, y + h), fill=_PAPER, outline=colour, width=2)
        self._pen.text((x + 3 - left, y + 3 - top), text, font=font, fill=_INK)

    def _at(self, points: NDArray[np.floating]) -> list[tuple[float, float]]:
        return [(float(x), float(y)) for x, y in (points + 0.5 - self._low) * self._scale]


def _titled(picture: Image.Image, text: str, colour: Colour = _INK, *, least: int = 420) -> Image.Image:
    """The picture below its text, at least so wide. Long lines wrap."""
    width = max(picture.width, least)
    size = max(_TEXT, width // _TITLE)
    font = ImageFont.load_default(size)
    pen = ImageDraw.Draw(picture)
    lines = [part for line in text.splitlines() for part in _broken(line, pen, font, width - 2 * _GAP)]
    step = size + _GAP
    whole = Image.new("RGB", (width, picture.height + step * len(lines) + _GAP), _PAPER)
    pen = ImageDraw.Draw(whole)
    for at, line in enumerate(lines):
        pen.text((_GAP, _GAP / 2 + at * step), line, font=font, fill=colour)
    whole.paste(picture, (0, step * len(lines) + _GAP))
    return whole


def _broken(
    line: str, pen: ImageDraw.ImageDraw, font: ImageFont.ImageFont | ImageFont.FreeTypeFont, width: int
) -> list[str]:
    lines = [""]
    for word in line.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and pen.textlength(longer, font=font) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _sheet(pictures: Sequence[Image.Image], columns: int) -> Image.Image:
    """Pictures beside and below one another."""
    columns = min(columns, len(pictures))
    rows = [pictures[k : k + columns] for k in range(0, len(pictures), columns)]
    wide = [max(row[k].width for row in rows if k < len(row)) for k in range(columns)]
    tall = [max(picture.height for picture in row) for row in rows]
    size = sum(wide) + _GAP * (columns + 1), sum(tall) + _GAP * (len(rows) + 1)
    whole = Image.new("RGB", size, _FAINT)
    y = _GAP
    for row, height in zip(rows, tall, strict=True):
        x = _GAP
        for picture, width in zip(row, wide, strict=False):
            whole.paste(picture, (x, y))
            x += width + _GAP
        y += height + _GAP
    return whole
