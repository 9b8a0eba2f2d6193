"""Scenes decoded by rules alone, from probabilities that are made up."""

from __future__ import annotations

import numpy as np

from scorer.tiles import parse_tiles
from vision.detections import ROLES, Detections
from vision.labels import FACES, WITH_FOREIGN
from vision.scene.decode import HandReading, decode
from vision.scene.judge import message

SURE = 6.0


class Table:
    """Tiles laid one by one, each with its role, player and set; what the scene model would say of them."""

    def __init__(self) -> None:
        self.faces: list[dict[str, float]] = []
        self.roles: list[dict[str, float]] = []
        self.players: list[int] = []
        self.sets: list[int] = []
        self.finished: list[float] = []

    def lay(
        self, tiles: str, role: str = "hand", player: int = 0, number: int = -1, finished: float = SURE,
        also: dict[str, float] | None = None,
    ) -> Table:  # fmt: skip
        """Tiles that surely have a role; ``also``: logits of other roles, the sure one has 6."""
        for tile in parse_tiles(tiles):
            self.put(str(tile), {role: SURE} | (also or {}), player, number, finished)
        return self

    def put(
        self, face: str | dict[str, float], role: dict[str, float], player: int = 0, number: int = -1,
        finished: float = SURE,
    ) -> Table:  # fmt: skip
        """One tile with logits of faces and roles."""
        self.faces.append({face: SURE + 2} if isinstance(face, str) else face)
        self.roles.append(role)
        self.players.append(player)
        self.sets.append(number)
        self.finished.append(finished)
        return self

    def detections(self) -> Detections:
        count = len(self.faces)
        faces = np.zeros((count, len(WITH_FOREIGN)), np.float32)
        roles = np.zeros((count, len(ROLES)), np.float32)
        for i in range(count):
            for name, value in self.faces[i].items():
                faces[i, WITH_FOREIGN.index(name)] = value
            for name, value in self.roles[i].items():
                roles[i, ROLES.index(name)] = value
        players, sets = np.array(self.players), np.array(self.sets)
        same_player = np.where(players[:, None] == players, SURE, -SURE)
        same_set = np.where((sets[:, None] == sets) & (sets >= 0) & (same_player > 0), SURE, -SURE)
        quads = np.zeros((count, 4, 2), np.float32)
        quads += np.array([[0, 0], [20, 0], [20, 27], [0, 27]]) + 21 * np.arange(count)[:, None, None] * [
            1,
            0,
        ]
        return Detections(
            quads, np.ones(count, np.float32), faces=_log_softmax(faces), roles=_log_softmax(roles),
            finished=np.array(self.finished, np.float32),
            same_player=same_player.astype(np.float32), same_set=same_set.astype(np.float32),
        )  # fmt: skip

    def read(self, *, framed: bool = False) -> list[HandReading]:
        return [each.best for each in decode(self.detections(), framed=framed).players]


def _log_softmax(logits: np.ndarray) -> np.ndarray:
    return np.asarray(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True), np.float32)


def text(reading: HandReading) -> str:
    """Concealed faces in order, and the called sets."""
    concealed = " ".join(sorted(FACES[face] for _, face in reading.concealed))
    sets = sorted("".join(sorted(FACES[face] for face in each.faces)) for each in reading.called)
    return " | ".join([concealed, *sets])


def test_a_hand_with_its_winning_tile() -> None:
    (hand,) = Table().lay("123m456p789s1112z").lay("2z", "win").read()
    assert hand.finished and hand.win == 13
    assert text(hand) == "1m 1z 1z 1z 2m 2z 2z 3m 4p 5p 6p 7s 8s 9s"


def test_one_winning_tile_where_two_look_like_it() -> None:
    table = Table().lay("123m456p789s11z")
    table.put("1z", {"hand": 3.0, "win": 3.5}).put("2z", {"hand": 2.0, "win": 4.0}).lay("2z")
    (hand,) = table.read()
    assert hand.finished and hand.win == 12
    players = decode(table.detections(), framed=False).players
    assert any(other.win == 11 for other in players[0].readings[1:])


def test_no_winning_tile_where_none_is_set_apart() -> None:
    (hand,) = Table().lay("123m456p789s11122z").read()
    assert hand.finished and hand.win is None
    assert message(hand, ()) == (
        "incomplete", "No tile is set apart or turned: say which one is the winning tile."
    )  # fmt: skip


