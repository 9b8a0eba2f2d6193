"""Red fives told from plain ones by the tiles that lie around them.

The face network sees each tile alone. A dot in a corner is a red five's then, though all tiles of the set
may have it; and a red that is dark in the light of an evening is none, until it is held against the inks of
its neighbours. So each five is compared with the other tiles of its photo: with its suit, with all suits, and
with the fives of its kind, by what the network itself has seen of them, its last maps.

The weights, ``vision/fives.npz``, are fitted on renders by ``python -m models.fives``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np

from vision.arrays import Array32, Indices
from vision.labels import CLASSES, PLAIN_OF

FILE: Final = Path(__file__).with_name("fives.npz")

Compare = Callable[[Array32, Array32, Indices], Array32]
"""What the probabilities (n, classes) of a photo's tiles become by the network's last maps of them, and by
how many quarters each was turned when it made these: :func:`compare`."""

SUITS: Final = "mps"

FACTS: Final = 9
"""How many :attr:`Evidence.facts` there are of a five."""

_RED, _PLAIN = (np.array([CLASSES.index(name) for name in names]) for names in (PLAIN_OF, PLAIN_OF.values()))
_SUIT_OF = np.array([SUITS.find(name[-1]) if len(name) == 2 else -1 for name in CLASSES])
_FIVE_OF = np.isin(np.arange(len(CLASSES)), np.concatenate([_RED, _PLAIN]))
_LEAST = 1e-4
"""Probability that a colour has at least: no five is so plain that its neighbours cannot make it red."""

_SECOND = 0.03
"""How probable another red five of a suit is that has one, beside what is seen of it: few sets have two,
though two outlines may lie on one tile. Of 4,653 fives of other scenes (seed 914) 60 are told wrongly by it
instead of 65; from 0.1 to 0.001 as many."""

_MOST = 500.0
"""Log of what the ways are worth at most in which others are red: more is no number."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is to be said of the colours of m fives. ``tiles`` (m,): their numbers among the tiles that were
    seen; ``suits`` (m,): of :data:`SUITS`; ``maps`` (m, 4, channels, cells): of the five itself, and the
    means of the other tiles of its suit, of all suits, and of the fives of its kind that were seen turned as
    it was; its own where none are.

    ``facts`` (m, 9): the log of odds that it is red by the network alone; whether there are others of each of
    the three; the mean and the least of the odds of all other fives of its kind, the mean and the highest of
    the fives of other suits; whether it was seen head down.
    """

    tiles: Indices
    suits: Indices
    maps: Array32
    facts: Array32


def among(probabilities: Array32) -> tuple[Indices, Indices, Array32]:
    """Of the tiles of a photo, probabilities (n, classes), the numbers (m,) of the fives; the suit (n,) of
    each, -1 where it has none; and the logs (n,) of the odds that it is red by the network alone."""
    likeliest = probabilities[:, : len(CLASSES)].argmax(axis=1)
    suits = _SUIT_OF[likeliest]
    return np.flatnonzero(_FIVE_OF[likeliest]), suits, _odds(probabilities, suits)


def _odds(probabilities: Array32, suits: Indices) -> Array32:
    """(n,) logs of the odds that a tile, were it a five of its suit, is red."""
    row, suit = np.arange(len(suits)), np.maximum(suits, 0)
    red, plain = probabilities[row, _RED[suit]], probabilities[row, _PLAIN[suit]]
    return np.asarray(np.log((red + _LEAST) / (plain + _LEAST)), np.float32)


def evidence(probabilities: Array32, maps: Array32, turns: Indices) -> Evidence:
    """Of what the face network made of the tiles of one photo: probabilities (n, classes), its last maps
    (n, channels, cells), and how many quarters (n,) each was turned when it made them. Head down the cells
    lie over the same parts of a face as upright, backwards; tiles that lay on their side do not compare.
    """
    tiles, suits, odds = among(probabilities)
    suits = np.where(turns % 2 == 0, suits, -1)
    tiles = tiles[suits[tiles] >= 0]
    is_five = np.isin(np.arange(len(suits)), tiles)
    compared = np.empty((len(tiles), 4, *maps.shape[1:]), np.float32)
    facts = np.zeros((len(tiles), FACTS), np.float32)
    for row, tile in enumerate(tiles.tolist()):
        others = suits >= 0
        others[tile] = False
        alike = others & (suits == suits[tile])
        fives, strangers = alike & is_five, others & ~alike & is_five
        compared[row, 0] = maps[tile]
        facts[row, 0] = odds[tile]
        for part, those in enumerate((alike, others, fives), start=1):
            likewise = those & (turns == turns[tile])
            mean = maps[likewise].mean(axis=0, dtype=np.float32) if likewise.any() else maps[tile]
            compared[row, part], facts[row, part] = mean, likewise.any()
        for column, those, most in ((4, fives, np.min), (6, strangers, np.max)):
            if those.any():
                facts[row, column : column + 2] = odds[those].mean(), most(odds[those])
    head_down = turns[tiles] == 2
    compared[head_down] = compared[head_down][..., ::-1]
    facts[:, 8] = head_down
    return Evidence(tiles, suits[tiles], compared, facts)


@dataclass(frozen=True, slots=True)
class Colours:
    """The weights: of each of the four maps ``cells`` (4, channels, k) with ``cells_bias`` (k,); of what they
    see, the facts and the suit ``hidden`` (f, h) with ``hidden_bias`` (h,), of these ``last`` (h,) with
    ``last_bias`` (), and ``odds`` () of the network's own word."""

    hidden: Array32
    hidden_bias: Array32
    last: Array32
    last_bias: Array32
    odds: Array32
    cells: Array32
    cells_bias: Array32

    @classmethod
    def read(cls, file: Path) -> Colours:
        """Those of a file. Raises KeyError for an array that it lacks."""
        with np.load(file, allow_pickle=False) as arrays:
            return cls(*(arrays[each.name].astype(np.float32) for each in fields(cls)))

    def write(self, file: Path) -> None:
        """Into a file, in two bytes each."""
        arrays: dict[str, Any] = {
            each.name: getattr(self, each.name).astype(np.float16) for each in fields(self)
        }
        np.savez_compressed(file, **arrays)

    def red(self, seen: Evidence) -> Array32:
        """(m,) logs of the odds that fives are red."""
        count = len(seen.tiles)
        weights = self.cells.reshape(-1, len(self.cells_bias))
        maps = seen.maps.reshape(count, len(weights), -1)
        cells = np.matmul(weights.T, maps) + self.cells_bias[:, None]
        suits = np.eye(len(SUITS), dtype=np.float32)[seen.suits]
        both = np.concatenate([np.maximum(cells, 0).reshape(count, -1), seen.facts, suits], axis=1)
        told = np.maximum(both @ self.hidden + self.hidden_bias, 0) @ self.last + self.last_bias
        return np.asarray(told + self.odds * seen.facts[:, 0], np.float32)


