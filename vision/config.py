"""The hand-set numbers of reading, each with its reason. None of them knows a layout.

What follows from the rules (14 tiles, 4 of a kind) or stands in a network's metadata is not here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GeometryConfig:
    """How tiles are detected, cropped and compared by their outlines."""

    around: float = 4.0
    """Tile sizes about a tile within which its neighbours lie: a second search covers as much."""
    distant: float = 8.0
    """Multiples of ``around`` from which the weight of a neighbour falls no further."""
    small: float = 24.0
    """Side in pixels, at the working size, below which touching tiles merge. The detector then searches their
    part of the photo once more, larger. On drawn tables 21 to 28 pixels do as well."""
    enlarge: float = 2.0
    """Factor by which a search is larger than the usual one at most: its time grows with the square."""
    shrink: float = 1 / 3
    """Factor for a photo in which no tile was detected: it may show a few tiles from very near."""
    candidates: int = 600
    """Peaks of the heat map at most: comparing all pairs of more takes too long."""
    decided: float = 0.5
    """Length of a predicted direction (a unit vector) below which the detector wavers between two directions:
    their mean is short and points nowhere."""
    centre: float = 0.45
    """Distance from a tile's centre, in its sides, within which the centre of another outline of the same
    tile lies: nearly to the edge, which is at a half."""
    aspect: float = 0.75
    """Width by height of a face, about the same in all sets."""
    sampling: float = 1.5
    """Photo pixels for a crop pixel up to which bilinear sampling keeps fine strokes."""
    corner_shift: float = 0.5
    """Tile sides that the classifier may move a corner: farther off lies the next tile."""
    readable: float = 9.0
    """Side in pixels below which faces cannot be classified."""
    sharp: float = 12.0
    """Variance of the Laplacian, at the detector's working size, below which a photo is blurred. Of 60
    training photos all had 80 and more; blurred by 2.5 pixels, 95 % had 8 and less."""
    negative_gamma: float = 1.5
    """Exponent that keeps black tiles apart from dark cloth in a negative."""


@dataclass(frozen=True, slots=True)
class SceneConfig:
    """How a photo is read."""

    detection_threshold: float = 0.12
    """Heat from which a peak is a detection: below, drawn scenes have a hundred false ones a true one."""
    max_detections: int = 160
    """Detections kept, the best: a whole table shows some 136 tiles."""
    frame_detections: int = 48
    """The same for a frame of a camera: a hand and what is about it."""
    corner_tolerance: float = 0.04
    """Tile sides by which corners may be off so that a second crop would show nothing new."""
    corner_error: float = 0.15
    """Tile sides by which corners are so far off that the face must be classified again."""
    confident: float = 0.9
    """Probability from which an answer of a network stands without a question: a face, an indicator, a tile
    that somebody pointed at. Training smoothed the labels by 0.05."""
    certain: float = 0.98
    """Probability from which a whole hand, or a discard turned for riichi, stands without a question: what it
    decides costs points (``python -m models.tables``)."""
    max_log_odds: float = 9.0
    """Bound on the log odds of the scene model: it was never that sure on so many tiles."""
    framed: float = 0.5
    """Log odds at least of a face within a frame to be in the hand: the frame says so, the rules may not."""
    max_group: float = 16.0
    """Tiles of a player at most, a called one counted as three quarters: two more than a hand has, and the
    rules choose among them."""
    finished: float = 2.0
    """Prior log odds that a hand is finished: most that are photographed are."""
    min_group: int = 4
    """Tiles from which a group is a player's hand: one with four called sets shows more."""
    margin: float = 6.0
    """Log odds by which a reading, or a face, may be less likely than the best and still be compared."""
    partial: float = -5.0
    """Log odds at most of an unfinished hand without 13 tiles: of 45 on drawn scenes 6 were right."""
    rare: float = 3.0
    """Log odds against what happens one time in twenty: a fourteenth tile in an unfinished hand, a called set
    without a sideways tile, a set whose tiles the scene model does not see as one."""
    neighbours: int = 4
    """Tiles about each that are compared with it: one more than others of the largest set."""
    alternatives: int = 3
    """Alternatives that are compared: called sets of a tile, kinds of a set, winning tiles, doubts. More
    questions than that are not answered."""
    missed_back: float = 3.4
    """Log odds against a missed back of a closed kan, measured: of 532 on drawn scenes, 18."""
    search_width: int = 6
    """Layouts of called sets, and ambiguous tiles in each, that the search tries."""
    likely: float = 0.5
    """Probability from which something is rather so than not: a detection is a tile, a face can be read."""
    possible: float = 0.3
    """Probability from which what is not listed is still considered: an indicator for a doubt, a tile of a
    hand for the second pass."""
    doubt_share: float = 0.1
    """Likelihood, relative to the best reading, from which another one becomes a doubt. One in ten right
    hands has such a doubt; from 0.02 on four would, for two more wrong ones of 165 in doubt."""
    second_pass_side: float = 64.0
    """Side in pixels of a tile in the second pass: half as large again as in the first."""
    apart: float = 0.7
    """Sides from a tile of a hand within which the second pass detects no other: the next is a side away."""
    double: tuple[float, float] = (1.27, 1.6)
    """Size of an outline that shows two tiles, relative to its neighbours: √2, give or take its corners."""
    adjacent: float = 2.0
    """Sizes of a tile within which the centre of one beside it lies: a gap of a tile's width at most."""
    impossible: float = -25.0
    """Log probability of a face that no hand makes up for."""
    min_share: float = 1e-3
    """Probability that counts as no different from 0; its complement from 1."""

    @property
    def excluded(self) -> float:
        """Log probability of a face that a person excludes: no role makes it possible."""
        return self.impossible - 2 * self.max_log_odds


