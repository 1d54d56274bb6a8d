"""A look at the database from outside the bot."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


def sql(folder: Path, statement: str) -> list[tuple[Any, ...]]:
    """Run one statement on a test's database, commit it, and give its rows."""
    with closing(sqlite3.connect(folder / "test.db")) as database, database:
        return database.execute(statement).fetchall()
