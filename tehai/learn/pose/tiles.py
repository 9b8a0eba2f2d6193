"""Name the tile in the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

from scorer.telling.sentence import Line, Sentence, say
from scorer.tiles import KIND_OF, KINDS, TILES, Tile
from tehai.learn.answers import TileAnswer
from tehai.learn.exercise import Exercise, Part, Passage, Setting, Shown
from tehai.learn.pictures import STYLES

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_KINDS: Final = {
    "characters": range(9),
    "circles": range(9, 18),
    "bamboos": range(18, 27),
    "winds": range(27, 31),
    "dragons": range(31, 34),
}
_FIVES: Final = KIND_OF[KINDS:]
_RED_SHARE: Final = 0.7
"""The share of red fives in exercises about them; the others show a plain five, so that one must look."""

_OWN_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Crop:
    """An upright tile, cut from a user's photo."""

    tile: Tile
    picture: Picture


def name_the_tile(what: str, crops: Sequence[Crop], setting: Setting, random: Random) -> Exercise:
    """A tile of that kind: our own drawing, from a rendered photo, or from the user's."""
    tiles = _tiles(what, setting, random)
    own = [crop for crop in crops if crop.tile in tiles and _is_distinct(crop.tile, setting)]
    if own and random.random() < _OWN_SHARE:
        crop = random.choice(own)
        return _exercise(what, crop.tile, Shown(cut=crop.picture), say("origin.photo"))
    tile = random.choice(tiles)
    # every style as likely as the others
    style = random.randrange(len(STYLES)) if _is_distinct(tile, setting) else 0
    shown = Shown(face=(tile, style), drawn=None if style else tile)
    return _exercise(what, tile, shown, None)


def _tiles(what: str, setting: Setting, random: Random) -> list[Tile]:
    if what != "red":
        return [TILES[kind] for kind in _KINDS[what]]
    played = [at for at, many in enumerate(setting.rules.red_fives) if many]
    red = random.random() < _RED_SHARE
    return [TILES[KINDS + at] if red else TILES[_FIVES[at]] for at in played]


def _is_distinct(tile: Tile, setting: Setting) -> bool:
    """Whether a photo shows which tile it is: without colours a red five looks plain."""
    return setting.colours or tile.kind not in _FIVES


def _exercise(what: str, tile: Tile, shown: Shown, origin: Sentence | None) -> Exercise:
    passage = Passage((Line(say(f"tile.{tile}"), groups=((tile,),)), Line(Sentence(f"tip.{what}"))))
    return Exercise(f"tiles.{what}", say("ask.tile"), shown, (Part(TileAnswer(tile)),), (passage,), origin)
