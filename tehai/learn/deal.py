"""Deal random hands: wins of every kind, with rare kinds as often as drills need them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from scorer.hand import OTHERS, Hand, Meld, MeldType, Win, Wind, seats_of
from scorer.rules import RuleSet
from scorer.telling.lesson import with_reds_of
from scorer.telling.near import with_riichi
from scorer.telling.sentence import Sentence
from scorer.tiles import COPIES, GREENS, HONOURS, KINDS, LEFT_OUT, TILES, YAOCHUU, Tile, format_tiles

_Kinds = tuple[int, ...]

_SEQUENCES: Final = tuple((kind, kind + 1, kind + 2) for kind in range(27) if kind % 9 <= 6)
_TRIPLETS: Final = tuple((kind,) * 3 for kind in range(KINDS))
_SUITS: Final = tuple(frozenset(range(first, first + 9)) for first in (0, 9, 18))


def _of(kinds: Iterable[int], *lists: tuple[_Kinds, ...]) -> tuple[_Kinds, ...]:
    """The sets of the lists whose tiles are all of the kinds."""
    kinds = frozenset(kinds)
    return tuple(group for groups in lists for group in groups if kinds.issuperset(group))


_ANY: Final = _SEQUENCES + _TRIPLETS
_SIMPLES: Final = frozenset(range(KINDS)) - YAOCHUU

_PALETTES: Final = (
    *[_ANY] * 4,
    *[_SEQUENCES] * 3,
    *[_of(_SIMPLES, _SEQUENCES, _TRIPLETS)] * 2,
    *[_of(HONOURS, _TRIPLETS) * 3 + _SEQUENCES] * 2,
    _TRIPLETS,
    tuple(group for group in _SEQUENCES if group[0] % 9 in (0, 3, 6)),
    tuple(group for group in _ANY if group[0] % 9 in (1, 2, 3) and group[0] < 27),
    tuple(group for group in _TRIPLETS if group[0] < 27 and group[0] % 9 < 3),
    tuple(group for group in _ANY if not YAOCHUU.isdisjoint(group)),
    _of(frozenset(range(27)), tuple(group for group in _ANY if not YAOCHUU.isdisjoint(group))),
    *(_of(suit | HONOURS, _SEQUENCES, _TRIPLETS) for suit in _SUITS),
    *(_of(suit, _SEQUENCES, _TRIPLETS) for suit in _SUITS),
    _of(YAOCHUU, _TRIPLETS),
    _of(HONOURS, _TRIPLETS),
    _of(GREENS, _SEQUENCES, _TRIPLETS),
)
"""Sets for building a hand, with each list equally likely, so that rare yaku occur too."""

_DORA_SHARE: Final = 0.7
_RIICHI_SHARE: Final = 0.45
_RARE_RIICHI_SHARE: Final = 0.2
_IPPATSU_SHARE: Final = 0.25
_URA_SHARE: Final = 0.4
_MOMENT_SHARE: Final = 0.25
"""The probability of an indicator, of riichi, of its variants (double, open, ippatsu, ura), and of a special
moment."""

_RARE_RIICHI: Final = ("double_riichi", "open_riichi")

_KANS: Final = (MeldType.MINKAN, MeldType.KAKAN, MeldType.ANKAN)


@dataclass(frozen=True, slots=True)
class Deal:
    """A finished hand and how it was won; it may have no yaku. ``origin``: where it comes from, None if
    dealt."""

    hand: Hand
    win: Win
    origin: Sentence | None = None


def record_of(hand: Hand) -> dict[str, Any]:
    """The tiles of a hand record."""
    return {
        "concealed": format_tiles(hand.concealed),
        "win_tile": str(hand.win_tile),
        "melds": [
            {"type": str(meld.type), "tiles": format_tiles(meld.tiles), "from": meld.source}
            for meld in hand.melds
        ],
    }


def dealt(random: Random, rules: RuleSet) -> Deal:
    """A random win, possibly with calls, red fives of the rules, riichi and dora."""
    drawn = next(hand for hand in iter(lambda: _hand(random), None) if _can_be(hand, rules))
    hand = reddened(drawn, random, rules)
    return Deal(hand, circumstances(hand, random, rules))


def _can_be(hand: Hand, rules: RuleSet) -> bool:
    """Whether the number of players allows such tiles and calls."""
    if rules.players == 4:
        return True
    called = any(meld.type is MeldType.CHI for meld in hand.melds)
    return not called and LEFT_OUT.isdisjoint(tile.kind for tile in hand.tiles)


def circumstances(hand: Hand, random: Random, rules: RuleSet) -> Win:
    """A way in which the hand can have been won."""
    win = Win(
        tsumo=random.random() < 0.5,
        seat_wind=random.choice(seats_of(rules.players)),
        round_wind=random.choice((Wind.EAST, Wind.EAST, Wind.SOUTH)),
    )
    held = Counter(tile.kind for tile in hand.tiles)
    kinds = [kind for kind in range(KINDS) if rules.players == 4 or kind not in LEFT_OUT]
    left = [kind for kind in kinds for _ in range(COPIES - held[kind])]
    random.shuffle(left)
    win = replace(
        win,
        dora_indicators=(TILES[left.pop()],) if random.random() < _DORA_SHARE else (),
        honba=random.choice((0, 1, 1, 2, 3)),
        riichi_sticks=random.choice((0, 0, 1, 2)),
        loser_offset=None if win.tsumo else random.choice(OTHERS[rules.players]),
    )
    if with_riichi(hand, win) is not None and random.random() < _RIICHI_SHARE:
        rare = [kind for kind in _RARE_RIICHI if rules.han(kind, closed=True)]
        kind = random.choice(rare) if rare and random.random() < _RARE_RIICHI_SHARE else "riichi"
        # nothing was called before a double riichi, and a kan after it ends ippatsu
        ippatsu = not (kind == "double_riichi" and hand.melds) and random.random() < _IPPATSU_SHARE
        declared: dict[str, Any] = {kind: True}
        win = replace(win, ippatsu=ippatsu, **declared)
    if win.has_riichi and rules.ura_dora and win.dora_indicators and random.random() < _URA_SHARE:
        win = replace(win, ura_indicators=(TILES[left.pop()],))
    moments = _moments(hand, win)
    if moments and random.random() < _MOMENT_SHARE:
        moment: dict[str, Any] = {random.choice(moments): True}
        return replace(win, **moment)
    return win


def _moments(hand: Hand, win: Win) -> list[str]:
    """The special moments at which such a win is possible."""
    shown = Counter(tile.kind for tile in (*hand.tiles, *win.dora_indicators, *win.ura_indicators))
    alone = shown[hand.win_tile.kind] == 1
    first_turn = not hand.melds and not win.has_riichi
    can_be = {
        "haitei": win.tsumo,
        "rinshan": win.tsumo and hand.has_kan and not win.ippatsu,
        "tenhou": win.tsumo and first_turn and win.is_dealer,
        "chiihou": win.tsumo and first_turn and not win.is_dealer,
        "houtei": not win.tsumo,
        "chankan": not win.tsumo and alone,
        "renhou": not win.tsumo and first_turn and not win.is_dealer,
        "tsubame_gaeshi": not win.tsumo,
        "kanburi": not win.tsumo,
    }
    return [name for name, possible in can_be.items() if possible]


def _hand(random: Random) -> Hand:
    form = random.random()
    groups: Sequence[_Kinds]
    if form < 0.01:
        return _lying([*sorted(YAOCHUU), random.choice(sorted(YAOCHUU))], (), random)
    if form < 0.1:
        among = random.choice((range(KINDS), _SIMPLES, *_SUITS, HONOURS))
        return _lying([kind for kind in random.sample(sorted(among), 7) for _ in range(2)], (), random)
    groups = _four_sets_and_a_pair(random)
    called = random.choice((0, 0, 0, 1, 2, 3, 4))
    held = Counter(kind for group in groups for kind in group)
    melds = tuple(_meld(random, group, held[group[0]] == 3) for group in groups[:called])
    return _lying([kind for group in groups[called:] for kind in group], melds, random)


def _four_sets_and_a_pair(random: Random) -> list[_Kinds]:
    palette = random.choice(_PALETTES)
    kinds = sorted({kind for group in palette for kind in group})
    while True:
        groups = [random.choice(palette) for _ in range(4)]
        groups.append((random.choice(kinds),) * 2)
        if max(Counter(kind for group in groups for kind in group).values()) <= COPIES:
            return groups


def of_one_suit(random: Random, sets: int) -> Hand:
    """A hand whose concealed tiles are so many sets and a pair of one suit. The last tile is random.

    The other sets are called dragons and winds, which do not combine with concealed tiles.
    """
    suit = random.choice(_SUITS)
    groups = _of(suit, _SEQUENCES, _SEQUENCES, _TRIPLETS)
    while True:
        chosen = [*(random.choice(groups) for _ in range(sets)), (random.choice(sorted(suit)),) * 2]
        if max(Counter(kind for group in chosen for kind in group).values()) <= COPIES:
            break
    others = random.sample(sorted(HONOURS), 4 - sets)
    melds = tuple(_meld(random, (kind,) * 3, fourth=False) for kind in others)
    return _lying([kind for group in chosen for kind in group], melds, random)


def _meld(random: Random, group: _Kinds, fourth: bool) -> Meld:
    """The declared group. ``fourth``: whether the fourth tile of a triplet is free, for a kan."""
    if group[0] != group[1]:
        return Meld(MeldType.CHI, _tiles(group), 3)
    type_ = random.choice((MeldType.PON, MeldType.PON, *_KANS)) if fourth else MeldType.PON
    tiles = _tiles((group[0],) * (4 if type_.is_kan else 3))
    return Meld(type_, tiles, None if type_ is MeldType.ANKAN else random.randint(1, 3))


def _lying(kinds: Sequence[int], melds: tuple[Meld, ...], random: Random) -> Hand:
    """The hand with one of its concealed tiles as the last, the others in order."""
    rest = list(kinds)
    win_tile = rest.pop(random.randrange(len(rest)))
    return Hand(_tiles(sorted(rest)), TILES[win_tile], melds)


def _tiles(kinds: Iterable[int]) -> tuple[Tile, ...]:
    return tuple(TILES[kind] for kind in kinds)


# --- red fives, what is played, and the same hand in other suits --------------------------------------------


def in_order(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """The tiles as players sort them, a red five before the plain ones."""
    return tuple(sorted(tiles, key=lambda tile: (tile.kind, not tile.is_red)))


def reddened(hand: Hand, random: Random, rules: RuleSet) -> Hand:
    """The hand with some fives red. In each suit a red five is as likely as its share of the fives."""
    held = Counter(tile.kind for tile in hand.tiles)
    for red, many in zip(TILES[KINDS:], rules.red_fives, strict=True):
        if many and random.random() * COPIES < held[red.kind]:
            hand = with_red(hand, red.kind)
    return hand


def with_red(hand: Hand, kind: int) -> Hand:
    """The hand with one plain five of that kind made red, if it has one and no red one yet."""
    plain, red = TILES[kind], TILES[KINDS + kind // 9]
    if plain not in hand.tiles or red in hand.tiles:
        return hand

    def painted(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
        at = tiles.index(plain)
        return (*tiles[:at], red, *tiles[at + 1 :])

    if plain in hand.concealed:
        return replace(hand, concealed=in_order(painted(hand.concealed)))
    if hand.win_tile == plain:
        return replace(hand, win_tile=red)
    at = next(at for at, meld in enumerate(hand.melds) if plain in meld.tiles)
    changed = replace(hand.melds[at], tiles=painted(hand.melds[at].tiles))
    return replace(hand, melds=(*hand.melds[:at], changed, *hand.melds[at + 1 :]))


def as_played(deal: Deal, rules: RuleSet) -> Deal:
    """The deal without what the rules do not have: red fives, open riichi, a count of dealer wins."""
    win = deal.win
    if win.open_riichi and not rules.han("open_riichi", closed=True):
        win = replace(win, riichi=True, open_riichi=False)
    if not rules.han("paarenchan", closed=True):
        win = replace(win, dealer_wins=0)
    return replace(deal, hand=with_reds_of(deal.hand, rules), win=win)


def in_other_suits(deal: Deal, random: Random) -> Deal:
    """The hand and its indicators with the suits exchanged. For most yaku the hand is equivalent."""
    suits = random.sample(range(3), 3)

    def of(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
        return tuple(
            TILES[KINDS + suits[tile - KINDS]]
            if tile.is_red
            else TILES[9 * suits[tile // 9] + tile % 9]
            if tile.kind < 27
            else tile
            for tile in tiles
        )

    hand, win = deal.hand, deal.win
    return replace(
        deal,
        hand=Hand(
            in_order(of(hand.concealed)),
            of((hand.win_tile,))[0],
            tuple(replace(meld, tiles=of(meld.tiles)) for meld in hand.melds),
        ),
        win=replace(win, dora_indicators=of(win.dora_indicators), ura_indicators=of(win.ura_indicators)),
    )
