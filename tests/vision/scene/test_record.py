"""Called sets as a record tells them: what they are, and from whom they were called."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.tiles import parse_tiles
from vision.scene.decode import CalledSet, HandReading, Scene
from vision.scene.record import hand_record

W, H = 20.0, 27.0
NOTHING = Scene((), (), ())


def lie(spots: str, turn: float = 0.0) -> np.ndarray:
    """Quads side by side, ``|`` upright and ``-`` on its side, ``=`` two on their side one above the other;
    the whole turned by radians."""
    quads, x = [], 0.0
    for spot in spots:
        if spot == "|":
            quads.append([[x, 0], [x + W, 0], [x + W, H], [x, H]])
            x += W
            continue
        for row in range(2 if spot == "=" else 1):
            y = H - W * (row + 1)
            quads.append([[x + H, y], [x + H, y + W], [x, y + W], [x, y]])
        x += H
    c, s = np.cos(turn), np.sin(turn)
    return np.array(quads, np.float32) @ np.array([[c, s], [-s, c]], np.float32) + np.float32(500)


def meld(tiles: str, spots: str, *, hidden: bool = False, turn: float = 0.0) -> dict[str, object]:
    faces = tuple(int(tile) for tile in parse_tiles(tiles))
    called = CalledSet(tuple(range(len(faces))), faces, 0.0, (0,) * hidden)
    reading = HandReading((), (called,), None, False, 0.0)
    record, _ = hand_record(reading, NOTHING, lie(spots, turn))
    only: dict[str, object] = record["melds"][0]
    return only


@pytest.mark.parametrize("turn", [0.0, 0.4, np.pi / 2, np.pi])
@pytest.mark.parametrize(
    ("tiles", "spots", "kind", "source"),
    [
        ("777z", "-||", "pon", 3),
        ("777z", "|-|", "pon", 2),
        ("777z", "||-", "pon", 1),
        ("324m", "-||", "chi", 3),
        ("5555p", "-|||", "minkan", 3),
        ("5555p", "|||-", "minkan", 1),
        ("5555p", "|=|", "kakan", 2),
    ],
)
def test_the_sideways_tile_tells_from_whom(
    tiles: str, spots: str, kind: str, source: int, turn: float
) -> None:
    found = meld(tiles, spots, turn=turn)
    assert (found["type"], found["from"]) == (kind, source)


def test_a_closed_kan_is_called_from_nobody() -> None:
    kan = {"type": "ankan", "tiles": "5555s", "from": None}
    assert meld("5555s", "||||", hidden=True) == kan
    assert meld("555s", "|||", hidden=True) == kan, "one that lies face down was not seen"


def test_what_lies_face_down_or_was_overruled_is_inferred() -> None:
    kan = CalledSet((2, 3, 4, 5), (4, 4, 4, 4), 0.0, face_down=(2, 5))
    reading = HandReading(((0, 9), (1, 9)), (kan,), 1, True, 0.0)
    dora = Scene((), ((6, 3),), ())
    quads = lie("|||||||")
    known = {"concealed": "seen", "win_tile": "seen", "melds": "inferred", "dora_indicators": "seen"}
    assert hand_record(reading, dora, quads)[1] == known
    assert hand_record(reading, dora, quads, {1})[1] == {**known, "win_tile": "inferred"}
    assert hand_record(reading, dora, quads, {0, 6})[1] == {
        **known, "concealed": "inferred", "dora_indicators": "inferred",
    }  # fmt: skip


def test_a_chi_is_told_in_order() -> None:
    assert meld("435m", "-||")["tiles"] == "345m"


def test_a_row_is_told_as_it_lies() -> None:
    faces = [int(tile) for tile in parse_tiles("3m1m2m")]
    reading = HandReading(tuple(enumerate(faces)), (), None, False, 0.0)
    upside_down = lie("|||", np.pi)
    assert hand_record(reading, NOTHING, lie("|||"))[0]["concealed"] == "312m"
    assert hand_record(reading, NOTHING, upside_down)[0]["concealed"] == "312m"


def test_the_winning_tile_stands_by_itself() -> None:
    faces = [int(tile) for tile in parse_tiles("123m")]
    reading = HandReading(tuple(enumerate(faces)), (), 1, True, 0.0)
    scene = Scene((), ((7, 20),), ())
    record, known = hand_record(reading, scene, lie("|||"))
    assert record["win_tile"] == "2m" and record["concealed"] == "13m"
    assert record["dora_indicators"] == ["3s"] and known["win_tile"] == "seen"
