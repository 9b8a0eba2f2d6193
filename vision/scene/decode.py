"""Stage 4: the likeliest legal scene under the scene model's probabilities.

A cluster of tiles is a player. For each player the search assigns tiles to the hand and to called sets, each
with a face. It compares the likeliest finished hands (:mod:`vision.scene.legal`) with the likeliest reading
that is no finished hand.
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
from vision.arrays import Array, Indices, Mask
from vision.config import CONFIG, SceneConfig
from vision.detections import ROLES, Detections
from vision.labels import BACK_INDEX, FACES
from vision.quads import lies_sideways
from vision.scene.legal import Limits, best_called, best_concealed
from vision.scene.linkage import average_linkage

_HAND, _CALLED, _WIN, _DORA, _URA = (ROLES.index(role) for role in ("hand", "called", "win", "dora", "ura"))


@dataclass(frozen=True, slots=True)
class CalledSet:
    """A called set: ``tiles``, indices of detections, and the ``faces`` of each. ``gain``: what it adds to
    the log probability. ``face_down``: tiles of a closed kan, two or, if the detector missed one, one."""

    tiles: tuple[int, ...]
    faces: tuple[int, ...]
    gain: float
    face_down: tuple[int, ...] = ()

    @property
    def is_closed_kan(self) -> bool:
        """Whether it is a closed kan."""
        return bool(self.face_down)

    @property
    def is_kan(self) -> bool:
        """Whether it is a set of four."""
        return self.is_closed_kan or len(self.tiles) == 4

    @property
    def missed_faces(self) -> tuple[int, ...]:
        """Faces of its tiles that the detector missed."""
        return (KIND_OF[self.faces[0]],) * (self.is_closed_kan and len(self.tiles) == 3)


UNFINISHED: Final = 13
"""Tiles of a hand that is not finished, a called set counted as three."""


@dataclass(frozen=True, slots=True)
class HandReading:
    """One way to read a player's tiles.

    ``concealed``: (tile, face), with the winning tile. ``win``: the winning tile, None if no tile is set
    apart or the hand is not ``finished``. ``score``: log probability relative to the other readings of the
    same tiles; ``gain``: the part of it from tiles and sets.
    """

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
        """Tile to face, without tiles that lie face down."""
        hidden = {tile for each in self.called for tile in each.face_down}
        return {tile: face for tile, face in self.faces.items() if tile not in hidden}

    @property
    def size(self) -> int:
        """Tiles, a called set counted as three."""
        return len(self.concealed) + 3 * len(self.called)

    @property
    def content(self) -> Hashable:
        """The faces alone: two readings with the same content differ only in which detection has which
        face."""
        concealed = sorted(face for tile, face in self.concealed if tile != self.win)
        called = sorted((each.is_closed_kan, *sorted(each.faces)) for each in self.called)
        won = [face for tile, face in self.concealed if tile == self.win]
        return self.finished, tuple(concealed), tuple(won), tuple(called)


@dataclass(frozen=True, slots=True)
class PlayerReadings:
    """The readings of a player's tiles, the likeliest first. ``margin``: log odds by which every reading that
    is not listed is less likely than the best."""

    readings: tuple[HandReading, ...]
    margin: float

    @property
    def best(self) -> HandReading:
        return self.readings[0]

    @property
    def odds(self) -> float:
        """Log odds of the best reading against all others, with one that the search did not find."""
        return self._log_odds(self.readings[:1])

    @property
    def hand_odds(self) -> float:
        """The same for its tiles and their faces, whichever of them won."""
        return self._log_odds([each for each in self.readings if each.faces == self.best.faces])

    def _log_odds(self, some: Sequence[HandReading]) -> float:
        others = [each.score for each in self.readings if each not in some]
        against = np.logaddexp.reduce([self.best.score - self.margin, *others])
        return float(np.logaddexp.reduce([each.score for each in some]) - against)


_KINDS = np.array([KIND_OF[face] for face in range(len(FACES))])

_FULL = 14
"""Tiles of a finished hand, a called set counted as three; an unfinished one has at most as many."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A decoded photo. ``players``: those whose tiles lie open, finished hands first, by their log odds.
    ``dora``, ``ura``: indicators, (tile, face). ``possible_indicators``: tiles that may be one."""

    players: tuple[PlayerReadings, ...]
    dora: tuple[tuple[int, int], ...]
    ura: tuple[tuple[int, int], ...]
    possible_indicators: tuple[tuple[int, int], ...] = ()


def decode(found: Detections, *, framed: bool | Mask, config: SceneConfig = CONFIG) -> Scene:
    """The likeliest legal scene of related detections. ``framed``: whether a frame was drawn around one hand,
    or (n,) which detections lie in it."""
    assert found.roles is not None and found.faces is not None
    ownership = _assign_to_players(found, config, framed=framed)
    players = [_Player.of(found, owned, config, framed=framed).read() for owned in ownership]
    players = [each for each in players if each.best.tiles]
    players.sort(key=_rank, reverse=True)
    taken = {tile for player in players if player.best.finished for tile in player.best.tiles}
    return Scene(tuple(players), *_indicators(found, taken, config))


def _indicators(
    found: Detections, taken: set[int], config: SceneConfig
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Dora indicators, ura indicators, and tiles that may be either; none of them in a finished hand."""
    assert found.roles is not None and found.faces is not None
    shares, face = np.exp(found.roles[:, [_DORA, _URA]]), found.faces[:, : len(FACES)].argmax(axis=1)
    shares[[*taken]] = 0
    certain = shares > config.confident
    possible = (shares.sum(axis=1) > config.possible) & ~certain.any(axis=1)
    for which in (*certain.T, possible):
        yield tuple((int(tile), int(face[tile])) for tile in np.flatnonzero(which))


