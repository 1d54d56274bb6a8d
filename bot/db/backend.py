"""What a kind of database must be able to do."""

from collections.abc import Awaitable, Callable, Collection
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar

from bot.db.keys import Key
from bot.db.transaction import Body, Transaction

T = TypeVar("T")


class Backend(Protocol):
    """The ways into a database of one kind.

    All raise `ClosingError` once it is being closed, `StorageBusyError` if others were there for
    too long, and `UnusableDatabaseError` if the database cannot be used (any more).
    """

    async def test(self) -> str:
        """Make sure that it can be used as it is reached, before anything is done with it.

        Returns:
            The version of the server that it is on; empty where it is a file.

        Raises:
            UnfitDatabaseError: the bot cannot work with it.
        """
        ...

    def writing(
        self, keys: Collection[Key], until: float
    ) -> AbstractAsyncContextManager[Transaction]:
        """A transaction that commits at the end, and rolls back on errors.

        What it reads is still true when it writes, as far as that is a matter of its keys.

        Args:
            keys: what it is about; none for everything.
            until: an instant of the monotonic clock, after which nobody waits.
        """
        ...

    def reading(self, until: float) -> AbstractAsyncContextManager[Transaction]:
        """A transaction that sees what was committed at one moment, and writes nothing."""
        ...

    async def write(self, body: Body[T], keys: Collection[Key], until: float) -> T:
        """What comes of a body in a transaction of its own, as `writing` begins and ends it."""
        ...

    async def read(self, body: Body[T], until: float) -> T:
        """What comes of a body in a transaction of its own, as `reading` begins it."""
        ...

    async def hear(self, hear: Callable[[str | None], None]) -> None:
        """From now on, hear what transactions `tell`, also those of other processes.

        Args:
            hear: is called with what was told; with None where something may have been missed.
        """
        ...

    async def empty_log(self, until: float) -> bool:
        """Write out the log of the last changes, and empty it; whether it is empty now."""
        ...

    async def close(
        self, last: Callable[[Transaction], Awaitable[None]] | None, patience: float
    ) -> None:
        """Let what has begun end, refuse the rest, and disconnect; may be called twice.

        Args:
            last: what is to be done before that, the first time, in a transaction of its own.
            patience: how many seconds that one waits for other programs.
        """
        ...
