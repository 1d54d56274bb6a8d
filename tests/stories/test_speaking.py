"""Members have the bot write nothing where they may not write, and read where it would."""

from datetime import timedelta
from pathlib import Path

import discord
import pytest
from simcord import ChannelHandle, MemberActor, ResponseMessage, RoleHandle

from tests.support.duel_stories import NUMBERS, accept, dare, resign, to_move, typed
from tests.support.overwrites import overwrite
from tests.support.screen import buttons, custom_ids, my_games, seen, text
from tests.support.sql import sql
from tests.support.table import SECRET, Table

MENU = "Challenge to a duel"


@pytest.fixture(autouse=True)
async def chosen(table: Table) -> None:
    """There is no card of the day: each result is a message of its own."""
    await table.services.posts.choices.set_todays_card(table.ann.guild.id, on=False)


@pytest.fixture
def news(table: Table) -> ChannelHandle:
    """A channel in which only Ann and the bot may write."""
    guild = table.ann.guild
    channel = guild.create_text_channel("news")
    overwrite(table, channel, send_messages=False, send_messages_in_threads=False)
    for who in (guild.me, table.ann):
        overwrite(table, channel, who, send_messages=True, send_messages_in_threads=True)
    return channel


def where(table: Table) -> str:
    """The channels in which everybody may write."""
    first, second = table.world.channels
    return f"{first.mention} or {second.mention}"


def posted(channel: ChannelHandle) -> list[discord.Message]:
    return [message for message in channel.history() if not message.flags.ephemeral]


async def solve(who: MemberActor, channel: ChannelHandle) -> ResponseMessage:
    return seen(await who.slash(channel, "focdle", guess=SECRET))


async def test_a_player_who_may_not_write_in_a_channel_cannot_share_a_result_there(
    table: Table, news: ChannelHandle
) -> None:
    board = await solve(table.ben, news)
    answer = seen(await table.ben.click(board, label="Share"))
    assert answer.ephemeral
    assert text(answer).startswith(
        f"You can't write in {news.mention}, so I can't post for you. To share it, type "
        f"`/focdle` in {where(table)}, or `/play` for an old puzzle.\nTo paste anywhere:\n"
    )
    assert posted(news) == []
    board = seen(await table.ben.slash(table.channel, "focdle"))
    assert not seen(await table.ben.click(board, label="Share")).ephemeral
    overwrite(table, news, table.ben, send_messages=True)
    board = seen(await table.ben.slash(news, "focdle"))
    assert not seen(await table.ben.click(board, label="Share")).ephemeral


async def test_a_player_who_may_not_write_in_a_channel_cannot_challenge_there(
    table: Table, news: ChannelHandle, tmp_path: Path
) -> None:
    asked = await table.ben.context_menu(table.channel, MENU, table.ann)
    answers = [
        seen(await table.ben.slash(news, "duel", opponent=table.ann)),
        seen(await table.ben.context_menu(news, MENU, table.ann)),
        seen(await table.ben.slash(news, "mastermind challenge", member=table.ann)),
    ]
    overwrite(table, table.channel, table.ben, send_messages=False)
    answers.append(seen(await table.ben.submit_modal(asked, {"number": NUMBERS[1]})))
    assert all(answer.ephemeral for answer in answers)
    assert text(answers[0]) == (
        f"You can't write in {news.mention}, so I can't post for you. Challenge them in "
        f"{where(table)}."
    )
    assert {text(answer) for answer in answers[:3]} == {text(answers[0])}
    assert f"Challenge them in {table.world.channels[1].mention}." in text(answers[3])
    assert posted(news) == posted(table.channel) == []
    assert sql(tmp_path, "select count(*) from duels") == [(0,)]
    assert sql(tmp_path, "select count(*) from masterminds") == [(0,)]


def _game_list(board: ResponseMessage) -> str:
    (custom_id,) = [i for i in custom_ids(board) if i.startswith("lb:game:")]
    return custom_id


async def test_a_player_who_may_not_write_gets_a_private_leaderboard(
    table: Table, news: ChannelHandle
) -> None:
    await solve(table.ann, news)
    answer = seen(await table.ben.slash(news, "leaderboard"))
    assert answer.ephemeral
    assert "1 point" in text(answer) or "points" in text(answer)
    assert f"You can't write in {news.mention}" in text(answer)
    assert f"type `/leaderboard` in {where(table)}" in text(answer)
    public = seen(await table.ann.slash(news, "leaderboard"))
    assert not public.ephemeral
    assert "You can't write" not in text(public)
    # Those who asked for it turn its pages, as long as they may write there.
    overwrite(table, news, table.ann, send_messages=False)
    before = text(public)
    turned = seen(await table.ann.select(public, ["streak"], custom_id=_game_list(public)))
    assert turned.ephemeral
    assert turned.id != public.id
    assert text(public) == before


