"""Compiles the lessons' messages, each ``.po`` to the ``.mo`` beside it: ``python docs/messages.py``."""

from __future__ import annotations

from pathlib import Path

import polib

LOCALE = Path(__file__).resolve().parent.parent / "scorer" / "locale"


def main() -> None:
    for source in sorted(LOCALE.rglob("*.po")):
        polib.pofile(str(source), encoding="utf-8").save_as_mofile(str(source.with_suffix(".mo")))


if __name__ == "__main__":
    main()
