"""Change a game's list of events. No HTTP, no disk here.

An entry is ``{"id", "at", "event"}``: a name that the client chose, a time, and the event.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tehai.server.answers import Refusal
from tehai.web.table import MOST_EVENTS

Entry = dict[str, Any]

KINDS: Final = ("add", "replace", "remove", "set")
"""The kinds of change: append an entry, replace one, remove one, set all."""

NAME: Final = re.compile(r"[\w-]{1,64}", re.ASCII)
"""Names of changes and entries, chosen by phones."""

LARGEST: Final = 16_000
"""The most bytes of an entry as JSON."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change.

    ``id``: its name; a repeated request has the same one. ``kind``: one of :data:`KINDS`. ``number``: of an
    event, from 1; 0 for none. ``entries``: the new ones.
    """

    id: str
    kind: str
    number: int = 0
    entries: tuple[Entry, ...] = ()

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Change:
        """What a request says: ``{"id", "add": entry}``, ``{"id", "replace": 3, "entry"}``,
        ``{"id", "remove": 3}``, ``{"id", "set": entries}``. Raises :class:`Refusal` for what is none.
        """
        said = [kind for kind in KINDS if kind in body]
        if len(said) != 1:
            raise Refusal(422, "bad_field", f"A change says one of {', '.join(KINDS)}.")
        (kind,) = said
        name, value = _name(body), body[kind]
        if kind == "add":
            return cls(name, kind, 0, (entry_of(value),))
        if kind == "set":
            if not isinstance(value, list) or not 0 < len(value) <= MOST_EVENTS:
                raise Refusal(422, "bad_field", f"set must be a list of 1 to {MOST_EVENTS} entries.")
            return cls(name, kind, 0, tuple(map(entry_of, value)))
        if type(value) is not int or value < 1:
            raise Refusal(422, "bad_field", f"{kind} must be the number of an event, from 1.")
        return cls(name, kind, value, () if kind == "remove" else (entry_of(body.get("entry")),))

    def to_record(self) -> dict[str, Any]:
        """The inverse of :meth:`of`."""
        match self.kind:
            case "add":
                said: dict[str, Any] = {"add": self.entries[0]}
            case "set":
                said = {"set": list(self.entries)}
            case "replace":
                said = {"replace": self.number, "entry": self.entries[0]}
            case _:
                said = {"remove": self.number}
        return {"id": self.id, **said}


def _name(body: Mapping[str, Any]) -> str:
    name = body.get("id")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise Refusal(422, "bad_field", "id must be a name of at most 64 letters, digits, - and _.")
    return name


def entry_of(value: object) -> Entry:
    """The entry in a request. Raises :class:`Refusal` for an invalid one."""
    if not isinstance(value, Mapping) or not isinstance(value.get("event"), Mapping):
        raise Refusal(422, "bad_field", 'An entry is {"id": ..., "at": ..., "event": an event}.')
    at = value.get("at", "")
    if not isinstance(at, str) or len(at) > 40:
        raise Refusal(422, "bad_field", "at must be when it was, as a text.")
    entry = {"id": _name(value), "at": at, "event": value["event"]}
    if not _is_plain(entry):
        raise Refusal(
            422, "bad_field", "An event holds texts, whole numbers, lists and objects, none of them deep."
        )
    if len(json.dumps(entry)) > LARGEST:
        raise Refusal(413, "too_large", f"An event has at most {LARGEST:,} bytes.")
    return entry


def _is_plain(value: object, depth: int = 8) -> bool:
    """Whether a JSON value can be written again (no NaN), and has no more levels than any event."""
    if isinstance(value, Mapping | list):
        inside = value.values() if isinstance(value, Mapping) else value
        return depth > 0 and all(_is_plain(one, depth - 1) for one in inside)
    return value is None or isinstance(value, str | int)


def after(entries: Sequence[Entry], change: Change) -> list[Entry]:
    """The entries after a change. Raises :class:`Refusal` if no event has that number."""
    if change.kind in ("add", "set"):
        return [*(entries if change.kind == "add" else ()), *change.entries]
    at = change.number - 1
    first = 1 if change.kind == "remove" else 0  # a game begins with its start
    if not first <= at < len(entries):
        raise Refusal(422, "no_event", f"There is no event {change.number} to {change.kind}.")
    return [*entries[:at], *change.entries, *entries[at + 1 :]]


def entries_of(changes: Iterable[Change]) -> list[Entry]:
    """The entries after a whole log."""
    entries: list[Entry] = []
    for change in changes:
        entries = after(entries, change)
    return entries
