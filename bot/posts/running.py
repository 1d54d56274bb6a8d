"""Today's card: who is in it, what it shows, its life at Discord."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final

from bot.clock import Clock, PuzzleName, number_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle import store as focdle_store
from bot.games.game import LEASE, NONCE_LASTS, nonce
from bot.games.model import points_for
from bot.leaderboards.game import Calendars, deadline_of
from bot.leaderboards.scores import FocdleFigures
from bot.outages import ALL, ShardRange
from bot.people import store as people_store
from bot.people.model import Face
from bot.posts import store
from bot.posts.model import AlwaysShare, RunningDeletedError, RunningMessage
from bot.posts.plans import read_choice
from bot.posts.store import ResultRow
from bot.refused import NotFinishedError
from engine import Code, Focdle, Marks

BETWEEN_EDITS: Final = timedelta(seconds=5)
"""How far apart edits in a channel are: changes in between are collected."""

KEPT: Final = timedelta(days=7)
"""How long after it has closed a message can lose who hides, deletes their data or goes."""


class Step(Enum):
    """What is to be done at Discord."""

    POST = "post"
    """Send the message, with its nonce."""
    LOOK = "look"
    """Look whether it is there already."""
    EDIT = "edit"
    """Let the message show what it is to show."""
    DELETE = "delete"
    """Delete a message that nobody is in any more."""


def changed(message: RunningMessage, now: datetime) -> RunningMessage:
    """A message that is to be drawn anew."""
    return rested(replace(message, version=message.version + 1), now)


def closed(message: RunningMessage, now: datetime) -> RunningMessage:
    """A message whose date has ended: it is drawn as such."""
    return replace(message, closed_at=now, version=message.version + 1)


def begun(message: RunningMessage, step: Step, now: datetime) -> RunningMessage:
    """A message at which somebody is from now on."""
    if step is Step.POST:
        message = replace(message, claimed_at=message.claimed_at or now)
    if step in {Step.POST, Step.EDIT}:
        message = replace(message, drawn_at=now)
    return rested(replace(message, tried_at=now), now)


def is_over(message: RunningMessage, now: datetime, *, is_empty: bool) -> bool:
    """Whether a message can be forgotten: nothing of it is at Discord, or it has long closed."""
    if message.deleted_at is not None:
        return message.closed_at is not None
    if message.closed_at is not None and now >= message.closed_at + KEPT:
        return True
    return is_empty and message.message_id is None and message.claimed_at is None


def next_step(message: RunningMessage, now: datetime, *, is_empty: bool) -> Step | None:
    """What is to be done about a message that nobody is at and that is not over; None for nothing.

    Args:
        message: the message.
        now: the present instant.
        is_empty: whether nobody is in it.
    """
    if message.deleted_at is not None:
        return None
    if message.message_id is None:
        claimed_at = message.claimed_at
        is_remembered = claimed_at is None or now <= claimed_at + NONCE_LASTS
        return Step.POST if is_remembered and not is_empty else Step.LOOK
    if is_empty:
        return Step.DELETE
    return Step.EDIT if message.shown < message.version else None


def rested(message: RunningMessage, now: datetime) -> RunningMessage:
    """A message that is looked at when there is something to do next."""
    return replace(message, look_at=_next_look(message, now))


def _next_look(message: RunningMessage, now: datetime) -> datetime:
    if message.tried_at is not None:
        return message.tried_at + LEASE
    if message.deleted_at is None:
        if message.message_id is None:
            return now
        if message.shown < message.version:
            return now if message.drawn_at is None else max(now, message.drawn_at + BETWEEN_EDITS)
    return message.closes_at if message.closed_at is None else message.closed_at + KEPT


MOST_ROWS: Final = 24


@dataclass(frozen=True, slots=True)
class RunningRow:
    """A result that everybody sees, in marks alone.

    Attributes:
        rank: 1 for the best; results that the leaderboard would not tell apart share one.
        player_id: whose it is.
        name: what they are called in the server; empty if that was never seen.
        max_guesses: how many guesses there might have been.
        is_solved: whether the puzzle was solved.
        is_hard: whether it was played in hard mode.
        hints: how many were taken.
        turns: the marks of each guess.
        face: the player's face, if it is known.
    """

    rank: int
    player_id: int
    name: str
    max_guesses: int
    is_solved: bool
    is_hard: bool
    hints: int
    turns: tuple[Marks, ...]
    face: Face | None = None

    @property
    def is_best(self) -> bool:
        """Whether nobody was better."""
        return self.is_solved and self.rank == 1


@dataclass(frozen=True, slots=True)
class RunningContent:
    """What a running message shows.

    Attributes:
        puzzle: the puzzle.
        total: how many results there are.
        rows: the best of them.
        is_closed: whether its date has ended.
    """

    puzzle: PuzzleName
    total: int
    rows: tuple[RunningRow, ...]
    is_closed: bool = False


def read_content(tx: Transaction, running_id: int, message: RunningMessage) -> RunningContent:
    """What a message is to show now."""
    name = message.puzzle
    ranked = rank(store.results(tx, running_id, name))
    rows = rows_of(tx, message.guild_id, name, ranked[:MOST_ROWS])
    return RunningContent(name, len(ranked), rows, is_closed=message.closed_at is not None)


def rows_of(
    tx: Transaction, guild_id: int, name: PuzzleName, ranked: Sequence[tuple[int, ResultRow]]
) -> tuple[RunningRow, ...]:
    """Results of a puzzle, each with its rank, as the members of a server may see them."""
    puzzle = focdle_store.find_puzzle(tx, name.number, name.length)
    if puzzle is None:
        return ()
    rules, secret = Focdle.decode(puzzle.rules), Code(puzzle.secret)
    names = people_store.names_in(tx, guild_id, [row.player_id for _, row in ranked])
    faces = people_store.faces(tx, [row.player_id for _, row in ranked])
    codes = store.codes(tx, [row.play_id for _, row in ranked])
    return tuple(
        RunningRow(
            number,
            row.player_id,
            names[row.player_id].name if row.player_id in names else "",
            rules.max_guesses,
            is_solved=row.solved,
            is_hard=row.hard,
            hints=row.hints,
            turns=tuple(rules.feedback(Code(code), secret) for code in codes[row.play_id]),
            face=faces.get(row.player_id),
        )
        for number, row in ranked
    )


def rank(results: Sequence[ResultRow]) -> list[tuple[int, ResultRow]]:
    """Results in the order of the day's leaderboard, each with its rank; of equals the first in."""
    ranked: list[tuple[int, ResultRow]] = []
    last = None
    for place, row in enumerate(sorted(results, key=_key), 1):
        number = ranked[-1][0] if ranked and _key(row) == last else place
        ranked.append((number, row))
        last = _key(row)
    return ranked


