"""What may lie where no whole tile was seen is looked for where it fits, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.layouts import H, Laid, W, hand_of, line
from vision.mend import Mend, between, resized
from vision.quads import axes, parallelograms
from vision.table import Table

ROW = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s 3s"


def table_of(tiles: list[Laid]) -> Table:
    return hand_of(tiles).table


@pytest.mark.parametrize(("missing", "width"), [(4, W), (9, W), (11, H)])
def test_a_tile_that_was_missed_in_a_row_is_looked_for(missing: int, width: float) -> None:
    """A standing one, or one that lies on its side."""
    tiles = line(ROW)
    for tile in tiles[missing + 1 :]:
        tile.x += width - W
    table = table_of([*tiles[:missing], *tiles[missing + 1 :]])
    (mend,) = between(table.tiles, table.promising())
    (quad,), centre = table.tiles.plane.apply(mend.quads), table.tiles.centre
    before, after = centre[missing - 1 : missing + 1]
    assert np.allclose(quad.mean(axis=0), (before + after) / 2, atol=1)
    along = (after - before) / np.linalg.norm(after - before)
    assert np.ptp(quad @ along) == pytest.approx(width, abs=1.5)


@pytest.mark.parametrize("gap", [W / 2, 1.7 * W, 3 * W])
def test_nothing_is_looked_for_in_a_gap_that_no_tile_fits(gap: float) -> None:
    tiles = line(ROW)
    for tile in tiles[6:]:
        tile.x += gap
    table = table_of(tiles)
    assert not list(between(table.tiles, table.promising()))


@pytest.mark.parametrize("away", [0.0, 300.0])
def test_a_called_tile_that_seems_as_large_as_two_may_be_one(away: float) -> None:
    """Its side belongs to what was seen of it."""
    x = 13 * W + 40 + away
    hand = hand_of([*line(ROW), Laid("7z", x, -3.5, np.pi / 2), *line("7z 7z", x=x + (H + W) / 2 + 1)])
    quads, called, plane = hand.seen.quads.astype(float), 14, hand.table.tiles.plane
    middle, (across, along) = quads[called].mean(axis=0), (each[0] for each in axes(quads[[called]]))
    quads[called] = parallelograms(middle, 1.3 * across, 1.4 * along)
    tiles = Table.of(quads, hand.seen.probabilities, hand.seen.rotation).tiles
    assert not tiles.usable[called]
    mends = [plane.apply(mend.quads[0]) for mend in resized(tiles, range(14)) if len(mend.quads) == 1]
    assert len(mends) == (not away)
    for mend in mends:
        assert sorted(np.linalg.norm(axes(mend), axis=1)) == pytest.approx([W, H], abs=1)
        assert np.allclose(mend.mean(axis=0), tiles.centre[called], atol=1)


def test_nothing_is_looked_for_between_backs_alone() -> None:
    wall = line(" ".join(["back"] * 7), y=80, role="other")
    table = table_of([*line(ROW), *wall[:3], *wall[4:]])
    assert not list(between(table.tiles, table.promising()))


@pytest.mark.parametrize(("away", "asked"), [(1.5 * W, True), (20 * W, False)])
def test_only_what_may_be_the_hands_is_asked_of_the_network(away: float, asked: bool) -> None:
    hand = hand_of(line(ROW))
    tiles = hand.table.tiles
    along = (tiles.centre[13] - tiles.centre[0]) / np.linalg.norm(tiles.centre[13] - tiles.centre[0])
    there = tiles.plane.invert(tiles.plane.apply(tiles.quads[13:14]) + away * along)
    assert any(hand.may_have([Mend((), there)])) is asked


def test_beside_every_hand_that_may_be_meant_what_seemed_nothing_is_looked_at() -> None:
    """The row that lacks a tile is the second answer, because it lacks it."""
    theirs = line("2m 3m 4m 6p 7p 8p 2s 3s 4s 6z 6z 8s 8s", y=250)
    hand = hand_of([*line("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s"), *theirs])
    first, second = hand.layout, next(each for each in hand.likely if each.hand[0] > 12)
    assert first.hand == tuple(range(13)) and second.hand == tuple(range(13, 26))
    tiles = hand.table.tiles
    along = (tiles.centre[25] - tiles.centre[13]) / 12
    nothing = tiles.plane.invert(tiles.plane.apply(tiles.quads[25:26]) + along)
    assert not list(hand.table.mends([first], nothing))
    mends = np.concatenate([mend.quads for mend in hand.table.mends(hand.likely, nothing)])
    middles, (there,) = tiles.plane.apply(mends).mean(axis=1), tiles.plane.apply(nothing).mean(axis=1)
    assert np.linalg.norm(middles - there, axis=1).min() < 2
