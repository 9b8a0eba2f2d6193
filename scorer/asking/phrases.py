"""The texts of questions and answers in every language, from ``phrases.toml`` beside this module.

Terminal and page (``tehai.web.phrases``) share them, so that a question reads the same everywhere.
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
        """The text of a topic in one of its forms. Raises :class:`KeyError` for an unknown one."""
        return self.pattern(topic, form).format(**values)

    def pattern(self, topic: str, form: str) -> str:
        """The same text with ``{name}`` in place of values."""
        return self._in(catalogue()[topic], form)

    def answer(self, topic: str, id_: str, form: str = "text", **values: object) -> str:
        """The text of an answer. Raises :class:`KeyError` for an unknown one."""
        return self._in(catalogue()[topic]["answers"][id_], form).format(**values)

    def assumed(self, topic: str, id_: str, label: str) -> str:
        """The text of an answer as an assumption; ``label`` unless the phrases have a special one."""
        entry = catalogue()[topic]
        if "assumed" in entry:
            return str(entry["assumed"][self.language].format(tile=id_))
        answer = entry.get("answers", {}).get(id_, {})
        return str(answer.get("assumed", {}).get(self.language, label))

    def reading(self, message: str) -> str:
        """The message of a photo reading in the language; ``message`` itself without a translation.

        >>> Phrases("ja").reading("13 tiles, waiting on 1s.")
        '13 tiles, waiting on 1s.'
        """
        said: Mapping[str, Mapping[str, str]] = catalogue()["reading"]
        return next((each[self.language] for each in said.values() if each["en"] == message), message)

    def error(self, id_: str, message: str) -> str:
        """The text of an error in the language; ``message`` without a translation."""
        by_language: Mapping[str, str] = catalogue()["error"].get(id_, {})
        return by_language.get(self.language, message)

    def _in(self, entry: Mapping[str, Mapping[str, str]], form: str) -> str:
        """A form in the language. A missing short form is the text with a capital letter."""
        if form == "short" and self.language not in entry.get("short", {}):
            text = entry["text"][self.language]
            return text[:1].upper() + text[1:]
        return entry[form][self.language]
