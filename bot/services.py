"""All use cases, built together for front ends."""

import logging
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from bot.champions.game import Champions
from bot.clock import Clock
from bot.coach.game import CoachServices
from bot.database_health import DatabaseHealth
from bot.db.before_migrating import CopiesBefore
from bot.db.database import Database, Hear, Transaction
from bot.db.leases import Leases, SpentClicks
from bot.duels.challenges import Inviting
from bot.duels.defending import Defending
from bot.duels.game import DuelTransactions
from bot.duels.messages import Boards
from bot.duels.moves import DuelBook, Playing
from bot.equations.game import Equations
from bot.focdle.game import Daily, Practice
from bot.focdle.plays import fix_key, is_weak
from bot.gauges import Gauges
from bot.home.game import Agendas, FinishedGames, Sharing, Verifying
from bot.home.preferences import Blocking, PlayerPreferences
from bot.home.upkeep import Upkeep
from bot.leaderboards.game import Leaderboards
from bot.mastermind.challenges import Challenges
from bot.mastermind.defending import Defence
from bot.mastermind.game import Games, MastermindTransactions
from bot.mastermind.playing import Solo
from bot.moderation.game import Moderation
from bot.outages import ALL, ShardRange
from bot.people.game import Allowances
from bot.people.members import Members
from bot.people.store import forget_avatars
from bot.pool.pool import Pool
from bot.posts.finishers import FinishersThreads, note_finisher
from bot.posts.game import PostBook, Reminders
from bot.posts.news import NewsReader
from bot.posts.plans import PostChoices
from bot.posts.running import RunningEntries, RunningMessages
from bot.privacy.game import PrivacyServices
from bot.races.game import Races
from bot.sessions.game import Sessions
from bot.settings.game import ServerSettings, join_boards, leave_boards
from bot.shards.game import Heartbeat, Logins
from bot.statistics.game import Statistics, Years
from bot.uploads.synced import Synced

log = logging.getLogger(__name__)

_FAIR: Final = random.SystemRandom()


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
    choices: PostChoices
    threads: FinishersThreads

    @classmethod
    def on(cls, database: Database, clock: Clock, shards: ShardRange = ALL) -> Self:
        """Build the use cases; due posts and threads are those of these shards' servers."""
        return cls(
            PostBook(database, clock, shards),
            NewsReader(database, clock, Leaderboards(database, clock)),
            PostChoices(database, clock),
            FinishersThreads(database, clock, shards),
        )


@dataclass(frozen=True, slots=True)
class MastermindServices:
    solo: Solo
    defence: Defence
    challenges: Challenges
    games: Games

    @classmethod
    def on(cls, database: Database, clock: Clock, pool: Pool, shards: ShardRange = ALL) -> Self:
        """Build the use cases; deadlines are swept in the servers of these shards."""
        transactions = MastermindTransactions(database, clock)
        return cls(
            Solo(transactions),
            Defence(transactions, pool),
            Challenges(transactions),
            Games(transactions, shards),
        )


