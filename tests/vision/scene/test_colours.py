"""The colours of crops: of prints, of what is blank, of backs, beside the faces of the photo."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Array32, Pixels
from vision.labels import BACK_INDEX, FACES, WHITE_INDEX, WITH_FOREIGN
from vision.scene.colours import COLOURS, colours, compared

IVORY, ORANGE, GREEN, INK = (235, 230, 215), (225, 140, 40), (30, 110, 60), (25, 25, 30)
SHOWS = {"face": 0, "white": WHITE_INDEX, "back": BACK_INDEX}
assert FACES[SHOWS["face"]] == "1m"


def crop(ground: tuple[int, int, int], print_: tuple[int, int, int] | None = None) -> Pixels:
    """A tile of one colour that fills its crop, with a print or none."""
    picture = np.full((80, 64, 3), ground, np.uint8)
    if print_:
        picture[28:52, 24:40] = print_
    return picture


def shares(*what: str) -> Array32:
    """Of crops that surely show what is named."""
    return np.eye(len(WITH_FOREIGN), dtype=np.float32)[[SHOWS[each] for each in what]]


def light(rgb: Pixels, factor: float) -> Pixels:
    return np.asarray((rgb * factor).clip(0, 255), np.uint8)


def test_each_crop_has_its_colours() -> None:
    seen = colours(np.stack([crop(IVORY, INK), crop(IVORY), crop(ORANGE)]))
    assert seen.shape == (3, COLOURS) and seen.dtype == np.float32 and np.isfinite(seen).all()
    face, white, back = seen.reshape(3, -1, 3)
    assert face[0, 0] < white[0, 0] - 1, "a print is dark"
    assert np.allclose(face[-1], white[-1], atol=0.02), "the ground around it is as white"
    assert back[-1, 2] < white[-1, 2] - 1, "orange has less blue"


def test_of_no_crops_there_are_no_colours() -> None:
    assert colours(np.zeros((0, 80, 64, 3), np.uint8)).shape == (0, COLOURS)
    none = compared(np.zeros((0, COLOURS), np.float32), np.zeros((0, len(WITH_FOREIGN)), np.float32))
    assert none.shape == (0, COLOURS) and none.dtype == np.float32


@pytest.mark.parametrize("factor", [1.0, 0.4])
@pytest.mark.parametrize("colour", [ORANGE, GREEN])
def test_a_white_is_nearer_to_the_ground_of_the_faces_than_a_back(
    colour: tuple[int, int, int], factor: float
) -> None:
    crops = light(np.stack([crop(IVORY, INK), crop(IVORY, GREEN), crop(IVORY), crop(colour)]), factor)
    beside = compared(colours(crops), shares("face", "face", "white", "back"))
    assert beside.shape == (4, COLOURS)
    *_, white, back = np.linalg.norm(beside[:, -3:], axis=1)
    assert white < 0.1 < 1 < back


def test_the_light_of_a_photo_does_not_count() -> None:
    crops = np.stack([crop(IVORY, INK), crop(IVORY), crop(ORANGE)])
    what = shares("face", "white", "back")
    bright, dim = (compared(colours(light(crops, factor)), what) for factor in (1.0, 0.5))
    assert np.abs(bright - dim)[:2, -3:].max() < 0.05, "of light tiles"
    assert np.abs(colours(crops) - colours(light(crops, 0.5)))[:2, -3:].max() > 0.6


def test_where_no_face_is_seen_all_tiles_are_the_ground() -> None:
    seen = colours(np.stack([crop(ORANGE), crop(ORANGE)]))
    assert np.allclose(compared(seen, shares("back", "back"))[:, -3:], 0, atol=1e-5)
