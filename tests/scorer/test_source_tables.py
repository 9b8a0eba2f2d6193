"""Every legible cell of every table in the five sources (``data/*.toml``).

Payments, minipoints, yaku, nagashi mangan, and what tiles are called. Where a table of payments leaves a cell
empty, no hand can be worth that. ``misprints`` name a cell, what is printed and what holds.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from scorer import HandError, RuleSet, SettleError, Wind, load_rules, settle_nagashi
from scorer.declared_win import least_han
from scorer.payment import YAKUMAN_BASE, base_points, deltas, hand_points
from scorer.rules import LIMITS
from scorer.tiles import (
    DRAGONS,
    HONOURS,
    KINDS,
    TERMINALS,
    WINDS,
    YAOCHUU,
    Tile,
    dora_of,
    format_tiles,
    parse_tiles,
)
from tests.scorer.short_hands import scored, win

DATA = Path(__file__).parent / "data"
FILES = ("ema2008", "ema_revised", "reference", "toudai", "wrc2017")
SOURCES = [tomllib.loads((DATA / f"{name}.toml").read_text("utf-8")) for name in FILES]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table of payments: where it stands, what is printed and what holds."""

    preset: str
    table: dict[str, Any]
    row: str
    column: str
    printed: str
    right: str

    def __str__(self) -> str:
        return f"{self.preset}: {self.table['table']}: {self.row}, {self.column}"

    @property
    def yakuman(self) -> bool:
        return "Special" in (self.row, self.column)

    @property
    def han(self) -> range:
        """All han that the row or the column stands for."""
        words = self.row if self.table.get("by") == "han" else self.column
        base = 2 if self.table.get("exponential") else 0
        found = re.fullmatch(r"(\d+)(?:-(\d+)|(\+))?(?: fan| Han)?", words)
        assert found, words
        first = int(found[1])
        last = int(found[2] or (first + 7 if found[3] else first))
        return range(first - base, last - base + 1)

    @property
    def fu(self) -> int:
        """What the row's minipoints are rounded up to; 30 where the rows are no minipoints."""
        return 30 if self.table.get("by") == "han" else int(self.row.split("-")[-1])


def rows_of(table: dict[str, Any]) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table["rows"].strip().splitlines()]


EMPTY = ("", "-", "NP")
"""What stands where no hand can be; in a torn table a blank is a cell that was lost."""


def cells(source: dict[str, Any]) -> Iterator[Cell]:
    """All cells but those that are lost; a ditto mark repeats the cell above it."""
    for table in source.get("payments", ()):
        above: list[str] = []
        for name, *row in rows_of(table):
            assert len(row) == len(table["columns"]), (table["table"], name)
            row = [above[at] if cell == '"' else cell for at, cell in enumerate(row)]
            above = row
            for column, printed in zip(table["columns"], row, strict=True):
                right = misprints(source).get((table["table"], name, column), (printed, printed))[1]
                if printed or not table.get("torn"):
                    yield Cell(source["preset"], table, name, column, printed, right)


def misprints(source: dict[str, Any]) -> dict[tuple[str, str, str], tuple[str, str]]:
    """(table, row, column) to (printed, right)."""
    return {
        (entry["table"], row, column): (printed, right)
        for entry in source.get("misprints", ())
        for row, column, printed, right in entry["cells"]
    }


ALL = [cell for source in SOURCES for cell in cells(source)]
VALUES = [cell for cell in ALL if cell.right not in EMPTY]
NO_HANDS = [cell for cell in ALL if cell.right in EMPTY]


def paid(cell: Cell, tsumo: bool, han: int, rules: RuleSet) -> list[int]:
    """What the cell's winner gets from the discarder, or from the three others, the least first."""
    base = YAKUMAN_BASE if cell.yakuman else base_points(han, cell.fu, rules)[0]
    how = win(f"{'tsumo' if tsumo else 'ron loser_offset=1'} seat_wind={cell.table['seat']}")
    changes = deltas(how, base, 0, rules)
    assert changes is not None
    return sorted(-change for change in changes[1:] if change)