@dataclass(frozen=True, slots=True)
class RiverConfig:
    """How rivers are read; lengths in heights of a tile where no unit is given."""

    min_discards: int = 3
    """Discards from which the table can be rectified: two do not show how it slopes."""
    apart: float = 2.5
    """Distance within which the next discard of a river lies: players lay none farther off."""
    middle: float = 2.8
    """From the first row of a river to the middle of the table: 50 to 85 mm, and half a tile."""
    row: float = 0.5
    """Distance across a row within which tiles are of one row: half a tile."""
    level: float = 0.4
    """The same for two neighbours that show how a row is tilted: further off they may be of two rows."""
    beside: float = 1.7
    """Distance to the next tile but one of a row, and from an indicator to the next back of its wall."""
    upside_down: float = 0.2
    """Share of discards that lie upside down: players do not turn what they drew."""
    orientation: float = 1.5
    """Log odds that the tops of a river point to the others, a height between them; and that the shorter of
    its first and last row is the last."""
    stand: float = 0.4
    """Weight of how a hand's tiles stand in whose it is, beside where they lie: less than a whole side of the
    table, more than a corner."""
    outside: float = 10.5
    """Distance from the middle beyond which hands lie: 95 % of 822 tiles of drawn walls are within 10.1."""

    # Logistic regression on 7,104 discards of 350 drawn tables: whether a discard lies on its side.
    sideways_bias: float = -3.7
    """Fitted: log odds of one that looks like the others. One in 24 does."""
    sideways_outline: float = 9.0
    """Fitted: for the logarithm of its width by its height, beside the others of its river."""
    sideways_face: float = 0.4
    """Fitted: for the classifier's log odds that its face is upright."""

    # Logistic regression on 895 rivers of these tables: whether a river is one player's and in order.
    river_bias: float = -1.6
    """Fitted: log odds for one discard."""
    river_count: float = 1.4
    """Fitted: for the logarithm of the number of discards."""
    river_pairs: float = 0.15
    """Fitted: for the mean log odds of their pairs to be of one player ..."""
    river_pairs_limit: float = 8.0
    """Fitted: ... and the bound of that mean."""

    stick_contrast: float = 30.0
    """Grey levels by which a riichi stick is brighter than what is about it. It finds 99 of 194 sticks on
    drawn tables, and takes 2 of 273 rivers without one for a river with one."""
    stick_unit: int = 12
    """Pixels of a tile's width in which a stick is searched for: it is then some four pixels thick."""
    stick_length: int = 4
    """Tile widths of a stick: 86 mm, less its round ends."""
    stick_core: int = 3
    """Pixels of a stick's thickness without its edges."""
    stick_distance: float = 1.25
    """From the first row of a river to its stick."""
    stick_turn: int = 24
    """Degrees by which a stick may be turned against the row ..."""
    stick_step: int = 6
    """... and from one turn that is tried to the next: its ends then stay on the template."""


GEOMETRY = GeometryConfig()
CONFIG = SceneConfig()
RIVERS = RiverConfig()
