"""Reminders in words."""

from bot.presentation.base import counts
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import relative_time, small
from bot.services.focdle.reminders import DueReminder


def reminder(due: DueReminder) -> str:
    """The direct message."""
    length = _("🔥 Your streak of **{days}** ends {when}.").format(
        days=counts.days(due.risk.length), when=relative_time(due.risk.ends_at)
    )
    todo = _("Solve today's puzzle to keep it.")
    if not due.risk.is_own_date:
        todo = _("Solve the day's puzzle to keep it: type `/focdle` in the server below.")
    return f"{length}\n{todo}\n{small(_('You asked for this reminder; one click stops them.'))}"


def server_button() -> str:
    """Leads to the server in which the date is not over; at most 80 characters."""
    return _("Open the server")


def stop_button() -> str:
    """Stops reminders; at most 80 characters."""
    return _("Stop reminders")


def stopped() -> str:
    """Reminders are stopped."""
    return _("No more reminders. `/preferences` turns them on again.")
