"""All use cases, built together: what a front end may ask for."""

import logging
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Self

from bot.services.agenda import Agendas
from bot.services.base.allowance import Allowances
from bot.services.base.clock import Clock
from bot.services.base.spent_clicks import SpentClicks
from bot.services.base.workshop.workshop import Workshop
from bot.services.blocking import Blocking
from bot.services.coach.pars import RUNS
from bot.services.coach.use_cases import CoachServices
from bot.services.duels.inviting import Inviting
from bot.services.duels.listing import Duels
from bot.services.duels.messages import Boards
from bot.services.duels.moves import Playing
from bot.services.duels.transactions import DuelTransactions
from bot.services.finished_games import FinishedGames
from bot.services.focdle.daily import Daily
from bot.services.focdle.daily_secrets import is_weak, settle_key
from bot.services.focdle.practice import Practice
from bot.services.focdle.reminders import Reminders
from bot.services.focdle.restoring import Restorations
from bot.services.mastermind.challenge import Challenges
from bot.services.mastermind.defence import Defence
from bot.services.mastermind.listing import Games
from bot.services.mastermind.play import Solo
from bot.services.mastermind.transactions import MastermindTransactions
from bot.services.mastermind.watch import Watch
from bot.services.preferences import PlayerPreferences
from bot.services.privacy.use_cases import PrivacyServices
from bot.services.server.daily_posts import PostBook
from bot.services.server.finishers_threads import FinishersThreads
from bot.services.server.heartbeat import Heartbeat
from bot.services.server.post_choices import PostChoices
from bot.services.server.post_content import Newsroom
from bot.services.server.running_entries import RunningEntries
from bot.services.server.running_messages import RunningMessages
from bot.services.server.settings import ServerSettings
from bot.services.sharing import Sharing
from bot.services.standings.members import Members
from bot.services.standings.query import Leaderboards
from bot.services.statistics import Statistics
from bot.services.told import SyncedCommands, TileDigests
from bot.services.upkeep import Upkeep
from bot.services.verifying import Verifying
from bot.services.year import Years
from bot.storage.database import Database
from bot.storage.standings.members import forget_avatars

log = logging.getLogger(__name__)

_FAIR: Final = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class StandingsServices:
    """Who is known where, and who leads.

    Attributes:
        members: who is known where.
        boards: leaderboards, page by page.
    """

    members: Members
    boards: Leaderboards

    @classmethod
    def on(cls, database: Database, clock: Clock, *, avatars: bool) -> Self:
        """The use cases on a database; players' avatars are noted or not."""
        return cls(Members(database, clock, avatars=avatars), Leaderboards(database, clock))


@dataclass(frozen=True, slots=True)
class MastermindServices:
    """Mastermind of all kinds.

    Attributes:
        solo: a player breaks the bot's code.
        defence: the bot breaks a player's.
        challenges: a player breaks another's, in public.
        watch: the bot breaks its own.
        games: what is open, over, and came of it.
    """

    solo: Solo
    defence: Defence
    challenges: Challenges
    watch: Watch
    games: Games

    @classmethod
    def on(cls, database: Database, clock: Clock, workshop: Workshop) -> Self:
        """The use cases on a database."""
        transactions = MastermindTransactions(database, clock)
        return cls(
            Solo(transactions),
            Defence(transactions, workshop),
            Challenges(transactions),
            Watch(transactions, workshop),
            Games(transactions),
        )


@dataclass(frozen=True, slots=True)
class DuelServices:
    """Duels of Bulls and Cows, and their ratings.

    Attributes:
        inviting: challenges, their answers, rematches.
        playing: secrets, guesses, draws, resignation, the board's message.
        games: open duels, deadlines that have passed, notebooks, ratings.
        boards: what has to be shown again, and who has to be told.
    """

    inviting: Inviting
    playing: Playing
    games: Duels
    boards: Boards

    @classmethod
    def on(cls, database: Database, clock: Clock, dice: random.Random = _FAIR) -> Self:
        """The use cases on a database; first movers and the bot's numbers are drawn with dice."""
        transactions = DuelTransactions(database, clock, dice)
        return cls(
            Inviting(transactions), Playing(transactions), Duels(transactions), Boards(transactions)
        )


