"""Findings of the doctor, and checks of machine and settings."""

import os
import platform
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from difflib import get_close_matches
from enum import StrEnum
from functools import partial
from importlib import import_module, metadata
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.config import ENV, NAMES, Settings, WebSettings, is_for_many
from bot.db.copies import newest_backup
from bot.db.database import file_at
from bot.errors import BotError
from bot.hosting.terminal import readers_of
from bot.logs import redacted
from bot.version import version as bot_version
from engine.errors import counted


class Weight(StrEnum):
    """A finding's severity for the host."""

    FINE = "fine"
    """Nothing to do."""
    LEFT_OUT = "left out"
    """A check that was impossible or unwanted."""
    WARNING = "warning"
    """The bot runs, but not as well as it could."""
    ERROR = "error"
    """The bot, or a part of it, cannot work."""


class Finding(NamedTuple):
    """A result of one of the doctor's checks; `mend` is the remedy, empty if none is needed."""

    weight: Weight
    text: str
    mend: str = ""


class FoundError(BotError):
    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.text)
        self.finding = finding


fine: Final = partial(Finding, Weight.FINE)
left_out: Final = partial(Finding, Weight.LEFT_OUT)
warning: Final = partial(Finding, Weight.WARNING)
error: Final = partial(Finding, Weight.ERROR)


def size(count: int) -> str:
    for unit, bytes_in_it in (("GB", 10**9), ("MB", 10**6)):
        if count >= bytes_in_it:
            return f"{count / bytes_in_it:,.1f} {unit}"
    return f"{count / 1000:,.0f} kB"


_LOCKS: Final = Path(__file__).parents[2] / "locks"
# Locked versions, which the tests ran with; an installation from a wheel has none.
_PINS: Final = [_LOCKS / f"{name}.txt" for name in ("backend", "run", "postgres")]
_INSTALL: Final = "In the bot's folder: python3 tasks.py install"
_A_ZONE: Final = "Europe/Berlin"
# A large bot's database grows by less in a week; with less space, SQLite may soon fail.
_LOW_BYTES: Final = 500 * 2**20
_FULL_BYTES: Final = 20 * 2**20


def check_python() -> Iterator[Finding]:
    """Compare the versions of Python and the libraries with the versions that are tested."""
    yield fine(f"focdle-bot {bot_version()} on Python {platform.python_version()}.")
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
    """Map libraries to their locked versions; one has several if machines need different ones."""
    found: dict[str, set[str]] = {}
    for path in filter(Path.is_file, _PINS):
        for line in path.read_text(encoding="utf-8").splitlines():
            name, is_pin, version = line.partition(";")[0].strip(" \\").partition("==")
            if is_pin and not name.startswith("#"):
                found.setdefault(name.lower(), set()).add(version)
    return found


def _needed() -> Iterator[str]:
    """Yield the names of the libraries that the bot requires, without those of extras."""
    try:
        wanted = metadata.requires("focdle-bot") or ()
    except metadata.PackageNotFoundError:  # it runs from a folder, not installed
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
    """Check that other users cannot read files with secrets."""
    if os.name != "posix":  # Windows' modes say nothing about readers
        return
    closed: list[str] = []
    for path in paths:
        try:
            advice = readers_of(path)
        except OSError:  # missing, or unreadable for its user too: others report that
            continue
        if path.is_dir():  # reported with the database
            continue
        if advice:
            yield warning(advice)
        else:
            closed.append(str(path))
    if closed:
        yield fine(f"Nobody else on this machine can read {', '.join(closed)}.")


def check_folder(database: Path) -> Iterator[Finding]:
    """Check that the database's folder and file are writable, and its disk has room."""
    folder = database.parent
    if not folder.is_dir():
        yield error(
            f"The folder {folder} for the database is not there.",
            "Make it, or check DATABASE_URL.",
        )
        return
    needs = ((folder, os.W_OK | os.X_OK), (database, os.W_OK))
    closed = [path for path, mode in needs if path.exists() and not os.access(path, mode)]
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


URL: Final = "DATABASE_URL"
"""The name of the setting that says which database has the games."""

