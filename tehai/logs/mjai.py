"""Read and write mjai's JSON lines, one event a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from scorer.hand import Meld, MeldType, Wind
from scorer.tiles import NORTH, TILES, Tile
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
    giver_of,
    has_red_fives,
    reading,
    source_of,
    total,
    whole_deals,
)
from tehai.logs.rules import tenhou_rules
from tehai.logs.table import Table

_Event = Mapping[str, Any]

_TYPES: Final = {
    "chi": MeldType.CHI,
    "pon": MeldType.PON,
    "daiminkan": MeldType.MINKAN,
    "kakan": MeldType.KAKAN,
    "ankan": MeldType.ANKAN,
}
_REASONS: Final = {
    "fanpai": "draw", "exhaustive": "draw", "nagashimangan": "nagashi", "kyushukyuhai": "nine_terminals",
    "sufonrenta": "four_winds", "suchareach": "four_riichi", "sukaikan": "four_kongs",
    "sanchaho": "triple_ron",
}  # fmt: skip

_START: Final = {4: (25000,) * 4, 3: (35000,) * 3}
"""By number of players: the points at the start, for logs that do not have them."""


def is_mjai(found: Sequence[Any]) -> bool:
    """Whether these lines look like such a log."""
    return bool(found) and isinstance(found[0], Mapping) and found[0].get("type") == "start_game"


@reading("This mjai log")
def parse_mjai(events: Sequence[_Event]) -> Log:
    """The game of such a log. Raises :class:`LogError`."""
    return _log(events)


def _log(events: Sequence[_Event]) -> Log:
    parts: list[list[_Event]] = []
    final: Points | None = None
    on_table: dict[str, Any] = {"kyotaku": 0}  # for older logs, whose hands begin without
    for event in events:
        kind = event.get("type")
        if kind == "start_kyoku":
            parts.append([{"scores": _START[len(event["tehais"])], **on_table, **event}])
            on_table["kyotaku"] = parts[-1][0]["kyotaku"]
        elif kind == "end_game" and event.get("scores"):
            final = tuple(int(points) for points in event["scores"])
        elif parts:
            parts[-1].append(event)
        if event.get("scores"):
            on_table["scores"] = event["scores"]
        if kind in ("reach_accepted", "hora"):
            on_table["kyotaku"] = on_table["kyotaku"] + 1 if kind == "reach_accepted" else 0
    deals, cut = whole_deals(partial(_deal, part) for part in parts)
    players = deals[0].players
    names = tuple(str(name) for name in events[0].get("names", ()))[:players]
    rules = tenhou_rules(players=players, red=has_red_fives(deals), open_tanyao=True, rounds=2)
    return Log("mjai", names or ("",) * players, rules, deals, final and final[:players], cut)


def _tile(name: Any) -> Tile:
    if name == "?":
        raise LogError("This mjai log hides tiles of other players; only one that shows all can be read.")
    return Tile.from_mjai(name)


def _deal(events: Sequence[_Event]) -> Deal:
    start = events[0]
    hands = tuple(tuple(map(_tile, hand)) for hand in start["tehais"])
    players = 3 if len(hands) == 3 or not hands[3] else 4
    number = list(Wind).index(Wind(start["bakaze"])) * players + int(start["kyoku"]) - 1
    moves: list[Move] = []
    wins: list[LoggedWin] = []
    drawn: LoggedDraw | None = None
    paid: list[Points] = []
    declares = False
    for event in events[1:]:
        kind = event.get("type")
        if kind in ("hora", "ryukyoku"):
            if event.get("deltas"):
                paid.append(tuple(int(points) for points in event["deltas"][:players]))
            if kind == "hora":
                ura = event.get("ura_markers") or event.get("uradora_markers") or ()
                wins.append(LoggedWin(event["actor"], event["target"], tuple(map(_tile, ura))))
            else:
                ready = event.get("tenpais")
                tenpai = None if ready is None else tuple(at for at, one in enumerate(ready) if one)
                drawn = LoggedDraw(_REASONS.get(str(event.get("reason"))), tenpai)
            continue
        if kind == "reach":
            declares = True
            continue
        move = _move(event, declares, players)
        if move is not None:
            moves.append(move)
            declares = declares and not isinstance(move, Discard)
    if not wins and drawn is None:
        raise HandCutShort
    return Deal(
        number,
        int(start["honba"]),
        int(start["kyotaku"]),
        tuple(int(points) for points in start["scores"][:players]),
        hands[:players],
        _tile(start["dora_marker"]),
        tuple(moves),
        tuple(wins) or drawn or LoggedDraw(),
        total(paid, players) if paid else None,
    )


def _move(event: _Event, declares: bool, players: int) -> Move | None:
    kind = event.get("type")
    match kind:
        case "dora":
            return Dora(_tile(event["dora_marker"]))
        case "tsumo":
            return Draw(event["actor"], _tile(event["pai"]))
        case "dahai":
            return Discard(event["actor"], _tile(event["pai"]), bool(event.get("tsumogiri")), declares)
        case "nukidora" | "kita":
            return NukidoraMove(event["actor"])
    if kind not in _TYPES:
        return None
    player, type_ = int(event["actor"]), _TYPES[kind]
    own = tuple(map(_tile, event["consumed"]))
    if type_ is MeldType.ANKAN:
        return Call(player, Meld(type_, own), own[-1])
    tile = _tile(event["pai"])
    # an added kan keeps the giver of its triplet
    source = None if type_ is MeldType.KAKAN else source_of(player, int(event["target"]), players)
    return Call(player, Meld(type_, (tile, *own), source), tile)


# --- written ------------------------------------------------------------------------------------------------


def to_mjai(log: Log) -> Iterator[dict[str, Any]]:
    """The log as mjai's events."""
    yield {"type": "start_game", "names": list(log.names)}
    for deal in log.deals:
        yield from _written(deal)
    yield {"type": "end_game"}


