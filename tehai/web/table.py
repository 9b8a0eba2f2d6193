"""A game record of a request: replayed, for a screen to show. No HTTP here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from scorer.declared_win import FU_VALUES, DeclaredScore, least_han, may_be_liable, most_yakuman
from scorer.game import Game
from scorer.game_record import GameRecordError, PlayedGame, Turn, replay
from scorer.hand import Win, Wind
from scorer.score import Score, least_han_needed
from scorer.words import Words
from scorer.yaku import DORA
from tehai.game.game_text import GameText, words_of
from tehai.server.answers import Refusal
from tehai.web.hands import LONGEST, texts_of
from tehai.web.request_rules import RequestRules

MOST_EVENTS: Final = 300
"""The most events of a game: more than any game has hands."""


def played(record: object, request_rules: RequestRules, rules: str | None = None) -> PlayedGame:
    """The game of a list of events. ``rules``: the rules in the request; by default those of ``start``.

    Raises :class:`Refusal` with the number of an impossible event.
    """
    if not isinstance(record, list) or len(record) > MOST_EVENTS:
        raise Refusal(422, "bad_field", f"record must be a list of at most {MOST_EVENTS} events.")
    if any(len(text) > LONGEST for text in texts_of(record)):
        raise Refusal(422, "bad_field", f"No text of a record has more than {LONGEST} characters.")
    start = record[0] if record else None
    named = start.get("rules") if isinstance(start, Mapping) else None
    called = named if rules is None else rules
    if called is not None and not isinstance(called, str):
        raise Refusal(422, "bad_field", "rules must be the id of a rule set, or house rules as text.")
    try:
        return replay(record, request_rules.rules(called))
    except GameRecordError as error:
        raise Refusal(422, "bad_game", str(error), more={"event": error.event}) from None


def shown(game: PlayedGame, language: str) -> dict[str, Any]:
    """The game as in ``docs/game.md``, with what a screen needs, in the language."""
    words = words_of(game, language)
    text = GameText(game, words, language)
    sheet = game.to_record()
    for hand, turn in zip(sheet["hands"], game.turns, strict=True):
        hand |= {
            "name": text.hand(turn.before),
            "text": text.describe(turn),
            "table": _table(turn.before),
            "pays": _pays(turn),
            "said": text.win_values(turn),
        }
        for winner, paid in zip(
            hand.get("winners", ()), turn.settled.winners if turn.settled else (), strict=True
        ):
            winner |= _made_of(paid.score, words)
    return {
        **sheet,
        "title": game.rules.named(language),
        "name": text.hand(game.game),
        "state": text.state(),
        "table": _table(game.game),
        "may": _may(game, words),
    }


def _made_of(score: Score | DeclaredScore, words: Words) -> dict[str, Any]:
    """The yaku and the number of dora of a win; empty if only its value was given."""
    if isinstance(score, DeclaredScore):
        return {}
    yaku = [{"id": id_, "name": words.yaku(id_)} for id_, _ in score.yaku if id_ not in DORA]
    return {"yaku": yaku, "dora": sum(han for id_, han in score.yaku if id_ in DORA)}


def _table(game: Game) -> dict[str, Any] | None:
    """The state of the hand in progress; None if the game is over."""
    if game.is_over:
        return None
    players = range(game.rules.players)
    ron = Win(False, honba=game.honba, dealer_wins=game.dealer_wins)
    wins = [replace(ron, seat_wind=game.seat(player)) for player in players]
    return {
        "round_wind": str(game.round_wind),
        "honba": game.honba,
        "riichi_sticks": game.sticks,
        "dealer_wins": game.dealer_wins,
        "seats": [str(game.seat(player)) for player in players],
        "points": list(game.points),
        "least_han": [least_han_needed(win, game.rules) for win in wins],
        "may_riichi": [game.can_pay_riichi(player) for player in players],
    }


def _pays(turn: Turn) -> dict[str, Any]:
    """The payments of the booked event, and who takes which riichi sticks for it.

    The players paid for the sticks before.
    """
    if turn.settled is None:
        return {"players": list(turn.changes), "sticks": 0}
    seats = dict(zip(Wind, turn.settled.changes, strict=True))
    players = [seats[turn.before.seat(player)] for player in range(turn.before.rules.players)]
    return {"players": players, "sticks": sum(players)}


def _may(game: PlayedGame, words: Words) -> dict[str, Any]:
    """What the rules of the game have besides wins and draws."""
    rules = game.rules
    return {
        "abort": [{"id": id_, "label": words.terms[id_]} for id_ in rules.abortive_draws],
        "abort_asks_tenpai": not rules.abort_keeps_deal and rules.dealer_stays != "win",
        "triple_ron_draw": rules.triple_ron_draw,
        "nagashi": rules.nagashi_mangan,
        "chombo": rules.chombo,
        "winners": min(rules.players - 1, 3 if rules.triple_ron_draw else rules.winners_per_discard),
        "fu": [
            {
                "fu": fu,
                "ron": least_han(fu, False, rules),
                "tsumo": least_han(fu, True, rules),
                "riichi_ron": least_han(fu, False, rules, riichi=True),
                "riichi_tsumo": least_han(fu, True, rules, riichi=True),
            }
            for fu in FU_VALUES
        ],
        "yakuman": most_yakuman(rules),
        "liable": [way for way in ("tsumo", "ron") if may_be_liable(way == "tsumo", rules)],
        "liable_whole_hand": rules.liability_whole_hand,
        "limits": [
            {"id": id_, "han": han, "label": words.limits[id_]}
            for id_, han in ({} if rules.aotenjou else rules.limits).items()
        ],
    }
