"""Short games of our own, tile by tile."""

from __future__ import annotations

from scorer.hand import Meld
from scorer.tiles import Tile, parse_tiles
from tehai.logs.play import Call, Deal, Discard, Dora, Draw, Log, LoggedWin, Move, NukidoraMove

NAMES = ("Aki", "Ben", "Chie", "Dan")


def _draw(player: int, tile: str) -> Draw:
    return Draw(player, Tile(tile))


def _discard(player: int, tile: str, *, drawn: bool = False, riichi: bool = False) -> Discard:
    return Discard(player, Tile(tile), drawn, riichi)


def _passed(player: int, tile: str) -> tuple[Move, Move]:
    """A tile drawn and discarded."""
    return _draw(player, tile), _discard(player, tile, drawn=True)


FIRST = Deal(
    number=0,
    honba=0,
    sticks=0,
    points=(25000,) * 4,
    hands=(
        parse_tiles("234m340567p2267s"),
        parse_tiles("199m19p19s123455z"),
        parse_tiles("258m147p369s1236z"),
        parse_tiles("5557s789m2223p67z"),
    ),
    indicator=Tile("3m"),
    moves=(
        _draw(0, "4z"),
        _discard(0, "4z", drawn=True, riichi=True),  # a double riichi
        _draw(1, "5z"),
        _discard(1, "9s"),
        *_passed(2, "7p"),
        _draw(3, "9s"),
        _discard(3, "6z"),
        *_passed(0, "1m"),
        *_passed(1, "8s"),
    ),
    end=(LoggedWin(0, 1, (Tile("6p"),)),),
    paid=(19000, -18000, 0, 0),
)
"""Double riichi, pinfu and tanyao, with a dora, an ura dora and a red five: a haneman."""

SECOND = Deal(
    number=0,
    honba=1,
    sticks=0,
    points=(43000, 7000, 25000, 25000),
    hands=(
        parse_tiles("258m147p369s1236z"),
        parse_tiles("55z234567p99s678s"),
        parse_tiles("159m159p159s4467z"),
        parse_tiles("3333m5m789p1112s4z"),
    ),
    indicator=Tile("8m"),
    moves=(
        _draw(0, "5z"),
        _discard(0, "5z", drawn=True),
        Call(1, Meld("pon", "555z", 3), Tile("5z")),
        _discard(1, "8s"),
        *_passed(2, "2z"),
        _draw(3, "4m"),
        Call(3, Meld("ankan", "3333m"), Tile("3m")),
        Dora(Tile("1z")),
        _draw(3, "9p"),
        _discard(3, "4z"),
        *_passed(0, "4s"),
        _draw(1, "5z"),
        Call(1, Meld("kakan", "5555z", 3), Tile("5z")),
        Dora(Tile("7z")),
        _draw(1, "8s"),
    ),
    end=(LoggedWin(1, 1),),
    paid=(-6100, 12300, -3100, -3100),
)
"""White dragons, called and grown to a kong that turns them into dora, won by the tile after it."""

THIRD = Deal(
    number=1,
    honba=0,
    sticks=0,
    points=(36900, 19300, 21900, 21900),
    hands=(
        parse_tiles("159m159p159s1237z"),
        parse_tiles("258m147p369s1236z"),
        parse_tiles("57m159p159s44567z"),
        parse_tiles("88m23p234345678s"),
    ),
    indicator=Tile("4z"),
    moves=(
        _draw(1, "6m"),
        _discard(1, "6m", drawn=True),
        Call(2, Meld("chi", "567m", 3), Tile("6m")),
        _discard(2, "1p"),
    ),
    end=(LoggedWin(3, 2),),
    paid=(0, 0, -1000, 1000),
)
"""Pinfu, on the discard after a called run."""

GAME = Log("test", NAMES, "tenhou", (FIRST, SECOND, THIRD))

THREE = Log(
    "test",
    NAMES[:3],
    "tenhou3",
    (
        Deal(
            number=0,
            honba=0,
            sticks=0,
            points=(35000,) * 3,
            hands=(
                parse_tiles("99m234067p2346s4z"),
                parse_tiles("1m19p199s1235677z"),
                parse_tiles("11m15889p2589s36z"),
            ),
            indicator=Tile("1m"),
            moves=(
                _draw(0, "7s"),
                NukidoraMove(0),
                _draw(0, "9s"),
                _discard(0, "9s", drawn=True, riichi=True),
                *_passed(1, "8s"),
            ),
            end=(LoggedWin(0, 1, (Tile("6p"),)),),
            paid=(25000, -24000, 0),
        ),
    ),
)
"""Three players: a north set aside, then riichi, ippatsu and pinfu with all kinds of dora: a baiman."""
