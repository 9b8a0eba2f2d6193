"""Tiles of no hand, and bodies of every make: there, split, and named in the truth of a photo."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.render import bodies, foreign, tilesets
from datasets.render.draw import HEIGHT, WIDTH, Plates
from datasets.render.tilesets import Source


def _stamp(face: Plates, character: str, middle: tuple[float, float], height: float, ink: int) -> None:
    x, y = round(middle[0] * WIDTH), round(middle[1] * HEIGHT)
    face[y - 9 : y + 9, x - 9 : x + 9, ink] = 255


def test_every_drawing_shows_something_that_is_no_white_dragon() -> None:
    learnt, kept = (set(foreign.kinds(held_out=side)) for side in (False, True))
    assert learnt and kept and not learnt & kept
    for seed in range(12):
        rng = np.random.default_rng(seed)
        for held_out in (False, True):
            for characters in ("", foreign.CHARACTERS):
                made = foreign.faces(rng, 4, held_out=held_out, characters=characters, stamp=_stamp)
                assert len(made) == 4
                assert {name.split()[0] for name in made} <= (kept if held_out else learnt)
                for name, face in made.items():
                    assert face.shape == (HEIGHT, WIDTH, 4) and face.dtype == np.uint8
                    assert 0.01 < (face.max(axis=2) > 100).mean() < 0.6, name


def test_no_drawing_is_written_with_characters_that_no_font_has() -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("there is no font")

    made = foreign.faces(np.random.default_rng(0), 30, held_out=False, characters="", stamp=refuse)
    assert len(made) == 30


def test_a_spare_is_blank_only_where_the_white_dragon_is_not(fonts: tuple[Source, ...]) -> None:
    blanks = set()
    for seed in range(12):
        made = tilesets.draw_set(np.random.default_rng(seed), fonts)
        framed = bool(made.faces["5z"][..., 3].any())
        assert (foreign.BLANK in made.foreign) == framed
        assert all(face[..., 3].any() for name, face in made.foreign.items() if name != foreign.BLANK)
        blanks.add(framed)
    assert blanks == {True, False}


@pytest.mark.parametrize("name", list(bodies._BACKS))
def test_a_back_is_of_the_colour_that_was_asked_for(name: str) -> None:
    shades = np.array(bodies._BACKS[name][1])
    for seed in range(5):
        body = bodies.draw(np.random.default_rng(seed), name)
        assert np.abs(shades - body.back).max(axis=1).min() < 40
        assert 0.15 <= body.back_share <= body.seam_share <= 0.5
        assert min(body.bone) > 150 and not body.one_piece


def test_bodies_are_of_one_piece_of_two_layers_and_of_three_plain_and_printed() -> None:
    some = [bodies.draw(np.random.default_rng(seed)) for seed in range(120)]
    for body in some:
        assert 1 <= body.corner <= 3 and 0 <= body.engraving <= 0.4 and 0 <= body.gloss <= 1
        assert body.one_piece == (body.back_share == 0) and body.seam_share >= body.back_share
        if body.one_piece:
            assert body.back == body.bone == body.seam
        if body.behind is not None:
            assert body.behind.shape == (HEIGHT, WIDTH, 4) and body.behind[..., 3].any()
    layers = {1 if body.one_piece else 2 + (body.seam_share > body.back_share) for body in some}
    assert layers == {1, 2, 3}
    assert {body.behind is None for body in some} == {True, False}