def test_called_sets_and_a_closed_kan() -> None:
    table = Table().lay("456p22z").lay("7z", "win").lay("77z").lay("123m", "called", number=0)
    for face in ("back", "5s", "5s", "back"):
        table.put(face, {"called": SURE}, number=1)
    (hand,) = table.read()
    assert hand.finished and [each.hidden for each in hand.called].count(True) == 1
    assert text(hand) == "2z 2z 4p 5p 6p 7z 7z 7z | 1m2m3m | 5s5s5s5s"


def test_a_closed_kan_of_which_one_back_was_not_seen() -> None:
    table = Table().lay("22z456p22p").lay("7z", "win").lay("77z").lay("2p")
    for face in ({"5s": SURE}, {"5s": SURE}, {"back": SURE}):
        table.put(face, {"called": SURE}, number=1)
    (hand,) = table.read()
    (kan,) = hand.called
    assert hand.finished and kan.is_kan and [FACES[face] for face in kan.unseen] == ["5s"]


def test_three_whites_of_which_one_looks_like_a_back_are_a_pon() -> None:
    for last, kan in (({"5z": 3.0, "back": 4.0}, False), ({"back": SURE}, True)):
        table = Table().lay("22z456p22p").lay("7z", "win").lay("77z").lay("2p")
        for face in ({"5z": SURE}, {"5z": SURE}, last):
            table.put(face, {"called": SURE}, number=1)
        (hand,) = table.read()
        assert hand.finished and [each.is_kan for each in hand.called] == [kan]


def test_the_unseen_tile_of_a_kan_is_one_of_the_four_there_are() -> None:
    table = Table().lay("22z56s456p222p").lay("7s", "win")
    for face in ({"5s": SURE}, {"5s": SURE}, {"back": SURE}):
        table.put(face, {"called": SURE}, number=1)
    assert not any(hand.finished for hand in table.read())


def test_a_face_that_the_rules_forbid_gives_way() -> None:
    table = Table().lay("123m456p78s11122z")
    table.put({"6p": 4.0, "9s": 2.0}, {"win": SURE})
    (hand,) = table.read()
    assert hand.finished and "9s" in text(hand)


def test_a_hand_of_thirteen_is_not_finished_by_a_tile_of_a_river() -> None:
    table = Table().lay("123m456p789s1112z", finished=-SURE)
    table.lay("2z", "river", player=7, finished=-SURE)
    hands = table.read()
    assert not hands[0].finished and hands[0].size == 13


def test_what_is_no_hand_is_none_of_fourteen_tiles() -> None:
    (hand,) = Table().lay("123m456p789s1112z3z", finished=-3.0).read()
    assert not hand.finished and hand.size == 14
    assert message(hand, ())[1] == "14 tiles, but they make no finished hand."


def test_two_players_have_finished() -> None:
    table = Table().lay("123m456p789s1112z").lay("2z", "win")
    table.lay("234m567p345s4446z", player=1).lay("6z", "win", player=1)
    hands = table.read()
    assert [hand.finished for hand in hands] == [True, True]
    assert {text(hand) for hand in hands} == {
        "1m 1z 1z 1z 2m 2z 2z 3m 4p 5p 6p 7s 8s 9s", "2m 3m 3s 4m 4s 4z 4z 4z 5p 5s 6p 6z 6z 7p"
    }  # fmt: skip


def test_a_whole_hand_comes_before_two_that_look_like_a_larger_one() -> None:
    table = Table().lay("147m258p36s12z14s77z", finished=-SURE)
    whole, larger = table.lay("1234567m19p25s36z", finished=-SURE, player=1).read()
    assert (whole.size, larger.size) == (13, 14)


def test_whose_hand_is_full_has_no_tiles_of_another() -> None:
    """A hand of fourteen takes no called set that lies near, though both look like one player's."""
    table = Table().lay("19m19p19s1234567z").lay("9m", "win").lay("678p", "called", number=0)
    hands = decode(table.detections(), framed=False)
    assert hands.players[0].best.size == 14 and hands.players[0].best.finished and not hands.is_heap
    heap = Table().lay("123456789m123456789p12345z", finished=-SURE)
    assert decode(heap.detections(), framed=False).is_heap


