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
from models.scene_check import IN_ROW, Indicators, check_scene
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
    whole: bool = True,
) -> RenderedHand:  # fmt: skip
    record = {"concealed": "".join(row), "win_tile": win, "melds": [PON]}
    return RenderedHand(seat, record, finished, whole, 1.0 if whole else 0.3, (), None)


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


def others(tiles: Sequence[Tile]) -> list[Tile]:
    """The same tiles where a reading takes them for no part of a hand."""
    return [(label, "other", seat) for label, _, seat in tiles]


@pytest.mark.parametrize(
    "change", [{"row": NINE}, {"row": [*ROW[1:], "9s"], "win": "2m"}, {"melds": [{**PON, "type": "chi"}]}]
)
def test_a_wrong_score_is_silent_without_a_doubt(change: dict[str, Any]) -> None:
    result = check_scene(read(laid(), **change), WON)
    assert (result.verdict, result.exact) == ("silent", False)
    assert check_scene(read(laid(), doubts=["indicator"], **change), WON).verdict == "doubted"


FULL = [*ROW, "9s"]
"""The row with its winning tile in it."""

OPEN = laid(row=FULL, win=None)
OPEN_CUT = scene(OPEN, [hand(row=FULL, win=None, whole=False)])
NOT_WON = scene(OPEN, [hand(row=FULL, win=None, finished=False)])
IN_ROW_WON = scene(OPEN, [hand(row=FULL, win=None)])
BOTH = [*laid(0), *laid(1)]
SEVERAL = scene([*laid(0), *laid(1, row=NINE, win="8s")], [hand(0), hand(1, NINE, "8s")])
FIRST = [*laid(0), *others(laid(1, NINE, "8s"))]
WHOLE_AND_CUT = scene([*laid(0), *laid(1, NINE, "8s")], [hand(0), hand(1, NINE, "8s", whole=False)])
PAIR, UNLIKE = (
    scene(laid(row=row, win=None), [hand(row=row, win=None)]) for row in (["9s", "9s"], ["9s", "8s"])
)
THIRTEEN = laid(win=None)
WAITING = scene([*THIRTEEN, ("9s", "river", None)], [hand(win=None, finished=False)])
TAKES_IT = [*THIRTEEN, ("9s", "win", None)]
CUT = scene(laid(), [hand(whole=False)])
OPEN_BESIDE = scene(BOTH, [hand(0), hand(1, NINE, None, finished=False)])
WHICH: dict[str, Any] = {"row": FULL, "win": None, "status": "incomplete", "message": "Which one won?"}
OPEN_AND_ANOTHER = scene([*OPEN, *laid(1)], [hand(0, FULL, None), hand(1)])


