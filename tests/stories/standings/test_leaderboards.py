"""`/leaderboard`, `/stats`, *Game stats*, and who may see whom."""

from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from simcord import MemberActor, ResponseMessage

from bot.db.database import Database
from cogs.ui.pages import button
from tests.support.clock import NOON, FakeClock
from tests.support.forging import dm_of, forge_click
from tests.support.loose import post
from tests.support.screen import NOT_YOURS, buttons, custom_ids, parts, seen, text
from tests.support.table import SECRET, Table
from tests.support.town import Town

MENU = "Game stats"


@pytest.fixture
async def town(table: Table, tmp_path: Path, database_url: str) -> AsyncGenerator[Town]:
    """What others have played before a story begins."""
    database = await Database.open(database_url)
    yield Town(tmp_path, table.clock, table.services, database)
    await database.close()


def guild_of(table: Table) -> int:
    return table.ann.guild.id


CHOICES = ("Guesses", "Half a year")


async def board(table: Table, who: MemberActor, **options: Any) -> ResponseMessage:
    return seen(await who.slash(table.channel, "leaderboard", **options))


async def stats(table: Table, who: MemberActor, of: MemberActor | None = None) -> ResponseMessage:
    options = {} if of is None else {"member": of}
    return seen(await who.slash(table.channel, "stats", **options))


async def pick(who: MemberActor, shown: ResponseMessage, kind: str, value: str) -> ResponseMessage:
    """Choose in one of the lists under a board."""
    (custom_id,) = [name for name in custom_ids(shown) if name.startswith(f"lb:{kind}:")]
    return seen(await who.select(shown, [value], custom_id=custom_id))


def rows(shown: ResponseMessage) -> list[str]:
    """The rows of a board, two lines in one, without what keeps names from turning them around."""
    lines = text(shown).replace("\u2068", "").replace("\u2069", "").splitlines()
    found: list[str] = []
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith(("`", "🥇", "🥈", "🥉", "▫️")):
            found.append(f"{line}: {below.removeprefix('-# ')}")
        elif line == "⋯":
            found.append(line)
    return found


def pictures(shown: ResponseMessage) -> list[str]:
    """What the pictures of a message say to those who cannot see them."""
    return [item["description"] for part in parts(shown) for item in part.get("items", [])]


async def crowd(town: Town, guild: int, count: int) -> None:
    """Let so many members finish the day's puzzle: the first with one guess, others with four."""
    seen_in = town.services.standings.members.seen
    for player in range(1, count + 1):
        await seen_in(player, "", guild_id=guild, guild_name=f"P{player}")
        await town.play(player, guild, 1 if player == 1 else 4)


# Boards.


async def test_an_empty_leaderboard_tells_a_newcomer_what_to_do(table: Table) -> None:
    shown = await board(table, table.ann)
    assert shown.ephemeral  # there is nothing to see for others
    assert text(shown) == (
        "### FoCdle points · This week\n-# Nov 16 – 22, 2026\nNobody yet. Be the first: `/focdle`."
    )
    assert buttons(shown) == ["What counts"]
    await table.focdle(table.ann, guess=SECRET)
    shown = await board(table, table.ann)
    assert not shown.ephemeral
    assert buttons(shown) == ["My place", "What counts"]
    body = table.env.http_requests[-1].json
    assert body is not None
    assert body["data"]["allowed_mentions"] == {"parse": []}


async def test_a_leaderboard_command_without_a_game_opens_the_first_board_with_players(
    table: Table, town: Town
) -> None:
    guild = guild_of(table)
    assert text(await board(table, table.ann)).startswith("### FoCdle points · This week\n")
    await town.duel(table.ann.id, table.ben.id)
    begun = await board(table, table.ann)
    assert not begun.ephemeral
    assert text(begun).startswith("### Duels · All time\n")
    await town.join(5, guild)
    for _ in range(5):
        await town.mastermind(5, 3)
    shown = await board(table, table.ann)
    assert not shown.ephemeral
    assert text(shown).startswith("### Mastermind · All time\n")
    await table.focdle(table.ben, guess=SECRET)
    assert text(await board(table, table.ann)).startswith("### FoCdle points · This week\n")
    named = await board(table, table.ann, game="mastermind")
    assert text(named).startswith("### Mastermind · All time\n")


