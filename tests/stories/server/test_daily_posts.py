"""The daily post as a server meets it: on its page of settings, in its channel, in its thread."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import ChannelHandle, MemberActor, ResponseMessage, RoleHandle
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType

from bot.clock import PuzzleName
from bot.games.game import Step
from bot.leaderboards.boards import Board, BoardGame, FocdleFigures, Period
from bot.leaderboards.game import LeaderboardPage, Row
from bot.posts.cards import CardRow
from bot.posts.game import DuePost
from bot.posts.news import PostNews, StreakEvent, StreakNews
from bot.posts.plans import PostSettings
from bot.posts.words import clock as hour_label
from bot.posts.words import preview_note
from cogs.posts.delivery import PostsCog, daily_post
from cogs.posts.panel import posts_page, preview_page
from engine import Mark
from tests.support.ids import ids_on
from tests.support.plays import assert_fits
from tests.support.posted import post_buttons, post_text
from tests.support.screen import buttons, custom_ids, seen, text
from tests.support.seals import carries_digits
from tests.support.simcord_gaps import changing_events
from tests.support.sql import sql
from tests.support.table import SECRET, Table

WRONG = "12+34-5=41"


@pytest.fixture(autouse=True)
def host(table: Table) -> RoleHandle:
    """Ann may manage the server; this role is why."""
    return table.let_manage(table.ann)


def at(table: Table, moment: str) -> None:
    table.clock.set(datetime.fromisoformat(moment).replace(tzinfo=UTC))


def cog(table: Table) -> PostsCog:
    return table.cog(PostsCog)


async def round_of(table: Table) -> None:
    """Let the bot look what is due."""
    await table.rounds(cog(table).post, cog(table).thread, cog(table).remind)


async def open_page(table: Table) -> ResponseMessage:
    panel = seen(await table.ann.slash(table.channel, "settings"))
    return seen(await table.ann.click(panel, label="Change daily post"))


async def open_more(table: Table) -> ResponseMessage:
    return seen(await table.ann.click(await open_page(table), label="More"))


async def choose_channel(table: Table, channel: ChannelHandle | None = None) -> None:
    """Thursday at noon: posts from Friday on, at nine."""
    at(table, "2026-11-19T12:00")
    await table.services.settings.change(
        table.ann.guild.id, channel_id=(channel or table.channel).id
    )


def shown(table: Table, channel: ChannelHandle | None = None) -> list[discord.Message]:
    """The messages with components in the channel that everybody sees."""
    there = (channel or table.channel).history()
    return [message for message in there if message.components and not message.flags.ephemeral]


def overwrite(table: Table, channel: ChannelHandle, **denied: bool) -> None:
    """Let nobody, the bot included, do this in a channel any more."""
    deny = discord.Permissions(**denied).value
    everyone = Overwrite(table.ann.guild.default_role.id, OverwriteType.ROLE, 0, deny)
    table.env.backend.set_overwrite(channel.id, everyone)


async def solve(table: Table, who: MemberActor, **options: Any) -> None:
    """Solve today's puzzle with the second guess."""
    board = await table.focdle(who, guess=WRONG, **options)
    with_secret = await secret_of(table, who)
    await table.guess(who, board, with_secret)


async def secret_of(table: Table, who: MemberActor) -> str:
    play = await table.services.daily.open(who.id, who.guild.id)
    return play.game.secret


# The post.


async def test_a_daily_post_is_sent_with_yesterdays_results(table: Table) -> None:
    await choose_channel(table)
    await solve(table, table.ben)
    at(table, "2026-11-20T08:59")
    await round_of(table)
    before = len(shown(table))
    at(table, "2026-11-20T09:05")
    await round_of(table)
    post = shown(table)[-1]
    assert len(shown(table)) == before + 1
    words = post_text(post)
    assert "### FoCdle #324" in words
    assert "Friday, November 20, 2026 · 10 symbols" in words
    assert "**Yesterday's best**" in words
    assert [file.description for file in post.attachments] == ["Ben 2/6"]
    assert post_buttons(post) == ["Play #324"]
    for _ in range(3):
        await round_of(table)
    assert len(shown(table)) == before + 1
    assert "<@&" not in words


