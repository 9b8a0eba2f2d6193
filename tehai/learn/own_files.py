"""Read the user's own hands and tiles: from photos, hand records, readings, label files and game logs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from PIL import Image
from rich.progress import track

from scorer.hand import Win, seats_of
from scorer.tiles import Tile
from tehai.errors import Mistake
from tehai.hand.inputs import PHOTO_SUFFIXES, read_photo
from tehai.learn.errors import DrillError
from tehai.learn.own_hands import OwnDiscard, OwnHands, hand_of
from tehai.learn.pictures import HEIGHT, MARGIN, WIDTH
from tehai.learn.pose.tiles import Crop
from tehai.logs.game import begun, event_of
from tehai.logs.play import Deal, Log, LogError
from tehai.logs.read import read_log
from tehai.logs.table import Table
from vision.labels import FACES

MOST_PHOTOS: Final = 60
"""The most photos to read, chosen at random: more than anybody drills in a day."""

SURE: Final = 0.9
"""The least probability of a face for an exercise, the same as for a tile without doubt."""

_LEAST_HEIGHT: Final = 30.0
"""The least height in pixels of a tile for an exercise."""

_LISTS: Final = frozenset({".jsonl", ".ndjson"})
_PHOTO_KEYS: Final = ("photo", "image", "path", "file")
_HAND_KEYS: Final = ("hand", "record")
_BY_A_PERSON: Final = frozenset({"accepted", "corrected", "imported"})
_REJECTED: Final = "rejected"
"""The states of a label (``docs/labels.md``) that a person has confirmed, and of one not to be used."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """The contents of one photo or record: its hand, as far as it is known, and its faces.

    ``faces``: quads in pixels of the upright photo, with labels. ``discards``: of a hand of a log.
    """

    source: str
    photo: Path | None
    record: Mapping[str, Any]
    faces: tuple[tuple[Any, str], ...] = ()
    discards: tuple[OwnDiscard, ...] = ()


def read_own(path: str, random: Random) -> OwnHands:
    """Read a folder of photos, a photo, a file of hand records, a game log or a label file.

    Raises :class:`DrillError` if the file does not exist, or has no finished hand and no certain tile. Raises
    :class:`tehai.errors.Mistake` for a single photo that cannot be read.
    """
    where = Path(path)
    if not where.exists():
        raise DrillError("trouble.nowhere", path=path)
    entries = list(_of_folder(where, random) if where.is_dir() else _of_file(where))
    read = (hand_of(one.record, one.source) for one in entries)
    hands = tuple(hand for hand in read if hand is not None)
    cut = [one for one in entries if one.faces]
    crops = tuple(crop for one in random.sample(cut, min(len(cut), MOST_PHOTOS)) for crop in _crops(one))
    discards = tuple(one for entry in entries for one in entry.discards)
    if not hands and not crops and not discards:
        raise DrillError("trouble.nothing", path=path)
    return OwnHands(hands, crops, discards)


def _of_folder(folder: Path, random: Random) -> Iterator[_Entry]:
    """The files of records in a folder, and some of the photos that they do not mention. Unreadable files are
    skipped."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    lists = [file for file in files if file.suffix.lower() in _LISTS]
    photos = [file for file in files if file.suffix.lower() in PHOTO_SUFFIXES]
    if not photos and not lists:
        raise DrillError("trouble.empty", path=str(folder))
    named: set[Path] = set()
    for file in lists:
        try:
            for one in _of_list(file):
                named |= {one.photo.resolve()} if one.photo else set()
                yield one
        except DrillError:
            continue
    photos = [photo for photo in photos if photo.resolve() not in named]
    chosen = sorted(random.sample(photos, min(len(photos), MOST_PHOTOS)))
    for photo in track(chosen, description="reading photos", transient=True):
        try:
            yield _of_photo(photo)
        except Mistake:
            continue


def _of_file(file: Path) -> Iterator[_Entry]:
    if file.suffix.lower() in PHOTO_SUFFIXES:
        yield _of_photo(file)
        return
    log = _log(file)
    yield from _of_list(file) if log is None else _of_log(log)


def _log(file: Path) -> Log | None:
    """The game log in a file; None if it is another kind of file. Raises :class:`Mistake`."""
    try:
        return read_log(file.read_bytes())
    except OSError:
        return None
    except LogError as error:
        raise Mistake(str(error)) from None


