"""An application of ours: its routes, and what stands around them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from tehai.server.answers import Refusal, no_such_thing, refused
from tehai.server.limits import Limits, LimitsMiddleware
from tehai.server.page import SHARED, Page, tile
from tehai.server.security import Access, AccessMiddleware, ErrorMiddleware

if TYPE_CHECKING:
    from tehai.server.sessions import Sessions

Faults = Mapping[type[Exception], tuple[int, str]]
"""Status and code of what endpoints raise; each says itself what is wrong, and in ``why`` which reason."""

_NONE: Final[Faults] = MappingProxyType({})


def application(
    routes: Sequence[BaseRoute],
    access: Access,
    limits: Limits | None = None,
    faults: Faults = _NONE,
    open_to_all: Collection[str] = (),
    sessions: Sessions | None = None,
) -> Starlette:
    """The routes as an ASGI application, beside them the tiles drawn and the scripts that pages share.

    ``limits``: on requests at once and a minute, if there are any. ``open_to_all``: the paths that take no
    token. ``sessions``: where it is noted who came in with one.
    """

    async def refuse_for(request: Request, error: Exception) -> Response:
        status, code = next(faults[kind] for kind in type(error).__mro__ if kind in faults)
        return refused(Refusal(status, code, str(error), why=getattr(error, "why", "")), request.scope)

    around = [
        Middleware(ErrorMiddleware),
        Middleware(AccessMiddleware, access=access, open_to_all=open_to_all, sessions=sessions),
    ]
    if limits is not None:
        around.append(Middleware(LimitsMiddleware, limits=limits))
    return Starlette(
        routes=[
            Route("/tiles/{label}.svg", tile),
            Mount("/shared", Page(directory=SHARED)),
            *routes,
        ],
        middleware=around,
        exception_handlers={
            Refusal: _refuse,
            HTTPException: _no_such_thing,
            **dict.fromkeys(faults, refuse_for),
        },
    )


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return refused(error, request.scope, **error.more)


async def _no_such_thing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    answer = refused(no_such_thing(error), request.scope)
    answer.headers.update(error.headers or {})
    return answer
