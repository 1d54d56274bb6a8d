"""Findings: what the doctor has found out, as facts; sentences are made of them elsewhere."""

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, dataclass_transform

from bot.errors import BotError


class Weight(IntEnum):
    """What a finding means for who hosts the bot."""

    FINE = 0
    """Nothing is to be done."""
    LEFT_OUT = 1
    """Nobody could look, or was to."""
    WARNING = 2
    """The bot runs, but not as well as it could."""
    ERROR = 3
    """The bot, or a part of it, cannot work."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Finding:
    """Base of all findings. Each declares its facts as fields, and what it means."""

    weight: ClassVar[Weight] = Weight.FINE

    def __init_subclass__(cls) -> None:
        """Make the fields what the finding is made of, each by its name."""
        super().__init_subclass__()
        dataclass(frozen=True, kw_only=True)(cls)


class FoundError(BotError):
    """What ends a step of the doctor's, as the finding that it is."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(type(finding).__name__)
        self.finding = finding


class NotLookedAt(Finding):
    """Something was left out, because it was to be, or something else must be mended first."""

    weight = Weight.LEFT_OUT
    because_of: str
    """What keeps from looking: an option, or a setting."""


class CouldNotLook(Finding):
    """Looking has failed in a way that nobody thought of; other findings stand all the same."""

    weight = Weight.ERROR
    step: str
    kind: str
    """The error's class. Its text may have secrets."""


# The settings.


class SettingsFound(Finding):
    """Where settings come from: the environment, and over a file if there is one."""

    folder: str
    has_file: bool


class BadSetting(Finding):
    """A setting that is missing or cannot be used, or the file of settings."""

    weight = Weight.ERROR
    name: str
    value: str


class WeakKey(Finding):
    """Others may guess the host's key, and the bot does not start with it."""

    weight = Weight.ERROR


class WeakKeyInUse(Finding):
    """Others may guess the host's key; puzzles follow from it already."""

    weight = Weight.WARNING


# The machine.


class PythonFound(Finding):
    """Which version of the bot there is, and which Python runs it."""

    bot: str
    version: str


class LibrariesAsTested(Finding):
    """All libraries are the versions that tests ran with."""

    libraries: int


class LibrariesUntold(Finding):
    """There is no list here of the versions that tests ran with."""

    libraries: int


class LibrariesOther(Finding):
    """Some libraries are other versions than tests ran with."""

    weight = Weight.WARNING
    names: str
    """Each with the version that is there and the one that is pinned."""


class LibrariesMissing(Finding):
    """Libraries that the bot needs are not there."""

    weight = Weight.ERROR
    names: str


class ZonesFound(Finding):
    """There are time zones."""

    zones: int


class NoZones(Finding):
    """There are none, so that no server and no player can have one."""

    weight = Weight.ERROR


# Files.


class OthersMayRead(Finding):
    """A file with secrets is not its owner's alone."""

    weight = Weight.WARNING
    path: str


class OnlyOwnerReads(Finding):
    """Files with secrets are their owner's alone."""

    paths: str


class FolderMissing(Finding):
    """The folder for the database is not there."""

    weight = Weight.ERROR
    path: str


class PathUnwritable(Finding):
    """This user may not write to the database's file, or in its folder."""

    weight = Weight.ERROR
    path: str


class FolderWritable(Finding):
    """The bot may write in the folder of its database."""

    path: str


class DiskFree(Finding):
    """How much room there is on the disk of the database."""

    free: int
    """Bytes."""
    path: str


class DiskLow(DiskFree):
    """There is little."""

    weight = Weight.WARNING


class DiskFull(DiskFree):
    """There is hardly any: the next write may fail."""

    weight = Weight.ERROR
