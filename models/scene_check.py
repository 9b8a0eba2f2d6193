"""What became of a photographed moment of a game: its hand read right, asked about, or scored wrongly, and
whether anything was said of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from datasets.renders import Render, RenderedHand
from models.whole_hands import VISIBLE, check, is_part, reason, seen_truths, tells_win
from scorer.laid import Laid
from vision.labels import FACES, plain
from vision.quads import sizes
from vision.reading import DoubtKind, Reading

Verdict = Literal["right", "asked", "refused", "doubted", "silent"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
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
    ``misread`` (listed as another face) or else missed; ``invented``: listed where none lies. ``ura``: those
    of the ura well to be seen; ``ura_as_dora``: listed as of the dora, ``ura_silent`` without a doubt.
    ``beside``: those of the shown that touch no wall, but lie beside a hand; of them ``beside_right``."""

    shown: int = 0
    right: int = 0
    misread: int = 0
    invented: int = 0
    ura: int = 0
    ura_as_dora: int = 0
    ura_silent: int = 0
    beside: int = 0
    beside_right: int = 0

    @property
    def listed(self) -> int:
        """How many are listed, whatever they are."""
        return self.right + self.misread + self.invented + self.ura_as_dora

    @property
    def all_right(self) -> bool:
        """Whether those listed are those that lie there."""
        return self.right == self.shown and not self.invented and not self.ura_as_dora


@dataclass(frozen=True, slots=True)
class SceneResult:
    """One scene read. ``outcome``: of its truth, or :data:`IN_ROW`. ``scored``: the reading is of a finished
    hand. ``exact``: its tiles, roles and winning tile are those of the hand that lies there, finished or not.
    ``picked``: one of several finished hands without asking which. ``hidden``: right about a finished hand of
    which the truth holds too little to be seen. ``cause``: what went wrong, empty where nothing did.

    Of a scene where nobody has finished and one whole hand lies open, ``tiles`` and ``waits`` say whether
    they were read right; None elsewhere.
    """

    file: str
    scene: str
    outcome: str
    verdict: Verdict
    scored: bool
    exact: bool
    cause: str = ""
    picked: bool = False
    hidden: bool = False
    message: str = ""
    confidence: float | None = None
    doubts: tuple[DoubtKind, ...] = ()
    tiles: bool | None = None
    waits: bool | None = None
    indicators: Indicators = Indicators()

    @property
    def mute(self) -> bool:
        """Whether neither a score nor a sentence was given."""
        return not self.scored and not self.message.strip()


def check_scene(reading: Reading, render: Render) -> SceneResult:
    """What became of a scene. Raises ValueError for a render whose truth says no outcome."""
    if render.outcome is None or render.scene is None:
        raise ValueError(f"{render.path} is no scene of a game: render it with --kind game")
    finished = [hand for hand in render.hands if hand.finished]
    whole = [hand for hand in finished if hand.whole]
    met = next((hand for hand in (*whole, *finished) if _meets(reading, hand)), None)
    verdict, cause = _verdict(reading, render, whole, met)
    open_row = len(whole) == 1 and whole[0].record["win_tile"] is None
    alone = _alone(render)
    return SceneResult(
        file=render.path.name,
        scene=render.scene,
        outcome=IN_ROW if open_row else render.outcome,
        verdict=verdict,
        scored=_is_scored(reading),
        exact=verdict == "right"
        or (not whole and not _is_scored(reading) and (met is not None or _shows_open(reading, render))),
        cause=cause,
        picked=cause == PICKED,
        hidden=met is not None and not whole,
        message=reading.message,
        confidence=reading.confidence,
        doubts=tuple(doubt.kind for doubt in reading.doubts),
        tiles=None if alone is None else _shows(reading, alone),
        waits=None if alone is None else _waits(reading) == {plain(face) for face in alone.waits},
        indicators=_indicators(reading, render),
    )


def _is_scored(reading: Reading) -> bool:
    return reading.status == "ok"


def _shows(reading: Reading, hand: RenderedHand) -> bool:
    """Whether the tiles of a hand were read, its winning tile too where the truth has one."""
    return reading.hand is not None and check(reading.hand, hand.record).right


def _shows_open(reading: Reading, render: Render) -> bool:
    return any(_shows(reading, hand) for hand in render.hands if not hand.finished)


def _meets(reading: Reading, hand: RenderedHand) -> bool:
    """Whether a reading gives a finished hand: scored, or open where nobody can tell the winning tile."""
    return (_is_scored(reading) or hand.record["win_tile"] is None) and _shows(reading, hand)


