"""What questions and their answers say, in every language: ``phrases.toml`` beside this module.

A page has them from here too (``tehai.web.phrases``): a question reads alike wherever it is asked.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

_FILE: Final = Path(__file__).with_name("phrases.toml")


@cache
def catalogue() -> Mapping[str, Any]:
    """By topic: its ``text``, ``short``, ``name`` and ``why``, and its ``answers``, each by language."""
    with _FILE.open("rb") as file:
        return tomllib.load(file)


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases in one language (``en``, ``ja``).

    >>> Phrases("en").of("riichi"), Phrases("ja").answer("riichi", "yes")
    ('Riichi?', 'リーチ')
    """

    language: str = "en"

    def of(self, topic: str, form: str = "text", **values: object) -> str:
        """What a topic asks, or another of its forms. Raises :class:`KeyError` for what there is not."""
        return self.pattern(topic, form).format(**values)

    def pattern(self, topic: str, form: str) -> str:
        """The same with ``{name}`` where values go."""
        return self._in(catalogue()[topic], form)

    def answer(self, topic: str, id_: str, form: str = "text", **values: object) -> str:
        """What an answer says. Raises :class:`KeyError` for what there is not."""
        return self._in(catalogue()[topic]["answers"][id_], form).format(**values)

    def assumed(self, topic: str, id_: str, label: str) -> str:
        """What an answer says where nobody gave it; ``label`` where that is no other than who gives it."""
        entry = catalogue()[topic]
        if "assumed" in entry:
            return str(entry["assumed"][self.language].format(tile=id_))
        answer = entry.get("answers", {}).get(id_, {})
        return str(answer.get("assumed", {}).get(self.language, label))

    def reading(self, message: str) -> str:
        """What a reading says of its photo; ``message`` itself where the language leaves that to the reader.

        >>> Phrases("ja").reading("13 tiles, waiting on 1s.")
        '13 tiles, waiting on 1s.'
        """
        said: Mapping[str, Mapping[str, str]] = catalogue()["reading"]
        return next((each[self.language] for each in said.values() if each["en"] == message), message)

    def error(self, id_: str, message: str) -> str:
        """Why a hand has no score; ``message`` where the language leaves that to the scorer."""
        by_language: Mapping[str, str] = catalogue()["error"].get(id_, {})
        return by_language.get(self.language, message)

    def _in(self, entry: Mapping[str, Mapping[str, str]], form: str) -> str:
        """A form in the language; a short one that is not there is the text, with a capital letter."""
        if form == "short" and self.language not in entry.get("short", {}):
            text = entry["text"][self.language]
            return text[:1].upper() + text[1:]
        return entry[form][self.language]
