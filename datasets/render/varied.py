"""Hands as people lay them down: in an arc, with gaps, in scattered groups, in zigzag, in two rows, standing.

Four choices are independent: the row (:data:`ROWS`), its called sets (:data:`CALLS`), the objects around it
(:data:`AROUND`), and the camera. Every distance and angle is random, so that no network can learn fixed
layouts.

The ground truth has the fields of :mod:`datasets.render.game`. ``scene`` is the row's arrangement,
``several`` or ``table``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.random import Generator

from datasets.render import blocks, furniture, game, layouts, things
from datasets.render.blocks import Spot
from datasets.render.game import State
from datasets.render.layouts import Layout, OpenHand, Piece, Pool, View
from scorer import waits
from vision.labels import FOREIGN, plain

STATES: Mapping[State, float] = {"won": 0.68, "ready": 0.18, "unready": 0.14}
"""How often a hand is finished, one tile short, or neither."""

CLEAR = 1.5  # mm between a hand's tile and whatever is nobody's
_TOUCH = -1.0  # mm that slanted neighbours of a row may overlap, as rounded tiles that touch do


# --- rows: the closed tiles of one hand, about the origin, the player towards -y -------------------------


def _put(layout: Layout, label: str, x: float, y: float, yaw: float) -> Piece:
    return layout.put(label, x, y, yaw, role="hand", subject=True)


def _line(layout: Layout, rng: Generator, tiles: Sequence[str]) -> None:
    """Side by side, more or less in line."""
    loose = float(rng.choice([0.05, 0.4, 1.0]))
    layouts.row_of_tiles(layout, tiles, 0, 0, rng, role="hand", loose=loose)


def _arc(layout: Layout, rng: Generator, tiles: Sequence[str]) -> None:
    """Along a circle, open to the player or to the table, with gaps."""
    width, height, _ = layout.tile
    radius = float(np.exp(rng.uniform(np.log(150), np.log(700))))
    bend = float(rng.choice([-1, 1]))
    inner = radius - height / 2  # where neighbours come nearest to each other
    gap = float(rng.choice([0.01, 0.1, 0.4])) * width
    follows = float(rng.uniform(0.6, 1.0))  # how far the tiles turn with the circle
    angle = 0.0
    for label in tiles:
        x, y = radius * np.sin(angle), bend * radius * (1 - np.cos(angle))
        yaw = bend * follows * angle + float(rng.normal(0, 0.03))
        _put(layout, label, float(x), float(y) + float(rng.normal(0, 0.06 * height)), yaw)
        angle += (width * (1.04 + 0.35 * (1 - follows)) + float(rng.exponential(gap))) / inner
    if bend > 0:  # laid from the left: the circle's middle is the row's
        blocks.move(layout.pieces[-len(tiles) :], -angle / 2)
    else:
        blocks.move(layout.pieces[-len(tiles) :], angle / 2)


def _gaps(layout: Layout, rng: Generator, tiles: Sequence[str]) -> None:
    """A line with gaps between its sets, or anywhere."""
    width, height, _ = layout.tile
    chance, wide = float(rng.uniform(0.12, 0.5)), float(rng.uniform(0.15, 1.3)) * width
    slant, uneven = float(rng.choice([0.01, 0.05])), float(rng.choice([0.01, 0.1, 0.25])) * height
    x = 0.0
    for label in tiles:
        _put(layout, label, x, float(rng.normal(0, uneven)), float(rng.normal(0, slant)))
        x += width * (1.02 + 0.5 * slant) + abs(float(rng.normal(0, 0.4)))
        x += float(rng.exponential(wide)) if rng.random() < chance else 0.0


def _zigzag(layout: Layout, rng: Generator, tiles: Sequence[str]) -> None:
    """One up, one down, none as straight as the other."""
    width, height, _ = layout.tile
    deep, slant = float(rng.uniform(0.05, 0.4)) * height, float(rng.uniform(0.02, 0.14))
    every = int(rng.choice([1, 2, 3]))
    x = 0.0
    for place, label in enumerate(tiles):
        up = deep * (1 if place // every % 2 else -1)
        _put(layout, label, x, up / 2 + float(rng.normal(0, 0.3 * deep)), float(rng.normal(0, slant)))
        x += width * (1.02 + 1.3 * slant) + abs(float(rng.normal(0, 0.08 * width)))


def _runs(rng: Generator, tiles: Sequence[str]) -> list[list[str]]:
    """The tiles in sets, as far as their order has them: runs of three or two of neighbours."""
    short = len({plain(tile) for tile in tiles}) <= len(tiles) // 2 + 1  # seven pairs
    size = 2 if short else 3
    begin = int(rng.choice([0, 0, 0, 1, 2])) % size
    cuts = [*range(begin, len(tiles), size), len(tiles)]
    runs = [list(tiles[:begin])] + [list(tiles[a:b]) for a, b in pairwise(cuts)]
    return [run for run in runs if run]


def _groups(layout: Layout, rng: Generator, tiles: Sequence[str]) -> None:
    """Sets strewn over some part of the table, each a short row of its own."""
    width, height, _ = layout.tile
    first = len(layout.pieces)
    turn = float(rng.choice([0.05, 0.25, 0.7]))
    wide, high = float(rng.uniform(5, 13)) * width, float(rng.uniform(0.5, 4)) * height
    for run in _runs(rng, tiles):
        begin = len(layout.pieces)
        layouts.row_of_tiles(layout, run, 0, 0, rng, role="hand", loose=float(rng.choice([0.05, 0.3])))
        for reach in (1.0, 1.5, 2.5):

            def spot(reach: float = reach) -> Spot:
                x, y = rng.uniform(-1, 1, 2) * (wide, high) * reach
                return float(x), float(y), float(rng.normal(0, turn))

            if blocks.settle(layout.pieces[begin:], layout.pieces[first:begin], spot, 0.15 * width):
                break


def _pairs(layout: Layout, rng: Generator, tiles: Sequence[str]) -> None:
    """Twos along a line, some pushed away and turned: as seven pairs are counted out."""
    width, height, _ = layout.tile
    apart, slant = float(rng.uniform(0.05, 0.6)) * width, float(rng.uniform(0.01, 0.2))
    turned = float(rng.uniform(0.0, 0.35))
    x = 0.0
    for begin in range(0, len(tiles), 2):
        first = len(layout.pieces)
        layouts.row_of_tiles(layout, tiles[begin : begin + 2], 0, 0, rng, role="hand", loose=0.1)
        pair = layout.pieces[first:]
        yaw = float(rng.normal(0, slant)) + (np.pi / 2 if rng.random() < turned else 0.0)
        blocks.move(pair, yaw)
        x0, y0, x1, y1 = blocks.bounds(pair)
        aside = float(rng.normal(0, 0.12 * height))
        blocks.move(pair, 0.0, x - x0, aside - (y0 + y1) / 2)
        x += x1 - x0 + 0.3 + float(rng.exponential(apart))


def _rows(layout: Layout, rng: Generator, tiles: Sequence[str]) -> None:
    """Two or three lines, one above the other."""
    width, height, _ = layout.tile
    lines = 2 if rng.random() < 0.75 or len(tiles) < 9 else 3
    cuts = np.sort(rng.choice(np.arange(1, len(tiles)), lines - 1, replace=False)) if len(tiles) > 3 else [1]
    y, step = 0.0, height + float(rng.uniform(0.3, 1.0) ** 3 * 1.2 * height)
    for a, b in pairwise([0, *(int(cut) for cut in cuts), len(tiles)]):
        x = float(rng.choice([0.0, rng.uniform(-2, 4)])) * width
        layouts.row_of_tiles(layout, tiles[a:b], x, y, rng, role="hand", loose=float(rng.choice([0.05, 0.3])))
        y -= step


def _standing(layout: Layout, rng: Generator, tiles: Sequence[str]) -> None:
    """On their feet before the player, straight or in a shallow arc."""
    width, _, _ = layout.tile
    bend = float(rng.choice([0.0, rng.uniform(-0.0012, 0.0012)]))
    apart = float(rng.choice([0.2, 0.6, 2.0]))
    x = -len(tiles) * width / 2
    for label in tiles:
        yaw = 2 * bend * x + float(rng.normal(0, 0.015))
        layout.put(
            label, x, bend * x * x + float(rng.normal(0, 0.5)), yaw,
            pose="standing", role="hand", subject=True,
        )  # fmt: skip
        x += width * 1.01 + 16 * abs(bend * width) + abs(float(rng.normal(0, apart)))


ROWS: Mapping[str, tuple[float, Callable[[Layout, Generator, Sequence[str]], None]]] = {
    "line": (0.18, _line),
    "arc": (0.17, _arc),
    "gaps": (0.14, _gaps),
    "groups": (0.15, _groups),
    "zigzag": (0.10, _zigzag),
    "pairs": (0.10, _pairs),
    "two rows": (0.09, _rows),
    "standing": (0.07, _standing),
}
"""How the closed tiles of a hand are arranged: how often, and what lays them."""

CALLS: Mapping[str, float] = {"right": 0.34, "behind": 0.22, "before": 0.16, "left": 0.10, "strewn": 0.18}
"""Where called sets lie of their row."""

SEPARATE = 0.72
"""How often the winning tile of a finished hand lies apart from its row; else nobody can tell it."""


def _widest(row: Sequence[Piece]) -> float:
    """How far from its nearest neighbour in the row any tile of it lies, in mm."""
    if len(row) < 2:
        return 0.0
    return max(
        blocks.nearest([piece], [other for other in row if other is not piece], 200.0) for piece in row
    )


def _lay_win(layout: Layout, rng: Generator, label: str, row: Sequence[Piece]) -> bool:
    """Lay the winning tile off its row, a finger or two hands away: far enough to be told from the row."""
    width, height, _ = layout.tile
    x0, y0, x1, y1 = blocks.bounds(row)
    style = float(rng.choice([0.0, np.pi / 2, 9.0], p=[0.5, 0.3, 0.2]))
    yaw = float(rng.uniform(-np.pi, np.pi) if style == 9.0 else rng.choice([-1, 1]) * style)
    standing = all(abs(piece.axes[2, 1]) > 0.9 for piece in row) and rng.random() < 0.4
    win = layout.put(
        label, 0, 0, pose="standing" if standing else "up", role="win", subject=True,
        sideways=bool(abs(np.sin(yaw)) > np.sqrt(0.5)) and not standing,
    )  # fmt: skip
    least = _widest(row) + game.TOLD * width
    reach = float(rng.choice([0.3, 1.2, 4.0])) * width
    side = str(rng.choice(["right", "left", "above", "below"], p=[0.5, 0.2, 0.15, 0.15]))

    def spot() -> Spot:
        off = least + height / 2 + float(rng.exponential(reach))
        along = float(rng.uniform(x0, x1))
        beside = float(rng.uniform(y0, y1) + rng.normal(0, 0.3) * height)
        at = {
            "right": (x1 + off, beside), "left": (x0 - off, beside),
            "above": (along, y1 + off), "below": (along, y0 - off),
        }[side]  # fmt: skip
        return *at, (0.0 if standing else yaw) + float(rng.normal(0, 0.06))

    return blocks.settle([win], row, spot, least)


def _lay_calls(
    layout: Layout, rng: Generator, called: Sequence[tuple[str, list[str]]], first: int
) -> list[dict[str, object]] | None:
    """Lay called sets about the hand, whose pieces begin at ``first``; None where there is no room."""
    width, height, _ = layout.tile
    own = layout.pieces[first:]
    x0, y0, x1, y1 = blocks.bounds(own)
    place = _choice(rng, CALLS)
    gap, apart = float(rng.exponential(0.8)) * width, float(rng.choice([0.5, 4.0, 20.0]))
    begin = len(layout.pieces)
    x, melds, sets = 0.0, [], []
    for index, (kind, tiles) in enumerate(called):
        start = len(layout.pieces)
        x, record = layouts.meld(layout, kind, list(tiles), x, 0.0, rng, index)
        melds.append(dict(record))
        sets.append(layout.pieces[start:])
        x += float(rng.exponential(apart)) + 0.4
    if place == "strewn":
        turn = float(rng.choice([0.05, 0.4]))
        wide, high = x1 - x0 + 6 * width, y1 - y0 + 5 * height
        for number, block in enumerate(sets):

            def spot() -> Spot:
                at = rng.uniform(-0.5, 0.5, 2) * (wide, high) + ((x0 + x1) / 2, (y0 + y1) / 2)
                return float(at[0]), float(at[1]), float(rng.normal(0, turn))

            others = [*own, *(piece for earlier in sets[:number] for piece in earlier)]
            if not blocks.settle(block, others, spot, 0.2 * width, 60):
                return None
        return melds
    if len(sets) > 2 and rng.random() < 0.25:  # one above the other
        for number, block in enumerate(sets):
            low = blocks.bounds(block)
            blocks.move(block, 0.0, -low[0], number * (1.5 * height + apart) - low[1])
    block = layout.pieces[begin:]
    bx0, by0, bx1, by1 = blocks.bounds(block)
    wide, high = bx1 - bx0, by1 - by0

    def beside() -> Spot:
        off = 0.4 + gap + float(rng.exponential(0.2 * width))
        level = y0 + high / 2 + float(rng.normal(0, 0.25)) * height
        along = float(rng.uniform(x0 + wide / 2 - 2 * width, max(x1 - wide / 2, x0 + wide / 2) + 2 * width))
        at = {
            "right": (x1 + off + wide / 2, level), "left": (x0 - off - wide / 2, level),
            "behind": (along, y1 + off + high / 2), "before": (along, y0 - off - high / 2),
        }[place]  # fmt: skip
        return *at, float(rng.normal(0, 0.03))

    return melds if blocks.settle(block, own, beside, 0.3, 40) else None


def _choice(rng: Generator, shares: Mapping[str, float]) -> str:
    weights = np.array(list(shares.values()))
    return list(shares)[int(rng.choice(len(weights), p=weights / weights.sum()))]


def lay_hand(
    layout: Layout, rng: Generator, pool: Pool, seat: int, state: State, row: str
) -> list[Piece] | None:
    """Lay a player's hand about the origin, its row so arranged; adds it to the layout's hands. None where it
    has no room to lie in."""
    first = len(layout.pieces)
    win: str | None = None
    if state == "won":
        closed, called = layouts.deal(pool, rng, kans=0.2)
        win = closed.pop() if rng.random() < SEPARATE else None
    else:
        closed, called = game.short_hand(pool, rng, state)
    closed = layouts.in_order(closed, rng)
    ROWS[row][1](layout, rng, closed)
    tiles = layout.pieces[first:]
    if any(blocks.nearest([a], tiles[n + 1 :], 1.0) < _TOUCH for n, a in enumerate(tiles[:-1])):
        return None
    if rng.random() < 0.2:  # as they were drawn, not turned round
        for piece in tiles:
            if rng.random() < 0.4 and abs(piece.axes[2, 2]) > 0.9:
                piece.axes, piece.upside_down = piece.axes @ np.diag([-1.0, -1.0, 1.0]), True
    if win and not _lay_win(layout, rng, win, tiles):
        return None
    melds = _lay_calls(layout, rng, called, first) if called else []
    if melds is None:
        return None
    short = win is not None or state != "won"
    waited = waits("".join(closed), game.as_melds(called)) if short else ()
    faces = tuple(str(tile) for tile in waited)
    hand = OpenHand(seat, tuple(closed), win, tuple(melds), state == "won", faces)
    return game.owned(layout, first, hand)


# --- what lies around -------------------------------------------------------------------------------------


def _about(
    layout: Layout, rng: Generator, block: Sequence[Piece], near: float, far: float
) -> Callable[[], Spot]:
    """Spots for a block around the subject: between ``near`` and ``far`` mm from it, on any side."""
    x0, y0, x1, y1 = layout.extent()
    bx0, by0, bx1, by1 = blocks.bounds(block)
    wide, high = (bx1 - bx0) / 2, (by1 - by0) / 2

    def spot() -> Spot:
        quarter = int(rng.integers(4)) if wide < 150 else 2 * int(rng.integers(2))
        off = float(np.exp(rng.uniform(np.log(near), np.log(far))))
        yaw = float(rng.normal(0, 0.08)) + float(
            rng.choice([0, np.pi / 2, np.pi, -np.pi / 2], p=[0.6, 0.1, 0.2, 0.1])
        )
        w, h = (wide, high) if abs(np.cos(yaw)) > 0.7 else (high, wide)
        along, beside = float(rng.uniform(x0 - w, x1 + w)), float(rng.uniform(y0 - h, y1 + h))
        at = (
            (along, y1 + off + h), (x1 + off + w, beside), (along, y0 - off - h), (x0 - off - w, beside),
        )[(quarter, 0)[rng.random() < 0.3]]  # fmt: skip
        return *at, yaw

    return spot


def _place(layout: Layout, rng: Generator, first: int, near: float, far: float) -> bool:
    """Find room for the pieces from ``first`` on; they are taken away where there is none."""
    block, others = layout.pieces[first:], layout.pieces[:first]
    if blocks.settle(block, others, _about(layout, rng, block, near, far), CLEAR):
        return True
    del layout.pieces[first:]
    return False


def _indicators_beside(layout: Layout, rng: Generator, pool: Pool) -> None:
    """Dora and ura turned up and laid by the winner beside the hand: side by side, or in two rows."""
    width, height, _ = layout.tile
    count = 1 + int(rng.choice(5, p=game.INDICATORS))
    ura, stacked = rng.random() < 0.5, rng.random() < 0.5
    gap, slant = float(rng.exponential(0.15)) * width + 0.2, float(rng.choice([0.02, 0.2]))
    flip = float(rng.choice([0.0, np.pi], p=[0.75, 0.25]))
    for line, role in enumerate(("dora", "ura")[: 1 + ura]):
        for k in range(count):
            x = k if stacked or not ura else line * count + k
            at = x * (width * (1 + slant) + gap), -line * (height * (1 + slant) + gap) if stacked else 0.0
            layout.put(pool.any(), *at, flip + float(rng.normal(0, slant)), role=role)


def _wall(layout: Layout, rng: Generator, pool: Pool) -> None:
    """A wall of backs, one or two high."""
    count = int(rng.integers(3, 18))
    if rng.random() < 0.6:
        layouts.wall(layout, 0, 0, 0, count, rng, None)
        return
    for k in range(count):
        layout.put(None, k * (layout.tile[0] + 0.3), 0, float(rng.normal(0, 0.01)), pose="down", role="wall")


def _dead_wall(layout: Layout, rng: Generator, pool: Pool) -> None:
    game.dead_wall(layout, rng, pool, 0, 0, won=any(hand.finished for hand in layout.hands))


def _river(layout: Layout, rng: Generator, pool: Pool) -> None:
    layouts.river(layout, pool, 0, 0, 0, int(rng.integers(4, 19)), rng)


def _closed_hand(layout: Layout, rng: Generator, pool: Pool) -> None:
    """Another player's tiles, standing or face down."""
    stands = rng.random() < 0.6
    for k in range(int(rng.integers(4, 14))):
        at = k * (layout.tile[0] + 0.3), float(rng.normal(0, 0.4))
        if stands:
            layout.put(pool.any(), *at, np.pi, pose="standing")
        else:
            layout.put(None, *at, pose="down")


