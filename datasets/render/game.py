"""Moments of a game as they are photographed: hands won, ready and not, alone or on a whole table.

Each scene is a row of :data:`SCENES`, and says exactly what a player should get (:func:`facts`). Roles of
tiles: ``hand``, ``win``, ``meld:0``…, ``dora`` and ``ura`` (indicators), ``river``, ``wall``, ``other``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.random import Generator

from datasets.render import furniture, layouts, things
from datasets.render.blocks import move
from datasets.render.layouts import Layout, OpenHand, Piece, Pool, View
from scorer import Meld, is_complete, waits

State = Literal["won", "ready", "unready"]

VISIBLE = 0.6
LEAST_PIXELS = 24.0
"""The least visible area of each tile of a whole hand, as the side of a square in pixels."""

AIMED_PIXELS = 24.6  # what the camera aims at, so that all are large enough after rounding
NEAR, _TABLE_NEAR = 3.0, 1.4
"""How far from the row the winning tile lies at most, in widths of a tile; less where a wall lies beyond."""

TOLD = 0.35
"""The gap that sets apart a winning tile in line with its row. It is wider than all other gaps by this share
of a tile's width."""

PLACES: dict[str, float] = {
    "right": 0.22, "left": 0.11, "above": 0.20, "below": 0.09, "askew": 0.12, "edge": 0.07, "behind": 0.07,
    "at an end": 0.05, "in row": 0.07,
}  # fmt: skip
"""Where the winning tile lies beside its row; ``edge``: on top of its upper edge, ``behind``: touching its
upper side. Nobody can tell it ``in row``, among the others, or ``at an end`` as one more of the row: those
have no winning tile."""

INDICATORS = (0.55, 0.22, 0.12, 0.07, 0.04)
"""How often the dead wall shows one to five of them."""

VIEWS: dict[str, tuple[float, tuple[float, float], float, float]] = {
    "winner": (0.45, (30, 68), 0.0, 0.15),
    "across": (0.20, (35, 70), np.pi, 0.15),
    "side": (0.20, (35, 70), np.pi / 2, 0.2),
    "above": (0.15, (70, 90), 0.0, 0.3),
}
"""From where a table is seen: share, degrees of elevation, azimuth, and how far that scatters."""


def _choice(rng: Generator, shares: Mapping[str, float]) -> str:
    weights = np.array(list(shares.values()))
    return list(shares)[int(rng.choice(len(weights), p=weights / weights.sum()))]


# --- one open hand ------------------------------------------------------------------------------------


def as_melds(called: Sequence[tuple[str, list[str]]]) -> list[Meld]:
    """The sets that were dealt to be called, as the rules know them."""
    return [Meld("minkan" if kind == "kan" else kind, "".join(tiles)) for kind, tiles in called]


