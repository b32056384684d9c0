"""Keeps finished matches: SQLite by default, PostgreSQL by URL."""