@pytest.mark.parametrize(
    ("reading", "render", "verdict", "exact", "tiles"),
    [
        (read(laid()), WON, "right", True, None),
        (read(laid(), doubts=["face"]), WON, "right", True, None),
        # What is not scored is asked or refused.
        (read(laid(), **WHICH), WON, "asked", False, None),
        (Reading("a.jpg", 6, 4, (), None, {}, "error"), WON, "refused", False, None),
        # A winning tile that nobody can tell is asked or doubted.
        (read(OPEN, **WHICH), IN_ROW_WON, "right", True, None),
        (read(OPEN, doubts=["win"]), IN_ROW_WON, "right", True, None),
        (read(OPEN), IN_ROW_WON, "silent", False, None),
        (read(OPEN, doubts=["face"]), IN_ROW_WON, "doubted", False, None),
        (read(OPEN, [*NINE, "9s"], None, "incomplete"), IN_ROW_WON, "asked", False, None),
        # Of two equal closed tiles either has won.
        (read(laid(row=["9s", "9s"], win=None), ["9s"]), PAIR, "right", True, None),
        (read(laid(row=["9s", "8s"], win=None), ["8s"]), UNLIKE, "silent", False, None),
        # Of several finished hands one is not picked in silence; one that is cut counts as another.
        (read(FIRST), SEVERAL, "silent", False, None),
        (read(FIRST, doubts=["face"]), SEVERAL, "doubted", False, None),
        (read(FIRST, doubts=["hand"]), SEVERAL, "right", True, None),
        (read(FIRST, status="incomplete", message="Which hand?"), SEVERAL, "asked", False, None),
        (read(FIRST, row=[*ROW[:-1], "1z"], doubts=["hand"]), SEVERAL, "doubted", False, None),
        (read(BOTH), WHOLE_AND_CUT, "right", True, None),
        (read(BOTH, NINE, "8s"), WHOLE_AND_CUT, "silent", False, None),
        # An open winning tile is the answer where it is clear whose.
        (read(OPEN, **WHICH), OPEN_AND_ANOTHER, "asked", False, None),
        (read(OPEN, **WHICH, doubts=["hand"]), OPEN_AND_ANOTHER, "right", True, None),
        (read(OPEN, **WHICH, doubts=["hand"]), OPEN_CUT, "asked", True, None),
        # Of 13 tiles nothing is scored, nor of a finished hand of which too little can be seen but itself.
        (read(TAKES_IT), WAITING, "silent", False, False),
        (read(TAKES_IT, doubts=["win"]), WAITING, "doubted", False, False),
        (read(laid()), CUT, "right", True, None),
        (read(laid(), NINE), CUT, "silent", False, None),
        (read(THIRTEEN, win=None, status="incomplete"), WAITING, "asked", True, True),
        (read(THIRTEEN, NINE, None, "incomplete"), WAITING, "asked", False, False),
        # Another player's 13 tiles are not what a player should get beside a finished hand.
        (read(BOTH, NINE, None, "incomplete"), OPEN_BESIDE, "asked", False, None),
        # A finished hand that is little seen and open: its winning tile is asked for.
        (read(OPEN, [*ROW, "8s"], None, "incomplete"), OPEN_CUT, "asked", False, None),
        # A score is never exact where nobody has finished.
        (read(OPEN, FULL, None, "incomplete"), NOT_WON, "asked", True, True),
        (read(OPEN, FULL, None), NOT_WON, "silent", False, True),
    ],
)
def test_every_reading_has_its_verdict(
    reading: Reading, render: Render, verdict: str, exact: bool, tiles: bool | None
) -> None:
    result = check_scene(reading, render)
    assert (result.verdict, result.exact, result.tiles) == (verdict, exact, tiles)


def test_the_outcome_says_whether_anybody_can_tell_which_tile_won() -> None:
    renders = (WON, IN_ROW_WON, SEVERAL, OPEN_AND_ANOTHER, CUT)
    outcomes = [check_scene(read(laid()), render).outcome for render in renders]
    assert outcomes == ["finished", IN_ROW, "several", "several", "none"]


def test_only_scenes_of_a_game_are_checked() -> None:
    photo = Render(Path("a.jpg"), "hand", WON.quads, WON.labels, WON.roles, WON.visible, None)
    with pytest.raises(ValueError, match="render it with --kind game"):
        check_scene(read(laid()), photo)


SHOWN: list[Tile] = [("1p", "dora", None), ("2p", "dora", None), ("3p", "ura", None), ("4p", "river", None)]


@pytest.mark.parametrize(
    ("listed", "indicators"),
    [
        (["1p dora", "2p dora", "3p other", "4p other"], Indicators(2, 2, beside=2, beside_right=2)),
        (["1p dora", "2p other", "3p other", "4p dora"], Indicators(2, 1, 0, 1, beside=2, beside_right=1)),
        (["1p dora", "2p dora", "3p dora", "4p other"], Indicators(2, 2, 0, 0, 1, 2, 2)),
        (["1p dora", "2p dora", "3p other", "4p other", "7z dora"], Indicators(2, 2, 0, 1, 0, 2, 2)),
        (["9p dora", "2p dora", "3p dora"], Indicators(2, 1, 1, 0, 1, 2, 1)),
    ],
)
def test_indicators_right_missed_misread_and_invented(listed: list[str], indicators: Indicators) -> None:
    tiles = [(label, role, None) for label, role in map(str.split, listed)]
    result = check_scene(read([*laid(), *tiles]), scene([*laid(), *SHOWN], [hand()]))
    assert json.loads(json.dumps(asdict(result)))["indicators"] == asdict(indicators)


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
    tiles = [*laid(), *others(SHOWN)]
    assert check_scene(read(tiles), render).indicators == Indicators(1, 0, beside=1)
    tiles[14] = ("1p", "dora", None)
    assert check_scene(read(tiles), render).indicators == Indicators(1, 0, beside=1)
