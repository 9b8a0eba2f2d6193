"""Who came in with the token: a list that ``tehai serve --sessions`` shows, and in which each can be ended.

Two small files beside the token: the server writes who is there, the command line who is to go. No address of
the server's is needed for it, so nobody in the network can ask for it.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from tehai.errors import Mistake
from tehai.output.files import write_whole

MOST: Final = 200
"""Sessions in the list; those not seen for longest are left out."""

PAUSE: Final = 20.0
"""Seconds between two notes of when somebody was seen last."""


@dataclass(frozen=True, slots=True)
class Session:
    """``name``: in its cookie; ``agent``: what its browser says of itself; ``since``, ``seen``: seconds
    of Unix time."""

    name: str
    address: str
    agent: str
    since: float
    seen: float


class Sessions:
    """Those of one token. ``folder``: where the files lie."""

    def __init__(self, token: str, folder: Path) -> None:
        self._there = folder / "sessions.json"
        self._ended = folder / "sessions-ended.json"
        self._token = sha256(token.encode()).hexdigest()[:16]  # another token, other sessions
        self._all = {one.name: one for one in self.all()}
        self._written = 0.0
        self._gone: frozenset[str] = frozenset()
        self._stamp: tuple[int, int] | None = None

    def is_ended(self, name: str) -> bool:
        """Whether somebody was sent out."""
        stamp = _stamp(self._ended)
        if stamp != self._stamp:
            self._gone, self._stamp = frozenset(self._named(self._ended)), stamp
        return name in self._gone

    def note(self, name: str, address: str, agent: str) -> None:
        """Somebody is there."""
        now = time.time()
        known = self._all.get(name)
        self._all[name] = Session(name, address, agent[:100], known.since if known else now, now)
        if known is None or now - self._written > PAUSE:
            self._written = now
            for one in self.all():  # another server of this machine writes the list, too
                if one.name not in self._all or self._all[one.name].seen < one.seen:
                    self._all[one.name] = one
            kept = sorted(self._all.values(), key=lambda one: one.seen)[-MOST:]
            self._all = {one.name: one for one in kept}
            with suppress(OSError):  # who is there is served all the same
                self._write(self._there, [asdict(one) for one in kept])

    def all(self) -> list[Session]:
        """Who is in the list and was not sent out, the newest last."""
        gone = set(self._named(self._ended))
        try:
            found = [Session(**one) for one in self._read(self._there)]
        except TypeError:  # another version's
            found = []
        return [one for one in found if one.name not in gone]

    def end(self, start: str) -> Session:
        """Send out who is named so, or by the beginning of the name. Raises :class:`Mistake`."""
        found = [one for one in self.all() if start and one.name.startswith(start)]
        if len(found) != 1:
            raise Mistake(f"{len(found)} sessions are called {start}…; name one of tehai serve --sessions.")
        try:
            self._write(self._ended, [*self._named(self._ended), found[0].name])
        except OSError as error:
            raise Mistake(f"{self._ended} cannot be written ({error.strerror}): {start} stays in.") from None
        return found[0]

    def _named(self, file: Path) -> list[str]:
        return [one for one in self._read(file) if isinstance(one, str)]

    def _read(self, file: Path) -> list[Any]:
        """What stands in a file for this token."""
        try:
            said = json.loads(file.read_bytes())
            found = said["sessions"] if said["token"] == self._token else []
        except (OSError, ValueError, KeyError, TypeError):
            return []
        return found if isinstance(found, list) else []

    def _write(self, file: Path, sessions: object) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps({"token": self._token, "sessions": sessions}).encode())


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns
