"""What can be refused around standings: facts without sentences."""

from bot.services.base.errors import ServiceError


class StatsHiddenError(ServiceError):
    """Somebody else's statistics, who chose to be hidden; `player_id` is whose."""

    def __init__(self, player_id: int) -> None:
        super().__init__("hidden player")
        self.player_id = player_id


class StatsOfStrangerError(ServiceError):
    """Statistics of somebody with whom who asks shares no server; `player_id` is whose."""

    def __init__(self, player_id: int) -> None:
        super().__init__("no common server")
        self.player_id = player_id
