"""Why a photo is in the queue, and how far in front."""

from __future__ import annotations

from typing import Any

import pytest

from tehai.review.hardness import hardness, in_doubt, reasons
from tests.tehai.label.lines import photo, tile

HAND = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "1z", "1z", "1z", "5z", "5z"]


def row(labels: list[str], role: str = "hand") -> list[dict[str, Any]]:
    return [tile(label, 10 + 40 * at, role=role) for at, label in enumerate(labels)]


def heap(*labels: str) -> list[dict[str, Any]]:
    return row(list(labels), "other")


def unsure(margin: float | None, label: str = "3m", other: str = "5m", **fields: Any) -> dict[str, Any]:
    return tile(label, 400, 300, margin=margin, top3=[[label, 0.5], [other, 0.4], ["none", 0.1]], **fields)


def why(
    line: dict[str, Any], model: list[dict[str, Any]] | None = None, **known: bool
) -> dict[str, list[str]]:
    """The sentences by reason."""
    found: dict[str, list[str]] = {}
    for reason in reasons(line, model, **known):
        found.setdefault(reason.id, []).append(reason.text)
    return found


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        (heap("1m", "9p"), {}),
        (row(HAND), {}),
        (row(HAND[:13]), {}),
        (heap(*["3p"] * 5), {"copies": ["5 tiles are labelled 3p, but there are only 4."]}),
        (heap("0s", "0s"), {"copies": ["2 tiles are labelled 0s, but there is only one."]}),
        (heap(*["5s"] * 4, "0s"), {"copies": ["5 tiles are labelled 5s, but there are only 4."]}),
        (row(["1m", "2m", "4m"], "meld:0"), {"rule": ["1m 2m 4m (meld:0) is no meld."], "count": [
            "The hand has 3 tiles, a kan counted as three: 13 or 14 are wanted."]}),
        (row([*HAND[:13], "6z"]), {"rule": ["The hand has 14 tiles, but they make no finished hand."]}),
        (row(HAND[:12]), {"count": ["The hand has 12 tiles, a kan counted as three: 13 or 14 are wanted."]}),
        ([tile("1m"), tile("2m", 102, 101)], {"rule": ["Tiles 1 and 2 (1m, 2m) lie in one place."]}),
        ([tile("1m", quad=[[10, 10], [10, 50], [40, 50], [40, 10]])],
         {"rule": ["The corners of tile 1 (1m) do not run clockwise around it."]}),
        ([tile("1m", 640, 100)], {"rule": ["Tile 1 (1m) lies half outside the photo."]}),
        ([tile("1m", 625, 100)], {}),
        ([unsure(0.1)], {"margin": ["In doubt is tile 1: 3m, which could be 5m (margin 0.10)."]}),
        ([tile("1m"), unsure(0.1), tile("2m", 200, margin=0.5)],
         {"margin": ["2 tiles are in doubt, above all tile 2: 3m, which could be 5m (margin 0.10)."]}),
        ([unsure(-0.2)], {"margin": ["In doubt is tile 1: 3m, which looks more like 5m (margin -0.20)."]}),
        ([unsure(-0.2, "back", "none")],
         {"margin": ["In doubt is tile 1: back, which looks more like no tile (margin -0.20)."]}),
        ([unsure(-0.9, "?")], {"unread": ["1 tile could not be read."]}),
        ([unsure(None)], {}),
    ],
)  # fmt: skip
def test_each_reason_has_its_sentence(tiles: list[dict[str, Any]], expected: dict[str, list[str]]) -> None:
    assert why(photo("a.jpg", *tiles)) == expected


CLOSED = ["1m", "2m", "3m", "0p", "5p", "5p", "9s"]


def test_a_finished_hand_with_melds_and_a_kan_passes() -> None:
    melds = row(["6z"] * 4, "meld:0") + [
        tile(f, 50 + 40 * k, 300, role="meld:1") for k, f in enumerate(["2s", "3s", "4s"])
    ]
    closed = [tile(f, 50 + 40 * k, 200, role="hand") for k, f in enumerate(CLOSED)]
    line = photo("a.jpg", *melds, *closed, tile("9s", 500, 200, role="win"))
    assert why(line) == {}