def _of_log(log: Log) -> Iterator[_Entry]:
    """The hands won in a game, and its discards. Raises :class:`Mistake` for a game that cannot have been."""
    try:
        game = begun(log)
        for deal in log.deals:
            yield _Entry(deal.label, None, {}, discards=tuple(_discards(deal, game.names)))
            for record in event_of(deal, game.rules).get("hands", ()):
                yield _Entry(deal.label, None, record)
    except LogError as error:
        raise Mistake(str(error)) from None


def _discards(deal: Deal, names: Sequence[str]) -> Iterator[OwnDiscard]:
    round_ = seats_of(4)[deal.number // deal.players]
    for move, tiles, melds in Table(deal).choices():
        win = Win(False, deal.seat(move.player), round_)
        player = names[move.player]
        yield OwnDiscard(tiles, melds, win, move.tile, deal.players, f"{deal.label}, {player}", player)


def _of_photo(photo: Path) -> _Entry:
    """The reading of a photo. Raises :class:`Mistake` for a file that is none."""
    reading = read_photo(str(photo), None)
    faces = tuple(
        (tile.quad, tile.label)
        for tile in reading.tiles
        if tile.probability >= SURE and tile.source == "seen" and tile.label in FACES
    )
    finished = reading.hand if reading.status == "ok" else None
    return _Entry(photo.name, photo, finished or {}, faces)


def _of_list(file: Path) -> Iterator[_Entry]:
    """The entries of a file of hand records, readings or labels. The last line of a photo counts.

    Raises :class:`DrillError` for a file that is no JSON lines.
    """
    folder = file.parent
    entries: dict[str, _Entry] = {}
    for number, line in _lines(file):
        if isinstance(line.get("photos"), str):  # the first line of a journal of labels
            folder = file.parent / line["photos"]
        photo = next((line[key] for key in _PHOTO_KEYS if isinstance(line.get(key), str)), None)
        record = next((line[key] for key in _HAND_KEYS if isinstance(line.get(key), Mapping)), line)
        if "concealed" in record or isinstance(line.get("tiles"), list):
            name = photo or f"{file.name}:{number}"
            entries[name] = _Entry(
                Path(name).name, None if photo is None else folder / photo, record, _faces(line)
            )
        if _state(line) == _REJECTED:
            entries.pop(photo or "", None)
    yield from entries.values()


def _lines(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise DrillError("trouble.no_text", path=str(file)) from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                raise DrillError("trouble.no_json", path=str(file), line=number) from None
            if isinstance(value, Mapping):
                yield number, value


def _state(line: Mapping[str, Any]) -> object:
    """The state of a label; None for a line that is no label."""
    review = line.get("review")
    return review.get("state") if isinstance(review, Mapping) else None


def _faces(line: Mapping[str, Any]) -> tuple[tuple[Any, str], ...]:
    """The certain tiles of a reading or a line of a label file."""
    tiles = line.get("tiles")
    vouched = _state(line) in _BY_A_PERSON
    return tuple(
        (tile["quad"], tile["label"])
        for tile in (tiles if isinstance(tiles, list) else ())
        if isinstance(tile, Mapping)
        and tile.get("label") in FACES
        and isinstance(tile.get("quad"), list)
        and (vouched or _is_sure(tile))
    )


def _is_sure(tile: Mapping[str, Any]) -> bool:
    """Whether the face was read without doubt and is wholly visible."""
    shares = (tile.get("probability"), tile.get("visible"))
    return all(not isinstance(share, int | float) or share >= SURE for share in shares)


def _crops(entry: _Entry) -> Iterator[Crop]:
    """The upright crops of the faces; none if the photo does not exist."""
    import numpy as np

    from vision.faces import CropShape, cut
    from vision.image import PhotoError, load

    if entry.photo is None or not entry.photo.is_file():
        return
    try:
        photo = load(entry.photo)
        quads = np.array([quad for quad, _ in entry.faces], np.float32).reshape(-1, 4, 2)
        quads = (quads + 0.5) / photo.scale - 0.5  # a large photo is decoded at a part of its size
        pictures = cut(photo.pixels, quads, CropShape(WIDTH, HEIGHT, MARGIN))
    except (PhotoError, ValueError, OSError):
        return
    high = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1) >= _LEAST_HEIGHT
    for picture, (_, label), enough in zip(pictures, entry.faces, high, strict=True):
        if enough:
            yield Crop(Tile.parse(label), Image.fromarray(picture))
