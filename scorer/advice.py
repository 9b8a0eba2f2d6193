"""What to do with a hand that is not finished: what to discard, or what to hope for.

What keeps a hand nearest and leaves most tiles comes first (:mod:`scorer.efficiency`); what is equal there is
decided by value: dora that stay, yaku in reach (:mod:`scorer.prospects`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from scorer.efficiency import Discard, Ukeire, discards, shanten, ukeire
from scorer.hand import Hand, Meld, Win
from scorer.prospects import best_han, dora_among, yaku_in_reach
from scorer.rules import RuleSet
from scorer.status import HandError, tile_faults
from scorer.tiles import Tile, format_tiles

NEAR: Final = 2
"""From how far away yaku are looked for: farther off, almost any is in reach."""


@dataclass(frozen=True, slots=True)
class Option:
    """A discard with what the hand is worth then. ``dora``: that stay, red fives among them.

    ``yaku``: in reach without going further away; told of a hand that is near, for the best discards.
    """

    discard: Discard
    dora: int
    yaku: tuple[str, ...] = ()

    def to_record(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "tile": str(self.discard.tile),
            **_record(self.discard.ukeire),
            "furiten": format_tiles(self.discard.furiten),
            "dora": self.dora,
            "yaku": list(self.yaku),
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """``concealed``, ``melds``: the hand. ``shanten``: how far it is, -1 where it is finished.

    ``options``: of 14 tiles that are not finished the discards, the best first. ``draws``: of 13 what brings
    them nearer.
    """

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    shanten: int
    options: tuple[Option, ...] = ()
    draws: Ukeire | None = None

    @property
    def best(self) -> tuple[Option, ...]:
        """The options that leave as much as the first: as near, as many tiles."""
        if not self.options:
            return ()
        first = _worth(self.options[0].discard)
        return tuple(one for one in self.options if _worth(one.discard) == first)

    @property
    def outlook(self) -> Ukeire | None:
        """What brings the hand nearer, after the best discard where one is due."""
        return self.options[0].discard.ukeire if self.options else self.draws

    def after(self, option: Option) -> tuple[Tile, ...]:
        """The concealed tiles once the option's tile has gone."""
        at = self.concealed.index(option.discard.tile)
        return self.concealed[:at] + self.concealed[at + 1 :]

    def to_record(self) -> dict[str, Any]:
        """As JSON values (``docs/advice.md``)."""
        return {
            "shanten": self.shanten,
            "draws": None if self.draws is None else _record(self.draws),
            "discards": [one.to_record() for one in self.options],
        }


def _worth(one: Discard) -> tuple[int, int]:
    return one.ukeire.shanten, -one.ukeire.left


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
) -> Advice:
    """What is to be done with 13 tiles, or with 14 of which one is to go, three less for each declared set.

    ``win``: what is known of the seat, the indicators and the player's discards. ``seen``: what else lies in
    sight. Raises :class:`scorer.HandError` where the tiles cannot be a hand's, ``ValueError`` for any other
    number of them.

    >>> from scorer import load_rules, parse_tiles
    >>> advice = advise(parse_tiles("123m456p78s112257z"), (), Win(tsumo=False), load_rules("ema2008"))
    >>> advice.shanten, [str(one.discard.tile) for one in advice.best], advice.outlook.left
    (1, ['5z', '7z'], 12)
    """
    concealed, melds = tuple(concealed), tuple(melds)
    if concealed and (wrong := tile_faults(Hand(concealed[:-1], concealed[-1], melds), win, rules)):
        raise HandError(*wrong)
    in_sight = (*win.dora_indicators, *seen)
    away = shanten(concealed, melds, players=rules.players)
    if len(concealed) % 3 == 1:
        draws = ukeire(concealed, melds, seen=(*win.discards, *in_sight), players=rules.players)
        return Advice(concealed, melds, away, draws=draws)
    if away < 0:
        return Advice(concealed, melds, away)
    found = discards(concealed, melds, own=win.discards, seen=in_sight, players=rules.players)
    return Advice(concealed, melds, away, _by_value(found, concealed, melds, win, rules))


def _by_value(
    found: Sequence[Discard],
    concealed: tuple[Tile, ...],
    melds: tuple[Meld, ...],
    win: Win,
    rules: RuleSet,
) -> tuple[Option, ...]:
    """The discards as they come; of those that are equally near and leave as many tiles the dearest first."""
    closed = not any(meld.is_open for meld in melds)
    best = _worth(found[0])
    options = []
    for one in found:
        at = concealed.index(one.tile)
        rest = concealed[:at] + concealed[at + 1 :]
        whole = (*rest, *(tile for meld in melds for tile in meld.tiles))
        looked = _worth(one) == best and one.ukeire.shanten <= NEAR
        yaku = yaku_in_reach(rest, melds, win, rules) if looked else ()
        options.append(Option(one, dora_among(whole, win, rules, closed=closed), yaku))

    def rank(option: Option) -> tuple[int, int, bool, int, int]:
        value = option.dora + best_han(option.yaku, rules, closed=closed)
        return (
            *_worth(option.discard),
            bool(option.discard.furiten),
            -value,
            -len(option.discard.ukeire.kinds),
        )

    return tuple(sorted(options, key=rank))
