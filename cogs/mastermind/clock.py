"""What happens to challenges by themselves: they lapse, and their boards are brought up to date."""

from discord.ext import tasks

from cogs.mastermind.guess import publish
from cogs.ui.timed import TimedCog


class MastermindClockCog(TimedCog):
    """Once a minute, edits public boards that are behind.

    In a loop of its own: Discord may let edits wait for minutes, and a heartbeat that waits with
    them would look like an outage.
    """

    @tasks.loop(minutes=1)
    async def publish(self) -> None:
        """Show on public boards what they do not show yet, if Discord can be heard."""
        if self._hearing.heard:
            await self._attempt("boards", self._publish())

    @publish.before_loop
    async def _until_begun(self) -> None:
        """Begin at once when the first servers are known."""
        await self._hearing.until_begun()

    async def _publish(self) -> None:
        """End challenges that have lapsed, and show that, with what could not be shown before."""
        mastermind = self._services.mastermind
        await mastermind.games.sweep()
        async for game in mastermind.games.unshown():
            work = publish(self._client, mastermind.challenges, game)
            await self._attempt(f"board of mastermind {game.id}", work)
