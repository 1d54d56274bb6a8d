"""The doctor's look at the settings: all that is wrong with them, not only the first."""

import os
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Final

from bot.config import Settings, SettingsError, read_settings
from bot.hosting.doctor.finding import Finding, error, fine, warning
from bot.hosting.terminal import NO_SENTRY
from bot.variables import ENV, NAMES

TOKEN: Final = "DISCORD_TOKEN"  # noqa: S105 - a name
"""The setting without which Discord cannot be asked."""
URL: Final = "DATABASE_URL"
"""The setting that says where the games are."""

# What stands for a setting that must be there, so that others are read, too.
_STAND_INS: Final = {TOKEN: "none"}
_ALIKE: Final = 0.8
"""Similar enough for a slip, where 1 is the same; Compose's own names are less so."""


def read_all(environment: Mapping[str, str | None]) -> tuple[Settings, list[SettingsError]]:
    """The settings, as if each bad one were not set; and what is wrong with those.

    Args:
        environment: variables by name, as for `read_settings`.

    Raises:
        SettingsError: one that cannot be left out either.
    """
    values, bad = dict(environment), list[SettingsError]()
    while True:
        try:
            return read_settings(values), bad
        except SettingsError as wrong:
            if wrong.name in {known.name for known in bad}:
                raise
            bad.append(wrong)
            values[wrong.name] = _STAND_INS.get(wrong.name, "")


def check_sources() -> Iterator[Finding]:
    """Where settings come from."""
    folder = Path.cwd()
    if Path(ENV).is_file():
        yield fine(f"Settings are read from the environment and from .env in {folder}.")
    else:
        yield fine(
            f"Settings are read from the environment alone: there is no .env in {folder}.",
            "If you have one elsewhere, start this and the bot in its folder.",
        )


def bad(wrong: SettingsError) -> Finding:
    """A setting that is missing or cannot be used, or the file of settings."""
    return error(wrong.advice)


def check_names(environment: Mapping[str, str | None]) -> Iterator[Finding]:
    """Slips in names, which leave a setting at its default in silence."""
    for name in sorted(environment.keys() - {*NAMES}):
        if meant := get_close_matches(name.upper(), NAMES, 1, _ALIKE):
            yield warning(f"{name} is no setting.", f"Did you mean {meant[0]}?")


def check_sentry(dsn: str) -> Iterator[Finding]:
    """Whether errors can be told to Sentry, if they are to be."""
    if not dsn:
        return
    try:
        import_module("bot.error_reports").require_dsn(dsn)
    except ModuleNotFoundError:
        yield error(NO_SENTRY)
    except SettingsError as wrong:
        yield bad(wrong)
    else:
        yield fine("Unknown errors are told to Sentry.")


def check_backups(folder: Path | None) -> Iterator[Finding]:
    """Whether backups can be written; their folder may be still to be made."""
    if folder is None:
        return
    path = folder.absolute()
    there = next(each for each in (path, *path.parents) if os.path.lexists(each))
    if not there.is_dir():
        yield error(
            f"No backup can be made in {path}: {there} is no folder.",
            "Name another folder in BACKUPS, or leave it out.",
        )
    elif not os.access(there, os.W_OK | os.X_OK):
        yield error(
            f"No backup can be made in {path}: the bot may not write to {there}.",
            "Make it this user's own (chown), or name another folder in BACKUPS.",
        )
    else:
        yield fine(f"Backups can be written to {path}.")
