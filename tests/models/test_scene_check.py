"""Every outcome of a photographed moment has its name, and a wrong score never passes for a right one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.renders import Render, RenderedHand
from models.figures import reliability, summary
from models.scene_check import ASKED, IN_ROW, Indicators, SceneResult, check_scene
from vision.reading import Doubt, DoubtKind, Reading, SeenTile

Tile = tuple[str, str, int | None]
"""Label, role, seat."""

ROW = ["2m", "3m", "4m", "2p", "3p", "4p", "6s", "7s", "8s", "9s"]
"""Ten closed tiles that a 9s finishes, beside a pon."""

PON = {"type": "pon", "tiles": "555z", "from": 1}


def laid(seat: int = 0, row: Sequence[str] = ROW, win: str | None = "9s") -> list[Tile]:
    tiles: list[Tile] = [(label, "hand", seat) for label in row]
    if win:
        tiles.append((win, "win", seat))
    return [*tiles, *[("5z", "meld:0", seat)] * 3]


def hand(
    seat: int = 0, row: Sequence[str] = ROW, win: str | None = "9s", *, finished: bool = True,
    whole: bool = True, waits: tuple[str, ...] = (),
) -> RenderedHand:  # fmt: skip
    record = {"concealed": "".join(row), "win_tile": win, "melds": [PON]}
    return RenderedHand(seat, record, finished, whole, 1.0 if whole else 0.3, waits, None)


def quad(n: int) -> Any:
    x, y = n % 12 * 50, n // 12 * 60
    return ((x, y), (x + 40, y), (x + 40, y + 50), (x, y + 50))


def scene(tiles: Sequence[Tile], hands: Sequence[RenderedHand]) -> Render:
    count = sum(hand.finished and hand.whole for hand in hands)
    return Render(
        path=Path("a.jpg"),
        kind="game",
        quads=np.array([quad(n) for n in range(len(tiles))], np.float32),
        labels=tuple(label for label, _, _ in tiles),
        roles=tuple(role for _, role, _ in tiles),
        visible=np.ones(len(tiles), np.float32),
        hand=None,
        scene="won",
        outcome=("none", "finished", "several")[min(count, 2)],
        hands=tuple(hands),
        seats=tuple(seat for _, _, seat in tiles),
    )


def read(
    tiles: Sequence[Tile], row: Sequence[str] = ROW, win: str | None = "9s", status: str = "ok",
    doubts: Sequence[DoubtKind] = (), message: str = "", confidence: float | None = 0.9,
    melds: Sequence[dict[str, Any]] = (PON,),
) -> Reading:  # fmt: skip
    seen = tuple(SeenTile(quad(n), label, 0.9, ("1m", 0.1), role) for n, (label, role, _) in enumerate(tiles))
    record = {"concealed": "".join(row), "melds": list(melds), **({"win_tile": win} if win else {})}
    said = tuple(Doubt(kind, (), "Is it?") for kind in doubts)
    return Reading("a.jpg", 600, 400, seen, record, {}, status, message, {}, confidence, said)


WON = scene(laid(), [hand()])
NINE = [*ROW[:-1], "8s"]
"""The row with its last tile misread."""


def verdict(reading: Reading, render: Render = WON) -> tuple[str, str]:
    result = check_scene(reading, render)
    return result.verdict, result.cause


def test_a_finished_hand_read_right() -> None:
    result = check_scene(read(laid()), WON)
    assert (result.verdict, result.cause, result.exact, result.outcome) == ("right", "", True, "finished")
    assert check_scene(read(laid(), doubts=["face"]), WON).verdict == "right"


@pytest.mark.parametrize(
    "change",
    [
        {"row": NINE},
        {"row": [*ROW[1:], "9s"], "win": "2m"},
        {"melds": []},
        {"melds": [{**PON, "type": "chi"}]},
    ],
)
def test_a_wrong_score_is_silent_without_a_doubt(change: dict[str, Any]) -> None:
    result = check_scene(read(laid(), **change), WON)
    assert (result.verdict, result.exact) == ("silent", False)
    assert check_scene(read(laid(), doubts=["indicator"], **change), WON).verdict == "doubted"


def test_causes_of_a_wrong_score() -> None:
    misread = [("2p", "hand", 0), *laid()[1:]]
    assert verdict(read(misread, row=NINE)) == ("silent", "label")
    both = [*laid(0), *laid(1)]
    two = scene(both, [hand(0), hand(1, finished=False)])
    theirs = [(label, "other", seat) for label, _, seat in both[:14]] + both[14:]
    assert verdict(read(theirs, row=NINE), two) == ("silent", "another player's tiles")


def test_a_wrong_hand_is_explained_by_the_tiles_of_its_own_player() -> None:
    both = [*laid(0), *laid(1)]
    two = scene(both, [hand(0), hand(1, finished=False)])
    mine = [*both[:14], *((label, "other", seat) for label, _, seat in both[14:])]
    swapped = [*mine[:9], ("9s", "win", 0), ("9s", "hand", 0), *mine[11:]]
    assert verdict(read(swapped, row=NINE), two) == ("silent", "role")


def test_what_is_not_scored_is_asked_or_refused() -> None:
    asked = read(laid(), row=[*ROW, "9s"], win=None, status="incomplete", message="Which one won?")
    assert verdict(asked) == ("asked", ASKED)
    spare = read(laid(), status="incomplete", message="15 tiles: move one away.")
    assert verdict(spare) == ("asked", ASKED)
    short = read(laid(), win=None, status="incomplete", message="13 tiles.")
    assert verdict(short)[0] == "asked"
    assert not check_scene(asked, WON).mute
    nothing = Reading("a.jpg", 6, 4, (), None, {}, "error")
    assert verdict(nothing) == ("refused", "no hand")
    assert check_scene(nothing, WON).mute, "neither a score nor a sentence"


IN_ROW_WON = scene(laid(row=[*ROW, "9s"], win=None), [hand(row=[*ROW, "9s"], win=None)])


def test_a_winning_tile_that_nobody_can_tell_is_asked_or_doubted() -> None:
    tiles = laid(row=[*ROW, "9s"], win=None)
    full = [*ROW, "9s"]
    result = check_scene(read(tiles, full, None, "incomplete", message="Which one won?"), IN_ROW_WON)
    assert (result.outcome, result.verdict, result.exact) == (IN_ROW, "right", True)
    assert verdict(read(tiles, doubts=["win"]), IN_ROW_WON) == ("right", "")
    assert verdict(read(tiles), IN_ROW_WON) == ("silent", "winning tile taken")
    assert verdict(read(tiles, doubts=["face"]), IN_ROW_WON) == ("doubted", "winning tile taken")
    assert verdict(read(tiles, NINE), IN_ROW_WON)[0] == "silent"
    assert verdict(read(tiles, [*NINE, "9s"], None, "incomplete"), IN_ROW_WON)[0] == "asked"


def test_of_two_equal_closed_tiles_either_has_won() -> None:
    pair = ["9s", "9s"]
    truth = scene(laid(row=pair, win=None), [hand(row=pair, win=None)])
    assert verdict(read(laid(row=pair, win=None), pair[:1]), truth) == ("right", "")
    other = scene(laid(row=["9s", "8s"], win=None), [hand(row=["9s", "8s"], win=None)])
    assert verdict(read(laid(row=["9s", "8s"], win=None), ["8s"]), other) == ("silent", "winning tile taken")


SEVERAL = scene([*laid(0), *laid(1, row=NINE, win="8s")], [hand(0), hand(1, NINE, "8s")])


def test_of_several_finished_hands_one_is_not_picked_in_silence() -> None:
    tiles = [*laid(0), *((label, "other", 1) for label, _, _ in laid(1, NINE, "8s"))]
    assert verdict(read(tiles), SEVERAL) == ("silent", "one of several hands taken")
    assert verdict(read(tiles, doubts=["face"]), SEVERAL) == ("doubted", "one of several hands taken")
    assert check_scene(read(tiles), SEVERAL).picked
    asked = check_scene(read(tiles, doubts=["hand"]), SEVERAL)
    assert (asked.verdict, asked.picked) == ("right", False)
    assert verdict(read(tiles, status="incomplete", message="Which hand?"), SEVERAL) == ("asked", "")
    other = check_scene(read(tiles, row=[*ROW[:-1], "1z"], doubts=["hand"]), SEVERAL)
    assert (other.verdict, other.picked) == ("doubted", False)


def test_a_finished_hand_that_is_cut_counts_as_another_beside_a_whole_one() -> None:
    render = scene([*laid(0), *laid(1, NINE, "8s")], [hand(0), hand(1, NINE, "8s", whole=False)])
    assert verdict(read([*laid(0), *laid(1)]), render) == ("right", "")
    assert verdict(read([*laid(0), *laid(1)], NINE, "8s"), render) == ("silent", "one of several hands taken")


READY = hand(win=None, finished=False, waits=("6s", "9s"))


def test_of_13_tiles_nothing_is_scored() -> None:
    render = scene([*laid(win=None), ("9s", "river", None)], [READY])
    result = check_scene(read(laid(win=None), win=None, status="incomplete", message="13 tiles."), render)
    assert (result.verdict, result.exact, result.tiles, result.waits) == ("asked", True, True, True)
    seen = [*laid(win=None), ("9s", "win", None)]
    assert verdict(read(seen), render) == ("silent", "tile of a river taken")
    assert verdict(read(seen, doubts=["win"]), render) == ("doubted", "tile of a river taken")
    wrong = check_scene(read(laid(win=None), NINE, None, "incomplete"), render)
    assert (wrong.exact, wrong.tiles, wrong.waits) == (False, False, False)
    river = [*((label, "other", seat) for label, _, seat in laid(win=None)), ("9s", "hand", None)]
    assert verdict(read(river, ["9s"], None, "incomplete", melds=[]), render) == ("asked", "tiles of no hand")
    misread = [*laid(win=None)[:9], ("8s", "hand", 0), *laid(win=None)[10:]]
    assert verdict(read(misread, NINE, None, "incomplete"), render) == ("asked", "label")


@pytest.mark.parametrize(
    ("more", "taken", "why"),
    [
        ([], ("9s", "win", None), "tile made up"),
        ([("9s", "dora", None)], ("9s", "win", None), "indicator taken"),
        ([("9s", "other", None)], ("9s", "win", None), "loose tile taken"),
        ([("9s", "hand", 2)], ("9s", "win", None), "tiles of two hands"),
    ],
)
def test_what_finishes_a_hand_that_is_none(more: list[Tile], taken: Tile, why: str) -> None:
    render = scene([*laid(win=None), *more], [READY])
    assert verdict(read([*laid(win=None), taken]), render) == ("silent", why)


def test_a_misread_tile_finishes_a_hand() -> None:
    render = scene(laid(), [hand(finished=False)])
    tiles = [*laid()[:-4], ("8s", "win", 0), *laid()[-3:]]
    assert verdict(read(tiles, win="8s"), render) == ("silent", "label")


def test_a_cut_hand_read_right_is_told_apart() -> None:
    render = scene(laid(), [hand(whole=False)])
    result = check_scene(read(laid()), render)
    assert (result.outcome, result.verdict, result.hidden) == ("none", "right", True)
    wrong = check_scene(read(laid(), NINE), render)
    assert (wrong.verdict, wrong.hidden) == ("silent", False)
    assert wrong.cause == "finished hand of which too little can be seen"


def test_an_open_winning_tile_is_the_answer_where_it_is_clear_whose() -> None:
    tiles, full = laid(row=[*ROW, "9s"], win=None), [*ROW, "9s"]
    reading = read(tiles, full, None, "incomplete", message="Which one won?")
    two = scene([*tiles, *laid(1)], [hand(0, full, None), hand(1)])
    assert verdict(reading, two) == ("asked", ""), "one of two, and nobody asks which"
    which = read(tiles, full, None, "incomplete", doubts=["hand"], message="Which one won?")
    assert verdict(which, two) == ("right", "")
    assert verdict(which, scene(tiles, [hand(0, full, None, whole=False)])) == ("asked", "")


def test_a_finished_hand_that_is_little_seen_and_open_is_exact_when_all_of_it_is_read() -> None:
    """Its winning tile is asked for: what is read of it is right."""
    full = [*ROW, "9s"]
    render = scene(laid(0, full, None), [hand(0, full, None, whole=False)])
    right = check_scene(read(laid(0, full, None), full, None, "incomplete"), render)
    wrong = check_scene(read(laid(0, full, None), [*ROW, "8s"], None, "incomplete"), render)
    assert (right.verdict, right.exact) == ("asked", True) and not wrong.exact


def test_a_score_is_never_exact_where_nobody_has_finished() -> None:
    tiles, full = laid(row=[*ROW, "1z"], win=None), [*ROW, "1z"]
    render = scene(tiles, [hand(0, full, None, finished=False)])
    assert check_scene(read(tiles, full, None, "incomplete"), render).exact
    assert not check_scene(read(tiles, full, None), render).exact


def test_only_scenes_of_a_game_are_checked() -> None:
    photo = Render(Path("a.jpg"), "hand", WON.quads, WON.labels, WON.roles, WON.visible, None)
    with pytest.raises(ValueError, match="render it with --kind game"):
        check_scene(read(laid()), photo)


SHOWN: list[Tile] = [("1p", "dora", None), ("2p", "dora", None), ("3p", "ura", None), ("4p", "river", None)]


@pytest.mark.parametrize(
    ("listed", "indicators"),
    [
        (["dora", "dora", "other", "other"], Indicators(2, 2, ura=1, beside=2, beside_right=2)),
        (["dora", "other", "other", "dora"], Indicators(2, 1, invented=1, ura=1, beside=2, beside_right=1)),
        (["dora", "dora", "dora", "other"], Indicators(2, 2, 0, 0, 1, 1, 1, 2, 2)),
        (
            ["dora", "dora", "other", "other", "dora"],
            Indicators(2, 2, invented=1, ura=1, beside=2, beside_right=2),
        ),
    ],
)
def test_indicators_right_missed_and_invented(listed: list[str], indicators: Indicators) -> None:
    labels = [*(label for label, _, _ in SHOWN), "7z"]
    tiles = [*laid(), *((label, role, None) for label, role in zip(labels, listed, strict=False))]
    result = check_scene(read(tiles), scene([*laid(), *SHOWN], [hand()]))
    assert json.loads(json.dumps(asdict(result)))["indicators"] == asdict(indicators)
    assert result.indicators.all_right == (indicators == Indicators(2, 2, ura=1, beside=2, beside_right=2))


def test_indicators_that_touch_a_wall_lie_on_it() -> None:
    shown = [*laid(), *SHOWN, ("back", "wall", None)]
    render = scene(shown, [hand()])
    render.quads[-1] = render.quads[14] + np.float32([-30, 0])
    listed = [*laid(), ("1p", "dora", None), ("9p", "dora", None)]
    indicators = check_scene(read(listed), render).indicators
    assert (indicators.shown, indicators.beside, indicators.beside_right) == (2, 1, 0)
    assert indicators.right == 1


def test_an_indicator_that_can_hardly_be_seen_counts_neither_way() -> None:
    render = scene([*laid(), *SHOWN], [hand()])
    render.visible[14] = 0.5
    tiles = [*laid(), *((label, "other", None) for label, _, _ in SHOWN)]
    assert check_scene(read(tiles), render).indicators == Indicators(1, 0, ura=1, beside=1)
    tiles[14] = ("1p", "dora", None)
    assert check_scene(read(tiles), render).indicators == Indicators(1, 0, ura=1, beside=1)


def test_a_doubted_ura_is_not_silent_and_a_misread_dora_is_not_right() -> None:
    tiles = [*laid(), ("9p", "dora", None), ("2p", "dora", None), ("3p", "dora", None)]
    reading = read(tiles)
    doubt = Doubt("indicator", (16,), "It may be of the ura.")
    reading = Reading("a", 1, 1, reading.tiles, reading.hand, {}, "ok", "", {}, 0.9, (doubt,))
    result = check_scene(reading, scene([*laid(), *SHOWN], [hand()]))
    assert result.indicators == Indicators(2, 1, 1, ura=1, ura_as_dora=1, beside=2, beside_right=1)


# --- many scenes ----------------------------------------------------------------------------------------


def result(verdict: Any, outcome: str = "finished", **more: Any) -> SceneResult:
    facts = {"scored": True, "exact": verdict == "right", "message": "What to do."} | more
    return SceneResult(more.pop("file", "a.jpg"), "won", outcome, verdict, **facts)


RESULTS = [
    result("right", confidence=0.99, indicators=Indicators(2, 1)),
    result("right", confidence=0.97, doubts=("face",)),
    result("silent", confidence=0.985, cause="label"),
    result("asked", confidence=0.5, scored=False, cause="winning tile asked"),
    result("right", IN_ROW, scored=False, confidence=0.2, doubts=("indicator",)),
    result("silent", "several", picked=True, cause="one of several hands taken"),
    result("doubted", "none", cause="tile made up", tiles=False, waits=False),
    result("asked", "none", scored=False, exact=True, tiles=True, waits=True, confidence=0.995),
    result("refused", "none", scored=False, message=" "),
    result("right", "none", hidden=True),
]


def test_the_figures_count_what_they_say() -> None:
    report = summary(RESULTS)
    figures = {name: (row["count"], row["n"]) for name, row in report["figures"].items()}
    assert figures == {
        "finished_right": (3, 5),
        "finished_silent": (1, 5),
        "silent": (2, 10),
        "scored": (2, 4),
        "scored_without_hand": (1, 4),
        "scored_without_hand_silently": (0, 4),
        "sure_right": (2, 3),
        "nearly_sure_right": (3, 4),
        "sure_scored_right": (1, 2),
        "sure_of_finished": (2, 5),
        "nearly_sure_of_right": (2, 3),
        "right_with_doubt": (2, 3),
        "right_with_other_doubt": (1, 3),
        "picked": (1, 1),
        "answered": (3, 4),
        "open_tiles": (1, 2),
        "open_waits": (1, 2),
        "indicators_right": (2, 3),
        "indicators_silent": (1, 3),
        "indicators_wall": (1, 2),
        "indicators_beside": (0, 0),
    }
    assert report["mute"] == ["a.jpg"] and report["hidden"] == ["a.jpg"]
    assert [(row["outcome"], row["n"], row["right"]) for row in report["kinds"]] == [
        ("finished", 4, 2),
        (IN_ROW, 1, 1),
        ("several", 1, 0),
        ("none", 4, 1),
    ]
    assert report["causes"]["silent"][0] == {
        "outcome": "finished",
        "cause": "label",
        "count": 1,
        "files": ["a.jpg"],
    }


def test_no_scene_at_all_is_no_error() -> None:
    assert summary([])["scenes"] == 0


def test_reliability_of_confidences() -> None:
    found = reliability([(1.0, True), (0.99, True), (0.985, False), (0.1, False)])
    bins = [(row["from"], row["to"], row["confidence"], row["right"]["count"]) for row in found["bins"]]
    assert bins == [(0.0, 0.2, 0.1, 0), (0.98, 0.99, 0.985, 0), (0.99, 1.0, 0.995, 2)]
    assert found["gap"] == pytest.approx((0.1 + 0.985 + 2 * 0.005) / 4, abs=1e-4)
    assert found["brier"] == pytest.approx((0.01**2 + 0.985**2 + 0.1**2) / 4, abs=1e-4)
