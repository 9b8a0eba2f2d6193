"""Tile sets drawn at random: complete, printed as promised, the same for the same seed, split by family."""

import tomllib
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.render import bodies, draw, tilesets
from datasets.render.draw import BLACK, BLUE, GREEN, HEIGHT, RED, WIDTH
from datasets.render.tilesets import Source, TileSet, draw_set
from tests.folders import DATA, ROOT
from vision.labels import FACES, PLAIN_OF

ART = DATA / "art"

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(scope="module")
def art_sources() -> tuple[Source, ...]:
    if not ART.is_dir():
        pytest.skip(f"no drawings of tiles at {ART}")
    return tilesets.sources(ART)


@pytest.fixture(scope="module")
def some_sets(art_sources: tuple[Source, ...]) -> list[TileSet]:
    return [draw_set(np.random.default_rng(seed), art_sources) for seed in range(5)]


def _ink(face: np.ndarray) -> float:
    return float((face[..., 3] > 100).mean())


def test_every_set_has_all_faces_inked_but_the_white_dragon(some_sets: list[TileSet]) -> None:
    for tileset in some_sets:
        assert set(tileset.faces) == set(FACES)
        for label, face in tileset.faces.items():
            assert face.shape == (HEIGHT, WIDTH, 4)
            assert face.dtype == np.uint8
            if label != "5z":
                assert _ink(face) > 0.01, (tileset.name, label)
                # ink that has run into the gaps of a drawing is lighter than this
                assert (face[..., 3] > 160).mean() < 0.75, (tileset.name, label)


def test_white_dragons_come_blank_and_framed(some_sets: list[TileSet]) -> None:
    inked = {_ink(tileset.faces["5z"]) > 0 for tileset in some_sets}
    assert inked == {True, False}


def test_plain_fives_are_not_the_red_ones(some_sets: list[TileSet]) -> None:
    for tileset in some_sets:
        for red, plain in PLAIN_OF.items():
            assert not np.array_equal(tileset.faces[red], tileset.faces[plain])


def test_more_sticks_and_dots_take_more_room(some_sets: list[TileSet]) -> None:
    for tileset in some_sets:
        for suit in "ps":
            # 1.2 times as much at least in 240 sets: one family draws the two dots of 2p large
            assert _ink(tileset.faces[f"9{suit}"]) > 1.1 * _ink(tileset.faces[f"2{suit}"]), tileset.name


def test_same_seed_same_set(art_sources: tuple[Source, ...]) -> None:
    one, other = (draw_set(np.random.default_rng(7), art_sources) for _ in range(2))
    assert one.name == other.name and one.body.back == other.body.back
    assert all(np.array_equal(one.faces[label], other.faces[label]) for label in FACES)


