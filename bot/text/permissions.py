"""Discord's permissions in words."""

from collections.abc import Sequence
from typing import Final

from bot.text.language import N_
from bot.text.language import gettext as _

# As Discord's own settings call them.
_PERMISSIONS: Final = {
    "view_channel": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "attach_files": N_("Attach Files"),
    "send_messages_in_threads": N_("Send Messages in Threads"),
    "create_public_threads": N_("Create Public Threads"),
    "create_private_threads": N_("Create Private Threads"),
    "manage_threads": N_("Manage Threads"),
    "read_message_history": N_("Read Message History"),
}


def permission_names(permissions: Sequence[str]) -> str:
    """Permissions by Discord's names for programs, in words."""
    return ", ".join(_(_PERMISSIONS[name]) for name in permissions)
