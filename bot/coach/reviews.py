"""Use cases of finished games: reviews."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any, Final, TypeVar

from bot.clock import Clock
from bot.coach import store
from bot.coach.model import (
    ANALYSIS_VERSION,
    BAD_GRADES,
    Analysis,
    CoachTurn,
    ContradictoryAnswersError,
    OneAtATimeError,
    Review,
)
from bot.coach.store import AnalysisRow
from bot.db.database import Database, Transaction
from bot.errors import StorageError
from bot.features import FINISHED
from bot.games.game import require_nothing_at_stake
from bot.games.model import Finished, GameName, NobodyGuessedError, Record, Role
from bot.people import store as people_store
from bot.people.model import Choices
from bot.pool.pool import SOLVING_SECONDS, Job, Lane, Pool
from bot.pool.worker import Named
from bot.refused import Refused
from engine import InconsistentFeedback
from engine.skill import Grade

log = logging.getLogger(__name__)
T = TypeVar("T")


def find(tx: Transaction, player_id: int, name: GameName, now: datetime) -> Finished:
    finished = FINISHED[name.source].review(tx, player_id, name, now)
    if not finished.record.turns:
        raise NobodyGuessedError
    return finished


def consult(tx: Transaction, player_id: int, name: GameName, now: datetime) -> Finished:
    """Find a finished game, and refuse while a review or lesson of it would help elsewhere.

    A secret that somebody chose can give the answers of a game that goes on; a drawn one cannot.
    """
    found = find(tx, player_id, name, now)
    if not found.is_drawn:
        rules = found.record.rules
        require_nothing_at_stake(tx, player_id, rules, now, set_on=found.set_on)
    return found


def is_unchanged(tx: Transaction, finished: Finished, now: datetime) -> bool:
    """True if the viewer may still have the game reviewed, and the same player guessed in it."""
    try:
        again = find(tx, finished.player_id, finished.name, now)
    except Refused:
        return False
    return again.breaker_id == finished.breaker_id


FEWEST_TO_JUDGE: Final = 3
"""The fewest guesses that show how a game was played that was not solved."""


_SLIPS: Final = frozenset({Grade.DOUBTFUL})
_MISTAKES: Final = BAD_GRADES - _SLIPS
_FEW_SLIPS: Final = 2


class Manner(StrEnum):
    """The manner of play, by the shown grades and what all guesses but the winning one cost."""

    FLAWLESS = "flawless"
    """No guess cost more than the solver's choice."""
    SHARP = "sharp"
    """No guess was bad."""
    GOOD = "good"
    """Two slips at most; or solved in no more guesses than the solver takes, here or on average."""
    MIXED = "mixed"
    """One mistake, or only slips."""
    BUMPY = "bumpy"


def manner_of(review: Review) -> Manner:
    """The manner of a game. The winning guess does not count: nobody is blamed for it."""
    analysis, grades = review.analysis, shown_grades(review)
    turns = analysis.turns
    if not any(turn.loss.guesses for turn in turns if not is_winning_guess(analysis, turn)):
        return Manner.FLAWLESS
    if BAD_GRADES.isdisjoint(grades):
        return Manner.SHARP
    slips, many = (sum(grade in marks for grade in grades) for marks in (_SLIPS, _MISTAKES))
    if is_quick(analysis) or (slips <= _FEW_SLIPS and not many):
        return Manner.GOOD
    return Manner.MIXED if many <= 1 else Manner.BUMPY


def is_quick(analysis: Analysis) -> bool:
    """True if the game was solved in no more guesses than the solver takes, here or on average."""
    return analysis.is_solved and len(analysis.turns) <= max(analysis.solvers or 0, analysis.mean)


def is_faster(review: Review) -> bool:
    """True if the game was solved in fewer guesses and hints than the solver takes guesses."""
    analysis = review.analysis
    made = len(analysis.turns) + len(review.hints)
    return analysis.is_solved and made < (analysis.solvers or 0)


def is_too_short(analysis: Analysis) -> bool:
    return not analysis.is_solved and len(analysis.turns) < FEWEST_TO_JUDGE


def shown_grade(analysis: Analysis, turn: CoachTurn) -> Grade:
    """The grade to show for a guess: its own, but no winning guess and no quick game is blamed.

    A winning guess with a bad grade is PLAIN, and no guess of a quick game is more than a slip.
    """
    if turn.grade not in BAD_GRADES:
        return turn.grade
    if is_winning_guess(analysis, turn):
        return Grade.PLAIN
    return Grade.DOUBTFUL if is_quick(analysis) else turn.grade


def shown_grades(review: Review) -> tuple[Grade, ...]:
    """The grades to show for all guesses.

    The bot's guesses are PLAIN.
    """
    return tuple(
        Grade.PLAIN if review.role is Role.BOT else shown_grade(review.analysis, turn)
        for turn in review.analysis.turns
    )


def mistakes(analysis: Analysis) -> tuple[int, ...]:
    """The indices of the bad guesses of a FoCdle to which its player may seek a better one.

    The worst comes first: of the same grade, the one that left most.

    Where the solver's choice was the answer, which is known by now, there is nothing to seek.
    """
    turns, order = analysis.turns, list(Grade)
    bad = [
        index
        for index, turn in enumerate(turns)
        if shown_grade(analysis, turn) in BAD_GRADES and turn.best
    ]
    worst = sorted(bad, key=lambda index: (-order.index(turns[index].grade), -turns[index].after))
    return tuple(worst)


