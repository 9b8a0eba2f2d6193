"""Make all networks from nothing with one command: ``python -m models.build``.

``models/build.toml`` is the recipe: steps, each with its command, the files it makes and the files it needs.
A step runs if one of its files is stale. ``models/manifest.json`` records hash, parents' hashes, seed,
command and card of every learned file in the repository, and why it cannot be made again, if so.
``runs/build/manifest.json`` records the files between.

``python -m models.build models/scene.onnx`` makes this file alone and keeps the other learned files.
``--dry-run`` prints what is stale, why, and how many minutes it takes. ``--adopt FILE --because TEXT``
records a file that was made in another way.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from datasets.render.tilesets import missing_families

RECIPE = Path("models/build.toml")
MANIFEST = Path("models/manifest.json")
BETWEEN = Path("runs/build/manifest.json")
LOCK = Path("runs/build/lock")
"""Paths below the root of the checkout."""

PHOTOS = "{photos}/manifest.jsonl"
"""The list of the photos: a need of each step whose command names their folder."""

DATA = {"photos": "../shared/data/photos", "art": "../shared/data/art"}


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A step of the recipe. ``makes``, ``needs``: paths below the root; ``minutes``: its approximate time."""

    command: str
    makes: list[str]
    needs: list[str]
    minutes: float
    seed: int | None = None
    card: str | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """The entry of a file or folder in a manifest. ``parents``: path to hash; ``lost``: why it cannot be made
    again exactly, empty if the recipe makes it. While a step runs, its results have no ``sha256``. Results of
    an earlier build that it will make again have no ``command`` either."""

    sha256: str = ""
    command: str = ""
    parents: dict[str, str] = field(default_factory=dict)
    seed: int | None = None
    card: str | None = None
    lost: str = ""


def fingerprint(path: Path) -> str:
    """The SHA-256 of a file, or of the names and sizes in a folder; empty if there is nothing."""
    if path.is_dir():
        lines = (f"{each.relative_to(path)} {each.stat().st_size}" for each in sorted(path.rglob("*")))
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()
    if not path.exists():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_manifest(path: Path) -> dict[str, Made]:
    """The entries of a manifest by path; empty if there is no such file."""
    if not path.exists():
        return {}
    return {name: Made(**entry) for name, entry in json.loads(path.read_text("utf-8")).items()}