def _key(row: ResultRow) -> int:
    points = points_for(solved=row.solved, guesses=row.guesses, hints=row.hints, least=row.least)
    is_assisted = row.solved and row.hints > 0
    figures = FocdleFigures(points, int(row.solved), row.guesses, 1, int(is_assisted))
    return figures.sort_key or 0


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

        def body(tx: Transaction) -> int | None:
            now = self._clock.now()
            closes_at = _closes_at(tx, guild_id, puzzle, now)
            if closes_at is None:
                return None
            if by_itself and focdle_store.goes_to(tx, player_id, guild_id) != channel_id:
                return None
            states = focdle_store.outcomes(tx, player_id, [puzzle.number], puzzle.length)
            if states.get(puzzle.number) is None:
                raise NotFinishedError
            found = _find_or_add(tx, guild_id, channel_id, puzzle, closes_at)
            if found is None:
                return None
            running_id, message = found
            is_new = store.enter(tx, running_id, player_id, guild_id=guild_id, entered_at=now)
            # Who presses again looks whether it is there still.
            if is_new or (message.message_id is not None and _may_be_drawn(message, now)):
                store.messages.put(tx, changed(message, now), running_id)
            return running_id

        return await self._database.write(body, keys.server(guild_id))

    async def place(self, running_id: int, player_id: int) -> RunningPlace | None:
        """Where a player stands in a message; None if it is forgotten.

        Raises:
            RunningDeletedError: others have deleted it.
        """

        def body(tx: Transaction) -> RunningPlace | None:
            message = store.messages.get(tx, running_id)
            if message is None:
                return None
            if message.deleted_at is not None:
                raise RunningDeletedError
            total, ranks = store.count(tx, running_id), dict[int, int]()
            if total <= MOST_RANKED:
                results = store.results(tx, running_id, message.puzzle)
                ranks = {row.player_id: number for number, row in rank(results)}
            always = store.always.get(tx, player_id, message.guild_id)
            is_hidden = people_store.is_hidden(tx, player_id)
            return RunningPlace(
                message.guild_id,
                message.channel_id,
                message.message_id,
                rank=ranks.get(player_id),
                total=total,
                is_always=always is not None and always.channel_id == message.channel_id,
                is_hidden=is_hidden,
            )

        return await self._database.read(body)

    async def share_always(self, player_id: int, guild_id: int, channel_id: int) -> None:
        """Let a player's dailies of a server go into a channel's message by themselves."""

        def body(tx: Transaction) -> None:
            choice = AlwaysShare(channel_id, self._clock.now())
            store.always.put(tx, choice, player_id, guild_id)

        await self._database.write(body, keys.player(player_id))


