"""The endpoints of ``tehai review`` (``docs/review.md``)."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from tehai.errors import Mistake
from tehai.label.faults import LABELS
from tehai.label.journal import Conflict, Line
from tehai.review import auto
from tehai.review.crops import Crops, PhotoMissing, decoded, read_bytes, shown, smaller
from tehai.review.edit import (
    MOST_TILES,
    Review,
    Reviewed,
    parse_name,
    parse_quad,
    parse_review,
    quad_of,
    revised,
)
from tehai.review.hardness import KINDS, in_doubt, settled
from tehai.review.query import Change, changes_of, margin_asked, number_of, one_of, page_of
from tehai.review.queue import STATES_ASKED, Queue, Wanted
from tehai.review.reader_protocol import PhotoInspector, TileReader, advise
from tehai.review.store import NoPhoto, Store
from tehai.server.answers import Refusal, as_json, refused
from tehai.server.limits import Limits
from tehai.server.upload import read_json
from vision.image import Photo, PhotoError

LIMITS: Final = Limits(text=4_000_000, in_flight_each=32, a_minute=6000)
"""A photo of a thousand tiles is 200 kB. A page of crops requests each of them."""

_SIDES: Final = (64, 8192)
_FOREVER: Final = {"Cache-Control": "private, max-age=604800, immutable"}
"""For answers named by the hash of their content, which never change."""


class Api:
    """The endpoints. ``by``: the reviewer if the page does not say. ``shared``: whether several people
    review, each with a session.

    For errors see ``tehai.review.app.REFUSED``.
    """

    def __init__(self, store: Store, reader: TileReader, by: str, *, shared: bool = False) -> None:
        self._store = store
        self._reader = reader
        self._by = by
        self._shared = shared
        self._crops = Crops()
        self._margin = auto.MARGIN
        self._accepting = asyncio.Lock()

    async def me(self, request: Request) -> Response:
        """The reviewer's name."""
        return as_json({"by": self._name(request)})

    def _name(self, request: Request) -> str:
        """The default name of the reviewer; with several people one for each session."""
        return f"guest {request.scope['state']['client'][:6]}" if self._shared else self._by

    async def queue(self, request: Request) -> Response:
        """The photos that pass the filters, hardest first."""
        asked = request.query_params
        wanted = Wanted(
            one_of("state", asked.get("state") or "open", STATES_ASKED),
            one_of("face", asked["face"], LABELS) if asked.get("face") else None,
            asked.get("folder") or None,
            one_of("kind", asked["kind"], KINDS) if asked.get("kind") else None,
        )
        page = page_of(request, 200)

        def work() -> dict[str, Any]:
            with self._store.up_to_date() as queue:
                chosen, counts = queue.select(wanted)
                return {
                    "total": len(chosen),
                    "photos": [_row(queue, key) for key in chosen[page]],
                    "counts": {name: dict(values) for name, values in counts.items()},
                }

        return as_json(await run_in_threadpool(work))

    async def alike(self, request: Request) -> Response:
        """Groups of near-duplicate photos."""
        page = page_of(request, 50)

        def work() -> dict[str, Any]:
            groups = self._store.near()
            with self._store.up_to_date() as queue:
                shown = [[_row(queue, key) for key in group] for group in groups[page]]
            return {"total": len(groups), "groups": shown}

        return as_json(await run_in_threadpool(work))

    async def photo(self, request: Request) -> Response:
        """A photo with its tiles, its reasons and its history."""
        return as_json(await run_in_threadpool(self._account, request.path_params["key"]))

    async def revision(self, request: Request) -> Response:
        """The photo with the tiles of an older revision."""
        number = request.path_params["number"]
        return as_json(await run_in_threadpool(self._account, request.path_params["key"], number))

    def _account(self, key: str, number: int | None = None) -> dict[str, Any]:
        history = self._store.history(key)
        if number is None:
            number = len(history)
        if not 1 <= number <= len(history):
            raise NoPhoto
        line, model = history[number - 1], self._store.model(key)
        with self._store.up_to_date() as queue:
            path, why = queue.path(key), queue.facts[key].why
        return {
            **{name: line[name] for name in ("revision", "width", "height", "message", "hand")},
            "key": key,
            "path": path,
            "state": line["review"]["state"],
            "tiles": _doubted(line),
            "model": None if model is None else model["tiles"],
            "why": [{"id": reason.id, "text": reason.text} for reason in why],
            "history": [
                {"revision": one["revision"], **one["review"], "tiles": len(one["tiles"])} for one in history
            ],
        }

    async def save(self, request: Request) -> Response:
        """Save a review as the photo's next revision; 409 with the latest one if another came first."""
        key, review = (
            request.path_params["key"],
            parse_review(await read_json(request, LIMITS), self._name(request)),
        )

        def work() -> Response:
            try:
                self._save(key, review)
            except Conflict:
                return self._conflict(key, request.scope)
            return as_json(self._account(key))

        return await run_in_threadpool(work)

    def _save(self, key: str, review: Review) -> int:
        """The number of the new revision. Raises Conflict, and what :func:`revised` raises."""
        history = self._store.history(key)
        if history[-1]["revision"] != review.after:
            raise Conflict(key, history[-1]["revision"])
        line = revised(
            history, review, self._store.path(key), PhotoInspector(self._reader, partial(self._photo, key))
        )
        self._store.append(line, after=review.after)
        return int(line["revision"])

    def _photo(self, key: str) -> Photo | None:
        try:
            return decoded(self._bytes(key))
        except (PhotoMissing, PhotoError):
            return None  # what a person says of a photo is kept also where its file is away

    def _conflict(self, key: str, scope: Scope) -> Response:
        latest = self._account(key)
        last = latest["history"][-1]
        message = f"{last['by']} has changed this photo in the meantime (revision {last['revision']})."
        return refused(Refusal(409, "conflict", message), scope, latest=latest)

    async def image(self, request: Request) -> Response:
        """The photo upright, in full size or with its longer side at most ``side``."""
        key = request.path_params["key"]
        side = number_of(request, "side", 0, *_SIDES)
        headers = {"ETag": f'"{key}-{side}"' if side else f'"{key}"', **_FOREVER}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)

        def work() -> tuple[bytes, str]:
            data = self._bytes(key)
            try:
                return (smaller(data, side), "image/jpeg") if side else shown(data)
            except OSError:
                raise PhotoError("The photo is damaged; its labels are kept.", "damaged") from None

        data, kind = await run_in_threadpool(work)
        return Response(data, headers=headers, media_type=kind)

    def _bytes(self, key: str) -> bytes:
        self._store.photo(key)  # whether there is such a photo
        return read_bytes(self._store.folder, self._store.paths(key), key)

    async def crop(self, request: Request) -> Response:
        """The upright crop of a tile."""
        key, tile = request.path_params["key"], request.path_params["tile"]
        number = number_of(request, "revision", 0, 1, 1_000_000_000)

        def work() -> bytes:
            if number and (known := self._crops.find(key, number, tile)):
                return known
            history = self._store.history(key)
            if number > len(history):
                raise NoPhoto
            line = history[number - 1]  # without a number the latest
            if tile >= len(line["tiles"]):
                raise NoPhoto
            return self._crops.cut(line, tile, lambda: decoded(self._bytes(key)))

        data = await run_in_threadpool(work)
        headers = _FOREVER if number else {"Cache-Control": "no-store"}
        return Response(data, headers=headers, media_type="image/jpeg")

    async def read(self, request: Request) -> Response:
        """The face network's labels at quads; nothing is saved."""
        key, body = request.path_params["key"], await read_json(request, LIMITS)
        given = body.get("quads")
        if not isinstance(given, list) or len(given) > MOST_TILES:
            raise Mistake(f"quads is a list of at most {MOST_TILES} quads.")
        quads = [parse_quad(quad) for quad in given]

        def work() -> dict[str, Any]:
            return {"tiles": advise(self._reader, decoded(self._bytes(key)), quads)}

        return as_json(await run_in_threadpool(work))

    async def faces(self, request: Request) -> Response:
        """All tiles of a label, least certain first."""
        label = one_of("label", request.path_params["label"], LABELS)
        state = request.query_params.get("state") or None
        if state is not None:
            one_of("state", state, STATES_ASKED)
        page = page_of(request, 100)

        def work() -> dict[str, Any]:
            with self._store.up_to_date() as queue:
                chosen = queue.tiles(label, state)
                paths = {key: queue.path(key) for key, _ in chosen[page]}
            lines = {key: self._store.photo(key) for key in paths}
            # A photo that somebody has changed in between may have fewer tiles.
            shown = [(key, at) for key, at in chosen[page] if at < len(lines[key]["tiles"])]
            return {
                "total": len(chosen),
                "crops": [_crop(lines[key], at, paths[key]) for key, at in shown],
            }

        return as_json(await run_in_threadpool(work))

    async def relabel(self, request: Request) -> Response:
        """Change the labels of several tiles in several photos, a revision for each photo."""
        body = await read_json(request, LIMITS)
        by, changes = parse_name(body.get("by"), self._name(request)), changes_of(body.get("changes"))

        def work() -> dict[str, Any]:
            saved, conflicts = [], []
            for key, change in changes.items():
                try:
                    saved.append({"key": key, "revision": self._relabel(key, change, by)})
                except Conflict:
                    conflicts.append({"key": key, "latest": self._account(key)})
            return {"saved": saved, "conflicts": conflicts}

        return as_json(await run_in_threadpool(work))

    def _relabel(self, key: str, change: Change, by: str) -> int:
        photo = self._store.photo(key)
        revision, tiles = photo["revision"], photo["tiles"]
        if change.after != {revision}:
            raise Conflict(key, revision)
        if max(change.labels) >= len(tiles):
            raise Mistake(f"{photo['path']} has no tile {max(change.labels)}.")
        tiles = [
            Reviewed(quad_of(tile), change.labels.get(at, tile["label"])) for at, tile in enumerate(tiles)
        ]
        back = change.back.pop() if len(change.back) == 1 else 0
        return self._save(key, Review(revision, "corrected", by, tuple(tiles), part=True, back=back))

    async def auto(self, request: Request) -> Response:
        """The photos accepted by their margins, and the error rate of those that were checked."""
        margin = margin_asked(request.query_params.get("margin"), self._margin)
        return as_json(await run_in_threadpool(self._report, margin))

    async def accept(self, request: Request) -> Response:
        """Accept by margins."""
        body = await read_json(request, LIMITS)
        margin, by = (
            margin_asked(body.get("margin"), self._margin),
            parse_name(body.get("by"), self._name(request)),
        )
        async with self._accepting:
            self._margin = margin
            await run_in_threadpool(auto.accept, self._store, margin, by)
        return as_json(await run_in_threadpool(self._report, margin))

    def _report(self, margin: float) -> dict[str, Any]:
        with self._store.up_to_date() as queue:
            return auto.report(queue, margin)


def _row(queue: Queue, key: str) -> dict[str, Any]:
    facts = queue.facts[key]
    return {
        "key": key,
        "path": queue.path(key),
        "revision": facts.entry.revision,
        "state": facts.state,
        "tiles": len(facts.labels),
        "hardness": round(facts.hardness, 4),
        "why": [{"id": reason.id, "text": reason.text} for reason in facts.why],
    }


def _doubted(line: Line) -> list[Line]:
    done = settled(line["review"])
    return [{**tile, "doubt": not done and in_doubt(tile)} for tile in line["tiles"]]


def _crop(line: Line, at: int, path: str) -> dict[str, Any]:
    tile = line["tiles"][at]
    return {
        "key": line["sha256"],
        "revision": line["revision"],
        "tile": at,
        "quad": tile["quad"],
        "label": tile["label"],
        "probability": tile["probability"],
        "margin": tile["margin"],
        "state": line["review"]["state"],
        "path": path,
    }
