"""A small ray caster for tables of rounded boxes: what a camera sees of them, with light, shadow and glare.

Every object is a rounded box: a tile, a point stick, a die, a rail. One kernel finds the first surface along
each pixel's ray, by sphere tracing inside the box's screen rectangle. Another kernel shades it.

World coordinates are millimetres: x right, y away from the player, z up. The table is z = 0. A body's own
axes: x along the face to its right, y down the face, z from the face into the body. The face is the side z =
-size_z / 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numba import njit
from numpy.typing import NDArray

from vision.arrays import Array32

BEYOND = -1
"""Owner of the pixels that show no body: the table, or what lies beyond it."""
_CELL = 20.0  # mm, side of the cells in which shadow rays look for bodies
_REACH = 70.0  # mm, how far a shadow ray is followed: tiles are low, so it has left their height by then
_FLATTEST = 2.7  # mm that a ray to the sky goes aside for each that it rises, as seen from the table
_TINY = 1e-12  # keeps a ray along a box's face from a division by nothing


@dataclass(frozen=True, slots=True)
class Boxes:
    """n rounded boxes as columns; lengths in mm."""

    centre: Array32  # (n, 3)
    axes: Array32  # (n, 3, 3), columns are the body's x, y, z in the world
    half: Array32  # (n, 3)
    radius: Array32  # (n,)

    def __len__(self) -> int:
        return len(self.centre)


@dataclass(frozen=True, slots=True)
class Bodies(Boxes):
    """Rounded boxes with what they are made of; colours linear 0..1."""

    texture: NDArray[np.int32]  # (n,) index of the ink, -1 for none
    behind: NDArray[np.int32]  # (n,) of what is printed on the back, -1 for none
    colour: Array32  # (n, 3) of the face material
    back: Array32  # (n, 3) of the back layer
    back_share: Array32  # (n,) thickness of the back layer as a share of the body's
    seam: Array32  # (n, 3) of a layer before the back's
    seam_share: Array32  # (n,) thickness of both together, likewise
    gloss: Array32  # (n,)


@dataclass(frozen=True, slots=True)
class Inks:
    """m pictures of any sizes that bodies show, linear RGBA, one after the other, row by row."""

    texels: Array32  # (n, 4)
    starts: NDArray[np.int32]  # (m,) where a picture's texels begin
    rows: NDArray[np.int32]  # (m,)
    cols: NDArray[np.int32]  # (m,)

    @classmethod
    def of(cls, pictures: Sequence[Array32]) -> Inks:
        """Inks of pictures (h, w, 4), each of two rows and columns at least."""
        counts = np.array([0, *(picture.shape[0] * picture.shape[1] for picture in pictures)])
        rows, cols = (np.array([p.shape[k] for p in pictures], np.int32) for k in (0, 1))
        texels = [np.zeros((1, 4), np.float32), *(picture.reshape(-1, 4) for picture in pictures)]
        return cls(np.concatenate(texels), 1 + counts.cumsum()[:-1].astype(np.int32), rows, cols)


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera: ``rotation`` rows are right, down, forward in the world; focal length in pixels."""

    centre: Array32
    rotation: Array32
    focal: float
    width: int
    height: int
    cx: float
    cy: float

    def project(self, points: Array32) -> Array32:
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

    position: Array32  # (3,) mm
    radius: float  # mm; the larger, the softer its shadows
    colour: Array32  # (3,)
    ambient: Array32  # (3,)
    glare: float  # strength of its mirror image on a glossy face


@njit(cache=True, fastmath=True, error_model="numpy", inline="always")
def _box_distance(px, py, pz, hx, hy, hz, r):  # type: ignore[no-untyped-def]
    qx, qy, qz = abs(px) - hx + r, abs(py) - hy + r, abs(pz) - hz + r
    ox, oy, oz = max(qx, 0.0), max(qy, 0.0), max(qz, 0.0)
    return np.sqrt(ox * ox + oy * oy + oz * oz) + min(max(qx, max(qy, qz)), 0.0) - r


