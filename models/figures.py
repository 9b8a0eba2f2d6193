"""What records of readings come to: shares with their 95 % intervals, and how often readings of a confidence
are right. :mod:`models.measure` writes the records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from datasets.photos import USES
from models.photographed import expected
from models.scene_check import IN_ROW, VERDICTS, Indicators, SceneResult, Verdict
from models.shares import Share, percent, table
from models.tally import Tally

Record = dict[str, Any]

SURE, NEARLY = 0.98, 0.95
"""The confidence from which ``tehai score --strict`` scores, and one below it."""

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, NEARLY, SURE, 0.99)
"""Lower ends of the bins of confidence, narrow where most readings lie."""

NAMED = 8
"""Files named for each cause at most."""

FINISHED = ("finished", IN_ROW)


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table: of which ``part``, ``what`` it counts, and what it ``should`` be."""

    part: str
    what: str
    share: Share
    should: str = ""

    def to_record(self) -> Record:
        """As JSON values."""
        return {"part": self.part, "what": self.what, "should": self.should, **self.share.to_record()}


# --- drawn scenes -------------------------------------------------------------------------------------------


def _is_sure(scene: SceneResult, least: float = SURE) -> bool:
    return scene.confidence is not None and scene.confidence >= least


def scene_shares(scenes: Sequence[SceneResult]) -> dict[str, Share]:
    """Each figure of drawn scenes, by its name in ``figures.json``."""
    finished = [scene for scene in scenes if scene.outcome in FINISHED]
    won = [scene for scene in finished if scene.verdict == "right"]
    none = [scene for scene in scenes if scene.outcome == "none"]
    unfinished = [scene for scene in scenes if scene.tiles is not None]
    sure = [scene for scene in scenes if _is_sure(scene)]
    nearly = [scene for scene in scenes if _is_sure(scene, NEARLY)]
    read = [scene.indicators for scene in finished if scene.scored]
    beside, beside_right = sum(i.beside for i in read), sum(i.beside_right for i in read)
    return {
        "finished_right": Share(len(won), len(finished)),
        "finished_silent": Share.of(finished, lambda s: s.verdict == "silent"),
        "silent": Share.of(scenes, lambda s: s.verdict == "silent"),
        "scored": Share.of(none, lambda s: s.scored),
        "scored_without_hand": Share.of(none, lambda s: s.verdict in ("doubted", "silent")),
        "scored_without_hand_silently": Share.of(none, lambda s: s.verdict == "silent"),
        "sure_right": Share.of(sure, lambda s: s.exact),
        "nearly_sure_right": Share.of(nearly, lambda s: s.exact),
        "sure_scored_right": Share.of([s for s in sure if s.scored], lambda s: s.exact),
        "sure_of_finished": Share.of(finished, _is_sure),
        "nearly_sure_of_right": Share.of(won, lambda s: _is_sure(s, NEARLY)),
        "right_with_doubt": Share.of(won, lambda s: s.doubts),
        "right_with_other_doubt": Share.of(won, lambda s: {*s.doubts} - {"indicator"}),
        "picked": Share.of([s for s in scenes if s.outcome == "several"], lambda s: s.picked),
        "answered": Share.of([s for s in scenes if not s.scored], lambda s: not s.mute),
        "open_tiles": Share.of(unfinished, lambda s: s.tiles),
        "open_waits": Share.of(unfinished, lambda s: s.tiles and s.waits),
        "indicators_right": Share.of(won, lambda s: s.indicators.all_right),
        "indicators_silent": Share.of(
            won, lambda s: s.indicators.listed > 0 and not s.indicators.all_right and not s.doubts
        ),
        "indicators_wall": Share(
            sum(i.right for i in read) - beside_right, sum(i.shown for i in read) - beside
        ),
        "indicators_beside": Share(beside_right, beside),
    }


ROWS: Mapping[str, tuple[str, str, str]] = {
    "finished_right": ("finished hands right", "2 points below today", "at least 90 %"),
    "open_tiles": ("hands that are not finished: tiles right", "", ""),
    "silent": ("wrong without a word", "at most 0.5 %", "at most 0.5 %"),
    "scored": ("scored without a hand", "at most 0.5 %", "at most 0.5 %"),
    "sure_right": ("right of those with confidence 0.98 or more", "at least 99 %", "at least 99 %"),
    "nearly_sure_right": ("right of those with confidence 0.95 or more", "at least 98 %", "at least 98 %"),
    "nearly_sure_of_right": ("right hands with .95 or more", "at least 70 %", "at least 70 %"),
    "right_with_other_doubt": (
        "right hands with a doubt that is not about indicators", "at most 10 %", "at most 10 %",
    ),
    "indicators_wall": ("indicators on a wall listed rightly", "", "at least 80 %"),
    "indicators_beside": ("indicators laid elsewhere listed rightly", "", "at least 80 %"),
}  # fmt: skip
"""Those of the table: its words, and what it should be of the old mix and of the new layouts."""


