"""The description of the endpoints for programs (OpenAPI 3.1), served as ``/openapi.json``."""

from __future__ import annotations

from typing import Any, Final

from scorer.asking.plan import COUNTS, QuestionKind
from scorer.hand import MeldType, Wind
from scorer.record import DEFAULTS, MOST_DORA
from scorer.rules import CHOMBO, preset_ids
from scorer.safety import Danger, Reason
from scorer.svg import BACK
from scorer.telling.catalogue import LANGUAGES
from scorer.tiles import TILES
from scorer.wait_values import Bar
from scorer.words import VOCABULARIES
from tehai.server.limits import Limits
from tehai.web.hands import LONGEST, LONGEST_LINE, LONGEST_RIVERS
from tehai.web.request_rules import HOUSE
from tehai.web.table import MOST_EVENTS
from vision.players import SEATS
from vision.reading import DOUBTS

Schema = dict[str, Any]


def _object(required: str = "", /, **properties: Schema) -> Schema:
    """An object with these properties; ``required`` names those always present. Others are ignored."""
    return {"type": "object", "properties": properties, "required": required.split()}


def _list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def _one_of(*values: str) -> Schema:
    return {"type": "string", "enum": list(values)}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


_TEXT: Final[Schema] = {"type": "string"}
_YES_NO: Final[Schema] = {"type": "boolean"}
_WHOLE: Final[Schema] = {"type": "integer"}
_NUMBER: Final[Schema] = {"type": "number"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 99}
_PLAYER: Final[Schema] = {"enum": [1, 2, 3, None]}
_TILE: Final[Schema] = {"type": "string", "pattern": "^([0-9][mps]|[1-7]z)$"}
_TILES: Final[Schema] = {"type": "string", "pattern": "^(([0-9]+[mps]|[1-7]+z))*$", "maxLength": LONGEST}
_INDICATORS: Final[Schema] = _list(_TILE, maxItems=5)
_LABEL: Final[Schema] = {"type": "string"}
_LANGUAGE: Final[Schema] = _one_of(*LANGUAGES)
_RULES: Final[Schema] = {
    "description": f"A preset, {HOUSE!r} where the server has house rules, or house rules as TOML text.",
    "anyOf": [_one_of(*preset_ids()), {"type": "string", "contentMediaType": "application/toml"}],
}

_SCHEMA_OF_DEFAULT: Final[dict[type, Schema]] = {bool: _YES_NO, int: _COUNT, list: _INDICATORS}


def _record_fields() -> dict[str, Schema]:
    """A schema for every field of a hand record, from the type of its default unless it is given."""
    special: dict[str, Schema] = {
        "concealed": _TILES,
        "win_tile": _TILE,
        "tsumo": _YES_NO,
        "rules": _RULES,
        "melds": _list(_ref("Meld"), maxItems=4),
        **dict.fromkeys(("seat_wind", "round_wind"), _one_of(*Wind)),
        "discards": _TILES,
        **dict.fromkeys(("loser_offset", "pao"), _PLAYER),
        "ron_index": {"type": "integer", "minimum": 0, "maximum": 2},
        "nukidora": {"type": "integer", "minimum": 0, "maximum": 4},
        **{name: {"type": "integer", "minimum": 0, "maximum": MOST_DORA} for name in COUNTS.values()},
        "dealer": _YES_NO,
        "words": _one_of(*VOCABULARIES),
        "known": {"type": "object", "additionalProperties": _one_of("seen", "inferred", "asked", "default")},
    }
    fields = {name: _SCHEMA_OF_DEFAULT.get(type(value), {}) for name, value in DEFAULTS.items()} | special
    return {name: _or_null(schema) for name, schema in fields.items()}


