"""What can be refused around standings."""

from bot.services.base.errors import Refused


class StatsHiddenError(Refused):
    """Statistics of somebody else, who chose to be hidden."""

    player_id: int


class StatsOfStrangerError(Refused):
    """Statistics of somebody with whom who asks shares no server."""

    player_id: int