def _rank(player: PlayerReadings) -> tuple[bool, bool, float]:
    """Sort key of players: finished hands by their log odds, then whole hands, then others by their score.
    Two hands in one row look like a larger one."""
    best = player.best
    return best.finished and player.odds >= 0, best.is_whole, player.odds if best.finished else best.score


def in_any_hand(found: Detections) -> Array:
    """(n,) log probabilities that a tile is in a hand, whosever."""
    assert found.roles is not None
    in_hand: Array = np.logaddexp.reduce(found.roles[:, [_HAND, _CALLED, _WIN]].astype(float), axis=1)
    return in_hand


def _assign_to_players(found: Detections, config: SceneConfig, *, framed: bool | Mask) -> list[Array]:
    """For each player (n,) log probabilities that a tile is theirs, given that it is in a hand."""
    if framed is not False:
        return [np.zeros(len(found))]
    assert found.same_player is not None and found.roles is not None
    same = found.same_player.astype(float)
    in_hand = np.exp(in_any_hand(found))
    # Called tiles may be a kan, whose four tiles count as three.
    roles = found.roles
    counts = np.where(roles[:, _CALLED] > np.maximum(roles[:, _HAND], roles[:, _WIN]), 3 / 4, 1.0)
    tiles = np.flatnonzero(in_hand > config.likely)
    clusters = average_linkage(same[np.ix_(tiles, tiles)], counts[tiles], config.max_group)
    groups = sorted((tiles[group] for group in clusters), key=lambda group: -in_hand[group].max())
    groups = [group for group in groups if len(group) >= config.min_group] or groups[:1]
    if not groups:
        return []
    # A tile belongs to one player or to none: normalise over all of them.
    odds = np.stack([_mean_without_self(same, group, config.max_log_odds) for group in groups])
    return list(odds - np.logaddexp.reduce([np.zeros(len(found)), *odds], axis=0))


def _mean_without_self(same: Array, group: Indices, alone: float) -> Array:
    """(n,) mean log odds of a tile with the others of a group; ``alone``: those of its only tile."""
    total, count = same[:, group].sum(axis=1), np.full(len(same), float(len(group)))
    total[group] -= same[group, group]
    count[group] -= 1
    mean: Array = total / np.maximum(count, 1)
    return np.where(count > 0, mean, alone)


