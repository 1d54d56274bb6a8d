"""Alembic's migrations: they bring tables of an earlier version up to date."""

import os
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from bot.db import revisions
from bot.db.tables import metadata


def make(connection: Connection) -> None:
    """Make all tables in the open transaction, and note that they need no migration."""
    metadata.create_all(connection, checkfirst=False)
    command.stamp(_config(connection), "head")


def upgrade(connection: Connection) -> None:
    """Run the missing migrations in the open transaction."""
    command.upgrade(_config(connection), "head")


def _config(connection: Connection) -> Config:
    config = Config()
    places = {
        "script_location": str(Path(__file__).parent),
        "version_locations": os.pathsep.join(map(str, revisions.folders)),
        "path_separator": "os",
    }
    for name, value in places.items():
        config.set_main_option(name, value.replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
