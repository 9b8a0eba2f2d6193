"""Compiles the messages of lessons and drills, each ``.po`` to a ``.mo``: ``python docs/messages.py``."""

from __future__ import annotations

from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parent.parent
LOCALES = (ROOT / "scorer" / "telling" / "locale", ROOT / "tehai" / "learn" / "locale")


def main() -> None:
    for source in (po for locale in LOCALES for po in sorted(locale.rglob("*.po"))):
        polib.pofile(str(source), encoding="utf-8").save_as_mofile(str(source.with_suffix(".mo")))


if __name__ == "__main__":
    main()
