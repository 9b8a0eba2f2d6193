"""Read Mahjong Soul's records as JSON, as common exporters save them.

The file is a list of records with name (``.lq.RecordNewRound``) and data. Names of fields are as in the
protocol of the game, or in camel case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final

from scorer.hand import Meld
from scorer.tiles import TILES, Tile
from tehai.logs.play import (
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    HandCutShort,
    Log,
    LogError,
    LoggedDraw,
    LoggedWin,
    Move,
    NukidoraMove,
    Points,
    reading,
    source_of,
    total,
    whole_deals,
)
from tehai.logs.rules import majsoul_rules

_Data = Mapping[str, Any]
_Record = tuple[str, _Data]

_PATHS: Final = (
    ("data", "data", "records"), ("data", "records"), ("records",),
    ("data", "data", "actions"), ("data", "actions"), ("actions",), ("data",),
)  # fmt: skip
_CALLED: Final = ("chi", "pon", "minkan")
_GROWN: Final = {2: "kakan", 3: "ankan"}
_ABORTED: Final = {
    1: "nine_terminals", 2: "four_winds", 3: "four_kongs", 4: "four_riichi", 5: "triple_ron",
}  # fmt: skip
"""``type`` of RecordLiuJu, as https://github.com/Fat-pig-Cui/majsoul-replay-editor writes it."""
_EAST_ALONE: Final = (1, 11)
_DEEPEST: Final = 12


def is_majsoul(found: Any) -> bool:
    """Whether this JSON looks like such a record."""
    return next(_records(found), None) is not None


@reading("This Mahjong Soul record")
def parse_majsoul(found: Any) -> Log:
    """The game of such a record. Raises :class:`LogError`."""
    return _log(found)


def _records(found: Any) -> Iterator[_Record]:
    for path in _PATHS:
        here = found
        for key in path:
            here = here.get(key) if isinstance(here, Mapping) else None
        if isinstance(here, list):
            for one in here:
                record = one.get("result", one) if isinstance(one, Mapping) else None
                name = str(record.get("name", "")) if isinstance(record, Mapping) else ""
                if isinstance(record, Mapping) and re.fullmatch(r"(\.?lq\.)?Record\w+", name):
                    data = record.get("data")
                    yield name.rpartition(".")[2], _snake(data if isinstance(data, Mapping) else record)
            return


def _snake(value: Any, depth: int = 0) -> Any:
    """The same with ``deltaScores`` as ``delta_scores``."""
    if depth > _DEEPEST:
        raise LogError("This Mahjong Soul record is nested deeper than any.")
    if isinstance(value, Mapping):
        return {
            re.sub(r"(?<=[a-z])([A-Z])", r"_\1", str(key)).lower(): _snake(one, depth + 1)
            for key, one in value.items()
        }
    return [_snake(one, depth + 1) for one in value] if isinstance(value, list) else value


def _log(found: Any) -> Log:
    records = list(_records(found))
    begins = [at for at, (name, _) in enumerate(records) if name == "RecordNewRound"]
    head = _snake(found.get("head", {}) if isinstance(found, Mapping) else {})
    parts = pairwise([*begins, len(records)])
    deals, cut = whole_deals(partial(_deal, records[begin:end]) for begin, end in parts)
    players = deals[0].players
    called = {one.get("seat", 0): str(one.get("nickname", "")) for one in head.get("accounts", ())}
    mode = head.get("config", {}).get("mode", {})
    rule = mode.get("detail_rule", {})
    rules = majsoul_rules(
        players=players,
        red=int(rule.get("dora_count", 3)),
        open_tanyao=bool(rule.get("shiduan", 1)),
        rounds=1 if mode.get("mode") in _EAST_ALONE else 2,
    )
    results = {
        one.get("seat", 0): one.get("part_point_1", one.get("part_point1"))
        for one in head.get("result", {}).get("players", ())
    }
    points = [results.get(player) for player in range(players)]
    final = tuple(int(one or 0) for one in points) if points and None not in points else None
    return Log("majsoul", tuple(called.get(at, "") for at in range(players)), rules, deals, final, cut)


def _tiles(texts: Sequence[Any]) -> tuple[Tile, ...]:
    return tuple(Tile.parse(text) for text in texts)


