"""The texts that the page shares with the terminal, by keys like those of its ``lang/*.json``."""

from __future__ import annotations

from typing import Final

from scorer.asking.phrases import Phrases, catalogue
from scorer.words import VOCABULARIES
from tehai.output.join import capitalised

_VOCABULARY: Final = {"en": "english", "ja": "kanji"}
"""The vocabulary of the limits in each language."""

_WHOLE: Final = ("doubt", "inferred", "terms")
"""Topics with all their forms."""


def of_questions(language: str) -> dict[str, str]:
    """The short forms: ``ask.riichi`` a question, ``ask.riichi.yes`` an answer, ``name.riichi`` the topic's
    name.

    Also doubts (``doubt.win``), inferred facts (``inferred.tsumo.true``) and limits.
    """
    phrases = Phrases(language)
    topics = {topic: entry for topic, entry in catalogue().items() if "name" in entry}
    limits = VOCABULARIES[_VOCABULARY[language]].limits
    return {
        **{f"ask.{topic}": phrases.of(topic, "short") for topic in topics},
        **{f"name.{topic}": phrases.of(topic, "name") for topic in topics},
        **{
            f"ask.{topic}.{id_}": phrases.answer(topic, id_, "short")
            for topic, entry in topics.items()
            for id_, answer in entry.get("answers", {}).items()
            if "text" in answer
        },
        **{
            f"{topic}.{form}": phrases.pattern(topic, form) for topic in _WHOLE for form in catalogue()[topic]
        },
        "answer.dora": phrases.answer("dora", "some", n="{n}"),
        **{f"limit.{id_}": capitalised(name) for id_, name in limits.items()},
    }
