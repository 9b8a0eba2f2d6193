"""What many scenes say together: shares with their 95 % intervals, by kind and by cause, and how often
readings of a confidence are right. :func:`summary` gives JSON values, :func:`printed` lines for a person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from typing import Any

from models.scene_check import IN_ROW, VERDICTS, Indicators, SceneResult, Verdict
from models.shares import Share

SURE = 0.98
"""The confidence from which ``tehai score --strict`` scores."""

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, SURE, 0.99)
"""Lower ends of the bins of confidence, narrow where most readings lie."""

NAMED = 8
"""Files named for each cause at most."""


FINISHED = ("finished", IN_ROW)

Test = Callable[[SceneResult], bool]


def _counted(results: Iterable[SceneResult], what: Test, whole: Test) -> Share:
    among = [result for result in results if whole(result)]
    return Share.of([result for result in among if what(result)], among)


def _is_finished(result: SceneResult) -> bool:
    return result.outcome in FINISHED


def _is_none(result: SceneResult) -> bool:
    return result.outcome == "none"


def _is_sure(result: SceneResult) -> bool:
    return result.confidence is not None and result.confidence >= SURE


FIGURES: dict[str, tuple[str, Test, Test]] = {
    "finished_right": (
        "finished hands: all tiles, roles and winning tile right",
        lambda r: r.verdict == "right",
        _is_finished,
    ),
    "finished_silent": (
        "finished hands silently wrong: scored, no doubt said, and wrong",
        lambda r: r.verdict == "silent",
        _is_finished,
    ),
    "silent": (
        "silently wrong, of all scenes",
        lambda r: r.verdict == "silent",
        lambda _: True,
    ),
    "scored_without_hand": (
        "scored although there is no finished hand",
        lambda r: r.verdict in ("doubted", "silent"),
        _is_none,
    ),
    "scored_without_hand_silently": (
        "scored although there is no finished hand, and no doubt said",
        lambda r: r.verdict == "silent",
        _is_none,
    ),
    "sure_right": (
        f"readings with confidence {SURE} or more that are right",
        lambda r: r.exact,
        _is_sure,
    ),
    "sure_scored_right": (
        f"scored readings with confidence {SURE} or more that are right",
        lambda r: r.exact,
        lambda r: r.scored and _is_sure(r),
    ),
    "sure_of_finished": (
        f"finished hands read with confidence {SURE} or more",
        _is_sure,
        _is_finished,
    ),
    "right_with_doubt": (
        "right readings of finished hands that carry a doubt",
        lambda r: bool(r.doubts),
        lambda r: _is_finished(r) and r.verdict == "right",
    ),
    "right_with_other_doubt": (
        "right readings of finished hands that carry a doubt other than of the indicators",
        lambda r: bool({*r.doubts} - {"indicator"}),
        lambda r: _is_finished(r) and r.verdict == "right",
    ),
    "picked": (
        "one of several finished hands taken without asking which",
        lambda r: r.picked,
        lambda r: r.outcome == "several",
    ),
    "answered": (
        "not scored, and a sentence says what to do",
        lambda r: not r.mute,
        lambda r: not r.scored,
    ),
    "open_tiles": (
        "nobody has finished and one whole hand is open: its tiles right",
        lambda r: bool(r.tiles),
        lambda r: r.tiles is not None,
    ),
    "open_waits": (
        "nobody has finished and one whole hand is open: its tiles and its waits right",
        lambda r: bool(r.tiles and r.waits),
        lambda r: r.tiles is not None,
    ),
    "indicators_right": (
        "right readings of finished hands with all indicators of the dora right",
        lambda r: r.indicators.all_right,
        lambda r: _is_finished(r) and r.verdict == "right",
    ),
    "indicators_silent": (
        "right readings of finished hands that list other indicators than lie there, and no doubt said",
        lambda r: r.indicators.listed > 0 and not r.indicators.all_right and not r.doubts,
        lambda r: _is_finished(r) and r.verdict == "right",
    ),
}
"""Each figure: what it counts, in words; which scenes; of which."""


def summary(results: Sequence[SceneResult]) -> dict[str, Any]:
    """All figures of some scenes as JSON values."""
    return {
        "scenes": len(results),
        "figures": {
            name: _counted(results, what, whole).to_record() for name, (_, what, whole) in FIGURES.items()
        },
        "kinds": list(_kinds(results)),
        "causes": {verdict: _causes(results, verdict) for verdict in VERDICTS if verdict != "right"},
        "indicators": _indicators(results),
        "mute": [result.file for result in results if result.mute],
        "hidden": [result.file for result in results if result.hidden],
        "reliability": reliability([(r.confidence, r.exact) for r in results if r.confidence is not None]),
        "results": [asdict(result) for result in results],
    }


def _kinds(results: Sequence[SceneResult]) -> Iterator[dict[str, Any]]:
    """Verdicts by outcome and by what the scene shows."""
    order = (*FINISHED, "several", "none")
    for outcome, scene in sorted(
        {(r.outcome, r.scene) for r in results}, key=lambda kind: (order.index(kind[0]), kind[1])
    ):
        among = [r for r in results if (r.outcome, r.scene) == (outcome, scene)]
        counts: dict[str, int] = {verdict: sum(r.verdict == verdict for r in among) for verdict in VERDICTS}
        yield {"outcome": outcome, "scene": scene, "n": len(among), **counts}


def _causes(results: Sequence[SceneResult], verdict: Verdict) -> list[dict[str, Any]]:
    """Causes of a verdict, the commonest first, by outcome, with some of the files."""
    found: dict[tuple[str, str], list[str]] = {}
    for result in results:
        if result.verdict == verdict and result.cause:
            found.setdefault((result.outcome, result.cause), []).append(result.file)
    return [
        {"outcome": outcome, "cause": cause, "count": len(files), "files": files[:NAMED]}
        for (outcome, cause), files in sorted(found.items(), key=lambda item: -len(item[1]))
    ]


def _indicators(results: Iterable[SceneResult]) -> dict[str, Any]:
    """The indicators of the finished hands that were scored."""
    scored = [r.indicators for r in results if _is_finished(r) and r.scored]
    sums = {each.name: sum(getattr(one, each.name) for one in scored) for each in fields(Indicators)}
    return {"scenes": len(scored), **sums, "right_share": Share(sums["right"], sums["shown"]).to_record()}


def reliability(readings: Sequence[tuple[float, bool]]) -> dict[str, Any]:
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
            right = Share(sum(ok for _, ok in among), len(among))
            gap += abs(mean - right.share) * len(among) / len(readings)
            bins.append({"from": low, "to": high, "confidence": round(mean, 4), "right": right.to_record()})
    brier = sum((confidence - ok) ** 2 for confidence, ok in readings) / max(1, len(readings))
    return {"n": len(readings), "bins": bins, "gap": round(gap, 4), "brier": round(brier, 4)}


def printed(report: dict[str, Any]) -> Iterator[str]:
    """A summary as lines."""
    yield f"{report['scenes']} scenes; in brackets the 95 % interval, in percent"
    for name, (words, _, _) in FIGURES.items():
        yield f"    {words}: {Share.from_record(report['figures'][name])}"
    yield f"    {indicators_said(report['indicators'])}"
    if report["mute"]:
        yield f"    neither a score nor a sentence: {', '.join(report['mute'][:NAMED])}"
    if report["hidden"]:
        yield (
            f"    right about a finished hand of which too little is to be seen for the truth to count it: "
            f"{len(report['hidden'])} ({', '.join(report['hidden'][:NAMED])})"
        )
    head = ("outcome", "scene", "n", *VERDICTS)
    yield from columns(head, ([row[name] for name in head] for row in report["kinds"]))
    for verdict, causes in report["causes"].items():
        for each in causes:
            what = f"{verdict}, {each['outcome']}: {each['cause']} {each['count']}"
            yield f"    {what} ({', '.join(each['files'])})"
    found = report["reliability"]
    yield f"{found['n']} readings with a confidence: gap {found['gap']:.3f}, Brier score {found['brier']:.3f}"
    for each in found["bins"]:
        yield (
            f"    {each['from']:.2f} to {each['to']:.2f}: mean {each['confidence']:.3f}, "
            f"right {Share.from_record(each['right'])}"
        )


def indicators_said(row: dict[str, Any]) -> str:
    """The indicators of a summary as a sentence."""
    return (
        f"indicators of the dora in {row['scenes']} scored finished hands: "
        f"{Share.from_record(row['right_share'])} right, {row['misread']} misread, "
        f"{row['shown'] - row['right'] - row['misread']} missed, {row['invented']} invented; "
        f"{row['ura_as_dora']} of {row['ura']} of the ura listed among them, "
        f"{row['ura_silent']} without a doubt"
    )


def columns(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Rows in columns, text to the left and numbers to the right."""
    cells = [list(map(str, row)) for row in (head, *rows)]
    wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = (
            text.rjust(width) if text.isdigit() else text.ljust(width)
            for text, width in zip(row, wide, strict=True)
        )
        yield "    " + "  ".join(padded).rstrip()
