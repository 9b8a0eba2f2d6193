"""Every message of the drills in both languages, each with the same values in its places.

``python -m tests.tehai.learn.texts`` writes them to ``data/texts.toml``, to be read through after a
message has changed.
"""

from __future__ import annotations

import ast
import json
import re
import string
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from scorer import parse_tiles
from scorer.telling.catalogue import LANGUAGES
from scorer.telling.sentence import Name, Sentence, Value
from tehai.learn.texts import DOMAIN, LOCALE
from tests.tehai.learn.learning import setting, texts

GOLDEN = Path(__file__).parent / "data" / "texts.toml"

_ENTRY = re.compile(r'^msgid "(.+)"\nmsgstr (".*")$', re.M)

VALUES: Final[Mapping[str, Value]] = {
    "tile": parse_tiles("5p"), "tiles": parse_tiles("3m6m"), "seat": Sentence("wind.S"),
    "round": Sentence("wind.E"), "left": 42, "player": "Anna", "times": 2, "riichi": Name("double_riichi"),
    "wait": (Name("ryanmen"), Name("tanki")),
    "counters": 2, "bets": 1, "han": 3, "fu": 40, "limit": Name("yakuman"), "number": 1, "least": 4,
    "what": Sentence("option.tsumo"), "points": 2000, "low": 500, "high": 1000, "word": "chess", "many": 2,
    "near": Name("toitoi"), "last": 9, "learnt": 2, "all": 6, "due": 1, "percent": 50, "earned": "7.5",
    "count": 10, "topic": Sentence("topic.fu.wait"), "days": 3, "rules": "EMA Riichi 2008", "seed": 5,
    "page": "out.html", "key": "out-key.html", "path": "learn-1.json", "source": "photo.jpg",
    "who": Sentence("player.right"), "amount": 2, "why": Sentence("danger.genbutsu"),
    "held": parse_tiles("23m"), "given": 30, "by": 10, "most": 20, "sets": 2, "twice": 4, "blocks": 2,
    "pair": 1, "away": 1, "title": Sentence("course.tiles"),
    "levels": "tiles, groups", "typed": "chess", "reason": "No space left on device", "line": 3,
}  # fmt: skip
"""By what the messages call them."""


def source(language: str) -> dict[str, str]:
    """The messages of the .po file, one line each."""
    text = (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po").read_text(encoding="utf-8")
    entries = {id_: str(ast.literal_eval(quoted)) for id_, quoted in _ENTRY.findall(text)}
    assert len(entries) == text.count("msgid ") - 1, "an entry is not on one line, or is there twice"
    return entries


def placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def golden() -> dict[str, dict[str, str]]:
    """Each message in each language."""
    found: dict[str, dict[str, str]] = {}
    for language in LANGUAGES:
        words = texts(setting(language=language))
        for id_, text in source(language).items():
            values = {name: VALUES[name] for name in placeholders(text) if not name.startswith("term[")}
            found.setdefault(id_, {})[language] = words.text(Sentence(id_, values))
    return found


def main() -> None:
    rows = []
    for kind, in_languages in sorted(golden().items()):
        rows.append(f"[{json.dumps(kind)}]\n")
        rows += [f"{lang} = {json.dumps(text, ensure_ascii=False)}\n" for lang, text in in_languages.items()]
    GOLDEN.parent.mkdir(exist_ok=True)
    GOLDEN.write_text("".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
