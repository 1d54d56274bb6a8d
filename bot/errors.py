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


class StorageBusyError(StorageError):
    """The write lock was not free in time; nothing was done."""


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


class OlderDatabaseError(StorageError):
    """The database is too old for this program; version `by` can still bring it up to date."""

    def __init__(self, by: str) -> None:
        super().__init__(f"only version {by} can bring it up to date")
        self.by = by


class UnfinishedDatabaseError(OlderDatabaseError):
    """Its ratings are not worked out anew yet, which version `by` does after its start."""


class UnusableDatabaseError(StorageError):
    """The database cannot be used, or is none; the message says why, without the URL."""


class DamagedDatabaseError(UnusableDatabaseError):
    """The file of the database is damaged, or none of SQLite's; the message says how."""


class UnfitDatabaseError(UnusableDatabaseError):
    """The database is none that the bot can work with; the message says what to do, to the host."""


class LostDatabaseError(UnusableDatabaseError):
    """The database's server cannot be reached now, or has hung up; later it may be there again."""


class NoDriverError(StorageError):
    """What speaks with this kind of database is not installed."""


class NoDatabaseError(StorageError):
    """The file of the database is not there; `path` is where it would be."""

    def __init__(self, path: str) -> None:
        super().__init__("no such file")
        self.path = path
