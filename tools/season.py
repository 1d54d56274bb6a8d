"""A season of made-up games, for pictures of leaderboards and statistics."""

import random
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final

from bot.app import CodebreakerBot
from bot.model.dailies import number_of
from bot.playground import open_world
from bot.services.base.places import DEFAULT_LENGTH
from bot.services.services import open_services
from bot.storage.database import Database
from tests.support.clock import FakeClock
from tests.support.town import Town

NAMES: Final = (
    "Mira",
    "Tobias",
    "Anneliese Q.",
    "zero_divisor",
    "Юлия",
    "Kenji 健二",
    "Oluwaseun",
    "prime suspect",
    "Zoë",
    "Casper",
    "the remainder",
    "Ingrid",
)
"""Members besides the one who looks."""

_WEEKS: Final = 25
# How likely Ann plays a date, each of the others plays one, and who plays solves it.
_KEEN: Final = 0.8
_PRESENT: Final = 0.85
_SOLVED: Final = 0.94
_GUESSES: Final = (2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6)
# What a good player makes of a dozen duels.
_DUELS_WON: Final = (True, False, True, True, True, False, True, True, False, True, True, True)
_OPPONENTS: Final = 4
# In hundredths: the lowest, and how many there are.
_LOWEST_PAR: Final = 330
_PARS: Final = 60


async def play_season(folder: Path, today: date) -> None:
    """Let the playground's first member play half a year up to yesterday, and others this week.

    Args:
        folder: where the playground will look for its database.
        today: the date it will be there.
    """
    clock, rng = FakeClock(), random.Random(11)  # noqa: S311 - no secret
    guild, player = await _first_member(folder, clock)
    url = f"sqlite:///{folder}/playground.db"
    others = {10**17 + n: name for n, name in enumerate(NAMES)}
    # Pars are made up: else the playground would work them out while its pictures are taken.
    async with open_services(url, clock, par_runs=0) as services:
        database = await Database.open(url)
        town = Town(folder, clock, services, database)
        monday = today - timedelta(days=today.weekday())
        day = monday - timedelta(weeks=_WEEKS)
        duels = {
            day + timedelta(weeks=2 * n + 1): (list(others)[n % _OPPONENTS], won)
            for n, won in enumerate(_DUELS_WON)
        }
        while day < today:
            clock.set(datetime.combine(day, time(18), UTC))
            par = _LOWEST_PAR + 7 * day.toordinal() % _PARS
            await town.par(number_of(day), DEFAULT_LENGTH, par)
            if rng.random() < _KEEN or day >= today - timedelta(days=16):
                await _play(town, rng, player, guild)
            if day >= monday:
                for other, name in others.items():
                    await services.standings.members.seen(
                        other, name, guild_id=guild, guild_name=name
                    )
                    if rng.random() < _PRESENT:
                        await _play(town, rng, other, guild)
            if day in duels:
                other, won = duels[day]
                await town.duel(*((player, other) if won else (other, player)))
            day += timedelta(days=1)
        await town.circle(*list(others)[:_OPPONENTS])  # so that they count for a rank
        await town.settle()
        await database.close()


async def _first_member(folder: Path, clock: FakeClock) -> tuple[int, int]:
    """The playground's server and its first member, whose ids are the same at every start."""
    async with open_services(f"sqlite:///{folder}/elsewhere.db", clock) as services:
        bot = CodebreakerBot(services, upload_tiles=False)
        async with open_world(bot, clock) as world:
            return world.members[0].guild.id, world.members[0].id


async def _play(town: Town, rng: random.Random, player: int, guild: int) -> None:
    await town.play(player, guild, rng.choice(_GUESSES), solved=rng.random() < _SOLVED)
