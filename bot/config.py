"""The settings: read once at start, from the environment over `.env`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

_DRIVER: Final = "sqlite"
# What hosts wrote while the bot had another driver; the file is the same.
_FORMER_DRIVER: Final = "sqlite+aiosqlite"
DEFAULT_DATABASE_URL: Final = f"{_DRIVER}:///focdle.db"
DEFAULT_LOG_LEVEL: Final = "INFO"
_SWITCH: Final = {"on": True, "off": False}
_WORKERS: Final = {"0": 0, "1": 1, "2": 2, "": None}
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
    workers = values.get("WORKERS", "")
    if workers not in _WORKERS:
        raise SettingsError("WORKERS", workers)
    return Settings(
        token,
        read_database_url(environment),
        values.get("PUZZLE_KEY") or None,
        level,
        _SWITCH[avatars],
        _WORKERS[workers],
    )


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
        is_usable = url.drivername in {_DRIVER, _FORMER_DRIVER}
        if is_usable:
            url = url.set(drivername=_DRIVER)
            url.get_dialect()().create_connect_args(url)  # which knows what a file may be called
    except (ArgumentError, ValueError):
        is_usable = False
    if not is_usable:
        raise SettingsError("DATABASE_URL")
    return text
