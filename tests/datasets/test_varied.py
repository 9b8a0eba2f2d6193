"""Hands as people lay them: each arrangement is what it is called, and drawn anew each time."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("numba", reason="the renderer needs numba: pip install 'tehai[render]'")

from datasets.render import blocks, layouts, varied
from datasets.render.layouts import Layout, Piece, Pool
from scorer import Meld, is_complete, waits
from vision.labels import FOREIGN, plain

TILES = [f"{n}{s}" for s in "mp" for n in range(1, 8)]
SIZE = (20.0, 26.0, 16.0)


def row(name: str, seed: int) -> list[Piece]:
    layout = Layout("varied", SIZE)
    varied.ROWS[name][1](layout, np.random.default_rng([17, seed]), TILES)
    assert sorted(str(piece.label) for piece in layout.pieces) == sorted(TILES)
    return layout.pieces


def middles(pieces: list[Piece]) -> layouts.Vector:
    return np.array([piece.centre[:2] for piece in pieces])


def turns(pieces: list[Piece]) -> layouts.Vector:
    return np.array([np.arctan2(piece.axes[1, 0], piece.axes[0, 0]) for piece in pieces])


def off_the_line(pieces: list[Piece]) -> float:
    """How far from a straight line the tiles lie at most, in heights of a tile."""
    at = middles(pieces) - middles(pieces).mean(axis=0)
    across = np.linalg.svd(at)[2][1]
    return float(np.ptp(at @ across)) / SIZE[1]


def neighbour_gaps(pieces: list[Piece]) -> list[float]:
    """From each tile to its nearest neighbour, in widths of a tile."""
    return [
        blocks.nearest([piece], [other for other in pieces if other is not piece], 1e3) / SIZE[0]
        for piece in pieces
    ]


def groups(pieces: list[Piece], apart: float) -> int:
    """How many groups tiles form that no gap wider than ``apart`` mm divides."""
    left, count = list(pieces), 0
    while left:
        group, count = [left.pop()], count + 1
        while near := [p for p in left if blocks.nearest(group, [p], apart) < apart]:
            group += near
            left = [p for p in left if not any(p is other for other in near)]
    return count


@pytest.mark.parametrize("name", varied.ROWS)
def test_no_row_is_laid_twice_alike(name: str) -> None:
    shapes = [middles(row(name, seed)) for seed in range(8)]
    assert len({tuple((shape - shape[0]).round(2).ravel()) for shape in shapes}) == len(shapes)


def test_an_arc_is_an_arc() -> None:
    """Its tiles lie on one circle and turn with it, to either side."""
    bends = set()
    for seed in range(20):
        pieces = row("arc", seed)
        at, yaw = middles(pieces), turns(pieces)
        a = np.column_stack([2 * at, np.ones(len(at))])
        x, y, c = np.linalg.lstsq(a, (at**2).sum(axis=1), rcond=None)[0]
        radius = np.sqrt(c + x * x + y * y)
        assert 100 < radius < 1200
        assert np.abs(np.hypot(*(at - (x, y)).T) - radius).max() < 0.3 * SIZE[1]
        bends.add(bool(np.polyfit(np.arange(len(yaw)), np.unwrap(yaw), 1)[0] > 0))
    assert bends == {True, False}


def test_gaps_lie_inside_the_row() -> None:
    wide = 0
    for seed in range(20):
        pieces = sorted(row("gaps", seed), key=lambda piece: float(piece.centre[0]))
        gaps = [blocks.nearest([a], [b], 1e3) / SIZE[0] for a, b in pairwise(pieces)]
        wide += sum(gap > 0.25 for gap in gaps)
        assert off_the_line(pieces) < 1.6
    assert wide > 20


def test_groups_are_strewn() -> None:
    counts = [groups(row("groups", seed), 0.14 * SIZE[0]) for seed in range(20)]
    assert min(counts) >= 2 and np.mean(counts) > 3.5
    spread = [off_the_line(row("groups", seed)) for seed in range(20)]
    assert np.mean(np.array(spread) > 1) > 0.6


def test_a_zigzag_goes_up_and_down() -> None:
    for seed in range(20):
        steps = np.diff(middles(row("zigzag", seed))[:, 1])
        assert (steps > 0).any() and (steps < 0).any()


def test_pairs_are_apart_and_some_are_turned() -> None:
    turned = 0
    for seed in range(20):
        pieces = row("pairs", seed)
        for a, b in zip(pieces[::2], pieces[1::2], strict=True):
            assert blocks.nearest([a], [b], 1e3) < 0.2 * SIZE[0]
        turned += int((np.abs(np.sin(turns(pieces))) > 0.7).sum())
    assert 10 < turned < 120


def test_two_rows_are_two_or_three() -> None:
    counts = Counter(len(np.unique(middles(row("two rows", s))[:, 1].round(-1) // 20)) for s in range(20))
    assert all(off_the_line(row("two rows", seed)) > 0.9 for seed in range(20))
    assert len(counts) > 1


def test_a_standing_row_stands() -> None:
    for seed in range(5):
        assert all(abs(piece.axes[2, 2]) < 0.1 and piece.axes[2, 1] < -0.9 for piece in row("standing", seed))


@cache
def composed(count: int = 80) -> tuple[Layout, ...]:
    return tuple(varied.compose(np.random.default_rng([23, number])) for number in range(count))


def test_every_hand_is_what_the_truth_says() -> None:
    for layout in composed():
        assert layout.hands
        for hand in layout.hands:
            melds = [Meld(meld["type"], meld["tiles"], meld["from"]) for meld in hand.melds]
            tiles = "".join(hand.concealed) + (hand.win_tile or "")
            assert is_complete(tiles, melds) == hand.finished
            if hand.waits:
                assert tuple(map(str, waits("".join(hand.concealed), melds))) == hand.waits
            assert not hand.win_tile or plain(hand.win_tile) in hand.waits
            own = [p for p in layout.pieces if p.seat == hand.seat]
            laid = sorted(str(p.label) for p in own if p.role == "hand")
            assert laid == sorted(hand.concealed)
            assert [p.label for p in own if p.role == "win"] == ([hand.win_tile] if hand.win_tile else [])


def test_tiles_are_those_of_one_set() -> None:
    for layout in composed():
        faces = Counter(plain(p.label) for p in layout.pieces if p.label and p.label != FOREIGN)
        assert max(faces.values()) <= 4


def test_nothing_lies_on_a_hand_and_tiles_in_no_others() -> None:
    for layout in composed():
        for hand in layout.hands:
            own = [piece for piece in layout.pieces if piece.seat == hand.seat]
            assert blocks.nearest(own, [p for p in layout.pieces if p.seat != hand.seat], 9.0) > 0.5
            for n, piece in enumerate(own[:-1]):
                assert blocks.nearest([piece], own[n + 1 :], 9.0) > -2.5


def test_a_winning_tile_can_be_told_from_its_row() -> None:
    """It lies farther from the row than any tile of the row from its neighbour."""
    told = 0
    for layout in composed():
        for hand in layout.hands:
            own = [piece for piece in layout.pieces if piece.seat == hand.seat]
            row = [piece for piece in own if piece.role == "hand"]
            for win in (piece for piece in own if piece.role == "win"):
                told += 1
                widest = max(neighbour_gaps(row), default=0.0) if len(row) > 1 else 0.0
                assert blocks.nearest([win], row, 1e3) / layout.tile[0] > widest + 0.3
    assert told > 15


def test_everything_that_was_asked_for_occurs() -> None:
    """Indicators beside the hand and on the wall, kans with their faces outside and inside, hands upside down
    to the camera, flowers, rivers with an owner."""
    seen: Counter[str] = Counter()
    for layout in composed():
        roles = {piece.role for piece in layout.pieces}
        levels = [p.centre[2] < 0.6 * layout.tile[2] for p in layout.pieces if p.role == "dora"]
        seen["dora beside"] += any(levels)
        seen["ura"] += "ura" in roles
        seen["dora on a wall"] += not all(levels)
        seen["flowers"] += any(p.label == FOREIGN for p in layout.pieces)
        seen["several hands"] += len(layout.hands) > 1
        seen["owned river"] += any(p.order is not None and p.owner is not None for p in layout.pieces)
        seen["upside down"] += bool(layout.view and abs(np.cos(layout.view.azimuth) + 1) < 0.3)
        for index in range(4):
            tiles = [p for p in layout.pieces if p.role == f"meld:{index}" and p.seat == 0]
            backs = [n for n, p in enumerate(tiles) if p.label is None]
            seen["faces inside" if backs == [0, 3] else "faces outside"] += len(backs) == 2
    assert min(seen.values()) >= 1 and len(seen) == 9, seen


def test_faces_of_the_hand_are_turned_to_the_camera() -> None:
    """Those of standing tiles, too, unless they are seen from behind or from the side."""
    for layout in composed():
        assert layout.view is not None
        standing = [p for p in (layout.pieces[i] for i in layout.subject) if abs(p.axes[2, 2]) < 0.5]
        assert not standing or layout.view.elevation < 0.85


def test_a_river_lacks_what_was_called_from_it() -> None:
    """Nobody's river is longer than the longest one less what others called from it, and one more."""
    tables = [layout for layout in composed(120) if layout.scene == "table"]
    assert len(tables) > 8
    called = 0
    for layout in tables:
        rivers = _rivers(layout)
        longest = max(map(len, rivers.values()))
        for hand in layout.hands:
            for meld in hand.melds:
                if meld["from"]:
                    called += 1
                    source = (hand.seat + int(meld["from"])) % 4
                    assert len(rivers.get(source, [])) < longest + 1
        for seat, river in rivers.items():
            assert [piece.order for piece in river] == list(range(len(river)))
            open_sets = any(meld["from"] for hand in layout.hands if hand.seat == seat for meld in hand.melds)
            turned = sum(piece.sideways for piece in river)
            assert turned <= (0 if open_sets else 1)
    assert called