@njit(cache=True, fastmath=True, error_model="numpy", inline="always")
def _slab(o0, o1, o2, d0, d1, d2, h0, h1, h2):  # type: ignore[no-untyped-def]
    """Where a ray enters and leaves a box about the origin; enters > leaves where it misses."""
    i0, i1, i2 = 1.0 / (d0 + _TINY), 1.0 / (d1 + _TINY), 1.0 / (d2 + _TINY)
    m0, m1, m2 = -o0 * i0, -o1 * i1, -o2 * i2
    s0, s1, s2 = h0 * abs(i0), h1 * abs(i1), h2 * abs(i2)
    enter = max(max(m0 - s0, m1 - s1), max(m2 - s2, 0.0))
    leave = min(min(m0 + s0, m1 + s1), m2 + s2)
    return enter, leave


@njit(cache=True, fastmath=True, error_model="numpy")
def _trace(order, seen, views, half, radius, rects, focal, cx, cy, depth, owner):  # type: ignore[no-untyped-def]
    """Fill ``depth`` (along the camera's axis, mm) and ``owner``; where there is no body it is BEYOND.

    ``order`` (n,): the nearest first; ``seen`` (n, 3): the eye in each body's axes; ``views`` (n, 3, 3): the
    camera's axes there.
    """
    depth[:] = 1e9
    owner[:] = BEYOND
    for i in order:
        hx, hy, hz, rad = half[i, 0], half[i, 1], half[i, 2], radius[i]
        o0, o1, o2 = seen[i, 0], seen[i, 1], seen[i, 2]
        for v in range(rects[i, 1], rects[i, 3]):
            b = (v + 0.5 - cy) / focal
            for u in range(rects[i, 0], rects[i, 2]):
                a = (u + 0.5 - cx) / focal
                d0 = views[i, 0, 0] * a + views[i, 0, 1] * b + views[i, 0, 2]
                d1 = views[i, 1, 0] * a + views[i, 1, 1] * b + views[i, 1, 2]
                d2 = views[i, 2, 0] * a + views[i, 2, 1] * b + views[i, 2, 2]
                t, leave = _slab(o0, o1, o2, d0, d1, d2, hx, hy, hz)
                if t > leave or t <= 0.0 or t >= depth[v, u]:
                    continue
                gap = _box_distance(o0 + t * d0, o1 + t * d1, o2 + t * d2, hx, hy, hz, rad)
                if gap >= 0.03:
                    length = np.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
                    for _ in range(9):
                        t += gap / length
                        if t > leave:
                            break
                        gap = _box_distance(o0 + t * d0, o1 + t * d1, o2 + t * d2, hx, hy, hz, rad)
                        if gap < 0.03:
                            break
                    if gap >= 0.06 or t >= depth[v, u]:
                        continue
                depth[v, u] = t
                owner[v, u] = i


@njit(cache=True, fastmath=True, error_model="numpy", inline="always")
def _normal(x, y, z, hx, hy, hz, rad):  # type: ignore[no-untyped-def]
    """The surface's direction at a point of a rounded box, in the box's axes."""
    nx = x - min(max(x, rad - hx), hx - rad)
    ny = y - min(max(y, rad - hy), hy - rad)
    nz = z - min(max(z, rad - hz), hz - rad)
    norm = 1.0 / (np.sqrt(nx * nx + ny * ny + nz * nz) + 1e-9)
    return nx * norm, ny * norm, nz * norm


@njit(cache=True, fastmath=True, error_model="numpy")
def _spread(order, low, high, corner, cols, rows):  # type: ignore[no-untyped-def]
    """For every cell of the table, the bodies whose box ``low`` to ``high`` (k, n, 2) meets it, in order.

    Cell by cell, row by row, and that for each of the k boxes in turn: the bodies, and where a cell's start.
    """
    layers = low.shape[0]
    starts = np.zeros(layers * rows * cols + 1, np.int32)
    filled, cells = starts, starts
    for filling in range(2):
        for layer in range(layers):
            for i in order:
                left = max(int((low[layer, i, 0] - corner[0]) / _CELL), 0)
                right = min(int((high[layer, i, 0] - corner[0]) / _CELL) + 1, cols)
                top = max(int((low[layer, i, 1] - corner[1]) / _CELL), 0)
                bottom = min(int((high[layer, i, 1] - corner[1]) / _CELL) + 1, rows)
                for row in range(top, bottom):
                    for cell in range(
                        (layer * rows + row) * cols + left, (layer * rows + row) * cols + right
                    ):
                        if filling:
                            cells[filled[cell]] = i
                            filled[cell] += 1
                        else:
                            starts[cell + 1] += 1
        if not filling:
            starts = np.cumsum(starts).astype(np.int32)
            filled = starts.copy()
            cells = np.empty(starts[-1], np.int32)
    return cells, starts


