"""Hands to pose exercises about: those that we wrote, and those of the user's photos, records and labels."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from PIL import Image
from rich.progress import track

from scorer.record import Record, RecordError, parse_record
from scorer.rules import RuleSet
from scorer.sentence import say
from scorer.tiles import Tile, TileError, format_tiles, parse_tiles
from tehai.errors import Mistake
from tehai.gather import PHOTO_SUFFIXES, read_photo
from tehai.learn.deal import Deal, circumstances
from tehai.learn.pictures import SHAPE
from tehai.learn.pose.tiles import Crop
from vision.labels import FACES

WRITTEN: Final = Path(__file__).with_name("hands.jsonl")
"""Hand records, a line each, with what is to be learnt from it as ``note``."""

MOST_PHOTOS: Final = 60
"""How many photos of a folder are read, taken at random: more hands than anybody drills in a day."""

SURE: Final = 0.9
"""The probability from which a face that was read is one to teach, as it is where a reading says no doubt."""

_LEAST_HEIGHT: Final = 30.0
"""Pixels that a tile must be high to be told in a picture."""

_LISTS: Final = frozenset({".jsonl", ".json", ".ndjson"})
_PHOTO_KEYS: Final = ("photo", "image", "path", "file")
_HAND_KEYS: Final = ("hand", "record")


@dataclass(frozen=True, slots=True)
class OwnHand:
    """A hand of the user's. ``known``: whether its win is; what is not is made up for each exercise anew."""

    record: Record
    known: bool
    source: str

    def deal(self, random: Random, rules: RuleSet) -> Deal:
        """The hand won in a way that it can have been won in."""
        hand, win = self.record.hand, self.record.win
        if not self.known:
            told = win.dora_indicators
            win = circumstances(hand, random, rules)
            win = replace(win, dora_indicators=told or win.dora_indicators)
        elif not win.tsumo and win.loser_offset is None:
            win = replace(win, loser_offset=random.randint(1, 3))
        return Deal(hand, win, say("origin.own", source=self.source))


@dataclass(frozen=True, slots=True)
class Own:
    """What the user's photos and records hold: finished hands, and faces cut from photos."""

    hands: tuple[OwnHand, ...] = ()
    crops: tuple[Crop, ...] = ()


@cache
def written() -> tuple[Deal, ...]:
    """The hands that travel with the program, of every yaku."""
    lines = WRITTEN.read_text(encoding="utf-8").splitlines()
    known = [parse_record(json.loads(line)) for line in lines]
    return tuple(
        Deal(one.hand, one.win if one.win.tsumo else replace(one.win, loser_offset=one.win.loser_offset or 1))
        for one in known
    )


def own(path: str, random: Random) -> Own:
    """What a folder of photos, a photo, a file of hand records or a label file holds.

    Raises :class:`Mistake` where there is no such file and where nothing in it is a finished hand or a tile
    that is surely read.
    """
    where = Path(path)
    if not where.exists():
        raise Mistake(
            f"There is no {path}: --from takes a folder of photos, a photo or a file of hand records."
        )
    photos, lists = _files(where)
    if len(photos) > MOST_PHOTOS:
        photos = sorted(random.sample(photos, MOST_PHOTOS))
    hands: list[OwnHand] = []
    crops: list[Crop] = []
    for one in _shown(photos):
        try:
            _add_photo(one, hands, crops)
        except Mistake:
            if where.is_file():
                raise  # of a folder the other photos will do
    for file in lists:
        _add_list(file, hands, crops)
    if not hands and not crops:
        raise Mistake(f"{path} shows no finished hand and no tile that is surely read; try other photos.")
    return Own(tuple(hands), tuple(crops))


def _files(where: Path) -> tuple[list[Path], list[Path]]:
    """The photos, and the files of records."""
    files = sorted(file for file in where.rglob("*") if file.is_file()) if where.is_dir() else [where]
    photos = [file for file in files if file.suffix.lower() in PHOTO_SUFFIXES]
    lists = [file for file in files if file.suffix.lower() in _LISTS]
    if not photos and not lists:
        raise Mistake(f"{where} holds neither photos nor hand records (.jsonl); name another with --from.")
    return photos, lists


