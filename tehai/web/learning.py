"""The endpoints of drills and short lessons, under ``/api/learn`` (``docs/server.md``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tehai.server.answers import Refusal, as_json
from tehai.server.limits import Limits
from tehai.server.upload import read_json
from tehai.web.hands import language_of
from tehai.web.request_rules import HOUSE, RequestRules
from tehai.web.worker_pool import Place

if TYPE_CHECKING:
    from tehai.web.drills import Drills

Act = Callable[["Drills", Mapping[str, Any], datetime], Any]


class LearnApi:
    """The server stores nothing: each request has what the learner knows."""

    def __init__(self, pool: Place, request_rules: RequestRules, limits: Limits) -> None:
        self._pool = pool
        self._request_rules = request_rules
        self._limits = limits

    def routes(self) -> list[BaseRoute]:
        """The routes under ``/api``."""
        return [Route(f"/learn/{name}", self._door(act), methods=["POST"]) for name, act in _ACTS.items()]

    def _door(self, act: Act) -> Callable[[Request], Any]:
        async def door(request: Request) -> Response:
            body = await read_json(request, self._limits)
            return as_json(await self._pool.think(lambda: self._done(act, body)))

        return door

    def _done(self, act: Act, body: Mapping[str, Any]) -> Any:
        """The result of ``act``. For a ``game``, the hands that the ``player`` won are the user's own."""
        drills, now = self._drills(body), datetime.now(UTC)
        if body.get("game") is not None or act is _ACTS["winners"]:
            from tehai.learn.evening import won_by
            from tehai.web.table import played

            game = played(body.get("game"), self._request_rules)  # which refuses what is none
            won = list(won_by(game)) if game.rules.players == 4 else []  # the drills are of four players
            # the rules as the game names them, with which its hands can be scored again
            rules = body["game"][0].get("rules", self._request_rules.default)
            mine = [{**hand, "rules": rules} for name, hand in won if name == body.get("player")]
            body = {**body, "own": mine, "winners": [name for name, _ in won]}
        return act(drills, body, now)

    def _drills(self, body: Mapping[str, Any]) -> Drills:
        from tehai.web.drills import Drills  # what is drilled is not needed to score a hand

        language, rules = language_of(body.get("lang")), body.get("rules")
        if rules is not None and (not isinstance(rules, str) or "=" in rules):
            raise Refusal(422, "bad_field", f"rules is the id of a preset, or {HOUSE!r}.")
        called = self._request_rules.default if rules is None else rules
        file = str(self._request_rules.file) if called == HOUSE else called
        asked = self._request_rules.rules(rules)
        return Drills.of(asked, file, language, body.get("progress"), self._request_rules)


_ACTS: Mapping[str, Act] = {
    "menu": lambda drills, body, now: drills.menu(now),
    "winners": lambda drills, body, now: {"players": list(dict.fromkeys(body.get("winners", ())))},
    "page": lambda drills, body, now: drills.page(body.get("lesson")),
    "exercise": lambda drills, body, now: drills.exercise(body, now),
    "answer": lambda drills, body, now: drills.answer(body, now),
}
