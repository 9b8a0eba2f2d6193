"""Compare readings of the photographed hands of :data:`TRUTHS` with what a player should get.

The photos are for measuring only. No network is trained and no threshold set on them.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from models.scene_check import waits_of
from models.whole_hands import wrong_parts
from scorer.tiles import parse_tiles
from vision.labels import FACES
from vision.reading import Reading

OUTCOMES = Path(__file__).with_suffix(".toml")
TRUTHS = ("truth.json", "real-tables.json", "groups.json")
OTHERWISE = TRUTHS[:2]
"""The truths whose photos are also read under other conditions (:mod:`models.conditions`)."""

Became = Literal["met", "asked", "doubted", "silent"]
"""``met``: what a player should get. ``asked``: a miss without a score. ``doubted``: a wrong score with a
doubt; ``silent``: a wrong score without one."""

_KINDS = {"shouminkan": "kakan", "daiminkan": "minkan"}
_LETTERS = {"a": "ankan", "k": "kakan"}


@dataclass(frozen=True, slots=True)
class Expected:
    """What a player should get.

    ``finished``: a hand with its winning tile, or a question if that cannot be known; if ``or_waiting``, its
    13 other tiles are right, too. ``ready``: 13 tiles that wait on ``waits``.
    """

    outcome: Literal["finished", "ready"]
    waits: Sequence[str] = ()
    or_waiting: bool = False


def expected(table: Path = OUTCOMES) -> dict[str, Expected]:
    """The expected outcomes by file. Paths are relative to the folder of photos."""
    rows = tomllib.loads(table.read_text(encoding="utf-8"))
    return {file: Expected(**row) for file, row in rows.items()}


def photographed(folder: Path, truths: Sequence[str] = TRUTHS) -> list[dict[str, Any]]:
    """The photographed hands of a folder of photos, as records of their truths. Raises ValueError for a
    missing truth."""
    photos: list[dict[str, Any]] = []
    for file in (folder / "hands" / name for name in truths):
        if not file.is_file():
            raise ValueError(f"{file} is not there: name the folder of photos with --photos")
        photos += json.loads(file.read_text(encoding="utf-8"))["photos"]
    return photos


def misses(reading: Reading, truth: dict[str, Any], wanted: Expected) -> list[str]:
    """What is wrong in a reading: ``score`` (missing or not expected), ``waits``, and parts of the hand.

    ``truth``: the hand record, with the winning tile of a finished hand if it is known.
    """
    scored = reading.status == "ok"
    if wanted.or_waiting and not scored:
        return misses(reading, truth | {"win_tile": None}, Expected("ready", (truth["win_tile"],)))
    finished = wanted.outcome == "finished"
    asks = finished and truth["win_tile"] is None and reading.status == "incomplete"
    missed = ["score"] if scored != finished and not asks else []
    missed += wrong_parts(reading.hand, truth)
    if not finished and waits_of(reading) != set(wanted.waits):
        missed.append("waits")
    return missed


def became(reading: Reading, missed: Sequence[str]) -> Became:
    """How a reading that ``missed`` this counts."""
    if not missed:
        return "met"
    if reading.status != "ok":
        return "asked"
    return "doubted" if reading.doubts else "silent"


def record_of(photo: dict[str, Any]) -> dict[str, Any]:
    """The hand record of a photographed hand. ``win_tile`` is None if it is unknown or nobody has won."""
    row = [tile for each in photo["rows"] for tile in each]
    win = None
    if photo.get("sideways"):
        win = row.pop(photo["sideways"][0])
    elif photo.get("win_tile"):
        win = row.pop(row.index(photo["win_tile"]))
    melds = []
    for meld in photo.get("melds", []):
        if isinstance(meld, str):
            text = meld.lstrip("".join(_LETTERS))
            melds.append({"type": _LETTERS.get(meld[0], "pon"), "tiles": text})
            for tile in map(str, parse_tiles(text)):  # its row is one of the photo's
                row.remove(tile)
            continue
        shown = [tile for tile in meld["tiles"] if tile in FACES]
        tiles = shown + shown[:1] * (len(meld["tiles"]) - len(shown))
        melds.append({"type": _KINDS.get(meld["type"], meld["type"]), "tiles": "".join(tiles)})
    return {"concealed": "".join(row), "win_tile": win, "melds": melds}
