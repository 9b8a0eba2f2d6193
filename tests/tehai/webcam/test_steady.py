"""The steady reading of a stream: what starts it over, what does not, and how frames vote."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tehai.webcam.steady import State, Steady, Timing, View
from vision.arrays import Array32, Pixels
from vision.config import CONFIG
from vision.detections import Detections
from vision.faces import softmax
from vision.image import Photo, PhotoError
from vision.labels import WITH_FOREIGN
from vision.reading import Reading, Region, SeenTile, quad_of

ROOT = Path(__file__).resolve().parents[3]
FILES = ("models/finder.onnx", "models/faces.onnx", "tehai/hand/sample.jpg")
WIDTH, HEIGHT = 640, 360
PATIENCE = Timing(still=3, reads=2, gap=3, again=1000)
SETTLED = PATIENCE.still + PATIENCE.gap + 3
"""Frames after which a scene that lies still is steady: the second one that is read is followed by one that
names all faces and one that concludes."""


def table(tiles: int = 5, seed: int = 1) -> Pixels:
    """A cloth with a pattern, and tiles with strokes on it in a row."""
    random = np.random.default_rng(seed)
    cloth = cv2.resize(random.uniform(60, 130, (24, 40)).astype(np.float32), (WIDTH, HEIGHT))
    picture = np.repeat(cloth[..., None], 3, 2).astype(np.uint8)
    for i in range(tiles):
        (x0, y0), (x1, y1) = place(i)[0], place(i)[2]
        cv2.rectangle(picture, (x0, y0), (x1, y1), (235, 230, 220), -1)
        for x, y in random.integers((x0 + 5, y0 + 5), (x1 - 5, y1 - 5), (6, 2)).tolist():
            cv2.circle(picture, (x, y), 4, (30, 40, 120), -1)
    return picture


def place(i: int) -> list[tuple[int, int]]:
    x, y = 120 + 44 * i, 150
    return [(x, y), (x + 40, y), (x + 40, y + 56), (x, y + 56)]


def moved(picture: Pixels, dx: float, dy: float = 0) -> Pixels:
    matrix = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    return np.asarray(cv2.warpAffine(picture, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE))


def seen_as(picture: Pixels, frame: int, gain: float = 1.0, noise: float = 5.0) -> Pixels:
    random = np.random.default_rng(frame)
    return np.clip(picture * gain + random.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)


def covered(picture: Pixels, x: int = 200) -> Pixels:
    hand = picture.copy()
    cv2.ellipse(hand, (x, 260), (50, 130), 20, 0, 360, (190, 150, 120), -1)
    return hand


@dataclass
class FakeReader:
    """Sees the tiles that it is told of, each time those of ``found[time]``, the last for ever."""

    found: list[list[int]] = field(default_factory=lambda: [[0, 1, 2, 3, 4]])
    labels: list[list[str]] = field(default_factory=lambda: [["1m", "2m", "3m", "4m", "5m"]])
    """What tile i is taken for, each time that faces are named."""
    sure: float = 0.9
    turn: int = 0
    """By how many corners the face's own start differs from where it is asked."""
    shift: tuple[float, float] = (0, 0)
    reads: int = 0
    frames_read: int = 0
    named: int = 0
    arranged: list[Detections] = field(default_factory=list)

    def read_frame(self, photo: Photo) -> Reading:
        self.frames_read += 1
        return self.read(photo)

    def read(self, photo: Photo, *, region: Region | None = None) -> Reading:
        which = self.found[min(self.reads, len(self.found) - 1)]
        if region is not None:
            which = [i for i in which if np.mean(place(i), axis=0)[0] > region[0] * photo.width]
        self.reads += 1
        tiles = tuple(self._tile(i, "9p") for i in which)
        hand = {"concealed": "".join(str(i) for i in which) + "m"} if which else None
        return Reading("", photo.width, photo.height, tiles, hand, {}, "ok" if which else "error")

    def _tile(self, i: int, label: str, quad: Array32 | None = None) -> SeenTile:
        points = np.array(place(i), np.float32) + self.shift if quad is None else quad
        return SeenTile(quad_of(points), label, 0.9, ("9s", 0.1), "hand")

    def classify(self, photo: Photo, quads: Array32) -> Detections:
        labels = self.labels[min(self.named, len(self.labels) - 1)]
        self.named += 1
        answers = np.full((len(quads), len(WITH_FOREIGN)), (1 - self.sure) / (len(WITH_FOREIGN) - 1))
        for i, quad in enumerate(quads):
            tile = round((float(quad[:, 0].mean()) - 140 - self.shift[0]) / 44)
            answers[i, WITH_FOREIGN.index(labels[tile])] = self.sure
        turned = np.roll(quads, -self.turn, axis=1)
        rotation = np.tile(np.array([0.85, 0.05, 0.05, 0.05], np.float32), (len(quads), 1))
        scores, looks = (
            np.full(len(quads), CONFIG.confident, np.float32),
            np.full((len(quads), 3), self.named, np.float32),
        )
        return Detections(turned, scores, np.log(answers).astype(np.float32), rotation, looks)

    def read_tiles(self, photo: Photo, known: Detections) -> Reading:
        self.arranged.append(known)
        assert known.logits is not None
        names = [WITH_FOREIGN[k] for k in known.logits.argmax(axis=1)]
        order = np.argsort(known.quads[:, :, 0].mean(axis=1))
        seen = tuple(self._tile(0, names[i], known.quads[i]) for i in order)
        hand = {"concealed": "".join(names[i] for i in order)}
        return Reading("", photo.width, photo.height, seen, hand, {}, "ok")


