"""Running messages, whose results are in them, and who shares always."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Select, delete, func, insert, select, true, union, update

from bot.dailies import PuzzleName
from bot.db.database import Transaction
from bot.db.keyed import Agenda, Keyed, columns_of
from bot.db.once import once
from bot.db.tables import (
    always_shares,
    guesses,
    guilds,
    hints,
    plays,
    puzzles,
    running_messages,
    running_rows,
)
from bot.games.store.assisted import LEAST_POINTS
from bot.people.store.preferences import hides
from bot.posts.model.running import AlwaysShare, RunningMessage

messages: Final = Keyed[RunningMessage, int](RunningMessage, running_messages)
"""Running messages by their ids."""

agenda: Final = Agenda(running_messages.c.look_at)
"""The messages to look at now."""

always: Final = Keyed[AlwaysShare, int, int](AlwaysShare, always_shares)
"""Who shares always, by player and server."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A finished play whose marks are shown to everybody."""

    player_id: int
    play_id: int
    solved: bool
    hard: bool
    guesses: int
    hints: int
    least: int


async def find(tx: Transaction, guild_id: int, puzzle: PuzzleName) -> int | None:
    """The id of a puzzle's message in a server, if there is one; the first of those of before."""
    query = select(running_messages.c.id).where(
        running_messages.c.guild_id == guild_id,
        running_messages.c.number == puzzle.number,
        running_messages.c.length == puzzle.length,
    )
    return await tx.scalar(query.order_by(running_messages.c.id).limit(1))


async def add(tx: Transaction, message: RunningMessage) -> int:
    """Add a message of which there is none yet; returns its id."""
    added = insert(running_messages).values(asdict(message)).returning(running_messages.c.id)
    return (await tx.execute(added)).scalar_one()


async def last_drawn(tx: Transaction, channel_id: int) -> datetime | None:
    """When any running message of a channel was last sent or edited."""
    drawn = select(func.max(running_messages.c.drawn_at))
    return await tx.scalar(drawn.where(running_messages.c.channel_id == channel_id))


async def enter(
    tx: Transaction, running_id: int, player_id: int, *, guild_id: int, entered_at: datetime
) -> bool:
    """Put a player into a message; whether they were not in it."""
    if await _has(tx, running_id, player_id):
        return False
    values = {
        "running_id": running_id,
        "player_id": player_id,
        "guild_id": guild_id,
        "entered_at": entered_at,
    }
    await tx.execute(insert(running_rows).values(values))
    return True


async def leave(
    tx: Transaction, player_id: int, now: datetime, *, guild_id: int | None = None
) -> None:
    """Take a player out of all messages, or of a server's; these are to be drawn anew."""
    mine = [running_rows.c.player_id == player_id]
    if guild_id is not None:
        mine.append(running_rows.c.guild_id == guild_id)
    left = (await tx.scalars(select(running_rows.c.running_id).where(*mine))).all()
    if not left:
        return
    await tx.execute(delete(running_rows).where(*mine))
    change = update(running_messages).where(running_messages.c.id.in_(left))
    await tx.execute(change.values(version=running_messages.c.version + 1, look_at=now))


async def empty(tx: Transaction, running_id: int) -> None:
    """Forget whose results were in a message."""
    await tx.execute(delete(running_rows).where(running_rows.c.running_id == running_id))


async def drop(tx: Transaction, running_id: int) -> None:
    """Forget a message and whose results were in it."""
    await empty(tx, running_id)
    await messages.drop(tx, running_id)


async def count(tx: Transaction, running_id: int) -> int:
    """How many are in a message."""
    rows = select(func.count()).select_from(running_rows)
    return await tx.scalar(rows.where(running_rows.c.running_id == running_id)) or 0


async def results(tx: Transaction, running_id: int, puzzle: PuzzleName) -> list[ResultRow]:
    """The finished plays of all who are in a message, who entered first first."""
    entered = (
        _results(puzzle)
        .join(running_rows, running_rows.c.player_id == plays.c.player_id)
        .where(running_rows.c.running_id == running_id)
        .order_by(running_rows.c.entered_at, running_rows.c.player_id)
    )
    return [ResultRow(*row) for row in await tx.execute(entered)]


