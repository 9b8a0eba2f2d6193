"""How many copies of a photo ``tehai label`` knows again: ``python -m benchmarks.copies``.

The training photos of ``--photos`` that the data set's makers turned, sheared, cropped, mirrored and lit up:
``src`` says which are copies of one photograph. They are labelled into ``--out``, once. Photographs fall into
two halves by their name; thresholds are chosen on the first one alone. Of each half: copies found by each
measure alone and by all, with a 95 % interval (Wilson); pairs of different photographs that come into one
group; families that a split would part, over ``--splits`` seeds.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.label import upright
from datasets.photos import PHOTOS, Photo, read_manifest
from tehai.label import duplicates, journal
from tehai.label.journal import Line
from tehai.label.layout import NEIGHBOURS, Layout
from tehai.label.run import label
from tehai.label.split import Facts, split, together
from tehai.review.auto import wilson

COPIED = "alanchoi"
"""The source whose photos have copies."""

WITHOUT: Mapping[str, Mapping[str, Any]] = {
    "as pictures": {"tiles": [], "points": ""},
    "as tables": {"phash": "", "points": ""},
    "by points": {"phash": "", "tiles": []},
    "in all ways": {},
}
"""Each measure, by what is taken from the photos' lines."""

SHARES = {"train": 0.8, "val": 0.1, "test": 0.1}


def labelled(photos: Sequence[Photo], out: Path, workers: int | None) -> list[Line]:
    """The photos' lines, in their order; read where that has not been done."""
    if not out.exists():
        out.mkdir(parents=True)
        files = upright(photos, out)
        (out / "sources.json").write_text(json.dumps({name: photo.src for name, photo in files.items()}))
    label(out, None, workers, print)
    sources = json.loads((out / "sources.json").read_text())
    with journal.reading(out / journal.NAME) as opened:
        places = opened.index.places()
        lines = [{**line, "path": places[line["sha256"]][0]} for line in opened.photos()]
    return [{**line, "src": sources[line["path"]]} for line in sorted(lines, key=lambda line: line["path"])]


def groups(lines: Sequence[Line], without: Mapping[str, Any]) -> list[list[str]]:
    """What is nearly alike, as content hashes."""
    with tempfile.TemporaryDirectory() as name, journal.writing(Path(name) / "x.jsonl", Path(name)) as opened:
        opened.append(*({**line, "revision": 1, **without} for line in lines))
        return duplicates.near(opened)


def shares(found: int, of: int) -> str:
    """How many, as a share with its interval."""
    low, high = wilson(found, of)
    return f"{found:,} of {of:,}, {found / of:.1%} ({low:.1%} to {high:.1%})"


def measure(half: Sequence[Line], splits: int) -> Iterator[str]:
    """The figures of a half."""
    families = defaultdict(list)
    for line in half:
        families[line["src"]].append(line["sha256"])
    source = {line["sha256"]: line["src"] for line in half}
    many = {line["sha256"] for line in half if len(Layout.of(line).faces) > NEIGHBOURS}
    copies = [pair for family in families.values() for pair in combinations(family, 2)]
    several = [family for family in families.values() if len(family) > 1]
    others = len(half) * (len(half) - 1) // 2 - len(copies)
    yield f"{len(half)} files, {len(families)} photographs, {len(several)} with copies"
    for what, without in WITHOUT.items():
        found = groups(half, without)
        of = {key: at for at, group in enumerate(found) for key in group}
        same = [pair for pair in copies if of.get(pair[0], pair[0]) == of.get(pair[1], pair[1])]
        yield f"{what}: {shares(len(same), len(copies))}"
        for name, some in (
            ("both with six faces and more", [pair for pair in copies if many.issuperset(pair)]),
            ("one with fewer", [pair for pair in copies if not many.issuperset(pair)]),
        ):
            yield f"  {name}: {shares(sum(pair in same for pair in some), len(some))}"
        wrong = sum(source[one] != source[other] for group in found for one, other in combinations(group, 2))
        mixed = sum(len({source[key] for key in group}) > 1 for group in found)
        whole = sum(len({of.get(key, key) for key in family}) == 1 for family in several)
        yield f"  families whole: {shares(whole, len(several))}"
        yield f"  other pairs in one group: {wrong:,} of {others:,}"
        yield f"  groups that join several photographs: {mixed} of {len(found)}"
        facts = [Facts(line["sha256"], line["path"], None) for line in half]
        parted = []
        for seed in range(splits):
            parts = split(together(facts, found), SHARES, seed)
            parted.append(sum(len({parts[key] for key in family}) > 1 for family in several))
        yield f"  families parted, {splits} splits: {mean(parted):.1f}, {min(parted)} to {max(parted)}"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Measure how copies of photos are known again.")
    parser.add_argument("--photos", type=Path, default=PHOTOS)
    parser.add_argument("--out", type=Path, default=Path("runs/copies"))
    parser.add_argument("--workers", type=int)
    parser.add_argument("--splits", type=int, default=20)
    args = parser.parse_args()
    try:
        photos = read_manifest(args.photos, ["train"])
    except OSError as error:
        parser.error(str(error))
    lines = labelled(
        [one for one in photos if one.source == COPIED and not one.whole], args.out, args.workers
    )
    for name, rest in (("chosen on", 0), ("measured on", 1)):
        print(f"The half that thresholds were {name}:")
        for sentence in measure(
            [line for line in lines if zlib.crc32(line["src"].encode()) % 2 == rest], args.splits
        ):
            print(f"  {sentence}", flush=True)


if __name__ == "__main__":
    main()
