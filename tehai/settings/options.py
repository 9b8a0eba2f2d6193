"""Parse the options ``--rules``, ``--terms`` and ``--lang``."""

from __future__ import annotations

from scorer.rules import RulesError, RuleSet, load_rules
from scorer.telling.catalogue import LANGUAGES
from scorer.words import VOCABULARIES, Words
from tehai.errors import Mistake


def rule_set(name: str) -> RuleSet:
    """The preset or house rules; a :class:`Mistake` where there are none."""
    try:
        return load_rules(name)
    except (RulesError, OSError) as error:
        raise Mistake(str(error)) from None


def vocabulary(terms: str | None) -> Words | None:
    """The vocabulary of that name; a :class:`Mistake` where there is none; None for None."""
    if terms is not None and terms not in VOCABULARIES:
        raise Mistake(f"--terms: “{terms}” is none of {', '.join(VOCABULARIES)}.")
    return None if terms is None else VOCABULARIES[terms]


def known_language(language: str) -> str:
    """The language; a :class:`Mistake` where there is none of that name."""
    if language not in LANGUAGES:
        raise Mistake(f"--lang is one of {', '.join(LANGUAGES)}, not “{language}”.")
    return language
