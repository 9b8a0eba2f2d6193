"""What reviewed photos of a set of one's own would mend: ``python -m benchmarks.own_set --renders DIR``.

Learnt on top of the shipped face network, whose weights stay: a last layer that adds to its answers, held to
nothing (L2), and prototypes, the most alike labelled tile of each face mixed into its answers. Both look at
the network's last maps, their mean and their most. How strong each is, is chosen on held-out renders
alone, each photo a set, half of whose tiles are learnt (``python -m datasets render DIR --kind game
--held-out``). Then, over ``--splits``: ``--learnt`` photos of ``eval-unseen`` are learnt and the others
measured, and all photos of the two other uses with them, where nothing may become wrong. Faces are those that
the network answers, before any rule of a hand.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from datasets.boxes import match
from datasets.photos import PHOTOS, read_manifest
from datasets.renders import read_renders
from vision import network
from vision.arrays import Array32
from vision.faces import FaceReader, cut, softmax
from vision.finder import Finder
from vision.labels import FACES, WITH_FOREIGN
from vision.quads import bounds, box_iou
from vision.reader import Engine

FOUND = 0.5
"""IoU from which a tile that was found is the one of the truth."""

VISIBLE = 0.6
PENALTIES = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
WEIGHTS = (0.1, 0.2, 0.3, 0.5, 0.7)
SHARP = 20.0
"""How much likelier a prototype is that is more alike."""

STEPS, RATE = 400, 1.0


@dataclass(frozen=True, slots=True)
class Tiles:
    """Tiles of a photo: the network's ``answers`` (n, classes), what it ``saw`` (n, 240), ``truth`` (n,)."""

    answers: Array32
    saw: Array32
    truth: NDArray[np.int64]

    @classmethod
    def joined(cls, some: Sequence[Tiles]) -> Tiles:
        """All in one."""
        return cls(*(np.concatenate([getattr(one, name) for one in some]) for name in cls.__slots__))

    def part(self, which: NDArray[np.bool_]) -> Tiles:
        """Some of them."""
        return Tiles(self.answers[which], self.saw[which], self.truth[which])

    def wrong(self, answers: Array32) -> NDArray[np.bool_]:
        """Which tiles these answers have wrong."""
        return np.asarray(answers.argmax(1) != self.truth, bool)

    def mistakes(self) -> list[tuple[int, int]]:
        """What the network has wrong: what is there, and what it says."""
        wrong = self.wrong(self.answers)
        said = self.answers[wrong].argmax(1)
        return list(zip(self.truth[wrong].tolist(), said.tolist(), strict=True))


class Networks:
    """The shipped networks."""

    def __init__(self) -> None:
        engine = Engine()
        self.finder = Finder(network.load(engine.finder, 1))
        self.faces = FaceReader(network.load(engine.faces, 1))

    def __call__(self, rgb: NDArray[np.uint8], boxes: Array32, labels: Sequence[str]) -> Tiles | None:
        """The tiles of a photo that are there in truth, and are found; None where none is."""
        seen = self.faces.classify(rgb, self.finder.find(rgb).quads)
        assert seen.logits is not None
        answers = softmax(seen.logits)
        pairs = match(answers.max(1), box_iou(bounds(seen.quads), boxes), FOUND)
        pairs = [(i, j) for i, j in pairs if labels[j] in FACES]
        if not pairs:
            return None
        found = [i for i, _ in pairs]
        maps = self.faces.run(cut(rgb, seen.quads[found], self.faces.shape))[3]
        saw = np.concatenate([maps.mean(2), maps.max(2)], 1)
        saw = saw / np.maximum(np.linalg.norm(saw, axis=1, keepdims=True), 1e-9)
        truth = np.array([WITH_FOREIGN.index(labels[j]) for _, j in pairs], np.int64)
        return Tiles(answers[found], np.asarray(saw, np.float32), truth)


def last_layer(learnt: Tiles, penalty: float) -> Callable[[Tiles], Array32]:
    """A layer that adds to the logarithms of the answers, fitted by going downhill from nothing."""
    middle = learnt.saw.mean(0)
    scale = 1 / max(float(np.linalg.norm(learnt.saw - middle, axis=1).mean()), 1e-9)
    weights = np.zeros((learnt.saw.shape[1], learnt.answers.shape[1]))
    wanted = np.eye(learnt.answers.shape[1])[learnt.truth]

    def answer(tiles: Tiles) -> Array32:
        logits = np.log(tiles.answers + 1e-6) + (tiles.saw - middle) * scale @ weights
        raised = np.exp(logits - logits.max(1, keepdims=True))
        return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)

    for _ in range(STEPS):
        off = answer(learnt) - wanted
        weights -= RATE * (((learnt.saw - middle) * scale).T @ off / len(off) + penalty * weights)
    return answer


