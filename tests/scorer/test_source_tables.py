"""Every cell of the tables of payments, minipoints and yaku in the five sources (``data/*.toml``)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scorer import RuleSet, load_rules, preset_ids
from scorer.payment import YAKUMAN_BASE, base_points, deltas
from scorer.tiles import format_tiles
from tests.scorer.short_hands import scored, win

DATA = Path(__file__).parent / "data"
FILES = ("ema2008", "ema_revised", "reference", "toudai", "wrc2017")
SOURCES = [tomllib.loads((DATA / f"{name}.toml").read_text("utf-8")) for name in FILES]
PLAYED = [source for source in SOURCES if source["preset"] in preset_ids()]


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


def cells(source: dict[str, Any]) -> Iterator[Cell]:
    """The cells with a value; a ditto mark repeats the cell above it."""
    for table in source.get("payments", ()):
        above: list[str] = []
        for name, *row in rows_of(table):
            assert len(row) == len(table["columns"]), (table["table"], name)
            row = [above[at] if cell == '"' else cell for at, cell in enumerate(row)]
            above = row
            for column, printed in zip(table["columns"], row, strict=True):
                if printed not in ("", "-", "NP"):
                    right = misprints(source).get((table["table"], name, column), (printed, printed))[1]
                    yield Cell(source["preset"], table, name, column, printed, right)


def misprints(source: dict[str, Any]) -> dict[tuple[str, str, str], tuple[str, str]]:
    """(table, row, column) to (printed, right)."""
    return {
        (entry["table"], row, column): (printed, right)
        for entry in source.get("misprints", ())
        for row, column, printed, right in entry["cells"]
    }


ALL = [cell for source in SOURCES for cell in cells(source)]
CELLS = [cell for cell in ALL if cell.preset in preset_ids()]


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


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_cell(cell: Cell) -> None:
    rules = load_rules(cell.preset)
    for han in (0,) if cell.yakuman else cell.han:
        assert printed_as(cell, han, rules) == plain(cell.right)


def test_the_tables_are_whole() -> None:
    """So many cells with a value each source has, counted by hand from its table sizes."""
    count = {source["preset"]: sum(1 for _ in cells(source)) for source in SOURCES if "payments" in source}
    assert count == {
        "ema2008": 37 + 37 + 35 + 35 + 5 + 5 + (17 + 17 + 7 + 10 + 4 + 3),
        "toudai": 63 + 3 * 78 + 79 + 71 + 5,
        "wrc2017": 42 + 5 + 42 + 5,
        "reference": 25 + 23 + 25 + 23 + 4 * 5,
    }


# --- minipoints ---------------------------------------------------------------------------------------------

FU_HANDS: dict[str, list[tuple[str, str, str]]] = {}
for line in (DATA / "fu_hands.txt").read_text("utf-8").splitlines():
    if not line.startswith("#"):
        key, hand, how, what = (part.strip() for part in line.split("|"))
        FU_HANDS.setdefault(key, []).append((hand, how, what))

FU_CELLS = [
    (source["preset"], table["table"], row, int(fu), key.strip())
    for source in PLAYED
    for table in source.get("fu", ())
    for row, fu, keys in rows_of(table)
    for key in keys.split(";")
]


@pytest.mark.parametrize(("preset", "table", "row", "fu", "key"), FU_CELLS)
def test_minipoints(preset: str, table: str, row: str, fu: int, key: str) -> None:
    for hand, how, what in FU_HANDS[key]:
        won = scored(hand, how, load_rules(preset))
        words = what.split()
        if what == "rounded":
            assert won.fu == fu
        elif what == "base":
            assert won.fu_items[0].fu == fu
        elif words[0] == "rest":
            rest = [item for item in won.fu_items[1:] if not item.reason.startswith("rounded")]
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
    """What a source gives a yaku on a concealed or an open hand; ``keys`` name the hands."""

    preset: str
    table: str
    row: str
    column: str
    printed: str
    right: str
    keys: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.preset}: {self.table}: {self.row}, {self.column}"

    @property
    def han(self) -> int:
        """Y and S are one yakuman, 2Y two."""
        special = re.fullmatch(r"(\d?)[YS]", self.right)
        return 13 * int(special[1] or 1) if special else sum(map(int, self.right.split("+")))


def yaku_cells(source: dict[str, Any]) -> Iterator[YakuCell]:
    for table in source.get("yaku", ()):
        for row, closed, open_, keys in rows_of(table):
            for column, printed in (("closed", closed), ("open", open_)):
                right = misprints(source).get((table["table"], row, column), (printed, printed))[1]
                yield YakuCell(
                    source["preset"],
                    table["table"],
                    row,
                    column,
                    printed,
                    right,
                    tuple(key.strip() for key in keys.split(";")),
                )


ALL_YAKU = [cell for source in SOURCES for cell in yaku_cells(source)]
YAKU_CELLS = [cell for cell in ALL_YAKU if cell.right != "-" and cell.preset in preset_ids()]


@pytest.mark.parametrize("cell", YAKU_CELLS, ids=str)
def test_yaku_cell(cell: YakuCell) -> None:
    rules = load_rules(cell.preset)
    for key in cell.keys:
        hands = YAKU_HANDS[key]
        if cell.right == "0":
            assert [rules.han(id_, closed=False) for id_ in hands.ids] == [0] * len(hands.ids)
            continue
        hand, how = (hands.closed if cell.column == "closed" else hands.open).split(", ")
        won = scored(hand, how, rules)
        assert sum(han for id_, han in won.yaku if id_ in hands.ids) == cell.han, won.yaku


def test_every_yaku_hand_is_some_cell() -> None:
    assert {key for cell in ALL_YAKU for key in cell.keys} == set(YAKU_HANDS)


# --- misprints ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source["preset"]))
def test_misprints_are_what_is_printed(source: dict[str, Any]) -> None:
    """Each names a cell that there is, the text printed in it, and another that holds."""
    there = {(cell.table["table"], cell.row, cell.column): cell.printed for cell in ALL}
    there |= {(cell.table, cell.row, cell.column): cell.printed for cell in ALL_YAKU}
    for place, (printed, right) in misprints(source).items():
        assert re.sub(r"\s+", " ", there[place]) == printed != right
