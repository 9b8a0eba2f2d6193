"""``python -m models.scene {extract,train,export,calibrate} …``; each has ``--help``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from models.scene import calibrate, export, extract, learn

TASKS = {"extract": extract, "train": learn, "export": export, "calibrate": calibrate}


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m models.scene", description=__doc__)
    tasks = parser.add_subparsers(required=True)
    for name, module in TASKS.items():
        task = tasks.add_parser(name, description=module.__doc__)
        module.add_options(task)
        task.set_defaults(run=module.run, parser=task)
    args = parser.parse_args(arguments)
    try:
        args.run(args)
    except (OSError, ValueError) as error:
        args.parser.error(str(error))


if __name__ == "__main__":
    main()
