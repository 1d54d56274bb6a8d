"""A server that wants one message for everybody's results, told by those who share in it."""

from datetime import timedelta

import discord
import pytest
from simcord import MemberActor, ResponseMessage

from bot.app import CodebreakerBot
from cogs.server.deliveries import PostsCog
from tests.support.clock import NOON
from tests.support.overwrites import overwrite
from tests.support.posted import post_buttons, post_text
from tests.support.screen import buttons, custom_ids, seen, text
from tests.support.table import SECRET, Table


@pytest.fixture(autouse=True)
async def chosen(table: Table) -> None:
    await table.services.posts.choices.set_running_results(table.ann.guild.id, on=True)


async def pass_time(table: Table, **duration: float) -> None:
    """Let some time pass, and the bot look what is due."""
    table.clock.advance(**duration)
    assert isinstance(table.env.bot, CodebreakerBot)
    cog = table.env.bot.get_cog("PostsCog")
    assert isinstance(cog, PostsCog)
    await cog.run()
    await table.env.settle()


def lists(table: Table) -> list[discord.Message]:
    """The messages with components that everybody sees."""
    there = table.channel.history()
    return [message for message in there if message.components and not message.flags.ephemeral]


def only(table: Table) -> str:
    (message,) = lists(table)
    return post_text(message).replace("\u2068", "").replace("\u2069", "")


async def solve(table: Table, who: MemberActor, *before: str) -> ResponseMessage:
    board = await table.focdle(who)
    for guess in (*before, SECRET):
        board = await table.guess(who, board, guess)
    return board


def to_the_message(table: Table) -> str:
    (message,) = lists(table)
    return f"(https://discord.com/channels/{table.ann.guild.id}/{table.channel.id}/{message.id})"


async def test_a_day_of_results_is_one_message(table: Table) -> None:
    board = await solve(table, table.ann, "12+34-5=41")
    told = seen(await table.ann.click(board, label="Share"))
    assert told.ephemeral
    assert text(told) == (
        f"You're in, the first on the list! [See the list]{to_the_message(table)}\n"
        f"To paste anywhere:\n```\nFoCdle #324 2/6\n⬛🟨⬛⬛⬛⬛🟨🟨⬛🟩\n{'🟩' * 10}\n```"
    )
    assert buttons(told) == ["Always share here"]
    assert only(table) == "### FoCdle #324 · 1 shared\n🥇 Ann · 2/6"
    (message,) = lists(table)
    assert post_buttons(message) == ["Play #324", "Share mine"]

    # Ben, who has finished, needs no board to share; Cleo has not.
    await solve(table, table.ben)
    cleo = table.world.members[2]
    refused = seen(await cleo.click(message, label="Share mine"))
    assert text(refused) == "Share it when it is over."
    told = seen(await table.ben.click(message, label="Share mine"))
    assert "You're in: **1st of 2** so far." in text(told)
    assert only(table).count("\n") == 1  # not twice in five seconds
    await pass_time(table, seconds=5)
    assert only(table) == "### FoCdle #324 · 2 shared\n🥇 Ben · 1/6\n🥈 Ann · 2/6"

    for number in (10, 11, 12, 13, 14, 15):
        await table.focdle(cleo, guess=f"{number}+34-5={number + 29}")
    told = seen(await cleo.click(await table.focdle(cleo), label="Share"))
    assert "You're in: **3rd of 3**" in text(told)
    again = seen(await cleo.click(await table.focdle(cleo), label="Share"))
    assert text(again) == text(told)
    await pass_time(table, seconds=5)
    assert only(table).endswith("**3.** Cleo · X/6")
    edits = len(table.env.http_requests)
    await pass_time(table, seconds=5)
    assert len(table.env.http_requests) == edits

    # After midnight it closes, half an hour later, for those who had begun.
    await pass_time(table, hours=12, minutes=29)
    assert "The day is over" not in only(table)
    await pass_time(table, minutes=2)
    closed = only(table).splitlines()
    assert closed[:4] == [
        "### FoCdle #324 · 3 shared",
        "-# The day is over.",
        "🥇 Ben · 1/6",
        "🟩" * 10,
    ]
    assert closed[4:7] == ["🥈 Ann · 2/6", "⬜🟡⬜⬜⬜⬜🟡🟡⬜🟩", "🟩" * 10]
    assert len(closed) == 14
    (message,) = lists(table)
    assert post_buttons(message) == ["Today's puzzle", "Play #324"]
    todays = seen(await table.ben.click(message, label="Today's puzzle"))
    assert "FoCdle #325" in text(todays)
    # What is shared after its end is a message of its own, as ever.
    late = await table.focdle(cleo, puzzle="324")
    await cleo.click(late, label="Share")
    assert post_text(lists(table)[-1]) == f"{cleo.mention} missed **FoCdle #324**: X/6"