def _schemas() -> dict[str, Schema]:
    seen_tile = _object(
        "quad label probability runner_up role sideways upside_down source",
        quad=_list(_list(_NUMBER, minItems=2, maxItems=2), minItems=4, maxItems=4),
        label=_LABEL,
        probability={"type": "number", "minimum": 0, "maximum": 1},
        runner_up={"type": "array", "prefixItems": [_LABEL, _NUMBER], "minItems": 2, "maxItems": 2},
        role=_TEXT,
        sideways=_YES_NO,
        upside_down=_YES_NO,
        source=_one_of("seen", "rule"),
        photo=_WHOLE,
        doubtful=_YES_NO,
    )
    choice = _object("id label fields points low high too_few marks", id=_TEXT, label=_TEXT,
                     fields={"type": "object"}, points=_WHOLE, low=_WHOLE, high=_WHOLE,
                     too_few=_YES_NO, marks=_list(_TEXT))  # fmt: skip
    score = {
        "record": _ref("Record"),
        "reading": _or_null(_ref("Reading")),
        "result": _or_null(_ref("Result")),
        "range": _or_null(_object("low high", low=_WHOLE, high=_WHOLE)),
        "inferred": _list(_TEXT),
        "questions": _list(_ref("Question")),
        "later": _list(_TEXT),
        "summary": _TEXT,
        "elsewhere": _TEXT,
        "message": _TEXT,
        "tiles": _object("count wanted waits", count=_WHOLE, wanted=_WHOLE, waits=_list(_TILE)),
        "advice": _ref("Advice"),
        "by_rules": {"type": "object", "additionalProperties": _ref("Result")},
        "others": {"type": "object", "additionalProperties": _YES_NO},
    }
    ukeire_fields = "shanten forms left kinds tiles"
    ukeire = _object(
        ukeire_fields, shanten=_WHOLE, forms=_list(_TEXT), left=_WHOLE, kinds=_COUNT,
        tiles=_list({"type": "array", "prefixItems": [_TILE, _COUNT], "minItems": 2, "maxItems": 2}),
    )  # fmt: skip
    discard = _object(
        f"tile furiten dora yaku {ukeire_fields}",
        **{**ukeire["properties"], "tile": _TILE, "furiten": _TILES, "dora": _COUNT, "yaku": _list(_TEXT),
           "price": _or_null(_ref("Price")), "expected": _or_null(_ref("Expected")),
           "risks": _list(_ref("Risk"))},
    )  # fmt: skip
    share: Schema = {"type": "number", "minimum": 0, "maximum": 1}
    turn = _object("draws tenpai won points", draws=_COUNT, tenpai=share, won=share, points=_WHOLE)
    always = "record reading result range inferred questions later summary elsewhere tiles"
    size = {"width": _WHOLE, "height": _WHOLE}
    return {
        "Error": _object("error code id", error=_TEXT, code=_TEXT, id=_TEXT),
        "Ukeire": ukeire,
        "Advice": _object(
            "shanten draws discards text",
            shanten=_WHOLE,
            draws=_or_null(_ref("Ukeire")),
            discards=_list(discard),
            waits=_or_null(_ref("Price")),
            expected=_or_null(_ref("Expected")),
            widening=ukeire["properties"]["tiles"],
            sets_aside=_YES_NO,
            text=_TEXT,
        ),
        "Price": _object(
            "left points bar riichi silent silent_left", left=_COUNT, points=_WHOLE, silent_left=_COUNT,
            bar=_or_null(_one_of(*Bar)), riichi=_or_null(_WHOLE), silent=_or_null(_WHOLE),
        ),
        "Risk": _object(
            "who riichi danger reason tiles seen text",
            who=_one_of("right", "across", "left"), riichi=_YES_NO,
            danger=_one_of(*(one.name.lower() for one in Danger)), reason=_one_of(*Reason), tiles=_TILES,
            seen=_COUNT, text=_TEXT,
        ),
        "Expected": _object(
            "turns good_shape yaku",
            turns=_list(turn),
            good_shape=_or_null(share),
            yaku={"type": "object", "additionalProperties": share},
        ),
        "Meld": _object("type tiles", **{"type": _one_of(*MeldType), "tiles": _TILES, "from": _PLAYER}),
        "Record": _object("", **_record_fields()),
        "SeenTile": seen_tile,
        "Doubt": _object(
            "kind tiles text instead",
            kind=_one_of(*DOUBTS), tiles=_list(_WHOLE), text=_TEXT, instead=_or_null({"type": "object"}),
        ),
        "Reading": _object(
            "photo width height tiles hand status confidence doubts elapsed_ms",
            photo=_TEXT,
            **size,
            tiles=_list(_ref("SeenTile")),
            hand=_or_null(_ref("Record")),
            status=_one_of("ok", "incomplete", "error"),
            message=_TEXT,
            confidence=_or_null({"type": "number", "minimum": 0, "maximum": 1}),
            doubts=_list(_ref("Doubt")),
            table=_or_null(_ref("Table")),
            elapsed_ms={"type": "object", "additionalProperties": _NUMBER},
        ),
        "Table": _object(
            "players wall dora ura dead_wall",
            players=_list(_ref("PlayerSeen")), wall=_list(_WHOLE), dora=_list(_WHOLE), ura=_list(_WHOLE),
            dead_wall=_or_null(_one_of(*SEATS)),
        ),
        "PlayerSeen": _object(
            "seat river called hand closed",
            seat=_one_of(*SEATS),
            river=_or_null(_object(
                "tiles rows riichi turned stick probability", tiles=_list(_WHOLE), rows=_list(_WHOLE),
                riichi=_WHOLE, turned=share, stick=_YES_NO, probability=share,
            )),
            called=_list(_object("type tiles from", **{
                "type": _one_of(*MeldType), "tiles": _list(_WHOLE), "from": _or_null(_WHOLE),
            })),
            hand=_list(_WHOLE),
            closed=_list(_WHOLE),
        ),
        "Result": _object("status", status=_one_of("ok", "error"), points=_WHOLE, error=_TEXT, message=_TEXT),
        "Choice": choice,
        "Question": _object(
            "field text kind choices default why error",
            field=_TEXT,
            text=_TEXT,
            kind=_one_of(*(kind.value for kind in QuestionKind)),
            choices=_list(_ref("Choice")),
            default=_TEXT,
            why=_TEXT,
            error=_WHOLE,
        ),
        "Score": _object(always, **score),
        "Read": _object(
            f"{always} in_doubt photo photos unlike seen_table",
            **score,
            in_doubt=_YES_NO,
            photo=_object("index width height", index=_WHOLE, **size),
            photos=_list(_object("width height status", **size, status=_TEXT)),
            unlike=_list(_WHOLE),
            kept=_or_null(_list(_TEXT)),
            seen_table=_or_null(_object(
                "facts rivers riichi_by seen discards turned",
                facts=_list(_object(
                    "field value known tiles texts",
                    field=_TEXT, value=_YES_NO, known=_one_of("seen", "default"),
                    tiles=_list(_WHOLE), texts=_object("en ja", en=_TEXT, ja=_TEXT),
                )),
                rivers=_or_null(_TEXT),
                riichi_by=_TEXT,
                seen=_TEXT,
                discards=_TEXT,
                turned={"type": "object", "additionalProperties": _WHOLE},
            )),
        ),
        "Found": _object(
            "width height tiles status message hand confidence doubts waits advice elapsed_ms",
            **size,
            confidence=_or_null({"type": "number", "minimum": 0, "maximum": 1}),
            doubts=_list(_ref("Doubt")),
            tiles=_list(_ref("SeenTile")),
            status=_TEXT,
            message=_TEXT,
            hand=_or_null(_ref("Record")),
            waits=_list(_TEXT),
            advice=_list(_object("id text", id=_TEXT, text=_TEXT)),
            elapsed_ms={"type": "object", "additionalProperties": _NUMBER},
            rivers=_list(_object(
                "seat tiles turned", seat=_one_of(*SEATS), tiles=_list(_WHOLE), turned=_or_null(_WHOLE),
            )),
        ),
        "Lesson": _object("language rules headline notes steps", language=_LANGUAGE, rules=_TEXT,
                          headline=_TEXT, notes=_list(_TEXT), steps=_list({"type": "object"})),
        "Game": _object(
            "rules players start hands over next sticks ranking title name state table may",
            rules=_TEXT, players=_list(_TEXT), start=_list(_WHOLE), hands=_list({"type": "object"}),
            over=_YES_NO, next=_or_null({"type": "object"}), sticks=_WHOLE,
            ranking=_list({"type": "object"}), title=_TEXT, name=_TEXT, state=_TEXT,
            table=_or_null(_object(
                "round_wind honba riichi_sticks dealer_wins seats points least_han may_riichi",
                round_wind=_one_of(*Wind), honba=_WHOLE, riichi_sticks=_WHOLE,
                dealer_wins=_WHOLE, seats=_list(_one_of(*Wind)),
                points=_list(_WHOLE), least_han=_list(_WHOLE), may_riichi=_list(_YES_NO),
            )),
            may=_object(
                "abort abort_asks_tenpai triple_ron_draw nagashi chombo winners fu yakuman liable"
                " liable_whole_hand limits",
                abort=_list({"type": "object"}),
                abort_asks_tenpai=_YES_NO, triple_ron_draw=_YES_NO, nagashi=_YES_NO,
                chombo=_one_of(*CHOMBO), winners=_WHOLE,
                fu=_list({"type": "object"}), yakuman=_WHOLE,
                liable=_list(_one_of("tsumo", "ron")), liable_whole_hand=_YES_NO,
                limits=_list({"type": "object"}),
            ),
        ),
        "Preset": _object("id title source words players default", id=_TEXT, title=_TEXT, source=_TEXT,
                          words=_one_of(*VOCABULARIES), players={"enum": [3, 4]}, default=_YES_NO,
                          text=_TEXT),
        "Words": _object("words yaku limits terms vocabularies", words=_one_of(*VOCABULARIES),
                         yaku={"type": "object"}, limits={"type": "object"}, terms={"type": "object"},
                         vocabularies=_list(_one_of(*VOCABULARIES))),
        "Health": _object("status version address games", status=_TEXT, version=_TEXT,
                          address=_or_null(_TEXT), games=_YES_NO),
    }  # fmt: skip


