"""Near-duplicates among a million photos: ``python -m benchmarks.million``.

Writes a journal of ``--most`` photos, a million unless said (13 GB), into ``--out``, out of the real ones
that ``python -m benchmarks.copies`` has labelled: all of them again and again, as if each time somebody else
had photographed tiles of another kind. Faces change places, the bits of points and hashes are turned over, by
one rule within a set: there all is as among the real photos, copies included. What sets have in common is by
chance, and one point in twenty of every photo, which is one of those that many real photos have.

Then it looks for near-duplicates as the commands do, three times, each time in a process of its own: with
nothing but the journal; with what the index beside it keeps of each photo, as after ``tehai label``; and with
all that it keeps. Prints time, memory, and how many copies were found.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tehai.label import duplicates, journal
from tehai.label.journal import Line
from vision.labels import FACES

ROOT = Path(__file__).resolve().parent.parent
COMMON, OFTEN = 0.05, 8
"""Share of a photo's points that all sets have; photographs that have such a point."""

_POINT = 20
_BITS = slice(4, 20)


class Original:
    """A real photo, as what is the same of it in all sets and what is not."""

    def __init__(self, line: Line, source: str) -> None:
        self.sha256, self.path, self.phash = line["sha256"], line["path"], bytes.fromhex(line["phash"])
        self.source = source
        self.points = np.frombuffer(base64.b64decode(line["points"]), np.uint8).reshape(-1, _POINT)
        left_out = ("schema", "sha256", "path", "phash", "points", "src")
        rest = {key: value for key, value in line.items() if key not in left_out}
        pieces = re.split(r'"label":"([^"]*)"', json.dumps(rest, separators=(",", ":"))[1:])
        self.pieces, self.labels = pieces[::2], pieces[1::2]

    def line(self, number: int, faces: dict[str, str], points: bytes, hash_: bytes) -> bytes:
        """The photo's line in a set."""
        sha256 = hashlib.sha256(f"{number} {self.sha256}".encode()).hexdigest()
        labels = [f'"label":"{faces.get(label, label)}"' for label in self.labels]
        body = "".join(piece for both in zip(self.pieces, [*labels, ""], strict=True) for piece in both)
        return (
            f'{{"schema":1,"sha256":"{sha256}","path":"{number:04}/{self.path}","phash":"{hash_.hex()}",'
            f'"points":"{base64.b64encode(points).decode()}",{body}\n'
        ).encode("ascii")


def originals(file: Path) -> list[Original]:
    """The photos that :mod:`benchmarks.copies` has labelled."""
    sources = json.loads((file.parent / "sources.json").read_text())
    with journal.reading(file) as opened:
        return [Original(line, sources[line["path"]]) for line in opened.photos()]