@njit(cache=True, fastmath=True, error_model="numpy")
def _shadows(  # type: ignore[no-untyped-def]
    owner, depth, eye, rotation, focal, cx, cy, seen, views, centre, axes, half, radius, tops, rim,
    lamp, lamp_radius, cells, starts, corner, cols, rows, shares,
):  # fmt: skip
    """Test for every second pixel of every second row whether it sees one of 16 spots of the lamp, and one of
    16 of the sky.

    Writes 1 or 0 into ``shares`` (2, h, w). Neighbours test different spots, so the caller's mean over 4 by 4
    pixels is the visible share.
    """
    height, width = shares.shape[1:]
    shares[:] = 1.0
    reach2 = np.empty(len(centre), np.float32)
    for i in range(len(centre)):
        reach2[i] = half[i, 0] ** 2 + half[i, 1] ** 2 + half[i, 2] ** 2
    aside = np.empty((4, 4, 3), np.float32)
    for row in range(4):
        for column in range(4):
            angle = (column + 0.25 * row) * np.pi / 2
            up = (((column * 2 + row) % 4) - 1.5) * 0.5
            aside[row, column, 0] = np.sqrt(1 - up * up) * np.cos(angle)
            aside[row, column, 1] = np.sqrt(1 - up * up) * np.sin(angle)
            aside[row, column, 2] = up
    for v in range(height):
        b = (2 * v + 0.5 - cy) / focal
        for u in range(width):
            i = owner[2 * v, 2 * u]
            a = (2 * u + 0.5 - cx) / focal
            dz = rotation[0, 2] * a + rotation[1, 2] * b + rotation[2, 2]
            if i < 0 and dz > -1e-6:
                continue
            dx = rotation[0, 0] * a + rotation[1, 0] * b + rotation[2, 0]
            dy = rotation[0, 1] * a + rotation[1, 1] * b + rotation[2, 1]
            nx, ny, nz = 0.0, 0.0, 1.0
            t = -eye[2] / dz
            if i >= 0:
                t = float(depth[2 * v, 2 * u])
                x, y, z = _normal(
                    seen[i, 0] + t * (views[i, 0, 0] * a + views[i, 0, 1] * b + views[i, 0, 2]),
                    seen[i, 1] + t * (views[i, 1, 0] * a + views[i, 1, 1] * b + views[i, 1, 2]),
                    seen[i, 2] + t * (views[i, 2, 0] * a + views[i, 2, 1] * b + views[i, 2, 2]),
                    half[i, 0], half[i, 1], half[i, 2], radius[i],
                )  # fmt: skip
                nx = axes[i, 0, 0] * x + axes[i, 0, 1] * y + axes[i, 0, 2] * z
                ny = axes[i, 1, 0] * x + axes[i, 1, 1] * y + axes[i, 1, 2] * z
                nz = axes[i, 2, 0] * x + axes[i, 2, 1] * y + axes[i, 2, 2] * z
            px, py, pz = eye[0] + t * dx, eye[1] + t * dy, eye[2] + t * dz
            if i < 0 and not (rim[0] < px < rim[2] and rim[1] < py < rim[3]):
                continue
            column, row = u % 4, v % 4
            col, line = int((px - corner[0]) / _CELL), int((py - corner[1]) / _CELL)
            near = px >= corner[0] and py >= corner[1] and col < cols and line < rows
            for sky in range(2):
                if sky:  # a cosine-weighted direction about the normal, folded above the table
                    dx, dy, dz = (
                        nx + aside[row, column, 0],
                        ny + aside[row, column, 1],
                        nz + aside[row, column, 2],
                    )
                else:
                    dx = lamp[0] - px + (column - 1.5) * 0.5 * lamp_radius
                    dy = lamp[1] - py + (row - 1.5) * 0.5 * lamp_radius
                    dz = lamp[2] - pz
                norm = 1.0 / (np.sqrt(dx * dx + dy * dy + dz * dz) + 1e-6)
                dx, dy, dz = dx * norm, dy * norm, dz * norm
                if dz < -0.2 if sky else dx * nx + dy * ny + dz * nz <= 0:
                    shares[sky, v, u] = 0.0
                    continue
                dz = abs(dz)
                if not near:
                    continue
                cell = (sky * rows + line) * cols + col
                for k in range(starts[cell], starts[cell + 1]):
                    j = cells[k]
                    if tops[j] <= pz:
                        break  # the highest come first, so none of the others reaches up to the ray
                    if j == i:
                        continue
                    ex, ey, ez = px - centre[j, 0], py - centre[j, 1], pz - centre[j, 2]
                    along = -(ex * dx + ey * dy + ez * dz)
                    square = ex * ex + ey * ey + ez * ez
                    if square - along * along > reach2[j] or (along < 0 and square > reach2[j]):
                        continue
                    t, leave = _slab(
                        axes[j, 0, 0] * ex + axes[j, 1, 0] * ey + axes[j, 2, 0] * ez,
                        axes[j, 0, 1] * ex + axes[j, 1, 1] * ey + axes[j, 2, 1] * ez,
                        axes[j, 0, 2] * ex + axes[j, 1, 2] * ey + axes[j, 2, 2] * ez,
                        axes[j, 0, 0] * dx + axes[j, 1, 0] * dy + axes[j, 2, 0] * dz,
                        axes[j, 0, 1] * dx + axes[j, 1, 1] * dy + axes[j, 2, 1] * dz,
                        axes[j, 0, 2] * dx + axes[j, 1, 2] * dy + axes[j, 2, 2] * dz,
                        half[j, 0] * 0.97, half[j, 1] * 0.97, half[j, 2] * 0.97,
                    )  # fmt: skip
                    if t <= leave and leave > 0.3:
                        shares[sky, v, u] = 0.0
                        break


