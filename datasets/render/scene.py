"""One rendered photograph with its truth: a layout, a tile set, a camera and a light drawn by chance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.render import develop as photo
from datasets.render import game, layouts, raycast, textures, things
from datasets.render.layouts import Kind, Layout, Piece, View
from datasets.render.tilesets import TileSet
from vision.arrays import Array32, Pixels
from vision.labels import BACK, FOREIGN
from vision.quads import areas

_SUPERSAMPLE = 1.5


@dataclass(frozen=True, slots=True)
class Scene:
    """A photo (H, W, 3) RGB and what is in it, in the form of a line of ``truth.jsonl``."""

    image: Pixels
    truth: dict[str, Any]


def _lin(colour: tuple[int, int, int] | NDArray[Any]) -> Array32:
    return np.asarray((np.asarray(colour, np.float32) / 255) ** photo.GAMMA, np.float32)


_RGBA_TO_LIGHT = np.dstack([photo.LINEAR] * 3 + [np.linspace(0, 1, 256, dtype=np.float32)])


def _shown(piece: Piece, tileset: TileSet) -> str:
    """Which of the set's drawings a tile shows."""
    if piece.label == FOREIGN:
        return list(tileset.foreign)[piece.drawing % len(tileset.foreign)]
    return str(piece.label)


def _drawing(tileset: TileSet, name: str, pixels: float) -> Array32:
    """A drawing as linear RGBA, shrunk until a texel is about a pixel of a tile ``pixels`` high."""
    found = tileset.faces.get(name, tileset.body.behind if name == BACK else None)
    ink = tileset.foreign[name] if found is None else found
    rows, cols = ink.shape[:2]
    shrink = min(1.0, max(0.12, 1.1 * pixels / rows))
    # Premultiplied while it shrinks, so that clear texels lend no colour.
    whole = cv2.cvtColor(ink, cv2.COLOR_RGBA2mRGBA)
    size = max(8, round(cols * shrink)), max(8, round(rows * shrink))
    small = cv2.resize(whole, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.LUT(cv2.cvtColor(small, cv2.COLOR_mRGBA2RGBA), _RGBA_TO_LIGHT), np.float32)


def _painting(tileset: TileSet, piece: Piece, density: float, rng: Generator) -> Array32:
    """What a body that is no tile shows, as linear RGBA with ``density`` texels a millimetre."""
    size = int(np.clip(piece.size[1] * density, 4, 512)), int(np.clip(piece.size[0] * density, 4, 512))
    if piece.shows is None:
        painting = things.PAINTED[piece.material](rng, size, tileset.faces)
    else:
        painting = things.wind_plate(rng, size, tileset.faces[piece.shows])
    return np.asarray(cv2.LUT(painting, _RGBA_TO_LIGHT), np.float32)


