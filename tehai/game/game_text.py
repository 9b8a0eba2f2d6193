"""A game in words, for terminal and page: the hands, their events, and the scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from scorer.asking.phrases import Phrases
from scorer.declared_win import DeclaredScore
from scorer.game import Game
from scorer.game_record import PlayedGame, Turn
from scorer.score import Score
from scorer.words import Words


def words_of(played: PlayedGame, language: str) -> Words:
    """The vocabulary of a game: that of the rules, or kanji in Japanese."""
    rules = played.rules
    return (replace(rules, words="kanji") if language == "ja" else rules).vocabulary


@dataclass(frozen=True, slots=True)
class GameText:
    """The texts of a game in a vocabulary and a language."""

    played: PlayedGame
    words: Words
    language: str = "en"

    def say(self, form: str, **values: object) -> str:
        """A phrase with the terms of the vocabulary."""
        return Phrases(self.language).of(
            "game", form, **{**self.words.terms, "riichi": self.words.yaku("riichi"), **values}
        )

    def listed(self, parts: Iterable[str]) -> str:
        return self.say("comma").join(parts)

    def hand(self, game: Game) -> str:
        """``East 2``, ``East 2-1`` with a counter; nothing after the end."""
        if game.is_over:
            return ""
        name = self.say(str(game.round_wind), deal=game.deal % game.rules.players + 1)
        return name + self.say("counters", n=game.honba) if game.honba else name

    def state(self) -> str:
        game = self.played.game
        if game.is_over:
            whose = "bets_left" if game.rules.bets_left == "first" else "bets_lost"
            return self.say("over") + (self.say(whose, n=game.sticks) if game.sticks else "")
        bets = self.say("bets", n=game.sticks) if game.sticks else ""
        return self.say("next", hand=self.hand(game)) + bets

    def describe(self, turn: Turn) -> str:
        """The events of a hand in one line, with a capital unless a player's name comes first."""
        text = self.say("then").join(self._events(turn))
        return text if turn.settled and turn.settled.winners else text[:1].upper() + text[1:]

    def win_values(self, turn: Turn) -> str:
        """The value of each winning hand as players say it: ``8,000``, or ``2,000/4,000`` for a self-draw."""
        winners = turn.settled.winners if turn.settled else ()
        if len(winners) == 1 and turn.discarder is None:
            return self._shares(winners[0].score)
        return self.say("plus").join(f"{winner.score.points:,}" for winner in winners)

    def _shares(self, won: Score | DeclaredScore) -> str:
        """The payments of a self-draw without honba, smallest first. If a player is liable and pays the honba
        alone, the value of the hand."""
        if won.win.pao is not None:
            return f"{won.points:,}"
        paid = [-points for points in (won.deltas or ())[1:] if points]
        counters = (sum(paid) - won.points) // len(paid)
        least, *more = (f"{points:,}" for points in sorted({points - counters for points in paid}))
        return "/".join([least, *more]) if more else self.say("from_all", points=least)

    def _of(self, players: Sequence[int]) -> str:
        return self.listed(self.played.names[player] for player in players)

    def _events(self, turn: Turn) -> Iterator[str]:
        names, settled = self.played.names, turn.settled
        match turn.kind:
            case "win":
                assert settled is not None
                way = "tsumo" if turn.discarder is None else "ron"
                discarder = "" if turn.discarder is None else names[turn.player(turn.discarder)]
                for winner in settled.winners:
                    won = {"player": names[turn.player(winner.seat)], "points": f"{winner.score.points:,}"}
                    yield self.say(way, discarder=discarder, **won)
                if not settled.winners:
                    yield self.say("triple")
                elif settled.unpaid:
                    yield self.say("unpaid", players=self._of(turn.players(settled.unpaid)))
            case "draw":
                ready = self._of(turn.players(turn.tenpai)) or self.say("nobody")
                yield self.say("draw", players=ready)
                if turn.nagashi:
                    yield self.say("nagashi", players=self._of(turn.players(turn.nagashi)))
                if turn.dead:
                    yield self.say("dead", players=self._of(turn.players(turn.dead)))
            case "abort":
                yield self.words.terms[turn.about]
            case "chombo":
                assert turn.offender is not None
                yield self.say("chombo", players=names[turn.player(turn.offender)])
            case _:  # a correction, the end
                what = self.say(turn.kind)
                yield self.say("note", what=what, note=turn.about) if turn.about else what
        if turn.declared:
            yield self.say("riichi", players=self._of(turn.players(turn.declared)))
        chips = [
            self.say("chips_of", player=name, n=f"{many:+}")
            for name, many in zip(names, turn.chips, strict=True)
            if many
        ]
        if chips:
            yield self.say("chips", players=self.listed(chips))
        taken = [
            self.say("penalty", player=name, points=f"{points:,}")
            for name, points in zip(names, turn.penalties, strict=True)
            if points
        ]
        if taken:
            yield self.say("penalties", players=self.listed(taken))
