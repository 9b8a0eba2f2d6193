"""The certificate of ``tehai serve --https``: made on this machine for its own addresses, and reused.

A new authority signs it, and its private key is deleted at once. So a phone can trust the authority: nobody,
not even this machine, can sign anything else in its name.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import platformdirs
import trustme
from cryptography import x509
from cryptography.exceptions import InvalidSignature

from tehai.errors import Mistake
from tehai.output.files import write_whole

VALID: Final = timedelta(days=365)
RENEW: Final = timedelta(days=14)
"""A certificate with less time left is made anew."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """``server``: a PEM file with key and certificate chain; ``authority``: one that phones may trust."""

    server: Path
    authority: Path


def data_folder() -> Path:
    """Where certificates lie."""
    return platformdirs.user_data_path("tehai") / "certificate"


def certificate_for(hosts: Collection[str], folder: Path | None = None) -> Certificate:
    """The certificate for these names and addresses, made where there is none that holds.

    Raises :class:`Mistake` where it cannot be written.
    """
    folder = folder or data_folder()
    kept = Certificate(folder / "server.pem", folder / "authority.pem")
    if not _holds(kept, hosts):
        try:
            _make(kept, hosts)
        except OSError as error:
            raise Mistake(f"The certificate cannot be kept in {folder}: {error.strerror}.") from None
    return kept


def _holds(kept: Certificate, hosts: Collection[str]) -> bool:
    """Whether the certificate names all hosts, will last, and is that of its authority."""
    try:
        served = x509.load_pem_x509_certificates(kept.server.read_bytes())[0]
        authority = x509.load_pem_x509_certificate(kept.authority.read_bytes())
        served.verify_directly_issued_by(authority)
        names = served.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, TypeError, x509.ExtensionNotFound, InvalidSignature):
        return False
    named = {str(name) for kind in (x509.DNSName, x509.IPAddress) for name in names.get_values_for_type(kind)}
    lasting = served.not_valid_after_utc - datetime.now(UTC) > RENEW
    return lasting and {_plain(host) for host in hosts} <= named


def _plain(host: str) -> str:
    """An address as the certificate writes it."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return host


def _make(kept: Certificate, hosts: Collection[str]) -> None:
    authority = trustme.CA(organization_name="tehai", organization_unit_name="made on this machine")
    issued = authority.issue_cert(*sorted(hosts), not_after=datetime.now(UTC) + VALID)
    kept.server.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(kept.authority, authority.cert_pem.bytes())
    write_whole(kept.server, issued.private_key_and_cert_chain_pem.bytes())
