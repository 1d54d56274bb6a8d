"""Where players reach the people who run the bot."""

from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import small


def contact_line(contact: str) -> str:
    """A line that says so; empty where the host says nothing of it."""
    if not contact:
        return ""
    return small(_("Reach the people who run this bot: {contact}").format(contact=contact))