def test_what_cannot_be_read_says_why() -> None:
    assert why(photo("a.jpg", status="error", message="No tiles.")) == {"unread": ["No tiles."]}
    assert why(photo("a.jpg", status="error", message="There are no tiles.", state="corrected")) == {}


def test_where_models_and_person_differ() -> None:
    model = [tile("1m"), tile("2m", 200), tile("3m", 300), tile("9z", 400)]
    reviewed = [tile("1m"), tile("5m", 200), tile("6p", 500)]
    line = photo("a.jpg", *reviewed, state="corrected")
    assert why(line, model) == {
        "disagree": [
            "The models read 2m where it is labelled 5m (tile 2).",
            "The models did not see 1 of the tiles that are labelled.",
            "The models saw 2 more than are labelled.",
        ]
    }
    assert why(line, reviewed) == {}


def test_what_a_person_has_settled_is_in_doubt_no_more() -> None:
    for state in ("accepted", "corrected"):
        line = photo("a.jpg", unsure(0.1), state=state)
        assert why(line) == {} and hardness(line, ()) == 0
    assert "margin" in why(photo("a.jpg", unsure(0.1), state="imported"))
    part = photo("a.jpg", unsure(0.1), state="corrected")
    part["review"]["part"] = True
    assert "margin" in why(part) and hardness(part, ()) > 0.4
    reviewed = {**part, "tiles": [unsure(-0.9, source="person"), tile("1m")]}
    assert not in_doubt(reviewed["tiles"][0]) and why(reviewed) == {} and hardness(reviewed, ()) < 0.05


def test_rejected_photos_have_no_reasons() -> None:
    line = photo("a.jpg", *heap(*["3p"] * 5), state="rejected")
    assert why(line, [tile("1m")]) == {} and hardness(line, ()) == 0


def test_the_harder_one_comes_first() -> None:
    """Five of a tile before a hand that is none, before what people and models see differently, before ever
    surer tiles."""
    lines = [
        photo("copies", *heap(*["3p"] * 5)),
        photo("rule", *row([*HAND[:13], "6z"])),
        photo("several in doubt", unsure(0.2), tile("2m", margin=0.3)),
        photo("one in doubt", unsure(0.2)),
        photo("less in doubt", unsure(0.5)),
        photo("sure", tile("1m", margin=0.9)),
        photo("surer", tile("1m", margin=0.95)),
    ]
    harder = [hardness(line, tuple(reasons(line))) for line in lines]
    assert harder == sorted(harder, reverse=True) and len(set(harder)) == len(harder)
    assert 0 < harder[-1] < 0.03 and harder[0] < 1


def test_being_drawn_is_a_reason() -> None:
    line = photo("a.jpg", tile("1m"), state="auto")
    assert list(why(line, drawn=True)) == ["check"]
    drawn = hardness(line, tuple(reasons(line, drawn=True)))
    assert drawn > 0.5 > hardness(line, ())


def doubting(*kinds: str, confidence: float | None = 0.6) -> dict[str, Any]:
    """A sure row whose reading has these doubts."""
    doubts = [{"kind": kind, "tiles": [], "text": f"A {kind}.", "instead": None} for kind in kinds]
    sure = [tile(label, 10 + 40 * at, role="hand", margin=0.95) for at, label in enumerate(HAND)]
    return photo("a.jpg", *sure, confidence=confidence, doubts=doubts)


def test_what_the_reading_doubts_is_a_reason() -> None:
    """But for faces, which their margins tell of."""
    assert why(doubting("hand", "face", "win")) == {"doubt": ["A hand.", "A win."]}
    assert why({**doubting("hand"), "review": {"state": "accepted"}}) == {}


def test_a_photo_is_no_easier_than_its_confidence() -> None:
    for line, least in ((doubting("win"), 0.4), (doubting(confidence=0.9), 0.1)):
        assert hardness(line, tuple(reasons(line))) == pytest.approx(least)
    sure, unknown = doubting(confidence=0.999), doubting(confidence=None)
    assert hardness(sure, ()) == hardness(unknown, ()) < 0.1
    accepted = {**doubting("win"), "review": {"state": "accepted"}}
    assert hardness(accepted, ()) == 0
