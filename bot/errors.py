"""The base of the bot's errors, and errors of the database."""

from pathlib import Path


class BotError(Exception):
    """An error with facts as attributes, which survive copying and pickling."""

    def __reduce__(self) -> tuple[object, ...]:
        # Python would call the class with only the text.
        return type(self).__new__, (type(self), *self.args), vars(self)


class StorageError(BotError):
    @property
    def advice(self) -> str:
        """The problem and its remedy, for the host."""
        return (
            f"The database cannot be used ({self}). Check DATABASE_URL, whether the bot may write "
            "there (for a file, to its folder, too), and whether the disk has room."
        )


class StorageBusyError(StorageError):
    """The database was busy: no thread or lock was free in time; nothing was done."""

    @property
    def advice(self) -> str:
        return "The database is in use by another program. Is the bot running already?"


class ClosingError(StorageError):
    pass


class NewerDatabaseError(StorageError):
    """The database was written by a later version of this program.

    `copy` is a backup that this version can use; None if none is known.
    """

    def __init__(self, copy: Path | None = None) -> None:
        super().__init__("written by a later version")
        self.copy = copy

    @property
    def advice(self) -> str:
        said = "The database was written by a newer version of this bot. Update the bot, or "
        if self.copy is None:
            return said + "point DATABASE_URL to another database."
        return (
            f"{said}go back to the copy from before, without what was played since: "
            f"python -m bot restore {self.copy}"
        )


class TrialDatabaseError(StorageError):
    """The database was made by a version before 1.0, which promised nothing for later ones."""

    @property
    def advice(self) -> str:
        return (
            "The database was made by a trial version; 1.0 begins a new one. Nothing in it was "
            "changed: move the file away, or point DATABASE_URL to another database."
        )


class UnusableDatabaseError(StorageError):
    """The database cannot be used, or is no database; the message says why, without the URL."""


class DamagedDatabaseError(UnusableDatabaseError):
    """The database's file is damaged, or is not one of SQLite's; the message says how."""

    @property
    def advice(self) -> str:
        return (
            f"The database is damaged ({self}). Stop the bot and restore a backup: "
            "python -m bot restore FILE. If this is no database, check DATABASE_URL."
        )


class UnfitDatabaseError(UnusableDatabaseError):
    """The bot cannot work with this database; the message tells the host what to do."""

    @property
    def advice(self) -> str:
        return str(self)


class LostDatabaseError(UnusableDatabaseError):
    """The database's server is unreachable; it may come back."""

    @property
    def advice(self) -> str:
        return (
            f"The database's server cannot be reached ({self}). Check whether it is running, and "
            "DATABASE_URL."
        )


class NoDriverError(StorageError):
    @property
    def advice(self) -> str:
        return (
            "PostgreSQL needs a package more. In the bot's folder: "
            "python3 tasks.py install postgres"
        )


class NoDatabaseError(StorageError):
    """The database's file `path` does not exist."""

    def __init__(self, path: str) -> None:
        super().__init__("no such file")
        self.path = path

    @property
    def advice(self) -> str:
        return (
            f"There is no database at {self.path}. Start this in the bot's folder, or check "
            "DATABASE_URL."
        )
