"""What lies on the table: tiles as people lay them, and the things around them, in millimetres.

Coordinates as in :mod:`datasets.render.raycast`: x to the player's right, y away from the player, z up.
Every layout ends as a :class:`Layout`: bodies to render, and the truth about the tiles among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.render import yakuman
from scorer.tiles import KINDS
from vision.labels import BACK, FACES, FOREIGN, plain

Vector = NDArray[np.float64]
Kind = Literal["hand", "tray", "grid", "scatter", "standing", "close", "table", "game", "varied"]

PLAIN = FACES[:KINDS]
CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
_LYING = np.array([[1, 0, 0], [0, -1, 0], [0, 0, -1]], float)  # columns: the axes of a tile face up
_FACE_DOWN = np.array([[-1, 0, 0], [0, -1, 0], [0, 0, 1]], float)
_STANDING = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], float)  # its face towards the player


@dataclass(slots=True)
class Piece:
    """A body on the table. ``label``: the face of a tile, None for anything that is no tile."""

    centre: Vector
    axes: Vector
    size: tuple[float, float, float]
    label: str | None = None
    role: str = "other"
    sideways: bool = False
    upside_down: bool = False
    material: str = "tile"
    seat: int | None = None
    """Whose hand a tile belongs to, where a layout has several."""
    owner: int | None = None
    """Which player a tile of a river belongs to; of a hand's tiles ``seat`` says it."""
    order: int | None = None
    """The how manieth discard of its river a tile is, from 0."""
    shows: str | None = None
    """Which wind a plate shows, as a face: of a body that is no tile."""
    drawing: int = 0
    """Which of the set's foreign faces a tile labelled ``foreign`` shows, counted round."""


@dataclass(frozen=True, slots=True)
class View:
    """The camera's view of a layout, in radians: ``azimuth`` 0 from the player's side, pi from across.

    ``field``: the angle of view along the photo's long side. ``fill``: the share of the photo for the
    subject. ``lean``: its place across and down, 0 at the left or upper edge, 1 at the right or lower one;
    None for the centre. Beyond 0 and 1 it is outside by so many of its own sizes.

    ``least``: the least area of a tile of the subject, as the side of a square in pixels. If the tiles do not
    fit, the camera moves higher, then nearer.
    """

    elevation: float
    azimuth: float
    roll: float
    field: float
    fill: float
    lean: tuple[float, float] | None
    least: float = 0.0


@dataclass(frozen=True, slots=True)
class OpenHand:
    """One player's tiles as they lie open: what is in hand without ``win_tile``, and melds as in a record.

    ``finished``: whether they are a finished hand; ``waits``: the plain faces that one tile short waits on.
    """

    seat: int
    concealed: tuple[str, ...]
    win_tile: str | None
    melds: tuple[dict[str, Any], ...]
    finished: bool
    waits: tuple[str, ...]


