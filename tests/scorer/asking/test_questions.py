"""Only what can still change the score is asked."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from scorer import RecordError, parse_tiles, score_record
from scorer.asking.plan import TILE, Doubt, Question, apply_defaults, open_questions, plan
from scorer.hand_tiles import HandTiles
from scorer.record import parse_open

CLOSED = {"concealed": "234m340567p2267s", "win_tile": "8s"}
PLAIN = {"concealed": "234m345567p2267s", "win_tile": "8s"}
OPEN = {"concealed": "340567p2267s", "win_tile": "8s", "melds": [{"type": "pon", "tiles": "777z"}]}
KAN = {"concealed": "340567p2267s", "win_tile": "8s", "melds": [{"type": "ankan", "tiles": "1111m"}]}
WINDS = {"concealed": "340567p2267s", "win_tile": "8s", "melds": [{"type": "pon", "tiles": "111z"}]}
ROW = {"concealed": "234m340567p22678s"}
DRAGONS = {
    "concealed": "22z34s",
    "win_tile": "5s",
    "melds": [{"type": "pon", "tiles": tiles} for tiles in ("555z", "666z", "777z")],
}


def hand_tiles(record: dict[str, Any], concealed: str) -> HandTiles:
    """The tiles of a record with other concealed ones."""
    return parse_open({**record, "concealed": concealed}).hand_tiles


def fields(record: dict[str, Any], **known: Any) -> list[str]:
    return [question.field for question in open_questions(record | known, list(known))]


def question(field: str, record: dict[str, Any], **known: Any) -> Question:
    return next(one for one in open_questions(record | known, list(known)) if one.field == field)


def ids(field: str, record: dict[str, Any], **known: Any) -> list[str]:
    return [choice.id for choice in question(field, record, **known).choices]


def test_a_concealed_hand() -> None:
    assert set(fields(CLOSED)) == {"tsumo", "dealer", "riichi", "dora_indicators"}


def test_an_open_hand() -> None:
    assert set(fields(OPEN)) == {"tsumo", "dealer", "dora_indicators"}


def test_the_most_decisive_question_comes_first() -> None:
    """What it costs on average to leave a question at its default falls from first to last."""
    for record in (OPEN, KAN, WINDS):
        errors = [one.error for one in open_questions(record)]
        assert errors == sorted(errors, reverse=True) and errors[0] > 0
    assert fields(CLOSED, tsumo=False)[-1] == "special", "what is rare comes last"


def test_dora_come_after_riichi_so_that_ura_are_asked_with_them() -> None:
    for record in (CLOSED, KAN, ROW):
        asked = fields(record)
        assert asked.index("riichi") < asked.index("dora_indicators")


def test_the_round_only_where_it_matters() -> None:
    assert "round_wind" in fields(WINDS)
    assert "round_wind" not in fields(WINDS, round_wind="S")


def test_the_winning_tile_of_a_full_row() -> None:
    row = question("win_tile", ROW)
    assert " ".join(choice.id for choice in row.choices) == "8s 2m 3m 4m 3p 4p 5p 6p 7p 2s 6s 7s"
    assert {choice.id: choice.points for choice in row.choices}["3m"] == 2600, "a closed wait is no pinfu"
    assert row.default == "8s"
    assert row.answer("3p") == {"win_tile": "3p", "concealed": "234m40567p22678s"}
    assert "win_tile" not in fields(CLOSED)


def test_the_winning_tile_is_asked_though_the_row_is_known() -> None:
    """The row was seen or typed; which of its tiles won is open all the same."""
    assert fields(ROW) == [one.field for one in open_questions(ROW, {"concealed": "seen"})]
    row = next(one for one in open_questions(ROW, {"concealed": "seen"}) if one.field == "win_tile")
    answer = row.answer("3p")
    left = open_questions(ROW | answer, {"concealed": "asked", "win_tile": "asked"})
    assert "win_tile" not in [one.field for one in left]


def test_of_thirteen_tiles_the_winning_one_is_asked_among_those_they_wait_for() -> None:
    waiting = {"concealed": "234m340567p4445s"}
    assert [choice.id for choice in question("win_tile", waiting).choices] == ["3s", "5s", "6s"]
    assert question("win_tile", waiting).answer("6s")["concealed"] == "234m340567p4445s"
    one_wait = plan({"concealed": "234m340567p2246s", "win_tile": None})
    assert one_wait.record["win_tile"] == "5s" and one_wait.known["win_tile"] == "inferred"
    assert one_wait.reach is not None and one_wait.reach.points > 0


def test_the_winning_tile_is_not_asked_where_all_are_worth_the_same() -> None:
    alike = {"concealed": "234m340567p2267s"}
    assert "win_tile" not in fields(alike)
    assert plan(alike).record["win_tile"] == "5s" and plan(alike).known["win_tile"] == "default"


def test_no_tile_is_taken_for_the_winning_one_that_is_not_there() -> None:
    """A hand of 13 tiles that wait for nothing has no winning tile anywhere in its plan."""
    for record in ({"concealed": "234m340567p1269s"}, {"concealed": "147m258p369s1234z"}, {}):
        found = plan(record)
        assert "win_tile" not in found.record and "win_tile" not in found.known
        assert found.guess.hand_tiles.win_tile is None and not found.questions and found.reach is None


def test_an_answer_says_what_it_changes_as_values_and_as_json() -> None:
    asked = question("dora_indicators", CLOSED, riichi=True)
    assert asked.changes("3m/4p") == {
        "dora_indicators": parse_tiles("3m"),
        "ura_indicators": parse_tiles("4p"),
    }
    assert asked.answer("3m/4p") == {"dora_indicators": ["3m"], "ura_indicators": ["4p"]}


def test_nothing_is_asked_of_tiles_that_are_no_hand() -> None:
    for broken in (
        CLOSED | {"win_tile": "9s"},
        {"concealed": "234m340567p2269s"},
        {"concealed": "234m"},
        {},
        {"concealed": "x"},
        {"concealed": 3},
    ):
        assert open_questions(broken) == ()


def test_ura_only_after_riichi_and_with_the_dora() -> None:
    assert not question("dora_indicators", CLOSED, tsumo=False, riichi=False).takes_ura
    assert question("dora_indicators", CLOSED, tsumo=False, riichi=True).takes_ura
    assert "ura_indicators" in fields(CLOSED, riichi=True, dora_indicators=["3m"])


@pytest.mark.parametrize(
    ("record", "known", "marks"),
    [
        (CLOSED, {"tsumo": True, "seat_wind": "E", "riichi": False}, "none haitei tenhou"),
        (CLOSED, {"tsumo": True, "seat_wind": "W", "riichi": False}, "none haitei chiihou"),
        (CLOSED, {"tsumo": True, "seat_wind": "W", "riichi": True}, "none haitei double_riichi ippatsu"),
        (KAN, {"tsumo": True, "seat_wind": "W", "riichi": False}, "none rinshan haitei"),
        (OPEN, {"tsumo": False}, "none houtei chankan"),
        (CLOSED, {"tsumo": False, "seat_wind": "W", "riichi": False}, "none houtei chankan renhou"),
        (CLOSED, {"tsumo": False, "seat_wind": "W", "riichi": False, "rules": "tenhou"},
         "none houtei chankan"),
        (PLAIN, {"tsumo": True, "seat_wind": "E", "riichi": False, "rules": "reference"},
         "none paarenchan haitei tenhou"),
    ],
)  # fmt: skip
def test_what_is_special_depends_on_the_win(
    record: dict[str, Any], known: dict[str, Any], marks: str
) -> None:
    assert set(ids("special", record, **known)) == set(marks.split())


def test_several_special_things_go_together() -> None:
    special = question("special", CLOSED, tsumo=True, riichi=True)
    answer = special.answer("haitei, ipp")
    assert answer["haitei"] and answer["ippatsu"] and not answer["double_riichi"] and not answer["tenhou"]
    assert not any(special.answer("").values())
    assert "special" not in fields(CLOSED, tsumo=True, riichi=True, **answer)
    with pytest.raises(RecordError):
        special.answer("haitei rinshan")


def test_chankan_needs_a_tile_that_the_hand_does_not_hold_twice() -> None:
    pair = {"concealed": "234m340567p678s2s", "win_tile": "2s"}
    assert "chankan" not in ids("special", pair, tsumo=False)


def test_the_seat_is_asked_as_far_as_it_matters() -> None:
    """Dealer or not, unless the hand holds a set or pair of winds that count for one seat."""
    assert ids("dealer", CLOSED) == ["no", "yes"]
    assert "seat_wind" in fields(WINDS | {"melds": [{"type": "pon", "tiles": "333z"}]})
    assert "dealer" in fields(DRAGONS), "a yakuman does not care for winds"
    no = question("dealer", CLOSED).answer("n")
    assert no == {"dealer": False}
    left = plan(CLOSED | no, [*no])
    assert left.record["seat_wind"] is None and left.known["seat_wind"] == "default"
    assert not {"dealer", "seat_wind"} & {one.field for one in left.questions}
    exact = question("dealer", CLOSED).answer("west")
    assert plan(CLOSED | exact, [*exact]).record["seat_wind"] == "W"
    winds = {**CLOSED, "concealed": "340567p2267s333z"}
    assert ids("seat_wind", winds, **no) == ["no", "S", "W", "N"]


def test_who_discarded_is_not_asked_but_may_be_said() -> None:
    won = question("tsumo", CLOSED)
    assert won.answer("r") == won.answer("") and not any(won.answer("r").values())
    assert won.answer("left") == {**won.answer("r"), "loser_offset": 3}
    assert won.answer("T") == {**won.answer("r"), "tsumo": True}


def test_a_rare_circumstance_is_an_answer_beside_what_it_comes_with() -> None:
    """A win on the last discard is a ron, ippatsu comes with riichi; what contradicts that is no answer."""
    won, riichi = question("tsumo", CLOSED), question("riichi", CLOSED)
    for text, facts in (
        ("haitei", {"tsumo", "haitei"}),
        ("te", {"tsumo", "tenhou"}),
        ("tsumo haitei", {"tsumo", "haitei"}),
        ("houtei left", {"houtei", "loser_offset"}),
    ):
        assert {name for name, value in won.answer(text).items() if value} == facts, text
    for text in ("double riichi, ippatsu", "ipp dou", "riichi ippatsu double_riichi"):
        facts = {name for name, value in riichi.answer(text).items() if value}
        assert facts == {"riichi", "double_riichi", "ippatsu"}, text
    for asked, text in ((won, "ron haitei"), (won, "haitei houtei"), (won, "h"), (riichi, "no ippatsu")):
        with pytest.raises(RecordError, match="is no answer here"):
            asked.answer(text)
    assert "special" not in fields(CLOSED, **won.answer(""), **riichi.answer("y"))


def test_what_is_rare_and_adds_nothing_is_not_offered() -> None:
    """Of six han a seventh makes no difference by itself, with an eighth it does; yakuman need none."""
    limit = {"riichi": True, "tsumo": True, "dora_indicators": ["3m"], "ura_indicators": [], "seat_wind": "S"}
    assert set(ids("special", CLOSED, **limit)) == {"none", "ippatsu", "double_riichi", "haitei"}
    assert ids("tsumo", DRAGONS) == ["ron", "tsumo"]


def test_what_follows_is_inferred() -> None:
    """One answer left is no question: the plan takes it and says that it was inferred."""
    for facts, follows in (
        ({"haitei": True}, {"tsumo": True}),
        ({"chankan": True}, {"tsumo": False}),
        ({"loser_offset": 2}, {"tsumo": False}),
        ({"tenhou": True}, {"tsumo": True, "seat_wind": "E", "riichi": False}),
        ({"chiihou": True}, {"tsumo": True, "riichi": False}),
        ({"ippatsu": True}, {"riichi": True}),
        ({"ura_indicators": ["1m"]}, {"riichi": True}),
    ):
        found = plan(CLOSED | facts, [*facts])
        assert {name: found.record[name] for name in follows} == follows
        assert {found.known[name] for name in follows} == {"inferred"}
        assert score_record(found.record)["status"] == "ok"
    assert plan(CLOSED | {"chiihou": True}, ["chiihou"]).record["seat_wind"] is None
    assert plan(OPEN).known["riichi"] == "inferred"


def test_a_told_thing_that_was_inferred_stays_so() -> None:
    """As a riichi whose stick was seen: not asked, and its provenance kept."""
    found = plan(CLOSED | {"riichi": True}, {"concealed": "seen", "riichi": "inferred"})
    assert "riichi" not in [one.field for one in found.questions]
    assert found.known["riichi"] == "inferred"


def test_facts_that_contradict_each_other_leave_nothing_to_ask() -> None:
    found = plan(OPEN | {"riichi": True}, ["riichi"])
    assert found.questions == () and found.reach is None


def test_a_tile_in_doubt_is_asked_where_both_hands_are_legal() -> None:
    two = Doubt("2s", "1s", "tile 10", hand_tiles(CLOSED, "234m340567p1167s"), 0.3)
    none = Doubt("3m", "9m", "tile 2", hand_tiles(CLOSED, "294m340567p2267s"), 0.4)
    alike = Doubt("8s", "5s", "tile 14", hand_tiles({"win_tile": "5s"}, CLOSED["concealed"]), 0.4)
    known = {"concealed": "seen", "win_tile": "inferred"}
    asked = {one.field: one for one in plan(CLOSED, known, [none, alike, two]).questions}[TILE]
    assert asked.text == "Is tile 10 2s or 1s?"
    assert {choice.id: choice.points for choice in asked.choices} == {"2s": 3900, "1s": 2000}
    assert asked.answer("1s")["concealed"] == "234m340567p1167s"
    for idle in (none, alike):
        assert TILE not in [one.field for one in plan(CLOSED, known, [idle]).questions]


def test_a_yakuman_needs_neither_dora_nor_round() -> None:
    assert set(fields(DRAGONS)) == {"tsumo", "dealer", "pao"}
    assert "pao" not in fields(OPEN)


ORPHANS = {"concealed": "19m19p19s1234567z", "win_tile": "1m"}


@pytest.mark.parametrize("rules", ["ema2008", "tenhou", "majsoul"])
def test_a_yakuman_needs_no_riichi(rules: str) -> None:
    """Riichi excludes a win on the first draw. The question about the win has that answer, so nobody needs
    to be asked about riichi as well."""
    record = {**ORPHANS, "rules": rules}
    assert set(fields(record)) == {"tsumo", "dealer"} and "tenhou" in ids("tsumo", record)


def test_minipoints_do_not_matter_beyond_the_limits() -> None:
    """The wait of a yakuman, of a concealed half flush of eleven han: which tile won changes nothing."""
    assert "win_tile" not in fields({"concealed": "22p345s555666777z"})
    flush = {"concealed": "11123455s555777z", "dora_indicators": ["4z", "4z", "4s"]}
    facts = {"riichi": False, "tsumo": False, "dora_indicators": flush["dora_indicators"]}
    assert "win_tile" in fields(flush, riichi=False, tsumo=False), "three concealed pungs, or two"
    assert "round_wind" not in fields(flush, **facts)


def test_who_is_liable_is_asked_where_the_rules_know_it(tmp_path: Path) -> None:
    """Toudai §4.1.6: of little four winds the third open set, which EMA 2008 §3.3.6 has not."""
    melds = [{"type": "pon", "tiles": tiles} for tiles in ("111z", "222z", "333z")]
    winds = {"concealed": "44z56s", "win_tile": "7s", "melds": melds}
    assert "pao" not in fields(winds)
    path = tmp_path / "house.toml"
    path.write_text('base = "ema2008"\nliability = ["shousuushii"]\n', encoding="utf-8")
    assert "pao" in fields(winds, rules=str(path))


def test_who_is_liable_is_asked_beside_a_concealed_kong() -> None:
    """It shows its dragons as a called set does; those who fed none are not among the answers."""
    two = [{"type": "pon", "tiles": tiles, "from": 3} for tiles in ("555z", "666z")]
    dragons = {"concealed": "23m44p", "win_tile": "4m", "melds": [*two, {"type": "ankan", "tiles": "7777z"}]}
    assert [choice.id for choice in question("pao", dragons).choices] == ["nobody", "left"]
    assert "pao" not in fields(dragons, rules="toudai"), "all three are open there (§4.1.6)"
    dragons["melds"] = [{"type": "ankan", "tiles": tiles} for tiles in ("5555z", "6666z", "7777z")]
    assert "pao" not in fields(dragons)


def test_who_fed_the_kong_is_asked_where_he_pays_for_it(tmp_path: Path) -> None:
    """Toudai §4.1.1, a variant: the discarding player pays all of a win on the tile after his kong."""
    path = tmp_path / "house.toml"
    path.write_text('base = "toudai"\nliability = ["rinshan"]\n', encoding="utf-8")
    melds = [{"type": "minkan", "tiles": "4444z"}, {"type": "pon", "tiles": "777z"}]
    hand = {"concealed": "45p123m22z", "win_tile": "6p", "melds": melds, "rules": str(path)}
    asked = question("pao", hand, tsumo=True, rinshan=True)
    assert asked.text == "Who discarded the tile of the kan?"
    assert "pao" not in fields(hand, tsumo=True, rinshan=False)
    assert "pao" not in fields(hand, tsumo=False)


def test_who_discarded_is_asked_where_somebody_is_liable() -> None:
    """The two share the payment, unless they are one."""
    assert question("loser_offset", DRAGONS, pao=2, tsumo=False).answer("y") == {"loser_offset": 2}
    assert "loser_offset" not in fields(DRAGONS, pao=2, tsumo=True)


def test_the_tile_after_a_kong_may_be_the_last_one() -> None:
    """EMA 2008 §3.4.1, where both count; elsewhere they exclude each other."""
    both = question("tsumo", KAN).answer("rinshan haitei")
    assert both["rinshan"] and both["haitei"] and both["tsumo"]
    assert "rinshan haitei" in ids("tsumo", KAN)
    assert "rinshan haitei" not in ids("tsumo", KAN, rules="tenhou")


TOLD = {"tsumo": False, "seat_wind": "S", "round_wind": "E", "dora_indicators": [], "houtei": False,
        "chankan": False, "renhou": False}  # fmt: skip


def test_counters_are_asked_where_they_decide() -> None:
    """EMA 2008 §3.4.11: with five of them a win needs two yaku; asked last, of a hand that has one."""
    assert not {"honba", "riichi_sticks"} & set(fields(CLOSED))
    one_yaku = {"concealed": "340567p2267s", "win_tile": "8s", "melds": OPEN["melds"]}
    asked = question("honba", one_yaku, **TOLD)
    assert asked.text == "5 counters or more on the table?"
    assert [choice.points for choice in asked.choices] == [2000, 0] and asked.default == "no"
    assert asked.answer("3") == {"honba": 3} and asked.answer("y") == {"honba": 5}
    assert fields(one_yaku, **TOLD, honba=0) == [] == fields(one_yaku, **TOLD, rules="tenhou")
    assert "honba" in plan(one_yaku).later and "honba" not in fields(one_yaku)
    two = {**one_yaku, "melds": [{"type": "pon", "tiles": "777z"}, {"type": "pon", "tiles": "666z"}]}
    assert "honba" not in fields({**two, "concealed": "340p2267s"}, **TOLD)


def test_what_only_some_rules_take_for_a_finished_hand_has_its_value(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('base = "toudai"\n\n[yaku]\nshiisan_budou = 13\n', encoding="utf-8")
    broken = {"concealed": "147m258p369s1234z", "win_tile": "1z", "tsumo": True, "tenhou": True}
    found = plan({**broken, "seat_wind": "E", "rules": str(path)}, {*broken, "seat_wind", "rules"})
    assert found.reach is not None and found.reach.points == score_record(found.record)["points"] == 48000


def test_wins_in_a_row_are_asked_where_they_decide(tmp_path: Path) -> None:
    """Toudai §7.5: after five wins in a row, some say seven, the dealer needs two multipliers."""
    path = tmp_path / "house.toml"
    path.write_text('base = "toudai"\ntwo_han_from_honba = 7\n', encoding="utf-8")
    hand = {"concealed": "345567p2267s", "win_tile": "8s", "melds": OPEN["melds"], "rules": str(path)}
    assert fields(hand, **{**TOLD, "seat_wind": "E"}) == ["dealer_wins"]
    assert fields(hand, **TOLD) == []


def test_nothing_special_leaves_the_wins_in_a_row_open_where_they_decide_twice(tmp_path: Path) -> None:
    """Five of them ask for two han, eight are paarenchan."""
    path = tmp_path / "house.toml"
    both = "two_han_from_honba = 5\nyaku = { paarenchan = [13, 13] }\n"
    path.write_text(f'base = "toudai"\n{both}', encoding="utf-8")
    hand = {"concealed": "345567p2267s", "win_tile": "8s", "melds": OPEN["melds"], "rules": str(path)}
    record = {**hand, **TOLD, "seat_wind": "E"}
    (question,) = plan(record, record.keys()).questions
    assert [(one.fields, one.points) for one in question.choices] == [
        ({"dealer_wins": 0}, 1500), ({"dealer_wins": 5}, 0), ({"dealer_wins": 7}, 48000)
    ]  # fmt: skip


def test_a_yaku_of_the_house_may_depend_on_the_winning_tile(tmp_path: Path) -> None:
    """With riichi alone, so that the tiles do not show it."""
    path = tmp_path / "house.toml"
    own = 'name = "X"\nhan = [3, 3]\nwhen = { win_tile = "1p", won = ["riichi"] }\n'
    path.write_text(f'base = "tenhou"\n[own_yaku.x]\n{own}', encoding="utf-8")
    record = {"concealed": "111p999s345m567s22z", "rules": str(path), "melds": [], "tsumo": True}
    record |= {"seat_wind": "W", "riichi": True, "double_riichi": False, "ippatsu": False}
    asked = {one.field: one for one in plan(record, record.keys()).questions}["win_tile"]
    points = {one.id: one.points for one in asked.choices}
    assert points["1p"] > points["9s"] and points["1p"] > points["3m"]


def test_what_brings_chips_is_asked(tmp_path: Path) -> None:
    """Of a yakuman nothing but chips."""
    path = tmp_path / "house.toml"
    path.write_text('base = "tenhou"\nchips = { ippatsu = 1, ura = 1 }\n', encoding="utf-8")
    orphans = {"concealed": "19m19p19s1234567z", "win_tile": "1m", "melds": []}
    for rules, asked in (("tenhou", set()), (str(path), {"riichi", "dora_indicators"})):
        record = orphans | {"rules": rules, "tsumo": True, "seat_wind": "S", "dealer": False}
        found = {one.field for one in plan(record, record.keys()).questions}
        assert found - {"special"} == asked


def test_a_default_is_as_good_as_unknown() -> None:
    record = CLOSED | {"seat_wind": "W"}
    assert question("dealer", record).default == "no"
    known = {"seat_wind": "default", "concealed": "seen"}
    assert "dealer" in [one.field for one in open_questions(record, known)]
    known["seat_wind"] = "asked"
    assert "dealer" not in [one.field for one in open_questions(record, known)]


@pytest.mark.parametrize("record", [CLOSED, OPEN, KAN, WINDS, ROW, DRAGONS])
@pytest.mark.parametrize("tsumo", [False, True])
def test_answering_ends_and_gives_a_result(record: dict[str, Any], tsumo: bool) -> None:
    """Asked one after the other, a few questions suffice, and no field is asked twice."""
    record, known, asked = dict(record), set(), []
    while left := open_questions(record, known):
        answer = "tsumo" if tsumo and left[0].field == "tsumo" else ""
        fields_set = left[0].answer(answer)
        record |= fields_set
        known |= set(fields_set)
        asked.append(left[0].field)
    assert len(asked) == len(set(asked)) <= 6
    assert record["tsumo"] is tsumo
    result = score_record(apply_defaults(record))
    assert result["status"] == "ok" or result["error"] == "no_yaku"


@pytest.mark.parametrize("record", [OPEN, CLOSED, ROW, WINDS])
def test_the_points_beside_a_choice_are_those_of_the_record_with_it(record: dict[str, Any]) -> None:
    best = plan(record).record
    checked = 0
    for one in open_questions(record):
        for choice in one.choices:
            result = score_record(best | choice.fields)
            if result["status"] == "ok":
                assert choice.points == result["points"], choice
                checked += 1
            assert choice.low <= choice.points <= choice.high
    assert checked > 8


def test_the_range_narrows_with_every_answer() -> None:
    record, known = dict(CLOSED), set[str]()
    spans = []
    while True:
        found = plan(record, known)
        assert found.reach is not None and found.reach.low <= found.reach.points <= found.reach.high
        spans.append((found.reach.low, -found.reach.high))
        if not found.questions:
            break
        answer = found.questions[0].answer("")
        record, known = record | answer, known | answer.keys()
    assert all(before <= after for narrow in zip(*spans, strict=True) for before, after in pairwise(narrow))
    assert found.reach.low == found.reach.points == found.reach.high == score_record(found.record)["points"]


def test_answers() -> None:
    dora = question("dora_indicators", CLOSED, riichi=True)
    assert dora.answer("3m1p/4s") == {"dora_indicators": ["3m", "1p"], "ura_indicators": ["4s"]}
    assert dora.answer("") == {"dora_indicators": [], "ura_indicators": []}
    assert question("dora_indicators", OPEN).answer("3m") == {"dora_indicators": ["3m"]}
    seat = question("round_wind", WINDS)
    assert seat.answer("w") == seat.answer(" west ") == {"round_wind": "W"}
    for text, asked in (("8z", dora), ("1m/2m/3m", dora), ("up", seat)):
        with pytest.raises(RecordError) as caught:
            asked.answer(text)
        assert str(caught.value).endswith(".")


def test_questions_are_json() -> None:
    for one in open_questions(ROW):
        assert json.loads(json.dumps(one.to_record()))["field"] == one.field


def test_defaults_touch_nothing() -> None:
    record = dict(ROW)
    filled = apply_defaults(record)
    assert record == ROW and filled["concealed"] == "234m340567p2267s"
    filled["dora_indicators"].append("1m")
    assert apply_defaults(record)["dora_indicators"] == []


TYPICAL_CLOSED = (
    "234m340567p2267s + 8s", "123789m456p1199s + 1s", "1122m3388p55s667z + 7z", "111m456p78999s55z + 9s",
    "345m345p34588s67s + 8s",
)  # fmt: skip
TYPICAL_OPEN = (
    "340567p2267s + 8s [p777z]", "67m345p22s + 8m [c345s] [c678p]", "45m99p + 6m [p555z] [c123m] [c789s]",
    "1199m + 1m [p222m] [p555m] [p666z]", "22p + 2p [k1111s] [p333s] [p999m] [c123p]",
)  # fmt: skip


def questions_of(line: str, answers: dict[str, str]) -> list[str]:
    record, known, asked = typed(line), set[str](), list[str]()
    while left := open_questions(record, known):
        answer = left[0].answer(answers.get(left[0].field, ""))
        record, known = record | answer, known | answer.keys()
        asked.append(left[0].field)
    return asked


def typed(line: str) -> dict[str, Any]:
    """``tiles + winning tile [meld]``: p pon, c chi, k kan."""
    concealed, _, rest = line.partition(" + ")
    win, *melds = rest.replace("[", "").replace("]", "").split()
    kinds = {"p": "pon", "c": "chi", "k": "minkan"}
    declared = [{"type": kinds[meld[0]], "tiles": meld[1:]} for meld in melds]
    return {"concealed": concealed, "win_tile": win, "melds": declared}


@pytest.mark.parametrize("answers", [{}, {"riichi": "yes", "dealer": "no", "tsumo": "tsumo"}])
def test_few_questions_suffice(answers: dict[str, str]) -> None:
    """Five for a typical closed hand, with ura dora and ippatsu; four for an open one."""
    for line in TYPICAL_CLOSED:
        assert len(questions_of(line, answers)) <= 5, line
    for line in TYPICAL_OPEN:
        assert len(questions_of(line, answers)) <= 4, line


def test_what_was_told_of_the_rare_is_not_asked_with_the_rest_of_it(tmp_path: Path) -> None:
    denied = dict.fromkeys(("rinshan", "haitei", "houtei", "chankan", "tenhou", "chiihou", "renhou"), False)
    record = {
        "rules": "reference", "concealed": "123m123p123m123p1m", "win_tile": "1m", "melds": [], "tsumo": True,
        "seat_wind": "E", "dealer": True, "riichi": True, "double_riichi": True, "ippatsu": True, **denied,
        "dora_indicators": [], "ura_indicators": ["7p"],
    }  # fmt: skip
    (question,) = plan(record, record.keys()).questions
    assert [choice.id for choice in question.choices] == ["none", "paarenchan"]
    assert question.answer("") == {"dealer_wins": 0}
    assert question.choices[1].label == "paarenchan: your hand number 9 in a row as dealer", (
        "drawn ones count"
    )
    wins = tmp_path / "wins.toml"
    wins.write_text('base = "reference"\npaarenchan_counts = "wins"', encoding="utf-8")
    (question,) = plan({**record, "rules": str(wins)}, record.keys()).questions
    assert question.choices[1].label == "paarenchan: your win number 9 in a row as dealer"


def test_two_minipoints_of_a_pair_are_not_two_of_rounding() -> None:
    """In the south round the pair of souths makes 50 of 48 minipoints, as rounding does elsewhere; with the
    wait for one of them they are 52."""
    record = {
        "rules": "ema2008", "concealed": "2z1m2z11m", "seat_wind": "E", "tsumo": True, "dora_indicators": [],
        "melds": [
            {"type": "kakan", "tiles": "3333s", "from": 3},
            {"type": "minkan", "tiles": "3333p", "from": 3},
            {"type": "pon", "tiles": "666p", "from": 3},
        ],
        "rinshan": True, "haitei": False,
    }  # fmt: skip
    asked = {question.field for question in plan(record, record.keys()).questions}
    assert asked == {"win_tile", "round_wind"}


def test_a_tile_in_doubt_may_matter_once_the_dora_are_told() -> None:
    record = {"rules": "reference", "concealed": "2s4z13s77z436s7z4s4z5s", "win_tile": "2s", "melds": []}
    doubt = Doubt("4s", "7s", "tile 11", hand_tiles(record, "2s4z13s77z436s7z7s4z5s"))
    found = plan(record, (), [doubt])
    assert TILE not in [question.field for question in found.questions]
    assert TILE in found.later
    later = record | {"dora_indicators": ["3s"], "seat_wind": "E", "tsumo": False}
    assert TILE in [question.field for question in plan(later, later.keys(), [doubt]).questions]


def test_dora_raise_a_robbed_kong_although_the_most_dora_rule_it_out() -> None:
    # The most dora are told by an indicator like the winning tile, beside which no kong of it can be robbed.
    robbed = {"concealed": "1233555s", "win_tile": "4s", "tsumo": False, "chankan": True, "rules": "ema2008"}
    melds = [{"type": "chi", "tiles": tiles, "from": 3} for tiles in ("789p", "234p")]
    found = plan({**robbed, "melds": melds}, {"tsumo", "chankan"})
    assert "dora_indicators" in [question.field for question in found.questions]
    assert found.reach is not None and (found.reach.low, found.reach.high) == (1000, 24000)


def test_winds_are_compared_with_the_doubtful_tile_read_either_way() -> None:
    # As a triplet of south the round's wind says the same in east and south, as a pair of south it does not.
    melds = [{"type": "minkan", "tiles": "1111z", "from": 3}, {"type": "kakan", "tiles": "1111p", "from": 2}]
    facts = {"tsumo": False, "seat_wind": "E", "dora_indicators": ["3z"], "rules": "ema2008"}
    record = {"concealed": "33m22244z", "win_tile": "4z", "melds": melds, **facts}
    doubt = Doubt("2z", "3m", "tile 1", hand_tiles(record, "333m2244z"), 0.5)
    assert TILE in [question.field for question in plan(record, facts.keys(), [doubt]).questions]


def test_what_nobody_named_is_not_so() -> None:
    """Not the dealer, no riichi, and what the record has by default where it has it."""
    assert (question("dealer", CLOSED).default, question("riichi", CLOSED).default) == ("no", "no")
    guess = plan(CLOSED).record
    assert (guess["dealer"], guess["seat_wind"], guess["riichi"], guess["tsumo"]) == (
        False,
        None,
        False,
        False,
    )
    assert plan(OPEN).record["riichi"] is False and plan(KAN).record["riichi"] is False
    first_draw = plan(CLOSED | {"chiihou": True}, ["chiihou"])
    assert first_draw.record["riichi"] is False and first_draw.record["seat_wind"] is None
    said = plan(CLOSED | {"seat_wind": "E", "riichi": True})
    assert said.record["riichi"] is True and said.record["seat_wind"] == "E"
    assert {said.known[name] for name in ("riichi", "seat_wind")} == {"default"}


def test_a_furiten_win_takes_the_usual_defaults() -> None:
    """Its lesson prices the self-draw: of a player who is not the dealer, with riichi."""
    record = {"concealed": "234m456m22p34567s", "win_tile": "8s", "tsumo": False, "discards": "5s"}
    guess = plan(record, list(record)).guess
    assert plan(record, list(record)).reach is None
    free = {name: value for name, value in record.items() if name != "discards"}
    assert replace(guess.win, discards=()) == plan(free, list(free)).guess.win
    assert not guess.win.is_dealer and guess.win.discards == parse_tiles("5s")


def test_an_answer_says_whether_a_yaku_is_missing_or_a_han() -> None:
    """EMA 2008 §3.4.11: with five counters one han is too few; without riichi this hand has no yaku."""
    hand = {"concealed": "123m456p78s22z444z", "win_tile": "9s", "tsumo": False, "seat_wind": "W", "honba": 5}
    riichi = next(one for one in open_questions(hand, list(hand)) if one.field == "riichi")
    none, plain = riichi.choices[:2]
    assert (none.points, none.too_few) == (0, False)
    assert (plain.points, plain.too_few) == (0, True)
    assert [one["too_few"] for one in riichi.to_record()["choices"][:2]] == [False, True]
    assert not any(one.too_few for one in riichi.choices if one.low)


def test_ura_are_asked_after_riichi() -> None:
    for record in (CLOSED, PLAIN, KAN):
        names = fields(record, dora_indicators="5z", tsumo=False)
        if "ura_indicators" in names:
            assert names.index("riichi") < names.index("ura_indicators")


def test_a_table_is_asked_in_the_same_order_whatever_the_hand_is() -> None:
    at_the_table = ["tsumo", "riichi", "dealer", "seat_wind", "round_wind", "dora_indicators"]
    for record in (CLOSED, PLAIN, OPEN, KAN, WINDS):
        known: dict[str, Any] = {}
        asked = []
        while one := plan(record | known, list(known)).next_question:
            asked.append(one.field)
            known |= one.answer("")
        usual = [field for field in asked if field in at_the_table]
        assert usual == sorted(usual, key=at_the_table.index), record


def test_the_same_points_from_the_same_payers_may_change_with_other_answers() -> None:
    """A baiman with or without riichi: another dora tells them apart, not who pays."""
    straight = {"concealed": "1234345556789m", "win_tile": "2m", "rules": "tenhou", "seat_wind": "S"}
    riichi = next(one for one in open_questions(straight, list(straight)) if one.field == "riichi")
    choices = [one for one in riichi.choices if not one.marks]
    assert {(one.points, one.low, one.high) for one in choices} == {(16000, 16000, 32000)}
    assert {one.payments for one in choices} == {(0, 0, 16000)}
