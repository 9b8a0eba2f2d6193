"""A game around its hands: who deals next, the counters and bets on the table, the scores at the end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from scorer.hand import Wind, need, winds_of
from scorer.payment import STICK
from scorer.rules import RuleSet
from scorer.settle import SEATS, SettleError, Settlement

_ROUNDS = 2
"""An east and a south round: each player deals twice (EMA 2008 §3.5)."""

Points = tuple[int, ...]
"""Points by player."""


@dataclass(frozen=True, slots=True)
class Game:
    """What stands between two hands. Players are numbered from 0, the first dealer, in turn.

    ``points``, ``penalties``: by player; penalties come off the final score alone, none where they are empty.
    ``deal``: how often the deal has passed on: of four players 0–7, and to 15 in further rounds. ``honba``:
    counters, ``sticks``: riichi bets on the table. ``dealer_wins``: how often the dealer has won in a row.
    ``winners``: who has won any hand.

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
    dealer_wins: int = 0
    winners: frozenset[int] = frozenset()

    @classmethod
    def start(cls, rules: RuleSet) -> Game:
        """The first hand, nothing on the table."""
        need("rules", rules, RuleSet, 'load_rules("ema2008")')
        return cls(rules, (rules.start_points,) * rules.players)

    @property
    def is_over(self) -> bool:
        """After the south round, or those that follow while nobody has enough (Toudai §7.6, §7.7)."""
        round_, begun = divmod(self.deal, self.rules.players)
        further = round_ - _ROUNDS
        if further < 0 or (further < self.rules.extra_rounds and begun):
            return False
        return further >= self.rules.extra_rounds or max(self.points) > self.rules.extra_rounds_above

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
        §3.4.12, Toudai §3.6), or where he retires (Toudai §4.1.7, dealer eight times).
        """
        need("settled", settled, Settlement, "settle_draw([], rules)")
        tenpai = winds_of("tenpai", tenpai)
        won = bool(settled.winners)
        dealer_won = any(winner.seat is Wind.EAST for winner in settled.winners)
        in_a_row = self.dealer_wins + 1 if dealer_won else 0
        retires = self._retires(in_a_row)
        stays = (dealer_won and not retires) or (not won and self._stays_undecided(tenpai))
        seats = {winner.seat for winner in settled.winners}
        players = range(self.rules.players)
        return replace(
            self._paid(settled, declared),
            deal=self.deal + (not stays),
            honba=0 if won and (not dealer_won or retires) else self.honba + 1,
            sticks=settled.sticks_left,
            dealer_wins=in_a_row if stays else 0,
            winners=self.winners | {player for player in players if self.seat(player) in seats},
        )

    def _retires(self, in_a_row: int) -> bool:
        """Whether the dealer passes the deal on after so many wins in a row."""
        rules = self.rules
        paarenchan = any(rules.yaku["paarenchan"]) and in_a_row >= rules.paarenchan_wins
        return paarenchan and rules.paarenchan_retires

    def _stays_undecided(self, tenpai: Collection[Wind]) -> bool:
        """Whether the dealer stays where nobody won."""
        match self.rules.dealer_stays:
            case "win":
                return False
            case "unless_south_tenpai":  # Toudai §7.4
                return Wind.EAST in tenpai or Wind.SOUTH not in tenpai
        return Wind.EAST in tenpai

    def after_chombo(self, settled: Settlement, *, declared: Collection[Wind] = ()) -> Game:
        """The same hand again after a chombo: no counter, no rotation, bets of it back (EMA 2008 §3.4.6)."""
        return self._paid(settled, declared)

    def scores(self) -> Points:
        """The final scores by player: points less what each brought, oka, uma, penalties, yakitori.

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
            points - rules.target_points + sum(others)
            for points, *others in zip(self.points, won, self._penalties, self._yakitori(), strict=True)
        )

    def _yakitori(self) -> Points:
        """What who has won no hand pays to those who have (Toudai §7.8)."""
        many, each, players = len(self.winners), self.rules.yakitori, self.rules.players
        if many in (0, players):
            return (0,) * players
        gained = each * (players - many) // many
        return tuple(gained if player in self.winners else -each for player in range(players))

    def _paid(self, settled: Settlement, declared: Collection[Wind]) -> Game:
        """With the changes of the seats, and the bets that were laid down."""
        if settled.players != self.rules.players:
            raise SettleError(
                f"The hand was settled for {settled.players} players, and {self.rules.players} play here."
            )
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
