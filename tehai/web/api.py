"""The endpoints, their requests and answers (``docs/server.md``; for programs ``/openapi.json``)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from scorer.hand_tiles import FactSource
from scorer.rules import preset_ids
from scorer.telling.catalogue import LANGUAGES
from scorer.words import VOCABULARIES, Words
from scorer.yaku import BY_ID, DORA
from tehai.game.sheet import sheet
from tehai.hand.inputs import HandInput, from_reading
from tehai.hand.notation import Record
from tehai.hand.sample import sample_path
from tehai.learn.pictures import ATLAS
from tehai.learn.reader import for_learner
from tehai.lesson.html import STYLE, fragment
from tehai.output.photo_archive import ArchiveError, PhotoArchive
from tehai.server.answers import Refusal, as_json
from tehai.server.limits import ConcurrencyLimit, Limits, names_of
from tehai.server.security import is_inside
from tehai.server.upload import read_json, read_upload
from tehai.web.hands import (
    compared,
    hand_input_of,
    is_otherwise,
    language_of,
    lesson_of,
    rivers_in,
    scored,
    seen_in,
    spoken,
    typed,
)
from tehai.web.merge import merge
from tehai.web.openapi import description
from tehai.web.photos import read_photo, see_frame, see_table, with_shots
from tehai.web.phrases import of_questions
from tehai.web.request_rules import RequestRules
from tehai.web.seen_table import table_of
from tehai.web.table import played, shown
from tehai.web.worker_pool import Place
from vision.reading import Reading

log = logging.getLogger("tehai.web")

MOST_OTHERS: Final = 30
"""The most other readings of a hand's tiles in a request."""


class Api:
    """The endpoints of one server.

    ``archive``: stores photos, if they are kept. ``authority``: the certificate that phones may trust.
    ``address``: where phones reach the page, if they can. ``games``: whether phones may share games here.
    """

    def __init__(
        self,
        pool: Place,
        request_rules: RequestRules,
        limits: Limits,
        archive: PhotoArchive | None,
        authority: Path | None,
        address: str | None = None,
        games: bool = False,
    ) -> None:
        self._pool = pool
        self._request_rules = request_rules
        self._limits = limits
        self._keeper = archive
        self._authority = authority
        self._address = address
        self._games = games
        self._uploads = ConcurrencyLimit(limits.uploads, limits.uploads_each)

    async def read(self, request: Request) -> Response:
        """Takes photos of one hand; returns the hand with its score."""
        with self._uploads.joined(names_of(request.scope)):
            upload = await read_upload(request, self._limits, self._limits.upload)
            region, record = upload.region(), upload.facts()
            rules = _rules({"record": record, "rules": upload.fields.get("rules")})
            language = language_of(upload.fields.get("lang"))
            facts = self._given(record, rules).opened
            readings = []
            for photo in upload.photos:
                look = partial(read_photo, self._pool.reader, photo, region)
                readings.append(await self._pool.look(look, request.is_disconnected))
            merged = merge(readings)
            hand_input = from_reading(merged.reading)
            hand_input = replace(
                hand_input, opened=hand_input.opened.with_all(facts, FactSource.ASKED)
            ).with_inferred_nukidora()
            seen = table_of(hand_input)
            answer = await self._pool.think(lambda: scored(seen.hand_input, language, seen.rivers, seen.seen))
            answer["seen_table"] = seen.record
            answer = with_shots(answer, readings, merged)
            if self._keeper is not None:
                kept = partial(_kept, self._keeper, upload.photos, readings, answer["record"])
                answer["kept"] = await self._pool.think(kept)
        return as_json(answer)

    async def find(self, request: Request) -> Response:
        """Takes one frame; returns what it shows and how to improve it; with ``table`` the rivers as well."""
        with self._uploads.joined(names_of(request.scope)):
            upload = await read_upload(request, self._limits, self._limits.frame)
            see = see_table if upload.fields.get("table") == "yes" else see_frame
            look = partial(see, self._pool.reader, upload.photos[0])
            return as_json(await self._pool.look(look, request.is_disconnected))

    async def score(self, request: Request) -> Response:
        """Takes a hand record; returns its score and the open questions."""
        body = await read_json(request, self._limits)
        rules, language = _rules(body), language_of(body.get("lang"))
        beside, others = _compare(body), _others(body)

        def work() -> dict[str, Any]:
            hand_input = self._given(body.get("record"), rules)
            answer = scored(hand_input, language, rivers_in(body, hand_input), seen_in(body, hand_input))
            if beside:
                answer["by_rules"] = compared(hand_input, beside, language)
            if others:
                answer["others"] = {
                    name: is_otherwise(hand_input, self._given(_with_tiles(body["record"], tiles), rules))
                    for name, tiles in others.items()
                }
            return answer

        return as_json(await self._pool.think(work))

    async def typed(self, request: Request) -> Response:
        """Takes a hand typed as one line; returns its tiles as a record."""
        body = await read_json(request, self._limits)
        return as_json({"record": await self._pool.think(lambda: typed(body.get("text")))})

    async def lesson(self, request: Request) -> Response:
        """Takes a hand record; returns its lesson."""
        body = await read_json(request, self._limits)
        rules, language = _rules(body), language_of(body.get("lang"))
        format = body.get("format", "json")
        if format not in ("json", "html"):
            raise Refusal(422, "bad_field", "format is json or html.")

        def work() -> Response:
            hand_input = self._given(body.get("record"), rules)
            lesson = lesson_of(hand_input, language, rivers_in(body, hand_input), seen_in(body, hand_input))
            if isinstance(done := body.get("taught"), list):
                lesson = for_learner(lesson, [one for one in done if isinstance(one, str)])
            if format == "html":
                return HTMLResponse(fragment(lesson), headers={"Cache-Control": "no-store"})
            return as_json(lesson.to_record())

        return await self._pool.think(work)

    async def game(self, request: Request) -> Response:
        """Takes a game record; returns the state of the game and every hand, or the sheet as CSV."""
        body = await read_json(request, self._limits)
        language = language_of(body.get("lang"))
        record, rules, format = body.get("record"), body.get("rules"), body.get("format", "json")
        if format not in ("json", "csv"):
            raise Refusal(422, "bad_field", "format is json or csv.")

        def work() -> Response:
            game = played(record, self._request_rules, rules)
            if format == "csv":
                return Response(sheet(game), media_type="text/csv", headers={"Cache-Control": "no-store"})
            return as_json(shown(game, language))

        return await self._pool.think(work)

    async def rules(self, request: Request) -> Response:
        """The rule sets to choose from."""
        return as_json(self._request_rules.presets(language_of(request.query_params.get("lang"))))

    async def words(self, request: Request) -> Response:
        """The names of yaku, limits and terms."""
        language = language_of(request.query_params.get("lang"))
        hand_input = spoken(self._given({}, request.query_params.get("rules")), language)
        return as_json(_words(hand_input.opened.rules.vocabulary))

    async def questions(self, request: Request) -> Response:
        """The texts of the questions, for the page: a file beside its own texts."""
        language = request.path_params["language"]
        if language not in LANGUAGES:
            raise Refusal(404, "not_found", "There is nothing here by that name.")
        return as_json(of_questions(language), headers={"Cache-Control": "no-cache"})

    async def health(self, request: Request) -> Response:
        """That the server runs, its version, its address, and whether this client may share games."""
        games = self._games and is_inside(request.scope["state"])
        about = {"version": _version(), "address": self._address, "games": games}
        return as_json({"status": "ok", **about})

    async def openapi(self, request: Request) -> Response:
        """The description of the endpoints for programs."""
        return as_json(description(_version(), games=self._games))

    async def sample(self, request: Request) -> Response:
        """The bundled photo, to try the page without a camera."""
        return FileResponse(sample_path(), headers={"Cache-Control": "max-age=86400"})

    async def faces(self, request: Request) -> Response:
        """The faces to name in drills: a column for each face, a row for each style."""
        return FileResponse(ATLAS, headers={"Cache-Control": "max-age=86400"})

    async def certificate(self, request: Request) -> Response:
        """The authority that signed the server's certificate, for phones to trust."""
        if self._authority is None:
            raise Refusal(404, "not_found", "This server has no certificate: it was started without --https.")
        return FileResponse(self._authority, media_type="application/x-x509-ca-cert", filename="tehai.pem")

    async def lesson_style(self, request: Request) -> Response:
        """The style sheet of lessons in HTML."""
        return Response(STYLE, media_type="text/css", headers={"Cache-Control": "no-cache"})

    def _given(self, record: object, rules: str | None) -> HandInput:
        """The hand of a request, with the rules that it names."""
        return hand_input_of(
            record, self._request_rules.rules(rules), self._request_rules.default if rules is None else rules
        )


