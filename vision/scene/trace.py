"""Every stage of the scene reader as a picture, with each tile's alternatives: where a photo was misread.

>>> from vision.scene.trace import SceneTrace
>>> from vision.scene.reader import SceneReader
>>> SceneReader(watch=SceneTrace("trace")).read("photo.jpg")  # doctest: +SKIP

writes into ``trace/photo`` what ``stages.txt`` there lists; each stage twice where it was looked again.
"""

from __future__ import annotations

import csv

import numpy as np
from PIL import Image

from vision.arrays import Array32
from vision.detections import ROLES, Detections
from vision.draw import COLOURS, MELD_COLOURS, draw
from vision.faces import CropShape, cut, softmax
from vision.image import Photo
from vision.labels import FACES, WITH_FOREIGN
from vision.panel import BAD, FAINT, GOOD, HUES, INK, Colour, sheet, titled
from vision.pictures import Pictures
from vision.reading import Reading
from vision.scene.decode import HandReading, PlayerReadings
from vision.scene.stage import Stage

_PICTURED = 6
"""Readings of a player that are pictured."""
_LIKELIEST = 3
"""Alternatives of a tile that are written."""
_CROP = CropShape(width=112, height=140)
_HUE_OF = {
    **{role: COLOURS.get(role, HUES[at]) for at, role in enumerate(ROLES)},
    "called": MELD_COLOURS[0], "none": FAINT,
}  # fmt: skip