def printed_as(cell: Cell, han: int, rules: RuleSet) -> str:
    """What the cell should have in print: the words of its table for what we pay."""
    match cell.table["cell"]:
        case "value":
            value = cell.fu << (han + 2)
            assert base_points(han, cell.fu, rules)[0] == min(value, 2000)
            return f"{value}{'*' if value > 2000 else ''}"
        case "ron":
            return f"{paid(cell, False, han, rules)[0]}"
        case "tsumo":
            least, _, most = paid(cell, True, han, rules)
            return f"{least}" if least == most else f"{least}/{most}"
        case "tsumo, others":
            return f"{paid(cell, True, han, rules)[0]}"
        case "tsumo, dealer":
            return f"{paid(cell, True, han, rules)[-1]}"
        case "ron [tsumo]":
            if cell.right == "Mangan":
                return "Mangan" if base_points(han, cell.fu, rules) == (2000, "mangan") else "no limit"
            least, _, most = paid(cell, True, han, rules)
            each = f"{least}" if least == most else f"{least}/{most}"
            return f"{paid(cell, False, han, rules)[0]} [{each}]"
    raise AssertionError(cell.table["cell"])


def plain(text: str) -> str:
    """A cell without what is only a remark: spaces, the limit in words, the kind of bracket."""
    text = re.sub(r" \((?:limit|[\d.]+x limit)\)", "", text)
    return re.sub(r"\s+", " ", text).replace("(", "[").replace(")", "]")


@pytest.mark.parametrize("cell", VALUES, ids=str)
def test_cell(cell: Cell) -> None:
    rules = load_rules(cell.preset)
    for han in (0,) if cell.yakuman else cell.han:
        assert printed_as(cell, han, rules) == plain(cell.right)


@cache
def worths(preset: str) -> frozenset[tuple[bool, int | None, int]]:
    """(self-draw, minipoints, han) of every hand of the files, won in each plain way; no dora, no riichi."""
    found = set()
    for text, how in product(
        {hand for hands in FU_HANDS.values() for hand, _, _ in hands}
        | {cell.split(", ")[0] for hands in YAKU_HANDS.values() for cell in (hands.closed, hands.open)}
        - {"-"},
        ("tsumo", "ron", "tsumo haitei", "ron houtei"),
    ):
        with suppress(HandError):
            won = scored(text, how, load_rules(preset))
            found.add((how.startswith("tsumo"), won.fu, won.han))
    return frozenset(found)


@pytest.mark.parametrize("cell", NO_HANDS, ids=str)
def test_no_hand_is_worth_an_empty_cell(cell: Cell) -> None:
    """20 by self-draw is pinfu, so 2; seven pairs are 2, and 3 by self-draw; 20 by discard is open pinfu."""
    kinds = {"tsumo": (True,), "ron": (False,), "ron [tsumo]": (True, False)}
    for tsumo in kinds[cell.table["cell"].split(", ")[0]]:
        assert not {(tsumo, cell.fu, han) for han in cell.han} & worths(cell.preset)
        assert {fu for was_tsumo, fu, _ in worths(cell.preset) if was_tsumo == tsumo} >= {25, 30, 40}


@pytest.mark.parametrize("cell", NO_HANDS, ids=str)
def test_an_empty_cell_is_not_offered(cell: Cell) -> None:
    kinds = {"tsumo": (True,), "ron": (False,), "ron [tsumo]": (True, False)}
    for tsumo in kinds[cell.table["cell"].split(", ")[0]]:
        least = least_han(cell.fu, tsumo, load_rules(cell.preset))
        assert least is None or max(cell.han) < least


def test_the_tables_are_whole() -> None:
    """So many cells each source has, counted by hand from the sizes of its tables: (values, empty ones)."""
    count = {
        source["preset"]: (
            sum(cell.preset == source["preset"] for cell in VALUES),
            sum(cell.preset == source["preset"] for cell in NO_HANDS),
        )
        for source in SOURCES
        if "payments" in source
    }
    assert count == {
        "ema2008": (37 + 37 + 35 + 35 + 5 + 5 + (17 + 17 + 8 + 10 + 4 + 3 + 2), 3 + 3 + 1 + 1 + 1),
        "toudai": (63 + 3 * 78 + 80 + 71 + 5, 3 * 3 + 1 + 1),
        "wrc2017": (42 + 5 + 42 + 5, 2 + 2),
        "reference": (25 + 23 + 25 + 23 + 4 * 5 + 3 + 1, 3 + 5 + 3 + 5),
    }