def _kept(
    archive: PhotoArchive, photos: Sequence[bytes], readings: Sequence[Reading], record: Record
) -> list[str] | None:
    """The names under which the photos are kept, each with its reading and the common record."""
    try:
        return [
            archive.keep(photo, {"reading": reading.to_record(), "record": record})
            for photo, reading in zip(photos, readings, strict=True)
        ]
    except ArchiveError as reason:
        log.warning("A photo was not kept: %s.", reason)
        return None


def _rules(body: Mapping[str, Any]) -> str | None:
    """The rules beside a record, or those that the record names."""
    record = body.get("record")
    rules = body.get("rules")
    if rules is None and isinstance(record, Mapping):
        rules = record.get("rules")
    if rules is not None and not isinstance(rules, str):
        raise Refusal(422, "bad_field", "rules must be the id of a rule set, or house rules as text.")
    return rules


def _compare(body: Mapping[str, Any]) -> list[str]:
    beside = body.get("compare", [])
    known = preset_ids()
    if not isinstance(beside, list) or not all(isinstance(one, str) and one in known for one in beside):
        raise Refusal(422, "unknown_rules", f"compare is a list of {', '.join(known)}.")
    return list(dict.fromkeys(beside))


def _others(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Other readings of the tiles, by names of the request."""
    others = body.get("others", {})
    if not isinstance(others, Mapping) or len(others) > MOST_OTHERS:
        raise Refusal(422, "bad_field", f"others are at most {MOST_OTHERS} readings of the tiles by name.")
    if not all(isinstance(tiles, Mapping) for tiles in others.values()):
        raise Refusal(422, "bad_field", "others are the tile fields of hand records.")
    return others


def _with_tiles(record: Mapping[str, Any], tiles: Mapping[str, Any]) -> dict[str, Any]:
    """The record with these tiles instead of its own."""
    beside = {name: value for name, value in record.items() if name not in ("concealed", "win_tile", "melds")}
    return {**beside, **{name: tiles[name] for name in ("concealed", "win_tile", "melds") if name in tiles}}


def _words(words: Words) -> dict[str, Any]:
    return {
        "words": words.name,
        "yaku": {id_: words.yaku(id_) for id_ in (*BY_ID, *DORA)},
        "limits": dict(words.limits),
        "terms": dict(words.terms),
        "vocabularies": list(VOCABULARIES),
    }


def _version() -> str:
    try:
        return metadata.version("tehai")
    except metadata.PackageNotFoundError:
        return "0"
