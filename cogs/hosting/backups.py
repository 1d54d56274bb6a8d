"""The loop that makes a backup each night, where the host wants that."""

import logging

import discord
from discord.ext import tasks

from bot.backups.making import CopyError, DifferentCopyError
from bot.backups.nightly import Nightly
from bot.errors import DamagedDatabaseError, NoDatabaseError
from bot.services import Services
from cogs.ui.timed import TimedCog

log = logging.getLogger(__name__)


class BackupCog(TimedCog):
    """Looks once an hour whether there is a backup of the night, and makes it if not."""

    def __init__(self, client: discord.Client, services: Services, nightly: Nightly) -> None:
        super().__init__(client, services)
        self._nightly = nightly

    @tasks.loop(hours=1)
    async def back_up(self) -> None:
        """Make what is due; what fails now is told in a line, and tried again."""
        await self._attempt("backup", self._back_up())

    async def _back_up(self) -> None:
        try:
            made = await self._nightly.make_if_due()
        except FileExistsError:
            return  # somebody has made one in this very second
        except (CopyError, DamagedDatabaseError, DifferentCopyError, NoDatabaseError) as error:
            folder, why = self._nightly.folder, error.advice
            log.error("Backup in %s: %s The next try is in an hour.", folder, why)  # noqa: TRY400 - no traceback
        else:
            if made is not None:
                file, rows = made.copied.file, made.copied.rows
                log.info("%s is there, whole, rows: %d", file, rows)
