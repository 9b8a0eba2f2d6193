"""The value of a hand under other common rules in one line. They differ in open tanyao and kiriage mangan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from scorer.asking.phrases import Phrases
from scorer.open_record import OpenRecord
from scorer.record import score_record
from scorer.rules import load_rules
from scorer.words import Words

COMMON: Final = {
    3: ("tenhou3", "majsoul3"),
    4: ("ema2008", "ema2016", "wrc2025", "tenhou", "majsoul", "mleague"),
}
"""The most common rule sets by number of players."""

NO_VALUE: Final = ("no_yaku", "below_minimum")
"""Errors of a valid hand without value. Any other error means that the rules do not allow the hand."""


def under_other_rules(opened: OpenRecord, result: Mapping[str, Any], language: str = "en") -> str:
    """The value of the hand under the rules of :data:`COMMON` that pay a different sum; empty if all agree.
    ``result``: that of its own rules."""
    if not _counts(result):
        return ""
    phrases = Phrases(language)
    own = replace(opened.rules, words="kanji") if language == "ja" else opened.rules
    words = own.vocabulary
    named: dict[str, dict[str, list[str]]] = {}
    for id_ in COMMON[opened.rules.players]:
        rules = load_rules(id_)
        other = score_record(opened.under(rules, id_))
        if not _counts(other) or other.get("points", 0) == result.get("points", 0):
            continue
        worth = (
            words.points.format(other["points"])
            if other["status"] == "ok"
            else phrases.of("other_rules", "nothing")
        )
        named.setdefault(worth, {}).setdefault(_why(result, other, phrases, words), []).append(
            rules.named(language)
        )
    comma = phrases.of("summary", "comma")
    sentences = [
        phrases.of("other_rules", "sentence", worth=worth, rules=comma.join(rules), why=why)
        for worth, reasons in named.items()
        for why, rules in reasons.items()
    ]
    return " ".join(sentences)


def _counts(result: Mapping[str, Any]) -> bool:
    return result["status"] == "ok" or result["error"] in NO_VALUE


def _why(result: Mapping[str, Any], other: Mapping[str, Any], phrases: Phrases, words: Words) -> str:
    """The yaku or limit that makes the difference; empty for any other reason."""
    here, there = ({id_ for id_, _ in one.get("yaku", ())} for one in (result, other))
    for form, more, less in (("with", there, here), ("without", here, there)):
        if changed := [
            id_ for id_, _ in (*other.get("yaku", ()), *result.get("yaku", ())) if id_ in more - less
        ]:
            yaku = phrases.of("summary", "comma").join(map(words.yaku, changed))
            return phrases.of("other_rules", form, yaku=yaku)
    limit = other.get("limit") if other.get("limit") != result.get("limit") else None
    return phrases.of("other_rules", "limit", limit=words.limits[limit]) if limit else ""
