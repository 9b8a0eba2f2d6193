"""Measure how whole tables are read: rivers with owners and order, riichi, sticks, closed hands, walls::

    python -m models.tables runs/held-old runs/held-new

The folders hold drawn scenes (``python -m datasets render``). Scenes without rivers are skipped, and so are
discards that are too small or hidden. A discard's order is right if the same discards of its river come
before it as in the truth. A missed discard is wrong itself, but does not make later ones wrong.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from datasets.renders import Render, read_renders
from models.measure import Reads, today
from models.shares import Share, table
from models.whole_hands import VISIBLE, match_tiles
from vision.arrays import Mask
from vision.players import RIICHI_THRESHOLD, SEATS, SeenRiver
from vision.quads import axes, sizes
from vision.reading import Reading

LARGE: Final = 30.0
"""Square root of a discard's area in pixels from which it counts."""

FIGURES: Final[Mapping[str, tuple[str, str]]] = {
    "discards: owner and order right": ("right", "discards"),
    "discards: owner right": ("owner", "discards"),
    "discards: read as a discard": ("read", "discards"),
    "discards: owner, order and face right": ("face", "discards"),
    "turned tile found, of those well to be seen": ("turned right", "turned"),
    "no turned tile named where none lies": ("straight right", "straight"),
    f"turned tile right, of those named with {RIICHI_THRESHOLD} or more": ("sure right", "sure"),
    "stick found, where one lies before a river": ("stick found", "sticks"),
    "stick named that lies there": ("stick right", "sticks named"),
    "riichi declared, of those by a turned tile and a stick": ("both right", "both"),
    "closed hand named that is one": ("closed right", "closed named"),
    "dead wall named where it lies": ("dead wall right", "dead wall named"),
    "whole rivers right, of those of large tiles": ("river right", "rivers"),
}
"""Figure to two counts: how many are right, and of how many."""


def check_table(reading: Reading, render: Render) -> Counter[str]:
    """Count what is right in one scene."""
    truths = match_tiles(reading, render)
    tile_of = {j: i for i, j in truths.items()}
    near = near_seat(reading, render, truths)
    counts, placed = _named(reading, render, truths, near)
    large = (sizes(render.quads) >= LARGE) & (render.visible >= VISIBLE)
    for owner in range(4):
        mine = [j for j, each in enumerate(render.owners) if each == owner and render.roles[j] == "river"]
        good = []
        for j in (j for j in mine if large[j]):
            counts["discards"] += 1
            whose, river = placed.get(j, (None, None))
            good.append(river is not None and whose == owner and _in_order(j, mine, river, tile_of, render))
            counts["read"] += river is not None
            counts["owner"] += whose == owner
            counts["right"] += good[-1]
            counts["face"] += good[-1] and reading.tiles[tile_of[j]].label == render.labels[j]
        if mine and all(large[mine]):
            counts["rivers"] += 1
            counts["river right"] += all(good)
        if good:
            _count_turned(counts, mine, large, placed, tile_of, render)
    return counts


def _named(
    reading: Reading, render: Render, truths: Mapping[int, int], near: int
) -> tuple[Counter[str], dict[int, tuple[int, SeenRiver]]]:
    """Counts of what the reading says of each player and of the dead wall, and its discards: index in the
    render to owner and river. ``near``: seat of the near player. Renders without ``closed`` have no dead
    wall either."""
    counts: Counter[str] = Counter()
    placed: dict[int, tuple[int, SeenRiver]] = {}
    for player in reading.table or ():
        owner, river = (near + SEATS.index(player.seat)) % 4, player.river
        if river is not None:
            placed |= {truths[i]: (owner, river) for i in river.tiles if i in truths}
            lies = owner in render.sticks
            counts["made up"] += sum(tile not in truths for tile in river.tiles)
            counts["sticks"] += lies
            counts["sticks named"] += river.stick
            for kind in ("stick found", "stick right"):
                counts[kind] += lies and river.stick
            if river.stick and river.turned > 0.5:
                counts["both"] += 1
                counts["both right"] += owner in render.declared
        if player.closed and render.closed is not None:
            counts["closed named"] += 1
            counts["closed right"] += owner in render.closed
    wall = reading.table.dead_wall if reading.table else None
    if wall is not None and render.closed is not None:
        counts["dead wall named"] += 1
        counts["dead wall right"] += (near + SEATS.index(wall)) % 4 == render.dead_wall
    return counts, placed


