"""The photographed hands of :data:`TRUTHS`: is what a player gets what it should be?

They are for measuring only: no number is set and no network trained on them.
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
"""The truths whose photos are taken otherwise, too (:mod:`models.conditions`)."""

Became = Literal["met", "asked", "doubted", "silent"]
"""What became of a photo: what a player should get; no score, but not that either; a wrong score with a doubt
said of it; one without."""

_KINDS = {"shouminkan": "kakan", "daiminkan": "minkan"}
_LETTERS = {"a": "ankan", "k": "kakan"}


@dataclass(frozen=True, slots=True)
class Expected:
    """What a player should get: a ``finished`` hand with its winning tile, asked for where nobody can tell
    it, or, if it is ``or_waiting``, its 13 others; or a ``ready`` one, 13 tiles that wait on ``waits``."""

    outcome: Literal["finished", "ready"]
    waits: Sequence[str] = ()
    or_waiting: bool = False


def expected(table: Path = OUTCOMES) -> dict[str, Expected]:
    """The outcomes by file, relative to the folder of photos."""
    rows = tomllib.loads(table.read_text(encoding="utf-8"))
    return {file: Expected(**row) for file, row in rows.items()}


def photographed(folder: Path, truths: Sequence[str] = TRUTHS) -> list[dict[str, Any]]:
    """The photographed hands of a folder of photos, as their truths have them. Raises ValueError where one of
    these is not there."""
    photos: list[dict[str, Any]] = []
    for file in (folder / "hands" / name for name in truths):
        if not file.is_file():
            raise ValueError(f"{file} is not there: name the folder of photos with --photos")
        photos += json.loads(file.read_text(encoding="utf-8"))["photos"]
    return photos


def misses(reading: Reading, truth: dict[str, Any], wanted: Expected) -> list[str]:
    """In what a reading is not what a player should get: ``score`` (one where there is none to be, or none),
    ``waits``, and parts of the hand. ``truth``: the hand record, with the winning tile of a finished hand
    where it can be told."""
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
    """What became of a photo of which this was missed."""
    if not missed:
        return "met"
    if reading.status != "ok":
        return "asked"
    return "doubted" if reading.doubts else "silent"


def record_of(photo: dict[str, Any]) -> dict[str, Any]:
    """A photographed hand as a hand record; ``win_tile`` None where it cannot be told, or nobody has won."""
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