@njit(cache=True, fastmath=True, error_model="numpy")
def _shade(  # type: ignore[no-untyped-def]
    owner, depth, eye, rotation, focal, cx, cy, seen, views, axes, half, radius, centre, lit, open_sky,
    texture, behind, colour, back, back_share, seam, seam_share, gloss,
    inks, ink_starts, ink_rows, ink_cols, surface, surface_mm, rim, backdrop, linear,
    lamp, lamp_colour, ambient, glare, engraving, table_gloss, out,
):  # fmt: skip
    height, width = owner.shape
    rows, cols = surface.shape[0], surface.shape[1]
    texels = 1 / surface_mm
    shift = np.zeros((len(centre), 2), np.float32)  # where the engraving's edge towards the lamp is
    for i in range(len(centre)):
        wx, wy, wz = lamp[0] - centre[i, 0], lamp[1] - centre[i, 1], lamp[2] - centre[i, 2]
        far = np.sqrt(wx * wx + wy * wy + wz * wz) + 1e-6
        for k in range(2):
            lx = (axes[i, 0, k] * wx + axes[i, 1, k] * wy + axes[i, 2, k] * wz) / far
            shift[i, k] = engraving * lx / (2 * half[i, k])
    for v in range(height):
        b = (v + 0.5 - cy) / focal
        for u in range(width):
            i = owner[v, u]
            a = (u + 0.5 - cx) / focal
            dx = rotation[0, 0] * a + rotation[1, 0] * b + rotation[2, 0]
            dy = rotation[0, 1] * a + rotation[1, 1] * b + rotation[2, 1]
            dz = rotation[0, 2] * a + rotation[1, 2] * b + rotation[2, 2]
            nx, ny, nz = 0.0, 0.0, 1.0
            shine = table_gloss
            if i < 0:
                t = -eye[2] / dz
                px, py, pz = eye[0] + t * dx, eye[1] + t * dy, 0.0
                if dz > -1e-6 or not (rim[0] < px < rim[2] and rim[1] < py < rim[3]):
                    for k in range(3):
                        out[v, u, k] = linear[backdrop[v, u, k]]
                    continue
                sx, sy = int((px - rim[0]) * texels), int((rim[3] - py) * texels)
                if sx >= cols:  # every other piece is its own mirror image: no seams
                    sx %= 2 * cols
                    sx = min(sx, 2 * cols - 1 - sx)
                if sy >= rows:
                    sy %= 2 * rows
                    sy = min(sy, 2 * rows - 1 - sy)
                red, green, blue = (
                    linear[surface[sy, sx, 0]], linear[surface[sy, sx, 1]], linear[surface[sy, sx, 2]]
                )  # fmt: skip
            else:
                t = float(depth[v, u])
                px, py, pz = eye[0] + t * dx, eye[1] + t * dy, eye[2] + t * dz
                x = seen[i, 0] + t * (views[i, 0, 0] * a + views[i, 0, 1] * b + views[i, 0, 2])
                y = seen[i, 1] + t * (views[i, 1, 0] * a + views[i, 1, 1] * b + views[i, 1, 2])
                z = seen[i, 2] + t * (views[i, 2, 0] * a + views[i, 2, 1] * b + views[i, 2, 2])
                ox, oy, oz = _normal(x, y, z, half[i, 0], half[i, 1], half[i, 2], radius[i])
                nx = axes[i, 0, 0] * ox + axes[i, 0, 1] * oy + axes[i, 0, 2] * oz
                ny = axes[i, 1, 0] * ox + axes[i, 1, 1] * oy + axes[i, 1, 2] * oz
                nz = axes[i, 2, 0] * ox + axes[i, 2, 1] * oy + axes[i, 2, 2] * oz
                red, green, blue = colour[i, 0], colour[i, 1], colour[i, 2]
                if z > half[i, 2] * (1 - 2 * back_share[i]):
                    red, green, blue = back[i, 0], back[i, 1], back[i, 2]
                elif z > half[i, 2] * (1 - 2 * seam_share[i]):
                    red, green, blue = seam[i, 0], seam[i, 1], seam[i, 2]
                shine = gloss[i]
                face, deep_x, deep_y = -1, 0.0, 0.0
                across, down = x / (2 * half[i, 0]) + 0.5, y / (2 * half[i, 1]) + 0.5
                if z < -half[i, 2] * 0.86:
                    face, deep_x, deep_y = texture[i], shift[i, 0], shift[i, 1]
                elif z > half[i, 2] * 0.86:  # seen from the other side, and not engraved
                    face, across = behind[i], 1 - across
                if face >= 0:
                    high, wide = ink_rows[face], ink_cols[face]
                    fx = min(max(across * wide - 0.5, 0.0), wide - 1.001)
                    fy = min(max(down * high - 0.5, 0.0), high - 1.001)
                    p = ink_starts[face] + int(fy) * wide + int(fx)
                    ax, ay = fx - int(fx), fy - int(fy)
                    k00, k01, k10, k11 = (1 - ax) * (1 - ay), ax * (1 - ay), (1 - ax) * ay, ax * ay
                    cover = (
                        inks[p, 3] * k00
                        + inks[p + 1, 3] * k01
                        + inks[p + wide, 3] * k10
                        + inks[p + wide + 1, 3] * k11
                    )
                    # The engraving's edge that faces the lamp lies in shadow, the other catches its light.
                    fx = min(max((across + deep_x) * wide - 0.5, 0.0), wide - 1.001)
                    fy = min(max((down + deep_y) * high - 0.5, 0.0), high - 1.001)
                    q = ink_starts[face] + int(fy) * wide + int(fx)
                    gx, gy = fx - int(fx), fy - int(fy)
                    deeper = (inks[q, 3] * (1 - gx) + inks[q + 1, 3] * gx) * (1 - gy)
                    deeper += (inks[q + wide, 3] * (1 - gx) + inks[q + wide + 1, 3] * gx) * gy
                    edge = 1.0 + 0.8 * (deeper - cover)
                    bone, paint = (1 - cover) * min(edge, 1.15), cover * edge
                    if cover > 0:
                        k00, k01, k10, k11 = k00 * paint, k01 * paint, k10 * paint, k11 * paint
                        red = red * bone + (
                            inks[p, 0] * k00
                            + inks[p + 1, 0] * k01
                            + inks[p + wide, 0] * k10
                            + inks[p + wide + 1, 0] * k11
                        )
                        green = green * bone + (
                            inks[p, 1] * k00
                            + inks[p + 1, 1] * k01
                            + inks[p + wide, 1] * k10
                            + inks[p + wide + 1, 1] * k11
                        )
                        blue = blue * bone + (
                            inks[p, 2] * k00
                            + inks[p + 1, 2] * k01
                            + inks[p + wide, 2] * k10
                            + inks[p + wide + 1, 2] * k11
                        )
                    else:
                        red, green, blue = red * bone, green * bone, blue * bone
                    shine *= 1 - 0.6 * cover
            lx, ly, lz = lamp[0] - px, lamp[1] - py, lamp[2] - pz
            far = 1.0 / np.sqrt(lx * lx + ly * ly + lz * lz)
            lx, ly, lz = lx * far, ly * far, lz * far
            direct = max(nx * lx + ny * ly + nz * lz, 0.0) * lit[v, u]
            spark = 0.0
            if glare * shine > 0:
                far = 1.0 / np.sqrt(dx * dx + dy * dy + dz * dz)
                bx, by, bz = lx - dx * far, ly - dy * far, lz - dz * far
                norm = np.sqrt(bx * bx + by * by + bz * bz) + 1e-6
                mirror = (nx * bx + ny * by + nz * bz) / norm
                if mirror > 0.93:  # below, both powers are as good as nothing
                    spark = glare * shine * (mirror**60 * 0.35 + mirror**400) * lit[v, u]
            sky = (0.25 + 0.75 * open_sky[v, u]) * (0.75 + 0.25 * nz)
            out[v, u, 0] = red * (ambient[0] * sky + lamp_colour[0] * direct) + lamp_colour[0] * spark
            out[v, u, 1] = green * (ambient[1] * sky + lamp_colour[1] * direct) + lamp_colour[1] * spark
            out[v, u, 2] = blue * (ambient[2] * sky + lamp_colour[2] * direct) + lamp_colour[2] * spark


