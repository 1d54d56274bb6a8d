"""The settings: read and checked from the environment, `.env` and files."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Final, TypeVar

from dotenv import dotenv_values
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from bot.address import HEALTH_ADDRESS, WEB_ADDRESS, Address, read_address
from bot.db.postgres_url import ParameterError, with_defaults

T = TypeVar("T")

WEB_URL: Final = "WEB_URL"
ENV: Final = ".env"
"""The name of the file of settings."""
IN_FILES: Final = (
    "DISCORD_TOKEN",
    "DATABASE_URL",
    "PUZZLE_KEY",
    "DISCORD_CLIENT_SECRET",
)
"""Settings that may stand in a file, whose path is in the same variable with `_FILE`."""
NAMES: Final = (
    *IN_FILES,
    *(f"{name}_FILE" for name in IN_FILES),
    "BACKUPS",
    "LOG_LEVEL",
    "LOG_FORMAT",
    "CONTACT",
    HEALTH_ADDRESS,
    "AVATARS",
    "FORGET_AFTER",
    "WORKERS",
    WEB_ADDRESS,
    WEB_URL,
)
"""The names of all settings, with those that name files."""
_LONGEST_IN_FILE: Final = 4096
# Editors on Windows begin a file with a byte order mark.
_ENCODING: Final = "utf-8-sig"
_QUOTES: Final = "\"'`“”„‘’«»"
# Quotes may be part of a key: without them there would be other puzzles.
_MAY_BE_QUOTED: Final = frozenset({"PUZZLE_KEY", "CONTACT"})
# Parts around a pasted token that may be shown.
_PARTS: Final = re.compile(
    rf"(?P<told>DISCORD_TOKEN=|(?i:bot|bearer)(?=\s)|[{_QUOTES}<>])"
    rf"|(?P<space>\s+)|(?P<hidden>(?:(?![{_QUOTES}<>])[!-~])+)|.",
    re.DOTALL,
)
_HIDDEN: Final = "…"
_AT: Final = "@"
# Remedies for settings that are missing or cannot be used.
_ADVICE: Final = {
    "DISCORD_TOKEN": "DISCORD_TOKEN is not set. Copy .env.example to .env and put your bot's token "
    "there (https://discord.com/developers/applications, page Bot).\n"
    "To try the bot without a token or an account: python3 tasks.py play",
    "LOG_LEVEL": "LOG_LEVEL is {value}; use DEBUG, INFO, WARNING, ERROR or CRITICAL.",
    "LOG_FORMAT": "LOG_FORMAT is {value}; use text or json.",
    "CONTACT": "CONTACT is not one line of at most 200 characters.",
    "HEALTH_ADDRESS": "HEALTH_ADDRESS is {value}; use a port, such as 9109, to be asked by "
    "programs of this machine, or an address and a port, such as 0.0.0.0:9109.",
    "FORGET_AFTER": "FORGET_AFTER is {value}; use a number of days, at least 90, as in 400d, or "
    "leave it out.",
    "AVATARS": "AVATARS is {value}; use on or off.",
    "WORKERS": "WORKERS is {value}; use 0, 1 or 2, or leave it out.",
    "BACKUPS": "BACKUPS is for a database that is a file of SQLite's. PostgreSQL has its own way: "
    "leave BACKUPS out, and make backups with pg_dump.",
    WEB_ADDRESS: "WEB_ADDRESS is {value}; use a port, such as 8070, for a proxy on this machine, "
    "or an address and a port, such as 0.0.0.0:8070. It is set together with WEB_URL, or neither "
    "is.",
    WEB_URL: "WEB_URL is {value}; use the page's address as browsers have it, without a path, such "
    "as https://focdle.example.org (an umlaut is written as xn--…). It is set together with "
    "WEB_ADDRESS, or neither is.",
    "DISCORD_CLIENT_SECRET": "DISCORD_CLIENT_SECRET is for the page within Discord: set "
    "WEB_ADDRESS and WEB_URL, too, or leave it out.",
    "DATABASE_URL": "DATABASE_URL must name a file of SQLite, such as sqlite:///focdle.db, or a "
    "database of PostgreSQL, such as postgresql://focdle:password@localhost/focdle. In memory, "
    "nothing would be kept.",
    _AT: "DATABASE_URL has more than one @. In a user's name or a password, write %40 for it.",
}


class SettingsError(Exception):
    """A setting that is missing or cannot be used.

    Attributes:
        name: the variable; or `.env`, if that file cannot be read.
        value: the setting's text, the wrong part of it, or a file's problem. It never has a secret:
            if something wrong stands around one, this is shown, with … for the secret. Empty if
            `advice` needs nothing of these.
    """

    def __init__(self, name: str, value: str = "") -> None:
        super().__init__(name)
        self.name = name
        self.value = value

    @property
    def advice(self) -> str:
        """The problem and its remedy, for the host."""
        name, value = self.name, self.value
        if name.endswith("_FILE") and not value:
            return f"{name.removesuffix('_FILE')} and {name} are both set. Leave out one of them."
        if name.endswith("_FILE"):
            return (
                f"{name} names a file that cannot be used ({value}). Put just the value there, on "
                "one line, and make sure that the bot may read it."
            )
        if name == ENV:
            return (
                f"The file .env cannot be read ({value}). Let the user read it under whom the bot "
                "runs."
                if value
                else "The file .env is not UTF-8 text. Copy .env.example anew and fill it in."
            )
        if _HIDDEN in value:
            return f"{name} reads {value} here. Put it there as it is: no quotes, no word before."
        if name == "DATABASE_URL" and value != _AT and value:
            return (
                f"DATABASE_URL has the parameter {value}, which the bot does not know with this "
                "value. Leave it out."
            )
        return _ADVICE[value if value == _AT else name].format(value=value)


def read_environment(environment: Mapping[str, str]) -> dict[str, str | None]:
    """Merge `.env` into the environment, whose own non-blank variables win.

    Raise `SettingsError` if there is an `.env` that cannot be read.
    """
    own = {name: value for name, value in environment.items() if value.strip()}
    try:
        return {**dotenv_values(ENV, encoding=_ENCODING), **own}
    except UnicodeDecodeError as error:
        raise SettingsError(ENV) from error
    except OSError as error:
        raise SettingsError(ENV, error.strerror or str(error)) from error


def text_of(environment: Mapping[str, str | None], name: str) -> str:
    """Read a setting; empty if it is unset or blank.

    Raise `SettingsError` if something surplus, such as quotes, stands around its text.
    """
    text = (environment.get(name) or "").strip()
    if around := _around(name, text):
        raise SettingsError(name, around)
    return text


def value_or_file(environment: Mapping[str, str | None], name: str) -> str:
    """Read a setting, or the file that its `…_FILE` names; empty if both are unset.

    Raise `SettingsError` if both are set, or if the file is not one usable line.
    """
    value, path = text_of(environment, name), text_of(environment, f"{name}_FILE")
    if not path:
        return value
    if value:
        raise SettingsError(f"{name}_FILE")
    try:
        with Path(path).open(encoding=_ENCODING) as file:
            found = file.read(_LONGEST_IN_FILE).strip()
    except OSError as error:
        raise SettingsError(f"{name}_FILE", f"{path}: {error.strerror}") from error
    except ValueError as error:  # no text, or no path
        raise SettingsError(f"{name}_FILE", f"{path}: no text") from error
    if len(found) == _LONGEST_IN_FILE:
        wrong = "too long"
    elif not found:
        wrong = "empty"
    elif len(found.splitlines()) > 1:
        wrong = "more than one line"
    elif not found.isprintable():
        wrong = "signs that nobody sees"
    else:
        wrong = _around(name, found)
    if wrong:
        raise SettingsError(f"{name}_FILE", f"{path}: {wrong}")
    return found


def _around(name: str, text: str) -> str:
    """Write what stands around a value, with … for the value; empty if nothing stands there."""
    shape = _HIDDEN
    if name == "DISCORD_TOKEN" and text:
        shape = _PARTS.sub(_shown, text)
    elif name not in _MAY_BE_QUOTED and len(text) > 1 and {text[0], text[-1]} <= {*_QUOTES}:
        shape = text[0] + _HIDDEN + text[-1]
    return "" if shape == _HIDDEN else shape


def _shown(part: re.Match[str]) -> str:
    match part.lastgroup:
        case "told":
            return part[0]
        case "space":
            return " "
        case "hidden":
            return _HIDDEN
        case _:
            return f"U+{ord(part[0]):04X}"


# Accepted URL schemes; hosting services hand out PostgreSQL URLs of the short kind.
_DRIVERS: Final = {
    "sqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
DEFAULT_DATABASE_URL: Final = "sqlite:///focdle.db"
# What a setting may be, in small letters, and what that stands for; blank is its default.
_AVATARS: Final = {"": True, "on": True, "off": False}
_WORKERS: Final = {"": None, "0": 0, "1": 1, "2": 2}
_LEVELS: Final = {
    "": "INFO",
    **{level.lower(): level for level in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")},
}
_FORMATS: Final = {"": False, "text": False, "json": True}
LONGEST_CONTACT: Final = 200
LEAST_DAYS: Final = 90
"""The fewest days of `FORGET_AFTER`: a term abroad or a long illness must not delete anybody."""
_DAYS: Final = re.compile(r"([1-9]\d{0,4}) ?(?:d|days?)?")
# An origin as browsers write it; without TLS only on this machine.
_ORIGIN: Final = re.compile(
    r"(https://(?:[a-z0-9-]+\.)*[a-z0-9-]+|http://(?:localhost|127\.0\.0\.1|\[::1\]))"
    r"(:[1-9]\d{0,4})?/?",
    re.ASCII,
)
_IMPLIED: Final = {"https": ":443", "http": ":80"}


@dataclass(frozen=True, slots=True)
class LogSettings:
    level: str = "INFO"
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Settings of the page.

    Attributes:
        address: where the bot listens.
        url: the page's origin for browsers, such as `https://focdle.example.org`.
    """

    address: Address
    url: str


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. Secrets stay out of their `repr`."""

    token: str = field(repr=False)
    database_url: str = field(default=DEFAULT_DATABASE_URL, repr=False)
    puzzle_key: str | None = field(default=None, repr=False)
    logs: LogSettings = field(default_factory=LogSettings)
    avatars: bool = True
    workers: int | None = None
    """The number of worker processes; None for one for each core, within the pool's limit."""
    contact: str = ""
    """The host's contact for players; may be empty."""
    backups: Path | None = None
    """The folder for backups; None if none are made."""

    health: Address | None = None
    """The address of the health server; None for no such server."""

    forget_after: timedelta | None = None
    """The absence after which players' data are deleted; None for never."""

    web: WebSettings | None = None
    client_secret: str = field(default="", repr=False)
    """Our Discord application's, to show the page within Discord; empty if unset."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """Texts that no log may contain; empty texts stand for secrets that are not set."""
        password = password_of(self.database_url)
        return self.token, self.puzzle_key or "", password, self.client_secret


def read_settings(environment: Mapping[str, str | None]) -> Settings:
    """Parse and check the settings.

    Unknown variables are ignored, blank ones count as unset.

    Raises:
        SettingsError: a setting is missing or wrong; the first one found.
    """
    settings, wrong = read_all(environment)
    if wrong:
        raise wrong[0]
    return settings


def read_all(environment: Mapping[str, str | None]) -> tuple[Settings, list[SettingsError]]:
    """Read the settings, with defaults for missing and wrong ones; return the errors of these, too.

    There is no default for a token: a bad or missing one is empty.
    """
    wrong: dict[str, SettingsError] = {}

    def read(by: Callable[..., T], default: T, *more: object) -> T:
        try:
            return by(environment, *more)
        except SettingsError as error:
            wrong.setdefault(error.name, error)
            return default

    settings = Settings(
        read(_token_in, ""),
        avatars=read(_choice, True, "AVATARS", _AVATARS),
        workers=read(_choice, None, "WORKERS", _WORKERS),
        contact=read(_contact_in, ""),
        database_url=read(read_database_url, DEFAULT_DATABASE_URL),
        puzzle_key=read(value_or_file, "", "PUZZLE_KEY") or None,
        logs=LogSettings(
            read(_choice, "INFO", "LOG_LEVEL", _LEVELS),
            read(_choice, False, "LOG_FORMAT", _FORMATS),
        ),
        backups=read(read_backups_folder, None),
        health=read(_address_in, None, HEALTH_ADDRESS),
        forget_after=read(_forget_after_in, None),
        client_secret=read(value_or_file, "", "DISCORD_CLIENT_SECRET"),
    )
    address, url = read(_address_in, None, WEB_ADDRESS), read(_origin_in, "")
    # Each is for the other: what is wrong already is not told again as missing.
    if address is not None and url:
        settings = replace(settings, web=WebSettings(address, url))
        if settings.health is not None and address.excludes(settings.health):
            wrong[HEALTH_ADDRESS] = SettingsError(HEALTH_ADDRESS, f"{address}, like WEB_ADDRESS")
    elif wrong.keys().isdisjoint({WEB_ADDRESS, WEB_URL}):
        if address is not None or url:
            name = WEB_ADDRESS if url else WEB_URL
            wrong[name] = SettingsError(name, "not set")
        elif settings.client_secret:
            name = "DISCORD_CLIENT_SECRET"
            wrong[name] = SettingsError(name)
    return settings, [*wrong.values()]


def _token_in(environment: Mapping[str, str | None]) -> str:
    token = value_or_file(environment, "DISCORD_TOKEN")
    if not token:
        raise SettingsError("DISCORD_TOKEN")
    return token


def _choice(environment: Mapping[str, str | None], name: str, choices: Mapping[str, T]) -> T:
    text = text_of(environment, name)
    if text.lower() not in choices:
        raise SettingsError(name, text)
    return choices[text.lower()]


def _contact_in(environment: Mapping[str, str | None]) -> str:
    contact = text_of(environment, "CONTACT")
    if len(contact) > LONGEST_CONTACT or not contact.isprintable():
        raise SettingsError("CONTACT")
    return contact


def _address_in(environment: Mapping[str, str | None], name: str) -> Address | None:
    text = text_of(environment, name)
    try:
        return read_address(text)
    except ValueError as error:
        raise SettingsError(name, text) from error


def _origin_in(environment: Mapping[str, str | None]) -> str:
    """Read the page's origin, without a slash at its end or the port that its scheme implies."""
    text = text_of(environment, WEB_URL).lower()
    if not text:
        return ""
    found = _ORIGIN.fullmatch(text)
    if found is None:
        raise SettingsError(WEB_URL, text)
    start, port = found[1], found[2] or ""
    return start + port * (port != _IMPLIED[start.partition(":")[0]])


