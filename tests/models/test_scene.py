"""The scene model: what it does not depend on, what it is taught, and that its file answers as it does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("onnx", reason="onnx is not installed")

from models.scene import export, scenes  # noqa: E402
from models.scene.__main__ import main  # noqa: E402
from models.scene.batches import Bank, Batches, permuted  # noqa: E402
from models.scene.extract import scene_of_laid  # noqa: E402
from models.scene.losses import losses  # noqa: E402
from models.scene.net import SceneNet, geometry  # noqa: E402
from models.scene.scenes import LOOSE, NONE, Scenes  # noqa: E402
from vision import network  # noqa: E402
from vision.detections import ROLES  # noqa: E402
from vision.labels import WITH_FOREIGN  # noqa: E402
from vision.scene import inputs  # noqa: E402
from vision.scene.relate import SceneNetwork  # noqa: E402

WIDTH, HEIGHT = 1200, 900
DIRECTION = slice(len(WITH_FOREIGN) + 4, len(WITH_FOREIGN) + 6)
"""Where a token says how its tile is turned in the photo."""


def rows_of(quads: np.ndarray, size: tuple[int, int]) -> Any:
    """Rows of tiles with made-up answers, always the same ones."""
    rng, count = np.random.default_rng(3), len(quads)
    made = inputs.rows(
        quads, np.broadcast_to(np.array(size, np.float32), (count, 2)),
        rng.random(count).astype(np.float32), np.zeros(count, np.float32),
        rng.random((count, 4)).astype(np.float32),
        rng.normal(0, 2, (count, len(WITH_FOREIGN))).astype(np.float32),
        rng.random((count, 120)).astype(np.float32),
    )  # fmt: skip
    return torch.from_numpy(made)[None]


def some_quads() -> np.ndarray:
    rng = np.random.default_rng(1)
    corners = np.array([[0, 0], [40, 3], [38, 55], [-2, 52]], np.float32)
    return (rng.uniform(100, 700, (9, 1, 2)) + corners + rng.normal(0, 2, (9, 4, 2))).astype(np.float32)


def tokens(quads: np.ndarray, size: tuple[int, int]) -> tuple[Any, Any]:
    rows = rows_of(quads, size)
    logits = torch.log_softmax(rows[..., inputs.LOGITS], -1)
    return geometry(rows, torch.ones(rows.shape[:2]), logits, rows[..., inputs.EMBEDDING])


def test_a_photo_turned_by_a_quarter_changes_only_how_tiles_are_turned() -> None:
    quads = some_quads()
    turned = np.stack([HEIGHT - quads[..., 1], quads[..., 0]], -1)
    (token, pair), (other, other_pair) = tokens(quads, (WIDTH, HEIGHT)), tokens(turned, (HEIGHT, WIDTH))
    assert torch.allclose(pair, other_pair, atol=1e-4)
    same = torch.ones(token.shape[-1], dtype=torch.bool)
    same[DIRECTION] = False
    assert torch.allclose(token[..., same], other[..., same], atol=1e-4)
    across, along = token[..., DIRECTION].unbind(-1)
    assert torch.allclose(other[..., DIRECTION], torch.stack([-along, across], -1), atol=1e-4)


def test_a_photo_of_twice_the_pixels_is_the_same() -> None:
    quads = some_quads()
    for one, other in zip(
        tokens(quads, (WIDTH, HEIGHT)), tokens(2 * quads, (2 * WIDTH, 2 * HEIGHT)), strict=True
    ):
        assert torch.allclose(one, other, atol=1e-4)


def test_neither_the_order_of_tiles_nor_padding_matters() -> None:
    torch.manual_seed(0)
    net, rows = SceneNet().eval(), rows_of(some_quads(), (WIDTH, HEIGHT))
    count = rows.shape[1]
    order = torch.randperm(count)
    padded = torch.cat([rows[:, order], rows[:, :2]], 1)
    there = (torch.arange(count + 2) < count).float()[None]
    with torch.no_grad():
        answer, other = net(rows, torch.ones(1, count)), net(padded, there)
    for one, same in ((answer.roles, other.roles), (answer.faces, other.faces)):
        assert torch.allclose(one[:, order], same[:, :count], atol=1e-4)
    pairs = answer.pairs[:, :, order][..., order]
    assert torch.allclose(pairs, other.pairs[..., :count, :count], atol=1e-4)


# --- the file -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A checkpoint of random weights, and its ONNX file."""
    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("scene")
    net = SceneNet()
    torch.nn.init.normal_(net.face.weight, std=0.1)  # it begins as nothing
    state = {"task": "scene", "average": net.state_dict(), "step": 7, "elapsed": 1.0, "seed": 1}
    torch.save(state, folder / "last.pt")
    export.export(folder / "last.pt", folder / "scene.onnx", {"slope": 0.5, "shift": 0.1})
    return folder / "last.pt", folder / "scene.onnx"


