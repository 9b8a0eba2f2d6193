"""Rule sets: what differs between rules, as data (``docs/rules.md``).

A preset is a file ``scorer/presets/<id>.toml``. It has every key, or a ``base`` preset and the keys that
differ, as does a file of house rules. An unknown key or value raises :class:`RulesError`, which names the
file, the line, the key and the closest valid name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from reprlib import repr as shown
from typing import TYPE_CHECKING, Any, Final, cast

from scorer.frozen import FrozenDict
from scorer.own_yaku import OwnYaku
from scorer.rule_values import (
    ABORTIVE_DRAWS,
    CHOMBO,
    FU,
    KEYS,
    LIMIT_HANDS,
    LIMITS,
    OFF,
    BadValue,
    likeliest,
    name_in,
)
from scorer.tiles import TILES, Tile
from scorer.words import VOCABULARIES, Words
from scorer.yaku import BY_ID, TABLE, Yaku

if TYPE_CHECKING:
    from pathlib import Path

    from scorer.records import RuleSetRecord

__all__ = [
    "ABORTIVE_DRAWS",
    "CHOMBO",
    "FU",
    "LIMITS",
    "LIMIT_HANDS",
    "RuleSet",
    "RulesError",
    "house_text",
    "load_rules",
    "parse_rules",
    "preset_ids",
]


class RulesError(ValueError):
    """A rule set that does not exist or is invalid. The message is a sentence that says where."""


_NEITHER: Final = (0, 0)


@dataclass(frozen=True, slots=True, repr=False)
class RuleSet:
    """The rules of a game. Every field is a key of the TOML file, except ``id``: that is the name of the
    file.

    ``base``: the preset that it extends, or empty.
    ``name``, ``name_ja``: the English and Japanese name of the rules. ``source``: the document that they come
    from. ``words``: the vocabulary: ``english`` (han, fu), ``ema`` (fan, minipoints), ``japanese`` or
    ``kanji``.
    ``players``: 4, or 3. Three players play without 2m to 8m, call no runs and have no North seat.
    ``red_fives``: how many red fives of characters, circles and bamboos are in play.

    The value of a hand:

    ``yaku``: han by yaku id as (concealed, open), for every yaku of the table. 0: such a hand cannot have it;
    13 is a yakuman, 26 two. The file has only those that differ from the table. One number alone is for yaku
    of concealed hands (:data:`scorer.yaku.CONCEALED_ONLY`), or 0.
    ``own_yaku``: yaku that the table lacks, by id, each with its condition (:mod:`scorer.own_yaku`).
    ``limit_hands``: ids of yaku paid as a fixed limit without other yaku and dora, if that is more than the
    hand is worth otherwise (:data:`LIMIT_HANDS`).
    ``tenhou_special_waits``: whether a blessing of heaven can have a special wait: ``never``, ``always``, or
    by the ``last_tile`` that the record names.
    ``limits``: the least han of each limit. A limit that is left out is not played.
    ``aotenjou``: whether there are no limits: a yakuman is 13 han, and other yaku and dora add to it.
    ``kiriage_mangan``: whether 4 han 30 fu and 3 han 60 fu pay mangan.
    ``yakuman_add_up``: whether several yakuman all pay; otherwise only the greatest does.
    ``honroutou_with_chanta``: whether all terminals and honours with sets are also an outside hand, with the
    open value. ``four_alike_are_pairs``: whether four tiles alike are two of the seven pairs.
    ``natural_wins_alone``: whether rinshan, chankan, haitei or houtei may be the only yaku: ``always``, only
    for ``concealed`` hands, or ``never``.
    ``rinshan_on_last_tile``: whether the tile after a kan can be the last tile, so that rinshan and haitei
    both count; otherwise they exclude each other. ``renhou_by_dealer``: whether East can have renhou on the
    first discard of South.
    ``suukantsu_needs_rinshan``: whether four kans win only with the tile drawn after the fourth, which
    otherwise ends the hand.
    ``daisharin_suits``: the suits of daisharin, letters of ``mps``. ``paarenchan_wins``: which win in a row
    as dealer is paarenchan; later ones are too. ``paarenchan_counts``: whether only hands that the dealer won
    count before it (``wins``), or all after which the dealer stayed (``hands``).
    ``paarenchan_retires``: whether the deal passes on after it.
    ``dora_open_hands``: whether dora count for open hands. ``kan_dora``: whether each kan opens another
    indicator; otherwise only the first counts. ``ura_dora``: whether riichi opens ura dora.
    ``nukidora``: whether each tile set aside is a dora: four flowers in the wall, or the norths with three
    players.
    ``fu``: :data:`FU`, the same in all rules.
    ``double_wind_pair_fu``: minipoints of a pair of the wind that is both seat and round.
    ``open_pinfu_fu``: minipoints of an open hand that earns no others.
    ``two_han_from_honba``: from this count on, a win needs two han without dora; 0: never.
    ``two_han_counts``: what it counts: ``counters`` (EMA 2008 §3.4.11), or the ``dealer_wins`` in a row of a
    dealer (Toudai §7.5). ``kokushi_robs_ankan``: whether thirteen orphans may rob a concealed kan.

    Payments:

    ``fourth_share``: whether the share of a fourth player is ``lost`` with three players, or ``split``
    between the two payers of a self-draw.
    ``honba_points``: what a counter adds to a hand. On a self-draw all others pay equal parts.
    ``honba_to_every_winner``: whether later winners on one discard get the counters too.
    ``honba_dealer_only``: whether only a dealer gets the counters.
    ``winners_per_discard``: how many winners on one discard are paid, the next in turn first; 1: head bump.
    ``triple_ron_draw``: whether three winners on one discard make the hand a draw.
    ``bets_returned``: whether each of several winners gets back the own riichi stick.
    ``bets_split``: whether they share the other sticks, with the remainder to the first; otherwise the first
    gets all.
    ``bets_left``: who gets the sticks that remain at the end of the game: the ``first`` or ``nobody``.
    ``liability``: ids of yakuman whose last set makes its feeder liable (pao), and ``rinshan`` if the feeder
    of the kan is liable. ``liability_all_open``: whether all sets must be open; otherwise one may be a
    concealed kan. ``liability_whole_hand``: whether the player is liable for the whole hand; otherwise only
    for that yakuman.
    ``liability_tsumo``: whether the liable player pays all of a self-draw. ``liability_ron``: whether he pays
    half of a ron on another player's discard; ``liability_counters``: whether the ``liable`` player or the
    ``discarder`` pays the counters of such a ron.
    ``nagashi_mangan``: whether discards of only terminals and honours, none of them called, pay as a mangan
    by self-draw. ``nagashi_collects``: whether that takes counters and sticks too.
    ``noten_points``: what the players who are not tenpai pay together after an exhaustive draw.
    ``chombo``: the penalty: ``reverse_mangan``, ``points`` (``chombo_points`` off the final score), or
    ``none`` if the rules name no penalty.

    The game:

    ``abortive_draws``: some of :data:`ABORTIVE_DRAWS`. ``dealer_stays``: when the dealer stays: after a
    ``win``, after ``win_or_tenpai``, or also after a draw where South is not tenpai either
    (``unless_south_tenpai``).
    ``abort_keeps_deal``: whether the dealer stays after an abortive draw; otherwise as after any draw.
    ``rounds``: the number of rounds: East and South, or East alone.
    ``extra_rounds``: how many rounds may follow while nobody has more than ``extra_rounds_above`` points;
    with three players none after West.
    ``sudden_death``: whether an extra round ends as soon as the deal passes on and somebody has them;
    otherwise each is played to its end.
    ``last_dealer_stops``: when the leading dealer of the last hand ends the game instead of staying:
    ``never``, after a ``win``, after ``win_or_tenpai``. ``bust``: whether the game ends if somebody has less
    than 0 points.
    ``riichi_wall``: how many tiles the wall must have for a riichi.
    ``riichi_below_1000``: whether a player with less than 1,000 points may declare riichi.
    ``start_points``: what each player brings. ``target_points``: what is subtracted at the end. The
    difference for all players is ``oka`` for the first. ``uma``: for the first to the last. ``floating_uma``:
    the uma if one player, two players and so on end with ``target_points`` or more; empty if the uma is
    fixed.
    ``ties_share``: whether equal scores share their uma; otherwise the seat nearest to the first dealer is
    ahead. ``yakitori``: what a player without a win pays at the end to those with one.
    ``chips``: how many chips (:data:`CHIPS`) each payer gives the winner for ippatsu, for each red five and
    for each ura dora. ``chip_points``: what a chip adds to the final score; 0: chips count separately.

    ``notes``: what we chose where the source is unclear or silent, and why.
    ``cite``: the source by key or yaku id. For a change without a citation, the name of the file.
    """

    id: str
    base: str
    name: str
    name_ja: str
    source: str
    words: str
    players: int
    red_fives: tuple[int, int, int]
    yaku: Mapping[str, tuple[int, int]]
    own_yaku: Mapping[str, OwnYaku]
    limit_hands: Mapping[str, str]
    tenhou_special_waits: str
    limits: Mapping[str, int]
    aotenjou: bool
    kiriage_mangan: bool
    yakuman_add_up: bool
    honroutou_with_chanta: bool
    four_alike_are_pairs: bool
    natural_wins_alone: str
    rinshan_on_last_tile: bool
    renhou_by_dealer: bool
    suukantsu_needs_rinshan: bool
    daisharin_suits: str
    paarenchan_wins: int
    paarenchan_counts: str
    paarenchan_retires: bool
    dora_open_hands: bool
    kan_dora: bool
    ura_dora: bool
    nukidora: bool
    fu: Mapping[str, int]
    double_wind_pair_fu: int
    open_pinfu_fu: int
    two_han_from_honba: int
    two_han_counts: str
    kokushi_robs_ankan: bool
    fourth_share: str
    honba_points: int
    honba_to_every_winner: bool
    honba_dealer_only: bool
    winners_per_discard: int
    triple_ron_draw: bool
    bets_returned: bool
    bets_split: bool
    bets_left: str
    liability: tuple[str, ...]
    liability_all_open: bool
    liability_whole_hand: bool
    liability_tsumo: bool
    liability_ron: bool
    liability_counters: str
    nagashi_mangan: bool
    nagashi_collects: bool
    noten_points: int
    chombo: str
    chombo_points: int
    abortive_draws: tuple[str, ...]
    dealer_stays: str
    abort_keeps_deal: bool
    rounds: int
    extra_rounds: int
    extra_rounds_above: int
    sudden_death: bool
    last_dealer_stops: str
    bust: bool
    riichi_wall: int
    riichi_below_1000: bool
    start_points: int
    target_points: int
    oka: int
    uma: tuple[int, ...]
    floating_uma: tuple[tuple[int, ...], ...]
    ties_share: bool
    yakitori: int
    chips: Mapping[str, int]
    chip_points: int
    notes: tuple[str, ...]
    cite: Mapping[str, str]

    def __post_init__(self) -> None:
        for name in ("yaku", "own_yaku", "limit_hands", "limits", "fu", "chips", "cite"):
            table = getattr(self, name)
            if type(table) is not FrozenDict:
                object.__setattr__(self, name, FrozenDict(table))

    def __repr__(self) -> str:
        return f"RuleSet({self.id!r})"

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> RuleSet:
        """The rules that :meth:`to_record` wrote. What people write is TOML: :func:`parse_rules`.

        Raises :class:`RulesError` for a key that is missing, unknown, or has a value that it cannot have.

        >>> rules = load_rules("mleague")
        >>> RuleSet.from_record(rules.to_record()) == rules
        True
        """
        named = [one.name for one in fields(cls)]
        if missing := [key for key in named if key not in record]:
            raise RulesError(f"The record of the rules has no {missing[0]}.")
        values: dict[str, Any] = {}
        for key, value in record.items():
            try:
                values[name_in(named, key)] = _OF_RECORD.get(key, KEYS.get(key, _as_it_is))(value)
            except BadValue as bad:
                place = f"{key} " if key in named else ""
                raise RulesError(f"The record of the rules: {place}{bad}.") from None
        own = {id_: (one.closed, one.open) for id_, one in values["own_yaku"].items()}
        values["yaku"] = {**values["yaku"], **own}
        return cls(**values)

    def to_record(self) -> RuleSetRecord:
        """Every key as JSON values, with ``id`` and ``base``; a preset needs no more than its id."""
        written = {one.name: _as_json(getattr(self, one.name)) for one in fields(self)}
        own = {id_: yaku.to_record() for id_, yaku in self.own_yaku.items()}
        yaku = {id_: han for id_, han in written["yaku"].items() if id_ not in own}
        return cast("RuleSetRecord", {**written, "yaku": yaku, "own_yaku": own})

    @property
    def vocabulary(self) -> Words:
        """The terms of these rules."""
        words = VOCABULARIES[self.words]
        names = {id_: (own.name, own.name_ja) for id_, own in self.own_yaku.items()}
        return replace(words, own=names) if names else words

    @property
    def table(self) -> tuple[Yaku, ...]:
        """The yaku of the common table, then those of these rules."""
        return (*TABLE, *(own.row for own in self.own_yaku.values())) if self.own_yaku else TABLE

    def row(self, yaku_id: str) -> Yaku:
        """The row of a yaku in :attr:`table`."""
        own = self.own_yaku.get(yaku_id)
        return own.row if own else BY_ID[yaku_id]

    def named(self, language: str) -> str:
        """The name of the rules in English (``en``) or Japanese (``ja``).

        >>> load_rules("tenhou").named("ja")
        '天鳳'
        """
        return self.name_ja if language == "ja" else self.name

    def han(self, yaku_id: str, closed: bool) -> int:
        """The han of a yaku for a concealed or an open hand; 0 if it does not count."""
        return self.yaku.get(yaku_id, _NEITHER)[0 if closed else 1]

    def as_played(self, tiles: Iterable[Tile]) -> tuple[Tile, ...]:
        """The tiles with plain fives for red ones in suits where these rules have no red fives.

        >>> [str(tile) for tile in load_rules("ema2016").as_played(map(Tile, ("0m", "6m")))]
        ['5m', '6m']
        """
        return tuple(
            TILES[tile.kind] if tile.is_red and not self.red_fives["mps".index(tile.suit)] else tile
            for tile in tiles
        )


def _as_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_json(inner) for key, inner in value.items()}
    return list(map(_as_json, value)) if isinstance(value, tuple) else value


def _as_it_is(value: object) -> object:
    return value


def _cited(value: object) -> Mapping[str, str]:
    """Citations may also name the yaku that a table adds."""
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise BadValue("must be a table of names and texts")
    return value


_OF_RECORD: Final = {"cite": _cited}
"""Keys that a record parses differently from a file."""


# Functions import pathlib, tomllib, json and difflib themselves: together they would take a quarter of the
# import time of the package.


def _path(name: str | Path) -> Path:
    from pathlib import Path

    return Path(name)


@cache
def _folder() -> Path:
    return _path(__file__).parent / "presets"


@cache
def preset_ids() -> tuple[str, ...]:
    """The presets that come with the package, sorted.

    >>> preset_ids()[:4]
    ('ema2008', 'ema2016', 'ema_revised', 'jpml')
    """
    return tuple(sorted(path.stem for path in _folder().glob("*.toml")))


def load_rules(name: str | Path = "ema2008") -> RuleSet:
    """The preset with that id, or the house rules in that TOML file. Raises :class:`RulesError`.

    >>> load_rules("tenhou").kiriage_mangan
    False
    """
    if name in preset_ids():
        return _preset(str(name))
    path = _path(str(name))
    if path.suffix != ".toml":
        raise RulesError(
            f"There are no rules called {shown(str(name))}; {likeliest(str(name), preset_ids())}."
            " House rules are given as the path of a .toml file."
        )
    return _load(path)


@cache
def _preset(id_: str) -> RuleSet:
    return _load(_folder() / f"{id_}.toml")


def _load(path: Path) -> RuleSet:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise RulesError(f"The rules file {path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise RulesError(f"The rules file {path} is not UTF-8 text: save it as UTF-8.") from None
    except ValueError as error:  # no path at all
        raise RulesError(f"The rules file {path} is not TOML: {error}.") from None
    return _parse(text, _Origin(f"The rules file {path}", str(path), path.name))


def parse_rules(text: str) -> RuleSet:
    """The house rules written in a text as in a TOML file; their id is ``house``.

    Raises :class:`RulesError`.

    >>> parse_rules('base = "ema2008"\\nkiriage_mangan = true').kiriage_mangan
    True
    """
    return _parse(text, _Origin("What was sent", "House rules", "house.toml"))


def house_text(path: Path) -> str:
    """A file of house rules as short text for :func:`parse_rules`: base and values, one a line, without
    comments, notes and citations. With this text a game record can be replayed without the file."""
    import tomllib

    written = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    values = {key: value for key, value in written.items() if key != "notes"} | {"cite": {}}
    tables = {key: values.pop(key) for key, value in tuple(values.items()) if isinstance(value, dict)}
    lines = [f"{key} = {_toml(value)}" for key, value in values.items()]
    for key, table in tables.items():
        lines += [f"[{key}]", *(f"{inner} = {_toml(value)}" for inner, value in table.items())]
    return "\n".join((*lines, ""))


def _toml(value: object) -> str:
    """A value as TOML. Texts, numbers and booleans are as in JSON, except for one control character."""
    import json

    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {_toml(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where rules come from. ``whole``: how a sentence calls the rules. ``place``: how it begins a position
    in them. ``file``: the name of the file, whose stem is the id of the rules."""

    whole: str
    place: str
    file: str

    @property
    def id(self) -> str:
        return _path(self.file).stem