def _heap(layout: Layout, rng: Generator, pool: Pool) -> None:
    """Tiles thrown together, most of them face down."""
    backs, off = float(rng.uniform(0.4, 1.0)), (5e3, 5e3)  # thrown where nothing lies, then moved
    layouts.heap(layout, rng, pool, off, int(rng.integers(4, 20)), backs=backs)


def _flowers(layout: Layout, rng: Generator, pool: Pool) -> None:
    """One to eight tiles that no hand of riichi has, in a row."""
    for k in range(int(rng.integers(1, 9))):
        at = k * (layout.tile[0] + float(rng.exponential(0.6))), float(rng.normal(0, 0.8))
        layout.put(FOREIGN, *at, float(rng.normal(0, 0.03)))


AROUND: Sequence[tuple[float, Callable[[Layout, Generator, Pool], None], float, float]] = (
    (0.34, _indicators_beside, 6, 90),
    (0.30, _dead_wall, 15, 160),
    (0.30, _wall, 4, 120),
    (0.22, _wall, 4, 200),
    (0.34, _river, 14, 140),
    (0.22, _river, 20, 220),
    (0.22, _closed_hand, 14, 180),
    (0.14, _heap, 30, 200),
    (0.13, _flowers, 5, 120),
)
"""What may lie around a hand: how often, what lays it, and how near and how far in mm."""