def near_seat(reading: Reading, render: Render, truths: Mapping[int, int]) -> int:
    """The seat of the hand that was read, or else of the player nearest to the camera."""
    seats = Counter(
        seat for i, tile in enumerate(reading.tiles)
        if tile.role != "other" and i in truths and (seat := render.seats[truths[i]]) is not None
    )  # fmt: skip
    if seats:
        return seats.most_common(1)[0][0]
    _, along = axes(render.quads)
    down = along[:, 1] / np.maximum(np.linalg.norm(along, axis=1), 1e-6)
    upright = np.array([
        owner is not None and not side
        for owner, side in zip(render.owners, render.sideways, strict=True)
    ])  # fmt: skip
    owners = np.array([-1 if owner is None else owner for owner in render.owners])
    there = sorted({int(owner) for owner in owners[upright]})
    return max(there, key=lambda owner: float(down[upright & (owners == owner)].mean()))


def _in_order(
    tile: int, mine: Sequence[int], river: SeenRiver, tile_of: Mapping[int, int], render: Render
) -> bool:
    """Whether a discard was read between the same tiles of its river as in the truth."""
    place = {j: river.tiles.index(tile_of[j]) for j in mine if tile_of.get(j) in river.tiles}
    order = {j: render.orders[j] or 0 for j in place}
    return all((place[j] < place[tile]) == (order[j] < order[tile]) for j in place if j != tile)


def _count_turned(
    counts: Counter[str], mine: Sequence[int], large: Mask, placed: Mapping[int, tuple[int, SeenRiver]],
    tile_of: Mapping[int, int], render: Render,
) -> None:  # fmt: skip
    """Count how the turned tile of a river was read. ``mine``: the river's discards. The river of the reading
    that has most of them decides."""
    rivers = [placed[j][1] for j in mine if j in placed]
    river = max(rivers, key=rivers.count, default=None)
    named = None if river is None or river.turned <= 0.5 else river.tiles[river.riichi]
    sides = [j for j in mine if render.sideways[j]]
    right = bool(sides) and named is not None and named == tile_of.get(sides[0])
    if river is not None and river.turned >= RIICHI_THRESHOLD:
        counts["sure"] += 1
        counts["sure right"] += right
    if not sides:
        counts["straight"] += 1
        counts["straight right"] += named is None
    elif large[sides[0]]:
        counts["turned"] += 1
        counts["turned right"] += right


def report(columns: Mapping[str, Counter[str]]) -> Iterator[str]:
    """Lines of a Markdown table with a column for each folder."""
    rows = [
        (what, *(str(Share(counts[some], counts[whole])) for counts in columns.values()))
        for what, (some, whole) in FIGURES.items()
    ]
    rows += [(what, *(str(counts[what]) for counts in columns.values())) for what in ("made up", "scenes")]
    return table(("", *columns), rows)


def with_rivers(folder: Path) -> list[Render]:
    """The scenes of a folder that have rivers of known players."""
    return [each for each in read_renders(folder) if any(owner is not None for owner in each.owners)]


def measure(folder: Path, reader: Reads) -> Counter[str]:
    """Count over all scenes of a folder that have rivers of known players."""
    total: Counter[str] = Counter()
    for render in with_rivers(folder):
        total += check_table(reader.read(render.path), render)
        total["scenes"] += 1
    return total


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m models.tables", description=__doc__)
    parser.add_argument("renders", type=Path, nargs="+", help="folders of drawn scenes")
    args = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    try:
        columns = {folder.name: measure(folder, today()) for folder in args.renders}
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print("\n".join(report(columns)))


if __name__ == "__main__":
    main()
