"""Fit what a hand is decided by: ``python -m models.habits SCENES... --calibrate OTHERS...``

Scenes are rendered moments of a game with exact truth (``python -m datasets render SCENES --kind game``).
Every one is read, and every candidate hand of the reading is kept with its terms and whether it is right (one
file a scene in ``--out``: an interrupted run goes on where it was). The weights of the terms maximise the
conditional likelihood of the right candidates among those of their scene, with a ridge. On the scenes of
``--calibrate``, others than these, steps (:mod:`models.trust`) tell how far the likeliest answer is to be
trusted; of scenes that did not teach it this becomes probability (:mod:`models.calibration`).
All are best of drawings that no network learnt from. What no weight can mend is a missing candidate: those
scenes are listed by kind.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from scipy.optimize import minimize

from datasets.boxes import match
from datasets.renders import Render, RenderedHand, apart, drawn, read_renders
from models.calibration import beta, isotonic
from models.samples import FOUND
from models.trust import steps
from models.whole_hands import check, tells_win
from vision.arrays import Array, Mask
from vision.candidates import Candidate
from vision.habits import HABITS
from vision.looks import HandSeen
from vision.quads import bounds, box_iou
from vision.reader import Engine, Reader
from vision.reading import SURE, Reading
from vision.reckoning import known_terms, reckon
from vision.record import hand_record
from vision.signs import signs
from vision.weights import (
    FILE,
    SIDES,
    TERMS,
    TRUSTED,
    Curve,
    Side,
    Steps,
    features,
)

RIDGE = 0.0003
"""What the square of a weight, in standard deviations of its term, costs beside the mean log likelihood."""

ROUNDS = 4
"""Of each answer the likeliest candidate counts, which the weights decide: so often they are fitted again."""

BELIEVED = {"colours": 1.0, "reds": 0.0}
"""Weights of what only the face network can tell, where its word for the colour of a five is taken."""

HELD = {"spare": -20.0}
"""Weights that are not fitted. A face that touches the end of a row is no tile to spare: who lays down 15
tiles is asked which are the hand. No scene has such a row, so none would teach it: this is a rule, which no
other term outweighs (``tests/vision/test_reckoning.py``)."""

SIGNED = {"labels": (0.0, None), "least": (0.0, None), "loss": (None, 0.0)}
"""The least and the most that some weights are: no hand is likelier for it that its faces are doubtful. Where
several terms tell the same, the fit may set one against the other."""

FOLDS = 10
"""Parts of the answers, each of which is trusted by what the others taught."""

CALIBRATIONS: Mapping[str, Callable[[Array, Mask], Curve]] = {"finished": beta, "unfinished": isotonic}
"""What tells how probable answers of a side are. 7,247 finished ones of seeds 914 to 918, each told by nine
tenths of the others, have a log likelihood of -509.5 by beta calibration and of -514.6 by isotonic
regression, whose steps are of few answers where nearly all are right; 6,219 unfinished ones of -1,033.6 and
of -1,032.4, and of those told with 0.98 and more 98.1 % and 98.5 % are right."""

SILENT = 0.002
"""Share of the scenes that may be answered without a word by a wrong finished hand. 0.005 are allowed; this
is less, for on other scenes it may be several times as much: with 0.0025 16 of 1,500 were on seed 7047, with
0.0015 4 on 7051. Another hand that goes unnoticed comes on top: no doubt of the one that was read tells it,
and all six of those on seed 918 lie beside answers of 99.6 % and more."""

_TINY = 1e-300

_DOUBT = 1e-4
"""No answer is measured as believed with more than what this lacks to 1: one would outweigh all others."""

_ASIDE = Console(stderr=True)


Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Weighing:
    """The candidates of one scene: ``terms`` (m, k), ``signs`` (m, s), ``answers`` (m,) the number of each
    one's answer; ``right`` (m,) and ``exact`` (m,) as :func:`rightness` has them;
    ``finished`` (m,). By the weights that it was read with: ``questioned``, whatever the confidence, the
    player is asked which tile won, or told of a doubt; ``chosen``, he is asked about other hands.
    ``real`` (r,): which of the other hands that may be finished are, and lie there whole."""

    name: str
    scene: str
    outcome: str
    terms: Array
    signs: Array
    answers: Counts
    right: Mask
    exact: Mask
    finished: Mask
    questioned: bool
    chosen: bool
    real: Mask


# --- what is right -----------------------------------------------------------------------------------------


def rightness(candidates: Sequence[Candidate], render: Render, *, exact: bool) -> Mask:
    """(m,) whether a candidate is what a player should get of the scene: its finished hand, any of several;
    where there is none to be seen the tiles of a hand that is whole, or of none, if none is.

    ``exact``: whether it is all right, which is what confidence is of: with the colours of fives, and where
    none is finished with all the tiles of an open hand; no answer is, where none of them says so.
    """
    records = [_record(candidate) for candidate in candidates]
    finished = [hand for hand in render.hands if hand.finished]
    won = np.array([
        each.finished and any(_same(record, hand, exact) for hand in finished)
        for each, record in zip(candidates, records, strict=True)
    ])  # fmt: skip
    if any(hand.whole for hand in finished) or won.any():
        return won
    open_hands = [hand for hand in render.hands if not hand.finished and (exact or hand.whole)]
    short = np.array([
        not each.finished and any(_same(record, hand, exact) for hand in open_hands)
        for each, record in zip(candidates, records, strict=True)
    ])  # fmt: skip
    return short if exact or short.any() else np.array([not each.finished for each in candidates])


def _record(candidate: Candidate) -> dict[str, Any]:
    return hand_record(candidate.layout, candidate.decoded.labels, ())[0] or {}


def _same(record: dict[str, Any], hand: RenderedHand, reds: bool) -> bool:
    read, truth = (record, hand.record) if reds else (_without_reds(record), _without_reds(hand.record))
    named, told = "win_tile" in record, truth["win_tile"] is not None
    return (named == told or (named and tells_win(truth))) and check(read, truth).right


def _without_reds(record: dict[str, Any]) -> dict[str, Any]:
    """A record whose fives are all plain."""
    melds = [{**meld, "tiles": meld["tiles"].replace("0", "5")} for meld in record.get("melds") or []]
    tiles = {key: record[key].replace("0", "5") for key in ("concealed", "win_tile") if record.get(key)}
    return {**record, **tiles, "melds": melds}


def _seat(candidate: Candidate, render: Render) -> int | None:
    """Whose most of the tiles of a candidate are; None where they are nobody's."""
    quads = candidate.quads[list(candidate.layout.hand)].astype(np.float32)
    there = match(np.ones(len(quads), np.float32), box_iou(bounds(quads), bounds(render.quads)), FOUND)
    seats = Counter(seat for _, tile in there if (seat := render.seats[tile]) is not None)
    seat, count = max(seats.items(), key=lambda each: each[1], default=(None, 0))
    return seat if count * 2 > len(quads) else None


