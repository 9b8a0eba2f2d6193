"""Several shots of one hand: what the others add to the best one, and when they are left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scorer.tiles import format_tiles, parse_tiles
from tehai.web.merge import merge
from tests.tehai.web.fakes import HAND, reading, seen
from vision.reading import Doubt, Reading, SeenTile


def shot(*tiles: SeenTile, status: str = "incomplete", melds: list[dict[str, Any]] | None = None) -> Reading:
    """A reading whose record follows from the roles of its tiles."""
    by_role: dict[str, list[str]] = {}
    for tile in tiles:
        by_role.setdefault(tile.role, []).append(tile.label)
    hand: dict[str, Any] = {"concealed": format_tiles(parse_tiles("".join(by_role.get("hand", []))))}
    hand["melds"] = melds or []
    known = {"concealed": "seen", "melds": "seen"}
    if "win" in by_role:
        hand["win_tile"], known["win_tile"] = by_role["win"][0], "seen"
    if "dora" in by_role:
        hand["dora_indicators"], known["dora_indicators"] = by_role["dora"], "seen"
    return Reading("", 800, 600, tiles, hand, known, status, "" if status == "ok" else "No hand.")


def row(*labels: str, **instead: SeenTile) -> list[SeenTile]:
    """The tiles of a row; ``t3`` is another one for the tile at 3."""
    return [instead.get(f"t{at}", seen(label, at)) for at, label in enumerate(labels)]


WON = seen("8s", 15, "win")


def test_one_shot_is_itself() -> None:
    merged = merge([reading()])
    assert merged.reading == reading() and merged.base == 0 and not merged.unlike
    assert set(merged.shots) == {0} and len(merged.shots) == 14


def test_two_sights_of_a_tile_make_it_surer() -> None:
    doubtful = seen("3p", 3, probability=0.7, other="2p")
    merged = merge([shot(*row(*HAND, t3=doubtful), WON, status="ok"), shot(*row(*HAND, t3=doubtful), WON)])
    tile = merged.reading.tiles[3]
    assert tile.label == "3p" and tile.probability > 0.9
    assert merged.reading.hand == shot(*row(*HAND), WON).hand


def test_the_surer_sight_corrects_a_tile() -> None:
    misread = seen("2p", 3, probability=0.55, other="3p")
    blurred = shot(*row(*HAND, t3=misread), WON)
    sharp = shot(*row(*HAND[:-1]), WON)  # sees 3p well, but not the last tile
    merged = merge([blurred, sharp])
    assert merged.base == 0 and merged.reading.tiles[3].label == "3p"
    assert merged.reading.hand is not None and merged.reading.hand["concealed"] == "234m340567p2267s"
    assert merged.reading.status == "ok" and merged.reading.message == ""


def test_a_finished_hand_is_not_spoilt() -> None:
    sure_of_nonsense = seen("9p", 3, probability=0.999, other="3p")
    finished = shot(*row(*HAND, t3=seen("3p", 3, probability=0.6, other="9p")), WON, status="ok")
    merged = merge([finished, shot(*row(*HAND, t3=sure_of_nonsense), WON)])
    assert replace(merged.reading, doubts=()) == finished and not merged.unlike
    assert [doubt.instead for doubt in merged.reading.doubts] == [{"label": "9p"}]


def test_a_meld_and_indicators_from_another_shot() -> None:
    closed = row(*HAND[:10])
    pon = [replace(seen("7z", at), role="meld:0") for at in range(3)]
    meld = {"type": "pon", "tiles": "777z", "from": 2}
    dora = seen("1m", 5, "dora")
    merged = merge([shot(*closed, WON), shot(*closed[4:], *pon, dora, melds=[meld])])
    hand = merged.reading.hand
    assert hand is not None and hand["melds"] == [meld] and hand["dora_indicators"] == ["1m"]
    assert merged.shots == (0,) * 11 + (1,) * 4
    assert merged.reading.status == "incomplete"  # 234m 3405p 67p has no pair


def test_a_meld_for_which_there_is_no_room_is_left() -> None:
    pon = [replace(seen("7z", at), role="meld:0") for at in range(3)]
    other = shot(*row(*HAND[:11]), *pon, melds=[{"type": "pon", "tiles": "777z", "from": 2}])
    merged = merge([shot(*row(*HAND), WON, status="ok"), other])
    assert merged.reading.hand is not None and merged.reading.hand["melds"] == []


def test_the_same_meld_is_not_taken_twice() -> None:
    pon = [replace(seen("7z", at), role="meld:0") for at in range(3)]
    meld = {"type": "pon", "tiles": "777z", "from": 2}
    one = shot(*row(*HAND[:10]), WON, *pon, melds=[meld])
    merged = merge([one, one])
    assert merged.reading.hand is not None and merged.reading.hand["melds"] == [meld]
    assert len(merged.reading.tiles) == 14


def test_a_red_five_seen_in_one_shot_only() -> None:
    plain = seen("5p", 5, probability=0.6, other="0p")
    red = seen("0p", 5, probability=0.97, other="5p")
    merged = merge([shot(*row(*HAND, t5=plain), WON), shot(*row(*HAND[:-1], t5=red), WON)])
    assert [tile.label for tile in merged.reading.tiles].count("0p") == 1
    assert merged.reading.hand is not None and "0" in merged.reading.hand["concealed"]


def test_which_tile_won_may_come_from_another_shot() -> None:
    whole = shot(*row(*HAND, "8s"))
    merged = merge([whole, shot(*row(*HAND[2:]), WON)])
    assert merged.base == 0 and merged.reading.hand is not None
    assert merged.reading.hand["win_tile"] == "8s" and merged.reading.hand["concealed"] == "234m340567p2267s"
    assert merged.reading.status == "ok" and merged.reading.tiles[13].role == "win"


def test_another_hand_is_left_out() -> None:
    other = shot(*row("1m", "1m", "1m", "9m", "9m", "9m", "1z", "1z", "1z", "3s", "4s", "5s", "6z"))
    merged = merge([reading(), other])
    assert merged.unlike == (1,) and merged.reading == reading()


def test_a_shot_without_a_hand_is_left_out() -> None:
    nothing = Reading("", 800, 600, (), None, {}, "error", "No tiles.")
    merged = merge([nothing, reading(), nothing])
    assert merged.base == 1 and merged.unlike == (0, 2) and merged.reading == reading()
    assert merge([nothing, nothing]).reading == nothing


def test_what_one_shot_does_not_doubt_is_in_doubt_no_more() -> None:
    face = Doubt("face", (3,), "The 3p may be a 2p.", {"label": "2p"})
    wall = Doubt("indicator", (), "A wall lies there, and no indicator was seen.")
    won = Doubt("win", (13,), "Another tile may have won.")
    doubtful = seen("3p", 3, probability=0.7, other="2p")
    first = shot(*row(*HAND, t3=doubtful), WON, status="ok")
    first = replace(first, doubts=(won, face, wall), confidence=0.6)
    second = replace(shot(*row(*HAND), WON, status="ok"), doubts=(wall,), confidence=0.99)
    merged = merge([first, second]).reading
    assert merged.doubts == (wall,) and merged.confidence == 0.99
    again = merge([first, first]).reading
    assert [doubt.kind for doubt in again.doubts] == ["win", "indicator"] and again.confidence == 0.6
    alone = merge([first]).reading
    assert alone.doubts == first.doubts and alone.confidence == 0.6


def test_a_tile_that_two_shots_read_otherwise_is_in_doubt() -> None:
    one, other = seen("3p", 3, probability=0.6, other="2p"), seen("2p", 3, probability=0.55, other="3p")
    merged = merge([shot(*row(*HAND, t3=one), WON, status="ok"), shot(*row(*HAND, t3=other), WON)]).reading
    doubt = next(doubt for doubt in merged.doubts if 3 in doubt.tiles)
    assert (doubt.kind, doubt.instead) == ("face", {"label": "2p"})


def test_a_back_in_a_kan_stays_what_it_is_and_is_no_doubt() -> None:
    back = seen("back", 0, "meld:0", 0.6, "5z")
    rest = [seen("5z", at, "meld:0", 0.97, "back") for at in range(1, 4)]
    ankan, pon = (
        {"type": "ankan", "tiles": "5555z", "from": None},
        {"type": "pon", "tiles": "555z", "from": 3},
    )
    first = shot(*row(*HAND[:10]), WON, back, *rest[1:], status="ok", melds=[ankan])
    for other in (first, shot(*row(*HAND[:10]), WON, *rest, melds=[pon])):
        merged = merge([first, other]).reading
        assert [tile.label for tile in merged.tiles if tile.role == "meld:0"] == ["back", "5z", "5z"]
        assert merged.hand == first.hand
        assert all(tile.runner_up[0] != tile.label for tile in merged.tiles)
        assert not merged.doubts


def test_an_indicator_more_from_another_shot() -> None:
    first, second = seen("1m", 20, "dora"), seen("9p", 21, "dora")
    one, both = shot(*row(*HAND), WON, first, status="ok"), shot(*row(*HAND[:9]), first, second)
    merged = merge([one, both])
    assert merged.reading.hand is not None and merged.reading.hand["dora_indicators"] == ["1m", "9p"]
    assert [merged.shots[at] for at, tile in enumerate(merged.reading.tiles) if tile.role == "dora"] == [0, 1]
