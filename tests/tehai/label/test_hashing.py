"""The perceptual hashes of journals that exist stay what they are."""

from __future__ import annotations

import numpy as np

from tehai.label.hashing import perceptual_hash


def test_the_hashes_are_those_of_imagehash() -> None:
    """Written by ``imagehash.phash`` 4.3.2."""
    noise = np.random.default_rng(7).integers(0, 255, (300, 400, 3), dtype=np.uint8)
    slope = np.linspace(0, 255, 300 * 400 * 3).reshape(300, 400, 3).astype(np.uint8)
    assert perceptual_hash(noise) == "9168e8693c04a5d4d10d7db4698fa04bda0667bb13113f872f11af6cf6de19b8"
    assert perceptual_hash(slope) == "8a14154ac2006331f21b5c1eb80f78c7f04b6b37c41f7ad7f5ef64d932f31127"
