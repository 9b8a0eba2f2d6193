"""What tests of the drills share: exercises by seed, and a win put together from the facts told alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from scorer import Hand, Win, Wind, load_rules
from scorer.telling.sentence import Name, Sentence
from tehai.learn.bench import Bench
from tehai.learn.exercise import Exercise, Setting, Shown
from tehai.learn.levels import topics
from tehai.learn.texts import Texts
from tests.scorer.short_hands import playing_all

PRESETS = ("ema2008", "tenhou", "toudai")

LOCAL = str(Path(__file__).parent / "data" / "local_yaku.toml")
"""House rules that play every local yaku that has a value of its own somewhere."""


def setting(preset: str = "ema2008", **changes: Any) -> Setting:
    rules = load_rules(preset)
    if preset == LOCAL:
        rules = playing_all(rules)
    if changes.get("language") == "ja":
        rules = replace(rules, words="kanji")
    return Setting(rules, preset, **changes)


def texts(how: Setting) -> Texts:
    return Texts(how.language, how.rules.words)


def exercises(level: str, count: int, how: Setting, seed: int = 1) -> Iterator[Exercise]:
    """So many of one level, its topics one after the other, every third with a hand dealt for it."""
    bench = Bench(how, Random(seed))
    names = topics(how, level)
    for at in range(count):
        yield bench.exercise(names[at % len(names)], fresh=at % 3 == 0)


@cache
def some(level: str, count: int, preset: str, seed: int, **changes: Any) -> tuple[Exercise, ...]:
    """The same, made once for all tests."""
    return tuple(exercises(level, count, setting(preset, **changes), seed))


def shown_hand(shown: Shown) -> Hand:
    """The finished hand that lies there."""
    (win_tile,) = shown.last
    return Hand(shown.concealed, win_tile, shown.melds)


def shown_win(shown: Shown) -> Win:
    """The win as far as the facts tell it; on a discard the next player's."""
    fields: dict[str, Any] = {}
    for fact in shown.facts:
        kind, values = fact.kind, fact.values
        match kind.split("."):
            case ["fact", "ron" | "by_ron"]:
                fields |= {"tsumo": False, "loser_offset": 1}
            case ["fact", "tsumo" | "by_tsumo"]:
                fields["tsumo"] = True
            case ["fact", "winds" | "winds_dealer"]:
                fields |= {"seat_wind": _wind(values["seat"]), "round_wind": _wind(values["round"])}
            case ["fact", "dealer"]:
                fields["seat_wind"] = Wind.EAST
            case ["fact", "not_dealer"]:
                fields["seat_wind"] = Wind.SOUTH
            case ["fact", "declared"]:
                declared = values["riichi"]
                assert isinstance(declared, Name)
                fields[declared.id] = True
            case ["fact", "moment"]:
                what = values["what"]
                assert isinstance(what, Sentence)
                fields[what.kind.removeprefix("rule.")] = True
            case ["fact", "dora"]:
                fields["dora_indicators"] = values["tiles"]
            case ["fact", "ura"]:
                fields["ura_indicators"] = values["tiles"]
            case ["fact", "dealer_wins"]:
                fields["dealer_wins"] = values["many"]
            case ["fact", "counters"]:
                fields |= {"honba": values["counters"], "riichi_sticks": values["bets"]}
            case ["fact", "counters_only"]:
                fields["honba"] = values["counters"]
            case ["fact", "no_riichi" | "han" | "han_fu" | "yakuman"]:
                pass
            case _:
                raise AssertionError(f"a fact that is none of the win: {kind}")
    return Win(**fields)


def _wind(seat: object) -> Wind:
    assert isinstance(seat, Sentence)
    return Wind(seat.kind.removeprefix("wind."))


def facts(shown: Shown, start: str) -> list[Sentence]:
    """The facts whose message begins so."""
    return [fact for fact in shown.facts if fact.kind.startswith(start)]
