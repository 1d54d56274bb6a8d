"""Reviews of finished games: read from the database, or worked out in the coach's queue."""

import asyncio
import math
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Final

from bot.clock import Clock
from bot.coach.game.games import Finished, find, is_unchanged
from bot.coach.game.pars import Pars
from bot.coach.game.queue import Job, Lane, Queue, Tasks
from bot.coach.model.errors import ContradictoryAnswersError, OneAtATimeError
from bot.coach.model.insight import ANALYSIS_VERSION, Analysis, Record, Review
from bot.coach.store import analyses
from bot.coach.store.analyses import AnalysisRow
from bot.dailies import Field, PuzzleName
from bot.db.database import Database, Transaction
from bot.focdle.store import pars, plays
from bot.games.model.games import GameName, Source
from bot.leaderboards.game.calendars import deadline_of
from bot.people.model.preferences import Choices
from bot.people.store import preferences
from bot.pool.named import Named
from engine import InconsistentFeedback

EXAMINE: Final[Named[[Record], Analysis]] = Named("bot.coach.game.analysing", "examine")
MOST_OTHERS: Final = 50
"""The most other players whose games a review compares with."""


class Consultation:
    """A player's wait for a review.

    Args:
        work: what comes back with the review.
        ahead: how many games come before this one now.
    """

    def __init__(self, work: asyncio.Task[Review], ahead: Callable[[], int]) -> None:
        self._work = work
        self._ahead = ahead

    @property
    def ahead(self) -> int:
        """How many games are looked at before this one; 0 when it is its turn."""
        return self._ahead()

    async def within(self, seconds: float) -> Review | None:
        """The review, if it is there in time.

        Raises:
            ContradictoryAnswersError: the answers in the game cannot all be true.
        """
        done, _ = await asyncio.wait({self._work}, timeout=seconds)
        return self._work.result() if done else None


class _Study:
    """A game that the coach is looking at, and the players who wait for it."""

    def __init__(self, job: Job[Analysis], task: asyncio.Task[Analysis]) -> None:
        self.job = job
        self.task = task


