"""Starts, watches and ends local bots."""
