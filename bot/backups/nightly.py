"""The backup of each night, which the running bot makes: what is due follows from what is there."""

import asyncio
from pathlib import Path
from typing import Final

from bot.backups.keeping import is_due
from bot.backups.making import Made, make
from bot.clock import Clock
from bot.db.backing_up import CopyError, reason
from bot.db.backup_names import backups_in
from bot.db.leases import Leases
from bot.kept import Kept
from bot.privacy.game.noting import Deletions

_WHAT: Final = "backup"


class Nightly:
    """Backups by the clock.

    Args:
        url: the database, as an SQLAlchemy URL.
        folder: where they are.
        kept: which of them stay.
        clock: what tells the time.
        leases: what keeps another process from making the same.
        deletions: what is noted of deletions beside them.

    Attributes:
        folder: the same.
    """

    def __init__(
        self,
        url: str,
        folder: Path,
        kept: Kept,
        clock: Clock,
        leases: Leases,
        deletions: Deletions,
    ) -> None:
        self.folder = folder
        self._url = url
        self._kept = kept
        self._clock = clock
        self._leases = leases
        self._deletions = deletions

    async def make_if_due(self) -> Made | None:
        """Make the night's backup, unless there is one, or another process is at it.

        Raises:
            As `make`.
        """
        if not await self._is_due():
            return None
        async with self._leases.held(_WHAT) as is_ours:
            if not is_ours or not await self._is_due():
                return None
            made = await make(self._url, self.folder, self._kept, self._clock)
        await self._forget_deletions(made)
        return made

    async def _is_due(self) -> bool:
        try:
            there = await asyncio.to_thread(backups_in, self.folder)
        except OSError as error:
            raise CopyError(reason(error)) from error
        own = {name.made_at for name in there.values() if not name.is_kept}
        return is_due(own, self._clock.now())

    async def _forget_deletions(self, made: Made) -> None:
        """Forget those that every backup has had."""
        try:
            await self._deletions.forget_before(made.oldest.date())
        except OSError as error:
            raise CopyError(reason(error)) from error
