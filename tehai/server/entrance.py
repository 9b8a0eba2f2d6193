"""How people come in: from this machine alone, or from the network by a QR code with a token in it."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import segno

from tehai.server.network import address_of, in_url, names_of
from tehai.server.security import LOOPBACK, Access
from tehai.server.sessions import Sessions
from tehai.server.token import token_file, token_for

if TYPE_CHECKING:
    from tehai.server.certificate import Certificate


PLAIN_HTTP: Final = "Others in the same network can read plain HTTP; --https prevents that."
"""The warning of a server that phones reach without https."""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """``address``: where to listen. ``certificate``: for https."""

    address: str
    access: Access
    certificate: Certificate | None

    def home(self, port: int) -> str:
        """The address of the first page."""
        return f"{self.access.scheme}://{in_url(self.address)}:{port}/"

    def url(self, port: int) -> str:
        """The same with the token, if one is needed."""
        return self.home(port) + (f"?t={self.access.token}" if self.access.token else "")


def server_address(lan: str | None, https: bool, *, new_token: bool = False) -> ServerAddress:
    """``lan``: None for this machine alone, else an interface, an address, or empty for the one that leads
    out. Raises :class:`Mistake` for one that there is not."""
    address = "127.0.0.1" if lan is None else address_of(lan)
    names = LOOPBACK if lan is None else names_of(address)
    certificate = None
    if https:  # what makes certificates takes a tenth of a second to load
        from tehai.server.certificate import certificate_for

        certificate = certificate_for(names | LOOPBACK)
    token = "" if lan is None else token_for(new=new_token)
    return ServerAddress(address, Access(names, https, token), certificate)


def sessions_of(token: str) -> Sessions:
    """Those who came in with a token, in files beside it."""
    return Sessions(token, token_file().parent)


def qr_code(text: str) -> str:
    """A QR code for a terminal."""
    drawn = io.StringIO()
    segno.make(text, error="m").terminal(drawn, compact=True)
    return drawn.getvalue()