class Build:
    """The recipe and the manifests of the checkout at ``root``."""

    def __init__(self, root: Path, data: Mapping[str, str] = DATA, wanted: Sequence[str] = ()) -> None:
        """``data``: folders to fill into commands; ``wanted``: files to make, all if it is empty. Raises
        ValueError for a file that no step makes."""
        self.root, self._data = root, data
        tables = tomllib.loads((root / RECIPE).read_text("utf-8"))["step"]
        self._recipe = self.steps = [Step(**table) for table in tables]
        if unknown := {*wanted} - {path for step in self.steps for path in step.makes}:
            raise ValueError(f"no step of {RECIPE} makes {', '.join(sorted(unknown))}")
        if wanted:
            kept = {path for step in self.steps if step.card for path in step.makes}
            missing, chosen = {*wanted}, list[Step]()
            for step in reversed(self.steps):
                if missing.intersection(step.makes):
                    chosen.insert(0, step)
                    missing |= {*step.needs} - kept
            self.steps = chosen

    def stale(self) -> dict[Step, str]:
        """Steps to run, in order, each with its reason."""
        noted = read_manifest(self.root / MANIFEST) | read_manifest(self.root / BETWEEN)
        found: dict[Step, str] = {}
        late: set[str] = set()
        for step in self.steps:
            if reason := next(self._reasons(step, noted, late), None):
                found[step] = reason
                late.update(step.makes)
        return found

    def _reasons(self, step: Step, noted: Mapping[str, Made], late: set[str]) -> Iterator[str]:
        yield from (f"{need} is stale" for need in step.needs if need in late)
        for path in step.makes:
            made, now = noted.get(path), fingerprint(self.root / path)
            if not now:
                yield f"{path} is not there"
            elif made is None:
                yield f"nothing is noted of {path}"
            elif not made.sha256:
                yield f"{path} is not finished" if made.command else f"{path} is of an earlier build"
            elif made.sha256 != now:
                yield f"{path} is not what was noted"
            elif made.command != step.command:
                yield f"{path} was made by another command" + (f": {made.lost}" if made.lost else "")
            else:
                yield from (
                    f"{need.format(**self._data)} has changed"
                    for need, now in self._parents(step).items()
                    # The list of photos is not among the parents that earlier versions noted.
                    if made.parents.get(need, now if need == PHOTOS else "") != now
                )  # fmt: skip

    def _parents(self, step: Step) -> dict[str, str]:
        """What the step needs, with the hashes of now."""
        needs = [*step.needs, *([PHOTOS] if "{photos}" in step.command else ())]
        return {need: fingerprint(self.root / need.format(**self._data)) for need in needs}

    def lacks(self, steps: Iterable[Step]) -> str:
        """What data is missing to run these steps, as a sentence; empty if nothing is."""
        commands = " ".join(step.command for step in steps)
        photos = PHOTOS.format(**self._data)
        if "{photos}" in commands and not (self.root / photos).is_file():
            return f"{photos} is not there: name the folder of real photos with --photos"
        art = self.root / self._data.get("art", "")
        if "{art}" in commands and (missing := missing_families(art, held_out=False)):
            return (
                f"these drawings and fonts are not here: {', '.join(missing)}. Without them the networks "
                "would learn from other photos than the recipe's. datasets/sources.toml says where each is"
            )
        return ""

    def run(self) -> None:
        """Run stale steps and record what they make.

        Raises subprocess.CalledProcessError if a step fails, FileNotFoundError if a file is missing then, and
        BlockingIOError if another build runs.
        """
        import fcntl  # Windows has none, and can measure and write cards without it

        (self.root / LOCK).parent.mkdir(parents=True, exist_ok=True)
        with (self.root / LOCK).open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                said = "another build, or a step that it left behind, still runs here: wait for it, or end it"
                raise BlockingIOError(said) from None
            stale = self.stale()
            self._outdate(stale)
            for step in stale:
                first, *others = words = [word.format(**self._data) for word in shlex.split(step.command)]
                print(f"$ {shlex.join(words)}", flush=True)
                if not step.card:
                    self._begin(step)
                program = sys.executable if first == "python" else first
                # The step holds the lock, too: it may outlive a build that is killed.
                subprocess.run([program, *others], cwd=self.root, check=True, pass_fds=[lock.fileno()])
                if missing := [path for path in step.makes if not (self.root / path).exists()]:
                    raise FileNotFoundError(f"this step has not made {', '.join(missing)}: {step.command}")
                hashes = {path: fingerprint(self.root / path) for path in step.makes}
                about = step.command, self._parents(step), step.seed, step.card
                made = {path: Made(sha256, *about) for path, sha256 in hashes.items()}
                self._note(MANIFEST if step.card else BETWEEN, made)

    def _outdate(self, stale: Collection[Step]) -> None:
        """Note that finished results of these steps count no more, nor those of steps that need a folder of
        theirs: made again, it may have the same names and sizes."""
        folders = {path for step in stale for path in step.makes if (self.root / path).is_dir()}
        late = [step for step in self._recipe if step in stale or folders.intersection(step.needs)]
        paths = {path for step in late for path in step.makes}
        noted = read_manifest(self.root / BETWEEN).items()
        old = {path: made for path, made in noted if path in paths and made.sha256}
        self._note(BETWEEN, {path: replace(made, sha256="", command="") for path, made in old.items()})

    def _begin(self, step: Step) -> None:
        """Note that the step begins. Remove results of an earlier build, or a training would go on from them.
        Results that nobody noted stay, and unfinished ones of the same command and the same needs."""
        noted, begun = read_manifest(self.root / BETWEEN), Made("", step.command, self._parents(step))
        for path in (self.root / path for path in step.makes if noted.get(path, begun) != begun):
            if path.is_dir():
                shutil.rmtree(path)
            elif path.is_relative_to(self.root / BETWEEN.parent):  # the repository's files are written over
                path.unlink(missing_ok=True)
        self._note(BETWEEN, dict.fromkeys(step.makes, begun))

    def _note(self, manifest: Path, made: Mapping[str, Made]) -> None:
        file = self.root / manifest
        _write(file, {**read_manifest(file), **made})

    def adopt(self, paths: Sequence[str], because: str) -> None:
        """Record learned files made in another way. Raises ValueError for files without an entry."""
        noted = read_manifest(self.root / MANIFEST)
        for path in paths:
            old, now = noted.get(path), fingerprint(self.root / path)
            if old is None or not now:
                raise ValueError(f"{path} is no learned file of {MANIFEST}")
            parents = {each: fingerprint(self.root / each) or said for each, said in old.parents.items()}
            noted[path] = Made(now, old.command, parents, old.seed, old.card, because)
        _write(self.root / MANIFEST, noted)


def _write(path: Path, noted: Mapping[str, Made]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    entries = {
        name: {key: value for key, value in asdict(made).items() if value not in (None, "", {})}
        for name, made in sorted(noted.items())
    }
    part = path.with_suffix(".part")
    part.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n", "utf-8")
    part.replace(path)


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m models.build",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("wanted", nargs="*", metavar="FILE", help="make these alone, not all")
    parser.add_argument("--dry-run", action="store_true", help="print what is stale, and run nothing")
    parser.add_argument(
        "--adopt", nargs="+", metavar="FILE", help="record files that were made in another way"
    )
    parser.add_argument("--because", default="", help="why they cannot be made again exactly")
    for name, folder in DATA.items():
        parser.add_argument(f"--{name}", default=folder, help=f"folder of {name}; {folder}")
    args = parser.parse_args(arguments)
    if args.adopt and not args.because:
        parser.error("say with --because why these files cannot be made again exactly")
    if not RECIPE.is_file():
        parser.error(f"{RECIPE} is not here: run this in the root of the checkout")
    try:
        build = Build(Path(), {name: getattr(args, name) for name in DATA}, args.wanted)
        if args.adopt:
            build.adopt(args.adopt, args.because)
            return
    except ValueError as error:
        parser.error(str(error))
    stale = build.stale()
    for step, reason in stale.items():
        print(f"stale: {', '.join(step.makes)}\n    {reason}\n    {step.command}")
    minutes = sum(step.minutes for step in stale)
    print(f"{len(stale)} of {len(build.steps)} steps, about {minutes:.0f} minutes")
    lacking = build.lacks(stale)
    if args.dry_run:
        print(f"it cannot run yet: {lacking}" if lacking else "--dry-run: nothing was run")
        return
    if lacking:
        parser.error(lacking)
    try:
        build.run()
    except (subprocess.CalledProcessError, OSError, KeyboardInterrupt) as error:
        why = str(error) or "interrupted"
        raise SystemExit(f"stopped: {why}; the same command goes on from here") from error


if __name__ == "__main__":
    main()