@dataclass(slots=True)
class Layout:
    """Pieces on the table; ``subject`` are the indices that the camera is pointed at.

    ``view``, ``scene`` and ``hands`` are of the kind ``game`` (:mod:`datasets.render.game`); ``view`` is of
    the kind ``varied``, too.
    """

    kind: Kind
    tile: tuple[float, float, float]
    pieces: list[Piece] = field(default_factory=list)
    subject: list[int] = field(default_factory=list)
    hand: dict[str, Any] | None = None
    view: View | None = None
    scene: str | None = None
    hands: tuple[OpenHand, ...] = ()
    closed: tuple[int, ...] = ()
    """The seats whose hands lie there and are not open."""

    def put(
        self,
        label: str | None,
        x: float,
        y: float,
        yaw: float = 0.0,
        *,
        pose: Literal["up", "down", "standing"] = "up",
        z: float = 0.0,
        tilt: tuple[float, float] = (0.0, 0.0),
        size: tuple[float, float, float] | None = None,
        material: str = "tile",
        role: str = "other",
        sideways: bool = False,
        upside_down: bool = False,
        subject: bool = False,
    ) -> Piece:
        """Add a piece whose centre stands over (x, y), ``yaw`` radians anticlockwise seen from above."""
        size = size or self.tile
        base = {"up": _LYING, "down": _FACE_DOWN, "standing": _STANDING}[pose]
        axes = about_z(yaw) @ _tip(*tilt) @ base
        lift = float(np.abs(axes[2]) @ (np.array(size) / 2))
        piece = Piece(np.array([x, y, z + lift]), axes, size, label, role, sideways, upside_down, material)
        piece.drawing = len(self.pieces)
        self.pieces.append(piece)
        if subject:
            self.subject.append(len(self.pieces) - 1)
        return piece

    def free(self, x: float, y: float, reach: float) -> bool:
        """Whether no piece's centre-circle comes within ``reach`` mm of (x, y)."""
        return all(
            np.hypot(piece.centre[0] - x, piece.centre[1] - y) > reach + 0.5 * min(piece.size[:2])
            for piece in self.pieces
        )

    def room(self, plate: Piece, least: float) -> bool:
        """Whether ``least`` mm of table are left between a plate and every piece."""
        return clear(plate, self.pieces, least)

    def extent(self) -> tuple[float, float, float, float]:
        """x0, y0, x1, y1 of the subject's centres, half a tile around them."""
        return self._around([self.pieces[i] for i in self.subject])

    def ground(self) -> tuple[float, float, float, float]:
        """What the table has to bear: the subject's extent, or that of all tiles where there is a view."""
        tiles = [piece for piece in self.pieces if piece.material == "tile"]
        return self._around(tiles) if self.view else self.extent()

    def _around(self, pieces: Sequence[Piece]) -> tuple[float, float, float, float]:
        points = np.array([piece.centre[:2] for piece in pieces])
        margin = max(self.tile) / 2
        low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def gaps(one: Piece, others: Sequence[Piece]) -> Vector:
    """Millimetres of table (n,) between a piece and others seen from above, 0 where they touch or overlap."""
    if not others:
        return np.empty(0)
    pieces = [one, *others]
    half = np.array([piece.size for piece in pieces]) / 2
    axes = np.array([piece.axes[:2] for piece in pieces])
    corners = np.einsum("ndk,ck,nk->ncd", axes, CORNERS, half)
    corners += np.array([piece.centre[:2] for piece in pieces])[:, None]
    length = np.hypot(axes[:, 0], axes[:, 1])  # of the axis that stands upright nothing: it is no direction
    along = np.where(length > 0.1, axes.transpose(1, 0, 2) / np.maximum(length, 0.1), 0.0).transpose(1, 2, 0)
    along = np.concatenate([np.broadcast_to(along[0], along[1:].shape), along[1:]], axis=1)
    a, b = along @ corners[0].T, along @ corners[1:].transpose(0, 2, 1)
    apart = np.maximum(a.min(axis=2) - b.max(axis=2), b.min(axis=2) - a.max(axis=2))
    widest: Vector = np.maximum(apart.max(axis=1), 0.0)
    return widest


def gap(one: Piece, other: Piece) -> float:
    """Millimetres of table between two pieces, see :func:`gaps`."""
    return float(gaps(one, [other])[0])


def clear(one: Piece, others: Sequence[Piece], least: float) -> bool:
    """Whether ``least`` mm of table are left between a piece and all others, see :func:`gaps`."""
    if not others:
        return True
    away = np.array([piece.centre[:2] for piece in others]) - one.centre[:2]
    reach = np.linalg.norm([piece.size for piece in others], axis=1) + np.linalg.norm(one.size)
    near = np.flatnonzero(np.hypot(away[:, 0], away[:, 1]) < reach / 2 + least)
    return bool((gaps(one, [others[int(index)] for index in near]) >= least).all())


def about_z(yaw: float) -> Vector:
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _tip(about_x: float, about_y: float) -> Vector:
    cx, sx, cy, sy = np.cos(about_x), np.sin(about_x), np.cos(about_y), np.sin(about_y)
    about: Vector = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about = about @ np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    return about


# --- labels -----------------------------------------------------------------------------------------


