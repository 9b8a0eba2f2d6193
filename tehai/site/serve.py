"""``tehai site serve``: show a built site on this machine alone, as any static host would."""

from __future__ import annotations

from pathlib import Path

import uvicorn
from rich.console import Console
from starlette.applications import Starlette
from starlette.routing import Mount

from tehai.errors import Mistake
from tehai.server.network import listen
from tehai.server.page import Page
from tehai.server.serving import configured, until_interrupted
from tehai.site.build import VERSION_FILE


def host(out: Path) -> Starlette:
    """The files as they are, without caching."""
    return Starlette(routes=[Mount("/", Page(directory=out, html=True))])


def serve(out: Path, port: int, console: Console) -> None:
    """Serve until interrupted. Raises :class:`Mistake` if nothing was built."""
    if not (out / VERSION_FILE).is_file():
        raise Mistake(f"There is no site in {out}; tehai site build {out} makes one.")
    with listen("127.0.0.1", port) as listening:
        server = uvicorn.Server(configured(host(out)))
        with until_interrupted(server, console):
            address = f"http://localhost:{listening.getsockname()[1]}/"
            console.print(address, soft_wrap=True, style="bold", markup=False)
            console.print("Only this machine is served. Ctrl-C stops.")
            server.run(sockets=[listening])
