"""Rules overrule pixels where the pixels leave a choice, and only there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorer.tiles import parse_tiles
from vision.arrays import Array
from vision.decode import Choices, Decoded, decodings, sets_unseen, waiting
from vision.habits import HABITS, DecodeHabits
from vision.labels import CLASSES
from vision.record import hand_record
from vision.table import Layout, MeldSeen, Terms
from vision.verdict import judge


def believe(labels: str, **doubts: str) -> Array:
    """Sure labels, but for ``t3="7p:0.3"``: tile 3 is 7p with probability 0.3, its label has the rest."""
    names = labels.split()
    table = np.full((len(names), len(CLASSES)), 1e-7)
    for row, name in zip(table, names, strict=True):
        row[CLASSES.index(name)] = 0.999
    for key, doubt in doubts.items():
        other, chance = doubt.split(":")
        place = int(key[1:])
        table[place, CLASSES.index(names[place])] = 0.999 - float(chance)
        table[place, CLASSES.index(other)] = float(chance)
    return table


def closed(count: int, win: int | None = None, melds: tuple[MeldSeen, ...] = ()) -> Layout:
    """A layout of ``count`` closed tiles, then the melds' tiles."""
    total = count + sum(len(meld.tiles) for meld in melds)
    return Layout(
        closed=tuple(i for i in range(count) if i != win), win=win, melds=melds,
        turns=(0,) * total, sideways=(False,) * total,
        upside_down=(False,) * total, terms=Terms(),
    )  # fmt: skip


def decode(probabilities: Array, layout: Layout, habit: DecodeHabits = HABITS.decode) -> Decoded:
    """The likeliest of all."""
    return decodings(Choices.of(probabilities, habit), layout)[0]


FINISHED = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 3s 3s"


def test_a_finished_hand_stays() -> None:
    result = decode(believe(FINISHED), closed(14, win=13))
    assert list(result.labels) == FINISHED.split()
    assert result.legal and not result.overruled and not result.unsure and result.loss == 0


def test_a_likely_misreading_is_overruled() -> None:
    result = decode(believe(FINISHED.replace("5p", "8p"), t4="5p:0.1"), closed(14, win=13))
    assert list(result.labels) == FINISHED.split()
    assert result.overruled == (4,)
    assert result.loss == pytest.approx(np.log(0.899 / 0.1))


def test_a_confident_illegal_hand_stays_illegal() -> None:
    wrong = FINISHED.replace("5p", "8p")
    result = decode(believe(wrong), closed(14, win=13))
    assert list(result.labels) == wrong.split()
    assert not result.legal and not result.overruled


def test_two_tiles_are_repaired_by_the_cheapest_way() -> None:
    wrong = FINISHED.replace("5p", "8p").replace("9s", "1s")
    result = decode(believe(wrong, t4="5p:0.3", t8="9s:0.3"), closed(14, win=13))
    assert list(result.labels) == FINISHED.split()
    assert result.overruled == (4, 8)


def test_what_is_unsure_in_a_hand_that_is_none_is_to_be_checked() -> None:
    unsure = believe(FINISHED.replace("5p", "8p"), t4="7p:0.45")
    assert decode(unsure, closed(14, win=13)).unsure == (4,)
    assert decode(believe(FINISHED, t4="0p:0.45"), closed(14, win=13)).unsure == ()


def test_what_is_seen_surely_is_not_overruled() -> None:
    """.93 of a face is the most that a finished hand can be worth."""
    wrong = FINISHED.replace("5p", "8p")
    assert decode(believe(wrong, t4="5p:0.08"), closed(14, win=13)).legal
    assert not decode(believe(wrong, t4="5p:0.06"), closed(14, win=13)).legal


def test_what_the_pixels_say_is_an_answer_too() -> None:
    wrong = FINISHED.replace("5p", "8p")
    by_rule, by_pixels = decodings(Choices.of(believe(wrong, t4="5p:0.3")), closed(14, win=13))
    assert by_rule.legal and by_rule.labels[4] == "5p"
    assert not by_pixels.legal and list(by_pixels.labels) == wrong.split() and by_pixels.loss == 0


def test_hands_that_are_as_likely_come_one_by_one() -> None:
    answers = decodings(
        Choices.of(believe(FINISHED, t4="0p:0.45", t12="1s:0.3", t13="1s:0.3")), closed(14, win=13)
    )
    assert [(each.labels[4], each.labels[12]) for each in answers] == [
        ("5p", "3s"),
        ("0p", "3s"),
        ("5p", "1s"),
    ]
    assert [each.loss for each in answers] == sorted(each.loss for each in answers)


def test_a_second_red_five_is_no_red_five() -> None:
    labels = "0m 0m 5m 4p 5p 6p 7s 8s 9s 2z 2z 2z 3s 3s"
    result = decode(believe(labels, t1="5m:0.2"), closed(14))
    assert result.labels[:3] == ("0m", "5m", "5m")
    allowed = decode(believe(labels, t1="5m:0.2"), closed(14), DecodeHabits(reds=2))
    assert allowed.labels[:2] == ("0m", "0m")


def test_a_pon_has_three_alike() -> None:
    meld = MeldSeen("pon", (11, 12, 13), 3)
    tiles = believe("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2p 2p 4p", t13="2p:0.08")
    result = decode(tiles, closed(11, melds=(meld,)))
    assert result.labels[11:] == ("2p", "2p", "2p")
    assert result.overruled == (13,)


