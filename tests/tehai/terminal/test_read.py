"""``tehai read`` and ``tehai score PHOTO`` around a given reading: what is printed, drawn, and refused."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from scorer.tiles import parse_tiles
from tehai.cli import app
from tehai.errors import Mistake
from tehai.hand import inputs
from vision.reading import Quad, Reading, SeenTile

WIDTH, HEIGHT = 640, 200


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def seen(concealed: str, win: str | None, status: str = "ok", message: str = "") -> Reading:
    """A row of tiles as a reading; the second tile is doubtful."""

    def quad(place: int) -> Quad:
        x = 10.0 + 40 * place
        return ((x, 60.0), (x + 36, 60.0), (x + 36, 110.0), (x, 110.0))

    labels = [*map(str, parse_tiles(concealed)), *([win] if win else [])]
    tiles = tuple(
        SeenTile(quad(i), label, 0.7 if i == 1 else 0.99, ("1m", 0.01), "win" if i == 13 and win else "hand")
        for i, label in enumerate(labels)
    )
    hand: dict[str, Any] = {"concealed": concealed, "melds": [], **({"win_tile": win} if win else {})}
    return Reading(
        "p.jpg", WIDTH, HEIGHT, tiles, hand, dict.fromkeys(hand, "seen"), status, message, {"load": 3.0}
    )


FINISHED = seen("234m340567p2267s", "8s")
OPEN = seen(
    "234m340567p22678s", None, "incomplete", "No tile is set apart: say which one is the winning tile."
)
NOTHING = Reading("n.jpg", 640, 480, (), None, {}, "error", "No mahjong tiles were found in the photo.", {})


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "p.jpg"
    Image.fromarray(np.full((HEIGHT, WIDTH, 3), 90, np.uint8)).save(path)
    return path


@pytest.fixture(autouse=True)
def readings(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Reading]]:
    """File name to what it is read as."""
    given = {"p.jpg": FINISHED, "open.jpg": OPEN, "n.jpg": NOTHING}

    def read_photo(photo: str, region: inputs.Region | None, observer: object = None) -> Reading:
        name = Path(photo).name
        if name not in given:
            raise Mistake(f"{photo} does not exist; check the path.")
        return given[name]

    monkeypatch.setattr(inputs, "read_photo", read_photo)
    yield given


def test_read_shows_every_tile(photo: Path) -> None:
    done = run("read", photo)
    assert done.exit_code == 0, done.output
    assert done.stdout.count("99%") == 13 and "70%" in done.stdout and "load 3" in done.stdout


def test_read_counts_melds_from_one(photo: Path, readings: dict[str, Reading]) -> None:
    melded = replace(FINISHED.tiles[0], role="meld:0")
    readings["p.jpg"] = replace(FINISHED, tiles=(melded, *FINISHED.tiles[1:]))
    assert "meld 1 " in run("read", photo).stdout


def test_read_goes_on_after_a_photo_that_fails(photo: Path) -> None:
    done = run("read", "n.jpg", "missing.jpg", photo, "--json")
    assert done.exit_code == 2
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["status"] for line in lines] == ["error", "error", "ok"]
    assert len(lines[2]["tiles"]) == 14 and lines[2]["hand"]["known"]["win_tile"] == "seen"
    assert "missing.jpg does not exist" in done.stderr


def test_read_draws(photo: Path, tmp_path: Path) -> None:
    assert run("read", photo, "--draw", tmp_path / "out.png").exit_code == 0
    with Image.open(tmp_path / "out.png") as drawn:
        pixels = np.asarray(drawn)
    assert pixels.shape[2] == 3 and len(np.unique(pixels.reshape(-1, 3), axis=0)) > 10
    assert run("read", photo, photo, "--draw", tmp_path / "folder").exit_code == 0
    drawn_twice = sorted(file.name for file in (tmp_path / "folder").iterdir())
    assert drawn_twice == ["p-2.png", "p.png"], "two folders may have photos of one name"
    failed = run("read", photo, "--draw", tmp_path / "no" / "out.png")
    assert failed.exit_code == 2 and "cannot be written" in failed.stderr
    assert run("read", photo, "--draw", tmp_path / "out.xyz").exit_code == 2


def test_a_drawing_replaces_no_photo_and_no_other_drawing(
    photo: Path, readings: dict[str, Reading], tmp_path: Path
) -> None:
    readings |= dict.fromkeys(("p.png", "p-2.png"), FINISHED)
    mine = tmp_path / "mine"
    mine.mkdir()
    for name in ("p.png", "p-2.png", "other.png"):
        Image.open(photo).save(mine / name)
    before = {file.name: file.read_bytes() for file in mine.iterdir()}
    assert run("read", mine / "p.png", "--draw", mine).exit_code == 0
    assert {name: (mine / name).read_bytes() for name in before} == before
    assert (mine / "p-3.png").exists()
    failed = run("read", mine / "p.png", "--draw", mine / "p.png")
    assert failed.exit_code == 2 and "is the photo itself" in failed.stderr
    assert run("read", photo, photo, mine / "p-2.png", "--draw", tmp_path / "out").exit_code == 0
    assert len([*(tmp_path / "out").iterdir()]) == 3
    if sys.platform == "linux":  # where a name may be any bytes
        odd = Path(shutil.copy(photo, tmp_path / os.fsdecode(b"\xff.jpg")))
        readings[odd.name] = FINISHED
        assert run("read", odd, "--draw", tmp_path / "out").exit_code == 0
        assert (tmp_path / "out" / os.fsdecode(b"\xff.png")).exists()
    failed = run("read", photo, photo, "--draw", photo)
    assert failed.exit_code == 2 and "cannot be made" in failed.stderr


@pytest.mark.parametrize("region", ["1,2,3", "a,b,c,d", "0,0,2,1", "0.5,0,0.4,1"])
def test_a_region_is_checked(photo: Path, region: str) -> None:
    done = run("read", photo, "--region", region)
    assert done.exit_code == 2 and "--region" in done.stderr


def test_a_photo_is_scored(photo: Path) -> None:
    found = json.loads(run("score", photo, "--json").stdout)
    assert found["result"]["status"] == "ok" and found["reading"]["photo"] == "p.jpg"
    assert found["record"]["known"]["concealed"] == "seen"
    assert found["record"]["known"]["win_tile"] == "inferred"
    assert found["inferred"] == ["8s is the winning tile: it lies apart from the row."]
    assert "7,700 points" in run("score", photo, "--seat", "S", "--no-riichi", "--dora", "1m", "-y").stdout


def test_an_open_winning_tile_is_a_question() -> None:
    found = json.loads(run("score", "open.jpg", "--json").stdout)
    assert "win_tile" in [question["field"] for question in found["questions"]]
    assert found["record"]["known"]["win_tile"] == "default"
    assert "--win" in run("score", "open.jpg").stderr
    assert json.loads(run("score", "open.jpg", "--win", "7p", "--json").stdout)["record"]["win_tile"] == "7p"


def test_a_photo_without_tiles_says_so() -> None:
    done = run("score", "n.jpg", "--json")
    assert done.exit_code == 2 and done.stderr == "tehai: No mahjong tiles were found in the photo.\n"
    found = json.loads(done.stdout)
    assert found["result"] is None and found["reading"]["status"] == "error"
    typed = run("score", "n.jpg", "--tiles", "234m340567p2267s + 8s", "--defaults")
    assert typed.exit_code == 0


def test_thirteen_tiles_say_what_they_wait_on(readings: dict[str, Reading]) -> None:
    readings["t.jpg"] = seen("0m6788m23406s567p", None, "incomplete", "13 tiles, waiting on 1s 4s 7s.")
    done = run("score", "t.jpg")
    assert done.exit_code == 2 and "13 tiles, waiting on 1s 4s 7s" in done.stderr
    assert run("score", "t.jpg", "--win", "7s", "--defaults").exit_code == 0


def test_a_trace_that_cannot_be_written(photo: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    failed = run("read", photo, "--trace", tmp_path / "file")
    assert failed.exit_code == 2
    assert failed.stderr.strip().endswith("file cannot be written (File exists); name another folder.")
    assert run("read", photo, "--trace", tmp_path / "new").exit_code == 0