def _bodies(
    layout: Layout, tileset: TileSet, pixels: float, rng: Generator
) -> tuple[raycast.Bodies, raycast.Inks]:
    """The bodies of a layout and what they show; ``pixels``: how high the nearest tile is in the photo."""
    pieces, body = layout.pieces, tileset.body
    count = len(pieces)
    colour, back = np.empty((count, 3), np.float32), np.empty((count, 3), np.float32)
    share, radius = np.zeros(count, np.float32), np.full(count, body.corner, np.float32)
    gloss, texture = np.full(count, body.gloss, np.float32), np.full(count, -1, np.int32)
    behind, seam_share = np.full(count, -1, np.int32), np.zeros(count, np.float32)
    bone, rear = _lin(body.bone), _lin(body.back)
    materials = {
        "rail": _lin(rng.integers(10, 235, 3))
        if rng.random() < 0.5
        else _lin((170, 120, 70)) * rng.uniform(0.3, 1.4),
        "tray": _lin(rng.integers(10, 70, 3) if rng.random() < 0.75 else rng.integers(100, 250, 3)),
    }
    for material, colours in things.COLOURS.items():
        materials[material] = _lin(colours[int(rng.integers(len(colours)))]) * rng.uniform(0.8, 1.2)
    names: dict[str, int] = {}
    pictures: list[Array32] = []

    def drawn(name: str) -> int:
        if name not in names:
            names[name] = len(pictures)
            pictures.append(_drawing(tileset, name, pixels))
        return names[name]

    for i, piece in enumerate(pieces):
        if piece.material == "tile":
            colour[i] = bone * np.float32(1 + 0.02 * rng.standard_normal())
            back[i] = rear * np.float32(1 + 0.03 * rng.standard_normal())
            share[i], seam_share[i] = body.back_share, body.seam_share
            if piece.label is not None:
                texture[i] = drawn(_shown(piece, tileset))
            if body.behind is not None:
                behind[i] = drawn(BACK)
            continue
        colour[i] = back[i] = materials.get(piece.material, _lin(rng.integers(5, 250, 3)))
        radius[i] = min(1.5, 0.4 * min(piece.size))
        gloss[i] = float(rng.uniform(0, 0.8))
        if piece.material in things.PAINTED:
            texture[i] = len(pictures)
            pictures.append(_painting(tileset, piece, 1.1 * pixels / layout.tile[1], rng))
    bodies = raycast.Bodies(
        np.array([p.centre for p in pieces], np.float32),
        np.array([p.axes for p in pieces], np.float32),
        np.array([p.size for p in pieces], np.float32) / np.float32(2),
        radius, texture, behind, colour, back, share, np.tile(_lin(body.seam), (count, 1)), seam_share, gloss,
    )  # fmt: skip
    return bodies, raycast.Inks.of(pictures)


_ELEVATION: dict[Kind, tuple[float, float]] = {
    "hand": (24, 88), "tray": (60, 90), "grid": (35, 90), "scatter": (28, 88),
    "standing": (5, 45), "close": (30, 90), "table": (28, 75),
}  # fmt: skip
_FILL: dict[Kind, tuple[float, float]] = {
    "hand": (0.6, 0.98), "tray": (0.45, 1.0), "grid": (0.35, 0.95), "scatter": (0.5, 1.15),
    "standing": (0.3, 0.95), "close": (0.3, 0.95), "table": (0.4, 0.8),
}  # fmt: skip


def _view(kind: Kind, rng: Generator) -> View:
    """How this kind of photo is taken, all but where its subject lies in it."""
    elevation = float(np.deg2rad(rng.uniform(*_ELEVATION[kind])))
    azimuth = float(rng.normal(0, 0.22)) if kind != "scatter" else float(rng.uniform(-np.pi, np.pi))
    roll = float(rng.normal(0, 0.07))
    if rng.random() < (0.12 if kind in ("hand", "table", "standing") else 0.35):
        roll += float(rng.choice([np.pi / 2, np.pi, -np.pi / 2]))
    elif rng.random() < 0.15:
        roll = float(rng.uniform(-np.pi, np.pi)) if kind != "standing" else float(rng.normal(0, 0.3))
    field, fill = float(np.deg2rad(rng.uniform(38, 74))), float(rng.uniform(*_FILL[kind]))
    across, down = rng.uniform(0.1, 0.9, 2).tolist() if fill <= 1 else (0.5, 0.5)
    return View(elevation, azimuth, roll, field, fill, (across, down) if fill <= 1 else None)


_HIGHEST, _NARROWEST = 1.45, 0.65
"""Radians to which a camera is raised, and its angle of view narrowed, so that far tiles are large enough."""
_NEAREST = 100.0  # mm


def _aimed(view: View, target: Array32, distance: float, width: int, height: int) -> raycast.Camera:
    """A view's camera, so far from the point in the middle of its photo."""
    elevation, azimuth, roll = view.elevation, view.azimuth, view.roll
    ce, se, ca, sa = np.cos(elevation), np.sin(elevation), np.cos(azimuth), np.sin(azimuth)
    forward, right = np.array([sa * ce, ca * ce, -se]), np.array([ca, -sa, 0.0])
    down = np.cross(forward, right)
    c, s = np.cos(roll), np.sin(roll)
    rotation = np.stack([c * right + s * down, c * down - s * right, forward]).astype(np.float32)
    focal = float(max(width, height) / 2 / np.tan(view.field / 2))
    centre = (target - distance * forward).astype(np.float32)
    return raycast.Camera(centre, rotation, focal, width, height, width / 2, height / 2)


