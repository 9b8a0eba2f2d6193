"""The door: what becomes of a photo, with networks that answer by script."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision import layouts
from tests.vision.conftest import Scripted
from tests.vision.layouts import H, Laid, Scene, W
from vision.faces import Faces
from vision.image import Photo, PhotoError, load
from vision.labels import BACK, CLASSES, NOT_A_FACE, UNREADABLE
from vision.looks import HandSeen, Look, TilesSeen
from vision.reader import Reader
from vision.reading import Doubt, Reading, another_hand
from vision.scene.black import BLACK


def row(text: str, x: float = 0, y: float = 0, role: str = "hand") -> list[Laid]:
    return [Laid(label, x + k * (W + 0.2), y, 0, role) for k, label in enumerate(text.split())]


THIRTEEN = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s"


def test_a_finished_hand(scripted: Any) -> None:
    scene = Scene([*row(THIRTEEN), Laid("3s", 13 * W + 20, 0, 0, "win")])
    read, photo, seen = scripted(scene)
    reading = read.read(photo)
    assert (reading.status, reading.message) == ("ok", "")
    assert reading.hand == {"concealed": "123m456p789s22z33s", "win_tile": "3s", "melds": []}
    assert reading.known == {"concealed": "seen", "win_tile": "seen", "melds": "seen"}
    # The finder answers in any order; the tiles come as they lie in the row, the winning one last.
    assert [tile.role for tile in reading.tiles] == [laid.role for laid in scene.tiles] != seen.roles
    assert (reading.width, reading.height) == (1200, 1200)
    assert set(reading.elapsed_ms) == {"load", "find", "faces", "table", "doubts"}
    for tile, laid in zip(reading.tiles, scene.tiles, strict=True):
        assert tile.label == laid.label and tile.runner_up[0] != tile.label
        (_, y0), _, _, (_, y3) = tile.quad
        assert y3 > y0  # every quad starts at its face's top, whatever the finder answered


def test_a_frame_is_read_once_and_of_a_full_table_what_lies_in_its_middle(scripted: Any) -> None:
    scene = Scene([*row(THIRTEEN), Laid("3s", 13 * W + 20, 0, 0, "win")])
    read, photo, _ = scripted(scene, missed="5p")
    glance = read.glance(photo)
    assert glance.status == "incomplete"
    assert set(glance.elapsed_ms) == {"load", "find", "faces", "table", "doubts"}
    assert (read._finder.named, read._finder.briefly) == ([13], [True])
    hands: list[Any] = []
    read, photo, _ = scripted(
        scene, watch=lambda seen: hands.append(seen), frames_briefly=1, cores_briefly=2, sure=1.1
    )
    read.glance(photo)
    read.read(photo)
    sought = [each.habits.table for each in hands if isinstance(each, HandSeen)]
    assert [(each.most_frames, each.most_cores) for each in sought[:2]] == [(1, 2), (6, 8)]
    rows = [*row(THIRTEEN), *row("9p 9p 9p 9m 9m 9m", y=8 * H, role="other")]
    read, photo, _ = scripted(Scene(rows), most_briefly=10)
    assert len(read.glance(photo).tiles) == 10
    assert len(read.read(photo).tiles) == 19


# --- the scene model ----------------------------------------------------------------------------------------


def asking(
    monkeypatch: pytest.MonkeyPatch,
    read: Reader,
    status: str,
    message: str = "",
    hands: tuple[Doubt, ...] = (),
) -> list[Any]:
    """The regions for which a reader asks a scene model that answers so; without a status, with nothing.
    ``hands``: doubts about others' hands that it has beside one that was read."""
    asked: list[Any] = []

    class Model:
        def second(self, photo: Photo, *, region: Any = None) -> Reading | None:
            asked.append(region)
            if not status:
                return None
            hand = SECOND if status == "ok" else OPEN
            return Reading(
                photo.name, photo.width, photo.height, (), hand, {}, status, message, {"relate": 1}
            )

    class Nearby:
        indicators: tuple[list[int], list[int]] = ([], [])
        named = staticmethod(list)
        table = staticmethod(lambda _: None)
        hands = staticmethod(lambda _: hands)

    monkeypatch.setattr(read, "_scenes", Model())
    monkeypatch.setattr(read, "_beside", lambda *_: Nearby())
    return asked