def _closes_at(
    tx: Transaction, guild_id: int, puzzle: PuzzleName, now: datetime
) -> datetime | None:
    """When a puzzle's message closes in a server; None if it has none, or not now."""
    choice = read_choice(tx, guild_id)
    if not choice.todays_card:
        return None
    calendars = Calendars.read(tx, [guild_id])
    if puzzle.number > number_of(calendars.date_of(guild_id, now)):
        return None
    deadline = calendars.deadline(guild_id, puzzle.day)
    if deadline is None:
        return None
    return deadline.finished_before if now < deadline.finished_before else None


def _find_or_add(
    tx: Transaction, guild_id: int, channel_id: int, puzzle: PuzzleName, closes_at: datetime
) -> tuple[int, RunningMessage] | None:
    """A server's message with its id, if it is in this channel and runs.

    Raises:
        RunningDeletedError: others have deleted it.
    """
    running_id = store.find(tx, guild_id, puzzle)
    found = None if running_id is None else store.messages.get(tx, running_id)
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
    return store.add_running(tx, message), message


def _may_be_drawn(message: RunningMessage, now: datetime) -> bool:
    """Whether the last edit was long enough ago."""
    return message.drawn_at is None or now >= message.drawn_at + BETWEEN_EDITS


log = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 50
"""Messages looked at in one round."""

_ABSENT: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class RunningWork:
    """What is to be done about a message at Discord; nobody else is at it for a minute.

    Attributes:
        id: the message's own.
        message: the message as it is stored.
        step: what is to be done.
        content: what it is to show, where it is sent or edited.
        is_first: whether nothing of it can be at Discord from an earlier try.
    """

    id: int
    message: RunningMessage
    step: Step
    content: RunningContent | None = None
    is_first: bool = True

    @property
    def nonce(self) -> str:
        """What Discord tells a new copy from other messages by."""
        message = self.message
        return nonce("running", message.channel_id, message.puzzle, message.claimed_at)

    @property
    def target_id(self) -> int:
        """The message that is to be edited or deleted; 0 without any."""
        return self.message.message_id or 0


