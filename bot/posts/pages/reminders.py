"""Reminders in words."""

from typing import Final

from bot.posts.game.reminders import Asked, DueReminder
from bot.text import counts
from bot.text.language import N_
from bot.text.language import gettext as _
from bot.text.markup import exact_time, relative_time, small

#: Leads to the server in which the date is not over; at most 80 characters.
SERVER_BUTTON: Final = N_("Open the server")
#: Asks for reminders, on a finished daily; at most 80 characters.
REMIND_BUTTON: Final = N_("Remind me")
#: Stops reminders; at most 80 characters.
STOP_BUTTON: Final = N_("Stop reminders")
#: After reminders were stopped.
STOPPED: Final = N_("No more reminders. `/preferences` turns them on again.")


def asked(asked: Asked) -> str:
    """The answer to who has just asked for reminders."""
    if asked.next_at is None:
        line = _("⏰ Reminders are on. Your streak is safe for now.")
    else:
        line = _("⏰ I write to you {when}, unless you have solved the next one.").format(
            when=exact_time(asked.next_at)
        )
    if asked.was_refused:
        line += " " + _(
            "Discord did not deliver the last reminder: allow direct messages in a server that "
            "we share."
        )
    how = _("It comes two hours before your streak would end.")
    return f"{line}\n{small(how)}"


def reminder(due: DueReminder) -> str:
    """The direct message."""
    length = _("🔥 Your streak of **{days}** ends {when}.").format(
        days=counts.days(due.risk.length), when=relative_time(due.risk.ends_at)
    )
    todo = _("Solve today's puzzle to keep it.")
    if not due.risk.is_own_date:
        todo = _("Solve the day's puzzle to keep it: type `/focdle` in the server below.")
    return f"{length}\n{todo}"
