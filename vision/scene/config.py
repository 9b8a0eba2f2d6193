"""The numbers that the stages rest on, each with its reason. None of them knows a layout."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SceneConfig:
    """How a photo is read."""

    faint: float = 0.12
    """Heat from which a peak is a detection: below, training scenes hold a hundred false ones a true one."""
    most: int = 160
    """Detections kept, the best: a whole table shows some 136 tiles."""
    glimpsed: int = 48
    """Of these as many of a camera's frame: a hand and what is about it."""
    lies_well: float = 0.04
    """Tile sides by which corners may be off so that a crop cut anew would show nothing new."""
    lies_badly: float = 0.15
    """Tile sides from which on the crop was so badly cut that its face must be read again."""
    sure_face: float = 0.9
    """Probability from which a face needs no second crop and is in no question: training smoothed its labels
    by 0.05."""
    surely: float = 9.0
    """Log odds beyond which the scene model is taken at no more: it was never that sure on so many tiles."""
    framed: float = 0.5
    """Log odds at least of a face within a frame to be in the hand: the frame says so, the rules may not."""
    together: float = 16.0
    """Tiles of a group at most, one of a called set counted as three quarters: two more than a hand has, and
    the rules choose among them."""
    finished: float = 2.0
    """Log odds of a hand to be finished before its tiles are looked at: most that are photographed are."""
    fewest: int = 4
    """Tiles from which a group of them is a player's hand: one with four called sets shows more."""
    margin: float = 6.0
    """Log odds by which a reading may be less likely than the best and still be weighed against it."""
    part: float = -5.0
    """Log odds at most of a hand that is not finished and has no 13 tiles: of 45 on drawings of development 6
    were right."""
    drawn: float = 3.0
    """Log odds at least of the fourteenth tile of a hand that is not finished: it has one between a draw and
    a discard alone, at one moment in twenty."""
    near: int = 4
    """Tiles about each in which its called set is looked for: one more than the largest set has."""
    sets: int = 3
    """Called sets that are weighed of each tile, the likeliest."""
    unturned: float = 3.0
    """Log odds against a called set of three of which no tile lies on its side: the rules turn the called
    tile, but not all players do."""
    escaped: float = 3.4
    """Log odds against one back of a closed kan having escaped the finder: of 532 on training drawings of
    which one or both were found, 18."""
    layouts: int = 6
    """Choices of called sets for each of which the concealed tiles are decoded."""
    unreadable: float = 0.5
    """Probability below which a tile that is in no hand is listed as one whose face cannot be read."""
    shown: float = 0.5
    """Probability that a detection is a tile at all from which it is listed."""
    indicator: float = 0.9
    """Probability from which a tile is listed as an indicator of the dora, or of the ura: what is listed
    scores."""
    maybe: float = 0.3
    """Probability from which one that is not listed is in question."""
    share: float = 0.1
    """Share, beside the best reading, of another one that is worth a question: of right hands one in ten has
    such a one. From 0.02 on it would be four, for two more wrong ones in 165 that are asked about."""
    doubts: int = 3
    """Readings that are asked about at most: more questions than that are not answered."""
    again: float = 64.0
    """Pixels of a tile's side in the second look: half as many again as the finder wants at first."""
    apart: float = 0.7
    """Sides from a tile of a hand within which a second look finds no other: beside it one lies a whole side
    off."""
    double: tuple[float, float] = (1.27, 1.6)
    """How many times as long in its sides as the tiles beside it an outline is that shows two: 1.41, and what
    corners are off."""
    half: float = 0.5
    """Heat of each of these two, neither of which was seen by itself: in the middle."""
    beside: float = 0.3
    """Probability of being in anyone's hand from which a tile says where to look again."""


CONFIG = SceneConfig()


@dataclass(frozen=True, slots=True)
class RiverConfig:
    """How rivers are read."""

    fewest: int = 3
    """Discards from which the table can be seen from above: two do not tell how it slopes."""
    apart: float = 2.5
    """Heights of a tile within which the next discard of a river lies: farther off nobody lays one."""
    middle: float = 2.8
    """Heights of a tile from the first row of a river to the middle of the table: 50 to 85 mm, as people lay
    rivers, and half a tile."""
    overturned: float = 0.2
    """Share of discards that lie upside down: people do not turn what they drew."""
    middlewards: float = 1.5
    """Log odds that a river's tops point to the other rivers, for each height of a tile between them."""
    shorter: float = 1.5
    """Log odds that of a river's first and last row the shorter one is the last."""
    stand: float = 0.4
    """How much the way in which a hand's tiles stand says whose it is, beside where they lie: less than a
    whole side of the table, more than a corner."""
    shift: float = -3.7
    """Log odds that a tile lies on its side which looks like the others: one in 24 does. This and the next
    two: logistic regression on 7,104 discards of 350 drawn tables."""
    outline: float = 9.0
    """Log odds for each unit of the logarithm of its width by its height, beside the others of its river."""
    face: float = 0.4
    """Log odds for each log odds of the face network that its face stands upright."""
    stick: float = 30.0
    """Grey levels by which a riichi stick is brighter than what lies about it: found of 194 sticks before
    drawn rivers 99, of 273 rivers without one 2."""
    alone: float = -1.6
    """Log odds that one discard by itself has the right owner. This and the next two: logistic regression on
    895 rivers of these tables."""
    each: float = 1.4
    """Log odds for the logarithm of how many discards are seen together."""
    pairs: float = 0.15
    """Log odds for the mean log odds of their pairs to be of one player."""
    outside: float = 10.5
    """Heights of a tile from the middle of the table beyond which hands lie and hardly ever a wall: 95 % of
    822 tiles of drawn walls lie within 10.1."""
    closed: int = 5
    """Backs that are a hand which does not lie open; fewer may be others."""
    beside_wall: float = 1.6
    """Heights of a tile from an indicator to the next back of its wall at most."""


RIVERS = RiverConfig()
