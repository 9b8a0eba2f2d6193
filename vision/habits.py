"""Every number on which table, rows, groups, decoding and mends rest, in one table.

Each line says what a number is known from: ``principled`` (it follows from the rules or from a tile's shape),
``measured`` (on what) or ``chosen`` (by hand: on synthetic layouts, ``tests/vision/layouts.py``, and rendered
and training photos, never on evaluation photos). Prices are natural logarithms of odds, lengths millimetres
of the table, angles radians, unless a line says otherwise. A photo is read with other habits by
``Engine(habits=replace(HABITS, rows=replace(HABITS.rows, touch=7.0)))``; :func:`listed` has them as data.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from math import radians
from typing import Literal, TypeVar

from vision.plane import TILE_HEIGHT, TILE_WIDTH
from vision.weights import TERMS, WEIGHTS, Weights

Kind = Literal["principled", "measured", "chosen", "fitted"]
_T = TypeVar("_T", int, float)


def principled(value: _T, reason: str) -> _T:
    """A number that follows from the rules of the game or the shape of a tile."""
    return field(default=value, metadata={"kind": "principled", "reason": reason})


def measured(value: _T, reason: str) -> _T:
    """A number that was measured; the reason says on what."""
    return field(default=value, metadata={"kind": "measured", "reason": reason})


def chosen(value: _T, reason: str) -> _T:
    """A number that was set by hand; the reason says what it is for."""
    return field(default=value, metadata={"kind": "chosen", "reason": reason})


@dataclass(frozen=True, slots=True)
class RowHabits:
    """Tiles in the plane, the directions that may be up, and which tiles are neighbours."""

    floor: float = chosen(1e-6, "added to probabilities before their logarithm: nothing is impossible")
    corner_believed: float = chosen(0.97, "that a quad starts at its face's top left, where no network says")
    corner_rest: float = chosen(0.0075, "that it starts at any one of its corners instead")
    square_trust: float = chosen(0.05, "what a face that looks alike on its side tells of the plane")
    shape_odds: float = measured(
        20.0,
        "what the log of height by width counts for a quad's first edge being a short side; on rendered "
        "photos the shape alone errs for 2 % of the tiles, the network's turn alone for 1.3 %, both 0.5 %",
    )
    most_odds: float = chosen(5.0, "neither the shape nor the network's turn is surer than this")
    square_turn: float = chosen(0.5, "what the network's turn of a face alike on its side counts, as a share")
    turn_floor: float = chosen(0.01, "added to the probabilities of turns before their ratio is taken")
    odd_size: float = chosen(1.35, "a quad longer or shorter than a tile by this factor is no whole tile")
    odd_quality: float = chosen(3.0, "how fast, by that factor's log, a quad loses to others on its spot")
    whole_below: float = chosen(0.5, "what is as likely no face is no whole tile")
    same_spot: float = chosen(0.68 * TILE_WIDTH, "two faces cannot lie closer than this")
    maybe_back: float = chosen(1e-3, "a tile less likely than this to be a back does not lie face down")
    stray_price: float = chosen(4.5, "what taking a tile for none costs at least, but for its doubt")
    stray_sure: float = chosen(1.6, "by how much that grows with the log of how sure its face is")
    stray_back: float = chosen(2.0, "what taking a sure back for none costs: walls and cloth have many")
    stray_floor: float = chosen(0.002, "no face is surer than all but this")

    most_directions: int = chosen(3, "directions, four ways each of them, that may be the hand's up")
    votes_within: float = chosen(radians(10), "tiles turned as little from one another vote for a direction")
    turned_within: float = chosen(radians(15), "tiles turned as little from a direction settle it")
    least_votes: int = chosen(3, "a second direction needs as many tiles")
    aslant: float = chosen(radians(25), "a tile farther from upright and sideways is none of the frame's")

    touch: float = chosen(0.35 * TILE_WIDTH, "a gap wider than the usual one by more parts two groups")
    usual_touch: float = chosen(1.3, "gaps up to so many times that tell which one is usual")
    overlap: float = chosen(0.4 * TILE_WIDTH, "how far two neighbours' quads may run into each other")
    stagger: float = chosen(0.45 * TILE_HEIGHT, "how far a neighbour may be pushed up or down")
    stagger_price: float = chosen(0.6, "what that counts beside the gap where neighbours are chosen")
    stacked: float = chosen(4.0, "two tiles one above the other may be a kakan's if lying costs both less")
    stacked_alike: float = chosen(7.0, "the same where they and an upright one beside them are of one kind")
    stacked_unlike: float = chosen(3.0, "of two that both surely lie it may cost less to be of one kind")
    stacked_aside: float = chosen(8.0, "how far they may lie beside one another")
    stacked_from: float = chosen(13.0, "the least that one of them lies above the other; a tile is 19 wide")
    stacked_to: float = chosen(24.0, "the most that one of them lies above the other")


@dataclass(frozen=True, slots=True)
class GroupHabits:
    """What a run of neighbours may be."""

    lean: float = chosen(7.0, "a tile this surely upright is never taken as a sideways one, nor otherwise")
    back_turned: float = chosen(1.0, "backs show so little of their turn that it counts for no more")
    back_face: float = chosen(
        0.2, "a back that is this likely a face shows its turn as that does: it may be a white dragon's"
    )
    walled: float = chosen(3.0, "an ankan with one more back beside it is part of a wall")
    wall_face: float = chosen(0.5, "what is less likely a face than this is such a back")
    stray: float = chosen(6.5, "at a price below this a tile may be none even in the middle of a run")
    loose: float = chosen(6.0, "a gap at which it is even odds whether a neighbour is set apart")
    per_mm: float = chosen(0.8, "by how much each millimetre more or less moves those odds")
    on_top: float = chosen(1.5, "the winning tile lies upon the edge of one within the row")
    meld_denied: float = chosen(2.0, "three tiles by themselves, one turned, that make a set are none")
    touching: float = chosen(1.0, "a meld touches the closed tiles")
    melds_first: float = chosen(1.5, "closed tiles lie to the right of melds that they touch")
    chi_turned: float = chosen(1.5, "a chi is called from the left, yet another tile than its left is turned")
    likely_meld: float = chosen(-3.0, "with this score or a better one tiles make a set as it is called")
    worst: float = chosen(-13.0, "what is this unlikely by itself makes no hand, whatever lies around")


@dataclass(frozen=True, slots=True)
class TableHabits:
    """Which runs are the hand."""

    most_frames: int = chosen(6, "directions in which a hand is looked for, those of the longest runs")
    least_frame: float = chosen(0.2, "the share of the best one's runs that another direction needs")
    most_layouts: int = chosen(32, "layouts that are weighed")
    most_players: int = chosen(8, "hands that share no half of their tiles")
    most_alike: int = chosen(6, "layouts of one of them")
    widest: int = chosen(40, "hands of a direction of which it is asked whether they are complete")
    most_cores: int = chosen(8, "runs of a direction that a hand is built around")
    most_lonely: int = chosen(2, "and short ones beyond these, next to many melds")
    most_neighbours: int = chosen(14, "runs that may be joined to one of them")
    ways_kept: int = chosen(3, "ways to reach the same numbers of tiles that stay while runs are joined")
    most_tiles: int = chosen(17, "runs are joined up to so many tiles, that too many can be named")

    head_down: float = chosen(-4.0, "a row whose tiles say so much that they lie head down is left out")
    most_votes: float = chosen(8.0, "what the tiles' own way up counts for at most")
    no_face: float = chosen(0.1, "a run's end less likely a face is cloth, box or wall but in an ankan")
    many_melds: int = chosen(3, "melds in reach from which on one or two closed tiles may be all")
    block: float = chosen(2 * TILE_HEIGHT, "so near to one another are melds of a block or a line")
    few_closed: int = chosen(2, "so many closed tiles are few")
    nearness: float = chosen(3.0, "a hand twice as far from the camera is this times log 2 less likely meant")
    away: float = chosen(0.7, "a hand is seen from its own player's side rather than from across")

    legal: float = chosen(6.0, "the hand is complete by its likeliest labels")
    set_apart: float = chosen(0.5, "of 14 tiles one is set apart as the winning one")
    waiting: float = chosen(2.0, "there are 13 tiles")
    odd_count: float = chosen(4.0, "there are neither 14 tiles nor 13")
    per_tile: float = chosen(0.7, "each tile more or less than 14")

    in_line: float = chosen(0.5 * TILE_HEIGHT, "what lies above or below by less is in line")
    straight_from: int = chosen(5, "with so many tiles their middles tell which way a run goes")
    off_line: float = chosen(0.6 * TILE_HEIGHT, "how far a group on a line may lie above or below another's")
    off_line_slope: float = chosen(0.08, "by how much of the gap between them that grows")
    run_into: float = chosen(0.5 * TILE_WIDTH, "how far groups on one line may run into each other")
    line_within: float = chosen(14 * TILE_WIDTH, "the widest gap on one line: a row's length")
    split: float = chosen(1.2, "the closed tiles lie in two groups on one line")
    lonely: float = chosen(2.5, "a single tile set apart is not the winning one")
    far: float = chosen(0.15, "each tile's width between groups on one line")
    left_out: float = chosen(2.0, "a run that nearly touches the hand is no part of it")
    left_out_within: float = chosen(2 * TILE_WIDTH, "so close is nearly touching")
    wrong_side: float = chosen(2.0, "melds lie to the left of the closed tiles")
    melds_away: float = chosen(1.0, "melds lie on another line than the closed tiles")
    melds_far: float = chosen(0.05, "each tile's width between them")
    beyond: float = chosen(1.0, "each tile's height more than those below that they lie off the row")
    beyond_from: float = chosen(2.0, "tiles' heights off the row that melds may lie: then come walls")
    second_row: float = chosen(2.5, "the closed tiles lie in two rows; twice that for a third one")
    second_row_within: float = chosen(2 * TILE_WIDTH, "the widest gap along the row between two rows")
    second_row_from: float = chosen(0.6 * TILE_HEIGHT, "the least that rows lie above one another")
    third_row_from: float = chosen(1.85 * TILE_HEIGHT, "from here on there is room for a row between them")
    third_row_to: float = chosen(2.9 * TILE_HEIGHT, "the most that rows lie above one another")

    win_within: float = chosen(2.5, "the winning tile lies between closed tiles")
    win_on_left: float = chosen(1.5, "the winning tile lies to the left of the closed tiles")
    win_reach: float = chosen(4.5 * TILE_WIDTH, "the farthest from the row that a winning tile is set apart")
    win_by_an_end: float = chosen(2.4 * TILE_WIDTH, "how far along the row one above it lies from its end")
    win_above_from: float = chosen(15.0, "the least that it lies above the row")
    win_above_to: float = chosen(40.0, "the most that it lies above the row")
    win_above: float = chosen(0.3, "the winning tile lies above the row")
    win_above_left_out: float = chosen(0.5, "a tile that lies there is no part of the hand")

    hole_known: float = chosen(0.5 * TILE_WIDTH, "holes closer to one another than this are one")
    spare_face: float = chosen(0.8, "a face as likely at a row's end cannot be overlooked")
    spare_reach: float = chosen(2 * TILE_WIDTH, "so near to it")


@dataclass(frozen=True, slots=True)
class DecodeHabits:
    """When the rules of a hand may overrule its pixels. Losses are natural logarithms of likelihood."""

    reds: int = principled(1, "red fives a suit")
    tile: float = chosen(
        4.6, "the most that one tile may lose: its face had 1 % of the likeliest one's share"
    )
    bare: float = principled(0.5, "a back or a white dragon, more probably than anything that has a print")
    certain: float = principled(0.93, "what is seen this surely is not overruled by the rules of a hand")
    total: float = chosen(6.0, "the most that a hand may lose")
    tenpai: float = chosen(2.0, "the same for 13 tiles, which need not be tenpai at all")
    unsure: float = chosen(0.6, "in a hand that is none a face less probable than this is to be checked")
    alternatives: int = chosen(5, "faces that a tile may have")
    most_tried: int = chosen(1500, "combinations tried before the pixels are believed: about 10 ms")
    most_waits_tried: int = chosen(150, "the same of 13 tiles, each with every tile that may finish it")
    answers: int = chosen(3, "ways to label a layout that are weighed")
    span: float = chosen(4.0, "what is so much less likely than the best of them is not")
    loose: float = chosen(0.5, "the least of a face that lies loose and may finish a hand")
    most_loose: int = chosen(3, "such tiles that are weighed, the nearest")


@dataclass(frozen=True, slots=True)
class MendHabits:
    """Quads that cannot be whole tiles, made whole."""

    alike: float = chosen(0.2, "how far a side, as a log, may be from one of two tiles or of half a tile")
    far: float = chosen(4.5 * TILE_WIDTH, "from the hand's tiles to one that may be its winning tile")
    fits: float = chosen(4.0, "how far a gap may be from a tile's side to be one that was missed")
    hands: int = chosen(
        6, "answers whose hands are mended at most: what is not seen makes the wrong one likelier"
    )
    likely: float = chosen(0.01, "the share of an answer that is one of these")
    rounds: int = chosen(2, "a mended hand shows where else something is to be mended, but not for ever")


@dataclass(frozen=True, slots=True)
class LookHabits:
    """What counts as seen, and when the scene model is asked. Shares are probabilities."""

    most_tiles: int = chosen(250, "a photo with more is refused; four players' tiles are 136")
    indicators: int = principled(5, "indicators that lie open: four kans turn over four more")
    crowd: int = chosen(3, "so many times the most tiles are looked at: patterned cloth misleads the finder")
    most_briefly: int = chosen(48, "of a camera's frame so many tiles are named: a hand and what is about it")
    frames_briefly: int = chosen(3, "and in so few directions a hand is looked for there")
    cores_briefly: int = chosen(5, "and around so few runs")
    layouts_briefly: int = chosen(12, "and so few layouts are weighed")
    rim: float = chosen(0.1, "what is looked at around a region, in its sides: tiles need what is about them")
    sure: float = chosen(
        0.95, "the scene model is asked where a finished hand has a smaller share of all answers"
    )
    found_later: float = chosen(0.6, "the least of a face that the finder missed and its place gave away")
    back_alike: float = chosen(0.2, "the least of a back that looks like the other one of its ankan")
    back_unlike: float = measured(
        0.8,
        "the least of a back there that does not; of 171 scenes of seeds 905 and 906 that show what looks "
        "like one four more finished hands are read so, and two less that are none",
    )
    white_alike: float = chosen(
        0.2, "the least of a white dragon that looks like the one beside it: by its colour it is no back"
    )
    print_sure: float = measured(
        0.8,
        "the least of a printed face whose colour counts, and of one that was sought and serves no hand; of "
        "1,057 tiles that were sought and served none on scenes of seed 905 this and its colour leave 684 "
        "of 798 that lie there, 50 of 259 that do not",
    )
    idle_like: float = measured(
        0.5, "how far it may be from that of the faces about it, in logs of light, by the same scenes"
    )
    beside: int = chosen(6, "so many of the faces about it")
    sliver: float = measured(
        0.7,
        "how narrow a white dragon of no hand may be beside the tile nearest to it; of 73 that were none but "
        "sides and cloth on 150 heaps of tiles (seed 3001) 25 were narrower, of 83 that were some 4",
    )
    core: int = chosen(5, "a hand of fewer tiles does not tell where to look: there all are looked at")


@dataclass(frozen=True, slots=True)
class VerdictHabits:
    """What may be said of a photo."""

    smallest: float = chosen(9.0, "pixels of a tile's side below which faces cannot be told apart")
    unreadable: float = measured(
        0.75,
        "a face less probable than this becomes “?” outside the hand; on 1,235 scenes of seed 905 303 of "
        "1,309 between 0.3 and this were right, 85 of the next 161; on 150 heaps of tiles (seed 3001) 35 of "
        "76",
    )
    unreadable_white: float = measured(
        0.9,
        "the same of a white dragon, which sides of tiles, cloth and paper look like; of 291 below this on "
        "those scenes 36 were right and 132 lay on no tile, of 59 in those heaps 4 and 35",
    )
    sharp: float = measured(
        12.0,
        "variance of the Laplacian below which a photo is called blurred; of 60 training photos all had 80 "
        "and more as they are, blurred by 2.5 pixels 95 % had 8 and less",
    )
    sharp_side: int = chosen(640, "pixels of the longer side at which that is measured")


@dataclass(frozen=True, slots=True)
class DoubtHabits:
    """When a reading is in question, beside that it is not sure."""

    torn: int = measured(
        2,
        "so many called sets of another finished hand may not have been seen; of 35 such hands of seeds 914 "
        "to 918 five had been finished",
    )
    whole: int = measured(
        11,
        "tiles of a row, one set not seen, from which another player may have finished; of 3,168 hands of "
        "seeds 905 and 906 1,183 have them beside them, and all ten beside which one went unnoticed",
    )
    least: float = chosen(0.02, "the share of an answer that is told as another way to see the hand")
    most: int = chosen(4, "such answers that are told")
    fourth: float = measured(
        0.1,
        "how probable the fourth tile of a kan is where a called three lies at the photo's edge; of 21 such "
        "hands of seeds 905 and 906 two had one",
    )
    another: float = chosen(
        2 * TILE_HEIGHT, "a tile of a called three's kind this near to one of them may be its fourth"
    )
    fetched: float = chosen(
        5 * TILE_WIDTH, "a winning tile this far from the nearest closed one may be anybody's"
    )
    won: float = measured(
        0.7,
        "a winning tile less likely what the row waits on may be another; of 256 scored hands of seed 914 "
        "four have one, all of them wrong",
    )
    wall: int = chosen(5, "backs side by side that are a wall")


@dataclass(frozen=True, slots=True)
class TermHabits:
    """How far a tile has to lie for a term to count (vision/terms.py)."""

    least_label: float = chosen(1e-4, "no label counts as less probable, or one tile outweighs thirteen")
    skew: float = chosen(radians(20), "a winning tile this far askew counts 1")
    near: float = chosen(20.0, "mm within which no distance from the row counts")
    farthest: float = chosen(12.0, "widths beyond which far is far")
    in_line: float = chosen(0.5 * TILE_HEIGHT, "what lies off the row by less is in line")
    most_odd: int = chosen(8, "tiles from 14 beyond which a hand is no odder")
    most_gap: float = chosen(20.0, "mm beyond which a gap is a gap")
    sets_apart: float = chosen(0.25 * TILE_WIDTH, "a gap wider than any other by so much sets a tile apart")
    level_by: int = chosen(4, "nearest tiles along a row whose middle height tells its line there")
    unlevel: float = chosen(0.25 * TILE_HEIGHT, "so far tiles of a row that was laid without care lie off it")
    stands_off: float = chosen(
        0.5 * TILE_HEIGHT, "one that lies off it by so much more than any other is no other"
    )
    next_to: float = chosen(1.25 * TILE_WIDTH, "so far are the middles of tiles that lie next to one another")
    next_fades: float = chosen(0.5 * TILE_WIDTH, "by so much more none is next to a tile")
    like: float = measured(
        0.3,
        "how far, in logs of light, the colours of tiles of one set may differ: of 1,350 winning tiles of "
        "seed 905 that were taken rightly 97 % differ by less, of six that were made up three",
    )
    most_unlike: float = chosen(1.5, "beyond which a tile is no more unlike the others")
    strange: float = measured(
        0.4,
        "how far beyond that a tile is none of the hand that was only looked for because the hand lacked it; "
        "of 134 hands of seeds 1082 and 905 that were rightly read with such tiles 4 had one, sought or not",
    )
    spare_face: float = chosen(0.5, "the least of a face that is left out")
    sure_face: float = chosen(0.8, "the least of a face elsewhere that counts as one of its kind")
    most_fifths: int = chosen(4, "tiles too many beyond which a hand is no odder: a printed sheet has more")
    spare_reach: float = chosen(1.7 * TILE_WIDTH, "so near to a tile of the row")
    touching: float = chosen(1.25 * TILE_WIDTH, "middles of tiles that touch")
    around: float = chosen(1.5 * TILE_HEIGHT, "middles of tiles that lie around another")
    crowd: float = chosen(3 * TILE_WIDTH, "as far from a hand's tiles faces crowd it")
    most_passed: int = chosen(4, "faces nearer than a winning tile beyond which more say no more")
    long_run: int = chosen(4, "neighbours that may be a player's row")


@dataclass(frozen=True, slots=True)
class Habits:
    """How people lay tiles and what a photo has to show, a group for each room of the reading."""

    rows: RowHabits = RowHabits()
    groups: GroupHabits = GroupHabits()
    table: TableHabits = TableHabits()
    decode: DecodeHabits = DecodeHabits()
    mends: MendHabits = MendHabits()
    looks: LookHabits = LookHabits()
    terms: TermHabits = TermHabits()
    doubts: DoubtHabits = DoubtHabits()
    verdict: VerdictHabits = VerdictHabits()
    weights: Weights = WEIGHTS


HABITS = Habits()
"""The habits that photos are read with."""


@dataclass(frozen=True, slots=True)
class Habit:
    """A number as data. ``name``: its group and its own, as in ``rows.touch``."""

    name: str
    value: float
    kind: Kind
    reason: str


def listed(habits: Habits = HABITS) -> Iterator[Habit]:
    """Every number of the table, in its order."""
    for (name, reason), value in zip(TERMS.items(), habits.weights.terms, strict=True):
        yield Habit(f"weights.{name}", value, "fitted", reason)
    for group in fields(habits):
        if group.name == "weights":
            continue
        values = getattr(habits, group.name)
        for each in fields(values):
            what = each.metadata
            yield Habit(f"{group.name}.{each.name}", getattr(values, each.name), what["kind"], what["reason"])
