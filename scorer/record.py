"""Read, write and score the hand record of ``docs/hand.md``, a dict of JSON values."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from reprlib import repr as shown
from typing import Any, Final

from scorer.hand import ASSUMABLE, Hand, Meld, MeldType, Win, Wind
from scorer.hand_tiles import AS_JSON, FactSource, HandTiles
from scorer.open_record import Changes, OpenRecord, seat_of
from scorer.records import ResultRecord
from scorer.rules import RulesError, RuleSet, load_rules
from scorer.score import score
from scorer.status import HandError
from scorer.tiles import Tile, TileError, format_tiles, parse_tiles
from scorer.words import VOCABULARIES


class RecordError(ValueError):
    """An invalid record: the error id, the field, and a sentence that says what to write.

    ``others``: the errors of further fields, in the order of the record.
    """

    def __init__(self, id_: str, field: str, message: str, others: tuple[RecordError, ...] = ()) -> None:
        super().__init__(message)
        self.id = id_
        self.field = field
        self.others = others

    @property
    def all(self) -> tuple[RecordError, ...]:
        """This error and the others."""
        return (self, *self.others)


@dataclass(frozen=True, slots=True)
class Record:
    """A parsed hand record, ready to score."""

    hand: Hand
    win: Win
    rules: RuleSet


def _tiles(field: str, value: object) -> tuple[Tile, ...]:
    if not isinstance(value, str):
        raise RecordError("bad_field", field, f'{field} must be tiles as text, such as "123m055p77z".')
    try:
        return parse_tiles(value)
    except TileError as error:
        raise RecordError("bad_tile", field, f"{field}: {error}") from None


def _tile(field: str, value: object) -> Tile:
    tiles = _tiles(field, value)
    if len(tiles) != 1:
        raise RecordError(
            "bad_tile", field, f'{field} must be one tile, such as "5p"; {shown(value)} is {len(tiles)}.'
        )
    return tiles[0]


def _indicators(field: str, value: object) -> tuple[Tile, ...]:
    if not isinstance(value, list | tuple) or len(value) > 5:
        raise RecordError(
            "bad_field", field, f'{field} must be a list of at most five tiles, such as ["3m"].'
        )
    return tuple(_tile(field, tile) for tile in value)


def _discards(field: str, value: object) -> tuple[Tile, ...]:
    tiles = _tiles(field, value)
    if len(tiles) > _MOST_DISCARDS:
        raise RecordError("bad_field", field, f"{field} must be at most {_MOST_DISCARDS} tiles.")
    return tiles


_MOST_DISCARDS: Final = 33
"""More than one player can discard, whatever the others call."""


def _bool(field: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise RecordError("bad_field", field, f"{field} must be true or false, not {shown(value)}.")
    return value


def _whole(least: int, most: int) -> Callable[[str, object], int]:
    def convert(field: str, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise RecordError(
                "bad_field",
                field,
                f"{field} must be a whole number from {least} to {most}, not {shown(value)}.",
            )
        return value

    return convert


def _player(field: str, value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or value not in (1, 2, 3):
        raise RecordError(
            "bad_field",
            field,
            f"{field} must be 1 (next player), 2 (across), 3 (previous) or null, not {shown(value)}.",
        )
    return int(str(value))


_WINDS: Final[Mapping[str, Wind]] = {wind.value: wind for wind in Wind}


def _wind(field: str, value: object) -> Wind:
    wind = _WINDS.get(value) if isinstance(value, str) else None
    if wind is None:
        raise RecordError("bad_field", field, f'{field} must be "E", "S", "W" or "N", not {shown(value)}.')
    return wind


def _or_none(convert: Callable[[str, object], Any]) -> Callable[[str, object], Any]:
    """The same parser for a field that may be null."""
    return lambda field, value: None if value is None else convert(field, value)


def _melds(field: str, value: object) -> tuple[Meld, ...]:
    if not isinstance(value, list | tuple) or len(value) > 4:
        raise RecordError("bad_field", field, f"{field} must be a list of at most four melds.")
    return tuple(_meld(f"{field}[{at}]", meld) for at, meld in enumerate(value))


def _meld(field: str, value: object) -> Meld:
    if not isinstance(value, Mapping):
        raise RecordError("bad_field", field, f'{field} must be such as {{"type": "pon", "tiles": "777z"}}.')
    for unknown in unknown_fields(value, _MELD_FIELDS):
        raise unknown
    said = value.get("type")
    type_ = _MELD_TYPES.get(said) if isinstance(said, str) else None
    if type_ is None:
        known = ", ".join(MeldType)
        raise RecordError(
            "bad_field", f"{field}.type", f"{field}.type must be one of {known}, not {shown(said)}."
        )
    return Meld(
        type_,
        _tiles(f"{field}.tiles", value.get("tiles")),
        _player(f"{field}.from", value.get("from")),
    )


def _rules(field: str, value: object) -> RuleSet:
    if not isinstance(value, str | Path):
        raise RecordError(
            "bad_field", field, f"{field} must be the name of rules or the path of a .toml file."
        )
    try:
        return load_rules(value)
    except RulesError as error:
        raise RecordError("unknown_rules", field, str(error)) from None


def _words(field: str, value: object) -> str | None:
    if value is not None and value not in tuple(VOCABULARIES):
        known = ", ".join(VOCABULARIES)
        raise RecordError("bad_field", field, f"{field} must be one of {known}, not {shown(value)}.")
    return None if value is None else str(value)


MOST_DORA: Final = 20
"""The most dora that a record may give as a number: five indicators, four tiles each."""

_WIN_FIELDS: Final[Mapping[str, tuple[Callable[[str, object], Any], object]]] = {
    "seat_wind": (_or_none(_wind), None),
    "round_wind": (_wind, "E"),
    **dict.fromkeys(
        (
            "riichi", "double_riichi", "open_riichi", "ippatsu", "rinshan", "chankan", "haitei", "houtei",
            "tenhou", "chiihou", "renhou", "tsubame_gaeshi", "kanburi",
        ),
        (_bool, False),
    ),
    "dora_indicators": (_indicators, ()),
    "ura_indicators": (_indicators, ()),
    "honba": (_whole(0, 99), 0),
    "riichi_sticks": (_whole(0, 99), 0),
    "loser_offset": (_player, None),
    "pao": (_player, None),
    "ron_index": (_whole(0, 2), 0),
    "dealer_wins": (_whole(0, 99), 0),
    "robbed_ankan": (_bool, False),
    "nukidora": (_whole(0, 4), 0),
    **dict.fromkeys(("dora_count", "ura_count"), (_whole(0, MOST_DORA), 0)),
    "discards": (_discards, ""),
}  # fmt: skip
"""The parser and the default of each field of :class:`Win`."""

DEFAULTS: Final[Mapping[str, Any]] = {
    "rules": "ema2008",
    "melds": [],
    **{
        field: list(default) if isinstance(default, tuple) else default
        for field, (_, default) in _WIN_FIELDS.items()
    },
}
"""Every field that a record may leave out, with its default."""

_WIN_DEFAULTS: Final = {field: convert(field, default) for field, (convert, default) in _WIN_FIELDS.items()}
"""The parsed defaults of the fields of :class:`Win`."""

REQUIRED: Final = ("concealed", "win_tile", "tsumo")
"""The fields that a record must have."""

FIELDS: Final = (*DEFAULTS, "tsumo", "concealed", "win_tile", "dealer", "words")
"""All fields, in the order in which they are written."""

OTHER_FIELDS: Final = (
    "known", "reading", "value", "note", "expected", "source", "ref", "ruleset", "players", "nuki",
)  # fmt: skip
"""Other fields of a record.