async def test_a_member_who_left_is_not_among_the_streaks_of_the_post(
    table: Table, tmp_path: Path
) -> None:
    guild = table.ann.guild.id
    for player, name in ((5, "Lee"), (table.ben.id, "Ben")):
        at(table, "2026-11-14T12:00")
        await table.services.standings.members.seen(player, name, guild_id=guild, guild_name=name)
        for day in range(14, 20):
            at(table, f"2026-11-{day}T12:00")
            play = await table.services.daily.open(player, guild)
            await table.services.daily.guess(player, play.id, play.game.secret)
    await choose_channel(table)
    at(table, "2026-11-20T09:05")
    sql(tmp_path, "DELETE FROM pulses")  # no outage excuses the date
    while await table.services.upkeep.settle():
        pass
    await round_of(table)
    (post,) = shown(table)
    assert "🔥 Streaks" in post_text(post)
    assert "Ben" in post_text(post)
    assert "Lee" not in post_text(post)


async def test_a_first_post_has_an_example_and_later_posts_without_players_omit_the_results(
    table: Table,
) -> None:
    await choose_channel(table)
    at(table, "2026-11-20T09:05")
    await round_of(table)
    first = shown(table)[-1]
    assert "Find today's hidden equation in 6 guesses" in post_text(first)
    assert [file.description for file in first.attachments] == [
        "An example: 13+12-8=17, 72+31%6=73, 25+4*12=73"
    ]
    assert not carries_digits(post_text(first))
    at(table, "2026-11-21T09:05")
    await round_of(table)
    second = shown(table)[-1]
    assert second.id != first.id
    assert post_text(second).count("\n") == 1
    assert second.attachments == []


async def test_a_post_without_attachments_shows_the_best_board_in_squares(table: Table) -> None:
    await choose_channel(table)
    await solve(table, table.ben)
    overwrite(table, table.channel, attach_files=True)
    at(table, "2026-11-20T09:05")
    await round_of(table)
    post = shown(table)[-1]
    assert post.attachments == []
    assert "🟩" * 10 in post_text(post)


async def test_the_play_button_of_a_post_opens_the_clicking_players_own_board(table: Table) -> None:
    await choose_channel(table)
    at(table, "2026-11-20T09:05")
    await round_of(table)
    await table.restart()
    board = seen(await table.ben.click(shown(table)[-1], label="Play #324"))
    assert board.ephemeral
    assert "FoCdle #324" in text(board)
    board = await table.guess(table.ben, board, SECRET)
    assert "Solved" in text(board)
    assert SECRET not in "".join(map(post_text, shown(table)))


async def test_a_post_mentions_the_chosen_role_and_nobody_else(table: Table) -> None:
    role = table.ann.guild.create_role("Puzzlers", mentionable=True)
    await choose_channel(table)
    await table.services.posts.choices.set_role(table.ann.guild.id, role.id)
    at(table, "2026-11-20T09:05")
    await round_of(table)
    assert f"<@&{role.id}>" in post_text(shown(table)[-1])
    (sent,) = [
        request.json
        for request in table.env.http_requests
        if request.method == "POST" and request.path == f"/channels/{table.channel.id}/messages"
    ]
    assert sent is not None
    assert sent["allowed_mentions"] == {"parse": [], "roles": [role.id]}
    assert sent["enforce_nonce"] is True
    assert len(sent["nonce"]) == 24


async def test_a_deleted_role_is_not_mentioned_and_its_page_says_that_it_is_deleted(
    table: Table,
) -> None:
    role = table.ann.guild.create_role("Puzzlers", mentionable=True)
    await choose_channel(table)
    await table.services.posts.choices.set_role(table.ann.guild.id, role.id)
    table.env.backend.delete_role(table.ann.guild.id, role.id)
    await table.env.settle()
    page = await open_page(table)
    assert "⚠️ The role for the daily post has been deleted." in text(page)
    await table.ann.select(page, [role], custom_id=role_list(page))
    assert "The role for the daily post has been deleted.\n-# Nothing was changed." in text(page)
    at(table, "2026-11-20T09:05")
    await round_of(table)
    assert post_text(shown(table)[-1]).startswith("### FoCdle #324")


