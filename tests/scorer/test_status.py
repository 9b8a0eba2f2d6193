"""Every way in which a hand is none: each error id of the hand record, and all of a hand's faults at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scorer import HandError, check, score_record
from scorer.status import HandStatus, faults
from scorer.words import VOCABULARIES
from tests.scorer.short_hands import EMA, hand, scored, win

GOOD: dict[str, Any] = {
    "concealed": "123m456p78s22z444z",
    "win_tile": "9s",
    "tsumo": False,
    "riichi": True,
    "seat_wind": "S",
}


def meld(type_: str, tiles: str) -> dict[str, Any]:
    return {"type": type_, "tiles": tiles}


CASES: list[tuple[str, dict[str, Any]]] = [
    ("not_in_play", {"rules": "tenhou3"}),
    ("no_such_player", {"rules": "tenhou3", "concealed": "111m456p78s22z444z", "seat_wind": "N"}),
    ("bad_tile", {"concealed": "123m456p78s22z448z"}),
    ("bad_tile", {"win_tile": "9s9s"}),
    ("bad_tile", {"dora_indicators": ["?"]}),
    ("wrong_tile_count", {"concealed": "123m456p78s22z44z"}),
    ("wrong_tile_count", {"concealed": "123m456p78s22z4444z"}),
    ("wrong_tile_count", {"melds": [meld("pon", "555z")]}),
    ("wrong_tile_count", {"concealed": "123m456p78s22z444z", "win_tile": None}),
    ("too_many_of_a_tile", {"dora_indicators": ["4z", "4z"]}),
    ("too_many_of_a_tile", {"concealed": "23455m55558p222z", "win_tile": "5p"}),
    ("too_many_red_fives", {"concealed": "123m406p78s22z444z", "dora_indicators": ["0p"]}),
    ("bad_meld", {"concealed": "456p78s22z444z", "melds": [meld("chi", "124m")]}),
    ("bad_meld", {"concealed": "456p78s22z444z", "melds": [meld("pon", "1111m")]}),
    ("bad_meld", {"concealed": "456p78s22z444z", "melds": [meld("ankan", "111m")]}),
    ("bad_meld", {"concealed": "456p78s22z444z", "melds": [meld("chi", "567z")]}),
    ("bad_meld", {"concealed": "456p78s22z444z", "melds": [meld("chi", "89m1p")]}),
    ("bad_meld", {"concealed": "456p78s22z444z", "melds": [meld("pon", "")]}),
    ("not_a_win", {"win_tile": "8s"}),
    ("not_a_win", {"concealed": "147m258p369s1234z", "win_tile": "5z"}),
    ("no_yaku", {"riichi": False}),
    ("no_yaku", {"riichi": False, "dora_indicators": ["3z"]}),  # dora alone do not win
    ("below_minimum", {"honba": 5}),
    ("riichi_on_open_hand", {"concealed": "456p78s22z444z", "melds": [meld("chi", "123m")]}),
    ("ippatsu_without_riichi", {"riichi": False, "ippatsu": True}),
    ("ura_without_riichi", {"riichi": False, "ura_indicators": ["1m"]}),
    ("rinshan_without_kan", {"rinshan": True, "tsumo": True}),
    (
        "rinshan_on_ron",
        {"rinshan": True, "concealed": "456p78s22z444z", "melds": [meld("ankan", "1111m")]},
    ),
    ("chankan_on_tsumo", {"chankan": True, "tsumo": True}),
    ("chankan_tile_held", {"chankan": True, "concealed": "123m456p99s22z444z"}),
    ("chankan_tile_held", {"chankan": True, "dora_indicators": ["9s"]}),
    ("haitei_on_ron", {"haitei": True}),
    ("houtei_on_tsumo", {"houtei": True, "tsumo": True}),
    ("conflicting_wins", {"houtei": True, "chankan": True}),
    ("conflicting_wins", {"riichi": True, "chiihou": True, "tsumo": True}),
    ("conflicting_wins", {"riichi": False, "renhou": True, "tsumo": True}),
    ("conflicting_wins", {"riichi": False, "chiihou": True}),
    ("conflicting_wins", {"tsumo": True, "loser_offset": 1}),
    (
        "conflicting_wins",
        {
            "rules": "toudai",
            "rinshan": True,
            "haitei": True,
            "tsumo": True,
            "concealed": "456p78s22z444z",
            "melds": [meld("ankan", "1111m")],
        },
    ),
    (
        "conflicting_wins",
        {
            "rinshan": True,
            "ippatsu": True,
            "tsumo": True,
            "concealed": "456p78s22z444z",
            "melds": [meld("ankan", "1111m")],
        },
    ),
    (
        "first_turn_with_call",
        {
            "riichi": False,
            "chiihou": True,
            "tsumo": True,
            "concealed": "456p78s22z444z",
            "melds": [meld("ankan", "1111m")],
        },
    ),
    ("dealer_only", {"riichi": False, "tenhou": True, "tsumo": True}),
    ("not_dealer", {"riichi": False, "chiihou": True, "tsumo": True, "seat_wind": "E"}),
    ("not_dealer", {"riichi": False, "renhou": True, "seat_wind": "E"}),
    ("nukidora_not_played", {"nukidora": 1}),
    ("nobody_liable", {"pao": 1}),
    ("furiten", {"discards": "1z9s"}),
    ("furiten", {"discards": "6s", "houtei": True}),
    ("too_many_of_a_tile", {"discards": "44z"}),
    ("bad_tile", {"discards": "8x"}),
    ("bad_field", {"discards": ["1z"]}),
    ("bad_field", {"discards": "123456789m" * 4}),
    ("unknown_rules", {"rules": "ema20008"}),
    ("unknown_rules", {"rules": "nowhere/house.toml"}),
    ("bad_field", {"concealed": None}),
    ("bad_field", {"concealed": 123}),
    ("bad_field", {"tsumo": None}),
    ("bad_field", {"tsumo": "yes"}),
    ("bad_field", {"seat_wind": "X"}),
    ("bad_field", {"seat_wind": ["E"]}),
    ("bad_field", {"honba": -1}),
    ("bad_field", {"honba": True}),
    ("bad_field", {"honba": 1.5}),
    ("bad_field", {"loser_offset": 4}),
    ("bad_field", {"pao": True}),
    ("bad_field", {"pao": [1]}),
    ("bad_field", {"dora_indicators": "1m"}),
    ("bad_field", {"dora_indicators": ["1m"] * 6}),
    ("bad_field", {"melds": "pon"}),
    ("bad_field", {"melds": [3]}),
    ("bad_field", {"melds": [meld("kong", "111m")]}),
    ("bad_field", {"melds": [meld("pon", "111m") | {"from": 0}]}),
    ("bad_field", {"melds": [{"type": "pon"}]}),
    ("unknown_rules", {"rules": "x" * 100_000}),
    ("unknown_rules", {"rules": "a\0b.toml"}),
    ("bad_field", {"rules": 7}),
]


@pytest.mark.parametrize(("error", "change"), CASES)
def test_error(error: str, change: dict[str, Any]) -> None:
    assert score_record(GOOD)["status"] == "ok"
    result = score_record(GOOD | change)
    assert (result["status"], result["error"]) == ("error", error)
    assert result["message"].endswith(".") and "\n" not in result["message"]
    assert len(result["message"]) < 200


def test_all_faults_are_listed() -> None:
    broken = hand("123m456p78s22z44z 9s")
    how = win("tsumo ippatsu houtei rinshan")
    assert check(broken, how, EMA) == (
        HandStatus.WRONG_TILE_COUNT
        | HandStatus.NOT_A_WIN
        | HandStatus.IPPATSU_WITHOUT_RIICHI
        | HandStatus.RINSHAN_WITHOUT_KAN
        | HandStatus.HOUTEI_ON_TSUMO
        | HandStatus.CONFLICTING_WINS
    )
    assert check(hand("123m456p78s22z444z 9s"), win("ron riichi"), EMA) is HandStatus.VALID


def test_every_place_of_a_fault_is_listed() -> None:
    """Two wrong melds are two faults, and so are three tiles too many."""
    wrong = score_record(
        {
            "concealed": "11112222m0055s",
            "win_tile": "1m",
            "melds": [meld("chi", "124p"), meld("pon", "678p"), meld("ankan", "2222m")],
            "tsumo": False,
            "dora_indicators": ["0s"],
        }
    )
    faults = [(fault["error"], fault["message"]) for fault in wrong["faults"]]
    assert [error for error, _ in faults] == [
        *["bad_meld"] * 2,
        "wrong_tile_count",
        *["too_many_of_a_tile"] * 3,
        "too_many_red_fives",
        "not_a_win",
    ]
    assert [message.split(" is no ")[0] for _, message in faults[:2]] == ["124p", "678p"]
    assert [message.split(" (")[0] for _, message in faults[3:6]] == [
        "There are 5 of 1m",
        "There are 8 of 2m",
        "There are 5 of 5s",
    ]
    assert (wrong["error"], wrong["message"]) == faults[0]


def test_every_conflict_is_listed() -> None:
    """Each pair of facts that cannot both be is a fault of its own."""
    how = win("ron riichi ippatsu rinshan tenhou houtei")
    japanese = replace(EMA, words="japanese")
    messages = [
        fault.message
        for fault in faults(hand("123m456p78s22z444z 9s"), how, japanese)
        if fault.status is HandStatus.CONFLICTING_WINS
    ]
    assert [message.split()[0:5] for message in messages] == [
        ["A", "win", "cannot", "be", "rinshan"],
        ["A", "win", "on", "the", "first"],
        ["Tenhou", "is", "a", "tsumo:", "take"],
        ["A", "kan", "ends", "ippatsu,", "so"],
    ]
    assert all(message.endswith(".") for message in messages)


def test_every_wrong_field_is_listed() -> None:
    """A record that cannot be understood says so of every field, each with its id."""
    wrong = score_record(
        {"win_tile": "9s9s", "seat_wind": "X", "honba": -1, "rules": "nowhere", "ura_indicators": ["?"]}
    )
    assert [(fault["error"], fault["field"]) for fault in wrong["faults"]] == [
        ("bad_field", "concealed"),
        ("bad_tile", "win_tile"),
        ("bad_field", "tsumo"),
        ("unknown_rules", "rules"),
        ("bad_field", "seat_wind"),
        ("bad_tile", "ura_indicators"),
        ("bad_field", "honba"),
    ]
    assert (wrong["error"], wrong["field"]) == ("bad_field", "concealed")


def test_a_known_furiten_is_no_win() -> None:
    """EMA 2008 §3.4.5: on whichever tile it waits for; a self-draw is always one."""
    refused = score_record(GOOD | {"discards": "1z6s"})
    assert refused["message"].startswith("6s is among your own discards, so this hand is furiten")
    assert score_record(GOOD | {"discards": "1z6s", "tsumo": True})["status"] == "ok"
    assert score_record(GOOD | {"discards": "1z8s"})["status"] == "ok"


def test_no_yaku_is_listed_beside_what_else_is_wrong() -> None:
    """Open melds without a yaku stay so when riichi is taken away; with ippatsu claimed nobody knows yet."""
    opened = hand("456p78s22z444z 9s chi:123m")
    both = HandStatus.RIICHI_ON_OPEN_HAND | HandStatus.NO_YAKU
    assert check(opened, win("ron riichi"), EMA) == both
    assert check(opened, win("ron"), EMA) is HandStatus.NO_YAKU
    assert check(opened, win("ron riichi houtei"), EMA) is HandStatus.RIICHI_ON_OPEN_HAND
    closed = hand("123m456p78s22z444z 9s")
    assert check(closed, win("ron ippatsu"), EMA) is HandStatus.IPPATSU_WITHOUT_RIICHI
    below = HandStatus.HOUTEI_ON_TSUMO | HandStatus.BELOW_MINIMUM
    assert check(opened, win("tsumo houtei honba=5"), EMA) == below


ERROR_IDS = """not_in_play no_such_player
bad_tile wrong_tile_count too_many_of_a_tile too_many_red_fives bad_meld not_a_win no_yaku
below_minimum riichi_on_open_hand ippatsu_without_riichi ura_without_riichi rinshan_without_kan rinshan_on_ron
chankan_on_tsumo chankan_tile_held haitei_on_ron houtei_on_tsumo conflicting_wins first_turn_with_call
dealer_only not_dealer nukidora_not_played nobody_liable furiten unknown_rules bad_field"""
"""The list of ``docs/hand.md``."""


def test_each_id_of_the_page_has_a_case_and_a_flag() -> None:
    ids = set(ERROR_IDS.split())
    assert {error for error, _ in CASES} == ids
    of_the_record = {"bad_tile", "bad_field", "unknown_rules"}
    assert {str(flag.name).lower() for flag in HandStatus} == ids - of_the_record


def test_the_error_carries_all_faults() -> None:
    with pytest.raises(HandError) as caught:
        scored("123m456p78s22z444z 9s", "ron ippatsu haitei")
    assert [fault.id for fault in caught.value.faults] == ["ippatsu_without_riichi", "haitei_on_ron"]
    assert caught.value.status == HandStatus.IPPATSU_WITHOUT_RIICHI | HandStatus.HAITEI_ON_RON


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"concealed": "123m456p78s22z44z"}, "has 13: add 1"),
        ({"concealed": "123m456p78s22z4444z"}, "Four alike are a kan only if declared"),
        ({"win_tile": None}, "13 tiles, waiting for 6s, 9s: add the winning tile"),
        ({"win_tile": "8s"}, "waits for 6s, 9s"),
        ({"rules": "ema20008"}, "ema2008"),
        ({"riichi": False}, "dora alone do not win"),
    ],
)
def test_messages_say_what_to_do(change: dict[str, Any], advice: str) -> None:
    assert advice in score_record(GOOD | change)["message"]


def messages(words: str, hand_: str, how: str) -> list[str]:
    """What is wrong with a hand, said in a vocabulary."""
    with pytest.raises(HandError) as caught:
        scored(hand_, how, replace(EMA, words=words))
    return [fault.message for fault in caught.value.faults]


def test_faults_are_told_in_the_words_of_the_rules() -> None:
    """English; the Japanese terms and kanji for who asks. A yaku's id is its flag."""
    short = ("78s22z44z 9s chi:124m pon:677z", "ron rinshan")
    english, japanese, kanji = (messages(words, *short) for words in ("english", "japanese", "kanji"))
    assert english == [
        "124m is no chi: correct the tiles or the type of the meld.",
        "677z is no pon: correct the tiles or the type of the meld.",
        "A finished hand has 14 tiles and one more for each declared kan, here 14, and this one has 13:"
        " add 1.",
        "These tiles are not four sets and a pair, Seven Pairs or Thirteen Orphans: correct a tile.",
        "After a Kan (rinshan) is a tsumo: make it a tsumo, or take it away.",
        "After a Kan (rinshan) needs a kan: declare one, or take After a Kan (rinshan) away.",
    ]
    assert japanese[0].startswith("124m is no chi:") and japanese[1].startswith("677z is no pon:")
    assert "each declared kan" in japanese[2] and "chiitoitsu or kokushi" in japanese[3]
    assert japanese[4] == "Rinshan is a tsumo: make it a tsumo, or take it away."
    assert kanji[0].startswith("124m is no チー:") and "七対子 or 国士無双" in kanji[3]
    assert kanji[4] == "嶺上開花 (rinshan) is a ツモ: make it a ツモ, or take it away."
    few = ("123m456p78s22z444z 9s", "ron riichi honba=5")
    assert messages("english", *few) == [
        "With this many counters a win needs 2 han besides dora, and this hand has 1."
    ]
    assert messages("kanji", *few) == [
        "With this many 本場 a win needs 2 翻 besides ドラ, and this hand has 1."
    ]


@pytest.mark.parametrize("words", VOCABULARIES)
def test_every_fault_can_be_said_in_every_vocabulary(words: str) -> None:
    of_hands = {flag.name.lower() for flag in HandStatus if flag.name}
    for error, change in CASES:
        if error in of_hands:
            for fault in score_record(GOOD | {"words": words} | change)["faults"]:
                message = fault["message"]
                assert message.endswith(".") and not set(message) & set("{}"), message
                assert message[0] == message[0].upper()
