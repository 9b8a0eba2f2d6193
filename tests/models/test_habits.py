"""The reckoning is fitted on scenes: what is right in them, what is kept, and what weights come out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy", reason="fitting needs scipy: pip install 'tehai[train]'")

from datasets.renders import Render, RenderedHand
from models import habits
from models.habits import (
    Answered,
    Weighing,
    calibrated,
    fit,
    gather,
    likeliest,
    missing,
    rightness,
    told_below,
    trusting,
    unnoticed_by,
    untaught,
)
from models.whole_hands import tells_win
from tests.vision.layouts import Laid, W, across, hand_of, line
from vision.arrays import Array
from vision.looks import HandSeen
from vision.reading import SURE
from vision.weights import SIGNS, TERMS, TRUSTED, Side, Steps

THIRTEEN = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s"
END = 13 * (W + 0.3)
AT = {name: number for number, name in enumerate(TERMS)}


def scene(
    terms: Array, answers: list[int], right: list[bool], exact: list[bool] | None = None, name: str = "a.jpg"
) -> Weighing:
    told = np.array(right), np.array(right if exact is None else exact)
    signs = np.zeros((len(answers), len(SIGNS)))
    return Weighing(
        name, "won", "finished", terms, signs, np.array(answers), *told,
        np.ones(len(answers), bool), False, False, np.zeros(0, bool),
    )  # fmt: skip


# --- fitting ------------------------------------------------------------------------------------------------


def drawn_scenes(truth: Array, count: int, seed: int) -> list[Weighing]:
    """Scenes of six answers, the right one drawn by the odds that the weights give them."""
    rng = np.random.default_rng(seed)
    scenes = []
    for _ in range(count):
        terms = np.zeros((6, len(TERMS)))
        terms[:, :4] = rng.normal(0, [1.0, 1.0, 3.0, 0.2], (6, 4))
        odds = np.exp(terms @ truth)
        right = np.arange(6) == rng.choice(6, p=odds / odds.sum())
        scenes.append(scene(terms, list(range(6)), right.tolist()))
    return scenes


def test_the_weights_that_scenes_were_made_by_come_back() -> None:
    truth = np.zeros(len(TERMS))
    truth[:4] = 1.5, -1.0, 0.3, 4.0
    found, likelihood = fit(drawn_scenes(truth, 900, 1), ridge=1e-4)
    assert np.allclose(found[:3], truth[:3], atol=0.25) and found[3] == pytest.approx(4, abs=1.0)
    free = [name not in habits.HELD for name in TERMS]
    assert np.allclose(found[free][4:], 0, atol=1e-6), "a term that never differs tells nothing"
    assert np.log(1 / 6) < likelihood < 0
    held, _ = fit(drawn_scenes(truth, 900, 1), ridge=3.0)
    assert np.abs(held[free]).sum() < np.abs(found[free]).sum() / 2, "a ridge holds weights back"


def test_scenes_without_a_right_answer_or_with_no_wrong_one_teach_nothing() -> None:
    truth = np.zeros(len(TERMS))
    truth[0] = 2.0
    scenes = drawn_scenes(truth, 60, 2)
    wild = np.full((2, len(TERMS)), 9.0)
    useless = [scene(wild, [0, 1], [False, False]), scene(wild, [0, 1], [True, True])]
    assert np.allclose(fit(scenes)[0], fit([*scenes, *useless])[0])


def test_a_weight_that_is_held_is_not_learnt() -> None:
    """Scenes in which the right answers leave a face beside their row, as no player does."""
    terms = np.zeros((2, len(TERMS)))
    terms[0, [AT["spare"], AT["runs"]]] = 1, 0.5
    weights, _ = fit([scene(terms, [0, 1], [True, False])] * 5)
    assert weights[AT["spare"]] == pytest.approx(habits.HELD["spare"]) and weights[AT["runs"]] > 0


def test_no_hand_is_likelier_because_its_faces_are_doubtful() -> None:
    """Scenes in which, by chance, they are."""
    terms = np.zeros((2, len(TERMS)))
    terms[0, [AT["labels"], AT["least"], AT["loss"], AT["runs"]]] = -2, -1, 1, 0.1
    weights, _ = fit([scene(terms, [0, 1], [True, False])] * 5)
    assert not weights[[AT["labels"], AT["least"], AT["loss"]]].any() and weights[AT["runs"]] > 0


def test_where_the_red_five_can_be_told_it_must_be_right() -> None:
    terms = np.zeros((2, len(TERMS)))
    terms[0, AT["reds"]] = 1
    red = scene(terms, [0, 1], [True, True], [True, False])
    weights, _ = fit([red] * 5)
    assert weights[AT["reds"]] > 0


def test_of_an_answer_the_likeliest_candidate_counts_and_it_is_right_if_one_is() -> None:
    terms = np.zeros((4, len(TERMS)))
    terms[:, 0] = 1.0, 3.0, 2.0, 2.5
    weights = np.eye(len(TERMS))[0]
    best, scores = likeliest(scene(terms, [7, 7, 5, 5], [True, False, False, False]), terms @ weights)
    assert best.answers.tolist() == [5, 7] and best.terms[:, 0].tolist() == scores.tolist() == [2.5, 3.0]
    assert best.right.tolist() == [False, True] and best.finished.all()
    answer = Answered.of(scene(terms, [7, 7, 5, 5], [True, False, False, False]), terms @ weights)
    assert answer.features[list(TRUSTED).index("share")] == pytest.approx(0.5)
    assert answer.exact and answer.finished


def test_one_of_several_finished_hands_is_unknown_where_it_is_no_rival_and_not_asked_about() -> None:
    scores = np.array([1.0, 0.0])
    single = scene(np.eye(2, len(TERMS)), [0, 1], [True, False])
    several = replace(single, outcome="several")
    assert not Answered.of(single, scores).unknown
    answer = Answered.of(several, scores)
    assert answer.exact and answer.unknown
    known = Answered.of(replace(several, real=np.ones(1, bool)), scores)
    assert not known.unknown, "some answer has it"
    assert not Answered.of(replace(several, chosen=True), scores).unknown
    assert not Answered.of(replace(several, finished=np.zeros(2, bool)), scores).unknown


def answered(count: int, seed: int) -> list[Answered]:
    """Finished answers: the higher their share, and the less was overruled, the oftener they are right."""
    rng, at = np.random.default_rng(seed), [list(TRUSTED).index(name) for name in ("share", "overruled")]
    rows = np.zeros((count, len(TRUSTED)))
    rows[:, at] = rng.normal(size=(count, 2))
    right = rng.random(count) < 1 / (1 + np.exp(-(1 + rows[:, at] @ [2.0, -1.0])))
    return [Answered(row, bool(each), True) for row, each in zip(rows, right, strict=True)]


def believed(*arguments: Any, **more: Any) -> dict[str, Any]:
    """What :func:`calibrated` tells, where it can."""
    pytest.importorskip("sklearn", reason="it needs scikit-learn: pip install 'tehai[train]'")
    return calibrated(*arguments, **more)


def test_trust_is_taught_by_what_was_right() -> None:
    share, ruled = (list(TRUSTED).index(name) for name in ("share", "overruled"))
    steps = trusting(answered(4000, 1)).some
    up, down = (sum(by for at, _, by in steps if at == feature) for feature in (share, ruled))
    assert up > 2 and down < -1 and {at for at, _, _ in steps} == {share, ruled}


def test_a_weight_that_is_held_is_not_trusted_either() -> None:
    at = list(TRUSTED).index("spare")
    answers = answered(400, 1)
    for each in answers:
        each.features[at] = each.exact
    assert at not in {feature for feature, _, _ in trusting(answers).some}


def test_confidence_is_that_of_other_scenes() -> None:
    found, others = believed(answered(4000, 2)), answered(4000, 3)
    side = Side.of(Steps.of(found["trust"]["finished"]), found["curves"]["finished"])
    chance = side.confidence(np.array([each.features for each in others]))
    right = np.array([each.exact for each in others])
    for low, high in ((0.2, 0.5), (0.5, 0.8), (0.8, 1.0)):
        some = (chance >= low) & (chance < high)
        assert right[some].mean() == pytest.approx(chance[some].mean(), abs=0.05)
    assert found["curves"]["unfinished"] == ((0.0, 0.0),), "of none nothing is known"
    checked, sure = found["checked"]["finished"], chance >= SURE
    assert checked["answers"] == 4000 and checked["log_likelihood"] < 0
    assert checked["sure"] == pytest.approx(sure.sum(), rel=0.2)
    assert checked["sure_right"] / checked["sure"] == pytest.approx(right[sure].mean(), abs=0.01)
    assert not found["checked"]["unfinished"]["answers"]


def test_no_answer_is_trusted_for_what_it_taught_itself() -> None:
    """Features that tell nothing but which answer it is: taught by all, they would tell which are right."""
    told = []
    for seed in range(4, 10):
        rng = np.random.default_rng(seed)
        features, right = rng.normal(size=(300, len(TRUSTED))), rng.random(300) < 0.5
        answers = [Answered(row, bool(each), True) for row, each in zip(features, right, strict=True)]
        own = Side(trusting(answers), ()).trust(features)
        assert np.corrcoef(own, right)[0, 1] > 0.5
        told.append(np.corrcoef(untaught(answers), right)[0, 1])
    assert np.mean(told) < 0.2


def test_scenes_without_a_right_candidate_are_listed_by_kind() -> None:
    terms = np.zeros((2, len(TERMS)))
    lost = scene(terms, [0, 1], [False, False], name="lost.jpg")
    colour = scene(terms, [0, 1], [True, False], [False, False], name="colour.jpg")
    found = scene(terms, [0, 1], [True, False])
    assert missing([lost, found, replace(colour, scene="table")]) == {
        "won": ["lost.jpg"], "table": ["colour.jpg"],
    }  # fmt: skip


# --- what is right ------------------------------------------------------------------------------------------


def rendered(
    concealed: str, win: str | None = None, *, finished: bool = True, whole: bool = True
) -> RenderedHand:
    record = {"concealed": concealed, "win_tile": win, "melds": []}
    return RenderedHand(0, record, finished, whole, 1.0 if whole else 0.4, (), None)


def render(*hands: RenderedHand, path: str = "a.jpg", outcome: str | None = "finished") -> Render:
    return Render(
        Path(path), "game", np.zeros((0, 4, 2), np.float32), (), (), np.zeros(0, np.float32), None,
        scene="won", outcome=outcome, hands=hands,
    )  # fmt: skip


def answers(hand: HandSeen, right: Any) -> set[tuple[bool, str, str | None]]:
    """What the right ones of a hand's candidates say: finished, its closed tiles, its winning tile."""
    found = [each.answer for each, is_so in zip(hand.candidates, right, strict=True) if is_so]
    return {(each.finished, "".join(each.concealed), each.win) for each in found}


