"""The points that programs get wrong (``docs/rules.md``, "Deciding points"), in its order, part by part."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer import HandError, HandStatus, check, load_rules, preset_ids, waits
from scorer.payment import base_points, deltas
from scorer.rules import RuleSet
from scorer.tiles import TILES, parse_tiles
from tests.scorer.short_hands import EMA, TENHOU, hand, meld, scored, win


def error_of(hand: str, how: str, rules: RuleSet = EMA) -> str:
    with pytest.raises(HandError) as caught:
        scored(hand, how, rules)
    return caught.value.faults[0].id


PLAIN = "123m456p78s22z444z 9s"
"""A concealed hand without a yaku of its own."""

OPEN = "456p78s22z444z 9s chi:123m"


# --- the winner chooses (EMA 2008 §4.1.1) -------------------------------------------------------------------


def test_the_best_of_all_readings_wins() -> None:
    """Three identical runs or three triplets: the payment decides."""
    won = scored("111222333m78s99p 9s", "tsumo")
    assert dict(won.yaku) == {"menzen_tsumo": 1, "pinfu": 1, "iipeikou": 1, "junchan": 3}
    triplets = [other for other in won.other_readings if "sanankou" in dict(other.yaku)]
    assert triplets and all(won.points >= other.points for other in won.other_readings)


def test_seven_pairs_or_two_double_runs() -> None:
    """Two double runs pay more than seven pairs, and exclude them."""
    won = scored("112233m44556p77s 6p", "ron")
    assert dict(won.yaku) == {"pinfu": 1, "ryanpeikou": 3}
    assert {other.reading.form.value for other in won.other_readings} >= {"chiitoitsu"}


def test_every_place_of_the_winning_tile() -> None:
    """The text's own example: the 7 of 5-6-7, pinfu, or of 7-8-9, an edge wait, whichever pays more."""
    pinfu = scored("56789m234p456s33z 7m", "ron")
    assert dict(pinfu.yaku) == {"pinfu": 1} and pinfu.reading.wait.value == "ryanmen"
    assert pinfu.other_readings == ()  # the edge wait has no yaku and does not win
    edge = scored("56789m333888p44z 7m", "tsumo")
    assert edge.reading.wait.value == "penchan" and edge.fu == 40
    assert [(other.reading.wait.value, other.fu) for other in edge.other_readings] == [("ryanmen", 30)]
    declared = scored("56789m234p456s33z 7m", "ron riichi")
    assert {other.reading.wait.value for other in declared.other_readings} == {"penchan"}


def test_payment_before_han() -> None:
    """The reading that pays most, by whatever han and minipoints: two double runs, not seven pairs."""
    won = scored("2233m4455p6677s8m 8m", "tsumo")
    assert won.points == max(won.points, *(other.points for other in won.other_readings), 0)


def test_more_han_where_the_payment_is_the_same() -> None:
    """All readings of this haneman pay the same; the one with more han is named."""
    won = scored("112233m44556p77s 6p", "ron riichi ippatsu dora_indicators=6s", TENHOU)
    equal = [other for other in won.other_readings if other.points == won.points]
    assert (won.han, won.points) == (8, 16000) and all(other.han < won.han for other in equal)


def test_more_minipoints_where_the_han_are_the_same() -> None:
    """The 7 of 7-8-9 is an edge wait, 32 minipoints; of 5-6-7 they are 30: seven fan pay the same."""
    won = scored("56789m55z 7m pon:999p pon:444z", "ron houtei dora_indicators=8p3z")
    other = next(other for other in won.other_readings)
    assert (won.han, won.points, won.fu, won.reading.wait.value) == (7, 12000, 40, "penchan")
    assert (other.han, other.points, other.fu) == (7, 12000, 30)


