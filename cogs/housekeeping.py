"""What the bot does without being asked."""

import logging

from discord.ext import commands, tasks

from bot.services.heartbeat import BEAT_SECONDS, Heartbeat
from bot.storage.errors import ClosingError

log = logging.getLogger(__name__)


class HousekeepingCog(commands.Cog):
    """Writes the heartbeat that outages are told by, once a minute while connected."""

    def __init__(self, heartbeat: Heartbeat) -> None:
        self._heartbeat = heartbeat
        self._is_connected = False

    async def cog_load(self) -> None:
        """Begin."""
        self.beat.start()

    async def cog_unload(self) -> None:
        """End."""
        self.beat.cancel()

    @tasks.loop(seconds=BEAT_SECONDS)
    async def beat(self) -> None:
        """Write it, if Discord can be heard."""
        if self._is_connected:
            await self._beat()

    async def _beat(self) -> None:
        """Write it; what fails, a busy database say, must not stop the beats to come."""
        try:
            await self._heartbeat.beat()
        except ClosingError:
            self.beat.cancel()
        except Exception:
            log.exception("no heartbeat this time")

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """The first beat tells how long the bot was away."""
        self._is_connected = True
        await self._beat()

    @commands.Cog.listener()
    async def on_resumed(self) -> None:
        """Connected again."""
        self._is_connected = True

    @commands.Cog.listener()
    async def on_disconnect(self) -> None:
        """Discord cannot be heard."""
        self._is_connected = False
