"""Users and servers that the host keeps out."""

from pathlib import Path

import discord
import pytest
from simcord import InteractionResult, MemberActor

from bot.leaderboards.boards import Board, BoardGame
from bot.moderation.game import SERVER, USER
from bot.services import open_services
from cogs.moderation import ModerationCog
from tests.support.crowded import stored
from tests.support.screen import buttons, reach, seen, text
from tests.support.sql import sql
from tests.support.table import KEY, SECRET, Table

CLOSED = "Sorry, this bot is closed to you. `/privacy` still works."


async def look(table: Table) -> None:
    """Let the bot look, as it does every ten seconds."""
    await table.rounds(table.cog(ModerationCog).look)


async def keep_out(table: Table, who: MemberActor) -> None:
    assert await table.services.privacy.keeping_out.keep_out(USER, who.id)
    await look(table)


async def let_in(table: Table, who: MemberActor) -> None:
    assert await table.services.privacy.keeping_out.let_in(USER, who.id)
    await look(table)


def refused(result: InteractionResult) -> None:
    answer = seen(result)
    assert answer.ephemeral
    assert text(answer) == CLOSED


async def test_a_user_whom_the_host_keeps_out_is_refused_everywhere_and_changes_nothing(
    table: Table, tmp_path: Path
) -> None:
    board = await table.focdle(table.ben)
    form = await table.form(table.ben, board)
    await keep_out(table, table.ben)
    before = stored(tmp_path)
    refused(await table.ben.slash(table.channel, "focdle"))
    refused(await table.ben.slash(table.channel, "mastermind play"))
    refused(await table.ben.context_menu(table.channel, "Game stats", table.ann))
    refused(await table.ben.click(board, label="Guess"))
    refused(await table.ben.submit_modal(form, {"guess": SECRET}))
    assert await table.ben.autocomplete(table.channel, "focdle", "puzzle", "3") == []
    table.clock.advance(days=1)
    refused(await table.ben.slash(table.channel, "play"))
    assert stored(tmp_path) == before
    await table.restart()
    await look(table)
    refused(await table.ben.slash(table.channel, "play"))
    await let_in(table, table.ben)
    assert "Guess" in buttons(await table.focdle(table.ben))


async def test_a_user_kept_out_can_still_export_and_delete_their_data(
    table: Table, tmp_path: Path
) -> None:
    await table.guess(table.ben, await table.focdle(table.ben), SECRET)
    await keep_out(table, table.ben)
    page = seen(await table.ben.slash(table.channel, "privacy"))
    exported = seen(await table.ben.click(page, label="Export my data"))
    assert exported.ephemeral
    assert exported.attachments
    asked = seen(await table.ben.click(page, label="Delete everything"))
    form = await table.ben.click(asked, label="Delete …")
    await table.ben.submit_modal(form, {"confirmation": "DELETE"})
    assert (table.ben.id,) not in sql(tmp_path, "SELECT player_id FROM plays")
    assert str(table.ben.id) not in str(sql(tmp_path, "SELECT * FROM kept_out"))
    await look(table)
    refused(await table.ben.slash(table.channel, "play"))  # by only the hash
    await let_in(table, table.ben)
    assert text(seen(await table.ben.slash(table.channel, "play"))) != CLOSED


async def test_a_user_kept_out_is_on_no_leaderboard_or_card_until_the_host_lets_them_in(
    table: Table,
) -> None:
    await table.services.settings.change(table.ann.guild.id, channel_id=table.channel.id)
    for who in (table.ann, table.ben):
        own = await table.guess(who, await table.focdle(who), SECRET)
        await reach(who, own, "Share")
    await table.services.preferences.set_reminders(table.ben.id, on=True)
    boards = table.services.standings.boards
    board = Board(BoardGame.FOCDLE, guild_id=table.ann.guild.id)
    assert [row.player_id for row in (await boards.page(board, 0)).rows] == [
        table.ann.id,
        table.ben.id,
    ]
    await keep_out(table, table.ben)
    assert [row.player_id for row in (await boards.page(board, 0)).rows] == [table.ann.id]
    table.clock.advance(seconds=5)
    (work,) = [
        found
        for number in await table.services.cards.due()
        if (found := await table.services.cards.claim(number)) is not None
    ]
    assert work.content is not None
    assert [row.player_id for row in work.content.rows] == [table.ann.id]
    assert not (await table.services.preferences.view(table.ben.id)).reminders
    await let_in(table, table.ben)
    assert len((await boards.page(board, 0)).rows) == 2


async def test_a_user_kept_out_cannot_be_challenged_to_a_duel(table: Table) -> None:
    await keep_out(table, table.ben)
    shown = await table.ann.slash(table.channel, "duel", opponent=table.ben)
    if shown.modal is not None:
        shown = await table.ann.submit_modal(shown, {"number": "1234"})
    assert "taking challenges" in text(seen(shown))


async def test_a_user_kept_out_by_another_process_is_refused_after_the_next_check(
    table: Table, database_url: str
) -> None:
    await table.focdle(table.ben)
    async with open_services(database_url, table.clock, puzzle_key=KEY) as second:
        assert await second.privacy.keeping_out.keep_out(USER, table.ben.id)
        assert not await second.privacy.keeping_out.keep_out(USER, table.ben.id)
    await look(table)
    refused(await table.ben.slash(table.channel, "play"))
    assert not seen(await table.ann.slash(table.channel, "help")).content


async def test_checking_whether_a_user_is_kept_out_reads_no_database(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep_out(table, table.ben)
    moderation = table.services.moderation

    async def fail() -> None:
        raise AssertionError

    database = moderation._database  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(database, "read", fail)
    assert moderation.is_kept_out(table.ben.id)
    assert not moderation.is_kept_out(table.ann.id)
    assert not await moderation.tell(table.ann.id, table.ann.guild.id)


def left(table: Table) -> list[str]:
    return [each.path for each in table.env.http_requests if each.method == "DELETE"]


async def test_the_bot_leaves_a_server_that_the_host_keeps_out_after_every_join(
    table: Table,
) -> None:
    guild = table.env.create_guild("Unwelcome", shard_id=1)
    await table.env.settle()
    found = table.bot.get_guild(guild.id)
    assert isinstance(found, discord.Guild)
    keeping = table.services.privacy.keeping_out
    assert await keeping.keep_out(SERVER, guild.id)
    await look(table)
    assert left(table) == [f"/users/@me/guilds/{guild.id}"]
    assert table.bot.get_guild(guild.id) is None
    assert table.bot.get_guild(table.ann.guild.id) is not None
    await table.rounds(lambda: table.cog(ModerationCog).on_guild_join(found))
    assert len(left(table)) == 2
    assert await keeping.let_in(SERVER, guild.id)
    await look(table)
    await table.rounds(lambda: table.cog(ModerationCog).on_guild_join(found))
    assert len(left(table)) == 2
