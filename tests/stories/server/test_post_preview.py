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

NOTE = "**A preview, only for you**\n-# The daily post as it would look now. Nothing is sent.\n"


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
    return seen(await table.ann.click(panel, label="Change daily post"))


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


async def test_a_preview_is_in_the_servers_language_under_a_note_in_the_managers_language(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {"**A preview, only for you**": "**Vorschau**", "Play #{number}": "Spiele #{number}"}
    with german(tmp_path / "words", monkeypatch, words):
        shown = await preview(table)
        assert text(shown).startswith("**A preview, only for you**")
        assert buttons(shown) == ["Play #324"]
        table.env.backend.edit_guild(table.ann.guild.id, {"preferred_locale": "de"})
        shown = await preview(table)
        assert text(shown).startswith("**A preview, only for you**")
        assert buttons(shown) == ["Spiele #324"]