SECOND = {"concealed": "123m456p789s22z33s", "win_tile": "3s", "melds": []}
OPEN = {"concealed": "123m456p789s22z333s", "melds": []}


@pytest.mark.parametrize("tiles", [THIRTEEN, THIRTEEN + " 3s 5z", ""], ids=["waits", "15 tiles", "nothing"])
def test_where_the_first_reading_is_not_sure_the_scene_models_finished_hand_is_taken(
    scripted: Any, monkeypatch: pytest.MonkeyPatch, tiles: str
) -> None:
    read, photo, _ = scripted(Scene(row(tiles or THIRTEEN)), missed="" if tiles else THIRTEEN)
    asked = asking(monkeypatch, read, "ok")
    reading = read.read(photo, region=(0.0, 0.0, 1.0, 1.0))
    assert (reading.status, reading.hand) == ("ok", SECOND)
    assert asked == [(0.0, 0.0, 1.0, 1.0)], "it keeps to the region, too"
    assert {"load", "find", "scene"} <= {*reading.elapsed_ms} and "relate" not in reading.elapsed_ms


def test_where_the_scene_model_finds_no_finished_hand_either_the_first_reading_stands(
    scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, photo, _ = scripted(Scene(row(THIRTEEN)))
    asked = asking(monkeypatch, read, "")
    reading = read.read(photo)
    assert len(asked) == 1 and reading.message == "13 tiles, waiting on 3s 2z." and len(reading.tiles) == 13
    assert "scene" in reading.elapsed_ms


@pytest.mark.parametrize(
    ("tiles", "own"),
    [(THIRTEEN, "13 tiles, waiting on 3s 2z."), (THIRTEEN + " 3s", "No tile is set apart"),
     (THIRTEEN + " 3s 5z", ""), (THIRTEEN.replace("1m", "9p") + " 3s", ""), ("1m 2m 3m", ""), ("", "")],
)  # fmt: skip
def test_what_cannot_be_scored_takes_the_place_of_what_is_no_whole_hand(
    scripted: Any, monkeypatch: pytest.MonkeyPatch, tiles: str, own: str
) -> None:
    read, photo, _ = scripted(Scene(row(tiles or THIRTEEN)), missed="" if tiles else THIRTEEN)
    asking(monkeypatch, read, "incomplete", "13 tiles, waiting on 1z.")
    assert read.read(photo).message.startswith(own or "13 tiles, waiting on 1z.")


def test_where_the_first_reading_is_sure_the_scene_model_is_not_asked(
    scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, photo, _ = scripted(Scene([*row(THIRTEEN), Laid("3s", 13 * W + 20, 0, 0, "win")]))
    asked = asking(monkeypatch, read, "ok")
    reading = read.read(photo)
    assert reading.status == "ok" and len(reading.tiles) == 14
    assert not asked and "scene" not in reading.elapsed_ms


def test_where_another_player_may_have_finished_the_scene_model_is_asked(
    scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sure hand is not enough: who lacks one tile may have it, unseen."""
    mine = [*row(THIRTEEN), Laid("3s", 13 * W + 20, 0, 0, "win")]
    read, photo, _ = scripted(Scene([*mine, *row("1p 2p 3p 7m 8m 9m 1z 1z 6s 6s 6s 8p 8p", y=8 * H)]))
    assert read.read(photo).status == "ok"
    asked = asking(monkeypatch, read, "")
    assert read.read(photo).hand == SECOND and len(asked) == 1


def test_a_hand_that_only_the_scene_model_saw_is_asked_about(
    scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = [*row(THIRTEEN), Laid("3s", 13 * W + 20, 0, 0, "win")]
    theirs = another_hand((14, 15), {"concealed": "11z", "melds": []}, (0.0, 0.0, 1.0, 0.5))
    for tiles, finished in ((mine, True), (row(THIRTEEN), False)):
        read, photo, _ = scripted(Scene([*tiles, *row("2z 4z 6m 9p", y=8 * H)]))
        asking(monkeypatch, read, "", hands=(theirs,))
        said = read.read(photo).doubts
        assert (theirs in said) == finished, "whose hand is not finished has nothing to choose"


def test_that_tiles_are_black_is_what_the_scene_model_says(
    scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, photo, _ = scripted(Scene(row("1m 2m 3m")))
    asking(monkeypatch, read, "incomplete", BLACK)
    assert read.read(photo).message == BLACK


def test_a_frame_of_a_camera_is_not_shown_to_the_scene_model(
    scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, photo, _ = scripted(Scene(row(THIRTEEN)))
    asked = asking(monkeypatch, read, "ok")
    assert read.glance(photo).status == "incomplete" and not asked


def test_without_the_scene_models_file_nothing_is_asked_twice(scripted: Any) -> None:
    read, photo, _ = scripted(Scene(row(THIRTEEN)))
    assert read._scene is None and "scene" not in read.read(photo).elapsed_ms


# --- what the tiles are -------------------------------------------------------------------------------------


def test_thirteen_tiles_say_what_they_wait_on(scripted: Any) -> None:
    read, photo, _ = scripted(Scene(row(THIRTEEN)))
    reading = read.read(photo)
    assert reading.status == "incomplete"
    assert reading.message == "13 tiles, waiting on 3s 2z."


def test_an_open_winning_tile(scripted: Any) -> None:
    read, photo, _ = scripted(Scene(row(THIRTEEN + " 3s")))
    reading = read.read(photo)
    assert reading.status == "incomplete"
    assert "winning tile" in reading.message
    assert reading.hand == {"concealed": "123m456p789s22z333s", "melds": []}


@pytest.mark.parametrize(
    ("tiles", "message"),
    [
        (THIRTEEN + " 3s 5z", "15 tiles, but a finished hand has 14."),
        (THIRTEEN.replace("1m", "9p") + " 3s", "14 tiles, but they make no finished hand."),
        ("1m 4m 7m 1p 4p 7p 1s 4s 7s 1z 2z 3z 4z",
         "13 tiles, and they are not waiting on any: a finished hand has 14."),
        ("0m 5m 5m 5m 5m 6p 7s 8s 9s 2z 2z 3s 3s 3s",
         "5 tiles were read as 5m, but there are only four: correct one."),
        ("1m 2m 3m", "3 tiles, but a finished hand has 14."),
    ],
)  # fmt: skip
def test_what_is_no_hand_is_shown_and_explained(scripted: Any, tiles: str, message: str) -> None:
    read, photo, _ = scripted(Scene(row(tiles)))
    reading = read.read(photo)
    assert (reading.status, reading.message) == ("incomplete", message)
    assert len(reading.tiles) == len(tiles.split())
    assert reading.hand is not None


def test_a_region_leaves_the_rest_out(scripted: Any) -> None:
    scene = Scene([*row(THIRTEEN + " 3s"), *row("9p 9p 9p 9m 9m 9m", y=5 * H, role="other")])
    read, photo, seen = scripted(scene)
    low = min(q[:, 1].mean() for q, role in zip(seen.quads, seen.roles, strict=True) if role == "hand")
    reading = read.read(photo, region=(0, low / 1200 - 0.03, 1, 1))
    assert [tile.role for tile in reading.tiles] == ["hand"] * 14


@pytest.mark.parametrize("region", [(0, 0, 0, 1), (0.5, 0, 0.4, 1), (0, 0, 1), (0, 0, 2, 1)])
def test_a_region_that_is_none(scripted: Any, region: Any) -> None:
    read, photo, _ = scripted(Scene(row(THIRTEEN)))
    with pytest.raises(ValueError, match="fractions of the photo"):
        read.read(photo, region=region)


def test_detections_that_are_no_faces_are_dropped(scripted: Any) -> None:
    read, photo, seen = scripted(Scene(row(THIRTEEN + " 3s")))
    seen.probabilities[2] = np.eye(len(CLASSES))[CLASSES.index(NOT_A_FACE)]
    assert len(read.read(photo).tiles) == 13


@pytest.mark.parametrize("missed", ["5p", "7s"])
def test_a_tile_that_the_finder_missed_between_two_others_is_found(scripted: Any, missed: str) -> None:
    read, photo, _ = scripted(Scene(row(THIRTEEN + " 3s")), missed=missed)
    reading = read.read(photo)
    assert len(reading.tiles) == 14
    assert reading.hand == {"concealed": "123m456p789s22z333s", "melds": []}


def test_a_place_that_is_looked_at_for_want_of_a_tile_is_given_no_face(scripted: Any) -> None:
    """Nothing lies there, or a back: it finishes no hand, whatever the rules would like."""
    read, photo, seen = scripted(Scene(row("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 4s 5s")), missed="5p")
    place = next(i for i, tile in enumerate(seen.scene.tiles) if tile.label == "5p")
    assert read.read(photo).message == "No tile is set apart or turned: say which one is the winning tile."
    seen.probabilities[place] = 1e-6
    seen.probabilities[place, CLASSES.index(BACK)] = 0.8
    seen.probabilities[place, CLASSES.index("5p")] = 0.2
    assert read.read(photo).message == "13 tiles, waiting on 5p."


TEN = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z"


def kakan(added: str = "7z") -> list[Laid]:
    """To the right of ten closed tiles, ``added`` above the called one, which is the second."""
    x = 11 * W + 60
    lower, upper = (
        Laid(label, x + W + H / 2, dy, np.pi / 2, "meld:0", True)
        for label, dy in (("7z", -3.5), (added, W - 3))
    )
    return [Laid("7z", x + W / 2, 0, 0, "meld:0"), lower, upper, Laid("7z", x + 1.5 * W + H, 0, 0, "meld:0")]


def test_a_quad_that_covers_two_tiles_is_both(scripted: Any) -> None:
    meld = kakan()
    read, photo, seen = scripted(Scene([*row(TEN), Laid("2z", 10 * W + 20, 0, 0, "win"), *meld]))
    a, b = (next(i for i, tile in enumerate(seen.scene.tiles) if tile is each) for each in meld[1:3])
    network: Any = read._finder
    network.found[[a, b]] = False
    network.also = [seen.quads[[a, b, b, a], [0, 1, 2, 3]]]  # they lie on their left sides: right is away
    hand = read.read(photo).hand
    assert hand and hand["melds"] == [{"type": "kakan", "tiles": "7777z", "from": 2}]


@pytest.mark.parametrize(("added", "melds"), [("7z", ["kakan"]), ("6z", ["pon"])])
def test_the_added_tile_of_a_kakan_is_looked_for(scripted: Any, added: str, melds: list[str]) -> None:
    meld = kakan(added)
    read, photo, seen = scripted(Scene([*row(TEN), Laid("2z", 10 * W + 20, 0, 0, "win"), *meld]))
    network: Any = read._finder
    network.found[next(i for i, tile in enumerate(seen.scene.tiles) if tile is meld[2])] = False
    reading = read.read(photo)
    assert reading.hand and [meld["type"] for meld in reading.hand["melds"]] == melds
    assert reading.status == "ok"


@pytest.mark.parametrize(("fourth", "melds"), [("7z", ["minkan"]), ("6z", ["pon"])])
@pytest.mark.parametrize("side", [-1, 1])
def test_the_fourth_tile_at_an_end_of_a_called_kan_is_looked_for(
    scripted: Any, side: int, fourth: str, melds: list[str]
) -> None:
    x = 13 * W
    three = [
        Laid("7z", x, 0, 0, "meld:0"),
        Laid("7z", x + (W + H) / 2, -3.5, np.pi / 2, "meld:0", True),
        Laid("7z", x + W + H, 0, 0, "meld:0"),
    ]
    end = Laid(fourth, three[1 + side].x + side * W, 0, 0, "meld:0")
    read, photo, seen = scripted(Scene([*row(TEN), Laid("2z", 10 * W + 20, 70, 0, "win"), *three, end]))
    network: Any = read._finder
    network.found[next(i for i, tile in enumerate(seen.scene.tiles) if tile is end)] = False
    reading = read.read(photo)
    assert reading.hand and [meld["type"] for meld in reading.hand["melds"]] == melds


def test_what_only_its_colour_tells_is_left_where_it_tears_a_hand(
    scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cloth that looks like an ankan's back makes a wall of it; what has a print is mended all the same."""
    ankan = [Laid(face, 11 * W + 60 + k * W, 0) for k, face in enumerate(("7z", "back", "back", "7z"))]
    read, photo, seen = scripted(
        Scene([*row(TEN), Laid("2z", 10 * W + 20, 0, 0, "win"), *ankan]), missed="5p"
    )
    number = {id(tile): i for i, tile in enumerate(seen.scene.tiles)}
    for tile in (ankan[1], ankan[2]):
        cv2.fillConvexPoly(photo, seen.quads[number[id(tile)]].astype(np.int32), (60, 60, 60))
    network: Any = read._finder
    network.found[number[id(ankan[2])]] = False
    mend, made = Look._mended, list[list[TilesSeen]]()

    def kept(self: Look, hand: HandSeen) -> Iterator[TilesSeen]:
        made.append([*mend(self, hand)])
        return iter(made[-1])

    monkeypatch.setattr(Look, "_mended", kept)
    reading = read.read(photo)
    assert reading.hand and [meld["type"] for meld in reading.hand["melds"]] == ["ankan"]
    assert [len(each.quads) for each in made[0]] == [15, 14]
    whole = made[0][0]
    torn = whole.where(np.arange(12))
    monkeypatch.setattr(Look, "_mended", lambda self, hand: iter([torn, whole] if hand.finished else [whole]))
    assert read.read(photo).hand == reading.hand


def test_a_mend_that_takes_a_tile_of_a_finished_hand_and_gives_it_none_is_left(
    scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cloth about the turned tiles of a kan that is taken for an ankan's backs makes three of it."""
    meld = kakan()
    read, photo, seen = scripted(Scene([*row(TEN), Laid("2z", 10 * W + 20, 0, 0, "win"), *meld]))
    added = next(i for i, tile in enumerate(seen.scene.tiles) if tile is meld[2])
    kept = np.delete(np.arange(15), added)
    monkeypatch.setattr(
        Look,
        "_mended",
        lambda self, hand: iter([hand.seen.where(kept)] if len(hand.seen.quads) == 15 else []),
    )
    hand = read.read(photo).hand
    assert hand and [each["type"] for each in hand["melds"]] == ["kakan"]


def test_a_quad_with_wrong_corners_is_looked_at_as_a_tile(scripted: Any) -> None:
    win = Laid("1m", 13 * W + 20, 0, 0, "win")
    read, photo, seen = scripted(Scene([*row("2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s 3s"), win]), missed="1m")
    quad = seen.quads[next(i for i, tile in enumerate(seen.scene.tiles) if tile is win)].copy()
    quad[:2] += 0.45 * (quad[:2] - quad[3:1:-1])  # taller by so much: no whole tile, and not two
    network: Any = read._finder
    network.also = [quad]
    reading = read.read(photo)
    assert reading.status == "ok" and reading.hand and reading.hand["win_tile"] == "1m"


def test_two_halves_are_one_tile(scripted: Any) -> None:
    read, photo, seen = scripted(Scene([*row(THIRTEEN), Laid("3s", 13 * W + 20, 0, 0, "win")]), missed="5p")
    top_left, top_right, right, left = next(
        quad for quad, tile in zip(seen.quads, seen.scene.tiles, strict=True) if tile.label == "5p"
    )
    middle = (top_left + left) / 2, (top_right + right) / 2
    network: Any = read._finder
    network.also = [[top_left, top_right, middle[1], middle[0]], [middle[0], middle[1], right, left]]
    reading = read.read(photo)
    assert reading.status == "ok" and len(reading.tiles) == 14


@pytest.mark.parametrize("turned", [False, True])
def test_a_quad_far_off_its_tile_is_moved_there(scripted: Any, turned: bool) -> None:
    # The hand is finished without the last tile of the kan, so nothing else would look for it.
    x, lies = 11 * W + 60, [not turned, False, False, turned]
    kan = []
    for label, flat in zip("7777", lies, strict=True):
        wide = H if flat else W
        kan.append(Laid(label + "z", x + wide / 2, -3.5 * flat, np.pi / 2 * flat, "meld:0"))
        x += wide
    read, photo, seen = scripted(Scene([*row(TEN), Laid("2z", 10 * W + 20, 0, 0, "win"), *kan]))
    last = next(i for i, tile in enumerate(seen.scene.tiles) if tile is kan[-1])
    network: Any = read._finder
    network.found[last] = False
    right = seen.quads[last, 1] - seen.quads[last, 0]
    off = seen.quads[last] + 0.6 * np.array([-right[1], right[0]])
    network.also = [off, off + 1]
    reading = read.read(photo)
    assert reading.hand and [meld["tiles"] for meld in reading.hand["melds"]] == ["7777z"]
    assert len(reading.tiles) == 15, "each tile once"


@pytest.mark.parametrize(
    ("shade", "chance", "melds"), [(60, 0.25, ["ankan"]), (160, 0.25, []), (160, 0.85, ["ankan"])]
)
@pytest.mark.parametrize("faces", ["7z back back 7z"])
def test_the_other_back_of_an_ankan_is_known_by_its_colour_or_surely_seen(
    scripted: Any, faces: str, shade: int, chance: float, melds: list[str]
) -> None:
    x = 11 * W + 60
    ankan = [Laid(label, x + k * W, 0, 0, "meld:0") for k, label in enumerate(faces.split())]
    read, photo, seen = scripted(Scene([*row(TEN), Laid("2z", 10 * W + 20, 0, 0, "win"), *ankan]))
    near, far = (i for i, tile in enumerate(seen.scene.tiles) if tile.label == "back" and tile in ankan)
    for back, colour in ((near, 60), (far, shade)):
        cv2.fillConvexPoly(photo, seen.quads[back].astype(np.int32), (colour, colour, colour))
    # No back to the finder, and to the face network rather nothing than a back where its colour is to tell.
    network: Any = read._finder
    network.found[far] = False
    seen.probabilities[far] *= chance
    seen.probabilities[far, CLASSES.index(NOT_A_FACE)] += 1 - chance
    hand = read.read(photo).hand
    assert hand and [meld["type"] for meld in hand["melds"]] == melds


@pytest.mark.parametrize(
    ("face", "shade", "melds"), [("5z", 200, ["555z"]), ("5z", 120, []), (NOT_A_FACE, 200, [])]
)
def test_a_white_dragon_between_two_is_known_by_their_colour(
    scripted: Any, face: str, shade: int, melds: list[str]
) -> None:
    """Whatever is as blank as a white dragon is one to the face network."""
    x = 11 * W + 60
    whites = [Laid("5z", x, 0), Laid("5z", x + W, 0), Laid("5z", x + 1.5 * W + H / 2, -3.5, np.pi / 2)]
    read, photo, seen = scripted(Scene([*row(TEN), Laid("2z", 10 * W + 20, 0), *whites]))
    first, middle, last = (
        next(i for i, tile in enumerate(seen.scene.tiles) if tile is each) for each in whites
    )
    for tile, colour in ((first, 200), (middle, shade), (last, 200)):
        cv2.fillConvexPoly(photo, seen.quads[tile].astype(np.int32), (colour, colour, colour))
    network: Any = read._finder
    network.found[middle] = False
    seen.probabilities[middle] = np.eye(len(CLASSES))[CLASSES.index(face)]
    hand = read.read(photo).hand
    assert hand and [meld["tiles"] for meld in hand["melds"]] == melds


@pytest.mark.parametrize(
    ("white", "back", "shade", "meld"),
    [(0.45, 0.28, 200, "5555z"), (0.45, 0.28, 120, "555z"), (0.1, 0.63, 200, "555z")],
    ids=["as white", "darker", "a back"],
)
def test_a_white_dragon_beside_another_is_known_by_their_colour(
    scripted: Any, white: float, back: float, shade: int, meld: str
) -> None:
    """The finder saw the last one of a kan far off its place; to the face network it may be a back, too."""
    x = 11 * W + 60
    kan = [Laid("5z", x + H / 2, -3.5, np.pi / 2), *(Laid("5z", x + H + (k + 0.5) * W, 0) for k in range(3))]
    read, photo, seen = scripted(Scene([*row(TEN), Laid("2z", 10 * W + 20, 0, 0, "win"), *kan]))
    *three, last = (next(i for i, tile in enumerate(seen.scene.tiles) if tile is each) for each in kan)
    for tile, colour in zip((*three, last), (200, 200, 200, shade), strict=True):
        cv2.fillConvexPoly(photo, seen.quads[tile].astype(np.int32), (colour, colour, colour))
    network: Any = read._finder
    network.found[last] = False
    right = seen.quads[last, 1] - seen.quads[last, 0]
    network.also = [seen.quads[last] + 0.6 * np.array([-right[1], right[0]])]
    seen.probabilities[last] = 0
    for face, chance in (("5z", white), ("back", back), (NOT_A_FACE, 1 - white - back)):
        seen.probabilities[last, CLASSES.index(face)] = chance
    hand = read.read(photo).hand
    assert hand and [each["tiles"] for each in hand["melds"]] == [meld]


def test_cloth_that_looks_like_a_back_is_no_closed_tile(scripted: Any) -> None:
    gap, win = Laid("back", 13 * W, 0), Laid("3s", 14 * W + 1, 0, 0, "win")
    read, photo, _ = scripted(Scene([*row(THIRTEEN), gap, win]))
    reading = read.read(photo)
    assert reading.hand == {"concealed": "123m456p789s22z33s", "win_tile": "3s", "melds": []}
    assert [tile.role for tile in reading.tiles if tile.label == "back"] == ["other"]


def test_two_quads_on_one_tile_are_one_tile(scripted: Any) -> None:
    read, photo, seen = scripted(Scene(row(THIRTEEN + " 3s")))
    twice = Scripted(seen, photo)
    twice.found = np.append(np.arange(14), 3)
    read._finder = twice
    assert len(read.read(photo).tiles) == 14


def test_no_tiles_too_many_and_too_small(scripted: Any) -> None:
    read, photo, seen = scripted(Scene(row(THIRTEEN)))
    read._finder.found[:] = False
    nothing = read.read(photo)
    assert nothing.status == "error"
    assert nothing.message.startswith("No mahjong tiles were found in the photo")
    assert nothing.hand is None and nothing.tiles == ()
    flat = read.read(np.full((300, 300, 3), 90, np.uint8))
    assert flat.status == "error" and "blurred" in flat.message

    read, photo, _ = scripted(Scene(row(THIRTEEN)), most_tiles=12)
    assert "13 tiles, more than 12" in read.read(photo).message

    backs = [Laid("back", k % 20 * W, 200 + 30 * (k // 20)) for k in range(60)]
    read, photo, _ = scripted(Scene([*row(THIRTEEN), *backs]), most_tiles=30)
    assert read.read(photo).message == "13 tiles, waiting on 3s 2z."  # a chequered cloth, more likely

    read, photo, seen = scripted(Scene(row(THIRTEEN)))
    seen.quads *= 0.05
    assert "too small" in read.read(photo).message


def test_what_is_no_photo(scripted: Any, tmp_path: Path) -> None:
    read, _, _ = scripted(Scene(row(THIRTEEN)))
    text = tmp_path / "note.jpg"
    text.write_text("no photo")
    with pytest.raises(PhotoError):
        read.read(text)


def test_an_overruled_tile_keeps_what_the_pixels_said(scripted: Any) -> None:
    read, photo, seen = scripted(Scene(row(THIRTEEN + " 3s")))
    place = next(i for i, tile in enumerate(seen.scene.tiles) if tile.label == "5p")
    seen.probabilities[place] = 1e-6
    seen.probabilities[place, CLASSES.index("8p")] = 0.8
    seen.probabilities[place, CLASSES.index("5p")] = 0.2
    (tile,) = (tile for tile in read.read(photo).tiles if tile.source == "rule")
    assert (tile.label, tile.runner_up[0]) == ("5p", "8p")
    assert tile.probability == pytest.approx(0.2)


def test_pixels_decoded_elsewhere_are_read_in_the_coordinates_of_the_whole_photo(scripted: Any) -> None:
    read, photo, _ = scripted(Scene([*row(THIRTEEN), Laid("3s", 13 * W + 20, 0, 0, "win")]))
    height, width = photo.shape[:2]
    whole = read.read(photo)
    reduced = read.read(Photo.decoded(photo, (3 * width, 3 * height), "browser"))
    assert (reduced.photo, reduced.width, reduced.height) == ("browser", 3 * width, 3 * height)
    assert reduced.hand == whole.hand and reduced.status == "ok"
    for there, here in zip(reduced.tiles, whole.tiles, strict=True):
        assert np.allclose(there.quad, 3 * (np.array(here.quad) + 0.5) - 0.5, atol=0.01)


def test_the_record_is_json(scripted: Any) -> None:
    read, photo, _ = scripted(Scene(row(THIRTEEN)))
    record = read.read(photo).to_record()
    assert record["hand"]["known"] == {"concealed": "seen", "melds": "seen"}
    assert replace(read.read(photo), photo="x").to_record()["photo"] == "x"


def test_importing_vision_imports_no_network_library() -> None:
    code = "import sys, vision; sys.exit(any(m in sys.modules for m in ('cv2', 'onnxruntime', 'numpy')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    with pytest.raises(AttributeError):
        __import__("vision").nonsense  # noqa: B018


def test_of_tiles_that_are_none_as_a_whole_there_is_no_hand() -> None:
    """All of them as likely no face as one: nothing lies in any row."""
    seen = layouts.photograph(Scene(row("1m 2m 3m")), np.random.default_rng(1))
    chances = np.full_like(seen.probabilities, 0.01)
    chances[:, CLASSES.index(NOT_A_FACE)] = 0.6
    hand = HandSeen.of(TilesSeen.found(seen.quads, chances, seen.rotations))
    assert not hand.layout.size and not hand.finished


def test_of_tiles_that_are_known_all_are_told_in_their_order(scripted: Any) -> None:
    """A camera follows what it saw, be it the side of a tile that looks like a white dragon."""
    scene = Scene([*row(THIRTEEN), Laid("3s", 13 * W + 20, 0, 0, "win"), Laid("5z", 0, 6 * H)])
    read, photo, seen = scripted(scene)
    quads = seen.quads.astype(np.float32)
    (side,) = (k for k, tile in enumerate(seen.scene.tiles) if tile.label == "5z")
    quads[side, [1, 2]] = quads[side, [0, 3]] + 0.4 * (quads[side, [1, 2]] - quads[side, [0, 3]])
    faces = Faces(quads, seen.probabilities.astype(np.float32), seen.rotations.astype(np.float32))
    reading = read.arrange(load(photo), faces)
    assert reading.status == "ok"
    labels = [UNREADABLE if k == side else tile.label for k, tile in enumerate(seen.scene.tiles)]
    assert [tile.label for tile in reading.tiles] == labels


@pytest.mark.parametrize(
    ("label", "chance", "listed"),
    [("5z", 0.93, "5z"), ("5z", 0.8, UNREADABLE), ("9p", 0.8, "9p"), ("9p", 0.7, UNREADABLE)],
)
def test_of_no_hand_only_what_is_likelier_right_than_wrong_is_named(
    scripted: Any, label: str, chance: float, listed: str
) -> None:
    """Sides of tiles and cloth look like white dragons; in a hand its other tiles vouch for one."""
    scene = Scene(
        [*row(THIRTEEN.replace("2z", "5z")), Laid("3s", 13 * W + 20, 0, 0, "win"), Laid(label, 0, 6 * H)]
    )
    read, photo, seen = scripted(scene)
    for place, tile in enumerate(seen.scene.tiles):
        if tile.label == label:
            seen.probabilities[place] = (1 - chance) / (len(CLASSES) - 1)
            seen.probabilities[place, CLASSES.index(label)] = chance
    tiles = read.read(photo).tiles
    assert [tile.label for tile in tiles if tile.role == "other"] == [listed]
    assert sum(tile.label == "5z" for tile in tiles if tile.role == "hand") == 2


def test_what_was_sought_in_vain_is_not_listed_and_doubts_name_the_same_tiles(
    scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lone face far from the hand stands for it; a wall without an indicator is the doubt."""
    scene = Scene([Laid("9p", 0, 6 * H), *row(THIRTEEN), Laid("3s", 13 * W + 20, 0, 0, "win")])
    scene.tiles += [Laid(BACK, k * W, 3 * H) for k in range(7)]
    read, photo, seen = scripted(scene)
    before = read.read(photo)
    found = seen.quads.mean(axis=1)

    def of_found(listed: Iterable[int]) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which of the tiles, in the order of the finder, the reading lists at these places."""
        middles = np.array([before.tiles[i].quad for i in listed]).mean(axis=1)
        nearest = np.linalg.norm(middles[:, None] - found, axis=-1).argmin(axis=1)
        return np.isin(np.arange(len(found)), nearest)

    (asked,) = [doubt for doubt in before.doubts if doubt.kind == "indicator"]
    lone = next(i for i, tile in enumerate(before.tiles) if tile.label == "9p")
    assert lone < max(asked.tiles), "what is listed behind it moves up"
    monkeypatch.setattr(HandSeen, "in_vain", of_found([lone]))
    after = read.read(photo)
    assert [tile for tile in before.tiles if tile.label != "9p"] == [*after.tiles]
    (again,) = [doubt for doubt in after.doubts if doubt.kind == "indicator"]
    assert [after.tiles[i] for i in again.tiles] == [before.tiles[i] for i in asked.tiles]
    monkeypatch.setattr(HandSeen, "in_vain", of_found(asked.tiles))
    assert read.read(photo).tiles == before.tiles, "what a doubt names is shown"
