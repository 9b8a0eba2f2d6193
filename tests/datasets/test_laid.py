"""Scenes that are laid agree with those that are drawn, and come from their numbers alone."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba", reason="the renderer needs numba: pip install 'tehai[render]'")

from typer.testing import CliRunner

from datasets import laid
from datasets.__main__ import app
from datasets.render import batch, develop, layouts, scene, tilesets

ORDER = laid.Order(5, laid.KINDS, 960)


@pytest.mark.parametrize("kind", laid.KINDS)
def test_a_laid_scene_is_what_the_renderer_sees(
    kind: layouts.Kind, fonts: tuple[tilesets.Source, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same tiles at the same places, and about as much of them; nothing lies before the camera."""
    monkeypatch.setattr(develop, "cover", lambda *_: None)
    tile_set = tilesets.draw_set(np.random.default_rng(3), fonts)
    for seed in range(2):
        rng = np.random.default_rng([11, seed])
        layout = batch.layout(rng, kind)
        camera = scene.aim(layout, np.random.default_rng(seed), 640, 480)
        drawn = scene.make(np.random.default_rng(seed), tile_set, layout, 640, 480).truth
        told = laid.see(layout, camera)
        assert told.keys() == drawn.keys() - {"family"}
        both = [{(*tile["quad"][0], *tile["quad"][2]): tile for tile in t["tiles"]} for t in (told, drawn)]
        common = both[0].keys() & both[1].keys()
        assert len(common) >= 0.93 * max(map(len, both))
        for key in common:
            one, other = both[0][key], both[1][key]
            free = {"visible", "drawing"}
            assert {k: v for k, v in one.items() if k not in free} == {
                k: v for k, v in other.items() if k not in free
            }
        apart = [abs(both[0][key]["visible"] - both[1][key]["visible"]) for key in common]
        assert np.mean(apart) < 0.06


def test_a_scene_comes_from_its_number_alone() -> None:
    assert laid.lay(ORDER, 7) == laid.lay(ORDER, 7)
    assert laid.lay(ORDER, 7) != laid.lay(ORDER, 8)


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laid, "SHARD", 2)
    assert list(laid.write(ORDER, 3, 1, tmp_path)) == [2, 1]
    (tmp_path / "000000.jsonl.gz").unlink()
    assert list(laid.write(ORDER, 3, 1, tmp_path)) == [2]
    assert list(laid.read([tmp_path])) == [laid.lay(ORDER, number) for number in range(3)]
    assert list(laid.write(ORDER, 4, 1, tmp_path)) == [2], "the last file had one scene"
    assert len(list(laid.read([tmp_path]))) == 4
    with pytest.raises(ValueError, match="scenes of seed 5: name another folder"):
        list(laid.write(replace(ORDER, seed=6), 4, 1, tmp_path))


def test_the_command_writes_what_is_read(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["lay", str(tmp_path), "--scenes", "2", "--seed", "5", "--side", "960"])
    assert done.exit_code == 0, done.output
    lines = gzip.decompress((tmp_path / "000000.jsonl.gz").read_bytes()).splitlines()
    assert [json.loads(line) for line in lines] == [laid.lay(ORDER, number) for number in range(2)]
    refused = CliRunner().invoke(app, ["lay", str(tmp_path), "--kind", "nonsense"])
    assert refused.exit_code == 2


def test_a_folder_without_scenes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="python -m datasets lay"):
        next(laid.read([tmp_path]))


def test_a_picture_of_a_laid_scene_shows_roles(tmp_path: Path) -> None:
    told = next(scene for n in range(50) if (scene := laid.lay(ORDER, n))["outcome"] == "finished")
    image = laid.picture(told)
    assert image.shape == (told["height"], told["width"], 3)
    for tile in told["tiles"]:
        at = np.array(tile["quad"]).mean(axis=0) * 0.3 + np.array(tile["quad"])[2] * 0.7
        x, y = at.round().astype(int)
        inside = 0 <= x < told["width"] and 0 <= y < told["height"]
        if tile["role"] == "hand" and tile["visible"] > 0.95 and tile["size"] > 30 and inside:
            assert image[y, x].tolist() == [60, 180, 60]
    file = tmp_path / "new" / "sheet.png"
    done = CliRunner().invoke(app, ["laid-sheet", str(file), "--scenes", "2"])
    assert done.exit_code == 0 and file.stat().st_size > 1000, done.output