@dataclass(frozen=True, slots=True)
class DuelServices:
    inviting: Inviting
    playing: Playing
    games: DuelBook
    boards: Boards
    defending: Defending

    @classmethod
    def on(
        cls,
        database: Database,
        clock: Clock,
        key: str,
        dice: random.Random = _FAIR,
        shards: ShardRange = ALL,
    ) -> Self:
        """Build the use cases of duels.

        `key` encrypts numbers in ids. `dice` draws who moves first, and the bot's numbers.
        Deadlines are swept in the servers of `shards`.
        """
        transactions = DuelTransactions(database, clock, dice)
        return cls(
            Inviting(transactions),
            Playing(transactions),
            DuelBook(transactions, shards),
            Boards(transactions, shards),
            Defending(transactions, key),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """All use cases, which a front end may call."""

    allowances: Allowances
    daily: Daily
    practice: Practice
    mastermind: MastermindServices
    duels: DuelServices
    equations: Equations
    races: Races
    champions: Champions
    blocking: Blocking
    finished: FinishedGames
    coach: CoachServices
    heartbeat: Heartbeat
    health: DatabaseHealth
    logins: Logins
    preferences: PlayerPreferences
    settings: ServerSettings
    standings: StandingsServices
    statistics: Statistics
    years: Years
    upkeep: Upkeep
    posts: PostServices
    reminders: Reminders
    moderation: Moderation
    privacy: PrivacyServices
    sharing: Sharing
    entries: RunningEntries
    running: RunningMessages
    verifying: Verifying
    agendas: Agendas
    sessions: Sessions
    spent_clicks: SpentClicks
    leases: Leases
    synced: Synced
    pool: Pool
    has_weak_key: bool
    _database: Database

    def measure(self, gauges: Gauges) -> None:
        """Report the times of transactions to these gauges from now on."""
        self._database.measure(gauges)

    async def watch(self, watching: Hear) -> None:
        """Call `watching` after each commit about a player; see `Database.watch`."""
        await self._database.watch(watching)

    async def close(self) -> None:
        """Finish running transactions, refuse new ones, disconnect; may be called twice."""
        await _Begun(self.coach, self.heartbeat, self.pool, self.leases).end(self._database)


@dataclass(frozen=True, slots=True)
class _Begun:
    """Services that work in the background; `end` stops them before it closes the database."""

    coach: CoachServices
    heartbeat: Heartbeat
    pool: Pool
    leases: Leases

    async def end(self, database: Database) -> None:
        """Stop these services, note the stop, and close the database; may be called twice."""
        await self.coach.close()
        await self.pool.close()
        try:
            await database.close(self._note_stop)
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
    pool = Pool.with_workers(0) if make_pool is None else make_pool()
    leases = Leases(database, clock)
    coach = CoachServices.on(database, clock, pool)
    begun = _Begun(coach, Heartbeat(database, clock, shards), pool, leases)
    try:

        def settle(tx: Transaction) -> str:
            if not avatars:
                forget_avatars(tx)
            return fix_key(tx, puzzle_key)

        settled_key = await database.write(settle)
        if is_bot:
            await begun.heartbeat.wake()
        standings = StandingsServices.on(database, clock, avatars=avatars)
        standings.members.when_forgotten(pool.forget)
        await database.hear(standings.members.heard)
        health = DatabaseHealth(database, clock, shards, backups)
        yield _build(database, clock, begun, standings, settled_key, shards, health)
    finally:
        await begun.end(database)


def _build(
    database: Database,
    clock: Clock,
    begun: _Begun,
    standings: StandingsServices,
    key: str,
    shards: ShardRange,
    health: DatabaseHealth,
) -> Services:
    mastermind = MastermindServices.on(database, clock, begun.pool, shards)
    duels = DuelServices.on(database, clock, key, shards=shards)
    return Services(
        allowances=Allowances(clock),
        daily=Daily(database, clock, key, note_finisher),
        practice=Practice(database, clock),
        mastermind=mastermind,
        duels=duels,
        equations=Equations(database, clock, shards),
        races=Races(database, clock, _FAIR, shards),
        champions=Champions(database, clock, shards),
        blocking=Blocking(database, clock, _FAIR),
        finished=FinishedGames(database),
        coach=begun.coach,
        heartbeat=begun.heartbeat,
        health=health,
        logins=Logins(database),
        preferences=PlayerPreferences(database, clock, standings.members),
        settings=ServerSettings(database, clock),
        standings=standings,
        statistics=Statistics(database, clock),
        years=Years(database, clock),
        upkeep=Upkeep(database, clock, begun.leases),
        posts=PostServices.on(database, clock, shards),
        reminders=Reminders(database, clock),
        moderation=Moderation(database),
        privacy=PrivacyServices.on(database, clock, standings.members, begun.leases, shards),
        sharing=Sharing(database, clock),
        entries=RunningEntries(database, clock),
        running=RunningMessages(database, clock, shards),
        verifying=Verifying(database, clock),
        agendas=Agendas(database, clock),
        sessions=Sessions(database, clock),
        spent_clicks=SpentClicks(database, clock),
        leases=begun.leases,
        synced=Synced(database),
        pool=begun.pool,
        has_weak_key=is_weak(key),
        _database=database,
    )