def _verdict(
    reading: Reading, render: Render, whole: Sequence[RenderedHand], met: RenderedHand | None
) -> tuple[Verdict, str]:
    """The verdict and the cause of what is not right. ``met``: the finished hand that was read."""
    wrong: Verdict = "doubted" if reading.doubts else "silent"
    if met is not None:
        asks = {"hand": len(whole) > 1 or (bool(whole) and met not in whole), "win": _is_named(reading, met)}
        said = {doubt.kind for doubt in reading.doubts}
        for kind, cause in (("hand", PICKED), ("win", NAMED)):
            if _is_scored(reading) and asks[kind] and kind not in said:
                return wrong, cause
        if _is_scored(reading) or (met in whole and (len(whole) == 1 or "hand" in said)):
            return "right", ""
    if _is_scored(reading):
        return wrong, _cause(reading, render, whole)
    answer: Verdict = "asked" if reading.status == "incomplete" else "refused"
    if len(whole) != 1:
        alone = _alone(render)
        if alone is None or _shows(reading, alone):
            return answer, ""
        return answer, _cause(reading, render, [alone])
    if check(reading.hand, whole[0].record | {"win_tile": None, "concealed": _closed(whole[0])}).right:
        return answer, ASKED
    return answer, _cause(reading, render, whole)


def _closed(hand: RenderedHand) -> str:
    return f"{hand.record['concealed']}{hand.record['win_tile'] or ''}"


def _is_named(reading: Reading, hand: RenderedHand) -> bool:
    """Whether a winning tile was named that nobody can tell."""
    return not tells_win(hand.record) and bool((reading.hand or {}).get("win_tile"))


def _alone(render: Render) -> RenderedHand | None:
    """The one whole hand of a scene in which no hand is finished."""
    whole = [hand for hand in render.hands if hand.whole]
    unfinished = not any(hand.finished for hand in render.hands)
    return whole[0] if unfinished and len(whole) == 1 else None


def _waits(reading: Reading) -> set[str]:
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
        return reason(reading, render, check(reading.hand, hand.record), seat)
    if hands:
        return "another player's tiles" if seat is not None else "tiles of no hand"
    return _made_of(reading, render, truths, mine, seat)


def _made_of(
    reading: Reading, render: Render, truths: Mapping[int, int], mine: Sequence[int], seat: int | None
) -> str:
    """What made a finished hand of tiles that are none."""
    if any(i not in truths for i in mine):
        return "tile made up"
    for i in mine:
        role = render.roles[truths[i]]
        if not is_part(role):
            return _TAKEN.get(role, "loose tile taken")
        if render.seats[truths[i]] != seat:
            return "tiles of two hands"
    if any(reading.tiles[i].label != render.labels[truths[i]] for i in mine):
        return "label"
    if any(hand.finished for hand in render.hands if hand.seat == seat):
        return "finished hand of which too little can be seen"
    return "role"


# --- indicators -----------------------------------------------------------------------------------------


def _indicators(reading: Reading, render: Render) -> Indicators:
    truths = seen_truths(reading, render)
    listed = {truths.get(i): i for i, tile in enumerate(reading.tiles) if tile.role == "dora"}
    made_up = sum(tile.role == "dora" and i not in truths for i, tile in enumerate(reading.tiles))
    clear = {
        role: [
            j
            for j, each in enumerate(render.roles)
            if each == role and render.visible[j] >= VISIBLE and render.labels[j] in FACES
        ]
        for role in ("dora", "ura")
    }
    found = [j for j in clear["dora"] if j in listed]
    right = [j for j in found if reading.tiles[listed[j]].label == render.labels[j]]
    as_dora = [i for j, i in listed.items() if j is not None and render.roles[j] == "ura"]
    doubted = {i for doubt in reading.doubts for i in doubt.tiles}
    strangers = sum(j is not None and render.roles[j] not in ("dora", "ura") for j in listed)
    return Indicators(
        shown=len(clear["dora"]),
        right=len(right),
        misread=len(found) - len(right),
        invented=made_up + strangers,
        ura=len(clear["ura"]),
        ura_as_dora=len(as_dora),
        ura_silent=sum(i not in doubted for i in as_dora),
        beside=len(beside := [j for j in clear["dora"] if not _on_wall(render, j)]),
        beside_right=len({*beside} & {*right}),
    )


def _on_wall(render: Render, index: int) -> bool:
    """Whether a tile lies next to one of a wall: no farther than one and a half of its sides."""
    middles = render.quads.mean(axis=1)
    wall = middles[[role == "wall" for role in render.roles]]
    away = np.linalg.norm(wall - middles[index], axis=1)
    return bool((away < 1.5 * sizes(render.quads[index])).any())