def test_a_yakuman_before_the_same_points_counted() -> None:
    """Fan end at thirteen (EMA 2008 §4.2): 14 are no more than a yakuman, which one may be liable for."""
    won = scored("1112223334449m 9m", "tsumo riichi ippatsu dora_indicators=3m")
    assert [id_ for id_, _ in won.yaku] == ["suuankou_tanki"] and won.yakuman == 2
    single = replace(EMA, yaku={**EMA.yaku, "suuankou_tanki": (13, 0)})
    won = scored("1112223334449m 9m", "tsumo riichi ippatsu dora_indicators=3m", single)
    counted = [other for other in won.other_readings if other.limit == "counted_yakuman"]
    assert (won.limit, won.han, won.points) == ("yakuman", 13, 32000)
    assert counted and all(other.points == 32000 and other.han >= 13 for other in counted)


# --- a pung finished on a discard ---------------------------------------------------------------------------


def test_a_pung_by_ron_is_open_for_minipoints_and_concealed_pungs() -> None:
    assert "suuankou" in dict(scored("111m444p88s44z555s 4z", "tsumo").yaku)
    ron = scored("111m444p88s44z555s 4z", "ron")
    assert dict(ron.yaku) == {"sanankou": 2, "toitoi": 2}
    told = [(item.fu, item.reason) for item in ron.fu_items]
    assert (4, "triplet of terminals or honours finished by ron") in told


def test_the_hand_stays_concealed() -> None:
    """For the 30 minipoints, for riichi, and for the value of a half flush."""
    assert [item.fu for item in scored("111m444p88s44z555s 4z", "ron riichi").fu_items[:2]] == [20, 10]
    assert dict(scored("123456m11m44z777m 4z", "ron").yaku) == {"honitsu": 3}


def test_two_concealed_pungs_and_one_by_discard_are_not_three() -> None:
    pungs = "111m444p88s44z567s"
    assert "sanankou" not in dict(scored(f"{pungs} 4z", "ron riichi").yaku)
    assert "sanankou" in dict(scored(f"{pungs} 4z", "tsumo").yaku)


def test_a_pung_is_concealed_where_the_tile_can_finish_something_else() -> None:
    """The 4 may be the third of a pung or end a run: with the run three pungs stay concealed."""
    won = scored("111m999p44456s22z 4s", "ron")
    assert "sanankou" in dict(won.yaku) and won.reading.groups[won.reading.win_group].type == "chi"


# --- kongs --------------------------------------------------------------------------------------------------


def test_four_alike_are_a_kong_only_if_declared() -> None:
    undeclared = scored("1111m23m456p78s33z 9s", "ron riichi")
    assert all("kan" not in item.reason for item in undeclared.fu_items)
    assert error_of("11112m3m456p78s33z 9s", "tsumo rinshan") == "rinshan_without_kan"
    assert error_of("2222m5577p3388s4z 4z", "ron") == "not_a_win", "nor two of seven pairs (§4.2.2)"


def test_a_concealed_kong_keeps_the_hand_concealed() -> None:
    won = scored("456p78s22z444z 9s ankan:1111m", "tsumo riichi")
    assert {"riichi", "menzen_tsumo"} <= set(dict(won.yaku))
    closed = scored("456p78s22z444z 9s ankan:1111m", "ron riichi")
    assert [item.fu for item in closed.fu_items[:2]] == [20, 10]
    assert dict(scored("123m78m11z444z 9m ankan:6666m", "ron").yaku) == {"honitsu": 3}


@pytest.mark.parametrize("kong", ["minkan:1111m", "kakan:1111m"])
def test_other_kongs_open_it(kong: str) -> None:
    assert error_of(f"456p78s22z444z 9s {kong}", "ron riichi") == "riichi_on_open_hand"
    assert dict(scored(f"123m78m11z444z 9m {kong.replace('1', '6')}", "ron").yaku) == {"honitsu": 2}
    assert scored(f"456p78s22z444z 9s {kong}", "ron houtei").fu_items[0].fu == 20


# --- waits --------------------------------------------------------------------------------------------------


def test_wait_minipoints_even_with_more_waits() -> None:
    """EMA 2008 §4.1.1: edge, closed and single waits count though the hand waits for other tiles too."""
    for concealed, tile, wait in (
        ("12345m456p44z888s", "3m", "edge wait"),
        ("23345m456p44z888s", "4m", "closed wait"),
        ("1234m456p345s888s", "1m", "single wait"),
    ):
        assert len(waits(parse_tiles(concealed))) > 1
        won = scored(f"{concealed} {tile}", "ron riichi")
        assert wait in [item.reason for one in (won, *won.other_readings) for item in one.fu_items]


