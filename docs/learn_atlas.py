"""Makes ``tehai/learn/atlas.jpg``, the small pictures of the drills: ``python docs/learn_atlas.py``.

A column a face in the order of ``vision.labels.FACES``, a row a drawing: first our own drawn tiles
(``scorer.svg``) as a browser shows them, then faces cut from rendered photographs of three sets. Circles
and bamboos are drawn by rule or CC0, their characters CC0 or in a font of the public domain, so that the
pictures may travel with the program. Needs the extras ``render`` and ``test``, and ``../shared/data/art``.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import sync_playwright

from datasets.render import scene, tilesets
from datasets.render.layouts import Layout
from scorer.svg import tile_svg
from scorer.tiles import Tile
from tehai.learn.pictures import ATLAS, HEIGHT, MARGIN, WIDTH
from vision.faces import CropShape, cut
from vision.labels import FACES

ART = Path("../shared/data/art")
CHROMIUM = "/usr/bin/chromium"

SETS = (("fluffystuff", 5), ("kouzan-kaisho", 3), ("kouzan-gyosho", 8))
"""The only source of a set's characters, and the seed of everything else in it, chosen by looking at them."""

SHAPE = CropShape(WIDTH, HEIGHT, MARGIN)

COLUMNS = 8
PHOTOS = 3
"""Of a set; each face is taken from the one in which it is seen best."""

BACKGROUND = "#3b5d50"
QUALITY = 78


def main() -> None:
    rows = [drawn(), *(rendered(name, seed) for name, seed in SETS)]
    picture = np.vstack([np.hstack(row) for row in rows])
    cv2.imwrite(str(ATLAS), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    print(f"{ATLAS}: {ATLAS.stat().st_size / 1000:.0f} kB")


def drawn() -> list[NDArray[np.uint8]]:
    """Our own drawings, in the middle of a crop as large as the others."""
    width, height = SHAPE.width, SHAPE.height
    faces = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=2)
        for label in FACES:
            page.set_content(
                f'<body style="margin:0;height:{height}px;display:grid;place-items:center;'
                f'background:{BACKGROUND}">{tile_svg(Tile.parse(label), SHAPE.tile()[1])}</body>'
            )
            shot = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR_RGB)
            assert shot is not None, "a screenshot is a picture"
            faces.append(
                np.asarray(cv2.resize(shot, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
            )
        browser.close()
    return faces


def rendered(name: str, seed: int) -> list[NDArray[np.uint8]]:
    """The faces of one set, each from the photo in which the whole of it is seen largest."""
    rng = np.random.default_rng(seed)
    sources = [source for source in tilesets.sources(ART) if source.name == name]
    tileset = tilesets.draw_set(rng, sources)
    best: dict[str, tuple[float, NDArray[np.uint8]]] = {}
    for _ in range(PHOTOS):
        made = scene.make(rng, tileset, _laid_out(rng), 2000, 1500)
        tiles = [tile for tile in made.truth["tiles"] if tile["visible"] > 0.97]
        quads = np.array([tile["quad"] for tile in tiles], np.float32)
        for tile, crop in zip(tiles, cut(made.image, quads, SHAPE), strict=True):
            if tile["label"] in FACES and tile["size"] > best.get(tile["label"], (0.0, crop))[0]:
                best[tile["label"]] = (tile["size"], crop)
    return [best[label][1] for label in FACES]


def _laid_out(rng: np.random.Generator) -> Layout:
    """Every face once, in rows that a careless hand has laid."""
    layout = Layout("grid", (19.5, 26.0, 16.0))
    for at, label in enumerate(rng.permutation(np.array(FACES))):
        row, column = divmod(at, COLUMNS)
        x, y = column * 24 + rng.normal(0, 0.8), -row * 31 + rng.normal(0, 0.8)
        layout.put(str(label), float(x), float(y), float(rng.normal(0, 0.06)), subject=True)
    return layout


if __name__ == "__main__":
    main()
