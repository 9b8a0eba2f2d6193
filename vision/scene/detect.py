"""Stage 1: where tiles may lie. The finder network, read at a low threshold: sure tiles and faint ones."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array32, Mask, Pixels
from vision.detections import Detections
from vision.finder import Finder
from vision.maps import Candidates
from vision.quads import axes, covered, sizes
from vision.scene.config import CONFIG, SceneConfig
from vision.scene.rectify import rectifying


def detect(finder: Finder, rgb: Pixels, config: SceneConfig = CONFIG) -> Detections:
    """What may be a tile on an (H, W, 3) photo, the surest first, quads in its pixels."""
    return _best(finder.find(rgb, threshold=config.faint), config.most)


def glimpse(finder: Finder, rgb: Pixels, config: SceneConfig = CONFIG) -> Detections:
    """The sure tiles of a camera's frame, quickly: of many only those to which the camera is held, large ones
    and those in the picture's middle."""
    found = finder.find(rgb, briefly=True)
    height, width = rgb.shape[:2]
    off = np.linalg.norm(found.quads.mean(axis=1) - np.array([width / 2, height / 2], np.float32), axis=1)
    nearest = np.argsort(off / np.maximum(sizes(found.quads), 1) ** 2, kind="stable")[: config.glimpsed]
    return _best(Candidates(found.quads[nearest], found.scores[nearest]), config.most)


def detect_again(
    finder: Finder, rgb: Pixels, quads: Array32, known: Array32, config: SceneConfig = CONFIG
) -> Detections:
    """What else may be a tile about ``quads`` (k, 4, 2) than the ``known`` ones (n, 4, 2): this part of the
    photo alone is searched, larger and as seen from above."""
    found = finder.find_flat(rgb, quads, rectifying(quads), config.again, config.faint)
    new = ~covered(found.quads, known)
    return _best(Candidates(found.quads[new], found.scores[new]), config.most)


def look_again(
    finder: Finder, rgb: Pixels, hands: Array32, known: Array32, double: Array32, config: SceneConfig = CONFIG
) -> Detections:
    """What else than the ``known`` tiles lies where ``hands`` (k, 4, 2) lie, seen larger, but for what
    straddles two tiles of these; and the halves of the outlines ``double`` (m, 4, 2) that show two."""
    more = detect_again(finder, rgb, hands, known, config)
    more = more[~covered(more.quads, hands, config.apart)]
    parts = halves(double)
    return more.joined(Detections(parts, np.full(len(parts), config.half, np.float32)))


def are_double(quads: Array32, hands: Array32, config: SceneConfig = CONFIG) -> Mask:
    """(n,) which of the quads are as large as two of the tiles of ``hands`` (k, 4, 2) beside them: tiles that
    touch run together, such as the two of a kan that lie on their side."""
    if not len(hands):
        return np.zeros(len(quads), bool)
    away = np.linalg.norm(quads.mean(axis=1)[:, None] - hands.mean(axis=1), axis=2)
    beside = np.argsort(away, axis=1)[:, : config.near]
    larger = sizes(quads) / np.median(sizes(hands)[beside], axis=1)
    low, high = config.double
    double: Mask = (larger > low) & (larger < high) & (away.min(axis=1) < 2 * sizes(quads))
    return double


def halves(quads: Array32) -> Array32:
    """(2m, 4, 2) the halves of quads (m, 4, 2) across their longer side."""
    across, along = axes(quads)
    is_tall = np.linalg.norm(along, axis=1) > np.linalg.norm(across, axis=1)
    a, b, c, d = np.moveaxis(np.where(is_tall[:, None, None], quads, np.roll(quads, -1, axis=1)), 1, 0)
    left, right = (a + d) / 2, (b + c) / 2
    return np.concatenate([np.stack([a, b, right, left], 1), np.stack([left, right, c, d], 1)])


def _best(found: Candidates, most: int) -> Detections:
    best = np.argsort(-found.scores, kind="stable")[:most]
    return Detections(found.quads[best].astype(np.float32), found.scores[best].astype(np.float32))
