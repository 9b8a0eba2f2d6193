"""Scenes of a game say exactly what a player should get of them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("numba", reason="the renderer needs numba: pip install 'tehai[render]'")

from typer.testing import CliRunner

from datasets.__main__ import app
from datasets.render import game, layouts, scene
from datasets.render.layouts import Layout, OpenHand, Piece
from datasets.renders import read_renders
from scorer import Meld, is_complete, waits
from vision.labels import FOREIGN, plain

SEEDS = range(12)

LAID = {
    "hand": "1b23eba03824",
    "tray": "732d558c3235",
    "grid": "d72cfb8fea1f",
    "scatter": "c1f98b80d3c5",
    "standing": "1f60cef7544f",
    "close": "6c23b3e3d8a6",
    "table": "653433bf0ec8",
}


@cache
def composed(name: str) -> tuple[Layout, ...]:
    """A few layouts of a scene, which take seconds to compose: who changes one takes a copy."""
    return tuple(game.compose(np.random.default_rng([7, seed]), (name,)) for seed in SEEDS)


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
        tiles = [p for p in layout.pieces if p.material == "tile" and p.label != FOREIGN]
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


def in_its_own_frame(layout: Layout, seat: int) -> list[Piece]:
    """A seat's tiles, turned so that its row lies along x."""
    turn = layouts.about_z(-seat * np.pi / 2 if layout.scene and layout.scene.startswith("table") else 0.0)
    return [
        replace(piece, centre=turn @ piece.centre, axes=turn @ piece.axes)
        for piece in layout.pieces
        if piece.seat == seat
    ]


def test_gaps_are_those_between_outlines() -> None:
    layout = Layout("game", (20.0, 26.0, 16.0))
    one, right = layout.put("1m", 0, 0), layout.put("2m", 25, 3)
    above, turned = layout.put("3m", 2, 30, z=16.0), layout.put("4m", -30, 0, np.pi / 2)
    assert layouts.gap(one, right) == pytest.approx(5) == pytest.approx(layouts.gap(right, one))
    assert layouts.gap(one, above) == pytest.approx(4)
    assert layouts.gap(one, turned) == pytest.approx(7)
    assert layouts.gap(one, layout.put("5m", 9, 9, 0.7)) == 0
    assert layouts.gap(one, layout.put(None, 0, 40, pose="standing")) == pytest.approx(40 - 13 - 8)


@pytest.mark.parametrize("name", ["won", "rows", "table-won", "table-several"])
def test_a_winning_tile_can_be_told_from_its_row(name: str) -> None:
    """It lies off the row's line, or turned, or slanted, or at an end with a gap that none of theirs is."""
    told = 0
    for layout in composed(name):
        for hand in layout.hands:
            own = in_its_own_frame(layout, hand.seat)
            row = [piece for piece in own if piece.role == "hand"]
            for win in (piece for piece in own if piece.role == "win"):
                told += 1
                near = min(row, key=lambda piece: layouts.gap(piece, win))
                aside = abs(win.centre[1] - near.centre[1]) / layout.tile[1]
                slant = abs(float(np.arctan2(win.axes[1, 0], win.axes[0, 0])))
                if aside < 0.5 and min(slant, np.pi - slant) < 0.15 and win.centre[2] < layout.tile[2]:
                    apart = [min(layouts.gap(a, b) for b in row if b is not a) for a in row]
                    assert layouts.gap(near, win) > max(apart) + 0.3 * layout.tile[0]
    assert told > 0.5 * len(SEEDS)


def test_a_winning_tile_in_line_is_told_by_its_gap() -> None:
    rng = np.random.default_rng(4)
    turned = set()
    for count in (1, 4, 13):
        for _ in range(30):
            layout = Layout("game", (20.0, 26.0, 16.0))
            row = game._row(layout, ["1m"] * count, rng, lines=False, pushed=False)
            game._win(layout, "1m", "right", row, 30.0, rng)
            last = layout.pieces[-1]
            turned.add((count > 1, last.sideways))
            if not last.sideways:
                assert layouts.gap(row[-1], last) > game.widest_gap(row) + 0.34 * 20
    assert turned == {(False, True), (True, True), (True, False)}


