"""Exports opened and trained on by the programs that own the formats, where they are installed: photos in
nested folders, of which some tiles reach beyond the photo, lie mostly outside it, or cannot be read."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tehai.label import journal
from tehai.label.formats.neutral import CLASSES, Tile, cut
from tehai.label.geometry import quads
from tehai.label.import_labels import bring
from tehai.label.run import digest
from tests.tehai.label.lines import photo, tile, write
from tests.tehai.label.test_formats import exported, photos_of, picture
from vision.labels import UNREADABLE
from vision.quads import bounds

EDGE = [
    tile("0p"),
    tile("back", -12.0, 50.0),  # cut off at the left
    tile("1z", 622.0, 300.0),  # more than a third of it lies to the right of the photo
    tile("9s", 300.0, 470.0),  # a sliver of it is seen
    tile("2m", 300.0, 900.0),  # nothing of it is
    tile("?", 400.0, 200.0),
]

INSTANCES = "annotations/instances_train.json"
EDGE_LABELS = "labels/train/set/one/a.txt"


@pytest.fixture
def nested(tmp_path: Path) -> Path:
    """Four photos in two folders, one of which has its tiles at the edge."""
    folder = tmp_path / "photos"
    names = ["set/one/a.jpg", "set/one/b.jpg", "set/two/a.jpg", "c.png"]
    lines = []
    for seed, name in enumerate(names):
        sha256 = digest(picture(folder / name, seed))
        tiles = EDGE if seed == 0 else [tile("0p"), tile("back", 200.5), tile("1z", 300, 300)]
        state = "unreviewed" if seed == 3 else "accepted"
        lines.append(photo(name, *tiles, sha256=sha256, state=state, taken=f"2026-01-0{seed + 1}T10:00:00"))
    write(folder, *lines)
    return folder


def test_a_tile_ends_at_the_edge_of_its_photo() -> None:
    def at(x: float, y: float, width: float = 10, height: float = 20) -> Tile:
        return Tile(((x, y), (x + width, y), (x + width, y + height), (x, y + height)), "1m")

    inside = at(5, 5)
    assert cut(inside, 100, 100) is inside
    left = cut(at(-4, 5), 100, 100)
    assert left is not None and left.visible == 0.6 and not left.ignored
    assert left.quad == ((0, 5), (6, 5), (6, 25), (0, 25)), "the first corner stays the first"
    corner = cut(at(96, 90), 100, 100)
    assert corner is not None and corner.quad == ((96, 90), (100, 90), (100, 100), (96, 100))
    assert corner.visible == 0.2 and corner.ignored, "mostly outside"
    assert cut(at(100, 5), 100, 100) is None and cut(at(-30, -30), 100, 100) is None
    leaning = cut(Tile(((95, 40), (105, 50), (95, 60), (85, 50)), "1m"), 100, 100)
    assert leaning is not None and leaning.quad == ((95, 40), (100, 50), (95, 60), (85, 50)), (
        "of five corners"
    )
    assert leaning.visible == 0.875


def test_what_lies_beyond_the_edge_is_said_and_marked(nested: Path, tmp_path: Path) -> None:
    printed = exported(nested, tmp_path / "voc", "voc")
    assert printed[:2] == [
        "3 tiles reach beyond their photo and are cut off at its edge, 1 of them by more than half (marked "
        "where the format can say so).",
        "1 tile wholly outside their photo stayed out; see tehai check.",
    ]
    assert (
        "1 of 15 tiles have no readable face and stayed out: a detector takes them for background. Cover "
        "them with --mask, or leave their photos out with --without-unreadable-photos."
    ) in printed
    text = (tmp_path / "voc" / "annotations" / "train" / "set" / "one" / "a.xml").read_text(encoding="utf-8")
    assert text.count("<truncated>1") == 3 and text.count("<difficult>1") == 1 and "2m" not in text
    exported(nested, tmp_path / "coco", "coco")
    data = json.loads(
        (tmp_path / "coco" / "annotations" / "instances_train.json").read_text(encoding="utf-8")
    )
    assert [one["name"] for one in data["categories"]] == [*CLASSES, UNREADABLE]
    crowds = [
        data["categories"][one["category_id"] - 1]["name"] for one in data["annotations"] if one["iscrowd"]
    ]
    assert crowds == ["9s", UNREADABLE], "regions to be ignored"
    for format_ in ("yolo", "yolo-obb", "yolo-pose"):
        exported(nested, tmp_path / format_, format_)
        assert "path:" not in (tmp_path / format_ / "data.yaml").read_text(encoding="utf-8")
        lines = [file.read_text(encoding="utf-8").split("\n") for file in (tmp_path / format_).rglob("*.txt")]
        values = [float(word) for some in lines for line in some for word in line.split()[1:]]
        assert min(values) >= 0 and (max(values) <= 1 or format_ == "yolo-pose")
    pose = (tmp_path / "yolo-pose" / "labels" / "train" / "set" / "one" / "a.txt").read_text(encoding="utf-8")
    assert [line.split()[7::3] for line in pose.splitlines()] == [
        list("2222"),
        list("0220"),
        list("2002"),
        list("2200"),
    ]


@pytest.mark.parametrize(("format_", "said"), [("journal", 0), ("csv", 2), ("crops", 2), ("yolo", 3)])
def test_what_a_format_keeps_is_not_said_to_be_lost(
    nested: Path, tmp_path: Path, format_: str, said: int
) -> None:
    printed = exported(nested, tmp_path / "out", format_)
    printed = [line for line in printed if re.search("readable|(beyond|outside) their photo", line)]
    assert len(printed) == said, printed
    assert ("3 tiles reach beyond" in " ".join(printed)) == (format_ == "yolo")


def test_everything_is_a_tile(nested: Path, tmp_path: Path) -> None:
    printed = exported(nested, tmp_path / "out", "yolo", one_class=True)
    assert not any("readable" in line for line in printed)
    out = tmp_path / "out"
    assert (out / "data.yaml").read_text(encoding="utf-8").endswith("nc: 1\nnames:\n  0: 'tile'\n")
    lines = (out / EDGE_LABELS).read_text(encoding="utf-8").splitlines()
    assert [line.split()[0] for line in lines] == ["0"] * 5, "the unreadable one, too"
    assert "| tile | 14 | 14 |\n" in (out / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("format_", ["yolo-obb", "voc", "coco", "huggingface"])
def test_a_flat_export_has_no_folders_and_is_found_again(nested: Path, tmp_path: Path, format_: str) -> None:
    exported(nested, tmp_path / "out", format_, flat=True)
    images = sorted(file.name for file in (tmp_path / "out" / "images" / "train").iterdir())
    assert [name for name in images if name != "metadata.jsonl"] == [
        "c.png", "set-one-a.jpg", "set-one-b.jpg", "set-two-a.jpg",
    ]  # fmt: skip
    (nested / journal.NAME).unlink()
    assert bring(format_, tmp_path / "out", nested, None, None, False, "anna", str).lost == []


def test_a_guess_of_coco_keeps_how_sure_it_is(nested: Path, tmp_path: Path) -> None:
    exported(nested, tmp_path / "out", "coco")
    (nested / journal.NAME).unlink()
    bring("coco", tmp_path / "out", nested, None, None, False, "anna", str)
    assert {one["probability"] for one in photos_of(nested)["c.png"]["tiles"]} == {0.96}
    assert {one["probability"] for one in photos_of(nested)["set/two/a.jpg"]["tiles"]} == {1.0}


def test_parquet_without_pyarrow_is_a_sentence(
    nested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Exception, match=r'^Parquet needs pyarrow, .*: pip install "tehai\[parquet\]"$'):
        exported(nested, tmp_path / "out", "parquet")
    assert not (tmp_path / "out").exists()


def test_pycocotools_opens_coco(nested: Path, tmp_path: Path) -> None:
    coco = pytest.importorskip("pycocotools.coco", reason="pycocotools is not installed")
    from pycocotools.cocoeval import COCOeval

    exported(nested, tmp_path / "out", "coco")
    data = coco.COCO(str(tmp_path / "out" / INSTANCES))
    assert {image["file_name"] for image in data.loadImgs(data.getImgIds())} == set(photos_of(nested))
    for one in data.loadAnns(data.getAnnIds()):
        mask = data.annToMask(one)
        assert mask.shape == (480, 640) and abs(int(mask.sum()) - one["area"]) < 80
    wanted = [one for one in data.loadAnns(data.getAnnIds()) if not one["iscrowd"]]
    found = data.loadRes([{**one, "score": 0.9} for one in wanted])
    judged = COCOeval(data, found, "bbox")
    judged.evaluate()
    judged.accumulate()
    judged.summarize()
    assert judged.stats[0] == pytest.approx(1.0), "a region to be ignored costs nothing"


def test_pycocotools_opens_key_points(nested: Path, tmp_path: Path) -> None:
    coco = pytest.importorskip("pycocotools.coco", reason="pycocotools is not installed")
    exported(nested, tmp_path / "out", "coco-keypoints")
    data = coco.COCO(str(tmp_path / "out" / "annotations" / "keypoints_train.json"))
    (a,) = [image["id"] for image in data.dataset["images"] if image["file_name"] == "set/one/a.jpg"]
    rows = data.loadAnns(data.getAnnIds(imgIds=[a]))
    assert [row["num_keypoints"] for row in rows] == [4, 2, 2, 2, 4]
    assert data.cats[1]["keypoints"][0] == "top_left"


@pytest.mark.parametrize("format_", ["yolo", "yolo-obb", "voc", "coco", "labelme"])
def test_supervision_opens_it(nested: Path, tmp_path: Path, format_: str) -> None:
    """It looks into no folder below the first, hence ``--flat``."""
    sv = pytest.importorskip("supervision", reason="supervision is not installed")
    out = tmp_path / "out"
    exported(nested, out, format_, flat=True)
    images, data = str(out / "images" / "train"), sv.DetectionDataset
    if format_.startswith("yolo"):
        files = (str(out / "labels" / "train"), str(out / "data.yaml"))
        found = data.from_yolo(images, *files, is_obb=format_ == "yolo-obb")
    elif format_ == "coco":
        found = data.from_coco(images, str(out / INSTANCES))
    elif format_ == "voc":
        found = data.from_pascal_voc(images, str(out / "annotations" / "train"))
    else:
        found = data.from_labelme(images, images)
    assert len(found) == 4
    every = {Path(path).name: one for path, one in found.annotations.items()}
    detections = every["set-one-b.jpg"]
    wanted = quads(photos_of(nested)["set/one/b.jpg"]["tiles"])
    assert np.allclose(detections.xyxy, bounds(wanted), atol=1.01)
    assert [found.classes[kind] for kind in detections.class_id] == ["0p", "back", "1z"]
    if format_ == "yolo-obb":
        assert np.allclose(detections.data["xyxyxyxy"], wanted, atol=0.06)
    edge = every["set-one-a.jpg"].xyxy
    assert len(edge) == 4 + (format_ == "coco") and edge.min() >= 0
    assert (edge[:, 2] <= 640).all() and (edge[:, 3] <= 480).all()


def test_label_studio_accepts_its_tasks(nested: Path, tmp_path: Path) -> None:
    interface = pytest.importorskip(
        "label_studio_sdk.label_interface", reason="label-studio-sdk is not installed"
    )
    exported(nested, tmp_path / "out", "label-studio")
    config = interface.LabelInterface((tmp_path / "out" / "config.xml").read_text(encoding="utf-8"))
    tasks = json.loads((tmp_path / "out" / "tasks.json").read_text(encoding="utf-8"))
    for task in tasks:
        assert config.validate_task({"data": task["data"]})  # it falls over annotations of its own
        assert all(map(config.validate_annotation, task["annotations"]))
        assert all(map(config.validate_prediction, task["predictions"]))
        for one in task["annotations"] + task["predictions"]:
            points = [point for row in one["result"] for point in row["value"]["points"]]
            assert all(0 <= value <= 100 for point in points for value in point)


def test_labelme_opens_its_files(nested: Path, tmp_path: Path) -> None:
    exported(nested, tmp_path / "out", "labelme")
    file = tmp_path / "out" / "images" / "train" / "set" / "one" / "b.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    # labelme/label_file.py: what load() takes for granted
    assert {"version", "imageData", "imagePath", "shapes", "flags", "imageHeight", "imageWidth"} <= set(data)
    assert (file.parent / data["imagePath"]).is_file()
    for shape in data["shapes"]:
        assert {"label", "points", "shape_type", "flags", "description", "group_id", "mask"} == set(shape)
    reason = "labelme is not installed"
    loaded = pytest.importorskip("labelme", reason=reason, exc_type=ImportError).LabelFile(str(file))
    assert [shape["label"] for shape in loaded.shapes] == ["0p", "back", "1z"]


LOAD = """
import json, sys
from datasets import load_dataset
found = load_dataset(sys.argv[1], cache_dir=sys.argv[2])
names = [getattr(some.features["objects"]["category"].feature, "names", []) for some in found.values()]
rows = [{**row, "image": row["image"].size} for some in found.values() for row in some]
print(json.dumps({"parts": list(found), "names": names, "rows": rows}))
"""


@pytest.mark.parametrize("format_", ["huggingface", "parquet"])
def test_datasets_loads_it(nested: Path, tmp_path: Path, format_: str) -> None:
    """In a process of its own: the checkout has a package of that name."""
    try:
        version("datasets")
    except PackageNotFoundError:
        pytest.skip("datasets is not installed")
    out, cache = tmp_path / "out", tmp_path / "cache"
    exported(nested, out, format_, shares={"train": 0.5, "val": 0.5}, licence="CC BY 4.0")
    program = [sys.executable, "-c", LOAD, str(out), str(cache)]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env |= {"HF_HUB_OFFLINE": "1", "HF_HOME": str(cache)}
    done = subprocess.run(program, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    loaded = json.loads(done.stdout.splitlines()[-1])
    rows = loaded["rows"]
    assert loaded["parts"] == ["train", "validation"]
    assert loaded["names"] == [list(CLASSES) if format_ == "parquet" else []] * 2, "JSON has no names"
    assert len(rows) == 4 and all(row["image"] == [640, 480] for row in rows)
    found = Counter(CLASSES[kind] for row in rows for kind in row["objects"]["category"])
    assert found == {"0p": 4, "back": 4, "1z": 4, "9s": 1}
    assert found == Counter(label for row in rows for label in row["objects"]["label"])
    edge = next(row for row in rows if len(row["objects"]["category"]) == 4)
    assert edge["objects"]["visible"][0] == 1 and edge["objects"]["visible"][3] < 0.5
    assert min(min(box) for box in edge["objects"]["bbox"]) >= 0
    (guess,) = [row for row in rows if not row["reviewed"]]
    assert guess["objects"]["score"] == pytest.approx([0.96] * 3)


def test_webdataset_reads_its_shards(nested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wds = pytest.importorskip("webdataset", reason="webdataset is not installed")
    monkeypatch.setattr("tehai.label.formats.shards.SHARD", 1)
    exported(nested, tmp_path / "out", "webdataset")
    shards = sorted(str(file) for file in (tmp_path / "out").glob("*.tar"))
    assert len(shards) == 4
    rows = list(wds.WebDataset(shards, shardshuffle=False).decode("rgb8"))
    assert {row["json"]["path"] for row in rows} == set(photos_of(nested))
    for row in rows:
        assert row.get("jpg", row.get("png")).shape == (480, 640, 3)
        assert all(CLASSES[one["class"]] == one["label"] for one in row["json"]["tiles"])


TRAIN = """
import sys, types
try:
    import torchvision
