"""A small ray caster for tables of rounded boxes: what a camera sees of them, with light, shadow and glare.

Everything that lies on a table of tiles is a rounded box (a tile, a point stick, a die, a rail), so one
kernel finds the first surface along each pixel's ray by sphere tracing inside the box's screen rectangle,
and one shades it. World coordinates are millimetres: x right, y away from
the player, z up, the table is z = 0.

A body's own axes: x along the face to its right, y down the face, z from the face into the body; the face
is the side z = -size_z / 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float32]

TABLE = -1
BEYOND = -2
_CELL = 40.0  # mm, side of the cells in which shadow rays look for bodies
_REACH = 70.0  # mm, how far a shadow ray is followed: tiles are low, so it has left their height by then


@dataclass(frozen=True, slots=True)
class Bodies:
    """n rounded boxes as columns; lengths in mm, colours linear 0..1."""

    centre: Array  # (n, 3)
    axes: Array  # (n, 3, 3), columns are the body's x, y, z in the world
    half: Array  # (n, 3)
    radius: Array  # (n,)
    texture: NDArray[np.int32]  # (n,) index of the ink, -1 for none
    colour: Array  # (n, 3) of the face material
    back: Array  # (n, 3) of the back layer
    back_share: Array  # (n,) thickness of the back layer as a share of the body's
    gloss: Array  # (n,)

    def __len__(self) -> int:
        return len(self.centre)


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera: ``rotation`` rows are right, down, forward in the world; focal length in pixels."""

    centre: Array
    rotation: Array
    focal: float
    width: int
    height: int
    cx: float
    cy: float

    def project(self, points: Array) -> Array:
        """(..., 3) world points to (..., 2) pixels; points behind the camera come out as NaN."""
        local = (points - self.centre) @ self.rotation.T
        depth = np.where(local[..., 2:] > 1.0, local[..., 2:], np.nan)
        pixels = local[..., :2] / depth * self.focal + np.array([self.cx, self.cy], np.float32)
        return np.asarray(pixels, np.float32)

    def scaled(self, factor: float) -> Camera:
        """The same view with ``factor`` times as many pixels a side."""
        return Camera(
            self.centre,
            self.rotation,
            self.focal * factor,
            round(self.width * factor),
            round(self.height * factor),
            self.cx * factor,
            self.cy * factor,
        )


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp of some size over the table, and the light of the room. Colours linear."""

    position: Array  # (3,) mm
    radius: float  # mm; the larger, the softer its shadows
    colour: Array  # (3,)
    ambient: Array  # (3,)
    glare: float  # strength of its mirror image on a glossy face


@njit(cache=True, fastmath=True)
def _box_distance(px, py, pz, hx, hy, hz, r):  # type: ignore[no-untyped-def]
    qx, qy, qz = abs(px) - hx + r, abs(py) - hy + r, abs(pz) - hz + r
    ox, oy, oz = max(qx, 0.0), max(qy, 0.0), max(qz, 0.0)
    return np.sqrt(ox * ox + oy * oy + oz * oz) + min(max(qx, max(qy, qz)), 0.0) - r


@njit(cache=True, fastmath=True)
def _slab(o0, o1, o2, d0, d1, d2, h0, h1, h2):  # type: ignore[no-untyped-def]
    """Where a ray enters and leaves a box about the origin; enters > leaves where it misses."""
    enter, leave = 0.0, 1e9
    for o, d, h in ((o0, d0, h0), (o1, d1, h1), (o2, d2, h2)):
        if abs(d) < 1e-9:
            if abs(o) > h:
                return 1.0, 0.0
            continue
        a, b = (-h - o) / d, (h - o) / d
        if a > b:
            a, b = b, a
        enter, leave = max(enter, a), min(leave, b)
    return enter, leave


@njit(cache=True, fastmath=True)
def _trace(  # type: ignore[no-untyped-def]
    centre, axes, half, radius, rects, eye, rotation, focal, cx, cy, table, depth, owner, spot, normal
):
    height, width = depth.shape
    for v in range(height):  # the table, or what lies beyond it
        for u in range(width):
            a, b = (u + 0.5 - cx) / focal, (v + 0.5 - cy) / focal
            dx = rotation[0, 0] * a + rotation[1, 0] * b + rotation[2, 0]
            dy = rotation[0, 1] * a + rotation[1, 1] * b + rotation[2, 1]
            dz = rotation[0, 2] * a + rotation[1, 2] * b + rotation[2, 2]
            owner[v, u] = BEYOND
            if dz < -1e-6:
                t = -eye[2] / dz
                x, y = eye[0] + t * dx, eye[1] + t * dy
                depth[v, u] = t
                spot[v, u, 0], spot[v, u, 1], spot[v, u, 2] = x, y, 0.0
                normal[v, u, 2] = 1.0
                if table[0] < x < table[2] and table[1] < y < table[3]:
                    owner[v, u] = TABLE
    for i in range(len(centre)):
        r = axes[i]
        hx, hy, hz, rad = half[i, 0], half[i, 1], half[i, 2], radius[i]
        ex, ey, ez = eye[0] - centre[i, 0], eye[1] - centre[i, 1], eye[2] - centre[i, 2]
        o0 = r[0, 0] * ex + r[1, 0] * ey + r[2, 0] * ez
        o1 = r[0, 1] * ex + r[1, 1] * ey + r[2, 1] * ez
        o2 = r[0, 2] * ex + r[1, 2] * ey + r[2, 2] * ez
        for v in range(rects[i, 1], rects[i, 3]):
            for u in range(rects[i, 0], rects[i, 2]):
                a, b = (u + 0.5 - cx) / focal, (v + 0.5 - cy) / focal
                dx = rotation[0, 0] * a + rotation[1, 0] * b + rotation[2, 0]
                dy = rotation[0, 1] * a + rotation[1, 1] * b + rotation[2, 1]
                dz = rotation[0, 2] * a + rotation[1, 2] * b + rotation[2, 2]
                d0 = r[0, 0] * dx + r[1, 0] * dy + r[2, 0] * dz
                d1 = r[0, 1] * dx + r[1, 1] * dy + r[2, 1] * dz
                d2 = r[0, 2] * dx + r[1, 2] * dy + r[2, 2] * dz
                t, leave = _slab(o0, o1, o2, d0, d1, d2, hx, hy, hz)
                if t > leave or t <= 0.0 or t >= depth[v, u]:
                    continue
                length = np.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
                gap = 1.0
                for _ in range(10):
                    gap = _box_distance(o0 + t * d0, o1 + t * d1, o2 + t * d2, hx, hy, hz, rad)
                    if gap < 0.03:
                        break
                    t += gap / length
                    if t > leave:
                        break
                if gap >= 0.06 or t >= depth[v, u]:
                    continue
                depth[v, u] = t
                owner[v, u] = i
                x, y, z = o0 + t * d0, o1 + t * d1, o2 + t * d2
                spot[v, u, 0], spot[v, u, 1], spot[v, u, 2] = x, y, z
                nx = x - min(max(x, rad - hx), hx - rad)
                ny = y - min(max(y, rad - hy), hy - rad)
                nz = z - min(max(z, rad - hz), hz - rad)
                norm = np.sqrt(nx * nx + ny * ny + nz * nz) + 1e-9
                nx, ny, nz = nx / norm, ny / norm, nz / norm
                for k in range(3):
                    normal[v, u, k] = r[k, 0] * nx + r[k, 1] * ny + r[k, 2] * nz


@njit(cache=True, fastmath=True)
def _blocked(  # type: ignore[no-untyped-def]
    px, py, pz, dx, dy, dz, own, centre, axes, half, reach2, cells, starts, grid
):
    """Whether a body stands in the way of a ray from p along the unit vector d."""
    col = int((px - grid[0]) / _CELL)
    row = int((py - grid[1]) / _CELL)
    if col < 0 or row < 0 or col >= grid[2] or row >= grid[3]:
        return False
    cell = int(row * grid[2] + col)
    for k in range(starts[cell], starts[cell + 1]):
        i = cells[k]
        if i == own:
            continue
        ex, ey, ez = px - centre[i, 0], py - centre[i, 1], pz - centre[i, 2]
        along = -(ex * dx + ey * dy + ez * dz)
        off = ex * ex + ey * ey + ez * ez - along * along
        if off > reach2[i]:
            continue
        r = axes[i]
        o0 = r[0, 0] * ex + r[1, 0] * ey + r[2, 0] * ez
        o1 = r[0, 1] * ex + r[1, 1] * ey + r[2, 1] * ez
        o2 = r[0, 2] * ex + r[1, 2] * ey + r[2, 2] * ez
        d0 = r[0, 0] * dx + r[1, 0] * dy + r[2, 0] * dz
        d1 = r[0, 1] * dx + r[1, 1] * dy + r[2, 1] * dz
        d2 = r[0, 2] * dx + r[1, 2] * dy + r[2, 2] * dz
        t, leave = _slab(o0, o1, o2, d0, d1, d2, half[i, 0] * 0.97, half[i, 1] * 0.97, half[i, 2] * 0.97)
        if t <= leave and leave > 0.3:
            return True
    return False


@njit(cache=True, fastmath=True)
def _shadows(  # type: ignore[no-untyped-def]
    owner, spot, normal, centre, axes, half, lamp, lamp_radius, cells, starts, grid, lit, open_sky
):
    """Whether each pixel sees one of 16 spots of the lamp, and one of 16 of the sky.

    Neighbours look at different spots, so the mean over any 4 by 4 pixels (the caller's) is the share seen.
    """
    height, width = owner.shape
    reach2 = np.empty(len(centre), np.float32)
    for i in range(len(centre)):
        reach2[i] = half[i, 0] ** 2 + half[i, 1] ** 2 + half[i, 2] ** 2
    for v in range(height):
        for u in range(width):
            i = owner[v, u]
            lit[v, u] = 1.0
            open_sky[v, u] = 1.0
            if i == BEYOND:
                continue
            px, py, pz = spot[v, u, 0], spot[v, u, 1], spot[v, u, 2]
            if i >= 0:
                r = axes[i]
                x, y, z = px, py, pz
                px = centre[i, 0] + r[0, 0] * x + r[0, 1] * y + r[0, 2] * z
                py = centre[i, 1] + r[1, 0] * x + r[1, 1] * y + r[1, 2] * z
                pz = centre[i, 2] + r[2, 0] * x + r[2, 1] * y + r[2, 2] * z
            nx, ny, nz = normal[v, u, 0], normal[v, u, 1], normal[v, u, 2]
            column, row = u % 4, v % 4
            dx = lamp[0] - px + (column - 1.5) * 0.5 * lamp_radius
            dy = lamp[1] - py + (row - 1.5) * 0.5 * lamp_radius
            dz = lamp[2] - pz
            norm = np.sqrt(dx * dx + dy * dy + dz * dz)
            dx, dy, dz = dx / norm, dy / norm, dz / norm
            if dx * nx + dy * ny + dz * nz <= 0 or _blocked(
                px, py, pz, dx, dy, dz, i, centre, axes, half, reach2, cells, starts, grid
            ):
                lit[v, u] = 0.0
            # A cosine-weighted direction about the normal, folded above the table.
            angle = (column + 0.25 * row) * np.pi / 2
            up = (((column * 2 + row) % 4) - 1.5) * 0.5
            ring = np.sqrt(1 - up * up)
            dx, dy, dz = nx + ring * np.cos(angle), ny + ring * np.sin(angle), nz + up
            norm = np.sqrt(dx * dx + dy * dy + dz * dz) + 1e-6
            dx, dy, dz = dx / norm, dy / norm, dz / norm
            if dz < -0.2 or _blocked(
                px, py, pz, dx, dy, abs(dz), i, centre, axes, half, reach2, cells, starts, grid
            ):
                open_sky[v, u] = 0.0


@njit(cache=True, fastmath=True)
def _ink(inks, index, x, y, sample):  # type: ignore[no-untyped-def]
    """Bilinear RGBA of an ink at x, y in 0..1 of the face, into ``sample``."""
    rows, cols = inks.shape[1], inks.shape[2]
    fx = min(max(x * cols - 0.5, 0.0), cols - 1.001)
    fy = min(max(y * rows - 0.5, 0.0), rows - 1.001)
    c, r = int(fx), int(fy)
    a, b = fx - c, fy - r
    for k in range(4):
        top = inks[index, r, c, k] * (1 - a) + inks[index, r, c + 1, k] * a
        low = inks[index, r + 1, c, k] * (1 - a) + inks[index, r + 1, c + 1, k] * a
        sample[k] = top * (1 - b) + low * b


@njit(cache=True, fastmath=True)
def _shade(  # type: ignore[no-untyped-def]
    owner, spot, normal, lit, open_sky, axes, half, centre, texture, colour, back, back_share, gloss, inks,
    surface, surface_mm, table, backdrop, eye, lamp, lamp_colour, ambient, glare, engraving, table_gloss, out
):  # fmt: skip
    height, width = owner.shape
    rows, cols = surface.shape[0], surface.shape[1]
    sample = np.empty(4, np.float32)
    deeper = np.empty(4, np.float32)
    base = np.empty(3, np.float32)
    for v in range(height):
        for u in range(width):
            i = owner[v, u]
            if i == BEYOND:
                for k in range(3):
                    out[v, u, k] = backdrop[v, u, k]
                continue
            px, py, pz = spot[v, u, 0], spot[v, u, 1], spot[v, u, 2]
            nx, ny, nz = normal[v, u, 0], normal[v, u, 1], normal[v, u, 2]
            shine = table_gloss
            if i == TABLE:
                sx = int((px - table[0]) / surface_mm) % cols
                sy = int((table[3] - py) / surface_mm) % rows
                for k in range(3):
                    base[k] = surface[sy, sx, k]
            else:
                r = axes[i]
                x, y, z = px, py, pz
                layer = z > half[i, 2] * (1 - 2 * back_share[i])
                for k in range(3):
                    base[k] = back[i, k] if layer else colour[i, k]
                shine = gloss[i]
                wx, wy, wz = lamp[0] - centre[i, 0], lamp[1] - centre[i, 1], lamp[2] - centre[i, 2]
                if texture[i] >= 0 and z < -half[i, 2] * 0.86:
                    fx, fy = x / (2 * half[i, 0]) + 0.5, y / (2 * half[i, 1]) + 0.5
                    _ink(inks, texture[i], fx, fy, sample)
                    # The engraving's edge that faces the lamp lies in shadow, the other catches its light.
                    far = np.sqrt(wx * wx + wy * wy + wz * wz) + 1e-6
                    lx = (r[0, 0] * wx + r[1, 0] * wy + r[2, 0] * wz) / far
                    ly = (r[0, 1] * wx + r[1, 1] * wy + r[2, 1] * wz) / far
                    _ink(
                        inks, texture[i],
                        fx + engraving * lx / (2 * half[i, 0]),
                        fy + engraving * ly / (2 * half[i, 1]), deeper,
                    )  # fmt: skip
                    edge = 1.0 + 0.8 * (deeper[3] - sample[3])
                    for k in range(3):
                        base[k] = base[k] * (1 - sample[3]) * min(edge, 1.15) + sample[k] * sample[3] * edge
                    shine *= 1 - 0.6 * sample[3]
                px = centre[i, 0] + r[0, 0] * x + r[0, 1] * y + r[0, 2] * z
                py = centre[i, 1] + r[1, 0] * x + r[1, 1] * y + r[1, 2] * z
                pz = centre[i, 2] + r[2, 0] * x + r[2, 1] * y + r[2, 2] * z
            lx, ly, lz = lamp[0] - px, lamp[1] - py, lamp[2] - pz
            far = np.sqrt(lx * lx + ly * ly + lz * lz)
            lx, ly, lz = lx / far, ly / far, lz / far
            direct = max(nx * lx + ny * ly + nz * lz, 0.0) * lit[v, u]
            vx, vy, vz = eye[0] - px, eye[1] - py, eye[2] - pz
            far = np.sqrt(vx * vx + vy * vy + vz * vz)
            bx, by, bz = lx + vx / far, ly + vy / far, lz + vz / far
            norm = np.sqrt(bx * bx + by * by + bz * bz) + 1e-6
            mirror = max((nx * bx + ny * by + nz * bz) / norm, 0.0)
            spark = 0.0
            if mirror > 0.93 and glare * shine > 0:  # below, both powers are as good as nothing
                spark = glare * shine * (mirror**60 * 0.35 + mirror**400) * lit[v, u]
            sky = 0.25 + 0.75 * open_sky[v, u]
            for k in range(3):
                out[v, u, k] = (
                    base[k] * (ambient[k] * sky * (0.75 + 0.25 * nz) + lamp_colour[k] * direct)
                    + lamp_colour[k] * spark
                )


def _cells(bodies: Bodies) -> tuple[NDArray[np.int32], NDArray[np.int32], Array]:
    """For every cell of the table, which bodies a shadow ray that starts there can meet."""
    reach = np.linalg.norm(bodies.half, axis=1) + _REACH
    low = (bodies.centre[:, :2] - reach[:, None]).min(axis=0)
    high = (bodies.centre[:, :2] + reach[:, None]).max(axis=0)
    cols, rows = (np.ceil((high - low) / _CELL).astype(int) + 1).tolist()
    middle = low + (np.stack(np.meshgrid(np.arange(cols), np.arange(rows)), -1).reshape(-1, 2) + 0.5) * _CELL
    far = np.abs(middle[:, None] - bodies.centre[None, :, :2]).max(axis=2)
    near = far < reach[None] + _CELL / 2
    starts = np.concatenate([[0], near.sum(axis=1).cumsum()]).astype(np.int32)
    return np.nonzero(near)[1].astype(np.int32), starts, np.array([*low, cols, rows], np.float32)


def corners(bodies: Bodies) -> Array:
    """(n, 8, 3) corners of the boxes in the world."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    spread: Array = np.einsum("nij,nkj->nki", bodies.axes, signs[None] * bodies.half[:, None])
    return bodies.centre[:, None] + spread


def render(
    bodies: Bodies,
    camera: Camera,
    light: Light,
    inks: Array,
    surface: Array,
    surface_mm: float,
    table: tuple[float, float, float, float],
    backdrop: Array,
    *,
    engraving: float,
    table_gloss: float,
) -> tuple[Array, NDArray[np.int32], Array]:
    """The picture (H, W, 3) in linear light, the body that owns each pixel, and each pixel's spot on it.

    ``inks``: (m, h, w, 4) linear RGBA; ``surface``: (h, w, 3) the table's texture, ``surface_mm`` its pixel;
    ``table``: its x0, y0, x1, y1 in mm; ``backdrop``: (H, W, 3) what lies beyond.
    """
    height, width = camera.height, camera.width
    depth = np.full((height, width), 1e9, np.float32)
    owner = np.empty((height, width), np.int32)
    spot = np.zeros((height, width, 3), np.float32)
    normal = np.zeros((height, width, 3), np.float32)
    pixels = camera.project(corners(bodies))
    seen = ~np.isnan(pixels).any(axis=(1, 2))
    pixels = np.nan_to_num(pixels)
    limit = np.array([width, height])
    rects = np.concatenate(
        [np.clip(np.floor(pixels.min(axis=1)), 0, limit), np.clip(np.ceil(pixels.max(axis=1)) + 1, 0, limit)],
        1,
    ).astype(np.int32)
    rects[~seen] = 0
    rim = np.array(table, np.float32)
    _trace(
        bodies.centre, bodies.axes, bodies.half, bodies.radius, rects, camera.centre, camera.rotation,
        camera.focal, camera.cx, camera.cy, rim, depth, owner, spot, normal,
    )  # fmt: skip
    # Shadows are soft: every other pixel of every other row is enough.
    lit = np.empty(((height + 1) // 2, (width + 1) // 2), np.float32)
    open_sky = np.empty_like(lit)
    _shadows(
        owner[::2, ::2], spot[::2, ::2], normal[::2, ::2], bodies.centre, bodies.axes, bodies.half,
        light.position, light.radius, *_cells(bodies), lit, open_sky,
    )  # fmt: skip
    lit, open_sky = (
        np.asarray(cv2.resize(cv2.blur(share, (4, 4)), (width, height)), np.float32)
        for share in (lit, open_sky)
    )
    out = np.empty((height, width, 3), np.float32)
    _shade(
        owner, spot, normal, lit, open_sky, bodies.axes, bodies.half, bodies.centre, bodies.texture,
        bodies.colour, bodies.back, bodies.back_share, bodies.gloss, inks, surface, surface_mm, rim, backdrop,
        camera.centre, light.position, light.colour, light.ambient, light.glare, engraving, table_gloss, out,
    )  # fmt: skip
    return out, owner, spot
