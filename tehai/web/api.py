"""The endpoints: what each takes and answers (``docs/server.md``; ``/openapi.json`` says it for programs)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from scorer.rules import preset_ids
from scorer.tiles import TILES
from scorer.words import VOCABULARIES
from scorer.yaku import BY_ID, DORA
from tehai import svg
from tehai.gather import Given
from tehai.lesson.html import STYLE, fragment
from tehai.sample import sample_path
from tehai.web.advice import advise
from tehai.web.answers import Refusal, as_json
from tehai.web.desk import Desk, Region
from tehai.web.hands import compared, given_of, language_of, lesson_of, scored
from tehai.web.house import House
from tehai.web.keep import Keeper, NotKept
from tehai.web.limits import Limits
from tehai.web.merge import Merged, merge
from tehai.web.openapi import description
from tehai.web.upload import read_json, read_upload
from vision.image import Photo, PhotoError, load
from vision.reading import Reading

log = logging.getLogger("tehai.web")


@dataclass(frozen=True, slots=True)
class Api:
    """The endpoints of one server."""

    desk: Desk
    house: House
    limits: Limits
    keeper: Keeper | None = None
    authority: Path | None = None
    _uploads: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_uploads", asyncio.Semaphore(self.limits.uploads))

    async def read(self, request: Request) -> Response:
        """Photos of one hand in, the hand with its score out."""
        async with self._uploads:
            upload = await read_upload(request, self.limits, self.limits.upload)
            region, facts = upload.region(), upload.facts()
            language = language_of(upload.fields.get("lang"))
            readings = [
                await self.desk.look(partial(self._read, photo, region), request.is_disconnected)
                for photo in upload.photos
            ]
            merged = merge(readings)
            rules = upload.fields.get("rules")

            def work() -> dict[str, Any]:
                with self.house.named(rules) as name:
                    given = _given(merged.reading)
                    given = given.told(given_of(facts, name, language).record)
                    return _with_shots(scored(given, self._said(rules)), readings, merged)

            told = await self.desk.think(work)
            if self.keeper is not None:
                told["kept"] = await self.desk.think(lambda: self._keep(upload.photos, readings, told))
        return as_json(told)

    async def find(self, request: Request) -> Response:
        """One frame of the live view in, what is seen and what to do better out."""
        upload = await read_upload(request, self.limits, self.limits.frame)
        frame = upload.photos[0]
        return as_json(await self.desk.look(lambda: self._find(frame), request.is_disconnected))

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

    async def certificate(self, request: Request) -> Response:
        """The authority that signed the server's certificate, for phones that are to trust it."""
        if self.authority is None:
            raise Refusal(404, "not_found", "This server has no certificate: it was started without --https.")
        return FileResponse(self.authority, media_type="application/x-x509-ca-cert", filename="tehai.pem")

    async def lesson_style(self, request: Request) -> Response:
        """What a lesson as HTML is styled with."""
        return Response(STYLE, media_type="text/css", headers={"Cache-Control": "no-cache"})

    def _said(self, rules: str | None) -> str:
        return self.house.default if rules is None else rules

    def _read(self, photo: bytes, region: Region | None) -> Reading:
        return self.desk.eye.read(_loaded(photo), region=region)

    def _keep(
        self, photos: Sequence[bytes], readings: Sequence[Reading], told: Mapping[str, Any]
    ) -> list[str] | None:
        """The names under which the photos are kept, each with its own reading and the record of all."""
        assert self.keeper is not None
        try:
            return [
                self.keeper.keep(photo, {"reading": reading.to_record(), "record": told["record"]})
                for photo, reading in zip(photos, readings, strict=True)
            ]
        except NotKept as reason:
            log.warning("A photo was not kept: %s.", reason)
            return None

    def _find(self, frame: bytes) -> dict[str, Any]:
        photo = _loaded(frame)
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


def _loaded(photo: bytes) -> Photo:
    """The photo decoded. Its size is known before its pixels are, and too many are refused."""
    try:
        return load(photo)
    except PhotoError as error:
        sentence = str(error)
        raise Refusal(422, "bad_photo", sentence[:1].upper() + sentence[1:]) from None


def _given(reading: Reading) -> Given:
    """What a photo tells. That a tile won is inferred from where it lies, whatever its face."""
    known = dict(reading.known)
    if "win_tile" in known:
        known["win_tile"] = "inferred"
    return Given(dict(reading.hand or {}), known, reading)


def _with_shots(told: dict[str, Any], readings: Sequence[Reading], merged: Merged) -> dict[str, Any]:
    """The score with where each tile is to be seen: ``photo`` is the shot that the reading's quads refer to,
    but for tiles that only another shot shows."""
    for tile, shot in zip(told["reading"]["tiles"], merged.shots, strict=True):
        tile["photo"] = shot
    base = readings[merged.base]
    return {
        **told,
        "photo": {"index": merged.base, "width": base.width, "height": base.height},
        "photos": [{"width": one.width, "height": one.height, "status": one.status} for one in readings],
        "unlike": list(merged.unlike),
    }


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
    known = preset_ids()
    if not isinstance(beside, list) or not all(isinstance(one, str) and one in known for one in beside):
        raise Refusal(422, "unknown_rules", f"compare is a list of {', '.join(known)}.")
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
