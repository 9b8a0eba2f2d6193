"""What each rule of a rule set says, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from scorer.words import Words

Phrase = Callable[[Any, Words], str]
"""A rule's value as half a sentence, in a vocabulary."""


def _text(text: str) -> Phrase:
    """The text with the value as ``{value}``."""
    return lambda value, words: words.phrase(text, value=value)


def _either(yes: str, no: str) -> Phrase:
    return lambda value, words: words.phrase(yes if value else no, value=value)


def _pick(**texts: str) -> Phrase:
    return lambda value, words: words.phrase(texts[value])


def _term_list(some: str, none: str) -> Phrase:
    return lambda value, words: words.phrase(
        some if value else none, value=", ".join(words.terms[id_] for id_ in value)
    )


def _yaku_list(some: str, none: str) -> Phrase:
    return lambda value, words: words.phrase(some if value else none, value=", ".join(map(words.yaku, value)))


_SUITS: Final = {"m": "characters", "p": "circles", "s": "bamboos"}


def _limits(value: Mapping[str, int], words: Words) -> str:
    return ", ".join(f"{words.limits[name]} from {words.han.format(han)}" for name, han in value.items())


def _red_fives(value: tuple[int, int, int], words: Words) -> str:
    if not any(value):
        return "no red fives"
    some = "red fives: {} of characters, {} of circles, {} of bamboos".format(*value)
    return f"{some}, {words.han.format(1)} each"


def _chips(value: Mapping[str, int], words: Words) -> str:
    named = {"ippatsu": words.yaku("ippatsu"), "aka": "each red five", "ura": f"each {words.terms['ura']}"}
    each = (f"{many} for {named[name]}" for name, many in value.items() if many)
    return f"chips from each who pays: {', '.join(each)}" if any(value.values()) else "no chips"


def _uma(value: tuple[int, ...], words: Words) -> str:
    return "uma " + ", ".join(f"{points:+,}" for points in value) if any(value) else "no uma"


def _floating_uma(value: tuple[tuple[int, ...], ...], words: Words) -> str:
    if not value:
        return "the same uma for any number of players with the target points"
    each = (f"{many}: {_uma(uma, words)}" for many, uma in enumerate(value, 1))
    return f"uma by how many players have the target points; {'; '.join(each)}"


