"""The daily post before it is posted, as its manager sees it: the same, and nothing is sent."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import ResponseMessage, RoleHandle

from cogs.posts.delivery import PostsCog
from tests.support.catalogues import german
from tests.support.posted import post_buttons, post_text
from tests.support.screen import buttons, parts, seen, text
from tests.support.sql import sql
from tests.support.table import Table

NOTE = "**A preview, for you alone**\n-# The daily post as it would be now. Nothing is sent.\n"


@pytest.fixture(autouse=True)
def host(table: Table) -> RoleHandle:
    """Ann may manage the server; this role is why."""
    return table.let_manage(table.ann)


def at(table: Table, moment: str) -> None:
    table.clock.set(datetime.fromisoformat(moment).replace(tzinfo=UTC))


async def choose_channel(table: Table) -> None:
    """Posts at nine, from tomorrow on if it is later."""
    await table.services.settings.change(table.ann.guild.id, channel_id=table.channel.id)


async def open_page(table: Table) -> ResponseMessage:
    panel = seen(await table.ann.slash(table.channel, "settings"))
    return seen(await table.ann.click(panel, label="Daily post"))


async def preview(table: Table) -> ResponseMessage:
    return seen(await table.ann.click(await open_page(table), label="Preview"))


async def solve(table: Table, player: int, name: str) -> None:
    """Let a member whose name is known solve today's puzzle of the server with the first guess."""
    guild = table.ann.guild.id
    await table.services.standings.members.seen(player, name, guild_id=guild, guild_name=name)
    play = await table.services.daily.open(player, table.ann.guild.id)
    await table.services.daily.guess(player, play.id, play.game.secret)


async def post(table: Table) -> discord.Message:
    """Let the bot look what is due; the message it sends."""
    cog = table.cog(PostsCog)
    await table.rounds(cog.post)
    return [message for message in table.channel.history() if message.components][-1]


def sent(table: Table) -> list[Any]:
    """What was posted to channels of its own accord."""
    return [
        request
        for request in table.env.http_requests
        if request.method == "POST" and request.path.endswith("/messages")
    ]


async def test_a_preview_equals_the_post_that_follows(table: Table) -> None:
    at(table, "2026-11-19T12:00")
    await choose_channel(table)
    await solve(table, table.ben.id, "Ben")
    await table.services.posts.choices.set_finishers_threads(table.ann.guild.id, on=True)
    at(table, "2026-11-20T08:30")
    page = await open_page(table)
    shown = seen(await table.ann.click(page, label="Preview"))
    assert shown.ephemeral
    assert shown.id != page.id
    assert "### Daily post" in text(page)
    at(table, "2026-11-20T09:05")
    follows = await post(table)
    assert "**Yesterday's best**" in post_text(follows)
    assert text(shown) == NOTE + post_text(follows)
    assert buttons(shown) == post_buttons(follows) == ["Play #324", "Finishers' thread"]


async def test_a_preview_neither_sends_nor_claims_nor_plans_a_post(
    table: Table, tmp_path: Path
) -> None:
    role = table.ann.guild.create_role("Puzzlers", mentionable=True)
    await choose_channel(table)
    await table.services.posts.choices.set_role(table.ann.guild.id, role.id)
    at(table, "2026-11-21T09:30")  # it is even due
    before = sql(tmp_path, "SELECT * FROM post_plans")
    await preview(table)
    shown = await preview(table)
    assert f"<@&{role.id}>" in text(shown)
    assert sent(table) == []
    assert sql(tmp_path, "SELECT * FROM posts") == []
    assert sql(tmp_path, "SELECT * FROM finishers_threads") == []
    assert sql(tmp_path, "SELECT * FROM post_plans") == before
    answers = [r.json["data"] for r in table.env.http_requests if r.json and "data" in r.json]
    assert answers[-1]["flags"] & 64
    assert answers[-1]["allowed_mentions"] == {"parse": []}
    await post(table)
    assert len(sent(table)) == 1


async def test_the_buttons_of_a_preview_are_disabled(table: Table) -> None:
    await table.services.posts.choices.set_finishers_threads(table.ann.guild.id, on=True)
    shown = await preview(table)
    assert buttons(shown) == ["Play #324", "Finishers' thread"]
    assert [part["disabled"] for part in parts(shown) if part["type"] == 2] == [True, True]


