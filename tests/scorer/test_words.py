"""Every rule set speaks English as it is spoken; EMA's, Japanese and kanji for who asks for them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from scorer import parse_record, score, score_record
from scorer.rules import LIMITS, load_rules, preset_ids
from scorer.telling.catalogue import glossary
from scorer.words import VOCABULARIES, Words, value_in_words
from scorer.yaku import BY_ID, TABLE
from tests.scorer.short_hands import EMA, FOUR

HAND: dict[str, Any] = {
    "concealed": "56p55z",
    "win_tile": "4p",
    "melds": [
        {"type": "pon", "tiles": "222m"},
        {"type": "minkan", "tiles": "9999s"},
        {"type": "pon", "tiles": "777z"},
    ],
    "tsumo": False,
    "seat_wind": "S",
}


def wording(words: str) -> tuple[str, list[str]]:
    rules = replace(EMA, words=words)
    parsed = parse_record(HAND)
    won = score(parsed.hand, parsed.win, rules)
    value = value_in_words(won.han, won.fu, won.points, won.limit, won.yakuman, VOCABULARIES[words])
    return value, [item.reason for item in won.fu_items]


def test_the_words_of_each_vocabulary() -> None:
    items = [
        "base fu",
        "open triplet of simples",
        "open kan of terminals or honours",
        "open triplet of terminals or honours",
        "pair of dragons",
        "rounded up from 44",
    ]
    assert wording("english") == ("1 han 50 fu, 1,600 points", items)
    assert wording("ema") == (
        "1 fan 50 minipoints, 1,600 points",
        [
            "base minipoints",
            "open pung of simples",
            "open kong of terminals or honours",
            "open pung of terminals or honours",
            *items[4:],
        ],
    )
    assert wording("japanese") == (
        "1 han 50 fu, 1,600 points",
        [
            "fuutei",
            "minkou of chunchanpai",
            "minkan of yaochuuhai",
            "minkou of yaochuuhai",
            "sangenpai pair",
            "rounded up from 44",
        ],
    )
    assert wording("kanji") == (
        "1翻 50符 1,600点",
        ["副底", "中張牌明刻", "幺九牌明槓", "幺九牌明刻", "三元牌の雀頭", "切り上げ（44符から）"],
    )


@pytest.mark.parametrize("rules", preset_ids())
def test_the_words_of_every_preset(rules: str) -> None:
    """As players speak them, with no Japanese name of a role."""
    assert load_rules(rules).words == "english"
    if rules in FOUR:
        assert score_record(HAND | {"rules": rules})["in_words"].startswith("1 han 50 fu")


def test_roles_are_english_in_latin_letters() -> None:
    for words in ("english", "ema", "japanese"):
        for role in ("dealer", "discarder", "liable", "next_player", "across", "previous_player"):
            term = glossary()[role]
            assert term.name(words) == term.english, (words, role)


@pytest.mark.parametrize("words", VOCABULARIES.values(), ids=VOCABULARIES.keys())
def test_every_limit_has_a_name(words: Words) -> None:
    """And everything that earns minipoints has one of its own."""
    for limit in (*LIMITS, "yakuman"):
        assert words.limits[limit] in value_in_words(13, 30, 32000, limit, limit == "yakuman", words)
    assert len(set(words.sets.values())) == 5 and len(set(words.waits.values())) == 3


@pytest.mark.parametrize(
    ("words", "others"), [("english", r"chow|pung|kong"), ("ema", r"sequence|triplet|\bkans?\b")]
)
def test_a_set_has_one_name_in_each_vocabulary(words: str, others: str) -> None:
    spoken = VOCABULARIES[words]
    named = [*spoken.sets.values(), *spoken.terms.values(), *(spoken.yaku(yaku.id) for yaku in TABLE)]
    named += [term.name(words) for term in glossary().values()]
    assert [name for name in named if re.search(others, re.sub(r"\(.*\)", "", name), re.I)] == []


def test_ema_has_names_of_its_own_for_known_yaku() -> None:
    ema = VOCABULARIES["ema"]
    assert ema.names and ema.names.keys() <= BY_ID.keys()
    assert all(BY_ID[id_].english != name for id_, name in ema.names.items())
