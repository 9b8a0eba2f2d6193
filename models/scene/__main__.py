"""``python -m models.scene {extract,train,export,calibrate} …``; each has ``--help``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from datasets.photos import PHOTOS, teaching
from models.scene import calibrate, export, extract, learn


def _extract(args: argparse.Namespace) -> None:
    for folder in args.laid or ():
        for file in extract.pack_laid(folder, args.out / "laid"):
            print(file, flush=True)
    for folder in args.renders:
        for file in extract.extract_drawn(folder, args.out / "drawn"):
            print(file, flush=True)
    if args.photos:
        for file in extract.extract_photos(teaching(args.photos), args.out / "photos"):
            print(file, flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m models.scene", description=__doc__)
    tasks = parser.add_subparsers(required=True)
    task = tasks.add_parser("extract", description=extract.__doc__)
    task.add_argument("renders", type=Path, nargs="*", help="folders of drawn scenes")
    task.add_argument("--laid", type=Path, action="append", help="a folder of laid scenes")
    task.add_argument("--photos", type=Path, nargs="?", const=PHOTOS, help="folder of real photos")
    task.add_argument("--out", type=Path, required=True)
    task.set_defaults(do=_extract, parser=task)
    task = tasks.add_parser("train", description=learn.__doc__)
    learn.add_options(task)
    task.set_defaults(do=learn.train, parser=task)
    task = tasks.add_parser("export", description=export.__doc__)
    export.add_options(task)
    task.set_defaults(do=export.run, parser=task)
    task = tasks.add_parser("calibrate", description=calibrate.__doc__)
    calibrate.add_options(task)
    task.set_defaults(do=calibrate.run, parser=task)
    args = parser.parse_args(arguments)
    try:
        args.do(args)
    except (OSError, ValueError) as error:
        args.parser.error(str(error))


if __name__ == "__main__":
    main()
