"""Rule presets on the terminal: all of them, one in words with its sources, two where they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scorer.rules import RulesError, RuleSet, load_rules, preset_ids
from scorer.yaku import BY_ID, TABLE, YAKUMAN
from tehai.errors import Mistake

_Say = Callable[[Any], str]


def _either(yes: str, no: str) -> _Say:
    return lambda value: yes if value else no


def _number_or(none: str, some: str) -> _Say:
    return lambda value: some.format(value) if value else none


def _pick(**texts: str) -> _Say:
    return lambda value: texts[value]


def _list_or(none: str, some: str) -> _Say:
    return lambda value: some.format(_listed(value)) if value else none


def _listed(ids: Sequence[str]) -> str:
    return ", ".join(id_.replace("_", " ") for id_ in ids)


def _limits(value: Mapping[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} from {han} han" for name, han in value.items())


def _red_fives(value: tuple[int, int, int]) -> str:
    if not any(value):
        return "no red fives"
    return "red fives: {} of characters, {} of circles, {} of bamboos, a han each".format(*value)


def _uma(value: tuple[int, ...]) -> str:
    return "uma " + ", ".join(f"{points:+}" for points in value) if any(value) else "no uma"


_WORDS: Final[Mapping[str, Mapping[str, _Say]]] = {
    "What a hand is worth": {
        "red_fives": _red_fives,
        "limits": _limits,
        "kiriage_mangan": _either(
            "4 han 30 fu and 3 han 60 fu are rounded up to mangan",
            "4 han 30 fu and 3 han 60 fu are no mangan",
        ),
        "yakuman_add_up": _either("several yakuman are all paid", "of several yakuman one is paid"),
        "honroutou_with_chanta": _either("honroutou in sets counts chanta too", "honroutou counts no chanta"),
        "four_alike_are_pairs": _either(
            "four alike may be two of seven pairs", "seven pairs are seven different pairs"
        ),
        "natural_wins_alone": _pick(
            always="rinshan, chankan, haitei and houtei win alone",
            concealed="rinshan, chankan, haitei and houtei win alone with a concealed hand only",
            never="rinshan, chankan, haitei and houtei need another yaku",
        ),
        "daisharin_suits": lambda value: f"daisharin, where it is played, is of {', '.join(value)}",
        "paarenchan_wins": "paarenchan, where it is played, is dealer win number {}".format,
        "dora_open_hands": _either("dora count for all hands", "dora count for concealed hands only"),
        "kan_dora": _either("each kong opens another dora", "kongs open no dora"),
        "ura_dora": _either("riichi opens ura dora", "no ura dora"),
        "nukidora": _either("flowers are dora", "no flowers"),
        "double_wind_pair_fu": "a pair of the double wind is {} fu".format,
        "open_pinfu_fu": _number_or(
            "an open hand without fu stays at 20", "an open hand without fu gets {} fu"
        ),
        "two_han_from_honba": _number_or(
            "always one han is enough", "two han are needed from {} counters on"
        ),
        "kokushi_robs_ankan": _either(
            "thirteen orphans may rob a concealed kong", "a concealed kong is never robbed"
        ),
    },
    "Who pays what": {
        "honba_points": "a counter is {} points".format,
        "honba_to_every_winner": _either(
            "every winner is paid the counters", "the first winner gets the counters"
        ),
        "honba_dealer_only": _either(
            "counters are paid to the dealer only", "counters are paid to any winner"
        ),
        "winners_per_discard": lambda value: (
            "one winner a discard, next in turn (head bump)"
            if value == 1
            else f"up to {value} win on one discard"
        ),
        "triple_ron_draw": _either("three winners are a draw", "three winners are no draw"),
        "bets_returned": _either(
            "of several winners each gets his own riichi bet back",
            "the first of several winners takes all bets",
        ),
        "liability": _list_or("nobody is liable", "who feeds the last set is liable for {}"),
        "liability_whole_hand": _either(
            "the liable player pays for the whole hand", "the liable player pays for the yakuman that he fed"
        ),
        "liability_tsumo": _either("he pays all of a self-draw", "he pays nothing extra of a self-draw"),
        "liability_ron": _either(
            "he shares another's discard in halves", "he pays nothing of another's discard"
        ),
        "liability_counters": _pick(
            liable="he pays the counters", discarder="the discarder pays the counters"
        ),
        "nagashi_mangan": _either("nagashi mangan is played", "no nagashi mangan"),
        "nagashi_collects": _either(
            "nagashi mangan, where played, takes counters and bets",
            "nagashi mangan takes no counters and bets",
        ),
        "noten_points": _number_or("noten pay nothing", "noten pay {} together"),
        "chombo": _pick(
            reverse_mangan="a chombo is a mangan to the others",
            points="a chombo takes points off the final score",
            none="no chombo between the players",
        ),
        "chombo_points": _number_or("a chombo takes none off the final score", "a chombo takes {} off"),
    },
    "The game": {
        "words": _pick(
            english="EMA's English terms", japanese="Japanese terms", kanji="Japanese terms in kanji"
        ),
        "abortive_draws": _list_or("no abortive draws", "abortive draws: {}"),
        "dealer_stays": _pick(
            win="the dealer stays after a win", win_or_tenpai="the dealer stays after a win or tenpai"
        ),
        "riichi_wall": _number_or("riichi as long as one plays", "riichi with {} tiles left or more"),
        "start_points": "{} points to start with".format,
        "target_points": "{} points taken off at the end".format,
        "oka": _number_or("no oka", "oka {} for the first"),
        "uma": _uma,
        "ties_share": _either("equal scores share their uma", "equal scores rank by seat"),
    },
}
"""Every rule as a half sentence of its value, under its heading."""


def print_presets(console: Console) -> None:
    """One line a preset."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("id", style="bold", no_wrap=True)
    table.add_column("name", no_wrap=True)
    table.add_column("source", style="dim")
    for identity in preset_ids():
        preset = load_rules(identity)
        table.add_row(preset.id, preset.name, preset.source)
    console.print(table)
    console.print(
        Text("tehai rules ID says all of one, tehai rules --diff ID ID how two differ.", "dim"),
    )


