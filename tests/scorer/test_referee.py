"""The questions of a referee."""

from __future__ import annotations

import pytest

from scorer.hand import Meld
from scorer.referee import kong_after_riichi, may_abort_with_nine, swap_tiles
from scorer.tiles import TileError


@pytest.mark.parametrize(
    ("concealed", "tile", "allowed"),
    [
        ("111m456p78s22z444z", "4z", True),
        ("111m456p78s22z444z", "1m", True),
        ("111m456p78s22z444z", "2z", False),  # a pair
        ("111m456p78s22z444z", "5z", False),  # none of it
        ("111222333m78s44z", "1m", False),  # three chows as well (EMA 2008 §3.3.12)
        ("5557m456p789s444z", "5m", False),  # it waits for 6m and 7m, and with the kong for 7m alone
        ("2223m456p789s444z", "2m", False),  # 1m, 3m and 4m; with the kong 3m alone
        ("111m456p79s22z444z", "9m", False),
        ("1112m456p78s2z444z", "1m", False),  # not tenpai
        ("555m406p78s22z444z", "0m", True),  # the fourth five is the red one
    ],
)
def test_a_kong_after_riichi(concealed: str, tile: str, allowed: bool) -> None:
    assert kong_after_riichi(concealed, tile) == allowed


def test_a_kong_after_riichi_beside_another() -> None:
    assert kong_after_riichi("456p78s22z444z", "4z", [Meld("ankan", "1111m")])


@pytest.mark.parametrize(
    ("tiles", "allowed"),
    [
        ("19m19p19s123z55m6p7z", False),  # thirteen tiles
        ("19m19p19s123z55m68p7z", True),
        ("119m19p19s12z55m668p", False),  # eight different
        ("19m19p19s1234567z1m", True),
    ],
)
def test_nine_different_terminals_and_honours(tiles: str, allowed: bool) -> None:
    assert may_abort_with_nine(tiles) == allowed


@pytest.mark.parametrize(
    ("meld", "called", "forbidden"),
    [
        (Meld("chi", "345m"), "3m", "3m 6m"),
        (Meld("chi", "345m"), "5m", "2m 5m"),
        (Meld("chi", "345m"), "4m", "4m"),
        (Meld("chi", "123m"), "3m", "3m"),
        (Meld("chi", "789p"), "7p", "7p"),
        (Meld("chi", "406s"), "4s", "4s 7s"),
        (Meld("pon", "777z"), "7z", "7z"),
    ],
)
def test_swap_calls(meld: Meld, called: str, forbidden: str) -> None:
    assert " ".join(map(str, swap_tiles(meld, called))) == forbidden


def test_what_is_no_tile_is_refused() -> None:
    with pytest.raises(TileError):
        kong_after_riichi("111m456p78s22z444z", "9z")
