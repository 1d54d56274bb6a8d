"""Settings as they are written: in the environment over `.env`, secrets in files, too."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from dotenv import dotenv_values

ENV: Final = ".env"
"""The file that has settings, too."""
IN_FILES: Final = ("DISCORD_TOKEN", "DATABASE_URL", "PUZZLE_KEY", "SENTRY_DSN")
"""The settings that may stand in a file of their own, which the same name with `_FILE` names."""
NAMES: Final = (
    *IN_FILES,
    *(f"{name}_FILE" for name in IN_FILES),
    "BACKUPS",
    "BACKUPS_KEPT",
    "LOG_LEVEL",
    "LOG_FORMAT",
    "CONTACT",
    "HEALTH_ADDRESS",
    "AVATARS",
    "FORGET_AFTER",
    "WORKERS",
)
"""All settings."""
_LONGEST_IN_FILE: Final = 4096
# An editor on Windows marks a file as such a text in its first bytes.
_ENCODING: Final = "utf-8-sig"
_QUOTES: Final = "\"'`“”„‘’«»"
# To a key that was put into quotes they belong: without them there would be other puzzles.
_MAY_BE_QUOTED: Final = frozenset({"PUZZLE_KEY", "CONTACT"})
# What stands around a token that was pasted with more than itself, and may be told.
_PARTS: Final = re.compile(
    rf"(?P<told>DISCORD_TOKEN=|(?i:bot|bearer)(?=\s)|[{_QUOTES}<>])"
    rf"|(?P<space>\s+)|(?P<hidden>(?:(?![{_QUOTES}<>])[!-~])+)|.",
    re.DOTALL,
)
_HIDDEN: Final = "…"
# What to do about a setting that is missing or cannot be used.
_ADVICE: Final = {
    "DISCORD_TOKEN": "DISCORD_TOKEN is not set. Copy .env.example to .env and put your bot's token "
    "there (https://discord.com/developers/applications, page Bot).\n"
    "To try the bot without a token or an account: python3 tasks.py play",
    "LOG_LEVEL": "LOG_LEVEL has {value}; use DEBUG, INFO, WARNING, ERROR or CRITICAL. Parts may "
    "have their own, as in INFO, cogs=DEBUG: bot, cogs, discord, aiohttp, asyncio, alembic.",
    "LOG_FORMAT": "LOG_FORMAT is {value}; use text or json.",
    "CONTACT": "CONTACT is not one line of at most 200 characters.",
    "HEALTH_ADDRESS": "HEALTH_ADDRESS is {value}; use a port, such as 9109, to be asked by "
    "programs of this machine, or an address and a port, such as 0.0.0.0:9109.",
    "SENTRY_DSN": "SENTRY_DSN is no address of a project at Sentry. Copy it from the project's "
    "settings, Client Keys (DSN), or leave it out.",
    "FORGET_AFTER": "FORGET_AFTER is {value}; use a number of days, at least 90, as in 400d, or "
    "leave it out.",
    "AVATARS": "AVATARS is {value}; use on or off.",
    "WORKERS": "WORKERS is {value}; use 0, 1 or 2, or leave it out. There is no shared any more: "
    "each process has its own workers.",
    "BACKUPS": "BACKUPS is for a database that is a file of SQLite's. PostgreSQL has its own way: "
    "leave BACKUPS out, and make backups with pg_dump.",
    "BACKUPS_KEPT": "BACKUPS_KEPT is {value}; write of how many days and weeks one is kept, from "
    "1 day to 4 weeks, such as: 7 days, 4 weeks.",
    "DATABASE_URL": "DATABASE_URL must name a file of SQLite, such as sqlite:///focdle.db, or a "
    "database of PostgreSQL, such as postgresql://focdle:password@localhost/focdle. In memory, "
    "nothing would be kept.",
}


class SettingsError(Exception):
    """A setting that cannot be used.

    Attributes:
        name: the variable, or the file of settings that cannot be read.
        value: what it is; empty for secrets and for what is missing. Where something stands around
            it that does not belong there: that, with … for itself. Of one that names a file, and of
            the file of settings: what is wrong with it; empty if the file is no text, or what it
            should have is set as well.
    """

    def __init__(self, name: str, value: str = "") -> None:
        super().__init__(name)
        self.name = name
        self.value = value

    @property
    def advice(self) -> str:
        """Why nothing starts, and what the host can do about it."""
        name, value = self.name, self.value
        if name.endswith("_FILE"):
            return _of_file(name, value)
        if name == ENV:
            return (
                f"The file .env cannot be read ({value}). Let the user read it under whom the bot "
                "runs."
                if value
                else "The file .env is not UTF-8 text. Copy .env.example anew and fill it in."
            )
        if _HIDDEN in value:
            return f"{name} reads {value} here. Put it there alone: no quotes, no word before it."
        if name == "DATABASE_URL" and value:
            return (
                f"DATABASE_URL has the parameter {value}, which the bot does not know with this "
                "value. Leave it out."
            )
        return _ADVICE[name].format(value=value)


def _of_file(name: str, problem: str) -> str:
    """What to do about a file that a setting names; without a problem, there are two settings."""
    if not problem:
        return f"{name.removesuffix('_FILE')} and {name} are both set. Leave out one of them."
    return (
        f"{name} names a file that cannot be used ({problem}). Put the value there, alone on one "
        "line, and make sure that the bot may read it."
    )


def read_environment(environment: Mapping[str, str]) -> dict[str, str | None]:
    """All variables: the process's, and of `.env` those that it has not, or only blank.

    Args:
        environment: the process's.

    Raises:
        SettingsError: the file cannot be read.
    """
    own = {name: value for name, value in environment.items() if value.strip()}
    try:
        return {**dotenv_values(ENV, encoding=_ENCODING), **own}
    except UnicodeDecodeError as error:
        raise SettingsError(ENV) from error
    except OSError as error:
        raise SettingsError(ENV, error.strerror or str(error)) from error


def text_of(environment: Mapping[str, str | None], name: str) -> str:
    """A setting as it is written; empty if it is not set.

    Raises:
        SettingsError: it has quotes around it, which `.env` may have and the environment may not.
    """
    text = (environment.get(name) or "").strip()
    if around := _around(name, text):
        raise SettingsError(name, around)
    return text


def value_or_file(environment: Mapping[str, str | None], name: str) -> str:
    """A setting, or the one line in the file that is named instead; empty for neither.

    Raises:
        SettingsError: both are set, or the file has no such line.
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
    wrong = _around(name, found) if found.isprintable() else "signs that nobody sees"
    wrong = wrong if len(found.splitlines()) == 1 else "more than one line"
    wrong = wrong if found else "empty"
    wrong = "too long" if len(found) == _LONGEST_IN_FILE else wrong
    if wrong:
        raise SettingsError(f"{name}_FILE", f"{path}: {wrong}")
    return found


def _around(name: str, text: str) -> str:
    """What stands around a setting, or in a token, and does not belong there; empty for nothing."""
    shape = _HIDDEN
    if name == "DISCORD_TOKEN" and text:
        shape = _PARTS.sub(_told, text)
    elif name not in _MAY_BE_QUOTED and len(text) > 1 and {text[0], text[-1]} <= {*_QUOTES}:
        shape = text[0] + _HIDDEN + text[-1]
    return "" if shape == _HIDDEN else shape


def _told(part: re.Match[str]) -> str:
    match part.lastgroup:
        case "told":
            return part[0]
        case "space":
            return " "
        case "hidden":
            return _HIDDEN
        case _:
            return f"U+{ord(part[0]):04X}"
