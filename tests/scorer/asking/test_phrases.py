"""Every question and every answer has words in every language, and they reach who asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from scorer.asking.phrases import Phrases, catalogue
from scorer.asking.plan import Doubt, plan_of
from scorer.asking.topics import Topic, doubt_topic, minimum, topics
from scorer.hand_tiles import HandTiles
from scorer.record import parse_open
from scorer.telling.catalogue import LANGUAGES

CLOSED = {"concealed": "234m340567p2267s", "win_tile": "8s"}
OPEN_TILE = {"concealed": "234m340567p22678s"}
DRAGONS = [{"type": "pon", "tiles": f"{kind}{kind}{kind}z", "from": 1} for kind in (5, 6, 7)]
LIABLE = {"concealed": "23m55p", "win_tile": "4m", "melds": DRAGONS, "pao": 1}


def asked(language: str) -> Iterator[Topic]:
    """All topics there are: none settled, the common ones settled, a player liable, a tile in doubt."""
    phrases = Phrases(language)
    for record, settled in (
        (CLOSED, ()),
        (OPEN_TILE, ()),
        (LIABLE, ()),
        (CLOSED, ("tsumo", "riichi")),
        (CLOSED, ("dora_indicators",)),
    ):
        for topic in topics(parse_open(record, ()), settled, phrases):
            yield topic
            if topic.folded is not None:
                yield topic.folded
    opened = parse_open(CLOSED, ())
    flowers = replace(opened, rules=replace(opened.rules, nukidora=True))
    yield from (topic for topic in topics(flowers, (), phrases) if topic.field == "nukidora")
    for counts in ("counters", "dealer_wins"):
        yield minimum(replace(opened.rules, two_han_counts=counts), phrases)
    yaku = {**opened.rules.yaku, "paarenchan": (13, 13)}
    yield minimum(replace(opened.rules, two_han_counts="dealer_wins", yaku=yaku), phrases)
    hand_tiles = opened.hand_tiles
    yield doubt_topic(hand_tiles, Doubt("2s", "1s", "tile 10", HandTiles()), phrases)
    yield doubt_topic(hand_tiles, Doubt("8s", "5s", "", HandTiles()), phrases)


def texts(topic: Topic) -> Iterator[str]:
    yield from (topic.text, topic.why)
    for option in topic.options:
        yield option.label
        yield from (finer.label for finer in option.finer)


def forms() -> list[tuple[str, str, dict[str, str]]]:
    """Where it stands, the form and its words by language."""

    def inside(place: str, entry: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, str]]]:
        for name, value in entry.items():
            if all(isinstance(text, str) for text in value.values()):
                yield place, name, value
            else:
                yield from inside(f"{place}.{name}", value)

    return list(inside("", dict(catalogue())))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_topic_and_every_option_has_words(language: str) -> None:
    fields = set()
    for topic in asked(language):
        fields.add(topic.field)
        assert all(texts(topic)), topic
        if topic.field in catalogue() and topic.field != "tile":
            assert Phrases(language).of(topic.field, "name") and Phrases(language).of(topic.field, "short")
    assert fields == catalogue().keys() - {
        "dora",
        "doubt",
        "tiles",
        "advice",
        "own_river",
        "asking",
        "reading",
        "rivers",
        "inferred",
        "error",
        "summary",
        "other_rules",
        "rules",
        "terms",
        "game",
        "score",
    }


@pytest.mark.parametrize(("place", "form", "by_language"), forms())
def test_words_are_there_in_every_language(place: str, form: str, by_language: dict[str, str]) -> None:
    assert by_language.keys() <= set(LANGUAGES) and all(by_language.values())
    if form != "short" and place != ".error":  # those fall back to the text, and to the scorer's sentence
        assert by_language.keys() == set(LANGUAGES), (place, form)


def test_a_question_is_asked_in_the_language_that_is_wanted() -> None:
    english, japanese = (
        {one.field: one for one in plan_of(parse_open(CLOSED, ()), (), language).questions}
        for language in LANGUAGES
    )
    assert english["riichi"].text == "Riichi?" and japanese["riichi"].text == "リーチしましたか"
    assert [one.label for one in japanese["dealer"].choices] == ["子", "親（東家）"]
    assert [one.takes_ura for one in english.values()] == [one.takes_ura for one in japanese.values()]
    assert japanese["dealer"].changes("親") == english["dealer"].changes("dealer")
    for field, question in english.items():
        assert [one.id for one in question.choices] == [one.id for one in japanese[field].choices]
        assert [one.points for one in question.choices] == [one.points for one in japanese[field].choices]


@pytest.mark.parametrize("language", LANGUAGES)
def test_indicators_may_be_asked_for_with_those_beneath(language: str) -> None:
    opened = parse_open({**CLOSED, "riichi": True}, ["riichi"])
    dora = next(one for one in plan_of(opened, (), language).questions if one.field == "dora_indicators")
    assert dora.takes_ura and dora.text == Phrases(language).of("dora_indicators", "with_ura")
    assert dora.answer("1m/2m")["ura_indicators"] == ["2m"]


def test_a_short_form_is_the_text_with_a_capital_where_there_is_no_other() -> None:
    phrases = Phrases("en")
    assert phrases.answer("dealer", "yes", "short") == "Dealer"
    assert phrases.answer("tsumo", "ron", "short") == "Ron"