# --- dora are not yaku --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "how", ["ron dora_indicators=3z", "ron", "ron dora_indicators=3z3z2m", "ron honba=4 dora_indicators=3z"]
)
@pytest.mark.parametrize("hand", ["123m406p78s22z444z 9s", "406p78s22z444z 9s chi:123m"])
def test_dora_alone_does_not_win(hand: str, how: str) -> None:
    """Nor do red fives; and the message says so."""
    for rules in (EMA, TENHOU):
        with pytest.raises(HandError, match="dora alone do not win") as caught:
            scored(hand, how, rules)
        assert [fault.id for fault in caught.value.faults] == ["no_yaku"]


# --- what goes with what ------------------------------------------------------------------------------------


@pytest.mark.parametrize("riichi", ["riichi", "double_riichi", "open_riichi"])
def test_ura_and_ippatsu_only_with_riichi(riichi: str) -> None:
    """In any of its forms."""
    hand = "123m456p78s33z456s 9s"
    assert error_of(hand, "ron ura_indicators=8s") == "ura_without_riichi"
    assert error_of(hand, "ron ippatsu") == "ippatsu_without_riichi"
    found = dict(scored(hand, f"ron {riichi} ippatsu ura_indicators=8s").yaku)
    assert {"ippatsu", "ura"} <= set(found) and found["ippatsu"] == found["ura"] == 1


@pytest.mark.parametrize("how", ["ron double_riichi", "ron riichi double_riichi"])
def test_double_riichi_without_riichi_beside_it(how: str) -> None:
    """Two in all, whether the record says riichi besides or not."""
    assert scored(PLAIN, how).yaku == (("double_riichi", 2),)


@pytest.mark.parametrize("riichi", ["riichi", "double_riichi", "open_riichi"])
def test_riichi_needs_a_concealed_hand(riichi: str) -> None:
    assert error_of(OPEN, f"ron {riichi}") == "riichi_on_open_hand"


@pytest.mark.parametrize("kong", ["ankan:1111m", "minkan:1111m", "kakan:1111m"])
def test_rinshan_with_each_kind_of_kong(kong: str) -> None:
    """A kong and a self-draw."""
    hand = f"456p78s22z444z 9s {kong}"
    assert "rinshan" in dict(scored(hand, "tsumo rinshan").yaku)
    assert error_of(hand, "ron rinshan") == "rinshan_on_ron"


@pytest.mark.parametrize("hand", [PLAIN, OPEN, "456p78s22z444z 9s pon:111m", "1111m23m456p78s22z 9s"])
def test_rinshan_without_a_kong(hand: str) -> None:
    assert error_of(hand, "tsumo rinshan") == "rinshan_without_kan"


@pytest.mark.parametrize(
    ("hand", "how"),
    [
        ("123m456p99s22z444z 9s", ""),  # two in the pair
        ("123m456p78999s22z 9s", ""),  # a pung beside the run that it ends
        ("456p78s22z444z 9s chi:789s", ""),  # in a meld
        ("123m456p78s22z444z 9s", "dora_indicators=9s"),  # as an indicator
        ("123m456p78s22z444z 9s", "riichi ura_indicators=9s"),
        ("123m46p55789s11z1z 5p", "dora_indicators=0p"),  # a red five is a five
    ],
)
def test_chankan_of_a_tile_that_is_held(hand: str, how: str) -> None:
    """The robbed kong holds the other three."""
    assert error_of(hand, f"ron chankan {how}".strip()) == "chankan_tile_held"


def test_chankan_is_a_ron_on_the_only_copy() -> None:
    assert dict(scored(PLAIN, "ron chankan").yaku) == {"chankan": 1}
    assert dict(scored(OPEN, "ron chankan").yaku) == {"chankan": 1}
    assert error_of(PLAIN, "tsumo chankan") == "chankan_on_tsumo"