async def test_a_player_missing_from_a_public_leaderboard_is_told_the_reason_in_private(
    table: Table,
) -> None:
    await table.focdle(table.ben, guess=SECRET)
    result = await table.ann.slash(table.channel, "leaderboard")
    shown = seen(result)
    assert not shown.ephemeral
    assert table.ann.mention not in text(shown)
    (told,) = result.followups
    assert told.ephemeral
    assert text(told) == "You're not listed yet: try `/focdle`."
    assert not (await table.ben.slash(table.channel, "leaderboard")).followups


async def test_the_leaderboard_of_the_date_opens_beside_the_board_of_a_win(
    table: Table,
) -> None:
    await table.focdle(table.ben, guess=SECRET)
    won = await table.focdle(table.ann, guess=SECRET)
    won = await table.more(table.ann, won)
    shown = seen(await table.ann.click(won, label="Today's board"))
    assert shown.ephemeral
    assert shown.id != won.id
    assert text(shown).startswith("### FoCdle points · Today\n-# ")
    figures = "6 points · 1 guess"
    assert set(rows(shown)) == {f"🥇 Ben: {figures}", f"🥇 **Ann**\u00a0◂\u00a0you: {figures}"}
    await table.restart()
    table.clock.advance(days=1)
    again = await table.focdle(table.ann, puzzle="324")
    assert "Today's board" not in buttons(await table.more(table.ann, again))
    practice = seen(await table.ann.slash(table.channel, "practice"))
    assert "Today's board" not in buttons(practice)


async def test_only_members_can_open_a_servers_leaderboard_from_direct_messages(
    table: Table,
) -> None:
    await table.focdle(table.ann, guess=SECRET)
    public = await board(table, table.ann)
    conversation = dm_of(table.ann)
    board_in_private = seen(await table.ann.user.slash("focdle"))
    board_in_private = seen(await table.ann.user.click(board_in_private, label="More"))
    (today,) = [each for each in custom_ids(board_in_private) if each.startswith("lb:today:")]
    assert "Ann" in text(seen(await forge_click(table.ann.user, conversation, today)))
    (place,) = [each for each in custom_ids(public) if each.startswith("lb:place:")]
    shown = seen(await forge_click(table.ann.user, conversation, place))
    assert shown.ephemeral
    assert "Ann" in text(shown)
    cleo = table.world.members[2]  # they have done nothing in the server yet
    assert text(seen(await forge_click(cleo.user, dm_of(cleo), place))) == NOT_YOURS


async def test_the_opener_of_a_leaderboard_turns_its_pages_and_sees_their_own_row_on_each(
    table: Table, town: Town
) -> None:
    await crowd(town, guild_of(table), 12)
    shown = await board(table, table.ann)
    assert "12 players · page 1 of 2" in text(shown)
    await table.focdle(table.ann, guess="12+34-5=41")
    await table.focdle(table.ann, guess=SECRET)
    first = await board(table, table.ann)
    assert rows(first)[1] == "🥈 **Ann**\u00a0◂: 5 points · 1 solved · 2 guesses"
    second = seen(await table.ann.click(first, label="Lower ▶"))
    assert second.id == first.id
    assert "page 2 of 2" in text(second)
    assert rows(second)[-2:] == ["⋯", "`2` **Ann**\u00a0◂: 5 points · 1 solved · 2 guesses"]
    assert seen(await table.ann.click(second, label="◀ Higher")).id == first.id


async def test_a_leaderboard_that_is_deleted_at_the_click_goes_on_in_private(
    table: Table, town: Town
) -> None:
    await crowd(town, guild_of(table), 12)
    await table.focdle(table.ann, guess=SECRET)
    public = await board(table, table.ann)
    table.env.inject_error("POST", "/interactions/*/callback", status=404, code=10008)
    copy = seen(await table.ann.click(public, label="Lower ▶"))
    assert copy.ephemeral
    assert "page 2 of 2" in text(copy)


