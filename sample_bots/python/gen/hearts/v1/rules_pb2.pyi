from hearts.v1 import card_pb2 as _card_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Leftover(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEFTOVER_UNSPECIFIED: _ClassVar[Leftover]
    LEFTOVER_NONE: _ClassVar[Leftover]
    LEFTOVER_WIDOW: _ClassVar[Leftover]

class FirstLead(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FIRST_LEAD_UNSPECIFIED: _ClassVar[FirstLead]
    FIRST_LEAD_LOWEST_CLUB: _ClassVar[FirstLead]
    FIRST_LEAD_LEFT_OF_DEALER: _ClassVar[FirstLead]

class FirstTrick(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FIRST_TRICK_UNSPECIFIED: _ClassVar[FirstTrick]
    FIRST_TRICK_NO_PENALTY: _ClassVar[FirstTrick]
    FIRST_TRICK_QUEEN_ALLOWED: _ClassVar[FirstTrick]
    FIRST_TRICK_FREE: _ClassVar[FirstTrick]

class FirstTrickException(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FIRST_TRICK_EXCEPTION_UNSPECIFIED: _ClassVar[FirstTrickException]
    FIRST_TRICK_EXCEPTION_ALL_PENALTY_ANY: _ClassVar[FirstTrickException]
    FIRST_TRICK_EXCEPTION_QUEEN_FORCED: _ClassVar[FirstTrickException]
    FIRST_TRICK_EXCEPTION_HEARTS_FIRST: _ClassVar[FirstTrickException]

class HeartsBrokenBy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HEARTS_BROKEN_BY_UNSPECIFIED: _ClassVar[HeartsBrokenBy]
    HEARTS_BROKEN_BY_ANY_HEART_PLAYED: _ClassVar[HeartsBrokenBy]
    HEARTS_BROKEN_BY_HEART_DISCARDED: _ClassVar[HeartsBrokenBy]

class QueenBreaks(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QUEEN_BREAKS_UNSPECIFIED: _ClassVar[QueenBreaks]
    QUEEN_BREAKS_NEVER: _ClassVar[QueenBreaks]
    QUEEN_BREAKS_DISCARDED: _ClassVar[QueenBreaks]
    QUEEN_BREAKS_PLAYED: _ClassVar[QueenBreaks]

class LeadException(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEAD_EXCEPTION_UNSPECIFIED: _ClassVar[LeadException]
    LEAD_EXCEPTION_ONLY_HEARTS: _ClassVar[LeadException]
    LEAD_EXCEPTION_ONLY_HEARTS_OR_QUEEN: _ClassVar[LeadException]

class QueenLead(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QUEEN_LEAD_UNSPECIFIED: _ClassVar[QueenLead]
    QUEEN_LEAD_ALWAYS: _ClassVar[QueenLead]
    QUEEN_LEAD_AFTER_BROKEN: _ClassVar[QueenLead]

class HeartValues(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HEART_VALUES_UNSPECIFIED: _ClassVar[HeartValues]
    HEART_VALUES_UNIT: _ClassVar[HeartValues]
    HEART_VALUES_RANK: _ClassVar[HeartValues]

class Moon(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MOON_UNSPECIFIED: _ClassVar[Moon]
    MOON_ADD: _ClassVar[Moon]
    MOON_SUBTRACT: _ClassVar[Moon]
    MOON_CHOICE: _ClassVar[Moon]
    MOON_NONE: _ClassVar[Moon]

class MoonNeeds(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MOON_NEEDS_UNSPECIFIED: _ClassVar[MoonNeeds]
    MOON_NEEDS_ALL_PENALTY_CARDS: _ClassVar[MoonNeeds]
    MOON_NEEDS_HEARTS_AND_QUEEN: _ClassVar[MoonNeeds]
    MOON_NEEDS_ALL_PENALTY_AND_BONUS: _ClassVar[MoonNeeds]

class MoonChoice(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MOON_CHOICE_UNSPECIFIED: _ClassVar[MoonChoice]
    MOON_CHOICE_ADD: _ClassVar[MoonChoice]
    MOON_CHOICE_SUBTRACT: _ClassVar[MoonChoice]

class TieBreak(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TIE_BREAK_UNSPECIFIED: _ClassVar[TieBreak]
    TIE_BREAK_ALL_PLAY_ON: _ClassVar[TieBreak]
    TIE_BREAK_TIED_HAND: _ClassVar[TieBreak]
    TIE_BREAK_SHARED: _ClassVar[TieBreak]

class LastTrickCancelled(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LAST_TRICK_CANCELLED_UNSPECIFIED: _ClassVar[LastTrickCancelled]
    LAST_TRICK_CANCELLED_LEADER: _ClassVar[LastTrickCancelled]
    LAST_TRICK_CANCELLED_SECOND_OF_HIGHEST: _ClassVar[LastTrickCancelled]
    LAST_TRICK_CANCELLED_PREVIOUS_WINNER: _ClassVar[LastTrickCancelled]
    LAST_TRICK_CANCELLED_VOID: _ClassVar[LastTrickCancelled]
LEFTOVER_UNSPECIFIED: Leftover
LEFTOVER_NONE: Leftover
LEFTOVER_WIDOW: Leftover
FIRST_LEAD_UNSPECIFIED: FirstLead
FIRST_LEAD_LOWEST_CLUB: FirstLead
FIRST_LEAD_LEFT_OF_DEALER: FirstLead
FIRST_TRICK_UNSPECIFIED: FirstTrick
FIRST_TRICK_NO_PENALTY: FirstTrick
FIRST_TRICK_QUEEN_ALLOWED: FirstTrick
FIRST_TRICK_FREE: FirstTrick
FIRST_TRICK_EXCEPTION_UNSPECIFIED: FirstTrickException
FIRST_TRICK_EXCEPTION_ALL_PENALTY_ANY: FirstTrickException
FIRST_TRICK_EXCEPTION_QUEEN_FORCED: FirstTrickException
FIRST_TRICK_EXCEPTION_HEARTS_FIRST: FirstTrickException
HEARTS_BROKEN_BY_UNSPECIFIED: HeartsBrokenBy
HEARTS_BROKEN_BY_ANY_HEART_PLAYED: HeartsBrokenBy
HEARTS_BROKEN_BY_HEART_DISCARDED: HeartsBrokenBy
QUEEN_BREAKS_UNSPECIFIED: QueenBreaks
QUEEN_BREAKS_NEVER: QueenBreaks
QUEEN_BREAKS_DISCARDED: QueenBreaks
QUEEN_BREAKS_PLAYED: QueenBreaks
LEAD_EXCEPTION_UNSPECIFIED: LeadException
LEAD_EXCEPTION_ONLY_HEARTS: LeadException
LEAD_EXCEPTION_ONLY_HEARTS_OR_QUEEN: LeadException
QUEEN_LEAD_UNSPECIFIED: QueenLead
QUEEN_LEAD_ALWAYS: QueenLead
QUEEN_LEAD_AFTER_BROKEN: QueenLead
HEART_VALUES_UNSPECIFIED: HeartValues
HEART_VALUES_UNIT: HeartValues
HEART_VALUES_RANK: HeartValues
MOON_UNSPECIFIED: Moon
MOON_ADD: Moon
MOON_SUBTRACT: Moon
MOON_CHOICE: Moon
MOON_NONE: Moon
MOON_NEEDS_UNSPECIFIED: MoonNeeds
MOON_NEEDS_ALL_PENALTY_CARDS: MoonNeeds
MOON_NEEDS_HEARTS_AND_QUEEN: MoonNeeds
MOON_NEEDS_ALL_PENALTY_AND_BONUS: MoonNeeds
MOON_CHOICE_UNSPECIFIED: MoonChoice
MOON_CHOICE_ADD: MoonChoice
MOON_CHOICE_SUBTRACT: MoonChoice
TIE_BREAK_UNSPECIFIED: TieBreak
TIE_BREAK_ALL_PLAY_ON: TieBreak
TIE_BREAK_TIED_HAND: TieBreak
TIE_BREAK_SHARED: TieBreak
LAST_TRICK_CANCELLED_UNSPECIFIED: LastTrickCancelled
LAST_TRICK_CANCELLED_LEADER: LastTrickCancelled
LAST_TRICK_CANCELLED_SECOND_OF_HIGHEST: LastTrickCancelled
LAST_TRICK_CANCELLED_PREVIOUS_WINNER: LastTrickCancelled
LAST_TRICK_CANCELLED_VOID: LastTrickCancelled

class RuleSet(_message.Message):
    __slots__ = ("name", "seats", "packs", "removed", "leftover", "pass_count", "pass_cycle", "first_lead", "first_trick", "first_trick_exception", "hearts_must_break", "hearts_broken_by", "queen_breaks", "lead_exception", "queen_lead", "heart_values", "penalties", "bonuses", "moon", "moon_needs", "moon_points", "moon_choice_default", "target", "score_floor", "tie_break", "max_deals", "cancellation", "last_trick_cancelled")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    PACKS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    LEFTOVER_FIELD_NUMBER: _ClassVar[int]
    PASS_COUNT_FIELD_NUMBER: _ClassVar[int]
    PASS_CYCLE_FIELD_NUMBER: _ClassVar[int]
    FIRST_LEAD_FIELD_NUMBER: _ClassVar[int]
    FIRST_TRICK_FIELD_NUMBER: _ClassVar[int]
    FIRST_TRICK_EXCEPTION_FIELD_NUMBER: _ClassVar[int]
    HEARTS_MUST_BREAK_FIELD_NUMBER: _ClassVar[int]
    HEARTS_BROKEN_BY_FIELD_NUMBER: _ClassVar[int]
    QUEEN_BREAKS_FIELD_NUMBER: _ClassVar[int]
    LEAD_EXCEPTION_FIELD_NUMBER: _ClassVar[int]
    QUEEN_LEAD_FIELD_NUMBER: _ClassVar[int]
    HEART_VALUES_FIELD_NUMBER: _ClassVar[int]
    PENALTIES_FIELD_NUMBER: _ClassVar[int]
    BONUSES_FIELD_NUMBER: _ClassVar[int]
    MOON_FIELD_NUMBER: _ClassVar[int]
    MOON_NEEDS_FIELD_NUMBER: _ClassVar[int]
    MOON_POINTS_FIELD_NUMBER: _ClassVar[int]
    MOON_CHOICE_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    SCORE_FLOOR_FIELD_NUMBER: _ClassVar[int]
    TIE_BREAK_FIELD_NUMBER: _ClassVar[int]
    MAX_DEALS_FIELD_NUMBER: _ClassVar[int]
    CANCELLATION_FIELD_NUMBER: _ClassVar[int]
    LAST_TRICK_CANCELLED_FIELD_NUMBER: _ClassVar[int]
    name: str
    seats: int
    packs: int
    removed: _containers.RepeatedScalarFieldContainer[_card_pb2.Card]
    leftover: Leftover
    pass_count: int
    pass_cycle: _containers.RepeatedScalarFieldContainer[int]
    first_lead: FirstLead
    first_trick: FirstTrick
    first_trick_exception: FirstTrickException
    hearts_must_break: bool
    hearts_broken_by: HeartsBrokenBy
    queen_breaks: QueenBreaks
    lead_exception: LeadException
    queen_lead: QueenLead
    heart_values: HeartValues
    penalties: _containers.RepeatedCompositeFieldContainer[CardPoints]
    bonuses: _containers.RepeatedCompositeFieldContainer[CardPoints]
    moon: Moon
    moon_needs: MoonNeeds
    moon_points: int
    moon_choice_default: MoonChoice
    target: int
    score_floor: int
    tie_break: TieBreak
    max_deals: int
    cancellation: bool
    last_trick_cancelled: LastTrickCancelled
    def __init__(self, name: _Optional[str] = ..., seats: _Optional[int] = ..., packs: _Optional[int] = ..., removed: _Optional[_Iterable[_Union[_card_pb2.Card, str]]] = ..., leftover: _Optional[_Union[Leftover, str]] = ..., pass_count: _Optional[int] = ..., pass_cycle: _Optional[_Iterable[int]] = ..., first_lead: _Optional[_Union[FirstLead, str]] = ..., first_trick: _Optional[_Union[FirstTrick, str]] = ..., first_trick_exception: _Optional[_Union[FirstTrickException, str]] = ..., hearts_must_break: bool = ..., hearts_broken_by: _Optional[_Union[HeartsBrokenBy, str]] = ..., queen_breaks: _Optional[_Union[QueenBreaks, str]] = ..., lead_exception: _Optional[_Union[LeadException, str]] = ..., queen_lead: _Optional[_Union[QueenLead, str]] = ..., heart_values: _Optional[_Union[HeartValues, str]] = ..., penalties: _Optional[_Iterable[_Union[CardPoints, _Mapping]]] = ..., bonuses: _Optional[_Iterable[_Union[CardPoints, _Mapping]]] = ..., moon: _Optional[_Union[Moon, str]] = ..., moon_needs: _Optional[_Union[MoonNeeds, str]] = ..., moon_points: _Optional[int] = ..., moon_choice_default: _Optional[_Union[MoonChoice, str]] = ..., target: _Optional[int] = ..., score_floor: _Optional[int] = ..., tie_break: _Optional[_Union[TieBreak, str]] = ..., max_deals: _Optional[int] = ..., cancellation: bool = ..., last_trick_cancelled: _Optional[_Union[LastTrickCancelled, str]] = ...) -> None: ...

class CardPoints(_message.Message):
    __slots__ = ("card", "points")
    CARD_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    card: _card_pb2.Card
    points: int
    def __init__(self, card: _Optional[_Union[_card_pb2.Card, str]] = ..., points: _Optional[int] = ...) -> None: ...
