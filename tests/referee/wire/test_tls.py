"""Certificates and keys that are none: the file is named, and nothing is left of the attempt to listen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from referee.executors.house import House
from referee.records import Ruling, TimeControl
from referee.wire.server import ListenError
from referee.wire.tls import read_tls
from tests.contract.certificates import key_and_certificate
from tests.contract.gallery import house_config


def private_key(encryption: serialization.KeySerializationEncryption) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption)


KEY, CERTIFICATE = key_and_certificate()
ANOTHER = private_key(serialization.NoEncryption())
LOCKED = private_key(serialization.BestAvailableEncryption(b"secret"))


def written(folder: Path, key: bytes | None, certificate: bytes | None) -> tuple[Path, Path]:
    files = folder / "server.key", folder / "server.pem"
    for file, content in zip(files, (key, certificate), strict=True):
        if content is not None:
            file.write_bytes(content)
    return files


def test_a_pair_that_belongs_together_is_read(tmp_path: Path) -> None:
    assert read_tls(*written(tmp_path, KEY, CERTIFICATE)) == (KEY, CERTIFICATE)


@pytest.mark.parametrize(
    ("key", "certificate", "sentence"),
    [
        (b"bad key", CERTIFICATE, r"server\.key: is no private key in PEM without a password"),
        (LOCKED, CERTIFICATE, r"server\.key: is no private key in PEM without a password"),
        (KEY, b"bad cert", r"server\.pem: is no certificate in PEM"),
        (KEY, b"", r"server\.pem: is no certificate in PEM"),
        (ANOTHER, CERTIFICATE, r"server\.key: is not the key of .*server\.pem"),
        (None, CERTIFICATE, r"server\.key: cannot be read: No such file"),
        (KEY, None, r"server\.pem: cannot be read: No such file"),
    ],
)
async def test_a_pair_that_cannot_be_used_is_named_and_nothing_is_left(
    tmp_path: Path, key: bytes | None, certificate: bytes | None, sentence: str
) -> None:
    key_file, certificate_file = written(tmp_path, key, certificate)
    config = replace(
        house_config(tmp_path, {}, TimeControl(), Ruling.SUBSTITUTE),
        listen="127.0.0.1:0",
        tls_key=str(key_file),
        tls_cert=str(certificate_file),
    )
    house = House(config)
    with pytest.raises(ListenError, match=sentence):
        await house.__aenter__()

    assert not Path(house.socket_folder).exists()  # noqa: ASYNC240


async def test_a_key_alone_or_a_certificate_alone_is_refused(tmp_path: Path) -> None:
    config = replace(house_config(tmp_path, {}, TimeControl(), Ruling.SUBSTITUTE), listen="127.0.0.1:0")
    for alone in (replace(config, tls_key="server.key"), replace(config, tls_cert="server.pem")):
        with pytest.raises(ListenError, match="give both a certificate and its key, or none"):
            await House(alone).__aenter__()
