"""Write the model cards of the finder and the face network from the figures of ``models.measure``::

    python -m models.measure OUT --photos PHOTOS && python -m models.card OUT/figures.json

Facts come from the ONNX file and the evaluation. Texts come from ``models/card.toml``.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from models.build import fingerprint
from models.shares import Share, table
from vision.labels import FOREIGN
from vision.network import load
from vision.reader import Engine

WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _facts(digest: str, metadata: Mapping[str, str], training: Mapping[str, Any]) -> Iterator[str]:
    """Lines with the facts of the ONNX file."""
    yield f"- sha256: `{digest}`"
    yield from (f"- {name}: {metadata[name]}" for name in ("version", "seed"))
    if "elapsed" in training:
        yield f"- training: {_length(training)}"
    if "precision" in metadata:
        seen = json.loads(metadata["calibration"])
        yield (
            f"- precision: {metadata['precision']}, calibrated on {seen['photos']} training photos "
            f"({', '.join(seen['sources']) or 'none'}) and {seen['renders']} renders, seed {seen['seed']}"
        )


def _length(training: Mapping[str, Any]) -> str:
    """Steps and time of a training, and of the trainings that it began with."""
    own = f"{training['step']} steps in {training['elapsed'] / 60:.0f} minutes"
    begun = json.loads(training.get("begun", "{}"))
    return f"{own}, begun with a network of {_length(begun)}" if begun else own


def _results(evaluation: dict[str, Any]) -> Iterator[str]:
    head = ("use", "photos", "tiles", "found", "right", "without fives", "extra", "photos right", "ms")
    shares = ("found", "right", "right_without_fives")
    rows = [
        (use, row["photos"], row["tiles"], *(f"{row[share]:.1%}" for share in shares),
         "" if row["extra"] is None else row["extra"], Share(row["photos_wholly_right"], row["photos"]),
         f"{row['ms_median']:.0f}")
        for use, row in evaluation["uses"].items()
    ]  # fmt: skip
    return table(head, rows)


def _weak_pairs(evaluation: dict[str, Any]) -> str:
    pairs: Counter[str] = Counter()
    for row in evaluation["uses"].values():
        pairs.update(dict(row["confusions"]))
    return ", ".join(f"{pair} ({count})" for pair, count in pairs.most_common(15)) or "none"


def _change(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """A table with the evaluations before and after training on reviewed labels."""
    head = ("use", "tiles", "found before", "after", "right before", "after", "photos right before", "after")
    rows = [
        (use, now["tiles"], *(f"{each[share]:.2%}" for share in ("found", "right") for each in (was, now)),
         *(each["photos_wholly_right"] for each in (was, now)))
        for use, now in after["uses"].items() if (was := before["uses"].get(use))
    ]  # fmt: skip
    return table(head, rows)


def card(
    task: str,
    metadata: Mapping[str, str],
    digest: str,
    evaluation: dict[str, Any],
    curve: str | None,
    before: dict[str, Any] | None = None,
) -> str:
    """The card as Markdown. ``digest``: SHA-256 of the file; ``evaluation``: ``figures.json`` of
    ``models.measure``; ``curve``: address of the training curve; ``before``: the evaluation of the network
    before it was trained on reviewed labels.

    Raises ValueError if the file is of another task or was not evaluated, or if ``before`` is missing for a
    network trained on labels.
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
    classes = json.loads(metadata.get("classes", "[]"))
    known = {
        "classes": len(classes),
        "foreign": " --foreign" * (FOREIGN in classes),
        "or_foreign": " or a tile that no hand has (`foreign`)," * (FOREIGN in classes),
        "begin": f" --begin models/float/{task}.onnx" * ("begun" in training),
        "labels": " --labels JOURNAL" * bool(labels),
        "seed": metadata["seed"],
        "steps": f" --steps {training.get('step')}" * ("step" in training),
    }
    head = ("source", "kind", "version", "licence", "address")
    origin = [[source["name"], *map(source.get, head[1:])] for source in json.loads(metadata["sources"])]
    hands = [
        Share(row["count"], row["n"]) for row in evaluation["figures"]
        if (row["part"], row["what"]) == ("hands", "whole: right")
    ]  # fmt: skip
    parts = [
        WORDS[task]["about"].format(**known),
        "## File",
        "\n".join(_facts(digest, metadata, training)),
        f"Settings: `{metadata['settings']}`",
        "## Trained",
        f"```\n{WORDS[task]['commands'].format(**known)}\n```",
        *([f"![Training curve]({curve})"] if curve else []),
        "## Learned from",
        WORDS["learned"],
        "\n".join(table(head, origin)),
        "## Measured",
        WORDS["measured"],
        "\n".join(_results(evaluation)),
        *(WORDS["hands"].format(hands=share) for share in hands),
    ]
    if labels and before is not None:
        states = ", ".join(f"{n} {state}" for state, n in labels.items() if state not in ("photos", "tiles"))
        parts += ["## Before and after the labels", WORDS["change"].format(**labels, states=states)]
        parts += ["\n".join(_change(before, evaluation))]
    if task == "faces":
        parts += ["## Weak pairs", f"Truth→answer, commonest first: {_weak_pairs(evaluation)}."]
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m models.card", description="Write the networks' cards.")
    parser.add_argument("evaluation", type=Path, help="the figures.json of python -m models.measure")
    parser.add_argument(
        "--before", type=Path, help="figures.json of the networks before they were trained on labels"
    )
    for task in ("finder", "faces"):
        parser.add_argument(f"--{task}", type=Path, default=getattr(Engine(), task))
    args = parser.parse_args(arguments)
    try:
        evaluation = json.loads(args.evaluation.read_text(encoding="utf-8"))
        before = json.loads(args.before.read_text(encoding="utf-8")) if args.before else None
        cards: dict[Path, str] = {}
        for task, model in (("finder", args.finder), ("faces", args.faces)):
            curve = model.with_name(f"{model.stem}-curve.png")
            address = curve.name if curve.exists() else None
            facts = load(model).metadata, fingerprint(model)
            cards[model.with_suffix(".md")] = card(task, *facts, evaluation, address, before)
        for path, text in cards.items():
            path.write_text(text, encoding="utf-8")
            print(path)
    except (OSError, ValueError, KeyError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
