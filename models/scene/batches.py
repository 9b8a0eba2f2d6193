"""Random, augmented batches of scenes. Laid scenes get answers of the networks from photos of the same faces.

All steps work on the tiles of many scenes at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor

from models.scene.scenes import NONE, Scenes
from vision.arrays import Array32, Indices
from vision.detections import ROLES
from vision.labels import BACK_INDEX, NOT_A_FACE_INDEX, WITH_FOREIGN
from vision.quads import sizes
from vision.scene import inputs
from vision.scene.legal import RED_OF

MOST = 150
"""Tiles of a scene at most. Of larger scenes, random tiles are dropped."""

Columns = dict[str, NDArray[Any]]
"""Arrays over the tiles of several scenes, by name. ``scene`` (n,): the number of each tile's scene."""

_SUITS = 9
_REDS = 34
_WHITE = WITH_FOREIGN.index("5z")
_WHOLE = 20
"""Different labels that a photo shows at least to give answers to all tiles of a scene."""

_ONE_SET = 0.15
"""Share of scenes that take all answers from one photo. In others each tile has its answer from any photo."""

_ANY = -1
"""The source of answers from any photo."""

_REAL = 0.25
"""Share of those photos that are real ones."""

_ALL_RED = 0.06
"""Share of scenes whose plain fives get the answers of red ones."""

_IN_SUIT = 0.6
"""Share of the suits in which they do."""

_BLANK = 0.08
"""Share of scenes whose white dragons get the answers of backs, or of false detections."""

_CAMERA = np.array([0.12, 0.06, 0.06, 0.15, 0.15])
"""Deviations of the angle in radians, of stretch, of shear, and of perspective across and along the photo."""

_NOISE = 0.15
"""Noise on logits and embeddings as a share of their own deviation."""


