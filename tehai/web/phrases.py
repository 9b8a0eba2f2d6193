"""The phrases of questions as the page asks for them: by keys like those of its own ``lang/*.json``."""

from __future__ import annotations

from scorer.asking.phrases import Phrases, catalogue


def of_questions(language: str) -> dict[str, str]:
    """In their short forms: ``ask.riichi`` the question, ``ask.riichi.yes`` an answer, ``name.riichi`` what
    it is about."""
    phrases = Phrases(language)
    topics = {topic: entry for topic, entry in catalogue().items() if "name" in entry}
    return {
        **{f"ask.{topic}": phrases.of(topic, "short") for topic in topics},
        **{f"name.{topic}": phrases.of(topic, "name") for topic in topics},
        **{
            f"ask.{topic}.{id_}": phrases.answer(topic, id_, "short")
            for topic, entry in topics.items()
            for id_ in entry.get("answers", {})
        },
    }
