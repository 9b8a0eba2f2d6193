"""``tehai label``: every photo once, whatever lies in the folder and whoever stops it."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import signal
import struct
import subprocess
import sys
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tehai.doctor import ModelFacts
from tehai.errors import Mistake
from tehai.hand.sample import sample_path
from tehai.label import duplicates, journal, run, workers
from tehai.label.check import check
from tehai.label.export import export
from tehai.label.labeller import Labeller, tile_record, when_taken
from tehai.label.photo_files import Passed, photos
from tehai.label.run import digest, label
from tehai.label.selection import Options
from tehai.label.workers import FALLEN, Crew, Job, crew, labeller, read_all
from tehai.output.join import printable
from tests.tehai.label.lines import photo, tile, write
from vision.labels import CLASSES
from vision.reader import Engine
from vision.reading import SeenTile

ROOT = Path(__file__).parents[3]

needs_models = pytest.mark.skipif(not Engine().finder.is_file(), reason="models/finder.onnx is missing")


@pytest.fixture(scope="module")
def loaded() -> Labeller:
    return labeller(threads=1)


@pytest.fixture
def in_this_process(loaded: Labeller, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads photos here, where a test is about what becomes of them: a process takes two seconds to start."""
    monkeypatch.setattr(workers, "_labeller", loaded)
    monkeypatch.setattr(workers, "_pool", lambda crew: ThreadPoolExecutor(1))