@dataclass(frozen=True)
class Bank:
    """Answers of the networks to M detections, sorted by source and label.

    ``scores`` (M,), ``logits`` (M, 40), ``turns`` (M, 4), ``embeddings`` (M, 120); ``labels`` (M,);
    ``sources`` (M,): the number of each one's photo. ``whole``: drawn photos with :data:`_WHOLE` labels or
    more; ``real``: real photos with as many.
    """

    scores: NDArray[np.float16]
    logits: NDArray[np.float16]
    turns: NDArray[np.float16]
    embeddings: NDArray[np.float16]
    labels: NDArray[np.int8]
    sources: NDArray[np.int64]
    whole: Indices
    real: Indices

    @classmethod
    def of(cls, drawn: Scenes | None, photos: Scenes | None = None) -> Bank:
        """Collect the answers of scenes. Half-hidden tiles are left out."""
        answered = Scenes.joined([each for each in (drawn, photos) if each is not None])
        clear = (answered.visible > 0.6) | (answered.labels == NOT_A_FACE_INDEX)
        sources = np.repeat(np.arange(len(answered.counts)), answered.counts)
        kept = np.flatnonzero(clear)
        order = kept[np.lexsort((answered.labels[kept], sources[kept]))]
        names = ("scores", "logits", "turns", "embeddings", "labels")
        columns = {name: getattr(answered, name)[order] for name in names}
        shown = np.unique(sources[order] * len(WITH_FOREIGN) + columns["labels"].astype(int))
        whole = np.flatnonzero(np.bincount(shown // len(WITH_FOREIGN)) >= _WHOLE)
        count = 0 if drawn is None else len(drawn.counts)
        drawings, real = whole[whole < count], whole[whole >= count]
        return cls(**columns, sources=sources[order], whole=drawings, real=real)

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        return self.sources * len(WITH_FOREIGN) + self.labels

    @cached_property
    def _by_label(self) -> tuple[Indices, Indices, Indices]:
        counts = np.bincount(self.labels, minlength=len(WITH_FOREIGN))
        return np.argsort(self.labels, kind="stable"), np.cumsum(counts) - counts, counts

    def draw(self, labels: NDArray[np.int8], scene: Indices, count: int, rng: Generator) -> Indices:
        """(n,) a random row for each label. ``scene`` (n,): the number of its scene, below ``count``.

        In a share of :data:`_ONE_SET` of the scenes, all rows come from one photo as far as it shows the
        faces. A label without rows gets one of a false detection.
        """
        order, starts, counts = self._by_label
        known = np.where(counts[labels] > 0, labels, NOT_A_FACE_INDEX)
        chance = rng.random(len(labels))
        anywhere: Indices = order[starts[known] + (chance * counts[known]).astype(int)]
        if not len(self.whole):
            return anywhere
        source = np.where(rng.random(count) < _ONE_SET, rng.choice(self.whole, count), _ANY)
        if len(self.real):
            real = (source != _ANY) & (rng.random(count) < _REAL)
            source = np.where(real, rng.choice(self.real, count), source)
        key = source[scene] * len(WITH_FOREIGN) + known
        first, last = (np.searchsorted(self._keys, key, side=side) for side in ("left", "right"))
        rows: Indices = np.where(last > first, first + (chance * (last - first)).astype(int), anywhere)
        return rows


@dataclass(frozen=True, slots=True)
class Batch:
    """B scenes of at most n tiles: inputs ``rows`` (B, n, WIDTH), ``mask`` (B, n) with False for padding, and
    targets (B, n). ``finished`` and ``win_known``: whether the tile's hand is finished, and whether that
    hand's winning tile is known."""

    rows: Tensor
    mask: Tensor
    roles: Tensor
    labels: Tensor
    seats: Tensor
    sets: Tensor
    finished: Tensor
    win_known: Tensor


def permuted(labels: NDArray[np.int8], scene: Indices, count: int, rng: Generator) -> NDArray[np.int8]:
    """Labels with permuted suits, one permutation for each of ``count`` scenes."""
    tables = np.tile(np.arange(len(WITH_FOREIGN), dtype=np.int8), (count, 1))
    suits = np.argsort(rng.random((count, 3)), axis=1)
    for old in range(3):
        new = suits[:, old, None]
        tables[:, _SUITS * old : _SUITS * (old + 1)] = _SUITS * new + np.arange(_SUITS)
        tables[:, _REDS + old] = _REDS + new[:, 0]
    return tables[scene, labels]


def _miss_probability(visible: NDArray[np.float16], size: Array32) -> Array32:
    """(n,) how likely the finder misses a tile, by its visible share and its side in pixels."""
    by_share = np.interp(visible, [0.15, 0.3, 0.45, 0.6, 0.8], [0.97, 0.8, 0.4, 0.1, 0.01])
    by_size = np.interp(size, [8, 14, 20], [0.9, 0.3, 0.0])
    return np.asarray(np.maximum(by_share, by_size), np.float32)


class Batches:
    """Random batches of scenes. ``drawn``: scenes with answers; ``laid``: scenes without; ``share``: the
    probability of a drawn scene."""

    def __init__(self, drawn: Scenes | None, laid: Scenes, bank: Bank, share: float, rng: Generator) -> None:
        self.sources = [each for each in (drawn, laid) if each is not None]
        self.starts = [each.starts for each in self.sources]
        self.shares = [share, 1 - share] if drawn is not None else [1.0]
        self.bank, self.rng = bank, rng

    def draw(self, tiles: int, scenes: int = 96) -> list[Batch]:
        """Batches of about ``tiles`` tiles, of ``scenes`` scenes in all. A batch has similar scenes."""
        picks = [
            (source, self.rng.integers(len(self.sources[source].counts), size=count))
            for source, count in enumerate(self.rng.multinomial(scenes, self.shares)) if count
        ]  # fmt: skip
        made = [each for source, which in picks for each in self._scenes(source, which)]
        made = sorted((each for each in made if len(each["rows"]) >= 3), key=lambda each: len(each["rows"]))
        batches: list[list[Columns]] = [[]]
        for each in made:
            if batches[-1] and len(each["rows"]) * (len(batches[-1]) + 1) > tiles:
                batches.append([])
            batches[-1].append(each)
        return [_padded(batches[i]) for i in self.rng.permutation(len(batches))]

    def _scenes(self, source: int, which: Indices) -> list[Columns]:
        rng, scenes, starts = self.rng, self.sources[source], self.starts[source]
        counts = scenes.counts[which]
        scene = np.repeat(np.arange(len(which)), counts)
        tile = np.arange(len(scene)) - np.repeat(np.cumsum(counts) - counts, counts) + starts[which][scene]
        quads, photo = scenes.quads[tile].copy(), scenes.photos[which][scene].astype(np.float32)
        labels, roles = scenes.labels[tile], scenes.roles[tile]
        seats, sets = scenes.seats[tile], scenes.sets[tile]
        side = sizes(quads)
        # A drawn scene keeps its faces and answers, or gets others in the same places.
        own = (rng.random(len(which)) < 0.6)[scene] if scenes.answered else np.zeros(len(scene), bool)
        swapped = permuted(labels, scene, len(which), rng)
        labels = np.where(own, labels, swapped)
        labels, shown = self._with_red_fives(labels, scene, len(which), own)
        shown = self._with_blank_whites(shown, scene, len(which), own)
        row = self.bank.draw(shown, scene, len(which), rng)
        answers = {}
        for name in ("scores", "logits", "turns", "embeddings"):
            drawn = getattr(self.bank, name)[row].astype(np.float32)
            if scenes.answered and (own.any() or name == "scores"):
                known = own if name != "scores" else np.ones_like(own)
                given = getattr(scenes, name)[tile].astype(np.float32)
                drawn = np.where(known.reshape(-1, *[1] * (drawn.ndim - 1)), given, drawn)
            if name in ("logits", "embeddings"):
                drawn += (_NOISE * drawn.std() * rng.standard_normal(drawn.shape)).astype(np.float32)
            answers[name] = drawn
        if not scenes.answered:
            kept = rng.random(len(scene)) >= np.maximum(_miss_probability(scenes.visible[tile], side), 0.008)
            centre_off = rng.normal(0, 0.02, (len(quads), 1, 2))
            quads += (rng.normal(0, 0.025, quads.shape) + centre_off) * side[:, None, None]
        else:
            kept = rng.random(len(scene)) >= (0.02 * (rng.random(len(which)) < 0.3))[scene]
            quads += rng.normal(0, 0.012, quads.shape) * side[:, None, None]
        columns = {
            "quads": quads, "photo": photo, "labels": labels, "roles": roles, "seats": seats, "sets": sets,
            "scene": scene, **answers,
        }  # fmt: skip
        columns = {name: array[kept] for name, array in columns.items()}
        if not scenes.answered:
            columns = self._with_false(columns, len(which))
        columns["framed"] = self._frame(columns, len(which))
        columns = {name: array[columns["framed"] >= 0] for name, array in columns.items()}
        self._turn(columns, len(which))
        bits = np.where(columns["seats"] >= 0, 1 << np.maximum(columns["seats"], 0), 0)
        is_own = columns["roles"] < ROLES.index("dora")
        owned = is_own & (columns["roles"] >= 0)
        for name, seats_with in (("finished", scenes.finished), ("win_known", scenes.told)):
            columns[name] = ((seats_with[which][columns["scene"]] & bits) > 0) & owned
        return _split(columns, len(which), rng)

    def _with_red_fives(
        self, labels: NDArray[np.int8], scene: Indices, count: int, own: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Labels, and the labels to take answers of. In some scenes no five is red, but all look red."""
        true, shown = labels.copy(), labels.copy()
        none_red = self.rng.random(count) < _ALL_RED
        for plain, red in RED_OF.items():
            in_suit = none_red & (self.rng.random(count) < _IN_SUIT)
            looks_red = ~own & in_suit[scene] & np.isin(labels, (plain, red))
            true[looks_red], shown[looks_red] = plain, red
        return true, shown

    def _with_blank_whites(
        self, shown: NDArray[np.int8], scene: Indices, count: int, own: NDArray[np.bool_]
    ) -> NDArray[np.int8]:
        """The labels to take answers of. In some scenes white dragons look like backs, or like no tile."""
        rng = self.rng
        is_blank = (rng.random(count) < _BLANK)[scene] & (rng.random(len(scene)) < 0.8)
        other = np.where(rng.random(len(scene)) < 0.6, BACK_INDEX, NOT_A_FACE_INDEX)
        return np.where(~own & is_blank & (shown == _WHITE), other, shown).astype(np.int8)

    def _with_false(self, columns: Columns, count: int) -> Columns:
        """Add false detections, near tiles or anywhere."""
        rng = self.rng
        extra = rng.poisson(np.where(rng.random(count) < 0.35, 14.0, 2.5))
        scene = np.repeat(np.arange(count), extra)
        if not len(scene) or not len(columns["scene"]):
            return columns
        first = np.searchsorted(columns["scene"], np.arange(count))
        tiles = np.bincount(columns["scene"], minlength=count)
        scene = scene[tiles[scene] > 0]
        by = first[scene] + (rng.random(len(scene)) * tiles[scene]).astype(int)
        labels = np.full(len(scene), NOT_A_FACE_INDEX, np.int8)
        row = self.bank.draw(labels, scene, count, rng)
        base = columns["quads"][by]
        side = sizes(base)
        angle, far = rng.uniform(0, 2 * np.pi, len(scene)), rng.gamma(1.2, 2.5, len(scene)) + 0.6
        move = np.stack([np.cos(angle), np.sin(angle)], 1) * (far * side)[:, None]
        centre = base.mean(1, keepdims=True)
        grown = centre + (base - centre) * np.exp(rng.normal(0, 0.3, (len(scene), 1, 1)))
        new = {
            "quads": (grown + move[:, None]).astype(np.float32), "photo": columns["photo"][by],
            "labels": labels, "roles": np.full(len(scene), ROLES.index("none"), np.int8),
            "seats": np.full(len(scene), NONE, np.int8), "sets": np.full(len(scene), NONE, np.int8),
            "scene": scene,
            **{n: getattr(self.bank, n)[row].astype(np.float32)
               for n in ("scores", "logits", "turns", "embeddings")},
        }  # fmt: skip
        joined = {name: np.concatenate([array, new[name]]) for name, array in columns.items()}
        order = np.argsort(joined["scene"], kind="stable")
        return {name: array[order] for name, array in joined.items()}

    def _frame(self, columns: Columns, count: int) -> Array32:
        """Frame one hand in some scenes. (n,) 1 inside the frame, -1 outside, 0 in scenes without a frame."""
        rng, scene, seats = self.rng, columns["scene"], columns["seats"]
        mine = (columns["roles"] >= 0) & (columns["roles"] < ROLES.index("dora")) & (seats >= 0)
        # The owner of a random tile of each scene.
        draw = np.where(mine, rng.random(len(scene)), -1.0)
        order = np.lexsort((draw, scene))
        last = np.searchsorted(scene[order], np.arange(count), side="right") - 1
        has_tiles = np.bincount(scene, minlength=count) > 0
        chosen = order[np.maximum(last, 0)] if len(order) else np.zeros(count, int)
        framed = has_tiles & (rng.random(count) < 0.3)
        if len(order):
            framed &= draw[chosen] >= 0
        if not framed.any():
            return np.zeros(len(scene), np.float32)
        seat = seats[chosen]
        part = mine & (seats == seat[scene])
        low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
        np.minimum.at(low, scene[part], columns["quads"][part].min(1))
        np.maximum.at(high, scene[part], columns["quads"][part].max(1))
        side = np.zeros(count)
        np.maximum.at(side, scene[part], sizes(columns["quads"][part]))
        # People draw frames with some margin, seldom too tightly.
        room = side[:, None] * (rng.exponential(0.7, (count, 2)) - 0.15)
        low, high = low - room, high + side[:, None] * (rng.exponential(0.7, (count, 2)) - 0.15)
        centre = columns["quads"].mean(1)
        inside = ((centre >= low[scene]) & (centre <= high[scene])).all(1)
        return np.where(framed[scene], np.where(inside, 1.0, -1.0), 0.0).astype(np.float32)

    def _turn(self, columns: Columns, count: int) -> None:
        """Rotate photos by quarters, and half of them by a small angle and to another view (in place)."""
        rng, scene = self.rng, columns["scene"]
        quarters = rng.choice(4, count, p=[0.55, 0.15, 0.15, 0.15])
        changes = (rng.random(count) < 0.5)[:, None] * rng.normal(0, _CAMERA, (count, 5))
        angle, stretch, shear, across, along = changes.T
        angle += quarters * np.pi / 2
        centre, photo = columns["photo"][:, None] / 2, columns["photo"]
        side = photo.max(axis=1)[:, None, None]
        x, y = np.moveaxis((columns["quads"] - centre) / side, -1, 0)
        x, y = (
            np.exp(stretch)[scene, None] * (x + shear[scene, None] * y),
            np.exp(-stretch)[scene, None] * y,
        )
        depth = 1 + across[scene, None] * x + along[scene, None] * y
        x, y = x / depth, y / depth
        c, s = np.cos(angle)[scene, None], np.sin(angle)[scene, None]
        turned = np.stack([c * x - s * y, s * x + c * y], -1) * side
        columns["photo"] = np.where((quarters % 2 == 1)[scene, None], photo[:, ::-1], photo)
        columns["quads"] = (turned + columns["photo"][:, None] / 2).astype(np.float32)


def _split(columns: Columns, count: int, rng: Generator) -> list[Columns]:
    """The columns of each scene, with model inputs, in random order and with :data:`MOST` tiles at most."""
    names = ("photo", "scores", "framed", "turns", "logits", "embeddings")
    columns["rows"] = inputs.rows(columns["quads"], *(columns[name] for name in names))
    starts = np.searchsorted(columns["scene"], np.arange(count + 1))
    kept = ("rows", "roles", "labels", "seats", "sets", "finished", "win_known")
    out = []
    for start, stop in pairwise(starts.tolist()):
        which = start + rng.permutation(stop - start)[:MOST]
        out.append({name: columns[name][which] for name in kept})
    return out


_PADDING = {"rows": 0, "roles": -2, "labels": -1, "seats": -1, "sets": -1, "finished": 0, "win_known": 0}


def _padded(made: list[Columns]) -> Batch:
    """Stack scenes to a batch."""
    counts = np.array([len(each["rows"]) for each in made])
    mask = np.arange(counts.max()) < counts[:, None]
    padded: dict[str, Tensor] = {}
    for name, fill in _PADDING.items():
        array = np.full((*mask.shape, *made[0][name].shape[1:]), fill, np.float32 if name == "rows" else int)
        array[mask] = np.concatenate([each[name] for each in made])
        padded[name] = torch.from_numpy(array)
    # A padding tile needs sides, or its geometry would divide by nothing.
    unit = torch.tensor([0, 0, 0.1, 0, 0.1, 0.1, 0, 0.1, 1, 1], dtype=torch.float32)
    padded["rows"][..., :10] = torch.where(torch.from_numpy(mask)[..., None], padded["rows"][..., :10], unit)
    return Batch(mask=torch.from_numpy(mask), **padded)