def _filled(view: View, points: Array32, width: int, height: int) -> tuple[raycast.Camera, float]:
    """A view's camera so far away that the points take the share of the photo that they should."""
    target, distance = points.mean(axis=0), 600.0
    camera, away = _aimed(view, target, distance, width, height), distance
    for _ in range(6):
        camera, away = _aimed(view, target, distance, width, height), distance
        pixels = camera.project(points)
        if np.isnan(pixels).any():
            distance *= 2
            continue
        size = (pixels.max(axis=0) - pixels.min(axis=0)) / np.array([width, height])
        distance = max(distance * float(size.max()) / view.fill, 60.0)
    return camera, away


def aim(layout: Layout, rng: Generator, width: int, height: int) -> raycast.Camera:
    """The camera that photographs a layout, ``width`` by ``height`` pixels."""
    view = layout.view or _view(layout.kind, rng)
    subject = [layout.pieces[i] for i in layout.subject]
    points = np.concatenate([p.centre + np.array(p.size) / 2 * layouts.CORNERS @ p.axes.T for p in subject])
    points = points.astype(np.float32)
    camera, distance = _filled(view, points, width, height)
    if view.least:
        faces = np.stack([p.centre + np.array(p.size) / 2 * _FACE_CORNERS @ p.axes.T for p in subject])
        while (smallest := _smallest(camera, faces)) < view.least and view.elevation < _HIGHEST:
            view = replace(view, elevation=view.elevation + 0.1, field=max(_NARROWEST, 0.95 * view.field))
            camera, distance = _filled(view, points, width, height)
        while smallest < view.least and distance > _NEAREST:
            distance *= 0.99 * smallest / view.least
            camera = _aimed(view, points.mean(axis=0), distance, width, height)
            smallest = _smallest(camera, faces)
    pixels = camera.project(points)
    if view.least:  # so near, some of them may lie behind the camera
        pixels = pixels[~np.isnan(pixels).any(axis=1)]
    pixels = np.nan_to_num(pixels)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    room = np.array([width, height]) - (high - low)
    if not view.least:
        room = np.maximum(room, 0)
    shift = np.zeros(2)
    if view.lean is not None:
        lean = np.array(view.lean)
        shift = room * lean.clip(0, 1) + (high - low) * (lean - lean.clip(0, 1)) - low
    return raycast.Camera(
        camera.centre,
        camera.rotation,
        camera.focal,
        width,
        height,
        camera.cx + float(shift[0]),
        camera.cy + float(shift[1]),
    )


def _smallest(camera: raycast.Camera, faces: NDArray[np.float64]) -> float:
    """The side in pixels of a square as large as the smallest of the faces (n, 4, 3) that are not behind."""
    smallest = np.nanmin(np.abs(areas(camera.project(faces.astype(np.float32)))))
    return float(np.sqrt(smallest))


def _light(layout: Layout, rng: Generator) -> raycast.Light:
    x0, y0, x1, y1 = layout.extent()
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    away = float(rng.uniform(0, 700)) * np.array([np.cos(a := rng.uniform(0, 2 * np.pi)), np.sin(a)])
    position = np.array([*(middle + away), rng.uniform(350, 1500)], np.float32)

    def tint() -> Array32:
        warm = float(rng.normal(0, 0.16))
        return np.array([1 + warm, 1 + 0.1 * float(rng.normal(0, 0.3)), 1 - warm], np.float32).clip(0.4, 1.6)

    ambient = float(rng.uniform(0.3, 0.95))
    return raycast.Light(
        position,
        float(rng.choice([15, 80, 300], p=[0.3, 0.35, 0.35])),
        tint() * np.float32(1.1 - 0.6 * ambient),
        tint() * np.float32(ambient),
        float(rng.choice([0.0, 0.6, 2.5], p=[0.4, 0.35, 0.25])),
    )


