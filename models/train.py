"""Train one of the networks: ``python -m models.train {finder,faces} …``; each has ``--help``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from models import train_faces, train_finder
from models.training import run_task


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m models.train", description="Train a network.")
    run_task(parser, {"finder": train_finder, "faces": train_faces}, arguments)


if __name__ == "__main__":
    main()