def _surround(layout: Layout, rng: Generator, pool: Pool) -> None:
    bare = rng.random() < 0.22
    with game.without(pool, game.waited(layout)):
        for chance, lay, near, far in AROUND:
            shown = lay in _SHOWS and any(p.role == "dora" for p in layout.pieces)
            if bare or rng.random() >= chance or shown or pool.count < _ENOUGH:
                continue
            first = len(layout.pieces)
            lay(layout, rng, pool)
            _place(layout, rng, first, near, far)
    x0, _, x1, y1 = layout.extent()
    low = min(float(piece.centre[1]) for piece in layout.pieces) - layout.tile[1]
    if rng.random() < 0.45:
        inner = low - float(rng.uniform(1, 60))
        furniture.side(layout, rng, furniture.Rim.draw(rng), (x0 + x1) / 2, inner, 1600.0)
    for _ in range(int(rng.choice([0, 1, 2, 4, 7], p=[0.4, 0.25, 0.15, 0.1, 0.1]))):
        spot = np.array([rng.uniform(x0 - 120, x1 + 120), rng.uniform(low, y1 + 200)])
        things.lay(layout, rng, spot, things.SMALL if rng.random() < 0.6 else tuple(things.THINGS))


_ENOUGH = 24  # tiles in the pool for anything that lies around
_SHOWS = (_indicators_beside, _dead_wall)  # one of them is enough


