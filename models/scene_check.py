"""What became of a photographed moment of a game: its hand read right, asked about, or scored wrongly, and
whether anything was said of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from datasets.renders import Render, RenderedHand
from models.whole_hands import VISIBLE, is_part, reason, seen_truths, tiles_of, wrong_parts
from scorer.laid import Laid
from vision.labels import FACES, plain
from vision.quads import sizes
from vision.reading import DoubtKind, Reading

Verdict = Literal["right", "asked", "refused", "doubted", "silent"]
"""``right``: what a player should get. ``asked``: no score, and what to do. ``refused``: nothing was read.
``doubted``: a wrong score with a doubt said of it; ``silent``: one without."""

IN_ROW = "finished, winning tile in the row"
"""The outcome of a finished hand whose winning tile nobody can tell: a player is asked, or told that it was
taken by default."""

PICKED, NAMED = "one of several hands taken", "winning tile taken"
"""Causes of a score that is right but for what should have been asked."""

ASKED = "all tiles right, but not which one won"

_TAKEN = {"river": "tile of a river taken", "dora": "indicator taken", "ura": "indicator taken"}


@dataclass(frozen=True, slots=True)
class Indicators:
    """The indicators of the dora, tile by tile. ``shown``: those well to be seen; of them ``right``,
    ``misread`` (listed as another face) or else missed; ``invented``: listed where none lies;
    ``ura_as_dora``: of the ura, listed as of the dora. ``beside``: those of the shown that touch no wall, but
    lie beside a hand; of them ``beside_right``."""

    shown: int = 0
    right: int = 0
    misread: int = 0
    invented: int = 0
    ura_as_dora: int = 0
    beside: int = 0
    beside_right: int = 0


@dataclass(frozen=True, slots=True)
class SceneResult:
    """One scene read. ``outcome``: of its truth, or :data:`IN_ROW`. ``scored``: the reading is of a finished
    hand. ``exact``: its tiles, roles and winning tile are those of the hand that lies there, finished or not.
    ``cause``: what went wrong, empty where nothing did. ``tiles``: of a scene where nobody has finished and
    one whole hand lies open, whether it was read right; None elsewhere.
    """

    file: str
    scene: str
    outcome: str
    verdict: Verdict
    scored: bool
    exact: bool
    cause: str
    message: str
    confidence: float | None
    doubts: tuple[DoubtKind, ...]
    tiles: bool | None
    indicators: Indicators


def check_scene(reading: Reading, render: Render) -> SceneResult:
    """What became of a scene. Raises ValueError for a render whose truth says no outcome."""
    if render.outcome is None or render.scene is None:
        raise ValueError(f"{render.path} is no scene of a game: render it with --kind game")
    finished = [hand for hand in render.hands if hand.finished]
    whole = [hand for hand in finished if hand.whole]
    met = next((hand for hand in (*whole, *finished) if _meets(reading, hand)), None)
    open_hands = [hand for hand in render.hands if hand.whole] if not finished else []
    alone = open_hands[0] if len(open_hands) == 1 else None
    verdict, cause = _verdict(reading, render, whole, met, alone)
    scored = reading.status == "ok"
    shows_open = any(_shows(reading, hand) for hand in render.hands if not hand.finished)
    return SceneResult(
        file=render.path.name,
        scene=render.scene,
        outcome=IN_ROW if len(whole) == 1 and whole[0].record["win_tile"] is None else render.outcome,
        verdict=verdict,
        scored=scored,
        exact=verdict == "right" or (not whole and not scored and (met is not None or shows_open)),
        cause=cause,
        message=reading.message,
        confidence=reading.confidence,
        doubts=tuple(doubt.kind for doubt in reading.doubts),
        tiles=None if alone is None else _shows(reading, alone),
        indicators=_indicators(reading, render),
    )


def _shows(reading: Reading, hand: RenderedHand) -> bool:
    """Whether the tiles of a hand were read, its winning tile too where the truth has one."""
    return reading.hand is not None and not wrong_parts(reading.hand, hand.record)


def _meets(reading: Reading, hand: RenderedHand) -> bool:
    """Whether a reading gives a finished hand: scored, or open where nobody can tell the winning tile."""
    return (reading.status == "ok" or hand.record["win_tile"] is None) and _shows(reading, hand)


def _verdict(
    reading: Reading, render: Render, whole: Sequence[RenderedHand], met: RenderedHand | None,
    alone: RenderedHand | None,
) -> tuple[Verdict, str]:  # fmt: skip
    """The verdict and the cause of what is not right. ``met``: the finished hand that was read; ``alone``:
    the one whole hand of a scene in which no hand is finished."""
    scored, said = reading.status == "ok", {doubt.kind for doubt in reading.doubts}
    wrong: Verdict = "doubted" if said else "silent"
    if met is not None:
        asks = {"hand": len(whole) > 1 or (bool(whole) and met not in whole), "win": _is_named(reading, met)}
        for kind, cause in (("hand", PICKED), ("win", NAMED)):
            if scored and asks[kind] and kind not in said:
                return wrong, cause
        if scored or (met in whole and (len(whole) == 1 or "hand" in said)):
            return "right", ""
    if scored:
        return wrong, _cause(reading, render, whole)
    answer: Verdict = "asked" if reading.status == "incomplete" else "refused"
    if len(whole) != 1:
        return answer, "" if alone is None or _shows(reading, alone) else _cause(reading, render, [alone])
    record = whole[0].record
    row = record | {"win_tile": None, "concealed": f"{record['concealed']}{record['win_tile'] or ''}"}
    return answer, _cause(reading, render, whole) if wrong_parts(reading.hand, row) else ASKED


def _is_named(reading: Reading, hand: RenderedHand) -> bool:
    """Whether a winning tile was named that nobody can tell: of closed ones that are all alike any did."""
    told = hand.record["win_tile"] is not None or len(set(tiles_of(hand.record["concealed"]))) == 1
    return not told and bool((reading.hand or {}).get("win_tile"))


def waits_of(reading: Reading) -> set[str]:
    """What the tiles of a reading wait on, as the commands and the page tell it."""
    return {plain(str(tile)) for tile in Laid.from_record(reading.hand, {}).waits} if reading.hand else set()


# --- causes ---------------------------------------------------------------------------------------------


def _cause(reading: Reading, render: Render, hands: Sequence[RenderedHand]) -> str:
    """Why the hand of a reading is none of these."""
    if reading.hand is None:
        return "no hand"
    truths = seen_truths(reading, render)
    mine = [i for i, tile in enumerate(reading.tiles) if is_part(tile.role)]
    seats = Counter(seat for i in mine if i in truths and (seat := render.seats[truths[i]]) is not None)
    seat = seats.most_common(1)[0][0] if seats else None
    hand = next((hand for hand in hands if hand.seat == seat), None)
    if hand is not None:
        return reason(reading, render, wrong_parts(reading.hand, hand.record), seat)
    if hands:
        return "another player's tiles" if seat is not None else "tiles of no hand"
    # What made a finished hand of tiles that are none.
    if any(i not in truths for i in mine):
        return "tile made up"
    for j in (truths[i] for i in mine):
        if not is_part(render.roles[j]):
            return _TAKEN.get(render.roles[j], "loose tile taken")
        if render.seats[j] != seat:
            return "tiles of two hands"
    if any(reading.tiles[i].label != render.labels[truths[i]] for i in mine):
        return "label"
    if any(hand.finished for hand in render.hands if hand.seat == seat):
        return "finished hand of which too little can be seen"
    return "role"


# --- indicators -----------------------------------------------------------------------------------------


def _indicators(reading: Reading, render: Render) -> Indicators:
    truths = seen_truths(reading, render)
    listed = [i for i, tile in enumerate(reading.tiles) if tile.role == "dora"]
    label_at = {truths[i]: reading.tiles[i].label for i in listed if i in truths}
    shown = [
        j for j, label in enumerate(render.labels)
        if label in FACES and render.visible[j] >= VISIBLE and render.roles[j] == "dora"
    ]  # fmt: skip
    right = [j for j in shown if label_at.get(j) == render.labels[j]]
    beside = [j for j in shown if not _on_wall(render, j)]
    return Indicators(
        shown=len(shown),
        right=len(right),
        misread=sum(j in label_at for j in shown) - len(right),
        invented=sum(i not in truths or render.roles[truths[i]] not in ("dora", "ura") for i in listed),
        ura_as_dora=sum(i in truths and render.roles[truths[i]] == "ura" for i in listed),
        beside=len(beside),
        beside_right=len({*beside} & {*right}),
    )


def _on_wall(render: Render, index: int) -> bool:
    """Whether a tile lies next to one of a wall: no farther than one and a half of its sides."""
    middles = render.quads.mean(axis=1)
    wall = middles[[role == "wall" for role in render.roles]]
    away = np.linalg.norm(wall - middles[index], axis=1)
    return bool((away < 1.5 * sizes(render.quads[index])).any())