@pytest.mark.parametrize("count", [1, 2, 9, 40])
def test_the_file_answers_as_the_network(files: tuple[Path, Path], count: int) -> None:
    """But for its weights, which lie there in two bytes each."""
    net, _ = export.load(files[0])
    with torch.no_grad():
        for weight in net.parameters():
            weight.copy_(weight.half().float())
    rows = export.example(count)
    with torch.no_grad():
        wanted = net(rows, torch.ones(1, count))
    for one, other in zip(wanted, network.load(files[1], 1).run(rows.numpy()), strict=True):
        assert np.abs(one.numpy() - other).max() < 1e-3


def test_the_file_says_what_it_is(files: tuple[Path, Path]) -> None:
    scene = SceneNetwork(network.load(files[1], 1))
    assert scene.calibration.confidence(0.0, 0.0) == pytest.approx(1 / (1 + np.exp(-0.1)))
    with pytest.raises(ValueError, match="no scene model"):
        SceneNetwork(network.load(network.FINDER, 1))


def test_kept_weights_are_those_to_begin_with(files: tuple[Path, Path], tmp_path: Path) -> None:
    export.write_weights(files[0], tmp_path / "scene.pt")
    one, other = (export.load(path)[0].state_dict() for path in (files[0], tmp_path / "scene.pt"))
    assert all(torch.equal(one[name], other[name]) for name in one)


# --- scenes -------------------------------------------------------------------------------------------------


def row(**changes: Any) -> dict[str, Any]:
    """A line of truth: two tiles of a hand, its winning tile, a called set, and a discard with its owner."""
    laid = [("1m", "hand"), ("2m", "hand"), ("3m", "win"), ("7z", "meld:0"), ("7z", "meld:0"),
            ("7z", "meld:0"), ("9s", "river"), ("back", "other"), ("8p", "other")]  # fmt: skip
    tiles = []
    for at, (label, role) in enumerate(laid):
        left = 30 * at + 5
        quad = [[left, 40], [left + 20, 40], [left + 20, 67], [left, 67]]
        tile = {"quad": quad, "label": label, "role": role, "visible": 1.0, "size": 23.0}
        if role in ("hand", "win", "meld:0"):
            tile["seat"] = 2
        elif role == "river":
            tile["owner"] = 1
        tiles.append(tile)
    hands = [{"seat": 2, "finished": True, "win_tile": "3m"}]
    return {"width": 400, "height": 300, "kind": "game", "tiles": tiles, "hands": hands} | changes


def test_a_line_of_truth_becomes_targets() -> None:
    scene = scene_of_laid(row())
    assert scene is not None and not scene.answered
    names = [ROLES[role] if role >= 0 else role for role in scene.roles.tolist()]
    assert names == [*["hand"] * 2, "win", *["called"] * 3, "river", LOOSE, "none"]
    assert scene.seats.tolist() == [2] * 6 + [1, NONE, NONE]
    assert scene.sets.tolist() == [NONE] * 3 + [0] * 3 + [NONE] * 3
    assert scene.finished.tolist() == scene.told.tolist() == [1 << 2]
    cut = scene_of_laid(row(width=100))
    assert cut is not None and cut.counts.tolist() == [3], "tiles beyond the photo are left out"


def test_suits_are_exchanged_for_all_tiles_of_a_scene_alike() -> None:
    labels = np.array([WITH_FOREIGN.index(name) for name in ("1m", "9m", "0m", "3p", "5z", "back")], np.int8)
    scene = np.repeat(np.arange(30), len(labels))
    new = permuted(np.tile(labels, 30), scene, 30, np.random.default_rng(0)).reshape(30, -1)
    for each in new:
        one, nine, red, three, white, back = (WITH_FOREIGN[label] for label in each)
        assert (white, back) == ("5z", "back") and one[1] == nine[1] == red[1] != three[1]
        assert (one[0], nine[0], red[0], three[0]) == ("1", "9", "0", "3")
    assert len({tuple(each) for each in new.tolist()}) == 6


_NONE = np.zeros(0, np.intp)


def answered(sets: int, labels: Sequence[int]) -> Scenes:
    """Scenes of one tile a label each, whose scores tell the scene."""
    tiles = [(np.zeros((4, 2), np.float32), label, 0, 0, NONE, 1.0) for label in labels]
    made = []
    for number in range(sets):
        shapes = (len(tiles), len(WITH_FOREIGN)), (len(tiles), 4), (len(tiles), scenes.EMBEDDING)
        scores = np.full(len(tiles), number, np.float32)
        answers = (scores, *(np.zeros(shape, np.float32) for shape in shapes))
        made.append(scenes.pack(tiles, (100, 100), (), answers))  # type: ignore[arg-type]
    return Scenes.joined(made)


def test_some_scenes_take_all_their_answers_of_one_photo_that_shows_the_faces() -> None:
    bank = Bank.of(answered(9, range(30)), answered(1, [30, 31]))
    assert len(bank.whole) == 9 and not len(bank.real)
    labels, scene = np.tile(np.array([3, 8, 30], np.int8), 500), np.repeat(np.arange(500), 3)
    rows = bank.draw(labels, scene, 500, np.random.default_rng(0))
    assert (bank.labels[rows] == labels).all()
    three, eight, elsewhere = bank.scores[rows].reshape(500, 3).T
    assert 0.17 < (three == eight).mean() < 0.35, "by chance alone it would be one in nine"
    assert len(set(three.tolist())) == 9
    assert (elsewhere == 0).all(), "what no whole photo shows is taken where it is shown"