WON = [*line(THIRTEEN), Laid("3s", END + 8, 0, 0, "win")]
OURS = rendered("123m456p789s22z33s", "3s")
THEIR_TILES = "1p 2p 3p 5s 6s 7s 7m 8m 9m 4z 4z 1s 1s"
THEIRS = rendered("123p567s789m44z11s", "1s")


def test_of_a_finished_hand_its_tiles_and_its_winning_tile_are_right() -> None:
    hand = hand_of(WON)
    right = answers(hand, rightness(hand.candidates, render(OURS), exact=True))
    assert right == {(True, "1m2m2z2z3m3s3s4p5p6p7s8s9s", "3s")}
    untold = answers(hand, rightness(hand.candidates, render(rendered("123m456p789s22z333s")), exact=True))
    assert untold == {(True, "1m2m2z2z3m3s3s3s4p5p6p7s8s9s", None)}


def test_of_closed_tiles_that_are_all_alike_any_may_be_said_to_have_won() -> None:
    called = [
        Laid(f"{number}{suit}", 90 + 90 * k + W * j, 0, np.pi / 2 if not j else 0)
        for k, (number, suit) in enumerate(("1m", "4p", "7s", "6z"))
        for j in range(3)
    ]
    hand = hand_of([*line("2z 2z"), *called])
    melds = [
        {"type": "pon", "tiles": f"{kind[0] * 3}{kind[1]}", "from": 3} for kind in ("1m", "4p", "7s", "6z")
    ]
    pair = RenderedHand(0, {"concealed": "2z2z", "win_tile": None, "melds": melds}, True, True, 1.0, (), None)
    wins = {win for *_, win in answers(hand, rightness(hand.candidates, render(pair), exact=True))}
    assert wins == {None, "2z"}
    assert not tells_win({"concealed": "2z2z3z3z", "win_tile": None}), "of two pairs either may have"


