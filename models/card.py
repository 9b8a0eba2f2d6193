"""The cards of the two networks: ``python -m models.measure OUT --photos PHOTOS``, then ``python -m
models.card OUT/figures.json``.

What a card says of a network comes from its ONNX file and from the evaluation; only what no file knows (how
the network is built, how it is trained) is written here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from models.shares import Share, table
from vision.labels import FOREIGN
from vision.network import load
from vision.reader import Engine

ABOUT = {
    "finder": """# Tile finder

Finds the faces of mahjong tiles in a photo, whatever they show, and gives each as a four-cornered outline.

**In:** `image`, (n, H, W, 3) uint8 RGB, H and W multiples of 32. **Out:** `maps`, (n, 9, H/4, W/4): how
likely a tile's centre lies in a cell; the offset to the centre; angle and length of the top edge and of the
side. `vision/finder.py` turns them into outlines.

**Built** of 3×3 convolutions with residual blocks at strides 4 to 32 and one way back up to stride 4
(`models/nets.py`).""",
    "faces": """# Face classifier

Says which of 34 faces, three red fives, a back or nothing a rectified tile shows,{foreign} by how many
quarters it is turned, and where its corners really are.

**In:** `crops`, (n, 80, 64, 3) uint8 RGB. **Out:** `labels` (n, {classes}) logits in the order of `classes`
in the file's metadata, `rotations` (n, 4) logits, `offsets` (n, 8) of the corners in tile sides.
`vision/faces.py` cuts the crops and reads again, at the better corners, each doubtful tile whose first crop
lay askew.

**Built** of 3×3 convolutions with residual blocks and three heads (`models/nets.py`).

