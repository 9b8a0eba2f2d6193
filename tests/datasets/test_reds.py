"""Red fives of every style: told from the plain five on the face alone, and held-out styles kept apart."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.render import draw, reds
from datasets.render.draw import BLACK, HEIGHT, RED, WIDTH, Plates
from datasets.render.reds import STYLES, RedFives

OWN_RED = (170, 40, 40)


def _man() -> Plates:
    """A dark numeral above a red character."""
    face = draw.blank()
    face[20:80, 40:104, BLACK] = 255
    face[100:170, 30:114, RED] = 255
    return face


def _pips() -> Plates:
    """Four dark pips and a red one in the middle, as on most sets."""
    face = draw.blank()
    for x, y, ink in ((35, 40, BLACK), (109, 40, BLACK), (72, 96, RED), (35, 152, BLACK), (109, 152, BLACK)):
        face[y - 18 : y + 18, x - 18 : x + 18, ink] = 255
    return face


def _sticks() -> Plates:
    """Four dark sticks and a red one between them."""
    face = draw.blank()
    for x, y, ink in ((36, 55, BLACK), (108, 55, BLACK), (72, 96, RED), (36, 137, BLACK), (108, 137, BLACK)):
        face[y - 36 : y + 36, x - 8 : x + 8, ink] = 255
    return face


PLAIN = {"0m": _man, "0p": _pips, "0s": _sticks}


def _reddish(face: Plates) -> float:
    """Share of the face that is printed red."""
    return float((face[..., RED] > 128).mean())


def test_the_styles_are_split() -> None:
    learnt, kept = (set(reds.names(held_out=side)) for side in (False, True))
    assert learnt and kept and not learnt & kept and learnt | kept == set(STYLES)
    rng = np.random.default_rng(1)
    drawn = {reds.choose(rng, held_out=False) for _ in range(400)}
    assert drawn == learnt
    shown = [reds.choose(rng, held_out=True) for _ in range(400)]
    assert set(shown) == set(STYLES)
    assert 0.25 < np.mean([name in kept for name in shown]) < 0.55


@pytest.mark.parametrize("red", list(PLAIN))
@pytest.mark.parametrize("name", list(STYLES))
def test_a_red_five_differs_from_its_plain_one_where_a_tile_has_forty_pixels(name: str, red: str) -> None:
    """The inks or a mark show more red, or a colour of their own, on six pixels of 40 by 52 at least."""
    plain = PLAIN[red]()
    for seed in range(6):
        fives = RedFives.draw(np.random.default_rng(seed), name)
        plates = fives.plates(red, plain, None)
        inks = np.array([(30, 30, 40), (30, 40, 120), (20, 90, 50), OWN_RED], np.float32)

        def shown(plates: Plates, inks: np.ndarray = inks) -> np.ndarray:
            cover = np.minimum(plates.astype(np.float32).sum(axis=2, keepdims=True), 255)
            total = np.maximum(plates.astype(np.float32).sum(axis=2), 1)
            colour = (plates.astype(np.float32) @ inks) / total[..., None]
            return np.concatenate([colour, cover], axis=2).astype(np.uint8)

        def small(face: np.ndarray) -> np.ndarray:
            cover = face[..., 3:] / 255
            seen = face[..., :3] * cover + 240 * (1 - cover)
            return cv2.resize(seen, (40, 52), interpolation=cv2.INTER_AREA)

        both = small(fives.marked(red, shown(plates), OWN_RED)), small(shown(plain))
        assert (np.abs(both[0] - both[1]).max(axis=2) > 30).sum() >= 6


@pytest.mark.parametrize("name", ["band", "rim"])
def test_a_line_along_an_edge_lies_where_a_photo_shows_it(name: str) -> None:
    """Not on the rounded edge of the tile, and three pixels thick at least where the face has forty."""
    for seed in range(6):
        mark = RedFives.draw(np.random.default_rng(seed), name).mark("0p", OWN_RED)
        assert mark is not None
        height, width = mark.shape[:2]
        off, inked = round(0.025 * width), mark[..., 3] > 128
        assert not np.delete(inked, slice(off, width - off), axis=1).any()
        assert not np.delete(inked, slice(off, height - off), axis=0).any()
        lines = [inked[:, width // 2], inked[height // 2]]
        edges = [part[: len(part) // 4].sum() for line in lines for part in (line, line[::-1])]
        assert all(edge == 0 or edge * 40 / width > 2.5 for edge in edges) and max(edges)


@pytest.mark.parametrize("red", list(PLAIN))
@pytest.mark.parametrize("name", ["varnish", "scrawl", "stone", "star"])
def test_a_mark_lies_beside_the_middle_that_most_plain_fives_have_red(name: str, red: str) -> None:
    for seed in range(20):
        mark = RedFives.draw(np.random.default_rng(seed), name).mark(red, OWN_RED)
        assert mark is not None and mark[..., 3].any()
        height, width = mark.shape[:2]
        middle = mark[int(0.42 * height) : int(0.58 * height), int(0.4 * width) : int(0.6 * width), 3]
        assert not middle.any()


def test_all_of_a_printed_five_is_red_and_a_painted_one_nearly() -> None:
    plain = draw.bams(np.random.default_rng(2))["5s"]
    ink = plain.astype(int).sum(axis=2) > 200
    printed = reds.reddened(plain, None)
    assert not np.delete(printed, RED, axis=2).any() and (printed[ink][:, RED] > 195).all()
    for seed in range(10):
        painted = reds.reddened(plain, reds.paint(np.random.default_rng(seed)))
        assert not painted[plain.max(axis=2) == 0].any()
        assert (painted[ink][:, RED] > 75).all()
    assert not np.array_equal(painted, printed)


def test_little_of_a_dark_ink_shows_through_a_dark_red() -> None:
    plain = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    plain[40:150, 30:110, BLACK] = 255
    for seed in range(20):
        dark, bright = (
            reds.reddened(plain, reds.paint(np.random.default_rng(seed), colour))
            for colour in ((126, 20, 28), (214, 44, 36))
        )
        assert dark[..., BLACK].max() <= 0.31 * 255
        assert dark[..., BLACK].max() <= bright[..., BLACK].max() <= 0.61 * 255


@pytest.mark.parametrize("red", ["0p", "0s"])
def test_a_part_is_an_outer_pip_or_stick_beside_the_red_middle(red: str) -> None:
    plain = PLAIN[red]()
    one = RedFives.draw(np.random.default_rng(3), "part").plates(red, plain, None)
    assert np.isclose(_reddish(one), 2 * _reddish(plain), rtol=0.05)
    two = RedFives.draw(np.random.default_rng(3), "upper").plates(red, plain, None)
    assert np.isclose(_reddish(two), 3 * _reddish(plain), rtol=0.05)
    assert (two[: HEIGHT // 3, :, RED] == plain[: HEIGHT // 3].max(axis=2)).all()


def test_the_upper_part_of_man_is_the_numeral_and_nothing_where_there_is_no_red_character() -> None:
    plain = _man()
    fives = RedFives.draw(np.random.default_rng(0), "upper")
    face = fives.plates("0m", plain, None)
    assert face[50, 72, RED] == 255 and face[130, 72].tolist() == [255, 0, 0, 0]
    dark = plain[..., [RED, 1, 2, BLACK]] * np.array([1, 0, 0, 0], np.uint8)
    face = fives.plates("0m", dark, None)
    assert not np.delete(face, RED, axis=2).any()


def test_a_drawing_of_its_own_is_used_where_there_is_one() -> None:
    fives = RedFives.draw(np.random.default_rng(0), "own")
    assert np.array_equal(fives.plates("0p", _pips(), _sticks()), reds.reddened(_sticks(), None))
    assert np.array_equal(fives.plates("0p", _pips(), None), reds.reddened(_pips(), None))


def test_marks_are_laid_over_a_face_that_stays_as_it_was_elsewhere() -> None:
    face = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    face[...] = (20, 30, 40, 0)
    face[80:120, 50:90, 3] = 255
    for name in ("dots", "stone", "varnish", "star", "rim"):
        marked = RedFives.draw(np.random.default_rng(4), name).marked("0s", face, OWN_RED)
        changed = (marked != face).any(axis=2)
        assert 0.003 < changed.mean() < 0.3, name
        assert marked[changed][:, 3].max() == 255
        assert (marked[changed][:, 0].astype(int) > 90).mean() > 0.4, name