def test_of_several_finished_hands_each_is_right() -> None:
    theirs = across([*line(THEIR_TILES), Laid("1s", END + 8, 0)], 260)
    hand = hand_of([*WON, *theirs])
    wins = {win for *_, win in answers(hand, rightness(hand.candidates, render(OURS, THEIRS), exact=True))}
    assert wins == {"3s", "1s"}


def test_without_a_finished_hand_that_of_an_open_row_is_right_and_no_other() -> None:
    hand = hand_of(WON)
    waits = rendered("123m456p789s22z33s", finished=False)
    right = rightness(hand.candidates, render(waits, outcome="none"), exact=True)
    found = answers(hand, right)
    assert found == {(False, "1m2m2z2z3m3s3s4p5p6p7s8s9s", None)}


@pytest.mark.parametrize("hands", [(), (rendered("123m456p789s22z33s", finished=False, whole=False),)])
def test_where_no_hand_is_whole_every_answer_but_a_finished_hand_is_right(hands: Any) -> None:
    candidates = hand_of([*WON, *across(line(THEIR_TILES), 260)]).candidates
    right = rightness(candidates, render(*hands, outcome="none"), exact=False)
    assert right.tolist() == [not each.finished for each in candidates]
    assert 0 < right.sum() < len(right)


def test_confidence_is_of_the_tiles_of_an_open_hand_too() -> None:
    """To say rightly that none is finished is not enough: calibrated so, it would be too sure."""
    candidates = hand_of(WON).candidates
    misread = rendered("123m456p789s22z34s", finished=False)
    assert rightness(candidates, render(misread, outcome="none"), exact=False).any()
    assert not rightness(candidates, render(misread, outcome="none"), exact=True).any()
    assert not rightness(candidates, render(outcome="none"), exact=True).any()
    hidden = rendered("123m456p789s22z33s", finished=False, whole=False)
    assert rightness(candidates, render(hidden, outcome="none"), exact=True).any()


