"""``tehai read``: every tile of photos, printed or drawn."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from tehai.errors import Mistake
from tehai.hand import inputs
from tehai.terminal.show import print_reading
from vision.observer import no_observer

Line = Callable[[str], object]


def read_all(
    photos: Sequence[str],
    region: str | None,
    drawing: Path | None,
    trace: Path | None,
    console: Console,
    write: Line | None,
    complain: Line,
) -> bool:
    """Read photos one after another; whether all could be read. What cannot be is told by ``complain``.

    ``drawing``: where the photo goes with its tiles drawn, a folder for several. ``trace``: the folder for
    pictures of every stage. ``write``: takes a line of JSON a photo, instead of the console. Raises
    :class:`Mistake` for a region that is none and for a folder that cannot be made.
    """
    where = None if region is None else inputs.parse_region(region)
    drawings = None
    if drawing is not None:
        from tehai.terminal.picture import Drawings  # which needs OpenCV, as reading does not

        drawings = Drawings(photos, drawing)
    observer = no_observer if trace is None else inputs.tracing(trace)
    right = True
    for photo in photos:
        try:
            reading = inputs.read_photo(photo, where, observer)
        except Mistake as mistake:
            right = False
            if write is not None:
                write(_json({"photo": photo, "status": "error", "message": str(mistake)}))
            complain(str(mistake))
            continue
        if write is not None:
            write(_json(reading.to_record()))
        elif reading.status == "error":
            complain(f"{photo}: {reading.message}")
        else:
            print_reading(console, reading)
        right = right and reading.status != "error"
        if drawings is not None:
            drawings.save(photo, reading)
    return right


def _json(record: object) -> str:
    return json.dumps(record, ensure_ascii=False)
