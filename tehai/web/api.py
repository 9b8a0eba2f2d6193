"""The endpoints: what each takes and answers (``docs/server.md``; ``/openapi.json`` says it for programs)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from scorer.tiles import TILES
from scorer.words import VOCABULARIES
from scorer.yaku import BY_ID, DORA
from tehai import svg
from tehai.gather import Given
from tehai.lesson.html import STYLE, fragment
from tehai.sample import sample_path
from tehai.web.answers import Refusal, as_json
from tehai.web.desk import Desk, Region
from tehai.web.hands import compared, given_of, language_of, lesson_of, scored
from tehai.web.house import House
from tehai.web.limits import Limits
from tehai.web.openapi import description
from tehai.web.upload import read_json, read_upload
from vision.image import PhotoError, load
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Api:
    """The endpoints of one server."""

    desk: Desk
    house: House
    limits: Limits
    _uploads: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_uploads", asyncio.Semaphore(self.limits.uploads))

    async def read(self, request: Request) -> Response:
        """Photos of one hand in, the hand with its score out."""
        async with self._uploads:
            upload = await read_upload(request, self.limits, self.limits.upload)
            region = upload.region()
            language = language_of(upload.fields.get("lang"))
            reading = await self.desk.look(lambda: self._read(upload.photos[0], region))
        rules = upload.fields.get("rules")

        def work() -> dict[str, Any]:
            with self.house.named(rules) as name:
                given = _given(reading)
                given = given.told(given_of({}, name, language).record)
                return scored(given, self._said(rules))

        told = await self.desk.think(work)
        return as_json({**told, "photo": {"width": reading.width, "height": reading.height}})

    async def find(self, request: Request) -> Response:
        """One frame of the live view in, what is seen and what to do better out."""
        upload = await read_upload(request, self.limits, self.limits.frame)
        return as_json(await self.desk.look(lambda: self._find(upload.photos[0])))

    async def score(self, request: Request) -> Response:
        """A hand record in, its score and what could still change it out."""
        body = await read_json(request, self.limits)
        rules, language = _rules(body), language_of(body.get("lang"))
        beside = _compare(body)

        def work() -> dict[str, Any]:
            with self.house.named(rules) as name:
                given = given_of(body.get("record"), name, language)
                told = scored(given, self._said(rules))
                if beside:
                    told["by_rules"] = compared(given, beside)
                return told

        return as_json(await self.desk.think(work))

    async def lesson(self, request: Request) -> Response:
        """A hand record in, its score told step by step out."""
        body = await read_json(request, self.limits)
        rules, language = _rules(body), language_of(body.get("lang"))
        format = body.get("format", "json")
        if format not in ("json", "html"):
            raise Refusal(422, "bad_field", "format is json or html.")

        def work() -> Response:
            with self.house.named(rules) as name:
                lesson = lesson_of(given_of(body.get("record"), name, language), language)
                if format == "html":
                    return HTMLResponse(fragment(lesson), headers={"Cache-Control": "no-store"})
                return as_json(lesson.to_record())

        return await self.desk.think(work)

    async def rules(self, request: Request) -> Response:
        """The rule sets to choose from."""
        return as_json(self.house.presets())

    async def words(self, request: Request) -> Response:
        """What the yaku, limits and terms are called."""
        language = language_of(request.query_params.get("lang"))
        with self.house.named(request.query_params.get("rules")) as name:
            given = given_of({}, name, language)
        return as_json(_words(given))

    async def health(self, request: Request) -> Response:
        """That the server lives, and which one it is."""
        return as_json({"status": "ok", "version": _version()})

    async def openapi(self, request: Request) -> Response:
        """All of this for programs."""
        return as_json(description(_version()))

    async def tile(self, request: Request) -> Response:
        """A tile drawn."""
        drawn = _TILES.get(request.path_params["label"])
        if drawn is None:
            raise Refusal(404, "no_tile", "There is no tile of that name.")
        return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})

    async def sample(self, request: Request) -> Response:
        """The bundled photo, to try the page without a camera."""
        return FileResponse(sample_path(), headers={"Cache-Control": "max-age=86400"})

    async def lesson_style(self, request: Request) -> Response:
        """What a lesson as HTML is styled with."""
        return Response(STYLE, media_type="text/css", headers={"Cache-Control": "no-cache"})

    def _said(self, rules: str | None) -> str:
        return self.house.default if rules is None else rules

    def _read(self, photo: bytes, region: Region | None) -> Reading:
        try:
            return self.desk.eye.read(load(photo), region=region)
        except PhotoError as error:
            raise Refusal(422, "bad_photo", str(error)) from None

    def _find(self, frame: bytes) -> dict[str, Any]:
        from tehai.web.advice import advise

        try:
            photo = load(frame)
        except PhotoError as error:
            raise Refusal(422, "bad_photo", str(error)) from None
        reading = self.desk.eye.read(photo)
        told = reading.to_record()
        return {
            "width": reading.width,
            "height": reading.height,
            "tiles": told["tiles"],
            "status": reading.status,
            "message": reading.message,
            "hand": told["hand"],
            "advice": list(advise(photo, reading)),
            "elapsed_ms": told["elapsed_ms"],
        }


def _given(reading: Reading) -> Given:
    """What a photo tells. That a tile won is inferred from where it lies, whatever its face."""
    known = dict(reading.known)
    if "win_tile" in known:
        known["win_tile"] = "inferred"
    return Given(dict(reading.hand or {}), known, reading)


def _rules(body: Mapping[str, Any]) -> str | None:
    """The rules beside a record, or those that it names itself."""
    record = body.get("record")
    rules = body.get("rules")
    if rules is None and isinstance(record, Mapping):
        rules = record.get("rules")
    if rules is not None and not isinstance(rules, str):
        raise Refusal(422, "bad_field", "rules must be the id of a rule set, or house rules as text.")
    return rules


def _compare(body: Mapping[str, Any]) -> list[str]:
    beside = body.get("compare", [])
    known = set(House().ids())
    if not isinstance(beside, list) or not all(isinstance(one, str) and one in known for one in beside):
        raise Refusal(422, "unknown_rules", f"compare is a list of {', '.join(sorted(known))}.")
    return list(dict.fromkeys(beside))


def _words(given: Given) -> dict[str, Any]:
    from tehai.gather import words_of

    words = words_of(given.record)
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


_TILES = {svg.BACK: svg.tile_svg(svg.BACK), **{str(tile): svg.tile_svg(tile) for tile in TILES}}
