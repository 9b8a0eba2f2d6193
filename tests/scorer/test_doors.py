"""What a user would write first works; what is no tile, hand or rule set is answered with a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scorer import (
    Game,
    Hand,
    Meld,
    MeldType,
    Tile,
    TileError,
    Win,
    Wind,
    check,
    format_tiles,
    furiten,
    is_complete,
    load_rules,
    parse_tiles,
    readings,
    score,
    settle,
    settle_abort,
    settle_chombo,
    settle_draw,
    settle_nagashi,
    wait_kinds,
    waits,
)

EMA = load_rules("ema2008")
NINE_GATES = "1112345678999m"
HAND = Hand("234m340567p2267s", "8s")
WIN = Win(tsumo=False)


def test_text_stands_for_tiles() -> None:
    assert Hand(parse_tiles("234m340567p2267s"), Tile.parse("8s")) == HAND
    assert Hand(list(HAND.concealed), HAND.win_tile) == HAND
    assert Hand(["2m", "3m"], Tile("8s")).concealed == parse_tiles("23m")
    assert hash(Hand("23m", "8s")) == hash(Hand(parse_tiles("23m"), Tile.parse("8s")))
    assert score(HAND, Win(tsumo=False, riichi=True), EMA).points == 7700


def test_text_stands_for_a_meld_and_for_winds_and_indicators() -> None:
    assert Meld("pon", "777z") == Meld(MeldType.PON, parse_tiles("777z"))
    assert Hand("4m", "4m", [Meld("pon", "777z")]).melds == (Meld(MeldType.PON, parse_tiles("777z")),)
    texts: Any = {"seat_wind": "S", "dora_indicators": "3m5p", "ura_indicators": ["3m"]}
    win = Win(tsumo=True, **texts)
    assert win.seat_wind is Wind.SOUTH and not win.is_dealer
    assert win.dora_indicators == parse_tiles("3m5p") and win.ura_indicators == parse_tiles("3m")


@pytest.mark.parametrize("tiles", [NINE_GATES, parse_tiles(NINE_GATES), list(parse_tiles(NINE_GATES))])
def test_what_tiles_wait_for(tiles: Any) -> None:
    assert format_tiles(waits(tiles)) == "123456789m"
    assert set(wait_kinds(tiles)) == set(waits(tiles))
    found = furiten(tiles, discards="9m")
    assert found is not None and format_tiles(found.tiles) == "9m"


def test_what_tiles_are_complete() -> None:
    assert is_complete("123m055p77z", [Meld("pon", "111z"), Meld("chi", "789s")])
    assert is_complete(parse_tiles("11223344556677z"))
    assert not is_complete(parse_tiles("123m"))


def test_a_tile_reads_its_own_name() -> None:
    assert Tile("0p") == Tile.parse("0p") and eval(repr(Tile("0p"))) is not None
    assert format_tiles(["1m", "0p"]) == "1m0p"


COUNTS = (1,) * 13 + (0,) * 21
WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: Hand("234x", "8s"), "concealed"),
    (lambda: Hand(5, "8s"), "concealed must be tiles"),  # type: ignore[arg-type]
    (lambda: Hand((2, 3), "8s"), "concealed must be tiles"),  # type: ignore[arg-type]
    (lambda: Hand("234m", "88s"), "win_tile must be one tile"),
    (lambda: Hand("234m", None), "win_tile must be one tile"),  # type: ignore[arg-type]
    (lambda: Hand("234m", "1m", "777z"), "melds must be melds"),
    (lambda: Hand("234m", "1m", 3), "melds must be melds"),  # type: ignore[arg-type]
    (lambda: Meld("pung", "777z"), "chi, pon, minkan, kakan, ankan"),
    (lambda: Meld("pon", "77"), "tiles"),
    (lambda: Meld("pon", "777z", 4), "source must be 1"),
    (lambda: Win(tsumo="ron"), "tsumo must be true or false"),  # type: ignore[arg-type]
    (lambda: Win(False, "X"), "seat_wind must be a wind"),  # type: ignore[arg-type]
    (lambda: Win(False, dora_indicators=("3x",)), "dora_indicators"),  # type: ignore[arg-type]
    (lambda: waits(COUNTS), "concealed must be tiles"),  # type: ignore[arg-type]
    (lambda: waits("123m", 2), "melds must be melds"),  # type: ignore[arg-type]
    (lambda: is_complete(COUNTS), "tiles must be tiles"),  # type: ignore[arg-type]
    (lambda: is_complete("123m", 2), "melds must be melds"),  # type: ignore[arg-type]
    (lambda: wait_kinds("123"), "concealed"),
    (lambda: furiten("123m", discards="1x"), "discards"),
    (lambda: furiten("123m", discards="1m", passed=7), "passed must be tiles"),  # type: ignore[arg-type]
    (lambda: readings("123m", tsumo=True), "hand must be a Hand"),  # type: ignore[arg-type]
    (lambda: score("123m", WIN, EMA), "hand must be a Hand"),  # type: ignore[arg-type]
    (lambda: score(HAND, True, EMA), "win must be a Win"),  # type: ignore[arg-type]
    (lambda: score(HAND, WIN, "ema2008"), "rules must be a RuleSet"),  # type: ignore[arg-type]
    (lambda: check(HAND, WIN, "ema2008"), "rules must be a RuleSet"),  # type: ignore[arg-type]
    (lambda: parse_tiles(123), "text"),  # type: ignore[arg-type]
    (lambda: format_tiles("12"), "tiles"),
    (lambda: format_tiles(5), "tiles must be tiles"),  # type: ignore[arg-type]
    (lambda: Tile(40), "between 0 and 36"),
    (lambda: Tile(None), "between 0 and 36"),  # type: ignore[arg-type]
    (lambda: settle({"concealed": "1m"}), "records must be hand records"),  # type: ignore[arg-type]
    (lambda: settle("123m"), "records must be hand records"),  # type: ignore[arg-type]
    (lambda: settle([HAND]), "JSON object"),  # type: ignore[list-item]
    (lambda: settle_draw(["X"], EMA), "tenpai must be winds"),  # type: ignore[list-item]
    (lambda: settle_draw(["E"], "ema2008"), "rules must be a RuleSet"),  # type: ignore[list-item, arg-type]
    (lambda: settle_nagashi(["X"], EMA), "seats must be winds"),  # type: ignore[list-item]
    (lambda: settle_chombo("X", EMA), "offender must be a wind"),  # type: ignore[arg-type]
    (lambda: settle_chombo("E", EMA, declared=[0]), "declared must be winds"),  # type: ignore[arg-type, list-item]
    (lambda: settle_abort("four_riichi", "ema2008"), "rules must be a RuleSet"),  # type: ignore[arg-type]
    (lambda: Game.start("ema2008"), "rules must be a RuleSet"),  # type: ignore[arg-type]
    (lambda: Game.start(EMA).after((0, 0, 0, 0)), "settled must be a Settlement"),  # type: ignore[arg-type]
    (lambda: Game.start(EMA).after(settle_draw([], EMA), tenpai=["X"]), "tenpai must be winds"),  # type: ignore[list-item]
    (lambda: load_rules(5), "no rules called"),  # type: ignore[arg-type]
]  # fmt: skip


@pytest.mark.parametrize(("call", "wanted"), WRONG)
def test_nonsense_is_answered_with_a_sentence(call: Callable[[], object], wanted: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    message = str(caught.value)
    assert wanted in message and message.endswith(".") and message[0] not in "'\"("


def test_what_is_no_tile_is_a_tile_error() -> None:
    for call in (lambda: Hand("234x", "8s"), lambda: waits("1x"), lambda: Meld("pon", "7y")):
        with pytest.raises(TileError):
            call()


def test_winds_may_be_letters() -> None:
    letters: Any = ["E"]
    assert settle_draw(letters, EMA) == settle_draw([Wind.EAST], EMA)
    assert settle_chombo(letters[0], EMA) == settle_chombo(Wind.EAST, EMA)
