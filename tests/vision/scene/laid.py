"""Tiles laid on a table and seen by a camera, with the answers that a perfect scene model would give."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from vision.detections import ROLES, Detections
from vision.labels import BACK, WITH_FOREIGN

W, H = 19.0, 26.0


@dataclass(slots=True)
class Laid:
    """Tiles on a table in millimetres, x to the near player's right, y away: quads, roles, seats."""

    quads: list[np.ndarray] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)
    backs: list[int] = field(default_factory=list)

    def put(
        self, x: float, y: float, seat: int, role: str, *, turned: bool = False, back: bool = False
    ) -> None:
        self.backs += [len(self.quads)] * back
        box = np.array([[-W, H], [W, H], [W, -H], [-W, -H]]) / 2
        c, s = np.cos(seat * np.pi / 2), np.sin(seat * np.pi / 2)
        if turned:
            box = box @ np.array([[0, 1], [-1, 0]])
        self.quads.append((box + np.array([x, y])) @ np.array([[c, s], [-s, c]]))
        self.roles.append(role)
        self.seats.append(seat)

    def river(self, seat: int, count: int, turned: int | None = None) -> None:
        x = -3 * W
        for k in range(count):
            if k % 6 == 0:
                x = -3 * W
            wide = H if k == turned else W
            self.put(x + wide / 2, -80 - (k // 6) * (H + 1), seat, "river", turned=k == turned)
            x += wide + 0.5

    def hand(self, seat: int) -> list[int]:
        first = len(self.quads)
        for k in range(13):
            self.put((k - 6) * W + 20, -320, seat, "hand")
        return list(range(first, len(self.quads)))

    def seen(self, elevation: float = 0.9, azimuth: float = 0.0) -> Detections:
        """By a camera ``azimuth`` radians round the table from the near player."""
        c, s = np.cos(azimuth), np.sin(azimuth)
        down = np.array([[np.sin(elevation), 0], [0, np.cos(elevation)]])
        x = np.array(self.quads) @ np.array([[c, -s], [s, c]])
        depth = 900 + x[..., 1] * down[1, 1]
        quads = np.stack([x[..., 0] / depth, -x[..., 1] * down[0, 0] / depth], -1) * 1500 + 1000
        n = len(quads)
        same = np.array(self.seats)[:, None] == np.array(self.seats)
        roles = np.full((n, len(ROLES)), -8.0, np.float32)
        roles[np.arange(n), [ROLES.index(role) for role in self.roles]] = -0.01
        faces = np.full((n, len(WITH_FOREIGN)), -4.0, np.float32)
        faces[self.backs, WITH_FOREIGN.index(BACK)] = 0.0
        return Detections(
            quads.astype(np.float32), np.ones(n, np.float32),
            logits=np.zeros((n, len(WITH_FOREIGN)), np.float32),
            turns=np.tile(np.array([0.9, 0.02, 0.06, 0.02], np.float32), (n, 1)),
            embeddings=np.zeros((n, 4), np.float32), roles=roles,
            faces=faces,
            same_player=np.where(same, 6, -6).astype(np.float32),
            same_set=np.full((n, n), -6, np.float32),
        )  # fmt: skip


def game_with_hand(seat: int = 0) -> tuple[Laid, list[int]]:
    """Four rivers and a hand of this seat; the places of its tiles."""
    laid = game()
    return laid, laid.hand(seat)


def game() -> Laid:
    laid = Laid()
    for seat, (count, turned) in enumerate(((14, 8), (13, None), (7, 3), (12, None))):
        laid.river(seat, count, turned)
    return laid
