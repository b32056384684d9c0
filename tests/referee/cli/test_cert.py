"""`hearts cert`: certificates that a bot's TLS accepts for the hosts named and no others."""

from __future__ import annotations

import json
import ssl
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app


def cert(*words: str) -> Result:
    return CliRunner().invoke(app, ["cert", *words])


def shake_hands(folder: Path, host: str) -> str:
    """Do a TLS handshake in memory and return the protocol version."""
    server_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_context.load_cert_chain(folder / "server.pem", folder / "server.key")
    client_context = ssl.create_default_context(cafile=folder / "ca.pem")
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = server_context.wrap_bio(to_server, to_client, server_side=True)
    client = client_context.wrap_bio(to_client, to_server, server_hostname=host)
    waiting = [client, server]
    for _ in range(10):
        for side in list(waiting):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            waiting.remove(side)
        if not waiting:
            return client.version() or ""
    raise AssertionError("the handshake does not end")


@pytest.mark.parametrize("host", ["arena.example", "10.1.2.3", "localhost", "127.0.0.1", "::1"])
def test_a_bot_trusts_the_referee_at_every_host_named(host: str, tmp_path: Path) -> None:
    assert cert("--out", str(tmp_path), "--host", "arena.example", "--host", "10.1.2.3").exit_code == 0

    assert shake_hands(tmp_path, host) == "TLSv1.3"


def test_a_bot_does_not_trust_it_anywhere_else(tmp_path: Path) -> None:
    cert("--out", str(tmp_path), "--host", "arena.example")

    with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
        shake_hands(tmp_path, "other.example")


def test_keys_are_for_their_owner_alone(tmp_path: Path) -> None:
    cert("--out", str(tmp_path))

    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert {name: mode for name, mode in modes.items() if name.endswith(".key")} == {
        "ca.key": 0o600,
        "server.key": 0o600,
    }
    assert set(modes) == {"ca.key", "ca.pem", "server.key", "server.pem"}, "nothing else is left"


def test_renewing_keeps_the_authority_so_that_bots_need_nothing_new(tmp_path: Path) -> None:
    cert("--out", str(tmp_path), "--host", "old.example")
    authority, server = (tmp_path / "ca.pem").read_bytes(), (tmp_path / "server.pem").read_bytes()

    renewed = cert("--out", str(tmp_path), "--host", "new.example")

    assert "kept the authority" in renewed.stderr
    assert (tmp_path / "ca.pem").read_bytes() == authority
    assert (tmp_path / "server.pem").read_bytes() != server
    assert shake_hands(tmp_path, "new.example")


def test_it_says_what_the_organiser_and_the_authors_have_to_do(tmp_path: Path) -> None:
    text = cert("--out", str(tmp_path)).stdout

    assert f'tls_cert = "{tmp_path}/server.pem"' in text
    assert f"Give bot authors {tmp_path}/ca.pem; they set HEARTS_CA" in text


def test_json_names_files_hosts_and_the_end(tmp_path: Path) -> None:
    data = json.loads(cert("--out", str(tmp_path), "--host", "a.example", "--days", "30", "--json").stdout)

    assert data["hosts"] == ["a.example", "localhost", "127.0.0.1", "::1"]
    assert all(Path(path).is_file() for path in data["files"].values())
    assert data["valid_until"].endswith("+00:00")


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda folder: (folder / "ca.key").unlink(), "is there without its key ca.key"),
        (lambda folder: (folder / "ca.pem").write_text("x"), "cannot be read"),
        (lambda folder: (folder / "server.key").replace(folder / "ca.key"), "ca.key is not the key of ca.pem"),
    ],
)
def test_a_damaged_authority_is_never_replaced_in_silence(damage: object, sentence: str, tmp_path: Path) -> None:
    cert("--out", str(tmp_path))
    assert callable(damage)
    damage(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    done = cert("--out", str(tmp_path))

    assert done.exit_code == 2
    assert sentence in done.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_host_that_is_none_is_refused(tmp_path: Path) -> None:
    done = cert("--out", str(tmp_path), "--host", "a..b")

    assert done.exit_code == 2
    assert "--host 'a..b': is neither a host name nor an address" in done.stderr
