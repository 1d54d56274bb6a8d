"""Findings about the database."""

from bot.errors import StorageError
from bot.services.doctor.findings import Finding, Weight


class DatabaseToCome(Finding):
    """There is none yet; the first start makes it."""

    path: str


class DatabaseUnusable(Finding):
    """It cannot be used, as the error says."""

    weight = Weight.ERROR
    error: StorageError


class ServerFound(Finding):
    """The server of PostgreSQL's answers."""

    version: str


class ServerTooOld(Finding):
    """The server is older than what the bot needs."""

    weight = Weight.ERROR
    version: str


class SchemaCurrent(Finding):
    """The schema is this version's."""

    revision: str


class SchemaEmpty(Finding):
    """There are no tables yet; the first start makes them."""


class SchemaOlder(Finding):
    """The schema is an earlier version's; the next start brings it up to date."""

    weight = Weight.WARNING
    revision: str
    newest: str


class TablesMissing(Finding):
    """Tables are not there that this version has."""

    weight = Weight.ERROR
    tables: str


class SizeFound(Finding):
    """How many bytes it takes."""

    size: int


class Whole(Finding):
    """The file was looked through, and nothing in it is damaged."""


class Damaged(Finding):
    """Something in the file is damaged."""

    weight = Weight.ERROR
    problem: str


class TooLargeToLookThrough(Finding):
    """Looking through the file took too long and was given up."""

    weight = Weight.LEFT_OUT
    seconds: int


class WriteTook(Finding):
    """How long it took to write something down and take it back."""

    milliseconds: int


class WriteSlow(WriteTook):
    """That is long: players wait for it with each guess."""

    weight = Weight.WARNING


class WriteBusy(Finding):
    """Another program holds the database."""

    weight = Weight.ERROR
    seconds: int


class WriteRefused(Finding):
    """Nothing can be written."""

    weight = Weight.ERROR
    reason: str


class NoBotRuns(Finding):
    """No bot answers from this database now."""


class BotRuns(Finding):
    """A bot answers from this file, and no other may."""

    seconds: int
    """How long ago it was last heard."""


class BotVanished(BotRuns):
    """It was heard of late, but no program has the file open, as far as can be seen."""


class ProcessesRun(Finding):
    """Processes of a bot answer from a database that many may share."""

    processes: int
    shards: int
    seconds: int
    """How long ago one was last heard."""


class LeasesHeld(Finding):
    """Something works with the database, but no bot was heard of late."""

    names: str


class SeveralPrograms(Finding):
    """More than one program has the file open, of which only one may be a bot."""

    weight = Weight.WARNING
    pids: str
