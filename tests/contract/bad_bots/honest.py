"""The bot beside which the others are bad: it plays what the referee would substitute."""

from bot import honest, play

play(lambda stream, turn: stream.decide(honest(turn)))