def test_a_finished_hand_that_is_not_whole_may_be_read_or_left() -> None:
    """It is right where it can be read after all; else to say that none is finished."""
    candidates = hand_of(WON).candidates
    half = replace(OURS, whole=False)
    right = rightness(candidates, render(half), exact=False)
    assert right.any() and all(each.finished for each, so in zip(candidates, right, strict=True) if so)
    other = rendered("123m456p789s22z33p", "3p", whole=False)
    assert rightness(candidates, render(other), exact=False).tolist() == [
        not each.finished for each in candidates
    ]


def test_the_colour_of_a_five_is_right_where_it_is_asked_for() -> None:
    candidates = hand_of(WON).candidates
    red = rendered("123m406p789s22z33s", "3s")
    assert rightness(candidates, render(red), exact=False).any()
    assert not rightness(candidates, render(red), exact=True).any()


# --- reading the scenes -------------------------------------------------------------------------------------


class Stub:
    """Stands for the reader: shows a laid hand, or none, for a file; ``read_files``: those it was given."""

    def __init__(self, looks: list[HandSeen]) -> None:
        self.looks = looks
        self.read_files: list[str] = []

    def read(self, path: Path) -> SimpleNamespace:
        self.read_files.append(path.name)
        if path.name == "interrupted.jpg":
            raise KeyboardInterrupt
        if path.name != "empty.jpg":
            self.looks.append(hand_of(WON))
        doubts = [SimpleNamespace(kind=kind) for kind in ("hand", "win") if path.name == "a.jpg"]
        return SimpleNamespace(status="ok", doubts=doubts)


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Stub:
    looks: list[HandSeen] = []
    reader = Stub(looks)
    monkeypatch.setattr(habits, "_reader", lambda threads: (reader, looks))
    return reader


