"""Reminders in words."""

from typing import Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import relative_time, small
from bot.services.focdle.reminders import DueReminder

#: Leads to the server in which the date is not over; at most 80 characters.
SERVER_BUTTON: Final = N_("Open the server")
#: Stops reminders; at most 80 characters.
STOP_BUTTON: Final = N_("Stop reminders")
#: After reminders were stopped.
STOPPED: Final = N_("No more reminders. `/preferences` turns them on again.")


def reminder(due: DueReminder) -> str:
    """The direct message."""
    length = _("🔥 Your streak of **{days}** ends {when}.").format(
        days=counts.days(due.risk.length), when=relative_time(due.risk.ends_at)
    )
    todo = _("Solve today's puzzle to keep it.")
    if not due.risk.is_own_date:
        todo = _("Solve the day's puzzle to keep it: type `/focdle` in the server below.")
    return f"{length}\n{todo}\n{small(_('You asked for this reminder; one click stops them.'))}"
