"""What use cases of duels have in common: reading them, deadlines, limits, the end."""

import random
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Final

from bot.model.outages import Downtime
from bot.services.base import transactions
from bot.services.base.clock import Clock
from bot.services.base.stand_ins import is_forgotten
from bot.services.duels import rating
from bot.services.duels.errors import (
    AlreadyUnderWayError,
    DuelGoesOnError,
    DuelOverError,
    DuelStateError,
    HasBegunError,
    NoSuchDuelError,
    NotAcceptedYetError,
    NotBegunError,
    NotYourDuelError,
    SecretFixedError,
    SecretsMissingError,
    TooManyDuelsError,
    TooManyDuelsOfPairError,
)
from bot.services.duels.model import DuelGame, HeadToHead, Pace
from bot.services.duels.state import (
    Standing,
    Verdict,
    deadlines,
    game_of,
    is_seen,
    nudge_of,
    running,
    seat_of,
    verdict_of_time,
    verdict_on,
)
from bot.services.duels.transitions import PLAYED, TRANSITIONS, Event, State, permits
from bot.services.server.heartbeat import find_outages, is_away
from bot.storage import invitations
from bot.storage.database import Database, Transaction
from bot.storage.duels import duels, ratings
from bot.storage.duels.duels import DuelRow
from bot.storage.standings import members

MOST_OPEN: Final = 10
"""How many duels a player may have open, as who challenged or accepted."""
MOST_OPEN_OF_PAIR: Final = 3
"""How many duels two players may have open, challenges among them."""

_CHALLENGE_EVENTS: Final = {Event.ACCEPT, Event.DECLINE, Event.WITHDRAW}
_REFUSALS: Final[Mapping[Event, type[DuelStateError]]] = {
    Event.SET_SECRET: SecretFixedError,
    Event.LEAVE: HasBegunError,
    Event.RESIGN: NotBegunError,
}
"""What else is refused of a duel that was accepted."""