except (ImportError, RuntimeError):  # one that was built for another torch; training needs nothing of it
    sys.modules["torchvision"] = types.ModuleType("torchvision")
from ultralytics import YOLO
for data, model in zip(sys.argv[1::2], sys.argv[2::2]):
    YOLO(model).train(data=data, epochs=1, imgsz=64, batch=2, workers=0, device="cpu", plots=False, val=False,
                      save=False, verbose=False, project="runs")
"""


LOAD_YOLO = """
import json, sys
from ultralytics.data.dataset import YOLODataset
from ultralytics.data.utils import check_det_dataset
found = {}
for task, file in zip(sys.argv[1::2], sys.argv[2::2]):
    data = check_det_dataset(file)
    some = YOLODataset(img_path=data["train"], data=data, task=task, augment=False)
    found[task] = {row["im_file"]: [len(row["cls"]), len(row["segments"]), row["keypoints"] is not None]
                   for row in some.labels}
print(json.dumps(found))
"""

NAMES = ("a.jpg", "images/b.jpg", "set/Images/c.jpg", "set/images/images/d.jpg", "images too/e.jpg")
YOLO_TASKS = {"detect": "yolo", "obb": "yolo-obb", "pose": "yolo-pose"}


def ultralytics(program: str, away: Path, *arguments: str) -> str:
    """What a program with Ultralytics prints. Its licence is the AGPL: it is run in these tests and nowhere
    else, as a process of its own."""
    if find_spec("ultralytics") is None:
        pytest.skip("ultralytics is not installed")
    away.mkdir()
    env = {**os.environ, "YOLO_CONFIG_DIR": str(away), "YOLO_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=away, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return done.stdout


def test_no_folder_of_photos_is_called_images(tmp_path: Path) -> None:
    """Ultralytics replaces the last ``/images/`` of a photo's path to find its labels."""
    folder = in_folders(tmp_path / "photos")
    exported(folder, tmp_path / "out", "yolo")
    images = tmp_path / "out" / "images" / "train"
    files = [file.relative_to(images) for file in images.rglob("*.jpg")]
    assert len(files) == len(NAMES)
    for file in files:
        assert "images" not in [part.lower() for part in file.parts]
        assert (tmp_path / "out" / "labels" / "train" / file.with_suffix(".txt")).is_file()