async def test_statistics_are_not_posted_where_their_player_may_not_write(
    table: Table, news: ChannelHandle
) -> None:
    await solve(table.ben, news)
    page = seen(await table.ben.slash(news, "stats"))
    answer = seen(await table.ben.click(page, label="Show the channel"))
    assert answer.ephemeral
    assert text(answer) == (
        f"You can't write in {news.mention}, so I can't post for you. To show it, type `/stats` in "
        f"{where(table)}."
    )
    assert posted(news) == []
    # The click is not spent: it works once they may.
    overwrite(table, news, table.ben, send_messages=True)
    await table.ben.click(page, label="Show the channel")
    assert len(posted(news)) == 1


async def over(table: Table, channel: ChannelHandle) -> ResponseMessage:
    """A duel that Ann has asked Ben for in a channel, and that he resigns."""
    board = await dare(table.ann, channel, table.ben)
    board = await accept(table.ben, board)
    who, _ = to_move(table, board)
    await typed(who, board, "9876")
    await resign(table.ben, board)
    return board


async def test_a_player_who_may_not_write_in_a_channel_plays_there_but_proposes_no_rematch(
    table: Table, news: ChannelHandle
) -> None:
    board = await over(table, news)
    before = len(posted(news))
    listed = await my_games(table.ben, table.channel)
    listed = seen(await table.ben.click(listed, label="Finished games"))
    page = seen(await table.ben.click(listed, label="Open"))
    # From the channel itself, and from a private page elsewhere.
    for message, label in ((board, "Rematch"), (page, "Rematch")):
        answer = seen(await table.ben.click(message, label=label))
        assert answer.ephemeral
        assert text(answer) == (
            f"You can't write in {news.mention}, so I can't post for you. Type `/duel` in "
            f"{where(table)}, or let your opponent challenge you."
        )
    assert len(posted(news)) == before
    assert (await typed(table.ann, board, NUMBERS[0], "Rematch")).ephemeral is False
    answer = seen(await table.ben.click(board, label="Rematch"))
    assert buttons(answer) == ["Accept"]


async def test_a_board_is_reposted_only_by_a_player_who_may_write_there(
    table: Table, news: ChannelHandle
) -> None:
    await dare(table.ann, news, table.ben)
    asked = await table.ann.slash(news, "mastermind challenge", member=table.ben)
    await table.ann.submit_modal(asked, {"code": "RGBY"})
    before = [message.id for message in posted(news)]
    assert len(before) == 2
    listed = await my_games(table.ben, table.channel)
    for opener in (i for i in custom_ids(listed) if i.startswith(("du:page:", "mm:c:own:"))):
        page = seen(await table.ben.click(listed, custom_id=opener))
        if opener.startswith("du:"):
            page = seen(await table.ben.click(page, label="More"))
        answer = seen(await table.ben.click(page, label="Post the board again"))
        assert text(answer) == (
            f"You can't write in {news.mention}, so I can't post for you. You can still open "
            "the game from `/play`."
        )
        listed = await my_games(table.ben, table.channel)
    assert [message.id for message in posted(news)] == before


@pytest.mark.parametrize(
    ("changes", "is_locked", "may"),
    [
        ({"send_messages": False}, False, True),
        ({"send_messages_in_threads": False}, False, False),
        ({}, True, False),
        ({"manage_threads": True}, True, True),
    ],
)
async def test_a_player_in_a_thread_needs_the_permission_to_write_in_threads(
    table: Table, changes: dict[str, bool], is_locked: bool, may: bool
) -> None:
    backend, parent = table.env.backend, table.channel
    thread = backend.create_thread(parent.id, "side talk", table.ann.id, broadcast=False)
    assert thread.thread_metadata is not None
    thread.thread_metadata.locked = is_locked
    backend.announce_thread_create(thread)
    overwrite(table, parent, table.ben, **changes)
    board = await solve(table.ben, parent.threads[0])
    assert seen(await table.ben.click(board, label="Share")).ephemeral is not may


async def test_a_timed_out_member_cannot_make_the_bot_post_anything(table: Table) -> None:
    board = await solve(table.ben, table.channel)
    until = (table.env.now() + timedelta(hours=1)).isoformat()
    table.env.backend.get_guild(table.ann.guild.id).members[table.ben.id].timed_out_until = until
    answer = seen(await table.ben.click(board, label="Share"))
    assert answer.ephemeral
    assert (
        "To share it, type `/focdle` in a channel where you can write, or `/play` for an old "
        "puzzle."
    ) in text(answer)


async def test_administrators_may_post_in_every_channel(table: Table, news: ChannelHandle) -> None:
    guild = table.ann.guild
    admin = guild.create_role("Admin", permissions=discord.Permissions(administrator=True))
    table.env.backend.add_member_role(guild.id, table.ben.id, admin.id)
    board = await solve(table.ben, news)
    assert not seen(await table.ben.click(board, label="Share")).ephemeral


