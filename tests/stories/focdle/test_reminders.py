"""Reminders: asked for, sent once, stopped with one click, and switched off where none arrive."""

from datetime import UTC, datetime
from pathlib import Path

import discord

from bot.app import CodebreakerBot
from cogs.server.deliveries import PostsCog
from tests.support.posted import post_buttons, post_text
from tests.support.screen import seen, text
from tests.support.sql import sql
from tests.support.table import Table


def at(table: Table, folder: Path, moment: str) -> None:
    """Let it be that moment, and the bot have been there all the time."""
    table.clock.set(datetime.fromisoformat(moment).replace(tzinfo=UTC))
    sql(folder, "DELETE FROM facts WHERE name = 'last_beat'")


async def look(table: Table) -> None:
    """Let the bot look whom to remind."""
    assert isinstance(table.env.bot, CodebreakerBot)
    found = table.env.bot.get_cog("PostsCog")
    assert isinstance(found, PostsCog)
    await found.remind()
    await table.env.settle()


async def solve(table: Table) -> None:
    """Ben solves today's puzzle in the server."""
    play = await table.services.daily.open(table.ben.id, table.ben.guild.id)
    await table.services.daily.guess(table.ben.id, play.id, play.game.secret)


async def ask(table: Table) -> None:
    """Ben asks for reminders on his preferences."""
    panel = seen(await table.ben.slash(table.channel, "preferences"))
    assert "**Reminders: off**" in text(panel)
    assert seen(await table.ben.click(panel, label="Turn on reminders")).id == panel.id
    assert "**Reminders: on**" in text(panel)


def letters(table: Table) -> list[discord.Message]:
    """What the bot has written to Ben, the last last."""
    return list(table.ben.user.dm_channel.history())


async def test_a_reminder_comes_two_hours_before_and_once(table: Table, tmp_path: Path) -> None:
    await solve(table)
    await ask(table)
    at(table, tmp_path, "2026-11-21T21:59")
    await look(table)
    assert letters(table) == []
    at(table, tmp_path, "2026-11-21T22:00")
    for _ in range(3):
        await look(table)
    (letter,) = letters(table)
    midnight = int(datetime(2026, 11, 22, tzinfo=UTC).timestamp())
    assert post_text(letter) == (
        f"🔥 Your streak of **1 day** ends <t:{midnight}:R>.\n"
        "Solve today's puzzle to keep it.\n"
        "-# You asked for this reminder; one click stops them."
    )
    assert post_buttons(letter) == ["Play #325", "Stop reminders"]
    at(table, tmp_path, "2026-11-21T23:30")
    await look(table)
    assert len(letters(table)) == 1


async def test_nobody_is_reminded_who_has_not_asked(table: Table, tmp_path: Path) -> None:
    await solve(table)
    at(table, tmp_path, "2026-11-21T22:30")
    await look(table)
    assert letters(table) == []


async def test_nobody_is_reminded_who_has_solved_it(table: Table, tmp_path: Path) -> None:
    await solve(table)
    await ask(table)
    at(table, tmp_path, "2026-11-21T20:00")
    await solve(table)
    at(table, tmp_path, "2026-11-21T22:30")
    await look(table)
    assert letters(table) == []
    at(table, tmp_path, "2026-11-22T22:30")
    await look(table)
    assert len(letters(table)) == 1


async def test_one_click_stops_them(table: Table, tmp_path: Path) -> None:
    await solve(table)
    await ask(table)
    at(table, tmp_path, "2026-11-21T22:30")
    await look(table)
    (letter,) = letters(table)
    result = await table.ben.user.click(letter, label="Stop reminders")
    assert "No more reminders." in text(seen(result))
    panel = seen(await table.ben.slash(table.channel, "preferences"))
    assert "**Reminders: off**" in text(panel)


async def test_where_none_arrives_they_are_switched_off_and_that_is_said(
    table: Table, tmp_path: Path
) -> None:
    await solve(table)
    await ask(table)
    table.env.inject_error("POST", "/users/@me/channels", status=403, code=50007)
    at(table, tmp_path, "2026-11-21T22:30")
    await look(table)
    await look(table)
    assert letters(table) == []
    panel = seen(await table.ben.slash(table.channel, "preferences"))
    assert "**Reminders: off**" in text(panel)
    assert "Discord did not deliver the last one." in text(panel)
    await table.ben.click(panel, label="Turn on reminders")
    assert "did not deliver" not in text(panel)
    await look(table)
    assert len(letters(table)) == 1
