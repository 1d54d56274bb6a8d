"""Which databases this version can use: each is stamped with the last migration it has had."""

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Dialect, MetaData, inspect, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.db.tables import metadata
from bot.errors import NewerDatabaseError, TrialDatabaseError

BASELINE: Final = "0100"
"""The number of the first migration, which stands for all tables as `metadata` has them."""

folders = [Path(__file__).parent / "migrations" / "versions"]
"""Where migrations are, in order; each file's name begins with a number of four digits."""

_NUMBER: Final = re.compile(r"\d{4}(?![0-9])")


def digest_of(tables: MetaData) -> str:
    """Return 16 hexadecimal digits that follow from all columns, constraints and indexes."""
    dialects: list[Dialect] = [sqlite.dialect(), postgresql.dialect()]
    statements = sorted(
        str(statement.compile(dialect=dialect))
        for dialect in dialects
        for table in tables.tables.values()
        for statement in (CreateTable(table), *map(CreateIndex, table.indexes))
    )
    return hashlib.sha256("\n".join(statements).encode()).hexdigest()[:16]


@cache
def baseline() -> str:
    """Return the first migration's revision.

    It ends in a digest of the tables: until 1.0 is released they are changed in place, and a
    database made from other ones is refused. The first migration after it writes down 1.0's.
    """
    return f"{BASELINE}_{digest_of(metadata)}"


def known_revisions() -> tuple[str, ...]:
    """List this version's migrations in order: the baseline, and the numbers of all later ones."""
    later = (path.name[:4] for folder in folders for path in folder.glob("[0-9]*.py"))
    return (baseline(), *sorted(number for number in later if number != BASELINE))


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
