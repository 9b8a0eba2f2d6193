"""The whole command: good photos, bad files, exit codes, no traceback; as a process where one is tested."""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from scorer.tiles import parse_tiles
from tehai.cli import app
from tests.folders import DATA, ROOT

HANDS = DATA / "photos" / "hands"

needs_models = pytest.mark.skipif(
    not all((ROOT / "models" / name).is_file() for name in ("finder.onnx", "faces.onnx")),
    reason="models/finder.onnx and models/faces.onnx are not there",
)
needs_sample = pytest.mark.skipif(
    not (ROOT / "tehai" / "hand" / "sample.jpg").is_file(), reason="tehai/hand/sample.jpg is not there"
)
needs_hands = pytest.mark.skipif(not HANDS.is_dir(), reason=f"the real photos ({HANDS}) are not there")


def tehai(*arguments: str | Path) -> Result:
    """What the command says, without a terminal, in this process."""
    return CliRunner().invoke(app, [*map(str, arguments)])


def process(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tehai", *map(str, arguments)]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, timeout=120
    )


def jpeg(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=90)
    return buffer.getvalue()


def noise(width: int, height: int) -> Image.Image:
    """Something with edges and no tiles: soft stripes."""
    y, x = np.mgrid[:height, :width]
    pixels = np.stack([96 + 60 * np.sin((x + k * y) / (23 + 9 * k)) for k in range(3)], axis=2)
    return Image.fromarray(pixels.astype(np.uint8))


def png_bomb() -> bytes:
    """20000×20000 pixels by its header, a few bytes on disk."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", 20000, 20000, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100_000))


BAD_FILES = {
    "text.jpg": (b"123m456p789s", "is not an image"),
    "dot.png": (b"", "is empty"),
    "bomb.png": (png_bomb(), "too many pixels"),
}


@needs_models
@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("read", "one.png"),
        *(("score", name) for name in (*BAD_FILES, "stripes.jpg", "missing.jpg")),
    ],
)
def test_bad_photos_get_one_sentence(tmp_path: Path, command: str, name: str) -> None:
    complaint = {"one.png": "1×1 pixels", "stripes.jpg": "No mahjong tiles", "missing.jpg": "does not exist"}
    path = tmp_path / name
    if name in BAD_FILES:
        path.write_bytes(BAD_FILES[name][0])
    elif name == "one.png":
        Image.new("RGB", (1, 1)).save(path)
    elif name == "stripes.jpg":
        path.write_bytes(jpeg(noise(800, 600)))
    done = tehai(command, path)
    assert done.exit_code == 2, done.stderr
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr
    assert (BAD_FILES[name][1] if name in BAD_FILES else complaint[name]) in done.stderr


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("11111m23m456p78s1z + 1z", "5 of 1m"),
        ("0m6788m2340s6s567p", "13 tiles, waiting on 1s 4s 7s"),
        ("123m4567p789s1122z + 2z", "15 tiles"),
    ],
)
def test_bad_hands_get_one_sentence(line: str, complaint: str) -> None:
    done = tehai("score", line, "--tiles", line, "--ron")
    assert done.exit_code == 2
    assert complaint in done.stderr and done.stderr.count("\n") == 1


def test_without_a_terminal_nothing_is_asked() -> None:
    done = process("score", "234m340567p2267s + 8s")
    assert done.returncode == 2 and "--tsumo or --ron" in done.stderr and done.stdout == ""


@needs_models
@needs_sample
def test_the_sample_is_scored() -> None:
    done = tehai("score", "sample", "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["result"]["status"] == "ok" and found["reading"]["status"] == "ok"
    assert tehai("doctor").exit_code == 0


@needs_models
@needs_sample
def test_a_photo_that_lacks_its_end_is_read_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "torn.jpg"
    path.write_bytes((ROOT / "tehai" / "hand" / "sample.jpg").read_bytes()[:-3000])
    done = tehai("score", path, "--defaults")
    assert done.exit_code == 0, done.stderr
    assert "The photo breaks off before its end" in done.stdout and "7,700" in done.stdout
    path.write_bytes(jpeg(noise(800, 600))[:-4000])
    none = tehai("score", path, "--defaults")
    assert none.exit_code == 2 and "No mahjong tiles" in none.stderr
    assert "The photo breaks off before its end" in none.stdout


@needs_models
@needs_sample
def test_the_sample_is_drawn(tmp_path: Path) -> None:
    out = tmp_path / "drawn.png"
    done = tehai("read", "sample", "--draw", out, "--json")
    assert done.exit_code == 0, done.stderr
    assert len(json.loads(done.stdout)["tiles"]) >= 14
    with Image.open(out) as drawn, Image.open(ROOT / "tehai" / "hand" / "sample.jpg") as photo:
        assert drawn.size[0] >= photo.size[0] / 2
    failed = tehai("read", "sample", "--draw", tmp_path / "no" / "such" / "folder.png")
    assert failed.exit_code == 2 and "cannot be written" in failed.stderr


@needs_models
@needs_hands
def test_a_real_seven_pairs_win() -> None:
    done = tehai("score", HANDS / "seven-pairs.jpg", "--ron", "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["record"]["win_tile"] == "4s"
    assert sorted(parse_tiles(found["record"]["concealed"])) == sorted(parse_tiles("46688s22336677z"))
    assert ["chiitoitsu", 2] in found["result"]["yaku"] and ["honitsu", 3] in found["result"]["yaku"]


@needs_models
@needs_hands
def test_a_real_tenpai_hand_says_what_it_waits_on() -> None:
    done = tehai("score", HANDS / "tenpai.jpg", "--ron", "--json")
    assert done.exit_code == 2
    found = json.loads(done.stdout)
    assert found["message"].startswith("13 tiles, waiting on 1s 4s 7s")


@needs_models
@needs_hands
def test_the_four_kans_of_a_whole_table() -> None:
    # Beside the winner's hand lie rivers, walls and other players. Within a frame two steep tiles are lost.
    done = tehai("read", HANDS / "four-kans-table.jpg", "--json")
    melds = json.loads(done.stdout)["hand"]["melds"]
    assert sorted(meld["tiles"] for meld in melds) == ["2222s", "2222z", "8888s", "9999s"]