def _deal(records: Sequence[_Record]) -> Deal:
    start = records[0][1]
    scores = tuple(int(points) for points in start["scores"])
    players = len(scores)
    number = int(start.get("chang", 0)) * players + int(start.get("ju", 0))
    hands = [list(_tiles(start[f"tiles{player}"])) for player in range(players)]
    dealer = number % players
    shown = list(start.get("doras") or [start["dora"]])
    indicator = Tile.parse(shown[0])
    moves: list[Move] = []
    if len(hands[dealer]) == 14:  # the dealer's first tile is dealt with the others
        moves.append(Draw(dealer, hands[dealer].pop()))
    seen = 1
    for name, data in records[1:]:
        if name in ("RecordHule", "RecordNoTile", "RecordLiuJu"):
            end, paid = _end(name, data, moves, players)
            break
        move = _move(name, data, hands, moves, players)
        doras = data.get("doras") or ()
        new, seen = doras[seen:], max(seen, len(doras))
        turned = [Dora(Tile.parse(text)) for text in new]
        moves += [*turned, move] if isinstance(move, Draw) else [move, *turned] if move else turned
    else:
        raise HandCutShort
    return Deal(
        number,
        int(start.get("ben", 0)),
        int(start.get("liqibang", 0)),
        scores,
        tuple(map(tuple, hands)),
        indicator,
        tuple(moves),
        end,
        paid,
    )


def _move(
    name: str, data: _Data, hands: Sequence[Sequence[Tile]], moves: Sequence[Move], players: int
) -> Move | None:
    seat = int(data.get("seat", 0))
    match name:
        case "RecordDealTile":
            return Draw(seat, Tile.parse(data["tile"]))
        case "RecordDiscardTile":
            riichi = bool(data.get("is_liqi") or data.get("is_wliqi"))
            return Discard(seat, Tile.parse(data["tile"]), bool(data.get("moqie")), riichi)
        case "RecordChiPengGang":
            tiles, giver = _tiles(data["tiles"]), int(data["froms"][-1])
            source = source_of(seat, giver, players)
            return Call(seat, Meld(_CALLED[int(data.get("type", 0))], tiles, source), tiles[-1])
        case "RecordAnGangAddGang":
            return _grown(seat, _GROWN[int(data["type"])], Tile.parse(data["tiles"]), hands[seat], moves)
        case "RecordBaBei":
            return NukidoraMove(seat)
    return None


def _grown(seat: int, type_: str, tile: Tile, dealt: Sequence[Tile], moves: Sequence[Move]) -> Call:
    """A kan of which the record has one tile. What the player was dealt, drew and called shows the others."""
    if type_ == "kakan":
        pon = next(
            move.meld
            for move in moves
            if isinstance(move, Call) and move.player == seat and move.meld.tiles[0].kind == tile.kind
        )
        return Call(seat, Meld(type_, (*pon.tiles, tile), pon.source), tile)
    drawn = (move.tile for move in moves if isinstance(move, Draw) and move.player == seat)
    held = tuple(one for one in (*dealt, *drawn) if one.kind == tile.kind)
    return Call(seat, Meld(type_, held), TILES[tile.kind])


def _end(
    name: str, data: _Data, moves: Sequence[Move], players: int
) -> tuple[tuple[LoggedWin, ...] | LoggedDraw, Points]:
    if name == "RecordHule":
        last = next(move for move in reversed(moves) if not isinstance(move, Dora))
        giver = last.player
        wins = []
        for hule in data["hules"]:
            seat = int(hule.get("seat", 0))
            ura = _tiles(hule.get("li_doras") or ())
            wins.append(LoggedWin(seat, seat if hule.get("zimo") else giver, ura))
        return tuple(wins), tuple(int(points) for points in data["delta_scores"])
    if name == "RecordLiuJu":
        return LoggedDraw(_ABORTED.get(int(data.get("type", 0)))), total((), players)
    ready = tuple(seat for seat, one in enumerate(data.get("players", ())) if one.get("tingpai"))
    changes = [
        tuple(int(points) for points in one["delta_scores"])
        for one in data.get("scores", ())
        if one.get("delta_scores")
    ]
    kind = "nagashi" if data.get("liujumanguan") else "draw"
    return LoggedDraw(kind, ready), total(changes, players)
