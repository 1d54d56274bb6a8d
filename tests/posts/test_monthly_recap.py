"""The recap of a month, in the first post of the next one."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from bot.clock import day_of
from bot.posts.news import PostNews
from bot.posts.words import sections
from tests.support.duels import ANN, BEN, CAT, DAN, GUILD
from tests.support.sql import sql
from tests.support.town import Town

OCTOBER, NOVEMBER, DECEMBER = 274, 305, 335
"""The numbers of the months' first days; October 1 is a Thursday, December 1 a Tuesday."""
NAMES = {ANN: "Ann", BEN: "Ben", CAT: "Cat", DAN: "Dan"}


@pytest.fixture
async def town(town: Town) -> Town:
    at(town, OCTOBER)
    for player, name in NAMES.items():
        await town.services.standings.members.seen(player, name, guild_id=GUILD, guild_name=name)
    return town


def at(town: Town, number: int, hour: int = 12) -> None:
    town.at(f"{day_of(number)}T{hour:02}:00")
    sql(town.folder, "DELETE FROM pulses")


async def play(town: Town, first: int, **guesses: list[int]) -> None:
    """Let members solve the first dates of a month in so many guesses each."""
    players = {name: player for player, name in NAMES.items()}
    for day in range(max(map(len, guesses.values()))):
        at(town, first + day)
        for name, made in guesses.items():
            if day < len(made):
                await town.play(players[name], GUILD, made[day])


async def gather(town: Town, day: date, *, last_day: date | None = None) -> PostNews:
    """The news of a date's post; the last one was on the date before."""
    town.at(f"{day}T09:00")
    await town.settle()
    due = await town.services.posts.book.preview(GUILD)
    due = replace(due, last_day=last_day or day - timedelta(days=1))
    return await town.services.posts.news.gather(due)


def told(news: PostNews, title: str = "**Last month**") -> list[str]:
    parts = [part for part in sections(news) if part.startswith(title)]
    return [
        line for part in parts for line in part.translate({0x2068: "", 0x2069: ""}).splitlines()
    ]


async def full_months(town: Town) -> None:
    """Ben is first in November, Cat gains most, Dan has the streak and was not there before."""
    await play(town, OCTOBER, Ann=[2, 2, 2, 2], Ben=[2, 2, 2], Cat=[5])
    await play(town, NOVEMBER, Ann=[4], Ben=[2, 2, 2, 2], Cat=[3, 3, 3])
    await play(town, DECEMBER - 4, Dan=[5, 5, 5, 6])


async def test_a_months_recap_lists_the_top_three_the_most_improved_and_the_longest_streak(
    town: Town,
) -> None:
    await full_months(town)
    news = await gather(town, date(2026, 12, 1))
    assert told(news) == [
        "**Last month** · Nov 1 – Nov 30",
        "🥇 Ben · 20 points · 4 solved",
        "🥈 Cat · 12 points · 3 solved",
        "🥉 Dan · 7 points · 4 solved",
        "-# and 1 more",
        "📈 Most improved: Cat · +10",
        "🔥 Streak: Dan · 4 days",
    ]
    assert "🔥" not in "".join(part for part in sections(news) if "Last month" not in part)
    assert any(CAT in names for names in news.names)


async def test_a_months_recap_is_only_in_the_months_first_post_and_only_if_recaps_are_on(
    town: Town,
) -> None:
    await full_months(town)
    assert told(await gather(town, date(2026, 12, 2))) == []
    await town.services.posts.choices.set_weekly_recap(GUILD, on=False)
    assert len(told(await gather(town, date(2026, 12, 1)))) == 5


async def test_members_who_improved_equally_share_the_line(town: Town) -> None:
    await play(town, OCTOBER, Ann=[3], Ben=[3], Cat=[3])
    await play(town, NOVEMBER, Ann=[2], Ben=[2], Cat=[2], Dan=[1])
    lines = told(await gather(town, date(2026, 12, 1)))
    assert lines[-1] == "📈 Most improved: Ann, Ben and 1 more · +1"


async def test_nobody_is_named_for_having_got_worse(town: Town) -> None:
    await play(town, OCTOBER, Ann=[2], Ben=[2], Cat=[2])
    await play(town, NOVEMBER, Ann=[2], Ben=[3], Cat=[4])
    lines = told(await gather(town, date(2026, 12, 1)))
    assert lines[1:] == [
        "🥇 Ann · 5 points · 1 solved",
        "🥈 Ben · 4 points · 1 solved",
        "🥉 Cat · 3 points · 1 solved",
    ]


async def test_a_months_recap_needs_three_players(town: Town) -> None:
    await play(town, OCTOBER, Ann=[5], Ben=[5], Cat=[5])
    await play(town, NOVEMBER, Ann=[2], Ben=[3])
    assert (await gather(town, date(2026, 12, 1))).month_recap is None


async def test_a_player_hidden_or_taken_off_is_in_no_line_of_a_months_recap(town: Town) -> None:
    await full_months(town)
    await town.services.preferences.set_hidden(CAT, on=True)
    await town.services.settings.take_off(BEN, GUILD, DAN)
    news = await gather(town, date(2026, 12, 1))
    assert news.month_recap is None  # two are left
    eve = 55
    await town.services.standings.members.seen(eve, "Eve", guild_id=GUILD, guild_name="Eve")
    at(town, DECEMBER - 1)
    await town.play(eve, GUILD, 6)
    lines = told(await gather(town, date(2026, 12, 1)))
    assert not any(name in line for line in lines for name in ("Cat", "Dan"))
    assert lines[-1] == "📈 Most improved: Ben · +5"


async def test_a_streak_in_the_weekly_recap_is_not_repeated_in_the_monthly_one(town: Town) -> None:
    # June 1, 2026, is a Monday: both recaps come with one post.
    for number in range(149, 152):
        at(town, number)
        for player, name in NAMES.items():
            seen = town.services.standings.members.seen
            await seen(player, name, guild_id=GUILD, guild_name=name)
            await town.play(player, GUILD, 3)
    news = await gather(town, date(2026, 6, 1))
    assert any("🔥 Streak" in line for line in told(news, "**Last week**"))
    assert not any("🔥 Streak" in line for line in told(news))
    assert told(news)