def test_an_ankan_counts_what_lies_face_down() -> None:
    meld = MeldSeen("ankan", (11, 12, 13, 14), None)
    labels = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2p 2p back 5p 5p back"
    result = decode(believe(labels, t12="8p:0.2", t13="8p:0.2"), closed(11, melds=(meld,)))
    assert result.labels[12:14] == ("8p", "8p")  # four 5p and the one in the row would be five
    assert result.labels[11] == result.labels[14] == "back"


@pytest.mark.parametrize(
    ("seen", "doubts", "told"),
    [
        # White backs look like white dragons, and hardly like backs; no back looks like a red dragon.
        ("7z 5z 5z 7z", {"t11": "back:0.004", "t12": "back:0.002", "t13": "back:0.002"}, "7z back back 7z"),
        ("5z 3p 3p 5z", {"t12": "back:0.004", "t13": "back:0.004"}, "back 3p 3p back"),
        ("back 5z 5z back", {}, "back 5z 5z back"),  # four white dragons, two of them face down
        ("5z back back 5z", {}, "5z back back 5z"),
    ],
)
def test_a_face_that_has_a_print_lies_not_face_down(seen: str, doubts: dict[str, str], told: str) -> None:
    meld = MeldSeen("ankan", (11, 12, 13, 14), None)
    tiles = believe(f"1m 2m 3m 4p 5p 6p 7s 8s 9s 2p 2p {seen}", **doubts)
    assert decode(tiles, closed(11, melds=(meld,))).labels[11:] == tuple(told.split())


def test_a_back_within_the_row_is_a_white_dragon() -> None:
    labels = FINISHED.replace("2z", "5z").split()
    labels[10] = "back"
    result = decode(believe(" ".join(labels), t10="5z:0.001"), closed(14, win=13))
    assert result.labels[10] == "5z" and result.overruled == (10,)


def test_thirteen_tiles_need_not_wait() -> None:
    labels = "1m 4m 7m 1p 4p 7p 1s 4s 7s 1z 2z 3z 4z"
    result = decode(believe(labels), closed(13))
    assert list(result.labels) == labels.split()
    assert waiting(closed(13), labels.split()) == ()


def test_waits_leave_out_what_the_hand_holds_four_of() -> None:
    def wait(text: str) -> tuple[str, ...]:
        return waiting(closed(13), [str(tile) for tile in parse_tiles(text)])

    assert wait("06788m2340s6s567p") == ("1s", "4s", "7s")
    assert wait("111123s456m789p2z") == ("2z",)
    assert wait("123456m789p1111s") == ()


@pytest.mark.parametrize(
    ("text", "melds", "count"),
    [
        ("123m456p789s22z111z", 0, 0),  # a whole hand
        ("123m456p789s22z", 0, 1),
        ("123m456p22z", 0, 2),
        ("22z", 0, 0),  # any two alike are
        ("123m456p22z", 1, 1),
        ("123m456p22z", 2, 0),
        ("123m456p22z", 3, 0),
        ("123m456p789s2z", 0, 0),  # it waits
        ("123m456p778s22z", 0, 0),
        ("1122m3344p55s66z", 0, 0),  # pairs are no sets
        ("123m456p789s22z+back", 0, 0),
    ],
)
def test_where_sets_were_not_seen_the_rest_is_whole(text: str, melds: int, count: int) -> None:
    shown, _, back = text.partition("+")
    labels = [*map(str, parse_tiles(shown)), *([back] if back else ())]
    first = len(labels)
    sets = tuple(MeldSeen("pon", (at, at + 1, at + 2), 1) for at in range(first, first + 3 * melds, 3))
    assert sets_unseen(closed(first, melds=sets), [*labels, *["7z"] * 3 * melds]) == count


def test_a_tile_too_many_is_told_where_none_is_the_winning_tile() -> None:
    tiles = believe(FINISHED + " 8p")
    fifteen = replace(closed(14), turns=(0,) * 15, spare=(14,))
    status, message = judge(fifteen, decode(tiles, fifteen))
    assert status == "incomplete"
    assert message.startswith("15 tiles, but a finished hand has 14") and "8p" in message
    won = replace(closed(14, win=13), turns=(0,) * 15, spare=(14,))
    assert judge(won, decode(tiles, won)) == ("ok", "")


def test_record_of_a_hand_with_melds() -> None:
    melds = (MeldSeen("chi", (7, 8, 9), 3), MeldSeen("ankan", (10, 11, 12, 13), None))
    layout = replace(closed(7, melds=melds), dora=(14,))
    labels = ["1m", "2m", "3m", "4p", "5p", "2z", "2z", "4s", "3s", "0s", "back", "0m", "5m", "back", "3z"]
    record, known = hand_record(layout, labels, overruled=(3,))
    assert record == {
        "concealed": "123m45p22z",
        "melds": [
            {"type": "chi", "tiles": "340s", "from": 3},
            {"type": "ankan", "tiles": "0555m", "from": None},
        ],
        "dora_indicators": ["3z"],
    }
    assert known == {"concealed": "inferred", "melds": "inferred", "dora_indicators": "seen"}


def test_record_keeps_an_open_winning_tile_among_the_concealed() -> None:
    record, known = hand_record(closed(14), FINISHED.split(), ())
    assert record == {"concealed": "123m456p789s222z33s", "melds": []}
    assert known == {"concealed": "seen", "melds": "seen"}
    assert hand_record(closed(0), [], ()) == (None, {})
