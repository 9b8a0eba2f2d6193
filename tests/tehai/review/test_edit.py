"""What a person says, as a revision: what is kept, what is made anew, what is refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from tehai.errors import Mistake
from tehai.hand.sample import sample_path
from tehai.label.journal import Line
from tehai.review.edit import Inspector, Review, Reviewed, parse_review, quad_of, revised
from tehai.review.reader_protocol import AWAY, PhotoInspector
from tests.tehai.label.lines import photo, tile
from tests.tehai.review.conftest import FakeReader
from vision import image
from vision.reader import Engine, Reader
from vision.reading import Reading

FIRST = photo("a.jpg", tile("1m"), tile("2m", 200), hand={"concealed": "12m"})


def reviewed(line: Line, labels: dict[int, str] | None = None) -> tuple[Reviewed, ...]:
    return tuple(
        Reviewed(quad_of(one), (labels or {}).get(at, one["label"])) for at, one in enumerate(line["tiles"])
    )


BLIND = PhotoInspector(FakeReader(), lambda: None)
"""Nobody looks: what is asked for needs no network, or the photo is away."""


def noise() -> image.Photo:
    """A photo of the size that lines have."""
    return image.load(np.random.default_rng(0).integers(0, 255, (480, 640, 3), np.uint8))


def review(
    *history: Line,
    state: str = "accepted",
    tiles: tuple[Reviewed, ...] | None = None,
    part: bool = False,
    back: int = 0,
    inspector: Inspector = BLIND,
) -> Line:
    asked = Review(history[-1]["revision"], state, "bob", tiles, part, back)
    return revised(history, asked, "b.jpg", inspector)


def test_accepting_changes_nothing_but_who_and_when() -> None:
    line = review(FIRST)
    assert (line["revision"], line["path"]) == (2, "b.jpg")
    assert line["review"].items() >= {"state": "accepted", "by": "bob"}.items()
    assert (line["tiles"], line["hand"]) == (FIRST["tiles"], FIRST["hand"])
    assert review(FIRST, tiles=reviewed(FIRST)[::-1])["review"]["state"] == "accepted", "in any order"


def test_corners_finer_than_the_page_sends_them_are_the_same() -> None:
    fine = [[100.123, 100.04], [130.0, 103.26], [127.0, 143.0], [97.0, 140.0]]
    line = photo("a.jpg", tile("1m", quad=fine))
    body = {"after": 1, "state": "accepted", "tiles": [{"quad": fine, "label": "1m"}]}
    saved = revised([line], parse_review(body, "anna"), "a.jpg", BLIND)
    assert saved["review"]["state"] == "accepted" and saved["tiles"] == line["tiles"]


def test_corrected_is_what_differs_from_what_came() -> None:
    corrected = review(FIRST, tiles=reviewed(FIRST, {0: "3m"}))
    assert corrected["review"]["state"] == "corrected"
    again = review(FIRST, corrected)
    assert again["review"]["state"] == "corrected", "somebody who agrees does not make the models right"
    assert review(FIRST, corrected, tiles=reviewed(FIRST))["review"]["state"] == "accepted"
    assert review(FIRST, state="rejected", tiles=reviewed(FIRST, {0: "3m"}))["review"]["state"] == "rejected"


def test_a_tile_keeps_what_the_network_saw_under_its_new_label() -> None:
    line = review(FIRST, tiles=reviewed(FIRST, {0: "back", 1: "7z"}))
    known, unknown = line["tiles"]
    assert (known["label"], known["source"]) == ("back", "person")
    assert (known["probability"], known["margin"]) == (0.03, -0.93)
    assert (unknown["probability"], unknown["margin"]) == (0.0, -0.96)
    assert unknown["top3"] == FIRST["tiles"][1]["top3"]
    imported = photo("a.jpg", tile("1m", top3=[], margin=None, probability=1.0, source="imported"))
    (other,) = review(imported, tiles=reviewed(imported, {0: "2m"}))["tiles"]
    assert (other["probability"], other["margin"], other["source"]) == (1.0, None, "person")


def test_new_and_moved_tiles_are_looked_at_once() -> None:
    moved = Reviewed(((132, 103), (162, 106), (159, 146), (129, 143)), "2m")
    tiles = (reviewed(FIRST)[0], moved)
    seeing = PhotoInspector(FakeReader("4s"), noise)
    line = review(FIRST, tiles=tiles, inspector=seeing)
    assert line["tiles"][0] == {**FIRST["tiles"][0], "role": "hand"}, "what its place says is said anew"
    fresh = line["tiles"][1]
    assert (fresh["label"], fresh["source"], fresh["top3"][0]) == ("2m", "person", ["4s", 0.9])
    assert quad_of(fresh) == moved.quad
    away = review(FIRST, tiles=tiles)["tiles"][1]
    assert (away["label"], away["source"], away["margin"], away["top3"]) == ("2m", "person", None, [])
    back = review(FIRST, line, tiles=reviewed(FIRST), inspector=seeing)
    assert back["tiles"] == FIRST["tiles"] and back["hand"] == FIRST["hand"], "the old hand comes with them"


def test_a_photo_goes_back_only_to_what_it_was() -> None:
    auto = {**FIRST, "revision": 2, "review": {"state": "auto", "by": "anna", "at": "…", "margin": 0.9}}
    corrected = review(FIRST, auto, tiles=reviewed(FIRST, {0: "3m"}))
    back = review(FIRST, auto, corrected, state="auto", tiles=reviewed(FIRST))
    assert back["revision"] == 4 and back["tiles"] == FIRST["tiles"]
    assert back["review"].items() >= {"state": "auto", "by": "bob", "margin": 0.9}.items()
    assert review(FIRST, auto, corrected, state="unreviewed", tiles=reviewed(FIRST))["review"].keys() == {
        "state", "by", "at",
    }  # fmt: skip
    with pytest.raises(Mistake, match="never unreviewed"):
        review(FIRST, auto, corrected, state="unreviewed")
    with pytest.raises(Mistake, match="never imported"):
        review(FIRST, state="imported")


def test_what_was_looked_at_in_part_stays_so_until_somebody_looks_at_the_whole() -> None:
    tiles = reviewed(FIRST, {0: "3m"})
    part = review(FIRST, tiles=tiles, part=True)
    assert part["review"]["part"] and part["review"]["state"] == "corrected"
    whole = review(FIRST, part)
    assert "part" not in whole["review"] and whole["review"]["state"] == "corrected"
    back = review(FIRST, part, tiles=reviewed(FIRST), part=True, back=1)["review"]
    assert back.items() >= {"state": "unreviewed", "by": "bob"}.items() and "part" not in back
    again = review(FIRST, part, whole, back=2)["review"]
    assert again["part"] and again["state"] == "corrected", "nobody has looked at the whole any more"
    by_hand = review(FIRST, whole, tiles=reviewed(FIRST), part=True)["review"]
    assert by_hand["state"] == "accepted", "a label that a person gives is never again one that nobody saw"
    with pytest.raises(Mistake, match="no revision 3"):
        review(FIRST, part, back=3)
    assert "part" not in review(FIRST, part, whole, tiles=reviewed(FIRST, {1: "4m"}), part=True)["review"]


# --- the hand, made anew ---


def test_tiles_have_the_roles_and_the_hand_that_they_have_together() -> None:
    reader = FakeReader()
    line = review(FIRST, tiles=reviewed(FIRST, {1: "3m"}), inspector=PhotoInspector(reader, noise))
    assert reader.said == [["1m", "3m"]], "a label is what is said, not what is seen"
    assert [(one["label"], one["role"]) for one in line["tiles"]] == [("1m", "hand"), ("3m", "hand")]
    known = {"concealed": "seen", "melds": "seen"}
    assert line["hand"] == {"concealed": "1m3m", "melds": [], "known": known}
    assert (line["status"], line["message"]) == ("incomplete", "2 tiles, but a finished hand has 14.")
    assert (line["confidence"], line["doubts"]) == (None, []), "nobody doubts what a person says"


def test_no_network_puts_words_in_a_persons_mouth() -> None:
    line = review(FIRST, tiles=reviewed(FIRST, {0: "?"}), inspector=PhotoInspector(FakeReader(), noise))
    assert (line["hand"], line["status"]) == (None, "incomplete")
    assert line["message"] == "Tiles of the hand cannot be read: no hand record was made."
    assert [(one["label"], one["role"]) for one in line["tiles"]] == [("?", "hand"), ("2m", "hand")]


def test_a_tile_that_is_no_part_of_the_hand_may_be_unreadable() -> None:
    @dataclass(slots=True)
    class Second(FakeReader):
        def read_tiles(self, *of: Any) -> Reading:
            reading = FakeReader.read_tiles(self, *of)
            first, second = reading.tiles
            return replace(reading, tiles=(replace(first, role="other"), second))

    line = review(FIRST, tiles=reviewed(FIRST, {0: "?"}), inspector=PhotoInspector(Second(), noise))
    assert [(one["label"], one["role"]) for one in line["tiles"]] == [("?", "other"), ("2m", "hand")]
    assert line["hand"] is not None


def test_where_the_photo_is_away_tiles_keep_their_roles_and_make_no_hand() -> None:
    first = {**FIRST, "tiles": [tile("1m", role="win"), tile("2m", 200, role="hand")]}
    line = review(first, tiles=reviewed(first, {1: "3m"}))
    assert [(one["label"], one["role"]) for one in line["tiles"]] == [("1m", "win"), ("3m", "hand")]
    assert (line["hand"], line["status"], line["message"]) == (None, "incomplete", AWAY)
    back = review(
        first, line, tiles=reviewed(first, {1: "4m"}), inspector=PhotoInspector(FakeReader(), noise)
    )
    assert back["hand"]["concealed"] == "1m4m" and back["message"] != AWAY


@pytest.fixture(scope="module")
def real() -> Reader:
    return Reader(Engine(threads=1))


def test_a_wrong_label_is_put_right_and_the_hand_made_anew(real: Reader) -> None:
    read = real.read(sample_path())
    inspector = PhotoInspector(real, partial(image.load, sample_path()))
    tiles = [
        tile(one.label, quad=[[*corner] for corner in one.quad], role=one.role, sideways=one.sideways)
        for one in read.tiles
    ]
    true = photo("a.jpg", *tiles, width=read.width, height=read.height)
    at = next(k for k, one in enumerate(tiles) if (one["label"], one["role"]) == ("3m", "hand"))
    wrong = {**true, "tiles": [{**one, "label": "9m"} if k == at else one for k, one in enumerate(tiles)]}
    fixed = review(wrong, tiles=reviewed(true), inspector=inspector)
    assert read.hand is not None and fixed["hand"] == {**read.hand, "known": read.known}
    assert (fixed["status"], fixed["message"]) == ("ok", "")
    assert [one["role"] for one in fixed["tiles"]] == [one["role"] for one in tiles]
    spoilt = review(true, tiles=reviewed(wrong), inspector=inspector)
    assert [one["label"] for one in spoilt["tiles"]] == [one["label"] for one in wrong["tiles"]]
    assert spoilt["status"] == "incomplete"
    assert review(wrong, tiles=reviewed(true, {at: "?"}), inspector=inspector)["hand"] is None


@pytest.mark.parametrize(("count", "side"), [(1, 40), (2, 40), (60, 40), (3, 6)])
def test_tiles_anywhere_can_be_arranged(real: Reader, count: int, side: int) -> None:
    places = [(5 + 60 * (at % 10), 5 + 70 * (at // 10)) for at in range(count)]
    quads = [[[x, y], [x + side, y], [x + side, y + side], [x, y + side]] for x, y in places]
    arranged = PhotoInspector(real, noise).arrange([tile("1m", quad=quad) for quad in quads])
    assert [one["label"] for one in arranged["tiles"]] == ["1m"] * count
    assert arranged["status"] == "incomplete" and arranged["message"]


def test_nothing_left_is_no_hand() -> None:
    line = review(FIRST, tiles=())
    assert (line["tiles"], line["hand"], line["status"]) == ([], None, "error")
    assert line["review"]["state"] == "corrected"


@pytest.mark.parametrize(
    ("quad", "complaint"),
    [
        ([[100, 100], [100, 140], [130, 140], [130, 100]], "do not run clockwise"),
        ([[100, 100], [130, 140], [130, 100], [100, 140]], "do not run clockwise"),
        ([[100, 100], [100, 100], [100, 100], [100, 100]], "do not run clockwise"),
        ([[900, 100], [930, 100], [930, 140], [900, 140]], "lies half outside"),
    ],
)
def test_corners_that_are_no_tiles_are_refused(quad: list[list[float]], complaint: str) -> None:
    body = {"after": 1, "state": "accepted", "tiles": [{"quad": quad, "label": "1m"}]}
    wanted = parse_review(body, "anna")
    with pytest.raises(Mistake, match=complaint):
        revised([FIRST], wanted, "a.jpg", BLIND)


def test_odd_corners_that_are_there_already_hinder_nobody() -> None:
    line = photo("a.jpg", tile("1m", quad=[[1, 1], [1, 9], [9, 9], [9, 1]]), tile("2m", 200))
    assert review(line, tiles=reviewed(line, {1: "3m"}))["review"]["state"] == "corrected"


GOOD = {"after": 1, "state": "accepted", "tiles": [{"quad": tile("1m")["quad"], "label": "1m"}]}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"after": "1"}, "after is the number"),
        ({"after": True}, "after is the number"),
        ({"after": None}, "after is the number"),
        ({"state": "done"}, "state is one of accepted, corrected"),
        ({"state": None}, "state is one of"),
        ({"tiles": {}}, "tiles is a list"),
        ({"tiles": [{}] * 1001}, "at most 1000"),
        ({"tiles": ["1m"]}, "tile 1 is no object"),
        ({"tiles": [{"quad": [[1, 2]], "label": "1m"}]}, "tile 1: a quad is four corners"),
        ({"tiles": [{"quad": [[1, 2], [3, 4], [5, 6], [7, float("nan")]], "label": "1m"}]}, "four corners"),
        ({"tiles": [{"quad": [[1, 2], [3, 4], [5, 6], [7, "x"]], "label": "1m"}]}, "four corners"),
        ({"tiles": [{"quad": 5, "label": "1m"}]}, "four corners"),
        ({"tiles": [{"quad": dict.fromkeys(["12", "34", "56", "78"]), "label": "1m"}]}, "four corners"),
        ({"tiles": [{"quad": [[1, 2], [3, 4], [5, 6], [7, 10**400]], "label": "1m"}]}, "four corners"),
        ({"tiles": [{"quad": tile("1m")["quad"], "label": "none"}]}, "labelled 'none'; a label is one of 1m"),
        ({"tiles": [{"quad": tile("1m")["quad"], "label": ["1m"]}]}, "a label is one of"),
        ({"back": "1"}, "back is the number"),
        ({"back": 0}, "back is the number"),
        ({"by": ""}, "by is a name"),
        ({"by": 5}, "by is a name"),
        ({"by": "a\nb"}, "by is a name"),
        ({"by": "x" * 81}, "by is a name of at most 80"),
    ],
)
def test_what_is_no_review_is_said(changes: dict[str, Any], complaint: str) -> None:
    assert parse_review(GOOD, "anna").by == "anna"
    with pytest.raises(Mistake, match=complaint):
        parse_review({**GOOD, **changes}, "anna")
