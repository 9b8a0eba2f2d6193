"""The card of the reckoning, which decides what hand a photo shows, and its reliability diagram.

``python -m models.measure OUT --old SCENES``, then ``python -m models.habits_card OUT/figures.json
--scenes SCENES``. What the fit says of itself stands beside the weights in ``vision/reckoning.json``: the
``scenes``, ``seed`` and ``drawings`` that it was fitted on and ``calibrated`` on, the ``command``, and
``log_likelihood``, the mean of a scene's true reading by where it was taken.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from models.card import table
from models.reliability import diagram
from models.scene_check import VERDICTS
from models.scene_figures import FIGURES, indicators_said
from models.shares import Share
from vision.draw import draw
from vision.reader import Reader
from vision.reading import SURE
from vision.weights import FILE, TRUSTED

ABOUT = """# The reckoning

Decides which of the tiles that were seen are a hand and whose, which one won, and whether the hand is
finished; and says how sure that is.

**In:** the tiles that the networks saw: their places, and how likely each face is. **Out:** the reading
(`docs/reading.md`) with its `confidence`, the probability that tiles, roles and winning tile are all right,
and its `doubts`.

**Built** as one likelihood of a scene, in which "no finished hand" and "several hands" are answers like any
other: every way to see the tiles has terms (`vision/weights.py` says what each is), and their weights,
`vision/reckoning.json`, say how likely it is beside all others. The rules that hold whatever they say stand
in `vision/habits.py`, each as what it is."""

STANDING = ("weights", "trust", "told", "unnoticed")
"""What photos are read with: it stands beside the report of its fit."""

FITTED = ("scenes", "seed", "drawings", "command", *STANDING, "log_likelihood", "calibrated")
"""What is told of a fit."""

SHOWN = 6
"""Scenes on the sheet of those that went wrong."""

WORST = ("silent", "doubted", "asked", "refused")
_WIDE, _HIGH, _LINE = 480, 360, 26


def card(evaluation: dict[str, Any], fit: dict[str, Any], pictures: Sequence[tuple[str, str]]) -> str:
    """The card's Markdown. ``pictures``: what it shows and the address, of the diagram and of the failures.

    Raises ValueError when no scenes were evaluated, or the report of the fit is none.
    """
    lacking = [name for name in FITTED if name not in fit]
    if lacking:
        raise ValueError(f"the report of the fit lacks {', '.join(lacking)}")
    scenes = evaluation.get("scenes")
    if not scenes:
        raise ValueError("the evaluation is of no scenes: run models.measure with --old")
    seeds = ", ".join(map(str, scenes["seeds"])) or "unknown"
    found = scenes["reliability"]
    parts = [
        ABOUT,
        "## Fitted",
        "\n".join(_fitted(fit)),
        "## Measured",
        f"On {scenes['scenes']} rendered moments of a game (`python -m datasets render --kind game "
        f"--held-out`, seed {seeds}). Nothing learnt from these drawings or was fitted on these scenes. Read "
        f"with {_networks(evaluation)}. In brackets the 95 % interval (Wilson) in percent.",
        "\n".join(_figures(scenes)),
        "What became of each kind of scene:",
        "\n".join(_kinds(scenes)),
        f"Of the {indicators_said(scenes['indicators'])}.",
        "## How sure, honestly",
        f"{found['n']} readings with a confidence: on average {found['gap']:.3f} away from the share that is "
        f"right (expected calibration error), Brier score {found['brier']:.3f}. On the line readings are "
        "right as often as they say, below it they are too sure; bars: 95 % intervals.",
        *(f"![{words}]({address})" for words, address in pictures[:1]),
        "\n".join(_bins(found)),
        "## Where it fails",
        "\n".join(_failures(scenes)),
        *(f"![{words}]({address})" for words, address in pictures[1:]),
    ]
    if evaluation.get("outcomes"):
        parts += ["## Photographed hands, none pointed at", "\n".join(outcomes(evaluation["outcomes"]))]
    return "\n\n".join(parts) + "\n"


def _networks(evaluation: dict[str, Any]) -> str:
    return " and ".join(f"{task} `{digest[:12]}`" for task, digest in evaluation["models"].items())


def _fitted(fit: dict[str, Any]) -> Iterator[str]:
    yield f"- scenes: {fit['scenes']} of {fit['drawings']} drawings, seed {fit['seed']}"
    other = fit["calibrated"]
    yield (
        f"- confidence: on {other['scenes']} of {other['drawings']} drawings, seed {other['seed']}"
        + ("" if other.get("colours", True) else ", whatever the colour of a five was read as")
        + (f"; {other['since']}" if "since" in other else "")
    )
    for side, found in other.get("checked", {}).items():
        yield (
            f"- {side} answers of these, each believed by what nine tenths of the others taught: "
            f"{found['right']} of {found['answers']} right, log likelihood {found['log_likelihood']}; with a "
            f"confidence of {SURE} and more {Share(found['sure_right'], found['sure'])} right"
        )
    yield (
        f"- told: below a confidence of {fit['told']:.4g}, before unnoticed hands count, the next answers "
        "are doubts; from there on finished hands that were wrong were rare enough to be silent"
    )
    yield (
        f"- unnoticed: beside {fit['unnoticed']:.2%} of the finished hands another one lies that is none of "
        "these: by so much they are less sure"
    )
    for what, value in fit["log_likelihood"].items():
        yield f"- mean log-likelihood of the true reading, {what}: {value:.4f}"
    yield f"- command: `{fit['command']}`"
    if "command" in other:
        yield f"- confidence fitted anew, the weights as they were: `{other['command']}`"
    yield ""
    yield from table(
        ("number", "fitted"), ((f"`{name}`", f"{value:.4g}") for name, value in fit["weights"].items())
    )
    yield ""
    yield "How far the likeliest answer is to be trusted, by the same terms and by how it stands among all:"
    yield "what each adds to the log odds, or takes, where it is highest, and in how many steps."
    yield ""
    rows = ((f"`{name}`", *(_added(side, name) for side in fit["trust"].values())) for name in TRUSTED)
    yield from table(("trusted", *fit["trust"]), rows)


def _added(side: dict[str, Any], name: str) -> str:
    """What the steps of a feature come to, or that it has none."""
    added = [by for feature, _, by in side["steps"] if feature == name]
    return f"{sum(added):+.3g} in {len(added)}" if added else ""


def _figures(scenes: dict[str, Any]) -> Iterator[str]:
    rows = ((words, Share.from_record(scenes["figures"][name])) for name, (words, _, _) in FIGURES.items())
    yield from table(("figure", "found"), rows)


def _kinds(scenes: dict[str, Any]) -> Iterator[str]:
    head = ("outcome", "scene", "n", *VERDICTS)
    yield from table(head, ([row[name] for name in head] for row in scenes["kinds"]))


def _bins(found: dict[str, Any]) -> Iterator[str]:
    rows = (
        (f"{row['from']:.2f} to {row['to']:.2f}", f"{row['confidence']:.3f}", Share.from_record(row["right"]))
        for row in found["bins"]
    )
    yield from table(("confidence", "mean", "right"), rows)


def _failures(scenes: dict[str, Any]) -> Iterator[str]:
    """Causes of what is not right, the gravest verdicts first."""
    rows = [
        (verdict, each["outcome"], each["cause"], each["count"])
        for verdict in WORST
        for each in scenes["causes"][verdict]
    ]
    yield from table(("verdict", "truth", "cause", "scenes"), rows) if rows else ("Nowhere on these scenes.",)


def outcomes(photos: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A line for each photographed hand: what a player should get, and whether it is met."""
    met = Share(sum(photo["met"] for photo in photos), len(photos))
    yield f"{met.count} of {met.n} outcomes met."
    yield ""
    for photo in photos:
        verdict = (
            "met"
            if photo["met"]
            else f"not met ({', '.join(photo['missed'])}): {photo['message']}".rstrip(": ")
        )
        yield f"- `{photo['file']}`, {photo['outcome']}: {verdict}"