async def test_another_player_who_turns_a_page_of_a_leaderboard_gets_a_private_copy(
    table: Table, town: Town
) -> None:
    await crowd(town, guild_of(table), 12)
    public = await board(table, table.ann)
    mine = seen(await table.ben.click(public, label="Lower ▶"))
    assert mine.ephemeral
    assert mine.id != public.id
    answer = table.env.http_requests[-1].json
    assert answer is not None
    assert answer["type"] == 4  # a new message; 7 would change the public one
    assert "page 2 of 2" in text(mine)
    assert "You're not listed yet: try `/focdle`." in text(mine)
    back = seen(await table.ben.click(mine, label="◀ Higher"))
    assert back.id == mine.id
    assert "page 1 of 2" in text(back)


async def test_the_my_place_button_answers_only_the_clicking_player(
    table: Table, town: Town
) -> None:
    await crowd(town, guild_of(table), 12)
    for n in range(10, 16):
        await table.focdle(table.ben, guess=f"{n}+34-5={n + 29}")
    public = await board(table, table.ann)
    place = seen(await table.ben.click(public, label="My place"))
    assert place.ephemeral
    assert "page 2 of 2" in text(place)
    assert rows(place)[-1] == "`13` **Ben**\u00a0◂\u00a0you: 0 points · 0 solved · 6 guesses"
    own = seen(await table.ann.click(public, label="My place"))
    assert own.ephemeral


async def test_the_selection_lists_on_a_leaderboard_lead_to_the_other_leaderboards(
    table: Table, town: Town
) -> None:
    table.clock.set(NOON - timedelta(days=6))
    await crowd(town, guild_of(table), 1)
    table.clock.set(NOON)
    await town.services.standings.members.seen(1, "", guild_id=guild_of(table), guild_name="P1")
    await town.settle()
    await table.focdle(table.ann, guess=SECRET)
    shown = await board(table, table.ann)
    last = await pick(table.ann, shown, "period", "week.1")
    assert text(last).startswith("### FoCdle points · Last week\n")
    assert rows(last) == ["🥇 P1: 6 points · 1 solved · 1 guess"]
    assert last.id == shown.id
    streaks = await pick(table.ann, last, "game", "streak")
    assert text(streaks).startswith("### Streaks\n")
    assert rows(streaks) == ["`1` **Ann**\u00a0◂: 1 day · best 1"]
    assert not [name for name in custom_ids(streaks) if name.startswith("lb:period")]
    duels = await pick(table.ann, streaks, "game", "duels")
    assert text(duels).startswith("### Duels · All time\n")
    assert "For a place, play a rated duel" in text(duels)
    mastermind = await pick(table.ann, duels, "game", "mastermind")
    assert "For a place, play 5 games of `/mastermind play`" in text(mastermind)


async def test_direct_messages_link_the_servers_that_the_player_shares(table: Table) -> None:
    alone = seen(await table.ann.user.slash("leaderboard"))
    assert text(alone) == "Leaderboards belong to servers, and we share no server yet."
    await table.focdle(table.ann, guess=SECRET)
    await table.services.standings.members.seen(table.ann.id, "", guild_id=99)  # left since
    shown = seen(await table.ann.user.slash("leaderboard", game="streak"))
    assert (
        text(shown)
        == "Only servers have leaderboards. Open a server, and type `/leaderboard` there."
    )
    links = {part["label"]: part["url"] for part in parts(shown) if "url" in part}
    assert links == {"Puzzle Club": f"https://discord.com/channels/{guild_of(table)}"}
    assert not [*custom_ids(shown)]


# Hidden players.


# Members who may have left.


@pytest.fixture
async def stale(table: Table, town: Town, clock: FakeClock) -> Table:
    """Ben and a stranger have played, but were not seen for a day."""
    clock.set(NOON - timedelta(days=1))
    guild = guild_of(table)
    await town.services.standings.members.seen(
        table.ben.id, "Ben", guild_id=guild, guild_name="Benjamin"
    )
    await town.join(5, guild)
    clock.set(NOON)
    await town.play(table.ben.id, guild, 2)
    await town.play(5, guild, 3)
    return table


async def test_a_member_who_left_is_taken_off_leaderboards(stale: Table) -> None:
    table = stale
    shown = await board(table, table.ann)
    assert rows(shown) == ["🥇 Ben: 5 points · 1 solved · 2 guesses"]
    looked_up = [r.path for r in table.env.http_requests if "/members/" in r.path]
    assert len(looked_up) == 2
    await board(table, table.ann)
    again = [r.path for r in table.env.http_requests if "/members/" in r.path]
    assert again == looked_up


