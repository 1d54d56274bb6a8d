"""Today's card, told by those who share on it."""

from datetime import timedelta

import discord
from simcord import MemberActor, ResponseMessage

from cogs.posts.delivery import PostsCog
from tests.support.clock import NOON
from tests.support.overwrites import overwrite
from tests.support.posted import post_buttons, post_text
from tests.support.screen import buttons, custom_ids, seen, text
from tests.support.table import SECRET, Table


async def pass_time(table: Table, **duration: float) -> None:
    """Let some time pass, and the bot look what is due."""
    table.clock.advance(**duration)
    cog = table.cog(PostsCog)
    await table.rounds(cog.card)


def cards(table: Table) -> list[discord.Message]:
    """The messages with components that everybody sees."""
    there = table.channel.history()
    return [message for message in there if message.components and not message.flags.ephemeral]


def only(table: Table) -> str:
    (message,) = cards(table)
    return post_text(message).replace("\u2068", "").replace("\u2069", "")


async def solve(table: Table, who: MemberActor, *before: str) -> ResponseMessage:
    board = await table.focdle(who)
    for guess in (*before, SECRET):
        board = await table.guess(who, board, guess)
    return board


def to_the_card(table: Table) -> str:
    (message,) = cards(table)
    return f"(https://discord.com/channels/{table.ann.guild.id}/{table.channel.id}/{message.id})"


def pictured(table: Table) -> list[str]:
    """What the cards' pictures are said to show."""
    return [
        file.description or ""
        for message in cards(table)
        for file in message.attachments
        if file.filename == "group.png"
    ]


async def test_all_shared_results_of_a_date_are_one_card(table: Table) -> None:
    board = await solve(table, table.ann, "12+34-5=41")
    told = seen(await table.ann.click(board, label="Share"))
    assert told.ephemeral
    assert text(told) == (
        f"You're on [today's card]{to_the_card(table)}.\n"
        f"To paste anywhere:\n```\nFoCdle #324 2/6\n⬛🟨⬛⬛⬛⬛🟨🟨⬛🟩\n{'🟩' * 10}\n```"
    )
    assert buttons(told) == ["Always share here"]
    assert only(table) == "### FoCdle #324\n-# 10 symbols"
    (message,) = cards(table)
    assert post_buttons(message) == ["Play #324"]
    assert pictured(table) == ["Ann 2/6"]

    # Ben plays from the card.
    board = seen(await table.ben.click(message, label="Play #324"))
    told = seen(await table.ben.click(await table.guess(table.ben, board, SECRET), label="Share"))
    assert text(told).startswith(
        f"You're on [today's card]{to_the_card(table)}. **1st of 2** so far.\nTo paste anywhere:"
    )
    assert pictured(table) == ["Ann 2/6"]  # not twice in five seconds
    await pass_time(table, seconds=5)
    assert pictured(table) == ["Ben 1/6 · Ann 2/6"]

    cleo = table.world.members[2]
    for number in (10, 11, 12, 13, 14, 15):
        await table.focdle(cleo, guess=f"{number}+34-5={number + 29}")
    told = seen(await cleo.click(await table.focdle(cleo), label="Share"))
    assert "**3rd of 3** so far." in text(told)
    await pass_time(table, seconds=5)
    assert pictured(table) == ["Ben 1/6 · Ann 2/6 · Cleo X/6"]
    edits = len(table.env.http_requests)
    await pass_time(table, seconds=5)
    assert len(table.env.http_requests) == edits

    # After midnight it closes, half an hour later, for those who had begun.
    await pass_time(table, hours=12, minutes=29)
    assert "🏆" not in only(table)
    await pass_time(table, minutes=2)
    assert only(table) == "### FoCdle #324\n-# 10 symbols\n🏆 **Ben** · 1/6"
    assert pictured(table) == ["Ben 1/6 · Ann 2/6 · Cleo X/6"]
    (message,) = cards(table)
    assert post_buttons(message) == ["Today's puzzle", "Play #324"]
    todays = seen(await table.ben.click(message, label="Today's puzzle"))
    assert "FoCdle #325" in text(todays)
    # What is shared after its end is a message of its own, as ever.
    late = await table.focdle(cleo, puzzle="324")
    await cleo.click(late, label="Share")
    assert post_text(cards(table)[-1]) == f"{cleo.mention} missed **FoCdle #324**: X/6"


