"""Which melds make the player who fed them liable (pao), and for what (EMA 2008 §3.3.6, Toudai §4.1.6).

The melds must show the yakuman: all its sets are declared, and the winner called at least one of them from
the liable player. A concealed kan counts as declared, but it has no feeder.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorer.hand import OTHERS, Hand, Meld, MeldType, Win
from scorer.rules import RuleSet
from scorer.tiles import DRAGONS, WINDS, Tile, count_kinds
from scorer.yaku import BY_ID, Prefilter


@dataclass(frozen=True, slots=True)
class _Sets:
    """The sets of a yaku. ``many``: how many the melds must show. ``are``: whether a meld is such a set.
    ``fed``: the types of melds that have a feeder. ``pair``: the kinds that the pair may have; empty for any.
    """

    many: int
    are: Callable[[Meld], bool]
    fed: Collection[MeldType] = (MeldType.PON, MeldType.MINKAN, MeldType.KAKAN)
    pair: Collection[int] = ()


def _of(kinds: Collection[int]) -> Callable[[Meld], bool]:
    return lambda meld: bool(meld.tiles) and meld.tiles[0].kind in kinds


_SETS: Final[Mapping[str, _Sets]] = {
    "daisangen": _Sets(3, _of(DRAGONS)),
    "shousuushii": _Sets(3, _of(WINDS), pair=WINDS),
    "daisuushii": _Sets(4, _of(WINDS)),
    # no kakan: its fourth tile came by the winner's own draw
    "suukantsu": _Sets(4, lambda meld: meld.type.is_kan, fed=(MeldType.MINKAN,)),
    "rinshan": _Sets(1, lambda meld: meld.type is MeldType.MINKAN, fed=(MeldType.MINKAN,)),
}


def liabilities(
    closed: Iterable[Tile], melds: Sequence[Meld], rules: RuleSet
) -> Iterator[tuple[str, tuple[Meld, ...]]]:
    """(yaku, melds with a feeder) for each yaku for which these melds can make a player liable.

    ``closed``: the other tiles, winning tile included.
    """
    counts = count_kinds(closed)
    for id_ in rules.liability:
        sets = _SETS[id_]
        shown = tuple(filter(sets.are, melds))
        fed = tuple(meld for meld in shown if meld.type in sets.fed)
        if (
            fed
            and len(shown) >= sets.many
            and (not rules.liability_all_open or all(meld.is_open for meld in shown))
            # the pair may still wait for its other tile
            and (not sets.pair or any(counts[kind] in (1, 2) for kind in sets.pair))
            and (rules.han(id_, closed=False) or id_ in rules.limit_hands)
        ):
            yield id_, fed


def feeders(closed: Iterable[Tile], melds: Sequence[Meld], rules: RuleSet) -> tuple[int, ...]:
    """The offsets of the players who can be liable: all others if the feeder of a set is unknown.

    With three players, a set that shows the player across has an unknown feeder.
    """
    others = OTHERS[rules.players]
    fed = {meld.source for _, sets in liabilities(closed, melds, rules) for meld in sets}
    return tuple(player for player in others if player in fed) if fed <= set(others) else others


def liable_for(hand: Hand, win: Win, rules: RuleSet) -> frozenset[str]:
    """The yaku for which the player ``win.pao`` is liable.

    >>> from scorer import load_rules
    >>> dragons = [Meld("pon", "555z", 1), Meld("pon", "666z", 2), Meld("ankan", "7777z")]
    >>> hand, rules = Hand("23s44z", "4s", dragons), load_rules("tenhou")
    >>> [sorted(liable_for(hand, Win(tsumo=True, pao=player), rules)) for player in (1, 3)]
    [['daisangen'], []]
    """
    if win.pao is None or not (rules.liability_tsumo if win.tsumo else rules.liability_ron):
        return frozenset()
    return frozenset(
        id_
        for id_, fed in liabilities((*hand.concealed, hand.win_tile), hand.melds, rules)
        if any(meld.source == win.pao or meld.source not in OTHERS[rules.players] for meld in fed)
        and (BY_ID[id_].prefilter is not Prefilter.WAY or getattr(win, id_))
    )