def play(steady: Steady, picture: Pixels, frames: int, first: int = 0) -> list[View]:
    return [steady.see(seen_as(picture, first + k)) for k in range(frames)]


def labels(view: View) -> str:
    assert view.reading is not None
    return "".join(tile.label for tile in view.reading.tiles)


def test_a_scene_that_lies_still_becomes_steady_once() -> None:
    reader = FakeReader()
    views = play(Steady(reader, PATIENCE), table(), 20)
    assert [view.state for view in views[:3]] == [State.WAITING] * 3
    assert views[3].state is State.VOTING and views[3].reading is not None
    assert [view.fresh for view in views].index(True) == SETTLED - 1
    assert sum(view.fresh for view in views) == 1 and views[-1].state is State.STEADY
    assert labels(views[-1]) == "1m2m3m4m5m"
    assert reader.reads == 2 and reader.named == 3  # and nothing more while nothing changes


def test_frames_vote_and_none_makes_the_others_surer_than_they_are() -> None:
    right = ["1m", "2m", "3m", "4m", "5m"]
    reader = FakeReader(labels=[["1m", "2m", "3m", "4m", "6m"], right, right, right])
    view = play(Steady(reader, PATIENCE), table(), SETTLED)[-1]
    assert labels(view) == "1m2m3m4m5m"
    pooled = reader.arranged[-1]
    assert pooled.logits is not None and pooled.embeddings is not None
    sure = softmax(pooled.logits).max(axis=1)
    assert sure[:4] == pytest.approx(0.9, abs=0.02) and sure[4] < 0.85
    assert pooled.embeddings[0].tolist() == [2, 2, 2], "the mean of what three frames looked like"


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_votes_count_from_the_same_corner(turn: int) -> None:
    reader = FakeReader(turn=turn)
    play(Steady(reader, PATIENCE), table(), SETTLED)
    tiles = reader.arranged[-1]
    assert tiles.turns is not None and tiles.turns.argmax(axis=1).tolist() == [0] * 5
    assert tiles.turns[:, 0] == pytest.approx(0.85, abs=0.02)
    assert tiles.quads[0, 0].tolist() == pytest.approx(place(0)[turn])


@pytest.mark.parametrize(
    ("found", "kept"),
    [
        ([[0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]], "1m2m3m4m5m"),
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3], [0, 1, 2, 3]], "1m2m3m4m"),
    ],
)
def test_a_tie_between_two_readings_is_broken_by_a_third(found: list[list[int]], kept: str) -> None:
    reader = FakeReader(found=found)
    view = play(Steady(reader, PATIENCE), table(), SETTLED + PATIENCE.gap)[-1]
    assert reader.reads == 3 and view.state is State.STEADY and labels(view) == kept