class RunningMessages:
    """Use cases of keeping running messages at Discord; each is one transaction.

    All that they know is stored.
    """

    def __init__(self, database: Database, clock: Clock, shards: ShardRange = ALL) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards

    async def due(self) -> list[int]:
        """The messages to look at now, at most `MOST_AT_ONCE`."""

        def body(tx: Transaction) -> list[int]:
            now = self._clock.now()
            return store.running_due.find_due(tx, now, most=MOST_AT_ONCE, shards=self._shards)

        return await self._database.read(body)

    async def claim(self, running_id: int) -> RunningWork | None:
        """What is to be done about a message now; None for nothing, or somebody is at it.

        Whoever claims it has half a minute, and says what came of it. If that is never said, it
        is handed out again a minute later.
        """
        known = await self._database.read(lambda tx: store.messages.get(tx, running_id))
        if known is None or not self._shards.serves(known.guild_id):
            return None  # the process that hears its server sees to it
        return await self._database.write(
            lambda tx: _claim(tx, running_id, self._clock.now()), keys.server(known.guild_id)
        )

    async def is_not_there(self, work: RunningWork) -> RunningWork | None:
        """The bot has looked and not found the message: it may be sent as if it were new.

        None if nobody is in it any more.
        """

        def body(tx: Transaction) -> RunningWork | None:
            message = _claimed(tx, work)
            if message is None:
                return None
            message = replace(message, claimed_at=None, tried_at=None)
            if not store.count(tx, work.id):
                store.drop_running(tx, work.id)
                return None
            message = begun(message, Step.POST, self._clock.now())
            store.messages.put(tx, message, work.id)
            content = read_content(tx, work.id, message)
            return RunningWork(work.id, message, Step.POST, content)

        return await self._database.write(body, keys.server(work.message.guild_id))

    async def posted(self, work: RunningWork, message_id: int, *, is_whole: bool = True) -> None:
        """Note the message; what was found, or sent twice, may show an older version."""
        is_new = is_whole and work.step is Step.POST and work.is_first
        shown = work.message.version if is_new else 0
        await self._note(work, message_id=message_id, claimed_at=None, shown=shown)
        log.info("results of %s in channel %d: posted", work.message.puzzle, _channel(work))

    async def shown(self, work: RunningWork, *, is_whole: bool = True) -> None:
        """Note that Discord shows what it was told; what lacks something is soon drawn again."""
        await self._note(work, **({"shown": work.message.version} if is_whole else {}))

    async def deleted(self, work: RunningWork) -> None:
        """Note that the bot has deleted it; who has entered meanwhile gets another."""

        def body(tx: Transaction) -> None:
            message = _claimed(tx, work)
            if message is not None and store.count(tx, work.id):
                message = replace(message, message_id=None, tried_at=None, shown=0)
                store.messages.put(tx, rested(message, self._clock.now()), work.id)
            elif message is not None:
                store.drop_running(tx, work.id)

        await self._database.write(body, keys.server(work.message.guild_id))

    async def was_deleted(self, work: RunningWork) -> None:
        """Others have deleted it: it stays away for as long as its date lasts."""

        def body(tx: Transaction) -> bool:
            message, now = _claimed(tx, work), self._clock.now()
            if message is None:
                return False
            message = replace(message, tried_at=None, deleted_at=now)
            store.empty(tx, work.id)
            store.messages.put(tx, rested(message, now), work.id)
            return True

        if await self._database.write(body, keys.server(work.message.guild_id)):
            log.info("results of %s in channel %d: deleted", work.message.puzzle, _channel(work))

    async def refused(self, work: RunningWork) -> None:
        """The channel takes no message: the next share tries again.

        One that may be there from an earlier try is looked for before.
        """

        def body(tx: Transaction) -> bool:
            if _claimed(tx, work) is None:
                return False
            if work.is_first:
                store.drop_running(tx, work.id)
            else:
                store.running_due.put_off(tx, work.id, self._clock.now() + NONCE_LASTS)
            return True

        if await self._database.write(body, keys.server(work.message.guild_id)):
            log.warning("results of %s in channel %d: refused", work.message.puzzle, _channel(work))

    async def unreachable(self, work: RunningWork) -> None:
        """The bot may not see the channel: what is there stays until the next share, or later."""
        await self._note(work)
        await self._database.write(
            lambda tx: store.running_due.put_off(tx, work.id, self._clock.now() + _ABSENT),
            keys.server(work.message.guild_id),
        )

    async def _note(self, work: RunningWork, **changes: Any) -> None:
        """Note what came of some work."""

        def body(tx: Transaction) -> None:
            message = _claimed(tx, work)
            if message is None:
                return
            message = replace(message, tried_at=None, **changes)
            store.messages.put(tx, rested(message, self._clock.now()), work.id)

        return await self._database.write(body, keys.server(work.message.guild_id))


def _claim(tx: Transaction, running_id: int, now: datetime) -> RunningWork | None:
    message = store.messages.get(tx, running_id)
    if message is None:
        return None
    if message.tried_at is not None and now < message.tried_at + LEASE:
        store.running_due.put_off(tx, running_id, message.tried_at + LEASE)
        return None
    message = _with_its_date(tx, replace(message, tried_at=None), now)
    is_empty = not store.count(tx, running_id)
    if is_over(message, now, is_empty=is_empty):
        store.drop_running(tx, running_id)
        return None
    step = next_step(message, now, is_empty=is_empty)
    if step is Step.EDIT:
        drawn_at = store.last_drawn(tx, message.channel_id)
        if drawn_at is not None and now < drawn_at + BETWEEN_EDITS:
            message = replace(message, look_at=drawn_at + BETWEEN_EDITS)
            store.messages.put(tx, message, running_id)
            return None
    if step is None:
        store.messages.put(tx, rested(message, now), running_id)
        return None
    is_first = message.claimed_at is None
    message = begun(message, step, now)
    store.messages.put(tx, message, running_id)
    content = None
    if step in {Step.POST, Step.EDIT}:
        content = read_content(tx, running_id, message)
    return RunningWork(running_id, message, step, content, is_first)


def _claimed(tx: Transaction, work: RunningWork) -> RunningMessage | None:
    """The message as it is now; None if somebody else is at it by now, or it is forgotten."""
    message = store.messages.get(tx, work.id)
    is_ours = message is not None and message.tried_at == work.message.tried_at
    return message if is_ours else None


def _with_its_date(tx: Transaction, message: RunningMessage, now: datetime) -> RunningMessage:
    """A message that closes if its date has ended; a change of the zone may have put that off."""
    if message.closed_at is not None or now < message.closes_at:
        return message
    deadline = deadline_of(tx, message.guild_id, message.puzzle.day)
    if deadline is not None and now < deadline.finished_before:
        return replace(message, closes_at=deadline.finished_before)
    return closed(message, now)


def _channel(work: RunningWork) -> int:
    return work.message.channel_id