def short_hand(pool: Pool, rng: Generator, state: State) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Tiles and called sets of a hand that is not finished."""
    closed, called = layouts.deal(pool, rng)
    while state == "unready" and len(called) == 4:  # its one closed tile always waits on its like
        for label in (*closed, *(label for _, tiles in called for label in tiles)):
            pool.left[label] += 1
        closed, called = layouts.deal(pool, rng)
    melds = as_melds(called)
    pool.left[closed.pop()] += 1
    while state == "unready" and waits("".join(closed), melds):
        spot = int(rng.integers(len(closed)))
        pool.left[closed[spot]] += 1
        closed[spot] = pool.any()
    while state == "unready" and rng.random() < 0.2:  # a tile drawn that did not help
        drawn = pool.any()
        if not is_complete("".join([*closed, drawn]), melds):
            return [*closed, drawn], called
        pool.left[drawn] += 1
    return closed, called


def _row(layout: Layout, labels: Sequence[str], rng: Generator, *, lines: bool, pushed: bool) -> list[Piece]:
    """A row from (0, 0) to the right: straight, in an arc, in two ``lines``; one ``pushed`` up, some turned
    round."""
    height = layout.tile[1]
    first = len(layout.pieces)
    loose = float(rng.choice([0.05, 0.3, 1.0], p=[0.45, 0.35, 0.2]))
    curve = float(rng.uniform(-0.0008, 0.0008)) if rng.random() < 0.35 else 0.0
    if lines and len(labels) > 6 and rng.random() < 0.08:
        half = len(labels) // 2
        layouts.row_of_tiles(layout, labels[:half], 0, height + 1.0, rng, role="hand", loose=loose)
        layouts.row_of_tiles(layout, labels[half:], 0, 0, rng, role="hand", loose=loose)
        return layout.pieces[first:]
    end = layouts.row_of_tiles(layout, labels, 0, 0, rng, role="hand", loose=max(loose, 0.5 if curve else 0))
    row = layout.pieces[first:]
    for piece in row:
        aside = float(piece.centre[0]) - end / 2
        piece.centre[1] += curve * aside * aside
        piece.axes = layouts.about_z(2 * curve * aside) @ piece.axes
    if pushed and rng.random() < 0.12:
        row[int(rng.integers(len(row)))].centre[1] += height * float(rng.uniform(0.08, 0.3))
    if rng.random() < 0.2:  # as it was drawn, not turned round
        for piece in row:
            if rng.random() < 0.4:
                piece.axes, piece.upside_down = piece.axes @ np.diag([-1.0, -1.0, 1.0]), True
    return row


def _win(layout: Layout, label: str, place: str, row: Sequence[Piece], reach: float, rng: Generator) -> None:
    """Lay the winning tile beside its row, at most ``reach`` mm away, so that it can be told from the row."""
    width, height, thick = layout.tile
    turned = rng.random() < 0.5 or (len(row) == 1 and place in ("right", "left"))
    yaw = float(rng.choice([-1, 1])) * np.pi / 2 if turned else 0.0
    wide, high = (height, width) if turned else (width, height)
    gap, least = reach * float(rng.random()) ** 2, 0.0
    level = 0.0
    if place in ("right", "left") and not turned:
        least = widest_gap(row) + TOLD * width
    if place == "askew":
        place = str(rng.choice(["right", "left", "above", "below"]))
        yaw = float(rng.uniform(0.2, np.pi - 0.2)) * float(rng.choice([-1, 1]))
        wide = high = float(np.hypot(width, height))
        turned = bool(abs(np.sin(yaw)) > np.sqrt(0.5))
    if place in ("right", "left"):
        last = row[-1] if place == "right" else row[0]
        gap = least + max(0.0, 1 - least / reach) * gap
        drop = (height - high) / 2 if rng.random() < 0.7 else 0.0
        side = (width + wide) / 2 + gap + 0.3
        x = float(last.centre[0]) + (side if place == "right" else -side)
        y = float(last.centre[1]) - drop + float(rng.normal(0, 1.0))
    else:
        x = float(rng.uniform(row[0].centre[0], row[-1].centre[0]))
        beside = [float(p.centre[1]) for p in row if abs(p.centre[0] - x) < (width + wide) / 2 + 1]
        if place == "edge":
            level, gap = thick, -float(rng.uniform(0.15, 0.3)) * high
        elif place == "behind":
            gap = 0.2
        below = place == "below"
        y = min(beside) - height / 2 - gap - high / 2 if below else max(beside) + (height + high) / 2 + gap
    win = layout.put(
        label, x, y, yaw + float(rng.normal(0, 0.04)), z=level, role="win", sideways=turned, subject=True
    )  # fmt: skip
    if least:  # slanted neighbours come nearer than their middles say
        nearer = max(0.0, least - float(layouts.gaps(win, row).min()))
        win.centre[0] += nearer if place == "right" else -nearer


def widest_gap(row: Sequence[Piece]) -> float:
    """The widest gap between neighbours of a row in mm, the row lying along x, in one line or more."""
    neighbours = [(a, b) for a, b in pairwise(row) if a.centre[0] < b.centre[0]]
    return max([0.0, *(layouts.gap(a, b) for a, b in neighbours)])


def open_hand(
    layout: Layout, rng: Generator, pool: Pool, seat: int, state: State, reach: float
) -> list[Piece]:
    """Lay a hand open, its row from (0, 0) to the right; adds it to the layout's hands."""
    first = len(layout.pieces)
    win: str | None = None
    place = _choice(rng, PLACES) if state == "won" else None
    if place:
        closed, called = layouts.deal(pool, rng)
        win = closed.pop() if place != "in row" else None
    else:
        closed, called = short_hand(pool, rng, state)
    closed = layouts.in_order(closed, rng)
    if win and place == "at an end":
        closed, win = ([win, *closed] if rng.random() < 0.3 else [*closed, win]), None
    told = place is not None and win is not None
    row = _row(layout, closed, rng, lines=not told or place == "right", pushed=told or place is None)
    if win and place:
        _win(layout, win, place, row, reach, rng)
    end = max(float(p.centre[0]) for p in layout.pieces[first:]) + layout.tile[1] / 2
    melds = layouts.called_sets(layout, called, end, rng)
    short = win is not None or state != "won"
    waited_on = waits("".join(closed), as_melds(called)) if short else ()
    faces = tuple(str(tile) for tile in waited_on)
    return owned(layout, first, OpenHand(seat, tuple(closed), win, tuple(melds), state == "won", faces))