def _parse(text: str, origin: _Origin) -> RuleSet:
    import tomllib

    try:
        written = tomllib.loads(text)
    except ValueError as error:
        raise RulesError(f"{origin.whole} is not TOML: {error}.") from None
    except RecursionError:
        raise RulesError(f"{origin.whole} is brackets in brackets, and no house rules.") from None
    base: RuleSet | None = None
    if "base" in written:
        try:
            base = _preset(name_in(preset_ids(), written.pop("base")))
        except BadValue as bad:
            raise RulesError(f"{_place(origin, text, 'base')}: base {bad}.") from None
    if base and base.players == 4 and type(written.get("players")) is int and written["players"] == 3:
        base = _of_three(base, origin)
    values: dict[str, Any] = {}
    for key, value in written.items():
        if key in BY_ID:
            raise RulesError(f"{_place(origin, text, key)}: {key} is a yaku: write it under [yaku].")
        try:
            understand = KEYS[name_in(KEYS, key)]
            values[key] = understand(value)
        except BadValue as bad:
            place = _place(origin, text, key, bad.name)
            raise RulesError(f"{place}: {f'{key} ' if key in KEYS else 'the file '}{bad}.") from None
    rules = _assemble(origin, base, values)
    for keys, name, sentence in _contradictions(rules):
        key = next(key for key in keys if key in written)
        raise RulesError(f"{_place(origin, text, key, name)}: {sentence}.")
    return rules


