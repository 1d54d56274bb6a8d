"""What a front end may ask of the coach."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from bot.clock import Clock
from bot.coach.game.hints import Hints
from bot.coach.game.lessons import Lessons
from bot.coach.game.pars import Pars
from bot.coach.game.queue import Lane, Queue
from bot.coach.game.replays import Replays
from bot.coach.game.reviews import Reviews
from bot.db.database import Database
from bot.db.leases import Leases
from bot.pool.workshop import Workshop


@dataclass(frozen=True, slots=True)
class CoachServices:
    """What guesses were worth, hints, par.

    Attributes:
        reviews: what the guesses of finished games were worth.
        hints: what players are told during games.
        lessons: a better guess than one of a finished FoCdle.
        pars: how hard the dailies are.
        replays: finished Masterminds and duels, guess by guess.
    """

    reviews: Reviews
    hints: Hints
    lessons: Lessons
    pars: Pars
    replays: Replays
    _queue: Queue

    @classmethod
    def on(
        cls,
        database: Database,
        clock: Clock,
        par_runs: int,
        workshop: Workshop,
        leases: Leases,
    ) -> Self:
        """The use cases on a database; a par comes from so many games, and without any is none."""
        queue = Queue(workshop.solve)
        pars = Pars(database, clock, queue, leases, runs=par_runs)
        if par_runs:
            pars.begin()
        reviews = Reviews(database, clock, queue, pars)
        hints, lessons = Hints(database, clock), Lessons(database, clock, queue)
        return cls(reviews, hints, lessons, pars, Replays(database), queue)

    @property
    def waiting(self) -> Mapping[Lane, int]:
        """How many pieces of work of each lane are not done."""
        return self._queue.waiting

    async def close(self) -> None:
        """Finish what is under way and let nobody wait any more. May be called twice."""
        await self.reviews.close()
        await self.pars.close()
        await self._queue.close()
