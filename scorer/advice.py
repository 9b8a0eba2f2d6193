"""What to do with a hand that is not finished: what to discard, or what to hope for.

What keeps a hand nearest comes first (:mod:`scorer.efficiency`). Of discards that leave it tenpai that one
is best whose tiles times points are most (:mod:`scorer.wait_values`), and one that may not win by ron is
never above one that may. Of all others that which leaves most tiles; what is equal there is decided by what
it comes to (:mod:`scorer.expected`), then by dora that stay and yaku in reach (:mod:`scorer.prospects`).
Where the rivers are known each discard has its danger beside its worth (:mod:`scorer.safety`), which decides
between equals alone: whether to push or to fold is the player's to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from scorer.efficiency import Discard, Ukeire, discards, shanten, ukeire
from scorer.expected import Expected, Walk
from scorer.hand import Hand, Meld, Win
from scorer.nearest import wanted
from scorer.prospects import best_han, dora_among, yaku_in_reach
from scorer.rules import RuleSet
from scorer.safety import Danger, Risk, River, risks
from scorer.status import HandError, tile_faults
from scorer.tiles import NORTH, TILES, Tile, count_kinds, format_tiles
from scorer.wait_values import Bar, Price, priced

NEAR: Final = 2
"""From how far away yaku are looked for: farther off, almost any is in reach."""

HALF: Final = 12
"""Draws after which hands are compared: what is left of most when they are one or two away."""

_MISSING: Final = 3
"""Yaku that are named at most where a wait has none."""

_RECKONED: Final = 4
"""Discards of which is told what the hand comes to; the best are among them in any case."""


@dataclass(frozen=True, slots=True)
class Option:
    """A discard with what the hand is worth then. ``dora``: that stay, red fives among them.

    ``yaku``: in reach without going further away; told of a hand that is near, for the best discards.
    ``price``: what the wait is worth where the discard leaves the hand tenpai. ``expected``: what the hand
    comes to if it is played straight on, of the discards that keep it nearest.
    ``risks``: against the others, the worst first, where their rivers are known.
    """

    discard: Discard
    dora: int
    yaku: tuple[str, ...] = ()
    price: Price | None = None
    expected: Expected | None = None
    risks: tuple[Risk, ...] = ()

    @property
    def danger(self) -> Danger:
        """The worst that is known of it; nothing where no river is."""
        return self.risks[0].danger if self.risks else Danger.NOTHING

    @property
    def points(self) -> int:
        """What the hand comes to in half a hand's draws, to tell equals apart; 0 where that is not known."""
        return 0 if self.expected is None else round(self.expected.after(HALF).points)

    @property
    def rank(self) -> tuple[int, bool, int]:
        """The lower the better; options of the same rank are equals."""
        found = self.discard.ukeire
        if self.price is None:
            return found.shanten, False, -found.left
        return found.shanten, self.price.bar is not None, -(self.price.total or found.left)

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
    """``concealed``, ``melds``: the hand. ``shanten``: how far it is, -1 where it is finished.

    ``options``: of 14 tiles that are not finished the discards, the best first. ``draws``: of 13 what brings
    them nearer; ``waits``: what their wait is worth, where they are tenpai; ``expected``: what they come to.
    ``widening``: of a hand that is tenpai the draws that let it wait for more tiles, and for how many then.
    ``missing``: where no ron of a wait has a yaku, those that one more exchange would bring.
    ``sets_aside``: whether there is a north to be set aside first, as three players do.
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

    def __repr__(self) -> str:
        best = " ".join(str(option.discard.tile) for option in self.best)
        drawn = " ".join(map(str, self.draws.tiles)) if self.draws else ""
        return f"Advice(shanten={self.shanten}, discard={best!r}, draw={drawn!r})"

    @property
    def best(self) -> tuple[Option, ...]:
        """The options that are as good as the first: as near, as many tiles, or tiles times points."""
        return tuple(one for one in self.options if one.rank == self.options[0].rank)

    @property
    def equals(self) -> tuple[Option, ...]:
        """Those of the best that nothing tells from the first: dora, yaku, furiten, points, risks."""

        def told(one: Option) -> tuple[object, ...]:
            return one.dora, one.yaku, one.discard.furiten, one.points, one.risks

        return tuple(one for one in self.best if told(one) == told(self.best[0]))

    @property
    def is_north(self) -> bool:
        """Whether the best is no discard, but a north that is set aside."""
        return self.sets_aside and bool(self.options) and self.options[0].discard.tile.kind == NORTH

    @property
    def prospect(self) -> Expected | None:
        """What the hand comes to, after the best discard where one is due."""
        return self.options[0].expected if self.options else self.expected

    @property
    def price(self) -> Price | None:
        """What the wait is worth, after the best discard where one is due; None where the hand has none."""
        return self.options[0].price if self.options else self.waits

    @property
    def outlook(self) -> Ukeire | None:
        """What brings the hand nearer, after the best discard where one is due."""
        return self.options[0].discard.ukeire if self.options else self.draws

    def after(self, option: Option) -> tuple[Tile, ...]:
        """The concealed tiles once the option's tile has gone."""
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
    """What is to be done with 13 tiles, or with 14 of which one is to go, three less for each declared set.

    ``win``: what is known of the seat, the indicators and the player's discards. ``seen``: what else lies in
    sight; ``rivers``: what others have discarded, which lies in sight, too.
    Raises :class:`scorer.HandError` where the tiles cannot be a hand's, ``ValueError`` for any other
    number of them.

    >>> from scorer import load_rules, parse_tiles
    >>> advice = advise(parse_tiles("123m456p78s112257z"), (), Win(tsumo=False), load_rules("ema2008"))
    >>> advice.shanten, [str(one.discard.tile) for one in advice.best], advice.outlook.left
    (1, ['5z', '7z'], 12)
    """
    concealed, melds = tuple(concealed), tuple(melds)
    if concealed and (wrong := tile_faults(Hand(concealed[:-1], concealed[-1], melds), win, rules)):
        raise HandError(*wrong)
    seen = (*seen, *(tile for river in rivers for tile in river.tiles))
    in_sight = (*win.dora_indicators, *seen)
    away = shanten(concealed, melds, players=rules.players)
    aside = rules.players == 3 and rules.nukidora and TILES[NORTH] in concealed
    if len(concealed) % 3 == 1:
        draws = ukeire(concealed, melds, seen=(*win.discards, *in_sight), players=rules.players)
        waits = priced(concealed, melds, win, rules, seen=seen) if away == 0 else None
        expected = Walk(concealed, melds, win, rules, tuple(seen)).expected(concealed)
        wider = _widening(concealed, melds, win, rules, in_sight) if away == 0 else {}
        missing = _missing(waits, concealed, melds, win, rules)
        return Advice(concealed, melds, away, (), draws, waits, expected, wider, missing, aside)
    if away < 0:
        return Advice(concealed, melds, away)
    found = discards(concealed, melds, own=win.discards, seen=in_sight, players=rules.players)
    options = _by_value(found, concealed, melds, win, rules, seen, rivers, aside)
    best, wider = options[0], dict[Tile, int]()
    rest = _without(concealed, best.discard.tile)
    if best.price is not None:
        wider = _widening(rest, melds, win, rules, (*in_sight, best.discard.tile))
    missing = _missing(best.price, rest, melds, win, rules)
    return Advice(concealed, melds, away, options, widening=wider, missing=missing, sets_aside=aside)