The sources of its fields, its reading, the value of a declared win, and the fields of files of hands.
"""

_RECORD_FIELDS: Final = frozenset((*FIELDS, *OTHER_FIELDS))
_MELD_FIELDS: Final = frozenset(("type", "tiles", "from"))
_MELD_TYPES: Final[Mapping[str, MeldType]] = {type_.value: type_ for type_ in MeldType}


def unknown_fields(record: Mapping[str, Any], known: frozenset[str] = _RECORD_FIELDS) -> list[RecordError]:
    """An error for each unknown field that does not begin with ``x_``, with the likeliest name.

    >>> [str(error) for error in unknown_fields({"seatWind": "S", "x_table": 4})]
    ['There is no field seatWind: did you mean seat_wind? Your own fields begin with x_.']
    """
    if record.keys() <= known:
        return []
    return [
        RecordError("bad_field", str(name), _no_such_field(str(name), known))
        for name in record
        if name not in known and not str(name).startswith("x_")
    ]


def _no_such_field(name: str, known: Collection[str]) -> str:
    from difflib import get_close_matches  # imported late, because it is slow and rarely needed

    typed = re.sub(r"(?<=[a-z])(?=[A-Z])|[\s-]+", "_", name[:40]).lower()
    typed = _SYNONYMS.get(typed, typed)
    order = [field for field in (*FIELDS, *sorted(known)) if field in known]
    begun = [field for field in order if typed and field.startswith(typed)]
    alike = begun or get_close_matches(typed, order, 1) or [field for field in order if typed in field]
    meant = f"did you mean {alike[0]}?" if alike else "take it away."
    return f"There is no field {shown(name)[1:-1]}: {meant} Your own fields begin with x_."


_SYNONYMS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("ron", "self_draw", "selfdraw"), "tsumo"),
    **dict.fromkeys(("tiles", "hand", "closed"), "concealed"),
    **dict.fromkeys(("calls", "called", "sets"), "melds"),
    **dict.fromkeys(("player_wind", "own_wind"), "seat_wind"),
    **dict.fromkeys(("prevalent_wind", "prevailing_wind"), "round_wind"),
    **dict.fromkeys(("discarder", "from"), "loser_offset"),
    **dict.fromkeys(("ruleset_id", "preset"), "rules"),
    **dict.fromkeys(("kita", "norths"), "nukidora"),
    "oya": "dealer", "counters": "honba", "liable": "pao", "river": "discards", "daburi": "double_riichi",
    "indicators": "dora_indicators", "uradora": "ura_indicators", "last_tile": "haitei",
    "after_kan": "rinshan",
}  # fmt: skip
"""Names of fields in other programs that are not spelt like ours."""


def parse_record(record: Mapping[str, Any]) -> Record:
    """The parsed record with its defaults.

    Raises :class:`RecordError` for the first invalid or unknown field; ``others`` has the rest.

    >>> parse_record({"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": False}).hand.win_tile
    Tile('8s')
    """
    fields = _Fields(record)
    concealed = fields.parse("concealed", _required(_tiles))
    melds = fields.parse("melds", _melds, ())
    win_tile: Any = None
    if record.get("win_tile") is not None:
        win_tile = fields.parse("win_tile", _tile)
    elif concealed is not None and melds is not None:
        fields.wrong.append(_no_win_tile(HandTiles(concealed, melds)))
    tsumo = fields.parse("tsumo", _required(_bool))
    rules = fields.rules()
    values = fields.win_fields()
    fields.check()
    return Record(Hand(concealed, win_tile, melds), Win(tsumo=tsumo, **values), rules)


def contradicting_seats(dealer: bool | None, seat: Wind | str | None) -> list[RecordError]:
    """An error if ``dealer`` and ``seat_wind`` contradict each other in one record."""
    if dealer is None or seat is None or dealer is (seat == Wind.EAST):
        return []
    said = "true" if dealer else "false"
    sentence = f"dealer {said} and seat_wind {seat} contradict each other: drop one."
    return [RecordError("bad_field", "dealer", sentence)]


def parse_win(record: Mapping[str, Any]) -> Win:
    """The win of a record, which may have no tiles. Raises as :func:`parse_record` does."""
    fields = _Fields(record)
    tsumo = fields.parse("tsumo", _required(_bool))
    values = fields.win_fields()
    fields.check()
    return Win(tsumo=tsumo, **values)


def parse_open(record: Mapping[str, Any], known: Collection[str] | Mapping[str, str] = ()) -> OpenRecord:
    """Parse an incomplete record, which may lack the winning tile.

    ``dealer`` is an extra field: false for a non-dealer of unknown seat. ``known``: the sources of fields, or
    the names of the fields that a person answered. All other fields count as defaults.

    Raises :class:`RecordError` for the first invalid or unknown field; ``others`` has the rest.

    >>> [str(tile) for tile in parse_open({"concealed": "234m340567p2267s"}).hand_tiles.waits]
    ['5s', '8s']
    """
    sources = known if isinstance(known, Mapping) else dict.fromkeys(known, FactSource.ASKED)
    wrong = [source for source in sources.values() if source not in tuple(FactSource)]
    if wrong:
        ways = ", ".join(FactSource)
        raise RecordError(
            "bad_field", "known", f"known says of each field one of {ways}, not {shown(wrong[0])}."
        )
    opened = with_fields(
        OpenRecord(HandTiles(), load_rules(), called=DEFAULTS["rules"]), record, FactSource.DEFAULT
    )
    opened = opened.known_as({name: FactSource(source) for name, source in sources.items()})
    return opened.without_disproved_riichi()


def with_fields(opened: OpenRecord, record: Mapping[str, Any], source: FactSource) -> OpenRecord:
    """The open record with further fields as JSON values from that source.

    Raises :class:`RecordError` for the first invalid or unknown field; ``others`` has the rest.
    """
    fields = _Fields(record)
    changes = {name: fields.parse(name, convert) for name, convert in _OPEN_FIELDS.items() if name in record}
    rules = fields.parse("rules", _rules) if "rules" in record else opened.rules
    words = fields.parse("words", _words)
    fields.check()
    if "rules" in record:
        opened = opened.under(rules, str(record["rules"]))
    if words is not None:
        opened = replace(opened, rules=replace(opened.rules, words=words))
    present = [
        name
        for name in FIELDS
        if name in record and (record[name] is not None or name not in (*_ABSENT_IF_NULL, "seat_wind"))
    ]
    return opened.put(changes).known_as(dict.fromkeys(present, source))


def complete(opened: OpenRecord) -> Record:
    """The record to score. Raises :class:`RecordError` if the winning tile is missing."""
    hand = opened.hand_tiles.hand
    if hand is None:
        raise _no_win_tile(opened.hand_tiles)
    return Record(hand, opened.whole_win, opened.rules)


def record_of(opened: OpenRecord) -> dict[str, Any]:
    """The fields with a source as JSON values: the inverse of :func:`parse_open`."""
    known = opened.known
    values = {name: opened.value(name) for name in FIELDS if name in known}
    return as_json(
        {name: value for name, value in values.items() if value is not None or name not in _ABSENT_IF_NULL}
    )


def as_json(changes: Changes) -> dict[str, Any]:
    """Fields as JSON values."""
    return {name: _AS_JSON.get(name, _same)(value) for name, value in changes.items()}


def _same(value: Any) -> Any:
    return value


_AS_JSON: Final[Mapping[str, Callable[[Any], Any]]] = {
    **AS_JSON,
    "seat_wind": lambda wind: None if wind is None else str(wind),
    "round_wind": str,
    "discards": format_tiles,
}


_OPEN_FIELDS: Final[Mapping[str, Callable[[str, object], Any]]] = {
    "concealed": _tiles,
    "melds": _melds,
    "win_tile": _or_none(_tile),
    "tsumo": _bool,
    **{name: convert for name, (convert, _) in _WIN_FIELDS.items()},
    "dealer": _or_none(_bool),
}
"""The parser of each field of an open record."""

_ABSENT_IF_NULL: Final = ("win_tile", "dealer", "words")
"""Fields that count as absent if they are null."""


class _Fields:
    """A parser of the fields of one record. ``wrong``: the errors so far."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        if not isinstance(record, Mapping):
            raise RecordError("bad_field", "", "A hand record must be a JSON object.")
        self._record = record
        self.wrong = unknown_fields(record)

    def parse(self, field: str, convert: Callable[[str, object], Any], default: object = None) -> Any:
        """The parsed value of a field; on an error, None and an entry in ``wrong``."""
        try:
            return convert(field, self._record.get(field, default))
        except RecordError as error:
            self.wrong.append(error)
            return None

    def rules(self) -> Any:
        """The rule set, with the vocabulary that the record asks for."""
        rules = self.parse("rules", _rules, DEFAULTS["rules"])
        words = self.parse("words", _words)
        return rules if rules is None or words is None else replace(rules, words=words)

    def win_fields(self) -> dict[str, Any]:
        """The fields of :class:`Win` that have a default, and ``unnamed``: those that the record leaves
        out."""
        found, before = dict(_WIN_DEFAULTS), len(self.wrong)
        for name, value in self._record.items():  # most fields have their default
            if name in found and value is not DEFAULTS[name]:
                found[name] = self.parse(name, _WIN_FIELDS[name][0])
        # report errors in the order of the fields
        self.wrong[before:] = sorted(self.wrong[before:], key=lambda error: FIELDS.index(error.field))
        dealer, seat = self.parse("dealer", _or_none(_bool)), found["seat_wind"]
        self.wrong += contradicting_seats(dealer, seat)
        first_draw = (
            Wind.EAST if found["tenhou"] and dealer is None else None
        )  # only the dealer can have tenhou
        found["seat_wind"] = seat_of(dealer, seat) or first_draw
        record = self._record
        if "known" in record:
            unnamed = tuple(name for name in ASSUMABLE if not is_named(record, name))
        else:
            unnamed = tuple([name for name in ASSUMABLE if record.get(name) is None])
        return {**found, "unnamed": unnamed}

    def check(self) -> None:
        """Raise :class:`RecordError` if there is any error."""
        if self.wrong:
            first, *others = self.wrong
            raise RecordError(first.id, first.field, str(first), tuple(others))