PHRASES: Final[Mapping[str, Mapping[str, Phrase]]] = {
    "What a hand is worth": {
        "red_fives": _red_fives,
        "limits": _limits,
        "aotenjou": _either(
            "there are no limits (aotenjou): a yakuman is 13 {han}, added to all others", "{han} have limits"
        ),
        "kiriage_mangan": _either(
            "4 {han} 30 {fu} and 3 {han} 60 {fu} are rounded up to mangan",
            "4 {han} 30 {fu} and 3 {han} 60 {fu} are not a mangan",
        ),
        "yakuman_add_up": _either("several yakuman are all paid", "only one of several yakuman is paid"),
        "tenhou_special_waits": _pick(
            never="{tenhou} counts and pays no special wait",
            last_tile="{tenhou} has the wait of its last tile",
            always="{tenhou} always has the special wait",
        ),
        "honroutou_with_chanta": _either(
            "{honroutou} in sets counts {chanta} too", "{honroutou} counts no {chanta}"
        ),
        "four_alike_are_pairs": _either(
            "four alike may be two of {chiitoitsu}", "{chiitoitsu} are seven different pairs"
        ),
        "natural_wins_alone": _pick(
            always="{rinshan}, {chankan}, {haitei} and {houtei} win alone",
            concealed="{rinshan}, {chankan}, {haitei} and {houtei} win alone with a concealed hand only",
            never="{rinshan}, {chankan}, {haitei} and {houtei} need another {yaku}",
        ),
        "daisharin_suits": lambda value, words: words.phrase(
            "{daisharin}, if played, is of {suits}",
            suits=", ".join(_SUITS[letter] for letter in value),
        ),
        "rinshan_on_last_tile": _either(
            "{rinshan} and {haitei} both count on the last tile", "{rinshan} and {haitei} exclude each other"
        ),
        "renhou_by_dealer": _either(
            "{renhou}, if played, is also for the dealer", "{renhou} is never for the dealer"
        ),
        "suukantsu_needs_rinshan": _either(
            "{suukantsu} counts only with {rinshan}", "{suukantsu} counts with any kind of win"
        ),
        "paarenchan_counts": _pick(
            wins="before {paarenchan} the dealer's wins in a row count",
            hands="before {paarenchan} all hands in a row count after which the dealer stays",
        ),
        "paarenchan_retires": _either(
            "after {paarenchan} the deal passes on", "after {paarenchan} the dealer goes on"
        ),
        "paarenchan_wins": _text(
            "{paarenchan}, if played, comes with hand number {value} in a row as dealer"
        ),
        "dora_open_hands": _either("{dora} count for all hands", "{dora} count for concealed hands only"),
        "kan_dora": _either("each {kan} opens another {dora}", "a {kan} opens no {dora}"),
        "ura_dora": _either("{riichi} opens {ura}", "no {ura}"),
        "nukidora": _either(
            "a tile set aside (a flower, a north of three players) is a {dora}",
            "no tile is set aside as {dora}",
        ),
        "fu": _text(
            "{value[closed_ron]} {fu} for a {ron} with a concealed hand, {chiitoitsu} {value[chiitoitsu]},"
            " otherwise {value[otherwise]}; {pinfu} {value[pinfu_ron]}, by {tsumo} {value[pinfu_tsumo]};"
            " {value[pung]} for an open {triplet} of simples, twice that concealed, twice that of terminals"
            " or honours, four times for a {kan}; {value[value_pair]} for a pair of dragons or own winds;"
            " {value[wait]} for an edge, closed or single wait; {value[tsumo]} for a {tsumo} without {pinfu}"
        ),
        "double_wind_pair_fu": _text("a pair of the double wind is {value} {fu}"),
        "open_pinfu_fu": _either(
            "an open hand without {fu} gets {value} {fu}", "an open hand without {fu} stays at 20"
        ),
        "two_han_from_honba": _either(
            "with {value} {honba} or more a hand needs two {han}", "one {han} is always enough"
        ),
        "two_han_counts": _pick(
            counters="{honba} decide whether a hand needs two {han}",
            dealer_wins="the dealer's wins in a row, not {honba}, decide whether a hand needs two {han}",
        ),
        "kokushi_robs_ankan": _either(
            "{kokushi} may rob a concealed {kan}", "a concealed {kan} is never robbed"
        ),
    },
    "Who pays what": {
        "fourth_share": _pick(
            lost="with three players, the fourth share of a {tsumo} is lost",
            split="with three players, the two who pay split the fourth share of a {tsumo}",
        ),
        "honba_points": _text("{honba}: {value} points each"),
        "honba_to_every_winner": _either(
            "every winner is paid the {honba}", "the first winner gets the {honba}"
        ),
        "honba_dealer_only": _either("{honba} are paid to the dealer only", "{honba} are paid to any winner"),
        "winners_per_discard": lambda value, words: (
            "one winner a discard, next in turn (head bump)"
            if value == 1
            else f"up to {value} win on one discard"
        ),
        "triple_ron_draw": _either("three winners are a draw", "three winners are not a draw"),
        "bets_returned": _either(
            "each of several winners gets the own {riichi} stick back",
            "no {riichi} stick goes back to a later winner",
        ),
        "bets_split": _either(
            "several winners share the {bets}", "several winners do not share the {bets} of others"
        ),
        "liability": _yaku_list("who feeds the last set is liable for {value}", "nobody is liable"),
        "liability_all_open": _either(
            "all sets of it must be open", "a concealed {kan} may be one of its sets"
        ),
        "liability_whole_hand": _either(
            "the liable player pays for the whole hand",
            "the liable player pays only for the yakuman of the last set",
        ),
        "liability_tsumo": _either(
            "the liable player pays all of a {tsumo}", "the liable player pays a {tsumo} like the others"
        ),
        "liability_ron": _either(
            "the liable player shares another's discard in halves",
            "the liable player pays nothing of another's discard",
        ),
        "liability_counters": _pick(
            liable="the liable player pays the {honba} of a shared discard",
            discarder="the discarder pays the {honba} of a shared discard",
        ),
        "nagashi_mangan": _either("{nagashi_mangan} is played", "no {nagashi_mangan}"),
        "nagashi_collects": _either(
            "{nagashi_mangan}, if played, takes {honba} and {bets}",
            "{nagashi_mangan} takes no {honba} or {bets}",
        ),
        "noten_points": _either("{noten} pay {value} together", "{noten} pay nothing"),
        "chombo": _pick(
            reverse_mangan="a {chombo} is a mangan to the others",
            points="a {chombo} takes points off the final score",
            none="no {chombo} between the players",
        ),
        "chombo_points": _either(
            "a {chombo} takes {value} points off the final score",
            "a {chombo} takes no points off the final score",
        ),
    },
    "The game": {
        "players": _text("{value} players"),
        "words": _pick(
            english="English terms",
            ema="EMA's English terms",
            japanese="Japanese terms",
            kanji="Japanese terms in kanji",
        ),
        "abortive_draws": _term_list("{abort}: {value}", "no {abort}"),
        "dealer_stays": _pick(
            win="the dealer stays after a win",
            win_or_tenpai="the dealer stays after a win or {tenpai}",
            unless_south_tenpai="the dealer stays after a win, and after a draw unless South is {tenpai} and"
            " the dealer is not",
        ),
        "abort_keeps_deal": _either(
            "the dealer stays after an {abort}", "after an {abort} the dealer stays as after any draw"
        ),
        "rounds": lambda value, words: "an east and a south round" if value == 2 else "an east round",
        "extra_rounds": _either("{value} more rounds may follow the last", "no round after the last"),
        "extra_rounds_above": _text("further rounds, if played, go on until somebody has more than {value}"),
        "sudden_death": _either(
            "further rounds end as soon as somebody has it and the deal passes on",
            "further rounds are played to their end",
        ),
        "last_dealer_stops": _pick(
            never="the dealer of the last hand plays on while staying dealer",
            win="the dealer of the last hand ends the game after a win, if first and no further round is due",
            win_or_tenpai="the dealer of the last hand ends the game after a win or {tenpai}, if first and no"
            " further round is due",
        ),
        "bets_left": _pick(
            first="{bets} left at the end go to the first", nobody="{bets} left at the end go to nobody"
        ),
        "bust": _either("the game ends when somebody has less than 0", "nobody is bust"),
        "riichi_wall": _either(
            "{riichi} with {value} tiles left or more", "{riichi} is possible until the last draw"
        ),
        "riichi_below_1000": _either(
            "{riichi} with less than 1,000 points is allowed", "{riichi} takes 1,000 points or more"
        ),
        "start_points": _text("everybody starts with {value} points"),
        "target_points": _text("target points {value}, subtracted at the end"),
        "oka": _either("oka {value} for the first", "no oka"),
        "uma": _uma,
        "floating_uma": _floating_uma,
        "ties_share": _either("equal scores share their uma", "equal scores rank by seat"),
        "chips": _chips,
        "chip_points": _either("a chip adds {value} points at the end", "chips add no points"),
        "yakitori": _either("players without a win pay {value} points to the others", "no yakitori"),
    },
}
"""Every rule as a half sentence of its value, in a vocabulary, under its heading."""
