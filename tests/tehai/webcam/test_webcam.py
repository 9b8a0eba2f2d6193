"""``tehai webcam``: where frames come from, what keys do, what is printed and shown, what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from scorer.asking.plan import Choice, Question, QuestionKind
from scorer.tiles import parse_tiles
from tehai.cli import app
from tehai.errors import Mistake
from tehai.hand.batch import score_line
from tehai.webcam import session, source
from tehai.webcam.live_hand import LiveHand, doubt_sentences, is_whole
from tehai.webcam.panel import WIDTH as PANEL_WIDTH
from tehai.webcam.panel import count, paint, paragraphs
from tehai.webcam.session import Window, record_of
from tehai.webcam.source import Frame, cameras, open_source
from tehai.webcam.steady import State, View
from tests.tehai.readings import HAND as TWO_HANDS
from tests.tehai.readings import RIGHT, doubted
from vision.arrays import Pixels
from vision.image import load
from vision.reader import read
from vision.reading import Doubt, Quad, Reading, SeenTile

ROOT = Path(__file__).resolve().parents[3]
FILES = ("models/finder.onnx", "models/faces.onnx", "tehai/hand/sample.jpg")
ENTER, BACKSPACE, LEFT_ARROW = 13, 8, 0xFF51


def seen(concealed: str, win: str | None = None, dora: str = "", status: str = "ok") -> Reading:
    """A row of tiles as a reading."""

    def quad(place: int) -> Quad:
        x = 10.0 + 40 * place
        return ((x, 60.0), (x + 36, 60.0), (x + 36, 110.0), (x, 110.0))

    labels = [*map(str, parse_tiles(concealed)), *([win] if win else [])]
    tiles = tuple(
        SeenTile(quad(i), label, 0.99, ("1m", 0.01), "win" if win and i == len(labels) - 1 else "hand")
        for i, label in enumerate(labels)
    )
    hand: dict[str, Any] = {"concealed": concealed, "melds": [], **({"win_tile": win} if win else {})}
    if dora:
        hand["dora_indicators"] = list(map(str, parse_tiles(dora)))
    return Reading("", 640, 200, tiles, hand, dict.fromkeys(hand, "seen"), status)


HAND = seen("234m340567p2267s", "8s")
OTHER = seen("111m222p333s444z5z", "5z")


def typed(live: LiveHand, text: str) -> None:
    for letter in text:
        assert live.key(ord(letter)), letter


def answer(live: LiveHand, field: str) -> None:
    """Answer with Enter until that field is asked for."""
    for _ in range(20):
        if live.question is not None and live.question.field == field:
            return
        assert live.key(ENTER)
    raise AssertionError(field)


# --- the answers --------------------------------------------------------------------------------------------


def test_enter_takes_defaults_until_nothing_is_open() -> None:
    live = LiveHand()
    live.see(HAND)
    first = live.outcome
    assert first is not None and first.result is not None and live.question is not None
    asked = 0
    while live.question is not None:
        assert live.key(ENTER) and asked < 20
        asked += 1
    assert asked >= 3 and live.outcome is not None and live.outcome.result is not None
    assert live.outcome.result["points"] == first.result["points"]
    assert not live.key(ENTER)


def test_a_number_answers_and_backspace_takes_it_back() -> None:
    live = LiveHand()
    live.see(HAND)
    answer(live, "riichi")
    assert live.question is not None and live.outcome is not None and live.outcome.result is not None
    before = live.outcome.result["points"]
    number = [choice.id for choice in live.choices].index("yes") + 1
    assert live.by_digit and live.key(ord(str(number)))
    assert (
        live.hand_input is not None
        and live.hand_input.record["riichi"]
        and live.hand_input.known["riichi"] == "asked"
    )
    assert live.outcome.result["points"] != before
    assert live.key(BACKSPACE) and live.question.field == "riichi"
    assert live.outcome.result["points"] == before and "riichi" not in live.hand_input.record
    assert not live.key(ord("9"))


def test_tiles_are_typed() -> None:
    live = LiveHand()
    live.see(HAND)
    answer(live, "dora_indicators")
    typed(live, "1m7")
    assert live.key(BACKSPACE) and live.typed == "1m"
    live.key(ENTER)
    assert live.hand_input is not None and live.hand_input.record["dora_indicators"] == ["1m"]
    live.key(BACKSPACE)
    typed(live, "9z")
    live.key(ENTER)
    assert live.note and live.typed == "" and live.question is not None  # what is no tile is asked again
    assert live.question.field == "dora_indicators"


def test_several_circumstances_are_marked() -> None:
    def choice(name: str, **fields: bool) -> Choice:
        return Choice(name, name, {"rinshan": False, "haitei": False, **fields}, 1000, 1000, 1000)

    question = Question(
        "special", "Anything special?", QuestionKind.SEVERAL,
        (choice(""), choice("rinshan", rinshan=True), choice("haitei", haitei=True)), "", "",
    )  # fmt: skip
    live = LiveHand()
    live.see(HAND)
    assert live.outcome is not None
    live.outcome = replace(live.outcome, plan=replace(live.outcome.plan, questions=(question,)))
    for key, chosen in (("2", ("haitei",)), ("1", ("haitei", "rinshan")), ("2", ("rinshan",))):
        typed(live, key)
        assert live.chosen == chosen
    assert not live.key(ord("3"))
    live.key(ENTER)
    assert (
        live.hand_input is not None
        and live.hand_input.record["rinshan"]
        and not live.hand_input.record["haitei"]
    )


def test_a_hand_seen_better_keeps_its_answers_and_another_does_not() -> None:
    live = LiveHand({"rules": "tenhou"})
    live.see(HAND)
    answer(live, "riichi")
    live.key(ord("1") + [choice.id for choice in live.choices].index("yes"))
    live.see(seen("234m340567p2267s", "8s", dora="7p"))
    assert live.hand_input is not None and live.hand_input.record["riichi"]
    assert live.hand_input.record["dora_indicators"] == ["7p"] and live.hand_input.record["rules"] == "tenhou"
    live.see(OTHER)
    assert live.hand_input.record.get("riichi") is None and live.hand_input.record["rules"] == "tenhou"
    live.forget()
    assert live.outcome is None and live.question is None and not live.key(ENTER)


DOUBTED = replace(
    HAND,
    confidence=0.6,
    doubts=(
        Doubt("face", (5,), "The 0p may be a 5p.", {"label": "5p"}),
        Doubt("indicator", (), "A wall lies there, and no indicator was seen."),
    ),
)


def test_what_is_in_doubt_is_said_and_asked() -> None:
    live = LiveHand()
    live.see(DOUBTED)
    assert doubt_sentences(live) == [f"In doubt: {doubt.text}" for doubt in DOUBTED.doubts]
    assert count(View(State.STEADY, DOUBTED)) == "14 of 14 tiles, 2 to check"
    before = paint(View(State.STEADY, HAND), live, 640)
    live.see(HAND)
    assert (before != paint(View(State.STEADY, HAND), live, 640)).any()


def shown(live: LiveHand, reading: Reading = HAND) -> list[str]:
    """What the panel says, a paragraph each."""
    return [text for text, _, _ in paragraphs(View(State.STEADY, reading), live)]


def test_the_panel_says_what_was_assumed_and_where_other_rules_pay_otherwise() -> None:
    live = LiveHand()
    live.see(HAND)
    assert "Assumed: not the dealer, no riichi, ron, no dora. Rules: EMA Riichi 2008." in shown(live)
    answer(live, "riichi")
    live.key(ord(str([choice.id for choice in live.choices].index("yes") + 1)))
    assert any(text.startswith("Under M.League rules: 8") for text in shown(live))
    while live.question is not None:
        live.key(ENTER)
    assert "Rules: EMA Riichi 2008." in shown(live)


def test_a_hand_without_yaku_says_where_it_has_one() -> None:
    live = LiveHand()
    chow = {"type": "chi", "tiles": "234m"}
    hand = {"concealed": "456p78s22p345s", "win_tile": "6s", "melds": [chow]}
    tanyao = replace(seen("456p78s22p345s", "6s"), hand=hand, known=dict.fromkeys(hand, "seen"))
    live.see(tanyao)
    assert any("(All Simples counts)" in text for text in shown(live, tanyao))


def test_of_thirteen_tiles_no_way_of_winning_is_taken_for_granted() -> None:
    live = LiveHand()
    waiting = seen("234m340567p2267s", None, status="incomplete")
    live.see(waiting)
    assert "Assumed: not the dealer, no dora. Rules: EMA Riichi 2008." in shown(live, waiting)
    live.see(seen("147m258p369s1234z", None, status="incomplete"))
    assert not any(text.startswith(("Assumed", "Rules")) for text in shown(live, waiting))


def test_a_doubt_that_is_settled_is_not_asked_again_when_the_hand_is_seen_anew() -> None:
    live = LiveHand()
    live.see(DOUBTED)
    answer(live, "tile")
    assert live.by_digit and [choice.id for choice in live.choices] == ["0p", "5p"]
    assert live.key(ord("1")) and not doubt_sentences(live)  # the indicators were asked for before
    live.see(replace(DOUBTED, elapsed_ms={"load": 1.0}))
    assert not doubt_sentences(live)


def test_a_line_says_what_is_in_doubt(tmp_path: Path) -> None:
    frame = Frame(np.zeros((2, 2, 3), np.uint8), 7, 1.5)
    line = record_of(DOUBTED, {}, frame)["reading"]
    assert line["confidence"] == 0.6 and line["doubts"] == [doubt.to_record() for doubt in DOUBTED.doubts]


def test_a_winning_tile_among_fourteen_is_typed() -> None:
    live = LiveHand()
    live.see(seen("123456789m2345p", None, status="incomplete"))
    assert not is_whole(seen("123m")) and live.outcome is not None and live.outcome.problem
    live.see(seen("234m340567p22678s", None, status="incomplete"))
    answer(live, "win_tile")
    if live.by_digit:
        live.key(ord("1") + [choice.id for choice in live.choices].index("7p"))
    else:
        typed(live, "7p")
        live.key(ENTER)
    assert live.hand_input is not None and live.hand_input.record["win_tile"] == "7p"


def test_thirteen_tiles_offer_what_they_wait_on_before_anything_else() -> None:
    live = LiveHand()
    live.see(seen("234m340567p2267s", None, status="incomplete"))
    assert live.question is not None and live.question.field == "win_tile" and live.by_digit
    assert [choice.id for choice in live.choices] == ["5s", "8s"]
    assert all(choice.points > 0 for choice in live.choices)
    assert live.key(ENTER) and live.note  # none of them is likelier
    assert live.hand_input is not None and "win_tile" not in live.hand_input.record
    assert live.key(ord("2")) and live.hand_input.record["win_tile"] == "8s"
    assert live.outcome is not None and live.outcome.result is not None and live.outcome.result["points"]
    assert live.question is not None and live.question.field != "win_tile"
    assert live.key(BACKSPACE) and live.question.field == "win_tile"


def test_a_tile_out_of_many_waits_is_typed() -> None:
    live = LiveHand()
    live.see(seen("19m19p19s1234567z", None, status="incomplete"))
    view = View(State.STEADY, seen("19m19p19s1234567z", None, status="incomplete"))
    assert len(live.choices) == 13 and not live.by_digit and paint(view, live, 640).shape[1] == PANEL_WIDTH
    typed(live, "7z")
    assert live.key(ENTER) and live.hand_input is not None and live.hand_input.record["win_tile"] == "7z"


def test_open_tiles_that_wait_without_a_yaku_ask_which_tile_won() -> None:
    live, row = LiveHand(), seen("345p78s22z", None, status="incomplete")
    melds = [{"type": "chi", "tiles": "123m", "from": 3}, {"type": "pon", "tiles": "444z", "from": 1}]
    live.see(replace(row, hand={**(row.hand or {}), "melds": melds}))
    assert [(one.fields["win_tile"], one.points) for one in live.choices] == [("6s", 0), ("9s", 0)]


def test_thirteen_tiles_that_wait_on_nothing_ask_nothing() -> None:
    live = LiveHand()
    live.see(seen("147m258p369s1234z", None, status="incomplete"))
    assert live.question is None and live.outcome is not None and live.outcome.problem


def test_the_answers_stay_when_the_same_tiles_are_read_in_another_order() -> None:
    live = LiveHand()
    live.see(seen("234m340567p2267s", None, status="incomplete"))
    live.key(ord("2"))
    live.see(seen("2267s234m340567p", None, dora="1z", status="incomplete"))
    assert live.hand_input is not None and live.hand_input.record["win_tile"] == "8s"
    assert live.hand_input.record["dora_indicators"] == ["1z"]


@pytest.mark.parametrize(("concealed", "apart"), [("234m340567p2267s", None), ("234m340567p226s", "7s")])
def test_a_line_of_thirteen_tiles_makes_no_winning_tile_up(concealed: str, apart: str | None) -> None:
    line = record_of(seen(concealed, apart, status="incomplete"), {}, blank())
    assert "win_tile" not in line and "win_tile" not in line["known"]
    assert line["concealed"] == "234m340567p2267s" and line["reading"]["waits"] == ["5s", "8s"]
    assert score_line(1, json.dumps(line).encode())["error"] == "wrong_tile_count"  # as tehai batch takes it
    assert "waits" not in record_of(HAND, {}, blank())["reading"]


# --- the picture --------------------------------------------------------------------------------------------


def blank(width: int = 640, height: int = 360, number: int = 0) -> Frame:
    return Frame(np.full((height, width, 3), 90, np.uint8), number, 0.0)


@pytest.mark.parametrize(
    ("state", "reading"),
    [
        (State.WAITING, None),
        (State.STEADY, HAND),
        (State.VOTING, seen("123m", None, status="incomplete")),
        (State.STEADY, Reading("", 640, 360, (), None, {}, "error", "No mahjong tiles were found.")),
    ],
)
def test_every_state_has_its_picture(state: State, reading: Reading | None) -> None:
    window = Window(LiveHand(), Path())
    window.take(View(state, reading, fresh=reading is HAND))
    for frame in (blank(), blank(1920, 1080), blank(360, 640)):
        picture = window.picture(frame)
        assert picture.shape[0] == 640 and picture.shape[1] - PANEL_WIDTH <= 980 and picture.dtype == np.uint8


def test_the_panel_changes_with_answers_and_keeps_to_its_height() -> None:
    live = LiveHand()
    live.see(HAND)
    view = View(State.STEADY, HAND)
    pictures: set[bytes] = set()
    while live.question is not None:
        pictures.add(paint(view, live, 640).tobytes())
        live.key(ENTER)
    assert len(pictures) >= 3
    short = paint(view, live, 200, "a note")
    assert short.shape == (200, PANEL_WIDTH, 3)


def test_a_key_turns_to_the_other_hand_where_one_may_be_meant(tmp_path: Path) -> None:
    window = Window(LiveHand(), tmp_path)
    window.take(fresh(HAND))
    assert window.press(ord("h"), blank()) and window.turns_to is None
    before = paint(window.view, window.live, 640)
    window.live.forget()
    window.take(fresh(doubted(TWO_HANDS)))
    assert not np.array_equal(paint(window.view, window.live, 640), before)
    assert window.press(ord("H"), blank()) and window.turns_to == RIGHT and "other hand" in window.note
    window.turns_to = None
    window.take(View(State.MOVED))
    assert window.press(ord("H"), blank()) and window.turns_to is None and "steady" in window.note
    reading = doubted(TWO_HANDS)
    moved = tuple(
        replace(one, instead={**(one.instead or {}), "region": [0, 0, 1, 0.5]}) for one in reading.doubts
    )
    window.take(View(State.STEADY, replace(reading, doubts=moved)))  # the same hand, seen from elsewhere
    assert window.press(ord("H"), blank()) and window.turns_to == (0, 0, 1, 0.5)


def test_the_keys_of_the_window(tmp_path: Path) -> None:
    window = Window(LiveHand(), tmp_path / "shots")
    window.take(View(State.STEADY, HAND, fresh=True))
    assert window.press(ENTER, blank()) and window.press(255, blank())
    assert window.press(ord("c"), blank())
    (photo,) = (tmp_path / "shots").glob("*.jpg")
    assert photo.name in window.note
    kept = json.loads(photo.with_suffix(".json").read_text())
    assert kept["reading"]["hand"]["concealed"] == "234m340567p2267s"
    assert window.press(ord("n"), blank()) and window.starts_over and window.live.hand_input is None
    assert not window.press(ord("q"), blank()) and not window.press(27, blank())
    (tmp_path / "file").write_text("")
    window = Window(LiveHand(), tmp_path / "file")
    assert window.press(ord("C"), blank()) and window.note.startswith("Not saved")


# --- sources ------------------------------------------------------------------------------------------------


class Device:
    """A camera as OpenCV sees it. ``pictures``: how many it gives."""

    pictures: ClassVar = {0: 3}

    def __init__(self, number: int, api: int = 0) -> None:
        self.left = self.pictures.get(number, -1)

    def isOpened(self) -> bool:
        return self.left >= 0

    def set(self, what: int, value: float) -> bool:
        return True

    def get(self, what: int) -> float:
        return 0.0

    def grab(self) -> bool:
        self.left -= 1
        return self.left >= 0

    def retrieve(self) -> tuple[bool, Pixels]:
        return True, np.full((72, 128, 3), (10, 20, 30), np.uint8)

    def read(self) -> tuple[bool, Pixels | None]:
        return self.retrieve() if self.grab() else (False, None)

    def release(self) -> None:
        pass


@pytest.fixture
def devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Camera 0 works, 2 is busy, 3 only tells about 2."""
    for number, index in ((0, 0), (2, 0), (3, 1)):
        (tmp_path / f"video{number}").touch()
        (names := tmp_path / "names" / f"video{number}").mkdir(parents=True)
        (names / "name").write_text(f"Camera of the pool {number}\n")
        (names / "index").write_text(f"{index}\n")
    monkeypatch.setattr(source, "DEVICES", tmp_path)
    monkeypatch.setattr(source, "NAMES", tmp_path / "names")
    monkeypatch.setattr(source.sys, "platform", "linux")
    monkeypatch.setattr(source.cv2, "VideoCapture", Device)
    yield tmp_path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["webcam", *(str(argument) for argument in arguments)])


