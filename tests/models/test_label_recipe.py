"""The recipe of docs/labels.md with twenty photos: label, review, train, export, measure, compare."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

from scorer.tiles import TILES
from tehai.cli import app
from tehai.label import journal
from tehai.learn.pictures import from_atlas
from tests.models.manifest import add_row
from tests.models.test_measure import photographs
from vision.network import FACES

FLOAT = Path(__file__).parents[2] / "models" / "float" / "faces.onnx"

PHOTOS = 20
WIDE, HIGH = 44, 59
CORRECTED = 4
"""Photos of which the reviewer names one tile otherwise than the model."""


def laid(file: Path, number: int) -> list[dict[str, Any]]:
    """Three tiles on cloth, others for each number; the tiles as a renderer's truth has them."""
    photo, tiles = Image.new("RGB", (240, 160), (40, 100 + number % 40, 70)), []
    for place in range(3):
        face, x, y = TILES[(number * 3 + place * 7) % len(TILES)], 40 + 46 * place, 50
        photo.paste(from_atlas(face, 1 + number % 3).crop((6, 8, 66, 88)).resize((WIDE, HIGH)), (x, y))
        quad = [[x, y], [x + WIDE, y], [x + WIDE, y + HIGH], [x, y + HIGH]]
        tiles.append({"quad": quad, "label": str(face), "role": "hand", "visible": 1.0})
    file.parent.mkdir(parents=True, exist_ok=True)
    photo.save(file, quality=92)
    return tiles


def tehai(*arguments: object) -> str:
    done = CliRunner().invoke(app, [str(one) for one in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def reviewed(folder: Path) -> set[str]:
    """A person accepts every photo, but names a tile of some otherwise; the paths of those."""
    corrected = set()
    with journal.writing(folder / journal.NAME) as opened:
        for line in list(opened.photos()):
            tiles, state = [dict(tile) for tile in line["tiles"]], "accepted"
            if tiles and len(corrected) < CORRECTED:
                tiles[0]["label"] = "7z" if tiles[0]["label"] != "7z" else "1m"
                corrected.add(line["path"])
                state = "corrected"
            review = {"state": state, "by": "anna", "at": journal.now()}
            opened.append({**line, "revision": 2, "tiles": tiles, "review": review}, after=1)
    return corrected


def evaluation(folder: Path) -> Path:
    """A data set of one photographed hand and one labelled photo, which nobody trains on."""
    photographs(folder)
    for tile in laid(folder / "alanchoi" / "a.png", 101):
        box = [*tile["quad"][0], *tile["quad"][2]]
        add_row(folder, "alanchoi/a.png", box, tile["label"], use="eval-tray")
    return folder


def renders(folder: Path) -> Path:
    """A drawn photo with its truth."""
    truth = {"file": "1.jpg", "kind": "hand", "tiles": laid(folder / "1.jpg", 102)}
    (folder / "truth.jsonl").write_text(json.dumps(truth) + "\n", encoding="utf-8")
    return folder


@pytest.mark.skipif(not FACES.is_file(), reason="models/faces.onnx is missing")
def test_label_review_train_measure_compare(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    for package in ("matplotlib", "onnxscript"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    from models import export, measure, train

    photos, out, new = tmp_path / "photos", tmp_path / "after", tmp_path / "new.onnx"
    data = evaluation(tmp_path / "measured")
    for number in range(PHOTOS):
        laid(photos / f"{number:03}.jpg", number)
    assert f"Read {PHOTOS} photos" in tehai("label", photos)
    corrected = reviewed(photos)
    tehai("label", "tag", "v1", photos)

    command = ["faces", "--renders", renders(tmp_path / "renders"), "--labels", photos / journal.NAME]
    command += ["--photos", data, "--out", tmp_path / "run", "--begin", FLOAT, "--foreign"]
    command += ["--steps", 2, "--batch", 8, "--rate", 1e-6, "--threads", 1]
    train.main([str(one) for one in command])
    taught = json.loads(torch.load(tmp_path / "run" / "last.pt", weights_only=True)["labels"])
    assert taught["photos"] > PHOTOS * 0.8, "the rest is held out"
    assert 0 < taught["corrected"] <= CORRECTED and taught["accepted"]
    export.main(["faces", str(tmp_path / "run" / "last.pt"), str(new)])

    measure.main([str(out), "--photos", str(data), "--network", f"faces={new}"])
    measured = json.loads((out / "figures.json").read_text(encoding="utf-8"))["uses"]["eval-tray"]
    assert measured["photos"] == 1

    found = [json.loads(line) for line in tehai("label", "compare", new, photos, "--json").splitlines()]
    assert len(found) == PHOTOS
    assert sum(one["before"] for one in found) == CORRECTED, "what the reviewer had to correct"
    faults = [len(one["faults"]) for one in found]
    assert faults == sorted(faults, reverse=True), "the hardest first"
    assert corrected <= {one["path"] for one in found if one["faults"]}
