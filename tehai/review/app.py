"""The application of ``tehai review``: its endpoints, the page, and its middleware."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.routing import Mount, Route

from tehai.errors import Mistake
from tehai.review.api import LIMITS, Api
from tehai.review.crops import PhotoMissing
from tehai.review.reader_protocol import TileReader
from tehai.review.store import JournalUnavailable, NoPhoto, Store
from tehai.server.app import Faults, application
from tehai.server.page import Page
from tehai.server.security import Access
from tehai.server.sessions import Sessions
from vision.image import PhotoError

STATIC: Final = Path(__file__).with_name("static")
"""The page: HTML, CSS and scripts."""

REFUSED: Final[Faults] = {
    NoPhoto: (404, "not_found"),
    PhotoMissing: (404, "missing"),
    PhotoError: (422, "bad_photo"),
    Mistake: (422, "bad_field"),
    JournalUnavailable: (503, "journal"),
}
"""Status and code of the errors of endpoints. Each error has its own sentence."""


def make_app(
    store: Store,
    reader: TileReader,
    by: str,
    access: Access | None = None,
    sessions: Sessions | None = None,
) -> Starlette:
    """The server as an ASGI application. ``by``: the reviewer if the page does not say and only this machine
    is served. ``sessions``: the clients with a token."""
    api = Api(store, reader, by, shared=bool(access and access.token))
    photo = "/photos/{key:str}"
    return application(
        [
            Mount(
                "/api",
                routes=[
                    Route("/me", api.me),
                    Route("/queue", api.queue),
                    Route("/alike", api.alike),
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
            Mount("/", Page(directory=STATIC, html=True)),
        ],
        access or Access(),
        LIMITS if sessions else None,
        faults=REFUSED,
        sessions=sessions,
    )
