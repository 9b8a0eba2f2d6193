"""The token of ``tehai serve --lan``: kept for an evening, so that after a restart no phone scans again."""

from __future__ import annotations

import math
import os
import re
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import platformdirs

from tehai.output.files import write_whole
from tehai.server.security import EVENING

_TOKEN: Final = re.compile(rb"[\w-]{32}")


def token_file() -> Path:
    """Where the token lies, beside the certificate's folder."""
    return platformdirs.user_data_path("tehai") / "token"


def token_for(file: Path | None = None, *, new: bool = False) -> str:
    """The token of this evening: the one that is kept, or one of 192 bits that is made now, ``new`` always.

    Where it cannot be kept it is that of this start alone.
    """
    file = file or token_file()
    kept = None if new else last_token(file, EVENING)
    if kept is not None:
        return kept
    token = secrets.token_urlsafe(24)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, token.encode())
    return token


def last_token(file: Path | None = None, lasts: float = math.inf) -> str | None:
    """The token of the server that was started last, None for one that is older than it ``lasts``, in
    seconds, damaged, or that others could have read or written."""
    file = file or token_file()
    try:
        handle = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as opened:
            about = os.fstat(handle)
            text = opened.read(64)
    except OSError:
        return None
    private = os.name != "posix" or (about.st_uid == os.getuid() and not stat.S_IMODE(about.st_mode) & 0o077)
    fresh = 0 <= time.time() - about.st_mtime < lasts
    return text.decode() if private and fresh and _TOKEN.fullmatch(text) else None