class SceneTrace(Pictures):
    """A :class:`vision.scene.reader.SceneReader`'s watch that writes what it is shown."""

    def __call__(self, stage: object) -> None:
        with self._writing():
            self._draw(stage)

    def _draw(self, stage: object) -> None:
        match stage:
            case Photo():
                self._begin(stage)
            case Stage("detect", found):
                self._detect(found)
            case Stage("classify", found):
                self._classify(found)
            case Stage("relate", found):
                self._relate(found)
            case Stage("decode", found, scene) if scene is not None:
                for number, player in enumerate(scene.players, 1):
                    self._decode(found, player, number)
            case Reading():
                self._judge(stage)

    def _detect(self, found: Detections) -> None:
        panel = self._panel(found.quads)
        for quad, score in zip(found.quads, found.scores, strict=True):
            colour = GOOD if score >= 0.5 else BAD
            panel.outline(quad, colour, 2)
            panel.mark(quad.mean(axis=0), f"{score:.2f}", colour, 12)
        self._write("detect", panel.image, f"{len(found)} detections with their scores; thick: the top edge")

    def _classify(self, found: Detections) -> None:
        if not len(found):
            return
        assert found.logits is not None and found.turns is not None
        shares, crops = softmax(found.logits), cut(self._pixels, found.quads, _CROP)
        cells = []
        for i, crop in enumerate(crops):
            turn = int(found.turns[i].argmax())
            text = "\n".join(
                [f"{i}{f', turned {turn}' if turn else ''}", *_likeliest(shares[i], WITH_FOREIGN)]
            )
            cells.append(
                titled(Image.fromarray(crop), text, INK if shares[i].max() > 0.5 else BAD, least=130)
            )
        self._write("classify", sheet(cells, 10), "Number and likeliest faces of each, by its crop alone")

    def _relate(self, found: Detections) -> None:
        if not len(found):
            return
        assert found.roles is not None and found.faces is not None and found.finished is not None
        roles, faces = np.exp(found.roles), np.exp(found.faces)
        best = roles.argmax(axis=1)
        there = [i for i in range(len(found)) if ROLES[best[i]] != "none"]
        panel = self._panel(found.quads[there] if there else found.quads)
        for i in range(len(found)):
            panel.outline(found.quads[i], _HUE_OF[ROLES[best[i]]], 3 if i in there else 1)
        for i in there:
            text = f"{i} {WITH_FOREIGN[int(faces[i].argmax())]} {ROLES[best[i]]}"
            panel.mark(found.quads[i].mean(axis=0), text, _HUE_OF[ROLES[best[i]]], 13)
        self._write(
            "relate", panel.image, "Number, face and role of each in company; tiles.tsv has the alternatives"
        )
        with (self._folder / "tiles.tsv").open("w", encoding="utf-8", newline="") as out:
            table = csv.writer(out, delimiter="\t", lineterminator="\n")
            table.writerow(("number", "score", "crop", "faces", "roles", "finished", "player of", "set of"))
            table.writerows(self._row(found, i, faces[i], roles[i]) for i in range(len(found)))

    @staticmethod
    def _row(found: Detections, i: int, faces: Array32, roles: Array32) -> tuple[str, ...]:
        assert found.logits is not None and found.finished is not None
        assert found.same_player is not None and found.same_set is not None
        crop = softmax(found.logits[i : i + 1])[0]
        return (
            str(i), f"{found.scores[i]:.2f}", " ".join(_likeliest(crop, WITH_FOREIGN)),
            " ".join(_likeliest(faces, WITH_FOREIGN)), " ".join(_likeliest(roles, ROLES)),
            f"{found.finished[i]:.1f}",
            *(
                " ".join(str(j) for j in np.flatnonzero(pairs[i] > 0) if j != i)
                for pairs in (found.same_player, found.same_set)
            ),
        )  # fmt: skip

    def _decode(self, found: Detections, player: PlayerReadings, number: int) -> None:
        shown = player.readings[:_PICTURED]
        among = sorted({tile for reading in shown for tile in reading.tiles})
        best = [self._reading(found, among, player, rank) for rank in range(len(shown))]
        self._write(
            f"decode-{number}", sheet(best, 2),
            f"Player {number}: the likeliest {len(shown)} of {len(player.readings)} readings; "
            f"log odds {player.odds:.1f}",
        )  # fmt: skip

    def _reading(self, found: Detections, among: list[int], player: PlayerReadings, rank: int) -> Image.Image:
        reading = player.readings[rank]
        panel = self._panel(found.quads[among], most=900)
        for tile, face in reading.faces.items():
            panel.outline(found.quads[tile], _hue(reading, tile), 4)
            panel.mark(found.quads[tile].mean(axis=0), FACES[face], _hue(reading, tile))
        for tile in set(among) - set(reading.tiles):
            panel.outline(found.quads[tile], FAINT, 2)
        kind = "finished" if reading.finished else "not finished"
        text = f"{rank + 1}. {reading.score - player.best.score:+.1f}, {reading.size} tiles, {kind}"
        return titled(panel.image, text, INK if rank else GOOD)

    def _table(self, reading: Reading) -> None:
        """Each river as a line through its discards, the tile that may be turned outlined."""
        quads = np.array([tile.quad for tile in reading.tiles], np.float32)
        scale = self._pixels.shape[1] / reading.width
        panel = self._panel(quads * scale)
        for number, player in enumerate(reading.table or ()):
            if player.river is None:
                continue
            at = (quads[list(player.river.tiles)] + 0.5) * scale - 0.5
            panel.path(at.mean(axis=1), HUES[number], 3)
            for order, quad in enumerate(at):
                panel.mark(quad.mean(axis=0), f"{order + 1}", HUES[number], 13)
            turned = at[player.river.riichi]
            if player.river.turned > 0.5:
                panel.outline(turned, HUES[number], 5)
            panel.mark(at[0, 0], f"{player.seat} {player.river.turned:.2f}", HUES[number], 16)
        self._write(
            "table", panel.image, "Rivers in order, whose each is, how likely a tile is turned for riichi"
        )

    def _judge(self, reading: Reading) -> None:
        if reading.table:
            self._table(reading)
        sure = "" if reading.confidence is None else f" Right with {reading.confidence:.3f}."
        lines = [f"Verdict: {reading.status}.{sure} {reading.message}".strip()]
        if reading.hand:
            lines.append(", ".join(f"{name}: {value}" for name, value in reading.hand.items()))
        lines += [f"{doubt.kind}: {doubt.text}" for doubt in reading.doubts]
        self._write("judge", Image.fromarray(draw(self._pixels, reading)), "\n".join(lines))


def _likeliest(shares: Array32, names: tuple[str, ...]) -> list[str]:
    return [f"{names[k]} {shares[k]:.2f}" for k in np.argsort(-shares)[:_LIKELIEST]]


def _hue(reading: HandReading, tile: int) -> Colour:
    for at, each in enumerate(reading.called):
        if tile in each.tiles:
            return MELD_COLOURS[at % len(MELD_COLOURS)]
    return COLOURS["win" if tile == reading.win else "hand"]