def _required(convert: Callable[[str, object], Any]) -> Callable[[str, object], Any]:
    """The same parser for a field without a default."""

    def convert_required(field: str, value: object) -> Any:
        if value is None:
            raise RecordError("bad_field", field, f"{field} is missing: {_HINTS[field]}.")
        return convert(field, value)

    return convert_required


def _no_win_tile(hand_tiles: HandTiles) -> RecordError:
    """The error for tiles without a winning tile. It depends on their number."""
    if hand_tiles.size == 13:
        waiting = ", ".join(map(str, hand_tiles.waits))
        state = f"waiting for {waiting}" if waiting else "not waiting for any tile"
        have = f"{len(hand_tiles.line)} tiles, {state}"
        return RecordError("wrong_tile_count", "win_tile", f"{have}: add the winning tile.")
    return RecordError("bad_field", "win_tile", f"win_tile is missing: {_HINTS['win_tile']}.")


_HINTS: Final = {
    "concealed": "write the concealed tiles without the winning tile",
    "win_tile": "write the tile that finished the hand",
    "tsumo": "write true for a self-draw, false for a ron",
}


def score_record(record: Mapping[str, Any] | OpenRecord) -> ResultRecord:
    """The result of a record as JSON values (``docs/hand.md``, "Result"). This never raises: the status of an
    invalid record is ``error``.

    >>> result = score_record({"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": False})
    >>> result["points"], result["in_words"], result["assumed"][:2]
    (3900, '3 han 30 fu, 3,900 points', ['dealer', 'seat_wind'])
    >>> score_record({"concealed": "234m340567p2267s", "win_tile": "8x", "tsumo": False})["error"]
    'bad_tile'
    """
    try:
        parsed = complete(record) if isinstance(record, OpenRecord) else parse_record(record)
        scored = score(parsed.hand, parsed.win, parsed.rules)
        result = scored.result()
        if not is_named(record, "rules"):
            result["assumed"].append("rules")
        return result
    except RecordError as error:
        return {
            "status": "error",
            "error": error.id,
            "field": error.field,
            "message": str(error),
            "faults": [{"error": one.id, "field": one.field, "message": str(one)} for one in error.all],
        }
    except HandError as error:
        return {
            "status": "error",
            "error": error.faults[0].id,
            "message": str(error),
            "faults": [{"error": fault.id, "message": fault.message} for fault in error.faults],
        }


def is_named(record: Mapping[str, Any] | OpenRecord, field: str) -> bool:
    """Whether the record has the field from another source than its default."""
    if isinstance(record, OpenRecord):
        return field in record.settled
    known = record.get("known")
    by_default = isinstance(known, Mapping) and known.get(field) == FactSource.DEFAULT
    return record.get(field) is not None and not by_default