class Pool:
    """The 136 tiles that have not been laid yet, one red five a suit among them."""

    def __init__(self, rng: Generator, reds: float, rare: float = 0.0) -> None:
        """``reds``: the chance that a suit has its red five; ``rare``: that a finished hand is a yakuman."""
        self.rng, self.rare = rng, rare
        self.left = dict.fromkeys(PLAIN, 4)
        for suit in "mps":
            self.left[f"0{suit}"] = int(rng.random() < reds)
            self.left[f"5{suit}"] -= self.left[f"0{suit}"]
        self._foreign = float(rng.uniform(0.02, 0.15)) if rng.random() < 0.2 else 0.0

    @property
    def count(self) -> int:
        """How many tiles have not been laid."""
        return sum(self.left.values())

    def available(self, plain: str, count: int) -> bool:
        red = f"0{plain[1]}" if plain[0] == "5" and plain[1] in "mps" else None
        return self.left[plain] + (self.left[red] if red else 0) >= count

    def take(self, plain: str) -> str:
        """A tile of this face, the red one as soon as chance has it."""
        red = f"0{plain[1]}" if plain[0] == "5" and plain[1] in "mps" else None
        use_red = red and self.left[red] and (not self.left[plain] or self.rng.random() < 0.6)
        label = red if use_red and red else plain
        self.left[label] -= 1
        return label

    def any(self) -> str:
        faces = [face for face, count in self.left.items() if count > 0]
        label = faces[int(self.rng.integers(len(faces)))]
        self.left[label] -= 1
        return label

    def loose(self) -> str:
        """A tile that is in nobody's hand: now and then one that no hand has."""
        return FOREIGN if self.rng.random() < self._foreign else self.any()


def _sets(pool: Pool, rng: Generator, count: int, kans: float) -> Iterator[tuple[str, list[str]]]:
    """``count`` sets of a hand as (type, tiles): ``chi``, ``pon`` or ``kan``, drawn from the pool."""
    while count:
        kind = str(rng.choice(["chi", "pon", "kan"], p=[0.65 - kans, 0.35, kans]))
        if kind == "chi":
            suit, start = "mps"[int(rng.integers(3))], int(rng.integers(1, 8))
            faces = [f"{start + k}{suit}" for k in range(3)]
        else:
            faces = [PLAIN[int(rng.integers(34))]] * (4 if kind == "kan" else 3)
        if all(pool.available(face, faces.count(face)) for face in faces):
            count -= 1
            yield kind, [pool.take(face) for face in faces]


def _pair(pool: Pool, rng: Generator) -> list[str]:
    while True:
        face = PLAIN[int(rng.integers(34))]
        if pool.available(face, 2):
            return [pool.take(face), pool.take(face)]


def in_order(tiles: Sequence[str], rng: Generator) -> list[str]:
    """As a player sorts them: by suit in some order of suits, or now and then not at all."""
    if rng.random() < 0.2:
        return [tiles[i] for i in rng.permutation(len(tiles))]
    suits = "".join(rng.permutation(list("mpsz")))
    return sorted(tiles, key=lambda t: (suits.index(t[1]), float(plain(t)[0])))


# --- one player's finished hand ------------------------------------------------------------------------


def row_of_tiles(
    layout: Layout, labels: Sequence[str], x: float, y: float, rng: Generator, *, role: str, loose: float
) -> float:
    """Lay labels from x to the right, upright; returns the x where the next tile would start."""
    width = layout.tile[0]
    for label in labels:
        x += abs(float(rng.normal(0, 0.25 + loose)))
        layout.put(
            label, x + width / 2, y + float(rng.normal(0, 0.3 + 2.5 * loose)),
            float(rng.normal(0, 0.006 + 0.03 * loose)), role=role, subject=True,
        )  # fmt: skip
        x += width
    return x


