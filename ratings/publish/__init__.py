"""Writes standings as Markdown, CSV, JSON and a static site."""