_OLD_BACKUP: Final = timedelta(days=2)
UNREADABLE: Final = "\N{REPLACEMENT CHARACTER}"
# What a paper of ours leaves to hosts.
_BLANK: Final = re.compile(r"`([A-Z][A-Z ,-]{3,}):?`")
_ALIKE: Final = 0.8
"""The least similarity to one of our names by which a name counts as misspelt, where 1 is equal.

Compose's own names are less similar.
"""


def what_is_wrong(settings: Settings, now: datetime) -> list[str]:
    """List in sentences what a running bot's host can mend here; nothing is asked or written."""
    file = file_at(settings.database_url)
    path = None if file is None else file.resolve()
    secret = [Path(ENV), *([path] if path else [])]
    checks = [check_python(), check_zones(), check_readers(secret), check_backups(settings, now)]
    checks += [check_folder(path)] if path else []
    checks += [check_papers(settings.web)] if settings.web else []
    told = [
        f"{found.text} {found.mend}".strip()
        for found in chain.from_iterable(checks)
        if found.weight in {Weight.WARNING, Weight.ERROR}
    ]
    return [redacted(each, settings.secrets) for each in told]


def check_sources() -> Iterator[Finding]:
    folder = Path.cwd()
    if Path(ENV).is_file():
        yield fine(f"Settings are read from the environment and from .env in {folder}.")
    else:
        yield fine(
            f"Settings are read only from the environment: there is no .env in {folder}.",
            "If you have one elsewhere, start this and the bot in its folder.",
        )


def check_names(environment: Mapping[str, str | None]) -> Iterator[Finding]:
    """Warn of misspelt names of settings, which would silently have no effect."""
    for name in sorted(environment.keys() - {*NAMES}):
        if meant := get_close_matches(name.upper(), NAMES, 1, _ALIKE):
            yield warning(f"{name} is no setting.", f"Did you mean {meant[0]}?")


def check_papers(web: WebSettings) -> Iterator[Finding]:
    """Check that the host's papers are shown, as they were written and without blanks."""
    page = import_module("web.page")
    for name in ("privacy", "terms"):
        own: Path = page.own_paper(name)
        file: Path = page.paper_file(name)
        text: str = page.read_paper(file)
        if file != own and os.path.lexists(own):
            yield error(
                f"{own} cannot be read, so {web.url}/{name} shows {file}.",
                "Make it a file that the bot's user may read (chmod 644).",
            )
        if UNREADABLE in text:
            yield warning(
                f"{file} is no UTF-8 text: {web.url}/{name} shows {UNREADABLE} for some signs.",
                "Save it as UTF-8.",
            )
        if blanks := dict.fromkeys(_BLANK.findall(text)):
            yield warning(
                f"{web.url}/{name} has places that you are to fill in: {'; '.join(blanks)}.",
                f"Copy {file} beside .env, if it is not there, and fill them in.",
            )
        elif UNREADABLE not in text:
            yield fine(f"{web.url}/{name} shows {file}.")


def check_backups(settings: Settings, now: datetime) -> Iterator[Finding]:
    """Check that there is a new backup, and that more can be written to their folder.

    The folder need not exist yet.
    """
    if is_for_many(settings.database_url):
        yield left_out("Backups of PostgreSQL are made by its own programs, and are not looked at.")
        return
    if settings.backups is None:
        yield warning(
            "BACKUPS is off: nothing is copied.", "Leave it out, or make copies yourself."
        )
        return
    path = settings.backups.absolute()
    there = next(each for each in (path, *path.parents) if os.path.lexists(each))
    if not there.is_dir():
        yield error(
            f"No backup can be made in {path}: {there} is no folder.",
            "Name another folder in BACKUPS, or leave it out.",
        )
        return
    if not os.access(there, os.R_OK | os.W_OK | os.X_OK):
        yield error(
            f"No backup can be made in {path}: the bot may not write to {there}.",
            "Make it this user's own (chown), or name another folder in BACKUPS.",
        )
        return
    newest = newest_backup(path, now)
    if newest is None:
        yield fine(f"Backups can be written to {path}; there is none yet.")
    elif now - newest < _OLD_BACKUP:
        yield fine(f"Backups can be written to {path}; the newest is of {newest:%Y-%m-%d %H:%M}.")
    else:
        yield warning(
            f"The newest backup in {path} is {(now - newest).days} days old.",
            "A running bot makes one each night, or says in its log why it cannot.",
        )