async def test_a_post_is_switched_off_after_three_refusals_and_can_be_repaired(
    table: Table,
) -> None:
    guild = table.ann.guild
    channel = guild.create_text_channel("made-up")
    await choose_channel(table, channel)
    overwrite(table, channel, send_messages=True)
    at(table, "2026-11-20T09:05")
    for refusals in range(1, 4):
        await round_of(table)
        table.clock.advance(minutes=10)
        is_stopped = "**Daily post: stopped**" in text(await open_page(table))
        assert is_stopped == (refusals == 3)
    await round_of(table)
    assert shown(table, channel) == []
    page = await open_page(table)
    assert "Discord refused it three times." in text(page)
    assert "I need **Send Messages** there" in text(page)
    still = seen(await table.ann.click(page, label="Try again"))
    assert "**Daily post: stopped**" in text(still)
    overwrite(table, channel)
    mended = seen(await table.ann.click(page, label="Try again"))
    assert "stopped" not in text(mended)
    await round_of(table)
    assert len(shown(table, channel)) == 1


async def test_a_claimed_post_is_not_sent_again_when_the_channels_history_cannot_be_read(
    table: Table,
) -> None:
    await choose_channel(table)
    at(table, "2026-11-20T09:05")
    assert await table.services.posts.book.claim(table.ann.guild.id) is not None
    table.clock.advance(minutes=3)  # whoever claimed it is gone
    table.env.inject_error("GET", "/channels/*/messages", status=403, code=50001)
    await round_of(table)
    table.clock.advance(minutes=30)
    await round_of(table)
    assert shown(table) == []
    page = text(await open_page(table))
    assert "The post for Friday, November 20, 2026 may be missing" in page
    assert "**Read Message History**" in page


async def test_a_claimed_post_that_is_not_found_in_the_channel_is_sent(table: Table) -> None:
    await choose_channel(table)
    at(table, "2026-11-20T09:05")
    assert await table.services.posts.book.claim(table.ann.guild.id) is not None
    table.clock.advance(minutes=3)
    await round_of(table)
    assert len(shown(table)) == 1


# Its page of settings.


async def test_the_page_of_daily_posts_names_the_value_of_every_setting(table: Table) -> None:
    await choose_channel(table)
    page = await open_page(table)
    assert buttons(page) == ["Turn off", "Preview", "More", "◀ All settings"]
    page = seen(await table.ann.click(page, label="More"))
    shown = ["Turn off", "Turn on", "Turn on", "Turn off", "◀ Daily post"]
    assert buttons(page) == shown
    page = seen(await table.ann.click(page, custom_id="set:running:off"))
    assert "**Today's card: off**" in text(page)
    for switch in ("running:on", "recap:off", "recap:on"):
        page = seen(await table.ann.click(page, custom_id=f"set:{switch}"))
    assert buttons(page) == shown
    page = seen(await table.ann.click(page, label="◀ Daily post"))
    page = seen(await table.ann.click(page, custom_id="set:post:off"))
    off = "**Daily post: off**\n-# Nothing is posted. Your choices are kept."
    assert off in text(page)
    settings = seen(await table.ann.click(page, label="◀ All settings"))
    assert off in text(settings)
    assert "-# Nothing is posted there: the daily post is off." in text(settings)
    page = seen(await table.ann.click(settings, label="Change daily post"))
    await table.restart()
    page = seen(await table.ann.click(page, custom_id="set:post:on"))
    assert "**Daily post: 09:00, every day**" in text(page)


async def test_the_chosen_hour_and_weekdays_are_stored(table: Table) -> None:
    await choose_channel(table)
    page = await open_page(table)
    assert seen(await table.ann.select(page, ["18"], custom_id="set:hour")).id == page.id
    await table.ann.select(page, ["1", "5"], custom_id="set:days")
    await table.restart()
    page = await open_page(table)
    assert "**Daily post: 18:00, Mon, Fri**" in text(page)
    back = seen(await table.ann.click(page, label="◀ All settings"))
    assert "**Daily post: 18:00, Mon, Fri**" in text(back)
    assert "### Settings of this server" in text(back)


def role_list(page: ResponseMessage) -> str:
    (custom_id,) = [i for i in custom_ids(page) if i.startswith("set:role:")]
    return custom_id


async def test_a_role_that_cannot_be_mentioned_is_refused_with_the_permission_to_grant(
    table: Table,
) -> None:
    await choose_channel(table)
    overwrite(table, table.channel, mention_everyone=True)
    role = table.ann.guild.create_role("Silent")
    page = await open_page(table)
    offered = role_list(page)
    await table.ann.select(page, [role], custom_id=offered)
    assert "Allow anyone to @mention this role" in text(page)
    assert "-# Nothing was changed." in text(page)
    assert "**Mention: nobody**" in text(page)
    assert role_list(page) != offered
    loud = table.ann.guild.create_role("Loud", mentionable=True)
    await table.ann.select(page, [loud], custom_id=role_list(page))
    assert f"**Mention:** <@&{loud.id}>" in text(page)
    await table.ann.click(page, label="Mention nobody")
    assert "**Mention: nobody**" in text(page)


