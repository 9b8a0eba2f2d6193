"""Who said what stays known, out of the house and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tehai.errors import Mistake
from tehai.label import journal
from tehai.label.import_labels import bring
from tehai.label.run import Run, digest
from tests.tehai.label.lines import MODELS, photo, tile, write
from tests.tehai.label.test_formats import exported, photos_of, picture

pytestmark = pytest.mark.usefixtures("without_points")


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Two photos, one of them accepted by anna."""
    folder = tmp_path / "photos"
    lines = []
    for seed, (name, state) in enumerate({"seen.jpg": "accepted", "deep/guessed.jpg": "unreviewed"}.items()):
        sha256 = digest(picture(folder / name, seed))
        lines.append(photo(name, tile("1m", probability=0.7), sha256=sha256, state=state))
    write(folder, *lines)
    return folder


@pytest.mark.parametrize(
    "format_", ["yolo", "voc", "coco", "labelme", "cvat", "label-studio", "csv", "webdataset"]
)
def test_a_guess_comes_back_as_a_guess(labelled: Path, tmp_path: Path, format_: str) -> None:
    """A data set of guesses would be trained on as if a person had seen it."""
    exported(labelled, tmp_path / "out", format_)
    (labelled / journal.NAME).unlink()
    bring(format_, tmp_path / "out", labelled, None, None, False, "import", str)
    found = photos_of(labelled)
    assert found["deep/guessed.jpg"]["review"]["state"] == "unreviewed"
    assert found["deep/guessed.jpg"]["models"] == MODELS
    seen = found["seen.jpg"]["review"]
    assert seen["state"] == "imported" and seen["was"]["by"] == "anna"
    again = bring(format_, tmp_path / "out", labelled, None, None, False, "import", str)
    assert (again.photos, again.known, again.kept) == (0, 1, 1), "nothing new is said"
    everything = bring(format_, tmp_path / "out", labelled, None, None, True, "ben", str, "reviewed")
    assert everything.photos == 2
    assert {line["review"]["state"] for line in photos_of(labelled).values()} == {"imported"}


def test_predictions_of_another_model_come_in_as_such(labelled: Path, tmp_path: Path) -> None:
    exported(labelled, tmp_path / "out", "coco")
    annotations = tmp_path / "out" / "annotations"
    data = json.loads((annotations / "instances_train.json").read_text(encoding="utf-8"))
    category = next(one["id"] for one in data["categories"] if one["name"] == "9p")
    results = [
        {"image_id": image["id"], "category_id": category, "bbox": [10, 20, 30, 40], "score": 0.6}
        for image in data["images"]
    ]
    file = annotations / "results.json"
    file.write_text(json.dumps(results), encoding="utf-8")
    tally = bring("coco", file, labelled, None, None, True, "theirs", str, "predictions")
    assert (tally.photos, tally.kept) == (1, 1), "no model overrules a person, --replace or not"
    line = photos_of(labelled)["deep/guessed.jpg"]
    assert (line["revision"], line["review"]["state"]) == (2, "unreviewed")
    assert line["review"]["by"] == "theirs (coco)" and line["models"]["imported"]["name"] == "theirs"
    (found,) = line["tiles"]
    assert (found["label"], found["probability"], found["margin"], found["source"]) == (
        "9p",
        0.6,
        0.2,
        "predicted",
    )
    with journal.writing(labelled / journal.NAME) as opened:
        run = Run(opened, labelled, {name: dict(one) for name, one in MODELS.items()}, skip=lambda: None)
        assert run._settled(opened.index.photos[line["sha256"]]), "tehai label does not read over them"
    (annotations / "instances_train.json").unlink()
    with pytest.raises(Mistake, match="no file beside it says which photo 1 is"):
        bring("coco", file, labelled, None, None, False, "theirs", str, "predictions")
    with pytest.raises(Mistake, match="--as is one of labels, predictions, reviewed, not guesses"):
        bring("coco", file, labelled, None, None, False, "theirs", str, "guesses")


def test_predictions_of_label_studio_beside_what_people_said(labelled: Path, tmp_path: Path) -> None:
    exported(labelled, tmp_path / "out", "label-studio")
    file = tmp_path / "out" / "tasks.json"
    tasks = json.loads(file.read_text(encoding="utf-8"))
    for task in tasks:
        result = (task["annotations"] or task["predictions"])[0]["result"]
        task["annotations"] = [{"result": result, "completed_by": {"email": "ben@example.org"}}]
        task["predictions"] = [{"result": [{**result[0], "score": 0.9}], "model_version": "yolo 7"}]
    file.write_text(json.dumps(tasks), encoding="utf-8")
    (labelled / journal.NAME).unlink()
    bring("label-studio", file, labelled, None, None, False, "import", str)
    assert {line["review"]["by"] for line in photos_of(labelled).values()} == {
        "ben@example.org (label-studio)"
    }
    (labelled / journal.NAME).unlink()
    bring("label-studio", file, labelled, None, None, False, "import", str, "predictions")
    for line in photos_of(labelled).values():
        assert line["review"]["state"] == "unreviewed" and line["models"]["imported"]["name"] == "yolo 7"
        assert line["tiles"][0]["probability"] == 0.9
