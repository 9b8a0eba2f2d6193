"""Photos that show the same."""

from __future__ import annotations

import random
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from tehai.label import duplicates, journal
from tehai.label.look import perceptual_hash
from tehai.sample import sample_path
from tests.tehai.label.lines import photo, write


def flipped(hash_: str, bits: int) -> str:
    number = int(hash_, 16)
    for bit in random.Random(1).sample(range(256), bits):
        number ^= 1 << bit
    return f"{number:064x}"


def test_chains_of_near_hashes_are_one_group() -> None:
    draw = random.Random(2)
    hashes = [f"{draw.getrandbits(256):064x}" for _ in range(3000)]
    hashes[2500] = flipped(hashes[7], 32)
    hashes[2900] = flipped(hashes[2500], 20)  # near 7 by way of 2500
    hashes[11] = flipped(hashes[1500], 33)
    leaders = duplicates.group(hashes, 32)
    assert (leaders[2500], leaders[2900]) == (7, 7)
    assert [at for at, leader in enumerate(leaders) if at != leader] == [2500, 2900]
    assert duplicates.group([], 32) == []
    assert duplicates.group(hashes, 32, duplicates.group(hashes[:2600], 32)) == leaders, "bit by bit"
    assert duplicates.group(hashes, 32, leaders) == leaders


def test_a_photo_made_smaller_brighter_and_compressed_is_nearly_the_same() -> None:
    with Image.open(sample_path()) as image:
        pixels = np.asarray(image.convert("RGB"))
    small = cv2.convertScaleAbs(
        cv2.resize(pixels, (700, 525), interpolation=cv2.INTER_AREA), alpha=1.1, beta=8
    )
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 50])
    again = cv2.imdecode(data, cv2.IMREAD_COLOR)
    hashes = [perceptual_hash(np.asarray(each, np.uint8)) for each in (pixels, again, pixels[:, ::-1])]
    assert duplicates.group(hashes, duplicates.NEAR) == [0, 0, 2], "a mirrored photo is another one"


def test_exact_and_near_copies_of_a_journal(tmp_path: Path) -> None:
    first = photo("a.jpg")
    like = photo("b.jpg", phash=flipped(first["phash"], 5))
    place = {"kind": "place", "path": "copy.jpg", "sha256": first["sha256"]}
    with journal.reading(write(tmp_path, first, like, photo("c.jpg"), place)) as opened:
        assert duplicates.exact(opened.index) == [["a.jpg", "copy.jpg"]]
        assert duplicates.near(opened) == [[first["sha256"], like["sha256"]]]
