"""Crops for a classifier: a folder a class, a picture a tile."""

from __future__ import annotations

from pathlib import Path

from tehai.label.formats.neutral import Image, Picture, Pictures


def write(out: Path, pictures: Pictures) -> None:
    """``<split>/<label>/<photo>-<number>.png``: upright tiles of 64 × 80 pixels with a margin, the input of
    the face network."""
    for split in pictures.splits:
        taken: set[str] = set()
        for picture, image in pictures.photos(split):
            stem = picture.name.replace("/", "-").rpartition(".")[0]
            while stem.lower() in taken:  # a/b.jpg and a-b.jpg
                stem += "_"
            taken.add(stem.lower())
            _write(out, picture, image, stem)


def _write(out: Path, picture: Picture, image: Image, stem: str) -> None:
    import cv2
    import numpy as np

    from vision.faces import CropShape, cut
    from vision.image import load

    photo = load(image.data)
    quads = np.array([tile.quad for tile in picture.tiles], np.float32).reshape(-1, 4, 2)
    for at, crop in enumerate(cut(photo.pixels, (quads + 0.5) / photo.scale - 0.5, CropShape())):
        folder = out / picture.split / picture.tiles[at].label
        folder.mkdir(parents=True, exist_ok=True)
        _, data = cv2.imencode(".png", cv2.cvtColor(crop, cv2.COLOR_RGB2BGR))
        (folder / f"{stem}-{at}.png").write_bytes(data.tobytes())
