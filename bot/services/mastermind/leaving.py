"""Ends all challenges of a player whose data are about to be deleted."""

from bot.services.mastermind.model import Ending, Kind, Stage
from bot.services.mastermind.transactions import MastermindTransaction, game_of
from bot.storage import masterminds


async def leave_all(work: MastermindTransaction, player_id: int) -> int:
    """End the challenges of a player; one whose code another breaks goes on, for that player.

    Returns:
        How many challenges that were.
    """
    left = 0
    for row in await masterminds.open_of(work.tx, player_id, work.now):
        if row.kind != Kind.CHALLENGE:
            continue
        is_maker, stage = row.owner_id == player_id, game_of(row).stage
        if stage is Stage.INVITED:
            await work.move(row, ending=Ending.WITHDRAWN if is_maker else Ending.DECLINED)
        elif not is_maker:
            await work.move(row, ending=Ending.RESIGNED)
        else:
            continue
        left += 1
    return left