**Red fives** come from renders and from real plain fives painted red while training (`augment.redden`): no
real photo to learn from holds one.""",
}

CALIBRATE = (
    "python -m models.export int8 models/float/{task}.onnx models/{task}.onnx "
    "--photos PHOTOS --renders CALIBRATION"
)
"""Writes what ships, once both networks are there with 32 bits."""

COMMANDS = {
    "finder": [
        "python -m models.train finder --renders RENDERS --photos PHOTOS --out runs/finder",
        "python -m models.export finder runs/finder/last.pt models/float/finder.onnx",
        CALIBRATE.format(task="finder"),
    ],
    "faces": [
        "python -m datasets.mine --finder models/finder.onnx --photos PHOTOS --renders RENDERS --out CROPS",
        "python -m models.train faces --renders RENDERS --crops CROPS{foreign} --out runs/faces",
        "python -m models.export faces runs/faces/last.pt models/float/faces.onnx",
        CALIBRATE.format(task="faces"),
    ],
}


def _about(task: str, classes: Sequence[str]) -> str:
    also = " or a tile that no hand has (`foreign`)," if FOREIGN in classes else ""
    return ABOUT[task].format(foreign=also, classes=len(classes))


def _length(training: dict[str, Any]) -> str:
    """Steps and time of a training, and of those that it began with."""
    own = f"{training['step']} steps in {training['elapsed'] / 60:.0f} minutes"
    begun = json.loads(training.get("begun", "{}"))
    return f"{own}, begun with a network of {_length(begun)}" if begun else own


def _commands(task: str, labels: bool, begun: bool, classes: Sequence[str]) -> Iterator[str]:
    for command in COMMANDS[task]:
        command = command.replace("{foreign}", " --foreign" if FOREIGN in classes else "")
        if "models.train " in command:
            command += f" --begin models/float/{task}.onnx" if begun else ""
            command += " --labels JOURNAL" if labels else ""
        yield command


def _results(evaluation: dict[str, Any]) -> Iterator[str]:
    head = ("use", "photos", "tiles", "found", "right", "without fives", "extra", "photos right", "ms")
    shares = ("found", "right", "right_without_fives")
    rows = [
        (use, row["photos"], row["tiles"], *(f"{row[share]:.1%}" for share in shares),
         "" if row["extra"] is None else row["extra"], Share(row["photos_wholly_right"], row["photos"]),
         f"{row['ms_median']:.0f}")
        for use, row in evaluation["uses"].items()
    ]  # fmt: skip
    yield from table(head, rows)
    yield ""
    if photos := evaluation.get("outcomes"):
        met = Share.of(photos, lambda photo: photo["met"])
        yield (
            f"- photographed hands, none pointed at: {met} as a player should get them "
            "(`models/photographed.toml`)"
        )


def _weak_pairs(evaluation: dict[str, Any]) -> str:
    pairs: Counter[str] = Counter()
    for row in evaluation["uses"].values():
        pairs.update(dict(row["confusions"]))
    return ", ".join(f"{pair} ({count})" for pair, count in pairs.most_common(15)) or "none"


def _change(labels: dict[str, int], before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """What reviewed labels have brought: two evaluations side by side."""
    states = ", ".join(f"{count} {what}" for what, count in labels.items() if what not in ("photos", "tiles"))
    yield (
        f"Reviewed labels taught with the rest: {labels['tiles']} tiles of {labels['photos']} photos "
        f"({states}). The same measurement with the network before, and with this one:"
    )
    yield ""
    head = ("use", "tiles", "found before", "after", "right before", "after", "photos right before", "after")
    rows = [
        (
            use,
            now["tiles"],
            *(f"{each['found']:.2%}" for each in (was, now)),
            *(f"{each['right']:.2%}" for each in (was, now)),
            *(each["photos_wholly_right"] for each in (was, now)),
        )
        for use, now in after["uses"].items()
        if (was := before["uses"].get(use))
    ]
    yield from table(head, rows)


def card(
    task: str,
    metadata: Mapping[str, str],
    digest: str,
    evaluation: dict[str, Any],
    curve: str | None,
    before: dict[str, Any] | None = None,
) -> str:
    """The card's Markdown. ``evaluation``: the ``figures.json`` of ``models.measure``; ``curve``: address of
    the training curve's picture, if there is one; ``before``: the evaluation of the network before reviewed
    labels taught it.

    Raises ValueError when another file was evaluated, or the file is of another task, or nothing is known of
    the network before the labels.
    """
    if metadata.get("task") != task:
        raise ValueError(f"this model file is no {task} network")
    if evaluation["models"][task] != digest:
        raise ValueError(f"the evaluation is of another {task} file: run models.measure again")
    training = json.loads(metadata["training"])
    labels = json.loads(training.get("labels", "{}"))
    if labels and (before is None or before["models"][task] == digest):
        raise ValueError(
            f"labels taught this {task} network: name the evaluation of the one before them with --before"
        )
    facts = {"sha256": f"`{digest}`", "version": metadata["version"], "seed": metadata["seed"]}
    if "elapsed" in training:
        facts["training"] = _length(training)
    if "precision" in metadata:
        seen = json.loads(metadata["calibration"])
        facts["precision"] = (
            f"{metadata['precision']}, calibrated on {seen['photos']} training photos "
            f"({', '.join(seen['sources']) or 'none'}) and {seen['renders']} renders, seed {seen['seed']}"
        )
    origin = [
        (source["name"], source["kind"], source["version"], source["licence"], source["address"])
        for source in json.loads(metadata["sources"])
    ]
    classes = json.loads(metadata["classes"]) if task == "faces" else []
    parts = [
        _about(task, classes),
        "## File",
        "\n".join(f"- {name}: {value}" for name, value in facts.items()),
        f"Settings: `{metadata['settings']}`",
        "## Trained",
        "```\n" + "\n".join(_commands(task, bool(labels), "begun" in training, classes)) + "\n```",
        *([f"![Training curve]({curve})"] if curve else []),
        "## Learned from",
        "Rendered photographs (`python -m datasets render`) of faces in these drawings and fonts, and these "
        "real photographs. Sources marked as held out in `datasets/sources.toml`, and all evaluation photos, "
        "were not used.",
        "\n".join(table(("source", "kind", "version", "licence", "address"), origin)),
        "## Measured",
        "The whole reading, both networks together (`python -m models.measure`). Right: found, and the "
        "right label; red fives count as such. The photos of `eval-unseen` show a set of tiles that training "
        "never saw; photos of `eval-club` hold tiles without a box: extra detections are not counted there. "
        "In brackets the 95 % interval (Wilson) in percent.",
        "\n".join(_results(evaluation)),
    ]
    if labels and before is not None:
        parts += ["## Before and after the labels", "\n".join(_change(labels, before, evaluation))]
    if task == "faces":
        parts += ["## Weak pairs", "Truth→answer, commonest first: " + _weak_pairs(evaluation) + "."]
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m models.card", description="Write the networks' cards.")
    parser.add_argument("evaluation", type=Path, help="the figures.json of python -m models.measure")
    parser.add_argument(
        "--before", type=Path, help="the same of the networks before reviewed labels taught them"
    )
    parser.add_argument("--finder", type=Path, default=Engine().finder)
    parser.add_argument("--faces", type=Path, default=Engine().faces)
    args = parser.parse_args(arguments)
    try:
        evaluation = json.loads(args.evaluation.read_text(encoding="utf-8"))
        before = json.loads(args.before.read_text(encoding="utf-8")) if args.before else None
        cards: dict[Path, str] = {}
        for task, model in (("finder", args.finder), ("faces", args.faces)):
            digest = hashlib.sha256(model.read_bytes()).hexdigest()
            # The curve stands beside its model, so that the card can show it wherever both are.
            curve = model.with_name(f"{model.stem}-curve.png")
            cards[model.with_suffix(".md")] = card(
                task, load(model).metadata, digest, evaluation, curve.name if curve.exists() else None, before
            )
        for path, text in cards.items():
            path.write_text(text, encoding="utf-8")
            print(path)
    except (OSError, ValueError, KeyError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
