"""Lessons add up to the score, and say what a hand nearly had."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from benchmarks.lesson import check, disagreements
from benchmarks.wins import random_win
from scorer import Furiten, Hand, HandError, Meld, Score, format_tiles, furiten, load_rules, parse_tiles
from scorer.rules import RuleSet, parse_rules
from scorer.telling.catalogue import LANGUAGES, SEVERAL
from scorer.telling.lesson import Lesson, explain, explain_waits, with_explanations
from scorer.telling.near import ChangeKind, NearMiss, held_yaku, least, near_misses
from scorer.telling.sentence import Line, Name, StepKind, Unit
from scorer.telling.short import short
from scorer.tiles import KINDS, TILES
from scorer.wait_values import scored, wait_values
from scorer.yaku import BY_ID, DORA
from tehai.lesson.html import fragment
from tehai.lesson.markdown import markdown
from tests.scorer.short_hands import EMA, FOUR, TENHOU, hand, win

PINFU = "234m340567p2267s 8s"
MANGAN_HAND = "123m456p78s22z444z 9s"


def lesson_on(text: str, how: str = "ron", rules: RuleSet = EMA, language: str = "en") -> Lesson:
    return explain(hand(text), win(how), rules, language=language)


def lines(lesson: Lesson, kind: StepKind) -> tuple[Line, ...]:
    step = lesson.step(kind)
    return step.lines if step else ()


def texts(lesson: Lesson, kind: StepKind) -> list[str]:
    return [lesson.text(line.sentence) for line in lines(lesson, kind)]


def labels(lesson: Lesson, kind: StepKind) -> list[str]:
    return [line.label.id for line in lines(lesson, kind) if isinstance(line.label, Name)]


def misses(text: str, how: str = "ron", rules: RuleSet = EMA) -> dict[str, NearMiss]:
    return {miss.yaku: miss for miss in near_misses(hand(text), win(how), rules)}


@pytest.mark.parametrize("preset", FOUR)
def test_lessons_of_random_wins_add_up(preset: str) -> None:
    random, rules = Random(preset), load_rules(preset)
    for at in range(10):
        drawn = random_win(random, reds=any(rules.red_fives))
        wrong = check(drawn.hand, drawn.win, rules, LANGUAGES[at % 2])
        assert wrong == [], drawn.to_record(rules)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("11z55m 5m ankan:1111m minkan:2222m kakan:9999m", "tsumo"),
        ("19m19p19s1234567z 1m", "ron loser_offset=1"),
        ("1112345678999m 5m", "tsumo seat_wind=E"),
        ("23s44z 4s pon:555z pon:666z pon:777z", "ron loser_offset=1 pao=3 honba=2"),
        ("23s44z 4s pon:555z pon:666z pon:777z", "tsumo pao=3 honba=1 riichi_sticks=2"),
        ("2233445566778p 8p", "tsumo seat_wind=E"),
        ("1133m5577p2288s4z 4z", "ron riichi"),
    ],
)
@pytest.mark.parametrize("preset", FOUR)
def test_rare_lessons_add_up(text: str, how: str, preset: str) -> None:
    rules, won = load_rules(preset), win(how)
    if won.pao and not rules.liability:
        with pytest.raises(HandError, match="nobody is liable"):
            explain(hand(text), won, rules)
        won = replace(won, pao=None)
    assert list(disagreements(explain(hand(text), won, rules), won)) == []


def test_a_yaku_paid_as_a_limit_by_itself_adds_up() -> None:
    rules = replace(load_rules("toudai"), limit_hands={"renhou": "mangan", "kokushi_13": "sextuple"})
    for text, how in (("123m456p78s22z444z 9s", "ron renhou"), ("19m19p19s1234567z 1m", "ron")):
        lesson = explain(hand(text), win(how), rules)
        assert list(disagreements(lesson, win(how))) == []
        assert "by itself" in texts(lesson, StepKind.LOOKUP)[0]


@pytest.mark.parametrize("kind", ["hand", "yaku", "dora", "fu", "lookup", "payment"])
def test_a_line_too_few_is_noticed(kind: str) -> None:
    lesson, how = (lesson_on(PINFU, "ron dora_indicators=3m loser_offset=1"), win("ron"))
    assert list(disagreements(lesson, how)) == []
    steps = tuple(
        replace(step, lines=tuple(line for line in step.lines if line.amount is None and not line.groups))
        if step.kind == kind
        else step
        for step in lesson.steps
    )
    assert list(disagreements(replace(lesson, steps=steps), how))


def test_a_wrong_place_in_the_table_is_noticed() -> None:
    lesson = lesson_on(PINFU)
    steps = tuple(
        replace(step, grid=replace(step.grid, marked=(0, 1))) if step.grid else step for step in lesson.steps
    )
    assert list(disagreements(replace(lesson, steps=steps), win("ron")))


def test_each_yaku_names_its_tiles_its_rule_and_its_source() -> None:
    lesson = lesson_on("112233m456p78s55z 9s")
    (line,) = lines(lesson, StepKind.YAKU)
    assert labels(lesson, StepKind.YAKU) == ["iipeikou"]
    assert [format_tiles(group) for group in line.groups] == ["123m", "123m"]
    assert lesson.text(line.sentence) == "Twice the same sequence in one suit. Only in a concealed hand."
    assert line.source == "EMA 2008 §4.2.1"


@pytest.mark.parametrize(
    ("text", "how", "yaku", "tiles"),
    [
        ("234m234p34s22p888s 2s", "ron", "sanshoku_doujun", "234m 234p 234s"),
        ("12345678m22p888s 9m", "ron", "ittsu", "123m 456m 789m"),
        ("111m444p444z88s56s 7s", "ron", "sanankou", "111m 444p 444z"),
        ("555z66z123m45s 6s pon:777z", "ron", "shousangen", "66z 555z 777z"),
        ("555z66z123m45s 6s pon:777z", "ron", "yakuhai_chun", "777z"),
        ("123m789p99s111z23s 1s", "ron", "chanta", "123m 789p 99s 111z 123s"),
        ("123m456p78s33z456s 9s", "ron", "pinfu", "123m 456p 789s 33z 456s"),
        ("123456m11z444z78m 9m", "ron", "honitsu", "123m 456m 789m 11z 444z"),
        ("222444666m88m78m 9m", "ron", "chinitsu", "222m 444m 666m 88m 789m"),
        ("11122233355z66z 6z", "ron", "tsuuiisou", "111z 222z 333z 55z 666z"),
        ("111m444p444z888s5s 5s", "tsumo", "suuankou_tanki", "111m 444p 444z 888s 55s"),
        ("1133m5577p2288s4z 4z", "ron", "chiitoitsu", "11m 33m 55p 77p 22s 88s 44z"),
        ("123m456p78s22z444z 9s", "ron riichi", "riichi", ""),
    ],
)
def test_the_tiles_that_make_a_yaku_are_the_fewest(text: str, how: str, yaku: str, tiles: str) -> None:
    lesson = lesson_on(text, how)
    line = next(line for line in lines(lesson, StepKind.YAKU) if line.label == Name(yaku))
    assert sorted(format_tiles(group) for group in line.groups) == sorted(tiles.split())


def test_dora_are_counted_tile_by_tile() -> None:
    lesson = lesson_on(PINFU, "ron riichi dora_indicators=3m1s5z ura_indicators=2s")
    assert [(line.label, line.amount) for line in lines(lesson, StepKind.DORA)] == [
        (Name("dora"), 1),
        (Name("dora"), 2),
        (Name("dora"), 0),
        (Name("ura"), 0),
        (Name("aka"), 1),
    ]


def test_dora_that_do_not_count_say_why() -> None:
    lesson = lesson_on("22p888s34m 2m pon:777z chi:567p", "ron dora_indicators=1m", load_rules("toudai"))
    assert "concealed hands only" in texts(lesson, StepKind.DORA)[0]
    assert lines(lesson, StepKind.DORA)[0].amount == 0


def test_minipoints_are_rounded_in_a_line_of_their_own() -> None:
    lesson = lesson_on("123m456p78s44p777z 9s", "tsumo")
    fu = lines(lesson, StepKind.FU)
    assert [line.amount for line in fu] == [20, 0, 8, 0, 0, 2, 30]
    lesson = lesson_on("123m456p79s44p777z 8s", "tsumo")
    assert texts(lesson, StepKind.FU)[-2:] == ["Rounded up from 32", "Total"]


def test_minipoints_are_told_with_those_that_are_none_and_their_sum() -> None:
    lesson = lesson_on("22p888s34m 2m pon:777z chi:567p")
    told = [(lesson.text(line.sentence), line.amount) for line in lines(lesson, StepKind.FU)]
    assert told == [
        ("Base fu", 20),
        ("A sequence earns nothing", 0),
        ("Concealed triplet of simples", 4),
        ("Open triplet of terminals or honours", 4),
        ("Pair of 2 to 8", 0),
        ("Two-sided wait", 0),
        ("Rounded up from 28", 2),
        ("Total", 30),
    ]
    drawn = lesson_on("123m456p789s34s11p 2s", "tsumo")
    told = [(drawn.text(line.sentence), line.amount) for line in lines(drawn, StepKind.FU)]
    assert told == [
        ("Base fu", 20),
        ("A sequence earns nothing", 0),
        ("Pair of 1 or 9", 0),
        ("Two-sided wait", 0),
        ("Tsumo: not counted with Pinfu", 0),
        ("Total", 20),
    ]
    guest = lesson_on("123m456p789s34s44z 2s")
    assert "Pair of a wind that is neither yours nor the round's" in texts(guest, StepKind.FU)
    assert texts(guest, StepKind.FU)[:2] == ["Base fu", "Ron with a concealed hand"]


def test_rounding_is_said_where_something_is_rounded() -> None:
    lesson = lesson_on("123m456p789s34s55p 2s", "tsumo")
    assert texts(lesson, StepKind.LOOKUP)[-1] == (
        "The dealer pays twice that (640, rounded up to 700 points), the other two once (320, rounded up to "
        "400 points) each."
    )
    mangan = lesson_on("123m456p78s22z444z 9s", "ron riichi dora_indicators=3z")
    assert mangan.score is not None and mangan.score.limit == "mangan"
    assert texts(mangan, StepKind.LOOKUP)[-1] == "A ron pays 4 times that: 8,000 points."
    assert "切り上げ" not in lesson_on(
        "123m456p78s22z444z 9s", "ron riichi dora_indicators=3z", language="ja"
    ).text(
        lines(
            lesson_on("123m456p78s22z444z 9s", "ron riichi dora_indicators=3z", language="ja"),
            StepKind.LOOKUP,
        )[-1].sentence
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_sources_are_those_of_the_rule_set_in_use(language: str) -> None:
    for preset in ("tenhou", "toudai", "wrc2017", "reference"):
        lesson = lesson_on(MANGAN_HAND, "ron riichi dora_indicators=3z", load_rules(preset), language)
        cited = [line.source for step in lesson.steps for line in step.lines if line.source]
        apart = {source for several in cited for source in several.split(SEVERAL)}
        assert apart <= {*lesson.rules.cite.values()}, preset
    lesson = lesson_on(PINFU, "ron riichi", load_rules("tenhou"), language)
    line = lines(lesson, StepKind.YAKU)[0]
    assert line.cited is not None
    assert lesson.text(line.cited) == {"en": "Tenhou logs", "ja": "出典：天鳳"}[language]


LIMITED = replace(load_rules("toudai"), limit_hands={"renhou": "mangan"})


@pytest.mark.parametrize(
    ("text", "how", "rules", "row", "from_han"),
    [
        (MANGAN_HAND, "ron riichi dora_indicators=3z", EMA, "mangan", "5; 4 with 40 fu; 3 with 70 fu"),
        ("234m345p3467s22s8s 5s", "tsumo riichi dora_indicators=3m3m", EMA, "haneman", "6"),
        (PINFU, "ron riichi", load_rules("mleague"), "mangan", "5; 4 with 30 fu; 3 with 60 fu"),
        ("19m19p19s1234567z 1m", "ron", load_rules("majsoul"), "2 × yakuman", "–"),
        (MANGAN_HAND, "ron renhou", LIMITED, "mangan", "5; 4 with 40 fu; 3 with 70 fu"),
    ],
)  # fmt: skip
def test_the_limit_that_applies_is_the_row_that_is_marked(
    text: str, how: str, rules: RuleSet, row: str, from_han: str
) -> None:
    lesson = lesson_on(text, how, replace(rules, words="english"))
    step = lesson.step(StepKind.LOOKUP)
    assert step is not None and step.grid is not None and lesson.score is not None
    name, from_, pays = (lesson.text(cell) for cell in step.grid.rows[step.grid.marked[0]])
    assert (name.lower(), from_) == (row, from_han)
    others, *dealer = (int(number) for number in pays.replace(",", "").split("/"))
    assert lesson.score.points == (2 * others + dealer[0] if dealer else others)


def test_the_other_readings_are_told_with_their_values() -> None:
    lesson = lesson_on("222333444m67p77z 5p", "tsumo riichi")
    assert "2 ways" in texts(lesson, StepKind.READINGS)[0]
    assert [format_tiles(group) for group in lines(lesson, StepKind.READINGS)[1].groups][:3] == ["234m"] * 3


def table(lesson: Lesson) -> list[list[str]]:
    step = lesson.step(StepKind.LOOKUP)
    assert step is not None and step.grid is not None
    return [[lesson.text(cell) for cell in row] for row in step.grid.rows]


def test_the_table_shows_only_what_can_be() -> None:
    assert table(lesson_on(PINFU)) == [
        ["30", "1,000", "2,000", "3,900", "7,700"],
        ["40", "1,300", "2,600", "5,200", "8,000"],
    ]
    drawn = lesson_on("123m456p78s33z456s 9s", "tsumo")
    assert table(drawn)[0] == ["20", "–", "400/700", "700/1,300", "1,300/2,600"]
    assert table(lesson_on("1133m5577p2288s4z 4z"))[0] == ["25", "–", "1,600", "3,200", "6,400"]
    opened = lesson_on("22p888s34m 2m pon:777z chi:567p", rules=load_rules("toudai"))
    assert table(opened)[0][:2] == ["20", "700"]


def test_the_table_has_a_row_for_the_most_minipoints() -> None:
    kongs = lesson_on("44z24s 3s ankan:9999m ankan:1111p minkan:1111s", "tsumo")
    assert kongs.score is not None and kongs.score.fu == 110
    assert [row[0] for row in table(kongs)] == ["100", "110", "120"]


# --- what it nearly had -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "how", "yaku", "change"),
    [
        ("123m456p89s33z456s 7s", "ron riichi", "pinfu", ChangeKind.WAIT),
        ("123m456p79s33z456s 8s", "ron riichi", "pinfu", ChangeKind.WAIT),
        ("123m456p78s55z456s 9s", "ron riichi", "pinfu", ChangeKind.PAIR),
        ("456p78s33z456s 9s chi:123m", "ron houtei", "pinfu", ChangeKind.CLOSED),
        ("111m444p88s44z567s 4z", "ron riichi", "sanankou", ChangeKind.TSUMO),
        ("123m456p78s22z444z 9s", "ron riichi", "menzen_tsumo", ChangeKind.TSUMO),
        ("234m456p78s22p345s 9s", "ron riichi", "tanyao", ChangeKind.WIN_TILE),
        ("234m234p34s22p888s 5s", "ron riichi", "sanshoku_doujun", ChangeKind.WIN_TILE),
        ("123m456p678s22p34s 5s", "ron riichi", "tanyao", ChangeKind.EXCHANGE),
        ("1m444p333z 1m pon:222m pon:888s", "ron", "suuankou_tanki", ChangeKind.CLOSED),
    ],
)
def test_what_was_missing_is_found(text: str, how: str, yaku: str, change: ChangeKind) -> None:
    assert misses(text, how)[yaku].change.kind is change


@pytest.mark.parametrize("preset", ["ema2008", "tenhou"])
def test_no_yaku_one_tile_away_is_passed_over(preset: str) -> None:
    """Every tile against every other, tried one by one."""
    random, rules = Random(preset), load_rules(preset)
    for _ in range(8):
        drawn = random_win(random, reds=False)
        bare = replace(drawn.win, dora_indicators=(), ura_indicators=())
        held = held_yaku(drawn.hand, bare, rules)
        surpassed = {id_ for yaku in held for id_ in BY_ID[yaku].supersedes}
        found = {miss.yaku for miss in near_misses(drawn.hand, bare, rules)}
        row = (*drawn.hand.concealed, drawn.hand.win_tile)
        for at in range(len(row)):
            for tile in TILES[:KINDS]:
                changed = (*row[:at], tile, *row[at + 1 :])
                then = scored(Hand(changed[:-1], changed[-1], drawn.hand.melds), bare, rules)
                if then is not None:
                    missed = {id_ for id_, han in then.yaku if id_ not in DORA and han > held.get(id_, 0)}
                    assert missed - surpassed <= found, (drawn.to_record(rules), tile)


def test_a_yaku_that_counts_is_not_missed() -> None:
    assert not misses("112233m44556p77s 6p").keys() & {"ryanpeikou", "iipeikou", "chiitoitsu", "pinfu"}


def test_an_open_hand_hears_what_calling_cost() -> None:
    lesson = lesson_on("234p34s22p888s 2s chi:234m")
    assert missed(lesson, StepKind.CHOICE) == ["riichi", "tanyao", "sanshoku_doujun"]
    assert texts(lesson, StepKind.CHOICE)[1].startswith("Without the calls: 3 han")
    straight = lesson_on("45678m11z456p 9m chi:123m")
    assert missed(straight, StepKind.CHOICE) == ["riichi", "ittsu"]
    assert texts(straight, StepKind.CHOICE)[1].startswith("In a concealed hand 2 han instead of 1")


def test_a_tile_that_cannot_be_had_is_not_asked_for() -> None:
    plain = misses("234m234p34s22p888s 5s", "ron riichi")["sanshoku_doujun"]
    assert format_tiles(plain.change.into) == "2s"
    gone = misses("234m234p34s22p888s 5s", "ron riichi dora_indicators=2s2s2s2s")
    assert "sanshoku_doujun" not in gone


def test_what_riichi_would_have_added() -> None:
    sentence = texts(lesson_on(PINFU, "ron"), StepKind.CHOICE)[0]
    assert "3,800 points more" in sentence and "gives a chance of Ippatsu, Ura dora." in sentence
    assert "no yaku" in texts(lesson_on("123m456p78s22z444z 9s", "ron riichi"), StepKind.CHOICE)[0]
    opened = texts(lesson_on("234p34s22p888s 2s chi:234m"), StepKind.CHOICE)
    assert opened[0] == "Only a concealed hand can declare it."


def test_what_goes_with_riichi_goes_without_it() -> None:
    lesson = lesson_on(PINFU, "ron riichi ippatsu dora_indicators=1z ura_indicators=3m")
    sentence = texts(lesson, StepKind.CHOICE)[0]
    assert sentence.endswith("Lost as well: Ippatsu, Ura dora.")
    bare = lesson_on(PINFU, "ron")
    assert lesson.score is not None and bare.score is not None
    assert f"{lesson.score.points - bare.score.points:,} points less" in sentence


def test_choice_comes_before_luck() -> None:
    """To wait otherwise and to keep a discard is a choice; a tile that never came is luck."""
    lesson = lesson_on("123m456p89s33z456s 7s", "ron riichi")
    kinds = [step.kind for step in lesson.steps]
    assert kinds.index(StepKind.CHOICE) < kinds.index(StepKind.LUCK)
    assert "pinfu" in labels(lesson, StepKind.CHOICE) and "menzen_tsumo" in labels(lesson, StepKind.LUCK)
    text = "123m456p678s22p34s 5s"
    assert "tanyao" in missed(lesson_on(text, "ron riichi"), StepKind.LUCK)
    assert "tanyao" in missed(lesson_on(text, "ron riichi discards=4m"), StepKind.CHOICE)


def missed(lesson: Lesson, kind: StepKind) -> list[str]:
    """The yaku that the lines of a step are about, one or several a line."""
    told = (line.label if isinstance(line.label, tuple) else (line.label,) for line in lines(lesson, kind))
    return [name.id for names in told for name in names if isinstance(name, Name)]


def test_nothing_is_offered_that_pays_no_more() -> None:
    for text, how in ((MANGAN_HAND, "ron riichi"), ("1133m5577p2288s4z 4z", "ron riichi")):
        lesson = lesson_on(text, how)
        assert lesson.score is not None
        assert lesson.misses and all(miss.score.points > lesson.score.points for miss in lesson.misses)
    mangan = lesson_on("234m234p234s55p77z 7z", "ron dora_indicators=6z")
    declared = lesson_on("234m234p234s55p77z 7z", "ron riichi dora_indicators=6z")
    assert mangan.score is not None and declared.score is not None
    offered = "riichi" in labels(mangan, StepKind.CHOICE)
    assert offered is (declared.score.points > mangan.score.points)


def test_nothing_is_said_twice() -> None:
    opened = lesson_on("45s567p66z 3s chi:234m chi:234p")
    said = [opened.text(line.sentence) for step in opened.steps for line in step.lines if not line.groups]
    assert len(said) == len(set(said))
    assert opened.step(StepKind.LUCK) is None  # its only near miss is the smallest change


# --- no yaku, waits, furiten, other rules -------------------------------------------------------------------


def test_no_yaku_is_told_with_the_cheapest_way() -> None:
    lesson = lesson_on("123m456p78s22z444z 9s")
    assert lesson.score is None
    first, wind, cheapest = texts(lesson, StepKind.NO_YAKU)
    assert first.startswith("The hand is complete, and only a yaku is missing")
    assert wind == "North is neither your seat, South, nor the round, East: it is no yaku."
    assert "declare it before the win" in cheapest
    opened = lesson_on("45s567p66z 3s chi:234m chi:234p")
    assert labels(opened, StepKind.NO_YAKU) == ["sanshoku_doujun"]


def test_an_open_hand_that_one_tile_does_not_save_hears_of_riichi() -> None:
    """Without a yaku in reach the cheapest way is not to have called."""
    lesson = lesson_on("46s22p678s 5s chi:123m chi:567m")
    assert not lesson.misses
    _, cheapest, advice = texts(lesson, StepKind.NO_YAKU)
    assert "call nothing and declare it" in cheapest and "before you call" in advice


def test_the_cheapest_way_changes_the_fewest_tiles() -> None:
    """One call less before one other tile, one other tile before two calls less."""
    for text, kind in (
        ("67m22p456s345s 8m chi:678p", ChangeKind.CLOSED),
        ("45s567p66z 3s chi:234m chi:234p", ChangeKind.EXCHANGE),
        ("67m22p456s 8m chi:123p chi:345s", ChangeKind.CLOSED),
    ):
        found = least(near_misses(hand(text), win("ron"), EMA))
        assert found is not None and found.change.kind is kind, text
    calls = least(near_misses(hand("67m22p456s 8m chi:123p chi:345s"), win("ron"), EMA))
    assert calls is not None and calls.change.tiles == 2


def test_what_would_have_been_cheaper_is_not_told() -> None:
    """A self-draw would have brought a yaku, and lost the blessing of man."""
    rules = replace(EMA, yaku={**EMA.yaku, "renhou": (5, 0)})
    near = near_misses(hand("123m456p78s22z444z 9s"), win("ron renhou"), rules)
    assert next(miss for miss in near if miss.yaku == "menzen_tsumo").cheaper
    lesson = lesson_on("123m456p78s22z444z 9s", "ron renhou", rules)
    assert "menzen_tsumo" not in labels(lesson, StepKind.LUCK)


def test_no_surpassed_yaku_was_nearly_had() -> None:
    assert "iipeikou" not in misses("112233m44556p77s 6p")


def test_too_few_han_for_the_counters_is_no_missing_yaku() -> None:
    lesson = lesson_on("123m456p78s22z444z 9s", "ron riichi honba=5")
    assert texts(lesson, StepKind.NO_YAKU)[0].startswith("The hand is complete. With 5 counters")


def test_a_moment_that_may_not_win_alone_is_named() -> None:
    never = replace(EMA, natural_wins_alone="never")
    lesson = lesson_on("45s567p66z 3s chi:234m chi:234p", "tsumo haitei", never)
    assert "special moment" in texts(lesson, StepKind.NO_YAKU)[0]


def test_nobody_is_called_liable_who_pays_nothing_for_it() -> None:
    lesson = lesson_on("23s44z 4s pon:555z pon:666z pon:777z", "ron loser_offset=1 pao=1")
    assert texts(lesson, StepKind.PAYMENT)[0] == "The player on the right (West) pays"
    lesson = lesson_on("23s44z 4s pon:555z pon:666z pon:777z", "ron loser_offset=1 pao=3")
    assert [text.endswith("liable, pays") for text in texts(lesson, StepKind.PAYMENT)[:2]] == [False, True]


@pytest.mark.parametrize("pao", [1, 2, 3])
def test_of_a_discard_by_nobody_knows_whom_the_liable_player_is_named(pao: int) -> None:
    lesson = lesson_on("23s44z 4s pon:555z pon:666z pon:777z", f"ron pao={pao}")
    step = lesson.step(StepKind.PAYMENT)
    assert step is not None and lesson.score is not None and step.total(Unit.POINTS) == lesson.score.points
    sentences = sorted(texts(lesson, StepKind.PAYMENT)[:2])
    assert sentences[0] == "The discarder pays" and sentences[1].endswith("who is liable, pays")


def test_who_would_pay_a_self_draw_is_not_told_where_another_is_liable() -> None:
    for pao, said in (("", False), (" pao=3", True)):
        lesson = lesson_on("23s44z 4s pon:555z pon:666z pon:777z", f"tsumo{pao}")
        assert ("paid otherwise" in texts(lesson, StepKind.LOOKUP)[-1]) is said


def test_thirteen_dora_are_no_yakuman() -> None:
    (line,) = lines(lesson_on("234m345567p2267s 8s", "ron dora_count=13"), StepKind.DORA)
    assert line.worth is not None and lesson_on(PINFU).text(line.worth) == "13 han"


def test_a_suit_may_have_two_red_fives() -> None:
    two = replace(TENHOU, red_fives=(1, 2, 1))
    (line,) = lines(lesson_on("234m555p67s11m567s 8s", "ron riichi", two), StepKind.DORA)
    assert "only three" not in lesson_on(PINFU).text(line.sentence) and line.amount == 1


def test_a_yakuman_is_told_by_its_name() -> None:
    for text, how, worth in (
        ("23s44z 4s pon:555z pon:666z pon:777z", "ron", "yakuman"),
        ("19m19p19s1234567z 1m", "ron", "2 × yakuman"),
    ):
        lesson = lesson_on(text, how)
        line = lines(lesson, StepKind.YAKU)[0]
        assert line.worth is not None and lesson.text(line.worth).casefold() == worth


def test_a_contradiction_is_no_lesson() -> None:
    with pytest.raises(HandError):
        lesson_on("45s567p66z 3s chi:234m chi:234p", "ron riichi")
    with pytest.raises(HandError):
        lesson_on("45s567p66z 1s chi:234m chi:234p")


def test_the_value_of_each_wait() -> None:
    concealed, how = parse_tiles("234m345p45678s22s"), win("ron dora_indicators=2s")
    values = wait_values(concealed, (), how, TENHOU)
    assert [(str(one.tile), one.left) for one in values] == [("3s", 4), ("6s", 3), ("9s", 4)]
    for one in values:
        for tsumo, riichi, found in (
            (False, False, one.ron),
            (True, False, one.tsumo),
            (False, True, one.riichi_ron),
            (True, True, one.riichi_tsumo),
        ):
            wanted: Score = explain(
                replace(hand("234m345p45678s22s 3s"), win_tile=one.tile),
                replace(how, tsumo=tsumo, riichi=riichi),
                TENHOU,
            ).score  # type: ignore[assignment]
            assert found == wanted


def test_tiles_left_leave_out_what_is_seen() -> None:
    concealed, how = parse_tiles("234m345p45678s22s"), win("ron dora_indicators=3s")
    lesson = explain_waits(concealed, (), replace(how, discards=parse_tiles("39s9s")), TENHOU)
    assert [lesson.text(line.sentence)[:6] for line in lines(lesson, StepKind.WAITS)[:3]] == [
        "2 left",
        "3 left",
        "2 left",
    ]


def test_furiten_is_told_as_the_scorer_finds_it() -> None:
    concealed, discards = parse_tiles("234m345p45678s22s"), parse_tiles("1z9s")
    lesson = explain_waits(concealed, (), win("ron discards=1z9s"), TENHOU)
    found = furiten(concealed, discards=discards)
    assert isinstance(found, Furiten)
    assert texts(lesson, StepKind.FURITEN)[0].startswith("Among your own discards: 9s.")
    free = explain_waits(concealed, (), win("ron discards=1z"), TENHOU)
    assert "so they allow a ron" in texts(free, StepKind.FURITEN)[0]
    (step,) = (step for step in lesson.steps if step.kind is StepKind.WAITS)
    assert step.grid is not None
    assert {lesson.text(row[1]) for row in step.grid.rows} == {"Furiten"}
    assert "Furiten" not in {lesson.text(row[2]) for row in step.grid.rows}
    assert explain_waits(concealed, (), win("ron"), TENHOU).step(StepKind.FURITEN) is None


def test_a_ron_that_is_furiten_is_no_win_but_a_lesson() -> None:
    """EMA 2008 §3.4.5: on a self-draw it would be one."""
    lesson = lesson_on(PINFU, "ron discards=5s1z", TENHOU)
    assert (lesson.score, lesson.text(lesson.headline)) == (None, "No win: furiten (Tenhou)")
    drawn = lesson_on(PINFU, "tsumo discards=5s1z", TENHOU)
    assert drawn.score is not None and drawn.step(StepKind.FURITEN) is not None
    told, worth = texts(lesson, StepKind.FURITEN)
    assert told.startswith("Among your own discards: 5s.")
    headline = drawn.text(drawn.headline).removesuffix(" (Tenhou)")
    assert f"worth {headline}".casefold() in worth.casefold()


def test_a_pair_in_every_suit_is_no_hand() -> None:
    with pytest.raises(HandError, match="not four sets and a pair"):
        lesson_on("12355m12355p55s1z 1z")


def test_a_hand_that_waits_for_nothing() -> None:
    lesson = explain_waits(parse_tiles("19m28p37s1234567z"), (), win("ron"), EMA)
    assert texts(lesson, StepKind.WAITS)[0].startswith("No single tile")


def test_other_rules_stand_beside() -> None:
    beside = [load_rules("toudai"), load_rules("majsoul")]
    lesson = explain(hand(PINFU), win("ron"), EMA, beside=beside)
    sentences = lines(lesson, StepKind.RULES)
    assert [line.label for line in sentences if line.label] == [rules.name for rules in beside]
    assert lesson.text(sentences[0].sentence) == "2 han 30 fu, 2,000 points."
    assert lesson.text(sentences[-1].sentence) == "3 han 30 fu, 3,900 points."


# --- words --------------------------------------------------------------------------------------------------


def test_a_yaku_that_only_other_rules_have_is_named() -> None:
    own = '[own_yaku.plain]\nname = "Plain Shape"\nhan = [1, 1]\nwhen = { form = "standard" }\n'
    house = parse_rules(f'base = "ema2008"\n{own}')
    lesson = explain(hand(PINFU), win("ron"), EMA, beside=(house,))
    assert "Counts Plain Shape too." in texts(lesson, StepKind.RULES)


def test_the_terms_are_those_of_the_rule_set() -> None:
    english, japanese = (lesson_on(PINFU, rules=rules).to_record() for rules in (EMA, TENHOU))
    assert [step["title"] for step in english["steps"]][4] == "Fu"
    assert [step["title"] for step in japanese["steps"]][4] == "Fu"
    assert lesson_on(PINFU, language="ja").text(Name("pinfu")) == "平和"


def test_the_glossary_has_every_term_that_is_said() -> None:
    lesson = lesson_on(PINFU)
    ids = [entry.id for entry in lesson.glossary]
    assert len(ids) == len(set(ids))
    assert {"pinfu", "tanyao", "chow", "ryanmen", "han", "fu", "base"} <= set(ids)
    chow = next(entry for entry in lesson.glossary if entry.id == "chow")
    assert (chow.name, chow.others, chow.kana, chow.pronunciation) == (
        "sequence",
        ("chow", "shuntsu", "順子"),
        "シュンツ",
        "SHOON-tsoo",
    )


def test_the_record_is_plain_json() -> None:
    record = lesson_on(PINFU).to_record()
    assert json.loads(json.dumps(record)) == record
    assert record["score"]["points"] == 3900
    assert sum(line["amount"] or 0 for step in record["steps"][2:4] for line in step["lines"]) == 3


def test_no_lessons_in_another_language() -> None:
    with pytest.raises(ValueError, match="no lessons in 'fr'"):
        lesson_on(PINFU, language="fr")


def test_payments_name_the_seats() -> None:
    lesson = lesson_on(PINFU, "tsumo honba=1 riichi_sticks=1")
    assert texts(lesson, StepKind.PAYMENT)[:3] == [
        "The player on the right (West) pays, of which 100 is for 1 counter",
        "The player across (North) pays, of which 100 is for 1 counter",
        "The player on the left (East) pays, of which 100 is for 1 counter",
    ]
    assert sum(line.amount or 0 for line in lines(lesson, StepKind.PAYMENT) if line.unit is Unit.POINTS) == (
        lesson.score.deltas[0] if lesson.score and lesson.score.deltas else 0
    )


# --- what a lesson teaches ----------------------------------------------------------------------------------


def test_the_headline_names_the_rules() -> None:
    assert lesson_on(PINFU).text(lesson_on(PINFU).headline) == "3 han 30 fu, 3,900 points (EMA Riichi 2008)"
    japanese = lesson_on(PINFU, rules=TENHOU, language="ja")
    assert japanese.text(japanese.headline).endswith("（天鳳）")


def test_a_word_is_explained_where_it_is_said_first() -> None:
    lesson = lesson_on("123m456p789s34s55p 2s", "tsumo")
    assert lesson.words == ("han", "fu")
    form, run, *_ = lines(lesson, StepKind.HAND)
    assert (form.words, run.words) == (("set", "pair"), ("chow",))
    assert lesson.catalogue.bracket(run.words).startswith("(sequence: three numbers in a row")
    words = [*lesson.words, *(id_ for step in lesson.steps for id_ in step.words)]
    words += [id_ for step in lesson.steps for line in step.lines for id_ in line.words]
    assert len(words) == len(set(words))
    pinfu = next(line for line in lines(lesson, StepKind.YAKU) if line.label == Name("pinfu"))
    assert pinfu.yaku_explained == ("pinfu",) and "pinfu" not in words
    assert {entry.id for entry in lesson.glossary} == {*words, "pinfu", "menzen_tsumo"}


@pytest.mark.parametrize(
    ("text", "how", "said", "level"),
    [
        (PINFU, "ron", "think of Riichi", "ask"),
        ("45s567p66z 3s chi:234m chi:234p", "ron", "Before you call, name the yaku", "yaku"),
        ("123m456p78s22z444z 9s", "ron", "ask what yaku the hand has", "yaku"),
        ("123m456p89s33z456s 7s", "ron riichi", "brings a yaku: here Pinfu", "tenpai"),
        ("45678m11z456p 9m chi:123m", "tsumo", "count what it costs", "han"),
        ("1133m5577p2288s4z 4z", "tsumo riichi", "25 fu", "table"),
        ("88m45p 6p pon:777z ankan:9999s chi:123s", "ron", "three or four alike", "fu"),
    ],
)  # fmt: skip
def test_every_lesson_ends_in_one_thing_to_look_for(text: str, how: str, said: str, level: str) -> None:
    lesson = lesson_on(text, how)
    assert lesson.steps[-1].kind is StepKind.NEXT
    look, drill = lesson.steps[-1].lines
    assert said in lesson.text(look.sentence)
    assert (drill.drill, lesson.text(drill.sentence)) == (level, f"Practise it: tehai learn --level {level}")


def test_a_guest_whose_seat_nobody_told_is_given_no_wind() -> None:
    drawn = explain(hand(PINFU), replace(win("tsumo honba=1"), seat_wind=None), EMA)
    assert texts(drawn, StepKind.PAYMENT) == [
        "The dealer pays, of which 100 is for 1 counter",
        "The other two players pay 1,400 each, of which 100 is for 1 counter",
        "The winner gets 5,500 in all.",
    ]
    assert drawn.score is not None and drawn.score.deltas is not None
    assert sum(line.amount or 0 for line in lines(drawn, StepKind.PAYMENT)) == drawn.score.deltas[0]
    claimed = explain(hand(PINFU), replace(win("ron loser_offset=1"), seat_wind=None), EMA)
    assert texts(claimed, StepKind.PAYMENT)[0] == "The player on the right pays"
    dealer = explain(hand(PINFU), win("tsumo seat_wind=E"), EMA)
    assert texts(dealer, StepKind.PAYMENT)[0] == "The player on the right (South) pays"


def test_an_open_hand_is_not_told_as_closed() -> None:
    opened = lesson_on("45s66z 3s chi:234m chi:234p ankan:5555p", "ron", language="ja")
    told = texts(opened, StepKind.HAND)
    assert any("暗槓" in text for text in told) and not any("門前" in text for text in told)


def test_called_tiles_lie_sideways() -> None:
    """The left one from the previous player, the middle one from across, the right one from the next."""
    called = replace(
        hand("45s66z123m 3s chi:234m pon:777z"), melds=(Meld("chi", "234m", 3), Meld("pon", "777z", 1))
    )
    lesson = explain(called, win("ron"), EMA)
    lain = {format_tiles(line.groups[0]): line.turned for line in lines(lesson, StepKind.HAND) if line.groups}
    assert (lain["234m"], lain["777z"], lain["123m"]) == ((0,), (2,), ())
    assert Meld("minkan", "7777z", 2).turned == (1,) and Meld("ankan", "7777z").turned == ()
    assert markdown(lesson).splitlines()[2].endswith("`2'34m` `777'z`")
    assert fragment(lesson).count('class="tile turned"') == 4  # in the whole hand, and in its line


def test_a_yaku_of_which_a_tile_is_not_enough_was_not_one_step_away() -> None:
    """The pair of east would have to be two other tiles."""
    text, how = "234m345p678s11z67p 8p", "tsumo riichi seat_wind=E"
    assert {one.yaku: one.change.tiles for one in misses(text, how).values()} == {"pinfu": 2, "tanyao": 2}
    assert lines(lesson_on(text, how), StepKind.NEXT)[0].sentence.kind == "next.table"


def test_a_platform_is_no_source_for_the_rules_of_others() -> None:
    for preset in ("mleague", "jpml", "majsoul"):
        steps = lesson_on(PINFU.replace("0", "5"), "ron", load_rules(preset)).steps
        cited = [line.source for step in steps for line in step.lines]
        assert not any("Tenhou" in source for source in cited), preset
    assert any("Tenhou" in line.source for line in lines(lesson_on(PINFU, rules=TENHOU), StepKind.YAKU))


def test_the_name_of_a_platform_is_not_explained_as_a_yaku() -> None:
    beside = explain(hand(PINFU), win("ron"), EMA, beside=[TENHOU])
    assert labels(beside, StepKind.RULES) == [] and beside.step(StepKind.RULES) is not None
    assert "tenhou" not in {term.id for term in beside.terms}
    own = lesson_on(PINFU, rules=TENHOU)
    assert with_explanations(own).words == own.words and "tenhou" not in own.words


def test_a_pung_that_a_discard_finishes_is_not_called_open() -> None:
    said = [line.sentence.values["reason"] for line in lines(lesson_on("234m22p44p567p555s 4p"), StepKind.FU)
            if line.sentence.kind == "fu.item"]  # fmt: skip
    assert "triplet of simples finished by ron" in said and "concealed triplet of simples" in said
    assert not any("open" in str(one) for one in said)


def test_a_called_pung_of_a_wind_that_is_nobodys_is_told_to_be_no_yaku() -> None:
    """The commonest mistake of beginners."""
    text = "22p678m34s 5s pon:222z chi:234m"
    said = "South is neither your seat, West, nor the round, East: it is no yaku."
    assert said in texts(lesson_on(text, "ron seat_wind=W"), StepKind.NO_YAKU)
    assert said in texts(lesson_on("22p678m34s222z777z 5s", "ron riichi seat_wind=W"), StepKind.YAKU)
    for seat in ("S", "W"):
        told = texts(lesson_on("22p678m34s 5s pon:222z pon:777z", f"ron seat_wind={seat}"), StepKind.YAKU)
        assert (said in told) == (seat == "W")


def test_the_yaku_that_a_call_cost_are_named() -> None:
    lost = "Pinfu and Pure Double Sequence"
    told = texts(lesson_on("22p678m34s234p 5s chi:234p", "ron"), StepKind.NO_YAKU)
    (line,) = (text for text in told if "need a closed hand" in text)
    assert all(name in line for name in lost.split(" and "))
    one = texts(lesson_on("55p678m34s234m 5s chi:678p", "ron", TENHOU), StepKind.YAKU)
    assert "Pinfu needs a closed hand: the calls cost it." in one


def test_calls_cost_only_what_would_have_counted() -> None:
    """Of yaku that exclude each other, one; beside a yakuman, nothing less."""
    for text, how, cost in (
        ("112233m78p55z 9p chi:789p", "tsumo", "Fully Concealed Hand, Twice Pure Double Sequence need"),
        ("222p1z 1z pon:555z pon:666z pon:777z", "tsumo", "Four Concealed Triplets, single wait needs"),
        ("23s44z 4s pon:555z pon:666z pon:777z", "tsumo pao=3", ""),
    ):
        told = [text for text in texts(lesson_on(text, how), StepKind.YAKU) if "the calls cost" in text]
        assert [text.partition(" a closed hand")[0] for text in told] == [cost] * bool(cost)


def test_of_two_readings_that_pay_the_same_the_natural_one_is_named() -> None:
    (line,) = (
        line
        for line in lines(lesson_on("12333m456p789s11z 3m", "ron riichi"), StepKind.READINGS)
        if line.sentence.kind == "readings.natural"
    )
    assert line.sentence.values["wait"] == Name("shanpon")
    less = lines(lesson_on("111222333m99p67s 8s", "ron riichi"), StepKind.READINGS)
    assert [one.sentence.kind for one in less] == ["readings.best", "readings.less"]


def test_a_hand_with_too_few_han_is_not_said_to_have_no_yaku() -> None:
    """With five counters one han is too little (EMA 2008 §3.4.11)."""
    lesson = lesson_on("234m345p67s22z555z 8s", "ron riichi honba=5")
    assert texts(lesson, StepKind.CHOICE)[0].endswith("would not have had enough yaku to win.")


def test_riichi_that_changed_nothing_is_no_choice() -> None:
    """A yakuman is no dearer with it."""
    lesson = lesson_on("111m444p88s44z222s 8s", "tsumo riichi")
    assert not any(line.sentence.kind.startswith("riichi.was") for line in lines(lesson, StepKind.CHOICE))


def test_a_short_lesson_says_of_all_who_pay_what_they_pay() -> None:
    def told(text: str, how: str, language: str = "en") -> list[str]:
        lesson = lesson_on(text, how, language=language)
        lines = [line for line in short(lesson) if line.unit is Unit.POINTS]
        return [f"{lesson.text(line.sentence)}: {line.amount}" for line in lines]

    pinfu = "234m456p678s22p34s 5s"
    assert told(pinfu, "tsumo seat_wind=E honba=2 riichi_sticks=2") == [
        "Each of the others pays, of which 200 is for 2 counters: 1500"
    ]
    assert told(pinfu, "tsumo seat_wind=S") == ["The dealer pays 1,300, each of the others: 700"]
    assert told(pinfu, "tsumo") == ["The dealer pays 1,300, each of the others: 700"]
    three = lesson_on("111m456p78s22z456s 9s", "tsumo riichi seat_wind=S", load_rules("tenhou3"))
    assert "The dealer pays 1,300, the other player" in map(
        three.text, (line.sentence for line in short(three))
    )
    assert told(pinfu, "tsumo seat_wind=S", "ja") == ["親は1,300点、ほかの人はそれぞれ: 700"]
    assert told(pinfu, "ron seat_wind=S loser_offset=3 honba=1") == [
        "The player on the left (East) pays, of which 300 is for 1 counter: 2300"
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_short_lesson_has_at_most_twelve_lines(language: str) -> None:
    from rich.console import Console

    from tehai.terminal.lesson import print_short

    random, rules = Random(12), load_rules("tenhou")
    for _ in range(12):
        drawn = random_win(random, reds=True)
        try:
            lesson = explain(drawn.hand, drawn.win, rules, language=language)
        except HandError:
            continue
        console = Console(width=80, record=True, file=None, quiet=False, force_terminal=False)
        with console.capture() as captured:
            print_short(console, lesson)
        told = captured.get().strip("\n").splitlines()
        assert 4 <= len(told) <= 12, "\n".join(told)
