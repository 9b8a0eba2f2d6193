"""Advice for an unfinished hand: what to discard, or which draws help.

Discards are ranked in this order:

1. the lowest shanten (:mod:`scorer.efficiency`);
2. in tenpai: a wait that can win by ron, then any with a tile left, then the most tiles times points
   (:mod:`scorer.wait_values`);
3. not in tenpai: the most tiles;
4. not furiten, then the lower danger, if the rivers are known (:mod:`scorer.safety`);
5. the expected points (:mod:`scorer.expected`), then dora and yaku in reach (:mod:`scorer.prospects`).

Danger decides only between equal discards: the player decides whether to push or fold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from scorer.efficiency import Discard, Ukeire, discards, shanten, ukeire
from scorer.expected import DrawModel, Expected, sets_norths_aside
from scorer.hand import Hand, Meld, Win
from scorer.nearest import target_of
from scorer.prospects import best_han, dora_among, yaku_in_reach
from scorer.rules import RuleSet
from scorer.safety import Danger, Risk, River, risks
from scorer.score import least_han_needed
from scorer.status import HandError, norths_aside, tile_faults
from scorer.tiles import NORTH, TILES, Tile, count_kinds, format_tiles
from scorer.wait_values import Bar, Price, priced

MAX_YAKU_SHANTEN: Final = 2
"""The highest shanten for which advice names yaku in reach: farther away almost every yaku is in reach."""

COMPARED_DRAWS: Final = 12
"""The number of draws for expected points: about what remains of a hand at one or two shanten."""

_MOST_MISSING: Final = 3
"""The most yaku to name for a wait without a yaku."""

_MOST_EXPECTED: Final = 4
"""The number of discards with expected points. The best discards always have them."""


@dataclass(frozen=True, slots=True)
class Option:
    """A discard and the value of the remaining hand. ``dora``: the dora that remain, red fives included.

    ``yaku``: the yaku in reach without more shanten; only for the best discards of a near hand.
    ``price``: the value of the wait if the hand is tenpai. ``expected``: the expected course of the hand;
    only for discards with the lowest shanten. ``risks``: against each player with a known river, the worst
    first.
    """

    discard: Discard
    dora: int
    yaku: tuple[str, ...] = ()
    price: Price | None = None
    expected: Expected | None = None
    risks: tuple[Risk, ...] = ()

    @property
    def danger(self) -> Danger:
        """The worst danger; ``NOTHING`` if no river is known."""
        return self.risks[0].danger if self.risks else Danger.NOTHING

    @property
    def points(self) -> int:
        """The expected points after :data:`COMPARED_DRAWS` draws, as a tie-breaker; 0 if unknown."""
        return 0 if self.expected is None else round(self.expected.after(COMPARED_DRAWS).points)

    @property
    def rank(self) -> tuple[int, int, int]:
        """The sort key, lowest first. Options of the same rank are equally good."""
        found = self.discard.ukeire
        if self.price is None:
            return found.shanten, 0, -found.left
        barred = 0 if self.price.bar is None else 1
        return found.shanten, barred if found.left else 2, -(self.price.total or found.left)

    def to_record(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "tile": str(self.discard.tile),
            **_record(self.discard.ukeire),
            "furiten": format_tiles(self.discard.furiten),
            "dora": self.dora,
            "yaku": list(self.yaku),
            "price": None if self.price is None else self.price.to_record(),
            "expected": None if self.expected is None else self.expected.to_record(),
            "risks": [one.to_record() for one in self.risks],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Advice:
    """Advice for a hand. ``shanten``: -1 if it is finished.

    With 14 tiles, ``options`` are the discards, the best first. With 13 tiles, ``draws`` are the tiles that
    help, ``waits`` the value of the wait in tenpai, and ``expected`` the expected course of the hand.
    ``widening``: in tenpai, the draws that allow a wider wait, with its number of tiles. ``missing``: if the
    wait has no yaku by ron, the yaku that one more exchange would bring. ``sets_aside``: whether a player of
    three can set a north aside first. ``least_han``: how many a win needs.
    """

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    shanten: int
    options: tuple[Option, ...] = ()
    draws: Ukeire | None = None
    waits: Price | None = None
    expected: Expected | None = None
    widening: Mapping[Tile, int] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    sets_aside: bool = False
    least_han: int = 1

    def __repr__(self) -> str:
        best = " ".join(str(option.discard.tile) for option in self.best)
        drawn = " ".join(map(str, self.draws.tiles)) if self.draws else ""
        return f"Advice(shanten={self.shanten}, discard={best!r}, draw={drawn!r})"

    @property
    def best(self) -> tuple[Option, ...]:
        """The options with the same rank as the first."""
        return tuple(one for one in self.options if one.rank == self.options[0].rank)

    @property
    def equals(self) -> tuple[Option, ...]:
        """The best options that also equal the first in dora, yaku, furiten, points and risks."""

        def tie_breakers(one: Option) -> tuple[object, ...]:
            return one.dora, one.yaku, one.discard.furiten, one.points, one.risks

        return tuple(one for one in self.best if tie_breakers(one) == tie_breakers(self.best[0]))

    @property
    def is_north(self) -> bool:
        """Whether the best option is to set a north aside instead of a discard."""
        return self.sets_aside and bool(self.options) and self.options[0].discard.tile.kind == NORTH

    @property
    def prospect(self) -> Expected | None:
        """The expected course of the hand, after the best discard if it has 14 tiles."""
        return self.options[0].expected if self.options else self.expected

    @property
    def price(self) -> Price | None:
        """The value of the wait, after the best discard if it has 14 tiles; None if it is not tenpai."""
        return self.options[0].price if self.options else self.waits

    @property
    def outlook(self) -> Ukeire | None:
        """The tiles that help, after the best discard if it has 14 tiles."""
        return self.options[0].discard.ukeire if self.options else self.draws

    def after(self, option: Option) -> tuple[Tile, ...]:
        """The concealed tiles after the discard of the option."""
        return _without(self.concealed, option.discard.tile)

    def to_record(self) -> dict[str, Any]:
        """As JSON values (``docs/advice.md``)."""
        return {
            "shanten": self.shanten,
            "draws": None if self.draws is None else _record(self.draws),
            "waits": None if self.waits is None else self.waits.to_record(),
            "expected": None if self.expected is None else self.expected.to_record(),
            "widening": [[str(tile), left] for tile, left in self.widening.items()],
            "sets_aside": self.sets_aside,
            "discards": [one.to_record() for one in self.options],
        }


def _record(found: Ukeire) -> dict[str, Any]:
    return {
        "shanten": found.shanten,
        "forms": [str(form) for form in found.forms],
        "left": found.left,
        "kinds": len(found.kinds),
        "tiles": [[str(tile), left] for tile, left in found.tiles.items()],
    }


def advise(
    concealed: Sequence[Tile],
    melds: Sequence[Meld],
    win: Win,
    rules: RuleSet,
    *,
    seen: Sequence[Tile] = (),
    rivers: Sequence[River] = (),
) -> Advice:
    """Advice for 13 or 14 tiles, less three for each meld.

    ``win``: the known seat, indicators and own discards. ``seen``: other visible tiles. ``rivers``: the
    discards of the other players, which count as visible.
    Raises :class:`scorer.HandError` if the tiles cannot be a hand, and ``ValueError`` for a wrong number of
    tiles.

    >>> from scorer import load_rules, parse_tiles
    >>> advice = advise(parse_tiles("123m456p78s112257z"), (), Win(tsumo=False), load_rules("ema2008"))
    >>> advice.shanten, [str(one.discard.tile) for one in advice.best], advice.outlook.left
    (1, ['5z', '7z'], 12)
    """
    concealed, melds = tuple(concealed), tuple(melds)
    if concealed and (wrong := tile_faults(Hand(concealed[:-1], concealed[-1], melds), win, rules)):
        raise HandError(*wrong)
    seen = (*seen, *(tile for river in rivers for tile in river.tiles))
    in_sight = (*win.dora_indicators, *norths_aside(win, rules), *seen)
    away = shanten(concealed, melds, players=rules.players)
    least = least_han_needed(win, rules)
    aside = TILES[NORTH] in concealed and sets_norths_aside(concealed, melds, rules)
    if len(concealed) % 3 == 1:
        draws = ukeire(concealed, melds, seen=(*win.discards, *in_sight), players=rules.players)
        waits = priced(concealed, melds, win, rules, seen=seen) if away == 0 else None
        expected = DrawModel(concealed, melds, win, rules, tuple(seen)).expected(concealed)
        wider = _widening(concealed, melds, win, rules, in_sight) if away == 0 else {}
        missing = _missing(waits, concealed, melds, win, rules)
        return Advice(concealed, melds, away, (), draws, waits, expected, wider, missing, aside, least)
    if away < 0:
        return Advice(concealed, melds, away)
    found = discards(concealed, melds, own=win.discards, seen=in_sight, players=rules.players)
    options = _by_value(found, concealed, melds, win, rules, seen, rivers, aside)
    best, wider = options[0], dict[Tile, int]()
    rest = _without(concealed, best.discard.tile)
    if best.price is not None:
        wider = _widening(rest, melds, win, rules, (*in_sight, best.discard.tile))
    missing = _missing(best.price, rest, melds, win, rules)
    return Advice(
        concealed,
        melds,
        away,
        options,
        widening=wider,
        missing=missing,
        sets_aside=aside,
        least_han=least,
    )


def _missing(
    worth: Price | None,
    rest: tuple[Tile, ...],
    melds: tuple[Meld, ...],
    win: Win,
    rules: RuleSet,
) -> tuple[str, ...]:
    """The yaku that one more exchange would bring to a wait without a yaku, or with too few."""
    if worth is None or worth.bar is not Bar.NO_YAKU or win.has_riichi:
        return ()
    held = yaku_in_reach(rest, melds, win, rules) if least_han_needed(win, rules) > 1 else ()
    further = yaku_in_reach(rest, melds, win, rules, further=1)
    return tuple(yaku for yaku in further if yaku not in held)[:_MOST_MISSING]


def _widening(
    rest: tuple[Tile, ...], melds: tuple[Meld, ...], win: Win, rules: RuleSet, in_sight: Sequence[Tile]
) -> dict[Tile, int]:
    """The draws after which a tenpai hand can have a wider wait, with its number of tiles.

    There are none after riichi, which binds the hand.
    """
    if win.has_riichi:
        return {}
    seen = (*win.discards, *in_sight)
    now = ukeire(rest, melds, seen=seen, players=rules.players)
    held = count_kinds((*rest, *seen, *(tile for meld in melds for tile in meld.tiles)))
    found = {}
    for kind, room in enumerate(target_of((), rules.players).room):
        if held[kind] >= room or TILES[kind] in now.tiles:
            continue
        best = discards((*rest, TILES[kind]), melds, own=win.discards, seen=in_sight, players=rules.players)[
            0
        ]
        if best.ukeire.shanten == 0 and best.ukeire.left > now.left:
            found[TILES[kind]] = best.ukeire.left
    return found


def _by_value(
    found: Sequence[Discard],
    concealed: tuple[Tile, ...],
    melds: tuple[Meld, ...],
    win: Win,
    rules: RuleSet,
    seen: Sequence[Tile],
    rivers: Sequence[River],
    aside: bool,
) -> tuple[Option, ...]:
    """The discards as options, the best first.

    ``aside``: whether the player sets norths aside. Such a north is a dora and no discard.
    """
    called = tuple(tile for meld in melds for tile in meld.tiles)
    in_sight = (
        *(*concealed, *called, *win.discards, *win.dora_indicators),
        *(*norths_aside(win, rules), *seen),
    )
    closed = not any(meld.is_open for meld in melds)
    options = []
    for one in found:
        rest = _without(concealed, one.tile)
        dora = dora_among((*rest, *called), win, rules, closed=closed)
        worth = None
        is_set_aside = aside and one.tile.kind == NORTH
        if one.ukeire.shanten == 0:
            then = _with_north(win) if is_set_aside else replace(win, discards=(*win.discards, one.tile))
            worth = priced(rest, melds, then, rules, seen=seen)
        danger = () if is_set_aside else risks(one.tile, rivers, in_sight, players=rules.players)
        options.append(Option(one, dora + is_set_aside, price=worth, risks=danger))
    options.sort(key=lambda option: option.rank)
    first = options[0].rank
    model = DrawModel(concealed, melds, win, rules, tuple(seen))
    valued = []
    for at, option in enumerate(options):
        rest = _without(concealed, option.discard.tile)
        if option.rank[0] == first[0] <= MAX_YAKU_SHANTEN and (option.rank == first or at < _MOST_EXPECTED):
            is_set_aside = aside and option.discard.tile.kind == NORTH
            further = DrawModel(rest, melds, _with_north(win), rules, tuple(seen)) if is_set_aside else model
            option = replace(option, expected=further.expected(rest))
        if option.rank == first and first[0] <= MAX_YAKU_SHANTEN:
            reach = yaku_in_reach(rest, melds, win, rules)
            option = replace(option, yaku=(*_by_way(option, reach), *reach))
        valued.append(option)

    def rank(option: Option) -> tuple[int, ...]:
        value = option.dora + best_han(option.yaku, rules, closed=closed)
        found = option.discard.ukeire
        return (
            *option.rank,
            bool(option.discard.furiten),
            option.danger,
            -option.points,
            -value,
            -len(found.kinds),
        )

    return tuple(sorted(valued, key=rank))


def _with_north(win: Win) -> Win:
    """With one more north set aside."""
    return replace(win, nukidora=win.nukidora + 1)


def _by_way(option: Option, reach: Sequence[str]) -> Iterator[str]:
    """Riichi and pinfu if some expected wins have them. They do not depend on the tiles alone."""
    if option.expected is not None:
        for id_ in ("riichi", "pinfu"):
            if option.expected.yaku.get(id_) and id_ not in reach:
                yield id_


def _without(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    at = tiles.index(tile)
    return tiles[:at] + tiles[at + 1 :]