def _missing(
    worth: Price | None,
    rest: tuple[Tile, ...],
    melds: tuple[Meld, ...],
    win: Win,
    rules: RuleSet,
) -> tuple[str, ...]:
    """The yaku that one more exchange would bring to a wait without any."""
    if worth is None or worth.bar is not Bar.NO_YAKU:
        return ()
    return yaku_in_reach(rest, melds, win, rules, further=1)[:_MISSING]


def _widening(
    rest: tuple[Tile, ...], melds: tuple[Meld, ...], win: Win, rules: RuleSet, in_sight: Sequence[Tile]
) -> dict[Tile, int]:
    """The draws after which 13 tiles that wait can wait for more tiles than now, and for how many."""
    seen = (*win.discards, *in_sight)
    now = ukeire(rest, melds, seen=seen, players=rules.players)
    held = count_kinds((*rest, *seen, *(tile for meld in melds for tile in meld.tiles)))
    found = {}
    for kind, room in enumerate(wanted((), rules.players).room):
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
    """The discards, the best first; of equals the safer one, then that which keeps most dora and yaku.

    ``aside``: whether a north is set aside, which is a dora then and lies in no river.
    """
    called = tuple(tile for meld in melds for tile in meld.tiles)
    in_sight = (*concealed, *called, *win.discards, *win.dora_indicators, *seen)
    closed = not any(meld.is_open for meld in melds)
    options = []
    for one in found:
        rest = _without(concealed, one.tile)
        dora = dora_among((*rest, *called), win, rules, closed=closed)
        worth = None
        is_set_aside = aside and one.tile.kind == NORTH
        if one.ukeire.shanten == 0:
            then = _with_north(win) if is_set_aside else replace(win, discards=(*win.discards, one.tile))
            worth = priced(rest, melds, then, rules, seen=(*seen, TILES[NORTH]) if is_set_aside else seen)
        danger = () if is_set_aside else risks(one.tile, rivers, in_sight)
        options.append(Option(one, dora + is_set_aside, price=worth, risks=danger))
    options.sort(key=lambda option: option.rank)
    first = options[0].rank
    walk = Walk(concealed, melds, win, rules, tuple(seen))
    looked = []
    for at, option in enumerate(options):
        rest = _without(concealed, option.discard.tile)
        if option.rank[0] == first[0] <= NEAR and (option.rank == first or at < _RECKONED):
            is_set_aside = aside and option.discard.tile.kind == NORTH
            further = Walk(rest, melds, _with_north(win), rules, tuple(seen)) if is_set_aside else walk
            option = replace(option, expected=further.expected(rest))
        if option.rank == first and first[0] <= NEAR:
            reach = yaku_in_reach(rest, melds, win, rules)
            option = replace(option, yaku=(*_by_way(option, reach), *reach))
        looked.append(option)

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

    return tuple(sorted(looked, key=rank))


def _with_north(win: Win) -> Win:
    """With one more north set aside."""
    return replace(win, nukidora=win.nukidora + 1)


def _by_way(option: Option, reach: Sequence[str]) -> Iterator[str]:
    """The yaku of the wait and of riichi that some of the wins have, which no tiles alone tell."""
    if option.expected is not None:
        for id_ in ("riichi", "pinfu"):
            if option.expected.yaku.get(id_) and id_ not in reach:
                yield id_


def _without(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    at = tiles.index(tile)
    return tiles[:at] + tiles[at + 1 :]
