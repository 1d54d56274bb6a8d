"""The settings: read once at start, and checked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.address import NAME as HEALTH_ADDRESS
from bot.address import Address, read_address
from bot.db.postgres_url import ParameterError, with_defaults
from bot.variables import SettingsError, text_of, value_or_file

# As hosts may write it, and what it means. The bot had another driver for SQLite once; many who
# rent out PostgreSQL give URLs of the short kind.
_DRIVERS: Final = {
    "sqlite": "sqlite",
    "sqlite+aiosqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+asyncpg": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
DEFAULT_DATABASE_URL: Final = "sqlite:///focdle.db"
_DEFAULT_LEVEL: Final = "INFO"
_SWITCH: Final = {"on": True, "off": False}
_OFF: Final = "off"
_WORKERS: Final = {"0": 0, "1": 1, "2": 2, "": None}
_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOG_PARTS: Final = ("bot", "cogs", "discord", "aiohttp", "asyncio", "alembic")
"""The parts that may have a level of their own. What talks to the database has none: it would log
what it writes, codes among it."""
LONGEST_CONTACT: Final = 200
LEAST_DAYS: Final = 90
"""What players are forgotten after may not be less: a term abroad, a long illness."""
_DAYS: Final = re.compile(r"([1-9]\d{0,4}) ?(?:d|days?)?")
_FORMATS: Final = {"": False, "text": False, "json": True}
_KEPT: Final = re.compile(r"(\d{1,3}) (day|week)s?")


@dataclass(frozen=True, slots=True)
class LogSettings:
    """What is logged, and how.

    Attributes:
        level: the least severe level to show.
        levels: those of parts, by the logger's name.
        is_json: whether each event is a line of JSON rather than a line to read.
    """

    level: str = _DEFAULT_LEVEL
    levels: Mapping[str, str] = field(default_factory=dict[str, str])
    is_json: bool = False


MOST_WEEKS: Final = 4
"""The bot keeps no backup of its own for longer: what players delete is gone from them by then."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Of which times a backup is kept: of each of them the newest one.

    Attributes:
        days: how many dates, in UTC, with today's.
        weeks: how many weeks, from Monday on, with this one.
    """

    days: int = 7
    weeks: int = 4


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """Where backups are, and how many.

    Attributes:
        folder: where they are made, each night and before migrations; None for nowhere.
        kept: which of them stay.
    """

    folder: Path | None = None
    kept: Kept = field(default_factory=Kept)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a host can set. Secrets stay out of its `repr`."""

    token: str = field(repr=False)
    database_url: str = field(default=DEFAULT_DATABASE_URL, repr=False)
    puzzle_key: str | None = field(default=None, repr=False)
    logs: LogSettings = field(default_factory=LogSettings)
    avatars: bool = True
    workers: int | None = None
    """How many processes beside the bot; None for as many as there are cores for."""
    contact: str = ""
    """Where players reach the people who run the bot; empty if they say nothing of it."""
    backups: BackupSettings = field(default_factory=BackupSettings)
    health: Address | None = None
    """Where programs ask how the bot is; None for nowhere."""

    forget_after: timedelta | None = None
    """After how long without a sign of theirs players are forgotten; None for never."""

    sentry_dsn: str = field(default="", repr=False)
    """The project of Sentry's that is told of our errors; empty for none."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no log may have; empty texts where there is none."""
        password = password_of(self.database_url)
        return self.token, self.puzzle_key or "", password, self.sentry_dsn


def read_settings(environment: Mapping[str, str | None]) -> Settings:
    """Check every setting.

    Args:
        environment: variables by name; unknown ones are ignored, blank ones count as unset.

    Raises:
        SettingsError: the first setting that is missing or wrong.
    """
    token = value_or_file(environment, "DISCORD_TOKEN")
    if not token:
        raise SettingsError("DISCORD_TOKEN")
    avatars = (text_of(environment, "AVATARS") or "on").lower()
    if avatars not in _SWITCH:
        raise SettingsError("AVATARS", avatars)
    workers = text_of(environment, "WORKERS").lower()
    if workers not in _WORKERS:
        raise SettingsError("WORKERS", workers)
    return Settings(
        token,
        read_database_url(environment),
        value_or_file(environment, "PUZZLE_KEY") or None,
        read_log_settings(environment),
        _SWITCH[avatars],
        _WORKERS[workers],
        _contact_in(environment),
        read_backup_settings(environment),
        _health_in(environment),
        _forget_after_in(environment),
        value_or_file(environment, "SENTRY_DSN"),
    )


def _contact_in(environment: Mapping[str, str | None]) -> str:
    """One line that messages may show.

    Raises:
        SettingsError: it is longer, or has what nobody could read.
    """
    contact = text_of(environment, "CONTACT")
    if len(contact) > LONGEST_CONTACT or not contact.isprintable():
        raise SettingsError("CONTACT")
    return contact