def worst(scenes: dict[str, Any], most: int = SHOWN) -> list[tuple[str, str]]:
    """Files of scenes that went wrong with what to write below each, the gravest verdicts first, each cause
    once before any comes again."""
    causes = [
        [(file, f"{verdict}: {each['cause']} ({each['outcome']})") for file in each["files"]]
        for verdict in WORST
        for each in scenes["causes"][verdict]
    ]
    turns = max(map(len, causes), default=0)
    return [files[turn] for turn in range(turns) for files in causes if turn < len(files)][:most]


def sheet(reader: Reader, folder: Path, failures: Sequence[tuple[str, str]]) -> Image.Image:
    """Scenes that went wrong as they were read, three in a row, each with its words below: RGB."""
    lines = -(-len(failures) // 3)
    image = Image.new("RGB", (3 * _WIDE, lines * (_HIGH + _LINE)), "white")
    pen = ImageDraw.Draw(image)
    for k, (file, words) in enumerate(failures):
        bgr = cv2.imread(str(folder / file))
        if bgr is None:
            raise ValueError(f"cannot read {folder / file}: are these the scenes that were evaluated?")
        rgb = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8)
        photo = Image.fromarray(draw(rgb, reader.read(rgb)))
        photo.thumbnail((_WIDE - 4, _HIGH))
        x, y = k % 3 * _WIDE, k // 3 * (_HIGH + _LINE)
        image.paste(photo, (x + (_WIDE - photo.width) // 2, y + _HIGH - photo.height))
        pen.text((x + _WIDE / 2, y + _HIGH + 4), words, "#222222", ImageFont.load_default(14), "mt")
    return image


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m models.habits_card", description="Write the card of the reckoning."
    )
    parser.add_argument("evaluation", type=Path, help="the figures.json of python -m models.measure")
    parser.add_argument("--weights", type=Path, default=FILE, help="what python -m models.habits wrote")
    parser.add_argument("--scenes", type=Path, help="folder that was evaluated, to show where it fails")
    parser.add_argument("--out", type=Path, default=Path("models/habits.md"))
    args = parser.parse_args(arguments)
    try:
        evaluation, record = (
            json.loads(path.read_text(encoding="utf-8")) for path in (args.evaluation, args.weights)
        )
        fit = {**record.get("fitted", {}), **{name: record[name] for name in STANDING if name in record}}
        pictures = {args.out.with_name(f"{args.out.stem}-reliability.png"): "Reliability diagram"}
        failures = args.out.with_name(f"{args.out.stem}-failures.jpg")
        bad = worst(evaluation["scenes"]) if args.scenes and evaluation.get("scenes") else []
        if bad:
            pictures[failures] = "Scenes that went wrong, as they were read"
        text = card(evaluation, fit, [(words, path.name) for path, words in pictures.items()])
        made = [
            diagram(evaluation["scenes"]["reliability"]),
            *([sheet(Reader(), args.scenes, bad)] if bad else []),
        ]
        for path, picture in zip(pictures, made, strict=True):
            picture.save(path)
            print(path)
        args.out.write_text(text, encoding="utf-8")
        print(args.out)
    except (OSError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
