"""``tehai label --engine ray``: the same labels from anywhere, every photo once, whichever worker is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tehai.errors import Mistake
from tehai.label import journal
from tehai.label.address import Address, where
from tehai.label.cluster import BATCH, TRIES, Attempts, Settled, Worker, read_all
from tehai.label.labeller import PhotoResult
from tehai.label.run import Run, digest, label
from tehai.label.workers import FALLEN, Job
from tests.tehai.label.lines import photo, tile, write
from tests.tehai.label.test_run import ROOT, lines_of, needs_models, small_photo

AT_ONCE = {"RAY_worker_niceness": "0"}
"""Ray's workers give way to everything else on their machine; a test would wait for them."""

BUFFERED = 4 * BATCH
"""More photos than a worker has read before it is lost, and nobody has heard of."""

MODELS = {"finder": {"name": "finder.onnx", "sha256": "1"}}


def cloth(folder: Path, count: int) -> list[Path]:
    """Photos without a tile, which are read fast, each another one."""
    noise = np.random.default_rng(1)
    files = [folder / f"{number:02}.png" for number in range(count)]
    for file in files:
        cv2.imwrite(str(file), noise.normal(120, 3, (48, 64, 3)).clip(0, 255).astype(np.uint8))
    return files


@dataclass(frozen=True)
class Bomb:
    """A photo that brings down whoever reads it."""

    def read_bytes(self) -> bytes:
        os._exit(1)


def descendants(pid: int) -> list[tuple[int, str]]:
    """The processes that one has started, with their command lines, as Linux tells them."""
    found: list[tuple[int, str]] = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
        try:
            command = Path(f"/proc/{child}/cmdline").read_bytes().decode("utf-8", "replace")
            found += [(int(child), command), *descendants(int(child))]
        except OSError:  # it has ended meanwhile
            continue
    return found


@needs_models
@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_a_lost_worker_and_then_ctrl_c_print_nothing_of_ray_s_own(tmp_path: Path) -> None:
    """The run starts a cluster, goes on without the worker, and stops it with itself."""
    pytest.importorskip("ray", reason="ray is not installed")
    cloth(tmp_path, 600)
    command = [sys.executable, "-m", "tehai", "label", str(tmp_path), "--engine", "ray", "--workers", "1"]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **AT_ONCE, "RAY_ADDRESS": "local"},
    )
    file = tmp_path / journal.NAME

    def wait_for_photos(count: int) -> None:
        while process.poll() is None and not (file.exists() and file.read_bytes().count(b'"photo"') >= count):
            time.sleep(0.01)

    wait_for_photos(1)
    lost = [pid for pid, started in descendants(process.pid) if started.startswith("ray::MapWorker")]
    for pid in lost:
        os.kill(pid, signal.SIGKILL)
    wait_for_photos(file.read_bytes().count(b'"photo"') + BUFFERED)
    os.killpg(process.pid, signal.SIGINT)
    printed, complaint = process.communicate(timeout=120)
    assert lost and process.returncode == 2 and "the same command goes on" in printed
    assert "raylet" not in printed + complaint and "Traceback" not in complaint
    assert all(json.loads(line) for line in file.read_bytes().splitlines())
    assert file.read_bytes()[-1:] == b"\n"


