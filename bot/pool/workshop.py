"""The workshop: pictures are drawn in one process, games are looked at in another."""

import asyncio
import hashlib
import pickle
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Self, TypeVar

from bot.pool.lines import IDLE_SECONDS, MOST_WAITING, Job, Line
from bot.pool.places import Place, ProcessPlace, ThreadPlace
from bot.refused import AlreadyDrawingError, ForgottenMeanwhileError, WorkshopFullError

T = TypeVar("T")

MOST_WORKERS: Final = 2
"""One that draws, and one that computes: neither has to wait for the other."""
DRAWING_SECONDS: Final = 30.0
"""How long a drawing may take; it takes a tenth of one."""
SOLVING_SECONDS: Final = 300.0
"""How long a game may be looked at; it takes a second or two."""
PATIENCE_SECONDS: Final = 120.0
"""How long somebody waits for a drawing before they are asked to come again."""
MOST_KEPT: Final = 200
"""How many drawings are kept; one has about 100 kB."""


class _Key(NamedTuple):
    """Which drawing; the same facts in the same language give the same one."""

    owner_id: int
    digest: bytes


@dataclass(slots=True)
class _Drawing:
    """A drawing that is waited for.

    Attributes:
        job: what draws it.
        asker: who asked for it first, and for what kind.
        waiting: how many wait for it.
    """

    job: Job[Any]
    asker: tuple[int, str]
    waiting: int = 0


class Workshop:
    """Does what is slow; to be made where an event loop runs.

    Args:
        drawing: who waits for drawings.
        solving: who waits for solvers; may be the same.
        patience: how long somebody waits for a drawing, in seconds.
    """

    def __init__(self, drawing: Line, solving: Line, *, patience: float = PATIENCE_SECONDS) -> None:
        self._drawing = drawing
        self._solving = solving
        self._patience = patience
        self._kept: OrderedDict[_Key, Any] = OrderedDict()
        self._coming: dict[_Key, _Drawing] = {}
        drawing.when_idle = self._kept.clear
        self._door = asyncio.Lock()
        self._at_door = 0

    @classmethod
    def with_workers(
        cls,
        count: int,
        *,
        idle_seconds: float = IDLE_SECONDS,
        most_waiting: int = MOST_WAITING,
    ) -> Self:
        """A workshop with so many processes, 0 to 2; without any, threads do the work.

        Args:
            count: how many.
            idle_seconds: how long a process without work is kept.
            most_waiting: how many may wait in a line.
        """

        def line() -> Line:
            return Line(_place(count), most=most_waiting, idle_seconds=idle_seconds)

        drawing = line()
        return cls(drawing, drawing if count == 1 else line())

    @property
    def draws_at_once(self) -> bool:
        """Whether a drawing would begin at once; else who asks is better told to wait."""
        return self._drawing.is_free

    @property
    def is_crowded(self) -> bool:
        """Whether others wait for drawings, or for what is to be drawn."""
        return self._door.locked() or self._drawing.is_busy

    @property
    def waiting(self) -> int:
        """How many wait for drawings, or for what is to be drawn."""
        return self._at_door + self._drawing.length

    @asynccontextmanager
    async def in_turn(self) -> AsyncGenerator[None]:
        """Whoever reads what is to be drawn is alone with that.

        Raises:
            WorkshopFullError: too many wait.
        """
        if self._at_door >= MOST_WAITING:
            raise WorkshopFullError
        self._at_door += 1
        try:
            async with self._door:
                yield
        finally:
            self._at_door -= 1

    async def draw(self, work: Callable[[], T], *, kind: str, asker_id: int, owner_id: int) -> T:
        """A drawing; one that was made of the same facts a while ago is not made again.

        Args:
            work: draws it; it and what it returns can be pickled.
            kind: what it shows; a player waits for one of a kind at a time.
            asker_id: who asks.
            owner_id: whose data it shows.

        Raises:
            AlreadyDrawingError: the player waits for another one of this kind.
            WorkshopFullError: too many wait, or it was not the player's turn in time.
            ForgottenMeanwhileError: whose data it shows has deleted or hidden them.
            WorkshopFailedError: it could not be made.
        """
        key = _Key(owner_id, hashlib.sha256(pickle.dumps(work)).digest())
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        drawing = self._coming.get(key) or self._begin(key, work, (asker_id, kind))
        drawing.waiting += 1
        try:
            async with asyncio.timeout(self._patience):
                return await asyncio.shield(drawing.job.result)
        except TimeoutError as error:
            raise WorkshopFullError from error
        finally:
            drawing.waiting -= 1
            if not drawing.waiting and self._drawing.drop(drawing.job):
                drawing.job.result.cancel()

    async def solve(self, work: Callable[[], T], /) -> T:
        """The result of what a solver does, one at a time; it and the work can be pickled.

        Raises:
            WorkshopFailedError: there is no result.
            ClosingError: the program ends.
        """
        return await self._solving.add(work, SOLVING_SECONDS, is_next=True).result

    def forget(self, player_id: int | None) -> None:
        """Keep no drawing of a player, nor one that is to be made; None for those of everybody."""
        for key in [key for key in self._kept if player_id in {None, key.owner_id}]:
            del self._kept[key]
        for key in [key for key in self._coming if player_id in {None, key.owner_id}]:
            job = self._coming.pop(key).job
            self._drawing.drop(job)
            job.fail(ForgottenMeanwhileError())

    async def close(self) -> None:
        """Let nobody wait any more, and end the processes. May be called twice."""
        await self._drawing.close()
        await self._solving.close()
        self._kept.clear()

    def _begin(self, key: _Key, work: Callable[[], Any], asker: tuple[int, str]) -> _Drawing:
        if any(drawing.asker == asker for drawing in self._coming.values()):
            raise AlreadyDrawingError
        drawing = _Drawing(self._drawing.add(work, DRAWING_SECONDS), asker)
        self._coming[key] = drawing
        drawing.job.result.add_done_callback(lambda result: self._ended(key, drawing, result))
        return drawing

    def _ended(self, key: _Key, drawing: _Drawing, result: "asyncio.Future[Any]") -> None:
        if self._coming.get(key) is not drawing:  # it was forgotten
            return
        del self._coming[key]
        if not result.cancelled() and result.exception() is None:
            self._kept[key] = result.result()
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)


def _place(count: int) -> Place:
    return ProcessPlace() if count else ThreadPlace()