@njit(cache=True, fastmath=True, error_model="numpy")
def _count(owner, depth, focal, cx, cy, seen, views, half, radius, owned):  # type: ignore[no-untyped-def]
    height, width = owner.shape
    for v in range(height):
        b = (v + 0.5 - cy) / focal
        for u in range(width):
            i = owner[v, u]
            if i < 0:
                continue
            a = (u + 0.5 - cx) / focal
            z = seen[i, 2] + depth[v, u] * (views[i, 2, 0] * a + views[i, 2, 1] * b + views[i, 2, 2])
            # The rounded rim belongs to the face as well: a viewer sees no border there.
            if z < radius[i] - half[i, 2]:
                owned[i, 0] += 1
            elif z > half[i, 2] - radius[i]:
                owned[i, 1] += 1


def corners(bodies: Boxes) -> Array32:
    """(n, 8, 3) corners of the boxes in the world."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    spread: Array32 = np.einsum("nij,nkj->nki", bodies.axes, signs[None] * bodies.half[:, None])
    return bodies.centre[:, None] + spread


def _local(bodies: Boxes, camera: Camera) -> tuple[Array32, Array32]:
    """The eye (n, 3) and the camera's axes as columns (n, 3, 3), both in each body's own axes."""
    eye = np.einsum("nji,nj->ni", bodies.axes, camera.centre - bodies.centre)
    axes = np.einsum("nji,kj->nik", bodies.axes, camera.rotation)
    return np.ascontiguousarray(eye, np.float32), np.ascontiguousarray(axes, np.float32)


def _rectangles(bodies: Boxes, camera: Camera) -> NDArray[np.int32]:
    """(n, 4) x0, y0, x1, y1 in pixels within which each body is seen."""
    pixels = camera.project(corners(bodies))
    behind = np.isnan(pixels).any(axis=(1, 2))
    pixels = np.nan_to_num(pixels)
    limit = np.array([camera.width, camera.height])
    low, high = np.floor(pixels.min(axis=1)), np.ceil(pixels.max(axis=1)) + 1
    rects = np.concatenate([np.clip(low, 0, limit), np.clip(high, 0, limit)], 1).astype(np.int32)
    rects[behind] = 0
    return rects


def trace(boxes: Boxes, camera: Camera) -> tuple[NDArray[np.int32], Array32]:
    """The box that owns each pixel (H, W), :data:`BEYOND` where there is none, and each pixel's depth."""
    shape = camera.height, camera.width
    depth, owner = np.empty(shape, np.float32), np.empty(shape, np.int32)
    eye, axes = _local(boxes, camera)
    nearest = np.argsort(np.linalg.norm(boxes.centre - camera.centre, axis=1)).astype(np.int32)
    view = camera.focal, camera.cx, camera.cy
    _trace(nearest, eye, axes, boxes.half, boxes.radius, _rectangles(boxes, camera), *view, depth, owner)
    return owner, depth