async def results_of(
    tx: Transaction, player_ids: Collection[int], puzzle: PuzzleName
) -> list[ResultRow]:
    """Some players' finished plays of a puzzle."""
    theirs = _results(puzzle).where(plays.c.player_id.in_(player_ids))
    return [ResultRow(*row) for row in await tx.execute(theirs.order_by(plays.c.player_id))]


def _results(puzzle: PuzzleName) -> Select[Any]:
    made = select(func.count()).where(guesses.c.play_id == plays.c.id).scalar_subquery()
    taken = select(func.count()).where(hints.c.play_id == plays.c.id).scalar_subquery()
    return (
        select(
            *columns_of(
                ResultRow,
                plays,
                play_id=plays.c.id,
                solved=plays.c.outcome == "solved",
                guesses=made,
                hints=taken,
                least=LEAST_POINTS,
            )
        )
        .select_from(plays)
        .join(puzzles, puzzles.c.id == plays.c.puzzle_id)
        .where(
            puzzles.c.number == puzzle.number,
            puzzles.c.length == puzzle.length,
            plays.c.finished_at.is_not(None),
        )
    )


async def codes(tx: Transaction, play_ids: Collection[int]) -> dict[int, list[str]]:
    """What was guessed in some plays, in order."""
    found: dict[int, list[str]] = {play_id: [] for play_id in play_ids}
    query = (
        select(guesses.c.play_id, guesses.c.code)
        .where(guesses.c.play_id.in_(play_ids))
        .order_by(guesses.c.play_id, guesses.c.turn)
    )
    for row in await tx.execute(query):
        found[row.play_id].append(row.code)
    return found


async def channels_of(tx: Transaction, guild_id: int) -> list[int]:
    """The channels in which a server has messages that run, or in which somebody shares always."""
    run = select(running_messages.c.channel_id).where(
        running_messages.c.guild_id == guild_id, running_messages.c.closed_at.is_(None)
    )
    always = select(always_shares.c.channel_id).where(always_shares.c.guild_id == guild_id)
    return sorted((await tx.scalars(union(run, always))).all())


async def always_of(tx: Transaction, player_id: int) -> list[tuple[int, int]]:
    """The servers in which a player shares always, each with the channel."""
    query = (
        select(always_shares.c.guild_id, always_shares.c.channel_id)
        .where(always_shares.c.player_id == player_id)
        .order_by(always_shares.c.chosen_at, always_shares.c.guild_id)
    )
    return [(row.guild_id, row.channel_id) for row in await tx.execute(query)]


async def always_no_more(tx: Transaction, player_id: int, guild_ids: Collection[int]) -> None:
    """Let a player share always no more in some servers."""
    await tx.execute(
        delete(always_shares).where(
            always_shares.c.player_id == player_id, always_shares.c.guild_id.in_(guild_ids)
        )
    )


async def goes_to(tx: Transaction, player_id: int, guild_id: int) -> int | None:
    """The channel to which a player's daily goes by itself.

    None if the player has not chosen it or is hidden, or the server has no such messages.
    """
    return await tx.scalar(*_goes_to(player_id, guild_id))


@once
def _goes_to(player_id: int, guild_id: int) -> Select[int]:
    return (
        select(always_shares.c.channel_id)
        .outerjoin(guilds, guilds.c.guild_id == always_shares.c.guild_id)
        .where(
            always_shares.c.player_id == player_id,
            always_shares.c.guild_id == guild_id,
            func.coalesce(guilds.c.todays_card, true()),
            ~hides(player_id),
        )
    )


async def _has(tx: Transaction, running_id: int, player_id: int) -> bool:
    query = select(running_rows.c.player_id).where(
        running_rows.c.running_id == running_id, running_rows.c.player_id == player_id
    )
    return await tx.scalar(query) is not None
