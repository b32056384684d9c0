"""Looking at a referee from the bot's side before a bot is started: is anybody there who knows the token."""

from __future__ import annotations

import asyncio

import grpc

from referee.wire.server import OPTIONS, SERVICE

LISTENING_S = 1.0
REFUSED_S = 1.0  # a referee that does not know the token says so at once
_REFUSALS = (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNIMPLEMENTED)


class NobodyThereError(Exception):
    """Nothing answers at the address, or not by the TLS that was asked for.

    Args:
        address: that was dialled.
        is_listening: something takes connections there, but does not speak as it was spoken to.
    """

    def __init__(self, address: str, *, is_listening: bool) -> None:
        super().__init__(address)
        self.is_listening = is_listening


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
        RefusedError: the call is refused.
    """
    credentials = grpc.ssl_channel_credentials(ca) if ca is not None else None
    options = (*OPTIONS, ("grpc.max_reconnect_backoff_ms", 1000))
    if credentials is not None:
        channel = grpc.aio.secure_channel(address, credentials, options)
    else:
        channel = grpc.aio.insecure_channel(address, options)
    async with channel:
        try:
            await asyncio.wait_for(channel.channel_ready(), wait_s)
        except TimeoutError:
            raise NobodyThereError(address, is_listening=await _is_listening(address)) from None
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(f"/{SERVICE}/Play")(
            metadata=(("authorization", f"Bearer {token}"),)
        )
        code = asyncio.ensure_future(call.code())
        await asyncio.wait({code}, timeout=REFUSED_S)
        if code.done() and code.result() in _REFUSALS:
            raise RefusedError(await call.details())
        call.cancel()
        code.cancel()


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
