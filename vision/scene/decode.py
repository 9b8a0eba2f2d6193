"""Stage 4: the likeliest legal scene under the scene model's probabilities. Rules only.

Each player's tiles are decoded by themselves: which belong to the hand, which lie in called sets, and what
each shows. A finished hand is the likeliest of all that the rules allow (:mod:`vision.scene.legal`); it
stands against the likeliest reading that is no finished hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from scorer.readings import counts_are_complete
from scorer.tiles import KIND_OF, KINDS
from vision.arrays import Array, Indices
from vision.detections import ROLES, Detections
from vision.labels import BACK_INDEX, FACES
from vision.quads import across_the_rest
from vision.scene.config import CONFIG, SceneConfig
from vision.scene.legal import Limits, best_called, best_concealed

_HAND, _CALLED, _WIN, _DORA, _URA = (ROLES.index(role) for role in ("hand", "called", "win", "dora", "ura"))


@dataclass(frozen=True, slots=True)
class CalledSet:
    """A called set: ``tiles``, indices of detections, and the ``faces`` of each; ``down``: those of a closed
    kan that lie face down, two or, where a fourth tile was not seen, one."""

    tiles: tuple[int, ...]
    faces: tuple[int, ...]
    gain: float
    down: tuple[int, ...] = ()

    @property
    def hidden(self) -> bool:
        """Whether it is a closed kan."""
        return bool(self.down)

    @property
    def is_kan(self) -> bool:
        """Whether it is a set of four."""
        return self.hidden or len(self.tiles) == 4

    @property
    def unseen(self) -> tuple[int, ...]:
        """Faces of its tiles that no detection shows."""
        return (KIND_OF[self.faces[0]],) * (self.hidden and len(self.tiles) == 3)


UNFINISHED: Final = 13
"""Tiles of a hand that is not finished, a called set counted as three."""


@dataclass(frozen=True, slots=True)
class HandReading:
    """One way to read a player's tiles. ``concealed``: (tile, face), the winning tile among them; ``win``:
    which tile won, None where none is set apart or the hand is not ``finished``. ``score``: log probability,
    to be compared with the other readings of the same tiles; ``gain``: the part of it that tiles and sets
    bring."""

    concealed: tuple[tuple[int, int], ...]
    called: tuple[CalledSet, ...]
    win: int | None
    finished: bool
    score: float
    gain: float = 0.0

    @property
    def is_whole(self) -> bool:
        """Whether it is finished or has as many tiles as a player holds."""
        return self.finished or self.size == UNFINISHED

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles of the hand."""
        return (*(tile for tile, _ in self.concealed), *(tile for each in self.called for tile in each.tiles))

    @property
    def faces(self) -> dict[int, int]:
        """Tile to face."""
        return dict(self.concealed) | {
            tile: face for each in self.called for tile, face in zip(each.tiles, each.faces, strict=True)
        }

    @property
    def seen_faces(self) -> dict[int, int]:
        """The same without tiles that lie face down."""
        down = {tile for each in self.called for tile in each.down}
        return {tile: face for tile, face in self.faces.items() if tile not in down}

    @property
    def size(self) -> int:
        """Tiles, a called set counted as three."""
        return len(self.concealed) + 3 * len(self.called)

    @property
    def says(self) -> Hashable:
        """What a player is told of it: the faces, not which of two tiles shows one that both may show."""
        concealed = sorted(face for tile, face in self.concealed if tile != self.win)
        called = sorted((each.hidden, *sorted(each.faces)) for each in self.called)
        won = [face for tile, face in self.concealed if tile == self.win]
        return self.finished, tuple(concealed), tuple(won), tuple(called)


@dataclass(frozen=True, slots=True)
class PlayerReadings:
    """What a player's tiles may be, the likeliest first; ``margin``: by how many log odds a reading that was
    not weighed is less likely than the best."""

    readings: tuple[HandReading, ...]
    margin: float

    @property
    def best(self) -> HandReading:
        return self.readings[0]

    @property
    def odds(self) -> float:
        """Log odds of the best reading against all others, among them one that the search did not find."""
        rest = [each.score - self.best.score for each in self.readings[1:]]
        return float(-np.logaddexp.reduce([-self.margin, *rest]))


_KINDS = np.array([KIND_OF[face] for face in range(len(FACES))])

_FULL = 14
"""Tiles of a finished hand, a called set counted as three; of one that is not finished at most."""