class DuelTransaction(transactions.GameTransaction):
    """One transaction, and what use cases do in it.

    Attributes:
        dice: what first movers and the bot's numbers are drawn with.
    """

    def __init__(self, tx: Transaction, now: datetime, dice: random.Random) -> None:
        super().__init__(tx, now)
        self.dice = dice
        self._changed: list[DuelRow] = []
        self._downtimes: dict[int, Downtime] = {}

    def report(self) -> Iterable[str]:
        """A line on every duel that was changed."""
        for row in self._changed:
            state = row.ending or row.state
            yield f"duel {row.id}, {row.mode}, {row.pace}: {len(row.moves)} moves, {state}"

    async def row(self, duel_id: int) -> DuelRow:
        """A duel as it is stored, perhaps with a deadline that has passed.

        Raises:
            NoSuchDuelError: there is none.
        """
        row = await duels.get(self.tx, duel_id)
        if row is None:
            raise NoSuchDuelError
        return row

    async def players_row(self, player_id: int, duel_id: int) -> tuple[DuelRow, int]:
        """A duel for one of its players, and the seat; if a deadline has passed, it ends now.

        Raises:
            NoSuchDuelError, NotYourDuelError: it is not this player's.
        """
        row = await self.row(duel_id)
        seat = seat_of(row, player_id)
        if seat is None:
            # A stranger's click ends nothing, since the board would stay as it was.
            raise NotYourDuelError(tuple(s.player_id for s in row.seats if s.player_id is not None))
        return await self.in_time(row), seat

    async def in_time(self, row: DuelRow) -> DuelRow:
        """A duel, ended if somebody is too late."""
        if row.finished_at is not None or row.deadline_at > self.now:
            return row
        downtime = await self.downtime(row)
        due = deadlines(row, downtime)
        late = {
            seat: at
            for seat, at in due.items()
            if at <= self.now and row.seats[seat].player_id is not None
        }
        if late:
            verdict = verdict_of_time(row, late)
            return await self._end(row, verdict, finished_at=min(late.values()))
        await duels.set_deadline(self.tx, row.id, min(due.values()))
        await self._change_board(row)
        return await self.row(row.id)

    async def is_late(self, row: DuelRow) -> bool:
        """Whether a duel would be ended now."""
        if row.deadline_at > self.now:
            return False
        due = deadlines(row, await self.downtime(row))
        return any(
            at <= self.now for seat, at in due.items() if row.seats[seat].player_id is not None
        )

    async def require(self, row: DuelRow, event: Event, seat: int) -> None:
        """Make sure that a player may let something happen now.

        Raises:
            DuelStateError: that is not so; which one says why.
        """
        is_challenger = row.seats[seat].player_id == row.challenger_id
        if not permits(State(row.state), event, is_challenger=is_challenger):
            raise _refusal(State(row.state), event)(await self.game(row))

    async def require_room(self, player_id: int, opponent_id: int | None = None) -> None:
        """Make sure that a player may have one more open duel, with an opponent if given.

        Raises:
            TooManyDuelsError, TooManyDuelsOfPairError: that is not so.
        """
        rows = await duels.unfinished(self.tx, player_id)
        rows = [row for row in rows if not await self.is_late(row)]
        # Nobody can be kept from playing by challenges.
        mine = [row for row in rows if row.challenger_id == player_id or row.accepted_at]
        if len(mine) >= MOST_OPEN:
            raise TooManyDuelsError(MOST_OPEN)
        if opponent_id is not None:
            shared = [row for row in rows if seat_of(row, opponent_id) is not None]
            if len(shared) >= MOST_OPEN_OF_PAIR:
                raise TooManyDuelsOfPairError(opponent_id, MOST_OPEN_OF_PAIR)

    async def touched(
        self, duel_id: int, *, passes: bool = False, is_public: bool = True
    ) -> DuelRow:
        """A duel after somebody has done something that does not end it.

        Args:
            duel_id: which duel.
            passes: whether somebody else may be waited for now.
            is_public: whether everybody may see that something was done.
        """
        row = await self.row(duel_id)
        due = min(since + limit for since, limit in running(row).values())
        await duels.touch(self.tx, duel_id, moved_at=self.now, deadline_at=due)
        if passes:
            await self.set_nudge_time(row)
        if is_public:
            await self._change_board(row)
        return self._noted(await self.row(duel_id))

    async def set_nudge_time(self, row: DuelRow) -> None:
        """Note when to see whether somebody must be told, or a message is out of date."""
        nudge = nudge_of(row)
        at = None if nudge is None else nudge[1]
        await duels.set_nudge_at(
            self.tx, row.id, self.now if row.nudge_message_id else at, claimed_at=None
        )

    async def guess(self, row: DuelRow, seat: int, code: str) -> DuelRow:
        """A duel after a guess that the engine has taken; perhaps ended by it."""
        await duels.add_move(self.tx, row, seat=seat, code=code, moved_at=self.now)
        # That an offer of a draw is off is to be seen, also where the guess is not.
        had_offer = row.draw_offered_by is not None
        await duels.set_offer(self.tx, row.id, None)
        row = await self.row(row.id)
        verdict = verdict_on(row, await self.downtime(row))
        if verdict is not None:
            return await self.end(row, verdict)
        is_public = had_offer or is_seen(row, seat)
        return await self.touched(row.id, passes=True, is_public=is_public)

    async def end(self, row: DuelRow, verdict: Verdict) -> DuelRow:
        """A duel that ends now."""
        return await self._end(row, verdict, finished_at=self.now)

    async def _end(self, row: DuelRow, verdict: Verdict, finished_at: datetime) -> DuelRow:
        ending = TRANSITIONS[State(row.state), verdict.event].ending
        if ending is None:
            raise RuntimeError(f"{verdict.event} ends nothing")
        await duels.finish(
            self.tx, row.id, ending=ending, winner=verdict.winner, finished_at=finished_at
        )
        row = await self.row(row.id)
        await self.set_nudge_time(row)
        await self._change_board(row)
        row = self._noted(await self.row(row.id))
        if row.rated and ending in PLAYED:
            winner = verdict.winner if verdict.by_deletion else None
            await rating.apply(self.tx, row, self.now, spared=winner)
        return row

    async def _change_board(self, row: DuelRow) -> None:
        if row.strength is None:  # a duel with the bot has no public board
            await duels.change_board(self.tx, row, stale_at=self.now)

    def _noted(self, row: DuelRow) -> DuelRow:
        self._changed.append(row)
        return row

    async def downtime(self, row: DuelRow) -> Downtime:
        """When the bot was away since a duel was opened, where that is played."""
        if row.id not in self._downtimes:
            until, is_live = row.finished_at or self.now, row.pace == Pace.LIVE
            outages = await find_outages(
                self.tx, row.opened_at, until, self.now, with_brief=is_live
            )
            here = (outage for outage in outages if outage.shard.serves(row.guild_id))
            self._downtimes[row.id] = Downtime(here)
        return self._downtimes[row.id]

    async def is_away(self, row: DuelRow) -> bool:
        """Whether nobody can play a duel now, because the bot does not hear from its server."""
        return await is_away(self.tx, row.guild_id, self.now)

    async def game(self, row: DuelRow) -> DuelGame:
        """A duel for everybody to see."""
        seated = (seat.player_id for seat in row.seats)
        ids = [player for player in seated if player is not None and not is_forgotten(player)]
        changes = [] if row.finished_at is None else await ratings.of_duel(self.tx, row.id)
        standing = Standing(
            ratings={player: await rating.rating_of(self.tx, player) for player in ids},
            changes={change.player_id: rating.change_of(change) for change in changes},
            head_to_head=None if row.finished_at is None else await self._head_to_head(row),
            challenger_name=await members.name_in(self.tx, row.guild_id, row.challenger_id)
            if row.state == State.INVITED
            else "",
            is_rematch=row.rematch_of is not None
            and row.accepted_at is None
            and await invitations.is_rematch(self.tx, row.id),
        )
        return game_of(row, standing, await self.downtime(row))

    async def _head_to_head(self, row: DuelRow) -> HeadToHead | None:
        first, second = (seat.player_id for seat in row.seats)
        return None if first is None or second is None else await self.head_to_head(first, second)

    async def head_to_head(self, player_id: int, other_id: int) -> HeadToHead:
        """How the duels of two players went."""
        found = await duels.record(self.tx, player_id, other_id, PLAYED)
        return HeadToHead(found.won, found.drawn, found.lost)


class DuelTransactions(transactions.GameTransactions[DuelTransaction]):
    """Where all use cases come in."""

    def __init__(self, database: Database, clock: Clock, dice: random.Random) -> None:
        super().__init__(database, clock, partial(DuelTransaction, dice=dice), "duel")


def _refusal(state: State, event: Event) -> type[DuelStateError]:
    if event is Event.REMATCH:
        return DuelGoesOnError
    if state is State.OVER:
        return DuelOverError
    if event in _CHALLENGE_EVENTS:
        return AlreadyUnderWayError
    if state is State.INVITED:
        return NotAcceptedYetError
    return _REFUSALS.get(event, SecretsMissingError)