def meld(
    layout: Layout, kind: str, tiles: list[str], x: float, y: float, rng: Generator, index: int
) -> tuple[float, dict[str, Any]]:
    """Lay one meld from x to the right; returns where it ends and its record."""
    width, height, _ = layout.tile
    role = f"meld:{index}"
    turn = np.pi / 2 if rng.random() < 0.7 else -np.pi / 2
    drop = (height - width) / 2  # a tile on its side is aligned to the near edge of the row

    def upright(label: str | None) -> None:
        nonlocal x
        pose: Literal["up", "down"] = "down" if label is None else "up"
        layout.put(
            label, x + width / 2, y + float(rng.normal(0, 0.4)), float(rng.normal(0, 0.02)),
            pose=pose, role=role, subject=True,
        )  # fmt: skip
        x += width + abs(float(rng.normal(0, 0.3)))

    if kind == "kan" and rng.random() < 0.4:
        outer = rng.random() < 0.7
        shown = sorted(tiles)[:2]  # a red five (0x) sorts first: nobody hides it
        for label in [None, *shown, None] if outer else [shown[0], None, None, shown[1]]:
            upright(label)
        return x, {"type": "ankan", "tiles": "".join(tiles), "from": None}
    source = 3 if kind == "chi" else int(rng.integers(1, 4))
    late = kind == "kan" and rng.random() < 0.5
    called_at = {3: 0, 2: 1, 1: 2}[source] if len(tiles) == 3 or late else {3: 0, 2: 1, 1: 3}[source]
    tiles = [tiles[i] for i in rng.permutation(len(tiles))]
    added = tiles.pop() if late else None
    for position, label in enumerate(tiles):
        if position != called_at:
            upright(label)
            continue
        layout.put(
            label, x + height / 2, y - drop + float(rng.normal(0, 0.4)), turn + float(rng.normal(0, 0.02)),
            role=role, sideways=True, subject=True,
        )  # fmt: skip
        if added:
            layout.put(
                added, x + height / 2 + float(rng.normal(0, 0.5)), y - drop + width + 0.4,
                turn + float(rng.normal(0, 0.02)), role=role, sideways=True, subject=True,
            )  # fmt: skip
            tiles = [*tiles, added]
        x += height + abs(float(rng.normal(0, 0.3)))
    name = {"chi": "chi", "pon": "pon", "kan": "kakan" if late else "minkan"}[kind]
    return x, {"type": name, "tiles": "".join(tiles), "from": source}


def deal(pool: Pool, rng: Generator, kans: float = 0.1) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """A finished hand: its closed tiles in no order, and the sets to be called, each (type, tiles); of its
    sets this share are kans."""
    if pool.rare and rng.random() < pool.rare and (rare := yakuman.deal(pool, rng)):
        return [rare[0][i] for i in rng.permutation(len(rare[0]))], rare[1]
    form = rng.random()
    orphans = [f"{n}{s}" for s in "mps" for n in (1, 9)] + [f"{n}z" for n in range(1, 8)]
    closed: list[str] = []
    called: list[tuple[str, list[str]]] = []
    if form < 0.08:
        while len(closed) < 14:
            pair = _pair(pool, rng)
            if plain(pair[0]) not in map(plain, closed):
                closed += pair
    elif form < 0.10 and all(pool.available(face, 2) for face in orphans):
        closed = [pool.take(t) for t in [*orphans, orphans[int(rng.integers(13))]]]
    else:
        calls = int(rng.choice(5, p=[0.42, 0.22, 0.18, 0.13, 0.05]))
        sets = sorted(_sets(pool, rng, 4, kans), key=lambda s: s[0] != "kan")  # a kan is always laid open
        calls = max(calls, sum(s[0] == "kan" for s in sets))
        called = sets[:calls]
        closed = [t for s in sets[calls:] for t in s[1]] + _pair(pool, rng)
    return [closed[i] for i in rng.permutation(len(closed))], called


def called_sets(
    layout: Layout, called: Sequence[tuple[str, list[str]]], x: float, rng: Generator
) -> list[dict[str, Any]]:
    """Lay the sets of a hand to the right of its row, which ends at x; returns their records."""
    width, height, _ = layout.tile
    melds = []
    called = [called[i] for i in rng.permutation(len(called))]
    stacked = len(called) > 1 and rng.random() < 0.2
    x += float(rng.uniform(10, 60))
    base, y = x, float(rng.normal(0, 2))
    for index, (kind, tiles) in enumerate(called):
        x, record = meld(layout, kind, list(tiles), x, y, rng, index)
        melds.append(record)
        if stacked:
            tall = height + (max(0.0, 2 * width - height) if record["type"] == "kakan" else 0.0)
            x, y = base + float(rng.normal(0, 3)), y + tall + float(rng.uniform(0.5, 4))
        else:
            x += float(rng.uniform(0.5, 8))
    return melds


