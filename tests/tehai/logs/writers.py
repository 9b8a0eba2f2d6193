"""Logs written in formats that Tehai only reads, as their programs write them."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from scorer.hand import MeldType
from scorer.tiles import FIVES, NORTH, Tile
from tehai.logs.play import Call, Deal, Discard, Dora, Draw, Log, NukidoraMove
from tehai.logs.table import Table

_REACHES = {"four_riichi": "reach4", "four_kongs": "kan4", "four_winds": "kaze4", "nine_terminals": "yao9"}
_TYPES = {"triple_ron": "ron3", "nagashi": "nm", **_REACHES}


class _Ids:
    """Which of 136 tiles is meant: the first of its kind that is free, the red five at its own place."""

    def __init__(self) -> None:
        self._used: set[int] = set()
        self._given: dict[Tile, list[int]] = {}

    def new(self, tile: Tile) -> int:
        kind = tile.kind
        red = 4 * kind if kind in FIVES else -1
        ids = [red] if tile.is_red else [id_ for id_ in range(4 * kind, 4 * kind + 4) if id_ != red]
        id_ = next(id_ for id_ in ids if id_ not in self._used)
        self._used.add(id_)
        self._given.setdefault(tile, []).append(id_)
        return id_


def mjlog(log: Log, type_: int = 0x09) -> bytes:
    """Tenhou's XML. A tile that is discarded or called is the one that was drawn or discarded."""
    three = len(log.names) == 3
    names = " ".join(f'n{at}="{quote(name)}"' for at, name in enumerate(log.names))
    parts = [f'<mjloggm ver="2.3"><GO type="{type_ | 0x10 * three}"/><UN {names}/><TAIKYOKU oya="0"/>']
    for at, deal in enumerate(log.deals):
        parts += _mjlog_deal(deal, log.final if at == len(log.deals) - 1 else None)
    return "".join((*parts, "</mjloggm>")).encode()


