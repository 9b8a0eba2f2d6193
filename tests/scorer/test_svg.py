"""The drawn tiles: whole SVG, all different, named."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from scorer.svg import BACK, HEIGHT, WIDTH, drawing, sheet, sprite, tile_svg, use
from scorer.tiles import TILES, Tile

FACES: list[Tile | str] = [*TILES, BACK]


@pytest.mark.parametrize("tile", FACES, ids=str)
def test_a_tile_is_whole_and_stays_on_its_body(tile: Tile | str) -> None:
    root = ElementTree.fromstring(tile_svg(tile, height=40))
    assert root.get("height") == "40" and root.get("width") == "30"
    for element in root.iter():
        for name, most in (("x", WIDTH), ("cx", WIDTH), ("y", HEIGHT), ("cy", HEIGHT)):
            assert 0 <= float(element.get(name, 0)) <= most


def test_no_two_faces_look_alike() -> None:
    assert len({drawing(tile) for tile in FACES}) == len(FACES)


def test_red_fives_are_told_without_colours() -> None:
    def shapes(tile: Tile) -> str:
        return re.sub(r"#[0-9a-f]{6}", "", drawing(tile))

    for red, plain in zip(TILES[34:], (TILES[4], TILES[13], TILES[22]), strict=True):
        assert shapes(red) != shapes(plain)


def test_a_page_defines_each_tile_once_and_names_its_uses() -> None:
    ElementTree.fromstring(sheet())
    defined = sprite([TILES[0], TILES[0], BACK])
    assert re.findall(r'id="([^"]+)"', defined) == ["tile-1m", "tile-back"]
    assert 'aria-label="red 5 circles"' in use(Tile.parse("0p"))
