"""Things that are no tiles: laid where there is room, painted, and never in the truth."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="the renderer needs numba: pip install 'tehai[render]'")

from datasets.render import furniture, game, layouts, raycast, scene, things, tilesets
from datasets.render.layouts import Layout
from vision.arrays import Pixels
from vision.labels import BACK, FACES, FOREIGN

INK = np.zeros((192, 144, 4), np.uint8)
INK[40:150, 30:110] = (20, 30, 90, 255)
FACES_OF_A_SET: dict[str, Pixels] = dict.fromkeys(FACES, INK)


def row() -> Layout:
    layout = Layout("game", (20.0, 26.0, 16.0), scene="won")
    for k in range(13):
        layout.put("1m", 20.2 * k, 0, role="hand", subject=True)
    return layout


@pytest.mark.parametrize("name", things.THINGS)
def test_things_lie_where_there_is_room_and_whole(name: str) -> None:
    laid = 0
    for seed in range(12):
        rng, layout = np.random.default_rng(seed), row()
        tiles = list(layout.pieces)
        done = things.lay(layout, rng, rng.uniform((-50, -100), (300, 250)), (name,))
        parts = layout.pieces[len(tiles) :]
        assert bool(parts) == done
        assert all(layouts.gaps(part, tiles).min() > 0 for part in parts)
        assert all(part.label is None and part.material != "tile" for part in parts)
        laid += done
    assert laid >= 3
    assert not things.lay(row(), np.random.default_rng(0), np.array([100.0, 0.0]), (name,))


def test_shares_of_things_are_those_of_a_whole() -> None:
    assert sum(share for share, _ in things.THINGS.values()) == pytest.approx(1)
    assert set(things.SMALL) < set(things.THINGS)


@pytest.mark.parametrize("material", things.PAINTED)
@pytest.mark.parametrize("faces", [FACES_OF_A_SET, {}])
def test_paintings_have_the_size_asked_and_show_something(material: str, faces: dict[str, Pixels]) -> None:
    shown = 0.0
    for seed in range(10):
        for size in ((4, 4), (120, 60)):
            painting = things.PAINTED[material](np.random.default_rng(seed), size, faces)
            assert painting.shape == (*size, 4) and painting.dtype == np.uint8
        shown = max(shown, float((painting[..., 3] > 0).mean()))
    assert shown > 0.01 or (material == "marker" and not faces)


def test_every_body_of_a_thing_has_a_colour_or_a_painting() -> None:
    rng = np.random.default_rng(2)
    for _, parts in things.THINGS.values():
        for part in parts(rng):
            assert part.material in {*things.COLOURS, *things.PAINTED}


@pytest.mark.parametrize("trays", [0, 4])
def test_a_rim_lies_beyond_its_inner_edge(trays: int) -> None:
    layout = Layout("game", (20.0, 26.0, 16.0))
    furniture.side(layout, np.random.default_rng(1), furniture.Rim(70.0, 12.0, trays), 0.0, -100.0, 900.0)
    assert all(
        piece.centre[1] + piece.size[1] / 2 <= -99.9 or piece.material == "stick" for piece in layout.pieces
    )
    assert all(abs(piece.centre[1] + 135) < 36 for piece in layout.pieces)
    assert sum(piece.material == "rim" for piece in layout.pieces) == (1 if not trays else 3 + trays + 1)


def test_inks_of_any_size_lie_one_after_the_other() -> None:
    pictures = [np.full((2, 3, 4), 0.25, np.float32), np.arange(80, dtype=np.float32).reshape(4, 5, 4)]
    inks = raycast.Inks.of(pictures)
    for number, picture in enumerate(pictures):
        start, count = inks.starts[number], inks.rows[number] * inks.cols[number]
        assert np.array_equal(inks.texels[start : start + count], picture.reshape(-1, 4))


def test_a_photo_lists_foreign_tiles_and_no_things(fonts: tuple[tilesets.Source, ...]) -> None:
    """A foreign tile is a tile that no hand has; what is no tile is not in the truth."""
    rng = np.random.default_rng(6)
    tileset, layout = tilesets.draw_set(rng, fonts), row()
    layout.put(FOREIGN, 330, 0)
    for name, spot in (("dominoes", (100, 200)), ("keyboard", (120, -240)), ("playing cards", (-330, 0))):
        assert things.lay(layout, rng, np.array(spot, float), (name,))
    layout.view = layouts.View(1.4, 0.0, 0.0, 1.1, 0.6, (0.5, 0.5))
    truth = scene.make(rng, tileset, layout, 480, 360).truth
    labels = [tile["label"] for tile in truth["tiles"]]
    assert len(labels) == 14 and labels.count(FOREIGN) == 1 and BACK not in labels
    assert next(tile for tile in truth["tiles"] if tile["label"] == FOREIGN)["role"] == "other"
    assert truth["outcome"] == "none" and not game.facts(layout, {})["hands"]


def test_a_table_ends_at_its_rim_unless_something_lies_beyond() -> None:
    ends = []
    for seed in range(40):
        layout = row()
        furniture.side(layout, np.random.default_rng(1), furniture.Rim(70.0, 12.0, 0), 130.0, -60.0, 900.0)
        layout.view = layouts.View(1.0, 0.0, 0.0, 1.1, 0.6, (0.5, 0.5))
        if seed % 2:
            layout.put(None, 130, -200, size=(70.0, 140.0, 8.0), material="telephone")
        ends.append(scene._table(layout, np.random.default_rng(seed))[1])
    at_rim = [abs(end + 130) < 0.1 for end in ends]
    assert 0.5 < np.mean(at_rim[::2]) < 1 and not any(at_rim[1::2])
