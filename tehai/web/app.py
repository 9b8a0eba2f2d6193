"""The application: its endpoints, the files of the page, and its middleware."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.responses import RedirectResponse
from starlette.routing import Mount, Route

from scorer.telling.catalogue import LANGUAGES
from tehai.output.photo_archive import PhotoArchive
from tehai.server.app import application
from tehai.server.limits import Limits
from tehai.server.page import COMMON, Page, files
from tehai.server.security import Access
from tehai.web.api import Api
from tehai.web.learning import LearnApi
from tehai.web.request_rules import RequestRules
from tehai.web.worker_pool import Place

if TYPE_CHECKING:
    from tehai.server.sessions import Sessions
    from tehai.web.games.api import GamesApi

STATIC = Path(__file__).with_name("static")
"""The page: HTML, CSS and scripts."""

BIG_SCREEN = Path(__file__).with_name("big_screen")
"""The page that shows a shared game on a big screen."""

WITHOUT_TOKEN: Final = (
    files(STATIC)
    | COMMON
    | {f"/lang/questions.{language}.json" for language in LANGUAGES}
    | {"/", "/api/health", "/api/rules", "/api/score", "/api/lesson", "/api/game"}
)
"""The paths for opening a hand from a shared link without a token: the page and the scorer.

The link has the hand, never its value. None of these paths shows or reads a photo. A score takes a few
hundredths of a second, and :class:`Limits` bounds it.
"""

_BIG_SCREEN: Final = (
    Route("/table", lambda _: RedirectResponse("/table/")),
    Mount("/table", Page(directory=BIG_SCREEN, html=True)),
)


def make_app(
    pool: Place,
    access: Access | None = None,
    request_rules: RequestRules | None = None,
    limits: Limits | None = None,
    *,
    archive: PhotoArchive | None = None,
    authority: Path | None = None,
    address: str | None = None,
    games: GamesApi | None = None,
    sessions: Sessions | None = None,
) -> Starlette:
    """The server as an ASGI application.

    ``archive``: stores photos, if they are kept. ``authority``: the certificate that phones may trust.
    ``address``: where phones reach the page, if they can. ``games``: the shared games, if they are kept here.
    ``sessions``: the clients with a token.
    """
    limits = limits or Limits()
    request_rules = request_rules or RequestRules()
    api = Api(pool, request_rules, limits, archive, authority, address, games is not None)
    return application(
        [
            Mount(
                "/api",
                routes=[
                    Route("/read", api.read, methods=["POST"]),
                    Route("/find", api.find, methods=["POST"]),
                    Route("/score", api.score, methods=["POST"]),
                    Route("/typed", api.typed, methods=["POST"]),
                    Route("/lesson", api.lesson, methods=["POST"]),
                    Route("/game", api.game, methods=["POST"]),
                    Route("/rules", api.rules),
                    Route("/words", api.words),
                    Route("/health", api.health),
                    *LearnApi(pool, request_rules, limits).routes(),
                    *(games.routes() if games else ()),
                ],
            ),
            *(_BIG_SCREEN if games else ()),
            Route("/lang/questions.{language}.json", api.questions),
            Route("/openapi.json", api.openapi),
            Route("/lesson.css", api.lesson_style),
            Route("/sample.jpg", api.sample),
            Route("/faces.jpg", api.faces),
            Route("/certificate.pem", api.certificate),
            Mount("/", Page(directory=STATIC, html=True)),
        ],
        access or Access(),
        limits,
        open_to_all=WITHOUT_TOKEN,
        sessions=sessions,
    )