def test_ultralytics_finds_every_label(tmp_path: Path) -> None:
    folder = in_folders(tmp_path / "images" / "photos")
    arguments = []
    for task, format_ in YOLO_TASKS.items():
        out = tmp_path / "images" / format_
        exported(folder, out, format_)
        arguments += [task, str(out / "data.yaml")]
    found = json.loads(ultralytics(LOAD_YOLO, tmp_path / "away", *arguments).splitlines()[-1])
    for task in YOLO_TASKS:
        assert len(found[task]) == len(NAMES)
        for boxes, segments, posed in found[task].values():
            assert boxes == 2 and segments == (2 if task == "obb" else 0) and posed == (task == "pose")


def in_folders(folder: Path) -> Path:
    """Photos with two tiles each, in folders of all kinds of names."""
    lines = []
    for seed, name in enumerate(NAMES):
        sha256 = digest(picture(folder / name, seed))
        lines.append(photo(name, tile("1m"), tile("9s", 300, 300), sha256=sha256, state="accepted"))
    write(folder, *lines)
    return folder


def test_ultralytics_trains_on_it_from_another_folder(nested: Path, tmp_path: Path) -> None:
    arguments = []
    for format_, model in (("yolo", "yolo11n"), ("yolo-obb", "yolo11n-obb"), ("yolo-pose", "yolo11n-pose")):
        exported(nested, tmp_path / format_, format_)
        arguments += [str(tmp_path / format_ / "data.yaml"), f"{model}.yaml"]
    printed = ultralytics(TRAIN, tmp_path / "away", *arguments)
    assert printed.count("4 images, 0 backgrounds, 0 corrupt") >= 3, "every photo with its labels"
