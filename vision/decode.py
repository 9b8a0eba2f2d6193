"""The most likely hand that can exist, given what every tile may be.

A finished hand obeys rules that a single tile does not know: sets and a pair, four of a tile, one red five
a suit, three alike in a pon. Where the pixels leave a choice, the rules decide; where the pixels are
certain, they stay, and a hand that is none stays none.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from scorer.readings import counts_are_complete
from scorer.tiles import KIND_OF, KINDS
from vision.arrays import Array, Indices
from vision.habits import HABITS, DecodeHabits
from vision.labels import BACK_INDEX, CLASSES, FACES, WHITE_INDEX
from vision.table import Layout, MeldSeen

_REDS = range(KINDS, len(FACES))


@dataclass(frozen=True, slots=True)
class Decoded:
    """``labels`` of all tiles; ``overruled``: indices where the rules chose another than the pixels;
    ``legal``: it is a finished hand (14 tiles) or tenpai (13); ``unsure``: indices to be checked where it is
    not; ``loss``: what overruling cost."""

    labels: tuple[str, ...]
    overruled: tuple[int, ...]
    unsure: tuple[int, ...]
    legal: bool
    loss: float


_Options = tuple[tuple[float, int], ...]
"""What a tile may be as (loss, class), likeliest first."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What the tiles of a photo may be, whatever layout they are in. ``probabilities``: (n, 39) in the order
    of ``vision.labels.CLASSES``; ``faces``, ``losses``: (n, k) each one's likeliest faces and what they lose
    beside the first; ``asked``: the options that were made of these."""

    habit: DecodeHabits
    probabilities: Array
    faces: Indices
    losses: Array
    asked: dict[int, _Options] = field(default_factory=dict)

    @classmethod
    def of(cls, probabilities: Array, habit: DecodeHabits = HABITS.decode) -> Choices:
        """``probabilities`` as above."""
        # The row says that a tile is a face: back and "no face" are out of the question.
        chances = np.log(probabilities[:, : len(FACES)] + 1e-9)
        faces = np.argsort(-chances, axis=1)[:, : habit.alternatives]
        likeliest = np.take_along_axis(chances, faces, axis=1)
        return cls(habit, probabilities, faces, likeliest[:, :1] - likeliest)

    def options(self, tile: int) -> _Options:
        """What a tile of the hand may be."""
        if tile not in self.asked:
            losses = zip(self.losses[tile].tolist(), self.faces[tile].tolist(), strict=True)
            # Which of two fives is the red one may be asked even of a sure five.
            sure = self.probabilities[tile].max() >= self.habit.certain
            own = KIND_OF[int(self.faces[tile, 0])]
            self.asked[tile] = tuple(
                (loss, face) for loss, face in losses
                if loss <= self.habit.tile and (KIND_OF[face] == own or not sure)
            )  # fmt: skip
        return self.asked[tile]


def decodings(choices: Choices, layout: Layout) -> tuple[Decoded, ...]:
    """The likeliest legal labels of a layout's hand, the best first; where the best is not what the pixels
    say, that follows, be it legal or not. At least one; all other tiles keep their likeliest label.
    """
    probabilities, habit = choices.probabilities, choices.habit
    seen = probabilities.argmax(axis=1).tolist()
    for meld in layout.melds:
        if meld.kind == "ankan":
            for index in _hidden(choices, meld):
                seen[index] = BACK_INDEX
    variables = _Variables.of(choices, layout)
    rule, most = _rule(layout, habit)

    def labelled(loss: float, faces: dict[int, int], legal: bool, unsure: tuple[int, ...] = ()) -> Decoded:
        chosen = seen[:]
        for index, face in faces.items():
            chosen[index] = face
        overruled = tuple(i for i in faces if faces[i] != seen[i])
        return Decoded(_names(chosen), overruled, unsure, legal, loss)

    found: list[Decoded] = []
    for loss, faces in _search(variables, layout, rule, habit, most) if rule else ():
        if found and (len(found) == habit.answers or loss - found[0].loss > habit.span):
            break
        found.append(labelled(loss, faces, True))
    if not found or found[0].loss > 0:
        pixels = next(_search(variables, layout, _anything, habit, habit.tenpai), None)
        likeliest = {i: options[0][1] for i, options in zip(variables.tiles, variables.options, strict=True)}
        unsure = tuple(sorted(i for i in variables.tiles if probabilities[i].max() < habit.unsure))
        found.append(labelled(*(pixels or (0.0, likeliest)), False, unsure))
    return tuple(found)


def waiting(layout: Layout, labels: Sequence[str]) -> tuple[str, ...]:
    """What 13 tiles wait on; a tile of which the hand itself holds four is no wait."""
    counts, held = counted(layout, labels)
    return tuple(
        FACES[kind]
        for kind in range(KINDS)
        if counts[kind] + held[kind] < 4 and _completes(counts, kind, len(layout.melds))
    )


def sets_unseen(layout: Layout, labels: Sequence[str]) -> int:
    """How many called sets were not seen where the closed tiles are a finished hand's; 0 where they are not,
    or hold no set."""
    counts, _ = counted(layout, labels)
    sets, rest = divmod(sum(counts) - 2, 3)
    whole = sum(counts) == len(layout.closed) and sets > 0 and rest == 0
    unseen = 4 - sets - len(layout.melds)
    return unseen if whole and unseen > 0 and counts_are_complete(counts, 4 - sets) else 0


def counted(layout: Layout, labels: Sequence[str]) -> tuple[list[int], list[int]]:
    """How many faces of each kind the closed tiles and the called sets have."""
    counts, held = [0] * KINDS, [0] * KINDS
    for index in layout.closed:
        if labels[index] in FACES:
            counts[_kind(labels[index])] += 1
    for meld in layout.melds:
        faces = [labels[i] for i in meld.tiles if labels[i] in FACES]
        for face in [*faces, *faces[:1] * (len(meld.tiles) - len(faces))]:
            held[_kind(face)] += 1
    return counts, held


def _kind(label: str) -> int:
    return KIND_OF[FACES.index(label)]


# --- search ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Variables:
    """The tiles whose face matters, and per tile its options as (loss, class), likeliest first."""

    tiles: tuple[int, ...]
    options: tuple[_Options, ...]

    @classmethod
    def of(cls, choices: Choices, layout: Layout) -> _Variables:
        face_down = {i for meld in layout.melds if meld.kind == "ankan" for i in _hidden(choices, meld)}
        inside = [*layout.closed, *(() if layout.win is None else (layout.win,))]
        inside += [i for meld in layout.melds for i in meld.tiles if i not in face_down]
        return cls(tuple(inside), tuple([choices.options(i) for i in inside]))


def _hidden(choices: Choices, meld: MeldSeen) -> tuple[int, int]:
    """The two tiles of an ankan that lie face down, the outer or the inner ones: those without a print, where
    the others have one, for white backs look like white dragons; else those that look more like backs."""
    a, b, c, d = meld.tiles
    back = choices.probabilities[:, BACK_INDEX]
    bare, least = back + choices.probabilities[:, WHITE_INDEX], choices.habit.bare
    pairs = (a, d), (b, c)
    for down, up in (pairs, pairs[::-1]):
        if min(bare[i] for i in down) > least > max(bare[i] for i in up):
            return down
    return max(pairs, key=lambda pair: sum(back[i] for i in pair))


_Rule = Callable[[Sequence[int], int], bool]
"""What counts of the tiles outside melds, and how many melds there are, must make."""


def _rule(layout: Layout, habit: DecodeHabits) -> tuple[_Rule | None, float]:
    """What a hand of this size has to be, and what may be lost for it."""
    if layout.size == 14:
        return counts_are_complete, habit.total
    return (_waits, habit.tenpai) if layout.size == 13 else (None, 0.0)


def _search(
    variables: _Variables, layout: Layout, rule: _Rule, habit: DecodeHabits, most: float
) -> Iterator[tuple[float, dict[int, int]]]:
    """Possible hands that obey the rule, by growing loss, until ``most`` is lost."""
    open_places = [k for k, options in enumerate(variables.options) if len(options) > 1]
    open_places.sort(key=lambda k: variables.options[k][1][0])
    faces = {i: variables.options[k][0][1] for k, i in enumerate(variables.tiles)}
    outside = {*layout.closed, layout.win}
    counts = _counts(faces, layout)
    # A state changes some open places; its children change the last one further, or one behind it.
    queue: list[tuple[float, tuple[tuple[int, int], ...]]] = [(0.0, ())]
    for _ in range(habit.most_waits_tried if rule is _waits else habit.most_tried):
        if not queue:
            return
        loss, changes = heapq.heappop(queue)
        tried = counts[:]
        changed: dict[int, int] = {}
        for at, rank in changes:
            place = open_places[at]
            index, (_, face) = variables.tiles[place], variables.options[place][rank]
            changed[index] = face
            if index in outside:
                tried[KIND_OF[faces[index]]] -= 1
                tried[KIND_OF[face]] += 1
        if rule(tried, len(layout.melds)):
            hand = {**faces, **changed}
            if _possible(tried, layout, hand, habit):
                yield loss, hand
        for child in _children(changes, open_places, variables.options):
            total = sum(variables.options[open_places[at]][rank][0] for at, rank in child)
            if total <= most:
                heapq.heappush(queue, (total, child))


def _children(
    changes: tuple[tuple[int, int], ...], places: Sequence[int], options: Sequence[Sequence[object]]
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every set of changes once: raise the last change, add the next place, or move the last one on."""
    if changes:
        at, rank = changes[-1]
        if rank + 1 < len(options[places[at]]):
            yield (*changes[:-1], (at, rank + 1))
        if at + 1 < len(places):
            yield (*changes, (at + 1, 1))
            if rank == 1:
                yield (*changes[:-1], (at + 1, 1))
    elif places:
        yield ((0, 1),)