def owned(layout: Layout, first: int, hand: OpenHand) -> list[Piece]:
    """Note a hand and that its pieces, those from ``first`` on, are its player's."""
    pieces = layout.pieces[first:]
    for piece in pieces:
        piece.seat = hand.seat
    layout.hands = (*layout.hands, hand)
    return pieces


def _standing_hand(layout: Layout, rng: Generator, pool: Pool, state: State) -> None:
    """A player's own tiles still on their feet, before they are laid open; melds lie."""
    width, height, _ = layout.tile
    closed, called = short_hand(pool, rng, state)
    closed = layouts.in_order(closed, rng)
    x, apart = 0.0, float(rng.choice([0.2, 0.6], p=[0.7, 0.3]))
    for label in closed:
        layout.put(
            label, x + width / 2, float(rng.normal(0, 0.5)), float(rng.normal(0, 0.012)),
            pose="standing", role="hand", subject=True,
        )  # fmt: skip
        x += width + abs(float(rng.normal(0, apart)))
    melds = layouts.called_sets(layout, called, x + height / 2, rng)
    faces = tuple(str(tile) for tile in waits("".join(closed), as_melds(called)))
    owned(layout, 0, OpenHand(0, tuple(closed), None, tuple(melds), False, faces))


def waited(layout: Layout) -> list[str]:
    """What rows wait on or waited on, as plain faces: loose near a row, such a tile is its winning one."""
    return [face for hand in layout.hands for face in hand.waits]


@contextmanager
def without(pool: Pool, faces: Sequence[str]) -> Iterator[None]:
    """Keep tiles of these plain faces in the pool for a while, red fives among them."""
    held: dict[str, int] = {}
    for face in faces:
        for label in (face, f"0{face[1]}" if face[0] == "5" and face[1] != "z" else face):
            held[label] = pool.left[label] or held.get(label, 0)
            pool.left[label] = 0
    yield
    for label, count in held.items():
        pool.left[label] += count


# --- indicators ---------------------------------------------------------------------------------------


def _free_indicators(layout: Layout, rng: Generator, pool: Pool, x: float, y: float) -> None:
    """Indicators on the cloth from (x, y) to the right, the ura ones below those of the dora."""
    width, height, _ = layout.tile
    yaw = float(rng.normal(0, 0.15)) + float(rng.choice([0.0, np.pi]))
    ura = rng.random() < 0.5
    for k in range(1 + int(rng.choice(5, p=INDICATORS))):
        for line, role in enumerate(("dora", "ura")[: 1 + ura]):
            at = (
                x + k * (width + float(rng.uniform(0.2, 3))),
                y - line * (height + float(rng.uniform(0.2, 4))),
            )
            layout.put(pool.any(), *at, yaw + float(rng.normal(0, 0.04)), role=role)


def dead_wall(layout: Layout, rng: Generator, pool: Pool, x: float, y: float, *, won: bool) -> None:
    """Seven stacks from (x, y) to the right with one to five indicators, and the ura ones before a winner."""
    width, height, thick = layout.tile
    count = 1 + int(rng.choice(5, p=INDICATORS))
    ura = won and rng.random() < 0.35
    flip = float(rng.choice([0.0, np.pi]))
    drawn = min(4, 2 * (count - 1)) if count > 1 else 0  # replacement tiles that kans have taken
    for k in range(7):
        at = (x + k * (width + 0.2), y + float(rng.normal(0, 0.4)))
        shows = 2 <= k < 2 + count
        if shows and ura:
            layout.put(pool.any(), at[0], at[1] - height - float(rng.uniform(0.5, 4)), flip, role="ura")
        elif 2 * k + 1 >= drawn:
            layout.put(None, *at, pose="down", role="wall")
        level = 0.0 if shows and ura else thick
        if shows:
            layout.put(pool.any(), *at, flip + float(rng.normal(0, 0.02)), z=level, role="dora")
        elif 2 * k >= drawn:
            layout.put(None, *at, float(rng.normal(0, 0.01)), pose="down", z=level, role="wall")


# --- scenes -------------------------------------------------------------------------------------------