def _answer(description: str, **content: Schema) -> Schema:
    kinds = {"json": "application/json", "html": "text/html", "svg": "image/svg+xml", "csv": "text/csv"}
    return {
        "description": description,
        "content": {kinds[kind]: {"schema": schema} for kind, schema in content.items()},
    }


_REFUSALS: Final = {
    "400": "The body cannot be read.",
    "401": "The token is missing or wrong.",
    "403": "A page from elsewhere asks.",
    "404": "There is no such thing.",
    "408": "The body took too long.",
    "409": "Another phone was first, or there are too many.",
    "413": "The body is too large.",
    "415": "The wrong content type.",
    "421": "The server is not called that.",
    "422": "It was read, but is of no use.",
    "429": "Too many at once, or in a minute; Retry-After says when to try again.",
    "500": "The server's fault; its log tells more under the id.",
    "507": "The disk takes no more.",
}


def _operation(id_: str, summary: str, answer: Schema, refusals: str, **more: Any) -> Schema:
    refused = {status: _answer(_REFUSALS[status], json=_ref("Error")) for status in refusals.split()}
    return {"operationId": id_, "summary": summary, "responses": {"200": answer, **refused}, **more}


_ASKED: Final = "401 421 429 500"
_POSTED: Final = f"400 403 408 413 415 422 {_ASKED}"


