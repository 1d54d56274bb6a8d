"""Findings about settings, the machine and files, in words."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.presentation import console
from bot.presentation.base.language import N_, ngettext, say
from bot.presentation.base.language import gettext as _
from bot.presentation.settings import bad_setting, weak_key
from bot.services.doctor import findings

Sentences = Mapping[type[findings.Finding], str | Callable[[Any], str]]
"""What findings say: a message with their facts, or what makes one where it depends on them."""

#: Installs the libraries anew; a command, which is not translated.
_INSTALL: Final = N_("In the bot's folder: python3 tasks.py install")


def size(count: int) -> str:
    """A number of bytes, short enough to be compared."""
    for unit, bytes_in_it in (("GB", 10**9), ("MB", 10**6)):
        if count >= bytes_in_it:
            return f"{count / bytes_in_it:,.1f} {unit}"
    return f"{count / 1000:,.0f} kB"


def _settings_found(finding: findings.SettingsFound) -> str:
    if finding.has_file:
        return _("Settings are read from the environment and from .env in {folder}.").format(
            folder=finding.folder
        )
    return _(
        "Settings are read from the environment alone: there is no .env in {folder}. If you have "
        "one elsewhere, start this and the bot in its folder."
    ).format(folder=finding.folder)


def _as_tested(finding: findings.LibrariesAsTested) -> str:
    n = finding.libraries
    return ngettext(
        "{n} library, the version that tests ran with.",
        "{n} libraries, all in the versions that tests ran with.",
        n,
    ).format(n=n)


def _untold(finding: findings.LibrariesUntold) -> str:
    n = finding.libraries
    return ngettext(
        "{n} library is there. There are no locks here to compare its version with.",
        "{n} libraries are there. There are no locks here to compare their versions with.",
        n,
    ).format(n=n)


def _disk(message: str) -> Callable[[findings.DiskFree], str]:
    return lambda finding: say(message, free=size(finding.free), path=finding.path)


SENTENCES: Final[Sentences] = {
    findings.NotLookedAt: N_("Not looked at, because of {because_of}."),
    findings.CouldNotLook: N_(
        "This could not be looked at ({step}: {kind}). Please tell who maintains this bot."
    ),
    findings.SettingsFound: _settings_found,
    findings.BadSetting: lambda finding: bad_setting(finding.name, finding.value),
    findings.WeakKey: lambda _finding: weak_key(is_in_use=False),
    findings.WeakKeyInUse: lambda _finding: weak_key(is_in_use=True),
    findings.PythonFound: N_("focdle-bot {bot} on Python {version}."),
    findings.LibrariesAsTested: _as_tested,
    findings.LibrariesUntold: _untold,
    findings.LibrariesOther: lambda finding: (
        _("Tests ran with other versions of these libraries: {names}.").format(names=finding.names)
        + " "
        + say(_INSTALL)
    ),
    findings.LibrariesMissing: lambda finding: (
        _("These libraries are missing: {names}.").format(names=finding.names) + " " + say(_INSTALL)
    ),
    findings.ZonesFound: N_("{zones} time zones are known."),
    findings.NoZones: N_(
        "No time zones are known, so no server and no player can choose one. In the bot's folder: "
        ".venv/bin/python -m pip install --force-reinstall tzdata"
    ),
    findings.OthersMayRead: lambda finding: say(console.READABLE_BY_OTHERS, path=finding.path),
    findings.OnlyOwnerReads: N_("Nobody else on this machine can read {paths}."),
    findings.FolderMissing: N_(
        "The folder {path} for the database is not there. Make it, or check DATABASE_URL."
    ),
    findings.PathUnwritable: N_(
        "The bot may not write to {path}. Make it this user's own (chown), or start the bot as the "
        "user to whom it belongs; SQLite writes into the folder of its file, too."
    ),
    findings.FolderWritable: N_("The bot may write in {path}."),
    findings.DiskFree: _disk(N_("{free} are free on the disk of {path}.")),
    findings.DiskLow: _disk(
        N_("Only {free} are free on the disk of {path}. Make room before it is full.")
    ),
    findings.DiskFull: _disk(
        N_(
            "Only {free} are free on the disk of {path}: writing may fail at any moment, and "
            "guesses with it. Make room now."
        )
    ),
}
