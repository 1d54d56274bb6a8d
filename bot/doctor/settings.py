"""The settings as the doctor reads them: every bad one, not only the first."""

from collections.abc import Mapping
from typing import Final

from bot.config import Settings, SettingsError, read_settings

NEEDED: Final = "DISCORD_TOKEN"
"""The setting without which Discord cannot be asked."""
URL: Final = "DATABASE_URL"
"""The setting that says where the games are."""

# What stands for a setting that must be there, so that others are read, too.
_STAND_INS: Final = {NEEDED: "none"}


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
        except SettingsError as error:
            if error.name in {known.name for known in bad}:
                raise
            bad.append(error)
            values[error.name] = _STAND_INS.get(error.name, "")
