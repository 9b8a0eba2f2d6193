"""Asks an application without a server: ``build`` for what is written down, the browser's worker for the
rest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message


@dataclass(frozen=True, slots=True)
class Answer:
    """What the application answered, its headers in small letters."""

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
    """One request, whole, and its whole answer."""
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
