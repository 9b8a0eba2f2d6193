"""Read and write the JSON of tenhou.net/6: for each player, the tiles taken and discarded in order.

The format does not have the turns. They follow from the calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from scorer.hand import Meld, MeldType
from scorer.tiles import KINDS, TILES, Tile
from tehai.logs.play import (
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    Log,
    LogError,
    LoggedDraw,
    LoggedWin,
    Move,
    NukidoraMove,
    Points,
    giver_of,
    has_red_fives,
    reading,
    source_of,
    total,
)
from tehai.logs.rules import majsoul_rules, tenhou_rules
from tehai.logs.table import Table

_WON: Final = "和了"
_DRAWN: Final = {
    "流局": "draw", "全員聴牌": "draw", "全員不聴": "draw", "流し満貫": "nagashi",
    "九種九牌": "nine_terminals", "四風連打": "four_winds", "四家立直": "four_riichi",
    "四槓散了": "four_kongs", "三家和了": "triple_ron",
}  # fmt: skip
_NAMES: Final = {kind: name for name, kind in _DRAWN.items() if name not in ("全員聴牌", "全員不聴")}
_CONVERTED: Final = {
    "四開槓": "four_kongs", "三家和": "triple_ron",
    "Ryuukyoku": "draw", "Exhaustive Draw": "draw",
    "Nagashi Mangan": "nagashi", "Mangan at Draw": "nagashi",
    "Kyuushu Kyuuhai": "nine_terminals", "Nine Terminal Abortion": "nine_terminals",
    "Suufon Renda": "four_winds", "Four Wind Abortion": "four_winds",
    "Suucha Riichi": "four_riichi", "Four Riichi Abortion": "four_riichi",
    "Suukaikan": "four_kongs", "Four Kan Abortion": "four_kongs",
    "Sanchahou": "triple_ron", "Three Ron Abortion": "triple_ron",
}  # fmt: skip
"""How converters of Mahjong Soul's games name the ends, in Japanese or English."""

_ROOM: Final = re.compile("の間|友人|大会戦|Room|Friendly|Tour?nament")
"""Rooms of Mahjong Soul, as converters name them. Open tanyao, which they have, is not always written."""

_TYPES: Final = {
    "c": MeldType.CHI,
    "p": MeldType.PON,
    "m": MeldType.MINKAN,
    "k": MeldType.KAKAN,
    "a": MeldType.ANKAN,
}
_SOURCES: Final = (3, 2, 1)
"""The giver of the tile, by the number of tiles before the letter; a last place counts as the third."""

_DRAWN_TILE: Final = 60
_MOST_STEPS: Final = 20_000
"""The most moves to try while ordering one deal. A deal has about 150."""


def _tile(code: int) -> Tile:
    """11–19 are 1m–9m, 21– circles, 31– bamboos, 41–47 honours, 51 52 53 the red fives."""
    suit, rank = divmod(code, 10)
    if suit == 5 and 1 <= rank <= 3:
        return TILES[KINDS + rank - 1]
    if 1 <= suit <= 4 and 1 <= rank <= (7 if suit == 4 else 9):
        return TILES[9 * (suit - 1) + rank - 1]
    raise LogError(f"{code} is no tile of tenhou.net/6.")


