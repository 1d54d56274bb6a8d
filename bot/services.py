"""All use cases, built together for front ends."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from bot.champions.game import Champions
from bot.clock import Clock
from bot.coach.game import CoachServices
from bot.database_health import DatabaseHealth
from bot.db.before_migrating import CopiesBefore
from bot.db.database import Database, Hear, Transaction
from bot.db.leases import Leases, SpentClicks
from bot.features import GameServices
from bot.focdle.plays import fix_key, is_weak
from bot.games.model import FAIR
from bot.gauges import Gauges
from bot.home.game import Agendas, Faces, FinishedGames, Sharing, Verifying
from bot.home.preferences import Blocking, PlayerPreferences
from bot.home.upkeep import Upkeep
from bot.leaderboards.game import Leaderboards
from bot.moderation.game import Moderation
from bot.outages import ALL, ShardRange
from bot.page.game import Posting, Sessions
from bot.people.game import Allowances
from bot.people.members import Members
from bot.people.store import forget_avatars
from bot.pool.pool import Pool, in_thread
from bot.posts.card_work import Cards
from bot.posts.cards import CardEntries
from bot.posts.finishers import FinishersThreads
from bot.posts.game import PostBook, Reminders
from bot.posts.news import NewsReader
from bot.posts.plans import PostPlanning
from bot.privacy.game import PrivacyServices
from bot.settings.game import ServerSettings, join_boards, leave_boards
from bot.shards.game import Heartbeat, Logins
from bot.statistics.game import Statistics, YearReviews
from bot.text.language import offered
from bot.uploads.synced import Synced

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StandingsServices:
    members: Members
    boards: Leaderboards

    @classmethod
    def on(cls, database: Database, clock: Clock, *, avatars: bool) -> Self:
        members = Members(database, clock, join_boards, leave_boards, avatars=avatars)
        return cls(members, Leaderboards(database, clock))


@dataclass(frozen=True, slots=True)
class PostServices:
    book: PostBook
    news: NewsReader
    choices: PostPlanning
    threads: FinishersThreads

    @classmethod
    def on(cls, database: Database, clock: Clock, shards: ShardRange = ALL) -> Self:
        """Build the use cases; due posts and threads are those of these shards' servers."""
        return cls(
            PostBook(database, clock, shards),
            NewsReader(database, clock, Leaderboards(database, clock)),
            PostPlanning(database, clock),
            FinishersThreads(database, clock, shards),
        )


class Services(GameServices):
    """All use cases, which a front end may call."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        pool: Pool,
        standings: StandingsServices,
        key: str,
        shards: ShardRange,
        health: DatabaseHealth,
    ) -> None:
        super().__init__(database, clock, pool, key, shards)
        self.allowances = Allowances(clock)
        self.champions = Champions(database, clock, shards)
        self.blocking = Blocking(database, clock, FAIR)
        self.finished = FinishedGames(database)
        self.coach = CoachServices.on(database, clock, pool)
        self.heartbeat = Heartbeat(database, clock, shards)
        self.leases = Leases(database, clock)
        self.health = health
        self.logins = Logins(database)
        self.languages = standings.members.languages
        self.preferences = PlayerPreferences(database, clock, standings.members)
        self.settings = ServerSettings(database, clock, self.languages)
        self.standings = standings
        self.statistics = Statistics(database, clock)
        self.years = YearReviews(database, clock)
        self.upkeep = Upkeep(database, clock, self.leases)
        self.posts = PostServices.on(database, clock, shards)
        self.reminders = Reminders(database, clock)
        self.moderation = Moderation(database)
        self.privacy = PrivacyServices.on(database, clock, standings.members, self.leases, shards)
        self.sharing = Sharing(database, clock)
        self.entries = CardEntries(database, clock)
        self.cards = Cards(database, clock, shards)
        self.verifying = Verifying(database, clock)
        self.agendas = Agendas(database, clock)
        self.faces = Faces(database)
        self.sessions = Sessions(database, clock)
        self.posting = Posting(database, clock, shards)
        self.spent_clicks = SpentClicks(database, clock)
        self.synced = Synced(database)
        self.pool = pool
        self.has_weak_key = is_weak(key)
        self._database = database

    def measure(self, gauges: Gauges) -> None:
        """Report the times of transactions to these gauges from now on."""
        self._database.measure(gauges)

    async def watch(self, watching: Hear) -> None:
        """Call `watching` after each commit about a player; see `Database.watch`."""
        await self._database.watch(watching)

    async def close(self) -> None:
        """Stop background work, note the stop, and close the database; may be called twice."""
        await self.coach.reviews.close()
        await self.pool.close()
        try:
            await self._database.close(self._note_stop)
        except Exception:
            log.exception("it could not be noted when the bot stopped")

    def _note_stop(self, tx: Transaction) -> None:
        self.leases.end(tx)
        self.heartbeat.stop(tx)


@asynccontextmanager
async def open_services(  # noqa: PLR0913 - what a host can set
    url: str,
    clock: Clock,
    *,
    puzzle_key: str | None = None,
    avatars: bool = True,
    make_pool: Callable[[], Pool] | None = None,
    shards: ShardRange = ALL,
    backups: Path | None = None,
    is_bot: bool = True,
) -> AsyncGenerator[Services]:
    """Open and migrate the database, and yield the services on it until the block ends.

    Args:
        puzzle_key: the key that draws future dailies; None for the one that the database stores.
        avatars: whether players' avatars are stored; if not, stored ones are deleted.
        make_pool: makes the pool of workers; None for one without worker processes.
        backups: the folder in which a backup is made before a migration; None for no backup.
        is_bot: whether this process connects to Discord. The shards of one that does are silent
            until its first heartbeat.

    Raises:
        WeakKeyError: the given key can be guessed, and the database has no dailies yet.
    """
    database = await Database.open(
        url, copies=CopiesBefore(backups, clock), waits=not (shards.is_all and is_bot)
    )

    def settle(tx: Transaction) -> str:
        if not avatars:
            forget_avatars(tx)
        return fix_key(tx, puzzle_key)

    try:
        key = await database.write(settle)
    except BaseException:
        await database.close()
        raise
    pool = Pool.with_workers(0) if make_pool is None else make_pool()
    standings = StandingsServices.on(database, clock, avatars=avatars)
    standings.members.when_forgotten(pool.forget)
    health = DatabaseHealth(database, clock, shards, backups)
    services = Services(database, clock, pool, standings, key, shards, health)
    try:
        if is_bot:
            await services.heartbeat.wake()
        await asyncio.gather(database.watch(standings.members.heard), in_thread(offered))
        yield services
    finally:
        await services.close()
