"""What a deletion does not reset: a rating, and how often two players have met, for seven days.

Else whoever loses could delete their data and lose again as somebody new. What is kept names
nobody: it lies under digests of a player or of two, with a salt that all deletions of a date
share, so that a digest is found by an index, and that goes with the last of them. Who has the
database and the ids at hand can check whether something is kept for them; nobody can read an id.
"""

import hashlib
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from bot.db.database import Transaction
from bot.duels.model.duel import REMEMBERED_FOR
from bot.duels.model.transitions import State
from bot.duels.store import duels
from bot.duels.store.duels import DuelRow
from bot.ratings.store import kept, ratings

_SALT_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Memory:
    """What a deletion would leave for seven days.

    Attributes:
        rating: whether there is a rating to be kept.
        opponents: of how many pairs the number of rated duels is to be kept.
    """

    rating: bool
    opponents: int


async def remembered(
    tx: Transaction, player_id: int, unfinished: Collection[DuelRow], now: datetime
) -> Memory:
    """What a deletion would leave, now that these duels of the player are not ended."""
    met = {row.opponent_id for row in await ratings.met_since(tx, player_id, now - REMEMBERED_FOR)}
    for row in unfinished:
        if row.rated and row.state == State.PLAYING:  # it counts as soon as it ends
            met |= {seat.player_id or 0 for seat in row.seats} - {player_id}
    has_rating = await ratings.get(tx, player_id) is not None
    return Memory(has_rating or bool(met), len(met))


async def keep(tx: Transaction, player_id: int, now: datetime) -> None:
    """Keep what must not begin anew for a player who is about to be forgotten, in no duel."""
    rating = await ratings.get(tx, player_id)
    met = await ratings.met_since(tx, player_id, now - REMEMBERED_FOR)
    if rating is None and not met:
        return
    salt = await _salt_of_today(tx, now)
    if rating is not None:
        await kept.put_rating(tx, _digest(salt, player_id), rating, now + REMEMBERED_FOR)
    for row in met:
        digest = _digest(salt, player_id, row.opponent_id)
        await kept.add_pair(tx, digest, row.duels, row.last_at)


async def give_back(tx: Transaction, player_id: int, at: datetime) -> None:
    """Let a player who has ended a rated duel have the rating again that is kept, if one is."""
    if await ratings.get(tx, player_id) is not None:
        return
    digests = await _digests(tx, player_id)
    rating = await kept.find_rating(tx, digests, at) if digests else None
    if rating is not None:
        await ratings.give_back(tx, player_id, rating, at)
        await kept.drop(tx, digests)


async def count_between(
    tx: Transaction, player_id: int, other_id: int, at: datetime
) -> tuple[int, int]:
    """How many rated duels two players have had in the seven days before an instant.

    And how many without short ones, though of those that a deletion leaves all are taken.
    """
    since = at - REMEMBERED_FOR
    duels, played = await ratings.count_between(tx, player_id, other_id, since)
    digests = await _digests(tx, player_id, other_id)
    more = await kept.count_duels(tx, digests, since) if digests else 0
    return duels + more, played + more


async def let_go(tx: Transaction, player_id: int) -> None:
    """Keep nothing any more of a player who is forgotten.

    What was kept of a pair whose other player is forgotten as well cannot be told to be theirs.
    """
    salts = (await kept.salts(tx)).values()
    others = await duels.players(tx) if salts else []
    pairs = [(player_id,), *((player_id, other_id) for other_id in others)]
    for salt in salts:
        await kept.drop(tx, [_digest(salt, *ids) for ids in pairs])


async def purge(tx: Transaction, now: datetime) -> None:
    """Keep nothing longer than it is needed."""
    since = now - REMEMBERED_FOR
    await kept.purge(tx, now, last_before=since, day_before=since.astimezone(UTC).date())


async def _salt_of_today(tx: Transaction, now: datetime) -> str:
    today = now.astimezone(UTC).date()
    salt = (await kept.salts(tx)).get(today)
    if salt is None:
        salt = secrets.token_hex(_SALT_BYTES)
        await kept.add_salt(tx, today, salt)
    return salt


async def _digests(tx: Transaction, *player_ids: int) -> list[str]:
    """Under what something may be kept of a player, or of two."""
    return [_digest(salt, *player_ids) for salt in (await kept.salts(tx)).values()]


def _digest(salt: str, *player_ids: int) -> str:
    text = ":".join([salt, *map(str, sorted(player_ids))])
    return hashlib.sha256(text.encode()).hexdigest()
