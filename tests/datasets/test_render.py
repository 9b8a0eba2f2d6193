"""The renderer's truth is where the picture says it is."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("numba", reason="the renderer needs numba: pip install 'tehai[render]'")

from typer.testing import CliRunner

from datasets.__main__ import app
from datasets.render import batch, layouts, scene, tilesets
from datasets.render.layouts import MIX
from scorer.tiles import parse_tiles
from vision.labels import BACK, FACES, FOREIGN


@pytest.fixture(scope="module")
def tile_set(fonts: tuple[tilesets.Source, ...]) -> tilesets.TileSet:
    return tilesets.draw_set(np.random.default_rng(3), fonts)


@pytest.mark.parametrize("kind", MIX)
def test_truth_is_well_formed(kind: layouts.Kind, tile_set: tilesets.TileSet) -> None:
    rng = np.random.default_rng(11)
    made = scene.make(rng, tile_set, layouts.compose(rng, kind), 320, 240)
    assert made.image.shape == (240, 320, 3) and made.image.std() > 5
    assert made.truth["tiles"]
    for tile in made.truth["tiles"]:
        quad = np.array(tile["quad"], np.float32)
        assert cv2.contourArea(quad, oriented=True) > 0, "quads run clockwise in the image"
        assert tile["label"] in (*FACES, BACK, FOREIGN)
        assert 0.1 <= tile["visible"] <= 1


def test_the_mix_has_every_kind_and_games_on_larger_photos(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(batch, "_tile_set", lambda order, number: None)
    monkeypatch.setattr(batch, "layout", lambda rng, kind, scenes: kind)
    monkeypatch.setattr(scene, "make", lambda rng, tiles, kind, width, height: (kind, max(width, height)))
    order = batch.Order(3, None, 640, False, None)
    drawn = [batch.photograph(order, number) for number in range(1200)]
    kinds = Counter(kind for kind, _ in drawn)
    assert set(kinds) == set(batch.TRAINING) and abs(sum(batch.TRAINING.values()) - 1) < 1e-9
    assert 0.25 < kinds["game"] / len(drawn) < 0.35
    assert {side for kind, side in drawn if kind == "game"} == {1024}
    assert {side for kind, side in drawn if kind != "game"} == {640}
    assert batch.photograph(replace(order, kind="game"), 1) == ("game", 640)


def test_faces_lie_in_their_quads(tile_set: tilesets.TileSet) -> None:
    """Where nothing covers a tile, its quad holds bone and ink, and just outside the row lies the table."""
    rng = np.random.default_rng(5)
    made = scene.make(rng, tile_set, layouts.compose(rng, "close"), 480, 360)
    bright = cv2.cvtColor(made.image, cv2.COLOR_RGB2LAB).astype(float)
    inside, whole = np.zeros((360, 480), np.uint8), np.zeros((360, 480), np.uint8)
    for tile in made.truth["tiles"]:
        quad = np.array(tile["quad"])
        middle = quad.mean(axis=0)
        cv2.fillConvexPoly(inside, (middle + 0.93 * (quad - middle)).round().astype(np.int32), 1)
        cv2.fillConvexPoly(whole, (middle + 2.2 * (quad - middle)).round().astype(np.int32), 1)
    face, table = bright[inside > 0], bright[whole == 0]
    bone = np.percentile(face[:, 0], 60)
    share = np.mean(np.abs(face - np.median(face[face[:, 0] > bone], axis=0)).sum(axis=1) < 60)
    assert share > 0.55
    assert np.linalg.norm(np.median(face, axis=0) - np.median(table, axis=0)) > 10


def test_hands_are_whole() -> None:
    """A rendered finished hand is 14 tiles and one for each kan, no face more than four times."""
    for seed in range(60):
        layout = layouts.compose(np.random.default_rng(seed), "hand")
        assert layout.hand is not None
        melds = [parse_tiles(meld["tiles"]) for meld in layout.hand["melds"]]
        closed = parse_tiles(layout.hand["concealed"]) + parse_tiles(layout.hand["win_tile"] or "")
        assert len(closed) + 3 * len(melds) == 14
        faces = [str(tile).replace("0", "5") for tile in (*closed, *(t for meld in melds for t in meld))]
        assert max(faces.count(face) for face in faces) <= 4
        laid = [p for p in layout.pieces if p.role.startswith(("hand", "win", "meld"))]
        assert len(laid) == len(faces)


def test_a_quarter_of_hands_has_a_kan_of_each_sort() -> None:
    hands = [layouts.compose(np.random.default_rng(seed), "hand").hand or {} for seed in range(300)]
    sorts = [[meld["type"] for meld in hand["melds"]] for hand in hands]
    kans = [sort for melds in sorts for sort in melds if sort.endswith("kan")]
    assert 0.22 < np.mean([any(sort.endswith("kan") for sort in melds) for melds in sorts]) < 0.42
    assert all(kans.count(sort) > 0.22 * len(kans) for sort in ("ankan", "minkan", "kakan"))
    for seed, hand in enumerate(hands[:9]):
        table = layouts.compose(np.random.default_rng(seed), "table")
        assert table.hand is not None and table.hand["melds"] == hand["melds"]


@pytest.mark.usefixtures("fonts")
def test_the_same_seed_gives_the_same_photos(tmp_path: Path) -> None:
    for name, workers in (("one", "1"), ("two", "2")):
        order = ["render", str(tmp_path / name), "--photos", "3", "--side", "160", "--seed", "9"]
        done = CliRunner().invoke(app, [*order, "--workers", workers, "--art", str(tmp_path / "none")])
        assert done.exit_code == 0, done.output
    first, second = (sorted((tmp_path / name).iterdir()) for name in ("one", "two"))
    assert [p.name for p in first] == [p.name for p in second]
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]
    truth = [json.loads(line) for line in (tmp_path / "one" / "truth.jsonl").read_text().splitlines()]
    assert len(truth) == 3 and all((tmp_path / "one" / line["file"]).is_file() for line in truth)
    order = ["render", str(tmp_path / "one"), "--seed", "8", "--resume", "--art", str(tmp_path / "none")]
    done = CliRunner().invoke(app, order)
    assert done.exit_code == 2 and "9:" in done.output.split(), "they are photos of another seed"


@pytest.mark.usefixtures("fonts")
def test_a_photo_that_cannot_be_written_has_no_line_of_truth(tmp_path: Path) -> None:
    order = batch.Order(9, "hand", 160, False, None)
    with pytest.raises(OSError, match="000000"):
        list(batch.render(order, 1, 1, tmp_path / "gone"))


def test_unknown_kind_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["render", str(tmp_path), "--kind", "soup"])
    assert done.exit_code == 2 and "soup" in done.output


def test_unknown_scenes_and_scenes_of_no_game_are_refused(tmp_path: Path) -> None:
    for order, told in (
        (["--kind", "game", "--scene", "soup"], "soup"),
        (["--scene", "rows"], "--kind game"),
    ):
        done = CliRunner().invoke(app, ["render", str(tmp_path / "out"), *order])
        assert done.exit_code == 2 and told in done.output
    assert not (tmp_path / "out").exists()


def test_photos_of_held_out_drawings_need_drawings(tmp_path: Path) -> None:
    """Drawn by rule instead they would measure what was learnt."""
    done = CliRunner().invoke(app, ["render", str(tmp_path), "--held-out", "--art", str(tmp_path / "none")])
    assert done.exit_code == 2
    assert "--art" in done.output and not (tmp_path / "truth.jsonl").exists()


def test_a_foreign_tile_is_shown_and_named(tile_set: tilesets.TileSet) -> None:
    shows = []
    for drawing in (0, 1):
        layout = layouts.Layout("close", (20.0, 27.0, 16.0))
        layout.put("5p", 0, 0, subject=True)
        piece = layout.put(FOREIGN, 21, 0, subject=True)
        piece.drawing = drawing
        made = scene.make(np.random.default_rng(2), tile_set, layout, 320, 240)
        assert [tile["label"] for tile in made.truth["tiles"]] == ["5p", FOREIGN]
        shows.append(made.image)
    _, second = (np.array(tile["quad"]).astype(int) for tile in made.truth["tiles"])
    changed = np.abs(shows[0].astype(int) - shows[1]).max(axis=2) > 40
    (x0, y0), (x1, y1) = second.min(axis=0), second.max(axis=0)
    assert changed[y0:y1, x0:x1].sum() > 50
    changed[y0:y1, x0:x1] = False
    assert changed.sum() < 20


def test_what_is_printed_behind_is_seen_on_backs_alone(tile_set: tilesets.TileSet) -> None:
    print_ = np.full((192, 144, 4), (250, 0, 250, 255), np.uint8)
    printed, bare = (
        replace(tile_set, body=replace(tile_set.body, behind=behind)) for behind in (print_, None)
    )
    for pose, there in (("down", True), ("up", False)):
        pictures = []
        for each in (printed, bare):
            layout = layouts.Layout("close", (20.0, 27.0, 16.0))
            layout.put("5p", 0, 0, pose=pose, subject=True)
            pictures.append(scene.make(np.random.default_rng(4), each, layout, 240, 180).image.astype(int))
        assert ((np.abs(pictures[0] - pictures[1]).max(axis=2) > 40).mean() > 0.05) == there
