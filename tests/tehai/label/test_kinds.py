"""What the index beside a journal keeps of a photo is known by a number, not by the program that finds it: a
new version that finds the same leaves the index as it is."""

from __future__ import annotations

import base64
import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

from tehai.label import duplicates, journal, stats
from tehai.label.journal import Kind
from tehai.review import queue
from tests.tehai.label.lines import photo, tile, write
from vision.labels import FACES

FOUND = {
    "layout 2": "028c9f376558b11a",
    "points 1": "e16c30a4160ab8bc",
    "queue 1": "e0685b6b88f9adf3",
    "stats 1": "e70c137d459f4fa4",
}
"""What is found of the photos below. Where it is meant to be something else, raise the kind's number."""


def table(seed: int, **fields: Any) -> journal.Line:
    """Tiles in rows that are not quite straight, some of them in doubt, some against the rules."""
    draw = random.Random(seed)
    tiles = [
        tile(
            FACES[draw.randrange(len(FACES) if at % 3 else 4)],
            40 + 41.0 * (at % 12) + at,
            30 + 57.0 * (at // 12) + draw.randrange(9),
            margin=draw.randrange(-10, 100) / 100,
            role="hand" if at < 14 else "meld:1" if at < 17 else "other",
        )
        for at in range(40)
    ]
    points = base64.b64encode(draw.randbytes(20 * 30)).decode("ascii")
    return photo(f"{seed}.jpg", *tiles, points=points, **fields)


def reviewed(line: journal.Line, revision: int, state: str, by: str, **fields: Any) -> journal.Line:
    review = {"state": state, "by": by, "at": "2026-01-01T00:00:00+00:00"}
    return {**line, "revision": revision, "review": review, **fields}


@pytest.mark.parametrize(
    "kind", [duplicates.KIND, duplicates.POINTS, queue.KIND, stats.KIND], ids=lambda kind: kind.name
)
def test_what_is_found_of_a_photo_changes_with_its_number_alone(kind: Kind, tmp_path: Path) -> None:
    lines = [table(seed, confidence=0.9, doubts=[]) for seed in range(6)]
    said = [
        reviewed(lines[0], 2, "corrected", "anna"),
        reviewed(lines[0], 3, "accepted", "ben", tiles=lines[1]["tiles"]),
        reviewed(lines[2], 2, "auto", "models"),
        reviewed(lines[3], 2, "rejected", "ben"),
        reviewed(lines[4], 2, "corrected", "ben", tiles=lines[4]["tiles"][1:]),
    ]
    whole = hashlib.sha256()
    with journal.reading(write(tmp_path, *lines, *said, photo("plain.jpg"))) as opened:
        for key, _, ((value, more),) in opened.facts(kind):
            whole.update(json.dumps([key, value, more.hex()]).encode())
    assert whole.hexdigest()[:16] == FOUND.get(kind.name)