def _finished_hand(layout: Layout, rng: Generator, pool: Pool) -> None:
    """A finished hand at y = 0: closed row, winning tile, melds to its right."""
    width, height, _ = layout.tile
    closed, called = deal(pool, rng)
    style = rng.choice(["apart", "turned", "above", "none"], p=[0.45, 0.25, 0.12, 0.18])
    win = None if style == "none" else closed.pop()
    closed = in_order(closed, rng)
    loose = float(rng.choice([0.05, 0.3, 1.0], p=[0.5, 0.35, 0.15]))
    if style != "above" and len(closed) > 6 and rng.random() < 0.06:  # laid in two lines
        half = len(closed) // 2
        row_of_tiles(layout, closed[:half], 0, height + 1.0, rng, role="hand", loose=loose)
        x = row_of_tiles(layout, closed[half:], 0, 0, rng, role="hand", loose=loose)
    else:
        x = row_of_tiles(layout, closed, 0, 0, rng, role="hand", loose=loose)
    if win:
        turned = style == "turned"
        turn = (np.pi / 2 if rng.random() < 0.7 else -np.pi / 2) if turned else 0.0
        drop = (height - width) / 2 if turned and rng.random() < 0.7 else 0.0
        span = height if turned else width
        if style == "above":
            at = (x - width * float(rng.uniform(0.5, 2.0)), height + float(rng.uniform(0.5, 6)))
        else:
            gap = float(rng.uniform(0.0, 8.0) if turned else rng.uniform(9.0, 24.0))
            at = (x + gap + span / 2, -drop + float(rng.normal(0, 1.0)))
            x += gap + span
        layout.put(win, *at, turn + float(rng.normal(0, 0.04)), role="win", sideways=turned, subject=True)
    melds = called_sets(layout, called, x, rng)
    layout.hand = {"concealed": "".join(closed), "win_tile": win, "melds": melds}


# --- what else lies on a table ---------------------------------------------------------------------------


def wall(
    layout: Layout, x: float, y: float, yaw: float, count: int, rng: Generator, dora: str | None
) -> None:
    """A wall of backs from (x, y) along yaw, two high; ``dora``: the indicator turned up on it."""
    width, _, thick = layout.tile
    step = np.array([np.cos(yaw), np.sin(yaw)]) * (width + 0.2)
    shown = int(rng.integers(count)) if dora else -1
    low_end = int(rng.integers(0, 3))
    for k in range(count):
        px, py = np.array([x, y]) + step * k
        layout.put(None, float(px), float(py), yaw, pose="down", role="wall")
        if k == shown:
            layout.put(
                dora, float(px), float(py), yaw + (np.pi if rng.random() < 0.5 else 0.0), z=thick, role="dora"
            )
        elif k >= low_end:
            layout.put(
                None,
                float(px),
                float(py),
                yaw + float(rng.normal(0, 0.01)),
                pose="down",
                z=thick,
                role="wall",
            )