# --- reading the scenes ------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _reader(threads: int) -> tuple[Reader, list[HandSeen]]:
    looks: list[HandSeen] = []

    def watch(stage: object) -> None:
        if isinstance(stage, HandSeen):
            looks.append(stage)

    habits = replace(HABITS, weights=replace(HABITS.weights, told=0.0))  # what no confidence tells alone
    return Reader(Engine(threads=threads, habits=habits), watch=watch), looks


def decided(looks: Sequence[HandSeen]) -> HandSeen:
    """Of the hands before and after they were mended that whose candidate is the likeliest of all, with what
    all of them say."""
    answers = reckon([each for hand in looks for each in hand.candidates], looks[0].habits.weights)
    best = answers[0].candidate
    hand = next(hand for hand in looks if any(each is best for each in hand.candidates))
    return replace(hand, answers=answers)


def looks_at(render: Render) -> tuple[Reading, list[HandSeen]]:
    """The reading of a scene, and what was seen in each look at it; none where there were no tiles."""
    reader, looks = _reader(1)
    looks.clear()
    return reader.read(render.path), looks


def weighing(render: Render) -> Weighing | None:
    """The candidates of all looks at a scene; None where there were no tiles."""
    reading, looks = looks_at(render)
    candidates = [each for hand in looks for each in hand.candidates]
    if not candidates:
        return None
    terms, answers = known_terms(candidates)
    hand = decided(looks)
    seats = [_seat(each.candidate, render) for each in (hand.answers[0], *hand.rivals)]
    won = {each.seat for each in render.hands if each.finished and each.whole} - {seats[0]}
    return Weighing(
        render.path.name,
        str(render.scene),
        str(render.outcome),
        terms,
        np.array(
            [signs(hand.table, hand.seen.probabilities, each) for hand in looks for each in hand.candidates]
        ),
        answers,
        rightness(candidates, render, exact=False),
        rightness(candidates, render, exact=True),
        np.array([each.finished for each in candidates]),
        reading.status != "ok" or bool(reading.doubts),
        reading.status != "ok" or any(doubt.kind == "hand" for doubt in reading.doubts),
        np.array([seat in won for seat in seats[1:]], bool),
    )


