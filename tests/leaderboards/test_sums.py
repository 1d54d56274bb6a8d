"""Whatever happens, leaderboards are what a plain sum over everything ever played comes to."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import cycle, product
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from bot.leaderboards import boards
from bot.leaderboards.boards import BoardGame, Period, StreakFigures, periods_of
from bot.leaderboards.game import Absence
from bot.posts.model import ServerZoneTooSoonError
from bot.refused import ZoneTooSoonError
from tests.support.clock import FakeClock
from tests.support.databases import NewDatabase
from tests.support.duels import ANN, BEN, CAT, DAN
from tests.support.effort import either, examples
from tests.support.standings_oracle import Board, Books
from tests.support.town import Town, open_town

pytestmark = pytest.mark.usefixtures("keys_watched")

PLAYERS: Final = (ANN, BEN, CAT, DAN)
EAST, WEST, HERE = 100, 200, 300
GUILDS: Final = (EAST, WEST, HERE)
START: Final = datetime(2026, 12, 27, 9, tzinfo=UTC)
"""A Sunday; the week, the month and the year end within days."""

people = st.sampled_from(PLAYERS)
guilds = st.sampled_from(GUILDS)
hours = st.sampled_from([1, 5, 12, 12, 24, 24 * 7])

daily = st.tuples(
    st.just("daily"),
    people,
    st.sampled_from([None, *GUILDS]),
    st.sampled_from(["", "", "/9", "/10", "/12"]),
    st.integers(1, 6) | st.just(7),
    st.sampled_from([0, 0, 0, 25, 40, 600]),
    st.sampled_from([0, 0, 0, 1, 3]),
)
actions = st.one_of(
    daily,
    daily,
    daily,
    st.tuples(st.just("days"), people, st.sampled_from([None, *GUILDS]), st.integers(4, 6)),
    st.tuples(st.just("wait"), hours),
    st.tuples(st.just("hide"), people, st.booleans()),
    st.tuples(st.just("join"), people, guilds),
    st.tuples(st.just("leave"), people, guilds),
    st.tuples(st.just("length"), guilds, st.sampled_from([9, 10, 12])),
    st.tuples(st.just("zone"), guilds, st.sampled_from(["Asia/Tokyo", "Pacific/Niue", "UTC"])),
    st.tuples(st.just("own_zone"), people, st.sampled_from(["Etc/GMT+12", "UTC"])),
    st.tuples(st.just("mastermind"), people, st.integers(1, 13), st.integers(1, 3)),
    st.tuples(st.just("duels"), people, people, st.integers(1, 2)),
)


async def daily_of(
    town: Town,
    player: int,
    guild: int | None,
    puzzle: str,
    guesses: int,
    minutes: int,
    hints: int,
) -> None:
    await town.play(
        player,
        guild,
        guesses,
        solved=guesses < 7,
        puzzle=puzzle or None,
        minutes=minutes,
        shown=min(hints, 2),
    )


async def days(town: Town, player: int, guild: int | None, count: int) -> None:
    """A daily on each of so many days."""
    for guesses in range(1, count + 1):
        await town.play(player, guild, guesses, shown=guesses % 2)
        await wait(town, 24)


async def wait(town: Town, hours: int) -> None:
    town.clock.advance(hours=hours)
    await town.settle()


async def hide(town: Town, player: int, on: bool) -> None:
    await town.services.preferences.set_hidden(player, on=on)


async def leave(town: Town, player: int, guild: int) -> None:
    await town.services.standings.members.gone(guild, player)


async def set_length(town: Town, guild: int, length: int) -> None:
    await town.services.settings.change(guild, length=length)


async def set_zone(town: Town, guild: int, zone: str) -> None:
    with suppress(ServerZoneTooSoonError):
        await town.services.settings.change(guild, zone=zone)


async def set_own_zone(town: Town, player: int, zone: str) -> None:
    with suppress(ZoneTooSoonError):
        await town.services.preferences.set_zone(player, zone)


async def masterminds(town: Town, player: int, guesses: int, games: int) -> None:
    for _ in range(games):
        await town.mastermind(player, min(guesses, 12), solved=guesses < 13, shown=guesses % 2)


async def duels(town: Town, winner: int, loser: int, games: int) -> None:
    for _ in range(games if winner != loser else 0):
        await town.duel(winner, loser)


DOINGS: Final[dict[str, Callable[..., Awaitable[None]]]] = {
    "daily": daily_of,
    "days": days,
    "wait": wait,
    "hide": hide,
    "join": Town.join,
    "leave": leave,
    "length": set_length,
    "zone": set_zone,
    "own_zone": set_own_zone,
    "mastermind": masterminds,
    "duels": duels,
}


async def check(town: Town) -> None:
    """Compare every row of every board, and what one player is told about their own."""
    books = Books(town.folder, town.clock.now())
    viewers = cycle(PLAYERS)
    for game, period, previous, guild in product(
        (BoardGame.FOCDLE, BoardGame.MASTERMIND, BoardGame.DUELS),
        Period,
        (False, True),
        GUILDS,
    ):
        if (previous and period is Period.ALL) or period not in periods_of(game):
            continue
        expected = books.board(Board(game.value, period.value, previous, guild))
        board, viewer = boards.Board(game, period, previous, guild_id=guild), next(viewers)
        page = await town.page(board, viewer)
        found = [(row.rank, row.player_id, row.figures.encode()) for row in page.rows]
        assert found == [
            (rank, player, "/".join(map(str, figures))) for rank, player, figures in expected
        ], board
        assert page.total == len(expected)
        mine = [row for row in page.rows if row.player_id == viewer]
        assert ([page.own] if page.own else []) == mine, board
        assert (page.absence is None) == bool(mine), board
        assert (page.absence is Absence.HIDDEN) == (viewer in books.hidden), board
    await check_streaks(town, books)


async def check_streaks(town: Town, books: Books) -> None:
    """Streaks are as true on boards as when they are worked out anew."""
    rows = {
        guild: await town.rows(boards.Board(BoardGame.STREAK, guild_id=guild)) for guild in GUILDS
    }
    found = {(guild, row.player_id): row.figures for guild in rows for row in rows[guild]}
    for player in PLAYERS:
        streak = (await town.services.statistics.of(player, viewer_id=player)).streak
        for guild in rows:
            shown = streak.length > 0 and books.shows(player, guild)
            assert found.get((guild, player)) == (
                StreakFigures(streak.length, streak.best, streak.assisted) if shown else None
            ), (guild, player)


async def live(folder: Path, url: str, doings: Sequence[tuple[object, ...]]) -> None:
    clock = FakeClock(START)
    async with open_town(folder, url, clock) as town:
        await set_zone(town, EAST, "Asia/Tokyo")
        await set_zone(town, WEST, "America/Los_Angeles")
        for player, guild in ((ANN, EAST), (ANN, WEST), (BEN, WEST), (BEN, HERE), (CAT, HERE)):
            await town.join(player, guild)
        for place, (what, *details) in enumerate(doings):
            await DOINGS[str(what)](town, *details)
            clock.advance(minutes=10)
            if place == either(-1, len(doings) // 2):  # in the short form, only at the end
                await town.settle()
                await check(town)
        await town.settle()
        await check(town)


HISTORIES: Final[Sequence[Sequence[tuple[object, ...]]]] = [
    [("duels", one, other, 2) for one, other in ((ANN, BEN), (CAT, ANN), (ANN, DAN))]
    + [("wait", 24), ("mastermind", BEN, 5, 3), ("mastermind", BEN, 13, 2), ("wait", 24 * 7)]
    + [
        ("duels", ANN, BEN, 1),
        ("daily", BEN, None, "/9", 2, 0, 1),
        ("daily", BEN, None, "", 3, 0, 0),
    ],
    [
        ("days", ANN, WEST, 3),
        ("daily", ANN, EAST, "/12", 1, 0, 0),
        ("daily", BEN, WEST, "", 3, 0, 2),
        ("days", ANN, WEST, 5),
        ("hide", ANN, True),
        ("days", BEN, WEST, 6),
        ("hide", ANN, False),
        ("daily", ANN, EAST, "/9", 3, 0, 0),
    ],
    # dates that are over at home, or open again there
    [
        ("own_zone", ANN, "Etc/GMT+12"),
        ("wait", 24),
        ("daily", BEN, WEST, "", 3, 0, 0),
        ("zone", HERE, "Pacific/Niue"),
        ("zone", WEST, "Asia/Tokyo"),
        ("wait", 12),
        ("daily", ANN, None, "", 2, 0, 0),
        ("daily", BEN, HERE, "", 2, 40, 0),
        ("wait", 5),
        ("daily", ANN, HERE, "", 1, 0, 0),
        ("leave", ANN, EAST),
        ("daily", BEN, WEST, "", 1, 25, 0),
        ("join", ANN, EAST),
    ],
    # a zone that is chosen again where nobody has played
    [
        ("own_zone", ANN, "Etc/GMT+12"),
        ("daily", ANN, None, "", 1, 0, 0),
        ("days", ANN, None, 5),
        ("join", ANN, EAST),
        ("zone", EAST, "Pacific/Niue"),
        ("wait", 168),
    ],
    # a streak that is shorter than the best
    [
        ("daily", ANN, WEST, "", 3, 0, 0),
        ("wait", 24),
        ("daily", ANN, WEST, "", 3, 0, 0),
        ("wait", 24 * 7),
        ("daily", ANN, WEST, "", 3, 0, 0),
    ],
]


@pytest.mark.long
@pytest.mark.parametrize("doings", HISTORIES[:: either(3, 1)])
async def test_leaderboards_of_known_histories_equal_a_plain_recomputation(
    tmp_path: Path, database_url: str, doings: Sequence[tuple[object, ...]]
) -> None:
    await live(tmp_path, database_url, doings)


@examples(2, 25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(doings=st.lists(actions, min_size=5, max_size=30))
def test_leaderboards_equal_a_plain_recomputation_from_all_games(
    new_database: NewDatabase, doings: list[tuple[object, ...]]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(live(Path(name), new_database(Path(name)), doings))