def done_by_frame(reader: FakeReader, frames: int = SETTLED + 1) -> list[tuple[int, int, int]]:
    """How often it has read, named and concluded in each frame."""
    steady, before, done = Steady(reader, PATIENCE), (0, 0, 0), []
    for k in range(frames):
        steady.see(seen_as(table(), k))
        now = reader.frames_read, reader.named, len(reader.arranged)
        done.append((now[0] - before[0], now[1] - before[1], now[2] - before[2]))
        before = now
    return done


def test_a_frame_is_read_or_named_or_concludes() -> None:
    """One after the other: the view of the camera must not stand still."""
    nothing, read, named, concluded = (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)
    finished = [*[nothing] * 3, read, named, named, read, named, concluded, nothing]
    assert done_by_frame(FakeReader()) == finished


def test_each_set_of_tiles_that_may_be_a_hand_has_a_frame_of_its_own() -> None:
    class Torn(FakeReader):
        def read_tiles(self, photo: Photo, known: Detections) -> Reading:
            return replace(super().read_tiles(photo, known), status="incomplete")

    reader = Torn(found=[[0, 1, 2, 3], [0, 1, 2, 3, 4]])
    done = done_by_frame(reader, SETTLED + 2)
    assert max(map(sum, done)) == 1 and len(reader.arranged) >= 3


def test_noise_and_light_do_not_start_over() -> None:
    reader = FakeReader()
    steady = Steady(reader, PATIENCE)
    play(steady, table(), 10)
    for k, gain in enumerate([1.3, 0.7, 1.0, 0.5, 1.2] * 4):
        view = steady.see(seen_as(table(), k, gain, noise=12))
        assert view.state is State.STEADY and not view.fresh
    assert reader.reads == 2


def test_one_torn_frame_is_nothing() -> None:
    reader = FakeReader()
    steady = Steady(reader, PATIENCE)
    play(steady, table(), 10)
    assert steady.see(covered(table())).state is State.STEADY
    assert play(steady, table(), 5)[-1].state is State.STEADY and reader.reads == 2


def test_a_shock_is_followed() -> None:
    reader = FakeReader()
    steady = Steady(reader, PATIENCE)
    play(steady, table(), 10)
    for k, (dx, dy) in enumerate([(2, -1), (-3, 2), (5, 3), (12, -6), (12, -6)]):
        view = steady.see(seen_as(moved(table(), dx, dy), k))
        assert view.state is State.STEADY and view.reading is not None
        quad = np.array(view.reading.tiles[0].quad)
        assert np.abs(quad - np.array(place(0)) - (dx, dy)).max() < 1
    assert reader.reads == 2


def test_a_hand_over_the_table_starts_over() -> None:
    reader = FakeReader()
    steady = Steady(reader, PATIENCE)
    play(steady, table(), 10)
    over = [steady.see(covered(table(), 140 + 12 * k)) for k in range(8)]
    assert over[1].state is State.COVERED and over[-1].state is State.COVERED and over[-1].reading is None
    assert reader.reads == 2
    after = play(steady, table(), SETTLED + 3)
    assert reader.reads == 4 and after[-1].state is State.STEADY
    assert not any(view.fresh for view in after)  # the same hand is no new one


def test_the_same_hand_found_in_another_order_is_not_fresh() -> None:
    """Nor with other tiles around it: a river tile that is read otherwise changes no score."""

    class Wavering(FakeReader):
        def read_tiles(self, photo: Photo, known: Detections) -> Reading:
            found = super().read_tiles(photo, known)
            names = [tile.label for tile in found.tiles]
            later = len(self.arranged) > 1
            hand = {"concealed": "".join(names[1::-1] if later else names[:2]), "dora_indicators": names[2:4]}
            hand["dora_indicators"] = hand["dora_indicators"][:: -1 if later else 1]
            river = replace(found.tiles[4], role="other", label="9s" if later else "8s")
            return replace(found, tiles=(*found.tiles[:4], river), hand=hand)

    steady = Steady(Wavering(), PATIENCE)
    assert sum(view.fresh for view in play(steady, table(), 10)) == 1
    for k in range(4):
        steady.see(covered(table(), 150 + 30 * k))
    after = play(steady, table(), SETTLED + 3)
    assert after[-1].state is State.STEADY and after[-1].reading is not None
    assert after[-1].reading.hand == {"concealed": "2m1m", "dora_indicators": ["4m", "3m"]}
    assert not any(view.fresh for view in after)