def _scene_figures(part: str, scenes: Sequence[SceneResult]) -> Iterator[Figure]:
    shares = scene_shares(scenes)
    for name, (what, *should) in ROWS.items():
        yield Figure(part, what, shares[name], should[part == "new layouts"])
        if name == "finished_right":
            finished = [scene for scene in scenes if scene.outcome in FINISHED]
            for kind in sorted({scene.scene for scene in finished}):
                among = [scene for scene in finished if scene.scene == kind]
                yield Figure(part, f"… {kind}", Share.of(among, lambda s: s.verdict == "right"))


def summary(results: Sequence[SceneResult]) -> Record:
    """All that is behind the figures of some scenes, as JSON values."""
    return {
        "scenes": len(results),
        "figures": {name: share.to_record() for name, share in scene_shares(results).items()},
        "kinds": list(_kinds(results)),
        "causes": {verdict: _causes(results, verdict) for verdict in VERDICTS if verdict != "right"},
        "indicators": _indicators(results),
        "mute": [result.file for result in results if result.mute],
        "hidden": [result.file for result in results if result.hidden],
        "reliability": reliability([(r.confidence, r.exact) for r in results if r.confidence is not None]),
        "results": [asdict(result) for result in results],
    }


def _kinds(results: Sequence[SceneResult]) -> Iterator[Record]:
    """Verdicts by outcome and by what the scene shows."""
    order = (*FINISHED, "several", "none")
    kinds = {(result.outcome, result.scene) for result in results}
    for outcome, scene in sorted(kinds, key=lambda kind: (order.index(kind[0]), kind[1])):
        verdicts = [r.verdict for r in results if (r.outcome, r.scene) == (outcome, scene)]
        counts: Record = {verdict: verdicts.count(verdict) for verdict in VERDICTS}
        yield {"outcome": outcome, "scene": scene, "n": len(verdicts), **counts}


def _causes(results: Sequence[SceneResult], verdict: Verdict) -> list[Record]:
    """Causes of a verdict, the commonest first, by outcome, with some of the files."""
    found: dict[tuple[str, str], list[str]] = {}
    for result in results:
        if result.verdict == verdict and result.cause:
            found.setdefault((result.outcome, result.cause), []).append(result.file)
    return [
        {"outcome": outcome, "cause": cause, "count": len(files), "files": files[:NAMED]}
        for (outcome, cause), files in sorted(found.items(), key=lambda item: -len(item[1]))
    ]


def _indicators(results: Sequence[SceneResult]) -> Record:
    """The indicators of the finished hands that were scored."""
    scored = [r.indicators for r in results if r.outcome in FINISHED and r.scored]
    sums = {each.name: sum(getattr(one, each.name) for one in scored) for each in fields(Indicators)}
    return {"scenes": len(scored), **sums, "right_share": Share(sums["right"], sums["shown"]).to_record()}


def reliability(readings: Sequence[tuple[float, bool]]) -> Record:
    """How confidence and being right go together, of readings as (confidence, right).

    ``bins``: of those that hold any, ``from`` and ``to`` (``to`` excluded, but for 1), mean ``confidence``,
    ``right`` of ``n`` as shares have it. ``gap``: mean distance of confidence and share right over the bins,
    weighed by how many they hold (expected calibration error; Naeini, Cooper, Hauskrecht 2015). ``brier``:
    mean squared distance of a confidence and what came true (Brier 1950).
    """
    bins = []
    gap = 0.0
    for low, high in zip(EDGES, (*EDGES[1:], 1.0), strict=True):
        among = [one for one in readings if low <= one[0] and (one[0] < high or high == 1)]
        if among:
            mean = sum(confidence for confidence, _ in among) / len(among)
            right = Share.of(among, lambda one: one[1])
            gap += abs(mean - right.share) * len(among) / len(readings)
            bins.append({"from": low, "to": high, "confidence": round(mean, 4), "right": right.to_record()})
    brier = sum((confidence - ok) ** 2 for confidence, ok in readings) / max(1, len(readings))
    return {"n": len(readings), "bins": bins, "gap": round(gap, 4), "brier": round(brier, 4)}


# --- photographs --------------------------------------------------------------------------------------------

_WORSE = ("met", "asked", "doubted", "silent")


def _became(part: str, what: str, some: Sequence[Record], words: Sequence[str], should: str = "") -> Figure:
    return Figure(part, what, Share.of(some, lambda record: record["became"] in words), should)


