"""The types of the JSON records of ``docs/hand.md``, for type checkers."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

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


class GroupRecord(TypedDict):
    """A group of :class:`ReadingOfTiles`."""

    type: str
    tiles: str
    concealed: bool


class ReadingOfTiles(TypedDict):
    """The reading of the tiles of a result."""

    form: str
    groups: list[GroupRecord]
    win_group: int
    wait: str


class FuItemRecord(TypedDict):
    """Minipoints with their reason and tiles."""

    fu: int
    reason: str
    tiles: str


class OtherReading(TypedDict):
    """A reading that was not chosen."""

    han: int
    fu: int | None
    points: int
    reading: ReadingOfTiles


class ScoredResult(TypedDict):
    """The result of a hand that scores. ``chips``: only if the rules have chips."""

    status: Literal["ok"]
    han: int
    fu: int | None
    points: int
    limit: str | None
    yakuman: int
    yaku: list[list[Any]]
    fu_items: list[FuItemRecord]
    deltas: list[int] | None
    chips: NotRequired[int]
    rules: str
    assumed: list[str]
    reading: ReadingOfTiles
    other_readings: list[OtherReading]
    in_words: str


class FaultRecord(TypedDict):
    """One fault. ``field``: only for an invalid record."""

    error: str
    message: str
    field: NotRequired[str]


class ErrorResult(TypedDict):
    """The result of a hand without a score. ``field``: only for an invalid record."""

    status: Literal["error"]
    error: str
    field: NotRequired[str]
    message: str
    faults: list[FaultRecord]


ResultRecord: TypeAlias = ScoredResult | ErrorResult
"""The result of a hand record. ``status`` tells which of the two it is."""


class OwnYakuRecord(TypedDict):
    """A yaku that a table adds, as in its file of house rules (``docs/house-rules.md``)."""

    name: str
    name_ja: str
    han: list[int]
    when: list[dict[str, Any]]
    replaces: NotRequired[list[str]]


class RuleSetRecord(TypedDict):
    """A rule set as JSON values: every key of its file, its ``id``, and the ``base`` that it extends."""

    id: str
    base: str
    name: str
    name_ja: str
    source: str
    words: str
    players: int
    red_fives: list[int]
    yaku: dict[str, list[int]]
    own_yaku: dict[str, OwnYakuRecord]
    limit_hands: dict[str, str]
    tenhou_special_waits: str
    limits: dict[str, int]
    aotenjou: bool
    kiriage_mangan: bool
    yakuman_add_up: bool
    honroutou_with_chanta: bool
    four_alike_are_pairs: bool
    natural_wins_alone: str
    rinshan_on_last_tile: bool
    renhou_by_dealer: bool
    suukantsu_needs_rinshan: bool
    daisharin_suits: str
    paarenchan_wins: int
    paarenchan_counts: str
    paarenchan_retires: bool
    dora_open_hands: bool
    kan_dora: bool
    ura_dora: bool
    nukidora: bool
    fu: dict[str, int]
    double_wind_pair_fu: int
    open_pinfu_fu: int
    two_han_from_honba: int
    two_han_counts: str
    kokushi_robs_ankan: bool
    fourth_share: str
    honba_points: int
    honba_to_every_winner: bool
    honba_dealer_only: bool
    winners_per_discard: int
    triple_ron_draw: bool
    bets_returned: bool
    bets_split: bool
    bets_left: str
    liability: list[str]
    liability_all_open: bool
    liability_whole_hand: bool
    liability_tsumo: bool
    liability_ron: bool
    liability_counters: str
    nagashi_mangan: bool
    nagashi_collects: bool
    noten_points: int
    chombo: str
    chombo_points: int
    abortive_draws: list[str]
    dealer_stays: str
    abort_keeps_deal: bool
    rounds: int
    extra_rounds: int
    extra_rounds_above: int
    sudden_death: bool
    last_dealer_stops: str
    bust: bool
    riichi_wall: int
    riichi_below_1000: bool
    start_points: int
    target_points: int
    oka: int
    uma: list[int]
    floating_uma: list[list[int]]
    ties_share: bool
    yakitori: int
    chips: dict[str, int]
    chip_points: int
    notes: list[str]
    cite: dict[str, str]


class ScoreRecord(TypedDict):
    """A hand record and its result. ``rule_set``: only if the rules are no preset."""

    record: HandRecord
    result: ScoredResult
    rule_set: NotRequired[RuleSetRecord]
