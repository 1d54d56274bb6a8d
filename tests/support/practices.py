"""Finished practices, more than anybody would play for a test."""

from pathlib import Path
from typing import Final

from tests.support.sql import sql

EQUATION: Final = "12+34+5=51"
_BEGAN, _ENDED = "2026-11-02 12:00:00.000000", "2026-11-02 12:01:00.000000"


def first_id(player: int) -> int:
    """The id of the first of a player's plays that are added; the others follow."""
    return 100_000 * player


def add_practices(folder: Path, many: int, player: int) -> None:
    """Practices that a player has solved with the first guess, behind the bot's back."""
    first = first_id(player)
    numbers = f"SELECT {first} UNION ALL SELECT id + 1 FROM n WHERE id < {first + many - 1}"
    where, when = f"{player}, 55, 'UTC', false", f"'{_BEGAN}', '{_ENDED}'"
    rows = {
        "puzzles (id, length, rules, secret, salt)": f"id, 10, 'focdle:10/6', '{EQUATION}', '0'",
        "plays": f"id, id, {where}, {when}, 'solved', false, NULL, true",
        "guesses": f"id, 0, '{EQUATION}', '{_ENDED}'",
    }
    for table, row in rows.items():
        added = f"INSERT INTO {table} SELECT {row} FROM n"
        sql(folder, f"WITH RECURSIVE n (id) AS ({numbers}) {added}")