def test_held_out_drawings_never_reach_training(
    art_sources: tuple[Source, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[Source] = []
    real_drawing, real_glyphs = tilesets._drawing, tilesets._glyphs
    monkeypatch.setattr(tilesets, "_drawing", lambda source: used.append(source) or real_drawing(source))
    monkeypatch.setattr(tilesets, "_glyphs", lambda source: used.append(source) or real_glyphs(source))
    for held_out in (False, True):
        used.clear()
        for seed in range(4):
            draw_set(np.random.default_rng(seed), art_sources, held_out=held_out)
        assert used
        assert {source.held_out for source in used} == {held_out}


def test_sets_of_one_family_stay_on_one_side(art_sources: tuple[Source, ...]) -> None:
    sides: dict[str, set[bool]] = {}
    for source in art_sources:
        sides.setdefault(source.family, set()).add(source.held_out)
    assert all(len(side) == 1 for side in sides.values())
    assert {"E", "M", "H4"} <= {source.family for source in art_sources if source.held_out}


def test_without_art_fonts_and_rules_make_a_whole_set(fonts: tuple[Source, ...]) -> None:
    tileset = draw_set(np.random.default_rng(1), fonts)
    assert all(_ink(tileset.faces[label]) > 0.01 for label in FACES if label != "5z")


def test_without_anything_the_error_says_what_is_missing() -> None:
    with pytest.raises(ValueError, match=r"sources\.toml"):
        draw_set(np.random.default_rng(0), ())


def test_lifting_a_drawing_off_its_body_keeps_the_ink_alone() -> None:
    picture = np.full((512, 384, 4), (240, 240, 235, 255), np.uint8)
    picture[100:140, 100:300] = (20, 20, 24, 255)
    picture[200:240, 100:300] = (200, 30, 30, 255)
    picture[300:340, 100:300] = (20, 110, 50, 255)
    picture[400:440, 100:300] = (30, 40, 160, 255)
    picture[:, :20] = (220, 120, 0, 255)  # the body's orange edge
    plates = tilesets._lift(picture, (40, 40, 344, 472))
    for row, ink in ((120, BLACK), (220, RED), (320, GREEN), (420, BLUE)):
        assert plates[row, 200].argmax() == ink
        assert plates[row, 200].max() > 200
    assert plates[50, 200].max() == 0
    assert plates[:, :40].max() == 0


def _blobs(face: draw.Plates) -> int:
    ink = (face.max(axis=2) > 90).astype(np.uint8)
    ink = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return sum(cv2.contourArea(contour) > 40 for contour in contours)


def test_pins_show_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    disc = np.zeros((96, 96, 2), np.uint8)
    cv2.circle(disc, (48, 48), 40, (255, 0), -1)
    monkeypatch.setattr(draw, "dot", lambda rng: disc)
    faces = draw.pins(np.random.default_rng(3))
    assert set(faces) == {f"{n}p" for n in range(1, 10)}
    for number in range(2, 10):
        assert _blobs(faces[f"{number}p"]) == number


def test_bams_show_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = np.zeros((240, 96, 2), np.uint8)
    bar[30:-30, 30:-30, 0] = 255
    monkeypatch.setattr(draw, "stick", lambda rng, joints: bar)
    faces = draw.bams(np.random.default_rng(3))
    for number in (2, 3, 4, 5, 6, 7, 9):
        assert _blobs(faces[f"{number}s"]) == number


@pytest.mark.parametrize("joints", [1, 2, 3, 4])
def test_a_stick_reaches_from_end_to_end_whatever_marks_it(joints: int) -> None:
    for seed in range(60):
        inked = draw.stick(np.random.default_rng(seed), joints)[..., 0] > 0
        assert inked[:24].any() and inked[-24:].any()
        assert inked.any(axis=1).mean() > 0.6 and (inked == inked[:, ::-1]).all()


def test_eight_bams_look_the_same_upside_down() -> None:
    face = draw.bams(np.random.default_rng(5))["8s"].max(axis=2).astype(int)
    assert np.abs(face - face[::-1, ::-1]).mean() < 25


def test_a_font_without_the_characters_is_passed_over() -> None:
    latin = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
    if not latin.is_file():
        pytest.skip("no Latin font to try")
    assert not tilesets._glyphs(Source("latin", "latin", "font", latin, held_out=False))


def test_every_source_is_listed_with_address_version_and_licence() -> None:
    listed = tomllib.loads((ROOT / "datasets" / "sources.toml").read_text("utf-8"))["source"]
    for entry in listed:
        assert {"name", "kind", "address", "version", "licence", "use"} <= set(entry)
        assert entry["address"].startswith("https://")
    arts = {entry["name"]: entry for entry in listed if entry["kind"] == "art"}
    assert {name: [family] for name, family in tilesets._ART.items()} == {
        name: entry["families"] for name, entry in arts.items()
    }
    fonts = {family for entry in listed if entry["kind"] == "font" for family in entry["families"]}
    assert fonts == {family for family, _, _ in tilesets._FONTS.values()}
    held_out = {family for entry in listed if entry.get("held_out") for family in entry["families"]}
    assert held_out == tilesets.HELD_OUT


def test_engravings_keep_off_the_rounded_edge(art_sources: tuple[Source, ...]) -> None:
    """Seen from low, ink on the far edge is out of sight: of three strokes two would be left."""
    for seed in range(12, 22):
        tileset = draw_set(np.random.default_rng(seed), art_sources)
        for label in (f"{number}{suit}" for suit in "mps" for number in range(1, 10)):
            ink = tileset.faces[label][..., 3] > 100
            for axis, (length, most) in enumerate(zip((WIDTH, HEIGHT), tileset.body.flat, strict=True)):
                lines = np.flatnonzero(ink.any(axis=axis))
                extent = (np.abs(lines - length / 2).max() * 2) / length
                assert extent < most + 0.08, (seed, label, extent, most)  # set off and thickened a little


def test_held_out_sets_are_never_drawn_by_rule(art_sources: tuple[Source, ...]) -> None:
    """Training has such dots and sticks: without drawings there are no held-out ones to measure with."""
    fonts = [source for source in art_sources if source.kind == "font"]
    for seed in range(12, 22):
        assert "rule" not in draw_set(np.random.default_rng(seed), art_sources, held_out=True).name.split("+")
    with pytest.raises(ValueError, match="no drawings"):
        draw_set(np.random.default_rng(0), fonts, held_out=True)


def test_unusual_bodies_are_ivory_black_or_clear() -> None:
    """Black faces carry light inks, clear tiles no print behind; what is drawn without stays as it is."""
    kinds: Counter[str] = Counter()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        plain = bodies.draw(rng)
        body, dark = bodies.unusual(rng, plain)
        kind = "black" if dark else "see-through" if body.clear else "as it is" if body is plain else "ivory"
        kinds[kind] += 1
        assert dark == (max(body.bone) < 90)
        if kind == "ivory":
            assert np.abs(np.array(body.bone) - body.back).max() < 40 and body.behind is None
    assert set(kinds) == {"black", "see-through", "as it is", "ivory"}


def test_faces_show_on_black_tiles(art_sources: tuple[Source, ...]) -> None:
    found = 0
    for seed in range(12, 22):
        tiles = draw_set(np.random.default_rng(seed), art_sources, unusual=True)
        if max(tiles.body.bone) < 90:
            found += 1
            for label in ("1m", "9p", "3s", "6z"):
                face = tiles.faces[label]
                assert face[face[..., 3] > 100][:, :3].max(axis=1).mean() > 120
    assert found


def test_families_that_are_not_here_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tilesets, "_FONT_ROOTS", ())
    assert {"A", "kouzan"} <= set(tilesets.missing_families(tmp_path, held_out=False))
    assert set(tilesets.missing_families(tmp_path, held_out=True)) == tilesets.HELD_OUT
