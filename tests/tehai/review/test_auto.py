"""Accepting by margins: what may be, what is still shown, and how often it was wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tehai.label import journal
from tehai.label.journal import Line
from tehai.review import auto
from tehai.review.queue import Wanted, is_drawn
from tehai.review.store import Store
from tests.tehai.label.lines import photo, tile, write
from tests.tehai.review.conftest import Opening, key_of


@pytest.mark.parametrize(
    ("wrong", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_as_published(wrong: int, of: int, low: float, high: float) -> None:
    """Newcombe 1998, Statistics in Medicine 17, table I, method 3."""
    assert auto.wilson(wrong, of) == pytest.approx((low, high), abs=5e-5)
    assert auto.wilson(of - wrong, of) == pytest.approx((1 - high, 1 - low), abs=5e-5)


NAMES = [f"{number}.jpg" for number in range(200)]
DRAWN = [name for name in NAMES if is_drawn(key_of(name))][:4]
OTHERS = [name for name in NAMES if not is_drawn(key_of(name))][:4]


def sure(name: str, **fields: Any) -> Line:
    return photo(name, tile("1m", margin=0.9), tile("2m", 200, margin=0.95), **fields)


def report(store: Store, margin: float = 0.9) -> dict[str, Any]:
    with store.up_to_date() as queue:
        return auto.report(queue, margin)


@pytest.mark.parametrize(
    "line",
    [
        photo("x.jpg", tile("1m", margin=0.89), tile("2m", 200)),
        photo("x.jpg", *(tile("1m", 40 * at, margin=0.95) for at in range(5))),
        photo("x.jpg", tile("1m"), tile("2m", 101, 101)),
        photo("x.jpg", *(tile(face, 40 * k, role="meld:0") for k, face in enumerate(["1m", "2m", "5m"]))),
        photo("x.jpg", tile("?", margin=0.95)),
        photo("x.jpg", status="error", message="No tiles."),
        photo("x.jpg"),
        sure("x.jpg", state="imported"),
        sure("x.jpg", state="rejected"),
        sure("x.jpg", state="accepted"),
    ],
)
def test_what_is_unsure_breaks_a_rule_or_is_touched_is_left_alone(
    tmp_path: Path, opening: Opening, line: Line
) -> None:
    store = opening(write(tmp_path, line, sure("y.jpg")))
    assert report(store)["eligible"] == 1
    auto.accept(store, 0.9, "anna")
    assert store.photo(key_of("x.jpg"))["revision"] == 1
    accepted = store.photo(key_of("y.jpg"))
    assert accepted["review"].items() >= {"state": "auto", "by": "anna", "margin": 0.9}.items()
    assert accepted["tiles"] == sure("y.jpg")["tiles"]
    found = report(store)
    assert (found["eligible"], found["accepted"]) == (0, 1)


def test_those_drawn_are_still_shown(tmp_path: Path, opening: Opening) -> None:
    store = opening(write(tmp_path, *map(sure, [*DRAWN, *OTHERS])))
    auto.accept(store, 0.9, "anna")
    with store.up_to_date() as queue:
        shown = queue.select(Wanted())[0]
        assert set(shown) == set(map(key_of, DRAWN))
        assert queue.select(Wanted(kind="check"))[0] == shown
    found = report(store)
    assert (found["accepted"], found["drawn"], found["checked"]) == (8, 4, 0)
    assert found["error_rate"] is None and found["interval"] is None


def test_the_error_is_measured_on_those_drawn_and_checked(tmp_path: Path, opening: Opening) -> None:
    store = opening(write(tmp_path, *map(sure, [*DRAWN, *OTHERS])))
    auto.accept(store, 0.9, "anna")
    reviews = [
        [tile("1m"), tile("2m", 200)],
        [tile("1m"), tile("3m", 200), tile("9p", 300)],  # one label wrong, one tile missed
        [tile("1m")],  # one too many
    ]
    for name, tiles in zip(DRAWN, reviews, strict=False):
        check(store, name, tiles=tiles)
    check(store, OTHERS[0], tiles=[tile("7z")])
    found = report(store)
    assert (found["drawn"], found["checked"], found["wrong_photos"]) == (4, 3, 2)
    assert (found["wrong_tiles"], found["tiles_checked"]) == (3, 7)
    assert found["error_rate"] == pytest.approx(3 / 7) and found["interval"] == auto.wilson(3, 7)
    check(store, DRAWN[3], state="rejected")
    found = report(store)
    assert (found["checked"], found["wrong_photos"], found["tiles_checked"]) == (4, 3, 7)


def test_looking_at_some_tiles_or_going_back_is_no_check(tmp_path: Path, opening: Opening) -> None:
    store = opening(write(tmp_path, sure(DRAWN[0])))
    auto.accept(store, 0.9, "anna")
    check(store, DRAWN[0], tiles=[tile("3m")], part=True)
    assert report(store)["checked"] == 0
    check(store, DRAWN[0])
    assert report(store)["checked"] == 1
    check(store, DRAWN[0], state="auto")
    assert report(store)["checked"] == 0 and report(store)["drawn"] == 1


def check(store: Store, name: str, state: str = "corrected", part: bool = False, **changes: Any) -> None:
    latest = store.photo(key_of(name))
    after = latest["revision"]
    review = {"state": state, "by": "bob", "at": journal.now()} | ({"part": True} if part else {})
    store.append({**latest, **changes, "revision": after + 1, "review": review}, after=after)


def test_a_photo_that_somebody_takes_up_meanwhile_is_left_to_them(
    tmp_path: Path, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opening(write(tmp_path, sure("a.jpg"), sure("b.jpg"), sure("c.jpg")))
    read, taken = Store.photo, set()

    def meddled(self: Store, key: str) -> Line:
        first = key not in taken
        taken.add(key)
        if first and key == key_of("a.jpg"):  # before it is looked up
            check(self, "a.jpg")
        line = read(self, key)
        if first and key == key_of("b.jpg"):  # and after
            check(self, "b.jpg")
        return line

    monkeypatch.setattr(Store, "photo", meddled)
    auto.accept(store, 0.9, "anna")
    states = [read(store, key_of(name))["review"]["state"] for name in ("a.jpg", "b.jpg", "c.jpg")]
    assert states == ["corrected", "corrected", "auto"]
