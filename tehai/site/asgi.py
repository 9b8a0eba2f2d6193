"""Call an application without a server: at build time for the static files, in the browser for the rest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of the application, with header names in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


async def ask(
    app: ASGIApp,
    path: str,
    method: str = "GET",
    headers: Iterable[tuple[str, str]] = (),
    body: bytes = b"",
    query: str = "",
) -> Answer:
    """Send one whole request and return its whole answer."""
    left = [body]
    status, answered, parts = 500, {}, []

    async def receive() -> Message:
        if not left:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": left.pop(), "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status, answered
        if message["type"] == "http.response.start":
            status = message["status"]
            answered = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            parts.append(message.get("body", b""))

    await app(
        {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [
                (b"host", b"localhost"),
                *((name.lower().encode(), value.encode()) for name, value in headers),
            ],
            "client": ("page", 0),
            "server": ("localhost", 80),
            "state": {},
        },
        receive,
        send,
    )
    return Answer(status, answered, b"".join(parts))
