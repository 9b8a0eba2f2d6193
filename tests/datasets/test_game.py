"""Scenes of a game say exactly what a player should get of them."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba", reason="the renderer needs numba: pip install 'tehai[render]'")

from typer.testing import CliRunner

from datasets.__main__ import app
from datasets.render import game, layouts, scene
from datasets.render.layouts import Layout, OpenHand
from datasets.renders import read_renders
from scorer import Meld, is_complete, waits
from vision.labels import plain

SEEDS = range(12)

LAID = {
    "hand": "6cd7ea54b08b",
    "tray": "a413ffdff3cb",
    "grid": "c1adfa2135fb",
    "scatter": "f1f54049b655",
    "standing": "d2ebd6d9a25b",
    "close": "ebd9ea5b06fa",
    "table": "5947748430c6",
}


def composed(name: str) -> list[Layout]:
    return [game.compose(np.random.default_rng([7, seed]), name) for seed in SEEDS]


def melds(hand: OpenHand) -> list[Meld]:
    return [Meld(meld["type"], meld["tiles"], meld["from"]) for meld in hand.melds]


@pytest.mark.parametrize("name", game.SCENES)
def test_hands_are_what_they_are_called(name: str) -> None:
    for layout in composed(name):
        assert layout.hands
        for hand in layout.hands:
            tiles = "".join(hand.concealed) + (hand.win_tile or "")
            assert is_complete(tiles, melds(hand)) == hand.finished
            one_short = hand.win_tile or not hand.finished
            found = waits("".join(hand.concealed), melds(hand)) if one_short else ()
            assert tuple(map(str, found)) == hand.waits
            assert not hand.win_tile or plain(hand.win_tile) in hand.waits


@pytest.mark.parametrize("name", game.SCENES)
def test_tiles_are_those_of_one_set_and_one_seat(name: str) -> None:
    for layout in composed(name):
        tiles = [piece for piece in layout.pieces if piece.material == "tile"]
        assert len(tiles) <= 136
        json.dumps([(piece.label, piece.role, piece.sideways, piece.upside_down) for piece in tiles])
        faces = Counter(plain(piece.label) for piece in tiles if piece.label)
        assert max(faces.values()) <= 4
        assert max(Counter(p.label for p in tiles if p.label and p.label[0] == "0").values(), default=0) <= 1
        for hand in layout.hands:
            own = [piece for piece in tiles if piece.seat == hand.seat]
            laid = sorted(piece.label for piece in own if piece.role == "hand" and piece.label)
            assert laid == sorted(hand.concealed)
            assert [p.label for p in own if p.role == "win"] == ([hand.win_tile] if hand.win_tile else [])
            called = sum(len(Meld(meld["type"], meld["tiles"]).tiles) for meld in hand.melds)
            assert sum(piece.role.startswith("meld:") for piece in own) == called


@pytest.mark.parametrize("name", game.SCENES)
def test_no_tile_lies_inside_another(name: str) -> None:
    """Centres of tiles on the same level keep at least a tile's width between them, but for a hair."""
    for layout in composed(name):
        tiles = [piece for piece in layout.pieces if piece.material == "tile"]
        centres = np.array([piece.centre for piece in tiles])
        apart = np.linalg.norm(centres[:, None] - centres[None], axis=2) + 1e3 * np.eye(len(tiles))
        assert apart.min() > 0.7 * min(layout.tile)


def test_a_loose_tile_finishes_no_unfinished_hand() -> None:
    for layout in composed("ready"):
        [hand] = layout.hands
        loose = [p.label for p in layout.pieces if p.seat is None and p.label]
        assert not {plain(label) for label in loose} & set(hand.waits)


def test_outcomes_count_whole_finished_hands() -> None:
    for layout in composed("table-several"):
        everything = dict.fromkeys(range(len(layout.pieces)), 1.0)
        facts = game.facts(layout, everything)
        assert facts["outcome"] == "several" and facts["hand"] is None
        lost = next(i for i, p in enumerate(layout.pieces) if p.seat == 0 and p.role == "hand")
        facts = game.facts(layout, everything | {lost: 0.3})
        assert facts["outcome"] == "finished" and facts["hand"]["concealed"] == facts["hands"][1]["concealed"]
        assert not facts["hands"][0]["whole"]


def test_shares_are_those_of_a_whole() -> None:
    for shares in (
        [share for share, _ in game.SCENES.values()],
        game.PLACES.values(),
        game.INDICATORS,
        [row[0] for row in game.VIEWS.values()],
    ):
        assert sum(shares) == pytest.approx(1)


@pytest.mark.usefixtures("fonts")
def test_photos_are_read_with_their_outcome(tmp_path: Path) -> None:
    order = ["render", str(tmp_path), "--photos", "4", "--side", "320", "--seed", "3", "--kind", "game"]
    done = CliRunner().invoke(app, [*order, "--workers", "1", "--art", str(tmp_path / "none")])
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    renders = read_renders(tmp_path)
    assert len(renders) == 4
    for line, render in zip(lines, renders, strict=True):
        assert render.kind == "game" and render.scene in game.SCENES
        whole = [hand for hand in render.hands if hand.finished and hand.whole]
        assert render.outcome == ("none", "finished", "several")[min(len(whole), 2)]
        assert (render.hand is not None) == (render.outcome == "finished")
        for hand in render.hands:
            if hand.win is not None:
                assert render.roles[hand.win] == "win" and render.seats[hand.win] == hand.seat
                assert render.labels[hand.win] == hand.record["win_tile"]
        for tile in line["tiles"]:
            assert ("seat" in tile) == (tile["role"].split(":")[0] in ("hand", "win", "meld"))


def test_other_kinds_are_laid_as_ever() -> None:
    """Layouts and cameras of the kinds that networks were trained on stay the same for a seed."""
    digests = {}
    for kind in layouts.MIX:
        values: list[object] = []
        for seed in range(4):
            rng = np.random.default_rng(seed)
            layout = layouts.compose(rng, kind)
            camera = scene._camera(layout, rng, 320, 240)
            for p in layout.pieces:
                where = [round(float(v), 2) + 0.0 for v in (*p.centre, *p.axes.ravel(), *p.size)]
                values.append((p.label, p.role, p.sideways, p.material, where))
            seen = (*camera.centre, camera.focal, camera.cx, camera.cy)
            values.append(
                (layout.hand, layout.subject, [round(float(v)) for v in seen], int(rng.integers(1000)))
            )
        digests[kind] = sha256(repr(values).encode()).hexdigest()[:12]
    assert digests == LAID
