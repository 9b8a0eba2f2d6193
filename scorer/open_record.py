"""An incomplete hand record as values: the tiles, how they were won, the rules, and the source of each
fact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from scorer.hand import ASSUMABLE, Win, Wind
from scorer.hand_tiles import FactSource, FactSources, HandTiles
from scorer.rules import RuleSet

Changes = Mapping[str, Any]
"""New values by field, of the types of :class:`HandTiles` and :class:`Win`, not JSON."""

LAID: Final = frozenset(HandTiles.__dataclass_fields__) - {"known"}
"""The fields that are tiles."""

WIN: Final = frozenset(Win.__dataclass_fields__) - LAID - {"unnamed"}
"""The fields of the win."""

BY_DEFAULT: Final = (
    "rules",
    "melds",
    *(name for name in Win.__dataclass_fields__ if name not in ("tsumo", "unnamed")),
    "tsumo",
)
"""Every field that has a default."""

_RIICHI: Final = ("riichi", "double_riichi", "open_riichi", "ippatsu")
"""Riichi and the fields that need it."""

UNKNOWN_WIN: Final = Win(tsumo=False)
"""A win with nothing but defaults."""


def seat_of(dealer: bool | None, seat: Wind | None) -> Wind | None:
    """The seat wind after an answer about the dealer. ``dealer`` overrides a ``seat`` of an earlier answer.

    None is the seat of a non-dealer whose wind is unknown. Records that contradict themselves are refused
    before (:func:`scorer.record.contradicting_seats`).

    >>> seat_of(False, Wind.EAST), str(seat_of(False, Wind.WEST)), str(seat_of(None, Wind.EAST))
    (None, 'W', 'E')
    """
    if dealer is None or dealer is (seat is Wind.EAST):
        return seat
    return Wind.EAST if dealer else None


@dataclass(frozen=True, slots=True)
class OpenRecord:
    """An incomplete hand record.

    ``hand_tiles``: the tiles, indicators included. ``win``: how they were won, without indicators.
    ``sources``: the source of each other field. A field without a source is absent and has its default.
    ``dealer``: whether the winner is the dealer, if only that is known of the seat. ``called``: the rules as
    the record names them: an id, a path or a text.
    """

    hand_tiles: HandTiles
    rules: RuleSet
    win: Win = UNKNOWN_WIN
    dealer: bool | None = None
    called: str = ""
    sources: FactSources = field(default_factory=dict, hash=False)

    @property
    def known(self) -> dict[str, FactSource]:
        """The source of each field that the record has."""
        return {**self.hand_tiles.known, **self.sources}

    @property
    def settled(self) -> set[str]:
        """The fields that need no question. A number of dora settles the indicators too."""
        known = {name for name, source in self.known.items() if source is not FactSource.DEFAULT}
        return known | {f"{kind}_indicators" for kind in ("dora", "ura") if f"{kind}_count" in known}

    @property
    def whole_win(self) -> Win:
        """The win with the indicators and with ``unnamed``, for the scorer."""
        hand_tiles, settled = self.hand_tiles, self.settled
        return replace(
            self.win,
            dora_indicators=hand_tiles.dora_indicators,
            ura_indicators=hand_tiles.ura_indicators,
            unnamed=tuple(name for name in ASSUMABLE if name not in settled),
        )

    def value(self, name: str) -> Any:
        """The value of a field or its default; None for an unknown winning tile or dealer."""
        if name == "rules":
            return self.called
        if name == "words":
            return self.rules.words
        return getattr(self.hand_tiles if name in LAID else self.win if name in WIN else self, name)

    def put(self, changes: Changes) -> OpenRecord:
        """With new values but the same sources. New open melds remove a riichi that came from the photo."""
        hand_tiles = {name: value for name, value in changes.items() if name in LAID}
        win = {name: value for name, value in changes.items() if name in WIN}
        if changes.get("dealer") is not None:
            win["seat_wind"] = seat_of(changes["dealer"], win.get("seat_wind", self.win.seat_wind))
        changed = replace(
            self,
            hand_tiles=replace(self.hand_tiles, **hand_tiles) if hand_tiles else self.hand_tiles,
            win=replace(self.win, **win) if win else self.win,
            dealer=changes.get("dealer", self.dealer),
        )
        corrected = "melds" in changes and "riichi" not in changes
        return changed.without_disproved_riichi() if corrected else changed

    def without_disproved_riichi(self) -> OpenRecord:
        """Without a riichi from the photo if the hand has open melds: a person has corrected the tiles since.
        A riichi that a person answered stays."""
        is_open = any(meld.is_open for meld in self.hand_tiles.melds)
        if not is_open or self.sources.get("riichi") is not FactSource.SEEN:
            return self
        dropped = [name for name in _RIICHI if self.sources.get(name) is FactSource.SEEN]
        sources = {name: source for name, source in self.sources.items() if name not in dropped}
        return replace(self.put(dict.fromkeys(dropped, False)), sources=sources)

    def without_dealer(self) -> OpenRecord:
        """Without the field ``dealer``; the seat wind stays."""
        sources = {name: source for name, source in self.sources.items() if name != "dealer"}
        return replace(self, dealer=None, sources=sources)

    def known_as(self, known: Mapping[str, FactSource]) -> OpenRecord:
        """With other sources for fields."""
        hand_tiles = {name: source for name, source in known.items() if name in LAID}
        rest = {name: source for name, source in known.items() if name not in LAID}
        return replace(
            self,
            hand_tiles=replace(self.hand_tiles, known={**self.hand_tiles.known, **hand_tiles})
            if hand_tiles
            else self.hand_tiles,
            sources={**self.sources, **rest},
        )

    def with_facts(self, changes: Changes, source: FactSource) -> OpenRecord:
        """With new values from that source."""
        return self.put(changes).known_as(dict.fromkeys(changes, source))

    def with_all(self, other: OpenRecord, source: FactSource) -> OpenRecord:
        """With all fields of another record, rules included, from that source."""
        changes = {name: other.value(name) for name in other.known if name not in ("rules", "words")}
        joined = replace(self.put(changes), rules=other.rules, called=other.called)
        return joined.known_as(dict.fromkeys((*other.known, "rules"), source))

    def under(self, rules: RuleSet, called: str) -> OpenRecord:
        """Under other rules. A vocabulary that the player chose stays."""
        spoken = replace(rules, words=self.rules.words) if "words" in self.sources else rules
        return replace(self, rules=spoken, called=called)

    def as_played(self) -> OpenRecord:
        """With plain fives for red ones in suits where the rules have no red fives, in all tiles. Most sets
        of tiles have red fives even if the rules do not play them."""
        plain = self.rules.as_played
        melds = tuple(replace(meld, tiles=plain(meld.tiles)) for meld in self.hand_tiles.melds)
        win_tile = None if self.hand_tiles.win_tile is None else plain((self.hand_tiles.win_tile,))[0]
        rest = {
            name: plain(self.value(name))
            for name in ("concealed", "dora_indicators", "ura_indicators", "discards")
        }
        return self.put({**rest, "melds": melds, "win_tile": win_tile})

    def filled(self) -> OpenRecord:
        """With every missing field at its default: a ron, and the last tile of a full row as the winning
        tile."""
        hand_tiles = self.hand_tiles.last_won()
        missing = dict.fromkeys(
            (*BY_DEFAULT, *(() if hand_tiles.win_tile is None else ("win_tile",))), FactSource.DEFAULT
        )
        return replace(self, hand_tiles=hand_tiles).known_as({**missing, **self.known})
