"""``tehai review``: open the journal and a socket on this machine alone, and serve until Ctrl-C."""

from __future__ import annotations

import getpass
import os
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from tehai.errors import Mistake
from tehai.hand.inputs import installed_engine
from tehai.label import journal
from tehai.label.journal import Journal
from tehai.output.join import plural, printable
from tehai.review.app import make_app
from tehai.review.edit import parse_name
from tehai.review.store import JournalUnavailable, Store
from tehai.server.entrance import PLAIN_HTTP, qr_code, server_address, sessions_of
from tehai.server.network import listen
from tehai.server.serving import Server, configured, until_interrupted
from vision.reader import Reader


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command.

    ``where``: a labelled folder, or its journal. ``to``: the journal if it is elsewhere. ``by``: the
    reviewer; None for the user of the machine. ``port``: 0 for any. ``lan``: None for this machine alone;
    otherwise an interface, an address, or empty for the default route.
    """

    where: Path
    to: Path | None
    by: str | None
    port: int
    browser: bool
    lan: str | None = None
    https: bool = False


def serve(options: Options, console: Console) -> None:
    """Serve until interrupted. Raises :class:`Mistake` without a journal, or for a port in use."""
    by = parse_name(options.by, user())
    with ExitStack() as stack:
        way = server_address(options.lan, options.https)
        listening = stack.enter_context(listen(way.address, options.port))
        with console.status("Reading the labels …"):
            labels = stack.enter_context(opened(options.where, options.to))
        if labels.repaired:
            console.print(labels.repaired, markup=False)
        store = stack.enter_context(closing(Store(labels)))
        with console.status("Sorting the photos …"):
            sessions = sessions_of(way.access.token) if way.access.token else None
            app = make_app(store, Reader(installed_engine()), by, way.access, sessions)
            waiting = _waiting(store)
        server = Server(configured(app, way.certificate))
        url = way.url(listening.getsockname()[1])
        with until_interrupted(server, console):
            count = plural(len(labels.index.photos), "photo")
            _announce(console, url, f"{waiting:,} of {count}", labels, by, options)
            if options.browser and _has_screen():
                threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
            server.run(sockets=[listening])


@contextmanager
def opened(where: Path, to: Path | None) -> Iterator[Journal]:
    """Open the journal of a folder for writing. Raises :class:`Mistake` if there is nothing to review."""
    file = journal.find(where) if to is None else journal.place(where, to)
    if file.exists() and not os.access(file, os.W_OK):
        raise Mistake(f"{file} may not be written: corrections could not be kept; change its permissions.")
    with journal.writing(file) as labels:
        if not labels.index.photos:
            raise Mistake(f"{file} holds no photos yet; read them with: tehai label DIR.")
        folder = labels.folder
        if where.is_dir() and isinstance(folder, Path) and folder != where.resolve():
            raise Mistake(
                f"{file} holds the labels of {folder}, not of {where}; name that folder, or where its photos "
                f"have moved, let the labels follow them: tehai label {where} --to {file}"
            )
        yield labels


def user() -> str:
    """The user of this machine."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # a machine without users
        return "reviewer"


def _has_screen() -> bool:
    """Whether a browser can open a window; otherwise it would take over the terminal."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _waiting(store: Store) -> int:
    """The number of photos that wait for a person. Raises :class:`Mistake` if the journal is unusable."""
    try:
        with store.up_to_date() as queue:
            return sum(facts.open for facts in queue.facts.values())
    except JournalUnavailable as trouble:
        raise Mistake(str(trouble)) from None


def _announce(console: Console, url: str, waiting: str, labels: Journal, by: str, options: Options) -> None:
    console.print(url, soft_wrap=True, style="bold", markup=False)
    if options.lan is not None:
        console.print(qr_code(url), soft_wrap=True, style="bright_white on black")
    console.print(f"To review: {waiting} ({printable(str(labels.file))}).", markup=False)
    if options.lan is None:
        console.print(f"Only this machine is served; you review as {by}. Ctrl-C stops.", markup=False)
    else:
        console.print(
            "Everybody who scans it reviews under the name that they set on the page. Ctrl-C stops."
        )
        if not options.https:
            console.print(PLAIN_HTTP)