# --- minipoints ---------------------------------------------------------------------------------------------

FU_HANDS: dict[str, list[tuple[str, str, str]]] = {}
for line in (DATA / "fu_hands.txt").read_text("utf-8").splitlines():
    if not line.startswith("#"):
        key, hand, how, what = (part.strip() for part in line.split("|"))
        FU_HANDS.setdefault(key, []).append((hand, how, what))

FU_CELLS = [
    (source["preset"], table["table"], row, int(fu), key.strip())
    for source in SOURCES
    for table in source.get("fu", ())
    for row, fu, keys in rows_of(table)
    for key in keys.split(";")
]


@pytest.mark.parametrize(("preset", "table", "row", "fu", "key"), FU_CELLS)
def test_minipoints(preset: str, table: str, row: str, fu: int, key: str) -> None:
    for hand, how, what in FU_HANDS[key]:
        rules = load_rules(preset)
        won = scored(hand, how, rules)
        words = what.split()
        base = {rules.vocabulary.base, rules.vocabulary.ron_closed}
        if what == "rounded":
            assert won.fu == fu
        elif what == "base":
            assert sum(item.fu for item in won.fu_items if item.reason in base) == fu
        elif words[0] == "rest":
            rest = [
                item for item in won.fu_items
                if item.reason not in base and not item.reason.startswith("rounded")
            ]  # fmt: skip
            assert sum(item.fu for item in rest if format_tiles(item.tiles) not in words[1:]) == fu
        else:
            earned = [item.fu for item in won.fu_items if what in (format_tiles(item.tiles), item.reason)]
            assert earned == [fu]


def test_every_hand_of_the_file_is_some_cell() -> None:
    named = {key.strip() for s in SOURCES for t in s.get("fu", ()) for _, _, keys in rows_of(t)
             for key in keys.split(";")}  # fmt: skip
    assert named == set(FU_HANDS)


# --- yaku ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class YakuHand:
    """Hands that show what a cell of a table of yaku is worth: (tiles, how it is won), or "-"."""

    closed: str
    open: str
    ids: tuple[str, ...]


YAKU_HANDS: dict[str, YakuHand] = {}
for line in (DATA / "yaku_hands.txt").read_text("utf-8").splitlines():
    if not line.startswith("#"):
        key, closed, open_, ids = (part.strip() for part in line.split("|"))
        YAKU_HANDS[key] = YakuHand(closed, open_, tuple(ids.split()))


@dataclass(frozen=True, slots=True)
class YakuCell:
    """What a source gives a yaku on a concealed or an open hand; ``keys`` name the hands.

    ``house``: values that the table speaks of and that the preset does not play.
    """

    rules: RuleSet
    table: str
    row: str
    column: str
    printed: str
    right: str
    keys: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.rules.id}: {self.table}: {self.row}, {self.column}"

    @property
    def base(self) -> int | None:
        """Base points of a limit: Y and S are one yakuman, 2Y and 2S two, L a mangan, 3L three, X six."""
        times = {"Y": 4, "2Y": 8, "S": 4, "2S": 8, "X": 6, "L": 1, "3L": 3}.get(self.right)
        return None if times is None else times * LIMITS["mangan"]

    @property
    def han(self) -> int:
        return sum(map(int, self.right.split("+")))


def yaku_cells(source: dict[str, Any]) -> Iterator[YakuCell]:
    for table in source.get("yaku", ()):
        rules = load_rules(source["preset"])
        house = {id_: (closed, open_) for id_, (closed, open_) in table.get("house", {}).items()}
        rules = replace(
            rules, yaku={**rules.yaku, **house}, limit_hands=table.get("limit_hands", rules.limit_hands)
        )
        for row, closed, open_, keys in rows_of(table):
            for column, printed in (("closed", closed), ("open", open_)):
                right = misprints(source).get((table["table"], row, column), (printed, printed))[1]
                yield YakuCell(
                    rules,
                    table["table"],
                    row,
                    column,
                    printed,
                    right,
                    tuple(key.strip() for key in keys.split(";")),
                )