def test_another_hand_is_fresh() -> None:
    reader = FakeReader()
    steady = Steady(reader, PATIENCE)
    play(steady, table(), 10)
    for k in range(4):
        steady.see(covered(table(), 150 + 30 * k))
    reader.labels = [["1s", "2s", "3s", "4s", "5s"]]
    views = play(steady, table(seed=2), SETTLED + 3)
    assert [view.fresh for view in views].count(True) == 1 and labels(views[-1]) == "1s2s3s4s5s"


def test_the_hand_that_is_chosen_stands_until_something_moves() -> None:
    reader, patience = FakeReader(), replace(PATIENCE, again=60)
    steady = Steady(reader, patience)
    first = play(steady, table(), 10)[-1].reading
    assert first is not None and len(first.tiles) == 5
    width = table().shape[1]
    middle = float(np.mean(first.tiles[2].quad, axis=0)[0])
    steady.turn_to(((middle - 22) / width, 0.0, 1.0, 1.0))
    views = play(steady, table(), 2 * patience.again)
    assert views[0].fresh and views[0].state is State.STEADY and not any(view.fresh for view in views[1:])
    assert all(view.reading is not None and len(view.reading.tiles) == 3 for view in views)
    for late in (False, True):
        steady.forget()
        if late:  # of a scene that is gone
            play(steady, table(), 10)
            steady.turn_to((0.5, 0.0, 1.0, 1.0))
            for k in range(4):
                steady.see(covered(table(), 150 + 30 * k))
        steady.turn_to((0.5, 0.0, 1.0, 1.0))
        again = play(steady, table(), 12)[-1].reading
        assert again is not None and len(again.tiles) == 5


def test_a_moved_camera_starts_over() -> None:
    reader = FakeReader()
    steady = Steady(reader, PATIENCE)
    play(steady, table(), 10)
    pan = [steady.see(moved(table(), 9.0 * k)) for k in range(1, 10)]
    assert State.MOVED in [view.state for view in pan] and State.COVERED not in [view.state for view in pan]
    assert reader.reads == 2  # nothing is read in motion
    reader.shift = (81, 0)
    rest = play(steady, moved(table(), 81), SETTLED + 3)
    assert rest[-1].state is State.STEADY and rest[-1].reading is not None
    assert rest[-1].reading.tiles[0].quad[0] == pytest.approx((201, 150), abs=1)


def test_what_happens_far_away_matters_once_it_lasts() -> None:
    reader = FakeReader()
    steady = Steady(reader, PATIENCE)
    play(steady, table(), 10)
    elsewhere = table()
    for k in range(12):  # somebody drinks
        cup = elsewhere.copy()
        cv2.circle(cup, (560, 40 + 20 * (k % 5)), 30, (20, 20, 20), -1)
        assert steady.see(cup).state is State.STEADY
    assert reader.reads == 2
    cv2.rectangle(elsewhere, (560, 40), (600, 96), (240, 240, 240), -1)
    views = play(steady, elsewhere, PATIENCE.lasting + SETTLED + 3)
    assert views[PATIENCE.lasting - 2].state is State.STEADY  # for now the reading stands
    assert (
        reader.reads == 4
        and views[-1].state is State.STEADY
        and State.COVERED not in [v.state for v in views]
    )


def test_an_empty_table_is_read_once_and_again_when_something_lies_there() -> None:
    reader = FakeReader(found=[[]])
    steady = Steady(reader, PATIENCE)
    views = play(steady, table(tiles=0), 40)
    assert views[-1].state is State.STEADY and reader.reads == 2 and not any(view.fresh for view in views)
    reader.found = [[0, 1, 2, 3, 4]]
    assert any(view.fresh for view in play(steady, table(), 30))