def _look(rng: Generator, elevation: tuple[float, float], azimuth: float, spread: float) -> tuple[float, ...]:
    roll = float(rng.normal(0, 0.06))
    if rng.random() < 0.12:
        roll += float(rng.choice([np.pi / 2, np.pi, -np.pi / 2]))
    return (
        float(np.deg2rad(rng.uniform(*elevation))),
        azimuth * float(rng.choice([-1, 1])) + float(rng.normal(0, spread)),
        roll,
        float(np.deg2rad(rng.uniform(45, 76))),
    )


def _close_view(layout: Layout, rng: Generator, *, edge: float, cut: float) -> None:
    """A hand that fills the photo; ``edge``, ``cut``: how often an end lies at its edge, or beyond it."""
    azimuth = float(rng.choice([0.0, np.pi, np.pi / 2], p=[0.8, 0.12, 0.08]))
    elevation, azimuth, roll, field = _look(rng, (28, 88), azimuth, 0.2)
    lean = rng.uniform(0.1, 0.9, 2)
    along = int(abs(np.sin(azimuth + roll)) > np.sqrt(0.5))
    chance, end = rng.random(), int(rng.integers(2))
    if chance < edge + cut:
        beyond = float(rng.uniform(0.005, 0.09) if chance < cut else rng.uniform(-0.02, 0.0))
        lean[along] = end + (beyond if end else -beyond)
    fill = float(rng.uniform(0.45, 0.97))
    layout.view = View(elevation, azimuth, roll, field, fill, (float(lean[0]), float(lean[1])), AIMED_PIXELS)


def _surroundings(layout: Layout, rng: Generator, pool: Pool, *, bare: float) -> None:
    width, height, _ = layout.tile
    with without(pool, waited(layout)):
        if rng.random() >= bare:
            layouts.clutter(layout, rng, pool)
        if rng.random() < 0.3 and not any(piece.role == "dora" for piece in layout.pieces):
            x0, _, x1, y1 = layout.extent()
            for _ in range(20):
                x = float(rng.choice([x0 - 7 * width, x1 + 2 * width, rng.uniform(x0, x1)]))
                y = (
                    float(rng.uniform(0, 1)) * height
                    if not x0 <= x <= x1
                    else y1 + float(rng.uniform(2, 4)) * height
                )
                if all(
                    layout.free(x + k * width, y - j * height, height) for k in range(5) for j in range(2)
                ):
                    _free_indicators(layout, rng, pool, x, y)
                    break
        x0, y0, x1, y1 = layout.extent()
        if rng.random() < 0.3:
            _standing_row(layout, rng, pool, (x0, x1), y1 + float(rng.uniform(0.6, 5)) * height)
        if rng.random() < 0.1:  # flowers and the like, set aside
            layouts.spares(layout, rng, (x0 - 4 * width, y0 - 2 * height, x1 + 4 * width, y1 + 3 * height))
    if rng.random() < 0.5:
        inner = y0 - float(rng.uniform(1, 50))
        furniture.side(layout, rng, furniture.Rim.draw(rng), (x0 + x1) / 2, inner, 1600.0)
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.5, 0.25, 0.15, 0.1]))):
        x = float(rng.uniform(x0 - 120, x1 + 120))
        y = float(rng.choice([rng.uniform(y0 - 150, y0), rng.uniform(y1, y1 + 180)]))
        things.lay(layout, rng, np.array([x, y]))


def _standing_row(layout: Layout, rng: Generator, pool: Pool, across: tuple[float, float], y: float) -> None:
    """Another player's tiles on their feet, seen from their backs or sides, where there is room."""
    width, height, thick = layout.tile
    count, yaw = (
        int(rng.integers(4, 14)),
        float(rng.choice([np.pi, np.pi / 2, -np.pi / 2], p=[0.6, 0.2, 0.2])),
    )
    x = float(rng.uniform(*across)) if yaw == np.pi else float(rng.choice([across[0] - 60, across[1] + 60]))
    middle, turn = np.array([x, y + thick, 0.0]), layouts.about_z(yaw + float(rng.normal(0, 0.05)))
    plate = Piece(middle, turn, (count * (width + 0.5), thick + 4.0, height))
    if not layout.room(plate, 2.0):
        return
    for k in range(count):
        spot = middle + turn @ [(k - (count - 1) / 2) * (width + 0.3), float(rng.normal(0, 0.5)), 0.0]
        angle = float(np.arctan2(turn[1, 0], turn[0, 0]) + rng.normal(0, 0.01))
        layout.put(pool.any(), float(spot[0]), float(spot[1]), angle, pose="standing")


