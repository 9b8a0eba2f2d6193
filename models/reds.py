"""How many red fives are told from plain ones: ``python -m models.reds --photos N --seed S [--held-out]``.

Photos of red and plain fives beside one another are rendered, a set each, the styles of one side of the split
in turn (:mod:`datasets.render.reds`), and read with both networks. A five counts where it is shown with about
:data:`SIDE` pixels; it is told where the face network takes the colour that it has for the likelier one.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from rich.console import Console
from rich.progress import track

from datasets.boxes import match
from datasets.render import reds, scene, tilesets
from datasets.render.layouts import Layout, View, tile_size
from models.shares import Share
from vision import network
from vision.arrays import Array32
from vision.faces import FaceReader
from vision.finder import Finder
from vision.fives import compare
from vision.labels import PLAIN_OF, REDS, WITH_FOREIGN, plain
from vision.quads import bounds, box_iou
from vision.reader import Engine

SIDE = 40.0
"""Pixels of a tile's side: the root of its area."""

NEAR = 0.15
"""How far the side of a five that counts is from it at most, as a share."""

VISIBLE = 0.9
"""Share of its face that is shown."""

FOUND = 0.5
"""IoU of the bounding boxes from which a tile that was found is the five that is there."""

WIDTH, HEIGHT = 640, 480
ART = Path("../shared/data/art")
_ROW = 6

_ASIDE = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class Five:
    """One five of a photo. ``read``: what the face network takes it for, None where the finder missed it;
    ``told``: whether its true colour is likelier than the other one."""

    style: str
    label: str
    size: float
    read: str | None
    told: bool


def compose(rng: np.random.Generator) -> Layout:
    """Two rows of fives, those of a set, one of each suit red, about :data:`SIDE` pixels large in a photo."""
    layout = Layout("grid", tile_size(rng))
    width, height, _ = layout.tile
    labels = [label for red, five in PLAIN_OF.items() for label in (red, five, five, five)]
    order = rng.permutation(len(labels))
    gap = float(rng.choice([0.3, 2.0, 8.0]))
    for place, label in enumerate(labels[k] for k in order):
        across, down = place % _ROW, place // _ROW
        layout.put(
            label, across * (width + gap), -down * (height + gap), float(rng.normal(0, 0.03)), subject=True
        )
    elevation = float(np.deg2rad(rng.uniform(45, 88)))
    seen = float(np.sqrt(width * height * np.sin(elevation)))
    wide = _ROW * width + (_ROW - 1) * gap
    layout.view = View(
        elevation, float(rng.normal(0, 0.1)), float(rng.choice([0.0, np.pi])) + float(rng.normal(0, 0.05)),
        float(np.deg2rad(rng.uniform(40, 70))), SIDE / seen * wide / WIDTH,
        (float(rng.uniform(0.2, 0.8)), float(rng.uniform(0.2, 0.8))),
    )  # fmt: skip
    return layout


def photograph(
    number: int, seed: int, style: str, sources: Sequence[tilesets.Source]
) -> tuple[scene.Scene, Mapping[str, str]]:
    """A photo of fives whose red ones are of a style, and the style that each red label has in it."""
    rng = np.random.default_rng([seed, 2, number])
    tileset = tilesets.draw_set(rng, sources, reds.STYLES[style].held_out, reds=style)
    return scene.make(rng, tileset, compose(rng), WIDTH, HEIGHT), tileset.reds


def fives(
    made: scene.Scene, styles: Mapping[str, str], quads: Array32, probabilities: Array32
) -> Iterator[Five]:
    """The fives of a photo with what was read: quads (n, 4, 2) and probabilities (n, classes)."""
    tiles = [
        tile
        for tile in made.truth["tiles"]
        if tile["visible"] >= VISIBLE and abs(tile["size"] / SIDE - 1) <= NEAR and tile["label"][0] in "05"
    ]
    truth = np.array([tile["quad"] for tile in tiles], np.float32).reshape(-1, 4, 2)
    overlaps = box_iou(bounds(quads), bounds(truth))
    seen = {j: i for i, j in match(probabilities.max(axis=1), overlaps, FOUND)}
    reds_of = {five: red for red, five in PLAIN_OF.items()}
    for j, tile in enumerate(tiles):
        label, told, read = tile["label"], False, None
        red = label if label in REDS else reds_of[label]
        if j in seen:
            chances = probabilities[seen[j]]
            redder = chances[WITH_FOREIGN.index(red)] > chances[WITH_FOREIGN.index(plain(red))]
            told, read = bool(redder) == (label in REDS), WITH_FOREIGN[int(chances.argmax())]
        yield Five(styles[red], label, tile["size"], read, told)