def _shown(photos: list[Path]) -> Iterable[Path]:
    return track(photos, description="reading photos", transient=True) if len(photos) > 1 else photos


def _add_photo(photo: Path, hands: list[OwnHand], crops: list[Crop]) -> None:
    """Reads one. Raises :class:`Mistake` for a file that is no photo."""
    reading = read_photo(str(photo), None)
    if reading.hand is not None and reading.status == "ok":
        hands.extend(_own_hands(reading.hand, photo.name))
    sure = [
        (tile.quad, tile.label)
        for tile in reading.tiles
        if tile.probability >= SURE and tile.source == "seen" and tile.label in FACES
    ]
    crops.extend(_cut(photo, sure))


def _add_list(file: Path, hands: list[OwnHand], crops: list[Crop]) -> None:
    """Reads a file of hand records, of readings or of labels, a JSON object a line.

    Of several lines about one photo the last holds. Raises :class:`Mistake` for a file without any.
    """
    by_photo: dict[str, Mapping[str, Any]] = {}
    for number, line in _objects(file):
        by_photo[_photo_of(line) or f"{file.name}, line {number}"] = line
    for name, line in by_photo.items():
        found = next((line[key] for key in _HAND_KEYS if isinstance(line.get(key), Mapping)), line)
        hands.extend(_own_hands(found, Path(name).name))
        photo, tiles = file.parent / name, line.get("tiles")
        if isinstance(tiles, list) and photo.is_file():
            crops.extend(_cut(photo, _labelled(tiles)))


def _objects(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The JSON objects of a file: a line each, or the file as one object or one list of them."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise Mistake(
            f"{file} cannot be read as UTF-8 text; --from takes hand records, a line each."
        ) from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                value = json.loads(line)
            except (json.JSONDecodeError, RecursionError):
                raise Mistake(
                    f"{file}, line {number} is not JSON; --from takes hand records, a line each."
                ) from None
            yield from (
                (number, one)
                for one in (value if isinstance(value, list) else [value])
                if isinstance(one, Mapping)
            )


def _photo_of(line: Mapping[str, Any]) -> str:
    return next((line[key] for key in _PHOTO_KEYS if isinstance(line.get(key), str)), "")


def _own_hands(record: Mapping[str, Any], source: str) -> Iterator[OwnHand]:
    """The hand of a record, where it is a finished one."""
    fields = {name: value for name, value in record.items() if name not in ("rules", "words")}
    known = isinstance(record.get("tsumo"), bool)
    fields.setdefault("tsumo", False)
    concealed = fields.get("concealed")
    try:
        if isinstance(concealed, str) and fields.get("win_tile") is None:
            *rest, last = parse_tiles(concealed)
            fields |= {"concealed": format_tiles(rest), "win_tile": str(last)}
        found = parse_record(fields)
    except (RecordError, TileError, ValueError):
        return
    if len(found.hand.concealed) + 3 * len(found.hand.melds) == 13:
        yield OwnHand(found, known, source)


def _labelled(tiles: Iterable[object]) -> list[tuple[Any, str]]:
    """The quads and faces of a reading's or a label file's tiles, as far as anybody is sure of them."""
    found = []
    for tile in tiles:
        if isinstance(tile, Mapping) and tile.get("label") in FACES and isinstance(tile.get("quad"), list):
            sure, whole = tile.get("probability", 1.0), tile.get("visible", 1.0)
            if min(float(sure or 0), float(whole or 0)) >= SURE:
                found.append((tile["quad"], tile["label"]))
    return found


def _cut(photo: Path, tiles: list[tuple[Any, str]]) -> Iterator[Crop]:
    """The faces at the quads, upright."""
    if not tiles:
        return
    import numpy as np

    from vision.faces import cut
    from vision.image import PhotoError, load

    try:
        pixels = load(photo).pixels
        quads = np.array([quad for quad, _ in tiles], np.float32).reshape(-1, 4, 2)
    except (PhotoError, ValueError, OSError):
        return
    high = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1) >= _LEAST_HEIGHT
    for crop, (_, label), enough in zip(cut(pixels, quads, SHAPE), tiles, high, strict=True):
        if enough:
            yield Crop(Tile.parse(label), Image.fromarray(crop))