def test_cameras_are_listed(devices: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = run("--list").stdout.splitlines()
    assert lines == [
        "0  Camera of the pool 0  128×72",
        "2  Camera of the pool 2  busy, or not to be used by you",
    ]
    monkeypatch.setattr(source, "DEVICES", devices / "none")
    assert run("--list").stdout.startswith("No camera was found")
    monkeypatch.setattr(source.sys, "platform", "darwin")
    assert [(one.number, one.trouble) for one in cameras()] == [(0, "")]


@pytest.mark.parametrize(
    ("camera", "sentence"),
    [
        ("1", "There is no camera 1; tehai webcam --list"),
        ("2", "Camera 2 gives no picture; close other programs"),
    ],
)
def test_a_missing_and_a_busy_camera_say_so(devices: Path, camera: str, sentence: str) -> None:
    done = run("--camera", camera, "--no-window")
    assert (
        done.exit_code == 2 and done.stderr.startswith(f"tehai: {sentence}") and done.stderr.count("\n") == 1
    )


def test_a_camera_gives_rgb_until_it_stops(devices: Path) -> None:
    frames: list[Frame] = []
    with open_source("0") as camera, pytest.raises(Mistake, match="camera 0 has stopped"):
        for frame in camera.frames():
            frames.append(frame)
    assert [frame.number for frame in frames] == [0, 1, 2]
    assert frames[0].pixels[0, 0].tolist() == [30, 20, 10]


def test_what_cannot_be_played_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("no video")
    for name, sentence in (
        ("none.mp4", "does not exist"), ("", "is a folder"), ("text.mp4", "cannot be played"),
        ("\udcff.mp4", "rename the file"),
    ):  # fmt: skip
        done = run("--camera", tmp_path / name, "--no-window")
        assert done.exit_code == 2 and sentence in done.stderr and done.stderr.count("\n") == 1
    assert "Nothing comes from" in run("--camera", "http://127.0.0.1:9/none", "--no-window").stderr


class Stream(BaseHTTPRequestHandler):
    """A phone that streams as most such apps do: JPEG after JPEG."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for grey in range(0, 200, 20):
            _, jpeg = cv2.imencode(".jpg", np.full((72, 128, 3), grey, np.uint8))
            self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n")
            self.wfile.write(b"Content-Length: %d\r\n\r\n%s\r\n" % (len(jpeg), jpeg.tobytes()))

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_a_stream_is_read_by_its_address() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Stream) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        greys = []
        try:
            with open_source(f"http://127.0.0.1:{server.server_port}/video") as stream:
                for frame in stream.frames():
                    greys.append(round(float(frame.pixels.mean())))
        except Mistake as mistake:
            assert "has stopped sending pictures" in str(mistake)
        finally:
            server.shutdown()
    assert len(greys) >= 9 and greys[:5] == pytest.approx([0, 20, 40, 60, 80], abs=2)


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty frames at ten a second, each of its own grey."""
    path = tmp_path_factory.mktemp("video") / "grey.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (128, 72))
    if not writer.isOpened():
        pytest.skip("OpenCV cannot write videos here")
    for grey in range(30):
        writer.write(np.full((72, 128, 3), 8 * grey, np.uint8))
    writer.release()
    return path


def test_a_video_is_played_frame_by_frame(video: Path) -> None:
    with open_source(str(video), fast=True) as played:
        frames = list(played.frames(sleep=lambda seconds: pytest.fail("fast is without pauses")))
    assert [frame.number for frame in frames] == list(range(30)) and played.size == (128, 72)
    assert [round(float(frame.pixels.mean()) / 8) for frame in frames] == list(range(30))
    assert frames[-1].seconds == pytest.approx(2.9)


def test_a_video_keeps_its_time(video: Path) -> None:
    now, slept = [0.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    with open_source(str(video)) as played:
        frames = []
        for frame in played.frames(lambda: now[0], sleep):
            frames.append(frame.number)
            now[0] += 0.5 if frame.number == 10 else 0.02  # one frame takes long
    assert now[0] == pytest.approx(2.92, abs=0.1) and max(slept) == pytest.approx(0.08)
    assert frames[:11] == list(range(11)) and frames[-1] == 29 and 11 < len(frames) < 30


# --- the whole command --------------------------------------------------------------------------------------


class Script:
    """A steady reading by the book: what is seen, by frame."""

    def __init__(self, views: dict[int, View]) -> None:
        self.views, self.frame = views, -1

    def see(self, pixels: Pixels) -> View:
        self.frame += 1
        return self.views.get(self.frame, View(State.WAITING))

    def forget(self) -> None:
        self.views = {}


def fresh(reading: Reading) -> View:
    return View(State.STEADY, reading, fresh=True)


def test_a_line_is_printed_for_each_new_hand(video: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    views = {3: fresh(HAND), 4: View(State.STEADY, HAND), 9: fresh(seen("123m")), 20: fresh(OTHER)}
    monkeypatch.setattr(session, "_steady", lambda: Script(views))
    done = run("--camera", video, "--no-window", "--fast", "--rules", "tenhou")
    assert done.exit_code == 0, done.output
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["win_tile"] for record in records] == ["8s", "5z"]
    sure = {"confidence": None, "doubts": []}
    assert [record["reading"] for record in records] == [
        {"status": "ok", **sure, "frame": 3, "seconds": 0.3},
        {"status": "ok", **sure, "frame": 20, "seconds": 2.0},
    ]  # fmt: skip
    assert records[0]["known"]["concealed"] == "seen" and records[0]["known"]["rules"] == "asked"
    results = [score_line(1, line.encode()) for line in done.stdout.splitlines()]
    assert [result["status"] for result in results] == ["ok", "ok"]  # what batch reads


def test_no_screen_is_one_sentence(video: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session.sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    done = run("--camera", video)
    assert done.exit_code == 2 and done.stderr.count("\n") == 1 and "--no-window" in done.stderr
    monkeypatch.setenv("DISPLAY", ":987")
    done = run("--camera", video)
    assert done.exit_code == 2 and done.stderr.count("\n") == 1 and ":987" in done.stderr


def test_unknown_words_and_rules_are_refused(video: Path) -> None:
    assert "kanji" in run("--camera", video, "--terms", "kanji").stderr
    assert run("--camera", video, "--terms", "latin", "--no-window").exit_code == 2
    assert run("--camera", video, "--rules", "nobody", "--no-window").exit_code == 2


@pytest.mark.parametrize("fast", [False, True])
def test_the_window_lives_until_a_key_ends_it(
    video: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fast: bool
) -> None:
    shown: list[Pixels] = []
    keys = iter([*[-1] * 12, ord("n"), *[-1] * 29, LEFT_ARROW, ENTER, ord("c"), *[-1] * 5, ord("q")])
    monkeypatch.setattr(session, "_steady", lambda: Script({2: fresh(HAND), 14: fresh(OTHER)}))
    monkeypatch.setattr(session, "check_screen", lambda: None)
    for name in ("namedWindow", "resizeWindow", "destroyAllWindows"):
        monkeypatch.setattr(session.cv2, name, lambda *_: None)
    monkeypatch.setattr(session.cv2, "imshow", lambda _, picture: shown.append(picture))
    monkeypatch.setattr(session.cv2, "waitKeyEx", lambda _: next(keys))
    monkeypatch.setattr(session.cv2, "getWindowProperty", lambda *_: 1.0)
    arguments = ["--camera", video, "--snapshots", tmp_path, *(["--fast"] if fast else [])]
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    assert next(keys, None) is None and len(shown) == 51  # it stays when the video has ended
    assert len(list(tmp_path.glob("*.jpg"))) == 1


# --- with the networks --------------------------------------------------------------------------------------


def put(picture: Pixels, face: Quad, place: Quad, source_of: Pixels) -> None:
    """Lay the face that one tile shows on another tile."""
    matrix = cv2.getPerspectiveTransform(np.array(face, np.float32), np.array(place, np.float32))
    laid = cv2.warpPerspective(source_of, matrix, picture.shape[1::-1])
    mask = cv2.fillConvexPoly(np.zeros(picture.shape[:2], np.uint8), np.array(place).astype(np.int32), 1)
    picture[mask > 0] = laid[mask > 0]


@pytest.mark.skipif(
    not all((ROOT / name).is_file() for name in FILES),
    reason="the models or tehai/hand/sample.jpg are not there",
)
def test_a_film_of_two_hands_gives_two_lines(tmp_path: Path) -> None:
    photo = load(ROOT / "tehai" / "hand" / "sample.jpg").pixels
    first = np.asarray(cv2.resize(photo, (960, 720), interpolation=cv2.INTER_AREA), np.uint8)
    tiles = read(first).tiles
    second = first.copy()
    (face,) = (tile.quad for tile in tiles if tile.role == "hand" and tile.label == "7p")
    for tile in tiles:
        if tile.role == "hand" and tile.label == "8s":
            put(second, face, tile.quad, first)
    random = np.random.default_rng(5)
    film_file = tmp_path / "evening.avi"
    writer = cv2.VideoWriter(str(film_file), cv2.VideoWriter.fourcc(*"MJPG"), 15, (960, 720))
    if not writer.isOpened():
        pytest.skip("OpenCV cannot write videos here")

    def film(picture: Pixels, light: float = 1.0, dx: float = 0.0) -> None:
        matrix = np.array([[1, 0, dx], [0, 1, dx / 2]], np.float32)
        shown = cv2.warpAffine(picture, matrix, (960, 720), borderMode=cv2.BORDER_REPLICATE)
        noisy = np.clip(shown * light + random.normal(0, 5, shown.shape), 0, 255).astype(np.uint8)
        writer.write(cv2.cvtColor(noisy, cv2.COLOR_RGB2BGR))

    for frame in range(12):  # a lamp flickers
        film(first, light=1.25 if frame % 2 else 0.85)
    for dx in (2.0, 4.0, 6.0, 3.0):  # somebody knocks at the table
        film(first, dx=dx)
    for frame in range(6):  # an arm takes the pair and lays down another
        arm = (first if frame < 3 else second).copy()
        cv2.ellipse(arm, (250 + 90 * frame, 480), (60, 200), 20, 0, 360, (205, 160, 130), -1)
        film(arm)
    for _ in range(12):
        film(second)
    writer.release()
    done = run("--camera", film_file, "--no-window", "--fast")
    assert done.exit_code == 0, done.output
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["concealed"] for record in records] == ["234m067p3488s", "234m067p34s77p"]
    assert {record["win_tile"] for record in records} == {"5s"}
    assert records[0]["reading"]["frame"] < 12 <= 22 < records[1]["reading"]["frame"]
