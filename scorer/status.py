"""Every fault that a hand can have. All are found at once, with sentences in the vocabulary of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Flag, auto
from typing import Final

from scorer.hand import Hand, MeldType, Win, Wind
from scorer.liability import feeders, liable_for
from scorer.readings import is_win, waits
from scorer.rules import RuleSet
from scorer.tenpai import furiten
from scorer.tiles import COPIES, KINDS, LEFT_OUT, NORTH, TILES, YAOCHUU, Tile, count_kinds, format_tiles


class HandStatus(Flag):
    """The faults, the most basic first; each flag is an error id of ``docs/hand.md`` in capitals."""

    VALID = 0
    NOT_IN_PLAY = auto()
    BAD_MELD = auto()
    WRONG_TILE_COUNT = auto()
    TOO_MANY_OF_A_TILE = auto()
    TOO_MANY_RED_FIVES = auto()
    NOT_A_WIN = auto()
    RIICHI_ON_OPEN_HAND = auto()
    IPPATSU_WITHOUT_RIICHI = auto()
    URA_WITHOUT_RIICHI = auto()
    RINSHAN_ON_RON = auto()
    RINSHAN_WITHOUT_KAN = auto()
    CHANKAN_ON_TSUMO = auto()
    CHANKAN_TILE_HELD = auto()
    HAITEI_ON_RON = auto()
    HOUTEI_ON_TSUMO = auto()
    FIRST_TURN_WITH_CALL = auto()
    DEALER_ONLY = auto()
    NOT_DEALER = auto()
    NO_SUCH_PLAYER = auto()
    CONFLICTING_WINS = auto()
    NUKIDORA_NOT_PLAYED = auto()
    NOBODY_LIABLE = auto()
    FURITEN = auto()
    NO_YAKU = auto()
    BELOW_MINIMUM = auto()


TOO_LITTLE: Final = HandStatus.NO_YAKU | HandStatus.BELOW_MINIMUM
"""The faults of a valid win that has too few yaku."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, with a sentence that says how to correct it."""

    status: HandStatus
    message: str

    @property
    def id(self) -> str:
        """The error id of ``docs/hand.md``."""
        return str(self.status.name).lower()


class HandError(ValueError):
    """A hand that cannot be scored. ``faults`` lists all that is wrong, the most basic first.

    >>> from scorer import Hand, Win, load_rules, score
    >>> try:
    ...     score(Hand("123m456p78s22z444z", "9s"), Win(tsumo=True, houtei=True), load_rules("ema2008"))
    ... except HandError as error:
    ...     [fault.id for fault in error.faults]
    ['houtei_on_tsumo']
    """

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults[0].message)
        self.faults = faults

    @property
    def status(self) -> HandStatus:
        status = HandStatus.VALID
        for fault in self.faults:
            status |= fault.status
        return status


_Check = Callable[[Hand, Win, RuleSet], Iterable[str]]
"""A check for one fault: a sentence for each place where the hand has it."""


