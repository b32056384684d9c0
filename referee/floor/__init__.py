"""Runs tables: asks the seats, keeps the clocks, turns silence into a fault."""

from referee.floor.clock import Clock, LagMeter, MonotonicClock
from referee.floor.floor import Floor
from referee.floor.match_run import MatchRun, Voided, Wait
from referee.floor.seated_bot import SeatedBot

__all__ = ["Clock", "Floor", "LagMeter", "MatchRun", "MonotonicClock", "SeatedBot", "Voided", "Wait"]
