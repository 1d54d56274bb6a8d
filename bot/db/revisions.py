"""Which databases this version can use: each is stamped with the last migration it has had."""

import re
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from bot.errors import NewerDatabaseError, TrialDatabaseError

BASELINE: Final = "0100_659fdb7ceae23558"
"""The first migration, which stands for all tables of 1.0; it ends in a digest of them.

A database of a trial version has another digest, or a lower number.
"""

folders = [Path(__file__).parent / "migrations" / "versions"]
"""Where migrations are, in order; each file's name begins with a number of four digits."""

_NUMBER: Final = re.compile(r"\d{4}(?![0-9])")


def known_revisions() -> tuple[str, ...]:
    """List this version's migrations in order: the baseline, and the numbers of all later ones."""
    later = (path.name[:4] for folder in folders for path in folder.glob("[0-9]*.py"))
    return (BASELINE, *sorted(number for number in later if number != BASELINE[:4]))


def revision_of(connection: Connection) -> str | None:
    """Read the last migration that a database has had; None if none is noted there.

    Raises:
        NewerDatabaseError: its number is beyond those of this version.
        TrialDatabaseError: a version before 1.0 has made it.
    """
    is_made = inspect(connection).has_table("alembic_version")
    query = text("SELECT version_num FROM alembic_version")
    revision: str | None = connection.scalar(query) if is_made else None
    known = known_revisions()
    if revision is None or revision in known:
        return revision
    number = _NUMBER.match(revision)
    if number is not None and number[0] > known[-1][:4]:
        raise NewerDatabaseError
    raise TrialDatabaseError