# --- scenes -----------------------------------------------------------------------------------------------


def _view(rng: Generator) -> View:
    """A hand from any side, from steep to nearly flat along its row, whole or touching the photo's edge."""
    azimuth, low = ((0.0, 28), (np.pi, 28), (np.pi / 2, 24), (-np.pi / 2, 24))[
        int(rng.choice(4, p=[0.66, 0.20, 0.07, 0.07]))
    ]
    roll = float(rng.normal(0, 0.07)) + float(rng.choice([0, np.pi / 2, -np.pi / 2], p=[0.9, 0.05, 0.05]))
    return View(
        float(np.deg2rad(rng.uniform(low, 89))), azimuth + float(rng.normal(0, 0.3)), roll,
        float(np.deg2rad(rng.uniform(42, 76))), float(rng.uniform(0.35, 0.98)),
        (float(rng.uniform(0.0, 1.0)), float(rng.uniform(0.0, 1.0))), game.AIMED_PIXELS,
    )  # fmt: skip


def _one(row: str) -> Callable[[Layout, Generator, Pool], bool]:
    def scene(layout: Layout, rng: Generator, pool: Pool) -> bool:
        state: State = tuple(STATES)[int(rng.choice(3, p=list(STATES.values())))]
        if lay_hand(layout, rng, pool, 0, state, row) is None:
            return False
        _surround(layout, rng, pool)
        layout.view = _view(rng)
        return True

    return scene


