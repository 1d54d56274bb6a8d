"""Brings the schema of a database up to date."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection

from bot.errors import NewerDatabaseError

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def upgrade(connection: Connection) -> None:
    """Do all migrations that the database has not had, in the transaction that is open.

    Raises:
        NewerDatabaseError: it has had one that is not known here.
    """
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise NewerDatabaseError from error
