"""Finished practices, more than anybody would play for a test."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

EQUATION: Final = "12+34+5=51"
_BEGAN, _ENDED = "2026-11-02 12:00:00.000000", "2026-11-02 12:01:00.000000"


def first_id(player: int) -> int:
    """The id of the first of a player's plays that are added; the others follow."""
    return 100_000 * player


def add_practices(database: Path, many: int, player: int, guild: int = 55) -> None:
    """Practices that a player has solved with the first guess, behind the bot's back."""
    first = first_id(player)
    statements = f"""
        CREATE TEMP TABLE new AS WITH RECURSIVE n (id) AS
            (SELECT {first} UNION ALL SELECT id + 1 FROM n WHERE id < {first + many - 1})
            SELECT id FROM n;
        INSERT INTO puzzles (id, length, rules, secret)
            SELECT id, 10, 'focdle:10/6', '{EQUATION}' FROM new;
        INSERT INTO plays SELECT id, id, {player}, {guild}, 'UTC', 0, '{_BEGAN}', '{_ENDED}',
            'solved', 0, NULL FROM new;
        INSERT INTO guesses SELECT id, 0, '{EQUATION}', '{_ENDED}' FROM new;
    """  # noqa: S608
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(statements)
