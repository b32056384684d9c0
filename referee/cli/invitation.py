"""What a remote bot's author has to set: an address that can be dialled, the token, and the authority."""

from __future__ import annotations

import socket
from pathlib import Path

ANYWHERE = ("0.0.0.0", "[::]", "::")  # noqa: S104  recognised, not listened at


def invitation(name: str, listening: str, token: str, tls_cert: Path | str | None) -> str:
    """Say in two lines what to set for a bot, and the command that runs it.

    Args:
        name: of the bot.
        listening: where the referee listens, `host:port`.
        token: of the bot.
        tls_cert: the certificate chain in use; empty on loopback.
    """
    host, _, port = listening.rpartition(":")
    if host in ANYWHERE:
        host = _name_in(Path(tls_cert)) if tls_cert else socket.gethostname()
    line = f"  {name}: HEARTS_REFEREE={host}:{port} HEARTS_TOKEN={token}"
    command = f"HEARTS_TOKEN={token} hearts connect BOT --to {host}:{port}"
    if tls_cert:
        line += " HEARTS_CA=ca.pem (the authority that `hearts cert` made)"
        command += " --ca ca.pem"
    return f"{line}\n    or: {command}"


def _name_in(certificate: Path) -> str:
    """Give the first name or address of a certificate that others can dial, or else this host's name."""
    from cryptography import x509

    chain = x509.load_pem_x509_certificate(certificate.read_bytes())
    try:
        names = chain.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return socket.gethostname()
    known = [*names.get_values_for_type(x509.DNSName), *map(str, names.get_values_for_type(x509.IPAddress))]
    away = [each for each in known if each not in ("localhost", "127.0.0.1", "::1")]
    return (away or known or [socket.gethostname()])[0]
