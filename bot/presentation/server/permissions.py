"""Discord's permissions, as its own settings call them."""

from collections.abc import Sequence
from typing import Final

from bot.presentation.base.language import N_
from bot.presentation.base.language import gettext as _


def permission_names(permissions: Sequence[str]) -> str:
    """Permissions by Discord's names for programs, in words."""
    return ", ".join(_(_NAMES[name]) for name in permissions)


_NAMES: Final = {
    "view_channel": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "send_messages_in_threads": N_("Send Messages in Threads"),
    "create_private_threads": N_("Create Private Threads"),
    "manage_threads": N_("Manage Threads"),
    "read_message_history": N_("Read Message History"),
}
