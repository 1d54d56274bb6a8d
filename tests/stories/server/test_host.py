"""*Host* in `/settings`: how the bot is, for those whose application it is and for nobody else."""

from collections.abc import Sequence
from typing import Any

import pytest
from discord import InteractionType
from simcord import MemberActor, ResponseMessage

from bot.version import version
from tests.support.screen import buttons, seen, text
from tests.support.simcord_gaps import interact, let_know
from tests.support.table import Table

NOT_YOURS = "That's somebody else's. Open one of your own."


def user(member: MemberActor) -> dict[str, Any]:
    return {"id": str(member.id), "username": "one", "discriminator": "0", "avatar": None}


def team(**states: tuple[MemberActor, int]) -> dict[str, Any]:
    """A team, with those who have joined it (2), or were only invited (1)."""
    members = [
        {"user": user(member), "membership_state": state, "role": "developer", "team_id": "5"}
        for member, state in states.values()
    ]
    return {"id": "5", "name": "us", "icon": None, "owner_user_id": "5", "members": members}


@pytest.fixture(autouse=True)
def managers(table: Table) -> None:
    """Ann and Ben manage the server."""
    for member in (table.ann, table.ben):
        table.let_manage(member)


async def settings(table: Table, member: MemberActor) -> ResponseMessage:
    return seen(await member.slash(table.channel, "settings"))


async def forged(table: Table, member: MemberActor, panel: ResponseMessage) -> str:
    """What a member is shown who sends the button's id without having the button."""
    source = table.env.backend.get_message(panel.channel_id, panel.id)
    data = {"custom_id": "set:host", "component_type": 2}
    kind = InteractionType.component.value
    return text(seen(await interact(member, kind, table.channel, data, source)))


async def test_the_owner_reads_how_the_bot_is_and_another_manager_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def examine() -> Sequence[str]:
        return ["The disk is full. Make room."]

    let_know(monkeypatch, owner=user(table.ann), approximate_guild_count=1234)
    monkeypatch.setattr(table.bot, "examine", examine)
    panel, others = await settings(table, table.ann), await settings(table, table.ben)
    assert "Host" in buttons(panel)
    assert "Host" not in buttons(others)
    shown = seen(await table.ann.click(panel, label="Host"))
    assert shown.ephemeral
    assert shown.id != panel.id
    assert text(shown).splitlines() == [
        "### Host",
        f"**Version:** {version()}",
        "**Servers:** 1,234",
        "**Active today:** 2",
        "**Last backup:** none",
        "⚠️ The disk is full. Make room.",
    ]
    assert await forged(table, table.ben, others) == NOT_YOURS
    table.clock.advance(days=1)
    monkeypatch.undo()
    assert "**Active today:** 0\n" in text(seen(await table.ann.click(panel, label="Host")))


async def test_those_who_have_joined_the_team_are_the_host_and_those_invited_are_not(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_know(monkeypatch, owner=user(table.ben), team=team(ann=(table.ann, 2), ben=(table.ben, 1)))
    panel, others = await settings(table, table.ann), await settings(table, table.ben)
    shown = text(seen(await table.ann.click(panel, label="Host")))
    assert shown.endswith("✅ The doctor found nothing wrong.")
    assert "Host" not in buttons(others)
    assert await forged(table, table.ben, others) == NOT_YOURS