def test_a_winning_tile_that_nobody_can_tell_is_one_of_an_even_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """No tile of it is pushed up, or it would be taken for the winning one."""
    for place in ("in row", "at an end"):
        monkeypatch.setattr(game, "PLACES", {place: 1.0})
        for seed in range(20):
            layout = Layout("game", (20.0, 26.0, 16.0))
            rng = np.random.default_rng(seed)
            pieces = game.open_hand(layout, rng, layouts.Pool(rng, reds=0.7), 0, "won", 60.0)
            [hand] = layout.hands
            assert hand.finished and hand.win_tile is None and hand.waits == ()
            assert not any(piece.role == "win" for piece in pieces)
            laid = [piece.label for piece in pieces if piece.role == "hand"]
            assert tuple(laid) == hand.concealed


def test_an_even_row_has_no_tile_pushed_up() -> None:
    """Of the same seed it lies as the row that may have one, but for that one."""
    pushed = 0
    for seed in range(40):
        rows = []
        for may in (True, False):
            layout, rng = Layout("game", (20.0, 26.0, 16.0)), np.random.default_rng(seed)
            row = game._row(layout, ["1m"] * 14, rng, lines=False, pushed=may)
            rows.append(np.array([piece.centre[1] for piece in row]))
        up = rows[0] - rows[1]
        assert (up >= 0).all() and (up > 0).sum() <= 1
        pushed += bool(up.max() > 2)
    assert 1 <= pushed <= 15


@pytest.mark.parametrize("name", ["won", "rows", "table-won", "table-several"])
def test_a_winning_tile_lies_nearest_to_its_own_row_and_on_nothing_else(name: str) -> None:
    for layout in composed(name):
        for win in (piece for piece in layout.pieces if piece.role == "win"):
            gaps: dict[str, list[float]] = {"own": [], "rows": [], "loose": []}
            for p in (p for p in layout.pieces if p is not win):
                same = p.seat == win.seat and p.role == "hand"
                gaps["own" if same else "loose" if p.seat is None else "rows"].append(layouts.gap(win, p))
            assert min(gaps["own"]) < min(gaps["rows"], default=np.inf)
            assert min([*gaps["rows"], *gaps["loose"]], default=np.inf) > 0


@pytest.mark.parametrize("name", game.SCENES)
def test_no_loose_tile_is_one_that_a_row_waits_on(name: str) -> None:
    """It would be taken for the winning one; those of a player's river would not."""
    for layout in composed(name):
        loose = [p.label for p in layout.pieces if p.seat is None and p.owner is None and p.label]
        waited = {face for hand in layout.hands for face in hand.waits}
        assert not {plain(label) for label in loose} & waited
        for river in (p for p in layout.pieces if p.owner is not None and p.order is not None):
            rows = [p for p in layout.pieces if p.role == "hand"]
            assert min(layouts.gap(river, p) for p in rows) > 2 * layout.tile[0]


@pytest.mark.parametrize("name", [name for name in game.SCENES if name.startswith("table")])
def test_a_table_tells_whose_rivers_are_whose(name: str) -> None:
    """In the order of the discards, with the tile that was turned and the stick of who turned it."""
    for layout in composed(name):
        rivers = game.facts(layout, dict.fromkeys(range(len(layout.pieces)), WELL))["rivers"]
        assert [river["owner"] for river in rivers] == [0, 1, 2, 3]
        for river in rivers:
            own = [p for p in layout.pieces if p.role == "river" and p.owner == river["owner"]]
            assert [(p.order, p.label) for p in own] == list(enumerate(river["tiles"]))
            assert river["riichi"] == next((p.order for p in own if p.sideways), None)
            assert river["stick"] == (river["riichi"] is not None)
            side = layouts.about_z(-river["owner"] * np.pi / 2)
            assert all((side @ p.centre)[1] < 0 for p in own)


def test_what_won_may_lie_in_the_river_where_nobody_can_tell() -> None:
    for layout in composed("table-ron"):
        hand = layout.hands[0]
        assert hand.waits and not any(hand.finished for hand in layout.hands)
        rivers = [plain(p.label) for p in layout.pieces if p.role == "river" and p.label]
        assert set(rivers) & set(hand.waits)
        facts = game.facts(layout, dict.fromkeys(range(len(layout.pieces)), WELL))
        assert facts["outcome"] == "none" and facts["hands"][0]["waits"] == list(hand.waits)


WELL = (1.0, 30.0)


def test_outcomes_count_whole_finished_hands() -> None:
    for layout in composed("table-several"):
        everything = dict.fromkeys(range(len(layout.pieces)), WELL)
        facts = game.facts(layout, everything)
        assert facts["outcome"] == "several" and facts["hand"] is None
        lost = next(i for i, p in enumerate(layout.pieces) if p.seat == 0 and p.role == "hand")
        for seen in ((0.3, 30.0), (1.0, 23.0)):
            facts = game.facts(layout, everything | {lost: seen})
            assert facts["outcome"] == "finished"
            assert facts["hand"]["concealed"] == facts["hands"][1]["concealed"]
            assert not facts["hands"][0]["whole"] and facts["hands"][0]["least"] == seen[0]


