"""Looking at a referee from the bot's side before a bot is started: is anybody there who knows the token."""

from __future__ import annotations

import asyncio
import ssl

import grpc

from referee.wire.server import OPTIONS, SERVICE

LISTENING_S = 1.0
UNHURRIED_S = 0.5  # a referee that speaks as it is spoken to is connected by then, and is not probed
PROBE_INTERVAL_S = 1.0
REFUSED_S = 1.0  # a referee that does not know the token says so at once
_REFUSALS = (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNIMPLEMENTED)
_NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE")  # OpenSSL's words for bytes of another protocol


class NobodyThereError(Exception):
    """Nothing answers at the address, or not by the TLS that was asked for.

    Args:
        address: that was dialled.
        is_listening: something takes connections there, but does not speak as it was spoken to.
    """

    def __init__(self, address: str, *, is_listening: bool) -> None:
        super().__init__(address)
        self.is_listening = is_listening


class SpeaksOtherwiseError(Exception):
    """Somebody listens who wants TLS and was dialled without, or the reverse: waiting longer does not help.

    Args:
        address: that was dialled.
        is_tls: whether TLS is spoken there.
    """

    def __init__(self, address: str, *, is_tls: bool) -> None:
        super().__init__(address)
        self.is_tls = is_tls


class RefusedError(Exception):
    """The referee does not take the token, or is none; the message is its own sentence."""


async def knock(address: str, token: str, ca: bytes | None, *, wait_s: float) -> None:
    """Dial a referee and open a stream without a hello, which disturbs no stream that is there already.

    Args:
        address: `host:port`.
        token: of the bot.
        ca: certificates to trust, for TLS; None for a plain connection.
        wait_s: how long to wait for the connection.

    Raises:
        NobodyThereError: there is no connection.
        SpeaksOtherwiseError: there cannot be one; told within seconds.
        RefusedError: the call is refused.
    """
    credentials = grpc.ssl_channel_credentials(ca) if ca is not None else None
    options = (*OPTIONS, ("grpc.max_reconnect_backoff_ms", 1000))
    if credentials is not None:
        channel = grpc.aio.secure_channel(address, credentials, options)
    else:
        channel = grpc.aio.insecure_channel(address, options)
    async with channel:
        await _connected(channel, address, is_tls=ca is not None, wait_s=wait_s)
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(f"/{SERVICE}/Play")(
            metadata=(("authorization", f"Bearer {token}"),)
        )
        code = asyncio.ensure_future(call.code())
        await asyncio.wait({code}, timeout=REFUSED_S)
        if code.done() and code.result() in _REFUSALS:
            raise RefusedError(await call.details())
        call.cancel()
        code.cancel()


async def _connected(channel: grpc.aio.Channel, address: str, *, is_tls: bool, wait_s: float) -> None:
    """Wait for the connection, and meanwhile look whether there can be one; raises as `knock` does."""
    ready = asyncio.ensure_future(channel.channel_ready())
    other = asyncio.ensure_future(_speaks_otherwise(address, is_tls=is_tls))
    try:
        await asyncio.wait({ready, other}, timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
        if ready.done():
            return
        if other.done():
            raise SpeaksOtherwiseError(address, is_tls=not is_tls)
        raise NobodyThereError(address, is_listening=await _is_listening(address))
    finally:
        ready.cancel()
        other.cancel()


async def _speaks_otherwise(address: str, *, is_tls: bool) -> None:
    """Return as soon as it is found that TLS is spoken at the address, if not `is_tls`, or else that it is not."""
    pause_s = UNHURRIED_S
    while True:
        await asyncio.sleep(pause_s)
        if await _speaks_tls(address) is (not is_tls):
            return
        pause_s = PROBE_INTERVAL_S


async def _speaks_tls(address: str) -> bool | None:
    """Whether TLS is spoken at `host:port`; None if that cannot be told. Nothing is trusted and nothing is sent."""
    if address.startswith("unix:"):
        return None
    host, _, port = address.rpartition(":")
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    try:
        _, writer = await asyncio.wait_for(
            asyncio.open_connection(host.strip("[]"), int(port), ssl=context, server_hostname=host.strip("[]")),
            LISTENING_S,
        )
    except ssl.SSLError as error:  # its peer's alert is TLS too; what is no TLS has another version number
        reason = error.reason or ""
        return True if "ALERT" in reason else False if reason in _NO_TLS else None
    except (OSError, OverflowError, TimeoutError):
        return None
    writer.transport.abort()
    return True


async def _is_listening(address: str) -> bool:
    """Whether anything takes connections at `host:port`, whatever it speaks; False for the path of a socket."""
    host, _, port = address.rpartition(":")
    if address.startswith("unix:"):
        return False
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection(host.strip("[]"), int(port)), LISTENING_S)
    except (OSError, OverflowError, TimeoutError):
        return False
    writer.close()
    return True
