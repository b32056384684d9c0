"""`hearts cert`: an authority of one's own and a server certificate signed by it, for remote bots over TLS."""

from __future__ import annotations

import os
import socket
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

import typer
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from referee.cli.console import JsonOption, QuietOption, emit, emit_json, fail, note
from referee.cli.errors import Failure

_AUTHORITY_DAYS = 3_650
_CLOCK_SLACK = timedelta(hours=1)  # a bot's clock may be behind ours


def cert(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to write the files.")] = Path("certs"),
    host: Annotated[
        list[str] | None,
        typer.Option(
            "--host",
            metavar="NAME",
            help="A host name or address under which bots reach the referee; may be given several times. "
            "Default: this machine's name. localhost always works too.",
        ),
    ] = None,
    days: Annotated[
        int, typer.Option("--days", min=1, max=3_650, help="How long the server certificate is valid.")
    ] = 365,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Make the certificates that remote bots need.

    The first call makes an authority (ca.pem, which bot authors get, and its key, which stays here) and a server
    certificate. Later calls keep the authority and renew the server certificate, so that authors need nothing new.
    """
    hosts = list(dict.fromkeys([*(host or [socket.gethostname()]), "localhost", "127.0.0.1", "::1"]))
    names = [_name(each) for each in hosts]
    out.mkdir(parents=True, exist_ok=True)
    is_new = not (out / "ca.key").exists()
    if is_new and (out / "ca.pem").exists():
        fail(f"{out / 'ca.pem'}: is there without its key ca.key: restore the key, or choose another folder")
    authority, authority_key = _new_authority(out) if is_new else _read_authority(out)
    key = ec.generate_private_key(ec.SECP256R1())
    server = _server_certificate(authority, authority_key, key, names, days)
    _write(out / "server.key", _pem_of(key))
    _write(out / "server.pem", _public_pem(server) + _public_pem(authority), mode=0o644)
    if as_json:
        files = {name: str(out / name) for name in ("ca.pem", "ca.key", "server.pem", "server.key")}
        emit_json({"files": files, "hosts": hosts, "valid_until": server.not_valid_after_utc.isoformat()})
        return
    note(f"{'made' if is_new else 'kept'} the authority {out / 'ca.pem'}", quiet=quiet)
    note(f"made a certificate for {', '.join(hosts)}, valid {days} days", quiet=quiet)
    emit(_what_to_do(out.absolute()))


def _what_to_do(out: Path) -> str:
    return (
        "In the tournament file:\n"
        "  [listen]\n"
        '  address = "0.0.0.0:7077"\n'
        f'  tls_cert = "{out / "server.pem"}"\n'
        f'  tls_key = "{out / "server.key"}"\n'
        f"Give bot authors {out / 'ca.pem'}; they set HEARTS_CA to their copy of it.\n"
        "Keep ca.key and server.key to yourself."
    )


def _name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        pass
    try:
        return x509.DNSName(host.encode("idna").decode("ascii"))
    except ValueError as error:
        raise Failure(f"--host {host!r}: is neither a host name nor an address: {error}") from error


def _new_authority(out: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Hearts Arena authority")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _CLOCK_SLACK)
        .not_valid_after(now + timedelta(days=_AUTHORITY_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write(out / "ca.key", _pem_of(key))
    _write(out / "ca.pem", _public_pem(certificate), mode=0o644)
    return certificate, key


def _read_authority(out: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    try:
        certificate = x509.load_pem_x509_certificate((out / "ca.pem").read_bytes())
        key = serialization.load_pem_private_key((out / "ca.key").read_bytes(), password=None)
    except ValueError as error:
        raise Failure(f"{out}: the authority in ca.pem and ca.key cannot be read: {error}") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        fail(f"{out}: ca.key is not the key of ca.pem: restore both, or choose another folder")
    return certificate, key


def _server_certificate(
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
    key: ec.EllipticCurvePrivateKey,
    names: list[x509.GeneralName],
    days: int,
) -> x509.Certificate:
    now = datetime.now(UTC)
    until = min(now + timedelta(days=days), authority.not_valid_after_utc)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Hearts Arena referee")]))
        .issuer_name(authority.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _CLOCK_SLACK)
        .not_valid_after(until)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False
        )
        .sign(authority_key, hashes.SHA256())
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _pem_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _public_pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _write(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file anew; a key is never readable by others, not even for a moment."""
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
    draft.replace(path)
