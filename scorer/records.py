"""The shapes of the JSON records of ``docs/hand.md``, for programs whose types are checked."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

WindLetter = Literal["E", "S", "W", "N"]
Player = Literal[1, 2, 3]

MeldRecord = TypedDict(
    "MeldRecord",
    {
        "type": Literal["chi", "pon", "minkan", "kakan", "ankan"],
        "tiles": str,
        "from": Player | None,
    },
)
"""A meld of a hand record."""


class HandRecord(TypedDict, total=False):
    """A hand record. ``concealed``, ``win_tile`` and ``tsumo`` are required to score it."""

    rules: str
    concealed: str
    win_tile: str | None
    melds: list[MeldRecord]
    tsumo: bool
    seat_wind: WindLetter | None
    dealer: bool | None
    round_wind: WindLetter
    riichi: bool
    double_riichi: bool
    open_riichi: bool
    ippatsu: bool
    rinshan: bool
    chankan: bool
    haitei: bool
    houtei: bool
    tenhou: bool
    chiihou: bool
    renhou: bool
    tsubame_gaeshi: bool
    kanburi: bool
    dora_indicators: list[str]
    ura_indicators: list[str]
    honba: int
    riichi_sticks: int
    loser_offset: Player | None
    pao: Player | None
    ron_index: int
    dealer_wins: int
    robbed_ankan: bool
    nukidora: int
    dora_count: int
    ura_count: int
    discards: str
    words: str | None
    known: dict[str, str]


class ReadingOfTiles(TypedDict):
    """How the tiles of a result are read."""

    form: str
    groups: list[dict[str, Any]]
    win_group: int
    wait: str


class ResultRecord(TypedDict, total=False):
    """What a hand record comes to. Beside the ``status`` ``error`` stand ``error``, ``message``, ``faults``,
    and perhaps ``field``."""

    status: Literal["ok", "error"]
    han: int
    fu: int | None
    points: int
    limit: str | None
    yakuman: int
    yaku: list[list[Any]]
    fu_items: list[dict[str, Any]]
    deltas: list[int] | None
    rules: str
    assumed: list[str]
    reading: ReadingOfTiles
    other_readings: list[dict[str, Any]]
    in_words: str
    error: str
    field: str
    message: str
    faults: list[dict[str, str]]