def _counts(faces: dict[int, int], layout: Layout) -> list[int]:
    """Counts of the tiles outside melds."""
    counts = [0] * KINDS
    for index in (*layout.closed, *(() if layout.win is None else (layout.win,))):
        counts[KIND_OF[faces[index]]] += 1
    return counts


def _possible(counts: list[int], layout: Layout, faces: dict[int, int], habit: DecodeHabits) -> bool:
    """No fifth tile, no second red five, melds that are melds."""
    total = counts[:]
    for meld in layout.melds:
        kinds = sorted(KIND_OF[faces[i]] for i in meld.tiles if i in faces)
        if meld.kind == "chi":
            low = kinds[0]
            if kinds != [low, low + 1, low + 2] or low >= 27 or low % 9 >= 7:
                return False
        elif kinds[0] != kinds[-1]:
            return False
        for kind in kinds:
            total[kind] += 1
        if meld.kind == "ankan":
            total[kinds[0]] += 4 - len(kinds)
    reds = [face for face in faces.values() if face in _REDS]
    return max(total) <= 4 and all(reds.count(red) <= habit.reds for red in _REDS)


def _anything(counts: Sequence[int], melds: int) -> bool:
    return True


def _waits(counts: Sequence[int], melds: int) -> bool:
    return any(counts[kind] < 4 and _completes(counts, kind, melds) for kind in range(KINDS))


def _completes(counts: Sequence[int], kind: int, melds: int) -> bool:
    return counts_are_complete([*counts[:kind], counts[kind] + 1, *counts[kind + 1 :]], melds)


def _names(classes: Sequence[int]) -> tuple[str, ...]:
    return tuple([CLASSES[k] for k in classes])
