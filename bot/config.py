"""The settings: read once at start, from the environment over `.env`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

# As hosts may write it, and what it means. The bot had another driver for SQLite once; many who
# rent out PostgreSQL give URLs of the short kind.
_DRIVERS: Final = {
    "sqlite": "sqlite",
    "sqlite+aiosqlite": "sqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
DEFAULT_DATABASE_URL: Final = "sqlite:///focdle.db"
DEFAULT_LOG_LEVEL: Final = "INFO"
_SWITCH: Final = {"on": True, "off": False}
_SHARED: Final = "shared"
_WORKERS: Final = {"0": 0, "1": 1, "2": 2, "": None, _SHARED: None}
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


class SettingsError(Exception):
    """A setting that cannot be used.

    Attributes:
        name: the variable.
        value: what it is; empty for secrets and for what is missing.
    """

    def __init__(self, name: str, value: str = "") -> None:
        super().__init__(name)
        self.name = name
        self.value = value


@dataclass(frozen=True, slots=True)
class Settings:
    """What a host can set. Secrets stay out of its `repr`."""

    token: str = field(repr=False)
    database_url: str = field(default=DEFAULT_DATABASE_URL, repr=False)
    puzzle_key: str | None = field(default=None, repr=False)
    log_level: str = DEFAULT_LOG_LEVEL
    avatars: bool = True
    workers: int | None = None
    """How many processes beside the bot; None for as many as there are cores for."""
    shares_workers: bool = False
    """Whether workers of their own, `python -m bot.worker`, are asked first."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no log may have; empty texts where there is none."""
        return self.token, self.puzzle_key or "", password_of(self.database_url)


def read_settings(environment: Mapping[str, str | None]) -> Settings:
    """Check every setting.

    Args:
        environment: variables by name; unknown ones are ignored, blank ones count as unset.

    Raises:
        SettingsError: the first setting that is missing or wrong.
    """
    values = {name: (value or "").strip() for name, value in environment.items()}
    token = values.get("DISCORD_TOKEN", "")
    if not token:
        raise SettingsError("DISCORD_TOKEN")
    level = (values.get("LOG_LEVEL") or DEFAULT_LOG_LEVEL).upper()
    if level not in LOG_LEVELS:
        raise SettingsError("LOG_LEVEL", level)
    avatars = (values.get("AVATARS") or "on").lower()
    if avatars not in _SWITCH:
        raise SettingsError("AVATARS", avatars)
    workers = values.get("WORKERS", "").lower()
    url = read_database_url(environment)
    if workers not in _WORKERS or (workers == _SHARED and not is_for_many(url)):
        raise SettingsError("WORKERS", workers)
    return Settings(
        token,
        url,
        values.get("PUZZLE_KEY") or None,
        level,
        _SWITCH[avatars],
        _WORKERS[workers],
        workers == _SHARED,
    )


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
        SettingsError: it is the URL of no database that can be used.
    """
    text = (environment.get("DATABASE_URL") or "").strip()
    if not text:
        return DEFAULT_DATABASE_URL
    try:
        url = make_url(text)
        driver = _DRIVERS.get(url.drivername)
        is_usable = driver is not None and (driver == "sqlite" or bool(url.database))
        if driver is not None:
            url = url.set(drivername=driver)
            url.get_dialect()().create_connect_args(url)  # which knows what it may be called
    except (ArgumentError, ValueError):
        is_usable = False
    if not is_usable:
        raise SettingsError("DATABASE_URL")
    return text