async def test_members_who_take_the_places_of_those_who_left_are_looked_up_too(
    table: Table, town: Town, clock: FakeClock
) -> None:
    guild = guild_of(table)
    clock.set(NOON - timedelta(days=1))
    await crowd(town, guild, 11)
    clock.set(NOON)
    assert "Nobody yet." in text(await board(table, table.ann, game="focdle"))
    looked_up = [r.path for r in table.env.http_requests if "/members/" in r.path]
    assert len(looked_up) == len(set(looked_up)) == 11


async def test_a_members_new_name_is_on_the_leaderboard_at_once(
    table: Table, town: Town, clock: FakeClock
) -> None:
    guild = guild_of(table)
    clock.set(NOON - timedelta(days=1))
    seen_in = town.services.standings.members.seen
    await seen_in(table.ben.id, "Ben", guild_id=guild, guild_name="Benjamin")
    clock.set(NOON)
    await town.play(table.ben.id, guild, 2)
    assert rows(await board(table, table.ann)) == ["🥇 Ben: 5 points · 1 solved · 2 guesses"]


async def test_a_member_who_cannot_be_looked_up_stays_on_the_leaderboard(stale: Table) -> None:
    table = stale
    table.env.inject_error("GET", "/guilds/*/members/*", status=403, code=50001, times=2)
    assert len(rows(await board(table, table.ann))) == 2


# Statistics.


async def test_a_player_without_games_is_told_how_to_play(table: Table) -> None:
    own = await stats(table, table.ann)
    assert own.ephemeral
    assert text(own).startswith("### Your statistics\nNothing yet.")
    assert buttons(own) == ["What counts"]
    other = await stats(table, table.ann, table.ben)
    assert "Nothing yet." in text(other)


async def test_statistics_are_shown_in_words_and_in_charts(table: Table, town: Town) -> None:
    me, guild = table.ann.id, guild_of(table)
    for days in range(9, 0, -1):
        table.clock.set(NOON - timedelta(days=days))
        await town.play(me, guild, 3 if days % 2 else 4, solved=days != 9)
    table.clock.set(NOON)
    await town.mastermind(me, 4)
    await town.duel(me, table.ben.id)
    await table.focdle(table.ann, guess=SECRET)
    shown = await stats(table, table.ann)
    assert text(shown) == (
        "### Your statistics\n**FoCdle**: 34 points · 9 of 10 solved, 3.2 on average\n"
        "🔥 Streak: **9 days** · best 9 · ❄️ 1 freeze\n-# Nov 20: solved, "
        "8 → 9\n-# Nov 18: solved, 6 → 7, and a freeze earned\n"
        "**Duels**: 1 won · rating 1508 · no rank yet\n"
        "**Mastermind**: 1 game · 1 solved · 4.0 on average · best 4"
    )
    assert pictures(shown) == [
        "Dailies by number of guesses: 1: 1, 2: 0, 3: 4, 4: 4, 5: 0, 6: 0, not solved: 1."
    ]
    half_a_year = seen(await table.ann.click(shown, label="Half a year"))
    assert half_a_year.id == shown.id
    assert text(half_a_year) == text(shown)
    assert pictures(half_a_year) == ["The last 26 weeks: 10 days played, 9 of them solved."]
    await table.restart()
    rating = seen(await table.ann.click(half_a_year, label="Rating"))
    assert pictures(rating) == ["The rating over 1 rated duel: from 1500 to 1508."]


async def test_a_player_posts_their_own_statistics_to_the_channel_once(table: Table) -> None:
    await table.focdle(table.ann, guess=SECRET)
    shown = await stats(table, table.ann)
    assert buttons(shown) == [*CHOICES, "Show the channel", "My year 2026", "What counts"]
    shown = seen(await table.ann.click(shown, label="Half a year"))
    result = await table.ann.click(shown, label="Show the channel")
    (public,) = result.followups
    assert not public.ephemeral
    assert text(public).startswith("### Statistics of \u2068Ann\u2069\n**FoCdle**: 6 points · ")
    assert pictures(public) == ["The last 26 weeks: 1 day played, 1 of them solved."]
    assert buttons(public) == ["What counts"]
    assert buttons(seen(result)) == [*CHOICES, "My year 2026", "What counts"]
    assert seen(result).id == shown.id


