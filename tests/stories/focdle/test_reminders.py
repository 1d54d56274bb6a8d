"""Reminders: asked for, sent once, stopped with one click, and switched off where none arrive."""

from datetime import UTC, datetime
from pathlib import Path

import discord
import pytest
from simcord import ResponseMessage

from cogs.posts.delivery import PostsCog
from tests.support.posted import post_buttons, post_text
from tests.support.screen import buttons, seen, text
from tests.support.sql import sql
from tests.support.table import Table


def at(table: Table, folder: Path, moment: str) -> None:
    """Let it be that moment, and the bot have been there all the time."""
    table.clock.set(datetime.fromisoformat(moment).replace(tzinfo=UTC))
    sql(folder, "DELETE FROM pulses")


async def look(table: Table) -> None:
    """Let the bot look whom to remind."""
    found = table.cog(PostsCog)
    await table.rounds(found.remind)


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


async def test_a_reminder_comes_once_two_hours_before_the_date_ends(
    table: Table, tmp_path: Path
) -> None:
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
        "Solve today's puzzle to keep the streak."
    )
    assert post_buttons(letter) == ["Play #325", "Stop reminders"]
    at(table, tmp_path, "2026-11-21T23:30")
    await look(table)
    assert len(letters(table)) == 1


async def test_a_player_who_has_solved_the_puzzle_gets_no_reminder(
    table: Table, tmp_path: Path
) -> None:
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


async def test_one_click_stops_reminders(table: Table, tmp_path: Path) -> None:
    await solve(table)
    await ask(table)
    at(table, tmp_path, "2026-11-21T22:30")
    await look(table)
    (letter,) = letters(table)
    result = await table.ben.user.click(letter, label="Stop reminders")
    assert "No more reminders." in text(seen(result))
    panel = seen(await table.ben.slash(table.channel, "preferences"))
    assert "**Reminders: off**" in text(panel)


@pytest.mark.parametrize("code", [50007, 50278], ids=["closed", "no server in common"])
async def test_undeliverable_reminders_are_switched_off_and_preferences_say_so(
    table: Table, tmp_path: Path, code: int
) -> None:
    await solve(table)
    await ask(table)
    table.env.inject_error("POST", "/users/@me/channels", status=403, code=code)
    at(table, tmp_path, "2026-11-21T22:30")
    await look(table)
    await look(table)
    assert letters(table) == []
    panel = seen(await table.ben.slash(table.channel, "preferences"))
    assert "**Reminders: off**" in text(panel)
    assert "The last reminder didn't arrive: allow" in text(panel)
    await table.ben.click(panel, label="Turn on reminders")
    assert "did not arrive" not in text(panel)
    await look(table)
    assert len(letters(table)) == 1


# Asked for where a puzzle is over.


async def solved(table: Table) -> ResponseMessage:
    """What *More* offers on Ben's board of today's puzzle, solved in the server."""
    play = await table.services.daily.open(table.ben.id, table.ben.guild.id)
    return await table.more(table.ben, await table.focdle(table.ben, guess=play.game.secret))


async def offered(table: Table, **options: str) -> list[str]:
    """What *More* offers on a puzzle of Ben's that is over."""
    return buttons(await table.more(table.ben, await table.focdle(table.ben, **options)))


async def test_reminders_are_offered_under_a_solved_puzzle(table: Table, tmp_path: Path) -> None:
    board = await solved(table)
    assert "Remind me" in buttons(board)
    await table.restart()
    answer = seen(await table.ben.click(board, label="Remind me"))
    assert answer.ephemeral
    assert answer.id != board.id
    when = int(datetime(2026, 11, 21, 22, tzinfo=UTC).timestamp())
    assert text(answer) == (
        f"⏰ I'll write to you <t:{when}:f>, unless you've solved the next puzzle by then.\n"
        "-# The reminder comes two hours before your streak would end."
    )
    again = seen(await table.ben.click(board, label="Remind me"))
    assert text(again) == text(answer)
    assert "Remind me" not in await offered(table)
    at(table, tmp_path, "2026-11-21T22:00")
    await look(table)
    assert len(letters(table)) == 1


async def test_reminders_can_be_stopped_on_the_page_that_offered_them(
    table: Table, tmp_path: Path
) -> None:
    answer = seen(await table.ben.click(await solved(table), label="Remind me"))
    assert buttons(answer) == ["Stop reminders"]
    stopped = seen(await table.ben.click(answer, label="Stop reminders"))
    assert stopped.id == answer.id
    assert text(stopped) == "No more reminders. You can turn them on again in `/preferences`."
    assert "Remind me" in await offered(table)
    at(table, tmp_path, "2026-11-21T22:00")
    await look(table)
    assert letters(table) == []


async def test_a_player_without_a_streak_is_offered_no_reminder(table: Table) -> None:
    for wrong in ("12+34-5=41", "12+34-6=40", "12+34-7=39", "12+34-8=38", "12+34-9=37"):
        board = await table.focdle(table.ben, guess=wrong)
        assert "Remind me" not in buttons(board)
    lost = await table.focdle(table.ben, guess="12+35-4=43")
    assert "streak" not in text(lost)
    archive = await table.services.daily.open(table.ben.id, None, puzzle="300")
    old = await table.focdle(table.ben, puzzle="300", guess=archive.game.secret)
    practice = await table.services.practice.open(table.ben.id, None, 10)
    over = await table.services.daily.guess(table.ben.id, practice.id, practice.game.secret)
    assert not over.ending.is_remindable
    for board in (lost, old):
        assert "Remind me" not in buttons(await table.more(table.ben, board))


async def test_a_player_with_a_freeze_is_told_that_no_reminder_will_come(table: Table) -> None:
    board = await solved(table)
    for _ in range(6):
        table.clock.advance(days=1)
        board = await solved(table)
    assert "❄️ 1 freeze" in text(board)
    answer = seen(await table.ben.click(board, label="Remind me"))
    assert text(answer).startswith("⏰ Reminders are on. Your streak is safe for now.\n")