def _keep(task: tuple[Render, Path]) -> None:
    render, file = task
    weighed = weighing(render)
    facts = {} if weighed is None else {name: getattr(weighed, name) for name in Weighing.__slots__}
    part = file.with_suffix(".part")
    with part.open("wb") as out:
        np.savez_compressed(out, **facts)
    part.replace(file)


def _kept(file: Path) -> Weighing | None:
    with np.load(file) as facts:
        if not len(facts.files):
            return None
        words = (str(facts[name]) for name in ("name", "scene", "outcome"))
        arrays = (facts[name] for name in ("terms", "signs", "answers", "right", "exact", "finished"))
        told = (bool(facts[name]) for name in ("questioned", "chosen"))
        values: list[Any] = [*words, *arrays, *told, facts["real"]]
        return Weighing(*values)


def gather(scenes: Path, out: Path, workers: int, most: int | None = None) -> list[Weighing]:
    """The weighings of all scenes, those that ``out`` has not yet made by so many processes."""
    out.mkdir(parents=True, exist_ok=True)
    renders = [render for render in read_renders(scenes, most) if render.outcome]
    files = [out / f"{render.path.stem}.npz" for render in renders]
    todo = [(render, file) for render, file in zip(renders, files, strict=True) if not file.exists()]
    made: Iterator[None] = map(_keep, todo)
    if workers > 1 and todo:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            made = pool.map(_keep, todo, chunksize=4)
            list(track(made, description=str(scenes), total=len(todo), console=_ASIDE, transient=True))
    else:
        list(track(made, description=str(scenes), total=len(todo), console=_ASIDE, transient=True))
    return [weighed for file in files if (weighed := _kept(file)) is not None]


# --- fitting -----------------------------------------------------------------------------------------------


def likeliest(weighed: Weighing, scores: Array) -> tuple[Weighing, Array]:
    """Of each answer the candidate with the highest of these scores (m,), and that score; a right one, where
    one is right."""
    order = np.lexsort((-scores, weighed.answers))
    _, first = np.unique(weighed.answers[order], return_index=True)
    kept = order[first]
    same = weighed.answers[kept][:, None] == weighed.answers
    best = replace(
        weighed, terms=weighed.terms[kept], signs=weighed.signs[kept], answers=weighed.answers[kept],
        right=(same & weighed.right).any(axis=1), exact=(same & weighed.exact).any(axis=1),
        finished=weighed.finished[kept],
    )  # fmt: skip
    return best, scores[kept]


