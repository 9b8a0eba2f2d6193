"""Which address of this machine others reach it by, and a socket that listens there."""

from __future__ import annotations

import errno
import ipaddress
import re
import socket
import struct
import sys

from tehai.errors import Mistake

_NOWHERE = ("192.0.2.1", 9)
"""An address of documentation (RFC 5737): asking for the way there sends nothing."""

_SIOCGIFADDR = 0x8915
_HOST_NAME = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")


def address_of(interface: str) -> str:
    """The address that ``interface`` names: an address, an interface's name, or empty for the way out.

    Raises :class:`Mistake` where there is none.
    """
    if not interface:
        return _way_out()
    try:
        address = ipaddress.ip_address(interface)
    except ValueError:
        return _address_of_interface(interface)
    if address.is_unspecified or address.is_multicast:
        raise Mistake(f"{interface} is no single address; name the one that the phones are to reach.")
    return str(address)


def _way_out() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_NOWHERE)
        except OSError:
            raise Mistake(
                "This machine is in no network; join one, or name an address: tehai serve --lan ADDRESS."
            ) from None
        return str(probe.getsockname()[0])


def _address_of_interface(name: str) -> str:
    known = [interface for _, interface in socket.if_nameindex()]
    if name not in known:
        raise Mistake(f"There is no interface {name}; there are {', '.join(known)}, or name an address.")
    if sys.platform != "linux":
        raise Mistake(f"Here an interface cannot be asked for its address; name that instead of {name}.")
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = struct.pack("256s", name.encode())
        try:
            answer = fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, request)
        except OSError:
            raise Mistake(f"The interface {name} has no address; name another one.") from None
    return socket.inet_ntoa(answer[20:24])


def names_of(address: str) -> frozenset[str]:
    """What the machine is called at that address: the address, and its own name, also as others find it by
    multicast DNS."""
    own = socket.gethostname().lower().removesuffix(".local")
    names = {own, f"{own}.local"} if _HOST_NAME.fullmatch(own) else set()
    return frozenset(names | {address})


def in_url(address: str) -> str:
    """The address as it stands in a URL."""
    return f"[{address}]" if ":" in address else address


def listen(address: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 is any that is free. Raises :class:`Mistake` where it cannot."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise Mistake(_why_not(error, address, port)) from None
    return listening


def _why_not(error: OSError, address: str, port: int) -> str:
    reasons = {
        errno.EADDRINUSE: f"Port {port} is taken by another program; stop it, or choose one with --port"
        " (0: any that is free).",
        errno.EADDRNOTAVAIL: f"{address} is no address of this machine; name one that is.",
        errno.EACCES: f"Port {port} may not be listened on; choose one from 1024 on with --port.",
    }
    reason = error.strerror or str(error)
    return reasons.get(error.errno or 0, f"{address}, port {port}, cannot be listened on: {reason}.")
