"""What is known of a duel's players besides the duel, as boards show it."""

from collections.abc import Mapping

from bot.db.database import Transaction
from bot.duels.game import after_deletion, rating
from bot.duels.game.views import Standing
from bot.duels.model.transitions import PLAYED, State
from bot.duels.store.duels import DuelRow
from bot.games.model.rivals import SharedDailies
from bot.leaderboards.game.shared import shared_dailies
from bot.people.model.faces import Face
from bot.people.store import invitations, members
from bot.ratings.model.ratings import HeadToHead, Stake
from bot.ratings.store import pairs, ratings
from bot.stand_ins import is_forgotten


async def standing_of(tx: Transaction, row: DuelRow) -> Standing:
    """What is known of a duel's players; no ratings while it is played."""
    seated = (seat.player_id for seat in row.seats)
    ids = [player for player in seated if player is not None and not is_forgotten(player)]
    is_played, is_over = row.state == State.PLAYING, row.finished_at is not None
    is_invited = row.state == State.INVITED
    changes = await ratings.of_duel(tx, row.id) if is_over else []
    share = await _share(tx, row) if is_invited and row.rated else 1
    return Standing(
        ratings={} if is_played else await rating.ratings_of(tx, ids),
        changes={change.player_id: change for change in changes},
        head_to_head=await _head_to_head(tx, row) if is_over or is_invited else None,
        shared=await _shared(tx, row) if is_invited else None,
        share=share,
        stakes=await _stakes(tx, row, share) if is_invited and row.rated else {},
        is_rematch=row.rematch_of is not None
        and (row.finished_at is None or row.accepted_at is None)
        and await invitations.is_rematch(tx, row.id),
        face=await _face(tx, row),
    )


async def _face(tx: Transaction, row: DuelRow) -> Face | None:
    """The face of whom a board is about: who challenges, or has won."""
    player_id = row.challenger_id if row.state == State.INVITED else None
    if row.winner is not None:
        player_id = row.seats[row.winner].player_id
    return None if player_id is None else await members.face(tx, player_id)


async def _head_to_head(tx: Transaction, row: DuelRow) -> HeadToHead | None:
    pair = _pair(row)
    return None if pair is None else await pairs.record(tx, *pair, PLAYED)


async def _shared(tx: Transaction, row: DuelRow) -> SharedDailies | None:
    """How their dailies went as of the challenge."""
    pair = _pair(row)
    return None if pair is None else await shared_dailies(tx, *pair, row.opened_at)


async def _share(tx: Transaction, row: DuelRow) -> int:
    """The n of 1/n that this duel moves ratings, as of the challenge."""
    pair = _pair(row)
    if pair is None:
        return 1
    duels, _ = await after_deletion.count_between(tx, *pair, row.opened_at)
    return 1 + duels


async def _stakes(tx: Transaction, row: DuelRow, share: int) -> Mapping[int, Stake]:
    """What this duel would make of both ratings, as of the challenge."""
    pair = _pair(row)
    if pair is None:
        return {}
    return dict(zip(pair, await rating.stakes(tx, pair, share), strict=True))


def _pair(row: DuelRow) -> tuple[int, int] | None:
    """Both players by seat, the challenger first while their order is not to be seen."""
    first, second = (seat.player_id for seat in row.seats)
    if first is None or second is None:
        return None
    is_turned = row.state == State.INVITED and row.challenger_id == second
    return (second, first) if is_turned else (first, second)
