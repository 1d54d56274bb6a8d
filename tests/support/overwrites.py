"""What may be done in a channel."""

from typing import Any

import discord
from simcord import ChannelHandle, MemberActor
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType

from tests.support.table import Table


def overwrite(
    table: Table, channel: ChannelHandle, target: Any = None, **changes: bool | None
) -> None:
    """Change what everyone may do in a channel, or what one member or role may."""
    target = target or table.ann.guild.default_role
    is_member = isinstance(target, MemberActor | discord.Member)
    kind = OverwriteType.MEMBER if is_member else OverwriteType.ROLE
    allow, deny = discord.PermissionOverwrite(**changes).pair()
    change = Overwrite(target.id, kind, allow.value, deny.value)
    table.env.backend.set_overwrite(channel.id, change)