def prototypes(learnt: Tiles, weight: float) -> Callable[[Tiles], Array32]:
    """The most alike labelled tile of each face, so much of the answer."""

    def answer(tiles: Tiles) -> Array32:
        alike = tiles.saw @ learnt.saw.T
        best = np.full(tiles.answers.shape, -1.0, np.float32)
        for face in np.unique(learnt.truth):
            best[:, face] = alike[:, learnt.truth == face].max(1)
        raised = np.exp(SHARP * (best - best.max(1, keepdims=True)))
        return np.asarray(
            (1 - weight) * tiles.answers + weight * raised / raised.sum(1, keepdims=True), np.float32
        )

    return answer


METHODS = {"last layer": (last_layer, PENALTIES), "prototypes": (prototypes, WEIGHTS)}


def chosen(sets: Sequence[Tiles]) -> Iterator[tuple[str, float, int, int]]:
    """Of each method the setting with the fewest mistakes on renders; mistakes before and after."""
    draw = np.random.default_rng(0)
    halves = [
        (one.part(some), one.part(~some)) for one in sets for some in (draw.random(len(one.truth)) < 0.5,)
    ]
    before = sum(int(rest.wrong(rest.answers).sum()) for _, rest in halves)
    for name, (method, settings) in METHODS.items():
        after = [
            sum(int(rest.wrong(method(learnt, setting)(rest)).sum()) for learnt, rest in halves)
            for setting in settings
        ]
        best = int(np.argmin(after))
        yield name, settings[best], before, after[best]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Measure what photos of a set of one's own would mend.")
    parser.add_argument("--photos", type=Path, default=PHOTOS)
    parser.add_argument("--renders", type=Path, required=True, help="a folder of held-out games")
    parser.add_argument("--most", type=int, default=80, help="renders")
    parser.add_argument("--learnt", type=int, default=10)
    parser.add_argument("--splits", type=int, default=30)
    args = parser.parse_args()
    networks = Networks()
    renders = [
        networks(one.load(), bounds(one.quads[one.visible >= VISIBLE]), [
            label for label, visible in zip(one.labels, one.visible, strict=True) if visible >= VISIBLE
        ])
        for one in read_renders(args.renders, args.most)
    ]  # fmt: skip
    uses = {}
    for use in ("eval-unseen", "eval-tray", "eval-club"):
        photos = read_manifest(args.photos, [use])
        seen = (networks(photo.load(), photo.boxes, photo.labels) for photo in photos)
        uses[use] = [tiles for tiles in seen if tiles is not None]
    own = uses.pop("eval-unseen")
    others = Tiles.joined([tiles for some in uses.values() for tiles in some])
    print(f"{len(own)} photos, {sum(len(one.truth) for one in own)} tiles; {len(others.truth)} of other sets")
    for name, setting, before, after in chosen([one for one in renders if one and len(one.truth) >= 20]):
        method, _ = METHODS[name]
        draw = np.random.default_rng(1)
        counts = np.zeros(5, int)  # tiles, wrong before, after, of these new; of no kind that was learnt
        harmed = np.zeros(len(others.truth), bool)
        for _ in range(args.splits):
            order = draw.permutation(len(own))
            learnt = Tiles.joined([own[at] for at in order[: args.learnt]])
            answer = method(learnt, setting)
            rest = Tiles.joined([own[at] for at in order[args.learnt :]])
            was, now = rest.wrong(rest.answers), rest.wrong(answer(rest))
            new_kind = len(rest.mistakes()) - sum(one in set(learnt.mistakes()) for one in rest.mistakes())
            counts += [len(was), was.sum(), now.sum(), (now & ~was).sum(), new_kind]
            harmed |= others.wrong(answer(others)) & ~others.wrong(others.answers)
        print(f"{name}, {setting} (of renders {before} wrong before, {after} after): {args.splits} splits,")
        print(f"  {counts[0]:,} tiles, {counts[1]} wrong before, {counts[2]} after, {counts[3]} of them new;")
        print(
            f"  {counts[4]} would be left if every kind of mistake that the learnt photos show were mended;"
        )
        print(f"  {harmed.sum()} tiles of other sets became wrong in some split", flush=True)


if __name__ == "__main__":
    main()
