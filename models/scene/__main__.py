"""``python -m models.scene {extract,train,export,calibrate} …``; each has ``--help``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from models.scene import calibrate, export, extract, learn
from models.training import run_task


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m models.scene", description=__doc__)
    tasks = {"extract": extract, "train": learn, "export": export, "calibrate": calibrate}
    run_task(parser, tasks, arguments)


if __name__ == "__main__":
    main()