def _alone(state: State) -> Callable[[Layout, Generator, Pool], None]:
    def scene(layout: Layout, rng: Generator, pool: Pool) -> None:
        open_hand(layout, rng, pool, 0, state, NEAR * layout.tile[0])
        _surroundings(layout, rng, pool, bare=0.4 if state != "won" else 0.25)
        _close_view(layout, rng, edge=0.35 if state != "won" else 0.1, cut=0.1)

    return scene


def _rows(layout: Layout, rng: Generator, pool: Pool) -> None:
    """Two or three hands of several players, one above the other."""
    top = 0.0
    for seat in range(int(rng.integers(2, 4))):
        state: State = ("won", "ready", "unready")[int(rng.choice(3, p=[0.45, 0.35, 0.2]))]
        pieces = open_hand(layout, rng, pool, seat, state, 0.8 * layout.tile[0])
        if seat and rng.random() < 0.25:  # laid by who sits across
            move(pieces, np.pi)
        low = min(float(p.centre[1]) for p in pieces) - layout.tile[1]
        middle = float(np.mean([p.centre[0] for p in pieces]))
        move(pieces, 0.0, float(rng.normal(0, 15)) + 6 * layout.tile[0] - middle, top - low)
        top = max(float(p.centre[1]) for p in pieces) + layout.tile[1] + float(rng.uniform(10, 60))
    _surroundings(layout, rng, pool, bare=0.5)
    _close_view(layout, rng, edge=0.1, cut=0.05)


def _table(
    states: Callable[[Generator], list[State | None]], *, ron: bool = False
) -> Callable[[Layout, Generator, Pool], None]:
    """A whole table; ``states``: how each player's hand lies, None where it is not shown. ``ron``: what the
    first one won with was left in the river of who discarded it, where nobody can tell it."""

    def scene(layout: Layout, rng: Generator, pool: Pool) -> None:
        shown = states(rng)
        far = float(rng.uniform(315, 345))
        for seat, state in enumerate(shown):
            if state:
                pieces = open_hand(layout, rng, pool, seat, state, _TABLE_NEAR * layout.tile[0])
                xs = [float(p.centre[0]) for p in pieces]
                move(pieces, 0.0, float(rng.uniform(-25, 25)) - (min(xs) + max(xs)) / 2, -far)
                move(pieces, seat * np.pi / 2)
        won = _take(pool, rng, layout.hands[0].waits) if ron else None
        discarder = int(rng.integers(1, 4))
        for seat in range(4):
            first = len(layout.pieces)
            _discards(layout, rng, pool, won if seat == discarder else None)
            for piece in layout.pieces[first:]:
                piece.owner = seat
            move(layout.pieces[first:], seat * np.pi / 2)
        with without(pool, waited(layout)):
            for seat, state in enumerate(shown):
                if not state:
                    first = len(layout.pieces)
                    layout.closed += (seat,) * unseen(layout, rng, pool, -far)
                    move(layout.pieces[first:], seat * np.pi / 2)
            walls(layout, rng, pool, won="won" in shown)
        outermost = max(float(np.abs(piece.centre[:2]).max()) for piece in layout.pieces)
        furnish(layout, rng, max(far + float(rng.uniform(35, 60)), outermost + layout.tile[1]))
        far_view(layout, rng, shown)
        things.lay_plate(layout, rng, far)

    return scene


def _take(pool: Pool, rng: Generator, faces: Sequence[str]) -> str | None:
    """One tile of these plain faces, None where the pool has none."""
    there = [face for face in faces if pool.available(face, 1)]
    return pool.take(str(rng.choice(there))) if there else None


def _own_row(layout: Layout, rng: Generator, pool: Pool) -> None:
    """A player's tiles on their feet, seen so that their upper sides show more than their faces."""
    _standing_hand(layout, rng, pool, "ready" if rng.random() < 0.6 else "unready")
    _surroundings(layout, rng, pool, bare=0.4)
    azimuth = float(rng.choice([0.0, np.pi, np.pi / 2], p=[0.6, 0.28, 0.12]))
    elevation, azimuth, roll, field = _look(rng, (30, 88), azimuth, 0.25)
    lean = rng.uniform(0.1, 0.9, 2)
    fill = float(rng.uniform(0.4, 0.95))
    layout.view = View(elevation, azimuth, roll, field, fill, (float(lean[0]), float(lean[1])))