def _mjlog_deal(deal: Deal, final: tuple[int, ...] | None) -> list[str]:
    ids = _Ids()
    hands = [[(tile, ids.new(tile)) for tile in hand] for hand in deal.hands]
    hais = " ".join(f'hai{at}="{",".join(str(id_) for _, id_ in hand)}"' for at, hand in enumerate(hands))
    dora = ids.new(deal.indicator)
    ten = ",".join(str(points // 100) for points in deal.points)
    seed = f"{deal.number},{deal.honba},{deal.sticks},0,0,{dora}"
    parts = [f'<INIT seed="{seed}" ten="{ten}" oya="{deal.dealer}" {hais}/>']
    last: tuple[Tile, int] | None = None
    pungs: dict[tuple[int, int], tuple[list[int], int, int]] = {}

    def take(player: int, tile: Tile) -> int:
        held = next(one for one in reversed(hands[player]) if one[0] == tile)
        hands[player].remove(held)
        return held[1]

    for move in deal.moves:
        match move:
            case Draw(player, tile):
                hands[player].append((tile, ids.new(tile)))
                parts.append(f"<{'TUVW'[player]}{hands[player][-1][1]}/>")
            case Discard(player, tile, _, riichi):
                last = tile, take(player, tile)
                parts.append(f'<REACH who="{player}" step="1"/>' if riichi else "")
                parts.append(f"<{'DEFG'[player]}{last[1]}/>")
            case Dora(tile):
                parts.append(f'<DORA hai="{ids.new(tile)}"/>')
            case NukidoraMove(player):
                id_ = take(player, Tile(NORTH))
                parts.append(f'<N who="{player}" m="{id_ << 8 | 0x20}"/>')
            case Call(player, meld, tile):
                own = list(meld.tiles)
                source = meld.source or 0
                if len(deal.hands) == 3 and source:
                    giver = (player + (1 if source == 1 else -1)) % 3
                    source = (giver - player) % 4
                if meld.type is MeldType.KAKAN:
                    three, called, source = pungs[player, tile.kind]
                    added = take(player, tile)
                    m = _pung_bits(three, called, added) | 0x10 | source
                elif meld.type is MeldType.ANKAN:
                    four = [take(player, one) for one in own]
                    m = four[0] << 8
                else:
                    assert last is not None and last[0] == tile
                    own.remove(tile)
                    used = sorted([*(take(player, one) for one in own), last[1]])
                    if meld.type is MeldType.MINKAN:
                        m = last[1] << 8 | source
                    elif meld.type is MeldType.PON:
                        left = next(
                            id_ for id_ in range(used[0] // 4 * 4, used[0] // 4 * 4 + 4) if id_ not in used
                        )
                        pungs[player, tile.kind] = (used, last[1], source)
                        m = _pung_bits(used, last[1], left) | 0x08 | source
                    else:
                        m = _run_bits(used, last[1]) | 0x04 | source
                parts.append(f'<N who="{player}" m="{m}"/>')
    return [*parts, *_mjlog_end(deal, final)]


def _pung_bits(three: list[int], called: int, left: int) -> int:
    return (three[0] // 4 * 3 + three.index(called)) << 9 | (left % 4) << 5


def _run_bits(ids: list[int], called: int) -> int:
    first = ids[0] // 4
    base = (first // 9 * 7 + first % 9) * 3 + ids.index(called)
    return base << 10 | ids[0] % 4 << 3 | ids[1] % 4 << 5 | ids[2] % 4 << 7


def _mjlog_end(deal: Deal, final: tuple[int, ...] | None) -> list[str]:
    paid = deal.paid or (0,) * deal.players
    nothing = (0,) * deal.players
    owari = "" if final is None else f' owari="{",".join(f"{points // 100},0.0" for points in final)}"'

    def sc(changes: tuple[int, ...]) -> str:
        both = zip(deal.points, changes, strict=True)
        return ",".join(f"{have // 100},{change // 100}" for have, change in both)

    if not isinstance(deal.end, tuple):
        kind = deal.end.kind or Table.at_end(deal).abort() or "draw"
        type_ = f' type="{_TYPES[kind]}"' if kind in _TYPES else ""
        ready = deal.end.tenpai if deal.end.tenpai is not None else Table.at_end(deal).ready()
        shown = " ".join(f'hai{at}="0"' for at in ready)
        return [f'<RYUUKYOKU{type_} ba="0,0" sc="{sc(paid)}" {shown}{owari}/>']
    parts = []
    for at, win in enumerate(deal.end):
        ids = [4 * tile.kind + (tile.kind in FIVES and not tile.is_red) for tile in win.ura]
        ura = f'doraHaiUra="{",".join(map(str, ids))}" ' if ids else ""
        changes = nothing if at else paid
        over = owari if at == len(deal.end) - 1 else ""
        parts.append(f'<AGARI who="{win.player}" fromWho="{win.source}" {ura}sc="{sc(changes)}"{over}/>')
    return parts


def majsoul(log: Log, *, camel: bool = False) -> dict[str, Any]:
    """Mahjong Soul's record, in the names of its protocol or in camel case."""
    players = len(log.names)
    records = [record for deal in log.deals for record in _majsoul_deal(deal)]
    accounts = [{"seat": at, "nickname": name} for at, name in enumerate(log.names)]
    results = [{"seat": at, "part_point_1": points} for at, points in enumerate(log.final or ())]
    mode = {
        "mode": {(4, 2): 2, (4, 1): 1, (3, 2): 12, (3, 1): 11}[players, 1 if "rounds = 1" in log.rules else 2]
    }
    head = {"accounts": accounts, "config": {"mode": mode}, "result": {"players": results}}
    found = {"head": head, "data": {"name": ".lq.GameDetailRecords", "data": {"records": records}}}
    return _camel(found) if camel else found


def _camel(value: Any) -> Any:
    def key(name: str) -> str:
        first, *others = name.split("_")
        return first + "".join(one.capitalize() for one in others)

    if isinstance(value, dict):
        return {key(name): _camel(one) for name, one in value.items()}
    return [_camel(one) for one in value] if isinstance(value, list) else value


def _majsoul_deal(deal: Deal) -> list[dict[str, Any]]:
    def record(name: str, **data: Any) -> dict[str, Any]:
        return {"name": f".lq.Record{name}", "data": data}

    first, *moves = deal.moves
    assert isinstance(first, Draw)
    hands = [list(map(str, hand)) for hand in deal.hands]
    hands[deal.dealer].append(str(first.tile))
    doras = [str(deal.indicator)]
    number = divmod(deal.number, deal.players)
    start = {f"tiles{at}": hand for at, hand in enumerate(hands)}
    found = [
        record(
            "NewRound", chang=number[0], ju=number[1], ben=deal.honba, liqibang=deal.sticks,
            scores=list(deal.points), doras=list(doras), **start,
        )
    ]  # fmt: skip
    for move in moves:
        match move:
            case Draw(player, tile):
                found.append(record("DealTile", seat=player, tile=str(tile), doras=list(doras)))
            case Discard(player, tile, drawn, riichi):
                data = {"seat": player, "tile": str(tile), "moqie": drawn, "is_liqi": riichi}
                found.append(record("DiscardTile", **data, doras=list(doras)))
            case Dora(tile):
                doras.append(str(tile))
                found[-1]["data"]["doras"] = list(doras)
            case NukidoraMove(player):
                found.append(record("BaBei", seat=player))
            case Call(player, meld, tile):
                if meld.type in (MeldType.ANKAN, MeldType.KAKAN):
                    kind = 3 if meld.type is MeldType.ANKAN else 2
                    found.append(record("AnGangAddGang", seat=player, type=kind, tiles=str(tile)))
                    continue
                own = list(meld.tiles)
                own.remove(tile)
                source = meld.source or 3
                giver = (player + (-1 if source == 3 else source)) % deal.players
                called = ("chi", "pon", "minkan").index(meld.type.value)
                tiles = [*map(str, own), str(tile)]
                froms = [*[player] * len(own), giver]
                found.append(record("ChiPengGang", seat=player, type=called, tiles=tiles, froms=froms))
    return [*found, _majsoul_end(deal)]


ABORTED = ("nine_terminals", "four_winds", "four_kongs", "four_riichi", "triple_ron")


def _majsoul_end(deal: Deal) -> dict[str, Any]:
    paid = list(deal.paid or (0,) * deal.players)
    if isinstance(deal.end, tuple):
        hules = [
            {"seat": win.player, "zimo": win.source == win.player, "li_doras": list(map(str, win.ura))}
            for win in deal.end
        ]
        return {"name": ".lq.RecordHule", "data": {"hules": hules, "delta_scores": paid}}
    table = Table.at_end(deal)
    kind = deal.end.kind or table.abort() or "draw"
    if kind not in ("draw", "nagashi"):
        return {"name": ".lq.RecordLiuJu", "data": {"type": 1 + ABORTED.index(kind)}}
    ready = table.ready() if deal.end.tenpai is None else deal.end.tenpai
    data = {
        "liujumanguan": kind == "nagashi",
        "players": [{"tingpai": at in ready} for at in range(deal.players)],
        "scores": [{"delta_scores": paid}],
    }
    return {"name": ".lq.RecordNoTile", "data": data}


def text(found: Any) -> bytes:
    """JSON as a file has it."""
    return json.dumps(found, ensure_ascii=False).encode()