def test_haitei_is_a_tsumo_houtei_a_ron() -> None:
    for tiles in (PLAIN, OPEN):
        assert "haitei" in dict(scored(tiles, "tsumo haitei").yaku)
        assert dict(scored(tiles, "ron houtei").yaku) == {"houtei": 1}
        assert error_of(tiles, "ron haitei") == "haitei_on_ron"
        assert error_of(tiles, "tsumo houtei") == "houtei_on_tsumo"


@pytest.mark.parametrize("kong", ["ankan:1111m", "minkan:1111m", "kakan:1111m"])
def test_rinshan_on_the_last_tile(kong: str) -> None:
    """EMA 2008 §3.4.1: after a kong at the second-to-last tile the replacement tile becomes the last tile;
    the Scoring Reference: the last possible tile. Elsewhere they exclude each other."""
    hand = f"456p78s22z444z 9s {kong}"
    for name in preset_ids():
        rules = load_rules(name)
        if name in ("ema2008", "ema_revised", "ema2016", "reference"):
            assert {"rinshan", "haitei"} <= set(dict(scored(hand, "tsumo rinshan haitei", rules).yaku)), name
        else:
            assert error_of(hand, "tsumo rinshan haitei", rules) == "conflicting_wins", name
    assert error_of(hand, "tsumo rinshan haitei chiihou").startswith("first_turn")


def test_renhou_by_the_dealer_is_a_house_rule() -> None:
    """No text excludes East, who can win on South's first discard; most tables do."""
    for name in preset_ids():
        assert error_of("111p456p78s22z444z 9s", "ron renhou seat_wind=E", load_rules(name)) == "not_dealer"
    house = replace(EMA, renhou_by_dealer=True)
    assert dict(scored(PLAIN, "ron renhou seat_wind=E", house).yaku) == {"renhou": 13}
    assert error_of(PLAIN, "tsumo chiihou seat_wind=E", house) == "not_dealer"


def test_tenhou_is_the_dealers_chiihou_is_not() -> None:
    assert dict(scored(PLAIN, "tsumo tenhou seat_wind=E").yaku) == {"tenhou": 13}
    for seat in "SWN":
        assert dict(scored(PLAIN, f"tsumo chiihou seat_wind={seat}").yaku) == {"chiihou": 13}
        assert dict(scored(PLAIN, f"ron renhou seat_wind={seat}").yaku) == {"renhou": 13}
        assert error_of(PLAIN, f"tsumo tenhou seat_wind={seat}") == "dealer_only"
    for blessing in ("tsumo chiihou", "ron renhou"):
        assert error_of(PLAIN, f"{blessing} seat_wind=E") == "not_dealer"
    for drawn in ("tenhou seat_wind=E", "chiihou"):
        assert check(hand(PLAIN), win(f"ron {drawn}"), EMA) is HandStatus.CONFLICTING_WINS
    assert check(hand(PLAIN), win("tsumo renhou"), EMA) is HandStatus.CONFLICTING_WINS


@pytest.mark.parametrize("first", ["tsumo tenhou seat_wind=E", "tsumo chiihou", "ron renhou"])
@pytest.mark.parametrize("melds", ["ankan:1111m", "minkan:1111m", "kakan:1111m", "pon:111m", "chi:123m"])
def test_no_blessing_with_any_kong_or_meld(first: str, melds: str) -> None:
    """Nor a concealed kong (EMA 2008 §4.2.5); nor riichi, which nobody can have declared."""
    assert check(hand(f"456p78s22z444z 9s {melds}"), win(first), EMA) & HandStatus.FIRST_TURN_WITH_CALL
    assert check(hand(PLAIN), win(f"{first} riichi"), EMA) is HandStatus.CONFLICTING_WINS


# --- tenpai -------------------------------------------------------------------------------------------------