def _contradictions(rules: RuleSet) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """(keys, name inside the key, sentence) for each contradiction of a rule set. The file has one of the
    keys."""
    players, others = rules.players, rules.players - 1
    if len(rules.uma) != players:
        yield ("uma", "players"), "", f"uma must be {players} numbers, one for each player"
    if rules.floating_uma and {len(rules.floating_uma), *map(len, rules.floating_uma)} != {players}:
        each = f"floating_uma must be {players} uma of {players} numbers, or an empty list"
        yield ("floating_uma", "players"), "", each
    if rules.honba_points % (100 * others):
        each = f"a multiple of {100 * others}, which {others} players share on a self-draw"
        yield ("honba_points", "players"), "", f"honba_points must be {each}"
    if rules.noten_points % (step := 600 if players == 4 else 200):
        yield (
            ("noten_points", "players"),
            "",
            f"noten_points must be a multiple of {step}, as players share it",
        )
    if players == 3 and rules.red_fives[0]:
        yield ("red_fives", "players"), "", "red_fives of characters must be 0: three players have no 5m"
    if players == 3 and (four := [kind for kind in rules.abortive_draws if kind in _OF_FOUR]):
        yield ("abortive_draws", "players"), "", f"{four[0]} is none of abortive_draws where three play"
    oka = players * (rules.target_points - rules.start_points)
    if oka < 0:
        yield ("target_points", "start_points"), "", "target_points must not be less than start_points"
    elif rules.oka != oka:
        why = "by which target_points are more than start_points, of all players"
        yield ("oka", "target_points", "start_points"), "", f"oka must be {oka}, {why}"
    if rules.chombo == "points" and not rules.chombo_points:
        yield ("chombo_points", "chombo"), "", "chombo_points must say how many a chombo takes off"
    if rules.triple_ron_draw and rules.winners_per_discard > 2:
        both = "winners_per_discard = 3 and triple_ron_draw = true"
        yield ("winners_per_discard", "triple_ron_draw"), "", f"{both}: three winners are paid or a draw"
    if rules.two_han_from_honba and (rules.two_han_counts, rules.paarenchan_counts) == (
        "dealer_wins",
        "hands",
    ):
        both = 'two_han_counts = "dealer_wins" and paarenchan_counts = "hands"'
        yield ("two_han_counts", "paarenchan_counts", "two_han_from_honba"), "", f"{both}: count one of them"
    if rules.chip_points and not any(rules.chips.values()):
        yield ("chip_points", "chips"), "", "chip_points say what a chip is worth: write [chips] too"
    for id_, limit in rules.limit_hands.items():
        if limit in LIMITS and any(rules.yaku[id_]):
            both = f"{id_} is {limit} by itself and {rules.yaku[id_][0]} han"
            yield (
                ("limit_hands", "yaku"),
                id_,
                f"{both}: write {id_} = 0 under [yaku], or an empty [limit_hands]",
            )