ALL_YAKU = [cell for source in SOURCES for cell in yaku_cells(source)]
YAKU_CELLS = [cell for cell in ALL_YAKU if cell.right != "-"]


@pytest.mark.parametrize("cell", YAKU_CELLS, ids=str)
def test_yaku_cell(cell: YakuCell) -> None:
    rules = cell.rules
    for key in cell.keys:
        hands = YAKU_HANDS[key]
        if cell.right == "0":
            assert [rules.han(id_, closed=False) for id_ in hands.ids] == [0] * len(hands.ids)
            continue
        hand, how = (hands.closed if cell.column == "closed" else hands.open).split(", ")
        won = scored(hand, how, rules)
        if cell.base is None:
            assert sum(han for id_, han in won.yaku if id_ in hands.ids) == cell.han, won.yaku
        else:
            assert {id_ for id_, _ in won.yaku} <= set(hands.ids)
            assert won.points == hand_points(cell.base, win(how).tsumo, win(how).is_dealer, rules)


def test_every_yaku_hand_is_some_cell() -> None:
    assert {key for cell in ALL_YAKU for key in cell.keys} == set(YAKU_HANDS)


# --- nagashi mangan -----------------------------------------------------------------------------------------

NAGASHI = [
    (source, table, cell) for source in SOURCES for table in source["nagashi"] for cell in rows_of(table)
]


@pytest.mark.parametrize(
    ("source", "table", "cell"),
    [pytest.param(*case, id=f"{case[0]['preset']} {case[2][0]}") for case in NAGASHI],
)
def test_nagashi_mangan(source: dict[str, Any], table: dict[str, Any], cell: list[str]) -> None:
    """A row: the seat, counters, bets, and what East, South, West and North get or pay."""
    rules = load_rules(source["preset"])
    if table.get("house"):
        with pytest.raises(SettleError):
            settle_nagashi([Wind.EAST], rules)
        rules = replace(rules, nagashi_mangan=True)
    seat, honba, sticks, *changes = cell
    settled = settle_nagashi([Wind(seat)], rules, honba=int(honba), riichi_sticks=int(sticks))
    assert settled.changes == tuple(map(int, changes))


def test_every_source_names_nagashi_mangan() -> None:
    assert all(table["row"] and table["printed"] for source in SOURCES for table in source["nagashi"])


# --- tiles --------------------------------------------------------------------------------------------------

NAMED = {
    "terminals": TERMINALS,
    "honours": HONOURS,
    "yaochuu": YAOCHUU,
    "simples": set(range(KINDS)) - YAOCHUU,
    "winds": WINDS,
    "dragons": DRAGONS,
}


@pytest.mark.parametrize(
    ("called", "kind", "tiles"),
    [
        pytest.param(*row, id=row[0])
        for s in SOURCES
        for table in s.get("kinds", ())
        for row in rows_of(table)
    ],
)
def test_what_tiles_are_called(called: str, kind: str, tiles: str) -> None:
    assert {tile.kind for tile in parse_tiles(tiles)} == NAMED[kind]


@pytest.mark.parametrize(
    ("row", "indicator", "dora"),
    [pytest.param(*row, id=row[0]) for s in SOURCES for t in s.get("successors", ()) for row in rows_of(t)],
)
def test_successors(row: str, indicator: str, dora: str) -> None:
    assert dora_of(Tile.parse(indicator)) == Tile.parse(dora).kind


# --- misprints ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source["preset"]))
def test_misprints_are_what_is_printed(source: dict[str, Any]) -> None:
    """Each names a cell that there is, the text printed in it, and another that holds."""
    there = {
        (cell.table["table"], cell.row, cell.column): cell.printed
        for cell in ALL
        if cell.preset == source["preset"]
    }
    there |= {
        (cell.table, cell.row, cell.column): cell.printed
        for cell in ALL_YAKU
        if cell.rules.id == source["preset"]
    }
    for place, (printed, right) in misprints(source).items():
        assert re.sub(r"\s+", " ", there[place]) == printed != right