def test_no_wait_for_a_tile_of_which_the_hand_holds_all_four() -> None:
    """EMA 2008 §3.4.2: waiting only for such a tile is not tenpai; beside another it is no wait."""
    for concealed, melds, waited in (
        ("1111m", "pon:777z pon:666z pon:555z", ""),  # a pair with a fifth
        ("5z", "pon:555z chi:123m chi:123p chi:123s", ""),  # a pair with the fourth of the pung
        ("12m77z", "ankan:3333m pon:666z pon:555z", ""),  # the 3 of the kong
        ("45m77z", "ankan:3333m pon:666z pon:555z", "6m"),  # of 3 and 6 the 6 alone
        ("4445666m", "pon:777z pon:555z", "34567m"),  # of the 4 and 6 one is left
    ):
        found = waits(parse_tiles(concealed), tuple(map(meld, melds.split())))
        assert [TILES[kind] for kind in found] == list(parse_tiles(waited)), concealed


# --- payments -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "han", "fu", "paid"),
    [
        ("ron loser_offset=1", 1, 30, [1000]),  # 240 x 4 = 960
        ("ron loser_offset=1 seat_wind=E", 1, 30, [1500]),  # 240 x 6 = 1440, not 6 x 300
        ("tsumo", 1, 30, [300, 300, 500]),  # 240, 480: not twice 300
        ("tsumo seat_wind=E", 1, 30, [500, 500, 500]),
        ("ron loser_offset=1", 4, 30, [7700]),  # 1920 x 4 = 7680, below mangan
        ("tsumo", 4, 30, [2000, 2000, 3900]),
        ("ron loser_offset=1", 4, 40, [8000]),  # 2560 is capped
        ("ron loser_offset=1 seat_wind=E", 3, 70, [12000]),  # 2240 is capped
        ("tsumo", 2, 110, [1800, 1800, 3600]),  # 1760, 3520
    ],
)
def test_payments_are_rounded_up_after_the_multiplication(
    how: str, han: int, fu: int, paid: list[int]
) -> None:
    changes = deltas(win(how), base_points(han, fu, EMA)[0], 0, EMA)
    assert changes is not None and sorted(-change for change in changes[1:] if change) == paid


# --- how many tiles -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kongs", range(5))
def test_fourteen_tiles_and_one_for_each_kong(kongs: int) -> None:
    melds = ["ankan:9999m", "minkan:1111z", "kakan:9999p", "ankan:2222z"][:kongs]
    sets = ["123m", "456p", "789s", "345s"][: 4 - kongs]
    text = " ".join(["".join(sets) + "7z", "7z", *melds])
    assert len(hand(text).tiles) == 14 + kongs
    assert check(hand(text), win("tsumo haitei"), EMA) is HandStatus.VALID
    for wrong in (f"1s{text}", text[1:] if sets else f"1s2s{text}"):
        assert check(hand(wrong), win("tsumo haitei"), EMA) & HandStatus.WRONG_TILE_COUNT


def test_no_tile_more_than_four_times() -> None:
    """Concealed, in melds, and among the indicators together; red fives are fives."""
    for text, how in (
        ("11112233m55p123s 1m", "ron riichi"),
        ("1122m456p78s22z 9s ankan:1111m", "ron riichi"),
        (PLAIN, "ron riichi dora_indicators=4z4z"),
        ("340555m123p55m77z 5m", "ron riichi"),
    ):
        assert check(hand(text), win(how), TENHOU) & HandStatus.TOO_MANY_OF_A_TILE


@pytest.mark.parametrize("suit", "mps")
def test_red_fives_as_many_as_the_rules_have(suit: str) -> None:
    """Of each suit, melds and indicators counted; none where none are played."""
    once = hand(f"340{suit}567{suit}11{suit}777z66z 6z")
    twice = hand(f"340{suit}067{suit}11{suit}777z66z 6z")
    too_many = HandStatus.TOO_MANY_RED_FIVES
    assert check(once, win("ron"), TENHOU) is HandStatus.VALID
    assert check(twice, win("ron"), TENHOU) is too_many
    assert check(once, win(f"ron dora_indicators=0{suit}"), TENHOU) is too_many
    assert check(once, win("ron"), load_rules("toudai")) is too_many
    assert check(twice, win("ron"), replace(TENHOU, red_fives=(2, 2, 2))) is HandStatus.VALID


# --- other points of the sources ----------------------------------------------------------------------------