def _rivers(layout: Layout) -> dict[int, list[Piece]]:
    rivers: dict[int, list[Piece]] = {}
    for piece in layout.pieces:
        if piece.owner is not None and piece.order is not None:
            rivers.setdefault(piece.owner, []).append(piece)
    return rivers


def test_a_pool_keeps_what_a_row_waits_on() -> None:
    """No loose tile of a photo of one hand would finish it."""
    for layout in composed():
        if layout.scene in varied.ROWS:
            waited = {face for hand in layout.hands for face in hand.waits}
            loose = {plain(p.label) for p in layout.pieces if p.seat is None and p.label}
            assert not loose & waited


def test_blocks_settle_where_there_is_room() -> None:
    layout = Layout("varied", SIZE)
    taken = layout.put("1m", 0, 0)
    block = [layout.put("2m", 100, 0), layout.put("3m", 120, 0)]
    spots = iter([(10.0, 0.0, 0.0), (0.0, 30.0, np.pi / 2), (60.0, 0.0, 0.0)])
    assert blocks.settle(block, [taken], lambda: next(spots), 5.0)
    assert [piece.centre[0] for piece in block] == pytest.approx([50.0, 70.0])
    assert blocks.nearest(block, [taken]) == pytest.approx(30.0)
    assert not blocks.settle(block, [taken], lambda: (0.0, 0.0, 0.3), 1.0, 3)


def test_footprints_of_standing_and_turned_tiles() -> None:
    layout = Layout("varied", SIZE)
    standing, turned = layout.put("1m", 0, 0, pose="standing"), layout.put("2m", 0, 40, np.pi / 2)
    assert blocks.nearest([standing], [turned]) == pytest.approx(40 - SIZE[2] / 2 - SIZE[0] / 2)
    assert blocks.bounds([turned]) == pytest.approx((-13, 30, 13, 50))
    assert Pool(np.random.default_rng(1), 0.5).any()