def unseen(layout: Layout, rng: Generator, pool: Pool, y: float) -> bool:
    """A hand that its player keeps: standing, or face down; now and then put away. Whether it lies there."""
    width = layout.tile[0]
    kept = str(rng.choice(["standing", "down", "away"], p=[0.5, 0.35, 0.15]))
    if kept == "away":
        return False
    x = float(rng.uniform(-9, -5)) * width
    for k in range(13):
        at = (x + k * (width + 0.3), y + float(rng.normal(0, 0.4)))
        label = pool.any()
        if kept == "standing":
            layout.put(label, *at, pose="standing")
        else:
            layout.put(None, *at, pose="down")
    return True


def _discards(layout: Layout, rng: Generator, pool: Pool, last: str | None) -> None:
    """A player's river, and the stick of a riichi; ``last``: its last tile, that somebody won with."""
    width, height, _ = layout.tile
    inner = float(rng.uniform(56, 80))
    first = len(layout.pieces)
    x = -3 * width + float(rng.normal(0, 5))
    layouts.river(
        layout, pool, x, -inner - height / 2, float(rng.normal(0, 0.03)), int(rng.integers(5, 15)), rng
    )
    if last:
        tile = layout.pieces[-1]
        pool.left[str(tile.label)] += 1
        tile.label = last
        if abs(tile.axes[0, 0]) > np.sqrt(0.5) and rng.random() < 0.5:
            tile.axes = layouts.about_z(float(rng.choice([-1, 1])) * np.pi / 2) @ tile.axes
            tile.centre[0] += (height - width) / 2
        tile.centre += [float(rng.uniform(0, 14)), -float(rng.uniform(0, 9)), 0.0]
    if rng.random() < 0.5:  # lines that do not begin alike, tiles pushed about
        for line in range(first, len(layout.pieces), 6):
            shift = float(rng.normal(0, 4))
            for piece in layout.pieces[line : line + 6]:
                piece.centre[:2] += [shift, float(rng.normal(0, 0.5))]
                piece.axes = layouts.about_z(float(rng.normal(0, 0.025))) @ piece.axes
    for piece in layout.pieces[first:]:
        piece.sideways = bool(abs(piece.axes[0, 0]) < np.sqrt(0.5))
    if any(piece.sideways for piece in layout.pieces[first:]):
        layout.put(
            None, float(rng.normal(0, 4)), -inner + 20, np.pi / 2 + float(rng.normal(0, 0.06)),
            z=2.1, size=(7.0, 86.0, 3.0), material="stick",
        )  # fmt: skip


def walls(layout: Layout, rng: Generator, pool: Pool, *, won: bool) -> None:
    """What is left of the walls, of the tiles that are left; the dead wall, or its indicators lying free."""
    width, height, _ = layout.tile
    y = -float(rng.uniform(188, 200)) - height / 2
    seats = rng.permutation(4)
    first = len(layout.pieces)
    if rng.random() < 0.85:
        dead_wall(layout, rng, pool, float(rng.uniform(-170, 30)), y, won=won)
    else:
        _free_indicators(layout, rng, pool, float(rng.uniform(-100, 20)), y + height / 2)
    _push(layout.pieces[first:], rng)
    move(layout.pieces[first:], int(seats[0]) * np.pi / 2)
    stacks = min(int(rng.choice([0, 8, 40])), (sum(pool.left.values()) - 14) // 2)
    for seat in seats[1:]:
        count = min(17, stacks)
        if count < 2:
            break
        first = len(layout.pieces)
        start = -8.5 * width + float(rng.uniform(0, 17 - count)) * width
        broken = int(rng.integers(2, count - 1)) if count > 4 and rng.random() < 0.4 else count
        for begin, stop in ((0, broken), (broken, count)):
            part = len(layout.pieces)
            if stop > begin:
                layouts.wall(layout, start + begin * (width + 0.2), y, 0.0, stop - begin, rng, None)
                _push(layout.pieces[part:], rng)
        move(layout.pieces[first:], int(seat) * np.pi / 2)
        stacks -= count


def _push(pieces: Sequence[Piece], rng: Generator) -> None:
    """Push a wall a little out of line."""
    middle = np.mean([piece.centre for piece in pieces], axis=0)
    reach = max(float(abs(piece.centre[0] - middle[0])) for piece in pieces)
    yaw = float(np.clip(rng.normal(0, 0.04), -8 / (reach + 60), 8 / (reach + 60)))
    x, y = (layouts.about_z(yaw) @ -middle + middle)[:2]
    move(pieces, yaw, float(x), float(y + rng.uniform(-3, 3)))


def furnish(layout: Layout, rng: Generator, inner: float) -> None:
    """The rim, ``inner`` mm from the middle; now and then a console in the middle, and things."""
    if rng.random() < 0.4:
        furniture.console(layout, rng)
    rim = furniture.Rim.draw(rng)
    for seat in range(4):
        first = len(layout.pieces)
        furniture.side(layout, rng, rim, 0.0, -inner, 2 * (inner + rim.depth))
        move(layout.pieces[first:], seat * np.pi / 2)
    for _ in range(int(rng.choice([0, 1, 2, 4]))):
        things.lay(layout, rng, rng.uniform(60 - inner, inner - 60, 2), things.SMALL)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.6, 0.25, 0.15]))):
        spot = np.array([rng.uniform(-inner, inner), -inner - rim.depth - rng.uniform(30, 120)])
        things.lay(layout, rng, layouts.about_z(int(rng.integers(4)) * np.pi / 2)[:2, :2] @ spot)


