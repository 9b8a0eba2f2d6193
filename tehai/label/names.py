"""What other data sets call the tiles."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Final

from tehai.errors import Mistake
from tehai.label.faults import LABELS
from vision.labels import BACK, UNREADABLE

_SUITS: Final = {
    "m": "m man wan manzu character characters crak cracks",
    "p": "p pin pinzu dot dots circle circles tong",
    "s": "s sou sozu souzu so bam bams bamboo bamboos tiao",
}
_DIGITS: Final = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_RED: Final = "red aka r akadora"
_HONOURS: Final = {
    "1z": "east ton e eastwind windeast",
    "2z": "south nan southwind windsouth",
    "3z": "west sha shaa westwind windwest",
    "4z": "north pei pe northwind windnorth",
    "5z": "white haku whitedragon dragonwhite wd blank",
    "6z": "green hatsu greendragon dragongreen gd fa",
    "7z": "red chun chu reddragon dragonred rd zhong",
    BACK: "back facedown tileback",
    UNREADABLE: "unknown unreadable",
}


def plain(name: str) -> str:
    """A name without case and punctuation: ``Bamboo-1`` is ``bamboo1``."""
    return re.sub(r"[^0-9a-z]", "", name.lower())


@lru_cache(maxsize=1)
def aliases() -> dict[str, str]:
    """Plain names to labels."""
    found = {plain(label): label for label in LABELS if label != UNREADABLE}
    for label, words in _HONOURS.items():
        found.update(dict.fromkeys(words.split(), label))
    for suit, words in _SUITS.items():
        for word, rank in product(words.split(), range(1, 10)):
            for number in (str(rank), _DIGITS[rank]):
                found.setdefault(number + word, f"{rank}{suit}")
                found.setdefault(word + number, f"{rank}{suit}")
        for word, red, five in product(words.split(), _RED.split(), ("5", "five")):
            for parts in ((red, five, word), (five, word, red), (word, five, red), (red, word, five)):
                found.setdefault("".join(parts), f"0{suit}")
    return found


def suggestion(name: str) -> str:
    """The label that a name probably means, or nothing."""
    known = aliases()
    short = plain(name)
    close = [short] if short in known else get_close_matches(short, known, n=1, cutoff=0.8)
    return known[close[0]] if close else ""


def read_map(file: Path | None) -> dict[str, str]:
    """A file of names: ``"bamboo 1" = "1s"``, a line each (TOML); an empty label leaves those tiles out."""
    if file is None:
        return {}
    try:
        names = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as reason:
        raise Mistake(f"{file} cannot be opened ({reason.strerror}); check the path.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Mistake(
            f'{file} is no file of names ({error}); write lines such as "bamboo 1" = "1s".'
        ) from None
    for name, label in names.items():
        if label not in ("", *LABELS):
            raise Mistake(
                f"{file}: {name!r} is to be {label!r}, which is no tile; write one of {' '.join(LABELS)}."
            )
    return names


def unknown(counts: Counter[str], names: Mapping[str, str]) -> Counter[str]:
    """Classes that are neither labels nor in the map, with how many tiles they have."""
    return Counter({name: n for name, n in counts.items() if name not in names and name not in LABELS})


def map_lines(missing: Counter[str]) -> list[str]:
    """Lines for the map file: every class that is missing there, with what it probably means."""
    lines = []
    for name, count in missing.most_common():
        label = suggestion(name)
        quoted = name.replace("\\", "\\\\").replace('"', '\\"')
        hint = "" if label else ", no suggestion: empty leaves them out"
        lines.append(f'"{quoted}" = "{label}"  # {count} tiles{hint}')
    return lines