@dataclass(frozen=True, slots=True)
class _Loss:
    """The mean negative log likelihood of right candidates, and its gradient, by scaled weights."""

    terms: Array
    right: Mask
    starts: Counts
    scene: Counts
    ridge: float

    @classmethod
    def of(cls, scenes: Sequence[Weighing], scale: Array, ridge: float) -> _Loss:
        sizes = [len(each.terms) for each in scenes]
        terms = np.concatenate([each.terms for each in scenes]) / scale
        right = np.concatenate([each.right for each in scenes])
        starts = np.cumsum([0, *sizes[:-1]], dtype=np.int64)
        return cls(terms, right, starts, np.repeat(np.arange(len(scenes), dtype=np.int64), sizes), ridge)

    def __call__(self, weights: Array) -> tuple[float, Array]:
        starts, scene, count = self.starts, self.scene, len(self.starts)
        scores = self.terms @ weights
        odds = np.exp(scores - np.maximum.reduceat(scores, starts)[scene])
        good = odds * self.right
        total, best = np.add.reduceat(odds, starts), np.add.reduceat(good, starts) + _TINY
        pull = (good / best[scene] - odds / total[scene])[:, None] * self.terms
        value = -float(np.log(best / total).sum()) / count + self.ridge / 2 * float(weights @ weights)
        return value, -pull.sum(axis=0) / count + self.ridge * weights


def teaching(scenes: Iterable[Weighing]) -> list[Weighing]:
    """Those of the scenes that have right answers and wrong ones; exact ones are right, where one is."""
    told = (replace(each, right=each.exact) if each.exact.any() else each for each in scenes)
    return [each for each in told if each.right.any() and not each.right.all()]


def fit(scenes: Sequence[Weighing], ridge: float = RIDGE, *, colours: bool = True) -> tuple[Array, float]:
    """Weights (k,), and the mean log likelihood of the right answers under them, of at least one scene that
    has right answers and wrong ones. Without ``colours`` a five may be red or plain: they are believed."""
    if not colours:
        fixed = np.array([name in BELIEVED for name in TERMS])
        aside = [replace(each, exact=each.right, terms=each.terms * ~fixed) for each in scenes]
        weights, value = fit(aside, ridge)
        return np.where(fixed, [BELIEVED.get(name, 0.0) for name in TERMS], weights), value
    weights = np.array([HELD.get(name, 0.0) for name in TERMS])
    told = teaching(scenes)
    scale = np.concatenate([each.terms for each in told]).std(axis=0) + 1e-6
    held = [
        (weight, weight) if name in HELD else SIGNED.get(name, (None, None))
        for name, weight in zip(TERMS, weights * scale, strict=True)
    ]
    value = 0.0
    for number in range(ROUNDS):
        used = told if number == 0 else [likeliest(each, each.terms @ weights)[0] for each in told]
        loss = _Loss.of([each for each in used if not each.right.all()], scale, ridge)
        found = minimize(
            loss, weights * scale, jac=True, method="L-BFGS-B", bounds=held, options={"maxiter": 500}
        )
        weights, value = found.x / scale, -float(found.fun)
    return weights, value


@dataclass(frozen=True, slots=True)
class Answered:
    """The likeliest answer of a scene: ``features`` (len(TRUSTED),), and whether it is ``exact``, whether
    ``finished``, whether ``questioned`` whatever its confidence, and whether another finished hand is
    ``unknown``, which nobody is asked about and is none of its rivals."""

    features: Array
    exact: bool
    finished: bool
    questioned: bool = False
    unknown: bool = False

    @classmethod
    def of(cls, weighed: Weighing, scores: Array) -> Answered:
        """That of the candidates of a scene with these scores (m,)."""
        best, scores = likeliest(weighed, scores)
        odds = np.exp(scores - scores.max())
        top = int(scores.argmax())
        seen = features(float(odds[top] / odds.sum()), best.terms[top], best.signs[top])
        exact, finished = bool(best.exact[top]), bool(best.finished[top])
        unnoticed = finished and weighed.outcome == "several" and not weighed.chosen
        return cls(seen, exact, finished, weighed.questioned, unnoticed and not weighed.real.any())