def _deduplicated(readings: Iterable[HandReading]) -> Iterator[HandReading]:
    """The likeliest of the readings with the same content, with the probability of all of them together."""
    scores: dict[Hashable, dict[Hashable, float]] = {}
    best: dict[Hashable, HandReading] = {}
    for each in sorted(readings, key=lambda each: -each.score):
        tiles = frozenset(each.concealed), each.win, frozenset(other.tiles for other in each.called)
        scores.setdefault(each.content, {}).setdefault(tiles, each.score)
        best.setdefault(each.content, each)
    for content, each in best.items():
        yield replace(each, score=float(np.logaddexp.reduce([*scores[content].values()])))


def _log_sigmoid(x: Array) -> Array:
    return -np.logaddexp(0.0, -x)


@dataclass(frozen=True, slots=True)
class _Player:
    """The search for one player's readings.

    ``tiles``: the k detections that may be theirs. A gain is the log odds of a tile being in a place with a
    face, against it not being theirs: ``concealed`` (k, 37) in the hand, ``called`` (k, 37) in a called set,
    ``backs`` (k,) face down in a called set. ``boosted``: as ``concealed``; within a frame a face is rather
    in the hand than not.
    """

    found: Detections
    config: SceneConfig
    tiles: Indices
    concealed: Array
    called: Array
    backs: Array
    boosted: Array

    @classmethod
    def of(cls, found: Detections, owned: Array, config: SceneConfig, *, framed: bool | Mask) -> _Player:
        assert found.roles is not None and found.faces is not None
        mine = in_any_hand(found) + owned
        inside = mine > -config.max_log_odds if framed is False else np.broadcast_to(framed, len(found))
        tiles = np.flatnonzero(inside)
        roles, faces = found.roles[tiles].astype(float), found.faces[tiles].astype(float)
        theirs = np.minimum(mine[tiles], -1e-6)
        not_theirs = np.log(-np.expm1(theirs))
        shift = owned[tiles] - not_theirs

        def gain(log_role: Array) -> Array:
            return np.clip(log_role + shift, -config.max_log_odds, config.max_log_odds)

        concealed = gain(np.logaddexp(roles[:, _HAND], roles[:, _WIN]))
        called = gain(roles[:, _CALLED])
        shown = faces[:, : len(FACES)]
        boosted = concealed
        if framed is not False:
            is_face = np.exp(shown).sum(axis=1) > config.likely
            boosted = np.where(is_face, np.maximum(concealed, config.framed), concealed)
        return cls(
            found, config, tiles, concealed[:, None] + shown, called[:, None] + shown,
            called + faces[:, BACK_INDEX], boosted[:, None] + shown,
        )  # fmt: skip

    def read(self) -> PlayerReadings:
        """The readings of the tiles, those too unlikely beside the best left out."""
        layouts = list(self._layouts())
        open_ = self._unfinished(layouts)
        finished = self._finished(layouts, open_.score - self.config.margin - self.config.finished)
        readings = [*_deduplicated((*finished, open_))]
        # First decide whether the hand is finished, by all finished readings together.
        total = np.logaddexp.reduce([-np.inf, *(each.score for each in readings if each.finished)])
        is_finished = bool(total > open_.score)
        readings = sorted(readings, key=lambda each: (each.finished != is_finished, -each.score))
        least = readings[0].score - self.config.margin
        return PlayerReadings(tuple(each for each in readings if each.score >= least), self.config.margin)

    # --- called sets ---

    def _sets(self) -> list[CalledSet]:
        """The likeliest called sets, by the scene model's pairs and by the rules."""
        assert self.found.same_set is not None
        config, tiles = self.config, self.tiles
        called = np.maximum(self.called.max(axis=1), self.backs)
        likely = np.flatnonzero(called > -config.rare)
        same = self.found.same_set[np.ix_(tiles, tiles)].astype(float)
        # Log probabilities (k, k) that a tile is not in the set of another.
        apart = np.log1p(-np.exp(_log_sigmoid(called) + _log_sigmoid(same)))
        groups: set[tuple[int, ...]] = set()
        for i in likely.tolist():
            near = [j for j in likely.tolist() if j != i and same[i, j] > -config.rare]
            near.sort(key=lambda j: -same[i, j])
            for count in (2, 3):
                groups |= {
                    tuple(sorted((i, *some))) for some in combinations(near[: config.neighbours], count)
                }
        sets = []
        for group in groups:
            legal = best_called(self.called[list(group)], self.backs[list(group)], config.missed_back)
            if legal is None:
                continue
            pairs = _log_sigmoid(same[np.ix_(group, group)][~np.eye(len(group), dtype=bool)])
            left_out = apart[list(group)].mean(axis=0)  # what it costs to leave out each other tile
            left_out[list(group)] = 0
            gain = legal.gain + float(pairs.sum()) / (len(group) - 1) + float(left_out.min())
            these = tuple(int(tiles[i]) for i in group)
            if len(these) == 3 and not (legal.face_down or lies_sideways(self.found.quads[[*these]]).any()):
                gain -= config.rare
            sets.append(CalledSet(these, legal.faces, gain, tuple(these[at] for at in legal.face_down)))
        used: Counter[int] = Counter()
        likeliest: list[CalledSet] = []
        for each in sorted(sets, key=lambda each: -each.gain):
            if each.gain > -config.max_log_odds and any(
                used[tile] < config.alternatives for tile in each.tiles
            ):
                used.update(each.tiles)
                likeliest.append(each)
        return likeliest

    def _layouts(self) -> Iterator[tuple[CalledSet, ...]]:
        """Combinations of called sets that share no tile, the likeliest first."""
        made: list[tuple[CalledSet, ...]] = [()]
        for each in self._sets():
            mine = set(each.tiles)
            made += [
                (*some, each) for some in made
                if len(some) < 4 and not any(mine.intersection(other.tiles) for other in some)
            ]  # fmt: skip
        best = dict(zip(self.tiles.tolist(), np.maximum(self.boosted.max(axis=1), 0).tolist(), strict=True))
        bound = {
            some: sum(each.gain - sum(best[tile] for tile in each.tiles) for each in some) for some in made
        }
        made.sort(key=lambda some: -bound[some])
        least = bound[made[0]] - 2 * self.config.max_log_odds
        yield from (some for some in made[: self.config.search_width] if bound[some] > least)

    def _excluding(self, called: tuple[CalledSet, ...], gains: Array) -> Array:
        """Gains (k, 37) with the tiles of these sets excluded."""
        inside = np.isin(self.tiles, [tile for each in called for tile in each.tiles])
        return np.where(inside[:, None], -np.inf, gains)

    # --- finished hands ---

    def _finished(self, layouts: Sequence[tuple[CalledSet, ...]], worth: float) -> list[HandReading]:
        """Finished hands whose gain is more than ``worth``."""
        best: list[HandReading] = []
        for called in layouts:
            least = max([worth, *(each.gain - self.config.margin for each in best)])
            if legal := self._best_finished(called, self._excluding(called, self.boosted), least):
                best.append(legal)
        if not best:
            return []
        best.sort(key=lambda each: -each.score)
        found = (*best, *self._other_tiles(best[0], worth), *self._other_sets(best[0]))
        return [each for hand in found for each in self._by_winning_tile(hand)]

    def _best_finished(self, called: tuple[CalledSet, ...], gains: Array, least: float) -> HandReading | None:
        """The likeliest finished hand with these called sets, if its gain is more than ``least``."""
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

    def _other_tiles(self, best: HandReading, worth: float) -> Iterator[HandReading]:
        """Finished hands that differ from the best in at least one tile: the search excludes the kind of each
        tile in turn, unless the loss alone exceeds the margin."""
        gains, place = self._excluding(best.called, self.boosted), self._places()
        chosen = {place[tile] for tile, _ in best.concealed}
        spare = [gains[k].max() for k in range(len(self.tiles)) if k not in chosen]
        most = max([*spare, -np.inf])
        for tile, face in best.concealed:
            k = place[tile]
            without = gains.copy()
            without[k, [f for f in range(len(FACES)) if KIND_OF[f] == KIND_OF[face]]] = -np.inf
            loss = gains[k, face] - max(without[k].max(), most, 0.0)
            least = max(worth, best.gain - self.config.margin)
            if loss < self.config.margin and (other := self._best_finished(best.called, without, least)):
                yield other
        yield from self._red_five_variants(best)

    def _red_five_variants(self, best: HandReading) -> Iterator[HandReading]:
        """The best hand with a red five instead of a plain one, or the reverse, within the limits."""
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
        """The best hand with another reading of one called set: the search excludes the face, and the kind,
        of each of its tiles in turn."""
        place, concealed = self._places(), [face for _, face in best.concealed]
        for at, each in enumerate(best.called):
            mine = [place[tile] for tile in each.tiles]
            gains, backs = self.called[mine], self.backs[mine]
            now = best_called(gains, backs, self.config.missed_back)
            assert now is not None, "the set is legal"
            for tile, face in enumerate(each.faces):
                for faces in ([face], np.flatnonzero(KIND_OF[face] == _KINDS)):
                    without = gains.copy()
                    without[tile, faces] = -np.inf
                    other = best_called(without, backs, self.config.missed_back)
                    if other is None:
                        continue
                    changed = replace(
                        each, faces=other.faces, face_down=tuple(each.tiles[k] for k in other.face_down)
                    )
                    called = (*best.called[:at], changed, *best.called[at + 1 :])
                    if Limits.after((*_faces_of(called), *concealed)):
                        yield replace(best, called=called, score=best.score - (now.gain - other.gain))

    def _places(self) -> dict[int, int]:
        """Detection to its place in ``tiles``."""
        return {int(tile): k for k, tile in enumerate(self.tiles)}

    def _by_winning_tile(self, hand: HandReading) -> list[HandReading]:
        """The same hand with each of the likeliest winning tiles, or with none that is set apart."""
        assert self.found.roles is not None
        roles, inside = self.found.roles.astype(float), [tile for tile, _ in hand.concealed]
        odds = roles[inside, _WIN] - np.logaddexp(roles[inside, _HAND], roles[inside, _CALLED])
        shares = np.append(odds, 0.0)
        shares = shares - np.logaddexp.reduce(shares)
        order = np.argsort(-shares)[: self.config.alternatives]
        return [
            replace(hand, win=inside[k] if k < len(inside) else None, score=hand.score + float(shares[k]))
            for k in order.tolist()
        ]  # fmt: skip

    # --- hands that are not finished ---

    def _unfinished(self, layouts: Sequence[tuple[CalledSet, ...]]) -> HandReading:
        """The likeliest reading that is no finished hand: each tile with its likeliest face, 14 at most."""
        called = layouts[0] if layouts else ()
        gains = self._excluding(called, self.concealed)
        face = gains.argmax(axis=1) if len(gains) else np.zeros(0, np.intp)
        best = gains.max(axis=1) if len(gains) else np.zeros(0)
        most = _FULL - 3 * len(called)
        likeliest = np.argsort(-best, kind="stable")[: min(most, int((best > 0).sum()))]
        if len(likeliest) == most and best[likeliest[-1]] < self.config.rare:
            likeliest = likeliest[:-1]
        mine = np.sort(likeliest)
        concealed = tuple((int(self.tiles[k]), int(face[k])) for k in mine)
        score = sum(each.gain for each in called) + float(best[mine].sum())
        reading = HandReading(concealed, called, None, False, score)
        if _is_finished(reading) and len(mine):
            # It must not be finished: the least certain tile gets another kind, or is left out.
            others = np.where(_KINDS[face[mine], None] == _KINDS, -np.inf, gains[mine])
            second, loss = others.argmax(axis=1), best[mine] - np.maximum(others.max(axis=1), 0)
            least = int(loss.argmin())
            instead = ((concealed[least][0], int(second[least])),) if others[least].max() > 0 else ()
            reading = replace(reading, concealed=(*concealed[:least], *instead, *concealed[least + 1 :]))
            score -= float(loss[least])
        return replace(reading, score=score)


def _faces_of(called: Iterable[CalledSet]) -> list[int]:
    """All faces of called sets, with those of missed tiles."""
    return [face for each in called for face in (*each.faces, *each.missed_faces)]


def _is_finished(reading: HandReading) -> bool:
    """Whether the kinds of its tiles make a finished hand."""
    counts = [0] * KINDS
    for _, face in reading.concealed:
        counts[KIND_OF[face]] += 1
    return counts_are_complete(counts, len(reading.called))