def river(layout: Layout, pool: Pool, x: float, y: float, yaw: float, count: int, rng: Generator) -> None:
    """Discards in lines of six from (x, y), read along yaw; one may be turned for a riichi."""
    width, height, _ = layout.tile
    along, down = np.array([np.cos(yaw), np.sin(yaw)]), np.array([np.sin(yaw), -np.cos(yaw)])
    riichi = int(rng.integers(count)) if rng.random() < 0.5 else -1
    offset = 0.0
    for k in range(count):
        if k % 6 == 0:
            offset = 0.0
        wide = height if k == riichi else width
        px, py = np.array([x, y]) + along * (offset + wide / 2) + down * (k // 6) * (height + 0.6)
        turn = np.pi / 2 if k == riichi else 0.0
        tile = layout.put(
            pool.any(), float(px), float(py), yaw + turn + float(rng.normal(0, 0.03)),
            role="river", sideways=k == riichi,
        )  # fmt: skip
        tile.order = k
        offset += wide + abs(float(rng.normal(0, 0.5)))


def clutter(layout: Layout, rng: Generator, pool: Pool) -> None:
    """Rivers, walls, other hands and small things beside the subject, never on it."""
    width, height, _ = layout.tile
    x0, _, x1, y1 = layout.extent()
    far = y1 + float(rng.uniform(20, 60))
    middle = (x0 + x1) / 2
    has_dora = rng.random() < 0.45
    if has_dora or rng.random() < 0.4:
        count = int(rng.integers(4, 13))
        yaw = float(rng.normal(0, 0.05))
        indicator = pool.any() if has_dora else None
        wall(layout, middle + float(rng.uniform(-200, 40)), far, yaw, count, rng, indicator)
        if layout.hand is not None and indicator:
            layout.hand["dora_indicators"] = [indicator]
        far += height + float(rng.uniform(20, 60))
    if rng.random() < 0.5:
        river(
            layout,
            pool,
            middle - 3 * width + float(rng.uniform(-70, 70)),
            far + 2 * height,
            float(rng.normal(0, 0.03)),
            int(rng.integers(4, 16)),
            rng,
        )
        far += 3 * height + float(rng.uniform(15, 50))
    if rng.random() < 0.35:
        side = 1 if rng.random() < 0.5 else -1
        edge = (x1 + 60) if side > 0 else (x0 - 60 - 3 * height)
        river(
            layout,
            pool,
            edge,
            far + float(rng.uniform(-20, 60)),
            side * np.pi / 2,
            int(rng.integers(3, 12)),
            rng,
        )
    if rng.random() < 0.3:  # another player's tiles, seen from behind
        start = middle + float(rng.uniform(-160, 0))
        lying = rng.random() < 0.4
        for k in range(int(rng.integers(4, 14))):
            at = (start + k * (width + 0.3), far + 120)
            if lying:
                layout.put(None, *at, pose="down")
            else:
                layout.put(pool.any(), *at, np.pi, pose="standing")
    if rng.random() < 0.3:
        spot = (middle + float(rng.uniform(-200, 200)), far + float(rng.uniform(30, 90)))
        heap(layout, rng, pool, spot, int(rng.integers(3, 14)), backs=0.6, subject=False)
    _things(layout, rng, (x0 - 60, y1 + 15, x1 + 60, far + 60))


def _things(layout: Layout, rng: Generator, area: tuple[float, float, float, float]) -> None:
    """Point sticks, dice, spare tiles and foreign objects within an area, where there is room."""
    if rng.random() < 0.12:
        spares(layout, rng, area)
    for _ in range(int(rng.integers(0, 6))):
        x, y = float(rng.uniform(area[0], area[2])), float(rng.uniform(area[1], area[3]))
        material, size = [
            ("stick", (7.0, 86.0, 3.0)),
            ("die", (11.0, 11.0, 11.0)),
            ("thing", (float(rng.uniform(20, 90)), float(rng.uniform(20, 150)), float(rng.uniform(3, 30)))),
        ][int(rng.choice(3, p=[0.5, 0.3, 0.2]))]
        if layout.free(x, y, max(size[:2]) * 0.6):
            layout.put(None, x, y, float(rng.uniform(0, 2 * np.pi)), size=size, material=material)


def spares(layout: Layout, rng: Generator, area: tuple[float, float, float, float]) -> None:
    """One to four tiles that no hand has in a row within an area, where there is room."""
    width, height, _ = layout.tile
    x, y = float(rng.uniform(area[0], area[2])), float(rng.uniform(area[1], area[3]))
    yaw, step = float(rng.uniform(0, 2 * np.pi)), width + abs(float(rng.normal(0.3, 3)))
    count = int(rng.integers(1, 5))
    spots = [(x + k * step * float(np.cos(yaw)), y + k * step * float(np.sin(yaw))) for k in range(count)]
    for spot in [spot for spot in spots if layout.free(*spot, 0.7 * height)]:
        layout.put(FOREIGN, *spot, yaw)


def rail(layout: Layout, rng: Generator) -> None:
    """The rim of the table, or a rack, between the player and the tiles."""
    x0, y0, x1, _ = layout.extent()
    depth, tall = float(rng.uniform(20, 90)), float(rng.uniform(2, 12))
    y = y0 - depth / 2 - float(rng.uniform(1, 50))
    layout.put(None, (x0 + x1) / 2, y, size=(1600.0, depth, tall), material="rail")


def heap(
    layout: Layout,
    rng: Generator,
    pool: Pool,
    spot: tuple[float, float],
    count: int,
    *,
    backs: float,
    subject: bool = False,
) -> None:
    """Tiles thrown about a spot: any turn, some face down, some leaning on their neighbours."""
    _, height, thick = layout.tile
    spread = float(rng.uniform(0.7, 1.1)) * height * np.sqrt(count) * 0.75
    leaning = float(rng.choice([0.0, 0.3, 0.6], p=[0.55, 0.25, 0.2]))
    aligned = rng.random() < 0.3
    placed: list[tuple[float, float]] = []
    for _ in range(count * 12):
        if len(placed) == count:
            break
        x, y = spot[0] + float(rng.normal(0, spread / 2)), spot[1] + float(rng.normal(0, spread / 2.4))
        leans = rng.random() < leaning
        room = height * (0.82 if leans else 1.16 if not aligned else 1.02)
        if any(np.hypot(x - a, y - b) < room for a, b in placed) or (
            not subject and not layout.free(x, y, height * 0.6)
        ):
            continue
        placed.append((x, y))
        yaw = float(
            rng.normal(0, 0.2) + np.pi / 2 * rng.integers(4) if aligned else rng.uniform(0, 2 * np.pi)
        )
        tilt = (float(rng.normal(0, 0.16)), float(rng.normal(0, 0.16))) if leans else (0.0, 0.0)
        face_down = rng.random() < backs
        stands = not leans and not face_down and rng.random() < 0.05
        layout.put(
            None if face_down else pool.loose(), x, y, float(rng.normal(0, 0.5)) if stands else yaw,
            pose="down" if face_down else "standing" if stands else "up", tilt=tilt,
            z=float(rng.uniform(0, thick * 0.5)) if leans else 0.0, subject=subject,
        )  # fmt: skip


# --- the kinds of photo ---------------------------------------------------------------------------------


def _hand(layout: Layout, rng: Generator, pool: Pool) -> None:
    _finished_hand(layout, rng, pool)
    if rng.random() < 0.75:
        clutter(layout, rng, pool)
    if rng.random() < 0.5:
        rail(layout, rng)


def _grid(layout: Layout, rng: Generator, pool: Pool) -> None:
    """Rows and columns close together, as for a portrait of the set; sometimes in a tray."""
    width, height, _ = layout.tile
    tray = layout.kind == "tray"
    rows, cols = (
        (int(rng.integers(3, 5)), int(rng.integers(6, 11)))
        if tray
        else (int(rng.integers(1, 5)), int(rng.integers(2, 13)))
    )
    gap = float(rng.choice([0.2, 1.0, 12.0], p=[0.6, 0.3, 0.1] if not tray else [0.8, 0.2, 0.0]))
    turned = np.pi / 2 * float(rng.choice(4, p=[0.7, 0.1, 0.1, 0.1]))
    step = (width, height) if turned in (0.0, np.pi) else (height, width)
    aisle = int(rng.integers(cols)) if tray and rng.random() < 0.4 else -1
    for r in range(rows):
        shift = 0.0
        for c in range(cols):
            shift += height if c == aisle else 0.0
            if tray and rng.random() < 0.02:
                continue
            flip = np.pi if rng.random() < 0.06 else 0.0
            layout.put(
                pool.loose(), c * (step[0] + gap) + shift + float(rng.normal(0, 0.2)),
                -r * (step[1] + gap) + float(rng.normal(0, 0.3)), turned + flip + float(rng.normal(0, 0.01)),
                z=2.0 if tray else 0.0, subject=True,
            )  # fmt: skip
    if tray:
        x0, y0, x1, y1 = layout.extent()
        margin = 4.0 + abs(width - height) / 2
        x0, y0, x1, y1 = x0 - margin, y0 - margin, x1 + margin, y1 + margin
        cx, cy, w, h = (x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0
        wall = float(rng.uniform(8, 18))
        layout.put(None, cx, cy, size=(w, h, 2.0), material="tray")
        for x, y, size in [
            (cx, y0, (w + 6, 4.0, wall)), (cx, y1, (w + 6, 4.0, wall)),
            (x0, cy, (4.0, h, wall)), (x1, cy, (4.0, h, wall)),
        ]:  # fmt: skip
            layout.put(None, x, y, size=size, material="tray")
    elif rng.random() < 0.4:
        rail(layout, rng)


def _scatter(layout: Layout, rng: Generator, pool: Pool) -> None:
    heap(
        layout, rng, pool, (0, 0), int(rng.integers(6, 45)), backs=float(rng.choice([0, 0.15])), subject=True
    )
    if rng.random() < 0.4:
        x0, y0, _, _ = layout.extent()
        row_of_tiles(
            layout,
            [pool.any() for _ in range(int(rng.integers(4, 14)))],
            x0,
            y0 - 60,
            rng,
            role="other",
            loose=0.3,
        )
    if rng.random() < 0.5:
        clutter(layout, rng, pool)


def _standing(layout: Layout, rng: Generator, pool: Pool) -> None:
    """Tiles on their feet before the player: a row, or one by one."""
    width, _, _ = layout.tile
    count = int(rng.integers(5, 15))
    if rng.random() < 0.7:
        x = 0.0
        labels = in_order([pool.any() for _ in range(count)], rng)
        for label in labels:
            layout.put(
                label,
                x,
                float(rng.normal(0, 0.6)),
                float(rng.normal(0, 0.015)),
                pose="standing",
                subject=True,
            )
            x += width + abs(float(rng.normal(0, 0.4)))
        if rng.random() < 0.4:
            layout.put(pool.any(), x + float(rng.uniform(4, 20)), 0, pose="standing", subject=True)
    else:
        for _ in range(60):
            if len(layout.pieces) == count:
                break
            x, y = float(rng.uniform(-140, 140)), float(rng.uniform(-60, 60))
            if layout.free(x, y, width):
                layout.put(pool.any(), x, y, float(rng.normal(0, 0.35)), pose="standing", subject=True)
    if rng.random() < 0.6:
        clutter(layout, rng, pool)


def _close(layout: Layout, rng: Generator, pool: Pool) -> None:
    """One to four tiles that fill the frame."""
    row_of_tiles(
        layout, [pool.loose() for _ in range(int(rng.integers(1, 5)))], 0, 0, rng, role="other", loose=0.5
    )


def _table(layout: Layout, rng: Generator, pool: Pool) -> None:
    """A whole table from above: one player's finished hand, four rivers, walls, melds of the others."""
    width, _, _ = layout.tile
    _finished_hand(layout, rng, pool)
    x0, _, x1, y1 = layout.extent()
    cx, cy = (x0 + x1) / 2, y1 + 300
    for seat in range(4):
        yaw = seat * np.pi / 2
        out = np.array([np.sin(yaw), -np.cos(yaw)])
        along = np.array([np.cos(yaw), np.sin(yaw)])
        start = np.array([cx, cy]) + out * 80 - along * 3 * width
        river(layout, pool, float(start[0]), float(start[1]), yaw, int(rng.integers(5, 19)), rng)
        if rng.random() < 0.7:
            begin = np.array([cx, cy]) + out * 190 - along * 5 * width
            wall(
                layout,
                float(begin[0]),
                float(begin[1]),
                yaw,
                int(rng.integers(3, 12)),
                rng,
                pool.any() if seat == 2 else None,
            )
        if seat and rng.random() < 0.8:
            begin = np.array([cx, cy]) + out * 280 - along * 6 * width
            for k in range(13):
                px, py = begin + along * k * (width + 0.3)
                layout.put(pool.any(), float(px), float(py), yaw, pose="standing")
    console = (130.0, 130.0, 2.0)
    layout.put(None, cx, cy, size=console, material="console")
    shown = [p.label for p in layout.pieces if p.role == "dora"]
    if layout.hand is not None and shown:
        layout.hand["dora_indicators"] = shown


_KINDS = {
    "hand": _hand, "tray": _grid, "grid": _grid, "scatter": _scatter,
    "standing": _standing, "close": _close, "table": _table,
}  # fmt: skip
MIX: dict[Kind, float] = {
    "hand": 0.40, "tray": 0.08, "grid": 0.12, "scatter": 0.20, "standing": 0.10, "close": 0.04, "table": 0.06
}  # fmt: skip
"""How often each kind of photo is made for training."""


def tile_size(rng: Generator) -> tuple[float, float, float]:
    """Width, height and thickness of a tile in mm."""
    scale = float(rng.uniform(0.95, 1.05))
    ratio = float(rng.uniform(1.28, 1.42))
    return 19.5 * scale, 19.5 * ratio * scale, float(rng.uniform(14.5, 19.0)) * scale


def compose(rng: Generator, kind: Kind) -> Layout:
    """A random layout of this kind, its tiles of one random size (mm: width, height, thickness)."""
    layout = Layout(kind, tile_size(rng))
    # Reds are as common here as plain fives, so that they are learnt as well.
    _KINDS[kind](layout, rng, Pool(rng, reds=0.7))
    return layout


def seen_label(piece: Piece, from_behind: bool) -> str:
    """What a viewer sees of a tile: its face, or that it is a back."""
    return BACK if from_behind or piece.label is None else piece.label