def written(photos: Sequence[Original], most: int, file: Path) -> None:
    """The journal."""
    draw = np.random.default_rng(0)
    points = np.concatenate([photo.points for photo in photos])
    ends = np.cumsum([len(photo.points) for photo in photos])
    common = _common(points)
    means = np.unpackbits(points[:, _BITS], axis=1).mean(0)
    with file.open("wb") as out:
        out.write(journal.encode({"kind": "project", "photos": ".", "at": journal.now()}))
        for number in range(-(-most // len(photos))):
            faces = dict(zip(FACES, draw.permutation(FACES).tolist(), strict=True))
            # A bit that is nearly always set stays so as a rule: sets are no more unlike than they are.
            turned = np.packbits(draw.random(len(means)) < 2 * means * (1 - means))
            hashed = draw.integers(0, 256, 32, np.uint8)
            here = points.copy()
            here[:, _BITS] ^= turned
            some = np.flatnonzero(draw.random(len(here)) < COMMON)
            here[some, _BITS] = common[draw.integers(0, len(common), len(some))]
            for photo, own in zip(
                photos[: most - number * len(photos)], np.split(here, ends[:-1]), strict=False
            ):
                hash_ = (np.frombuffer(photo.phash, np.uint8) ^ hashed).tobytes()
                out.write(photo.line(number, faces, own.tobytes(), hash_))


def _common(points: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What of the points has a code that many others have, too."""
    codes = points[:, 4:8].copy().view(">u4").ravel()
    _, which, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return points[counts[which] >= OFTEN][:, _BITS]


def figures(photos: Sequence[Original], most: int, groups: Sequence[Sequence[str]]) -> Iterator[str]:
    """What of the copies was found."""
    of = {bytes.fromhex(key): at for at, group in enumerate(groups) for key in group}
    copies = found = 0
    inside: Counter[tuple[int, int]] = Counter()
    sizes: Counter[int] = Counter()
    for number in range(-(-most // len(photos))):
        families: Counter[str] = Counter()
        joined: Counter[tuple[str, int]] = Counter()
        for photo in photos[: most - number * len(photos)]:
            families[photo.source] += 1
            group = of.get(hashlib.sha256(f"{number} {photo.sha256}".encode()).digest())
            if group is not None:
                joined[photo.source, group] += 1
                inside[number, group] += 1
                sizes[group] += 1
        copies += sum(pairs(count) for count in families.values())
        found += sum(pairs(count) for count in joined.values())
    wrong = sum(pairs(count) for count in inside.values()) - found
    across = sum(pairs(count) for count in sizes.values()) - wrong - found
    yield f"{found:,} of {copies:,} pairs of copies are in one group, {found / max(1, copies):.1%}"
    yield f"pairs of other photos in one group: {wrong:,} of one set, {across:,} of several"
    yield f"the largest group has {max(sizes.values(), default=0)}"


def forget(index: Path) -> None:
    """Let an index know no near-duplicates any more."""
    with closing(sqlite3.connect(index)) as base, base:
        base.execute("DELETE FROM about WHERE name GLOB 'near *' OR name GLOB 'looks *'")


def pairs(count: int) -> int:
    """How many pairs so many things make."""
    return count * (count - 1) // 2


def measure(file: Path, labelled: Path, most: int) -> None:
    """One look for near-duplicates, in this process."""
    start = time.perf_counter(), time.process_time()
    with journal.reading(file) as opened:
        groups = duplicates.near(opened)
    seconds, worked = time.perf_counter() - start[0], time.process_time() - start[1]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"{seconds:.0f} s, {worked:.0f} s of the processor, {memory:.0f} MB at most; {len(groups):,} groups"
    )
    for sentence in figures(originals(labelled), most, groups):
        print(f"  {sentence}", flush=True)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Look for near-duplicates among a million photos.")
    parser.add_argument("--labelled", type=Path, default=Path("runs/copies") / journal.NAME)
    parser.add_argument("--most", type=int, default=1_000_000)
    parser.add_argument("--out", type=Path, help="a folder with room for 13 GB; what is there is used")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        measure(args.measure, args.labelled, args.most)
        return
    if not args.labelled.exists():
        parser.error(f"{args.labelled} is not there: python -m benchmarks.copies makes it")
    with tempfile.TemporaryDirectory() as name:
        folder = args.out or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / journal.NAME
        if not file.exists():
            written(originals(args.labelled), args.most, file)
        print(f"{args.most:,} photos, {file.stat().st_size / 1e9:.1f} GB", flush=True)
        command = [sys.executable, "-m", "benchmarks.million", "--measure", str(file)]
        command += ["--labelled", str(args.labelled.absolute()), "--most", str(args.most)]
        index = file.with_name(f".{file.name}.index")
        for what, before in (
            ("the journal alone", partial(index.unlink, missing_ok=True)),
            ("what is kept of each photo", partial(forget, index)),
            ("all that is kept", partial(bool)),
        ):
            before()
            print(f"{what}: ", end="", flush=True)
            subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
