"""Reviewed labels teach, evaluation photos never, and the card says what came of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.labels import Labelled, digest, evaluation_contents, patches_of, read_labels, summary
from datasets.patches import PATCH
from models.card import card
from tests.models.manifest import add_row
from tests.models.test_tally import EVALUATION, METADATA
from tests.tehai.label.lines import photo, tile, write

LABELS = ["1m", "2m", "?"]


def picture(file: Path, shade: int = 90, scale: int = 1) -> Path:
    """Three leaning tiles of 30 by 40 pixels in red, green, blue; twice as large with ``scale`` 2."""
    rgb = np.full((240 * scale, 320 * scale, 3), shade, np.uint8)
    for one, colour in zip(tiles(scale), ((250, 30, 30), (30, 250, 30), (30, 30, 250)), strict=True):
        cv2.fillConvexPoly(rgb, np.array(one["quad"], np.int32), colour)
    file.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(file), rgb[..., ::-1])
    return file


def tiles(scale: int = 1, **fields: Any) -> list[dict[str, Any]]:
    made = [tile(label, 60.0 + 80 * k, 80, **fields) for k, label in enumerate(LABELS)]
    return [{**one, "quad": [[x * scale, y * scale] for x, y in one["quad"]]} for one in made]


def line(file: Path, state: str, revision: int = 1, **fields: Any) -> dict[str, Any]:
    made = photo(file.name, *tiles(), revision=revision, state=state)
    return {**made, "sha256": digest(file), "width": 320, "height": 240, **fields}


def test_what_people_stand_behind_is_read_and_nothing_else(tmp_path: Path) -> None:
    states = ("unreviewed", "auto", "accepted", "corrected", "imported", "rejected")
    files = {state: picture(tmp_path / f"{state}.png", 10 * k) for k, state in enumerate(states)}
    lines = [line(files[state], state) for state in states if state != "corrected"]
    later = line(files["corrected"], "corrected", 2, tiles=tiles()[:1])
    journal = write(tmp_path, *lines, line(files["corrected"], "unreviewed"), later)
    found = {photo.state: photo for photo in read_labels(journal, frozenset())}
    assert sorted(found) == ["accepted", "corrected", "imported"]
    assert found["corrected"].labels == ("1m",), "the latest revision"
    assert found["accepted"].path == files["accepted"] and found["accepted"].labels == tuple(LABELS)
    assert (found["accepted"].exact, found["accepted"].complete) == (True, True)
    assert not found["imported"].complete
    box = {**tile("1m"), "quad": [[5, 5], [35, 5], [35, 45], [5, 45]], "source": "person"}
    drawn = picture(tmp_path / "drawn.png", 77)
    (tmp_path / "other").mkdir()
    others = write(tmp_path / "other", line(drawn, "corrected", path="../drawn.png", tiles=[*tiles(), box]))
    assert not read_labels(others, frozenset())[0].exact, "of a box nobody knows which corner is which"
    assert "auto" in {photo.state for photo in read_labels(journal, frozenset(), auto=True)}
    counts = summary([photo for photo in found.values() if not photo.held_back])
    assert counts["tiles"] == sum(
        counts[state] * (1 if state == "corrected" else 3) for state in found if state in counts
    )


def test_photos_are_found_where_they_lie_now(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, gone = picture(tmp_path / "old.png"), picture(tmp_path / "gone.png", 50)
    moved = {"kind": "place", "path": "sub/new.png", "sha256": digest(old)}
    journal = write(
        tmp_path, line(old, "accepted"), line(gone, "accepted"), moved, {"kind": "gone", "path": "old.png"}
    )
    (tmp_path / "sub").mkdir()
    old.rename(tmp_path / "sub" / "new.png")
    picture(gone, 60)  # another photo by now
    named = {"schema": 2, "kind": "tag", "name": "v1", "by": "anna", "at": "2026-07-01T10:00:00Z"}
    with journal.open("ab") as out:
        out.write(json.dumps(named).encode() + b'\n{"schema": 1, "kind"')
    assert [photo.path for photo in read_labels(journal, frozenset())] == [tmp_path / "sub" / "new.png"]
    assert "1 more are not where it says" in capsys.readouterr().out


def test_evaluation_photos_are_refused_by_their_content(tmp_path: Path) -> None:
    manifest = tmp_path / "photos"
    for use in ("train", "eval-tray"):
        file = picture(manifest / "alanchoi" / f"{use}.png", 40 if use == "train" else 70)
        add_row(manifest, f"alanchoi/{file.name}", [0, 0, 9, 9], "1m", use=use)
    mine = tmp_path / "mine"
    copy, other = picture(mine / "renamed.png", 70), picture(mine / "other.png", 40)
    hand = picture(manifest / "hands" / "arc.png", 20)
    refused = evaluation_contents(manifest)
    assert digest(copy) in refused and digest(hand) in refused and digest(other) not in refused
    journal = write(mine, line(copy, "accepted"), line(other, "accepted"))
    with pytest.raises(
        ValueError, match=r"^1 of the reviewed photos .* are evaluation photos.*'renamed\.png'"
    ):
        read_labels(journal, refused)
    assert len(read_labels(write(mine, line(copy, "rejected", 2)), refused)) == 1
    with pytest.raises(ValueError, match=r"no manifest\.jsonl.*--photos"):
        evaluation_contents(tmp_path)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"schema": 3, "kind": "photo"}\n', r"written by a newer tehai \(schema 3\)"),
        ('{"schema": 1,\n{"schema": 1, "kind": "gone", "path": "x"}\n', "line 2 of .* is damaged"),
        ('{"schema": 1, "kind": "project", "photos": "s3://bucket/x"}\n', "lie at s3://bucket/x: copy them"),
    ],
)
def test_what_cannot_be_used_is_said(tmp_path: Path, text: str, why: str) -> None:
    journal = tmp_path / "labels.jsonl"
    journal.write_text('{"schema": 1, "kind": "project", "photos": "."}\n' + text, encoding="utf-8")
    with pytest.raises(ValueError, match=why):
        read_labels(journal, frozenset())


@pytest.mark.parametrize("scale", [1, 2])
def test_patches_show_the_reviewed_tiles(tmp_path: Path, scale: int) -> None:
    file = picture(tmp_path / "a.png", scale=scale)
    quads = np.array([one["quad"] for one in tiles(scale)], np.float32)
    small = quads[:1] * 0.1 + 5
    labelled = Labelled(
        file, digest(file), "accepted", np.concatenate([quads, small]), (*LABELS, "3m"), True, True
    )
    patches = patches_of([labelled])
    assert patches.labels == ("1m", "2m"), "neither what nobody can read, nor what is too small"
    middles = patches.pixels[:, PATCH.height // 2, PATCH.width // 2]
    assert np.abs(middles.astype(int) - [[250, 30, 30], [30, 250, 30]]).max() < 12
    assert not patches_of([]).labels


def test_the_card_shows_before_and_after_where_labels_taught() -> None:
    labels = json.dumps({"photos": 20, "tiles": 400, "accepted": 15, "corrected": 5})
    metadata = {**METADATA, "task": "faces", "training": json.dumps({"step": 9, "labels": labels})}
    before = json.loads(json.dumps(EVALUATION))
    before["models"]["faces"] = "older"
    before["uses"] = {use: {**row, "right": 0.5} for use, row in before["uses"].items()}
    text = card("faces", metadata, "c", EVALUATION, None, before)
    assert "400 tiles of 20 photos (15 accepted, 5 corrected)" in text and "--labels JOURNAL" in text
    assert "| 50.00% |" in text
    for none in (None, EVALUATION):
        with pytest.raises(ValueError, match="--before"):
            card("faces", metadata, "c", EVALUATION, None, none)
    assert "Before and after" not in card("faces", {**METADATA, "task": "faces"}, "c", EVALUATION, None)


def test_the_finder_takes_quads_or_boxes(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    from models.scenes import scene_of_labelled

    file = picture(tmp_path / "a.png")
    quads = np.array([one["quad"] for one in tiles()], np.float32)
    exact = scene_of_labelled(Labelled(file, "0" * 64, "corrected", quads, tuple(LABELS), True, True))
    assert exact.exact and exact.complete and np.allclose(exact.quads, quads) and not len(exact.boxes)
    boxed = scene_of_labelled(Labelled(file, "0" * 64, "imported", quads, tuple(LABELS), False, False))
    assert not boxed.exact and not boxed.complete and not len(boxed.quads)
    assert np.allclose(boxed.boxes[0], [57, 80, 90, 123])
