"""Scenes decoded by rules alone, from probabilities that are made up."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.scene.scripted_table import SURE, Table
from vision.labels import FACES
from vision.scene.decode import HandReading, decode
from vision.scene.judge import status_and_message

OPEN = "not finished"


def text(reading: HandReading) -> str:
    """Concealed faces in order, and the called sets."""
    concealed = " ".join(sorted(FACES[face] for _, face in reading.concealed))
    sets = sorted("".join(sorted(FACES[face] for face in each.faces)) for each in reading.called)
    return " | ".join([concealed, *sets])


def test_one_winning_tile_where_two_look_like_it() -> None:
    table = Table().lay("123m456p789s11z")
    table.put("1z", {"hand": 3.0, "win": 3.5}).put("2z", {"hand": 2.0, "win": 4.0}).lay("2z")
    (hand,) = table.read()
    assert hand.finished and hand.win == 12
    players = decode(table.detections(), framed=False).players
    assert any(other.win == 11 for other in players[0].readings[1:])


def test_with_four_kans_lying_open_all_four_are_weighed() -> None:
    """Also the one that is less sure than any three tiles of the others, which look like sets, too."""
    table = Table().lay("2z").lay("2z", "win")
    for number, face in enumerate(("1m", "5p", "9s")):
        table.call(*[face] * 4, number=number)
    for _ in range(4):
        table.put({"7z": 5.0, "6z": 4.0}, {"called": 4.0}, number=3)
    (hand,) = table.read()
    assert hand.finished and [each.is_kan for each in hand.called] == [True] * 4
    assert len(hand.tiles) == 18 and hand.size == 14


def test_a_kan_of_which_a_tile_is_hardly_read_is_no_triplet() -> None:
    table = Table().lay("123m456p789s2z").lay("2z", "win").call("5z", "5z", "5z")
    found = table.put({"5z": 4.0, "1p": 4.5}, {"called": 4.0, "wall": 3.0}, number=0).detections()
    found.quads[11] = np.roll(found.quads[11], 1, axis=0)  # one of them lies on its side
    assert [each.is_kan for each in decode(found, framed=False).players[0].best.called] == [True]


@pytest.mark.parametrize(
    ("table", "size", "win"),
    [
        (Table().lay("123m456p789s1112z").lay("2z", "win"), 14, 13),
        (Table().lay("123m456p789s11122z"), 14, None),
        # 13 tiles are not finished by a tile of a river, nor by one that is hardly theirs.
        (Table().lay("123m456p789s1112z").lay("2z", "river", player=7), 13, OPEN),
        (Table().lay("123m456p789s1112z").put("2z", {"hand": SURE, "none": SURE - 0.5}), 14, None),
        (Table().lay("123m456p789s1112z").put("2z", {"hand": SURE, "none": SURE + 5.0}), 13, OPEN),
        # A fourteenth tile that is not sure is left out of a hand that is not finished.
        (Table().lay("147m258p36s12z777z").put("4z", {"hand": SURE, "none": SURE - 1.0}), 13, OPEN),
        (Table().lay("147m258p36s12z777z").put("4z", {"hand": SURE, "none": SURE - 5.0}), 14, OPEN),
        # A hand that is not finished has 14 tiles at most; five of a kind are none.
        (Table().lay("13579m2468p13579s2z"), 14, OPEN),
        (Table().lay("123m456p789s1112z3z"), 14, OPEN),
        (Table().lay("11122222m345p678s"), 14, OPEN),
        # Of four kinds of tile there are four each: a kan's unseen one among them.
        (Table().lay("22z56s456p222p").lay("7s", "win").call("5s", "5s", "back"), 13, OPEN),
        # A hand of fourteen takes no called set that lies near, though both look like one player's.
        (Table().lay("19m19p19s1234567z").lay("9m", "win").lay("678p", "called", number=0), 14, 13),
    ],
)
def test_what_is_a_hand_and_whether_it_is_finished(table: Table, size: int, win: int | str | None) -> None:
    hand, *others = table.read()
    assert hand.size == size and hand.finished == (win != OPEN)
    assert not hand.finished or hand.win == win
    assert not any(other.finished for other in others)


def test_two_players_have_finished() -> None:
    table = Table().lay("123m456p789s1112z").lay("2z", "win")
    table.lay("234m567p345s4446z", player=1).lay("6z", "win", player=1)
    hands = table.read()
    assert [hand.finished for hand in hands] == [True, True]
    assert {text(hand) for hand in hands} == {
        "1m 1z 1z 1z 2m 2z 2z 3m 4p 5p 6p 7s 8s 9s", "2m 3m 3s 4m 4s 4z 4z 4z 5p 5s 6p 6z 6z 7p"
    }  # fmt: skip


def test_a_whole_hand_comes_before_two_that_look_like_a_larger_one() -> None:
    table = Table().lay("147m258p36s12z14s77z")
    whole, larger = table.lay("1234567m19p25s36z", player=1).read()
    assert (whole.size, larger.size) == (13, 14)


def test_two_hands_that_are_too_large_to_be_one_are_kept_apart() -> None:
    """Fourteen tiles in an arc, whose ends look like two players', and another's called sets beside them, of
    which each tile looks a little like the same player's."""
    table = Table().lay("19m19p19s1234567z").lay("9m", "win")
    table.lay("678p", "called", 1, number=0).lay("444s", "called", 1, number=1)
    found = table.detections()
    assert found.same_player is not None
    along = np.arange(14, dtype=np.float32)
    same = np.maximum(found.same_player, 0.5)
    same[:14, :14] = 6 - 0.7 * np.abs(along[:, None] - along)
    mine, theirs = decode(found.with_arrays(same_player=same), framed=False).players
    assert mine.best.finished and {*mine.best.tiles} == {*range(14)}
    assert {*theirs.best.tiles} == {*range(14, 20)} and len(theirs.best.called) == 2