def test_a_fourteenth_tile_that_is_not_sure_is_left_out_of_a_hand_that_is_not_finished() -> None:
    for odds, size in ((1.0, 13), (5.0, 14)):
        table = Table().lay("147m258p36s12z777z", finished=-SURE)
        (hand,) = table.put("4z", {"hand": SURE, "none": SURE - odds}, finished=-SURE).read()
        assert hand.size == size


def test_nothing_is_in_anyones_hand() -> None:
    assert Table().lay("123m456p", "river").read() == []


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
    table = Table().lay("123m456p789s1112z", finished=-2 * SURE)
    table.put("2z", {"hand": 1.0, "none": 0.5}, finished=-2 * SURE)
    (hand,) = table.read()
    assert not hand.finished and hand.size == 13
    table = Table().lay("1123m456p789s111z", finished=-2 * SURE)
    table.put({"1m": 2.0, "4m": 1.8}, {"hand": SURE}, finished=-2 * SURE)
    assert not any(hand.finished or (hand.size == 14 and "4m" not in text(hand)) for hand in table.read())


def test_an_unfinished_hand_has_14_tiles_at_most() -> None:
    (hand,) = Table().lay("13579m2468p13579s2z", finished=-SURE).read()
    assert not hand.finished and hand.size == 14


def test_finished_is_settled_by_all_ways_together() -> None:
    table = Table().lay("123m456p789s111z", finished=-0.8)
    for _ in range(2):
        table.put("2z", {"hand": 3.0, "win": 3.0, "none": 2.2}, finished=-0.8)
    (player,) = decode(table.detections(), framed=False).players
    likeliest = max(player.readings, key=lambda each: each.score)
    assert player.best.finished and not likeliest.finished and player.odds < 0


def test_a_hand_that_is_rather_another_is_not_scored() -> None:
    (hand,) = Table().lay("123m456p789s1112z").lay("2z", "win").read()
    assert message(hand, (), 0.1)[0] == "ok"
    status, why = message(hand, (), -0.1)
    assert status == "incomplete" and "region" in why


def test_a_hand_that_is_found_in_two_ways_counts_once() -> None:
    table = Table().lay("99m3344p22s115z").lay("5z", "win")
    for _ in range(2):
        table.put({"8p": 5.0, "4s": 4.8}, {"hand": SURE})
    (player,) = decode(table.detections(), framed=False).players
    said = [each.says for each in player.readings]
    assert "8p 8p" in text(player.best) and len(said) == len({*said})
    assert player.odds > 0, "each of the two tiles changed in turn makes the one other hand"


def test_there_are_no_more_red_fives_than_a_set_has() -> None:
    table = Table().lay("46m789p789s222z").lay("5m", "win")
    for _ in range(2):
        table.put({"5m": 5.0, "0m": 5.4}, {"hand": SURE})
    (player,) = decode(table.detections(), framed=False).players
    assert "0m" in text(player.best)
    assert max(text(each).count("0m") for each in player.readings) == 1


def test_five_of_a_kind_are_no_hand() -> None:
    (hand,) = Table().lay("11122222m345p678s").read()
    assert not hand.finished


def test_a_tile_that_is_not_surely_an_indicator_is_in_question() -> None:
    table = Table().lay("123m456p789s1112z").lay("2z", "win")
    table.put("3s", {"dora": 5.0, "none": 4.8, "river": 4.8}, player=9, finished=-SURE)
    table.put("4s", {"dora": 5.0, "ura": 5.2, "none": 5.0}, player=9, finished=-SURE)
    table.put("5s", {"dora": 4.0, "none": 6.0}, player=9, finished=-SURE)
    table.put("6s", {"ura": 9.0, "none": 4.0}, player=9, finished=-SURE)
    scene = decode(table.detections(), framed=False)
    assert scene.dora == () and [tile for tile, _ in scene.ura] == [17]
    assert [(tile, FACES[face]) for tile, face in scene.unsure] == [(14, "3s"), (15, "4s")]


def test_indicators_are_no_tiles_of_the_hand() -> None:
    table = Table().lay("123m456p789s1112z").lay("2z", "win").lay("3s", "dora", player=9, finished=-SURE)
    scene = decode(table.detections(), framed=False)
    assert scene.players[0].best.finished
    assert [(tile, FACES[face]) for tile, face in scene.dora] == [(14, "3s")]