def _post(id_: str, summary: str, answer: Schema, kind: str, body: Schema) -> Schema:
    content = {kind: {"schema": body}}
    return {
        "post": _operation(id_, summary, answer, _POSTED, requestBody={"required": True, "content": content})
    }


def _get(id_: str, summary: str, answer: Schema, refusals: str = _ASKED, **more: Any) -> Schema:
    return {"get": _operation(id_, summary, answer, refusals, **more)}


def _query(name: str, schema: Schema) -> Schema:
    return {"name": name, "in": "query", "schema": schema}


def _entry() -> Schema:
    id_ = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
    return _object("id event", id=id_, at={**_TEXT, "maxLength": 40}, event={"type": "object"})


def _shared_schemas() -> dict[str, Schema]:
    about = {"id": _or_null(_TEXT), "number": _WHOLE, "made": _NUMBER, "at": _NUMBER,
             "players": _list(_TEXT), "events": _WHOLE}  # fmt: skip
    number = {"type": "integer", "minimum": 1}
    change = {"id": _TEXT, "add": _ref("Entry"), "replace": number, "remove": number,
              "set": _list(_ref("Entry"), minItems=1, maxItems=MOST_EVENTS)}  # fmt: skip
    return {
        "Entry": _entry(),
        "SharedHead": _object("id number made at players events over", **about, over=_YES_NO),
        "Shared": _object(
            "id number", **about, entries=_list(_ref("Entry")), dora=_list(_TEXT), stands=_ref("Game")
        ),
        "Change": _object("number at id", number=_WHOLE, at=_NUMBER, **change, entry=_ref("Entry")),
        "NewChange": _object(
            "after id", after={"type": "integer", "minimum": 0}, **change, entry=_ref("Entry"), lang=_LANGUAGE
        ),
    }