def _forget_after_in(environment: Mapping[str, str | None]) -> timedelta | None:
    text = text_of(environment, "FORGET_AFTER").lower()
    if not text:
        return None
    found = _DAYS.fullmatch(text)
    if found is None or int(found[1]) < LEAST_DAYS:
        raise SettingsError("FORGET_AFTER", text)
    return timedelta(days=int(found[1]))


def read_backups_folder(environment: Mapping[str, str | None]) -> Path | None:
    """Choose the folder for backups, by default beside the database's file.

    None if `BACKUPS` is off, and for PostgreSQL, for which no folder may be set.
    """
    text, url = text_of(environment, "BACKUPS"), make_url(read_database_url(environment))
    if text.lower() == "off":
        return None
    if url.get_backend_name() != "sqlite":
        if text:
            raise SettingsError("BACKUPS", text)
        return None
    file = Path(url.database or "")
    return Path(text) if text else file.with_name(f"{file.stem}-backups")


def is_for_many(database_url: str) -> bool:
    return make_url(database_url).get_backend_name() != "sqlite"


def password_of(database_url: str) -> str:
    return str(make_url(database_url).password or "")


def read_database_url(environment: Mapping[str, str | None]) -> str:
    """Read and check the database's URL; return it as it is written, or the default."""
    text = value_or_file(environment, "DATABASE_URL")
    if not text:
        return DEFAULT_DATABASE_URL
    if not text.startswith("sqlite") and text.count(_AT) > 1:
        # What follows the first would be a part of the host, and shown.
        raise SettingsError("DATABASE_URL", _AT)
    try:
        url = make_url(text)
        driver = _DRIVERS.get(url.drivername)
        name = url.database or ":memory:"
        is_kept = "\0" not in name and not name.startswith((":", "file:"))  # not in memory
        is_usable = driver is not None and is_kept
        if driver is not None:
            url = url.set(drivername=driver)
            url = url if url.get_backend_name() == "sqlite" else with_defaults(url)
            url.get_dialect()().create_connect_args(url)  # checks the driver's own parameters
    except ParameterError as error:
        raise SettingsError("DATABASE_URL", str(error)) from error
    except (ArgumentError, ValueError):
        is_usable = False
    if not is_usable:
        raise SettingsError("DATABASE_URL")
    return text