async def test_two_simultaneous_clicks_post_statistics_once(table: Table) -> None:
    await table.focdle(table.ann, guess=SECRET)
    shown = await stats(table, table.ann)
    clicks = [table.ann.click(shown, label="Show the channel") for _ in range(2)]
    results = await table.at_once(clicks)
    assert sorted(len(result.followups) for result in results) == [0, 1]
    assert all(seen(result).id == shown.id for result in results)
    assert buttons(shown) == [*CHOICES, "My year 2026", "What counts"]
    again = await stats(table, table.ann)  # another message is another wish
    assert len((await table.ann.click(again, label="Show the channel")).followups) == 1


async def test_statistics_whose_posting_was_refused_can_be_posted_later(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.focdle(table.ann, guess=SECRET)
    shown = await stats(table, table.ann)
    with monkeypatch.context() as crowd:
        crowd.setattr("bot.pool.pool.MOST_WAITING", 0)
        refused = await table.ann.click(shown, label="Show the channel")
        assert not refused.followups
    assert len((await table.ann.click(shown, label="Show the channel")).followups) == 1


async def test_a_player_cannot_post_another_players_statistics(table: Table) -> None:
    await table.focdle(table.ann, guess=SECRET)
    loose = await post(table.world, button(f"stats:show:{table.ann.id}:1", "Show the channel"))
    result = await table.ben.click(loose, label="Show the channel")
    assert not result.followups
    assert seen(result).ephemeral
    assert "Nothing yet." in text(seen(result))


async def test_the_context_menu_shows_a_members_statistics_in_private(table: Table) -> None:
    await table.focdle(table.ann, guess=SECRET)
    shown = seen(await table.ben.context_menu(table.channel, MENU, table.ann))
    assert shown.ephemeral
    assert text(shown).startswith("### Statistics of \u2068Ann\u2069\n")
    assert buttons(shown) == [*CHOICES, "What counts"]
    other = seen(await table.ben.click(shown, label="Half a year"))
    assert (other.id, text(other)) == (shown.id, text(shown))
    await table.services.preferences.set_hidden(table.ann.id, on=True)
    refused = seen(await table.ben.click(other, label="Guesses"))
    assert "FoCdle" not in text(refused)


async def test_bots_have_no_statistics(table: Table) -> None:
    user = table.env.create_user("robot", bot=True)
    robot = table.ann.guild.add_member(user)
    shown = seen(await table.ann.context_menu(table.channel, MENU, robot))
    assert shown.ephemeral
    assert text(shown) == "Bots have no statistics. Choose a member."


async def test_statistics_of_a_member_who_has_played_only_in_direct_messages_can_be_opened(
    table: Table,
) -> None:
    await table.ann.user.slash("focdle", guess=SECRET)  # in private: no server has seen her
    for shown in (
        seen(await table.ben.context_menu(table.channel, MENU, table.ann)),
        await stats(table, table.ben, table.ann),
    ):
        assert "**FoCdle**: 6 points" in text(shown)


async def test_strangers_cannot_open_statistics(table: Table) -> None:
    await table.focdle(table.ann, guess=SECRET)
    stranger = table.env.create_user("stranger")
    refused = seen(await stranger.slash("stats", member=table.ann.user))
    assert refused.ephemeral
    assert text(refused) == ("Try `/stats member` in a server you share.")
    from_here = seen(await table.ann.slash(table.channel, "stats", member=stranger))
    assert text(from_here) == text(refused)
    await table.focdle(table.ben)
    shown = seen(await table.ben.user.slash("stats", member=table.ann.user))
    assert "**FoCdle**: 6 points" in text(shown)


async def test_the_what_counts_button_explains_leaderboards_in_private(table: Table) -> None:
    await table.focdle(table.ann, guess=SECRET)
    shown = await board(table, table.ann)
    page = seen(await table.ben.click(shown, label="What counts"))
    assert page.ephemeral
    assert text(page).startswith("### Leaderboards\n")
    assert len(text(page)) <= 3600
