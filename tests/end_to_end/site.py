"""What shows a site to a browser: a static host that can be stopped, and be given another version."""

from __future__ import annotations

import mimetypes
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

mimetypes.add_type("text/javascript", ".mjs")
mimetypes.add_type("application/manifest+json", ".webmanifest")


class Host:
    """A plain host on one port: files as they lie, with an ETag, and no header of ours.

    ``asked``: path and status of each request. ``under``: the folder of the host in which the site lies.
    """

    def __init__(self, folder: Path, under: str = "/table/") -> None:
        self.folder = folder
        self.asked: list[tuple[str, int]] = []
        self._under = under
        self._port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}{self._under}"

    def start(self) -> None:
        host = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"  # browsers believe no ETag of an older one

            def do_GET(self) -> None:
                if host._up:
                    host._answer(self)
                else:
                    self.close_connection = True

            def log_message(self, *_: Any) -> None: ...

        ThreadingHTTPServer.request_queue_size = 64
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), Handler)
        self._port = self._server.server_address[1]
        self._up = True
        Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """No connection is answered from now on, one that the browser has kept open neither."""
        self._up = False
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        path = request.path.partition("?")[0]
        name = path.removeprefix(self._under) or "index.html"
        file = self.folder / name
        if not path.startswith(self._under) or not file.is_file():
            self._send(request, path, 404)
            return
        data = file.read_bytes()
        tag = f'"{sha256(data).hexdigest()[:20]}"'
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        same = request.headers.get("If-None-Match") == tag
        self._send(
            request, path, 304 if same else 200, b"" if same else data, {"ETag": tag, "Content-Type": kind}
        )

    def _send(
        self,
        request: BaseHTTPRequestHandler,
        path: str,
        status: int,
        data: bytes = b"",
        headers: dict[str, str] | None = None,
    ) -> None:
        self.asked.append((path, status))
        try:
            request.send_response(status)
            for name, value in ({"Content-Length": str(len(data))} | (headers or {})).items():
                request.send_header(name, value)
            request.end_headers()
            request.wfile.write(data)
        except ConnectionError:
            pass  # the page was closed
