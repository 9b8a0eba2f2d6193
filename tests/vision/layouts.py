"""Hands laid on a table in millimetres and seen by a random camera: what ``vision.table`` must undo.

x runs to the player's right, y away from the player. A tile's angle is anticlockwise seen from above, so
an upright tile has angle 0 and one turned on its left side has 90°.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from scorer.tiles import KINDS
from vision.arrays import Array
from vision.habits import HABITS, Habits
from vision.labels import BACK, CLASSES, FACES
from vision.looks import HandSeen, TilesSeen

W, H = 19.0, 26.0
PLAIN = FACES[:KINDS]
SYMMETRIC = frozenset(
    ["1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "5z", "0p", "0s", "back"]
)
SQUARE = frozenset(["5z", "back"])


@dataclass(slots=True)
class Laid:
    """A tile on the table and what it is for the hand."""

    label: str
    x: float
    y: float
    angle: float = 0.0
    role: str = "other"
    sideways: bool = False
    lift: float = 0.0


@dataclass(slots=True)
class Scene:
    """All tiles, and the hand record's fields that the photo shows."""

    tiles: list[Laid] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    win: str | None = None
    melds: list[tuple[str, str, int | None]] = field(default_factory=list)


@dataclass(slots=True)
class Seen:
    """A scene as a perfect finder and a good classifier report it, in random order."""

    quads: Array
    probabilities: Array
    rotations: Array
    roles: list[str]
    sideways: list[bool]
    scene: Scene


def legal_hand(rng: Generator, melds: int, kans: int = 0) -> tuple[list[str], list[list[str]]]:
    """Closed tiles (the pair among them) and called sets of a random complete hand."""
    left = dict.fromkeys(PLAIN, 4)
    sets: list[list[str]] = []
    while len(sets) < 4:
        if len(sets) < kans:
            faces = [PLAIN[rng.integers(34)]] * 4
        elif rng.random() < 0.6:
            suit, start = "mps"[rng.integers(3)], rng.integers(1, 8)
            faces = [f"{start + k}{suit}" for k in range(3)]
        else:
            faces = [PLAIN[rng.integers(34)]] * 3
        if all(left[face] >= faces.count(face) for face in faces):
            for face in faces:
                left[face] -= 1
            sets.append(faces)
    pair = next(face for face in rng.permutation(PLAIN) if left[face] >= 2)
    called = sets[:melds]
    return [str(t) for s in sets[melds:] for t in s] + [str(pair)] * 2, called


def row(
    scene: Scene, labels: list[str], x: float, y: float, rng: Generator, *, role: str, stagger: float
) -> float:
    """Labels side by side from x; returns where the next tile would begin."""
    for label in labels:
        x += abs(rng.normal(0, 0.4))
        flip = np.pi if rng.random() < 0.08 else 0.0
        scene.tiles.append(
            Laid(label, x + W / 2, y + rng.uniform(-stagger, stagger), flip + rng.normal(0, 0.015), role)
        )
        x += W
    return x


def meld(scene: Scene, kind: str, tiles: list[str], x: float, y: float, rng: Generator, number: int) -> float:
    """One meld from x to the right, its called tile turned; returns its right end."""
    role = f"meld:{number}"
    turn = np.pi / 2 if rng.random() < 0.7 else -np.pi / 2

    def put(label: str, width: float, angle: float = 0.0, dy: float = 0.0) -> None:
        nonlocal x
        x += abs(rng.normal(0, 0.3))
        scene.tiles.append(
            Laid(
                label,
                x + width / 2,
                y + dy + rng.normal(0, 0.5),
                angle + rng.normal(0, 0.02),
                role,
                bool(angle),
            )
        )
        x += width

    if kind == "ankan":
        outer = rng.random() < 0.6
        for label in [BACK, tiles[0], tiles[0], BACK] if outer else [tiles[0], BACK, BACK, tiles[0]]:
            put(label, W)
        scene.melds.append((kind, "".join(sorted(tiles)), None))
        return x
    source = 3 if kind == "chi" else int(rng.integers(1, 4))
    width = 4 if kind == "minkan" else 3
    called = {3: 0, 2: 1, 1: width - 1}[source]
    order = [tiles[i] for i in rng.permutation(len(tiles))]
    for place in range(width):
        if place != called:
            put(order.pop(), W)
            continue
        put(order.pop(), H, turn, -(H - W) / 2)
        if kind == "kakan":
            scene.tiles.append(
                Laid(
                    order.pop(), x - H / 2, y - (H - W) / 2 + W + 0.5, turn + rng.normal(0, 0.02), role, True
                )
            )
    scene.melds.append((kind, "".join(sorted(tiles)), source))
    return x