def test_a_hand_whose_winning_tile_is_not_seen_is_not_whole() -> None:
    lost = 0
    for layout in composed("won"):
        everything = dict.fromkeys(range(len(layout.pieces)), WELL)
        for index in (i for i, p in enumerate(layout.pieces) if p.role == "win"):
            facts = game.facts(layout, {i: seen for i, seen in everything.items() if i != index})
            assert facts["outcome"] == "none" and facts["hands"][0]["win"] is None
            assert facts["hands"][0]["least"] == 0
            lost += 1
    assert lost


def test_a_hand_that_is_seen_from_behind_is_not_whole() -> None:
    layout = composed("won")[0]
    for behind, outcome in ((False, "finished"), (True, "none")):
        seen = {
            index: {"visible": 1.0, "size": 30.0, "label": layouts.seen_label(piece, behind)}
            for index, piece in enumerate(layout.pieces) if piece.material == "tile"
        }  # fmt: skip
        told = scene.truth(layout, seen, 640, 480)
        assert told["outcome"] == outcome and told["hands"][0]["whole"] is not behind


def test_tiles_on_their_feet_are_no_finished_hand_and_wait() -> None:
    for layout in composed("standing"):
        [hand] = layout.hands
        row = [p for p in layout.pieces if p.role == "hand"]
        assert not hand.finished and len(row) == len(hand.concealed)
        assert all(abs(p.axes[2, 1]) > 0.9 for p in row), "the face's down is the table's"
        facts = game.facts(layout, dict.fromkeys(range(len(layout.pieces)), WELL))
        assert facts["outcome"] == "none"


@pytest.mark.parametrize("name", game.SCENES)
def test_nothing_lies_on_a_hand(name: str) -> None:
    for layout in composed(name):
        things = [p for p in layout.pieces if p.material != "tile"]
        assert all(layouts.gaps(p, things).min(initial=9) > 0 for p in layout.pieces if p.seat is not None)


@pytest.mark.parametrize("name", [name for name in game.SCENES if name != "standing"])
def test_tiles_of_the_hands_asked_for_are_large_enough(name: str) -> None:
    for layout in composed(name):
        camera = scene.aim(layout, np.random.default_rng(0), 1280, 960)
        for piece in (layout.pieces[index] for index in layout.subject):
            corners = piece.centre + np.array(piece.size) / 2 * scene._FACE_CORNERS @ piece.axes.T
            area = abs(cv2.contourArea(camera.project(corners.astype(np.float32))))
            assert area**0.5 >= game.LEAST_PIXELS


def test_shares_are_those_of_a_whole() -> None:
    for shares in (
        [share for share, _ in game.SCENES.values()],
        game.PLACES.values(),
        game.INDICATORS,
        [row[0] for row in game.VIEWS.values()],
    ):
        assert sum(shares) == pytest.approx(1)


def test_some_scenes_come_as_often_beside_one_another_as_among_all(monkeypatch: pytest.MonkeyPatch) -> None:
    some = "rows", "table-several"
    for name in some:
        monkeypatch.setitem(game.SCENES, name, (game.SCENES[name][0], lambda *_: None))
    monkeypatch.setattr(game, "_well_laid", lambda layout: True)  # of no tiles
    drawn = Counter(game.compose(np.random.default_rng([5, seed]), some).scene for seed in range(200))
    assert set(drawn) == set(some)
    shares = [game.SCENES[name][0] for name in some]
    assert drawn["rows"] / drawn.total() == pytest.approx(shares[0] / sum(shares), abs=0.1)


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
            camera = scene.aim(layout, rng, 320, 240)
            for p in layout.pieces:
                where = [round(float(v), 2) + 0.0 for v in (*p.centre, *p.axes.ravel(), *p.size)]
                river = p.role in ("river", "wall")  # called "other", and never turned, when these were taken
                role, turned = ("other", False) if river else (p.role, p.sideways)
                values.append((p.label, role, turned, p.material, where))
            seen = (*camera.centre, camera.focal, camera.cx, camera.cy)
            values.append(
                (layout.hand, layout.subject, [round(float(v)) for v in seen], int(rng.integers(1000)))
            )
        digests[kind] = sha256(repr(values).encode()).hexdigest()[:12]
    assert digests == LAID
