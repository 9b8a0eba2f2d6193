"""What is installed, which models are there, and whether the sample is read, as plain facts."""

from __future__ import annotations

import hashlib
import os
import platform
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from tehai.errors import Mistake, needs_opencv
from tehai.hand.inputs import installed_networks

PACKAGES = (
    "tehai", "numpy", "opencv-python", "onnxruntime", "pillow", "pillow-heif", "rich", "typer", "starlette",
    "uvicorn", "fsrs",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """One ONNX file: ``facts`` is its metadata, ``card`` the file that tells where it comes from."""

    path: Path
    sha256: str
    size: int
    facts: dict[str, str]
    card: Path | None


@dataclass(frozen=True, slots=True)
class SelfTest:
    """The sample read. ``problem`` is empty where all went well."""

    line: str = ""
    elapsed_ms: float = 0.0
    problem: str = ""


def versions() -> dict[str, str]:
    """Python, the machine and every package that is needed, with its version or ``missing``."""
    found = {"python": platform.python_version(), "machine": f"{platform.system()} {platform.machine()}"}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "missing"
    return found


def limits() -> dict[str, str]:
    """What ``tehai serve`` allows where nothing else is said, by its options."""
    from tehai.server.limits import Limits

    return {**Limits().words(), "--threads": str(os.cpu_count() or 1)}


def models() -> list[ModelFacts]:
    """The ONNX files that reading uses. Raises :class:`Mistake` naming a file that is missing or damaged."""
    return [_facts(path) for path in installed_networks()]


def _facts(path: Path) -> ModelFacts:
    from vision.network import load

    data = path.read_bytes()
    try:
        network = load(path)
    except ValueError as damaged:
        raise Mistake(f"{damaged} Install tehai again.") from None
    card = path.with_suffix(".md")
    return ModelFacts(
        path,
        hashlib.sha256(data).hexdigest(),
        len(data),
        dict(network.metadata),
        card if card.is_file() else None,
    )


def rules() -> str:
    """The rules that hold where none are named, and the file that says so; or what is wrong with it."""
    from tehai.settings.preferences import chosen_rules, path, rules_or_default

    try:
        kept = rules_or_default()
        return f"{kept}  {path() if chosen_rules() else '(choose yours with tehai rules --use)'}"
    except Mistake as mistake:
        return str(mistake)


def pictures() -> str:
    """What works on pictures when a photo is read; where that is not OpenCV, why."""
    from vision import pixels

    try:
        with needs_opencv():
            return pixels.opencv().NAME
    except Mistake as mistake:
        return f"{pixels.backend().NAME}, which takes longer. {mistake}"


def cameras() -> list[str]:
    """The cameras, a line each; a sentence where there is none, or where none can be looked for."""
    try:
        with needs_opencv():
            from tehai.webcam.session import list_cameras

            return list_cameras()
    except Mistake as mistake:
        return [str(mistake)]


def self_test() -> SelfTest:
    """The bundled sample, read."""
    from scorer.hand_tiles import HandTiles
    from tehai.hand.notation import format_hand
    from tehai.hand.sample import sample_path
    from vision.reader import read

    try:
        reading = read(sample_path())
    except Mistake as mistake:
        return SelfTest(problem=str(mistake))
    if reading.status != "ok" or reading.hand is None:
        return SelfTest(problem=reading.message or "The sample was not read as a finished hand.")
    return SelfTest(format_hand(HandTiles.from_record(reading.hand, {})), sum(reading.elapsed_ms.values()))
