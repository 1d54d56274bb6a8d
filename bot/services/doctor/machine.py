"""The doctor's look at the machine: Python, libraries, zone data, files and their disk."""

import os
import platform
import shutil
import stat
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot import version as of_bot
from bot.services.doctor.findings import (
    DiskFree,
    DiskFull,
    DiskLow,
    Finding,
    FolderMissing,
    FolderWritable,
    LibrariesAsTested,
    LibrariesMissing,
    LibrariesOther,
    LibrariesUntold,
    NoZones,
    OnlyOwnerReads,
    OthersMayRead,
    PathUnwritable,
    PythonFound,
    ZonesFound,
)

_LOCKS: Final = Path(__file__).parents[3] / "locks"
PINS: Final = (_LOCKS / "run.txt", _LOCKS / "postgres.txt")
"""The versions that tests ran with; not there where the bot was installed from a wheel."""

_US: Final = "focdle-bot"
_A_ZONE: Final = "Europe/Berlin"
_NOT_THE_OWNERS: Final = stat.S_IRWXG | stat.S_IRWXO
# A database of a large bot grows by less in a week; with less than that, SQLite may soon fail.
_LOW_BYTES: Final = 500 * 2**20
_FULL_BYTES: Final = 20 * 2**20


def look_at_python() -> Iterator[Finding]:
    """Which version runs on which Python, and whether with the libraries that tests ran with."""
    yield PythonFound(bot=of_bot.version(), version=platform.python_version())
    pinned = _pinned(PINS)
    needed = set(_needed())
    missing = sorted(name for name in needed if _version(name) is None)
    if missing:
        yield LibrariesMissing(names=", ".join(missing))
    there = {name: version for name in pinned or needed if (version := _version(name))}
    other = [
        f"{name} {version} (not {' or '.join(sorted(pinned[name]))})"
        for name, version in sorted(there.items())
        if pinned and version not in pinned[name]
    ]
    if other:
        yield LibrariesOther(names=", ".join(other))
    elif not pinned:
        yield LibrariesUntold(libraries=len(there))
    elif not missing:
        yield LibrariesAsTested(libraries=len(there))


def _pinned(paths: Iterable[Path]) -> dict[str, set[str]]:
    """The versions in lock files, by name; several where they depend on the machine."""
    found: dict[str, set[str]] = {}
    for path in paths:
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else ()
        for line in lines:
            name, is_pin, version = line.partition(";")[0].strip(" \\").partition("==")
            if is_pin and not name.startswith("#"):
                found.setdefault(name.lower(), set()).add(version)
    return found


def _needed() -> Iterator[str]:
    """The names of the libraries that the bot itself asks for, but for extras."""
    try:
        wanted = metadata.requires(_US) or ()
    except metadata.PackageNotFoundError:  # it runs from its folder, and was never installed
        wanted = ()
    for requirement in wanted:
        if "extra ==" not in requirement:
            name = requirement
            for sign in "[(<>=!~; ":
                name = name.partition(sign)[0]
            yield name.lower()


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def look_at_zones() -> Iterator[Finding]:
    """Whether there are time zones."""
    try:
        ZoneInfo(_A_ZONE)
    except ZoneInfoNotFoundError:
        yield NoZones()
    else:
        yield ZonesFound(zones=len(available_timezones()))


def look_at_readers(paths: Iterable[Path]) -> Iterator[Finding]:
    """Whether files with secrets are their owner's alone.

    Args:
        paths: the files; those that are not there are left out.
    """
    if os.name != "posix":  # elsewhere, the mode says nothing about who may read a file
        return
    closed: list[str] = []
    for path in paths:
        try:
            mode = path.stat().st_mode
        except OSError:  # it is not there, or whoever opens it says what is wrong
            continue
        if mode & _NOT_THE_OWNERS:
            yield OthersMayRead(path=str(path))
        else:
            closed.append(str(path))
    if closed:
        yield OnlyOwnerReads(paths=", ".join(closed))


def look_at_folder(database: Path) -> Iterator[Finding]:
    """Whether the database's file and its folder can be written, and how much room there is.

    Args:
        database: the file, which need not be there yet.
    """
    folder = database.resolve().parent
    if not folder.is_dir():
        yield FolderMissing(path=str(folder))
        return
    closed = [path for path in (folder, database) if path.exists() and not _may_write(path)]
    for path in closed:
        yield PathUnwritable(path=str(path))
    if not closed:
        yield FolderWritable(path=str(folder))
    free = shutil.disk_usage(folder).free
    kind = DiskFull if free < _FULL_BYTES else DiskLow if free < _LOW_BYTES else DiskFree
    yield kind(free=free, path=str(folder))


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK | os.X_OK if path.is_dir() else os.W_OK)