def _several(layout: Layout, rng: Generator, pool: Pool) -> bool:
    """The hands of two to four players, on any sides of each other."""
    height = layout.tile[1]
    states: list[State] = []
    for seat in range(int(rng.integers(2, 5))):
        states.append(tuple(STATES)[int(rng.choice(3, p=[0.4, 0.35, 0.25]))])
        first = len(layout.pieces)
        row = _choice(rng, {name: share for name, (share, _) in ROWS.items()})
        block = lay_hand(layout, rng, pool, seat, states[-1], row)
        if block is None:
            return False
        if seat:
            layout.subject = [index for index in layout.subject if index < first]
            found = blocks.settle(
                block,
                layout.pieces[:first],
                _about(layout, rng, block, 0.9 * height, 6 * height),
                0.8 * height,
                60,
            )
            layout.subject += range(first, len(layout.pieces))
            if not found:
                return False
    with game.without(pool, game.waited(layout)):
        for chance, lay, near, far in AROUND[:5]:
            shown = any(p.role == "dora" for p in layout.pieces)
            if rng.random() < 0.6 * chance and not shown and pool.count >= _ENOUGH:
                first = len(layout.pieces)
                lay(layout, rng, pool)
                _place(layout, rng, first, near, far)
    if rng.random() < 0.5:  # a photo of one hand, with the others in it
        layout.subject = [i for i, piece in enumerate(layout.pieces) if piece.seat == 0]
    layout.view = _view(rng)
    return True