@dataclass(frozen=True, slots=True)
class PostServices:
    """Daily posts, and finishers' threads.

    Attributes:
        book: which post is due where, and what came of it.
        news: what a post tells.
        choices: what servers choose about their posts.
        threads: private threads for who has finished.
    """

    book: PostBook
    news: Newsroom
    choices: PostChoices
    threads: FinishersThreads

    @classmethod
    def on(cls, database: Database, clock: Clock) -> Self:
        """The use cases on a database."""
        return cls(
            PostBook(database, clock),
            Newsroom(database, Leaderboards(database, clock)),
            PostChoices(database, clock),
            FinishersThreads(database, clock),
        )


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that a front end may ask for.

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
        years: what a player's own year was like.
        upkeep: what standings need without being asked.
        posts: daily posts, and finishers' threads.
        reminders: who is told before a streak ends.
        restorations: streaks that managers of servers restore.
        privacy: players' and servers' data: told, handed out, deleted.
        sharing: results for others to see.
        entries: who is in running messages.
        running: running messages at Discord.
        verifying: what was hashed for secrets that are told.
        agendas: what there is for a player to do now.
        spent_clicks: which clicks were the first on their message.
        synced_commands: which command definitions Discord was last told.
        tile_digests: which pictures of tiles Discord was last given.
        workshop: what is slow, done beside the bot.
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
    years: Years
    upkeep: Upkeep
    posts: PostServices
    reminders: Reminders
    restorations: Restorations
    privacy: PrivacyServices
    sharing: Sharing
    entries: RunningEntries
    running: RunningMessages
    verifying: Verifying
    agendas: Agendas
    spent_clicks: SpentClicks
    synced_commands: SyncedCommands
    tile_digests: TileDigests
    workshop: Workshop
    has_weak_key: bool
    _database: Database

    async def close(self) -> None:
        """Let the open transaction finish and refuse new work; may be called twice."""
        await _close(self.coach, self.workshop, self.heartbeat, self._database)


@asynccontextmanager
async def open_services(
    url: str,
    clock: Clock,
    *,
    puzzle_key: str | None = None,
    par_runs: int = RUNS,
    avatars: bool = True,
    workshop: Workshop | None = None,
) -> AsyncGenerator[Services]:
    """Open the database, bring its schema up to date, and build the services on it.

    Args:
        url: the database, as an SQLAlchemy URL.
        clock: what tells the time.
        puzzle_key: the key of the dailies; None for the database's own.
        par_runs: how many games a par comes from; 0 for no pars.
        avatars: whether players' avatars are kept; else those that were are forgotten.
        workshop: where slow work is done; in threads, if nowhere else.

    Raises:
        StorageError: the database cannot be used; see `bot.errors`.
        WeakKeyError: others may guess the key, and no daily follows from it yet.
    """
    database = await Database.open(url)
    workshop = workshop or Workshop.with_workers(0, {})
    coach = CoachServices.on(database, clock, par_runs, workshop)
    heartbeat = Heartbeat(database, clock)
    try:
        async with database.transaction() as tx:
            puzzle_key = await settle_key(tx, puzzle_key)
            if not avatars:
                await forget_avatars(tx)
        await heartbeat.wake()
        standings = StandingsServices.on(database, clock, avatars=avatars)
        standings.members.when_forgotten(workshop.forget)
        yield _build(database, clock, coach, heartbeat, standings, workshop, puzzle_key)
    finally:
        await _close(coach, workshop, heartbeat, database)


def _build(
    database: Database,
    clock: Clock,
    coach: CoachServices,
    heartbeat: Heartbeat,
    standings: StandingsServices,
    workshop: Workshop,
    key: str,
) -> Services:
    mastermind = MastermindServices.on(database, clock, workshop)
    duels = DuelServices.on(database, clock)
    return Services(
        Allowances(clock),
        Daily(database, clock, key),
        Practice(database, clock),
        mastermind,
        duels,
        Blocking(database, clock, _FAIR),
        FinishedGames(database),
        coach,
        heartbeat,
        PlayerPreferences(database, clock, standings.members),
        ServerSettings(database, clock),
        standings,
        Statistics(database, clock),
        Years(database, clock),
        Upkeep(database, clock),
        PostServices.on(database, clock),
        Reminders(database, clock),
        Restorations(database, clock),
        PrivacyServices.on(database, clock, standings.members),
        Sharing(database, clock),
        RunningEntries(database, clock),
        RunningMessages(database, clock),
        Verifying(database, clock),
        Agendas(database, clock, duels.games, mastermind.games),
        SpentClicks(database),
        SyncedCommands(database),
        TileDigests(database),
        workshop,
        is_weak(key),
        database,
    )


async def _close(
    coach: CoachServices, workshop: Workshop, heartbeat: Heartbeat, database: Database
) -> None:
    await coach.close()
    await workshop.close()
    try:
        await database.close(heartbeat.stop)
    except Exception:
        log.exception("it could not be noted when the bot stopped")