def _health_in(environment: Mapping[str, str | None]) -> Address | None:
    """Where to listen for programs that ask how the bot is.

    Raises:
        SettingsError: that is no address.
    """
    text = text_of(environment, HEALTH_ADDRESS)
    try:
        return read_address(text)
    except ValueError as error:
        raise SettingsError(HEALTH_ADDRESS, text) from error


def _forget_after_in(environment: Mapping[str, str | None]) -> timedelta | None:
    """A number of days, as in `400d`.

    Raises:
        SettingsError: it is none, or too small.
    """
    text = text_of(environment, "FORGET_AFTER").lower()
    if not text:
        return None
    found = _DAYS.fullmatch(text)
    if found is None or int(found[1]) < LEAST_DAYS:
        raise SettingsError("FORGET_AFTER", text)
    return timedelta(days=int(found[1]))


def read_log_settings(environment: Mapping[str, str | None]) -> LogSettings:
    """How to log: a level for all, and perhaps others for parts, as in `INFO, cogs=DEBUG`.

    Args:
        environment: as for `read_settings`.

    Raises:
        SettingsError: a level, a part or the format is none.
    """
    text = text_of(environment, "LOG_LEVEL")
    general, levels = _DEFAULT_LEVEL, dict[str, str]()
    for each in filter(None, map(str.strip, text.split(","))):
        part, _, level = each.rpartition("=")
        part, level = part.strip(), level.strip().upper()
        is_known = not part or part.split(".")[0] in LOG_PARTS
        if level not in _LEVELS or not is_known or ("=" in each) is not bool(part):
            raise SettingsError("LOG_LEVEL", each)
        if part:
            levels[part] = level
        else:
            general = level
    shape = text_of(environment, "LOG_FORMAT").lower()
    if shape not in _FORMATS:
        raise SettingsError("LOG_FORMAT", shape)
    return LogSettings(general, levels, _FORMATS[shape])


def read_backup_settings(environment: Mapping[str, str | None]) -> BackupSettings:
    """Where backups are, and which of them stay, as in `7 days, 4 weeks`.

    Args:
        environment: as for `read_settings`.

    Raises:
        SettingsError: the database is none whose backups the bot makes, `BACKUPS_KEPT` is none, or
            the database is none that can be used.
    """
    folder = _backups_in(environment)
    text = text_of(environment, "BACKUPS_KEPT").lower()
    if not text:
        return BackupSettings(folder)
    counts: dict[str, int] = {"days": 0, "weeks": 0}
    for part in text.split(","):
        found = _KEPT.fullmatch(part.strip())
        if found is None:
            raise SettingsError("BACKUPS_KEPT", text)
        counts[found[2] + "s"] = int(found[1])
    if not counts["days"] or counts["days"] > 7 * MOST_WEEKS or counts["weeks"] > MOST_WEEKS:
        raise SettingsError("BACKUPS_KEPT", text)
    return BackupSettings(folder, Kept(**counts))


def _backups_in(environment: Mapping[str, str | None]) -> Path | None:
    """The folder for backups: beside the file of the database, unless the host says otherwise."""
    text, url = text_of(environment, "BACKUPS"), make_url(read_database_url(environment))
    if text.lower() == _OFF:
        return None
    if url.get_backend_name() != "sqlite":
        if text:
            raise SettingsError("BACKUPS", text)
        return None
    file = Path(url.database or "")
    return Path(text) if text else file.with_name(f"{file.stem}-backups")


def is_for_many(database_url: str) -> bool:
    """Whether several processes may share a database that can be used."""
    return make_url(database_url).get_backend_name() != "sqlite"


def password_of(database_url: str) -> str:
    """The password in a URL that can be used; empty without one."""
    return str(make_url(database_url).password or "")


def read_database_url(environment: Mapping[str, str | None]) -> str:
    """Where the games are kept; the one setting that is needed without Discord.

    Args:
        environment: as for `read_settings`.

    Raises:
        SettingsError: it is the URL of no database that can be used, or in no file that can.
    """
    text = value_or_file(environment, "DATABASE_URL")
    if not text:
        return DEFAULT_DATABASE_URL
    try:
        url = make_url(text)
        driver = _DRIVERS.get(url.drivername)
        is_usable = driver is not None and _is_kept(url)
        if driver is not None:
            url = url.set(drivername=driver)
            url = url if url.get_backend_name() == "sqlite" else with_defaults(url)
            url.get_dialect()().create_connect_args(url)  # which knows what it may be called
    except ParameterError as error:
        raise SettingsError("DATABASE_URL", str(error)) from error
    except (ArgumentError, ValueError):
        is_usable = False
    if not is_usable:
        raise SettingsError("DATABASE_URL")
    return text


def _is_kept(url: URL) -> bool:
    """Whether a URL names a plain file, or a database of a server: memory keeps nothing."""
    name = url.database or ":memory:"
    return "\0" not in name and not name.startswith((":", "file:"))