def trusting(answers: Sequence[Answered]) -> Steps:
    """How far answers, at least one, are to be trusted, by which of them are exact. What no scene teaches
    counts for nothing."""
    seen, right = np.array([each.features for each in answers]), np.array([each.exact for each in answers])
    return steps(seen, right, {number for number, name in enumerate(TRUSTED) if name in HELD})


def untaught(answers: Sequence[Answered]) -> Array:
    """(n,) how far each of at least one answer is to be trusted, by what the others taught."""
    trust = np.empty(len(answers))
    for first in range(min(FOLDS, len(answers))):
        others = [each for number, each in enumerate(answers) if number % FOLDS != first]
        side = Side(trusting(others or answers), ())
        trust[first::FOLDS] = side.trust(np.array([each.features for each in answers[first::FOLDS]]))
    return trust


def _named(taught: Steps) -> dict[str, Any]:
    """Steps as the file of the reckoning has them."""
    names = tuple(TRUSTED)
    rows = [(names[at], value, round(by, 5)) for at, value, by in taught.some]
    return {"start": round(taught.start, 4), "steps": rows}


def sided(answers: Sequence[Answered]) -> dict[str, list[Answered]]:
    """Finished hands apart from the others, under the names that they have in the file of the reckoning."""
    return {side: [each for each in answers if each.finished == (side == "finished")] for side in SIDES}


def told_below(chance: Array, right: Mask, scored: Mask, most: float = SILENT) -> float:
    """The confidence from which nothing is told: the least one from which at most a share ``most`` of all
    answers (n,), in whole answers, is wrong without a word, and not more than what counts as sure.

    ``chance``: the answers' confidence; ``scored``: those that are scored and have no other doubt.
    """
    wrong, some = scored & ~right, round(most * len(chance))
    levels = [float(level) for level in np.unique(chance[scored]) if level < SURE]
    return next((level for level in levels if (wrong & (chance >= level)).sum() <= some), SURE)


def calibrated(answers: Sequence[Answered]) -> dict[str, Any]:
    """How far the answers of both sides are to be trusted, how probable it is then that they are right, and
    below what confidence is told, as the file of the reckoning has them; and how well they were
    ``checked``."""
    trust, curves, checked = dict[str, dict[str, Any]](), dict[str, Curve](), dict[str, dict[str, Any]]()
    chances = list[Array]()
    sides = sided(answers)
    for name, some in sides.items():
        trust[name] = _named(trusting(some) if some else Steps())
        trusted = untaught(some)
        exact = np.array([each.exact for each in some], bool)
        curves[name] = CALIBRATIONS[name](trusted, exact) if some else ((0.0, 0.0),)
        points, probable = zip(*curves[name], strict=True)
        chance = np.asarray(np.interp(trusted, points, probable))
        checked[name] = _checked(chance, exact)
        chances.append(chance)
    right, finished, questioned = (
        np.array([getattr(each, fact) for some in sides.values() for each in some], bool)
        for fact in ("exact", "finished", "questioned")
    )
    told = told_below(np.concatenate(chances), right, finished & ~questioned)
    return {"trust": trust, "curves": curves, "told": round(told, 5), "checked": checked}


def _checked(chance: Array, exact: Mask) -> dict[str, Any]:
    """How well answers are believed by what others taught; the curve alone has seen these. ``chance`` (n,):
    of each to be right; ``exact`` (n,): whether it is."""
    sure, kept = chance >= SURE, np.clip(chance, _DOUBT, 1 - _DOUBT)
    likelihood = float(np.log(np.where(exact, kept, 1 - kept)).sum())
    return {
        "answers": len(exact), "right": int(exact.sum()), "log_likelihood": round(likelihood, 1),
        "sure": int(sure.sum()), "sure_right": int((sure & exact).sum()),
    }  # fmt: skip


def unnoticed_by(answers: Sequence[Answered]) -> float:
    """How probable it is that another finished hand lies beside one of these which is none of its rivals, by
    Laplace's rule of succession."""
    return round((sum(each.unknown for each in answers) + 1) / (len(answers) + 2), 5)


