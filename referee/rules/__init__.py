"""The rulebook of Hearts: pure, with no I/O, no clock and no randomness of its own."""
