"""Plays of the daily, their guesses, and where they were shared."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select, update

from bot.storage.database import Transaction
from bot.storage.schema import guesses, plays, puzzles, shares


@dataclass(frozen=True, slots=True)
class PlayRow:
    """A play, its puzzle, and its guesses in order; all codes in notation."""

    id: int
    player_id: int
    guild_id: int | None
    zone: str
    opened_at: datetime
    finished_at: datetime | None
    number: int
    length: int
    rules: str
    secret: str
    guesses: tuple[str, ...]


_PLAY = select(
    plays.c.id,
    plays.c.player_id,
    plays.c.guild_id,
    plays.c.zone,
    plays.c.opened_at,
    plays.c.finished_at,
    puzzles.c.number,
    puzzles.c.length,
    puzzles.c.rules,
    puzzles.c.secret,
).join_from(plays, puzzles)


async def get(tx: Transaction, play_id: int) -> PlayRow | None:
    """A play by its id."""
    row = (await tx.execute(_PLAY.where(plays.c.id == play_id))).mappings().one_or_none()
    if row is None:
        return None
    query = select(guesses.c.code).where(guesses.c.play_id == play_id).order_by(guesses.c.turn)
    codes = tuple((await tx.scalars(query)).all())
    return PlayRow(**row, guesses=codes)


async def find_id(tx: Transaction, puzzle_id: int, player_id: int) -> int | None:
    """The id of a player's play of a puzzle, if there is one."""
    query = select(plays.c.id).where(plays.c.puzzle_id == puzzle_id, plays.c.player_id == player_id)
    return await tx.scalar(query)


async def add(
    tx: Transaction,
    *,
    puzzle_id: int,
    player_id: int,
    guild_id: int | None,
    zone: str,
    opened_at: datetime,
) -> int:
    """Open a play; returns its id."""
    values = {
        "puzzle_id": puzzle_id,
        "player_id": player_id,
        "guild_id": guild_id,
        "zone": zone,
        "opened_at": opened_at,
    }
    result = await tx.execute(insert(plays).values(values).returning(plays.c.id))
    return result.scalar_one()


async def add_guess(
    tx: Transaction, play_id: int, *, turn: int, code: str, guessed_at: datetime
) -> None:
    """Append a guess as the given 0-based turn."""
    values = {"play_id": play_id, "turn": turn, "code": code, "guessed_at": guessed_at}
    await tx.execute(insert(guesses).values(values))


async def finish(tx: Transaction, play_id: int, *, outcome: str, finished_at: datetime) -> None:
    """Record how and when a play ended."""
    change = update(plays).where(plays.c.id == play_id)
    await tx.execute(change.values(outcome=outcome, finished_at=finished_at))


async def is_shared(tx: Transaction, play_id: int, channel_id: int) -> bool:
    """Whether a play's result was posted to a channel."""
    query = select(shares.c.play_id).where(
        shares.c.play_id == play_id, shares.c.channel_id == channel_id
    )
    return await tx.scalar(query) is not None


async def add_share(tx: Transaction, play_id: int, channel_id: int, *, shared_at: datetime) -> None:
    """Note that a play's result is posted to a channel."""
    values = {"play_id": play_id, "channel_id": channel_id, "shared_at": shared_at}
    await tx.execute(insert(shares).values(values))


async def remove_share(tx: Transaction, play_id: int, channel_id: int) -> None:
    """Forget a post that did not happen."""
    await tx.execute(
        delete(shares).where(shares.c.play_id == play_id, shares.c.channel_id == channel_id)
    )