_ALONE = 12.0
"""Log odds that a tile which is the first of its group is its player's."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A photo decoded: the ``players`` whose tiles lie open, finished hands first and the surest of them
    first; ``dora``, ``ura``: indicators, tile and face; ``unsure``: tiles that may be one of either."""

    players: tuple[PlayerReadings, ...]
    dora: tuple[tuple[int, int], ...]
    ura: tuple[tuple[int, int], ...]
    unsure: tuple[tuple[int, int], ...] = ()


def decode(found: Detections, *, framed: bool, config: SceneConfig = CONFIG) -> Scene:
    """The likeliest legal scene. ``framed``: a person drew a frame around one hand."""
    assert found.roles is not None and found.faces is not None
    belonging = _players(found, config, framed=framed)
    players = [_Player.of(found, belongs, config, framed=framed).read() for belongs in belonging]
    players = [each for each in players if each.best.tiles]
    players.sort(key=_standing, reverse=True)
    taken = {tile for player in players if player.best.finished for tile in player.best.tiles}
    dora, ura, unsure = _indicators(found, taken, config)
    return Scene(tuple(players), dora, ura, unsure)


def _indicators(
    found: Detections, taken: set[int], config: SceneConfig
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Tiles of no finished hand that are indicators of the dora, that are those of the ura, and that may be
    either."""
    assert found.roles is not None and found.faces is not None
    shares, face = np.exp(found.roles[:, [_DORA, _URA]]), found.faces[:, : len(FACES)].argmax(axis=1)
    shares[[*taken]] = 0
    surely = shares > config.indicator
    maybe = (shares.sum(axis=1) > config.maybe) & ~surely.any(axis=1)
    for which in (*surely.T, maybe):
        yield tuple((int(tile), int(face[tile])) for tile in np.flatnonzero(which))


def _standing(player: PlayerReadings) -> tuple[bool, bool, float]:
    """By what players are ordered: finished hands by how sure they are, then others by how likely their tiles
    are, those of a whole hand first: two hands in one row look like a larger one."""
    best = player.best
    return best.finished and player.odds >= 0, best.is_whole, player.odds if best.finished else best.score


def _own(found: Detections) -> Array:
    """(n,) log probabilities that a tile is in anyone's hand."""
    assert found.roles is not None
    own: Array = np.logaddexp.reduce(found.roles[:, [_HAND, _CALLED, _WIN]].astype(float), axis=1)
    return own


def _players(found: Detections, config: SceneConfig, *, framed: bool) -> list[Array]:
    """For each player (n,) log probabilities that a tile is theirs, if it is anyone's."""
    if framed:
        return [np.zeros(len(found))]
    assert found.same_player is not None and found.roles is not None
    same = found.same_player.astype(float)
    own = np.exp(_own(found))
    # A kan's four tiles count as three.
    roles = found.roles
    counts = np.where(roles[:, _CALLED] > np.maximum(roles[:, _HAND], roles[:, _WIN]), 0.75, 1.0)
    groups = _linked(same, own, counts, config)
    groups = [group for group in groups if len(group) >= config.fewest] or groups[:1]
    if not groups:
        return []
    # A tile is of one player or of none of them: a share of each, by the odds.
    odds = np.stack([_mean_without_self(same, group) for group in groups])
    return list(odds - np.logaddexp.reduce([np.zeros(len(found)), *odds], axis=0))


def _linked(same: Array, own: Array, counts: Array, config: SceneConfig) -> list[Indices]:
    """Groups of tiles that are rather one player's than not, those of the surest tiles first, by average
    linkage (Sokal and Michener 1958): the two groups that belong together most become one, if both are no
    more than a player has."""
    tiles = np.flatnonzero(own > 0.5)
    groups = [[tile] for tile in tiles.tolist()]
    total, number, weight = same[np.ix_(tiles, tiles)], np.ones(len(tiles)), counts[tiles]
    np.fill_diagonal(total, -np.inf)
    while True:
        mean = total / np.outer(number, number)
        fits = weight[:, None] + weight <= config.together
        if not (fits & (mean > 0)).any():
            break
        one, other = divmod(int(np.where(fits, mean, -np.inf).argmax()), len(tiles))
        groups[one] += groups[other]
        groups[other] = []
        number[one], weight[one] = number[one] + number[other], weight[one] + weight[other]
        total[one] += total[other]
        total[:, one] = total[one]
        total[one, one] = total[other] = total[:, other] = -np.inf
    linked = [np.array(group) for group in groups if group]
    return sorted(linked, key=lambda group: -own[group].max())


def _mean_without_self(same: Array, group: Indices) -> Array:
    total, count = same[:, group].sum(axis=1), np.full(len(same), float(len(group)))
    total[group] -= same[group, group]
    count[group] -= 1
    mean: Array = total / np.maximum(count, 1)
    return np.where(count > 0, mean, _ALONE)


def _told_once(readings: Iterable[HandReading]) -> Iterator[HandReading]:
    """Of readings that say the same the likeliest, as likely as all of them together."""
    ways: dict[Hashable, dict[Hashable, float]] = {}
    best: dict[Hashable, HandReading] = {}
    for each in sorted(readings, key=lambda each: -each.score):
        tiles = frozenset(each.concealed), each.win, frozenset(other.tiles for other in each.called)
        ways.setdefault(each.says, {}).setdefault(tiles, each.score)
        best.setdefault(each.says, each)
    for what, each in best.items():
        yield replace(each, score=float(np.logaddexp.reduce([*ways[what].values()])))


def _log_sigmoid(x: Array) -> Array:
    return -np.logaddexp(0.0, -x)


@dataclass(frozen=True, slots=True)
class _Player:
    """One player's tiles under decoding. ``tiles``: the detections that may be theirs; of these ``concealed``
    (k, 37) and ``called`` (k, 37): what it adds to the log probability that a tile is in the hand, or in a
    called set, with a face, rather than not theirs; ``backs`` (k,) face down in a called set. ``wanted``: as
    ``concealed``, but within a frame every face is rather in the hand than not."""

    found: Detections
    config: SceneConfig
    tiles: Indices
    concealed: Array
    called: Array
    backs: Array
    wanted: Array

    @classmethod
    def of(cls, found: Detections, belongs: Array, config: SceneConfig, *, framed: bool) -> _Player:
        assert found.roles is not None and found.faces is not None
        mine = _own(found) + belongs
        tiles = np.arange(len(found)) if framed else np.flatnonzero(mine > -config.surely)
        roles, faces = found.roles[tiles].astype(float), found.faces[tiles].astype(float)
        theirs = np.minimum(mine[tiles], -1e-6)
        out = np.log(-np.expm1(theirs))
        share = belongs[tiles] - out

        def gain(log_role: Array) -> Array:
            return np.clip(log_role + share, -config.surely, config.surely)

        concealed = gain(np.logaddexp(roles[:, _HAND], roles[:, _WIN]))
        called = gain(roles[:, _CALLED])
        shown = faces[:, : len(FACES)]
        wanted = concealed
        if framed:
            is_face = np.exp(shown).sum(axis=1) > config.shown
            wanted = np.where(is_face, np.maximum(concealed, config.framed), concealed)
        return cls(
            found, config, tiles, concealed[:, None] + shown, called[:, None] + shown,
            called + faces[:, BACK_INDEX], wanted[:, None] + shown,
        )  # fmt: skip

    def read(self) -> PlayerReadings:
        """The readings of the tiles that are likely enough beside the best."""
        layouts = list(self._layouts())
        open_ = self._unfinished(layouts)
        finished = self._finished(layouts, open_.score - self.config.margin - self.config.finished)
        said = [*_told_once((*finished, open_))]
        # Finished or not is settled first: by all ways together in which the hand may be finished.
        ways = np.logaddexp.reduce([-np.inf, *(each.score for each in said if each.finished)])
        is_finished = bool(ways > open_.score)
        readings = sorted(said, key=lambda each: (each.finished != is_finished, -each.score))
        least = readings[0].score - self.config.margin
        return PlayerReadings(tuple(each for each in readings if each.score >= least), self.config.margin)

    # --- called sets ---

    def _sets(self) -> list[CalledSet]:
        """Tiles that may be a called set, by the scene model's pairs and what sets can exist."""
        assert self.found.same_set is not None
        config, tiles = self.config, self.tiles
        likely = np.flatnonzero(np.maximum(self.called.max(axis=1), self.backs) > -config.surely / 3)
        same = self.found.same_set[np.ix_(tiles, tiles)].astype(float)
        groups: set[tuple[int, ...]] = set()
        for i in likely.tolist():
            near = [j for j in likely.tolist() if j != i and same[i, j] > -config.surely / 4]
            near.sort(key=lambda j: -same[i, j])
            for count in (2, 3):
                groups |= {tuple(sorted((i, *some))) for some in combinations(near[: config.near], count)}
        sets = []
        for group in groups:
            legal = best_called(self.called[list(group)], self.backs[list(group)], config.escaped)
            if legal is None:
                continue
            pairs = _log_sigmoid(same[np.ix_(group, group)][~np.eye(len(group), dtype=bool)])
            gain = legal.gain + float(pairs.sum()) / (len(group) - 1)
            these = tuple(int(tiles[i]) for i in group)
            if len(these) == 3 and not (legal.down or across_the_rest(self.found.quads[[*these]]).any()):
                gain -= config.unturned
            sets.append(CalledSet(these, legal.faces, gain, tuple(these[at] for at in legal.down)))
        weighed: Counter[int] = Counter()
        likeliest: list[CalledSet] = []
        for each in sorted(sets, key=lambda each: -each.gain):
            if each.gain > -config.surely and any(weighed[tile] < config.sets for tile in each.tiles):
                weighed.update(each.tiles)
                likeliest.append(each)
        return likeliest

    def _layouts(self) -> Iterator[tuple[CalledSet, ...]]:
        """Which called sets there may be together, the likeliest first."""
        made: list[tuple[CalledSet, ...]] = [()]
        for each in self._sets():
            mine = set(each.tiles)
            made += [
                (*some, each) for some in made
                if len(some) < 4 and not any(mine.intersection(other.tiles) for other in some)
            ]  # fmt: skip
        bound = {some: self._bound(some) for some in made}
        made.sort(key=lambda some: -bound[some])
        yield from (some for some in made[: self.config.layouts] if bound[some] > bound[made[0]] - 18)

    def _rest(self, called: tuple[CalledSet, ...], gains: Array) -> Array:
        """Gains (k, 37) of the tiles that are in none of these sets."""
        inside = np.isin(self.tiles, [tile for each in called for tile in each.tiles])
        return np.where(inside[:, None], -np.inf, gains)

    def _bound(self, called: tuple[CalledSet, ...]) -> float:
        best = self._rest(called, self.wanted).max(axis=1) if len(self.tiles) else np.zeros(0)
        return sum(each.gain for each in called) + float(np.maximum(best, 0).sum())

    # --- finished hands ---

    def _finished(self, layouts: Sequence[tuple[CalledSet, ...]], worth: float) -> list[HandReading]:
        """Finished hands that gain more than is ``worth`` weighing."""
        best: list[HandReading] = []
        for called in layouts:
            least = max([worth, *(each.gain - self.config.margin for each in best)])
            if legal := self._legal(called, self._rest(called, self.wanted), least):
                best.append(legal)
        if not best:
            return []
        best.sort(key=lambda each: -each.score)
        found = (*best, *self._other_choices(best[0], worth), *self._other_sets(best[0]))
        return [each for hand in found for each in self._by_winning_tile(hand)]

    def _legal(self, called: tuple[CalledSet, ...], gains: Array, least: float) -> HandReading | None:
        """The likeliest finished hand with these called sets, if it gains more than ``least``."""
        limits = Limits.after(_faces_of(called))
        if limits is None:
            return None
        sets = sum(each.gain for each in called)
        found = best_concealed(gains, _FULL - 3 * len(called), limits, least=least - sets)
        if found is None:
            return None
        concealed = tuple((int(self.tiles[tile]), face) for tile, face in found[1])
        reading = HandReading(concealed, called, None, True, found[0] + sets, found[0] + sets)
        return replace(reading, score=reading.score + self.config.finished)

    def _other_choices(self, best: HandReading, worth: float) -> Iterator[HandReading]:
        """Finished hands that differ from the best in one tile at least: each tile in turn may not be what it
        is. Only where that is not too unlikely from the outset."""
        gains, place = self._rest(best.called, self.wanted), self._places()
        chosen = {place[tile] for tile, _ in best.concealed}
        spare = [gains[k].max() for k in range(len(self.tiles)) if k not in chosen]
        most = max([*spare, -np.inf])
        for tile, face in best.concealed:
            k = place[tile]
            without = gains.copy()
            without[k, [f for f in range(len(FACES)) if KIND_OF[f] == KIND_OF[face]]] = -np.inf
            loss = gains[k, face] - max(without[k].max(), most, 0.0)
            least = max(worth, best.gain - self.config.margin)
            if loss < self.config.margin and (other := self._legal(best.called, without, least)):
                yield other
        yield from self._other_colours(best)

    def _other_colours(self, best: HandReading) -> Iterator[HandReading]:
        """The best with a five that is red instead of plain, or the other way, where there are so many."""
        place, called = self._places(), _faces_of(best.called)
        for at, (tile, face) in enumerate(best.concealed):
            other = next((f for f in range(len(FACES)) if KIND_OF[f] == KIND_OF[face] and f != face), None)
            if other is None:
                continue
            loss = self.concealed[place[tile], face] - self.concealed[place[tile], other]
            concealed = (*best.concealed[:at], (tile, other), *best.concealed[at + 1 :])
            if Limits.after((*called, *(face for _, face in concealed))):
                yield replace(best, concealed=concealed, score=best.score - abs(float(loss)))

    def _other_sets(self, best: HandReading) -> Iterator[HandReading]:
        """The best with one called set otherwise: each of its tiles in turn may not have its face, or not be
        of its kind."""
        place, concealed = self._places(), [face for _, face in best.concealed]
        for at, each in enumerate(best.called):
            mine = [place[tile] for tile in each.tiles]
            gains, backs = self.called[mine], self.backs[mine]
            now = best_called(gains, backs, self.config.escaped)
            assert now is not None, "it is called already"
            for tile, face in enumerate(each.faces):
                for faces in ([face], np.flatnonzero(KIND_OF[face] == _KINDS)):
                    without = gains.copy()
                    without[tile, faces] = -np.inf
                    other = best_called(without, backs, self.config.escaped)
                    if other is None:
                        continue
                    changed = replace(each, faces=other.faces, down=tuple(each.tiles[k] for k in other.down))
                    called = (*best.called[:at], changed, *best.called[at + 1 :])
                    if Limits.after((*_faces_of(called), *concealed)):
                        yield replace(best, called=called, score=best.score - (now.gain - other.gain))

    def _places(self) -> dict[int, int]:
        """Where each detection is among the player's."""
        return {int(tile): k for k, tile in enumerate(self.tiles)}

    def _by_winning_tile(self, hand: HandReading) -> list[HandReading]:
        """The same tiles with each that may have won, or none that is set apart: exactly one of these."""
        assert self.found.roles is not None
        roles, inside = self.found.roles.astype(float), [tile for tile, _ in hand.concealed]
        odds = roles[inside, _WIN] - np.logaddexp(roles[inside, _HAND], roles[inside, _CALLED])
        shares = np.append(odds, 0.0)
        shares = shares - np.logaddexp.reduce(shares)
        order = np.argsort(-shares)[:3]
        return [
            replace(hand, win=inside[k] if k < len(inside) else None, score=hand.score + float(shares[k]))
            for k in order.tolist()
        ]  # fmt: skip

    # --- hands that are not finished ---

    def _unfinished(self, layouts: Sequence[tuple[CalledSet, ...]]) -> HandReading:
        """The likeliest reading that is no finished hand: each tile what it is likeliest, of 14 at most."""
        called = layouts[0] if layouts else ()
        gains = self._rest(called, self.concealed)
        face = gains.argmax(axis=1) if len(gains) else np.zeros(0, np.intp)
        best = gains.max(axis=1) if len(gains) else np.zeros(0)
        most = _FULL - 3 * len(called)
        likeliest = np.argsort(-best, kind="stable")[: min(most, int((best > 0).sum()))]
        if len(likeliest) == most and best[likeliest[-1]] < self.config.drawn:
            likeliest = likeliest[:-1]
        mine = np.sort(likeliest)
        concealed = tuple((int(self.tiles[k]), int(face[k])) for k in mine)
        score = sum(each.gain for each in called) + float(best[mine].sum())
        reading = HandReading(concealed, called, None, False, score)
        if _is_finished(reading) and len(mine):
            # As it lies it would be finished: what is least sure of it must be of another kind, or no part.
            others = np.where(_KINDS[face[mine], None] == _KINDS, -np.inf, gains[mine])
            second, loss = others.argmax(axis=1), best[mine] - np.maximum(others.max(axis=1), 0)
            least = int(loss.argmin())
            instead = ((concealed[least][0], int(second[least])),) if others[least].max() > 0 else ()
            reading = replace(reading, concealed=(*concealed[:least], *instead, *concealed[least + 1 :]))
            score -= float(loss[least])
        return replace(reading, score=score)


def _faces_of(called: Iterable[CalledSet]) -> list[int]:
    """All faces of called sets, those of tiles that were not seen among them."""
    return [face for each in called for face in (*each.faces, *each.unseen)]


def _is_finished(reading: HandReading) -> bool:
    counts = [0] * KINDS
    for _, face in reading.concealed:
        counts[KIND_OF[face]] += 1
    return counts_are_complete(counts, len(reading.called))