def _shared_paths() -> dict[str, Schema]:
    """The paths of shared games."""
    json, kept = "application/json", f"404 422 507 {_ASKED}"
    one: Schema = {"name": "game", "in": "path", "required": True, "schema": _TEXT}
    stands = _answer("How the game stands.", json=_ref("Shared"))
    entries = _list(_ref("Entry"), minItems=1, maxItems=MOST_EVENTS)
    begin = _post("beginGame", "Begin a game that phones share.", stands, json,
                  _object("entries", entries=entries, lang=_LANGUAGE))  # fmt: skip
    change = _post("changeGame", "A change to a shared game, if none came before it.", stands, json,
                   _ref("NewChange"))  # fmt: skip
    turned = {"events": _WHOLE, "indicators": _list(_TEXT), "lang": _LANGUAGE}
    dora = _post("turnDora", "The dora indicators of the hand that is played.", stands, json,
                 _object("events indicators", **turned))  # fmt: skip
    for posted in (begin["post"], change["post"], dora["post"]):
        posted["responses"] |= {
            status: _answer(_REFUSALS[status], json=_ref("Error")) for status in ("404", "409", "507")
        }
    events = {"text/event-stream": {"schema": {**_TEXT, "description": "data of each event: a Shared"}}}
    follow = {"description": "An event game at once and after every change.", "content": events}
    language = _query("lang", _LANGUAGE)
    behind = _query("after", {"type": "integer", "minimum": 0, "maximum": 99999999})
    return {
        "/api/games": {
            **_get("games", "The games that were begun last.",
                   _answer("The newest first.", json=_list(_ref("SharedHead"))), f"507 {_ASKED}"),
            **begin,
        },
        "/api/games/{game}": _get("sharedGame", "How a shared game stands, or the newest.", stands, kept,
                                  parameters=[one, language]),
        "/api/games/{game}/changes": {
            **_get("changes", "The log of a shared game.",
                   _answer("Oldest first.", json=_list(_ref("Change"))), kept, parameters=[one, behind]),
            "post": {**change["post"], "parameters": [one]},
        },
        "/api/games/{game}/dora": {"post": {**dora["post"], "parameters": [one]}},
        "/api/games/{game}/follow": _get("follow", "A shared game, or the newest, as server-sent events.",
                                         follow, kept, parameters=[one, language]),
    }  # fmt: skip


def _learning_paths() -> Schema:
    """The paths of drills and short lessons."""
    common = {
        "lang": _or_null(_LANGUAGE),
        "rules": _or_null(_TEXT),
        "progress": _or_null({"type": "object"}),
    }
    among: dict[str, Schema] = {
        "level": _or_null(_TEXT),
        "lesson": _or_null(_TEXT),
        "last": {},
        "own": {},
        "player": _or_null(_TEXT),
        "nth": {},
        "game": _or_null(_list({"type": "object"}, minItems=1, maxItems=MOST_EVENTS)),
        "step": {},
    }
    answers = {"ref": {"type": "object"}, "answers": _list(_or_null(_TEXT))}
    plain_json = _answer("As docs/server.md has it.", json={"type": "object"})
    json = "application/json"
    return {
        "/api/learn/menu": _post(
            "learn_menu", "The lessons and levels there are.", plain_json, json, _object("", **common)
        ),
        "/api/learn/page": _post(
            "learn_page", "A page that teaches.", plain_json, json, _object("lesson", **common, lesson=_TEXT)
        ),
        "/api/learn/exercise": _post(
            "learn_exercise", "What is due, as an exercise.", plain_json, json, _object("", **common, **among)
        ),
        "/api/learn/winners": _post(
            "learn_winners", "Who won a hand of a game of which the tiles are known.", plain_json, json,
            _object("game", **common, game=_list({"type": "object"}, minItems=1, maxItems=MOST_EVENTS)),
        ),
        "/api/learn/answer": _post(
            "learn_answer", "What the answers come to.", plain_json, json,
            _object("ref answers", **common, **answers),
        ),
    }  # fmt: skip


