"""Red fives told from plain ones by pictures of their colours.

What marks a red five may be a thin frame, a dot, one red stick: less than the face network keeps of a tile.
So a picture of each five that is in question, of how its colours differ from the white around its print, is
held against those of the other fives of its kind, of what else is of its suit, and of other suits: what these
have, too, is no mark.

The network, ``vision/inks.onnx``, and the layer on it, ``inks.npz``, are fitted on renders by ``python -m
models.inks``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from vision import whites
from vision.arrays import Array32, Indices, Mask, Pixels
from vision.layer import Layer
from vision.stages import See, seen_beneath

FILE: Final = Path(__file__).with_name("inks.npz")

Crops = Callable[[Indices], Pixels]
"""The crops (k, H, W, 3) of some tiles of a photo, all of them upright."""

FACTS: Final = 11
"""How many :attr:`Evidence.facts` there are of a five."""

_MOST = 24
"""Tiles other than fives whose pictures are looked at; of more, so many of all parts of the photo."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is to be said of the colours of m fives. ``suits`` (m,): of :data:`vision.fives.SUITS`;
    ``pictures`` (m, 4, 3, H, W): of the five itself (:func:`pictures`), and the means of the other fives of
    its kind, of what else is of its suit, and of other suits without their fives; its own where none are.

    ``facts`` (m, 11): the log of odds that it is red by the network alone; the mean and the least of those of
    all other fives of its kind, the mean and the highest of the fives of other suits; whether it was seen on
    its side; whether there are others of each of the three kinds of pictures; logs of how many other fives of
    its kind there are, and of other suits.
    """

    suits: Indices
    pictures: Array32
    facts: Array32

    def where(self, kept: Mask) -> Evidence:
        """Some of them."""
        return Evidence(self.suits[kept], self.pictures[kept], self.facts[kept])

    def moved(self, right: int) -> Evidence:
        """All pictures moved by so many pixels."""
        return replace(self, pictures=np.roll(self.pictures, right, 4))


def evidence(
    asked: Indices, fives: Indices, suits: Indices, odds: Array32, sideways: Mask, crops: Crops
) -> Evidence:
    """Of ``asked`` (m,), some of all ``fives`` (k,), numbers of tiles of one photo whose ``suits`` (n,) are
    known, -1 of those that have none; ``odds`` (n,): logs of the odds that they are red by the network alone;
    ``sideways`` (n,): seen so."""
    is_five = np.isin(np.arange(len(suits)), fives)
    others = np.flatnonzero((suits >= 0) & ~is_five)
    rest = np.setdiff1d(fives, asked)
    tiles = np.concatenate([asked, rest, others[:: -(-len(others) // _MOST) or 1]])
    alike, five = suits[asked][:, None] == suits[tiles], is_five[tiles]
    kin, strangers = alike & five & (asked[:, None] != tiles), ~alike & five
    those = np.stack([kin, alike & ~five, ~alike & ~five], axis=1)
    known, seen = np.asarray(those.any(axis=2)), pictures(crops(tiles))
    shares = (those / np.maximum(those.sum(axis=2, keepdims=True), 1)).astype(np.float32)
    own = seen[: len(asked), None]
    means = np.where(known[..., None, None, None], np.tensordot(shares, seen, 1), own)
    facts = np.zeros((len(asked), FACTS), np.float32)
    facts[:, 0], facts[:, 5], facts[:, 6:9] = odds[asked], sideways[asked], known
    for first, some, most in ((1, kin, np.min), (3, strangers, np.max)):
        for row in np.flatnonzero(some.any(axis=1)):
            there = odds[tiles[some[row]]]
            facts[row, first : first + 2] = there.mean(), most(there)
    facts[:, 9:] = np.log1p(np.stack([kin.sum(axis=1), strangers.sum(axis=1)], axis=1))
    return Evidence(suits[asked], np.concatenate([own, means], axis=1), facts)


def pictures(crops: Pixels) -> Array32:
    """The colours (n, 3, H, W) of crops (n, H, W, 3) less those around the prints, in logs of light
    (:func:`vision.whites.opponents`)."""
    apart = whites.opponents(crops.astype(np.float32)) - whites.ground(crops)[:, None, None]
    return np.asarray(apart.transpose(0, 3, 1, 2), np.float32)


@dataclass(frozen=True, slots=True)
class Inks(Layer):
    """The weights: of the maps of the four pictures, the facts and the suit."""

    PRECISION = np.int8

    def red(self, seen: Evidence, see: See) -> Array32:
        """(m,) logs of the odds that fives are red; ``see``: what tells the maps of their pictures."""
        maps = see(seen.pictures.reshape(len(seen.suits), -1, *seen.pictures.shape[3:]))
        suits = np.eye(3, dtype=np.float32)[seen.suits]
        both = np.concatenate([maps, seen.facts, suits], axis=1)
        return self.told(seen.facts[:, 0], both)


INKS: Final = Inks.read(FILE)
"""The weights that photos are read with."""

SEE: Final = seen_beneath(FILE)
"""What sees the pictures, where nothing else runs its network."""
