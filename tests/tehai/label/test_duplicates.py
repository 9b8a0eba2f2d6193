"""Photos that show the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tehai.hand.sample import sample_path
from tehai.label import duplicates, journal, layout
from tehai.label.chains import Chains
from tehai.label.hashing import perceptual_hash
from tehai.label.labeller import Labeller
from tehai.label.layout import Layout
from tests.tehai.label.lines import photo, tile, write
from vision.arrays import Pixels
from vision.image import load
from vision.labels import FACES
from vision.reader import Engine


def flipped(hash_: str, bits: int) -> str:
    number = int(hash_, 16)
    for bit in random.Random(1).sample(range(256), bits):
        number ^= 1 << bit
    return f"{number:064x}"


def firsts(hashes: list[str]) -> list[int]:
    chains = Chains(len(hashes))
    for one, other in duplicates.alike(hashes, duplicates.NEAR):
        chains.join(one, other)
    return chains.firsts()


def test_chains_of_near_hashes_are_one_group() -> None:
    draw = random.Random(2)
    hashes = [f"{draw.getrandbits(256):064x}" for _ in range(3000)]
    hashes[2500] = flipped(hashes[7], 24)
    hashes[2900] = flipped(hashes[2500], 20)  # near 7 by way of 2500
    hashes[11] = flipped(hashes[1500], 33)
    found = firsts(hashes)
    assert (found[2500], found[2900]) == (7, 7)
    assert [at for at, first in enumerate(found) if at != first] == [2500, 2900]
    assert (firsts([]), firsts(hashes[:1])) == ([], [0])


@pytest.fixture(scope="module")
def sample() -> Pixels:
    return load(sample_path(), 1000).pixels


def test_a_photo_made_smaller_brighter_and_compressed_is_nearly_the_same(sample: Pixels) -> None:
    small = cv2.convertScaleAbs(
        cv2.resize(sample, (700, 525), interpolation=cv2.INTER_AREA), alpha=1.1, beta=8
    )
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 50])
    again = cv2.imdecode(data, cv2.IMREAD_COLOR)
    other = np.asarray(np.random.default_rng(0).integers(0, 255, sample.shape), np.uint8)
    hashes = [perceptual_hash(np.asarray(each, np.uint8)) for each in (sample, again, other)]
    assert firsts(hashes) == [0, 0, 2]


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("quarters", range(4))
def test_a_hash_is_known_again_turned_and_mirrored(sample: Pixels, quarters: int, mirrored: bool) -> None:
    copy = np.rot90(sample[:, ::-1] if mirrored else sample, quarters)
    hashes = [perceptual_hash(each) for each in (sample, np.ascontiguousarray(copy))]
    assert firsts(hashes) == [0, 0]


def warped(pixels: Pixels, matrix: list[list[float]]) -> Pixels:
    """The photo by an affine map, counted in its sides from its middle."""
    height, width = pixels.shape[:2]
    linear, middle = np.array(matrix), np.array([width, height]) / 2
    whole = np.column_stack([linear, middle - linear @ middle])
    return np.asarray(cv2.warpAffine(pixels, whole, (width, height), flags=cv2.INTER_AREA), np.uint8)


def turned(degrees: float) -> list[list[float]]:
    cos, sin = 0.85 * np.cos(np.radians(degrees)), 0.85 * np.sin(np.radians(degrees))
    return [[cos, -sin], [sin, cos]]


COPIES: dict[str, Callable[[Pixels], Pixels]] = {
    "turned": partial(warped, matrix=turned(25)),
    "turned and mirrored": lambda pixels: warped(pixels[:, ::-1].copy(), turned(-15)),
    "sheared": partial(warped, matrix=[[0.85, 0.2], [0.05, 0.85]]),
    "cropped": lambda pixels: pixels[: int(0.9 * len(pixels)), int(0.25 * pixels.shape[1]) :].copy(),
    "darker": lambda pixels: np.asarray(pixels * 0.45, np.uint8),
}


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return Labeller(Engine(threads=1))


def read(labeller: Labeller, pixels: Pixels, folder: Path) -> journal.Line:
    cv2.imwrite(str(folder / "photo.png"), cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))
    facts = labeller(folder / "photo.png").facts
    assert facts is not None
    return facts


@pytest.fixture(scope="module")
def original(labeller: Labeller, sample: Pixels, tmp_path_factory: pytest.TempPathFactory) -> Layout:
    return Layout.of(read(labeller, sample, tmp_path_factory.mktemp("original")))


@pytest.mark.parametrize("change", COPIES)
def test_tiles_are_known_again_in_a_changed_copy(
    labeller: Labeller, sample: Pixels, original: Layout, change: str, tmp_path: Path
) -> None:
    copy = Layout.of(read(labeller, COPIES[change](sample), tmp_path))
    shared = np.intersect1d(original.keys, copy.keys)
    assert len(shared) >= 2 and original.agrees(copy) and copy.agrees(original)


def laid(faces: list[str], **fields: Any) -> journal.Line:
    """A photo of rows of nine tiles."""
    tiles = [tile(face, 60 + 34.0 * (at % 9), 60 + 48.0 * (at // 9)) for at, face in enumerate(faces)]
    return photo(" ".join(faces), *tiles, **fields)


def test_other_tiles_on_the_same_table_are_another_photo() -> None:
    draw = random.Random(4)
    first = draw.choices(FACES, k=27)
    moved = [*first[:20], *reversed(first[20:])]
    other = draw.sample(first, 27)
    one, nearly, another = (Layout.of(laid(faces)) for faces in (first, moved, other))
    assert one.agrees(nearly), "a few tiles changed places"
    assert not one.agrees(another)
    row = Layout.of(laid(first[:8] + draw.choices(FACES, k=10)))
    assert not one.agrees(row), "eight tiles of 18"


def test_few_tiles_have_no_keys_and_a_flat_one_counts_for_none() -> None:
    flat = tile("1m") | {"quad": [[5, 5]] * 4}
    few = Layout.of(photo("a.jpg", *[tile(f"{n}m", 50.0 * n) for n in range(1, 6)], flat, tile("back", 9)))
    assert len(few.faces) == 5 and len(few.keys) == 0 and not few.agrees(few)


def test_a_layout_that_was_packed_is_the_same() -> None:
    draw = random.Random(7)
    faces = draw.choices(FACES, k=30)
    one, other = Layout.of(laid(faces)), Layout.of(laid([*faces[:24], *draw.choices(FACES, k=6)]))
    packed = one.packed()
    again = Layout.unpacked(packed)
    assert all(
        np.array_equal(getattr(one, name), getattr(again, name)) for name in ("keys", "faces", "extent")
    )
    assert np.allclose(one.centres, again.centres, atol=1e-3) and np.allclose(one.axes, again.axes, atol=1e-3)
    assert again.agrees(Layout.unpacked(other.packed())) and one.agrees(other)
    assert len(layout.packed_keys(packed)) == layout.KEY_BYTES * len(one.keys) > 0
    nothing = Layout.of(photo("a.jpg")).packed()
    assert layout.is_packed(packed) and layout.is_packed(nothing)
    assert not Layout.unpacked(nothing).agrees(one) and not one.agrees(Layout.unpacked(nothing))
    assert not any(
        layout.is_packed(damaged) for damaged in (b"", packed[:-1], packed[:20], b"\xff" * len(packed))
    )


def test_exact_and_near_copies_of_a_journal(tmp_path: Path) -> None:
    first = photo("a.jpg")
    like = photo("b.jpg", phash=flipped(first["phash"], 5))
    place = {"kind": "place", "path": "copy.jpg", "sha256": first["sha256"]}
    faces = random.Random(5).choices(FACES, k=12)
    table = laid(faces)
    cut = photo("cut.jpg", *table["tiles"][:9], width=380)
    lines = (first, like, photo("c.jpg"), place, table, cut)
    with journal.reading(write(tmp_path, *lines)) as opened:
        assert duplicates.exact(opened.index) == [["a.jpg", "copy.jpg"]]
        assert duplicates.near(opened) == [
            [first["sha256"], like["sha256"]], [table["sha256"], cut["sha256"]]
        ]  # fmt: skip