_OF_FOUR: Final = ("four_winds", "four_riichi")
"""The abortive draws that take four players."""


def _of_three(base: RuleSet, origin: _Origin) -> RuleSet:
    """Rules of four players as defaults for three.

    Two players share a counter and the payments of a draw. The middle place has no uma. Norths are set aside.
    """
    first, *_, last = base.uma
    changed: dict[str, Any] = {
        "players": 3,
        "red_fives": (0, *base.red_fives[1:]),
        "nukidora": True,
        "honba_points": base.honba_points * 2 // 3,
        "noten_points": base.noten_points * 2 // 3,
        "abortive_draws": tuple(kind for kind in base.abortive_draws if kind not in _OF_FOUR),
        "oka": 3 * (base.target_points - base.start_points),
        "uma": (max(first, -last), 0, min(last, -first)),
        "floating_uma": (),
    }
    cite = {**base.cite, **dict.fromkeys(changed, f"{origin.file}: players = 3")}
    return replace(base, **changed, cite=cite)


def _place(origin: _Origin, text: str, key: str, inner: str = "") -> str:
    """``path, line 7``: the line of ``inner`` within the table or value of ``key``, or that of the key."""
    table, found = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[([^\[\]]+)\]", line):
            table = header[1].strip("\"' ")
            found = found or number * (table.split(".")[0] == key)
            if inner and table == f"{key}.{inner}":
                return f"{origin.place}, line {number}"
        elif assigned := re.match(r"\s*([^\s=#][^=#]*)=", line):
            name, _, dotted = (part.strip("\"' ") for part in assigned[1].partition("."))
            at_key = not table and name == key
            if at_key:
                found = number
            if inner and (dotted == inner if at_key else table == key and name == inner):
                return f"{origin.place}, line {number}"
    return f"{origin.place}, line {found}" if found else origin.place


