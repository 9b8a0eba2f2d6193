"""The table of the flags of ``tehai score`` that state a fact of the hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Flag:
    """``field``: of the hand record, but for :data:`NOTHING_SPECIAL`. ``names``: as typed, for yes and for no
    where there are two. ``kind``: of its value; :mod:`tehai.flags.facts` knows what a text means.
    ``adds_up``: whether the flag may be given several times."""

    field: str
    names: str
    help: str
    kind: type[bool | int | str] = bool
    adds_up: bool = False


NOTHING_SPECIAL: Final = "nothing_special"
"""The flag that denies all rare circumstances."""

FLAGS: Final = (
    Flag("tsumo", "--tsumo/--ron", "Self-draw, or a discard."),
    Flag("win_tile", "--win", "The winning tile.", str),
    Flag("seat_wind", "--seat", "Seat wind: E, S, W or N.", str),
    Flag("round_wind", "--round", "Round wind: E, S, W or N.", str),
    Flag("dealer", "--dealer/--no-dealer", "Dealer (east), or not."),
    Flag("riichi", "--riichi/--no-riichi", "Riichi."),
    Flag("double_riichi", "--double-riichi", "Double riichi."),
    Flag("open_riichi", "--open-riichi", "Riichi with the hand shown."),
    Flag("ippatsu", "--ippatsu/--no-ippatsu", "Ippatsu."),
    Flag(
        "dora_indicators",
        "--dora",
        "Dora indicators, such as 3m5z, or the number of dora: 2; “-” for none.",
        str,
        adds_up=True,
    ),
    Flag(
        "ura_indicators",
        "--ura",
        "Ura dora indicators, or the number of ura dora; “-” for none.",
        str,
        adds_up=True,
    ),
    Flag("rinshan", "--rinshan", "Won on the tile after a kan."),
    Flag("chankan", "--chankan", "Robbed a kan."),
    Flag("robbed_ankan", "--robbed-ankan", "The kan that was robbed is a concealed one."),
    Flag("haitei", "--haitei", "Self-draw of the last tile."),
    Flag("houtei", "--houtei", "Won on the last discard."),
    Flag("tenhou", "--tenhou", "Dealer's first draw."),
    Flag("chiihou", "--chiihou", "First draw of another seat."),
    Flag("renhou", "--renhou", "Ron before the first draw."),
    Flag("tsubame_gaeshi", "--tsubame-gaeshi", "Won on the discard that declared a riichi."),
    Flag("kanburi", "--kanburi", "Won on the discard after a kan."),
    Flag(
        NOTHING_SPECIAL,
        "--nothing-special",
        "None of the rare ways above, no ippatsu, no dealer wins before this one.",
    ),
    Flag("loser_offset", "--from", "Who discarded: right, across, left or unknown.", str),
    Flag("pao", "--pao", "Who is liable: right, across or left.", str),
    Flag("nukidora", "--nukidora", "Tiles set aside as dora: flowers, where they are played.", int),
    Flag(
        "discards",
        "--discards",
        "Your own discards, such as 3m5z: one that you wait for is furiten.",
        str,
        adds_up=True,
    ),
    Flag("honba", "--honba", "Counters on the table.", int),
    Flag("riichi_sticks", "--sticks", "1,000-point sticks that you take.", int),
    Flag("dealer_wins", "--dealer-wins", "Your wins (or hands) in a row as dealer before this one.", int),
    Flag("ron_index", "--ron-index", "Winners on the same discard who come before you.", int),
)
"""The flags in the order of ``tehai score --help``."""

OF_A_TABLE: Final = tuple(
    flag
    for flag in FLAGS
    if flag.field in ("seat_wind", "round_wind", "dealer", "dora_indicators", "nukidora", "discards")
)
"""The flags for facts that are known before a win."""

NAMES: Final = {flag.field: flag.names.replace("/", " or ") for flag in FLAGS}
"""The name of the flag of each field."""
