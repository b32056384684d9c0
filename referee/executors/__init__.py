"""Where matches are played: local worker processes."""