COLOURS: Final = Colours.read(FILE)
"""The weights that photos are read with."""


def by_maps(probabilities: Array32, maps: Array32, turns: Indices, alone: Array32) -> Array32:
    """The logs (n,) of odds by what compares maps; of what it does not compare those ``alone`` (n,)."""
    told, seen = alone.copy(), evidence(probabilities, maps, turns)
    if len(seen.tiles):
        told[seen.tiles] = COLOURS.red(seen)
    return told


def one_red(odds: Array32, suits: Indices) -> Array32:
    """The logs (m,) of the odds that fives of ``suits`` (m,) are red, by those (m,) of each by itself: where
    one of a suit is red, the others hardly are."""
    alike = (suits[:, None] == suits) & ~np.eye(len(suits), dtype=bool)
    others = np.minimum(alike @ np.log1p(_SECOND * np.exp(odds.astype(float))), _MOST)
    return np.asarray(odds + others - np.log1p(np.expm1(others) / _SECOND), np.float32)


def compare(probabilities: Array32, maps: Array32, turns: Indices) -> Array32:
    """The probabilities (n, classes) with what each five has shared anew between red and plain."""
    tiles, suits, alone = among(probabilities)
    if not len(tiles):
        return probabilities
    odds = by_maps(probabilities, maps, turns, alone)[tiles]
    share = 1 / (1 + np.exp(-one_red(odds, suits[tiles])))
    changed = probabilities.copy()
    red, plain = _RED[suits[tiles]], _PLAIN[suits[tiles]]
    both = probabilities[tiles, red] + probabilities[tiles, plain]
    changed[tiles, red], changed[tiles, plain] = both * share, both * (1 - share)
    return changed
