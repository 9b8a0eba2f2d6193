"""``tehai serve``: open a socket, print the address and its QR code, and serve until Ctrl-C."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rich.console import Console

from tehai.output.join import printable
from tehai.output.photo_archive import PhotoArchive
from tehai.server.entrance import PLAIN_HTTP, qr_code, server_address, sessions_of
from tehai.server.limits import Limits
from tehai.server.network import listen
from tehai.server.serving import Server, configured, until_interrupted
from tehai.server.token import last_token
from tehai.web.app import make_app
from tehai.web.games.api import GamesApi
from tehai.web.games.store import GameStore, back_up
from tehai.web.request_rules import RequestRules
from tehai.web.worker_pool import open_worker_pool

__all__ = ["Options", "back_up", "end_session", "list_sessions", "serve"]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command.

    ``lan``: None for this machine alone; otherwise an interface, an address, or empty for the default route.
    ``port``: 0 for any free one. ``keep``: the folder for photos. ``new_token``: whether phones must scan
    again. ``games``: the folder for shared games. ``upload_mb``, ``threads``, ``clients``: limits to change.
    """

    port: int
    lan: str | None = None
    https: bool = False
    rules: str = "ema2008"
    keep: Path | None = None
    new_token: bool = False
    games: Path | None = None
    upload_mb: int | None = None
    threads: int | None = None
    clients: int | None = None


def serve(options: Options, console: Console) -> None:
    """Serve until interrupted. Raises :class:`Mistake` for a port in use or unknown rules."""
    request_rules = RequestRules.of(options.rules)
    archive = None if options.keep is None else PhotoArchive.at(options.keep)
    way = server_address(options.lan, options.https, new_token=options.new_token)
    access = way.access
    with ExitStack() as stack:
        listening = stack.enter_context(listen(way.address, options.port))
        store = None if options.games is None else stack.enter_context(GameStore(options.games))
        pool = stack.enter_context(open_worker_pool(options.threads))
        sessions = sessions_of(access.token) if access.token else None
        limits = Limits.of(options.upload_mb, options.clients)
        authority = way.certificate.authority if way.certificate else None
        url = way.home(listening.getsockname()[1])
        reached = None if options.lan is None else url
        games = None if store is None else GamesApi(store, pool, request_rules, limits)
        app = make_app(
            pool, access, request_rules, limits,
            archive=archive, authority=authority, address=reached, games=games, sessions=sessions,
        )  # fmt: skip
        server = Server(configured(app, way.certificate))
        with until_interrupted(server, console):
            _announce(console, url, f"?t={access.token}" if access.token else "", options)
            server.run(sockets=[listening])


def _announce(console: Console, home: str, token: str, options: Options) -> None:
    url = f"{home}{token}"
    console.print(url, soft_wrap=True, style="bold", markup=False)
    console.print(qr_code(url), soft_wrap=True, style="bright_white on black")  # whatever the theme
    if options.lan is None:
        console.print("Only this machine is served; --lan serves phones in the same network.")
    elif not options.https:
        console.print("The phone's own camera app takes the photos; the live view needs --https.")
        console.print(PLAIN_HTTP)
    if options.https:
        console.print("The browser warns once: this certificate was made on this machine.")
    if options.keep is not None:
        console.print(f"Photos are kept in {options.keep}.", markup=False)
    if options.games is not None:
        console.print(f"Games are kept in {options.games}; the big screen:", markup=False)
        console.print(f"{home}table/{token}", soft_wrap=True, style="bold", markup=False)
    console.print("Ctrl-C stops.")


def list_sessions(console: Console) -> None:
    """Print the clients that have the present token."""
    found = sessions_of(last_token() or "").all()
    if not found:
        console.print("Nobody has come in with this evening's QR code.")
    for one in found:
        seen = datetime.fromtimestamp(one.seen).strftime("%H:%M")
        console.print(f"{one.name[:8]}  {one.address}  seen {seen}  {printable(one.agent)}", markup=False)


def end_session(name: str, console: Console) -> None:
    """End the session of one phone. Raises :class:`Mistake` unless exactly one has this name."""
    ended = sessions_of(last_token() or "").end(name)
    console.print(f"{ended.address} is out. It can come in again with the QR code; --new-token changes that.")
