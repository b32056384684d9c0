"""Runs tables: asks the seats, keeps the clocks, turns silence into a fault."""

from referee.floor.clock import Clock, LagMeter, MonotonicClock
from referee.floor.floor import Floor
from referee.floor.match_run import MatchRun, Voided
from referee.floor.seated_bot import SeatedBot
from referee.floor.waits import Wait

__all__ = ["Clock", "Floor", "LagMeter", "MatchRun", "MonotonicClock", "SeatedBot", "Voided", "Wait"]
