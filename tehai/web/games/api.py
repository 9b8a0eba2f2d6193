"""The endpoints of shared games, under ``/api/games`` (``docs/server.md``). All of them need the token."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from scorer.tiles import TILES
from tehai.server.answers import Refusal, as_json
from tehai.server.limits import Limits
from tehai.server.upload import read_json
from tehai.web.games.changes import Change, Entry
from tehai.web.games.following import HEARTBEAT, Followers, Following, View
from tehai.web.hands import language_of
from tehai.web.request_rules import RequestRules
from tehai.web.table import MOST_EVENTS, played, shown
from tehai.web.worker_pool import Place

if TYPE_CHECKING:
    from tehai.web.games.store import GameStore, Shared

MOST_INDICATORS: Final = 5
"""One, and another for each kan."""

LISTED: Final = 50
"""The most games in the list."""

LARGEST: Final = 250_000
"""The most bytes of a game as JSON. All followers get the whole game after each change."""

FACES: Final = tuple(map(str, TILES))

NEWEST: Final = "newest"
"""The name for the game that began last, instead of an id."""


class GamesApi:
    """The endpoints of one server. The scorer replays every event before it is saved."""

    def __init__(
        self, store: GameStore, pool: Place, request_rules: RequestRules, limits: Limits | None = None
    ) -> None:
        self._store = store
        self._pool = pool
        self._request_rules = request_rules
        self._limits = limits or Limits()
        self._followers = Followers(self._limits.followers)
        self._views: dict[tuple[str, str], tuple[float, asyncio.Future[View]]] = {}
        self._over: dict[str, tuple[int, bool]] = {}

    def routes(self) -> list[BaseRoute]:
        """The routes under ``/api``."""
        return [
            Route("/games", _either(self.games, self.begin), methods=["GET", "POST"]),
            Route("/games/{game}", self.game),
            Route("/games/{game}/changes", _either(self.changes, self.change), methods=["GET", "POST"]),
            Route("/games/{game}/dora", self.dora, methods=["POST"]),
            Route("/games/{game}/follow", self.follow),
        ]

    async def games(self, request: Request) -> Response:
        """The games that began last."""
        return as_json(
            await self._pool.think(
                lambda: [{**_head(game), "over": self._is_over(game)} for game in self._store.games(LISTED)]
            )
        )

    async def begin(self, request: Request) -> Response:
        """Begin a game from a list of entries."""
        body = await read_json(request, self._limits)
        entries = body.get("entries")
        if not isinstance(entries, list) or not 0 < len(entries) <= MOST_EVENTS:
            raise Refusal(422, "bad_field", f"entries must be a list of 1 to {MOST_EVENTS} entries.")
        ids = [one.get("id") if isinstance(one, dict) else None for one in entries]
        changes = [Change.of({"id": id_, "add": one}) for id_, one in zip(ids, entries, strict=True)]
        language = language_of(body.get("lang"))
        return as_json(await self._booked(lambda: self._store.begin(changes, self._check), language))

    async def game(self, request: Request) -> Response:
        """The state of a game."""
        return as_json((await self._view(request.path_params["game"], _language(request))).record)

    async def changes(self, request: Request) -> Response:
        """The log of a game after a change."""
        game, last = request.path_params["game"], request.query_params.get("after", "0")
        if not last.isascii() or not last.isdecimal() or len(last) > 9:
            raise Refusal(422, "bad_field", "after must be the number of a change.")
        return as_json(await self._pool.think(lambda: self._store.changes(game, int(last))))

    async def change(self, request: Request) -> Response:
        """Change a game, if no other change came first."""
        body = await read_json(request, self._limits)
        game, last = request.path_params["game"], body.get("after")
        if type(last) is not int or last < 0:
            raise Refusal(422, "bad_field", "after must be the number of the last change that is known.")
        change, language = Change.of(body), language_of(body.get("lang"))
        return as_json(
            await self._booked(lambda: self._store.change(game, last, change, self._check), language)
        )

    async def dora(self, request: Request) -> Response:
        """Set the dora indicators of the hand in progress."""
        body = await read_json(request, self._limits)
        game, events, tiles = request.path_params["game"], body.get("events"), body.get("indicators")
        if type(events) is not int:
            raise Refusal(422, "bad_field", "events must be how many events of the game are known.")
        indicators = _indicators(tiles)
        language = language_of(body.get("lang"))
        return as_json(await self._booked(lambda: self._store.turn(game, events, indicators), language))

    async def follow(self, request: Request) -> Response:
        """The state of a game, now and after every change, as server-sent events."""
        game, language = request.path_params["game"], _language(request)
        await self._view(game, language)  # what there is not is refused before anything is sent
        return Following(self._followers, lambda: self._shared_view(game, language))

    async def _shared_view(self, game: str, language: str) -> View:
        """The view for all followers: a game is replayed once after a change, however many follow."""
        asked = game, language
        now = asyncio.get_running_loop().time()
        made, view = self._views.get(asked, (-math.inf, None))
        if view is None or now - made >= HEARTBEAT:  # another server may write into the same file
            view = asyncio.ensure_future(self._view(game, language))
            self._views[asked] = now, view
        try:
            return await asyncio.shield(view)
        except Refusal:
            self._views.pop(asked, None)
            raise

    async def _booked(self, write: Callable[[], Shared], language: str) -> dict[str, Any]:
        """The state after a change; this wakes all followers."""

        def work() -> dict[str, Any]:
            return self._shown(write(), language)

        try:
            return await self._pool.think(work)
        finally:
            self._views.clear()
            self._followers.wake()

    async def _view(self, game: str, language: str) -> View:
        def work() -> View:
            found = self._store.newest() if game == NEWEST else self._store.game(game)
            return View.of({"id": None, "number": 0} if found is None else self._shown(found, language))

        return await self._pool.think(work)

    def _shown(self, game: Shared, language: str) -> dict[str, Any]:
        stands = shown(played(game.events, self._request_rules), language)
        return {**_head(game), "entries": list(game.entries), "dora": list(game.dora), "stands": stands}

    def _is_over(self, game: Shared) -> bool:
        """Whether the game is over; computed once for each state."""
        number, over = self._over.get(game.id, (0, False))
        if number != game.number:
            with suppress(
                Refusal
            ):  # its house rules are others now: it is listed, and says so when it is opened
                over = played(game.events, self._request_rules).game.is_over
            self._over[game.id] = game.number, over
        return over

    def _check(self, entries: Sequence[Entry]) -> None:
        """Raises :class:`Refusal` for entries that are no game."""
        if len(json.dumps(list(entries))) > LARGEST:
            raise Refusal(413, "too_large", f"A game has at most {LARGEST:,} bytes.")
        played([entry["event"] for entry in entries], self._request_rules)


def _indicators(value: object) -> list[str]:
    """The indicators in a request. Raises :class:`Refusal` for invalid tiles."""
    if not isinstance(value, list) or len(value) > MOST_INDICATORS or any(one not in FACES for one in value):
        raise Refusal(422, "bad_field", f"indicators must be a list of at most {MOST_INDICATORS} tiles.")
    return value


Endpoint = Callable[[Request], Awaitable[Response]]


def _either(asked: Endpoint, posted: Endpoint) -> Endpoint:
    """One route for both methods, so that a third method gets the right error."""

    async def endpoint(request: Request) -> Response:
        return await (posted if request.method == "POST" else asked)(request)

    return endpoint


def _head(game: Shared) -> dict[str, Any]:
    """A game in the list."""
    players = game.entries[0]["event"].get("players", [])
    about = {"id": game.id, "number": game.number, "made": game.made, "at": game.at}
    return {**about, "players": players, "events": len(game.entries)}


def _language(request: Request) -> str:
    return language_of(request.query_params.get("lang"))
