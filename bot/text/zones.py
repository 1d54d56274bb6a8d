"""Time zones in words."""

import re
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.text.language import N_
from bot.text.language import gettext as _
from bot.text.markup import relative_time, small

_OFFSET: Final = re.compile(r"Etc/GMT([+-])([1-9]\d?)")

#: Opens the form that asks for a zone; at most 80 characters.
ZONE_BUTTON: Final = N_("Change time zone")
#: The title of the form that asks for a zone; at most 45 characters.
FORM_TITLE: Final = N_("Time zone")
#: The label of the field for a time zone; at most 45 characters.
FORM_LABEL: Final = N_("A large city in that time zone")
#: What to type in the field for a time zone; at most 100 characters.
FORM_DESCRIPTION: Final = N_(
    "Or a country, a time zone such as Europe/Berlin, or an offset such as UTC+2."
)
#: An example in the field for a time zone: a city that everybody knows; at most 100 characters.
FORM_PLACEHOLDER: Final = N_("Tokyo")
#: What the list of proposed time zones says before one is chosen; at most 150 characters.
PROPOSALS: Final = N_("Choose a time zone")


def zone_name(zone: str) -> str:
    """A zone as people read it: ``America/New York``, ``UTC+2``."""
    if match := _OFFSET.fullmatch(zone):
        # IANA counts offsets westward, everybody else eastward.
        sign = "−" if match[1] == "+" else "+"
        return f"UTC{sign}{match[2]}"
    return zone.replace("_", " ")


def time_there(zone: str, now: datetime) -> str:
    """What the clocks of a zone show at an instant."""
    return _("now {time}").format(time=f"{now.astimezone(ZoneInfo(zone)):%H:%M}")


def zone_choice(zone: str, now: datetime) -> str:
    """A zone in the list that Discord shows while one is typed; at most 100 characters."""
    return f"{zone_name(zone)} · {time_there(zone, now)}"


def zone_text(zone: str, coming: tuple[str, datetime] | None, meaning: str, now: datetime) -> str:
    """The zone that holds and what that means; and the one that follows it, if one does.

    Args:
        zone: the zone that holds.
        coming: the one that follows, and from when on.
        meaning: what the zone decides there.
        now: the present instant.
    """
    state = _("**Time zone: {zone}**").format(zone=zone_name(zone))
    lines = [f"{state} · {time_there(zone, now)}", small(meaning)]
    if coming is not None:
        follows, instant = coming
        change = _("**{zone}** {when}").format(zone=zone_name(follows), when=relative_time(instant))
        lines += change_lines(change)
    return "\n".join(lines)


def change_lines(change: str) -> list[str]:
    """A change to come, and why it does not hold yet."""
    return [f"➜ {change}", small(_("A change waits for midnight, so that today stays as it is."))]