# --- whole tables -----------------------------------------------------------------------------------------


def _discards(
    layout: Layout, rng: Generator, pool: Pool, owner: int, count: int, *, riichi: bool, stick: bool
) -> None:
    """A river in rows of six before its player, the tile of a riichi turned, and the stick."""
    width, height, _ = layout.tile
    inner, first = float(rng.uniform(52, 85)), len(layout.pieces)
    turned = int(rng.integers(max(0, count - 9), count)) if riichi and count else -1
    loose = float(rng.choice([0.3, 1.0, 3.0]))
    per_line = 6 if rng.random() < 0.9 else int(rng.integers(5, 9))
    start = -3 * width + float(rng.normal(0, 6))
    x, line = start, 0
    for order in range(count):
        if order and order % per_line == 0 and line < 2:
            x, line = start + float(rng.normal(0, loose)), line + 1
        wide = height if order == turned else width
        y = -inner - height / 2 - line * (height + 0.8 + loose / 2) + float(rng.normal(0, 0.3 * loose))
        yaw = float(rng.normal(0, 0.012 + 0.012 * loose))
        yaw += float(rng.choice([-1, 1])) * np.pi / 2 if order == turned else 0.0
        tile = layout.put(pool.any(), x + wide / 2, y, yaw, role="river", sideways=order == turned)
        tile.order, tile.owner = order, owner
        x += wide + 0.2 + abs(float(rng.normal(0, 0.4 * loose)))
    if stick:
        bar = layout.put(
            None, float(rng.normal(0, 8)), -inner + float(rng.uniform(12, 22)),
            np.pi / 2 + float(rng.normal(0, 0.08)), z=2.1, size=(7.0, 86.0, 3.0), material="stick",
        )  # fmt: skip
        bar.owner = owner
    blocks.move(layout.pieces[first:], owner * np.pi / 2)


