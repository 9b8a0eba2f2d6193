"""The application of ``tehai review``: endpoints, the page, and what stands around them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from tehai.errors import Mistake
from tehai.review.api import Api
from tehai.review.crops import Missing
from tehai.review.eye import Eye
from tehai.review.store import NoPhoto, Store, Trouble
from tehai.server.answers import Refusal, no_such_thing, refused
from tehai.server.page import Page, tile
from tehai.server.security import Access, Guard, Shell
from tehai.web import app as web
from vision.image import PhotoError

STATIC: Final = Path(__file__).with_name("static")
"""The page: HTML, CSS and scripts as they are served."""

SHARED: Final = web.STATIC
"""Scripts that it has in common with the page of ``tehai serve``."""

REFUSED: Final[Mapping[type[Exception], tuple[int, str]]] = {
    NoPhoto: (404, "not_found"),
    Missing: (404, "missing"),
    PhotoError: (422, "bad_photo"),
    Mistake: (422, "bad_field"),
    Trouble: (503, "journal"),
}
"""Status and code of what endpoints raise; each says itself what is wrong."""


def make_app(store: Store, eye: Eye, by: str) -> Starlette:
    """The server as an ASGI application. ``by``: who reviews, where the page does not say."""
    api = Api(store, eye, by)
    photo = "/photos/{key:str}"
    return Starlette(
        routes=[
            Mount(
                "/api",
                routes=[
                    Route("/me", api.me),
                    Route("/queue", api.queue),
                    Route(photo, api.photo),
                    Route(photo, api.save, methods=["PUT"]),
                    Route(f"{photo}/image", api.image),
                    Route(f"{photo}/revisions/{{number:int}}", api.revision),
                    Route(f"{photo}/crops/{{tile:int}}", api.crop),
                    Route(f"{photo}/read", api.read, methods=["POST"]),
                    Route("/faces/{label}", api.faces),
                    Route("/faces", api.relabel, methods=["POST"]),
                    Route("/auto", api.auto),
                    Route("/auto", api.accept, methods=["POST"]),
                ],
            ),
            Route("/tiles/{label}.svg", tile),
            Mount("/shared", Page(directory=SHARED)),
            Mount("/", Page(directory=STATIC, html=True)),
        ],
        middleware=[Middleware(Shell), Middleware(Guard, access=Access())],
        exception_handlers={
            Refusal: _refuse,
            HTTPException: _no_such_thing,
            **dict.fromkeys(REFUSED, _refuse_for),
        },
    )


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return refused(error, request.scope)


async def _refuse_for(request: Request, error: Exception) -> Response:
    """What an endpoint has raised."""
    status, code = next(REFUSED[kind] for kind in type(error).__mro__ if kind in REFUSED)
    return refused(Refusal(status, code, str(error), why=getattr(error, "why", "")), request.scope)


async def _no_such_thing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refused(no_such_thing(error), request.scope)
