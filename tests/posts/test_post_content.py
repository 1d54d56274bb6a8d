"""What a post tells: yesterday, streaks, and the boards that closed."""

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bot.clock import PuzzleName
from bot.games.game import Step
from bot.leaderboards.boards import FocdleFigures
from bot.posts.game import DuePost
from bot.posts.news import PostNews
from bot.posts.words import post_rows, sections, yesterday
from bot.services import Services
from tests.focdle.test_streaks import wrong_guesses
from tests.support.clock import FakeClock
from tests.support.sql import sql

GUILD = 55
NAMES = {11: "Ann", 22: "Ben", 33: "Cleo", 44: "Dan", 66: "Eve", 77: "Fay", 88: "Gil"}


class Club:
    """A server, its members and their days."""

    def __init__(self, services: Services, clock: FakeClock, folder: Path) -> None:
        self.services = services
        self._clock = clock
        self._folder = folder

    async def at(self, day: str, time: str = "12:00") -> None:
        self._clock.set(datetime.fromisoformat(f"{day}T{time}").replace(tzinfo=UTC))
        sql(self._folder, "DELETE FROM pulses")
        for player, name in NAMES.items():
            await self.services.standings.members.seen(
                player, name, guild_id=GUILD, guild_name=name
            )

    async def play(self, player: int, guesses: int, *, solved: bool = True) -> None:
        """Play today's puzzle."""
        play = await self.services.daily.open(player, GUILD)
        secret = play.game.secret
        for guess in [*wrong_guesses(play, guesses - solved), *([secret] if solved else [])]:
            play = await self.services.daily.guess(player, play.id, guess)

    async def news(self, day: str, last_day: str | None = None) -> PostNews:
        """What the post of a day tells."""
        await self.at(day, "09:00")
        return await self.services.posts.news.gather(self.due(day, last_day))

    def due(self, day: str, last_day: str | None = None) -> DuePost:
        when = date.fromisoformat(day)
        return DuePost(
            guild_id=GUILD,
            channel_id=1,
            day=when,
            puzzle=PuzzleName((when - date(2025, 12, 31)).days, 10),
            role_id=None,
            finishers_threads=False,
            last_day=None if last_day is None else date.fromisoformat(last_day),
            step=Step.SEND,
            claimed_at=datetime(2026, 11, 20, tzinfo=UTC),
        )


@pytest.fixture
def club(services: Services, clock: FakeClock, tmp_path: Path) -> Club:
    return Club(services, clock, tmp_path)


async def test_yesterdays_best_players_share_a_rank_and_show_their_marks(club: Club) -> None:
    await club.at("2026-11-19")
    await club.play(11, 4)
    await club.play(22, 2)
    await club.play(33, 2)
    await club.play(44, 6, solved=False)
    news = await club.news("2026-11-20", "2026-11-19")
    assert [(row.name, len(row.turns), row.is_best) for row in news.best] == [
        ("Ben", 2, True),
        ("Cleo", 2, True),
    ]
    assert yesterday(news) == "**Yesterday**\n🏆 **\u2068Ben\u2069 · \u2068Cleo\u2069** · 2/6"
    assert post_rows(news, is_first=False).splitlines()[-1] == "🟩" * 10
    assert [names for names in news.names if names] == [{22: "Ben", 33: "Cleo"}]


async def test_a_post_counts_those_whom_it_does_not_name_among_yesterdays_best(club: Club) -> None:
    await club.at("2026-11-19")
    for player in (11, 22, 33, 44):
        await club.play(player, 2)
    said = yesterday(await club.news("2026-11-20", "2026-11-19"))
    assert said.endswith(" · +1** · 2/6")
    assert said.count("\u2068") == 3


async def test_a_post_says_when_nobody_solved_yesterdays_puzzle(club: Club) -> None:
    await club.at("2026-11-19")
    await club.play(44, 6, solved=False)
    news = await club.news("2026-11-20", "2026-11-19")
    assert (news.best, post_rows(news, is_first=False)) == ((), "")
    assert yesterday(news) == "**Yesterday**\nNobody found it."
    assert yesterday(await club.news("2026-11-21", "2026-11-20")) == ""


