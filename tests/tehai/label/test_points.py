"""Photos known again by their points: whatever they show, and however they were changed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tehai.errors import Mistake
from tehai.hand.sample import sample_path
from tehai.label import duplicates, journal, points
from tehai.label.chains import Chains
from tehai.label.points import Points
from tests.tehai.label.lines import photo, write
from vision.image import load

Picture = NDArray[np.uint8]


@cache
def sample() -> Picture:
    return np.asarray(cv2.resize(load(sample_path()).pixels, (640, 480), interpolation=cv2.INTER_AREA))


def picture(seed: int) -> Picture:
    """The sample, its parts in another order: tiles and cloth of one table, in one light."""
    parts = [part for row in np.split(sample(), 8) for part in np.split(row, 8, axis=1)]
    order = np.random.default_rng(seed).permutation(64) if seed else range(64)
    return np.vstack([np.hstack([parts[at] for at in list(order)[row : row + 8]]) for row in range(0, 64, 8)])


def changed(of: Picture, matrix: list[list[float]], light: float = 1.0) -> Picture:
    """The picture by a map about its middle."""
    linear, middle = np.array(matrix), np.array([320.0, 240.0])
    whole = np.column_stack([linear, middle - linear @ middle])
    return np.asarray(np.clip(cv2.warpAffine(of, whole, (640, 480)) * light, 0, 255), np.uint8)


def seen(of: Picture) -> Points:
    return Points.of({"points": points.found(of)})


CHANGES: dict[str, Any] = {
    "turned": [[0.77, -0.64], [0.64, 0.77]],
    "upside down": [[-1, 0], [0, -1]],
    "mirrored": [[-1, 0], [0, 1]],
    "sheared": [[1, 0.35], [0, 1]],
    "cropped": [[1.3, 0], [0, 1.3]],
    "mirrored, turned and smaller": [[0, 0.7], [0.7, 0]],
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_photo_is_known_again(name: str) -> None:
    one, copy = seen(picture(0)), seen(changed(picture(0), CHANGES[name], light=0.8))
    assert one.agrees(copy) and copy.agrees(one)
    assert not seen(picture(4)).agrees(copy)


def grey_and_dark(of: Picture) -> Picture:
    """As augmentations leave it: without colours, with some noise, as a JPEG of poor quality."""
    grey = np.repeat(cv2.cvtColor(of, cv2.COLOR_RGB2GRAY)[..., None], 3, 2)
    noisy = grey + np.random.default_rng(0).normal(0, 4, of.shape)
    stored = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 60])[1]
    return np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)


@pytest.mark.parametrize(("turn", "size", "shear"), [(0.5, 0.8, 0.8), (2.0, 0.8, 0.8), (2.0, 1.2, 0.7)])
def test_a_photo_that_was_changed_in_several_ways_at_once_is_known_again(
    turn: float, size: float, shear: float
) -> None:
    across, down = size * np.cos(turn), size * np.sin(turn)
    linear = [[across, shear * across - down], [down, shear * down + across]]
    one, copy = seen(picture(0)), seen(grey_and_dark(changed(picture(0), linear, light=0.3)))
    assert one.agrees(copy)
    assert not seen(picture(4)).agrees(copy)


def test_photos_that_were_read_when_fewer_points_were_kept_are_known_again() -> None:
    whole, copy = seen(picture(0)), seen(changed(picture(0), CHANGES["sheared"]))
    assert len(whole.places) == 400
    fewer = Points(whole.places[:200], whole.bits[:200], whole.turned[:200])
    assert fewer.agrees(copy) and copy.agrees(fewer)


def test_a_photo_without_points_is_known_to_nobody() -> None:
    plain = np.full((300, 400, 3), 90, np.uint8)
    assert points.found(plain) == ""
    nothing = seen(plain)
    assert not nothing.agrees(nothing) and not nothing.agrees(seen(picture(0)))
    assert not Points.of({}).agrees(seen(picture(0))), "nobody has looked for any in older lines"


def test_copies_that_show_no_tile_are_one_group(tmp_path: Path) -> None:
    shown = {
        "a.jpg": picture(0),
        "b.jpg": picture(4),
        "c.jpg": changed(picture(0), CHANGES["sheared"]),
        "d.jpg": picture(5),
    }
    lines = [photo(name, points=points.found(one)) for name, one in shown.items()]
    older = photo("e.jpg")
    with journal.reading(write(tmp_path, *lines, older)) as opened:
        assert duplicates.near(opened) == [[lines[0]["sha256"], lines[2]["sha256"]]]


def test_points_of_lines_that_others_wrote_are_found(tmp_path: Path) -> None:
    odd = '\\x.jpg "points":"no"'
    file = write(tmp_path, photo(odd, points="QUJD"), photo("b.jpg"))
    line = json.dumps({"schema": 1, **photo("c.jpg", points="REVG")}, indent=None, separators=(", ", ": "))
    file.write_bytes(file.read_bytes() + line.encode() + b"\n")
    with journal.reading(file) as opened:
        said = [opened.text(key, "points") for key in opened.index.photos]
        assert said == ["QUJD", "", "REVG"] and opened.text(photo(odd)["sha256"], "path") == odd


def test_damaged_points_are_named(tmp_path: Path) -> None:
    with (
        journal.reading(write(tmp_path, photo("a.jpg", points="no base64!"))) as opened,
        pytest.raises(Mistake, match="is damaged"),
    ):
        duplicates.near(opened)


def test_what_is_like_nothing_is_given_up() -> None:
    pairs = [(one, other) for one in range(20) for other in range(one + 1, 20)]
    asked = []

    def same(one: int, other: int) -> bool:
        asked.append((one, other))
        return (one, other) == (3, 9)

    assert duplicates.tried(pairs, [99] * 20, same) == [(3, 9)] and len(asked) == len(pairs)
    asked.clear()
    assert duplicates.tried([(0, 1), (1, 2), (0, 2)], [9] * 3, lambda *_: True) == [(0, 1), (1, 2)]
    assert duplicates.tried(pairs, [2] * 20, same) == [] and len(asked) < 60
    asked.clear()
    assert duplicates.tried(pairs, [2, 2, 2, 19, *[2] * 5, 19, *[2] * 10], same) == [(3, 9)], (
        "some are given more time"
    )
    asked.clear()
    assert duplicates.tried(pairs, [0, *[99] * 19], same) == [(3, 9)]
    assert all(one for one, _ in asked), "what has been given up is asked of no more"
    known = Chains(20)
    known.join(3, 9)
    assert duplicates.tried(pairs, [99] * 20, same, known) == [], "what hangs together is not asked again"
