from hearts.v1 import table_pb2 as _table_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FarewellReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAREWELL_REASON_UNSPECIFIED: _ClassVar[FarewellReason]
    FAREWELL_REASON_DONE: _ClassVar[FarewellReason]
    FAREWELL_REASON_DRAINING: _ClassVar[FarewellReason]
    FAREWELL_REASON_FENCED: _ClassVar[FarewellReason]
    FAREWELL_REASON_PROTOCOL: _ClassVar[FarewellReason]
    FAREWELL_REASON_LIMIT: _ClassVar[FarewellReason]
    FAREWELL_REASON_REMOVED: _ClassVar[FarewellReason]
FAREWELL_REASON_UNSPECIFIED: FarewellReason
FAREWELL_REASON_DONE: FarewellReason
FAREWELL_REASON_DRAINING: FarewellReason
FAREWELL_REASON_FENCED: FarewellReason
FAREWELL_REASON_PROTOCOL: FarewellReason
FAREWELL_REASON_LIMIT: FarewellReason
FAREWELL_REASON_REMOVED: FarewellReason

class BotMessage(_message.Message):
    __slots__ = ("hello", "decisions")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    decisions: _containers.RepeatedCompositeFieldContainer[_table_pb2.Decision]
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., decisions: _Optional[_Iterable[_Union[_table_pb2.Decision, _Mapping]]] = ...) -> None: ...

class RefereeMessage(_message.Message):
    __slots__ = ("welcome", "turns", "notices", "farewell")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    FAREWELL_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    turns: _containers.RepeatedCompositeFieldContainer[_table_pb2.Turn]
    notices: _containers.RepeatedCompositeFieldContainer[_table_pb2.Notice]
    farewell: Farewell
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., turns: _Optional[_Iterable[_Union[_table_pb2.Turn, _Mapping]]] = ..., notices: _Optional[_Iterable[_Union[_table_pb2.Notice, _Mapping]]] = ..., farewell: _Optional[_Union[Farewell, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol_min", "protocol_max", "bot_name", "bot_version", "sdk", "tables_max")
    PROTOCOL_MIN_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MAX_FIELD_NUMBER: _ClassVar[int]
    BOT_NAME_FIELD_NUMBER: _ClassVar[int]
    BOT_VERSION_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    TABLES_MAX_FIELD_NUMBER: _ClassVar[int]
    protocol_min: int
    protocol_max: int
    bot_name: str
    bot_version: str
    sdk: str
    tables_max: int
    def __init__(self, protocol_min: _Optional[int] = ..., protocol_max: _Optional[int] = ..., bot_name: _Optional[str] = ..., bot_version: _Optional[str] = ..., sdk: _Optional[str] = ..., tables_max: _Optional[int] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("protocol", "referee_version", "bot_name", "tables_max", "message_bytes_max", "decisions_max")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    REFEREE_VERSION_FIELD_NUMBER: _ClassVar[int]
    BOT_NAME_FIELD_NUMBER: _ClassVar[int]
    TABLES_MAX_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_BYTES_MAX_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_MAX_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    referee_version: str
    bot_name: str
    tables_max: int
    message_bytes_max: int
    decisions_max: int
    def __init__(self, protocol: _Optional[int] = ..., referee_version: _Optional[str] = ..., bot_name: _Optional[str] = ..., tables_max: _Optional[int] = ..., message_bytes_max: _Optional[int] = ..., decisions_max: _Optional[int] = ...) -> None: ...

class Farewell(_message.Message):
    __slots__ = ("reason", "message")
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    reason: FarewellReason
    message: str
    def __init__(self, reason: _Optional[_Union[FarewellReason, str]] = ..., message: _Optional[str] = ...) -> None: ...