def is_winning_guess(analysis: Analysis, turn: CoachTurn) -> bool:
    return analysis.is_solved and turn is analysis.turns[-1]


EXAMINE: Final[Named[[Record], Analysis]] = Named("bot.coach.analysis", "examine")


class AwaitedReview:
    """A review that a player waits for; `ahead` is how many games the coach looks at before it."""

    def __init__(self, work: asyncio.Task[Review], ahead: Callable[[], int]) -> None:
        self._work = work
        self._ahead = ahead

    @property
    def ahead(self) -> int:
        return self._ahead()

    async def within(self, seconds: float) -> Review | None:
        """Wait for the review; None if it is not there after `seconds`.

        Raises:
            ContradictoryAnswersError: the answers in the game cannot all be true.
        """
        done, _ = await asyncio.wait({self._work}, timeout=seconds)
        return self._work.result() if done else None


@dataclass(frozen=True, slots=True)
class _RunningAnalysis:
    record: Record
    job: Job[Analysis]
    task: asyncio.Task[Analysis]


class Reviews:
    def __init__(self, database: Database, clock: Clock, pool: Pool) -> None:
        self._database = database
        self._clock = clock
        self._queue = pool.solving
        self._running: dict[GameName, _RunningAnalysis] = {}
        self._waiting: dict[int, GameName] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        # However many wait, only one review at a time uses the database: guesses go first.
        self._lock = asyncio.Lock()

    @property
    def is_crowded(self) -> bool:
        """True if a new request has to wait, as another review uses the database."""
        return self._lock.locked()

    async def ask(self, player_id: int, name: GameName) -> AwaitedReview:
        """Ask for the review of a finished game.

        However many ask at once, a game is analysed once, and the analysis is stored. A player may
        wait for the analysis of one game only: `OneAtATimeError` refuses another.
        """

        def body(tx: Transaction) -> tuple[Finished, Analysis | None]:
            finished = consult(tx, player_id, name, self._clock.now())
            return finished, stored(tx, finished)

        async with self._lock:
            finished, analysis = await self._database.read(body)
        if analysis is not None:
            review = self._review(player_id, finished.name, analysis)
            return AwaitedReview(self._begin(review), lambda: 0)
        awaited = self._waiting.get(player_id)
        if awaited not in {None, finished.name} and awaited in self._running:
            raise OneAtATimeError
        study = self._running.get(finished.name)
        if study is None or study.record != finished.record:  # an answer was corrected meanwhile
            study = self._start_analysis(finished)
        self._waiting[player_id] = finished.name
        work = self._begin(self._reviewed_later(player_id, finished, study))
        return AwaitedReview(work, lambda: self._queue.ahead(study.job))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a task, which outlives the interaction that asks for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        # Refusals go to whoever waits. Work is asked for again after an error of the database.
        if error is not None and not isinstance(error, Refused | StorageError):
            log.error("the coach failed", exc_info=error)

    def _start_analysis(self, finished: Finished) -> _RunningAnalysis:
        work = partial(EXAMINE, finished.record)
        job = self._queue.add(work, SOLVING_SECONDS, Lane.REVIEW)
        task = self._begin(self._stored_result(finished, job))
        study = _RunningAnalysis(finished.record, job, task)
        self._running[finished.name] = study

        def forget(_task: object) -> None:
            if self._running.get(finished.name) is study:
                del self._running[finished.name]

        study.task.add_done_callback(forget)
        return study

    async def _stored_result(self, finished: Finished, job: Job[Analysis]) -> Analysis:
        try:
            analysis = await job.result
        except InconsistentFeedback as error:
            raise ContradictoryAnswersError from error
        row = AnalysisRow(ANALYSIS_VERSION, analysis.encode())

        def body(tx: Transaction) -> None:
            now = self._clock.now()
            if is_unchanged(tx, finished, now):
                store.put(tx, finished.name, row, made_at=now)

        async with self._lock:
            await self._database.write(body)
        return analysis

    async def _reviewed_later(
        self, player_id: int, finished: Finished, study: _RunningAnalysis
    ) -> Review:
        try:
            # Of two players who wait for a game, one may give up first.
            analysis = await asyncio.shield(study.task)
        finally:
            if self._waiting.get(player_id) == finished.name:
                del self._waiting[player_id]
        return await self._review(player_id, finished.name, analysis)

    async def _review(self, player_id: int, name: GameName, analysis: Analysis) -> Review:
        def body(tx: Transaction) -> Review:
            finished = consult(tx, player_id, name, self._clock.now())
            return Review(
                game=finished.name,
                role=finished.role,
                breaker_id=finished.breaker_id,
                analysis=analysis,
                puzzle=finished.puzzle,
                setter=finished.setter,
                hints=finished.record.hints,
                other_seat=finished.other_seat,
                palette=(people_store.choices.get(tx, player_id) or Choices()).palette,
            )

        async with self._lock:
            return await self._database.read(body)


def stored(tx: Transaction, finished: Finished) -> Analysis | None:
    """The stored analysis of a game; None if there is none or it is of another version.

    None as well if an answer in the game has been corrected since the analysis.
    """
    row = store.get(tx, finished.name)
    if row is None or row.version != ANALYSIS_VERSION:
        return None
    analysis = Analysis.decode(row.facts)
    # An answer may have been corrected since.
    played = [(turn.guess, tuple(turn.feedback)) for turn in finished.record.turns]
    is_same = played == [(turn.guess, turn.feedback) for turn in analysis.turns]
    return analysis if is_same else None