def small_photo(file: Path, shift: int = 0, width: int = 320) -> Path:
    """The sample, small and cut at another place for each ``shift``."""
    with Image.open(sample_path()) as image:
        part = image.crop((shift, 0, image.width, image.height))
        part.resize((width, width * 3 // 4)).save(file, quality=90)
    return file


def lines_of(folder: Path) -> list[journal.Line]:
    return [json.loads(line) for line in (folder / journal.NAME).read_bytes().splitlines()]


@needs_models
def test_a_folder_with_everything_in_it(tmp_path: Path) -> None:
    import pillow_heif

    pillow_heif.register_heif_opener()
    deep = tmp_path / "手牌"
    deep.mkdir()
    one = small_photo(tmp_path / "one.jpg", width=640)
    (deep / "a copy\nof it.jpg").write_bytes(one.read_bytes())
    small_photo(tmp_path / "two.webp", 200)
    small_photo(deep / "THREE.HEIC", 300)
    with Image.open(sample_path()) as image:
        turned = image.resize((320, 240)).rotate(90, expand=True)
        exif = turned.getexif()
        exif[0x0112] = 6  # to be turned clockwise by a quarter
        turned.save(tmp_path / "turned.jpg", exif=exif)
    (tmp_path / "empty.png").touch()
    (deep / "empty too.png").touch()
    (tmp_path / "torn.jpg").write_bytes(one.read_bytes()[:3000])
    (tmp_path / "notes.txt").write_text("no photo", encoding="utf-8")
    (deep / "loop").symlink_to(tmp_path)
    printed: list[str] = []
    tally = label(tmp_path, None, 1, printed.append)
    assert (tally.read, tally.kept) == (4, 0)
    assert sorted(tally.unreadable) == ["empty.png", "torn.jpg", "手牌/empty too.png"]
    assert any("torn.jpg: the photo breaks off" in sentence for sentence in printed)
    assert any("1 exact copy of another file" in sentence for sentence in printed)
    read = {line["path"]: line for line in lines_of(tmp_path) if line["kind"] == "photo"}
    assert (read["turned.jpg"]["width"], read["turned.jpg"]["height"]) == (320, 240)
    first = read["one.jpg"]
    assert first["sha256"] == digest(one)
    assert set(first["models"]) == {"finder", "faces", "scene"} and first["review"]["state"] == "unreviewed"
    assert len(first["tiles"]) > 14
    for seen in first["tiles"]:
        assert {"quad", "label", "probability", "margin", "top3", "role", "sideways", "source"} <= set(seen)
        (likeliest, most), (_, next_most), _ = seen["top3"]
        if seen["label"] == likeliest:
            assert seen["margin"] == pytest.approx(most - next_most, abs=2e-4)
    before = (tmp_path / journal.NAME).read_bytes()
    again = label(tmp_path, None, 1, printed.append)
    assert (again.read, again.kept, len(again.unreadable)) == (0, 5, 3)
    assert (tmp_path / journal.NAME).read_bytes() == before, "nothing new, nothing written"
    count = len(lines_of(tmp_path))
    one.rename(tmp_path / "renamed.jpg")
    assert label(tmp_path, None, 1, printed.append).read == 0
    assert lines_of(tmp_path)[count:] == [
        {"schema": 1, "kind": "place", "path": "renamed.jpg", "sha256": first["sha256"]},
        {"schema": 1, "kind": "gone", "path": "one.jpg"},
    ]


def test_a_folder_without_photos_gets_no_labels(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no photo", encoding="utf-8")
    with pytest.raises(Mistake, match=r"There are no photos in .*: name a folder with JPEG, PNG, WebP"):
        label(tmp_path, None, 1, str)
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


@needs_models
@pytest.mark.usefixtures("in_this_process")
def test_other_models_read_again_only_what_no_person_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, name in enumerate(("mine", "theirs")):
        small_photo(tmp_path / f"{name}.jpg", 100 * number, 160)
    label(tmp_path, None, 1, str)
    with journal.writing(tmp_path / journal.NAME) as opened:
        mine = next(line for line in opened.photos() if line["path"] == "mine.jpg")
        accepted = {"state": "accepted", "by": "anna", "at": journal.now()}
        opened.append({**mine, "revision": 2, "review": accepted}, after=1)
    others = [ModelFacts(Path(f"{name}.onnx"), "0" * 64, 1, {}, None) for name in ("finder", "faces")]
    monkeypatch.setattr(run, "models", lambda: others)
    assert label(tmp_path, None, 1, str).read == 1
    latest = lines_of(tmp_path)[-1]
    assert (latest["path"], latest["revision"]) == ("theirs.jpg", 2)


@needs_models
@pytest.mark.usefixtures("in_this_process")
def test_what_was_read_before_there_were_points_gets_them_and_nothing_else(tmp_path: Path) -> None:
    small_photo(tmp_path / "a.jpg", width=640)
    small_photo(tmp_path / "again.jpg", width=600)
    files = [tmp_path / "a.jpg", tmp_path / "again.jpg"]
    lines = [photo(file.name, tile("1m"), sha256=digest(file), state="accepted") for file in files]
    lines.append(photo("gone.jpg", state="accepted"))
    file = write(tmp_path, *lines)
    printed: list[str] = []
    tally = label(tmp_path, None, 1, printed.append)
    assert (tally.read, tally.kept, tally.completed) == (0, 2, 2), "no network is asked"
    assert any("2 photos that an earlier tehai had read got their points" in line for line in printed)
    with journal.reading(file) as opened:
        after = [opened.photo(line["sha256"]) for line in lines]
        assert duplicates.near(opened) == [[line["sha256"] for line in lines[:2]]]
    for line, later in zip(lines[:2], after, strict=False):
        assert later.pop("points") and later == {**line, "schema": 1, "revision": 2}
    assert after[2]["revision"] == 1
    assert label(tmp_path, None, 1, printed.append).completed == 0, "once"


@needs_models
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_killed_outright_it_goes_on_and_leaves_no_process(tmp_path: Path) -> None:
    for number in range(8):
        small_photo(tmp_path / f"{number}.jpg", 40 * number, 200)
    command = [sys.executable, "-m", "tehai", "label", str(tmp_path), "--workers", "1"]
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
    file = tmp_path / journal.NAME
    while process.poll() is None and not (file.exists() and file.read_bytes().count(b'"photo"')):
        time.sleep(0.005)
    process.kill()
    process.wait()
    done = sum(line["kind"] == "photo" for line in map(json.loads, file.read_bytes().splitlines()[:-1]))
    assert done < 8, "killed in the middle"
    assert 8 - label(tmp_path, None, 1, str).read - done <= 1
    read = [line["path"] for line in lines_of(tmp_path) if line["kind"] == "photo"]
    assert sorted(read) == [f"{number}.jpg" for number in range(8)], "every photo, each once"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("its workers live on")


@needs_models
@pytest.mark.skipif(os.name != "posix", reason="SIGINT")
def test_ctrl_c_finishes_what_is_in_work_and_says_how_to_go_on(tmp_path: Path) -> None:
    for number in range(12):
        small_photo(tmp_path / f"{number:02}.jpg", 40 * number, 200)
    command = [sys.executable, "-m", "tehai", "label", str(tmp_path), "--workers", "1"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    file = tmp_path / journal.NAME
    while process.poll() is None and not (file.exists() and file.read_bytes().count(b'"photo"')):
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGINT)
    printed, complaint = process.communicate(timeout=120)
    assert process.returncode == 2 and "the same command goes on" in printed and not complaint
    assert (
        all(json.loads(line) for line in file.read_bytes().splitlines()) and file.read_bytes()[-1:] == b"\n"
    )


@needs_models
def test_a_worker_that_dies_costs_no_photo(tmp_path: Path) -> None:
    names = [small_photo(tmp_path / f"{number}.jpg", 40 * number, 160) for number in range(4)]
    reading = read_all([Job(file.name, file, digest(file)) for file in names], Crew(1))
    job, looked = next(reading)
    found = {job.path: looked}
    for child in multiprocessing.active_children():
        if child.pid is not None:
            os.kill(child.pid, signal.SIGKILL)
    found.update((job.path, looked) for job, looked in reading)
    assert sorted(found) == ["0.jpg", "1.jpg", "2.jpg", "3.jpg"]
    assert all(looked.facts is not None for looked in found.values())


@dataclass(frozen=True)
class Bomb:
    """A photo that brings down whoever reads it, the first ``times``."""

    photo: Path
    times: int

    def read_bytes(self) -> bytes:
        log = self.photo.with_suffix(".log")
        with log.open("ab") as tried:
            tried.write(b".")
        if log.stat().st_size <= self.times:
            os._exit(1)
        return self.photo.read_bytes()


@needs_models
@pytest.mark.parametrize(("times", "message"), [(1, ""), (2, FALLEN)])
def test_a_photo_that_was_alone_when_its_worker_died_is_tried_once_more(
    tmp_path: Path, times: int, message: str
) -> None:
    """Something else may have ended the worker: a photo is not said to be unreadable for that."""
    bomb: Any = Bomb(small_photo(tmp_path / "a.jpg", width=160), times)
    ((_, looked),) = read_all([Job("a.jpg", bomb, None)], Crew(1))
    assert looked.message == message and (looked.facts is None) == bool(message)
    assert (tmp_path / "a.log").stat().st_size == 2


def test_folders_are_walked_once_in_order(tmp_path: Path) -> None:
    for name in ("b/2.JPG", "b/1.png", "a.webp", ".hidden/x.jpg", "c.gif", "b/.x.jpg"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.touch()
    (tmp_path / "a-link").symlink_to(tmp_path / "b")
    (tmp_path / "b" / "up").symlink_to(tmp_path)
    assert list(photos(tmp_path)) == ["a.webp", "b/1.png", "b/2.JPG"]
    with pytest.raises(Mistake, match="is no folder"):
        next(photos(tmp_path / "none"))
    assert printable("two\nlines\udcff") == r"two\nlines\udcff"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_with_a_photo_s_name_is_no_photo(tmp_path: Path) -> None:
    """Opening it would wait for somebody who writes, for ever."""
    os.mkfifo(tmp_path / "a.jpg")
    tally = label(tmp_path, None, 1, str)
    sentence = "it is a pipe, a socket or a device and no file; take it out of the folder."
    assert tally.unreadable == {"a.jpg": sentence}
    assert Labeller.__new__(Labeller)(tmp_path / "a.jpg").message == sentence, "nor do the workers of Ray"
    assert [(found["kind"], found["message"]) for found in check_of(tmp_path)] == [("unreadable", sentence)]


def check_of(folder: Path) -> list[dict[str, str]]:
    with journal.reading(folder / journal.NAME) as opened:
        return list(check(opened))


def test_an_export_inside_the_folder_is_no_folder_of_photos(tmp_path: Path) -> None:
    """Its pictures are copies of photos that the journal knows."""
    with Image.open(sample_path()) as image:
        image.resize((320, 240)).save(tmp_path / "a.jpg")
    write(tmp_path, photo("a.jpg", tile("1m"), sha256=digest(tmp_path / "a.jpg"), width=320, height=240))
    with journal.reading(tmp_path / journal.NAME) as opened:
        export(opened, tmp_path / "deep" / "out", Options("coco"), str)
    passed = Passed()
    assert list(photos(tmp_path, passed)) == ["a.jpg"] and passed.exports == ["deep/out"]
    assert list(photos(tmp_path / "deep" / "out")), "one that is asked for itself is a folder like others"
    printed: list[str] = []
    with journal.reading(tmp_path / journal.NAME) as opened:
        printed += run._summary(run.Tally(passed=passed), opened)
    assert "The folder deep/out is an export of tehai: its pictures are copies, and not read." in printed


@needs_models
@pytest.mark.usefixtures("in_this_process")
def test_what_a_folder_held_that_cannot_be_listed_is_not_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shut").mkdir()
    (tmp_path / "shut" / "a.jpg").touch()
    (tmp_path / "b.jpg").touch()
    label(tmp_path, None, 1, str)
    listing = os.scandir

    def refuse(at: str) -> Any:
        if Path(at).name == "shut":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(at))
        return listing(at)

    monkeypatch.setattr(os, "scandir", refuse)  # the superuser may list every folder
    (tmp_path / "b.jpg").unlink()
    printed: list[str] = []
    label(tmp_path, None, 1, printed.append)
    assert [line["path"] for line in lines_of(tmp_path) if line["kind"] == "gone"] == ["b.jpg"]
    assert any("The folder shut cannot be listed (Permission denied)" in sentence for sentence in printed)
    assert [(found["kind"], found["path"]) for found in check_of(tmp_path)] == [("unreadable", "shut")]


def test_a_bomb_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """A file of some bytes that says it has billions of pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0))
    bomb = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    (tmp_path / "bomb.png").write_bytes(bomb)
    looked = Labeller.__new__(Labeller)(tmp_path / "bomb.png")
    assert looked.message == "the photo has far too many pixels to be a photo; make it smaller."
    assert when_taken(bomb) is None


def test_a_folder_that_cannot_be_written_to_asks_for_another_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    small_photo(tmp_path / "a.jpg")
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(Mistake, match=r"Read-only file system.*another place with --to"):
        label(tmp_path, None, 1, str)


def test_a_tile_overruled_by_the_rules_has_a_negative_margin() -> None:
    probabilities = np.zeros(len(CLASSES))
    probabilities[[CLASSES.index(name) for name in ("1m", "2m", "3m", "4m")]] = 0.6, 0.25, 0.1, 0.05
    seen = SeenTile(((0, 0), (3, 0), (3, 4), (0, 4)), "3m", 0.1, ("1m", 0.6), source="rule")
    record = tile_record(seen, probabilities)
    assert record["margin"] == -0.5 and record["probability"] == 0.1
    assert record["top3"] == [["1m", 0.6], ["2m", 0.25], ["3m", 0.1]]
    assert tile_record(SeenTile(seen.quad, "?", 0.1, ("1m", 0.6)), probabilities)["margin"] == -0.6


def test_one_bad_file_is_an_answer_and_no_error(tmp_path: Path) -> None:
    labeller = Labeller.__new__(Labeller)  # no network is needed to refuse a file
    assert labeller(tmp_path / "gone.jpg").message.startswith("the file cannot be opened (No such file")
    (tmp_path / "empty.jpg").touch()
    assert labeller(tmp_path / "empty.jpg").message == "the photo is empty; take or copy the photo again."
    assert labeller(tmp_path).facts is None
    assert crew(3).workers == 3 and crew().workers >= 1


def test_what_is_reviewed_while_a_run_reads_it_is_kept(tmp_path: Path) -> None:
    """A person who is quicker than the models is not overwritten by them."""
    file = tmp_path / journal.NAME
    with journal.writing(file, tmp_path) as ours, journal.writing(file) as theirs:
        reading = run.Run(ours, tmp_path, {"finder": {"name": "f", "sha256": "1"}}, skip=lambda: None)
        line = photo("a.jpg", tile("1m"))
        ours.append(line)
        theirs.append({**line, "revision": 2, "review": {**line["review"], "state": "accepted"}}, after=1)
        stale = ours.index.photos[line["sha256"]]
        assert stale.revision == 1
        reading._add({name: line[name] for name in ("sha256", "path", "width", "height", "phash", "tiles")})
        assert theirs.photo(line["sha256"])["review"]["state"] == "accepted"
        assert reading.tally.read == 0


def test_more_processes_than_a_machine_takes_are_refused() -> None:
    assert crew(256).workers == 256
    with pytest.raises(Mistake, match="the most is 256"):
        crew(257)
