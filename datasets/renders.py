"""Rendered photographs with their exact truth (``python -m datasets render``)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array32, Mask
from vision.quads import lengths

SLENDER = 0.25
"""The ratio of a face's sides below which it is seen from its edge. Detecting it is neither required nor
wrong.

Seen from above, a standing tile shows no more of its face than this.
"""


@dataclass(frozen=True, slots=True)
class RenderedHand:
    """One open hand of a game: its record as far as it goes.

    ``finished``; ``whole``: whether every tile is clearly visible; ``least``: the least visible share of a
    tile; ``waits``: faces; ``win``: the winning tile.
    """

    seat: int
    record: dict[str, Any]
    finished: bool
    whole: bool
    least: float
    waits: tuple[str, ...]
    win: int | None


@dataclass(frozen=True, slots=True)
class Render:
    """One rendered photograph.

    ``quads`` (n, 4, 2): pixels, clockwise from the face's own top left. ``visible`` (n,): the visible share
    of each face. ``hand``: the hand record, if it shows one. ``seed``: the seed of the drawing, with its
    number in the file's name. ``drawings``: the foreign face of a tile; None for other labels. ``sideways``:
    tiles that lie on their side.

    For the kind ``game`` also: ``scene``; ``outcome`` (``finished``, ``several`` or ``none``); ``hands``: the
    open hands (:mod:`datasets.render.game`). ``seats``: whose hand a tile belongs to. ``owners``, ``orders``:
    for a discard, its river and its index there. All None if unknown or not applicable.

    ``declared``: players who declared riichi. ``sticks``: players with a riichi stick on the table.
    ``discards``: the number of discards in all known rivers, visible or not. ``closed``: players whose hands
    are not open; None in older drawings. ``dead_wall``: the player before whom it is.
    """

    path: Path
    kind: str
    quads: Array32
    labels: tuple[str, ...]
    roles: tuple[str, ...]
    visible: Array32
    hand: dict[str, Any] | None
    scene: str | None = None
    outcome: str | None = None
    hands: tuple[RenderedHand, ...] = ()
    seats: tuple[int | None, ...] = ()
    seed: int | None = None
    drawings: tuple[str | None, ...] = ()
    owners: tuple[int | None, ...] = ()
    orders: tuple[int | None, ...] = ()
    sideways: tuple[bool, ...] = ()
    declared: tuple[int, ...] = ()
    sticks: tuple[int, ...] = ()
    discards: int = 0
    closed: tuple[int, ...] | None = None
    dead_wall: int | None = None

    def facing(self) -> Mask:
        """(n,) which faces are turned enough to the camera for anyone to tell them (:data:`SLENDER`)."""
        sides = lengths(self.quads)
        pairs = sides[:, :2] + sides[:, 2:]
        return np.asarray(pairs.min(axis=1) >= SLENDER * pairs.max(axis=1), bool)

    def load(self) -> NDArray[np.uint8]:
        """RGB pixels. Raises ValueError when the file is no readable picture."""
        bgr = cv2.imread(str(self.path))
        if bgr is None:
            raise ValueError(f"cannot read {self.path}")
        return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8)


def _hand(hand: dict[str, Any]) -> RenderedHand:
    record = {key: hand[key] for key in ("concealed", "win_tile", "melds")}
    return RenderedHand(
        hand["seat"],
        record,
        hand["finished"],
        hand["whole"],
        hand["least"],
        tuple(hand["waits"]),
        hand["win"],
    )


def _owners(row: dict[str, Any], what: Callable[[dict[str, Any]], bool]) -> tuple[int, ...]:
    return tuple(river["owner"] for river in row.get("rivers") or () if what(river))


def read_renders(folder: Path, most: int | None = None) -> list[Render]:
    """The first ``most`` photographs of ``folder/truth.jsonl``; those not written yet are left out. Raises
    FileNotFoundError where there is no such file."""
    renders: list[Render] = []
    truth = folder / "truth.jsonl"
    if not truth.is_file():
        raise FileNotFoundError(
            f"{folder} holds no renders: draw some with python -m datasets render {folder}"
        )
    with truth.open(encoding="utf-8") as lines:
        for line in lines:
            if most is not None and len(renders) >= most:
                break
            row = json.loads(line)
            path = folder / row["file"]
            if not path.exists():
                continue
            tiles = row["tiles"]
            renders.append(
                Render(
                    path=path,
                    kind=row["kind"],
                    quads=np.array([tile["quad"] for tile in tiles], np.float32).reshape(-1, 4, 2),
                    labels=tuple(tile["label"] for tile in tiles),
                    roles=tuple(tile["role"] for tile in tiles),
                    visible=np.array([tile["visible"] for tile in tiles], np.float32),
                    hand=row.get("hand"),
                    scene=row.get("scene"),
                    outcome=row.get("outcome"),
                    hands=tuple(_hand(hand) for hand in row.get("hands", ())),
                    seats=tuple(tile.get("seat") for tile in tiles),
                    seed=row.get("seed"),
                    drawings=tuple(tile.get("drawing") for tile in tiles),
                    owners=tuple(tile.get("owner") for tile in tiles),
                    orders=tuple(tile.get("order") for tile in tiles),
                    sideways=tuple(bool(tile.get("sideways")) for tile in tiles),
                    declared=_owners(row, lambda river: river["riichi"] is not None or river["stick"]),
                    sticks=_owners(row, lambda river: river["stick"]),
                    discards=sum(len(river["tiles"]) for river in row.get("rivers") or ()),
                    closed=tuple(row["closed"]) if "closed" in row else None,
                    dead_wall=row.get("dead_wall"),
                )
            )
    return renders


def gather(
    folders: Iterable[Path], most: int | None = None, held_back: int = 120
) -> tuple[list[Render], list[Render]]:
    """Renders of several folders, ``most`` of each: the training part, and the last ``held_back`` of each (at
    most a tenth of it), which measure."""
    learn: list[Render] = []
    keep: list[Render] = []
    for folder in folders:
        renders = read_renders(folder, most)
        cut = len(renders) - min(held_back, len(renders) // 10)
        learn += renders[:cut]
        keep += renders[cut:]
    return learn, keep