async def test_a_player_who_installed_the_bot_for_themselves_needs_the_permission_to_write(
    table: Table, news: ChannelHandle
) -> None:
    table.env.backend.emit("GUILD_DELETE", {"id": str(table.ann.guild.id)})
    board = await solve(table.ben, news)
    answer = seen(await table.ben.click(board, label="Share"))
    assert answer.ephemeral
    assert "`/focdle` in a channel where you can write" in text(answer)
    assert seen(await table.ben.slash(news, "leaderboard")).ephemeral
    board = seen(await table.ben.slash(table.channel, "focdle"))
    assert not seen(await table.ben.click(board, label="Share")).ephemeral


# What a manager may allow below the daily post.


@pytest.fixture
async def post(table: Table, news: ChannelHandle) -> ChannelHandle:
    """The channel of the post, in which results may be shared; Ann has said so."""
    table.let_manage(table.ann)
    panel = seen(await table.ann.slash(table.channel, "settings", channel=news))
    page = seen(await table.ann.click(panel, label="Change daily post"))
    page = seen(await table.ann.click(page, label="More"))
    assert "**Open sharing: off**" in text(page)
    await table.ann.click(page, custom_id="set:results:on")
    assert "**Open sharing: on**" in text(page)
    return news


async def share(
    table: Table, who: MemberActor, channel: ChannelHandle, puzzle: str = ""
) -> ResponseMessage:
    """Solve a puzzle and press *Share* in a channel."""
    play = await table.services.daily.open(who.id, who.guild.id, puzzle=puzzle or None)
    if play.game.outcome is None:
        await table.services.daily.guess(who.id, play.id, play.game.secret)
    options = {"puzzle": puzzle} if puzzle else {}
    board = seen(await who.slash(channel, "focdle", **options))
    return seen(await who.click(board, label="Share"))


async def test_every_player_may_share_todays_result_once_under_the_post_if_a_manager_allows_it(
    table: Table, post: ChannelHandle
) -> None:
    shared = await share(table, table.ben, post)
    assert not shared.ephemeral
    assert "solved **FoCdle #324**" in text(shared)
    assert not (await share(table, table.ben, post, "323")).ephemeral


async def test_only_results_may_be_shared_under_the_post(table: Table, post: ChannelHandle) -> None:
    answers = [
        await share(table, table.ben, post, "322"),
        await share(table, table.ben, post, "324/9"),
        seen(await table.ben.slash(post, "duel", opponent=table.ann)),
    ]
    assert seen(await table.ben.slash(post, "leaderboard")).ephemeral  # nobody is on it
    page = seen(await table.ben.slash(post, "stats"))
    answers.append(seen(await table.ben.click(page, label="Show the channel")))
    assert all(answer.ephemeral for answer in answers)
    assert all(f"You can't write in {post.mention}" in text(answer) for answer in answers)
    assert posted(post) == []


async def test_permission_to_share_under_the_post_counts_nowhere_else_and_can_be_withdrawn(
    table: Table, post: ChannelHandle
) -> None:
    overwrite(table, table.channel, table.ben, send_messages=False)
    assert (await share(table, table.ben, table.channel)).ephemeral
    panel = seen(await table.ann.slash(table.channel, "settings"))
    page = seen(await table.ann.click(panel, label="Change daily post"))
    page = seen(await table.ann.click(page, label="More"))
    await table.ann.click(page, custom_id="set:results:off")
    assert (await share(table, table.ben, post)).ephemeral
    assert posted(post) == posted(table.channel) == []


# Those whom the post calls.


async def choose_role(table: Table, role: RoleHandle) -> str:
    """Ann chooses the role that the post calls; what the page says then."""
    panel = seen(await table.ann.slash(table.channel, "settings"))
    page = seen(await table.ann.click(panel, label="Change daily post"))
    (custom_id,) = [i for i in custom_ids(page) if i.startswith("set:role:")]
    return text(seen(await table.ann.select(page, [role], custom_id=custom_id)))


async def test_a_manager_can_choose_only_a_role_that_they_may_mention_in_the_channel_of_the_post(
    table: Table,
) -> None:
    guild, host = table.ann.guild, table.let_manage(table.ann)
    assert guild.me is not None
    everyone = discord.Permissions(mention_everyone=True)
    caller = guild.create_role("Caller", permissions=everyone)
    table.env.backend.add_member_role(guild.id, guild.me.id, caller.id)
    role = guild.create_role("Everybody here")
    words = await choose_role(table, role)
    assert (f"You can't mention <@&{role.id}> yourself.\n-# Nothing was changed.") in words
    assert "**Mention: nobody**" in words
    # In the channel of the post it counts, not where the settings were opened.
    await table.ann.slash(table.channel, "settings", channel=table.world.channels[1])
    overwrite(table, table.channel, host, mention_everyone=True)
    assert "You can't mention" in await choose_role(table, role)
    overwrite(table, table.world.channels[1], host, mention_everyone=True)
    assert f"**Mention:** <@&{role.id}>" in await choose_role(table, role)
