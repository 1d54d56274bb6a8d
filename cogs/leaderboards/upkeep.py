"""The loop that keeps leaderboards right by the clock."""

from discord.ext import tasks

from cogs.ui.timed import TimedCog


class UpkeepCog(TimedCog):
    """Once a minute, takes ended streaks off leaderboards and rebuilds queued rows.

    In a loop of its own: when thousands end at one midnight, the heartbeat must not wait.
    """

    @tasks.loop(minutes=1)
    async def settle(self) -> None:
        """Do all that is due, a few players at a time; what fails now is tried again."""
        await self._hearing.until_begun()
        await self._attempt("standings", self._settle())

    async def _settle(self) -> None:
        while await self._services.upkeep.settle():
            pass