# Finishers' threads.


async def test_the_permissions_that_finishers_threads_need_are_named(table: Table) -> None:
    page = await open_more(table)
    await table.ann.click(page, custom_id="set:threads:on")
    assert "Choose a channel for the daily post first" in text(page)
    news = table.ann.guild.create_news_channel("news")
    await choose_channel(table, news)
    page = await open_more(table)
    await table.ann.click(page, custom_id="set:threads:on")
    assert "Choose a text channel" in text(page)
    guild = table.ann.guild
    assert guild.me is not None
    strict = guild.create_text_channel(
        "strict",
        overwrites={guild.me: discord.PermissionOverwrite(create_private_threads=False)},
    )
    await choose_channel(table, strict)
    page = await open_more(table)
    await table.ann.click(page, custom_id="set:threads:on")
    assert "**Create Private Threads" in text(page)
    assert "**Finishers' threads: off**" in text(page)


@pytest.fixture
async def with_threads(table: Table) -> Table:
    """Friday at ten: threads are on, the post is out."""
    guild = table.ann.guild
    assert guild.me is not None
    keeper = guild.create_role(
        "Keeper",
        permissions=discord.Permissions(
            create_private_threads=True, send_messages_in_threads=True, manage_threads=True
        ),
    )
    table.env.backend.add_member_role(guild.id, guild.me.id, keeper.id)
    await choose_channel(table)
    page = await open_more(table)
    await table.ann.click(page, custom_id="set:threads:on")
    assert "**Finishers' threads: on**" in text(page)
    at(table, "2026-11-20T09:05")
    await round_of(table)
    return table


def threads(table: Table) -> list[Any]:
    """The server's threads, as Discord has them."""
    return [c for c in table.env.backend.channels.values() if c.is_thread]


async def ask_in(table: Table, post: discord.Message) -> ResponseMessage:
    """Press the button for those who have finished elsewhere; what it answers."""
    result = await table.ben.click(post, label="Finishers' thread")
    (answer,) = result.followups
    return answer


async def test_every_solver_is_added_to_one_private_finishers_thread(with_threads: Table) -> None:
    table = with_threads
    assert threads(table) == []
    await solve(table, table.ben)
    await round_of(table)
    (thread,) = threads(table)
    assert thread.name == "Finishers of #324"
    assert thread.parent_id == table.channel.id
    assert discord.ChannelType(thread.type) is discord.ChannelType.private_thread
    assert table.ben.id in thread.thread_members
    assert table.ann.id not in thread.thread_members
    await solve(table, table.ann)
    await round_of(table)
    assert len(threads(table)) == 1
    assert table.ann.id in thread.thread_members


async def test_the_thread_button_adds_only_finishers_wherever_they_finished_the_daily(
    with_threads: Table,
) -> None:
    table = with_threads
    post = shown(table)[-1]
    assert post_buttons(post) == ["Play #324", "Finishers' thread"]
    answer = await ask_in(table, post)
    assert answer.ephemeral
    assert "Finish #324, and you're in" in text(answer)
    play = await table.services.daily.open(table.ben.id, None)
    await table.services.daily.guess(table.ben.id, play.id, play.game.secret)
    await round_of(table)
    assert threads(table) == []
    answer = await ask_in(table, post)
    (thread,) = threads(table)
    assert text(answer) == f"You're in: <#{thread.id}>"
    assert table.ben.id in thread.thread_members


async def test_a_finishers_thread_is_closed_after_three_days(with_threads: Table) -> None:
    table = with_threads
    await solve(table, table.ben)
    await round_of(table)
    (thread,) = threads(table)
    table.clock.advance(days=2, hours=23)
    await round_of(table)
    assert not thread.thread_metadata.archived
    table.clock.advance(hours=1)
    await round_of(table)
    assert thread.thread_metadata.archived
    assert thread.thread_metadata.locked
    old = next(m for m in shown(table) if "Play #324" in post_buttons(m))
    answer = await ask_in(table, old)
    assert "The thread for #324 is closed" in text(answer)