@pytest.mark.parametrize("finished", [True, False])
def test_a_rival_is_real_where_its_player_has_finished(
    monkeypatch: pytest.MonkeyPatch, finished: bool
) -> None:
    theirs = across([*line(THEIR_TILES), Laid("1s", END + 8, 0)], 260)
    hand = hand_of([*WON, *theirs])
    reading = SimpleNamespace(status="ok", doubts=[SimpleNamespace(kind="hand")])
    monkeypatch.setattr(habits, "looks_at", lambda render: (reading, [hand]))
    shown = replace(
        render(OURS, replace(THEIRS, seat=2, finished=finished)),
        quads=hand.seen.quads,
        seats=(0,) * 14 + (2,) * 14,
    )
    weighed = habits.weighing(shown)
    assert weighed is not None and weighed.real.tolist() == [finished]
    assert weighed.chosen and weighed.questioned


def truth(folder: Path, *files: str) -> None:
    hand = {"seat": 0, "finished": True, "whole": True, "least": 1, "waits": [], "win": None, **OURS.record}
    rows = [
        {"file": file, "kind": "game", "tiles": [], "scene": "won", "outcome": "finished", "hands": [hand]}
        for file in files
    ]
    folder.mkdir(exist_ok=True)
    (folder / "truth.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    for file in files:
        (folder / file).touch()


def test_a_scene_is_read_once_and_kept_in_a_file_of_its_own(tmp_path: Path, stub: Stub) -> None:
    scenes, out = tmp_path / "scenes", tmp_path / "kept"
    truth(scenes, "a.jpg", "empty.jpg", "interrupted.jpg", "b.jpg")
    with pytest.raises(KeyboardInterrupt):
        gather(scenes, out, 1)
    assert sorted(file.name for file in out.iterdir()) == ["a.npz", "empty.npz"]
    truth(scenes, "a.jpg", "empty.jpg", "b.jpg")
    stub.read_files.clear()
    first, second = gather(scenes, out, 1)
    assert stub.read_files == ["b.jpg"]
    assert (first.name, second.name, first.scene, first.outcome) == ("a.jpg", "b.jpg", "won", "finished")
    assert (first.questioned, second.questioned, first.chosen) == (True, False, True)
    assert first.real.shape == (0,)
    assert first.signs.shape == (len(first.terms), len(SIGNS)) and first.signs.any()
    made = hand_of(WON).candidates
    assert np.array_equal(first.terms, [each.terms for each in made])
    assert first.finished.tolist() == [each.finished for each in made]
    assert len(set(first.answers.tolist())) == len({each.answer for each in made})
    assert first.exact.any() and first.right.any()
    gather(scenes, out, 1)
    assert stub.read_files == ["b.jpg"]


def test_so_many_scenes_are_read_at_most(tmp_path: Path, stub: Stub) -> None:
    truth(tmp_path / "scenes", "a.jpg", "b.jpg", "c.jpg")
    assert len(gather(tmp_path / "scenes", tmp_path / "kept", 1, most=2)) == 2
    assert stub.read_files == ["a.jpg", "b.jpg"]


def test_an_unnoticed_hand_is_as_probable_as_it_was() -> None:
    first, *others = answered(98, 5)
    assert unnoticed_by([replace(first, unknown=True), *others]) == 0.02 and unnoticed_by([]) == 0.5


def test_nothing_is_told_from_where_hardly_a_wrong_hand_is_finished() -> None:
    chance = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 0.95])
    finished = np.array([True, True, True, True, True, False])
    right = np.array([False, False, True, True, True, False])
    assert told_below(chance, right, finished, most=0.0) == 0.7
    assert told_below(chance, right, finished, most=0.2) == 0.6
    assert told_below(chance, right, finished, most=0.5) == 0.5
    assert told_below(chance, ~right, finished, most=0.0) == SURE, "sure is sure"
