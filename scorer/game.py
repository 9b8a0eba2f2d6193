"""A game around its hands: who deals next, the counters and bets on the table, the scores at the end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from scorer.hand import Wind, need, winds_of
from scorer.payment import STICK
from scorer.rules import RuleSet
from scorer.settle import SEATS, Settlement

_ROUNDS = 2
"""An east and a south round: each player deals twice (EMA 2008 §3.5)."""

Points = tuple[int, ...]
"""Points by player."""


@dataclass(frozen=True, slots=True)
class Game:
    """What stands between two hands. Players are numbered from 0, the first dealer, in turn.

    ``points``, ``penalties``: by player; penalties come off the final score alone, none where they are empty.
    ``deal``: how often the deal has passed on: of four players 0–7, 8 where the game is over. ``honba``:
    counters, ``sticks``: riichi bets on the table.

    >>> from scorer import load_rules, settle_draw
    >>> rules = load_rules("ema2008")
    >>> game = Game.start(rules).after(settle_draw([Wind.SOUTH], rules), tenpai=[Wind.SOUTH])
    >>> game.points, game.deal, game.honba
    ((29000, 33000, 29000, 29000), 1, 1)
    """

    rules: RuleSet
    points: Points
    deal: int = 0
    honba: int = 0
    sticks: int = 0
    penalties: Points = ()

    @classmethod
    def start(cls, rules: RuleSet) -> Game:
        """The first hand, nothing on the table."""
        need("rules", rules, RuleSet, 'load_rules("ema2008")')
        return cls(rules, (rules.start_points,) * rules.players)

    @property
    def is_over(self) -> bool:
        return self.deal >= _ROUNDS * self.rules.players

    @property
    def round_wind(self) -> Wind:
        """The prevalent wind of this hand."""
        return SEATS[self.deal // self.rules.players]

    def seat(self, player: int) -> Wind:
        """The seat wind of a player in this hand."""
        return SEATS[(player - self.deal) % self.rules.players]

    def after(
        self, settled: Settlement, *, declared: Collection[Wind] = (), tenpai: Collection[Wind] = ()
    ) -> Game:
        """The game after a hand that was won or drawn.

        ``settled``: with every stick on the table counted, those of ``declared`` too: the seats that bet on
        riichi in this hand. ``tenpai``: the seats that were, where nobody won. The dealer stays as his rules
        say; a counter is added where he won or nobody did, and all go where another won (EMA 2008 §3.4.10,
        §3.4.12, Toudai §3.6).
        """
        need("settled", settled, Settlement, "settle_draw([], rules)")
        tenpai = winds_of("tenpai", tenpai)
        won = bool(settled.winners)
        dealer_won = any(winner.seat is Wind.EAST for winner in settled.winners)
        ready = self.rules.dealer_stays == "win_or_tenpai" and not won and Wind.EAST in tenpai
        return replace(
            self._paid(settled, declared),
            deal=self.deal + (not dealer_won and not ready),
            honba=0 if won and not dealer_won else self.honba + 1,
            sticks=settled.sticks_left,
        )

    def after_chombo(self, settled: Settlement, *, declared: Collection[Wind] = ()) -> Game:
        """The same hand again after a chombo: no counter, no rotation, bets of it back (EMA 2008 §3.4.6)."""
        return self._paid(settled, declared)

    def scores(self) -> Points:
        """The final scores by player: points less what each brought, oka, uma, penalties.

        Bets that are left go to the first (EMA 2008 §3.6). Equal scores share what their places get, where
        the rules say so (EMA 2008 §3.6.1), what cannot be halved to the earlier dealer; otherwise he is
        ahead.
        """
        rules = self.rules
        first, *others = rules.uma
        prizes = [first + rules.oka + STICK * self.sticks, *others]
        order = sorted(range(rules.players), key=lambda player: -self.points[player])
        won = [0] * rules.players
        for place, player in enumerate(order):
            equal = [at for at, other in enumerate(order) if self.points[other] == self.points[player]]
            if rules.ties_share:
                share, odd = divmod(sum(prizes[at] for at in equal), len(equal))
                won[player] = share + (equal.index(place) < odd)
            else:
                won[player] = prizes[place]
        return tuple(
            points - rules.target_points + prize + penalty
            for points, prize, penalty in zip(self.points, won, self._penalties, strict=True)
        )

    def _paid(self, settled: Settlement, declared: Collection[Wind]) -> Game:
        """With the changes of the seats, and the bets that were laid down."""
        declared = winds_of("declared", declared)
        seats = [SEATS.index(self.seat(player)) for player in range(self.rules.players)]
        bets = [STICK * (SEATS[at] in declared) for at in seats]
        points = tuple(
            have + settled.changes[at] - bet for have, at, bet in zip(self.points, seats, bets, strict=True)
        )
        penalties = (have + settled.penalties[at] for have, at in zip(self._penalties, seats, strict=True))
        return replace(self, points=points, penalties=tuple(penalties))

    @property
    def _penalties(self) -> Points:
        return self.penalties or (0,) * self.rules.players


def may_declare_riichi(tiles_left: int, rules: RuleSet) -> bool:
    """Whether the wall is long enough for a riichi (EMA 2008 §3.3.12)."""
    return tiles_left >= rules.riichi_wall
