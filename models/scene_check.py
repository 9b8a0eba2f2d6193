"""Compare what Tehai reads on a drawn scene of a game with the scene's ground truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from datasets.renders import Render, RenderedHand
from models.whole_hands import VISIBLE, match_tiles, tiles_of, wrong_parts
from scorer.hand_tiles import HandTiles
from vision.labels import FACES, plain
from vision.quads import sizes
from vision.reading import DoubtKind, Reading

Verdict = Literal["right", "asked", "refused", "doubted", "silent"]
"""``right``: what a player should get. ``asked``: no score, but a message that says what to do. ``refused``:
nothing was read. ``doubted``: a wrong score with a doubt; ``silent``: a wrong score without one."""

IN_ROW = "finished, winning tile in the row"
"""The outcome of a finished hand whose winning tile cannot be known: it lies among the others."""


@dataclass(frozen=True, slots=True)
class Indicators:
    """Counts of dora indicators. ``shown``: those clearly visible; of them ``right`` and ``misread`` (listed
    as another face), the rest missed; ``invented``: listed where none lies; ``ura_as_dora``: indicators of
    the ura dora listed as dora; ``beside``: those shown that lie beside a hand and not on a wall; of them
    ``beside_right``."""

    shown: int = 0
    right: int = 0
    misread: int = 0
    invented: int = 0
    ura_as_dora: int = 0
    beside: int = 0
    beside_right: int = 0


@dataclass(frozen=True, slots=True)
class SceneResult:
    """How one scene was read.

    ``outcome``: that of the ground truth, or :data:`IN_ROW`. ``scored``: the reading is a finished hand.
    ``exact``: tiles, roles and winning tile are those of a hand in the scene, finished or not. ``tiles``:
    whether the one whole open hand of a scene without a finished one was read right; None in other scenes.
    """

    file: str
    scene: str
    outcome: str
    verdict: Verdict
    scored: bool
    exact: bool
    message: str
    confidence: float | None
    doubts: tuple[DoubtKind, ...]
    tiles: bool | None
    indicators: Indicators


def check_scene(reading: Reading, render: Render) -> SceneResult:
    """Compare a reading with its render. Raises ValueError for a render without an ``outcome``."""
    if render.outcome is None or render.scene is None:
        raise ValueError(f"{render.path} is no scene of a game: render it with --kind game")
    finished = [hand for hand in render.hands if hand.finished]
    whole = [hand for hand in finished if hand.whole]
    matched = next((hand for hand in (*whole, *finished) if _matches(reading, hand)), None)
    open_hands = [hand for hand in render.hands if hand.whole] if not finished else []
    alone = open_hands[0] if len(open_hands) == 1 else None
    verdict = _verdict(reading, whole, matched)
    scored = reading.status == "ok"
    is_unfinished = any(_has_tiles(reading, hand) for hand in render.hands if not hand.finished)
    return SceneResult(
        file=render.path.name,
        scene=render.scene,
        outcome=IN_ROW if len(whole) == 1 and whole[0].record["win_tile"] is None else render.outcome,
        verdict=verdict,
        scored=scored,
        exact=verdict == "right" or (not whole and not scored and (matched is not None or is_unfinished)),
        message=reading.message,
        confidence=reading.confidence,
        doubts=tuple(doubt.kind for doubt in reading.doubts),
        tiles=None if alone is None else _has_tiles(reading, alone),
        indicators=_count_indicators(reading, render),
    )


def _has_tiles(reading: Reading, hand: RenderedHand) -> bool:
    """Whether the reading has the tiles of a hand, and its winning tile where the truth has one."""
    return reading.hand is not None and not wrong_parts(reading.hand, hand.record)


def _matches(reading: Reading, hand: RenderedHand) -> bool:
    """Whether the reading is a finished hand: scored, or left open where the truth has no winning tile."""
    return (reading.status == "ok" or hand.record["win_tile"] is None) and _has_tiles(reading, hand)


def _verdict(reading: Reading, whole: Sequence[RenderedHand], matched: RenderedHand | None) -> Verdict:
    """The verdict on a scene. ``whole``: its finished hands that are clearly visible; ``matched``: the
    finished hand that was read."""
    scored, doubts = reading.status == "ok", {doubt.kind for doubt in reading.doubts}
    if matched is not None:
        chose_hand = len(whole) > 1 or (bool(whole) and matched not in whole)
        in_silence = (chose_hand and "hand" not in doubts) or (
            _chose_win_tile(reading, matched) and "win" not in doubts
        )
        if scored and not in_silence:
            return "right"
        if not scored and matched in whole and (len(whole) == 1 or "hand" in doubts):
            return "right"
    if scored:
        return "doubted" if doubts else "silent"
    return "asked" if reading.status == "incomplete" else "refused"


def _chose_win_tile(reading: Reading, hand: RenderedHand) -> bool:
    """Whether the reading names a winning tile that cannot be known. Among equal closed tiles it can."""
    is_known = hand.record["win_tile"] is not None or len(set(tiles_of(hand.record["concealed"]))) == 1
    return not is_known and bool((reading.hand or {}).get("win_tile"))


def waits_of(reading: Reading) -> set[str]:
    """The faces that the tiles of a reading wait on, without red fives."""
    return (
        {plain(str(tile)) for tile in HandTiles.from_record(reading.hand, {}).waits}
        if reading.hand
        else set()
    )


def _count_indicators(reading: Reading, render: Render) -> Indicators:
    truths = match_tiles(reading, render)
    listed = [i for i, tile in enumerate(reading.tiles) if tile.role == "dora"]
    label_at = {truths[i]: reading.tiles[i].label for i in listed if i in truths}
    shown = [
        j for j, label in enumerate(render.labels)
        if label in FACES and render.visible[j] >= VISIBLE and render.roles[j] == "dora"
    ]  # fmt: skip
    right = [j for j in shown if label_at.get(j) == render.labels[j]]
    beside = [j for j in shown if not _is_on_wall(render, j)]
    return Indicators(
        shown=len(shown),
        right=len(right),
        misread=sum(j in label_at for j in shown) - len(right),
        invented=sum(i not in truths or render.roles[truths[i]] not in ("dora", "ura") for i in listed),
        ura_as_dora=sum(i in truths and render.roles[truths[i]] == "ura" for i in listed),
        beside=len(beside),
        beside_right=len({*beside} & {*right}),
    )


def _is_on_wall(render: Render, index: int) -> bool:
    """Whether a tile touches a wall: a wall tile's centre lies within 1.5 of the tile's own sides."""
    centres = render.quads.mean(axis=1)
    wall = centres[[role == "wall" for role in render.roles]]
    distances = np.linalg.norm(wall - centres[index], axis=1)
    return bool((distances < 1.5 * sizes(render.quads[index])).any())
