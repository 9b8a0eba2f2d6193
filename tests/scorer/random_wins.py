"""Random legal wins for property tests: four sets and a pair or seven pairs, melds, reds, dora, flags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from scorer import Hand, Meld, MeldType, RuleSet, Tile, Win, Wind
from scorer.tiles import COPIES, KIND_OF, KINDS, TILES, count_kinds, format_tiles

_SETS = [(kind,) * 3 for kind in range(KINDS)] + [(k, k + 1, k + 2) for k in range(27) if k % 9 < 7]
_RED_OF = {4: TILES[34], 13: TILES[35], 22: TILES[36]}


@dataclass(frozen=True, slots=True)
class RandomWin:
    """A hand that is one, won in a way that can be; it may have no yaku."""

    hand: Hand
    win: Win

    def to_record(self, rules: RuleSet) -> dict[str, Any]:
        """The same as a hand record."""
        hand, win = self.hand, self.win
        fields = {
            name: getattr(win, name)
            for name in Win.__dataclass_fields__
            if name not in ("seat_wind", "round_wind", "dora_indicators", "ura_indicators")
        }
        return {
            "rules": rules.id,
            "concealed": format_tiles(hand.concealed),
            "win_tile": str(hand.win_tile),
            "melds": [{"type": str(meld.type), "tiles": format_tiles(meld.tiles)} for meld in hand.melds],
            "seat_wind": str(win.seat_wind),
            "round_wind": str(win.round_wind),
            "dora_indicators": [str(tile) for tile in win.dora_indicators],
            "ura_indicators": [str(tile) for tile in win.ura_indicators],
            **fields,
        }


@st.composite
def random_wins(draw: st.DrawFn, reds: bool = False) -> RandomWin:
    """``reds``: whether the first five of each suit may be a red one."""
    if draw(st.integers(0, 9)) == 0:
        kinds = draw(st.lists(st.integers(0, KINDS - 1), min_size=7, max_size=7, unique=True))
        groups: list[tuple[int, ...]] = [(kind, kind) for kind in kinds]
        melded = 0
    else:
        near = st.sampled_from(draw(st.sampled_from([_SETS, _SETS[34:], _SETS[:34], _SETS[34:41]])))
        groups = draw(
            st.lists(near, min_size=4, max_size=4)
            .flatmap(lambda sets: st.tuples(st.just(sets), st.integers(0, KINDS - 1)))
            .map(lambda drawn: [*drawn[0], (drawn[1],) * 2])
            .filter(lambda sets: max(count_kinds(kind for one in sets for kind in one)) <= COPIES)
        )
        melded = draw(st.integers(0, 4))
    held = list(count_kinds(kind for group in groups for kind in group))
    melds: list[Meld] = []
    concealed = [TILES[kind] for group in groups[melded:] for kind in group]
    for group in groups[:melded]:
        types = [MeldType.CHI] if group[0] != group[1] else [MeldType.PON]
        if group[0] == group[1] and held[group[0]] == 3:
            types += [MeldType.MINKAN, MeldType.KAKAN, MeldType.ANKAN]
        type_ = draw(st.sampled_from(types))
        if type_.is_kan:
            held[group[0]] += 1
            group = (*group, group[0])
        melds.append(Meld(type_, tuple(TILES[kind] for kind in group)))
    win_tile = concealed.pop(draw(st.integers(0, len(concealed) - 1)))
    hand = Hand(tuple(concealed), win_tile, tuple(melds))
    if reds:
        for kind in _RED_OF:
            if draw(st.booleans()):
                hand = with_red(hand, kind)
    closed = hand.is_closed
    tsumo = draw(st.booleans())
    riichi = closed and draw(st.booleans())
    indicators = draw(
        st.lists(st.integers(0, KINDS - 1).filter(lambda k: held[k] < COPIES), max_size=3, unique=True)
    )
    return RandomWin(
        hand,
        Win(
            tsumo=tsumo,
            seat_wind=draw(st.sampled_from(list(Wind))),
            round_wind=draw(st.sampled_from(list(Wind)[:2])),
            riichi=riichi,
            double_riichi=riichi and draw(st.booleans()),
            ippatsu=riichi and draw(st.booleans()),
            haitei=tsumo and draw(st.booleans()),
            houtei=not tsumo and draw(st.booleans()),
            dora_indicators=tuple(TILES[kind] for kind in indicators),
            honba=draw(st.integers(0, 3)),
            riichi_sticks=draw(st.integers(0, 3)),
            loser_offset=None if tsumo else draw(st.integers(1, 3)),
        ),
    )


def with_red(hand: Hand, kind: int) -> Hand:
    """The hand with one plain five of ``kind`` painted red, where it has one."""
    plain, red = TILES[kind], _RED_OF[KIND_OF[kind]]

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