def far_view(layout: Layout, rng: Generator, shown: Sequence[State | None]) -> None:
    """The table from a side of the winner's, of one who shows a hand where nobody won."""
    seats = [seat for seat, state in enumerate(shown) if state]
    won = [seat for seat in seats if shown[seat] == "won"]
    seat = int(rng.choice(won or seats))
    name = _choice(rng, {view: row[0] for view, row in VIEWS.items()})
    _, degrees, azimuth, spread = VIEWS[name]
    elevation, azimuth, roll, field = _look(rng, degrees, azimuth, spread)
    near = len(won) < 2 and rng.random() < 0.6
    asked = [seat] if near else won if len(won) > 1 and rng.random() < 0.5 else seats
    layout.subject = [index for index, piece in enumerate(layout.pieces) if piece.seat in asked]
    fill = float(rng.uniform(0.4, 0.9) if near else rng.uniform(0.7, 0.98))
    lean = rng.uniform(0.1, 0.9, 2) if near else rng.uniform(0.3, 0.7, 2)
    layout.view = View(
        elevation,
        azimuth - seat * np.pi / 2,
        roll,
        field,
        fill,
        (float(lean[0]), float(lean[1])),
        AIMED_PIXELS,
    )


def _others(rng: Generator, count: int, shown: float) -> list[State | None]:
    """Players who did not win: ``shown`` is the chance that one lays a hand open."""
    return [
        None if rng.random() >= shown else "ready" if rng.random() < 0.6 else "unready" for _ in range(count)
    ]


def _drawn(rng: Generator) -> list[State | None]:
    return ["ready", *_others(rng, 3, 0.5)]


SCENES: dict[str, tuple[float, Callable[[Layout, Generator, Pool], None]]] = {
    "ready": (0.13, _alone("ready")),
    "unready": (0.10, _alone("unready")),
    "standing": (0.04, _own_row),
    "won": (0.29, _alone("won")),
    "rows": (0.07, _rows),
    "table-won": (0.19, _table(lambda rng: ["won", *_others(rng, 3, 0.3)])),
    "table-drawn": (0.11, _table(_drawn)),
    "table-ron": (0.03, _table(_drawn, ron=True)),
    "table-several": (0.04, _table(lambda rng: ["won", "won", *_others(rng, 2, 0.3)])),
}
"""What is photographed: how often, and what lays it."""


def compose(rng: Generator, scenes: Collection[str] = SCENES, rare: float = 0.0) -> Layout:
    """A random layout of one of these scenes, with the frequencies of real photos. ``rare``: the share of
    yakuman among finished hands."""
    scene = _choice(rng, {name: share for name, (share, _) in SCENES.items() if name in scenes})
    size = layouts.tile_size(rng)
    while True:
        layout = Layout("game", size, scene=scene)
        SCENES[scene][1](layout, rng, Pool(rng, 0.7, rare))
        if _well_laid(layout):
            return layout


def _well_laid(layout: Layout) -> bool:
    """Whether tiles lie in no others, nothing lies on a hand, and a winning tile nearest to its own row."""
    tiles = np.array([piece.centre for piece in layout.pieces if piece.material == "tile"])
    apart = np.linalg.norm(tiles[:, None] - tiles, axis=2) + 1e3 * np.eye(len(tiles))
    if apart.min() < _INSIDE * min(layout.tile):
        return False
    for hand in layout.hands:
        own = [piece for piece in layout.pieces if piece.seat == hand.seat]
        strange = [piece for piece in layout.pieces if piece.seat != hand.seat]
        row = [piece for piece in own if piece.role == "hand"]
        others = [piece for piece in layout.pieces if piece.seat is not None and piece.role != "win"]
        others = [piece for piece in others if piece.seat != hand.seat or piece.role != "hand"]
        if any(not layouts.clear(piece, strange, _CLEAR) for piece in own):
            return False
        for win in (piece for piece in own if piece.role == "win"):
            if layouts.gaps(win, others).min(initial=np.inf) <= layouts.gaps(win, row).min():
                return False
    return True


