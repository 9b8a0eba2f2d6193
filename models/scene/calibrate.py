"""Fit the calibration curve of confidence on scored hands of drawn scenes that training has not seen."""

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
from vision.observer import Stage
from vision.reader import Engine, Reader
from vision.scene.judge import confidence_features
from vision.scene.relate import Calibration

STEPS = 50
"""Steps of Newton's method, each of length 1 at most. About ten are enough."""

PRIOR = 1.0
"""Pseudo-counts of right and of wrong hands (Platt 1999), so that few hands give no overconfident curve."""


Row = tuple[float, float, bool]
"""Both features (:func:`vision.scene.judge.confidence_features`), and whether the hand is right."""


def _answer(network: Path, render: Render) -> Row | None:
    """Features and correctness of the hand that the scene model ``network`` scores; None without one."""
    reader, judged = _reader(network)
    judged.clear()
    reading = reader.read(render.path)
    if reading.status != "ok" or not judged or (scene := judged[-1].scene) is None:
        return None
    return *confidence_features(scene, judged[-1].found), check_scene(reading, render).verdict == "right"


@cache
def _reader(network: Path) -> tuple[Reader, list[Stage]]:
    """A reader, and a list that it fills with its ``judge`` stages."""
    judged: list[Stage] = []

    def observer(stage: object) -> None:
        if isinstance(stage, Stage) and stage.name == "judge":
            judged.append(stage)

    return Reader(Engine(scene=network, threads=1), observer=observer), judged


def fit(found: Array, right: Mask) -> Calibration:
    """Fit a logistic curve to the features (n, 2) by maximum likelihood, with targets of :data:`PRIOR`."""
    count, good = len(right), int(right.sum())
    target = np.where(right, (good + PRIOR) / (good + 2 * PRIOR), PRIOR / (count - good + 2 * PRIOR))
    design = np.concatenate([np.ones((count, 1)), found], axis=1)
    weights = np.zeros(3)
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-design @ weights))
        slope = design.T @ (target - share)
        bend = design.T @ (design * (share * (1 - share))[:, None]) + 1e-6 * np.eye(3)
        step = np.linalg.solve(bend, slope)
        weights = weights + step / max(1.0, float(np.linalg.norm(step)))
    shift, odds, face = weights.tolist()
    return Calibration(odds, face, shift)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command line."""
    parser.add_argument("network", type=Path, help="ONNX file of the scene model")
    parser.add_argument(
        "renders", type=Path, nargs="+", help="folders of drawn scenes that training has not seen"
    )
    parser.add_argument("--out", type=Path, help="write the curve, for export --curve")
    parser.add_argument("--workers", type=int, default=1, help="processes that read")


def run(args: argparse.Namespace) -> None:
    """Fit, print and write the curve, with counts of confident hands among those it was fitted on."""
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
