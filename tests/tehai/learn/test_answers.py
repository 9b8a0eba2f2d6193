"""Answers are read leniently; what is none gets one clear sentence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.telling.catalogue import glossary
from scorer.telling.sentence import Name, say
from scorer.tiles import TILES, Tile, parse_tiles
from scorer.words import VOCABULARIES
from scorer.yaku import TABLE
from tehai.learn.answers import (
    ChosenAnswer,
    GroupsAnswer,
    NumberAnswer,
    PaymentAnswer,
    TileAnswer,
    WaitAnswer,
    YakuAnswer,
    YesNoAnswer,
)
from tehai.learn.errors import UnclearAnswer
from tehai.learn.exercise import Answer
from tehai.learn.texts import Texts


@pytest.mark.parametrize(
    ("text", "tile"),
    [
        ("5p", "5p"), ("５ｐ", "5p"), (" 5P ", "5p"), ("5 circles", "5p"), ("five of circles", "5p"),
        ("circles 5", "5p"), ("5 dots", "5p"), ("uupin", "5p"), ("五筒", "5p"), ("ウーピン", "5p"),
        ("うーぴん", "5p"), ("red five circles", "0p"), ("0p", "0p"), ("赤五筒", "0p"), ("aka 5 pin", "0p"),
        ("bird", "1s"), ("1 bamboo", "1s"), ("一索", "1s"), ("ii sou", "1s"), ("iisou", "1s"),
        ("一萬", "1m"), ("1 man", "1m"), ("nine characters", "9m"), ("9 crack", "9m"), ("kyuuman", "9m"),
        ("east", "1z"), ("East wind", "1z"), ("ton", "1z"), ("東", "1z"), ("西", "3z"), ("shaa", "3z"),
        ("white", "5z"), ("white dragon", "5z"), ("haku", "5z"), ("白", "5z"), ("発", "6z"), ("red", "7z"),
        ("chun", "7z"), ("red dragon", "7z"), ("中", "7z"),
    ],
)  # fmt: skip
def test_a_tile_by_any_of_its_names(text: str, tile: str) -> None:
    assert TileAnswer(Tile.parse(tile)).credit(text) == 1


def test_every_tile_by_what_the_program_itself_calls_it() -> None:
    for tile in TILES:
        assert TileAnswer(tile).credit(tile.name) == 1, tile.name
        assert TileAnswer(tile).credit(str(tile)) == 1


def test_part_of_a_tile_earns_its_share() -> None:
    five = TileAnswer(Tile.parse("5p"))
    assert five.credit("4p") == five.credit("5s") == 0.5 and five.credit("4s") == 0
    assert five.credit("0p") == pytest.approx(2 / 3)
    assert TileAnswer(Tile.parse("0p")).credit("5p") == pytest.approx(2 / 3)
    assert TileAnswer(Tile.parse("1z")).credit("south") == 0
    assert TileAnswer(Tile.parse("1z")).credit("1m") == 0


@pytest.mark.parametrize(
    "text", ["3m6m", "36m", "6m, 3m", "3m 6m", "3-6m", "3 characters, 6 characters", "三萬六萬", "三・六萬"]
)
def test_a_wait_in_any_order_and_writing(text: str) -> None:
    assert WaitAnswer((2, 5)).credit(text) == 1


def test_part_of_a_wait_earns_its_share_and_a_wrong_tile_takes_one() -> None:
    wait = WaitAnswer((2, 5))
    assert wait.credit("3m") == 0.5 and wait.credit("3m6m9m") == 0.5 and wait.credit("3m9m") == 0
    assert wait.credit("no") == wait.credit("noten") == 0
    assert WaitAnswer((27, 33)).credit("東中") == 1
    none = WaitAnswer(())
    assert none.credit("no") == none.credit("ノーテン") == none.credit("なし") == none.credit("none") == 1
    assert none.credit("3m") == 0


def test_every_yaku_by_each_of_its_names() -> None:
    for yaku in TABLE:
        term = glossary()[yaku.id]
        for name in (
            yaku.id,
            term.kana or yaku.id,
            *term.names,
            *(words.yaku(yaku.id) for words in VOCABULARIES.values()),
        ):
            assert YakuAnswer((yaku.id,)).credit(name) == 1, name


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("riichi, pinfu", ("riichi", "pinfu")),
        ("Riichi pinfu tanyao", ("riichi", "pinfu", "tanyao")),
        ("half flush and dragon triplet, white", ("honitsu", "yakuhai_haku")),
        ("立直、平和、断幺九", ("riichi", "pinfu", "tanyao")),
        ("りーち・ぴんふ", ("riichi", "pinfu")),
        ("tsumo + haku", ("menzen_tsumo", "yakuhai_haku")),
        ("chiitoi", ("chiitoitsu",)),
        ("sanshoku", ("sanshoku_doujun",)),
        ("ipeko", ("iipeikou",)),
        ("none", ()),
        ("なし", ()),
        ("断么九、面前ツモ、ハイテイ", ("tanyao", "menzen_tsumo", "haitei")),
    ],
)
def test_yaku_as_players_write_them(text: str, ids: tuple[str, ...]) -> None:
    assert YakuAnswer(ids).credit(text) == 1


def test_open_riichi_is_riichi_too() -> None:
    yaku = YakuAnswer(("riichi", "open_riichi"))
    assert yaku.credit("open riichi") == yaku.credit("riichi, open riichi") == 1
    assert yaku.credit("riichi") == 0.5


def test_part_of_the_yaku_earns_its_share() -> None:
    yaku = YakuAnswer(("riichi", "pinfu", "tanyao"))
    assert yaku.credit("riichi, pinfu") == pytest.approx(2 / 3)
    assert yaku.credit("riichi, pinfu, tanyao, ittsu") == pytest.approx(2 / 3)
    assert yaku.credit("none") == 0


def test_groups_in_any_order_and_cut_by_any_sign() -> None:
    groups = GroupsAnswer(tuple(map(parse_tiles, ("234m", "067p", "22s"))))
    for text in ("234m 567p 22s", "22s, 607p, 432m", "2m3m4m | 056p"[:8] + " 22s 0p6p7p", "２２ｓ 234m 067p"):
        assert groups.credit(text) == 1
    assert groups.credit("23m 4m067p 22s") == pytest.approx(1 / 3)


@pytest.mark.parametrize("text", ["7700", "7,700", "７７００", "7,700 points", "7,700点", " 7,700 pts."])
def test_a_number_with_or_without_its_unit(text: str) -> None:
    assert NumberAnswer(7700, "points").credit(text) == 1
    assert PaymentAnswer((7700,)).credit(text) == 1


def test_who_forgets_to_round_earns_half() -> None:
    assert NumberAnswer(40, "fu", frozenset({32})).credit("32 fu") == 0.5


@pytest.mark.parametrize(
    "text", ["300/500", "500/300", "300 500", "300,500", "300, 500", "300・500", "300-500"]
)
def test_two_payments_in_any_order(text: str) -> None:
    assert PaymentAnswer((300, 500)).credit(text) == 1


def test_payments_with_commas_and_part_of_them() -> None:
    assert PaymentAnswer((1300, 2600)).credit("1,300/2,600") == 1
    assert PaymentAnswer((1300, 2600)).credit("1300/2700") == 0.5
    assert PaymentAnswer((4000,), each=True).credit("4000 all") == 1
    assert PaymentAnswer((4000,), each=True).credit("4000オール") == 1
    assert PaymentAnswer((4000, 8000)).credit("4千／8k") == 1
    assert PaymentAnswer((12000,)).credit("1万2千点") == PaymentAnswer((16000,)).credit("1万6000") == 1


@pytest.mark.parametrize(
    ("text", "yes"), [("y", True), ("YES", True), ("はい", True), ("n", False), ("いいえ", False)]
)
def test_yes_and_no(text: str, yes: bool) -> None:
    assert YesNoAnswer(yes).credit(text) == 1 and YesNoAnswer(not yes).credit(text) == 0


def test_things_chosen_by_their_numbers() -> None:
    chosen = ChosenAnswer({1: True, 2: True, 3: False, 4: False})
    assert chosen.credit("1 2") == chosen.credit("2,1") == chosen.credit("１２") == 1
    assert chosen.credit("1") == 0.5 and chosen.credit("1 2 3") == 0.5 and chosen.credit("none") == 0


@pytest.mark.parametrize(
    ("answer", "text", "kind"),
    [
        (TileAnswer(TILES[0]), "cheese", "unclear.tile"),
        (TileAnswer(TILES[0]), "1m 2m", "unclear.one_tile"),
        (TileAnswer(TILES[0]), "10m", "unclear.one_tile"),
        (WaitAnswer((0,)), "tenpai", "unclear.wait"),
        (WaitAnswer((0,)), "yes", "unclear.wait"),
        (WaitAnswer((0,)), "…", "unclear.tile"),
        (ChosenAnswer({1: True, 2: False, 3: True}), "all but 2", "unclear.chosen"),
        (ChosenAnswer({1: True, 2: True, 3: True}), "1-3", "unclear.chosen"),
        (YakuAnswer(()), "cheese", "unclear.yaku"),
        (YakuAnswer(()), "toitio", "unclear.yaku_near"),
        (YakuAnswer(()), "yakuhai", "unclear.several"),
        (YakuAnswer(()), "riichi, dora", "unclear.dora"),
        (GroupsAnswer((TILES[0:3], TILES[4:5] * 2)), "what", "unclear.groups"),
        (GroupsAnswer((TILES[0:3], TILES[4:5] * 2)), "123m 5m", "unclear.missing"),
        (GroupsAnswer((TILES[0:3], TILES[4:5] * 2)), "123m 555m", "unclear.too_many"),
        (GroupsAnswer((TILES[0:3], TILES[4:5] * 2)), "12355m", "unclear.uncut"),
        (NumberAnswer(3, "han"), "three or four", "unclear.number"),
        (NumberAnswer(3, "han"), "3 or 4", "unclear.number"),
        (PaymentAnswer((8000,)), "mangan", "unclear.number"),
        (PaymentAnswer((300, 500)), "300", "unclear.two_payments"),
        (YesNoAnswer(True), "perhaps", "unclear.yes_no"),
        (ChosenAnswer({1: True}), "5", "unclear.chosen"),
        (ChosenAnswer({1: True}), "riichi", "unclear.chosen"),
    ],
)
def test_nonsense_gets_one_sentence(answer: Answer, text: str, kind: str) -> None:
    with pytest.raises(UnclearAnswer) as caught:
        answer.credit(text)
    assert caught.value.sentence.kind == kind
    for texts in (Texts("en", "english"), Texts("ja", "kanji")):
        assert texts.text(caught.value.sentence)


ANY: tuple[Answer, ...] = (
    TileAnswer(TILES[4]),
    WaitAnswer((2, 5)),
    YakuAnswer(("pinfu",)),
    GroupsAnswer((TILES[0:3], TILES[4:5] * 2)),
    NumberAnswer(30, "fu"),
    PaymentAnswer((300, 500)),
    PaymentAnswer((8000,)),
    YesNoAnswer(True),
    ChosenAnswer({1: True, 2: False}),
)


@settings(max_examples=150)
@given(st.one_of(st.text(max_size=40), st.text("0123456789mpsz ,/-?東五筒ア役yn", max_size=20)))
def test_any_text_earns_something_between_nothing_and_all_or_is_unclear(text: str) -> None:
    for answer in ANY:
        try:
            assert 0 <= answer.credit(text) <= 1
        except UnclearAnswer as unclear:
            assert Texts("en", "english").text(unclear.sentence)


def test_a_number_of_thousands_of_digits_is_only_wrong() -> None:
    assert NumberAnswer(30, "fu").credit("9" * 5000) == 0


def test_to_name_a_tile_that_cannot_be_discarded_is_a_slip_and_no_mistake() -> None:
    among = (2, 5, 8)
    for answer in (WaitAnswer((2,), "how.one_tile", among), WaitAnswer((2, 5), "how.tiles_any", among)):
        with pytest.raises(UnclearAnswer) as caught:
            answer.credit("4m")
        assert caught.value.sentence.kind == "unclear.not_held"
        assert answer.credit("9m") == 0


def test_a_wrong_yaku_is_answered_by_the_tiles_that_break_it() -> None:
    answer = YakuAnswer(("riichi",), {"toitoi": say("broken.chow", tiles=parse_tiles("345m"))})
    told = {line.label: Texts("en", "english").text(line.sentence) for line in answer.apart("toitoi, pinfu")}
    assert told[Name("toitoi")] == "345m is a sequence."
    assert told[Name("pinfu")].startswith("Four sets that are each a sequence")


def test_a_wrong_wait_is_told_by_what_is_left_over() -> None:
    answer = WaitAnswer((12,), concealed=parse_tiles("123789m99p35p123s"))
    told = [Texts("en", "english").text(line.sentence) for line in answer.apart("4p 7p")]
    assert told[-1] == "With 7p these are left over: 357p." and len(told) == 3
