"""What the rivers of a photo answer of a hand's questions, and what they only put first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer import load_rules
from scorer.hand_tiles import FactSource
from tehai.hand import inputs, scoring
from tehai.hand.inputs import HandInput, from_reading, inferred_facts
from tehai.web.hands import hand_input_of
from tests.tehai.readings import SURE, quad
from vision.players import SeenPlayer, SeenRiver, SeenTable
from vision.reading import Reading, SeenTile

EMA = load_rules("ema2008")


def beside(
    *labels: str, riichi: int = 0, turned: float = 0.01, stick: bool = False, sure: float = 0.95,
    seat: str = "near", reading: Reading = SURE, probability: float = 0.99,
) -> Reading:  # fmt: skip
    """A reading with a river."""
    first = len(reading.tiles)
    tiles = tuple(SeenTile(quad(30 + k), label, probability, ("1m", 0.01)) for k, label in enumerate(labels))
    places = tuple(range(first, first + len(labels)))
    river = SeenRiver(places, (len(labels),), riichi, turned, sure, stick)
    player = SeenPlayer(seat, river)  # type: ignore[arg-type]
    return replace(reading, tiles=(*reading.tiles, *tiles), table=SeenTable((player,)))


def first_answers(hand_input: HandInput) -> dict[str, str]:
    return {question.field: question.choices[0].id for question in hand_input.plan().questions}


PLAIN = first_answers(from_reading(SURE))


def test_without_a_table_nothing_changes() -> None:
    assert PLAIN["riichi"] == "no" and PLAIN["tsumo"] == "ron"
    assert first_answers(from_reading(beside("1z", "9m", "2z"))) == PLAIN


def test_a_turned_tile_alone_puts_riichi_first_and_still_asks() -> None:
    hand_input = from_reading(beside("1z", "9m", "2z", riichi=1, turned=0.8))
    assert hand_input.known["riichi"] == "default" and first_answers(hand_input)["riichi"] == "yes"
    assert any(
        "(9m) lies sideways: was it riichi?" in fact for fact in inferred_facts(hand_input, hand_input.plan())
    )


def test_a_stick_alone_puts_riichi_first_too() -> None:
    hand_input = from_reading(beside("1z", "9m", "2z", stick=True))
    assert first_answers(hand_input)["riichi"] == "yes" and hand_input.known["riichi"] == "default"


def test_a_turned_tile_and_a_stick_answer() -> None:
    hand_input = from_reading(beside("1z", "9m", "2z", riichi=1, turned=0.8, stick=True))
    assert hand_input.known["riichi"] == "seen" and "riichi" not in first_answers(hand_input)
    outcome = scoring.settle(hand_input)
    assert outcome.result is not None and "riichi" in str(outcome.result["yaku"])
    assert any("a riichi stick lies before it" in fact for fact in outcome.to_record()["inferred"])


def test_a_person_takes_it_back() -> None:
    read = beside("1z", "9m", "2z", riichi=1, turned=0.99, stick=True)
    hand_input = from_reading(read).with_facts({"riichi": False})
    assert hand_input.opened.win.riichi is False and hand_input.known["riichi"] == "asked"
    assert not any("riichi" in fact for fact in inferred_facts(hand_input, hand_input.plan()))


@pytest.mark.parametrize(("riichi", "known"), [(1, FactSource.SEEN), (2, None)])
def test_ippatsu_is_over_where_the_river_goes_on(riichi: int, known: FactSource | None) -> None:
    hand_input = from_reading(beside("1z", "9m", "2z", riichi=riichi, turned=0.99))
    assert hand_input.opened.known.get("ippatsu") is known
    question = next(each for each in hand_input.plan().questions if each.field == "riichi")
    assert any("ippatsu" in choice.marks for choice in question.choices) is (known is None)


@pytest.mark.parametrize(("riichi", "known"), [(1, FactSource.SEEN), (0, None)])
def test_riichi_is_not_double_where_other_discards_came_before(riichi: int, known: FactSource | None) -> None:
    hand_input = from_reading(beside("1z", "9m", "2z", riichi=riichi, turned=0.99))
    assert hand_input.opened.known.get("double_riichi") is known


def test_a_wait_in_the_own_river_is_a_self_draw() -> None:
    hand_input = from_reading(beside("1z", "5s", "2z"))
    assert first_answers(hand_input)["tsumo"] == "tsumo" and hand_input.known["tsumo"] == "default"
    assert any("Your river has 5s" in fact for fact in inferred_facts(hand_input, hand_input.plan()))


def marks(hand_input: HandInput) -> set[str]:
    """The rare circumstances that are still asked about."""
    return {
        mark for question in hand_input.plan().questions for one in question.choices for mark in one.marks
    }


RARE = {"tenhou", "chiihou", "renhou", "haitei", "houtei"}


def test_discards_rule_out_the_first_turn_and_the_last_tile() -> None:
    without, hand_input = from_reading(SURE), from_reading(beside("1z", "9m", "2z"))
    assert marks(without) >= RARE and not marks(hand_input) & RARE
    assert {hand_input.known[name] for name in RARE} == {"seen"}
    told = [fact for fact in inferred_facts(hand_input, hand_input.plan()) if "rivers" in fact]
    assert told == ["No win on the first turn or on the last tile: the rivers have 3 discards."]


def test_without_them_the_hand_can_be_worth_less() -> None:
    facts = {"riichi": False, "dora_indicators": ["1z"]}
    reach = [from_reading(read).with_facts(facts).plan().reach for read in (SURE, beside("1z", "9m", "2z"))]
    assert [one and one.high for one in reach] == [48_000, 11_600]


def test_once_it_is_known_how_it_was_won_nothing_special_is_left() -> None:
    facts = {"tsumo": True, "riichi": False}
    asked = [from_reading(read).with_facts(facts).plan() for read in (SURE, beside("1z", "9m", "2z"))]
    assert ["special" in {one.field for one in plan.questions} for plan in asked] == [True, False]


def test_an_open_hand_is_on_no_first_turn_anyway() -> None:
    called = [{"type": "chi", "tiles": "340p", "from": 3}]
    opened = replace(SURE, hand={"concealed": "234m567p2267s", "win_tile": "8s", "melds": called})
    hand_input = from_reading(beside("1z", "9m", "2z", reading=opened))
    assert RARE & hand_input.known.keys() == {"haitei", "houtei"}
    assert "No win on the last tile: the rivers have only 3 discards." in inferred_facts(
        hand_input, hand_input.plan()
    )


def test_long_rivers_leave_the_last_tile_open() -> None:
    hand_input = from_reading(beside(*["1z"] * 17))
    assert RARE & hand_input.known.keys() == {"tenhou", "chiihou", "renhou"}
    assert "No win on the first turn: the rivers have 17 discards." in inferred_facts(
        hand_input, hand_input.plan()
    )


def four_rivers(*lengths: int) -> Reading:
    """A reading with a river of so many discards before each player."""
    reading, players = SURE, list[SeenPlayer]()
    for seat, count in zip(("near", "right", "across", "left"), lengths, strict=True):
        reading = beside(*["1z"] * count, seat=seat, reading=reading)
        assert reading.table is not None
        players += reading.table
    return replace(reading, table=SeenTable(tuple(players)))


@pytest.mark.parametrize(("lengths", "empty"), [((18, 17, 17, 17), True), ((17, 17, 17, 17), False)])
def test_an_empty_wall_puts_the_last_tile_first_and_still_asks(lengths: tuple[int, ...], empty: bool) -> None:
    hand_input = from_reading(four_rivers(*lengths))
    assert hand_input.known.get("haitei") == ("default" if empty else None)
    assert (first_answers(hand_input)["tsumo"] == "haitei") is empty
    told = inferred_facts(hand_input, hand_input.plan())
    assert any("the wall is empty: was it the last tile?" in fact for fact in told) is empty


def test_a_kan_takes_a_tile_off_the_wall() -> None:
    kan = {"concealed": "234m567p2267s", "win_tile": "8s", "melds": [{"type": "ankan", "tiles": "1111z"}]}
    hand_input = from_reading(replace(four_rivers(17, 17, 17, 17), hand=kan))
    assert hand_input.known["haitei"] == "default"


def test_who_says_that_it_was_the_last_tile_is_believed() -> None:
    hand_input = from_reading(beside("1z", "9m", "2z")).with_facts({"haitei": True, "tsumo": True})
    assert hand_input.opened.win.haitei
    assert not any("rivers" in fact for fact in inferred_facts(hand_input, hand_input.plan()))
    assert "haitei" in str(scoring.settle(hand_input).result)


@pytest.mark.parametrize(
    "reading",
    [
        beside("1z", "5s", "2z", turned=0.99, stick=True, sure=0.5),
        beside("1z", "5s", "2z", turned=0.99, stick=True, seat="left"),
        beside("1z", "5s", "2z", turned=0.99, stick=True, reading=replace(SURE, status="incomplete")),
        beside("1z", "5s", "2z", probability=0.6),
    ],
)
def test_what_is_not_sure_or_not_the_winners_says_nothing(reading: Reading) -> None:
    assert first_answers(from_reading(reading)) == PLAIN


def test_an_open_hand_declared_nothing() -> None:
    called = [{"type": "chi", "tiles": "340p", "from": 3}]
    opened = replace(SURE, hand={"concealed": "234m567p2267s", "win_tile": "8s", "melds": called})
    read = beside("1z", "9m", "2z", riichi=1, turned=0.99, stick=True, reading=opened)
    assert "riichi" not in inputs.from_reading(read).known


OPENED = "234m567p2267s + 8s [c340p]"


def test_a_riichi_that_was_seen_ends_where_a_person_says_that_the_hand_was_open() -> None:
    seen = from_reading(beside("1z", "9m", "2z", riichi=1, turned=0.99, stick=True))
    hand_input = seen.corrected("234m567p2267s + 8s [p777z]").with_facts({"tsumo": False})
    assert (
        not {"riichi", "ippatsu", "double_riichi"} & hand_input.known.keys()
        and not hand_input.opened.win.riichi
    )
    outcome = scoring.settle(hand_input)
    assert outcome.problem == "" and outcome.result is not None
    posted = hand_input_of(
        {**seen.record, "melds": hand_input.record["melds"], "known": seen.known}, EMA, "ema2008"
    )
    assert not posted.opened.win.has_riichi and "riichi" not in posted.known


def test_a_riichi_that_a_person_named_is_refused_with_called_sets() -> None:
    seen = from_reading(beside("1z", "9m", "2z", riichi=1, turned=0.99, stick=True))
    hand_input = seen.with_facts({"riichi": True}).corrected(OPENED)
    assert "needs a concealed hand" in scoring.settle(hand_input).problem
    assert hand_input_of({**hand_input.record, "known": hand_input.known}, EMA, "ema2008").opened.win.riichi
    assert seen.corrected("234m340p567p2267s + 8s").known["riichi"] == "seen", "still a closed hand"
