"""All use cases, built together."""

import logging
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.services.base.allowance import Allowances
from bot.services.base.clock import Clock
from bot.services.base.spent_clicks import SpentClicks
from bot.services.blocking import Blocking
from bot.services.coach.pars import RUNS
from bot.services.coach.use_cases import CoachServices
from bot.services.duels.use_cases import DuelServices
from bot.services.finished_games import FinishedGames
from bot.services.focdle.daily import Daily
from bot.services.focdle.daily_secrets import is_weak, settle_key
from bot.services.focdle.practice import Practice
from bot.services.focdle.reminders import Reminders
from bot.services.focdle.restoring import Restorations
from bot.services.mastermind.use_cases import MastermindServices
from bot.services.preferences import PlayerPreferences
from bot.services.privacy.use_cases import PrivacyServices
from bot.services.server.heartbeat import Heartbeat
from bot.services.server.settings import ServerSettings
from bot.services.server.use_cases import PostServices
from bot.services.standings.use_cases import StandingsServices
from bot.services.statistics import Statistics
from bot.services.told import SyncedCommands, TileDigests
from bot.services.upkeep import Upkeep
from bot.services.verifying import Verifying
from bot.storage.database import Database

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Services:
    """What a front end may ask for.

    Attributes:
        allowances: how much each player may ask for at once.
        daily: the daily FoCdle.
        practice: endless FoCdles, and what is unfinished.
        mastermind: Mastermind of all kinds.
        duels: duels of Bulls and Cows, and their ratings.
        blocking: from whom players want no challenges.
        finished: games of all kinds that are over.
        coach: what guesses were worth, hints, par.
        heartbeat: what outages are told by.
        preferences: what players choose for themselves.
        settings: what servers choose.
        standings: members, leaderboards.
        statistics: what came of one player's games.
        upkeep: what standings need without being asked.
        posts: daily posts, and finishers' threads.
        reminders: who is told before a streak ends.
        restorations: streaks that managers of servers restore.
        privacy: players' and servers' data: told, handed out, deleted.
        verifying: what was hashed for secrets that are told.
        spent_clicks: which clicks were the first on their message.
        synced_commands: which command definitions Discord was last told.
        tile_digests: which pictures of tiles Discord was last given.
        has_weak_key: whether others may guess what the dailies follow from.
    """

    allowances: Allowances
    daily: Daily
    practice: Practice
    mastermind: MastermindServices
    duels: DuelServices
    blocking: Blocking
    finished: FinishedGames
    coach: CoachServices
    heartbeat: Heartbeat
    preferences: PlayerPreferences
    settings: ServerSettings
    standings: StandingsServices
    statistics: Statistics
    upkeep: Upkeep
    posts: PostServices
    reminders: Reminders
    restorations: Restorations
    privacy: PrivacyServices
    verifying: Verifying
    spent_clicks: SpentClicks
    synced_commands: SyncedCommands
    tile_digests: TileDigests
    has_weak_key: bool
    _database: Database

    async def close(self) -> None:
        """Let the open transaction finish and refuse new work; may be called twice."""
        await _close(self.coach, self.heartbeat, self._database)


@asynccontextmanager
async def open_services(
    url: str, clock: Clock, *, puzzle_key: str | None = None, par_runs: int = RUNS
) -> AsyncGenerator[Services]:
    """Open the database, bring its schema up to date, and build the services on it.

    Args:
        url: the database, as an SQLAlchemy URL.
        clock: what tells the time.
        puzzle_key: the key of the dailies; None for the database's own.
        par_runs: how many games a par comes from; 0 for no pars.

    Raises:
        StorageError: the database cannot be used; see `bot.errors`.
        WeakKeyError: others may guess the key, and no daily follows from it yet.
    """
    database = await Database.open(url)
    coach = CoachServices.on(database, clock, par_runs)
    heartbeat = Heartbeat(database, clock)
    try:
        async with database.transaction() as tx:
            puzzle_key = await settle_key(tx, puzzle_key)
        await heartbeat.wake()
        yield _build(database, clock, coach, heartbeat, puzzle_key)
    finally:
        await _close(coach, heartbeat, database)


def _build(
    database: Database, clock: Clock, coach: CoachServices, heartbeat: Heartbeat, key: str
) -> Services:
    standings = StandingsServices.on(database, clock)
    return Services(
        Allowances(clock),
        Daily(database, clock, key),
        Practice(database, clock),
        MastermindServices.on(database, clock),
        DuelServices.on(database, clock),
        Blocking(database, clock, random.SystemRandom()),
        FinishedGames(database),
        coach,
        heartbeat,
        PlayerPreferences(database, clock),
        ServerSettings(database, clock),
        standings,
        Statistics(database, clock),
        Upkeep(database, clock),
        PostServices.on(database, clock),
        Reminders(database, clock),
        Restorations(database, clock),
        PrivacyServices.on(database, clock, standings.members),
        Verifying(database, clock),
        SpentClicks(database),
        SyncedCommands(database),
        TileDigests(database),
        is_weak(key),
        database,
    )


async def _close(coach: CoachServices, heartbeat: Heartbeat, database: Database) -> None:
    await coach.close()
    try:
        await database.close(heartbeat.stop)
    except Exception:
        log.exception("it could not be noted when the bot stopped")