def test_sets_whose_fives_all_look_red_have_none(taught: tuple[Batches, SceneNet]) -> None:
    batches, _ = taught
    names = ("5m", "0m", "5p", "0s", "5z")
    labels = np.tile(np.array([WITH_FOREIGN.index(name) for name in names], np.int8), 400)
    scene = np.repeat(np.arange(400), len(names))
    own = scene < 100
    told, shown = (
        np.array(WITH_FOREIGN)[each].reshape(400, -1)
        for each in batches._with_red_fives(labels, scene, 400, own)
    )
    changed = (told != np.array(names)) | (shown != np.array(names))
    assert not changed[:100].any() and not changed[:, 4].any()
    assert 5 < changed[100:].any(axis=1).sum() < 60
    for true, seen, was in zip(told.ravel(), shown.ravel(), np.tile(names, 400), strict=True):
        assert (true, seen) in {(was, was), (was.replace("0", "5"), was.replace("5", "0"))}


def test_white_dragons_of_some_sets_look_like_backs_or_like_nothing(
    taught: tuple[Batches, SceneNet],
) -> None:
    batches, _ = taught
    labels = np.tile(np.array([WITH_FOREIGN.index(name) for name in ("5z", "6z", "back")], np.int8), 1000)
    scene = np.repeat(np.arange(1000), 3)
    own = scene < 200
    shown = np.array(WITH_FOREIGN)[batches._with_blank_whites(labels, scene, 1000, own)].reshape(1000, 3)
    assert (shown[:, 1:] == ["6z", "back"]).all() and (shown[:200, 0] == "5z").all()
    assert {*shown[:, 0].tolist()} == {"5z", "back", "none"}
    assert 20 < (shown[200:, 0] != "5z").sum() < 100


@pytest.fixture(scope="module")
def taught() -> tuple[Batches, SceneNet]:
    torch.manual_seed(0)
    torch.set_num_threads(1)  # so small a network gains nothing by more
    laid = Scenes.joined([s for _ in range(20) if (s := scene_of_laid(row()))])
    rng = np.random.default_rng(5)
    count = 20 * len(WITH_FOREIGN)
    labels = np.repeat(np.arange(len(WITH_FOREIGN), dtype=np.int8), 20)
    logits = 8.0 * np.eye(len(WITH_FOREIGN))[labels] + rng.normal(0, 0.1, (count, len(WITH_FOREIGN)))
    scores, sure, turns, embeddings = (
        each.astype(np.float16)
        for each in (rng.random(count), logits, np.full((count, 4), 0.25), rng.random((count, 120)))
    )
    bank = Bank(scores, sure, turns, embeddings, labels, np.zeros(count, np.int64), _NONE, _NONE)
    return Batches(None, laid, bank, 0.0, rng), SceneNet()


def test_batches_say_what_is_to_be_learnt(taught: tuple[Batches, SceneNet]) -> None:
    batches, _ = taught
    for batch in batches.draw(200, 40):
        mask = batch.mask
        assert batch.rows.shape[-1] == inputs.WIDTH and torch.isfinite(batch.rows).all()
        faces = batch.rows[..., inputs.LOGITS].argmax(-1)
        assert (faces == batch.labels)[mask].float().mean() > 0.95
        framed = batch.rows[..., inputs.FRAMED][mask]
        assert set(framed.unique().tolist()) <= {0.0, 1.0}
        owned = (batch.roles == ROLES.index("hand")) & mask
        assert batch.finished[owned].all() and (batch.seats[owned] == 2).all()
        assert not batch.finished[(batch.roles == ROLES.index("river")) & mask].any()


def test_the_model_learns_a_scene(taught: tuple[Batches, SceneNet]) -> None:
    batches, net = taught
    optimiser = torch.optim.AdamW(net.parameters(), 3e-3)
    history = []
    for _ in range(12):
        for batch in batches.draw(250, 20):
            loss = torch.stack([*losses(net(batch.rows, batch.mask), batch).values()]).sum()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            history.append(float(loss.detach()))
    assert np.mean(history[-3:]) < 0.7 * np.mean(history[:3])


def test_a_training_goes_on_from_its_checkpoint(
    taught: tuple[Batches, SceneNet], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    for folder, some in (("laid", taught[0].sources[0]), ("photos", answered(2, range(len(WITH_FOREIGN))))):
        (tmp_path / folder).mkdir()
        some.write(tmp_path / folder / "0.npz")
    command = ["train", "--data", str(tmp_path), "--out", str(tmp_path), "--tiles", "100", "--until"]
    main([*command, "2"])
    first = torch.load(tmp_path / "last.pt", weights_only=True)
    assert (first["task"], first["seed"], first["step"]) == ("scene", 1, 2)
    main([*command, "2"])
    assert "2 steps already" in capsys.readouterr().out
    main([*command, "3"])
    second = torch.load(tmp_path / "last.pt", weights_only=True)
    assert second["step"] == 3 and second["elapsed"] > first["elapsed"]
