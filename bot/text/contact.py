"""Where players reach the people who run the bot."""

from bot.text.language import gettext as _
from bot.text.markup import small


def contact_line(contact: str) -> str:
    """A line that says so; empty where the host says nothing of it."""
    if not contact:
        return ""
    return small(_("Reach the people who run this bot: {contact}").format(contact=contact))
