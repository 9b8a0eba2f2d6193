"""The rules of riichi mahjong: the tiles of a finished hand to yaku, han, fu, points, and who pays whom.

Pure Python, no dependency. A hand, how it was won and a rule set go in, a frozen :class:`Score` comes out:

>>> from scorer import Hand, Meld, Win, load_rules, score
>>> hand = Hand("340567p2267s", "8s", [Meld("pon", "666z")])
>>> won = score(hand, Win(tsumo=True), load_rules("ema2008"))
>>> won.yaku, won.han, won.fu, won.points, won.deltas
((('yakuhai_hatsu', 1), ('aka', 1)), 2, 30, 2000, (2000, -500, -500, -1000))

The same from a record of plain JSON values, which never raises: :func:`score_record`.
"""

from __future__ import annotations

from scorer.hand import Hand, Meld, MeldType, Win, Wind
from scorer.readings import is_complete, readings, waits
from scorer.rules import RulesError, RuleSet, load_rules, parse_rules, preset_ids
from scorer.score import Score, check, score
from scorer.status import Fault, HandError, HandStatus
from scorer.tenpai import Furiten, FuritenKind, furiten, wait_kinds
from scorer.tiles import Tile, TileError, format_tiles, parse_tiles

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from scorer.game import Game
    from scorer.game_record import GameRecordError, PlayedGame, replay
    from scorer.record import RecordError, parse_record, score_record
    from scorer.settlement import (
        SettleError,
        Settlement,
        settle,
        settle_abort,
        settle_chombo,
        settle_draw,
        settle_nagashi,
    )

__all__ = [
    "Fault",
    "Furiten",
    "FuritenKind",
    "Game",
    "GameRecordError",
    "Hand",
    "HandError",
    "HandStatus",
    "Meld",
    "MeldType",
    "PlayedGame",
    "RecordError",
    "RuleSet",
    "RulesError",
    "Score",
    "SettleError",
    "Settlement",
    "Tile",
    "TileError",
    "Win",
    "Wind",
    "check",
    "format_tiles",
    "furiten",
    "is_complete",
    "load_rules",
    "parse_record",
    "parse_rules",
    "parse_tiles",
    "preset_ids",
    "readings",
    "replay",
    "score",
    "score_record",
    "settle",
    "settle_abort",
    "settle_chombo",
    "settle_draw",
    "settle_nagashi",
    "wait_kinds",
    "waits",
]

_WHERE = {
    "Game": "game",
    **dict.fromkeys(("GameRecordError", "PlayedGame", "replay"), "game_record"),
    **dict.fromkeys(("RecordError", "parse_record", "score_record"), "record"),
}
"""Names of whole games and of records, which not everybody needs, to where they are; the others settle."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f"{__name__}.{_WHERE.get(name, 'settlement')}"), name)
    return found


def __dir__() -> list[str]:
    return __all__
