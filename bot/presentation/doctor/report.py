"""The doctor's report: findings in groups, a line each, and what they come to."""

from collections.abc import Mapping
from typing import Final

from bot.presentation.base.language import N_, ngettext, say
from bot.presentation.base.language import gettext as _
from bot.presentation.doctor import database, discord, machine
from bot.presentation.doctor.machine import Sentences
from bot.services.doctor.findings import Finding, Weight

#: What the program is for.
USAGE: Final = N_(
    "Look whether everything is as the bot needs it: settings, libraries, files, the database, "
    "Discord. Nothing is changed, and the bot may go on running."
)
#: What its exit status means.
STATUS_HELP: Final = N_("Exit status: 0 if all is well, 1 with warnings, 2 with errors.")
#: What its option against asking Discord does.
OFFLINE_HELP: Final = N_("ask Discord nothing")
#: The groups of findings.
SETTINGS: Final = N_("Settings")
#: About Python and its libraries.
MACHINE: Final = N_("Python")
#: About files, their folder and their disk.
FILES: Final = N_("Files")
#: About the database.
DATABASE: Final = N_("Database")
#: About what Discord says.
DISCORD: Final = N_("Discord")

SENTENCES: Final[Sentences] = {**machine.SENTENCES, **database.SENTENCES, **discord.SENTENCES}

_WEIGHTS: Final = {
    Weight.FINE: N_("fine"),
    Weight.LEFT_OUT: N_("left out"),
    Weight.WARNING: N_("warning"),
    Weight.ERROR: N_("error"),
}
_COLOURS: Final = {
    Weight.FINE: "32",
    Weight.LEFT_OUT: "2",
    Weight.WARNING: "33",
    Weight.ERROR: "31",
}
_BOLD: Final = "1"


def heading(group: str, *, is_coloured: bool = False) -> str:
    """What stands above a group's findings.

    Args:
        group: which one, as above.
        is_coloured: whether who reads it sees colours.
    """
    return "\n" + _painted(say(group), _BOLD, is_coloured=is_coloured)


def line(finding: Finding, *, is_coloured: bool = False) -> str:
    """A finding: what it means, and what is to be done."""
    width = max(len(_(word)) for word in _WEIGHTS.values())
    weight = _(_WEIGHTS[finding.weight]).ljust(width)
    text = " ".join(sentence(finding).split())
    return f"  {_painted(weight, _COLOURS[finding.weight], is_coloured=is_coloured)}  {text}"


def sentence(finding: Finding) -> str:
    """What a finding says."""
    said = SENTENCES[type(finding)]
    return say(said, **vars(finding)) if isinstance(said, str) else said(finding)


def summary(weights: Mapping[Weight, int]) -> str:
    """What all findings come to."""
    errors, warnings = weights[Weight.ERROR], weights[Weight.WARNING]
    if not errors and not warnings:
        return _("All is well.")
    parts = [
        ngettext("{n} error", "{n} errors", errors).format(n=errors) if errors else "",
        ngettext("{n} warning", "{n} warnings", warnings).format(n=warnings) if warnings else "",
    ]
    counted = ", ".join(filter(None, parts))
    if errors:
        return _("{counted}. Mend the errors first, from top to bottom.").format(counted=counted)
    return _("{counted}. The bot runs.").format(counted=counted)


def _painted(text: str, colour: str, *, is_coloured: bool) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m" if is_coloured else text