def description(version: str, *, games: bool = False) -> dict[str, Any]:
    """The whole description. ``games``: with the paths of shared games."""
    photo: Schema = {"type": "string", "contentMediaType": "application/octet-stream"}
    shots = _list(photo, minItems=1, maxItems=Limits().photos)
    region: Schema = {"type": "string", "description": "x0,y0,x1,y1 in fractions of the upright photo"}
    record = _ref("Record")
    river = {**_TEXT, "maxLength": LONGEST_RIVERS}
    rivers = {name: _or_null(river) for name in ("rivers", "riichi_by", "seen")}
    form, json = "multipart/form-data", "application/json"
    tile = {"name": "label", "in": "path", "required": True, "schema": _one_of(BACK, *map(str, TILES))}
    return {
        "openapi": "3.1.0",
        "info": {"title": "tehai", "version": version, "description": "A mahjong hand's photo to its score."},
        "paths": {
            "/api/read": _post(
                "read", "Photos of one hand to the hand and its score.",
                _answer("The hand, also where the photo shows none.", json=_ref("Read")), form,
                _object("photo", photo=shots, region=region, record={**_TEXT, "contentMediaType": json},
                        rules=_RULES, lang=_LANGUAGE),
            ),
            "/api/find": _post(
                "find", "A frame of the live view to what is seen.",
                _answer("What is seen, and advice.", json=_ref("Found")), form,
                _object("photo", photo=photo, table=_one_of("yes")),
            ),
            "/api/score": _post(
                "score", "A hand record to its score and what could still change it.",
                _answer("The score, or why there is none.", json=_ref("Score")), json,
                _object("record", record=record, rules=_or_null(_RULES), lang=_or_null(_LANGUAGE),
                        compare=_list(_one_of(*preset_ids())),
                        others={"type": "object", "additionalProperties": {"type": "object"}}, **rivers),
            ),
            "/api/typed": _post(
                "typed", "A hand typed as one line to its tiles.",
                _answer("The tiles as fields of a record.", json=_object("record", record=record)), json,
                _object("text", text={**_TEXT, "maxLength": LONGEST_LINE}),
            ),
            "/api/lesson": _post(
                "lesson", "A hand record to its score told step by step.",
                _answer("The lesson.", json=_ref("Lesson"), html=_TEXT), json,
                _object("record", record=record, rules=_or_null(_RULES), lang=_or_null(_LANGUAGE),
                        format=_one_of("json", "html"), taught=_list(_TEXT), **rivers),
            ),
            "/api/game": _post(
                "game", "A game record to how the game stands.",
                _answer("The sheet, the ranking, the next hand.", json=_ref("Game"), csv=_TEXT), json,
                _object("record", record=_list({"type": "object"}, minItems=1, maxItems=MOST_EVENTS),
                        rules=_or_null(_RULES), lang=_or_null(_LANGUAGE), format=_one_of("json", "csv")),
            ),
            **_learning_paths(),
            "/api/rules": _get(
                "rules", "The rule sets to choose from.", _answer("All.", json=_list(_ref("Preset"))),
                f"422 {_ASKED}", parameters=[_query("lang", _LANGUAGE)],
            ),
            "/api/words": _get(
                "words", "What yaku, limits and terms are called.", _answer("By id.", json=_ref("Words")),
                f"422 {_ASKED}", parameters=[_query("lang", _LANGUAGE), _query("rules", _RULES)],
            ),
            "/api/health": _get("health", "That it lives.", _answer("It does.", json=_ref("Health"))),
            "/tiles/{label}.svg": _get(
                "tile", "A tile drawn.", _answer("SVG.", svg=_TEXT), "401 404 421 500", parameters=[tile]
            ),
            **(_shared_paths() if games else {}),
        },
        "components": {"schemas": {**_schemas(), **(_shared_schemas() if games else {})}},
    }  # fmt: skip
