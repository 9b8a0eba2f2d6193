"""The application: endpoints, the files of the page, and what stands around them."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from tehai.server.answers import Refusal, no_such_thing, refused
from tehai.server.limits import Gate, Limits
from tehai.server.page import Page, tile
from tehai.server.security import Access, Guard, Shell
from tehai.web.api import Api
from tehai.web.desk import Desk
from tehai.web.house import House
from tehai.web.keep import Keeper

STATIC = Path(__file__).with_name("static")
"""The page: HTML, CSS and scripts as they are served."""


def make_app(
    desk: Desk,
    access: Access | None = None,
    house: House | None = None,
    limits: Limits | None = None,
    *,
    keeper: Keeper | None = None,
    authority: Path | None = None,
) -> Starlette:
    """The server as an ASGI application.

    ``keeper``: where photos go, if they are kept. ``authority``: the certificate that phones may trust.
    """
    limits = limits or Limits()
    api = Api(desk, house or House(), limits, keeper, authority)

    return Starlette(
        routes=[
            Mount(
                "/api",
                routes=[
                    Route("/read", api.read, methods=["POST"]),
                    Route("/find", api.find, methods=["POST"]),
                    Route("/score", api.score, methods=["POST"]),
                    Route("/lesson", api.lesson, methods=["POST"]),
                    Route("/rules", api.rules),
                    Route("/words", api.words),
                    Route("/health", api.health),
                ],
            ),
            Route("/openapi.json", api.openapi),
            Route("/tiles/{label}.svg", tile),
            Route("/lesson.css", api.lesson_style),
            Route("/sample.jpg", api.sample),
            Route("/certificate.pem", api.certificate),
            Mount("/", Page(directory=STATIC, html=True)),
        ],
        middleware=[
            Middleware(Shell),
            Middleware(Guard, access=access or Access()),
            Middleware(Gate, limits=limits),
        ],
        exception_handlers={Refusal: _refuse, HTTPException: _no_such_thing},
    )


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return refused(error, request.scope)


async def _no_such_thing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    answer = refused(no_such_thing(error), request.scope)
    answer.headers.update(error.headers or {})
    return answer
