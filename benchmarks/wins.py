"""Random legal wins, for tests and for commands that compare scorers: :func:`random_win`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from scorer import Hand, Meld, MeldType, RuleSet, Tile, Win, Wind
from scorer.tiles import COPIES, GREENS, HONOURS, KIND_OF, KINDS, TILES, YAOCHUU, format_tiles

_Group = tuple[int, ...]

_CHIS: Final[tuple[_Group, ...]] = tuple((kind, kind + 1, kind + 2) for kind in range(27) if kind % 9 <= 6)
_PONS: Final[tuple[_Group, ...]] = tuple((kind,) * 3 for kind in range(KINDS))


def _among(kinds: frozenset[int]) -> tuple[_Group, ...]:
    return tuple(group for group in (*_CHIS, *_PONS) if kinds.issuperset(group))


_PALETTES: Final = (
    *[_CHIS + _PONS] * 6,
    *[_CHIS] * 4,
    _PONS,
    *[tuple(group for group in _CHIS if group[0] % 9 in (0, 3, 6))] * 2,
    tuple(group for group in _PONS if group[0] < 27 and group[0] % 9 < 3),
    *(_among(frozenset(range(first, first + 9)) | HONOURS) for first in (0, 9, 18)),
    *(_among(frozenset(range(first, first + 9))) for first in (0, 9, 18)),
    _among(frozenset(kind for kind in range(27) if kind % 9 in (1, 2, 3))),
    tuple(group for group in (*_CHIS, *_PONS) if not YAOCHUU.isdisjoint(group)),
    _among(YAOCHUU),
    _among(HONOURS),
    _among(GREENS),
)
"""Sets to build a hand of, each list as likely as the next: most are any sets, and all yaku come up."""

_KANS: Final = (MeldType.MINKAN, MeldType.KAKAN, MeldType.ANKAN)


@dataclass(frozen=True, slots=True)
class RandomWin:
    """A hand that is one, won in a way that can be; it may have no yaku."""

    hand: Hand
    win: Win

    def to_record(self, rules: RuleSet) -> dict[str, Any]:
        """The same as a hand record."""
        hand, win = self.hand, self.win
        fields = {name: getattr(win, name) for name in Win.__dataclass_fields__}
        return {
            **fields,
            "rules": rules.id,
            "concealed": format_tiles(hand.concealed),
            "win_tile": str(hand.win_tile),
            "melds": [
                {"type": str(meld.type), "tiles": format_tiles(meld.tiles), "from": meld.source}
                for meld in hand.melds
            ],
            "seat_wind": str(win.seat_wind),
            "round_wind": str(win.round_wind),
            "dora_indicators": [str(tile) for tile in win.dora_indicators],
            "ura_indicators": [str(tile) for tile in win.ura_indicators],
        }


def random_win(random: Random, reds: bool = True) -> RandomWin:
    """A win with all that may come with one: melds of every kind, red fives, flags, dora, counters, bets.

    ``reds``: whether one five of each suit is red. Nobody is liable, and the win is the first on its discard.
    """
    wall = _Wall(random, reds)
    hand = _hand(random, wall)
    tsumo = random.random() < 0.5
    seat = random.choice(tuple(Wind))
    riichi = hand.is_closed and random.random() < 0.5
    double = riichi and random.random() < 0.3
    # nothing was called before a double riichi, and a kong after it ends ippatsu
    ippatsu = riichi and not (double and hand.melds) and random.random() < 0.4
    opened = random.randint(1, 5)
    dora = wall.take_any(opened)
    ura = wall.take_any(opened) if riichi else ()
    alone = Counter(tile.kind for tile in (*hand.tiles, *dora, *ura))[hand.win_tile.kind] == 1
    first_turn = not hand.melds and not riichi
    dealer = seat is Wind.EAST
    moments = {
        "haitei": tsumo,
        "rinshan": tsumo and hand.has_kan and not ippatsu,
        "tenhou": tsumo and first_turn and dealer,
        "chiihou": tsumo and first_turn and not dealer,
        "houtei": not tsumo,
        "chankan": not tsumo and alone,
        "renhou": not tsumo and first_turn and not dealer,
    }
    moment = random.choice([name for name, can_be in moments.items() if can_be])
    win = Win(
        tsumo=tsumo,
        seat_wind=seat,
        round_wind=random.choice(tuple(Wind)),
        riichi=riichi,
        double_riichi=double,
        ippatsu=ippatsu,
        dora_indicators=dora,
        ura_indicators=ura,
        honba=random.randint(0, 3),
        riichi_sticks=random.randint(0, 3),
        loser_offset=None if tsumo else random.randint(1, 3),
        **({moment: True} if random.random() < 0.3 else {}),
    )
    return RandomWin(hand, win)


class _Wall:
    """The tiles that nobody has yet, a shuffled pile for each kind."""

    def __init__(self, random: Random, reds: bool) -> None:
        self._random = random
        self._piles = [[TILES[kind]] * COPIES for kind in range(KINDS)]
        for red in TILES[KINDS:] if reds else ():
            self._piles[red.kind][random.randrange(COPIES)] = red

    def take(self, kind: int) -> Tile:
        return self._piles[kind].pop()

    def take_any(self, count: int) -> tuple[Tile, ...]:
        """Tiles of any kind that is left."""
        left = [kind for kind, pile in enumerate(self._piles) for _ in pile]
        return tuple(self.take(kind) for kind in self._random.sample(left, count))


def _hand(random: Random, wall: _Wall) -> Hand:
    form = random.random()
    groups: Sequence[_Group]
    melded = 0
    if form < 0.01:
        groups = [tuple(YAOCHUU), (random.choice(sorted(YAOCHUU)),)]
    elif form < 0.08:
        among = random.choice((range(KINDS), range(9), range(9, 18), range(18, 27), sorted(HONOURS)))
        groups = [(kind, kind) for kind in random.sample(among, 7)]
    else:
        groups = _four_sets_and_a_pair(random)
        melded = random.choice((0, 0, 0, 1, 2, 3, 4))
    held = Counter(kind for group in groups for kind in group)
    melds = tuple(_meld(random, wall, group, held[group[0]] == 3) for group in groups[:melded])
    concealed = [wall.take(kind) for group in groups[melded:] for kind in group]
    random.shuffle(concealed)
    win_tile = concealed.pop()
    return Hand(tuple(concealed), win_tile, melds)


def _four_sets_and_a_pair(random: Random) -> list[_Group]:
    palette = random.choice(_PALETTES)
    kinds = sorted({kind for group in palette for kind in group})
    while True:
        groups = [random.choice(palette) for _ in range(4)]
        groups.append((random.choice(kinds),) * 2)
        if max(Counter(kind for group in groups for kind in group).values()) <= COPIES:
            return groups


def _meld(random: Random, wall: _Wall, group: _Group, fourth: bool) -> Meld:
    """The group declared. ``fourth``: whether the hand has no use for the fourth tile of a triplet."""
    if group in _CHIS:
        return Meld(MeldType.CHI, tuple(map(wall.take, group)), 3)
    type_ = random.choice((MeldType.PON, *_KANS)) if fourth else MeldType.PON
    kinds = (*group, group[0]) if type_.is_kan else group
    source = None if type_ is MeldType.ANKAN else random.randint(1, 3)
    return Meld(type_, tuple(map(wall.take, kinds)), source)


def with_red(hand: Hand, kind: int) -> Hand:
    """The hand with one plain five of ``kind`` painted red, where it has one and no red one yet."""
    plain, red = TILES[kind], next(tile for tile in TILES[KINDS:] if KIND_OF[tile] == kind)
    if red in hand.tiles:
        return hand

    def painted(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
        at = tiles.index(plain)
        return (*tiles[:at], red, *tiles[at + 1 :])

    if plain in hand.concealed:
        return Hand(painted(hand.concealed), hand.win_tile, hand.melds)
    if hand.win_tile == plain:
        return Hand(hand.concealed, red, hand.melds)
    for at, meld in enumerate(hand.melds):
        if plain in meld.tiles:
            changed = Meld(meld.type, painted(meld.tiles), meld.source)
            return Hand(hand.concealed, hand.win_tile, (*hand.melds[:at], changed, *hand.melds[at + 1 :]))
    return hand