def report(some: Sequence[Five], styles: Sequence[str]) -> dict[str, Any]:
    """What became of the fives, by colour, by style and by suit; those whose style the set could not have
    count nowhere. Shares are of the fives that were found."""
    some = [five for five in some if five.style in styles]
    found = [five for five in some if five.read is not None]
    groups: dict[str, list[Five]] = defaultdict(list)
    for five in found:
        kind = "red" if five.label in REDS else "plain"
        for name in (kind, f"{kind}: {five.style}", f"{kind} {five.label[1]}"):
            groups[name].append(five)
    told = {
        name: Share.of([five for five in group if five.told], group).to_record()
        for name, group in sorted(groups.items())
    }
    exact = [five for five in found if five.label in REDS and five.read == five.label]
    shown = [five for five in found if five.label in REDS]
    return {
        "found": Share.of(found, some).to_record(),
        "told": told,
        "reds read exactly": Share.of(exact, shown).to_record(),
    }


def alone(probabilities: Array32, *_others: object) -> Array32:
    """What stands in the place of the comparison where there is none (:data:`vision.fives.Compare`)."""
    return probabilities


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m models.reds", description="Measure how many red fives are told from plain ones."
    )
    parser.add_argument("--photos", type=int, default=60, help="so many sets, a photo each, of all styles")
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument(
        "--held-out", action="store_true", help="styles and drawings that training never sees"
    )
    parser.add_argument(
        "--alone", action="store_true", help="each tile by itself, not held against its neighbours"
    )
    parser.add_argument("--styles", nargs="*", choices=list(reds.STYLES), help="these styles alone")
    parser.add_argument("--art", type=Path, default=ART)
    parser.add_argument("--finder", type=Path, default=Engine().finder)
    parser.add_argument("--faces", type=Path, default=Engine().faces)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--out", type=Path, help="a folder to which the photos are written, with what was read"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args(arguments)
    styles = args.styles or reds.names(held_out=args.held_out)
    sources = tilesets.sources(args.art if args.art.is_dir() else None)
    some: list[Five] = []
    try:
        finder = Finder(network.load(args.finder, args.threads))
        faces = FaceReader(network.load(args.faces, args.threads), alone if args.alone else compare)
        for number in track(range(args.photos), description="fives", console=_ASIDE, transient=True):
            made, kept = photograph(number, args.seed, styles[number % len(styles)], sources)
            read = faces.read(made.image, finder.find(made.image).quads)
            some += fives(made, kept, read.quads, read.probabilities)
            if args.out:
                _write(args.out / f"{number:04d}.png", made, read.quads, read.probabilities)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    figures = report(some, styles)
    if args.json:
        print(json.dumps(figures, ensure_ascii=False))
        return
    print("found:", Share.from_record(figures["found"]))
    for name, record in figures["told"].items():
        print(f"told, {name}:", Share.from_record(record))
    print("reds read as what they are:", Share.from_record(figures["reds read exactly"]))


def _write(path: Path, made: scene.Scene, quads: Array32, probabilities: Array32) -> None:
    """A photo with the label that each tile got beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture = cv2.cvtColor(made.image, cv2.COLOR_RGB2BGR)
    for quad, chances in zip(quads, probabilities, strict=True):
        at = quad.max(axis=0).astype(int) - (24, 2)
        label = WITH_FOREIGN[int(chances.argmax())]
        ink = (0, 0, 255) if label in REDS else (255, 0, 0)
        cv2.putText(picture, label, at.tolist(), cv2.FONT_HERSHEY_SIMPLEX, 0.4, ink, 1, cv2.LINE_AA)
    cv2.imwrite(str(path), picture)


if __name__ == "__main__":
    main()
