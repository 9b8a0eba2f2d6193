"""The steps of a lesson about a wait: how many of each tile are left, what each pays, and its readings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from scorer.hand import Hand, Meld, Win
from scorer.readings import Reading, Wait
from scorer.rules import RuleSet
from scorer.score import Score
from scorer.telling.near import all_readings
from scorer.telling.sentence import Grid, Line, Name, Sentence, Step, StepKind, Tiles, Value, say
from scorer.telling.steps import WAIT_TERMS, reading_apart, worth
from scorer.tenpai import Furiten, furiten
from scorer.tiles import Tile
from scorer.wait_values import WaitValue, as_ron, as_tsumo, scored, wait_values
from scorer.yaku import DORA

_ANY: Final = 9
"""From this number of waits on, one line lists them all, without their readings."""


def waits_steps(
    concealed: Tiles, melds: tuple[Meld, ...], win: Win, rules: RuleSet, seen: Iterable[Tile] = ()
) -> Iterator[Step]:
    """The steps about a tenpai hand. ``seen``: other visible tiles."""
    values = wait_values(concealed, melds, win, rules, seen=seen)
    barred = _barred(concealed, melds, win)
    yield Step(StepKind.WAITS, tuple(_tiles(values)), _table(values, barred) if values else None)
    if 0 < len(values) < _ANY and (lines := tuple(_blocks(concealed, melds, win, rules, values))):
        yield Step(StepKind.BLOCKS, lines)
    yield from furiten_steps(concealed, melds, win)


def _tiles(values: Sequence[WaitValue]) -> Iterator[Line]:
    """The waits, with the number of tiles left and the kinds of wait."""
    if not values:
        yield Line(say("waits.none"))
    elif len(values) >= _ANY:
        thirteen = values[0].kinds == {Wait.KOKUSHI_13}
        sentence = say("waits.thirteen") if thirteen else say("waits.any", many=len(values))
        yield Line(sentence, (tuple(one.tile for one in values),))
    else:
        for one in values:
            ways = tuple(Name(term) for term in dict.fromkeys(WAIT_TERMS[way] for way in sorted(one.kinds)))
            sentence = (
                say("waits.tile", left=one.left, wait=ways) if one.left else say("waits.gone", wait=ways)
            )
            yield Line(sentence, ((one.tile,),))
    if left := sum(one.left for one in values):
        yield Line(say("waits.total", left=left))
    elif values:
        yield Line(say("waits.dead"))


def _table(values: Sequence[WaitValue], barred: bool) -> Grid:
    """The points of a win on each tile in each way, with riichi if that pays more. Equal tiles share a
    row."""
    declared = any(
        then is not None and (now is None or then.points != now.points)
        for one in values
        for now, then in ((one.ron, one.riichi_ron), (one.tsumo, one.riichi_tsumo))
    )
    rows: dict[tuple[Value, ...], Tiles] = {}
    for one in values:
        cells = tuple(
            say("cell.furiten" if barred and not at % 2 else "value.no_yaku") if won is None else won.points
            for at, won in enumerate(one.scores if declared else one.scores[:2])
        )
        key = tuple(cell.kind if isinstance(cell, Sentence) else cell for cell in cells)
        rows[key] = (*rows.get(key, ()), one.tile)
    heads: list[Value] = [say("waits.head"), Name("ron"), Name("tsumo")]
    if declared:
        heads += [say("waits.riichi", way=Name(way)) for way in ("ron", "tsumo")]
    return Grid(
        tuple(heads),
        tuple(
            (tiles, *(say(cell) if isinstance(cell, str) else cell for cell in cells))
            for cells, tiles in rows.items()
        ),
    )


# --- the readings of each wait ------------------------------------------------------------------------------

_WAYS: Final = ("ron", "riichi_ron", "tsumo", "riichi_tsumo")


def _blocks(
    concealed: Tiles, melds: tuple[Meld, ...], win: Win, rules: RuleSet, values: Sequence[WaitValue]
) -> Iterator[Line]:
    """Every reading of the hand with each tile, the most valuable first, and why the others pay less."""
    way = next((way for way in _WAYS if any(getattr(one, way) for one in values)), None)
    if way is None:
        return
    yield Line(say(f"blocks.{way}"))
    how = as_tsumo(win) if way.endswith("tsumo") else as_ron(win)
    if way.startswith("riichi"):
        how = replace(how, riichi=True)
    several = False
    for one in values:
        best: Score | None
        hand, best = Hand(concealed, one.tile, melds), getattr(one, way)
        others = {} if best is None else {other.reading: other for other in best.other_readings}
        without_yaku_readings = [
            reading
            for reading in all_readings(hand, how, rules)
            if reading not in others and (best is None or reading != best.reading)
        ]
        several = several or bool(others)
        if best is not None:
            yield _read(best.reading, one.tile, "blocks.best", worth=worth(best, rules))
        for reading, other in others.items():
            kind, why = _less(best, other)
            yield _read(reading, one.tile, kind, **why, worth=worth(other, rules))
        for reading in without_yaku_readings:
            yield _read(reading, one.tile, "blocks.no_yaku")
    if several:
        yield Line(say("blocks.choice"))


def _less(best: Score, other: Score) -> tuple[str, dict[str, Value]]:
    """The kind and values of the sentence that compares a reading with the best one."""
    if other.points == best.points:
        return "blocks.same", {}
    held = {id_ for id_, _ in other.yaku}
    if missing := tuple(Name(id_) for id_, _ in best.yaku if id_ not in held and id_ not in DORA):
        return "blocks.less", {"why": say("blocks.without", yaku=missing)}
    return "blocks.less", {"why": say("blocks.fu", fu=other.fu or 0, than=best.fu or 0)}


def _read(reading: Reading, tile: Tile, kind: str, **values: Value) -> Line:
    """A line with the tiles of a reading: the groups, the group that the tile finishes, and the tile."""
    sentence = Sentence(kind, {"wait": Name(WAIT_TERMS[reading.wait]), **values})
    return Line(sentence, reading_apart(reading, tile, melds=False), won=True)


# --- furiten ------------------------------------------------------------------------------------------------


def _found(concealed: Tiles, melds: tuple[Meld, ...], win: Win) -> Furiten | None:
    """The furiten by the player's own discards. Tiles let pass are not known here."""
    return furiten(concealed, melds, discards=win.discards) if win.discards else None


def _barred(concealed: Tiles, melds: tuple[Meld, ...], win: Win) -> bool:
    return _found(concealed, melds, win) is not None


def furiten_steps(
    concealed: Tiles, melds: tuple[Meld, ...], win: Win, won: Hand | None = None, rules: RuleSet | None = None
) -> Iterator[Step]:
    """The step about furiten; none if no discards are known.

    ``won``: a hand whose ron is forbidden; the step then has the value of a self-draw.
    """
    if not win.discards:
        return
    found = _found(concealed, melds, win)
    if found is None:
        lines = [Line(say("furiten.free"))]
    else:
        lines = [Line(say("furiten.own_discard", tiles=found.tiles))]
    if won is not None and rules is not None and (drawn := scored(won, as_tsumo(win), rules)):
        lines.append(Line(say("furiten.drawn", worth=worth(drawn, rules))))
    yield Step(StepKind.FURITEN, tuple(lines))