def _written(deal: Deal) -> Iterator[dict[str, Any]]:
    players = deal.players
    hands = [[tile.mjai for tile in hand] for hand in deal.hands]
    yield {
        "type": "start_kyoku",
        "bakaze": str(list(Wind)[deal.number // players]),
        "dora_marker": deal.indicator.mjai,
        "kyoku": deal.number % players + 1,
        "honba": deal.honba,
        "kyotaku": deal.sticks,
        "oya": deal.dealer,
        "scores": list(deal.points),
        "tehais": hands,
    }
    declared: int | None = None
    for move in deal.moves:
        if declared is not None and not isinstance(move, Dora):
            yield {"type": "reach_accepted", "actor": declared}
            declared = None
        match move:
            case Draw(player, tile):
                yield {"type": "tsumo", "actor": player, "pai": tile.mjai}
            case Discard(player, tile, drawn, riichi):
                if riichi:
                    yield {"type": "reach", "actor": player}
                    declared = player
                yield {"type": "dahai", "actor": player, "pai": tile.mjai, "tsumogiri": drawn}
            case Dora(tile):
                yield {"type": "dora", "dora_marker": tile.mjai}
            case NukidoraMove(player):
                yield {"type": "nukidora", "actor": player, "pai": TILES[NORTH].mjai}
            case Call():
                yield _called(move, players)
    if declared is not None and not isinstance(deal.end, tuple):
        yield {"type": "reach_accepted", "actor": declared}
    yield from _ended(deal)
    yield {"type": "end_kyoku"}


def _called(call: Call, players: int) -> dict[str, Any]:
    meld = call.meld
    kind = next(name for name, type_ in _TYPES.items() if type_ is meld.type)
    if meld.type is MeldType.ANKAN:
        return {"type": kind, "actor": call.player, "consumed": [tile.mjai for tile in meld.tiles]}
    own = list(meld.tiles)
    own.remove(call.tile)
    event = {"type": kind, "actor": call.player, "pai": call.tile.mjai, "consumed": [one.mjai for one in own]}
    if meld.type is not MeldType.KAKAN:
        event["target"] = giver_of(call.player, meld.source or 3, players)
    return event


def _ended(deal: Deal) -> Iterator[dict[str, Any]]:
    paid = list(deal.paid or (0,) * deal.players)
    if not isinstance(deal.end, tuple):
        ended = deal.end.kind or Table.at_end(deal).abort()
        reason = next((name for name, kind in _REASONS.items() if kind == ended), "fanpai")
        yield {"type": "ryukyoku", "reason": reason, "deltas": paid}
        return
    for at, win in enumerate(deal.end):
        yield {
            "type": "hora",
            "actor": win.player,
            "target": win.source,
            "deltas": [0] * deal.players if at else paid,
            "ura_markers": [tile.mjai for tile in win.ura],
        }