def test_a_hand_that_is_none_is_looked_at_again_but_not_for_ever() -> None:
    class Doubting(FakeReader):
        def read(self, photo: Photo, *, region: Region | None = None) -> Reading:
            found = super().read(photo, region=region)
            return Reading("", photo.width, photo.height, found.tiles, found.hand, {}, "incomplete")

        def read_tiles(self, photo: Photo, known: Detections) -> Reading:
            found = super().read_tiles(photo, known)
            return Reading("", photo.width, photo.height, found.tiles, found.hand, {}, "incomplete")

    reader = Doubting()
    steady = Steady(reader, Timing(gap=3, again=20, most_reads=4))
    play(steady, table(), SETTLED + 4)
    assert (reader.reads, reader.frames_read) == (
        3,
        2,
    )  # twice as quick as a frame needs, then soon as closely as can be
    play(steady, table(), 60)
    assert (reader.reads, reader.frames_read) == (4, 2)


def test_one_frame_that_shows_a_finished_hand_is_enough_if_the_others_name_its_faces() -> None:
    class Exacting(FakeReader):
        def read(self, photo: Photo, *, region: Region | None = None) -> Reading:
            return self._judged(super().read(photo, region=region))

        def read_tiles(self, photo: Photo, known: Detections) -> Reading:
            return self._judged(super().read_tiles(photo, known))

        @staticmethod
        def _judged(seen: Reading) -> Reading:
            return replace(seen, status="ok" if len(seen.tiles) == 5 else "incomplete")

    reader = Exacting(found=[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3]])
    view = play(Steady(reader, Timing(gap=3, again=5)), table(), 30)[-1]
    assert reader.reads == 3 and view.reading is not None and view.reading.status == "ok"
    assert labels(view) == "1m2m3m4m5m"


def test_forgetting_makes_the_same_hand_fresh() -> None:
    steady = Steady(FakeReader(), PATIENCE)
    play(steady, table(), 10)
    steady.forget()
    assert any(view.fresh for view in play(steady, table(), 10))


def test_frames_of_another_size_start_over_and_no_picture_is_refused() -> None:
    reader = FakeReader()
    steady = Steady(reader, PATIENCE)
    play(steady, table(), 10)
    assert steady.see(np.zeros((180, 320, 3), np.uint8)).state is not State.STEADY
    with pytest.raises(PhotoError):
        steady.see(np.zeros((5, 5, 3), np.uint8))


@pytest.mark.skipif(
    not all(
        (ROOT / path).is_file()
        for path in ("models/finder.onnx", "models/faces.onnx", "tehai/hand/sample.jpg")
    ),
    reason="the models or tehai/hand/sample.jpg are not there",
)
def test_the_sample_is_read_through_noise_a_hand_and_a_shift() -> None:
    from vision.image import load
    from vision.reader import Reader

    photo = cv2.resize(
        load(ROOT / "tehai" / "hand" / "sample.jpg").pixels, (960, 720), interpolation=cv2.INTER_AREA
    )
    steady = Steady(Reader(), Timing(gap=2))
    still = [steady.see(seen_as(np.asarray(photo), k)) for k in range(9)]
    assert still[-1].state is State.STEADY and [view.fresh for view in still].count(True) == 1
    assert still[-1].reading is not None and still[-1].reading.hand is not None
    assert (
        still[-1].reading.hand["concealed"] == "234m067p3488s" and still[-1].reading.hand["win_tile"] == "5s"
    )
    shifted = cv2.warpAffine(
        photo, np.array([[1, 0, 7], [0, 1, -4]], np.float32), (960, 720), borderMode=cv2.BORDER_REPLICATE
    )
    view = steady.see(seen_as(np.asarray(shifted), 50, 1.2))
    assert view.state is State.STEADY and view.reading is not None
    before, after = (np.array(seen.reading.tiles[0].quad) for seen in (still[-1], view) if seen.reading)
    assert after - before == pytest.approx(np.tile([7, -4], (4, 1)), abs=0.7)
    arm = np.array(photo, np.uint8)
    cv2.ellipse(arm, (300, 480), (60, 200), 20, 0, 360, (190, 150, 120), -1)
    assert [steady.see(arm).state for _ in range(2)][-1] is State.COVERED
