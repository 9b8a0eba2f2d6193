"""A decoded hand as fields of the hand record (``docs/hand.md``)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from scorer.hand import Meld, MeldType
from scorer.hand_tiles import FactSource, HandTiles
from scorer.tiles import KIND_OF, Tile
from vision.arrays import Array32
from vision.quads import axes, lies_sideways
from vision.scene.decode import CalledSet, HandReading, Scene


def hand_tiles(
    reading: HandReading, scene: Scene, quads: Array32, overruled: Collection[int] = ()
) -> HandTiles:
    """The hand that the photo shows. ``quads`` (n, 4, 2) of all detections: the sideways tile of a set shows
    from whom it was called. ``overruled``: tiles whose face the rules decided. A winning tile that is not set
    apart is among the concealed tiles."""
    places = left_to_right([tile for tile, _ in reading.concealed if tile != reading.win], quads)
    faces = reading.faces
    fields = {
        "concealed": places, "win_tile": [] if reading.win is None else [reading.win],
        "melds": [tile for each in reading.called for tile in each.tiles],
        "dora_indicators": [tile for tile, _ in scene.dora],
        "ura_indicators": [tile for tile, _ in scene.ura],
    }  # fmt: skip
    inferred = {*overruled, *(tile for each in reading.called for tile in each.face_down)}
    known = {
        name: FactSource.SEEN if inferred.isdisjoint(tiles) else FactSource.INFERRED
        for name, tiles in fields.items() if tiles or name in ("concealed", "melds")
    }  # fmt: skip
    return HandTiles(
        tuple(Tile(faces[tile]) for tile in places),
        tuple(to_meld(each, quads) for each in reading.called),
        None if reading.win is None else Tile(faces[reading.win]),
        tuple(Tile(face) for _, face in scene.dora),
        tuple(Tile(face) for _, face in scene.ura),
        known=known,
    )


def hand_record(
    reading: HandReading, scene: Scene, quads: Array32, overruled: Collection[int] = ()
) -> tuple[dict[str, Any], dict[str, str]]:
    """The hand as JSON values, and how each field is known; arguments as in :func:`hand_tiles`."""
    tiles = hand_tiles(reading, scene, quads, overruled)
    return tiles.to_record(), {name: str(source) for name, source in tiles.known.items()}


def left_to_right(tiles: list[int], quads: Array32) -> list[int]:
    """Tiles of a row from left to right, as their faces stand."""
    if len(tiles) < 2:
        return tiles
    across, _ = axes(quads[tiles])
    along_row = across.sum(axis=0)
    return [tiles[k] for k in np.argsort(quads[tiles].mean(axis=1) @ along_row, kind="stable")]


def to_meld(called: CalledSet, quads: Array32) -> Meld:
    """The set with its type and the player it was called from: its sideways tile lies towards them."""
    tiles, faces = list(called.tiles), list(called.faces)
    sideways = lies_sideways(quads[tiles]).tolist()
    kinds = {KIND_OF[face] for face in faces}
    if called.is_kan and (called.is_closed_kan or sum(sideways) not in (1, 2)):
        return Meld(MeldType.ANKAN, [Tile(face) for face in (*faces, *called.missed_faces)])
    name = MeldType.CHI if len(kinds) > 1 else MeldType.PON
    if len(tiles) == 4:
        name = MeldType.KAKAN if sum(sideways) == 2 else MeldType.MINKAN
    shown = sorted(zip(faces, tiles, strict=True), key=lambda each: KIND_OF[each[0]])
    return Meld(name, [Tile(face) for face, _ in shown], _source(tiles, sideways, quads, name))


def _source(tiles: list[int], sideways: list[bool], quads: Array32, name: MeldType) -> int:
    if name is MeldType.CHI or not any(sideways):
        return 3  # a chi is called from the left; for the others nothing shows it
    across, _ = axes(quads[tiles])
    standing = [k for k, side in enumerate(sideways) if not side]
    row = across[standing].sum(axis=0)
    at = quads[tiles].mean(axis=1) @ row
    turned = float(np.mean([at[k] for k, side in enumerate(sideways) if side]))
    before = sum(at[k] < turned for k in standing)
    return 3 if before == 0 else 1 if before == len(standing) else 2
