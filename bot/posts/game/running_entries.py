"""Who is in a running message: by their own press, or because they share always."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.clock import Clock
from bot.dailies import PuzzleName, number_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle.store import plays
from bot.leaderboards.game.calendars import Calendars
from bot.people.store import preferences
from bot.posts.game.post_planning import read_choice
from bot.posts.game.running_content import rank
from bot.posts.game.running_life import BETWEEN_EDITS, changed
from bot.posts.model.errors import RunningDeletedError
from bot.posts.model.running import AlwaysShare, RunningMessage
from bot.posts.store import running
from bot.refused import NotFinishedError

MOST_RANKED: Final = 100
"""Among more, nobody is told their rank after sharing: working it out for each would take long."""


@dataclass(frozen=True, slots=True)
class RunningPlace:
    """Where a player stands in a running message.

    Attributes:
        guild_id: the server.
        channel_id: the channel.
        message_id: the message; None while it is not posted.
        rank: the player's; None if they are not in it, or very many are.
        total: how many are in it.
        is_always: whether the player shares always there.
        is_hidden: whether the player is hidden, so that only their own press brings them in.
    """

    guild_id: int
    channel_id: int
    message_id: int | None
    rank: int | None
    total: int
    is_always: bool
    is_hidden: bool


class RunningEntries:
    """Use cases of sharing in a running message; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def enter(
        self,
        player_id: int,
        puzzle: PuzzleName,
        guild_id: int,
        channel_id: int,
        *,
        by_itself: bool = False,
    ) -> int | None:
        """Put a player's result into the running message of a server, if it is in this channel.

        The first one opens it. Only puzzles of a date that has not ended there go into one: what
        has closed stays as it is, and no date begins before it has.

        Args:
            player_id: who shares.
            puzzle: which daily.
            guild_id: the server.
            channel_id: the channel or thread.
            by_itself: whether nobody has pressed anything; then as the player has chosen.

        Returns:
            The message's id; None if there is no such message for this result, or elsewhere.

        Raises:
            NotFinishedError: the player has not finished it.
            RunningDeletedError: others have deleted the message.
        """
        async with self._database.transaction(keys.server(guild_id)) as tx:
            now = self._clock.now()
            closes_at = await _closes_at(tx, guild_id, puzzle, now)
            if closes_at is None:
                return None
            if by_itself and await running.goes_to(tx, player_id, guild_id) != channel_id:
                return None
            states = await plays.outcomes(tx, player_id, [puzzle.number], puzzle.length)
            if states.get(puzzle.number) is None:
                raise NotFinishedError
            found = await _find_or_add(tx, guild_id, channel_id, puzzle, closes_at)
            if found is None:
                return None
            running_id, message = found
            is_new = await running.enter(
                tx, running_id, player_id, guild_id=guild_id, entered_at=now
            )
            # Who presses again looks whether it is there still.
            if is_new or (message.message_id is not None and _may_be_drawn(message, now)):
                await running.messages.put(tx, changed(message, now), running_id)
        return running_id

    async def place(self, running_id: int, player_id: int) -> RunningPlace | None:
        """Where a player stands in a message; None if it is forgotten.

        Raises:
            RunningDeletedError: others have deleted it.
        """
        async with self._database.reading() as tx:
            message = await running.messages.get(tx, running_id)
            if message is None:
                return None
            if message.deleted_at is not None:
                raise RunningDeletedError
            total, ranks = await running.count(tx, running_id), dict[int, int]()
            if total <= MOST_RANKED:
                results = await running.results(tx, running_id, message.puzzle)
                ranks = {row.player_id: number for number, row in rank(results)}
            always = await running.always.get(tx, player_id, message.guild_id)
            is_hidden = await preferences.is_hidden(tx, player_id)
        return RunningPlace(
            message.guild_id,
            message.channel_id,
            message.message_id,
            rank=ranks.get(player_id),
            total=total,
            is_always=always is not None and always.channel_id == message.channel_id,
            is_hidden=is_hidden,
        )

    async def share_always(self, player_id: int, guild_id: int, channel_id: int) -> None:
        """Let a player's dailies of a server go into a channel's message by themselves."""
        async with self._database.transaction(keys.player(player_id)) as tx:
            choice = AlwaysShare(channel_id, self._clock.now())
            await running.always.put(tx, choice, player_id, guild_id)


async def _closes_at(
    tx: Transaction, guild_id: int, puzzle: PuzzleName, now: datetime
) -> datetime | None:
    """When a puzzle's message closes in a server; None if it has none, or not now."""
    choice = await read_choice(tx, guild_id)
    if not choice.todays_card:
        return None
    calendars = await Calendars.read(tx, [guild_id])
    if puzzle.number > number_of(calendars.date_of(guild_id, now)):
        return None
    deadline = calendars.deadline(guild_id, puzzle.day)
    if deadline is None:
        return None
    return deadline.finished_before if now < deadline.finished_before else None


async def _find_or_add(
    tx: Transaction, guild_id: int, channel_id: int, puzzle: PuzzleName, closes_at: datetime
) -> tuple[int, RunningMessage] | None:
    """A server's message with its id, if it is in this channel and runs.

    Raises:
        RunningDeletedError: others have deleted it.
    """
    running_id = await running.find(tx, guild_id, puzzle)
    found = None if running_id is None else await running.messages.get(tx, running_id)
    if running_id is not None and found is not None:
        if found.channel_id != channel_id or found.closed_at is not None:
            return None
        if found.deleted_at is not None:
            raise RunningDeletedError
        return running_id, found
    message = RunningMessage(
        guild_id=guild_id,
        channel_id=channel_id,
        number=puzzle.number,
        length=puzzle.length,
        closes_at=closes_at,
        look_at=closes_at,
    )
    return await running.add(tx, message), message


def _may_be_drawn(message: RunningMessage, now: datetime) -> bool:
    """Whether the last edit was long enough ago."""
    return message.drawn_at is None or now >= message.drawn_at + BETWEEN_EDITS
