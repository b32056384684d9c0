"""Why a stream is refused or ended: one table of canonical codes and machine-readable reasons.

An illegal card or a late answer is never one of these: it is a fault, told in the stream, and the stream lives on.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NoReturn

import grpc
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

DOMAIN = "hearts.v1"


class Refusal(Enum):
    """Each way to be refused: (canonical code, ErrorInfo reason)."""

    NO_TOKEN = (code_pb2.UNAUTHENTICATED, "NO_TOKEN")
    WRONG_TOKEN = (code_pb2.UNAUTHENTICATED, "WRONG_TOKEN")
    PROTOCOL_VERSION = (code_pb2.FAILED_PRECONDITION, "PROTOCOL_VERSION")
    NO_HELLO = (code_pb2.FAILED_PRECONDITION, "NO_HELLO")
    HELLO_TWICE = (code_pb2.FAILED_PRECONDITION, "HELLO_TWICE")
    UNDECODABLE = (code_pb2.INVALID_ARGUMENT, "UNDECODABLE")
    TOO_LARGE = (code_pb2.RESOURCE_EXHAUSTED, "TOO_LARGE")
    TOO_MANY_DECISIONS = (code_pb2.RESOURCE_EXHAUSTED, "TOO_MANY_DECISIONS")
    FLOOD = (code_pb2.RESOURCE_EXHAUSTED, "FLOOD")
    RECONNECTS = (code_pb2.RESOURCE_EXHAUSTED, "RECONNECTS")
    NOT_READING = (code_pb2.RESOURCE_EXHAUSTED, "NOT_READING")
    FENCED = (code_pb2.ABORTED, "FENCED")
    REMOVED = (code_pb2.PERMISSION_DENIED, "REMOVED")
    DRAINING = (code_pb2.UNAVAILABLE, "DRAINING")


class GoneError(Exception):
    """The bot's side of the stream is no longer there."""


# What grpc.aio raises at a call whose peer has left (grpc/grpc#24758): ExecuteBatchError is an InternalError.
NOT_THERE = (grpc.RpcError, grpc.aio.UsageError, grpc.aio.InternalError)


async def refuse(
    context: grpc.aio.ServicerContext[Any, Any], refusal: Refusal, message: str, **metadata: str
) -> NoReturn:
    """End the call with a canonical status that carries `ErrorInfo`.

    Args:
        context: the call.
        refusal: the row of the table.
        message: one sentence for a person.
        metadata: facts for programs, such as the supported protocol range.

    Raises:
        AbortError: always, to end the call; or
        GoneError: the bot has gone and will never know.
    """
    code, reason = refusal.value
    detail = any_pb2.Any()
    detail.Pack(error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata))
    status = rpc_status.to_status(status_pb2.Status(code=code, message=message, details=[detail]))
    try:
        await context.abort_with_status(status)
    except NOT_THERE as error:
        raise GoneError from error
    raise AssertionError("abort_with_status always raises")