def test_within_a_frame_all_is_one_hand() -> None:
    table = Table().lay("123m456p").lay("789s1112z", player=1).lay("2z", "win", player=1)
    assert not any(hand.finished for hand in table.read())
    (hand,) = table.read(framed=True)
    assert hand.finished and hand.size == 14


def test_within_a_frame_a_face_is_in_the_hand_unless_that_is_impossible() -> None:
    table = Table().lay("123m456p789s111z").lay("2z", "ura", player=5).lay("2z", "win")
    assert not any(hand.finished for hand in table.read())
    (hand,) = table.read(framed=True)
    assert hand.finished and 12 in hand.tiles
    (hand,) = table.lay("9p", "dora", player=6).read(framed=True)
    assert hand.finished and 14 not in hand.tiles


def test_what_is_not_finished_is_not_told_as_a_finished_hand() -> None:
    """Beside a finished hand stands what its tiles are if it is none: one of them another."""
    table = Table().lay("1123m456p789s111z").put({"1m": 8.0, "4m": 7.8}, {"hand": SURE})
    (player,) = decode(table.detections(), framed=False).players
    (open_,) = (each for each in player.readings if not each.finished)
    assert player.best.finished and "4m" in text(open_)


def may_be_finished(none: float) -> Table:
    """Twelve tiles and the pair that finishes them, each of which may be nothing, too."""
    table = Table().lay("123m456p789s111z")
    for _ in range(2):
        table.put("2z", {"hand": 3.0, "win": 3.0, "none": none})
    return table


def test_finished_is_settled_by_all_ways_together() -> None:
    (player,) = decode(may_be_finished(4.6).detections(), framed=False).players
    likeliest = max(player.readings, key=lambda each: each.score)
    assert player.best.finished and not likeliest.finished and player.odds < 0


def test_a_hand_that_is_hardly_finished_comes_after_another_players_thirteen_tiles() -> None:
    for none, first in ((3.0, True), (4.6, False)):
        hands = may_be_finished(none).lay("147m258p36s12347z", player=1).read()
        assert [hand.finished for hand in hands] == [first, not first]
        assert sorted(hand.size for hand in hands) == [13, 14]


