"""Looking whether a referee is there, and whether it speaks as it is spoken to."""

from __future__ import annotations

import grpc
import pytest

from referee.wire import dial
from tests.contract.certificates import key_and_certificate
from tests.contract.scripted_referee import ScriptedReferee


async def test_a_referee_of_tls_that_comes_late_is_told_as_soon_as_it_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [None, None, True]  # nobody is there; then it is

    async def probe(address: str) -> bool | None:
        assert address == "127.0.0.1:1"
        return found.pop(0)

    monkeypatch.setattr(dial, "_speaks_tls", probe)
    monkeypatch.setattr(dial, "UNHURRIED_S", 0)
    monkeypatch.setattr(dial, "PROBE_INTERVAL_S", 0)

    with pytest.raises(dial.SpeaksOtherwiseError) as raised:
        await dial.knock("127.0.0.1:1", "token", None, wait_s=60)

    assert raised.value.is_tls
    assert found == []


@pytest.mark.parametrize("wants_certificates", [False, True])
async def test_tls_is_known_by_its_handshake_whatever_its_certificates_are(wants_certificates: bool) -> None:
    pair = key_and_certificate()
    credentials = grpc.ssl_server_credentials([pair], pair[1], wants_certificates)
    with ScriptedReferee("localhost:0", credentials) as tls, ScriptedReferee("localhost:0") as plain:
        spoken = [await dial._speaks_tls(each.address) for each in (tls, plain)]

    assert spoken == [True, False]
