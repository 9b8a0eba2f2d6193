"""A hand record of which anything may be open, as values: the tiles, how they were won, the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from scorer.hand import ASSUMABLE, Win, Wind
from scorer.laid import Known, Laid, Sources
from scorer.rules import RuleSet

Changes = Mapping[str, Any]
"""Fields of a record with what they are to say, as :class:`Laid` and :class:`Win` have them: no JSON."""

LAID: Final = frozenset(Laid.__dataclass_fields__) - {"known"}
"""The fields that are tiles."""

WIN: Final = frozenset(Win.__dataclass_fields__) - LAID - {"unnamed"}
"""The fields that say how the hand was won."""

BY_DEFAULT: Final = (
    "rules",
    "melds",
    *(name for name in Win.__dataclass_fields__ if name not in ("tsumo", "unnamed")),
    "tsumo",
)
"""Every field that has a default."""

_RIICHI: Final = ("riichi", "double_riichi", "open_riichi", "ippatsu")
"""Riichi and what hangs on it."""

NOT_SAID: Final = Win(tsumo=False)
"""A win of which nothing is known: all at its default."""


def seat_of(dealer: bool | None, said: Wind | None) -> Wind | None:
    """The seat of a winner who deals or does not, where the wind beside it may be that of an earlier answer:
    the dealer is stronger. A record that says both at once, and differently, is refused before it comes here.
    None is the seat of a non-dealer whose wind nobody named.

    >>> seat_of(False, Wind.EAST), str(seat_of(False, Wind.WEST)), str(seat_of(None, Wind.EAST))
    (None, 'W', 'E')
    """
    if dealer is None or dealer is (said is Wind.EAST):
        return said
    return Wind.EAST if dealer else None


@dataclass(frozen=True, slots=True)
class OpenRecord:
    """``laid``: the tiles. ``win``: how they were won, but for the indicators, which lie there. ``rules``.

    ``sources``: how each field is known that is no tile (those have ``laid.known``). A field without a source
    is not there, and stands at its default. ``dealer``: whether the winner deals, where no more was said of
    the seat. ``called``: what the rules are called where the record came from: an id, a path, a text.
    """

    laid: Laid
    rules: RuleSet
    win: Win = NOT_SAID
    dealer: bool | None = None
    called: str = ""
    sources: Sources = field(default_factory=dict, hash=False)

    @property
    def known(self) -> dict[str, Known]:
        """How each field that is there is known."""
        return {**self.laid.known, **self.sources}

    @property
    def settled(self) -> set[str]:
        """The fields that need no asking; nor do indicators of dora that were told by number."""
        told = {name for name, source in self.known.items() if source is not Known.DEFAULT}
        return told | {f"{kind}_indicators" for kind in ("dora", "ura") if f"{kind}_count" in told}

    @property
    def whole_win(self) -> Win:
        """How the hand was won, with the indicators and with the facts that nobody named."""
        laid, settled = self.laid, self.settled
        return replace(
            self.win,
            dora_indicators=laid.dora_indicators,
            ura_indicators=laid.ura_indicators,
            unnamed=tuple(name for name in ASSUMABLE if name not in settled),
        )

    def value(self, name: str) -> Any:
        """What a field says, by itself or by default; None of a winning tile or dealer that is not there."""
        if name == "rules":
            return self.called
        if name == "words":
            return self.rules.words
        return getattr(self.laid if name in LAID else self.win if name in WIN else self, name)

    def put(self, changes: Changes) -> OpenRecord:
        """With other values; how they are known stays. Called sets end a riichi that a photo showed."""
        laid = {name: value for name, value in changes.items() if name in LAID}
        win = {name: value for name, value in changes.items() if name in WIN}
        if changes.get("dealer") is not None:
            win["seat_wind"] = seat_of(changes["dealer"], win.get("seat_wind", self.win.seat_wind))
        changed = replace(
            self,
            laid=replace(self.laid, **laid) if laid else self.laid,
            win=replace(self.win, **win) if win else self.win,
            dealer=changes.get("dealer", self.dealer),
        )
        corrected = "melds" in changes and "riichi" not in changes
        return changed.without_disproved_riichi() if corrected else changed

    def without_disproved_riichi(self) -> OpenRecord:
        """Without a riichi that a photo showed if the hand has called sets: the tiles were corrected since.
        A riichi that a person named stays."""
        is_open = any(meld.is_open for meld in self.laid.melds)
        if not is_open or self.sources.get("riichi") is not Known.SEEN:
            return self
        gone = [name for name in _RIICHI if self.sources.get(name) is Known.SEEN]
        sources = {name: source for name, source in self.sources.items() if name not in gone}
        return replace(self.put(dict.fromkeys(gone, False)), sources=sources)

    def without_dealer(self) -> OpenRecord:
        """With nothing said of who deals but by the seat."""
        sources = {name: source for name, source in self.sources.items() if name != "dealer"}
        return replace(self, dealer=None, sources=sources)

    def known_as(self, known: Mapping[str, Known]) -> OpenRecord:
        """With fields known in another way."""
        laid = {name: source for name, source in known.items() if name in LAID}
        rest = {name: source for name, source in known.items() if name not in LAID}
        return replace(
            self,
            laid=replace(self.laid, known={**self.laid.known, **laid}) if laid else self.laid,
            sources={**self.sources, **rest},
        )

    def with_facts(self, changes: Changes, source: Known) -> OpenRecord:
        """With other values that are known in that way."""
        return self.put(changes).known_as(dict.fromkeys(changes, source))

    def with_all(self, other: OpenRecord, source: Known) -> OpenRecord:
        """With all that another record has, its rules among it, known in that way."""
        changes = {name: other.value(name) for name in other.known if name not in ("rules", "words")}
        joined = replace(self.put(changes), rules=other.rules, called=other.called)
        return joined.known_as(dict.fromkeys((*other.known, "rules"), source))

    def under(self, rules: RuleSet, called: str) -> OpenRecord:
        """Under other rules; words that were asked for stay."""
        spoken = replace(rules, words=self.rules.words) if "words" in self.sources else rules
        return replace(self, rules=spoken, called=called)

    def as_played(self) -> OpenRecord:
        """With plain fives for the red ones of a suit in which the rules have none, indicators and discards
        among them: most sets of tiles have red fives, whatever is played with them."""
        plain = self.rules.as_played
        melds = tuple(replace(meld, tiles=plain(meld.tiles)) for meld in self.laid.melds)
        win_tile = None if self.laid.win_tile is None else plain((self.laid.win_tile,))[0]
        rest = {
            name: plain(self.value(name))
            for name in ("concealed", "dora_indicators", "ura_indicators", "discards")
        }
        return self.put({**rest, "melds": melds, "win_tile": win_tile})

    def filled(self) -> OpenRecord:
        """With every missing field at its default: a ron, and of a full row the last tile won."""
        laid = self.laid.last_won()
        missing = dict.fromkeys(
            (*BY_DEFAULT, *(() if laid.win_tile is None else ("win_tile",))), Known.DEFAULT
        )
        return replace(self, laid=laid).known_as({**missing, **self.known})