_INSIDE = 0.75  # of a tile's shortest side: as near the middles of two tiles never come
_CLEAR = 1.0  # mm between a hand's tile and whatever else lies there


def facts(layout: Layout, seen: Mapping[int, tuple[float, float]]) -> dict[str, Any]:
    """The fields of a line of ``truth.jsonl`` besides the tiles.

    ``seen``: for each piece in the ground truth, in order, the visible share of its face, or of its back if
    it lies face down, and the side in pixels of a square with its visible area.

    ``outcome``: ``finished`` for one whole finished hand, ``several``, or ``none``. ``hand``: its record if
    finished. ``hands``: each open hand with its seat, ``finished``, ``whole`` (false if seen from behind),
    the ``least`` visible share of its tiles, its ``waits``, and the winning tile's index (``win``).

    ``rivers``: :func:`_rivers`. ``closed``: the seats of hands that are not open. ``dead_wall``: the seat
    before which it is, or None.
    """
    clear = [index for index, (share, _) in seen.items() if share >= VISIBLE]
    large = {index for index in clear if seen[index][1] >= LEAST_PIXELS}
    shown = {
        role: [layout.pieces[index].label for index in clear if layout.pieces[index].role == role]
        for role in ("dora", "ura")
    }
    hands, finished = [], []
    for hand in layout.hands:
        own = [index for index, piece in enumerate(layout.pieces) if piece.seat == hand.seat]
        least = min(seen.get(index, (0.0, 0.0))[0] for index in own)
        whole = large.issuperset(own)
        won = [n for n, index in enumerate(seen) if index in own and layout.pieces[index].role == "win"]
        record = {"concealed": "".join(hand.concealed), "win_tile": hand.win_tile, "melds": list(hand.melds)}
        state = {"finished": hand.finished, "whole": whole, "least": least, "waits": list(hand.waits)}
        hands.append({"seat": hand.seat, **record, **state, "win": won[0] if won else None})
        if hand.finished and whole:
            finished.append(record)
    outcome = ("none", "finished", "several")[min(len(finished), 2)]
    indicators = {f"{role}_indicators": labels for role, labels in shown.items() if labels}
    only = finished[0] | indicators if outcome == "finished" else None
    told = {"scene": layout.scene, "outcome": outcome, "hand": only, "hands": hands}
    return told | {"rivers": _rivers(layout), "closed": [*layout.closed], "dead_wall": _dead_wall_of(layout)}


def _dead_wall_of(layout: Layout) -> int | None:
    """Before which seat the dead wall lies; None where no indicator lies on it."""
    backs = np.array([piece.centre for piece in layout.pieces if piece.role == "wall"]).reshape(-1, 3)
    shown = np.array([piece.centre for piece in layout.pieces if piece.role == "dora"]).reshape(-1, 3)
    apart = np.linalg.norm(shown[:, None, :2] - backs[None, :, :2], axis=2)
    if apart.min(initial=np.inf) > 1.1 * layout.tile[1]:
        return None
    x, y, _ = shown.mean(axis=0)
    return round(float(np.arctan2(y, x)) / (np.pi / 2) + 1) % 4


def _rivers(layout: Layout) -> list[dict[str, Any]]:
    """Every river with a known player.

    ``owner``; ``tiles`` in order, visible or not; ``riichi``: the index of the turned tile, or None;
    ``stick``: whether the player's riichi stick is on the table.
    """
    sticks = {piece.owner for piece in layout.pieces if piece.material == "stick"}
    rivers = []
    owners = {piece.owner for piece in layout.pieces if piece.shows is None}
    for owner in sorted(owner for owner in owners if owner is not None):
        discards = [p for p in layout.pieces if p.owner == owner and p.order is not None]
        discards.sort(key=lambda piece: piece.order or 0)
        turned = [piece.order for piece in discards if piece.sideways]
        labels = [piece.label for piece in discards]
        turn = turned[0] if turned else None
        rivers.append({"owner": owner, "tiles": labels, "riichi": turn, "stick": owner in sticks})
    return rivers