_FACE_CORNERS = np.array([(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1)], np.float32)
_BACK_CORNERS = np.array([(1, -1, 1), (-1, -1, 1), (-1, 1, 1), (1, 1, 1)], np.float32)
_SIDES = np.stack([_FACE_CORNERS, _BACK_CORNERS])


_WHOSE = ("seat", "owner", "order")  # what is told of a tile only where it has one


def tiles_seen(
    layout: Layout, camera: raycast.Camera, zoom: float, owned: NDArray[np.int64]
) -> dict[int, dict[str, Any]]:
    """The visible tiles of a layout, as in ``truth.jsonl``, by the indices of their pieces.

    A tile is located by its face, or by its back if that is towards the camera. ``owned`` (n, 2): the pixels
    of each piece's face and back, at ``zoom`` times the camera's resolution.
    """
    pieces = layout.pieces
    half = np.array([piece.size for piece in pieces], np.float32)[:, None, None] / 2
    turn = np.array([piece.axes for piece in pieces]).transpose(0, 2, 1)[:, None]
    centre = np.array([piece.centre for piece in pieces])[:, None, None]
    quads = camera.project((centre + (_SIDES * half) @ turn).astype(np.float32))
    towards = areas(quads)  # below 12, or NaN: turned away, behind the camera, or too oblique to be seen
    seen = {}
    for index, piece in enumerate(pieces):
        if piece.material != "tile":
            continue
        for side in (0, 1) if piece.label is not None else (1,):  # nobody knows a face that lies on the table
            area = float(towards[index, side])
            if not area >= 12:
                continue
            visible = min(1.0, float(owned[index, side]) / (area * zoom * zoom * 0.94))
            if visible >= 0.1:
                seen[index] = {
                    "quad": quads[index, side].round(2).tolist(),
                    "label": layouts.seen_label(piece, bool(side)),
                    "role": piece.role,
                    "sideways": piece.sideways,
                    "upside_down": piece.upside_down,
                    "visible": round(visible, 3),
                    "size": round(area**0.5, 1),
                    **{key: value for key in _WHOSE if (value := getattr(piece, key)) is not None},
                }
            break
    return seen


def plate_seen(
    layout: Layout, camera: raycast.Camera, zoom: float, owned: NDArray[np.int64]
) -> dict[str, Any] | None:
    """The plate with the round wind, if a camera sees one.

    The ``seat`` before which it is, its ``wind`` as a face, its ``quad``, and how much of it is ``visible``.
    """
    for index, piece in enumerate(layout.pieces):
        if piece.shows is None:
            continue
        corners = piece.centre + (_FACE_CORNERS * np.array(piece.size) / 2) @ piece.axes.T
        quad = camera.project(corners.astype(np.float32))
        area = float(areas(quad[None])[0])
        visible = min(1.0, float(owned[index, 0]) / (area * zoom * zoom * 0.94)) if area >= 12 else 0.0
        if visible >= 0.1:
            told = {"seat": piece.owner, "wind": piece.shows, "quad": quad.round(2).tolist()}
            return told | {"visible": round(visible, 3)}
    return None


def truth(layout: Layout, seen: dict[int, dict[str, Any]], width: int, height: int) -> dict[str, Any]:
    """What a line of ``truth.jsonl`` says of a layout whose tiles are ``seen`` so."""
    told: dict[str, Any] = {"width": width, "height": height, "kind": layout.kind}
    told |= {"tiles": list(seen.values()), "hand": layout.hand}
    if layout.scene:
        faces = {}
        for index, tile in seen.items():
            shows_face = tile["label"] == layouts.seen_label(layout.pieces[index], from_behind=False)
            # Of a standing tile that turns its back to the camera, no part of the face is visible.
            faces[index] = tile["visible"] if shows_face else 0.0, tile["size"]
        told |= game.facts(layout, faces)
    return told