def _code(tile: Tile) -> int:
    return 51 + tile - KINDS if tile.is_red else 10 * (tile.kind // 9 + 1) + tile.rank


def is_tenhou6(found: Any) -> bool:
    """Whether this JSON looks like such a log."""
    return isinstance(found, Mapping) and isinstance(found.get("log"), list) and "name" in found


@reading("This tenhou.net/6 log")
def parse_tenhou6(found: Mapping[str, Any]) -> Log:
    """The game of such a log. Raises :class:`LogError`."""
    return _log(found)


def _log(found: Mapping[str, Any]) -> Log:
    said = found.get("rule", {})
    shown = str(said.get("disp", ""))
    names = [str(name) for name in found["name"]]
    players = 3 if "三" in shown or len(names) == 3 or not names[3] else 4
    deals = tuple(_deal(deal, players) for deal in found["log"])
    if not deals:
        raise LogError("This tenhou.net/6 log has no hand.")
    for deal in deals:
        deal.check()
    room = _ROOM.search(shown) is not None
    make = majsoul_rules if room or re.search("雀魂|Majsoul|Mahjong Soul", shown) else tenhou_rules
    red = any(said.get(key) for key in ("aka", "aka51", "aka52", "aka53")) or has_red_fives(deals)
    rules = make(
        players=players,
        red=4 if said.get("aka52") == 2 else red,
        open_tanyao=room or not shown or "喰" in shown,
        rounds=1 if "東" in shown or "East" in shown else 2,
    )
    final = tuple(int(points) for points in found["sc"][: 2 * players : 2]) if found.get("sc") else None
    return Log("tenhou6", tuple(names[:players]), rules, deals, final)


def _deal(written: Sequence[Any], players: int) -> Deal:
    (number, honba, sticks), points, dora, ura = written[:4]
    number = number // 4 * players + number % 4
    parts = [written[4 + 3 * at : 7 + 3 * at] for at in range(players)]
    result = written[-1]
    indicators = [_tile(code) for code in dora]
    moves = _in_order(parts, number % players, indicators[1:])
    end, paid = _end(result, tuple(map(_tile, ura)), players)
    hands = tuple(tuple(map(_tile, hand)) for hand, _, _ in parts)
    start_points = tuple(int(have) for have in points[:players])
    return Deal(number, honba, sticks, start_points, hands, indicators[0], moves, end, paid)


def _end(
    result: Sequence[Any], ura: tuple[Tile, ...], players: int
) -> tuple[tuple[LoggedWin, ...] | LoggedDraw, Points | None]:
    named = str(result[0])
    paid = [tuple(int(one) for one in part[:players]) for part in result[1::2] if part]
    changes = total(paid, players)
    if named == _WON:
        wins = tuple(LoggedWin(int(about[0]), int(about[1]), ura) for about in result[2::2])
        return wins, changes
    kind = _DRAWN.get(named) or _CONVERTED.get(named)
    if kind is None:
        raise LogError(f"A hand of this log ends with {named!r}, which is none of the ends that are known.")
    ready: tuple[int, ...] | None = None
    if named.startswith("全員"):
        ready = tuple(range(players)) if named == "全員聴牌" else ()
    elif kind == "draw" and any(changes):  # without payments converters do not say whether all or none are
        ready = tuple(player for player, points in enumerate(changes) if points > 0)
    return LoggedDraw(kind, ready), changes


# --- the order of the moves ---------------------------------------------------------------------------------


def _in_order(parts: Sequence[Sequence[Any]], dealer: int, kan_dora: Sequence[Tile]) -> tuple[Move, ...]:
    """The moves of all players one after the other.

    After a discard the next player draws, or somebody calls it. If both are possible, the search takes the
    first order that uses all moves.
    """
    players = len(parts)
    takes, drops = [part[1] for part in parts], [part[2] for part in parts]
    open_: list[tuple[int, tuple[int, ...], tuple[int, ...], tuple[Move, ...]]] = [
        (dealer, (0,) * players, (0,) * players, ())
    ]
    for _ in range(_MOST_STEPS):
        if not open_:
            break
        player, taken, dropped, moves = open_.pop()
        taken, dropped, moves = _turn(player, takes, drops, taken, dropped, moves)
        if all(at == len(part) for at, part in zip(taken, takes, strict=True)) and all(
            at == len(part) for at, part in zip(dropped, drops, strict=True)
        ):
            return tuple(_with_dora(moves, kan_dora))
        last = moves[-1] if moves else None
        if not isinstance(last, Discard):
            continue
        following = (player + 1) % players
        if taken[following] < len(takes[following]) and isinstance(takes[following][taken[following]], int):
            open_.append((following, taken, dropped, moves))
        for other in range(players):
            if other != player and taken[other] < len(takes[other]):
                call = _called(other, takes[other][taken[other]], players)
                if call and call.tile == last.tile and giver_of(other, call.meld.source, players) == player:
                    open_.append((other, taken, dropped, moves))
    raise LogError("The moves of a hand in this log fit in no order.")


def _turn(
    player: int,
    takes: Sequence[Sequence[Any]],
    drops: Sequence[Sequence[Any]],
    taken: tuple[int, ...],
    dropped: tuple[int, ...],
    moves: tuple[Move, ...],
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[Move, ...]]:
    """The moves of one player until a discard or the end of the deal."""
    players = len(takes)
    while taken[player] < len(takes[player]):
        item = takes[player][taken[player]]
        taken = (*taken[:player], taken[player] + 1, *taken[player + 1 :])
        call = _called(player, item, players)
        drawn = None if call else _tile(item)
        moves = (*moves, call or Draw(player, _tile(item)))
        if dropped[player] == len(drops[player]):
            break
        item = drops[player][dropped[player]]
        dropped = (*dropped[:player], dropped[player] + 1, *dropped[player + 1 :])
        if call and call.meld.type is MeldType.MINKAN:
            continue  # 0 stands for the discard; the next tile is drawn
        if isinstance(item, str) and item.startswith("f"):
            moves = (*moves, NukidoraMove(player))
            continue
        call = _called(player, item, players)
        if call:
            moves = (*moves, call)
            continue
        riichi = isinstance(item, str)
        code = int(str(item).removeprefix("r"))
        if code == _DRAWN_TILE and drawn is None:
            raise LogError("A tile of this log is discarded as it was drawn, and none was drawn.")
        tile = drawn if code == _DRAWN_TILE and drawn is not None else _tile(code)
        moves = (*moves, Discard(player, tile, code == _DRAWN_TILE, riichi))
        break
    return taken, dropped, moves


def _with_dora(moves: Sequence[Move], kan_dora: Sequence[Tile]) -> Iterator[Move]:
    """Each kan reveals a further indicator. The format does not have the exact moment."""
    left = list(kan_dora)
    for move in moves:
        yield move
        if isinstance(move, Call) and move.meld.type.is_kan and left:
            yield Dora(left.pop(0))


def _called(player: int, item: Any, players: int) -> Call | None:
    """``c151617``: a letter before the tile that was called or added, the tiles of the set around it."""
    if not isinstance(item, str):
        return None
    found = re.fullmatch(r"((?:\d\d)*)([cpmka])((?:\d\d)+)", item)
    if not found:
        return None
    before, letter, after = found.groups()
    codes = [int(one) for one in re.findall(r"\d\d", before + after)]
    at, type_ = len(before) // 2, _TYPES[letter]
    source = None if type_ is MeldType.ANKAN else _SOURCES[min(at, 2)]
    if players == 3 and source:  # it counts four seats there too
        giver = (player + source) % 4
        if giver < 3:
            source = source_of(player, giver, 3)
        elif source == 2:
            raise LogError(f"{item} calls a tile from across, where nobody sits.")
    return Call(player, Meld(type_, tuple(map(_tile, codes)), source), _tile(codes[at]))


# --- written ------------------------------------------------------------------------------------------------


def to_tenhou6(log: Log) -> dict[str, Any]:
    """The log as JSON for tenhou.net/6, without scores.

    Raises :class:`LogError` for a log with an unknown tile.
    """
    players = len(log.names)
    four = [*log.names, *[""] * (4 - players)]
    parts = (
        "雀魂" if "majsoul" in log.rules else "",
        "三" if players == 3 else "般",
        "東" if "rounds = 1" in log.rules else "南",
        "" if "tanyao = [1, 0]" in log.rules else "喰",
        "赤" if (red := "red_fives = [0, 0, 0]" not in log.rules) else "",
    )
    final = [value for points in log.final or () for value in (points, 0)]
    return {
        "ver": 2.3,
        "name": four,
        "rule": {"disp": "".join(parts), "aka": int(red)}
        | ({"aka52": 2} if "[1, 2, 1]" in log.rules else {}),
        "sc": [*final, *[0] * (8 - len(final))] if final else [],
        "log": [_written(deal) for deal in log.deals],
    }


def _written(deal: Deal) -> list[Any]:
    players = deal.players
    takes: list[list[Any]] = [[] for _ in range(4)]
    drops: list[list[Any]] = [[] for _ in range(4)]
    dora = [_code(deal.indicator)]
    givers: dict[tuple[int, int], int | None] = {}
    for move in deal.moves:
        match move:
            case Draw(player, tile):
                takes[player].append(_code(tile))
            case Discard(player, tile, drawn, riichi):
                code = _DRAWN_TILE if drawn else _code(tile)
                drops[player].append(f"r{code}" if riichi else code)
            case NukidoraMove(player):
                drops[player].append("f44")
            case Dora(tile):
                dora.append(_code(tile))
            case Call(player, meld, _):
                own = meld.type in (MeldType.KAKAN, MeldType.ANKAN)
                if meld.type is MeldType.PON:
                    givers[player, meld.tiles[0].kind] = meld.source
                source = givers.get((player, meld.tiles[0].kind), meld.source)
                (drops if own else takes)[player].append(_call_text(move, source, players))
                if meld.type is MeldType.MINKAN:
                    drops[player].append(0)
    wins = deal.end if isinstance(deal.end, tuple) else ()
    ura = max((win.ura for win in wins), key=len, default=())
    number = deal.number // players * 4 + deal.number % players
    hands = zip_longest(range(4), deal.hands)
    parts = [part for at, hand in hands for part in ([*map(_code, hand or ())], takes[at], drops[at])]
    points = [*deal.points, *[0] * (4 - players)]
    return [[number, deal.honba, deal.sticks], points, dora, [*map(_code, ura)], *parts, _result(deal)]


def _call_text(call: Call, source: int | None, players: int) -> str:
    """``source``: who gave the called tile; for an added kan, that of its triplet."""
    meld = call.meld
    rest = list(meld.tiles)
    rest.remove(call.tile)
    letter = next(letter for letter, type_ in _TYPES.items() if type_ is meld.type)
    if meld.type is MeldType.ANKAN:
        at = 3
    else:
        seats = (giver_of(call.player, source or 3, players) - call.player) % 4
        at = _SOURCES.index(seats)
        at = 3 if meld.type is MeldType.MINKAN and at == 2 else at
    codes = [f"{_code(tile)}" for tile in rest]
    return "".join([*codes[:at], letter, str(_code(call.tile)), *codes[at:]])


def _result(deal: Deal) -> list[Any]:
    paid = [*(deal.paid or (0,) * deal.players), *[0] * (4 - deal.players)]
    if isinstance(deal.end, tuple):
        nothing = [0] * 4
        parts = [
            part
            for at, win in enumerate(deal.end)
            for part in (nothing if at else paid, [win.player, win.source, win.player])
        ]
        return [_WON, *parts]
    table = Table.at_end(deal)
    kind = deal.end.kind or table.abort() or "draw"
    if kind == "draw" and not any(paid):
        ready = table.ready() if deal.end.tenpai is None else deal.end.tenpai
        return ["全員聴牌" if ready else "全員不聴"]
    return [_NAMES[kind], paid] if any(paid) else [_NAMES[kind]]
