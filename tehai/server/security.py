"""Who may ask: Host and Origin of a request, the token in the address and the cookie that it buys."""

from __future__ import annotations

import hmac
import logging
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tehai.server.answers import ASK_FOR_COOKIE, Refusal, refused

if TYPE_CHECKING:
    from tehai.server.sessions import Sessions

log = logging.getLogger("tehai.server")

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names of this machine that no other one can be reached by."""

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; object-src 'none';"
        " base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}
"""On every answer."""

ANONYMOUS: Final = "guest"
"""The name of all clients without a needed token, which count as one."""

_SAFE = ("GET", "HEAD")
EVENING: Final = 12 * 3600
"""The lifetime in seconds of a token and of the cookie that it gives."""

ENTRANCES: Final = ("/", "/table", "/table/")
"""The pages that accept the token in the address."""


def is_inside(state: Mapping[str, Any]) -> bool:
    """Whether the request has the token or needs none."""
    return bool(state.get("client", ANONYMOUS) != ANONYMOUS)


@dataclass(frozen=True, slots=True)
class Access:
    """The conditions for a request. ``hosts``: the names of the server, in lower case. ``https``: whether it
    uses https. ``token``: what the address must contain; empty if no token is needed."""

    hosts: frozenset[str] = LOOPBACK
    https: bool = False
    token: str = ""

    @property
    def scheme(self) -> str:
        return "https" if self.https else "http"

    def check_host(self, host: str) -> None:
        """Refuses a Host that is not ours: a foreign page can make its name point here (DNS rebinding)."""
        if _hostname(host) not in self.hosts:
            raise Refusal(421, "wrong_host", "This server does not answer to that name.")

    def check_origin(self, headers: Headers) -> None:
        """Refuses what a page from elsewhere sends. Programs send no Origin and are no danger."""
        origin = headers.get("origin")
        if origin is None and headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none"):
            return
        if origin is None or origin.lower() != f"{self.scheme}://{headers.get('host', '')}".lower():
            raise Refusal(403, "wrong_origin", "Only the page of this server may ask for that.")

    def is_token(self, text: str) -> bool:
        return bool(self.token) and hmac.compare_digest(text.encode(), self.token.encode())

    def cookie_name(self, host: str) -> str:
        """Cookies know no ports: each server on this machine needs a name of its own."""
        return f"tehai-{urlsplit(f'//{host}').port or 0}"

    def new_cookie(self) -> str:
        """A name for whoever showed the token, signed with it, so that nothing need be remembered."""
        name = secrets.token_urlsafe(12)
        return f"{name}.{self._signature(name)}"

    def holder(self, cookie: str) -> str | None:
        """The name in a cookie of :meth:`new_cookie`, None for any other."""
        name, _, signature = cookie.partition(".")
        valid = hmac.compare_digest(signature.encode(), self._signature(name).encode())
        return name if valid else None

    def _signature(self, name: str) -> str:
        return hmac.new(self.token.encode(), name.encode(), sha256).hexdigest()


def _hostname(host: str) -> str | None:
    """``"[::1]:8765"`` as ``"::1"``; None for what is no host."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    return None if parts.netloc != host or "@" in host else parts.hostname


class AccessMiddleware:
    """ASGI middleware: only requests that :class:`Access` knows pass. The state has who asks (``client``) and
    from where (``address``).

    ``open_to_all``: the paths that need no token. All else does, what is not there too. ``sessions``: who
    came in with one; to an answer without end the state says whether its session has ``ended``.
    """

    def __init__(
        self,
        app: ASGIApp,
        access: Access,
        open_to_all: Collection[str] = (),
        sessions: Sessions | None = None,
    ) -> None:
        self._app = app
        self._access = access
        self._open = open_to_all
        self._sessions = sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        access, request = self._access, HTTPConnection(scope)
        host = request.headers.get("host", "")
        access.check_host(host)
        if scope["method"] not in _SAFE:
            access.check_origin(request.headers)
        client = address = request.client.host if request.client else "unknown"
        if access.token:
            shown = request.query_params.get("t")
            if scope["path"] in ENTRANCES and scope["method"] == "GET" and shown is not None:
                await self._exchange(shown, host, scope["path"])(scope, receive, send)
                return
            holder = self._holder(request, host, address)
            if holder is None and scope["path"] not in self._open:
                raise Refusal(401, "no_token", "Scan the QR code on the laptop's screen to come in.")
            client = holder or ANONYMOUS
        scope["state"] |= {"client": client, "address": address}
        await self._app(scope, receive, send)

    def _holder(self, request: HTTPConnection, host: str, address: str) -> str | None:
        """The name in the cookie of who came in and was not sent out."""
        name = self._access.holder(request.cookies.get(self._access.cookie_name(host), ""))
        sessions = self._sessions
        if name is None or sessions is None:
            return name
        if sessions.is_ended(name):
            return None
        sessions.note(name, address, request.headers.get("user-agent", ""))
        request.scope["state"]["ended"] = lambda: sessions.is_ended(name)
        return name

    def _exchange(self, shown: str, host: str, path: str) -> Response:
        """Exchange the token in the address for a cookie.

        The answer is a page that opens the next one, not a redirect: after a redirect from another site, such
        as a QR scanner's page, a browser sends no strict cookie.
        """
        access = self._access
        if not access.is_token(shown):
            raise Refusal(
                401, "wrong_token", "That code is an older one; scan the one on the laptop's screen."
            )
        response = HTMLResponse(_GO_ON.format(path), headers={"Cache-Control": "no-store"})
        response.set_cookie(
            access.cookie_name(host),
            access.new_cookie(),
            max_age=EVENING,
            httponly=True,
            samesite="strict",
            secure=access.https,
        )
        return response


_GO_ON = (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={0}">'
    '<title>tehai</title><a href="{0}">tehai</a>'
)
_TURNED_AWAY = (
    '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    "<title>tehai</title><h1>tehai</h1><p>{}</p>"
)


class ErrorMiddleware:
    """The outermost ASGI middleware: it gives the request an id, sets headers of the answer, and turns any
    exception into an error answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(6)
        scope.setdefault("state", {})["id"] = request_id
        started = False

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request_id
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._app(scope, receive, with_headers)
            return
        except Refusal as refusal:
            answer = _turned_away(refusal, scope)
        except Exception:
            log.exception("request %s failed: %s %s", request_id, scope["method"], scope["path"])
            answer = refused(Refusal(500, "crash", _CRASH.format(request_id)), scope)
        if not started:
            await answer(scope, receive, with_headers)


_CRASH = "Something went wrong inside tehai; the server's log tells more under {}."


def _turned_away(refusal: Refusal, scope: Scope) -> Response:
    """A refusal as JSON, or as a page if a browser opens a page without the token."""
    if refusal.status == 401 and scope["path"] in ENTRANCES:
        return HTMLResponse(_TURNED_AWAY.format(refusal.wording(scope)), 401, ASK_FOR_COOKIE)
    return refused(refusal, scope)
