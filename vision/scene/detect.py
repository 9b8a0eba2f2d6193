"""Stage 1: detections of tiles, at a low threshold: the later stages drop the false ones."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array32, Mask, Pixels
from vision.config import CONFIG, SceneConfig
from vision.detections import Detections
from vision.faces import softmax
from vision.finder import Finder
from vision.labels import FACES
from vision.maps import Candidates
from vision.quads import axes, largest_component, overlaps_any, sizes
from vision.scene.rectify import rectifying


def detect(finder: Finder, rgb: Pixels, config: SceneConfig = CONFIG) -> Detections:
    """Detections on an (H, W, 3) photo, by score, quads in its pixels."""
    return _best(finder.find(rgb, threshold=config.detection_threshold), config.max_detections)


def detect_frame(finder: Finder, rgb: Pixels, config: SceneConfig = CONFIG) -> Detections:
    """Detections on a camera's frame, in bounded time: at the network's own threshold, and of many tiles only
    those that are large and near the middle."""
    found = finder.find(rgb, enlarge=False)
    height, width = rgb.shape[:2]
    off = np.linalg.norm(found.quads.mean(axis=1) - np.array([width / 2, height / 2], np.float32), axis=1)
    nearest = np.argsort(off / np.maximum(sizes(found.quads), 1) ** 2, kind="stable")[
        : config.frame_detections
    ]
    return _best(Candidates(found.quads[nearest], found.scores[nearest]), config.max_detections)


def detect_around(
    finder: Finder, rgb: Pixels, quads: Array32, known: Array32, config: SceneConfig = CONFIG
) -> Detections:
    """New detections around ``quads`` (k, 4, 2), beside the ``known`` ones (n, 4, 2), from a search of this
    part of the photo, larger and rectified."""
    found = finder.find_rectified(
        rgb, quads, rectifying(quads), config.second_pass_side, config.detection_threshold
    )
    new = ~overlaps_any(found.quads, known)
    return _best(Candidates(found.quads[new], found.scores[new]), config.max_detections)


def second_pass(
    finder: Finder, rgb: Pixels, hands: Array32, known: Array32, double: Array32, config: SceneConfig = CONFIG
) -> Detections:
    """New detections around ``hands`` (k, 4, 2), beside the ``known`` ones (n, 4, 2) and not across two tiles
    of the hands; and the halves of outlines ``double`` (m, 4, 2) that show two tiles."""
    more = detect_around(finder, rgb, hands, known, config)
    more = more[~overlaps_any(more.quads, hands, config.apart)]
    parts = halves(double)
    return more.concatenated(Detections(parts, np.full(len(parts), config.likely, np.float32)))


def show_two_tiles(quads: Array32, hands: Array32, config: SceneConfig = CONFIG) -> Mask:
    """(n,) which quads (n, 4, 2) are as large as two tiles of ``hands`` (k, 4, 2) near them. Touching tiles
    merge, such as two sideways tiles of a kan."""
    if not len(hands):
        return np.zeros(len(quads), bool)
    away = np.linalg.norm(quads.mean(axis=1)[:, None] - hands.mean(axis=1), axis=2)
    nearest = np.argsort(away, axis=1)[:, : config.neighbours]
    larger = sizes(quads) / np.median(sizes(hands)[nearest], axis=1)
    low, high = config.double
    double: Mask = (larger > low) & (larger < high) & (away.min(axis=1) < config.adjacent * sizes(quads))
    return double


def halves(quads: Array32) -> Array32:
    """(2m, 4, 2): quads (m, 4, 2) halved across their longer side."""
    across, along = axes(quads)
    is_tall = np.linalg.norm(along, axis=1) > np.linalg.norm(across, axis=1)
    a, b, c, d = np.moveaxis(np.where(is_tall[:, None, None], quads, np.roll(quads, -1, axis=1)), 1, 0)
    left, right = (a + d) / 2, (b + c) / 2
    return np.concatenate([np.stack([a, b, right, left], 1), np.stack([left, right, c, d], 1)])


def hand_frame(found: Detections, in_hand: Mask, config: SceneConfig = CONFIG) -> Mask:
    """(n,) which classified detections a person would frame as the hand: the faces that lie side by side with
    most of those ``in_hand`` (n,)."""
    assert found.logits is not None
    shows_face = softmax(found.logits)[:, : len(FACES)].sum(axis=1) > config.likely
    members = np.flatnonzero(in_hand | shows_face)
    quads = found.quads[members]
    apart = config.adjacent * np.minimum.outer(sizes(quads), sizes(quads))
    framed = np.zeros(len(found), bool)
    framed[members[largest_component(quads.mean(axis=1), apart, in_hand[members])]] = True
    return framed


def _best(found: Candidates, most: int) -> Detections:
    best = np.argsort(-found.scores, kind="stable")[:most]
    return Detections(found.quads[best].astype(np.float32), found.scores[best].astype(np.float32))
