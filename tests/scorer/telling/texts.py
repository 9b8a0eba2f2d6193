"""Every kind of sentence in both languages, from lessons about real hands.

``python -m tests.scorer.telling.texts`` writes them to ``data/texts.toml``, to be read through after a
message has changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path

from scorer import Meld, load_rules, parse_tiles
from scorer.rules import RuleSet
from scorer.safety import River
from scorer.telling.advice import explain_unfinished
from scorer.telling.catalogue import LANGUAGES, NO_RULE, Catalogue, glossary
from scorer.telling.for_learners import LearnerKnowledge, adapt_to_learner
from scorer.telling.lesson import Lesson, explain, explain_waits
from scorer.telling.near import all_readings
from scorer.telling.sentence import Sentence, Value
from scorer.telling.short import short
from scorer.telling.why_not import why_not
from scorer.yaku import TABLE
from tests.scorer.short_hands import EMA, TENHOU, hand, meld, win

GOLDEN = Path(__file__).parent / "data" / "texts.toml"

TOUDAI, WRC = load_rules("toudai"), replace(load_rules("wrc2017"), red_fives=(1, 1, 1))
HOUSE = replace(
    TOUDAI, limit_hands={"renhou": "mangan"}, kan_dora=False, ura_dora=False, dora_open_hands=True
)

BROKEN = replace(TOUDAI, yaku={**TOUDAI.yaku, "shiisan_budou": (13, 0)})
AFTER_FIVE = replace(EMA, two_han_counts="dealer_wins")
FLOWERS = replace(WRC, nukidora=True)
CHIPS = replace(TENHOU, chips={"aka": 1})
SPLIT = replace(load_rules("tenhou3"), fourth_share="split", words="english")
NEVER_ALONE = replace(EMA, natural_wins_alone="never")

HANDS: tuple[tuple[str, str, RuleSet], ...] = (
    ("234m340567p2267s 8s", "ron dora_indicators=3m1z loser_offset=2 honba=2 riichi_sticks=1", EMA),
    ("234m340567p2267s 8s", "tsumo riichi ippatsu seat_wind=E ura_indicators=1s", EMA),
    ("234m340567p2267s 8s", "ron dora_indicators=3m", WRC),
    ("123m456p78s22z444z 9s", "ron", EMA),
    ("123m456p78s22z444z 9s", "ron riichi honba=5", EMA),
    ("123m456p78s22z444z 9s", "ron riichi", EMA),
    ("123m456p78s22z555z 9s", "ron riichi honba=5", EMA),
    ("123m456p78s22z444z 9s", "ron riichi seat_wind=E dealer_wins=5", AFTER_FIVE),
    ("123m456p78s22z444z 9s", "ron renhou", HOUSE),
    ("45s567p66z 3s chi:234m chi:234p", "tsumo haitei", NEVER_ALONE),
    ("222333444m67p77z 5p", "tsumo riichi", EMA),
    ("222333444m67p77z 5p", "ron riichi dora_indicators=1m2m ura_indicators=1m", HOUSE),
    ("111m444p88s44z567s 4z", "ron riichi", EMA),
    ("222333444m67p77z 5p", "tsumo riichi seat_wind=E dora_indicators=1m", EMA),
    ("999m234p345s45m11z 3m", "ron riichi seat_wind=E", EMA),
    ("123m456p56778s33z 6s", "ron", EMA),
    ("123m456p89s33z456s 7s", "ron riichi", EMA),
    ("123m456p79s33z456s 8s", "ron riichi", EMA),
    ("123m456p78s55z456s 9s", "ron riichi", EMA),
    ("234m234p34s22p888s 5s", "ron riichi", EMA),
    ("123m456p678s22p34s 5s", "ron riichi", EMA),
    ("234p34s22p888s 2s chi:234m", "ron", EMA),
    ("45s567p66z 3s chi:234m chi:234p", "ron", EMA),
    ("46s22p678s 5s chi:123m chi:567m", "ron", EMA),
    ("22p888s34m 2m pon:777z chi:567p", "ron dora_indicators=1m", TOUDAI),
    ("456p78s22z444z 9s ankan:1111m", "tsumo", EMA),
    ("1133m5577p2288s4z 4z", "ron", EMA),
    ("19m19p19s1234567z 1m", "ron dora_indicators=9m", EMA),
    ("119m19p19s123456z 7z", "ron", EMA),
    (
        "147m258p369s1234z 4z",
        "tsumo chiihou",
        BROKEN,
    ),
    ("23s44z 4s pon:555z pon:666z pon:777z", "ron loser_offset=1 pao=3", EMA),
    ("23s44z 4s pon:555z pon:666z pon:777z", "tsumo pao=3", EMA),
    ("123m78s22z444z 9s ankan:5555p", "ron riichi", EMA),
    ("234m340567p2267s 8s", "ron nukidora=2", FLOWERS),
    ("234m340567p2267s 8s", "ron", CHIPS),
    ("234m340567p2267s 8s", "ron riichi dora_count=2 ura_count=1", EMA),
    ("234m340567p2267s 8s", "ron discards=5s", EMA),
    ("44p777z333m999s11z 1z", "tsumo seat_wind=E round_wind=E", EMA),
    ("34p22s345s 5p chi:234m chi:678p", "tsumo dora_indicators=3m4m5m", EMA),
    ("2223334447778m 8m", "ron riichi", EMA),
    ("45678m11z456p 9m chi:123m", "ron dora_indicators=3m3m", EMA),
    ("123m456p78s11p456s 9s", "ron riichi", EMA),
    ("111m456p78s22z456s 9s", "tsumo riichi nukidora=2", SPLIT),
    ("111m456p78s22z456s 9s", "tsumo riichi seat_wind=E", SPLIT),
)

SEATLESS: tuple[tuple[str, str, RuleSet], ...] = (
    ("22p678m34s333z777z 5s", "ron riichi", EMA),
    ("234m340567p2267s 8s", "tsumo honba=1 riichi_sticks=2", EMA),
    ("234m340567p2267s 8s", "tsumo", EMA),
    ("234m340567p2267s 8s", "ron loser_offset=1", EMA),
    ("111m456p78s22z456s 9s", "tsumo", SPLIT),
)

WAITING = (
    ("111222333m78s99p", "ron"),
    ("56789m234p44s777z", "ron"),
    ("56789m234p44s777z", "ron riichi"),
    ("1112345678999m", "ron"),
    ("19m19p19s1234567z", "ron"),
    ("3334m345p678p999s", "ron"),
    ("56789m234p567s11p", "ron"),
    ("56789m234p999s55z", "ron"),
    ("123m456p78s22z444z", "ron honba=5"),
)

UNFINISHED = (
    ("123m456p78s112257z", "ron", ""),
    ("123m456p78s112257z", "ron dora_indicators=7z", ""),
    ("123m456p7799s1122z", "ron", "8888s"),
    ("2m5m7m8m9m5p8p7s7s2z4z5z5z1z", "ron", ""),
    ("45678s123m456p77z1z", "ron discards=3s", ""),
    ("46s123m456p777z22z9s", "ron", "5555s"),
    ("46s123m456p777z22z9s", "ron", "555s"),
    ("19m258p147s12345z", "ron", ""),
    ("123m5567p268s12z1p", "ron", ""),
    ("1133m5577p2268s4z", "ron", "4z"),
    ("223344m66p577s55z1p", "ron", ""),
    ("123m456p789s11222z", "ron", ""),
    ("123m456p789s1122z", "ron", ""),
    ("1m4m7m1p4p7p1s4s7s1z2z3z4z5z", "ron", ""),
    ("123m456p1189s28p5z", "ron", ""),
    ("123m456p789s1p12z4p", "ron", ""),
)


PUNCTUATION = ("words.bracket", "words.is", "words.and")


@cache
def lessons(language: str) -> tuple[Lesson, ...]:
    """Lessons that between them say everything once."""
    return tuple(_explained(language))


def _explained(language: str) -> Iterator[Lesson]:
    for text, how, rules in HANDS:
        beside = (TOUDAI, WRC, HOUSE, replace(EMA, double_wind_pair_fu=2), TENHOU)
        yield explain(hand(text), win(how), rules, language=language, beside=beside)
    for text, how, rules in SEATLESS:
        yield explain(hand(text), replace(win(how), seat_wind=None), rules, language=language)
    waiting = parse_tiles("234m345p45678s22s")
    for concealed, discards in ((waiting, "9s"), (waiting, "1z"), (parse_tiles("19m28p37s1234567z"), "1z")):
        yield explain_waits(concealed, (), win(f"ron discards={discards}"), EMA, language=language)
    yield explain_waits(parse_tiles("45s567p66z234m234p"), (), win("ron"), EMA, language=language)
    for concealed, how in WAITING:
        yield explain_waits(parse_tiles(concealed), (), win(how), EMA, language=language)
    yield explain_waits(
        parse_tiles("24m567p66s"), (meld("chi:234s"), meld("chi:789p")), win("tsumo haitei"), EMA,
        seen=parse_tiles("3333m"), language=language,
    )  # fmt: skip
    for concealed, how, seen in UNFINISHED:
        yield explain_unfinished(
            parse_tiles(concealed), (), win(how), EMA, seen=parse_tiles(seen), language=language
        )


CALLED = (
    ("234p456s22m79s", "chi:678p", "ron"),
    ("234p456s22z79s", "chi:678p", "ron"),
    ("234p456s22z79s1z", "pon:555z", "ron discards=8s"),
    ("234p456s22z79s", "pon:555z", "ron"),
    ("456p22345679s", "chi:234m", "ron"),
    ("123m456p22z46s", "chi:678p", "ron seat_wind=W"),
    ("33z789m123p235s", "chi:789p", "ron"),
)
CLOSED = (
    ("2234m345p345s5667s", "ron dora_indicators=5s", ""),
    ("123m456p22z777m68s4z", "ron", ""),
    ("13m4678p23568s557z", "ron", ""),
    ("234m456p22s456s67s", "ron", "5555s"),
    ("123m456p22z777m68s", "ron", "7777s"),
    ("1112345678999m", "ron", ""),
    ("234m678p22s34567s5z", "ron", ""),
    ("123m456p345s22z55z", "ron seat_wind=W", ""),
    ("22345567788999m", "ron", ""),
)
"""Hands of which advice says the rest."""

THREATS = (
    ("234m345p345s66s7s1z9m", (River("left", parse_tiles("4m7p1z"), True, parse_tiles("7s")),)),
    (
        "2m345p345s668s5m2z39p",
        (
            River("right", parse_tiles("2m8p")),
            River("left", parse_tiles("9m7777s")),
            River("across", parse_tiles("1m2s")),
        ),
    ),
    (
        "234m345p345s66s7s1z1m",
        (River("right", parse_tiles("4m"), True), River("across", parse_tiles("222m1z"), True)),
    ),
    (
        "234m345p345s66s7s1z9m",
        (River("right", parse_tiles("4m")), River("left", parse_tiles("4444p111z2222z"))),
    ),
)
"""Unfinished hands, and what others have discarded."""


def advised(language: str) -> Iterator[Lesson]:
    for concealed, declared, how in CALLED:
        yield explain_unfinished(
            parse_tiles(concealed), (meld(declared),), win(how), TENHOU, language=language
        )
    for concealed, how, seen in CLOSED:
        tiles = parse_tiles(concealed)
        yield explain_unfinished(tiles, (), win(how), EMA, seen=parse_tiles(seen), language=language)
    beginner = LearnerKnowledge(frozenset(), fu=False)
    yield adapt_to_learner(explain(hand(HANDS[0][0]), win(HANDS[0][1]), EMA, language=language), beginner)
    for concealed, rivers in THREATS:
        tiles = parse_tiles(concealed)
        yield explain_unfinished(tiles, (), win("ron"), EMA, rivers=rivers, language=language)
    tenhou3 = load_rules("tenhou3")
    yield explain_unfinished(parse_tiles("234p456s22s344p44z"), (), win("ron"), tenhou3, language=language)
    for tiles in ("11p234p567p345s67s4z", "11p234p567p345s69s4z"):
        yield explain_unfinished(parse_tiles(tiles), (), win("ron"), tenhou3, language=language)
    few = win("ron honba=5 seat_wind=W")
    yield explain_unfinished(parse_tiles("123m456p789s2345s"), (), few, EMA, language=language)
    called = (Meld("pon", "999p"),)
    yield explain_unfinished(parse_tiles("234p55p34678s4z"), called, win("ron"), tenhou3, language=language)


def reasons() -> Iterator[Sentence]:
    """Why hands lack yaku, by their tiles."""
    for text, how, rules in HANDS:
        tiles, won = hand(text), win(how)
        reading = all_readings(tiles, won, rules)[0]
        for yaku in TABLE:
            if reason := why_not(yaku.id, tiles, won, reading, rules):
                yield reason


def sentences(value: Value | None) -> Iterator[Sentence]:
    """The sentence and those inside it."""
    if isinstance(value, Sentence):
        yield value
        for inner in value.values.values():
            yield from sentences(inner)


@cache
def golden() -> dict[str, dict[str, str]]:
    """Each kind of sentence with a text in each language."""
    texts: dict[str, dict[str, str]] = {}
    for language in LANGUAGES:
        for lesson in chain(lessons(language), advised(language)):
            values = [*lesson.values(), lesson.glossary_title]
            lines = [line for step in lesson.steps for line in step.lines]
            values += [value for line in lines for value in (line.worth, line.cited) if value is not None]
            values += [line.sentence for line in short(lesson)]
            for value in values:
                for sentence in sentences(value):
                    texts.setdefault(sentence.kind, {}).setdefault(language, lesson.text(sentence))
        catalogue = Catalogue(language, "english" if language == "en" else "kanji")
        for reason in reasons():
            texts.setdefault(reason.kind, {}).setdefault(language, catalogue.text(reason))
        for punctuation in PUNCTUATION:
            texts.setdefault(punctuation, {})[language] = catalogue.message(punctuation)
        no_rule = catalogue.text(Sentence(NO_RULE))
        for message in (*(term.message for term in glossary().values()), NO_RULE):
            text = catalogue.text(Sentence(message))
            if text != no_rule or message == NO_RULE:
                texts.setdefault(message, {}).setdefault(language, text)
    return texts


def main() -> None:
    rows = []
    for kind, texts in sorted(golden().items()):
        rows.append(f"[{json.dumps(kind)}]\n")
        rows += [f"{language} = {json.dumps(text, ensure_ascii=False)}\n" for language, text in texts.items()]
    GOLDEN.write_text("".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