async def test_a_deleted_finishers_thread_is_not_created_again(
    with_threads: Table, tmp_path: Path
) -> None:
    table = with_threads
    await solve(table, table.ben)
    await round_of(table)
    (thread,) = threads(table)
    table.env.backend.delete_channel(thread.id)
    await table.env.settle()
    await solve(table, table.ann)
    await round_of(table)
    assert threads(table) == []
    assert sql(tmp_path, "SELECT * FROM finishers") == []


async def test_a_finishers_thread_deleted_during_an_outage_is_noticed(with_threads: Table) -> None:
    table = with_threads
    await solve(table, table.ben)
    await round_of(table)
    (thread,) = threads(table)
    at(table, "2026-11-20T10:00")
    with changing_events(table.env, lambda _: False):
        table.env.backend.delete_channel(thread.id)
    await solve(table, table.ann)
    await round_of(table)
    await round_of(table)
    assert threads(table) == []


FULL = 30033


def refuse_to_add(table: Table, thread: Any, who: MemberActor, code: int = FULL) -> None:
    """Let Discord refuse to add a member to a thread, as one that is full does."""
    path = f"/channels/{thread.id}/thread-members/{who.id}"
    status = 400 if code == FULL else 403
    table.env.inject_error("PUT", path, status=status, code=code, times=None)


@pytest.mark.parametrize("code", [FULL, 50013])
async def test_a_player_whom_discord_does_not_add_to_a_thread_is_told_so_and_delays_no_other(
    with_threads: Table, code: int
) -> None:
    table = with_threads
    cleo = table.world.members[2]
    await solve(table, cleo)
    await round_of(table)
    (thread,) = threads(table)
    refuse_to_add(table, thread, table.ben, code)
    await solve(table, table.ben)
    table.clock.advance(seconds=1)
    await solve(table, table.ann)
    await round_of(table)
    assert table.ann.id in thread.thread_members
    await round_of(table)
    assert await table.services.posts.threads.waiting() == []
    post = next(m for m in shown(table) if "Play #324" in post_buttons(m))
    assert text(await ask_in(table, post)) == "I couldn't add you to the thread for #324."
    assert not thread.thread_metadata.archived


# Limits.


def largest_page(period: Period, rows: int) -> LeaderboardPage:
    board = Board.of(BoardGame.FOCDLE, period, previous=True, guild_id=2**63)
    named = tuple(
        Row(n, 2**63 + n, "𝕸" * 32, FocdleFigures(points=999, solved=31, guesses=999, plays=31))
        for n in range(1, rows + 1)
    )
    days = (date(2026, 9, 28), date(2026, 10, 31))
    return LeaderboardPage(board, days, 0, 9, 999, named, None, None, None, None)


def test_the_largest_daily_post_is_within_discords_limits() -> None:
    due = DuePost(
        guild_id=2**63,
        channel_id=2**63,
        day=date(2026, 9, 30),
        puzzle=PuzzleName(99999, 13),
        role_id=2**63,
        finishers_threads=True,
        last_day=None,
        step=Step.SEND,
        claimed_at=datetime(2026, 9, 30, tzinfo=UTC),
    )
    events = tuple(StreakEvent(2**63 + n, "\\" * 32, 999, 1000) for n in range(3))
    marks = ((Mark.PRESENT,) * 13,) * 6
    best = CardRow(1, 2**63, "\\" * 32, 6, True, True, 2, marks)
    news = PostNews(
        largest_page(Period.DAY, 10),
        (best,) * 3,
        None,
        StreakNews(999, events),
        largest_page(Period.WEEK, 10),
        largest_page(Period.MONTH, 10),
    )
    post = daily_post(due, news)
    for page in (post, preview_page(post, preview_note())):
        assert_fits(page)


def test_the_largest_page_of_daily_posts_is_within_discords_limits() -> None:
    posts = PostSettings(
        2**63,
        days=(1, 2, 3, 4, 5, 6),
        role_id=2**63,
        finishers_threads=True,
        off_at=datetime(2026, 11, 20, tzinfo=UTC),
        problem="forbidden",
        unsure_day=date(2026, 9, 30),
    )
    page = posts_page(posts, "America/Argentina/ComodRivadavia", ["x" * 300] * 4)
    assert_fits(page)
    assert len(ids_on(page)) >= 8


def test_hours_are_written_like_clock_times() -> None:
    assert [hour_label(hour) for hour in (0, 1, 9, 23)] == ["00:30", "01:00", "09:00", "23:00"]
