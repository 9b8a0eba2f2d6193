"""Photos as a request sends them: read, several shots as one hand, a frame with advice. No HTTP here.

What decodes and looks at pixels is imported with the first photo: to score what is typed nobody waits for it.
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
"""One photo is decoded at a time: the largest that is let through takes 0.7 GB for a moment (a WebP)."""


def read_photo(reader: PhotoReader, photo: bytes, region: Region | None) -> Reading:
    """The photo read. Raises :class:`Refusal` for what is none."""
    return reader.read(_loaded(photo), region=region)


def see_frame(reader: PhotoReader, frame: bytes) -> dict[str, Any]:
    """What a frame of the live view shows, what 13 tiles there wait on, and what would make the next frame
    better."""
    from tehai.web.advice import advise

    photo = _loaded(frame)
    reading = reader.read_frame(photo)
    seen: dict[str, Any] = {**reading.to_record()}
    del seen["photo"]
    waits = [str(tile) for tile in from_reading(reading).hand_tiles.waits]
    return {**seen, "message": reading.message, "waits": waits, "advice": list(advise(photo, reading))}


_OF_A_HAND: Final = ("farther",)
"""Advice that holds for a hand alone: of a table, some tile is cut off in most frames."""


def see_table(reader: PhotoReader, frame: bytes) -> dict[str, Any]:
    """What a frame shows of a table at which a game is played: ``rivers``, as far as they are read, that of
    whoever sits nearest to the camera first; the rest as :func:`see_frame` has it."""
    from tehai.web.advice import advise

    photo = _loaded(frame)
    reading = reader.read_rivers(photo)
    seen: dict[str, Any] = {**reading.to_record()}
    del seen["photo"], seen["table"]
    advice = [one for one in advise(photo, reading) if one["id"] not in _OF_A_HAND]
    rivers = list(_rivers(reading))
    return {**seen, "message": reading.message, "waits": [], "advice": advice, "rivers": rivers}


def _rivers(reading: Reading) -> Iterator[dict[str, Any]]:
    """``seat``: whose discards; ``tiles``: which of the reading's, in order; ``turned``: which of them was
    surely turned for riichi, if one was."""
    if reading.table is None:
        return
    tiles: dict[str, list[int]] = {each.seat: list(each.river.tiles) for each in reading.table if each.river}
    for found in table_rivers(reading, len(SEATS)):
        turned = found.turned if found.turned in found.places else None  # one without a face may be anything
        yield {"seat": found.who, "tiles": tiles[found.who], "turned": turned}


def _loaded(photo: bytes) -> Photo:
    """The photo decoded. Its size is known before its pixels are, and too many are refused."""
    from vision.image import PhotoError, load

    try:
        with _DECODING:
            return load(photo)
    except PhotoError as error:
        raise Refusal(422, "bad_photo", capitalised(error), why=error.why) from None


def with_shots(scored: dict[str, Any], readings: Sequence[Reading], merged: Merged) -> dict[str, Any]:
    """The score with where each tile is to be seen: ``photo`` is the shot that the reading's quads refer to,
    but for tiles that only another shot shows. ``doubtful``: whether its face is in doubt. ``in_doubt``:
    whether anything is, or the whole is less than sure."""
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
