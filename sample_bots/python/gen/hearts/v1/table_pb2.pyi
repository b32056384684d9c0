from hearts.v1 import card_pb2 as _card_pb2
from hearts.v1 import rules_pb2 as _rules_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TurnKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TURN_KIND_UNSPECIFIED: _ClassVar[TurnKind]
    TURN_KIND_PASS: _ClassVar[TurnKind]
    TURN_KIND_PLAY: _ClassVar[TurnKind]
    TURN_KIND_MOON: _ClassVar[TurnKind]

class FaultKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_KIND_UNSPECIFIED: _ClassVar[FaultKind]
    FAULT_KIND_BREACH: _ClassVar[FaultKind]
    FAULT_KIND_TIMEOUT: _ClassVar[FaultKind]
    FAULT_KIND_MALFORMED: _ClassVar[FaultKind]
    FAULT_KIND_DISCONNECT: _ClassVar[FaultKind]
    FAULT_KIND_EXIT: _ClassVar[FaultKind]
    FAULT_KIND_STARTUP: _ClassVar[FaultKind]
    FAULT_KIND_RESOURCE: _ClassVar[FaultKind]

class Blame(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BLAME_UNSPECIFIED: _ClassVar[Blame]
    BLAME_BOT: _ClassVar[Blame]
    BLAME_HOST: _ClassVar[Blame]
    BLAME_ORGANISER: _ClassVar[Blame]

class Ruling(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RULING_UNSPECIFIED: _ClassVar[Ruling]
    RULING_SUBSTITUTE: _ClassVar[Ruling]
    RULING_REVOKE: _ClassVar[Ruling]
    RULING_FORFEIT: _ClassVar[Ruling]
    RULING_RETRY: _ClassVar[Ruling]

class Breach(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BREACH_UNSPECIFIED: _ClassVar[Breach]
    BREACH_NOT_YOUR_TURN: _ClassVar[Breach]
    BREACH_WRONG_KIND: _ClassVar[Breach]
    BREACH_PASS_WRONG_COUNT: _ClassVar[Breach]
    BREACH_PASS_CARD_REPEATED: _ClassVar[Breach]
    BREACH_CARD_NOT_HELD: _ClassVar[Breach]
    BREACH_MUST_FOLLOW_SUIT: _ClassVar[Breach]
    BREACH_MUST_LEAD_LOWEST_CLUB: _ClassVar[Breach]
    BREACH_NO_POINTS_ON_FIRST_TRICK: _ClassVar[Breach]
    BREACH_HEARTS_NOT_BROKEN: _ClassVar[Breach]
    BREACH_QUEEN_NOT_YET: _ClassVar[Breach]
    BREACH_MOON_CHOICE_UNKNOWN: _ClassVar[Breach]

class DecidedBy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECIDED_BY_UNSPECIFIED: _ClassVar[DecidedBy]
    DECIDED_BY_BOT: _ClassVar[DecidedBy]
    DECIDED_BY_SUBSTITUTE: _ClassVar[DecidedBy]
    DECIDED_BY_AUTOPILOT: _ClassVar[DecidedBy]
TURN_KIND_UNSPECIFIED: TurnKind
TURN_KIND_PASS: TurnKind
TURN_KIND_PLAY: TurnKind
TURN_KIND_MOON: TurnKind
FAULT_KIND_UNSPECIFIED: FaultKind
FAULT_KIND_BREACH: FaultKind
FAULT_KIND_TIMEOUT: FaultKind
FAULT_KIND_MALFORMED: FaultKind
FAULT_KIND_DISCONNECT: FaultKind
FAULT_KIND_EXIT: FaultKind
FAULT_KIND_STARTUP: FaultKind
FAULT_KIND_RESOURCE: FaultKind
BLAME_UNSPECIFIED: Blame
BLAME_BOT: Blame
BLAME_HOST: Blame
BLAME_ORGANISER: Blame
RULING_UNSPECIFIED: Ruling
RULING_SUBSTITUTE: Ruling
RULING_REVOKE: Ruling
RULING_FORFEIT: Ruling
RULING_RETRY: Ruling
BREACH_UNSPECIFIED: Breach
BREACH_NOT_YOUR_TURN: Breach
BREACH_WRONG_KIND: Breach
BREACH_PASS_WRONG_COUNT: Breach
BREACH_PASS_CARD_REPEATED: Breach
BREACH_CARD_NOT_HELD: Breach
BREACH_MUST_FOLLOW_SUIT: Breach
BREACH_MUST_LEAD_LOWEST_CLUB: Breach
BREACH_NO_POINTS_ON_FIRST_TRICK: Breach
BREACH_HEARTS_NOT_BROKEN: Breach
BREACH_QUEEN_NOT_YET: Breach
BREACH_MOON_CHOICE_UNKNOWN: Breach
DECIDED_BY_UNSPECIFIED: DecidedBy
DECIDED_BY_BOT: DecidedBy
DECIDED_BY_SUBSTITUTE: DecidedBy
DECIDED_BY_AUTOPILOT: DecidedBy

class Turn(_message.Message):
    __slots__ = ("turn_id", "match_id", "kind", "rules_name", "target", "seat", "seats", "deal_number", "hand", "legal", "played", "leaders", "pass_offset", "passed_cards", "received_cards", "scores", "points", "hearts_broken", "turn_ms", "bank_ms", "charged_us", "turn_seed", "pass_count")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    RULES_NAME_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    DEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    LEADERS_FIELD_NUMBER: _ClassVar[int]
    PASS_OFFSET_FIELD_NUMBER: _ClassVar[int]
    PASSED_CARDS_FIELD_NUMBER: _ClassVar[int]
    RECEIVED_CARDS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    HEARTS_BROKEN_FIELD_NUMBER: _ClassVar[int]
    TURN_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    CHARGED_US_FIELD_NUMBER: _ClassVar[int]
    TURN_SEED_FIELD_NUMBER: _ClassVar[int]
    PASS_COUNT_FIELD_NUMBER: _ClassVar[int]
    turn_id: int
    match_id: int
    kind: TurnKind
    rules_name: str
    target: int
    seat: int
    seats: int
    deal_number: int
    hand: _containers.RepeatedScalarFieldContainer[_card_pb2.Card]
    legal: _containers.RepeatedScalarFieldContainer[_card_pb2.Card]
    played: _containers.RepeatedScalarFieldContainer[_card_pb2.Card]
    leaders: _containers.RepeatedScalarFieldContainer[int]
    pass_offset: int
    passed_cards: _containers.RepeatedScalarFieldContainer[_card_pb2.Card]
    received_cards: _containers.RepeatedScalarFieldContainer[_card_pb2.Card]
    scores: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    hearts_broken: bool
    turn_ms: int
    bank_ms: int
    charged_us: int
    turn_seed: int
    pass_count: int
    def __init__(self, turn_id: _Optional[int] = ..., match_id: _Optional[int] = ..., kind: _Optional[_Union[TurnKind, str]] = ..., rules_name: _Optional[str] = ..., target: _Optional[int] = ..., seat: _Optional[int] = ..., seats: _Optional[int] = ..., deal_number: _Optional[int] = ..., hand: _Optional[_Iterable[_Union[_card_pb2.Card, str]]] = ..., legal: _Optional[_Iterable[_Union[_card_pb2.Card, str]]] = ..., played: _Optional[_Iterable[_Union[_card_pb2.Card, str]]] = ..., leaders: _Optional[_Iterable[int]] = ..., pass_offset: _Optional[int] = ..., passed_cards: _Optional[_Iterable[_Union[_card_pb2.Card, str]]] = ..., received_cards: _Optional[_Iterable[_Union[_card_pb2.Card, str]]] = ..., scores: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., hearts_broken: bool = ..., turn_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., charged_us: _Optional[int] = ..., turn_seed: _Optional[int] = ..., pass_count: _Optional[int] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("turn_id", "cards", "moon_choice", "note")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    MOON_CHOICE_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    turn_id: int
    cards: _containers.RepeatedScalarFieldContainer[_card_pb2.Card]
    moon_choice: _rules_pb2.MoonChoice
    note: str
    def __init__(self, turn_id: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[_card_pb2.Card, str]]] = ..., moon_choice: _Optional[_Union[_rules_pb2.MoonChoice, str]] = ..., note: _Optional[str] = ...) -> None: ...

class Notice(_message.Message):
    __slots__ = ("match_id", "match_started", "deal_ended", "match_ended", "fault")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    MATCH_STARTED_FIELD_NUMBER: _ClassVar[int]
    DEAL_ENDED_FIELD_NUMBER: _ClassVar[int]
    MATCH_ENDED_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    match_id: int
    match_started: MatchStarted
    deal_ended: DealEnded
    match_ended: MatchEnded
    fault: Fault
    def __init__(self, match_id: _Optional[int] = ..., match_started: _Optional[_Union[MatchStarted, _Mapping]] = ..., deal_ended: _Optional[_Union[DealEnded, _Mapping]] = ..., match_ended: _Optional[_Union[MatchEnded, _Mapping]] = ..., fault: _Optional[_Union[Fault, _Mapping]] = ...) -> None: ...

class MatchStarted(_message.Message):
    __slots__ = ("rules", "seat", "bot_names", "deals", "turn_ms", "bank_ms", "faults_max", "ruling", "deal_commitment")
    RULES_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BOT_NAMES_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    TURN_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_MAX_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    DEAL_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    rules: _rules_pb2.RuleSet
    seat: int
    bot_names: _containers.RepeatedScalarFieldContainer[str]
    deals: int
    turn_ms: int
    bank_ms: int
    faults_max: int
    ruling: Ruling
    deal_commitment: str
    def __init__(self, rules: _Optional[_Union[_rules_pb2.RuleSet, _Mapping]] = ..., seat: _Optional[int] = ..., bot_names: _Optional[_Iterable[str]] = ..., deals: _Optional[int] = ..., turn_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., faults_max: _Optional[int] = ..., ruling: _Optional[_Union[Ruling, str]] = ..., deal_commitment: _Optional[str] = ...) -> None: ...

class DealEnded(_message.Message):
    __slots__ = ("deal_number", "points", "scores", "totals", "moon_seat", "played", "leaders")
    DEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    MOON_SEAT_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    LEADERS_FIELD_NUMBER: _ClassVar[int]
    deal_number: int
    points: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    moon_seat: int
    played: _containers.RepeatedScalarFieldContainer[_card_pb2.Card]
    leaders: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, deal_number: _Optional[int] = ..., points: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ..., moon_seat: _Optional[int] = ..., played: _Optional[_Iterable[_Union[_card_pb2.Card, str]]] = ..., leaders: _Optional[_Iterable[int]] = ...) -> None: ...

class MatchEnded(_message.Message):
    __slots__ = ("places", "totals", "fault_counts", "voided")
    PLACES_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    FAULT_COUNTS_FIELD_NUMBER: _ClassVar[int]
    VOIDED_FIELD_NUMBER: _ClassVar[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    fault_counts: _containers.RepeatedScalarFieldContainer[int]
    voided: bool
    def __init__(self, places: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ..., fault_counts: _Optional[_Iterable[int]] = ..., voided: bool = ...) -> None: ...

class Fault(_message.Message):
    __slots__ = ("kind", "breach", "message", "turn_id", "turn_kind", "legal", "answer", "ruling", "elapsed_us", "allowed_us", "fault_count", "blame", "seat", "deal_number")
    KIND_FIELD_NUMBER: _ClassVar[int]
    BREACH_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_KIND_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_US_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_US_FIELD_NUMBER: _ClassVar[int]
    FAULT_COUNT_FIELD_NUMBER: _ClassVar[int]
    BLAME_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    kind: FaultKind
    breach: Breach
    message: str
    turn_id: int
    turn_kind: TurnKind
    legal: _containers.RepeatedScalarFieldContainer[_card_pb2.Card]
    answer: _containers.RepeatedScalarFieldContainer[int]
    ruling: Ruling
    elapsed_us: int
    allowed_us: int
    fault_count: int
    blame: Blame
    seat: int
    deal_number: int
    def __init__(self, kind: _Optional[_Union[FaultKind, str]] = ..., breach: _Optional[_Union[Breach, str]] = ..., message: _Optional[str] = ..., turn_id: _Optional[int] = ..., turn_kind: _Optional[_Union[TurnKind, str]] = ..., legal: _Optional[_Iterable[_Union[_card_pb2.Card, str]]] = ..., answer: _Optional[_Iterable[int]] = ..., ruling: _Optional[_Union[Ruling, str]] = ..., elapsed_us: _Optional[int] = ..., allowed_us: _Optional[int] = ..., fault_count: _Optional[int] = ..., blame: _Optional[_Union[Blame, str]] = ..., seat: _Optional[int] = ..., deal_number: _Optional[int] = ...) -> None: ...
