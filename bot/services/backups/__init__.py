"""Backups of an SQLite file: made, kept, restored."""
