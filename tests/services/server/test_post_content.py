"""What a post tells: yesterday, streaks, and the boards that closed."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bot.model.dailies import PuzzleName
from bot.presentation.server.daily_post import sections
from bot.services.base.send_once import Step
from bot.services.server.daily_posts import DuePost
from bot.services.server.post_content import PostNews
from bot.services.services import Services
from bot.services.standings.scores import FocdleFigures
from tests.services.focdle.test_streaks import wrong_guesses
from tests.support.clock import FakeClock
from tests.support.sql import sql

GUILD = 55
_LONG_AGO = "2026-11-19 12:00:00.000000"
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

    def note_par(self, number: int, length: int, mean: float) -> None:
        """Let a daily have a par."""
        row = f"{number}, {length}, {mean}, 100, '{_LONG_AGO}'"
        sql(self._folder, f"INSERT INTO pars VALUES ({row})")

    def yesterday(self, news: PostNews) -> list[str]:
        """What a post says of yesterday, line by line."""
        return sections(self.due("2026-11-20"), news)[0].splitlines()

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


async def test_yesterdays_finishers_are_ranked_by_points(club: Club) -> None:
    await club.at("2026-11-19")
    await club.play(11, 4)
    await club.play(22, 2)
    await club.play(33, 2)
    await club.play(44, 6, solved=False)
    news = await club.news("2026-11-20", "2026-11-19")
    rows = news.yesterday.rows
    assert [(r.rank, r.name) for r in rows] == [(1, "Ben"), (1, "Cleo"), (3, "Ann"), (4, "Dan")]
    assert rows[0].figures == FocdleFigures(points=5, solved=1, guesses=2, plays=1)
    (first, *_) = sections(club.due("2026-11-20"), news)
    title, *lines = first.splitlines()
    assert title == "**Yesterday, #323**"
    assert [line.split("·")[1].strip() for line in lines] == [
        "2 guesses",
        "2 guesses",
        "4 guesses",
        "not solved, 6 guesses",
    ]
    assert [line[0] for line in lines] == ["🥇", "🥇", "🥉", "*"]


async def test_yesterdays_par_stands_beside_the_members_mean(club: Club) -> None:
    await club.at("2026-11-19")
    await club.play(11, 4)
    await club.play(22, 2)
    await club.play(33, 6, solved=False)  # as if it had taken seven
    await club.play(77, 3)
    await club.play(88, 4)
    await club.play(44, 1)
    await club.services.preferences.set_hidden(44, on=True)
    await club.at("2026-11-20", "08:00")
    await club.play(66, 5)  # another date's
    late = await club.services.daily.open(66, GUILD, puzzle="323")
    await club.services.daily.guess(66, late.id, late.game.secret)
    club.note_par(323, 10, 3.64)
    assert club.yesterday(await club.news("2026-11-20", "2026-11-19"))[1] == (
        "-# Par 3.6 (the bot's average) · average of 5 here 4.0, a miss counts 7"
    )


async def test_a_par_that_is_not_known_and_a_mean_of_four_are_not_told(club: Club) -> None:
    await club.at("2026-11-19")
    for player in (22, 33, 77):
        await club.play(player, 4)
    await club.play(11, 4)
    club.note_par(323, 9, 3.64)  # of a length that is not this server's
    assert len(club.yesterday(await club.news("2026-11-20", "2026-11-19"))) == 1 + 4
    club.note_par(323, 10, 3.25)
    assert (
        club.yesterday(await club.news("2026-11-20", "2026-11-19"))[1]
        == "-# Par 3.2 (the bot's average)"
    )


async def test_who_is_hidden_is_nowhere(club: Club) -> None:
    for day in range(10, 18):
        await club.at(f"2026-11-{day}")
        await club.play(11, 2)
    await club.services.preferences.set_hidden(11, on=True)
    news = await club.news("2026-11-18", "2026-11-17")
    assert news.yesterday.rows == ()
    assert (news.streaks.grew, news.streaks.grown) == (0, ())
    news = await club.news("2026-11-20", "2026-11-19")
    assert news.streaks.ended == ()


async def test_few_streaks_are_all_told(club: Club) -> None:
    for day in (17, 18):
        await club.at(f"2026-11-{day}")
        await club.play(11, 2)
        await club.play(22, 3)
    news = await club.news("2026-11-19", "2026-11-18")
    assert news.streaks.grew == 2
    assert [(e.name, e.before, e.after) for e in news.streaks.grown] == [
        ("Ann", 1, 2),
        ("Ben", 1, 2),
    ]


async def test_of_many_streaks_only_milestones_are_told(club: Club) -> None:
    for day in range(9, 16):
        await club.at(f"2026-11-{day:02}")
        await club.play(11, 2)
        if day > 12:
            for player in (22, 33, 44):
                await club.play(player, 3)
    news = await club.news("2026-11-16", "2026-11-15")
    assert news.streaks.grew == 4
    assert [(e.name, e.after) for e in news.streaks.grown] == [("Ann", 7)]
    streaks = sections(club.due("2026-11-16"), news)[1]
    assert "**7 days**" in streaks
    assert "3 more grew" in streaks


async def test_long_streaks_that_ended_are_told_and_short_ones_are_not(club: Club) -> None:
    for day in range(14, 19):
        await club.at(f"2026-11-{day}")
        await club.play(11, 2)
        if day > 15:
            await club.play(22, 2)
    await club.at("2026-11-19")
    await club.at("2026-11-20", "01:00")
    for player in (11, 22):
        await club.services.daily.open(player, GUILD, puzzle="1")
        play = await club.services.daily.open(player, GUILD, puzzle="1")
        await club.services.daily.guess(player, play.id, play.game.secret)
    news = await club.news("2026-11-20", "2026-11-19")
    assert [(e.name, e.before) for e in news.streaks.ended] == [("Ann", 5)]


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
async def test_the_first_post_of_a_week_or_month_tells_who_won_the_one_before(
    club: Club, day: str, last_day: str | None, *, week: bool, month: bool
) -> None:
    news = await club.news(day, last_day)
    assert (news.week is not None, news.month is not None) == (week, month)


async def test_the_closing_board_has_the_weeks_points(club: Club) -> None:
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
    words = sections(club.due("2026-11-23", "2026-11-22"), news)[-1]
    assert words.splitlines()[0] == "**Last week** · Nov 16 – Nov 22"
    assert words.splitlines()[1].endswith("8 points · 2 solved")