def test_robbing_a_concealed_kong_for_thirteen_orphans() -> None:
    """EMA 2008 §3.3.8; the robbed tile is one that the hand does not hold."""
    orphans = "119m19p19s123456z 7z"
    assert scored(orphans, "ron chankan").yakuman == 1
    assert scored(orphans, "ron chankan robbed_ankan").yakuman == 1
    with pytest.raises(HandError, match=r"In Tenhou.* no concealed kan is robbed"):
        scored(orphans, "ron chankan robbed_ankan", TENHOU)
    assert scored(orphans, "ron chankan", TENHOU).yakuman == 1  # an extended pung may be
    assert scored(orphans, "ron chankan robbed_ankan", load_rules("majsoul")).yakuman == 1
    with pytest.raises(HandError, match="Only Thirteen Orphans"):
        scored("123m456p78s22z444z 9s", "ron chankan robbed_ankan")
    with pytest.raises(HandError, match="Only Robbing a Kan"):
        scored(orphans, "ron robbed_ankan")


def test_two_han_from_five_counters() -> None:
    """EMA 2008 §3.4.11; dora do not count towards it, Tenhou has no such rule."""
    hand = "123m456p78s22z444z 9s"
    assert scored(hand, "ron riichi honba=4").han == 1
    assert error_of(hand, "ron riichi honba=5 dora_indicators=1m") == "below_minimum"
    assert scored(hand, "ron riichi ippatsu honba=5").han == 2
    assert scored(hand, "ron riichi honba=5", TENHOU).han == 1


def test_the_reading_that_reaches_the_minimum_is_taken() -> None:
    """A dearer reading with too few yaku does not win."""
    won = scored("56789m234p33456s 7m", "ron riichi honba=5 loser_offset=1")
    assert set(dict(won.yaku)) == {"riichi", "pinfu"} and won.other_readings == ()


def test_counted_yakuman_is_one() -> None:
    won = scored("1122334455667p 7p", "tsumo riichi ippatsu dora_indicators=6p3p")
    assert (won.limit, won.yakuman, won.points) == ("counted_yakuman", 0, 32000)
    assert won.han > 13


def test_open_tanyao_is_a_matter_of_rules() -> None:
    hand = "456p78s22p345s 6s chi:234m"
    assert error_of(hand, "ron") == "no_yaku"
    assert dict(scored(hand, "ron", TENHOU).yaku) == {"tanyao": 1}


def test_double_wind_pair_is_four() -> None:
    for rules in (EMA, TENHOU):
        won = scored("123m456p78s11z456s 9s", "ron riichi seat_wind=E", rules)
        assert [item.fu for item in won.fu_items] == [20, 10, 4, 6]


def test_rinshan_earns_self_draw_minipoints() -> None:
    won = scored("456p78s22z444z 9s ankan:1111m", "tsumo rinshan")
    assert "tsumo" in [item.reason for item in won.fu_items]


def test_dora_for_concealed_hands_alone() -> None:
    """Toudai §3.3: an open hand has none; of several indicators the first counts, as kongs open none."""
    toudai = load_rules("toudai")
    closed = scored("123m456p78s22z444z 9s", "ron riichi dora_indicators=3z1m", toudai)
    assert dict(closed.yaku) == {"riichi": 1, "dora": 3}
    opened = scored("456p78s22z444z 9s chi:123m", "ron houtei dora_indicators=3z", toudai)
    assert dict(opened.yaku) == {"houtei": 1}


def test_terminals_and_honours_are_an_outside_hand_in_some_rules() -> None:
    """Toudai §4.1.5: five in all with all pungs, closed or open, but four with seven pairs."""
    toudai = load_rules("toudai")
    pungs = scored("111m999p11s44z 1s pon:999m", "ron", toudai)
    assert dict(pungs.yaku) == {"chanta": 1, "toitoi": 2, "honroutou": 2}
    closed = scored("111999m999p11s44z 1s", "ron", toudai)
    assert dict(closed.yaku)["chanta"] == 1
    assert scored("1199m1199p11s11z4z 4z", "ron", toudai).han == 4
    assert scored("111m999p11s44z 1s pon:999m", "ron").han == 4
