"""Train one of the networks: ``python -m models.train {finder,faces} …``; each has ``--help``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from models import train_faces, train_finder

TRAININGS = {"finder": train_finder, "faces": train_faces}


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m models.train", description="Train a network.")
    tasks = parser.add_subparsers(required=True)
    for name, training in TRAININGS.items():
        task = tasks.add_parser(name, description=training.__doc__)
        training.add_options(task)
        task.set_defaults(train=training.train, parser=task)
    args = parser.parse_args(arguments)
    try:
        args.train(args)
    except (OSError, ValueError) as error:
        args.parser.error(str(error))


if __name__ == "__main__":
    main()