async def test_a_post_says_how_hard_yesterdays_puzzle_was_once_its_date_is_over_everywhere(
    club: Club, clock: FakeClock, tmp_path: Path
) -> None:
    await club.at("2026-11-19")
    await club.play(44, 6, solved=False)
    sql(tmp_path, "update puzzles set difficulty = 410")
    reader, due = club.services.posts.news, club.due("2026-11-20", "2026-11-19")
    clock.set(datetime(2026, 11, 20, 11, 59, tzinfo=UTC))
    assert "hard" not in yesterday(await reader.gather(due))
    clock.advance(minutes=1)
    news = await reader.gather(due)
    assert yesterday(news) == "**Yesterday** · a hard one\nNobody found it."
    assert yesterday(news, drawn=True) == "**Yesterday's best** · a hard one"


async def test_a_hidden_player_is_nowhere_in_a_post(club: Club) -> None:
    for day in range(10, 18):
        await club.at(f"2026-11-{day}")
        await club.play(11, 2)
    await club.services.preferences.set_hidden(11, on=True)
    news = await club.news("2026-11-18", "2026-11-17")
    assert news.yesterday.rows == ()
    assert (news.best, news.streaks.grew, news.streaks.grown) == ((), 0, ())


async def test_a_post_names_the_three_longest_streaks_that_grew(club: Club) -> None:
    for day in range(9, 16):
        await club.at(f"2026-11-{day:02}")
        await club.play(11, 2)
        for player, since in ((22, 12), (33, 13), (44, 14), (66, 15)):
            if day >= since:
                await club.play(player, 3)
    news = await club.news("2026-11-16", "2026-11-15")
    assert news.streaks.grew == 4  # whose first day it was has none that grew
    assert [(e.name, e.after) for e in news.streaks.grown] == [("Ann", 7), ("Ben", 4), ("Cleo", 3)]
    told = sections(replace(news, recap=None))[0]
    assert told.replace("\u2068", "").replace("\u2069", "") == (
        "🔥 Streaks: Ann **7** · Ben **4** · Cleo **3** · +1"
    )
    assert "🔥 Streaks" not in "\n".join(sections(news))  # the recap has the longest


@pytest.mark.parametrize(
    ("day", "last_day", "week", "month"),
    [
        ("2026-11-20", "2026-11-19", False, False),
        ("2026-11-23", "2026-11-22", True, False),  # a Monday
        ("2026-11-24", "2026-11-20", True, False),  # the first since, as Mondays have no post
        ("2026-11-24", "2026-11-23", False, False),
        ("2026-12-01", "2026-11-30", False, True),  # a Tuesday
        ("2026-12-02", "2026-11-28", True, True),
        ("2027-01-01", "2026-12-31", False, True),  # in one week with the day before
        ("2026-11-23", None, True, False),  # the very first post
        ("2026-11-20", None, False, False),
    ],
)
async def test_the_first_post_of_a_week_or_month_names_the_winner_of_the_previous_one(
    club: Club, day: str, last_day: str | None, *, week: bool, month: bool
) -> None:
    news = await club.news(day, last_day)
    assert (news.week is not None, news.month is not None) == (week, month)


async def test_last_weeks_leaderboard_counts_its_dates_from_monday_to_sunday(club: Club) -> None:
    for day in (15, 16, 22):  # Sunday, Monday, Sunday
        await club.at(f"2026-11-{day}")
        await club.play(11, 3)
    await club.play(22, 1)
    news = await club.news("2026-11-23", "2026-11-22")
    assert news.week is not None
    assert [(r.name, r.figures) for r in news.week.rows] == [
        ("Ann", FocdleFigures(points=8, solved=2, guesses=6, plays=2)),
        ("Ben", FocdleFigures(points=6, solved=1, guesses=1, plays=1)),
    ]
    words = sections(news)[-1]
    assert words.splitlines()[0] == "**Last week** · Nov 16 – Nov 22"
    assert words.splitlines()[1].endswith("8 points · 2 solved")
