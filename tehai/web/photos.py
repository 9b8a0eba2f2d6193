"""Photos of a request: read, several shots merged, a frame with advice. No HTTP here.

The modules that decode photos are imported with the first photo, so that typed hands need not wait.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from tehai.hand.doubts import in_doubt
from tehai.hand.inputs import from_reading
from tehai.hand.rivers import table_rivers
from tehai.output.join import capitalised
from tehai.server.answers import Refusal
from tehai.web.merge import Merged
from tehai.web.worker_pool import PhotoReader
from vision.players import SEATS
from vision.reading import Reading, Region

if TYPE_CHECKING:
    from vision.image import Photo

_DECODING: Final = Lock()
"""Photos are decoded one at a time: the largest allowed one, a WebP, takes 0.7 GB for a moment."""


def read_photo(reader: PhotoReader, photo: bytes, region: Region | None) -> Reading:
    """The reading of a photo. Raises :class:`Refusal` if it is none."""
    return reader.read(_loaded(photo), region=region)


def see_frame(reader: PhotoReader, frame: bytes) -> dict[str, Any]:
    """What a frame of the live view shows, the waits of 13 tiles, and advice for the next frame."""
    from tehai.web.advice import advise

    photo = _loaded(frame)
    reading = reader.read_frame(photo)
    seen: dict[str, Any] = {**reading.to_record()}
    del seen["photo"]
    waits = [str(tile) for tile in from_reading(reading).hand_tiles.waits]
    return {**seen, "message": reading.message, "waits": waits, "advice": list(advise(photo, reading))}


_OF_A_HAND: Final = ("farther",)
"""Advice for hands alone: in a picture of the table some tile is nearly always cut off."""


def see_table(reader: PhotoReader, frame: bytes) -> dict[str, Any]:
    """What a frame of the table during a game shows, as :func:`see_frame`, with ``rivers``.

    The river nearest to the camera comes first.
    """
    from tehai.web.advice import advise

    photo = _loaded(frame)
    reading = reader.read_rivers(photo)
    seen: dict[str, Any] = {**reading.to_record()}
    del seen["photo"], seen["table"]
    advice = [one for one in advise(photo, reading) if one["id"] not in _OF_A_HAND]
    rivers = list(_rivers(reading))
    return {**seen, "message": reading.message, "waits": [], "advice": advice, "rivers": rivers}


def _rivers(reading: Reading) -> Iterator[dict[str, Any]]:
    """``seat``: the player. ``tiles``: indices into the reading's tiles, in order. ``turned``: the index of
    the tile that was certainly turned for riichi, if any."""
    if reading.table is None:
        return
    tiles: dict[str, list[int]] = {each.seat: list(each.river.tiles) for each in reading.table if each.river}
    for found in table_rivers(reading, len(SEATS)):
        turned = found.turned if found.turned in found.places else None  # one without a face may be anything
        yield {"seat": found.who, "tiles": tiles[found.who], "turned": turned}


def _loaded(photo: bytes) -> Photo:
    """The decoded photo. One with too many pixels is refused before it is decoded."""
    from vision.image import PhotoError, load

    try:
        with _DECODING:
            return load(photo)
    except PhotoError as error:
        raise Refusal(422, "bad_photo", capitalised(error), why=error.why) from None


def with_shots(scored: dict[str, Any], readings: Sequence[Reading], merged: Merged) -> dict[str, Any]:
    """The score with the place of each tile.

    ``photo``: the shot of the reading's quads; a tile that only another shot shows names that one.
    ``doubtful``: whether a face is in doubt. ``in_doubt``: whether anything is, or the whole reading is
    uncertain.
    """
    read = merged.reading
    faces = {at for doubt in read.doubts if doubt.kind == "face" for at in doubt.tiles}
    for at, (tile, shot) in enumerate(zip(scored["reading"]["tiles"], merged.shots, strict=True)):
        tile |= {"photo": shot, "doubtful": at in faces}
    base = readings[merged.base]
    return {
        **scored,
        "in_doubt": in_doubt(read.doubts, read.confidence),
        "photo": {"index": merged.base, "width": base.width, "height": base.height},
        "photos": [{"width": one.width, "height": one.height, "status": one.status} for one in readings],
        "unlike": list(merged.unlike),
    }
