"""A player who is to be forgotten leaves all challenges."""

from bot.services.mastermind.model import Ending, Kind, Stage
from bot.services.mastermind.transactions import Visit, game_of
from bot.storage import masterminds


async def leave_all(visit: Visit, player_id: int) -> int:
    """End the challenges of a player; one whose code another breaks goes on, for that player.

    Returns:
        How many challenges that were.
    """
    left = 0
    for row in await masterminds.open_of(visit.tx, player_id, visit.now):
        if row.kind != Kind.CHALLENGE:
            continue
        is_maker, stage = row.owner_id == player_id, game_of(row).stage
        if stage is Stage.INVITED:
            await visit.move(row, ending=Ending.WITHDRAWN if is_maker else Ending.DECLINED)
        elif not is_maker:
            await visit.move(row, ending=Ending.RESIGNED)
        else:
            continue
        left += 1
    return left
