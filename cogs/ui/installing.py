"""How the bot comes into a server: the scopes and permissions that it needs there."""

from typing import Final

import discord

SCOPES: Final = ("bot", "applications.commands")
NEEDED: Final = (
    "view_channel",
    "send_messages",
    "attach_files",
    "send_messages_in_threads",
    "create_public_threads",
    "create_private_threads",
    "manage_threads",
    "read_message_history",
)
"""All permissions that any part of the bot needs, by Discord's names."""
PERMISSIONS: Final = discord.Permissions(**dict.fromkeys(NEEDED, True))
"""The same as Discord takes them."""


def install_link(application_id: int) -> str:
    """The address at which managers of servers add the bot, with these permissions."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=SCOPES)


def lacking(permissions: discord.Permissions) -> tuple[str, ...]:
    """Discord's names of the permissions that the bot needs, and that are not among these."""
    if permissions.administrator:
        return ()
    return tuple(name for name in NEEDED if not getattr(permissions, name))