def hand(
    rng: Generator, *, kinds: tuple[str, ...] = (), win: str = "apart", rows: int = 1, stagger: float = 1.0,
    stacked: bool = False, gap: float | None = None,
) -> Scene:  # fmt: skip
    """A finished hand at y = 0. ``kinds``: its melds; ``win``: apart, left, turned, above or none."""
    while True:
        kans = sum(kind.endswith("kan") for kind in kinds)
        closed, called = legal_hand(rng, len(kinds), kans)
        plain = [kind for kind in kinds if not kind.endswith("kan")]
        if all((s[0] != s[1]) == (kind == "chi") for s, kind in zip(called[kans:], plain, strict=True)):
            break
    scene = Scene()
    closed = [closed[i] for i in rng.permutation(len(closed))]
    if win != "none":
        scene.win = closed.pop()
    closed.sort(key=lambda t: (t[1], t[0]))
    scene.closed = closed
    start = 0.0
    lines = np.array_split(np.array(closed), rows)
    for number, line in enumerate(lines):
        x = row(
            scene, [str(t) for t in line], 0, (rows - 1 - number) * (H + 2), rng, role="hand", stagger=stagger
        )
    if scene.win:
        space = rng.uniform(9, 25)
        turn = rng.choice([-1, 1]) * np.pi / 2
        if win == "apart":
            scene.tiles.append(
                Laid(scene.win, x + space + W / 2, rng.normal(0, 1), rng.normal(0, 0.04), "win")
            )
            x += space + W
        elif win == "left":
            scene.tiles.append(Laid(scene.win, start - space - W / 2, (rows - 1) * (H + 2), 0.0, "win"))
        elif win == "turned":
            scene.tiles.append(Laid(scene.win, x + rng.uniform(0, 5) + H / 2, -3.5, turn, "win", True))
            x += H + 5
        else:
            flat = rng.random() < 0.3
            high = rows * (H + 2) - 2 + rng.uniform(0.5, 5) + (W / 2 if flat else H / 2) - H / 2
            scene.tiles.append(
                Laid(scene.win, x - rng.uniform(0.5, 1.5) * W, high, turn if flat else 0.0, "win", flat)
            )
    x += rng.uniform(10, 60) if gap is None else gap
    order = [k for k in kinds if k.endswith("kan")] + [k for k in kinds if not k.endswith("kan")]
    pairs = list(zip(order, called, strict=True))
    base, y = x, rng.normal(0, 1.5)
    for place, index in enumerate(rng.permutation(len(pairs))):
        kind, tiles = pairs[index]
        # Melds are numbered as they are read: the topmost first.
        number = len(pairs) - 1 - place if stacked else place
        x = meld(scene, kind, list(tiles), x, y, rng, number) + rng.uniform(0.5, 8)
        if stacked:
            x, y = base + rng.normal(0, 3), y + (2 * W if kind == "kakan" else H) + rng.uniform(0.5, 4)
    return scene


def any_face(rng: Generator) -> str:
    return str(PLAIN[rng.integers(34)])