async def test_a_result_shared_in_another_channel_is_posted_by_itself(table: Table) -> None:
    await table.ann.click(await solve(table, table.ann), label="Share")
    elsewhere = table.world.channels[1]
    board = seen(await table.ben.slash(elsewhere, "focdle", guess=SECRET))
    shared = seen(await table.ben.click(board, label="Share"))
    assert not shared.ephemeral
    assert text(shared).startswith(f"{table.ben.mention} solved **FoCdle #324** in 1/6")
    await pass_time(table, seconds=5)
    assert pictured(table) == ["Ann 1/6"]


async def test_a_player_who_always_shares_is_added_to_the_card_until_they_hide(
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
    first, second = cards(table)
    assert post_text(second).startswith("### FoCdle #325")
    assert post_text(first).startswith("### FoCdle #324")

    panel = seen(await table.ann.slash(table.channel, "preferences"))
    rest = seen(await table.ann.click(panel, label="More"))
    assert f"**Always share in {table.channel.mention}**" in text(rest)
    panel = seen(await table.ann.slash(table.channel, "preferences"))
    await table.ann.click(panel, label="Hide me")
    await pass_time(table, seconds=5)
    await pass_time(table, seconds=5)
    assert cards(table) == []
    panel = seen(await table.ann.slash(table.channel, "preferences"))
    panel = seen(await table.ann.click(panel, label="More"))
    assert "Always share" in text(panel)
    ended = seen(await table.ann.click(panel, custom_id=f"pref:always:{table.ann.id}"))
    assert "Always share" not in text(ended)
    board = await table.focdle(table.ann)
    told = seen(await table.ann.click(board, label="Share"))
    assert "You're on [today's card]" in text(told)
    assert buttons(told) == []  # while hidden nothing goes there by itself


async def test_a_player_who_may_not_write_is_not_on_the_card_unless_the_server_allows_it(
    table: Table,
) -> None:
    guild_id = table.ann.guild.id
    await table.services.entries.share_always(table.ann.id, guild_id, table.channel.id)
    overwrite(table, table.channel, table.ann, send_messages=False)
    elsewhere = table.world.channels[1]
    seen(await table.ann.slash(elsewhere, "focdle", guess=SECRET))
    assert cards(table) == []
    refused = seen(await table.ann.click(await table.focdle(table.ann), label="Share"))
    assert text(refused).startswith("You can't write in ")
    assert cards(table) == []
    await table.services.settings.change(guild_id, channel_id=table.channel.id)
    await table.services.posts.choices.set_takes_results(guild_id, on=True)
    told = seen(await table.ann.click(await table.focdle(table.ann), label="Share"))
    assert "You're on [today's card]" in text(told)
    assert pictured(table) == ["Ann 1/6"]


async def test_a_result_is_a_message_of_its_own_where_the_bot_may_not_write_a_card(
    table: Table,
) -> None:
    board = await solve(table, table.ann)
    overwrite(table, table.channel, send_messages=False)
    overwrite(table, table.channel, table.ann, send_messages=True)
    shared = seen(await table.ann.click(board, label="Share"))
    assert not shared.ephemeral
    assert only(table).startswith(f"{table.ann.mention} solved **FoCdle #324** in 1/6")


async def test_a_player_gets_only_a_text_to_copy_when_discord_refuses_the_bots_card(
    table: Table,
) -> None:
    board = await solve(table, table.ann)
    table.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    told = seen(await table.ann.click(board, label="Share"))
    assert text(told).startswith("I couldn't post here.\nTo paste anywhere:")
    assert cards(table) == []
    told = seen(await table.ann.click(board, label="Share"))
    assert "You're on [today's card]" in text(told)
    assert pictured(table) == ["Ann 1/6"]


async def test_a_card_without_attachments_has_a_line_for_each_player(table: Table) -> None:
    overwrite(table, table.channel, attach_files=False)
    await table.ann.click(await solve(table, table.ann), label="Share")
    assert only(table) == "### FoCdle #324\n-# 10 symbols\nAnn · 1/6"
    assert pictured(table) == []


async def test_a_card_deleted_by_a_moderator_is_not_posted_again_that_day(table: Table) -> None:
    await table.ann.click(await solve(table, table.ann), label="Share")
    (first,) = cards(table)
    table.env.backend.delete_message(table.channel.id, first.id)
    table.clock.advance(minutes=1)
    board = await solve(table, table.ben)
    for _ in range(2):
        told = seen(await table.ben.click(board, label="Share"))
        assert text(told).startswith(
            "Today's card was taken down here, so nothing was posted.\nTo paste anywhere:"
        )
        assert cards(table) == []
    elsewhere = table.world.channels[1]
    board = seen(await table.ben.slash(elsewhere, "focdle"))
    await table.ben.click(board, label="Share")
    shared = [message for message in elsewhere.history() if message.components]
    assert "solved **FoCdle #324** in 1/6" in post_text(shared[-1])
