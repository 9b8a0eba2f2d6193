"""Other scorers behind one door, run in their own environment: ``PYTHON benchmarks/peers.py PEER [--time]``.

Reads lines of JSON, each a list of hand records whose ``rules`` is one of the tables below, and answers each
with a line: a list of ``{"error": …}`` or ``{"han", "fu", "yaku", "deltas"}`` in the terms of the hand
record. With ``--time`` it reads all lines, builds the peer's own inputs, and prints the seconds that scoring
took. Nothing here needs the scorer that is compared, and nothing of it needs the peers.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from typing import Any

Record = dict[str, Any]
Answer = dict[str, Any]

WINDS = "ESWN"
THREE = ("tenhou3", "majsoul3")
REDS = {"0m": 16, "0p": 52, "0s": 88}


def texts(tiles: str) -> list[str]:
    """``"055p7z"`` as ``["0p", "5p", "5p", "7z"]``."""
    found: list[str] = []
    ranks = ""
    for character in tiles:
        if character.isdigit():
            ranks += character
        else:
            found.extend(rank + character for rank in ranks)
            ranks = ""
    return found


def kind_of(tile: str) -> int:
    return "mpsz".index(tile[1]) * 9 + (int(tile[0]) or 5) - 1


class Deck136:
    """Hands out the ids 0–135 of tiles, each once; red fives are 16, 52, 88."""

    def __init__(self) -> None:
        self.used: set[int] = set()

    def take(self, tile: str) -> int:
        first = 4 * kind_of(tile)
        wanted = (REDS[tile],) if tile in REDS else tuple(range(first, first + 4))
        found = next(id_ for id_ in wanted if id_ not in self.used and (tile in REDS or id_ not in _REDS))
        self.used.add(found)
        return found

    def take_all(self, tiles: list[str]) -> list[int]:
        return [self.take(tile) for tile in tiles]


_REDS = frozenset(REDS.values())


def changes(record: Record, ron: int, from_dealer: int, from_other: int, counters: int) -> list[int]:
    """Winner, next player, across, previous. ``counters``: for all on the table together.

    With three players nobody sits across.
    """
    three = record["rules"] in THREE
    if not record["tsumo"]:
        paid = [0, 0, 0]
        paid[record["loser_offset"] - 1] = ron + counters
    else:
        seat = WINDS.index(record["seat_wind"])
        dealer = (0, 3, 1)[seat] if three else -seat % 4
        others = (1, 3) if three else (1, 2, 3)
        paid = [0, 0, 0]
        for offset in others:
            paid[offset - 1] = (from_dealer if offset == dealer else from_other) + counters // len(others)
    return [sum(paid) + 1000 * record["riichi_sticks"], *(-points for points in paid)]


# --- mahjong ------------------------------------------------------------------------------------------------

_THREE_OPTIONS = {"has_open_tanyao": True, "has_aka_dora": True, "is_three_player": True}
MAHJONG_OPTIONS: dict[str, dict[str, Any]] = {
    "tenhou3": {**_THREE_OPTIONS, "has_double_yakuman": False},
    "majsoul3": {**_THREE_OPTIONS, "has_double_yakuman": True},
    "tenhou": {"has_double_yakuman": False, "has_open_tanyao": True, "has_aka_dora": True},
    "majsoul": {"has_double_yakuman": True, "has_open_tanyao": True, "has_aka_dora": True},
    "house": {
        "has_aka_dora": True, "has_double_yakuman": True, "kazoe_limit": 1, "kiriage": True,
        "fu_for_open_pinfu": False, "renhou_as_yakuman": True, "has_daisharin": True,
    },
}  # fmt: skip

MAHJONG_YAKU = {
    "Aka Dora": "aka", "Chankan": "chankan", "Chantai": "chanta", "Chiitoitsu": "chiitoitsu",
    "Chinitsu": "chinitsu", "Yakuhai (chun)": "yakuhai_chun", "Double Riichi": "double_riichi",
    "Dora": "dora", "Haitei Raoyue": "haitei", "Yakuhai (haku)": "yakuhai_haku",
    "Yakuhai (hatsu)": "yakuhai_hatsu", "Honitsu": "honitsu", "Honroutou": "honroutou",
    "Houtei Raoyui": "houtei", "Iipeiko": "iipeikou", "Ippatsu": "ippatsu", "Ittsu": "ittsu",
    "Junchan": "junchan", "Pinfu": "pinfu", "Riichi": "riichi", "Rinshan Kaihou": "rinshan",
    **{f"Yakuhai (round wind {wind})": "yakuhai_round" for wind in ("east", "south", "west", "north")},
    **{f"Yakuhai (seat wind {wind})": "yakuhai_seat" for wind in ("east", "south", "west", "north")},
    "Ryanpeikou": "ryanpeikou", "San Ankou": "sanankou", "San Kantsu": "sankantsu",
    "Sanshoku Doujun": "sanshoku_doujun", "Sanshoku Doukou": "sanshoku_doukou",
    "Shou Sangen": "shousangen", "Tanyao": "tanyao", "Toitoi": "toitoi", "Menzen Tsumo": "menzen_tsumo",
    "Ura Dora": "ura", "Chiihou": "chiihou", "Chinroutou": "chinroutou", "Chuuren Poutou": "chuuren",
    "Daburu Chuuren Poutou": "chuuren_9", "Kokushi Musou Juusanmen Matchi": "kokushi_13",
    "Daisangen": "daisangen", "Daisharin": "daisharin", "Dai Suushii": "daisuushii",
    "Kokushi Musou": "kokushi", "Renhou (yakuman)": "renhou", "Ryuuiisou": "ryuuiisou",
    "Shousuushii": "shousuushii", "Suu Ankou": "suuankou", "Suu Ankou Tanki": "suuankou_tanki",
    "Suu Kantsu": "suukantsu", "Tenhou": "tenhou", "Tsuu Iisou": "tsuuiisou",
}  # fmt: skip


class Mahjong:
    """``mahjong`` of MahjongRepository."""

    def prepare(self, record: Record) -> tuple[Any, ...]:
        from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
        from mahjong.meld import Meld

        kinds = {"chi": Meld.CHI, "pon": Meld.PON, "kakan": Meld.SHOUMINKAN}
        deck = Deck136()
        concealed = deck.take_all(texts(record["concealed"]))
        win_tile = deck.take(record["win_tile"])
        melds = [
            Meld(
                kinds.get(meld["type"], Meld.KAN),
                deck.take_all(texts(meld["tiles"])),
                meld["type"] != "ankan",
            )
            for meld in record["melds"]
        ]
        options = MAHJONG_OPTIONS[record["rules"]]
        config = HandConfig(
            is_tsumo=record["tsumo"],
            is_riichi=record["riichi"],
            is_ippatsu=record["ippatsu"],
            is_rinshan=record["rinshan"],
            is_chankan=record["chankan"],
            is_haitei=record["haitei"],
            is_houtei=record["houtei"],
            is_daburu_riichi=record["double_riichi"],
            is_tenhou=record["tenhou"],
            is_chiihou=record["chiihou"],
            is_renhou=record["renhou"] and options.get("renhou_as_yakuman", False),
            player_wind=27 + WINDS.index(record["seat_wind"]),
            round_wind=27 + WINDS.index(record["round_wind"]),
            kyoutaku_number=record["riichi_sticks"],
            tsumi_number=record["honba"],
            num_nuki_dora=record["nukidora"],
            options=OptionalRules(**options),
        )
        tiles = [*concealed, win_tile, *(tile for meld in melds for tile in meld.tiles)]
        dora = deck.take_all(record["dora_indicators"])
        ura = deck.take_all(record["ura_indicators"])
        return tiles, win_tile, melds, dora, config, ura

    def scorer(self) -> Callable[[tuple[Any, ...]], Any]:
        from mahjong.hand_calculating.hand import HandCalculator

        def score(native: tuple[Any, ...]) -> Any:
            tiles, win_tile, melds, dora, config, ura = native
            return HandCalculator.estimate_hand_value(
                tiles, win_tile, melds, dora, config, ura_dora_indicators=ura
            )

        return score

    def answer(self, record: Record, result: Any) -> Answer:
        if result.error:
            return {"error": result.error}
        cost = result.cost
        named = [
            (
                MAHJONG_YAKU[yaku.name],
                yaku.han_open if result.is_open_hand and yaku.han_open else yaku.han_closed,
            )
            for yaku in result.yaku
        ]
        payers = 1 if record["rules"] in THREE else 2
        counters = cost["main_bonus"] + (payers * cost["additional_bonus"] if record["tsumo"] else 0)
        main, other = cost["main"], cost["additional"]
        return {
            "han": result.han,
            "fu": result.fu,
            "yaku": sorted(named),
            "deltas": changes(record, main, main, other, counters),
        }


# --- jansou -------------------------------------------------------------------------------------------------

JANSOU_RULES: dict[str, tuple[str, dict[str, Any]]] = {
    "tenhou": ("tenhou", {}),
    "majsoul": ("mahjong-soul", {}),
    "mleague": ("m-league", {}),
    "closed": ("mahjong-soul", {"kuitan": False, "multiple_yakuman": False, "kiriage_mangan": True}),
}

JANSOU_YAKU = {"SHOUSUUSHI": "shousuushii", "DAISUUSHI": "daisuushii"}


class Jansou:
    """``jansou``."""

    def __init__(self) -> None:
        from dataclasses import replace

        from jansou.core.rules import preset

        self.rules = {name: replace(preset(base), **more) for name, (base, more) in JANSOU_RULES.items()}

    def prepare(self, record: Record) -> tuple[Any, ...]:
        from jansou.core.hand import CallSource, Hand, Meld, MeldType
        from jansou.core.notation import parse_mpsz
        from jansou.core.tiles import Wind
        from jansou.scoring.context import WinContext

        types = {
            "chi": MeldType.CHII, "pon": MeldType.PON, "minkan": MeldType.DAIMINKAN,
            "kakan": MeldType.SHOUMINKAN, "ankan": MeldType.ANKAN,
        }  # fmt: skip
        sources = {1: CallSource.SHIMOCHA, 2: CallSource.TOIMEN, 3: CallSource.KAMICHA}
        melds = []
        for meld in record["melds"]:
            tiles = tuple(parse_mpsz(meld["tiles"]))
            called = None if meld["type"] == "ankan" else tiles[0]
            added = tiles[-1] if meld["type"] == "kakan" else None
            # who gave the tile must be known here, though it changes no score
            source = None if called is None else sources[meld["from"] or 3]
            melds.append(Meld(types[meld["type"]], tiles, called, source, added))
        (win_tile,) = parse_mpsz(record["win_tile"])
        hand = Hand((*parse_mpsz(record["concealed"]), win_tile), tuple(melds))
        flags = (
            "riichi", "double_riichi", "ippatsu", "haitei", "houtei", "rinshan", "chankan", "tenhou",
            "chiihou", "honba", "riichi_sticks",
        )  # fmt: skip
        context = WinContext(
            rules=self.rules[record["rules"]],
            round_wind=Wind(WINDS.index(record["round_wind"])),
            seat_wind=Wind(WINDS.index(record["seat_wind"])),
            is_tsumo=record["tsumo"],
            dora_indicators=tuple(parse_mpsz("".join(record["dora_indicators"]))),
            ura_indicators=tuple(parse_mpsz("".join(record["ura_indicators"]))),
            **{flag: record[flag] for flag in flags},
        )
        return hand, win_tile, context

    def scorer(self) -> Callable[[tuple[Any, ...]], Any]:
        from jansou.scoring.score import ScoringError, score

        def scored(native: tuple[Any, ...]) -> Any:
            try:
                return score(*native)
            except ScoringError as error:
                return error

        return scored

    def answer(self, record: Record, result: Any) -> Answer:
        if isinstance(result, ValueError):
            return {"error": "no_yaku" if "no yaku" in str(result) else str(result)}
        unit = 13 if result.is_yakuman else 1
        named = [
            (JANSOU_YAKU.get(one.yaku.name, one.yaku.name.lower()), unit * one.value) for one in result.yaku
        ]
        named += [(name, han) for name in ("dora", "aka", "ura") if (han := getattr(result.dora, name))]
        pay = result.payment
        return {
            "han": sum(han for _, han in named),
            "fu": result.fu.total,
            "yaku": sorted(named),
            "deltas": changes(record, pay.ron, pay.tsumo_dealer, pay.tsumo_non_dealer, pay.honba),
        }


# --- riichienv ----------------------------------------------------------------------------------------------


class Riichienv:
    """``riichienv``, whose scorer is written in Rust; it knows Tenhou's rules, and is timed alone."""

    def prepare(self, record: Record) -> tuple[Any, ...]:
        from riichienv import Conditions, Meld, MeldType

        types = {
            "chi": MeldType.Chi, "pon": MeldType.Pon, "minkan": MeldType.Daiminkan,
            "kakan": MeldType.Kakan, "ankan": MeldType.Ankan,
        }  # fmt: skip
        deck = Deck136()
        concealed = deck.take_all(texts(record["concealed"]))
        win_tile = deck.take(record["win_tile"])
        melds = [
            Meld(types[meld["type"]], deck.take_all(texts(meld["tiles"])), meld["type"] != "ankan")
            for meld in record["melds"]
        ]
        flags = (
            "tsumo", "riichi", "double_riichi", "ippatsu", "haitei", "houtei", "rinshan", "chankan", "honba",
            "riichi_sticks",
        )  # fmt: skip
        conditions = Conditions(
            tsumo_first_turn=record["tenhou"] or record["chiihou"],
            player_wind=WINDS.index(record["seat_wind"]),
            round_wind=WINDS.index(record["round_wind"]),
            **{flag: record[flag] for flag in flags},
        )
        dora = deck.take_all(record["dora_indicators"])
        ura = deck.take_all(record["ura_indicators"])
        return sorted([*concealed, win_tile]), melds, win_tile, dora, conditions, ura

    def scorer(self) -> Callable[[tuple[Any, ...]], Any]:
        from riichienv import HandEvaluator

        def score(native: tuple[Any, ...]) -> Any:
            tiles, melds, win_tile, dora, conditions, ura = native
            return HandEvaluator(tiles, melds).calc(win_tile, dora, conditions, ura)

        return score

    def answer(self, record: Record, result: Any) -> Answer:
        if not result.is_win:
            return {"error": "no_yaku"}
        ron, dealer, other = result.ron_agari, result.tsumo_agari_oya, result.tsumo_agari_ko
        return {"han": result.han, "fu": result.fu, "paid": [ron, dealer, other]}


PEERS: dict[str, Callable[[], Any]] = {"mahjong": Mahjong, "jansou": Jansou, "riichienv": Riichienv}


def main() -> None:
    name, *options = sys.argv[1:]
    peer = PEERS[name]()
    score = peer.scorer()
    if options == ["--time"]:
        natives = [peer.prepare(record) for line in sys.stdin for record in json.loads(line)]
        gc.collect()
        gc.freeze()
        passes = []
        for _ in range(2):  # everything for the first time, and once more
            started = time.process_time()
            for native in natives:
                score(native)
            passes.append(time.process_time() - started)
        print(json.dumps({"seconds": passes, "hands": len(natives)}))
        return
    for line in sys.stdin:
        answers = [peer.answer(record, score(peer.prepare(record))) for record in json.loads(line)]
        print(json.dumps(answers), flush=True)


if __name__ == "__main__":
    main()
