"""The organiser's certificate and key, read and looked at before they are listened with."""

from __future__ import annotations

import ssl
from pathlib import Path

from referee.wire.server import ListenError


def read_tls(key: Path, certificate: Path) -> tuple[bytes, bytes]:
    """Read a private key and its certificate chain, both PEM.

    grpc says of a pair that it cannot use only that it cannot listen.

    Raises:
        ListenError: one of the files cannot be read or is none, or they do not belong together.
    """
    pair = _read(key), _read(certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_verify_locations(cafile=certificate)
    except ssl.SSLError as error:
        raise ListenError(f"{certificate}: is no certificate in PEM: `hearts cert` makes one") from error
    try:
        context.load_cert_chain(certificate, key, password=lambda: b"")  # else it asks at the terminal
    except ssl.SSLError as error:
        what = (
            f"is not the key of {certificate}"
            if error.reason == "KEY_VALUES_MISMATCH"
            else "is no private key in PEM without a password"
        )
        raise ListenError(f"{key}: {what}: `hearts cert` makes both") from error
    return pair


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ListenError(f"{path}: cannot be read: {error.strerror}") from error
