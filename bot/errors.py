"""What all errors of the bot's have in common, and what can go wrong with the database itself."""

from pathlib import Path


class BotError(Exception):
    """Base of what the bot raises with facts of its own.

    A copy, and what another process receives, has the same facts and the same text.
    """

    def __reduce__(self) -> tuple[object, ...]:
        # Python would call the class with the text alone.
        return type(self).__new__, (type(self), *self.args), vars(self)


class StorageError(BotError):
    """Base of everything storage raises on purpose."""

    @property
    def advice(self) -> str:
        """What is wrong, and what the host can do about it."""
        return (
            f"The database cannot be used ({self}). Check DATABASE_URL, whether the bot may write "
            "there (for a file, to its folder, too), and whether the disk has room."
        )


class StorageBusyError(StorageError):
    """The write lock was not free in time; nothing was done."""

    @property
    def advice(self) -> str:
        """What to look for."""
        return "The database is in use by another program. Is the bot running already?"


class ClosingError(StorageError):
    """The program is ending and takes no more work; nothing was done."""


class NewerDatabaseError(StorageError):
    """The database was written by a later version of this program.

    Attributes:
        copy: a copy from before that, which this version can use; None if none is known.
    """

    def __init__(self, copy: Path | None = None) -> None:
        super().__init__("written by a later version")
        self.copy = copy

    @property
    def advice(self) -> str:
        """What to do: update, or go back."""
        said = "The database was written by a newer version of this bot. Update the bot, or "
        if self.copy is None:
            return said + "point DATABASE_URL to another database."
        return (
            f"{said}go back to the copy from before, without what was played since: "
            f"python -m bot restore {self.copy}"
        )


class OlderDatabaseError(StorageError):
    """The database is too old for this program; version `by` can still bring it up to date."""

    def __init__(self, by: str) -> None:
        super().__init__(f"only version {by} can bring it up to date")
        self.by = by

    @property
    def advice(self) -> str:
        """Which version to start first."""
        return (
            f"The database was written by a version of this bot before {self.by}, and nothing in "
            f"it was changed. Start version {self.by} once, which brings it up to date; then this "
            "one."
        )


class UnfinishedDatabaseError(OlderDatabaseError):
    """Its ratings are not worked out anew yet, which version `by` does after its start."""

    @property
    def advice(self) -> str:
        """How long to run which version first."""
        return (
            "The ratings in the database are still to be worked out anew, which version "
            f"{self.by} does, and nothing in it was changed. Start version {self.by}, and let it "
            "run until its leaderboards of duels no longer say that it is at that; then this one."
        )


class UnusableDatabaseError(StorageError):
    """The database cannot be used, or is none; the message says why, without the URL."""


class DamagedDatabaseError(UnusableDatabaseError):
    """The file of the database is damaged, or none of SQLite's; the message says how."""

    @property
    def advice(self) -> str:
        """How to restore a backup."""
        return (
            f"The database is damaged ({self}). Stop the bot and restore a backup: "
            "python -m bot restore FILE. If this is no database, check DATABASE_URL."
        )


class UnfitDatabaseError(UnusableDatabaseError):
    """The database is none that the bot can work with; the message says what to do, to the host."""

    @property
    def advice(self) -> str:
        """The message."""
        return str(self)


class LostDatabaseError(UnusableDatabaseError):
    """The database's server cannot be reached now, or has hung up; later it may be there again."""

    @property
    def advice(self) -> str:
        """What to check."""
        return (
            f"The database's server cannot be reached ({self}). Check whether it is running, and "
            "DATABASE_URL."
        )


class NoDriverError(StorageError):
    """What speaks with this kind of database is not installed."""

    @property
    def advice(self) -> str:
        """How to install it."""
        return (
            "PostgreSQL needs a package more. In the bot's folder: "
            ".venv/bin/python -m pip install '.[postgres]'"
        )


class NoDatabaseError(StorageError):
    """The file of the database is not there; `path` is where it would be."""

    def __init__(self, path: str) -> None:
        super().__init__("no such file")
        self.path = path

    @property
    def advice(self) -> str:
        """Where to look."""
        return (
            f"There is no database at {self.path}. Start this in the bot's folder, or check "
            "DATABASE_URL."
        )