def missing(scenes: Sequence[Weighing]) -> dict[str, list[str]]:
    """The scenes without a right candidate, by kind; where none is finished it need not be exact."""
    names: dict[str, list[str]] = {}
    for each in scenes:
        if not (each.exact | (each.right & ~each.finished)).any():
            names.setdefault(each.scene, []).append(each.name)
    return names


def learn(learnt: Sequence[Weighing], args: argparse.Namespace) -> dict[str, Any]:
    """The weights that these scenes teach, and what is to be said of them, for the file of the reckoning."""
    weights, likelihood = fit(learnt, args.ridge, colours=args.colours)
    return {
        "weights": {name: round(float(value), 4) for name, value in zip(TERMS, weights, strict=True)},
        "fitted": {
            "scenes": len(learnt),
            **drawn(*args.scenes),
            "command": f"python -m models.habits SCENES... --ridge {args.ridge:g}"
            + ("" if args.colours else " --no-colours"),
            "log_likelihood": {"of the scenes fitted on": round(likelihood, 4)},
        },
    }


def _answered(scene: Weighing, weights: Array) -> Answered:
    return Answered.of(scene, scene.terms @ weights)


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m models.habits", description=__doc__)
    parser.add_argument(
        "scenes", type=Path, nargs="*",
        help="folders of rendered scenes of a game to learn from; without one the weights stay as they are",
    )  # fmt: skip
    parser.add_argument(
        "--calibrate", type=Path, nargs="+", default=[],
        help="folders of other scenes, on which confidence is fitted; without one it stays as it is",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, default=Path("runs/habits"), help="where candidates are kept")
    parser.add_argument("--weights", type=Path, default=FILE, help="the file to write")
    parser.add_argument("--ridge", type=float, default=RIDGE)
    parser.add_argument("--most", type=int, help="so many scenes of each folder at most")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--colours", action=argparse.BooleanOptionalAction, default=True,
        help="a red five taken for a plain one is wrong; without, the network's word for it is taken",
    )  # fmt: skip
    args = parser.parse_args(arguments)
    if not (args.scenes or args.calibrate):
        parser.error("nothing to fit on: name scenes, or some with --calibrate")
    folders = {"fitted on": args.scenes, "calibrated on": args.calibrate}
    try:
        apart([folder for some in folders.values() for folder in some])
        record = json.loads(args.weights.read_text(encoding="utf-8"))
        gathered = {
            told: [
                each if args.colours else replace(each, exact=each.right)
                for folder in some
                for each in gather(folder, args.out / folder.name, args.workers, args.most)
            ]
            for told, some in folders.items()
        }
    except (OSError, ValueError) as error:
        parser.error(str(error))
    learnt, others = gathered.values()
    if learnt:
        found = learn(learnt, args)
        record.update(found, fitted={**record["fitted"], **found["fitted"]})
    weights = np.array([record["weights"][name] for name in TERMS])
    answered = {told: [_answered(each, weights) for each in some] for told, some in gathered.items()}
    if others:
        record["unnoticed"] = unnoticed_by(sided(answered["calibrated on"])["finished"])
        found = calibrated(answered["calibrated on"])
        checked = found.pop("checked")
        record.update(found)
        record["fitted"]["calibrated"] = {
            "scenes": len(others), **drawn(*args.calibrate), "colours": args.colours, "checked": checked,
            **({} if learnt else {"command": "python -m models.habits --calibrate OTHERS..."}),
        }  # fmt: skip
    args.weights.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    for told, scenes in ((told, scenes) for told, scenes in gathered.items() if scenes):
        good = sum(each.exact for each in answered[told])
        print(f"{told} {len(scenes)} scenes, {good} of which it answers right")
        for kind, names in sorted(missing(scenes).items()):
            print(f"    {kind}: no right candidate in {len(names)} ({', '.join(names[:8])})")
    print(f"wrote {args.weights}")


if __name__ == "__main__":
    main()
