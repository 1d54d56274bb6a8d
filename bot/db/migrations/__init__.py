"""Makes the tables of a new database, and brings an older one up to date."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection

from bot.db.tables import metadata
from bot.errors import NewerDatabaseError

MIGRATIONS: Final = Path(__file__).parent


def make(connection: Connection) -> None:
    """Make all tables in the transaction that is open, and note that they are up to date."""
    metadata.create_all(connection, checkfirst=False)
    command.stamp(_config(connection), "head")


def upgrade(connection: Connection) -> None:
    """Do all migrations that the database has not had, in the transaction that is open.

    Raises:
        NewerDatabaseError: it has had one that is not known here.
    """
    try:
        command.upgrade(_config(connection), "head")
    except CommandError as error:
        raise NewerDatabaseError from error


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
