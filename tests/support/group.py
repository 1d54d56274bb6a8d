"""A group conversation, of which no bot is a member: who has installed it brings it along.

SimCord has none. It has conversations with the bot, of which this makes one with several people.
"""

from typing import Any

import pytest
import simcord.interactions
from simcord import UserHandle

from tests.support.table import Table

GROUP = 3
"""The kind of channel."""
PRIVATE_CHANNEL = 2
"""The context that Discord gives of such a place."""
USER_INSTALL = "1"


def open_group(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[UserHandle]:
    """Ann, Ben and Cleo in a group; whatever they do with the bot from here on, they do there."""
    backend = table.env.backend
    people = [member.user for member in table.world.members]
    channel = backend.get_dm_channel(people[0].id)
    channel.recipient_ids = [one.id for one in people]
    for one in people:
        backend.dm_channels[one.id] = channel.id
    in_conversation = simcord.interactions.base_payload

    def in_group(*args: Any, **options: Any) -> tuple[Any, dict[str, Any]]:
        record, payload = in_conversation(*args, **options)
        users = payload["channel"]["recipients"]
        owner = {"owner_id": str(people[0].id), "name": "Friends", "icon": None}
        payload["channel"] |= {"type": GROUP, **owner, "recipients": users}
        payload["context"] = PRIVATE_CHANNEL
        payload["authorizing_integration_owners"] = {USER_INSTALL: payload["user"]["id"]}
        return record, payload

    monkeypatch.setattr(simcord.interactions, "base_payload", in_group)
    return people
