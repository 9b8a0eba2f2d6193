"""A game on the terminal: its sheet, every hand with its changes and running totals, and the ranking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scorer.asking.phrases import Phrases
from scorer.game import Game
from scorer.game_record import PlayedGame, Turn
from scorer.words import VOCABULARIES, Words


def print_game(
    console: Console, played: PlayedGame, words: Words | None = None, language: str = "en"
) -> None:
    """The sheet and the ranking, in a language. ``words``: the vocabulary, else that of the rules, of
    Japanese its own."""
    if words is None:
        words = VOCABULARIES["kanji"] if language == "ja" else played.rules.vocabulary
    Telling(played, words, language).print_to(console)


@dataclass(frozen=True, slots=True)
class Telling:
    """A game as it is told, in a vocabulary and a language."""

    played: PlayedGame
    words: Words
    language: str = "en"

    def print_to(self, console: Console) -> None:
        played = self.played
        rules = played.rules.named(self.language)
        console.print(Text(self._say("head", rules=rules, players=self._list(played.names)), "bold"))
        console.print(self._sheet())
        console.print(Text(self._say("ranking" if played.game.is_over else "going_on"), "bold"))
        console.print(self._ranking())
        console.print(Text(self._state(), "dim"))

    def _say(self, form: str, **values: object) -> str:
        """A phrase with the vocabulary's terms in it."""
        return Phrases(self.language).of(
            "game", form, **{**self.words.terms, "riichi": self.words.yaku("riichi"), **values}
        )

    def _list(self, parts: Iterable[str]) -> str:
        return self._say("comma").join(parts)

    def _sheet(self) -> Table:
        played = self.played
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column(self._say("hand"))
        table.add_column("", ratio=1)
        for name in played.names:
            table.add_column(Text(name), justify="right", no_wrap=True)
        table.add_row("", self._say("start"), *(f"{points:,}" for points in played.start.points))
        for turn in played.turns:
            totals = (_total(*pair) for pair in zip(turn.after.points, turn.changes, strict=True))
            table.add_row(self._hand(turn.before), Text(self.told(turn)), *totals)
        return table

    def _ranking(self) -> Table:
        game, names = self.played.game, self.played.names
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("", justify="right")
        table.add_column(self._say("player"))
        table.add_column(self._say("points"), justify="right")
        table.add_column(self._say("score"), justify="right")
        scores = game.scores()
        for place, player in self.played.ranking():
            table.add_row(str(place), Text(names[player]), f"{game.points[player]:,}", f"{scores[player]:+,}")
        return table

    def _hand(self, game: Game) -> str:
        """``East 2``, ``East 2-1`` with a counter; nothing after the end."""
        if game.is_over:
            return ""
        name = self._say(str(game.round_wind), deal=game.deal % game.rules.players + 1)
        return name + self._say("counters", n=game.honba) if game.honba else name

    def _state(self) -> str:
        game = self.played.game
        if game.is_over:
            return self._say("over") + (self._say("bets_left", n=game.sticks) if game.sticks else "")
        bets = self._say("bets", n=game.sticks) if game.sticks else ""
        return self._say("next", hand=self._hand(game)) + bets

    def told(self, turn: Turn) -> str:
        """What happened, in a line."""
        return self._say("then").join(self._told(turn))

    def _of(self, players: Sequence[int]) -> str:
        return self._list(self.played.names[player] for player in players)

    def _told(self, turn: Turn) -> Iterator[str]:
        names, settled = self.played.names, turn.settled
        match turn.kind:
            case "win":
                assert settled is not None
                way = "tsumo" if turn.discarder is None else "ron"
                discarder = "" if turn.discarder is None else names[turn.player(turn.discarder)]
                for winner in settled.winners:
                    won = {"player": names[turn.player(winner.seat)], "points": f"{winner.score.points:,}"}
                    yield self._say(way, discarder=discarder, **won)
                if not settled.winners:
                    yield self._say("triple")
                elif settled.unpaid:
                    yield self._say("unpaid", players=self._of(turn.players(settled.unpaid)))
            case "draw":
                ready = self._of(turn.players(turn.tenpai)) or self._say("nobody")
                yield self._say("draw", players=ready)
                if turn.nagashi:
                    yield self._say("nagashi", players=self._of(turn.players(turn.nagashi)))
            case "abort":
                yield self.words.terms[turn.about]
            case "chombo":
                assert turn.offender is not None
                yield self._say("chombo", players=names[turn.player(turn.offender)])
            case _:  # a correction, the end
                what = self._say(turn.kind)
                yield self._say("note", what=what, note=turn.about) if turn.about else what
        if turn.declared:
            yield self._say("riichi", players=self._of(turn.players(turn.declared)))
        taken = [
            self._say("penalty", player=name, points=f"{points:,}")
            for name, points in zip(names, turn.penalties, strict=True)
            if points
        ]
        if taken:
            yield self._say("penalties", players=self._list(taken))


def _total(points: int, change: int) -> Text:
    return Text.assemble(f"{points:,}", (f"\n{change:+,}" if change else "", "dim"))