def test_a_cluster_that_is_not_there_is_said_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="ray is not installed")
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    with pytest.raises(
        Mistake, match=r"^The Ray cluster cannot be joined \(.*refused\); check RAY_ADDRESS\.$"
    ):
        label(tmp_path, None, None, str, "ray")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two machines of one worker each, as far as Ray can tell."""
    ray = pytest.importorskip("ray", reason="ray is not installed")
    from ray.cluster_utils import Cluster

    os.environ.update(AT_ONCE)
    memory = {"num_cpus": 1, "memory": 10**9, "object_store_memory": 10**8}
    made = Cluster(initialize_head=True, head_node_args={**memory, "include_dashboard": False})
    ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
    yield made
    ray.shutdown()
    made.shutdown()
    for name in AT_ONCE:
        del os.environ[name]


@needs_models
def test_labels_are_those_of_processes(cluster: Any, tmp_path: Path) -> None:
    folder = tmp_path / "手牌"
    (folder / "sub").mkdir(parents=True)
    for number, name in enumerate(("one.jpg", "sub/a copy\nof two.jpg", "two.jpg")):
        small_photo(folder / name, 100 * min(number, 1), 160)
    (folder / "empty.jpg").touch()
    (folder / "torn.jpg").write_bytes((folder / "one.jpg").read_bytes()[:2000])
    here, there = tmp_path / "here", tmp_path / "there"
    printed: list[str] = []
    tallies = [
        label(folder, here, 1, printed.append),
        label(Address(f"file://{folder}"), there, 1, printed.append, "ray"),
    ]
    assert [(tally.read, tally.kept, sorted(tally.unreadable)) for tally in tallies] == [
        (2, 0, ["empty.jpg", "torn.jpg"])
    ] * 2
    found: list[Any] = []
    for file in (here, there):
        with journal.reading(file) as opened:
            photos = {line["sha256"]: line for line in opened.photos()}
            found.append(
                (
                    {sha256: (line["tiles"], line["hand"], line["phash"]) for sha256, line in photos.items()},
                    opened.index.places(),
                    opened.index.unreadable,
                )
            )
    assert found[0] == found[1]
    before = there.read_bytes()
    again = label(Address(f"file://{folder}"), there, 1, printed.append, "ray")
    assert (again.read, again.kept) == (0, 3) and there.read_bytes() == before
    with journal.reading(there) as opened:
        assert opened.path("one.jpg").read_bytes() == (folder / "one.jpg").read_bytes()
        with pytest.raises(Mistake, match="name the copy once"):  # what only a folder of this machine can do
            _ = opened.local_folder
    assert label(folder, there, 1, printed.append).read == 0
    with journal.reading(there) as opened:
        assert opened.local_folder == folder
    with pytest.raises(Mistake, match="holds the labels of"):
        label(Address(f"file://{tmp_path}"), there, 1, printed.append, "ray")


@needs_models
def test_a_machine_lost_in_the_middle_costs_no_photo(cluster: Any, tmp_path: Path) -> None:
    count = 60
    cloth(tmp_path, 4)
    label(tmp_path, None, 1, str)
    cloth(tmp_path, count)
    file, done = tmp_path / journal.NAME, []

    def photos_read() -> int:
        return sum(line["kind"] == "photo" for line in lines_of(tmp_path))

    second = cluster.add_node(num_cpus=1, memory=10**9, object_store_memory=10**8)

    def lose() -> None:
        while photos_read() < 10:
            time.sleep(0.01)
        done.append(photos_read())
        cluster.remove_node(second, allow_graceful=False)

    thief = threading.Thread(target=lose)
    thief.start()
    tally = label(tmp_path, None, 2, str, "ray")
    thief.join()
    assert done[0] < count, "lost in the middle"
    assert (tally.read, tally.kept, tally.unreadable) == (count - 4, 4, {})
    read = sorted(line["path"] for line in map(json.loads, file.read_bytes().splitlines()[1:]))
    assert read == sorted(name.name for name in tmp_path.glob("*.png")), "every photo, each once"


@needs_models
def test_a_photo_that_brings_its_workers_down_is_named_and_costs_no_other(
    cluster: Any, tmp_path: Path
) -> None:
    files: list[Any] = [*cloth(tmp_path, 5), Bomb()]
    jobs = [Job(str(number), file, None) for number, file in enumerate(files)]
    found = {job.path: looked for job, looked in read_all(jobs, 1, [], lambda: False)}
    assert found.pop("5") == PhotoResult(None, None, FALLEN)
    assert len(found) == 5 and all(looked.facts is not None for looked in found.values())


def test_without_ray_it_is_said_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(Mistake, match=r'^Ray is not installed; install it with: pip install "tehai\[ray\]"$'):
        label(tmp_path, None, None, str, "ray")
    assert not list(tmp_path.iterdir())


def test_addresses_need_ray_and_a_place_for_the_labels(tmp_path: Path) -> None:
    assert where("s3://bucket/photos") == Address("s3://bucket/photos")
    assert where(str(tmp_path)) == tmp_path
    with pytest.raises(Mistake, match=r"^memory://x is an address, which Ray reads; add --engine ray\.$"):
        label(Address("memory://x"), tmp_path, None, str)
    with pytest.raises(Mistake, match=r"say where with --to FILE"):
        label(Address("memory://x"), None, None, str, "ray")
    with pytest.raises(Mistake, match="There is no engine spark"):
        label(tmp_path, None, None, str, "spark")


def test_an_address_is_listed_as_a_folder_is() -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    system = fsspec.filesystem("memory")
    for name in ("b/2.JPG", "b/手 1#.png", "a.webp", ".hidden/x.jpg", "c.gif", "b/.x.jpg"):
        system.pipe_file(f"/photos/{name}", name.encode())
    folder = Address("memory://photos")
    assert list(folder.photos()) == ["a.webp", "b/2.JPG", "b/手 1#.png"]
    assert (folder / "b/手 1#.png").read_bytes() == "b/手 1#.png".encode()
    with pytest.raises(OSError, match="gone"):
        (folder / "gone.jpg").read_bytes()
    with pytest.raises(Mistake, match=r"^memory://none is no folder; check the address\.$"):
        list(Address("memory://none").photos())
    with pytest.raises(Mistake, match="cannot be opened"):
        list(Address("nothing://none").photos())


class _Here:
    """An actor that is no actor."""

    def __init__(self, attempts: Attempts) -> None:
        self.begin, self.finish = _Call(attempts.begin), _Call(attempts.finish)


class _Call:
    def __init__(self, function: Any) -> None:
        self.remote = function


def test_a_photo_begun_too_often_is_not_begun_again(tmp_path: Path) -> None:
    attempts = Attempts()
    worker = Worker.__new__(Worker)  # no network is needed to see what it asks for
    worker._attempts, worker._get = _Here(attempts), lambda answer: answer
    worker._settled = Settled.of(["ab" * 32])
    worker._labeller = lambda file, settled: PhotoResult(digest(file), None)  # type: ignore[assignment]
    file = tmp_path / "a.jpg"
    file.touch()
    for _ in range(TRIES + 2):
        assert worker._look(7, file).sha256 == digest(file), "finished each time, so never suspected"
    for _ in range(TRIES):
        attempts.begin(7)
    assert worker._look(7, file) == PhotoResult(None, None, FALLEN)
    assert "ab" * 32 in worker._settled
    assert "cd" * 32 not in worker._settled and "ab" * 32 not in Settled.of([])
    assert "00" * 32 in Settled.of(["00" * 32, "ff" * 32, "ab" * 31 + "00"])


def test_the_same_content_twice_is_one_photo_with_two_places(tmp_path: Path) -> None:
    line = photo("a.jpg", tile("1m"))
    facts = {name: line[name] for name in ("width", "height", "phash", "tiles")}
    kept = {**photo("kept.jpg", tile("2m")), "models": MODELS}
    write(tmp_path, kept)
    with journal.writing(tmp_path / journal.NAME) as opened:
        run = Run(opened, tmp_path, MODELS, skip=lambda: None)
        for path in ("a.jpg", "b.jpg"):
            run.take(Job(path, tmp_path / path, None), PhotoResult(line["sha256"], facts))
        run.take(Job("moved.jpg", tmp_path, None), PhotoResult(kept["sha256"], None))
        run.take(Job("bad.jpg", tmp_path, None), PhotoResult(None, None, "the file cannot be opened."))
        assert opened.index.places() == {
            line["sha256"]: ["a.jpg", "b.jpg"],
            kept["sha256"]: ["kept.jpg", "moved.jpg"],
        }
        assert (run.tally.read, run.tally.kept) == (1, 1)
        assert run.tally.unreadable == opened.index.unreadable == {"bad.jpg": "the file cannot be opened."}