async def test_a_preview_without_a_channel_shows_the_post_that_a_channel_would_get(
    table: Table,
) -> None:
    shown = await preview(table)
    assert text(shown).startswith(NOTE + "### FoCdle #324\n")
    assert "Yesterday" not in text(shown)
    assert buttons(shown) == ["Play #324"]


async def test_a_preview_has_last_weeks_leaderboard_only_on_the_first_day_of_a_week(
    table: Table,
) -> None:
    at(table, "2026-11-18T12:00")
    await choose_channel(table)
    await solve(table, table.ben.id, "Ben")
    at(table, "2026-11-22T12:00")  # a Sunday
    assert "**Last week**" not in text(await preview(table))
    at(table, "2026-11-23T08:00")
    assert "**Last week** · Nov 16 – Nov 22" in text(await preview(table))
    at(table, "2026-11-23T09:05")
    await post(table)
    assert "**Last week**" in text(await preview(table))  # it is still that of today
    at(table, "2026-11-24T08:00")
    assert "**Last week**" not in text(await preview(table))


async def test_a_member_who_left_is_not_in_a_preview(table: Table, tmp_path: Path) -> None:
    guild, members = table.ann.guild.id, table.services.standings.members
    at(table, "2026-11-10T08:00")
    await members.seen(5, "Lee", guild_id=guild, guild_name="Lee")
    at(table, "2026-11-19T12:00")
    play = await table.services.daily.open(5, guild)
    await table.services.daily.guess(5, play.id, play.game.secret)
    at(table, "2026-11-20T08:00")
    known = f"SELECT name FROM members WHERE guild_id = {guild} AND player_id = 5"
    assert sql(tmp_path, known) == [("Lee",)]
    assert "Lee" not in text(await preview(table))
    assert sql(tmp_path, known) == []


async def test_a_preview_is_in_the_servers_language_under_a_note_in_the_managers_language(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {"**A preview, for you alone**": "**Vorschau**", "Play #{number}": "Spiele #{number}"}
    with german(tmp_path / "words", monkeypatch, words):
        shown = await preview(table)
        assert text(shown).startswith("**A preview, for you alone**")
        assert buttons(shown) == ["Play #324"]
        table.env.backend.edit_guild(table.ann.guild.id, {"preferred_locale": "de"})
        shown = await preview(table)
        assert text(shown).startswith("**A preview, for you alone**")
        assert buttons(shown) == ["Spiele #324"]


async def test_a_former_manager_gets_no_preview_from_a_page_opened_before(
    table: Table, host: RoleHandle
) -> None:
    page = await open_page(table)
    await table.restart()
    shown = seen(await table.ann.click(page, label="Preview"))
    assert text(shown).startswith(NOTE)
    table.env.backend.remove_member_role(table.ann.guild.id, table.ann.id, host.id)
    refused = seen(await table.ann.click(page, label="Preview"))
    assert refused.ephemeral
    assert "Settings need the permission" in text(refused)
    assert "FoCdle #" not in text(refused)


async def test_the_first_post_of_a_week_has_a_recap_until_a_manager_turns_recaps_off(
    table: Table,
) -> None:
    await choose_channel(table)
    cat = table.ann.guild.add_member(table.env.create_user("Cat"))
    members = {5: "Lee", table.ann.id: "Ann", table.ben.id: "Ben", cat.id: "Cat"}
    for day in (17, 18, 19):
        at(table, f"2026-11-{day}T12:00")
        for player, name in members.items():
            await solve(table, player, name)
    at(table, "2026-11-23T08:30")
    recap = "🔥 Streak: \u2068Ann\u2069, \u2068Ben\u2069 and 1 more · 3 days"
    shown = text(await preview(table))
    assert recap in shown
    assert "Lee" not in shown  # whom the bot has found gone
    assert shown.count("**Last week**") == 1
    page = seen(await table.ann.click(await open_page(table), custom_id="set:recap:off"))
    assert "**Recaps: off**" in text(page)
    without = text(await preview(table))
    assert "🔥 Streak:" not in without
    assert "**Last week** · Nov 16 – Nov 22" in without
    await table.restart()
    page = seen(await table.ann.click(page, custom_id="set:recap:on"))
    assert "**Recaps: on**" in text(page)
    at(table, "2026-11-23T09:05")
    assert recap in post_text(await post(table))
    at(table, "2026-11-24T08:30")
    assert "🔥 Streak:" not in text(await preview(table))
