"""Train one of the networks: ``python -m models.train {finder,faces} …``; each has ``--help``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from models import train_faces, train_finder

TRAININGS = {"finder": train_finder.main, "faces": train_faces.main}


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m models.train", description="Train a network.")
    parser.add_argument("task", choices=tuple(TRAININGS))
    given = list(sys.argv[1:] if arguments is None else arguments)
    TRAININGS[parser.parse_args(given[:1]).task](given[1:])


if __name__ == "__main__":
    main()
