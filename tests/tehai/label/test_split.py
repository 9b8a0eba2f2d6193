"""Splits: nothing that belongs together is parted, faces are shared out evenly, a seed gives one split."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tehai.errors import Mistake
from tehai.label.split import Facts, Leak, belonging, sets, split, together

SHARES = {"train": 0.7, "val": 0.2, "test": 0.1}


def many(count: int) -> list[Facts]:
    """Photos of ten sets, some taken in bursts, with faces of which some are rare."""
    draw = random.Random(3)
    return [
        Facts(
            str(at),
            f"set{at % 10}/{at}.jpg",
            None if at % 3 else f"2026-01-{1 + at % 28:02}T10:{at % 60:02}:00",
            Counter(draw.choices(["1m", "2m", "0p", "back"], [50, 45, 2, 3], k=14)),
        )
        for at in range(count)
    ]


def test_what_belongs_together_stays_together() -> None:
    photos = [
        Facts("a", "x/1.jpg", "2026-01-01T10:00:00"),
        Facts("b", "x/2.jpg", "2026-01-01T10:29:00"),
        Facts("c", "x/3.jpg", "2026-01-01T10:58:00"),  # half an hour after b, not after a
        Facts("d", "x/4.jpg", "2026-01-01T12:00:00"),
        Facts("e", "y/5.jpg", "2026-01-01T10:00:00"),
        Facts("f", "y/6.jpg", None),
        Facts("g", "z/7.jpg", None),
    ]
    groups = together(photos, [["f", "g", "away"], *belonging("time", photos)])
    assert sorted("".join(photo.key for photo in group) for group in groups) == ["abc", "d", "e", "fg"]
    by_set = together(photos, [["f", "g"], *sets(photos, 1)])
    assert sorted("".join(photo.key for photo in group) for group in by_set) == ["abcd", "efg"]


@pytest.mark.parametrize(
    ("way", "groups"),
    [
        ("numbers", ["ab", "cd", "e", "f", "g", "h"]),
        ("folder", ["abcde", "fgh"]),
        (r"IMG_(\d\d)", ["ab", "cdfg", "e", "h"]),
        ("IMG|shot", ["abcdfg", "e", "h"]),
    ],
)
def test_photos_belong_together_by_numbers_by_folder_or_by_a_pattern(way: str, groups: list[str]) -> None:
    names = "x/IMG_0098 x/IMG_0099 x/IMG_0103 x/IMG_0106 x/end y/IMG_0107 y/IMG_0140(2) y/shot99"
    photos = [Facts(key, f"{name}.jpg", None) for key, name in zip("abcdefgh", names.split(), strict=True)]
    found = together(photos, belonging(way, photos))
    assert sorted("".join(photo.key for photo in group) for group in found) == groups


def test_names_may_be_nothing_but_numbers() -> None:
    photos = [Facts(name, f"{name}.jpg", None) for name in ("0007", "0008", "0020", "a/0009")]
    found = together(photos, belonging("numbers", photos))
    assert [[photo.key for photo in group] for group in found] == [["0007", "0008"], ["0020"], ["a/0009"]]


def test_a_pattern_that_is_none_is_told() -> None:
    with pytest.raises(Mistake, match="--together is time, numbers, folder or a regular expression"):
        belonging("(", [])


def test_the_report_says_what_was_parted() -> None:
    photos = [Facts(key, f"{folder}/{key}.jpg", None) for key, folder in ("ax", "bx", "cy", "dy", "ez")]
    parts = dict(zip("abcde", ("train", "test", "train", "train", "test"), strict=True))
    found = Leak.of("folder", False, photos, belonging("folder", photos), parts)
    assert found == Leak("folder", False, groups=2, photos=4, separated=1)


def test_shares_are_kept_of_photos_and_of_rare_faces() -> None:
    photos = many(1000)
    parts = split([[photo] for photo in photos], SHARES, seed=1)
    totals: Counter[str] = Counter()
    held = {part: Counter[str]() for part in SHARES}
    for photo in photos:
        totals += photo.labels
        held[parts[photo.key]] += photo.labels
    for part, share in SHARES.items():
        assert abs(sum(there == part for there in parts.values()) / 1000 - share) < 0.03
        for label, count in totals.items():
            assert abs(held[part][label] / count - share) < 0.05, (part, label)


def test_a_seed_is_one_split_and_groups_are_never_parted() -> None:
    photos = many(300)
    groups = together(photos, [["1", "2"], ["2", "3"], *belonging("time", photos), *sets(photos, 1)])
    assert len(groups) == 8, "ten sets, three of them bound together by photos that are nearly alike"
    first = split(groups, SHARES, seed=5)
    assert first == split(groups, SHARES, seed=5)
    singles = [[photo] for photo in photos]
    assert split(singles, SHARES, seed=5) != split(singles, SHARES, seed=6)
    for group in groups:
        assert len({first[photo.key] for photo in group}) == 1
