"""The one curve to a confidence, fitted on the hands that are scored in drawn scenes that did not teach."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path

import numpy as np

from datasets.renders import Render, read_renders
from models.jobs import run_jobs
from models.scene_check import check_scene
from vision.arrays import Array, Mask
from vision.reader import Engine, Reader
from vision.scene.judge import features
from vision.scene.relate import Calibration
from vision.scene.stage import Stage

STEPS = 50
"""Of Newton's method, each of length 1 at most: some ten are enough."""

PRIOR = 1.0
"""Pseudo-scenes of each kind, as Platt (1999) has them: few scenes make no curve that is sure of itself."""


Row = tuple[float, float, bool]
"""Both features (:func:`vision.scene.judge.features`), and whether the hand is right."""


def _answer(network: Path, render: Render) -> Row | None:
    """What ``network``, the scene model, says of a finished hand; None where it scores none."""
    reader, judged = _reader(network)
    judged.clear()
    reading = reader.read(render.path)
    if reading.status != "ok" or not judged or (scene := judged[-1].scene) is None:
        return None
    return *features(scene, judged[-1].found), check_scene(reading, render).verdict == "right"


@cache
def _reader(network: Path) -> tuple[Reader, list[Stage]]:
    """A reader, and the judgements that it makes."""
    judged: list[Stage] = []

    def observer(stage: object) -> None:
        if isinstance(stage, Stage) and stage.name == "judge":
            judged.append(stage)

    return Reader(Engine(scene=network, threads=1), observer=observer), judged


def fit(found: Array, right: Mask) -> Calibration:
    """The logistic curve of the features (n, 2) by maximum likelihood, its targets drawn in a little from 0
    and 1."""
    count, good = len(right), int(right.sum())
    target = np.where(right, (good + PRIOR) / (good + 2 * PRIOR), PRIOR / (count - good + 2 * PRIOR))
    design = np.concatenate([np.ones((count, 1)), found], axis=1)
    weights = np.zeros(3)
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-design @ weights))
        slope = design.T @ (target - share)
        bend = design.T @ (design * (share * (1 - share))[:, None]) + 1e-6 * np.eye(3)
        step = np.linalg.solve(bend, slope)
        # Far from the end it would overshoot.
        weights = weights + step / max(1.0, float(np.linalg.norm(step)))
    shift, odds, face = weights.tolist()
    return Calibration(odds, face, shift)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Of the command line."""
    parser.add_argument("network", type=Path, help="ONNX file of the scene model")
    parser.add_argument("renders", type=Path, nargs="+", help="folders of drawn scenes that did not teach")
    parser.add_argument("--out", type=Path, help="file of the curve, for export --curve")
    parser.add_argument("--workers", type=int, default=1, help="processes that read")


def run(args: argparse.Namespace) -> None:
    """Print and write the curve, and print what it says of the scenes it was fitted on."""
    renders = [render for folder in args.renders for render in read_renders(folder)]
    jobs = [partial(_answer, args.network, render) for render in renders]
    rows = np.array([row for row in run_jobs(jobs, args.workers) if row])
    if not len(rows):
        raise ValueError("no hand of these scenes was scored: draw more, or train for longer")
    found, right = rows[:, :2], rows[:, 2] > 0
    curve = fit(found, right)
    sure = np.array([curve.confidence(odds, face) for odds, face in found])
    print(f"{len(renders)} scenes, {len(right)} scored, {right.sum()} right")
    for least in (0.98, 0.95, 0.9):
        some = sure >= least
        print(f"at {least} and more: {right[some].sum()} right of {some.sum()}")
    text = json.dumps(asdict(curve))
    print(text)
    if args.out:
        args.out.write_text(text + "\n", "utf-8")