def _hand_figures(hands: Sequence[Record]) -> Iterator[Figure]:
    ranks: dict[str, dict[str, int]] = {}
    for how in ("whole", "framed"):
        some = [record for record in hands if record["name"].endswith(f" {how}")]
        if some:
            yield _became("hands", f"{how}: right", some, ["met"])
            yield _became("hands", f"{how}: right or asked", some, ["met", "asked"], "all")
            yield _became("hands", f"{how}: wrong without a word", some, ["silent"], "none")
        ranks[how] = {r["name"].removesuffix(f" {how}"): _WORSE.index(r["became"]) for r in some}
    if both := ranks["whole"].keys() & ranks["framed"].keys():
        worse = Share.of(both, lambda file: ranks["framed"][file] > ranks["whole"][file])
        yield Figure("hands", "worse with a frame than without", worse, "none")


def tally_of(use: str, some: Sequence[Record]) -> Tally:
    """The sum of the records of a use."""
    total = Tally.of(use)
    for record in some:
        if record["part"] == use:
            total.merge(Tally(**{each.name: record[each.name] for each in fields(Tally)}))
    return total


# --- all of it ----------------------------------------------------------------------------------------------


def _of_part(some: Sequence[Record], part: str) -> list[Record]:
    return [record for record in some if record["part"] == part]


def _scenes(some: Sequence[Record], part: str) -> list[SceneResult]:
    return [SceneResult.from_record(record) for record in _of_part(some, part)]


def figures(some: Sequence[Record]) -> Iterator[Figure]:
    """All figures that these records give."""
    for part in ("old mix", "new layouts"):
        if scenes := _scenes(some, part):
            yield from _scene_figures(part, scenes)
    yield from _hand_figures(_of_part(some, "hands"))
    if taken := _of_part(some, "conditions"):
        yield _became("conditions", "right", taken, ["met"], "187 of 207 or more")
        yield _became("conditions", "wrong without a word", taken, ["silent"], "none")
    for use in USES:
        if (total := tally_of(use, some)).photos:
            yield Figure(use, "tiles right", Share(total.right, total.tiles), "0.5 points below today")
            if total.extra is not None:
                yield Figure(use, "extra tiles", Share(total.extra, total.tiles), "at most 1.5 %")


def values(some: Sequence[Record]) -> Record:
    """What cards are made from, as JSON values: the figures, and all that is behind them."""
    wanted = expected()
    whole = {
        record["name"].removesuffix(" whole"): record
        for record in _of_part(some, "hands") if record["name"].endswith(" whole")
    }  # fmt: skip
    return {
        "figures": [each.to_record() for each in figures(some)],
        "uses": {use: tally.to_record() for use in USES if (tally := tally_of(use, some)).photos},
        "outcomes": [
            {"file": file, "outcome": wanted[file].words, "met": record["became"] == "met"}
            | {name: record[name] for name in ("missed", "message", "confidence", "doubts")}
            for file, record in whole.items()
        ],
        **{
            name: {
                "seeds": sorted({int(r["name"].partition("/")[0]) for r in _of_part(some, part)}),
                **summary(_scenes(some, part)),
            }
            for name, part in (("scenes", "old mix"), ("new_scenes", "new layouts"))
        },
    }


def report(columns: Mapping[str, Sequence[Record]]) -> Iterator[str]:
    """The table as Markdown, a column for each folder of records; then each photo of a hand, and speed."""
    found = {name: {(f.part, f.what): f for f in figures(some)} for name, some in columns.items()}
    should = {key: figure.should for each in found.values() for key, figure in each.items()}
    rows = [
        (*key, *(each[key].share if key in each else "" for each in found.values()), last)
        for key, last in should.items()
    ]
    yield from table(("part", "what", *found, "should be"), rows)
    for name, some in columns.items():
        hands = _of_part(some, "hands")
        yield from ("", f"## Photographed hands: {name}", "")
        sure = ("" if r["confidence"] is None else percent(r["confidence"]) for r in hands)
        rows = [
            (r["name"], r["became"], " ".join(r["missed"]), r["message"] or "", confidence)
            for r, confidence in zip(hands, sure, strict=True)
        ]
        yield from table(("photo", "became", "missed", "message", "confidence"), rows)
        yield ""
        if times := [r["ms"] for r in hands if r["name"].endswith("whole")]:
            slow, quick = max(times), min(times)
            yield f"A photo of `hands/` takes {quick:.0f} to {slow:.0f} ms of the processor: the slowest"
            yield f"{slow / max(quick, 0.1):.1f} times as long as the quickest (at most 2.5)."
            yield "Beside a peer, as a live frame and with 12 megapixels: `python -m benchmarks.photo`."