def _table(layout: Layout, rng: Generator, pool: Pool) -> bool:
    """A table after a round: hands as people lay them, rivers of one game, walls, sticks; no river has what
    another player called from it."""
    ends: tuple[State | None, ...] = ("won", "ready", "unready", None)
    first_state = ends[int(rng.choice(3, p=[0.66, 0.2, 0.14]))]
    states = [first_state, *(ends[int(k)] for k in rng.choice(4, 3, p=[0.04, 0.16, 0.12, 0.68]))]
    states = [states[k] for k in rng.permutation(4)]
    far = float(rng.uniform(305, 350))
    for seat, state in enumerate(states):
        if state:
            row = _choice(rng, {name: share for name, (share, _) in ROWS.items()})
            block = lay_hand(layout, rng, pool, seat, state, row)
            if block is None:
                return False
            x0, y0, x1, y1 = blocks.bounds(block)
            if x1 - x0 > 2 * far or y1 - y0 > 160:
                return False
            blocks.move(block, 0.0, float(rng.uniform(-25, 25)) - (x0 + x1) / 2, -far + 20 - y0)
            blocks.move(block, seat * np.pi / 2)
    taken, called = [0] * 4, [False] * 4
    for hand in layout.hands:
        for meld in hand.melds:
            if meld["from"]:
                taken[(hand.seat + int(meld["from"])) % 4] += 1
                called[hand.seat] = True
    unseen = 13 * sum(state is None for state in states) + 4 * len(game.waited(layout)) + _ENOUGH
    turns = min(int(rng.integers(5, 20)), (pool.count - unseen) // 4)
    for seat in range(4):
        count = max(0, turns - int(rng.integers(2)) - taken[seat])
        declares = (
            not called[seat] and states[seat] != "unready" and rng.random() < (0.5 if states[seat] else 0.3)
        )
        shown, stick = declares and rng.random() < 0.94, declares and rng.random() < 0.92
        _discards(layout, rng, pool, seat, count, riichi=shown, stick=stick)
    with game.without(pool, game.waited(layout)):
        for seat, state in enumerate(states):
            if not state:
                first = len(layout.pieces)
                layout.closed += (seat,) * game.unseen(layout, rng, pool, -far)
                blocks.move(layout.pieces[first:], seat * np.pi / 2)
        won = "won" in states
        if rng.random() < 0.35:  # the winner has laid the indicators beside the hand
            layout.subject = [i for i, piece in enumerate(layout.pieces) if piece.seat is not None]
            first = len(layout.pieces)
            _indicators_beside(layout, rng, pool)
            _beside_hand(layout, rng, first, states.index("won") if won else None)
        if not any(piece.role == "dora" for piece in layout.pieces):
            game.walls(layout, rng, pool, won=won)
    outermost = max(float(np.abs(piece.centre[:2]).max()) for piece in layout.pieces)
    game.furnish(layout, rng, max(far + float(rng.uniform(35, 60)), outermost + layout.tile[1]))
    game.far_view(layout, rng, states)
    things.lay_plate(layout, rng, far)
    return True


def _beside_hand(layout: Layout, rng: Generator, first: int, seat: int | None) -> None:
    """Find room for indicators by a seat's hand, on its player's side of the table."""
    block, others = layout.pieces[first:], layout.pieces[:first]
    own = [piece for piece in others if piece.seat == seat]
    if own:
        blocks.move(others, -(seat or 0) * np.pi / 2)
        x0, _, x1, y1 = blocks.bounds(own)
        height = layout.tile[1]

        def spot() -> Spot:
            x = float(rng.uniform(x0 - 4 * height, x1 + 4 * height))
            return x, y1 + float(rng.uniform(-1.5, 3)) * height, float(rng.normal(0, 0.1))

        found = blocks.settle(block, others, spot, 4.0, 60)
        blocks.move([*others, *(block if found else ())], (seat or 0) * np.pi / 2)
        if found:
            return
    del layout.pieces[first:]


SCENES: Mapping[str, tuple[float, Callable[[Layout, Generator, Pool], bool]]] = {
    **{name: (0.68 * share, _one(name)) for name, (share, _) in ROWS.items()},
    "several": (0.12, _several),
    "table": (0.20, _table),
}
"""What is photographed: how often, and what lays it, unless there is no room."""


def compose(rng: Generator, rare: float = 0.0) -> Layout:
    """A random layout of one of these scenes; ``rare``: the share of finished hands that are yakuman."""
    name = _choice(rng, {name: share for name, (share, _) in SCENES.items()})
    size = layouts.tile_size(rng)
    while True:
        layout = Layout("varied", size, scene=name)
        if SCENES[name][1](layout, rng, Pool(rng, 0.7, rare)) and _well_laid(layout):
            layout.view = _seeing_faces(layout)
            return layout


def _seeing_faces(layout: Layout) -> View | None:
    """The view, of standing tiles low enough for their faces: from above, no camera would be near enough."""
    stands = any(abs(layout.pieces[index].axes[2, 2]) < 0.5 for index in layout.subject)
    if layout.view is None or not stands:
        return layout.view
    return replace(
        layout.view, elevation=min(layout.view.elevation, _LOW - layout.view.elevation / 4), least=0
    )


_LOW = 1.0  # radians above the table, less for what would else be seen from above


def _well_laid(layout: Layout) -> bool:
    """Whether nothing lies on a hand."""
    for hand in layout.hands:
        own = [piece for piece in layout.pieces if piece.seat == hand.seat]
        strange = [piece for piece in layout.pieces if piece.seat != hand.seat]
        if strange and blocks.nearest(own, strange, CLEAR) < CLEAR - 0.01:
            return False
    return True