def render(
    bodies: Bodies,
    camera: Camera,
    light: Light,
    inks: Inks,
    surface: NDArray[np.uint8],
    surface_mm: float,
    table: tuple[float, float, float, float],
    backdrop: NDArray[np.uint8],
    linear: Array32,
    *,
    engraving: float,
    table_gloss: float,
) -> tuple[Array32, NDArray[np.int32], Array32]:
    """The picture (H, W, 3) in linear light, the body that owns each pixel, and each pixel's depth.

    ``surface`` (h, w, 3): the table's texture. ``surface_mm``: the size of its pixel. ``table``: its x0, y0,
    x1, y1 in mm. ``backdrop`` (H, W, 3): the background. ``linear`` (256,): the light of the values in these
    two.
    """
    shape = camera.height, camera.width
    owner, depth = trace(bodies, camera)
    eye, axes = _local(bodies, camera)
    view = camera.focal, camera.cx, camera.cy
    rim = np.array(table, np.float32)
    extent = (np.abs(bodies.axes) @ bodies.half[:, :, None])[..., 0]  # half sizes along the world's axes
    tops = bodies.centre[:, 2] + extent[:, 2]
    highest = np.argsort(-tops).astype(np.int32)
    low, high = (bodies.centre - extent)[:, :2], (bodies.centre + extent)[:, :2]
    # The table that a body hides from the lamp, and from which it hides a part of the sky.
    thrown = (tops / (light.position[2] - tops))[:, None]
    lamp_low, lamp_high = light.position[:2] - 0.75 * light.radius, light.position[:2] + 0.75 * light.radius
    shadow = (
        np.minimum(low, np.maximum(low + (low - lamp_high) * thrown, low - _REACH)),
        np.maximum(high, np.minimum(high + (high - lamp_low) * thrown, high + _REACH)),
    )
    around = np.minimum(_REACH, tops * np.float32(_FLATTEST))[:, None]
    corner = low.min(axis=0) - _REACH
    columns, rows = (int(n) for n in (high.max(axis=0) + _REACH - corner) // _CELL + 1)
    cells, starts = _spread(
        highest,
        np.stack([shadow[0], low - around]),
        np.stack([shadow[1], high + around]),
        corner,
        columns,
        rows,
    )
    # Shadows are soft: every other pixel of every other row is enough.
    shares = np.empty((2, (shape[0] + 1) // 2, (shape[1] + 1) // 2), np.float32)
    _shadows(
        owner, depth, camera.centre, camera.rotation, *view, eye, axes, bodies.centre, bodies.axes,
        bodies.half, bodies.radius, tops, rim, light.position, light.radius, cells, starts,
        corner, columns, rows, shares,
    )  # fmt: skip
    lit, open_sky = (
        np.asarray(cv2.resize(cv2.blur(share, (4, 4)), shape[::-1]), np.float32) for share in shares
    )
    out = np.empty((*shape, 3), np.float32)
    _shade(
        owner, depth, camera.centre, camera.rotation, *view, eye, axes, bodies.axes, bodies.half,
        bodies.radius, bodies.centre, lit, open_sky, bodies.texture, bodies.behind,
        bodies.colour, bodies.back, bodies.back_share, bodies.seam, bodies.seam_share,
        bodies.gloss, inks.texels, inks.starts, inks.rows, inks.cols, surface, surface_mm, rim,
        backdrop, linear, light.position, light.colour, light.ambient, light.glare, engraving,
        table_gloss, out,
    )  # fmt: skip
    return out, owner, depth


def shown(owner: NDArray[np.int32], depth: Array32, bodies: Boxes, camera: Camera) -> NDArray[np.int64]:
    """(n, 2) pixels of each body's face and back that the picture shows."""
    counts = np.zeros((len(bodies), 2), np.int64)
    eye, axes = _local(bodies, camera)
    view = camera.focal, camera.cx, camera.cy
    _count(owner, depth, *view, eye, axes, bodies.half, bodies.radius, counts)
    return counts