def _table(layout: Layout, rng: Generator) -> tuple[float, float, float, float]:
    """x0, y0, x1, y1 of the table: mostly up to its rim where it has one, unless something lies beyond."""
    x0, y0, x1, y1 = layout.ground()
    margin = float(rng.choice([120.0, 500.0, 3000.0], p=[0.25, 0.25, 0.5]))
    table = (x0 - margin, y0 - float(rng.uniform(10, 160)) - margin * 0.3, x1 + margin, y1 + margin + 150)
    rim = [piece for piece in layout.pieces if piece.material == "rim"]
    if not rim or rng.random() < 0.25:
        return table
    reach = np.array([np.abs(piece.axes[:2]) @ np.array(piece.size) / 2 for piece in rim])
    middles = np.array([piece.centre[:2] for piece in rim])
    (left, near), (right, far) = (middles - reach).min(axis=0), (middles + reach).max(axis=0)
    around = left < x0 and near < y0 and right > x1 and far > y1
    rest = np.array([piece.centre[:2] for piece in layout.pieces])
    if (rest[:, 1] < near).any() or (
        around and not ((left, near) <= rest).all() & (rest <= (right, far)).all()
    ):
        return table
    sides = (left, near, right, far) if around else (table[0], near, *table[2:])
    return float(sides[0]), float(sides[1]), float(sides[2]), float(sides[3])


def _surface(rng: Generator, layout: Layout, tileset: TileSet) -> Pixels:
    """What the tiles lie on; that of a game may have characters printed on it."""
    if not layout.scene:
        return textures.surface(rng, (720, 960))
    return textures.table_top(rng, (720, 960), [tileset.faces[f"{n}z"][..., 3] for n in (1, 2, 3, 4, 6, 7)])


def _see_through(bodies: raycast.Bodies, layout: Layout, clear: float, surface: Pixels) -> None:
    """Let tiles show what they lie on, as much of its mean colour as they are clear."""
    beneath = photo.LINEAR[surface].reshape(-1, 3).mean(axis=0)
    tiles = [piece.material == "tile" for piece in layout.pieces]
    for colours in (bodies.colour, bodies.back):
        colours[tiles] += np.float32(clear) * (beneath - colours[tiles])


def make(rng: Generator, tileset: TileSet, layout: Layout, width: int, height: int) -> Scene:
    """Light a layout and photograph it, ``width`` by ``height`` pixels."""
    camera = aim(layout, rng, width, height)
    zoom = _SUPERSAMPLE
    wide = camera.scaled(zoom)
    subject = [layout.pieces[i] for i in layout.subject]
    depth = float(np.linalg.norm(np.array([p.centre for p in subject]) - wide.centre, axis=1).min())
    pixels = wide.focal * layout.tile[1] / depth
    bodies, inks = _bodies(layout, tileset, pixels, rng)
    table = _table(layout, rng)
    surface = _surface(rng, layout, tileset)
    if tileset.body.clear:
        _see_through(bodies, layout, tileset.body.clear, surface)
    backdrop = textures.backdrop(rng, (wide.height // 2, wide.width // 2))
    backdrop = np.asarray(cv2.resize(backdrop, (wide.width, wide.height)), np.uint8)
    light, owner, depths = raycast.render(
        bodies, wide, _light(layout, rng), inks, surface,
        depth / wide.focal * float(rng.uniform(0.8, 1.7)),
        table, backdrop, photo.LINEAR, engraving=tileset.body.engraving,
        table_gloss=float(rng.choice([0.0, 0.3], p=[0.88, 0.12])),
    )  # fmt: skip
    photo.cover(light, owner, raycast.BEYOND, rng)
    owned = raycast.shown(owner, depths, bodies, wide)
    image = photo.expose(light, owner >= 0, width, height, rng)
    seen = tiles_seen(layout, camera, zoom, owned)
    for index, tile in seen.items():
        if tile["label"] == FOREIGN:
            tile["drawing"] = _shown(layout.pieces[index], tileset)
    told = truth(layout, seen, width, height) | {"family": tileset.family}
    if plate := plate_seen(layout, camera, zoom, owned):
        told["plate"] = plate
    return Scene(image, told)
