"""The doctor's look at the machine: Python, libraries, zone data, files and their disk."""

import os
import platform
import re
import shutil
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot import version as of_bot
from bot.hosting.doctor.finding import Finding, counted, error, fine, size, warning
from bot.hosting.terminal import readers_of

_LOCKS: Final = Path(__file__).parents[3] / "locks"
# The versions that tests ran with; not there where the bot was installed from a wheel.
_PINS: Final = (_LOCKS / "run.txt", _LOCKS / "postgres.txt")
_US: Final = "focdle-bot"
_INSTALL: Final = "In the bot's folder: python3 tasks.py install"
_A_ZONE: Final = "Europe/Berlin"
# A database of a large bot grows by less in a week; with less than that, SQLite may soon fail.
_LOW_BYTES: Final = 500 * 2**20
_FULL_BYTES: Final = 20 * 2**20


def check_python() -> Iterator[Finding]:
    """Which version runs on which Python, and whether with the libraries that tests ran with."""
    yield fine(f"focdle-bot {of_bot.version()} on Python {platform.python_version()}.")
    pinned, needed = _pinned(), set(_needed())
    missing = sorted(name for name in needed if _version(name) is None)
    if missing:
        yield error(f"These libraries are missing: {', '.join(missing)}.", _INSTALL)
    there = {name: version for name in pinned or needed if (version := _version(name))}
    other = [
        f"{name} {version} (not {' or '.join(sorted(pinned[name]))})"
        for name, version in sorted(there.items())
        if pinned and version not in pinned[name]
    ]
    libraries = counted(len(there), "library", "libraries")
    if other:
        yield warning(
            f"Tests ran with other versions of these libraries: {', '.join(other)}.", _INSTALL
        )
    elif not pinned:
        yield fine(f"{libraries} found. There are no locks here to compare versions with.")
    elif not missing:
        yield fine(f"{libraries}, all in the versions that tests ran with.")


def _pinned() -> dict[str, set[str]]:
    """The versions in lock files, by name; several where they depend on the machine."""
    found: dict[str, set[str]] = {}
    for path in filter(Path.is_file, _PINS):
        for line in path.read_text(encoding="utf-8").splitlines():
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
            yield re.split(r"[^\w.-]", requirement)[0].lower()


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def check_zones() -> Iterator[Finding]:
    """Whether there are time zones."""
    try:
        ZoneInfo(_A_ZONE)
    except ZoneInfoNotFoundError:
        yield error(
            "No time zones are known, so no server and no player can choose one.",
            "In the bot's folder: .venv/bin/python -m pip install --force-reinstall tzdata",
        )
    else:
        yield fine(f"{len(available_timezones())} time zones are known.")


def check_readers(paths: Iterable[Path]) -> Iterator[Finding]:
    """Whether files with secrets, as far as they are there, are their owner's alone."""
    if os.name != "posix":  # elsewhere, the mode says nothing about who may read a file
        return
    closed: list[str] = []
    for path in paths:
        try:
            advice = readers_of(path)
        except OSError:  # it is not there, or whoever opens it says what is wrong
            continue
        if path.is_dir():  # which is told of a database that is one
            continue
        if advice:
            yield warning(advice)
        else:
            closed.append(str(path))
    if closed:
        yield fine(f"Nobody else on this machine can read {', '.join(closed)}.")


def check_folder(database: Path) -> Iterator[Finding]:
    """Whether the database's file, if it is there, and its folder can be written; its disk."""
    folder = database.parent
    if not folder.is_dir():
        yield error(
            f"The folder {folder} for the database is not there.",
            "Make it, or check DATABASE_URL.",
        )
        return
    closed = [path for path in (folder, database) if path.exists() and not _may_write(path)]
    for path in closed:
        yield error(
            f"The bot may not write to {path}.",
            "Make it this user's own (chown), or start the bot as the user to whom it belongs; "
            "SQLite writes into the folder of its file, too.",
        )
    if not closed:
        yield fine(f"The bot may write in {folder}.")
    free = shutil.disk_usage(folder).free
    room = f"{size(free)} are free on the disk of {folder}"
    if free < _FULL_BYTES:
        yield error(
            f"Only {room}: writing may fail at any moment, and guesses with it.", "Make room now."
        )
    elif free < _LOW_BYTES:
        yield warning(f"Only {room}.", "Make room before it is full.")
    else:
        yield fine(f"{room}.")


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK | os.X_OK if path.is_dir() else os.W_OK)