def _assemble(origin: _Origin, base: RuleSet | None, values: dict[str, Any]) -> RuleSet:
    """The rule set of a file: its values over those of its base. Without a base the file must have all
    keys."""
    common = {id_: (yaku.closed, yaku.open) for id_, yaku in BY_ID.items()}
    inherited: dict[str, Any] = (
        {field.name: getattr(base, field.name) for field in fields(RuleSet)} if base else {}
    )
    values.setdefault("notes", ())
    if "name" in values:  # do not inherit the Japanese name of the base
        values.setdefault("name_ja", values["name"])
    optional = ("yaku", "name_ja", *OFF)
    missing = [key for key in KEYS if key not in (*values, *inherited, *optional)]
    if missing:
        raise RulesError(
            f'{origin.place}: base is missing: name a preset, such as base = "ema2008", or write all keys;'
            f" {len(missing)} are not there, {missing[0]} first."
        )
    merged = {**OFF, **inherited, **values, "id": origin.id, "base": base.id if base else ""}
    merged["own_yaku"] = {**merged["own_yaku"], **(base.own_yaku if base else {})}
    own = {id_: (one.closed, one.open) for id_, one in merged["own_yaku"].items()}
    merged["yaku"] = {**(base.yaku if base else common), **own, **values.get("yaku", {})}
    merged["cite"] = _citations(origin, base, values)
    return RuleSet(**merged)


def _citations(origin: _Origin, base: RuleSet | None, values: Mapping[str, Any]) -> dict[str, str]:
    """The source of each key and yaku. A change without a citation cites the file itself.

    A citation of ``yaku`` is for all yaku.
    """
    own = values.get("cite", {})
    off = dict.fromkeys(OFF, "the source names none")
    cite = dict(base.cite) if base else {**off, **{id_: yaku.source for id_, yaku in BY_ID.items()}}
    if "yaku" in own:
        cite.update(dict.fromkeys(BY_ID, own["yaku"]))
    tables = ("yaku", "own_yaku", "limit_hands")
    changed = (*values, *(name for table in tables for name in values.get(table, ())))
    return {**cite, **dict.fromkeys(changed, origin.file), **own}
