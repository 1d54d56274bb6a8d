"""Alembic's migrations: they make the tables of a new database, and bring older ones up to date."""

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
    """Make all tables in the open transaction, and note that they need no migration."""
    metadata.create_all(connection, checkfirst=False)
    command.stamp(_config(connection), "head")


def upgrade(connection: Connection) -> None:
    """Run the missing migrations in the transaction; `NewerDatabaseError` for a later schema."""
    try:
        command.upgrade(_config(connection), "head")
    except CommandError as error:
        raise NewerDatabaseError from error


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
