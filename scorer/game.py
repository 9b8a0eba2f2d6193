"""A game around its hands: who deals next, the counters and bets on the table, the scores at the end."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from scorer.hand import Wind, WindText, require_type, winds_of
from scorer.payment import STICK
from scorer.rules import RuleSet
from scorer.settlement import SEATS, SettleError, Settlement

Points = tuple[int, ...]
"""Points by player."""


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """What stands between two hands. Players are numbered from 0, the first dealer, in turn.

    ``points``, ``penalties``: by player; penalties come off the final score alone, none where they are empty.
    ``chips``: those won and lost by player, none where they are empty.
    ``deal``: how often the deal has passed on: of four players 0–7, and to 15 in further rounds. ``honba``:
    counters, ``sticks``: of riichi, on the table. ``dealer_wins``: how often the dealer has won in a row, or
    stayed, where the rules count that (``paarenchan_counts``).
    ``winners``: who has won any hand. ``repeats``: whether the deal stayed after the last hand, so that no
    round ends with it. ``stopped``: whether the dealer of the last hand ended the game, or all players did.

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
    repeats: bool = False
    stopped: bool = False
    chips: Points = ()

    def __repr__(self) -> str:
        stands = f"points={self.points}, deal={self.deal}, honba={self.honba}, sticks={self.sticks}"
        return f"Game({self.rules.id!r}, {stands})"

    def _repr_html_(self) -> str:
        """Which hand is played, and the points by seat, for a notebook."""
        if self.is_over:
            ranked = sorted(zip(self.places(), self.points, strict=True))
            return (
                f"<table>{''.join(f'<tr><td>{at}</td><td>{now:,}</td></tr>' for at, now in ranked)}</table>"
            )
        named = f"{self.round_wind.name.capitalize()} {self.deal % self.rules.players + 1}"
        seats = "".join(
            f"<tr><td>{self.seat(player)}</td><td>{now:,}</td></tr>" for player, now in enumerate(self.points)
        )
        return f"<p>{named}, {self.honba} honba, {self.sticks} riichi sticks</p><table>{seats}</table>"

    @classmethod
    def start(cls, rules: RuleSet) -> Game:
        """The first hand, nothing on the table."""
        require_type("rules", rules, RuleSet, 'load_rules("ema2008")')
        return cls(rules, (rules.start_points,) * rules.players)

    @property
    def is_over(self) -> bool:
        """Whether no hand follows: somebody is bust, the game was stopped, or the rounds are played.

        After the last round further ones may follow while nobody has enough (Toudai §7.6, §7.7). They are
        played to their end, or in sudden death until somebody has and the deal passes on. Three players
        have no North round.
        """
        bust = self.rules.bust and min(self.points) < 0
        return bust or self.stopped or (not self.repeats and self._played_out(self.deal))

    def _played_out(self, deal: int) -> bool:
        """Whether the rounds are played where the deal has passed on so often."""
        rules = self.rules
        round_, begun = divmod(deal, rules.players)
        further = round_ - rules.rounds
        if round_ >= rules.players or not 0 <= further < rules.extra_rounds:
            return further >= 0
        return self._enough and (rules.sudden_death or not begun)

    @property
    def _enough(self) -> bool:
        """Whether somebody has so many points that no further round is played."""
        return max(self.points) > self.rules.extra_rounds_above

    @property
    def round_wind(self) -> Wind:
        """The prevalent wind of this hand. Raises :class:`SettleError` where the game is over."""
        self._need_going_on()
        return SEATS[self.deal // self.rules.players]

    def seat(self, player: int) -> Wind:
        """The seat wind of a player in this hand."""
        return SEATS[(player - self.deal) % self.rules.players]

    def can_pay_riichi(self, player: int) -> bool:
        """Whether the player has the points for a riichi, where the rules ask for them."""
        return self.rules.riichi_below_1000 or self.points[player] >= STICK

    def after(
        self, settled: Settlement, *, declared: Collection[WindText] = (), tenpai: Collection[WindText] = ()
    ) -> Game:
        """The game after a hand that was won or drawn.

        ``settled``: the payments, with all sticks on the table, those of ``declared`` included. ``declared``:
        the seats with riichi in this hand. ``tenpai``: the tenpai seats, if nobody won.

        The rules decide whether the dealer stays. A win of the dealer or a draw adds a counter. A win of
        another player removes all counters (EMA 2008 §3.4.10, §3.4.12, Toudai §3.6), and so does a dealer who
        retires (Toudai §4.1.7). Raises :class:`SettleError` if the game is over or the number of players
        differs.
        """
        require_type("settled", settled, Settlement, "settle_draw([], rules)")
        self._need_going_on()
        tenpai = winds_of("tenpai", tenpai)
        won = bool(settled.winners)
        dealer_won = any(winner.seat is Wind.EAST for winner in settled.winners)
        retires = dealer_won and self._retires()
        drawn = not won and not settled.aborted
        if settled.aborted and self.rules.abort_keeps_deal:
            stays = True
        else:
            stays = (dealer_won and not retires) or (not won and self._stays_undecided(tenpai))
        seats = {winner.seat for winner in settled.winners}
        players = range(self.rules.players)
        game = replace(
            self._paid(settled, declared),
            deal=self.deal + (not stays),
            honba=0 if won and (not dealer_won or retires) else self.honba + 1,
            sticks=settled.sticks_left,
            dealer_wins=self.dealer_wins + 1 if stays and (dealer_won or self._counts_hands) else 0,
            winners=self.winners | {player for player in players if self.seat(player) in seats},
            repeats=stays,
        )
        may = {"never": False, "win": dealer_won, "win_or_tenpai": dealer_won or drawn}
        return replace(game, stopped=stays and may[self.rules.last_dealer_stops] and game._dealer_may_stop())

    def _dealer_may_stop(self) -> bool:
        """Whether the dealer, who stays, is the first, and the game were over had he not stayed."""
        enough = self._enough or not self.rules.extra_rounds
        first = self.seat(self._order()[0]) is Wind.EAST
        return first and enough and self._played_out(self.deal + 1)

    @property
    def _counts_hands(self) -> bool:
        return self.rules.paarenchan_counts == "hands"

    def _retires(self) -> bool:
        """Whether the dealer passes the deal on after winning this hand."""
        rules = self.rules
        paarenchan = any(rules.yaku["paarenchan"]) and self.dealer_wins + 1 >= rules.paarenchan_wins
        return paarenchan and rules.paarenchan_retires

    def _stays_undecided(self, tenpai: Collection[Wind]) -> bool:
        """Whether the dealer stays where nobody won."""
        match self.rules.dealer_stays:
            case "win":
                return False
            case "unless_south_tenpai":  # Toudai §7.4
                return Wind.EAST in tenpai or Wind.SOUTH not in tenpai
        return Wind.EAST in tenpai

    def after_chombo(self, settled: Settlement, *, declared: Collection[WindText] = ()) -> Game:
        """The same hand again after a chombo: no counter, no rotation, bets of it back (EMA 2008 §3.4.6)."""
        self._need_going_on()
        return replace(self._paid(settled, declared), repeats=True)

    def ended(self) -> Game:
        """The game ended here by the players, before its rounds are played: what stands is ranked.

        Raises :class:`SettleError` where it is over without that.
        """
        if self.is_over:
            raise SettleError("The game is over already: leave this end out.")
        return replace(self, stopped=True)

    def corrected(self, changes: Iterable[int] = (), penalties: Iterable[int] = ()) -> Game:
        """The game with points moved between players or taken off final scores, for a wrong payment or a
        judge's decision. It works after the end as well.

        ``changes``: by player, 0 in all. ``penalties``: by player, off the final score, none above 0.
        """
        changes, penalties = tuple(changes), tuple(penalties)
        for name, given in (("changes", changes), ("penalties", penalties)):
            if given and len(given) != self.rules.players:
                raise SettleError(f"{name} must be {self.rules.players} numbers, one for each player.")
        if sum(changes):
            raise SettleError(
                f"changes must come to 0, as points pass between players, not {sum(changes):,}."
            )
        if any(points > 0 for points in penalties):
            raise SettleError("penalties come off a final score: write them as numbers below 0.")
        return replace(
            self,
            points=_sums(self.points, changes) if changes else self.points,
            penalties=_sums(self._penalties, penalties) if penalties else self.penalties,
        )

    def places(self) -> tuple[int, ...]:
        """Which place each player has, 1 for the first; equal points share one where the rules say so."""
        order = self._order()
        if self.rules.ties_share:
            return tuple(1 + sum(other > points for other in self.points) for points in self.points)
        return tuple(order.index(player) + 1 for player in range(self.rules.players))

    def _order(self) -> list[int]:
        """The players, most points first; of equal ones the earlier dealer."""
        return sorted(range(self.rules.players), key=lambda player: -self.points[player])

    def _uma(self) -> Points:
        """The uma, where it floats by how many have what is taken off, the first with the bets left."""
        if not self.rules.floating_uma:
            return self.rules.uma
        many = sum(points >= self.rules.target_points for points in self.points_at_end())
        return self.rules.floating_uma[max(many, 1) - 1]

    def scores(self) -> Points:
        """The final scores by player: points less what each brought, oka, uma, penalties, yakitori, and chips
        where the rules say what one is worth."""
        first, *others = self._uma()
        won = self._by_place((first + self.rules.oka, *others))
        chips = (self.rules.chip_points * many for many in self._chips)
        return tuple(
            points - self.rules.target_points + sum(others)
            for points, *others in zip(
                self.points_at_end(), won, self._penalties, self._yakitori(), chips, strict=True
            )
        )

    def points_at_end(self) -> Points:
        """The points by player, with the bets that are left, which go to the first (EMA 2008 §3.6) or, in
        some rules, to nobody."""
        bets = STICK * self.sticks if self.rules.bets_left == "first" else 0
        return _sums(self.points, self._by_place((bets, *(0,) * (self.rules.players - 1))))

    def _by_place(self, prizes: Points) -> Points:
        """By player what the places get, of the first to the last.

        Equal scores share it, where the rules say so (EMA 2008 §3.6.1), what cannot be halved to the earlier
        dealer; otherwise he is ahead.
        """
        order = self._order()
        won = [0] * len(order)
        for place, player in enumerate(order):
            equal = [at for at, other in enumerate(order) if self.points[other] == self.points[player]]
            if self.rules.ties_share:
                share, odd = divmod(sum(prizes[at] for at in equal), len(equal))
                won[player] = share + (equal.index(place) < odd)
            else:
                won[player] = prizes[place]
        return tuple(won)

    def _yakitori(self) -> Points:
        """What who has won no hand pays to those who have (Toudai §7.8)."""
        many, each, players = len(self.winners), self.rules.yakitori, self.rules.players
        if many in (0, players):
            return (0,) * players
        gained = each * (players - many) // many
        return tuple(gained if player in self.winners else -each for player in range(players))

    def _need_going_on(self) -> None:
        """Raises :class:`SettleError` where the game is over."""
        if self.is_over:
            raise SettleError("The game is over: no hand follows.")

    def _paid(self, settled: Settlement, declared: Collection[WindText]) -> Game:
        """With the changes of the seats, and the bets that were laid down."""
        if settled.players != self.rules.players:
            raise SettleError(
                f"The hand was settled for {settled.players} players, and {self.rules.players} play here."
            )
        declared = winds_of("declared", declared)
        for player, owned in enumerate(self.points):
            if self.seat(player) in declared and not self.can_pay_riichi(player):
                sentence = "In {rules} a riichi takes 1,000 points, and {seat} has {points}: take it back."
                facts = {"rules": self.rules.name, "seat": self.seat(player), "points": f"{owned:,}"}
                raise SettleError(self.rules.vocabulary.say(sentence, **facts))
        seats = [SEATS.index(self.seat(player)) for player in range(self.rules.players)]
        bets = [STICK * (SEATS[at] in declared) for at in seats]
        points = tuple(
            have + settled.changes[at] - bet for have, at, bet in zip(self.points, seats, bets, strict=True)
        )
        penalties = (have + settled.penalties[at] for have, at in zip(self._penalties, seats, strict=True))
        chips = tuple(have + settled.chips[at] for have, at in zip(self._chips, seats, strict=True))
        return replace(
            self, points=points, penalties=tuple(penalties), chips=chips if any(settled.chips) else self.chips
        )

    @property
    def _chips(self) -> Points:
        return self.chips or (0,) * self.rules.players

    @property
    def _penalties(self) -> Points:
        return self.penalties or (0,) * self.rules.players


def _sums(some: Iterable[int], others: Iterable[int]) -> Points:
    return tuple(one + other for one, other in zip(some, others, strict=True))
