"""A game's transaction: one that knows the game's rows, and logs what its use case did."""

import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from datetime import datetime
from typing import Any, Generic, TypeVar

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database
from bot.db.keys import Key
from bot.db.paging import IdPage
from bot.db.transaction import MustWriteError, Transaction
from bot.refused import Refused

log = logging.getLogger(__name__)


class GameTransaction(ABC):
    """One transaction of a game, and what its use cases do in it."""

    def __init__(self, tx: Transaction, now: datetime) -> None:
        self.tx = tx
        self.now = now

    @abstractmethod
    def report(self) -> Iterable[str]:
        """A line for the log on everything that was changed; without secrets and guesses."""


T = TypeVar("T")
V = TypeVar("V", bound=GameTransaction)
UseCase = Callable[[V], Coroutine[Any, Any, T]]
"""What is done in a transaction of a game."""


class GameTransactions(Generic[V]):
    """Begins the transactions of a game.

    Args:
        database: where the games are.
        clock: what tells the time.
        make: makes what use cases do things with.
        subject: what the game is called in the log.
        key: the key of one game, by its id.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        make: Callable[[Transaction, datetime], V],
        subject: str,
        key: Callable[[int], Key],
    ) -> None:
        self._database = database
        self._clock = clock
        self._make = make
        self._subject = subject
        self._key = key

    def now(self) -> datetime:
        """The time."""
        return self._clock.now()

    def of_game(self, game_id: int, *player_ids: int) -> AbstractAsyncContextManager[V]:
        """One transaction about a game and what players do in it; like `begin` in the rest."""
        return self.begin(self._key(game_id), *map(keys.player, player_ids))

    def of_players(self, *player_ids: int) -> AbstractAsyncContextManager[V]:
        """One transaction about players, who may begin a game in it; like `begin` in the rest."""
        return self.begin(*map(keys.player, player_ids))

    @asynccontextmanager
    async def begin(self, *about: Key) -> AsyncGenerator[V]:
        """One transaction, about everything if not told; a refusal leaves it committed.

        So a game that was only just found to be over stays over when its player is told. Use
        cases refuse before they write anything of their own.
        """
        refusal: Refused | None = None
        async with self._database.transaction(*about) as tx:
            work = self._make(tx, self._clock.now())
            try:
                yield work
            except Refused as error:
                refusal = error
        self._log(work, refusal)
        if refusal is not None:
            raise refusal

    async def write(self, use: UseCase[V, T], game_id: int, *player_ids: int) -> T:
        """What comes of a use case, in one transaction as `of_game` begins it; the quicker way.

        Args:
            use: what is done; it awaits nothing but statements.
            game_id: about which game.
            player_ids: and about which players.
        """
        return await self._write(use, self._key(game_id), *map(keys.player, player_ids))

    async def look(self, use: UseCase[V, T]) -> T:
        """What a use case reads; what it must write first, it does in a transaction like others.

        Args:
            use: reads, and ends what a deadline has ended; may be called twice.
        """

        async def read(tx: Transaction) -> T:
            return await use(self._make(tx, self._clock.now()))

        with suppress(MustWriteError):
            return await self._database.read(read)
        return await self._write(use)

    async def _write(self, use: UseCase[V, T], *about: Key) -> T:
        async def done(tx: Transaction) -> tuple[V, T | Refused]:
            work = self._make(tx, self._clock.now())
            try:
                return work, await use(work)
            except Refused as refusal:
                return work, refusal

        work, found = await self._database.write(done, *about)
        self._log(work, found)
        if isinstance(found, Refused):
            raise found
        return found

    def _log(self, work: V, found: object) -> None:
        """What was done, and why the rest was not."""
        for line in work.report():
            log.info("%s", line)
        if isinstance(found, Refused):
            log.info("%s: refused, %s", self._subject, found)

    def within(self, tx: Transaction, now: datetime) -> V:
        """A look of a use case in a transaction that looks at other things, too."""
        return self._make(tx, now)

    async def every(
        self, find: Callable[[V, IdPage], Coroutine[Any, Any, list[int]]]
    ) -> AsyncGenerator[int]:
        """The ids of everything that is due, read page by page.

        What is done with each takes a transaction of its own, so who clicks meanwhile need not
        wait for all of them.

        Args:
            find: gives the ids of a page.
        """
        page = IdPage()
        while True:
            ids = await self.look(lambda work, page=page: find(work, page))
            for number in ids:
                yield number
            if len(ids) < page.most:
                return
            page = IdPage(after=ids[-1])