async def test_who_shares_always_is_in_it_with_the_last_guess_until_they_hide(
    table: Table,
) -> None:
    told = seen(await table.ann.click(await solve(table, table.ann), label="Share"))
    done = seen(await table.ann.click(told, label="Always share here"))
    assert done.id == told.id
    assert table.channel.mention in text(done)
    table.clock.set(NOON + timedelta(days=1))
    board = await table.focdle(table.ann)
    play = int(custom_ids(board)[0].rpartition(":")[2])
    secret = (await table.services.daily.view(table.ann.id, play)).game.secret
    elsewhere = seen(await table.ann.slash(table.world.channels[1], "focdle", guess=secret))
    assert "Solved" in text(elsewhere)
    first, second = lists(table)
    assert post_text(second).startswith("### FoCdle #325 · 1 shared\n🥇 ")
    assert post_text(second).endswith(" · 1/6 · 🔥 2")
    assert post_text(first).startswith("### FoCdle #324")

    panel = seen(await table.ann.slash(table.channel, "preferences"))
    rest = seen(await table.ann.click(panel, label="More"))
    assert f"**Always share here: in {table.channel.mention}**" in text(rest)
    panel = seen(await table.ann.slash(table.channel, "preferences"))
    await table.ann.click(panel, label="Hide me")
    await pass_time(table, seconds=5)
    await pass_time(table, seconds=5)
    assert lists(table) == []
    panel = seen(await table.ann.slash(table.channel, "preferences"))
    panel = seen(await table.ann.click(panel, label="More"))
    assert "Always share" in text(panel)
    ended = seen(await table.ann.click(panel, custom_id=f"pref:always:{table.ann.id}"))
    assert "Always share" not in text(ended)
    board = await table.focdle(table.ann)
    told = seen(await table.ann.click(board, label="Share"))
    assert "You're in, the first on the list!" in text(told)
    assert buttons(told) == []  # while hidden nothing goes there by itself


async def test_who_may_not_write_there_is_not_in_it_unless_the_server_takes_results(
    table: Table,
) -> None:
    guild_id = table.ann.guild.id
    await table.services.entries.share_always(table.ann.id, guild_id, table.channel.id)
    overwrite(table, table.channel, table.ann, send_messages=False)
    elsewhere = table.world.channels[1]
    seen(await table.ann.slash(elsewhere, "focdle", guess=SECRET))
    assert lists(table) == []
    refused = seen(await table.ann.click(await table.focdle(table.ann), label="Share"))
    assert text(refused).startswith("You may not write in ")
    assert lists(table) == []
    await table.services.settings.change(guild_id, channel_id=table.channel.id)
    await table.services.posts.choices.set_takes_results(guild_id, on=True)
    told = seen(await table.ann.click(await table.focdle(table.ann), label="Share"))
    assert "You're in, the first on the list!" in text(told)
    assert "🥇 Ann · 1/6" in only(table)


async def test_where_the_bot_may_not_post_who_shares_is_told_why_and_has_the_text(
    table: Table,
) -> None:
    board = await solve(table, table.ann)
    overwrite(table, table.channel, send_messages=False)
    overwrite(table, table.channel, table.ann, send_messages=True)
    refused = seen(await table.ann.click(board, label="Share"))
    assert refused.ephemeral
    assert "I lack **Send Messages** there." in text(refused)
    assert "FoCdle #324 1/6\n🟩" in text(refused)
    overwrite(table, table.channel, send_messages=None)
    table.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    refused = seen(await table.ann.click(board, label="Share"))
    assert text(refused).startswith("Discord did not let me post in ")
    assert "FoCdle #324 1/6\n🟩" in text(refused)
    table.clock.advance(seconds=5)
    told = seen(await table.ann.click(board, label="Share"))
    assert "You're in, the first on the list!" in text(told)
    assert "🥇 Ann · 1/6" in only(table)


async def test_what_was_deleted_or_is_old_is_posted_anew_for_who_shares(table: Table) -> None:
    await table.ann.click(await solve(table, table.ann), label="Share")
    (first,) = lists(table)
    table.env.backend.delete_message(table.channel.id, first.id)
    table.clock.advance(minutes=1)
    await table.ben.click(await solve(table, table.ben), label="Share")
    assert only(table).startswith("### FoCdle #324 · 2 shared")
    (second,) = lists(table)
    table.clock.advance(hours=2)
    cleo = table.world.members[2]
    told = seen(await cleo.click(await solve(table, cleo), label="Share"))
    assert to_the_message(table) in text(told)
    (third,) = lists(table)
    assert third.id > second.id
    assert only(table).startswith("### FoCdle #324 · 3 shared")


async def test_other_games_and_lengths_are_messages_of_their_own(table: Table) -> None:
    board = await table.focdle(table.ann, puzzle="324/9")
    play = int(custom_ids(board)[0].rpartition(":")[2])
    secret = (await table.services.daily.view(table.ann.id, play)).game.secret
    board = await table.guess(table.ann, board, secret)
    shared = seen(await table.ann.click(board, label="Share"))
    assert not shared.ephemeral
    own = seen(await table.ann.user.click(await own_board(table), label="Share"))
    assert "solved **FoCdle #324** in 1/6" in text(own)


async def own_board(table: Table) -> ResponseMessage:
    """Ann's, solved in a conversation of her own with the bot."""
    return seen(await table.ann.user.slash("focdle", guess=SECRET))