class Reviews:
    """Use cases around finished games."""

    def __init__(self, database: Database, clock: Clock, queue: Queue, known_pars: Pars) -> None:
        self._database = database
        self._clock = clock
        self._queue = queue
        self._pars = known_pars
        self._studies: dict[GameName, _Study] = {}
        self._waiting: dict[int, GameName] = {}
        self._tasks = Tasks()
        # However many wait, only one review at a time waits for the database: guesses go first.
        self._door = asyncio.Lock()
        self._fields: set[tuple[int | None, PuzzleName]] = set()

    @property
    def is_crowded(self) -> bool:
        """Whether somebody's game is being read: who asks now waits for that."""
        return self._door.locked()

    async def ask(self, player_id: int, name: GameName) -> Consultation:
        """Ask for the review of a finished game.

        The same game is looked at once, however many ask, and what was found is kept.

        Raises:
            As `bot.coach.game.games.find`.
            OneAtATimeError: the player waits for another game.
            CoachBusyError: too many players wait.
        """
        async with self._reading() as tx:
            finished = await find(tx, player_id, name)
            analysis = await stored(tx, finished)
        if analysis is not None:
            review = self._review(player_id, finished.name, analysis)
            return Consultation(self._tasks.begin(review), lambda: 0)
        study = self._study_for(player_id, finished)
        work = self._tasks.begin(self._when_studied(player_id, finished, study))
        return Consultation(work, lambda: self._queue.ahead(study.job))

    async def close(self) -> None:
        """Let nobody wait any more."""
        await self._tasks.close()

    @asynccontextmanager
    async def _transaction(self) -> AsyncGenerator[Transaction]:
        async with self._door, self._database.transaction() as tx:
            yield tx

    @asynccontextmanager
    async def _reading(self) -> AsyncGenerator[Transaction]:
        async with self._door, self._database.reading() as tx:
            yield tx

    def _study_for(self, player_id: int, finished: Finished) -> _Study:
        name, awaited = finished.name, self._waiting.get(player_id)
        if awaited not in {None, name} and awaited in self._studies:
            raise OneAtATimeError
        study = self._studies.get(name) or self._study(finished, Lane.REVIEW)
        self._queue.hasten(study.job, Lane.REVIEW)
        self._waiting[player_id] = name
        return study

    def _study(self, finished: Finished, lane: Lane) -> _Study:
        """Begin to look at a game."""
        job = self._queue.add(lane, partial(EXAMINE, finished.record))
        study = _Study(job, self._tasks.begin(self._kept(finished, job)))
        self._studies[finished.name] = study
        study.task.add_done_callback(lambda _: self._forget(finished.name, study))
        return study

    def _forget(self, name: GameName, study: _Study) -> None:
        if self._studies.get(name) is study:
            del self._studies[name]

    async def _kept(self, finished: Finished, job: Job[Analysis]) -> Analysis:
        """The analysis, stored unless the game's player has deleted their data meanwhile."""
        try:
            analysis = await job.result
        except InconsistentFeedback as error:
            raise ContradictoryAnswersError from error
        remaining = tuple(turn.after for turn in analysis.turns)
        row = AnalysisRow(ANALYSIS_VERSION, analysis.encode(), remaining)
        async with self._transaction() as tx:
            if await is_unchanged(tx, finished):
                await analyses.put(tx, finished.name, row, made_at=self._clock.now())
        return analysis

    async def _when_studied(self, player_id: int, finished: Finished, study: _Study) -> Review:
        try:
            # A second player who waits for the same game may give up first.
            analysis = await asyncio.shield(study.task)
        finally:
            if self._waiting.get(player_id) == finished.name:
                del self._waiting[player_id]
        return await self._review(player_id, finished.name, analysis)

    async def _review(self, player_id: int, name: GameName, analysis: Analysis) -> Review:
        """The review: the stored analysis, with par, hints and other players as they are now.

        Raises:
            As `ask`, where the player, or the other one, has deleted their data meanwhile.
        """
        par, field = None, None
        async with self._reading() as tx:
            finished = await find(tx, player_id, name)
            puzzle = finished.puzzle
            palette = await palette_of(tx, player_id)
            if puzzle is not None:
                par = await pars.get(tx, puzzle.number, puzzle.length)
                field = await _field(tx, finished)
        if puzzle is not None:
            if par is None:
                self._pars.want(puzzle)
            self._tasks.begin(self._see_others(finished, puzzle))
        return Review(
            game=finished.name,
            role=finished.role,
            breaker_id=finished.breaker_id,
            analysis=analysis,
            puzzle=puzzle,
            par=par,
            field=field,
            hints=finished.record.hints,
            other_seat=finished.other_seat,
            palette=palette,
        )

    async def _see_others(self, finished: Finished, puzzle: PuzzleName) -> None:
        """Find out how others fared while nobody waits, for who looks later."""
        place = finished.guild_id, puzzle
        if finished.guild_id is None or place in self._fields:
            return
        self._fields.add(place)
        try:
            async with self._reading() as tx:
                version, play_id = ANALYSIS_VERSION, finished.name.id
                deadline = await deadline_of(tx, finished.guild_id, puzzle.day)
                others = await analyses.missing(tx, play_id, version, deadline, most=MOST_OTHERS)
            for other_id in others:
                await self._see(other_id)
        finally:
            self._fields.discard(place)

    async def _see(self, play_id: int) -> None:
        async with self._reading() as tx:
            row = await plays.get(tx, play_id)
            if row is None:
                return
            other = await find(tx, row.player_id, GameName(Source.PLAY, play_id))
        if other.name not in self._studies:
            await asyncio.shield(self._study(other, Lane.BACKGROUND).task)


async def stored(tx: Transaction, finished: Finished) -> Analysis | None:
    """What the coach has found in a game; None if it has not looked at it as it is now."""
    row = await analyses.get(tx, finished.name)
    if row is None or row.version != ANALYSIS_VERSION:
        return None
    analysis = Analysis.decode(row.facts)
    # An answer of a game that was over may have been corrected since.
    played = [(turn.guess, tuple(turn.feedback)) for turn in finished.record.turns]
    is_same = played == [(turn.guess, turn.feedback) for turn in analysis.turns]
    return analysis if is_same else None


async def palette_of(tx: Transaction, player_id: int) -> str:
    """The tiles that a player wants."""
    return (await preferences.choices.get(tx, player_id) or Choices()).palette


async def _field(tx: Transaction, finished: Finished) -> Field | None:
    """How others fared; None where there are none."""
    if finished.guild_id is None or finished.puzzle is None:
        return None
    play_id = finished.name.id
    deadline = await deadline_of(tx, finished.guild_id, finished.puzzle.day)
    here = await analyses.field(tx, play_id, deadline)
    if here.players <= 1:
        return None
    others = await analyses.of_others(tx, play_id, ANALYSIS_VERSION, deadline, most=MOST_OTHERS)
    return replace(here, seen=len(others), remaining=_geometric_means(others))


def _geometric_means(games: list[tuple[int, ...]]) -> tuple[float, ...]:
    """Guess by guess; who was done stays where they were."""
    longest = max(map(len, games), default=0)
    return tuple(
        math.exp(sum(math.log(game[min(turn, len(game) - 1)]) for game in games) / len(games))
        for turn in range(longest)
    )