@pytest.mark.parametrize(
    ("tiles", "win", "odds", "status", "why"),
    [
        ("123m456p789s1112z", "2z", 0.1, "ok", ""),
        ("123m456p789s1112z", "2z", -0.1, "incomplete", "frame it"),  # rather another
        ("123m456p789s11122z", "", 0.1, "incomplete", "say which one is the winning tile"),
        ("123m456p789s1112z3z", "", 0.1, "incomplete", "14 tiles, but they make no finished hand."),
    ],
)
def test_a_hand_is_scored_or_a_message_says_why_not(
    tiles: str, win: str, odds: float, status: str, why: str
) -> None:
    (hand,) = Table().lay(tiles).lay(win, "win").read()
    told = status_and_message(hand, (), odds, odds)
    assert told[0] == status and why in told[1]
    told = status_and_message(hand, (), odds, 0.1)  # which tile won is all that is not sure
    why = why.replace("frame it", "say which one is the winning tile")
    assert told[0] == status and why in told[1]


def test_a_hand_that_is_found_in_two_ways_counts_once() -> None:
    table = Table().lay("99m3344p22s115z").lay("5z", "win")
    for _ in range(2):
        table.put({"8p": 5.0, "4s": 4.8}, {"hand": SURE})
    (player,) = decode(table.detections(), framed=False).players
    said = [each.content for each in player.readings]
    assert "8p 8p" in text(player.best) and len(said) == len({*said})
    assert player.odds > 0, "each of the two tiles changed in turn makes the one other hand"


def test_a_tile_that_is_not_surely_an_indicator_is_in_question() -> None:
    table = Table().lay("123m456p789s1112z").lay("2z", "win")
    table.put("3s", {"dora": 5.0, "none": 4.8, "river": 4.8}, player=9)
    table.put("4s", {"dora": 5.0, "ura": 5.2, "none": 5.0}, player=9)
    table.put("5s", {"dora": 4.0, "none": 6.0}, player=9)
    table.put("6s", {"ura": 9.0, "none": 4.0}, player=9)
    scene = decode(table.detections(), framed=False)
    assert scene.dora == () and [tile for tile, _ in scene.ura] == [17]
    assert [(tile, FACES[face]) for tile, face in scene.possible_indicators] == [(14, "3s"), (15, "4s")]


def test_a_called_set_has_a_tile_that_lies_on_its_side() -> None:
    table = Table().lay("123m456p789s2z").lay("2z", "win").lay("123p", "called", number=0, also={"hand": 5.4})
    upright = table.detections()
    turned = upright.quads.copy()
    turned[-1] = np.roll(turned[-1], 1, axis=0)
    for found, count in ((upright, 0), (upright.with_arrays(quads=turned), 1)):
        (player,) = decode(found, framed=False).players
        assert player.best.finished and len(player.best.called) == count


def test_a_called_tile_that_may_be_another_is_weighed() -> None:
    """A five that may be red, and the end of a run that may be its other end."""
    table = Table().lay("456p789s22z").lay("7z", "win").lay("77z")
    table.call({"5m": 3.0, "0m": 2.0}, "6m", {"7m": 3.0, "4m": 2.5})
    (player,) = decode(table.detections(), framed=False).players
    (run,) = player.best.called
    others = {FACES[face] for each in player.readings for one in each.called for face in one.faces}
    assert [FACES[face] for face in run.faces] == ["5m", "6m", "7m"]
    assert {"0m", "4m"} <= others and player.odds < 1


def test_another_face_leaves_the_winning_tile_where_it_is() -> None:
    table = (
        Table().lay("46m456p789s22z").put({"5m": 3.0, "0m": 2.5}, {"hand": SURE}).lay("7z", "win").lay("77z")
    )
    (player,) = decode(table.detections(), framed=False).players
    red = next(each for each in player.readings if FACES.index("0m") in each.faces.values())
    assert red.win == player.best.win