def print_preset(console: Console, name: str) -> None:
    """A preset or house-rules file in words, each rule with its source, and all its yaku."""
    preset = load(name)
    console.print(Text.assemble((preset.id, "bold"), "  ", preset.name))
    console.print(Text(preset.source, "dim"))
    if preset.base:
        console.print(Text(f"extends {preset.base}, and says what that says unless it says otherwise", "dim"))
    for heading, keys in _WORDS.items():
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column(heading, ratio=5)
        table.add_column("source", style="dim", ratio=5)
        table.add_column("key", style="dim", no_wrap=True)
        for key, say in keys.items():
            table.add_row(Text(say(getattr(preset, key))), Text(preset.cite.get(key, "")), key)
        console.print(table)
    console.print(_yaku_table(preset))
    if preset.notes:
        console.print(Text("Where the source is torn or silent", "bold"))
        for note in preset.notes:
            console.print(Padding(Text(f"· {note}"), (0, 0, 0, 2)))


def print_difference(console: Console, first: str, second: str) -> None:
    """Only the rules and yaku on which two rule sets differ."""
    one, other = load(first), load(second)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("key", style="dim", no_wrap=True)
    table.add_column(one.id)
    table.add_column(other.id)
    rows = list(differences(one, other))
    for key, here, there in rows:
        table.add_row(key, Text(here), Text(there))
    if rows:
        console.print(table)
    else:
        console.print(f"{one.id} and {other.id} say the same.")


def differences(one: RuleSet, other: RuleSet) -> Iterator[tuple[str, str, str]]:
    """(key or yaku id, what the one says, what the other says) where they differ, rules first."""
    for keys in _WORDS.values():
        for key, say in keys.items():
            here, there = getattr(one, key), getattr(other, key)
            if here != there:
                yield key, say(here), say(there)
    for yaku in TABLE:
        here, there = worth(one, yaku.id), worth(other, yaku.id)
        if here != there:
            yield yaku.id, here, there


def load(name: str) -> RuleSet:
    """The preset or house rules; a :class:`Mistake` where there are none."""
    try:
        return load_rules(name)
    except (RulesError, OSError) as error:
        raise Mistake(str(error)) from None


def worth(rules: RuleSet, yaku_id: str) -> str:
    """What a yaku counts: ``2, open 1``, ``yakuman, concealed``, ``mangan by itself``, ``not played``."""
    if yaku_id in rules.limit_hands:
        return f"{rules.limit_hands[yaku_id]} by itself"
    closed, opened = rules.han(yaku_id, closed=True), rules.han(yaku_id, closed=False)
    if not closed and not opened:
        return "not played"
    if closed == opened:
        return _han(closed)
    return f"{_han(closed)}, open {_han(opened)}" if opened else f"{_han(closed)}, concealed"


def _han(han: int) -> str:
    if han < YAKUMAN:
        return str(han)
    return "yakuman" if han == YAKUMAN else f"yakuman ×{han // YAKUMAN}"


def _yaku_table(preset: RuleSet) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("yaku", no_wrap=True)
    table.add_column("han", style="bold")
    table.add_column("")
    table.add_column("source", style="dim")
    played = [yaku for yaku in TABLE if worth(preset, yaku.id) != "not played"]
    for yaku in played:
        cite = preset.cite.get(yaku.id, yaku.source)
        table.add_row(yaku.id, worth(preset, yaku.id), f"{yaku.english} {yaku.japanese}", Text(cite))
    missing = [id_ for id_ in BY_ID if worth(preset, id_) == "not played"]
    if missing:
        table.add_row("not played", "", _listed(missing), "")
    return table