def _not_in_play(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    if rules.players == 3:
        found = sorted({tile for tile in _shown(hand, win, rules) if tile.kind in LEFT_OUT})
        if found:
            tiles = ", ".join(map(str, found))
            are = "is" if len(found) == 1 else "are"
            yield f"{tiles} {are} not in play: three players leave out 2m to 8m; correct it, or the rules."


def _bad_meld(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    words = rules.vocabulary
    for meld in hand.melds:
        called = meld.type is MeldType.CHI and rules.players == 3
        if meld.is_set and not called:
            continue
        tiles, type_ = format_tiles(meld.tiles), words.terms[meld.type]
        if meld.is_set:
            yield f"{tiles} cannot be called: three players call no {type_}; put it among the closed tiles."
        else:
            yield f"{tiles} is no {type_}: correct the tiles or the type of the meld."


def _wrong_tile_count(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    wanted = 13 - 3 * len(hand.melds)
    have = len(hand.concealed)
    if have == wanted:
        return
    whole = 14 + sum(meld.type.is_kan for meld in hand.melds)
    undeclared = have > wanted and max(count_kinds(hand.concealed)) == COPIES
    yield rules.vocabulary.say(
        "A finished hand has 14 tiles and one more for each declared {kan}, here {whole}, and this one has"
        " {have}: {change}." + (" Four alike are a {kan} only if declared." if undeclared else ""),
        whole=whole,
        have=whole + have - wanted,
        change=f"{'take away' if have > wanted else 'add'} {abs(have - wanted)}",
    )


def norths_aside(win: Win, rules: RuleSet) -> tuple[Tile, ...]:
    """The norths that the player has set aside. Four players set aside flowers."""
    return (TILES[NORTH],) * win.nukidora if rules.players == 3 else ()


def _shown(hand: Hand, win: Win, rules: RuleSet) -> tuple[Tile, ...]:
    """All tiles of the record. They are different tiles of one set of tiles."""
    return (*hand.tiles, *win.dora_indicators, *win.ura_indicators, *win.discards, *norths_aside(win, rules))


def _too_many_of_a_tile(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    counts = count_kinds(_shown(hand, win, rules))
    if max(counts) > COPIES:
        for kind, count in enumerate(counts):
            if count > COPIES:
                name = f"{TILES[kind]} ({TILES[kind].name})"
                yield f"There are {count} of {name}, the game has {COPIES}: correct one."


def _too_many_red_fives(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    for red, count in Counter(tile for tile in _shown(hand, win, rules) if tile.is_red).items():
        if rules.players == 3 and red.kind in LEFT_OUT:
            continue  # no five of that suit is in play
        if count > (most := rules.red_fives[red - KINDS]):
            yield (
                f"There {'is' if count == 1 else 'are'} {count} of {red} ({red.name})"
                f" and {rules.name} plays with {most}:"
                f" write 5{red.suit} for the rest."
            )


def _not_a_win(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    if is_win(hand):
        return
    waiting = waits(hand.concealed, hand.melds)
    if waiting:
        tiles = ", ".join(map(str, waiting))
        yield f"{hand.win_tile} does not finish this hand, which waits for {tiles}: correct a tile."
    else:
        words = rules.vocabulary
        pairs, orphans = words.yaku("chiitoitsu"), words.yaku("kokushi")
        yield f"These tiles are not four sets and a pair, {pairs} or {orphans}: correct a tile."


def _when(condition: Callable[[Hand, Win, RuleSet], bool], sentence: str) -> _Check:
    def check(hand: Hand, win: Win, rules: RuleSet) -> tuple[str, ...]:
        return (rules.vocabulary.say(sentence, rules=rules.name),) if condition(hand, win, rules) else ()

    return check


def _is_thirteen_orphans(hand: Hand) -> bool:
    return {tile.kind for tile in hand.tiles} == YAOCHUU


def _first_turn(win: Win) -> bool:
    return win.tenhou or win.chiihou or win.renhou


def _drew_replacement(hand: Hand, win: Win) -> bool:
    """Whether the winner may have drawn a replacement tile: after a kan or a tile set aside."""
    return hand.has_kan or win.nukidora > 0


_MOMENTS: Final = ("rinshan", "haitei", "chankan", "houtei", "tenhou", "chiihou", "renhou")
"""Yaku of the moment of the win. They exclude each other, except that some rules allow the tile after a kan
to be the last one (EMA 2008 §3.4.1)."""


def _conflicting(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    """Claims about the win that contradict each other."""
    words = rules.vocabulary
    moments = [name for name in _MOMENTS if getattr(win, name)]
    named = [words.terms[name] for name in moments]
    if len(named) > 1 and not (rules.rinshan_on_last_tile and moments == ["rinshan", "haitei"]):
        yield f"A win cannot be {' and '.join(named)} at once: keep one."
    for conflict, sentence in (
        (
            _first_turn(win) and win.has_riichi,
            "A win on the first turn comes before any {riichi}: take one of them away.",
        ),
        (win.tsumo and win.renhou, "{renhou} is a {ron}: take it away, or make it a {ron}."),
        (
            win.tsubame_gaeshi and (win.tsumo or win.chankan),
            "{tsubame_gaeshi} is a {ron} on a discard: take it away, or make it one.",
        ),
        (
            win.kanburi and (win.tsumo or win.chankan),
            "{kanburi} is a {ron} on a discard: take it away, or make it one.",
        ),
        (
            not win.tsumo and win.tenhou,
            "{tenhou} is a {tsumo}: take it away, or make it a {tsumo}.",
        ),
        (
            not win.tsumo and win.chiihou,
            "{chiihou} is a {tsumo}: take it away, or make it a {tsumo}.",
        ),
        (
            win.ippatsu and win.rinshan,
            "A {kan} ends {ippatsu}, so {rinshan} has none: take away one of them.",
        ),
        (
            win.robbed_ankan and not win.chankan,
            "Only {chankan} robs a concealed {kan}: add it, or take robbed_ankan away.",
        ),
        (
            win.robbed_ankan and not rules.kokushi_robs_ankan,
            "In {rules} no concealed {kan} is robbed: take {chankan} away.",
        ),
        (
            win.robbed_ankan and rules.kokushi_robs_ankan and not _is_thirteen_orphans(hand),
            "Only {kokushi} robs a concealed {kan}: correct a tile, or take {chankan} away.",
        ),
        (
            win.tsumo and (win.loser_offset is not None or win.ron_index),
            "A {tsumo} has no discarder: take away loser_offset and ron_index, or make it a {ron}.",
        ),
    ):
        if conflict:
            yield words.say(sentence, rules=rules.name)


def _furiten(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    """EMA 2008 §3.4.5: one of his own discards would have finished the hand."""
    if win.tsumo or not win.discards:
        return
    if found := furiten(hand.concealed, hand.melds, discards=win.discards):
        yield rules.vocabulary.say(
            "{tiles} is among your own discards, so this hand is {furiten} and cannot win on a discard:"
            " make it a {tsumo}, or correct the discards.",
            tiles=format_tiles(found.tiles),
        )


def _nobody_liable(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    if win.pao is None or liable_for(hand, win, rules):
        return
    could = feeders((*hand.concealed, hand.win_tile), hand.melds, rules)
    if not (rules.liability_tsumo if win.tsumo else rules.liability_ron) or not rules.liability:
        sentence = f"In {{rules}} nobody is liable on a {{{'tsumo' if win.tsumo else 'ron'}}}: take pao away."
    elif not could:
        sentence = "In {rules} nobody is liable but where called melds show {known}: take pao away."
    elif win.pao in could:
        sentence = "Who fed the {kan} is liable for {rinshan} alone: add it, or take pao away."
    else:
        sentence = "That player fed none of the melds to be liable for: correct pao, or from whom they are."
    words = rules.vocabulary
    known = " or ".join(words.terms[id_] for id_ in rules.liability)
    yield words.say(sentence, rules=rules.name, known=known)


def names_fourth_player(win: Win) -> bool:
    """Whether a field names the fourth player, who does not exist with three players."""
    return Wind.NORTH in (win.seat_wind, win.round_wind) or 2 in (win.loser_offset, win.pao, win.ron_index)


def no_such_player(win: Win, rules: RuleSet) -> Iterator[str]:
    """A sentence for each field that names a fourth player at a table of three."""
    if rules.players == 4 or not names_fourth_player(win):
        return
    if Wind.NORTH in (win.seat_wind, win.round_wind):
        yield "Three players have no North seat and no North round: correct the wind."
    if 2 in (win.loser_offset, win.pao):
        yield "With three players nobody sits across: name the next player (1, right) or previous (3, left)."
    if win.ron_index == 2:
        yield "With three players two can win on a discard: write 0 or 1 as ron_index."


_Checks = tuple[tuple[HandStatus, _Check], ...]

_OF_PLAYERS: Final[tuple[HandStatus, _Check]] = (
    HandStatus.NO_SUCH_PLAYER,
    lambda h, w, r: no_such_player(w, r),
)

_OF_NUKIDORA: Final[tuple[HandStatus, _Check]] = (
    HandStatus.NUKIDORA_NOT_PLAYED,
    _when(
        lambda h, w, r: w.nukidora > 0 and not r.nukidora,
        "In {rules} no tile is set aside as {nukidora}: take them away, or name rules that play them.",
    ),
)

_OF_TILES: Final[_Checks] = (
    (HandStatus.NOT_IN_PLAY, _not_in_play),
    (HandStatus.BAD_MELD, _bad_meld),
    (HandStatus.WRONG_TILE_COUNT, _wrong_tile_count),
    (HandStatus.TOO_MANY_OF_A_TILE, _too_many_of_a_tile),
    (HandStatus.TOO_MANY_RED_FIVES, _too_many_red_fives),
    (HandStatus.NOT_A_WIN, _not_a_win),
)
"""The checks of the tiles, which do not depend on the way of winning."""

_OF_WAY: Final[_Checks] = (
    (
        HandStatus.RIICHI_ON_OPEN_HAND,
        _when(
            lambda h, w, r: w.has_riichi and not h.is_closed,
            "{riichi} needs a concealed hand: take it away, or the open melds.",
        ),
    ),
    (
        HandStatus.IPPATSU_WITHOUT_RIICHI,
        _when(
            lambda h, w, r: w.ippatsu and not w.has_riichi,
            "{ippatsu} needs {riichi}: add that, or take {ippatsu} away.",
        ),
    ),
    (
        HandStatus.URA_WITHOUT_RIICHI,
        _when(
            lambda h, w, r: bool(w.ura_indicators or w.ura_count) and not w.has_riichi,
            "Only {riichi} opens the {ura}: add it, or take away the {ura_indicators}.",
        ),
    ),
    (
        HandStatus.RINSHAN_ON_RON,
        _when(
            lambda h, w, r: w.rinshan and not w.tsumo,
            "{rinshan} is a {tsumo}: make it a {tsumo}, or take it away.",
        ),
    ),
    (
        HandStatus.RINSHAN_WITHOUT_KAN,
        _when(
            lambda h, w, r: w.rinshan and not _drew_replacement(h, w),
            "{rinshan} needs a {kan}: declare one, or take {rinshan} away.",
        ),
    ),
    (
        HandStatus.CHANKAN_ON_TSUMO,
        _when(
            lambda h, w, r: w.chankan and w.tsumo,
            "{chankan} is a {ron}: make it a {ron}, or take it away.",
        ),
    ),
    (
        HandStatus.CHANKAN_TILE_HELD,
        _when(
            lambda h, w, r: w.chankan and count_kinds(_shown(h, w, r))[h.win_tile.kind] > 1,
            "The robbed {kan} holds the other three of the winning tile, so neither the hand nor an indicator"
            " can be one: take away {chankan} or correct a tile.",
        ),
    ),
    (
        HandStatus.HAITEI_ON_RON,
        _when(
            lambda h, w, r: w.haitei and not w.tsumo,
            "{haitei} is a {tsumo}: make it a {tsumo}, or write houtei.",
        ),
    ),
    (
        HandStatus.HOUTEI_ON_TSUMO,
        _when(
            lambda h, w, r: w.houtei and w.tsumo,
            "{houtei} is a {ron}: make it a {ron}, or write haitei.",
        ),
    ),
    (
        HandStatus.FIRST_TURN_WITH_CALL,
        _when(
            lambda h, w, r: _first_turn(w) and bool(h.melds),
            "A win on the first turn has no melds, not even a {kan}: take away one or the other.",
        ),
    ),
    (
        HandStatus.FIRST_TURN_WITH_CALL,
        _when(
            lambda h, w, r: _first_turn(w) and bool(w.nukidora),
            "A win on the first turn has no {nukidora}: take away one or the other.",
        ),
    ),
    (
        HandStatus.DEALER_ONLY,
        _when(
            lambda h, w, r: w.tenhou and not w.is_dealer,
            "{tenhou} is the dealer's: set the seat wind to E, or write chiihou.",
        ),
    ),
    (
        HandStatus.NOT_DEALER,
        _when(
            lambda h, w, r: w.is_dealer and (w.chiihou or (w.renhou and not r.renhou_by_dealer)),
            "{chiihou} and {renhou} are not the dealer's: correct the seat wind, or write tenhou.",
        ),
    ),
    _OF_PLAYERS,
    (HandStatus.CONFLICTING_WINS, _conflicting),
    _OF_NUKIDORA,
    (HandStatus.NOBODY_LIABLE, _nobody_liable),
    (HandStatus.FURITEN, _furiten),
)


def faults(hand: Hand, win: Win, rules: RuleSet) -> tuple[Fault, ...]:
    """All faults of the hand except missing yaku, the most basic first."""
    checks = (*_OF_TILES, *_OF_WAY)
    return tuple(Fault(status, message) for status, look in checks for message in look(hand, win, rules))


def tile_faults(hand: Hand, win: Win, rules: RuleSet) -> tuple[Fault, ...]:
    """The faults of tiles that need not be a finished hand: tiles that no set of tiles has, a seat that does
    not exist, or tiles set aside where none are."""
    unfinished = (HandStatus.WRONG_TILE_COUNT, HandStatus.NOT_A_WIN)
    checks = [(status, look) for status, look in _OF_TILES if status not in unfinished]
    checks += (_OF_PLAYERS, _OF_NUKIDORA)
    return tuple(Fault(status, message) for status, look in checks for message in look(hand, win, rules))


def can_be_won(hand: Hand, win: Win, rules: RuleSet) -> bool:
    """Whether the way of winning has no fault. The tiles may have some."""
    return not any(True for _, look in _OF_WAY for _ in look(hand, win, rules))
