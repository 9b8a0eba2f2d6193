"""What the server answers: JSON, and refusals that say why in one sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from tehai.server.sentences import sentence


class Refusal(Exception):
    """A request that is not served. ``status``: of HTTP; ``code``: for programs; ``sentence``: for people, in
    English.

    ``retry_after``: seconds after which the same request may be tried again, where waiting helps.
    ``why``: which of a code's reasons, for its sentence in another language. ``more``: what else a program
    wants to know of it.
    """

    def __init__(
        self,
        status: int,
        code: str,
        sentence: str,
        retry_after: float | None = None,
        why: str = "",
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.sentence = sentence
        self.retry_after = retry_after
        self.why = why
        self.more = more or {}

    def wording(self, scope: Scope) -> str:
        """The sentence in the language that the request asks for."""
        return sentence(scope, self.code, self.why, self.sentence)


ASK_FOR_COOKIE = {"WWW-Authenticate": 'Cookie realm="tehai"'}
"""What a 401 has to say (RFC 9110 §11.6.1)."""

GONE = Refusal(400, "gone", "Who asked has gone.")
"""For the log of whoever reads it: nobody is left to be told."""


def no_such_thing(error: HTTPException) -> Refusal:
    """What the router refuses: an address or a method that there is not."""
    why = "That is not asked so." if error.status_code == 405 else "There is nothing at that address."
    return Refusal(error.status_code, "not_found", why)


def as_json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """The value as JSON. In ASCII, as a text may hold half of a surrogate pair, which no UTF-8 can."""
    body = json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")
    return Response(body, status, {"Cache-Control": "no-store", **(headers or {})}, "application/json")


def refused(refusal: Refusal, scope: Scope, **more: Any) -> Response:
    """The refusal as JSON with the id of its request. ``more``: what else a program wants to know of it."""
    headers = {"Connection": "close"}  # what is left of a body is not read
    if refusal.retry_after is not None:
        headers["Retry-After"] = str(max(1, math.ceil(refusal.retry_after)))
    if refusal.status == 401:
        headers |= ASK_FOR_COOKIE
    body = {"error": refusal.wording(scope), "code": refusal.code, "id": scope["state"]["id"], **more}
    return as_json(body, refusal.status, headers)