def river(scene: Scene, rng: Generator, x: float, y: float, angle: float, count: int) -> None:
    """Discards in lines of six, one perhaps turned, read along ``angle`` from (x, y)."""
    along, down = np.array([np.cos(angle), np.sin(angle)]), np.array([np.sin(angle), -np.cos(angle)])
    riichi = int(rng.integers(count)) if rng.random() < 0.6 else -1
    offset = 0.0
    for k in range(count):
        offset = 0.0 if k % 6 == 0 else offset
        width = H if k == riichi else W
        place = np.array([x, y]) + along * (offset + width / 2) + down * (k // 6) * (H + 0.6)
        turn = np.pi / 2 if k == riichi else 0.0
        x0, y0 = place
        scene.tiles.append(Laid(any_face(rng), x0, y0, angle + turn + rng.normal(0, 0.03)))
        offset += width + abs(rng.normal(0, 0.5))


def wall(scene: Scene, x: float, y: float, angle: float, count: int) -> None:
    """A wall's upper layer from (x, y) along ``angle``."""
    for k in range(count):
        step = k * (W + 0.2)
        scene.tiles.append(Laid(BACK, x + step * np.cos(angle), y + step * np.sin(angle), angle, lift=16))


def distract(scene: Scene, rng: Generator) -> None:
    """Rivers, walls and other players' tiles beside the hand."""
    middle = float(np.mean([t.x for t in scene.tiles]))
    far = max(t.y for t in scene.tiles) + rng.uniform(45, 80)
    if rng.random() < 0.5:
        wall(scene, middle + rng.uniform(-150, 0), far, rng.normal(0, 0.04), int(rng.integers(4, 12)))
        far += H + rng.uniform(50, 90)  # a lifted wall hides what lies behind it
    if rng.random() < 0.7:
        river(
            scene,
            rng,
            middle - 3 * W + rng.uniform(-60, 60),
            far + 2 * H,
            rng.normal(0, 0.03),
            int(rng.integers(4, 17)),
        )
        far += 3 * H + rng.uniform(20, 60)
    if rng.random() < 0.4:
        river(scene, rng, middle + rng.uniform(150, 220), far, np.pi / 2, int(rng.integers(4, 14)))
        far += 7 * H
    if rng.random() < 0.3:
        start = middle - rng.uniform(0, 150)
        for k in range(int(rng.integers(5, 14))):
            scene.tiles.append(Laid(any_face(rng), start + k * W, far + 150, np.pi))
    for _ in range(int(rng.integers(0, 4))):
        scene.tiles.append(
            Laid(
                any_face(rng), middle + rng.uniform(-200, 200), far + rng.uniform(200, 300), rng.uniform(0, 6)
            )
        )


def photograph(
    scene: Scene,
    rng: Generator,
    *,
    elevation: float | None = None,
    roll: float | None = None,
    jitter: float = 0.03,
    doubt: float = 0.08,
) -> Seen:
    """Seen from ``elevation`` (radians above the table, 20-90° at random) and rolled at will.

    ``jitter``: standard deviation of a corner, in tile widths. ``doubt``: the share of tiles whose label
    is unsure (still right more often than not).
    """
    elevation = np.radians(rng.uniform(20, 90)) if elevation is None else elevation
    hand_tiles = [t for t in scene.tiles if t.role != "other"]
    target = np.array([np.mean([t.x for t in hand_tiles]), np.mean([t.y for t in hand_tiles]), 0.0])
    span = max(np.ptp([t.x for t in hand_tiles]), np.ptp([t.y for t in hand_tiles])) + 60
    distance = span * rng.uniform(1.2, 2.2)
    yaw = rng.normal(0, 0.15)
    eye = target + distance * np.array(
        [np.sin(yaw) * np.cos(elevation), -np.cos(yaw) * np.cos(elevation), np.sin(elevation)]
    )
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(forward, [0, 0, 1]) if abs(forward[2]) < 0.999 else np.array([1.0, 0, 0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    quads, labels, roles, sideways, kept = [], [], [], [], []
    for tile in scene.tiles:
        c, s = np.cos(tile.angle), np.sin(tile.angle)
        corners = np.array([[-W / 2, H / 2], [W / 2, H / 2], [W / 2, -H / 2], [-W / 2, -H / 2]]) * 0.97
        flat = corners @ np.array([[c, s], [-s, c]]) + [tile.x, tile.y]
        solid = np.column_stack([flat, np.full(4, tile.lift)]) - eye
        depth = solid @ forward
        if depth.min() < 0.3 * distance:
            continue
        quad = np.column_stack([solid @ right, solid @ down]) / depth[:, None] * 1600
        a, b = quad[1] - quad[0], quad[3] - quad[0]
        size = np.sqrt(abs(a[0] * b[1] - a[1] * b[0]))
        quads.append(quad + rng.normal(0, jitter, (4, 2)) * size * 0.8)
        labels.append(tile.label)
        roles.append(tile.role)
        sideways.append(tile.sideways)
        kept.append(tile)
    turn = rng.uniform(0, 2 * np.pi) if roll is None else roll
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    points = np.array(quads) @ spin + 2000
    for k, label in enumerate(labels):
        shift = (
            int(rng.integers(4)) if label in SQUARE else 2 * int(rng.integers(2)) if label in SYMMETRIC else 0
        )
        points[k] = np.roll(points[k], shift, axis=0)
    probabilities = np.stack([_belief(label, rng, doubt) for label in labels])
    order = rng.permutation(len(labels))
    rotations = np.stack([_turns(label, rng) for label in labels])
    return Seen(
        points[order], probabilities[order], rotations[order],
        [roles[i] for i in order], [sideways[i] for i in order],
        Scene([kept[i] for i in order], scene.closed, scene.win, scene.melds),
    )  # fmt: skip


def _belief(label: str, rng: Generator, doubt: float) -> Array:
    unsure = rng.random() < doubt
    top = rng.uniform(0.55, 0.9) if unsure else 1 - rng.exponential(0.01)
    top = max(top, 0.55)
    belief = rng.dirichlet(np.full(len(CLASSES), 0.1)) * (1 - top)
    belief[CLASSES.index(label)] += top
    return belief


def _turns(label: str, rng: Generator) -> Array:
    if label in SQUARE:
        return np.full(4, 0.25)
    if label in SYMMETRIC:
        side = rng.uniform(0.3, 0.7) * 0.96
        return np.array([side, 0.02, 0.96 - side, 0.02])
    return np.array([0.94, 0.02, 0.02, 0.02])


# --- tile by tile -------------------------------------------------------------------------------------------


def line(labels: str, *, x: float = 0, y: float = 0, role: str = "hand") -> list[Laid]:
    """Tiles that touch, the first one's middle at (x, y)."""
    return [Laid(label, x + k * (W + 0.3), y, 0, role) for k, label in enumerate(labels.split())]


def across(tiles: Sequence[Laid], y: float) -> list[Laid]:
    """The same tiles as another player lays them, who sits across: ``y`` is where their row lies."""
    return [Laid(tile.label, -tile.x, y - tile.y, tile.angle + np.pi, "other") for tile in tiles]


def believed(chances: Mapping[str, float]) -> Array:
    """(39,) what is seen, the rest of it shared by all classes."""
    belief = np.full(len(CLASSES), (1 - sum(chances.values())) / len(CLASSES))
    for label, chance in chances.items():
        belief[CLASSES.index(label)] += chance
    return belief


def hand_of(
    tiles: Sequence[Laid], doubts: Mapping[int, Mapping[str, float]] | None = None, *,
    sought: Collection[int] = (), ground: Mapping[int, Sequence[float]] | None = None, seed: int = 0,
    habits: Habits = HABITS,
) -> HandSeen:  # fmt: skip
    """What is made of tiles that a camera sees well; their numbers are those of ``tiles``. ``doubts``: what
    is seen of some of them; ``sought``: those that were looked for because a hand lacked one there;
    ``ground``: the colours around the prints of some, where the others' are all alike."""
    seen = photograph(Scene([*tiles]), np.random.default_rng(seed), elevation=1.0, roll=0.1, doubt=0)
    places = {id(tile): place for place, tile in enumerate(seen.scene.tiles)}
    order = [places[id(tile)] for tile in tiles]
    found = TilesSeen.found(seen.quads, seen.probabilities, seen.rotations).where(np.array(order))
    for number, chances in (doubts or {}).items():
        found.probabilities[number] = believed(chances)
    for number in sought:
        found.sought[number] = True
    for number, colour in (ground or {}).items():
        found.ground[number] = colour
    return HandSeen.of(found, habits)
