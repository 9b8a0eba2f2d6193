"""Compute figures from records of readings: shares with 95 % intervals (:mod:`models.measure`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from datasets.photos import USES
from models.scene_check import IN_ROW
from models.shares import Share, percent, table
from models.tally import Tally

Record = dict[str, Any]
"""How a photo was read: a line of ``records.jsonl``."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A line of the table. ``part``: kind of photos; ``what``: what is counted; ``should``: the target."""

    part: str
    what: str
    share: Share
    should: str = ""

    def to_record(self) -> Record:
        """As JSON values."""
        return {"part": self.part, "what": self.what, "should": self.should, **self.share.to_record()}


# --- drawn scenes -------------------------------------------------------------------------------------------


def _is_finished(scene: Record) -> bool:
    return scene["outcome"] in ("finished", IN_ROW)


def _is_right(scene: Record) -> bool:
    """Whether the scene has a finished hand that was read right."""
    return _is_finished(scene) and scene["verdict"] == "right"


def _is_silent(scene: Record) -> bool:
    return bool(scene["verdict"] == "silent")


def _is_sure(scene: Record, least: float = 0.98) -> bool:
    """Whether the confidence is ``least`` or more; 0.98 is what ``tehai score --strict`` asks for."""
    return scene["confidence"] is not None and scene["confidence"] >= least


def _is_nearly_sure(scene: Record) -> bool:
    return _is_sure(scene, 0.95)


def _has_wrong_indicators(scene: Record) -> bool:
    """Whether dora indicators are listed wrongly or incompletely, without any doubt."""
    found = scene["indicators"]
    false = found["invented"] + found["ura_as_dora"]
    listed = found["right"] + found["misread"] + false
    return listed > 0 and (false > 0 or found["right"] < found["shown"]) and not scene["doubts"]


class Row(NamedTuple):
    """A figure of drawn scenes: of the scenes ``among``, the share that passes ``test``. ``should``: targets
    for the old mix and for the new layouts."""

    what: str
    among: Callable[[Record], bool]
    test: Callable[[Record], object]
    should: tuple[str, str] = ("", "")


RARELY = ("at most 0.5 %", "at most 0.5 %")

ROWS = (
    Row("finished hands right", _is_finished, _is_right, ("2 points below today", "at least 90 %")),
    Row("hands that are not finished: tiles right", lambda s: s["tiles"] is not None, lambda s: s["tiles"]),
    Row("wrong without a word", lambda s: True, _is_silent, RARELY),
    Row("scored without a hand", lambda s: bool(s["outcome"] == "none"), lambda s: s["scored"], RARELY),
    Row(
        "right of those with confidence 0.98 or more", _is_sure, lambda s: s["exact"],
        ("at least 99 %", "at least 99 %"),
    ),
    Row(
        "right of those scored with confidence 0.98 or more", lambda s: s["scored"] and _is_sure(s),
        lambda s: s["exact"],
    ),
    Row(
        "right of those with confidence 0.95 or more", _is_nearly_sure, lambda s: s["exact"],
        ("at least 98 %", "at least 98 %"),
    ),
    Row("right hands with .95 or more", _is_right, _is_nearly_sure, ("at least 70 %", "at least 70 %")),
    Row("right hands with a doubt", _is_right, lambda s: s["doubts"]),
    Row(
        "right hands with a doubt that is not about indicators", _is_right,
        lambda s: {*s["doubts"]} - {"indicator"}, ("at most 10 %", "at most 10 %"),
    ),
    Row("right hands with wrong indicators, without a word", _is_right, _has_wrong_indicators),
)  # fmt: skip


def _scene_figures(part: str, scenes: Sequence[Record]) -> Iterator[Figure]:
    is_new = part == "new layouts"
    for row in ROWS:
        among = [scene for scene in scenes if row.among(scene)]
        yield Figure(part, row.what, Share.of(among, row.test), row.should[is_new])
        if row is ROWS[0]:
            for kind in sorted({scene["scene"] for scene in among}):
                of_kind = [scene for scene in among if scene["scene"] == kind]
                yield Figure(part, f"… {kind}", Share.of(of_kind, row.test))
    read = [scene["indicators"] for scene in scenes if _is_finished(scene) and scene["scored"]]
    right, shown, beside_right, beside = (
        sum(each[name] for each in read) for name in ("right", "shown", "beside_right", "beside")
    )
    wall, elsewhere = Share(right - beside_right, shown - beside), Share(beside_right, beside)
    should = "at least 80 %" if is_new else ""
    yield Figure(part, "indicators on a wall listed rightly", wall, should)
    yield Figure(part, "indicators laid elsewhere listed rightly", elsewhere, should)


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


# --- all of it ----------------------------------------------------------------------------------------------


def _of_part(some: Sequence[Record], part: str) -> list[Record]:
    return [record for record in some if record["part"] == part]


def _tallies(some: Sequence[Record]) -> dict[str, Tally]:
    """Use of photos to the sum of its records; uses without records are left out."""
    return {use: Tally.of(use).adding(records) for use in USES if (records := _of_part(some, use))}


def figures(some: Sequence[Record]) -> Iterator[Figure]:
    """All figures of these records."""
    for part in ("old mix", "new layouts"):
        if scenes := _of_part(some, part):
            yield from _scene_figures(part, scenes)
    yield from _hand_figures(_of_part(some, "hands"))
    if taken := _of_part(some, "conditions"):
        yield _became("conditions", "right", taken, ["met"], "187 of 207 or more")
        yield _became("conditions", "wrong without a word", taken, ["silent"], "none")
    for use, total in _tallies(some).items():
        yield Figure(use, "tiles right", Share(total.right, total.tiles), "0.5 points below today")
        if total.extra is not None:
            yield Figure(use, "extra tiles", Share(total.extra, total.tiles), "at most 1.5 %")


def values(some: Sequence[Record]) -> Record:
    """JSON values for cards: all figures, the tiles of real photos by use, and the seeds of drawn scenes."""
    drawn = {part: _of_part(some, part) for part in ("old mix", "new layouts")}
    return {
        "figures": [each.to_record() for each in figures(some)],
        "uses": {use: tally.to_record() for use, tally in _tallies(some).items()},
        "seeds": {
            part: sorted({int(scene["name"].partition("/")[0]) for scene in scenes})
            for part, scenes in drawn.items()
        },
    }


def report(columns: Mapping[str, Sequence[Record]]) -> Iterator[str]:
    """Markdown: a table with a column for each folder of records, then each photographed hand, and speed."""
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
        rows = [
            (r["name"], r["became"], " ".join(r["missed"]), r["message"] or "",
             "" if r["confidence"] is None else percent(r["confidence"]))
            for r in hands
        ]  # fmt: skip
        yield from table(("photo", "became", "missed", "message", "confidence"), rows)
        yield ""
        if times := [r["ms"] for r in hands if r["name"].endswith("whole")]:
            slow, quick = max(times), min(times)
            yield f"A photo of `hands/` takes {quick:.0f} to {slow:.0f} ms of the processor: the slowest"
            yield f"{slow / max(quick, 0.1):.1f} times as long as the quickest (at most 2.5)."
            yield "Beside a peer, as a live frame and with 12 megapixels: `python -m benchmarks.photo`."
