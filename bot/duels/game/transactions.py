"""What use cases of duels have in common: reading them, deadlines, limits, the end."""

import random
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Final

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.duels.game import rating
from bot.duels.game.position import Position, Verdict, rules_of, seat_of
from bot.duels.game.standing import standing_of
from bot.duels.game.turns import (
    deadlines,
    is_seen,
    now_until,
    touched,
    verdict_of_time,
    verdict_on,
    with_nudge,
)
from bot.duels.game.views import game_of
from bot.duels.model.duel import DuelGame, Pace
from bot.duels.model.errors import (
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
    StartMissingError,
    TooManyDuelsError,
    TooManyDuelsOfPairError,
)
from bot.duels.model.transitions import PLAYED, Event, State, permits
from bot.duels.store import duels
from bot.duels.store.duels import DuelRow
from bot.games.game import transactions
from bot.games.game.seals import new_salt
from bot.leaderboards.game import at_stake
from bot.outages import Downtime
from bot.shards.game.heartbeat import find_outages, is_away
from engine import BullsAndCows

MOST_OPEN: Final = 10
"""How many duels a player may have open, as who challenged or accepted."""
MOST_OPEN_OF_PAIR: Final = 3
"""How many duels two players may have open, challenges among them."""

# What leaving amounts to; in a duel that is played, the other wins.
_WAYS_OUT: Final = (Event.WITHDRAW, Event.DECLINE, Event.RESIGN, Event.LEAVE)
_CHALLENGE_EVENTS: Final = {Event.CHANGE, Event.ACCEPT, Event.DECLINE, Event.WITHDRAW}
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
        self._stored: dict[int, DuelRow] = {}
        self._changed: list[DuelRow] = []
        self._downtimes: dict[int, Downtime] = {}
        self._closed: dict[int, int] = {}

    def report(self) -> Iterable[str]:
        """A line on every duel that was changed."""
        for row in self._changed:
            state = row.ending or row.state
            yield f"duel {row.id}, {row.mode}, {row.pace}: {len(row.moves)} moves, {state}"
        for game_id in self._closed:
            yield f"mastermind {game_id}, defend: {at_stake.AT_STAKE}"

    async def position(self, duel_id: int) -> Position:
        """A duel as it is stored, perhaps with a deadline that has passed.

        Raises:
            NoSuchDuelError: there is none.
        """
        row = await duels.get(self.tx, duel_id)
        if row is None:
            raise NoSuchDuelError
        return self.position_of(row)

    def position_of(self, row: DuelRow) -> Position:
        """A duel as it was just read; what is saved of it is the difference from that."""
        self._stored[row.id] = row
        return Position.of(row)

    async def unfinished(self, player_id: int) -> list[Position]:
        """The duels of a player that were not ended, those moved in last first."""
        return [self.position_of(row) for row in await duels.unfinished(self.tx, player_id)]

    async def players_position(self, player_id: int, duel_id: int) -> tuple[Position, int]:
        """A duel for one of its players, and the seat; if a deadline has passed, it ends now.

        Raises:
            NoSuchDuelError, NotYourDuelError: it is not this player's.
        """
        position = await self.position(duel_id)
        seat = seat_of(position.row, player_id)
        if seat is None:
            # A stranger's click ends nothing, since the board would stay as it was.
            ids = (s.player_id for s in position.row.seats)
            raise NotYourDuelError(
                player_ids=tuple(player for player in ids if player is not None),
                guild_id=position.row.guild_id,
            )
        return await self.in_time(position), seat

    async def in_time(self, position: Position) -> Position:
        """A duel, ended if somebody is too late."""
        row = position.row
        if row.finished_at is not None or row.deadline_at > self.now:
            return position
        due = deadlines(position, await self.downtime(row))
        late = {
            seat: at
            for seat, at in due.items()
            if at <= self.now and row.seats[seat].player_id is not None
        }
        if late:
            return await self._end(position, verdict_of_time(row, late), min(late.values()))
        # Time is given back, or who is challenged can choose no more to play now.
        until = now_until(row, await self.downtime(row))
        ends = [*due.values(), *([until] if until is not None and until > self.now else [])]
        return await self.save(position.changed(deadline_at=min(ends)).on_board(self.now))

    async def is_late(self, row: DuelRow) -> bool:
        """Whether a duel would be ended now."""
        if row.deadline_at > self.now:
            return False
        due = deadlines(Position.of(row), await self.downtime(row))
        return any(
            at <= self.now for seat, at in due.items() if row.seats[seat].player_id is not None
        )

    async def require(self, position: Position, event: Event, seat: int) -> None:
        """Make sure that a player may let something happen now.

        Raises:
            DuelStateError: that is not so; which one says why.
        """
        row, state = position.row, State(position.row.state)
        is_challenger = row.seats[seat].player_id == row.challenger_id
        is_begun = state is State.PLAYING and event is Event.LEAVE and not position.is_untouched
        if is_begun or not permits(state, event, is_challenger=is_challenger):
            raise _refusal(state, event)(game=await self.game(position))

    async def require_fair(self, player_id: int, rules: BullsAndCows) -> None:
        """Make sure that what the bot guesses here helps its player in no game that counts.

        Raises:
            RankedGameError, RatedDuelError: such a game with codes like these goes on.
        """
        await at_stake.require_no_ranked(self.tx, player_id, rules, self.now)
        await at_stake.require_no_rated(self.tx, player_id, rules)

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
            raise TooManyDuelsError(duels=MOST_OPEN)
        if opponent_id is not None:
            shared = [row for row in rows if seat_of(row, opponent_id) is not None]
            if len(shared) >= MOST_OPEN_OF_PAIR:
                raise TooManyDuelsOfPairError(player_id=opponent_id, duels=MOST_OPEN_OF_PAIR)

    async def about_players(self, row: DuelRow) -> None:
        """Be alone with a duel's players, too, before what counts all of their duels."""
        ids = (seat.player_id for seat in row.seats)
        await self.tx.about(*(keys.player(player) for player in ids if player is not None))

    async def save(self, position: Position) -> Position:
        """Write what has become of a duel since it was read or saved last."""
        row = position.row
        await duels.save(self.tx, self._stored[row.id], row)
        self._stored[row.id] = row
        return position

    async def touch(
        self, position: Position, *, passes: bool = False, is_public: bool = True
    ) -> Position:
        """Save a duel after somebody has done something that does not end it.

        Args:
            position: the duel after it.
            passes: whether somebody else may be waited for now.
            is_public: whether everybody may see that something was done.
        """
        after = touched(position, self.now, passes=passes, is_public=is_public)
        self._changed.append(after.row)
        return await self.save(after)

    async def guess(self, before: Position, after: Position, seat: int) -> Position:
        """Save a duel after a guess that the engine has taken; perhaps ended by it."""
        verdict = verdict_on(after, await self.downtime(after.row))
        if verdict is not None:
            return await self.end(after, verdict)
        # What becomes of an offer of a draw is to be seen, also where the guess is not.
        offer = (before.row.draw_offered_by, before.row.draw_declined_by)
        had_offer = offer != (None, None)
        return await self.touch(after, passes=True, is_public=had_offer or is_seen(after, seat))

    async def end(self, position: Position, verdict: Verdict) -> Position:
        """A duel that ends now."""
        return await self._end(position, verdict, self.now)

    async def _end(self, position: Position, verdict: Verdict, at: datetime) -> Position:
        after = with_nudge(position.ended(verdict, at), self.now).on_board(self.now)
        await self.save(after)
        self._changed.append(after.row)
        if after.row.rated and after.row.ending in PLAYED:
            await self.about_players(after.row)
            winner = verdict.winner if verdict.by_deletion else None
            await rating.apply(self.tx, after.row, self.now, spared=winner)
        return after

    async def accept(self, position: Position, pace: Pace) -> Position:
        """Save a duel after its challenge was accepted, with the numbers the bot is to draw.

        Games end in which the bot's guesses could help one of its players, if it is rated.
        """
        await self._close_solvers(position.row)
        number = rules_of(position.row).draw(self.dice)
        accepted = position.accepted(self.now, pace, number, new_salt())
        return await self.touch(accepted, passes=True)

    async def _close_solvers(self, row: DuelRow) -> None:
        if not row.rated:
            return
        await self.about_players(row)
        for seat in row.seats:
            player_id = seat.player_id or 0
            closed = await at_stake.close_solvers(self.tx, player_id, rules_of(row), self.now)
            self._closed.update({game.id: player_id for game in closed})

    def has_closed(self, player_id: int) -> bool:
        """Whether a duel's acceptance has ended a game in which the bot guessed for a player."""
        return player_id in self._closed.values()

    async def leave_all(self, player_id: int) -> None:
        """End all duels of a player who is to be forgotten: late ones by time, others as left."""
        for found in await self.unfinished(player_id):
            position = await self.in_time(found)
            row = position.row
            if row.finished_at is not None:
                continue
            seat = next(n for n, stored in enumerate(row.seats) if stored.player_id == player_id)
            state, is_challenger = State(row.state), row.challenger_id == player_id
            event = next(e for e in _WAYS_OUT if permits(state, e, is_challenger=is_challenger))
            winner = 1 - seat if state is State.PLAYING else None
            await self.end(position, Verdict(event, winner, by_deletion=True))

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

    async def game(self, position: Position) -> DuelGame:
        """A duel for everybody to see."""
        row = position.row
        downtime = await self.downtime(row)
        return game_of(position, await standing_of(self.tx, row), downtime, self.now)


class DuelTransactions(transactions.GameTransactions[DuelTransaction]):
    """Where all use cases come in."""

    def __init__(self, database: Database, clock: Clock, dice: random.Random) -> None:
        make = partial(DuelTransaction, dice=dice)
        super().__init__(database, clock, make, "duel", keys.duel)


def _refusal(state: State, event: Event) -> type[DuelStateError]:
    if event is Event.REMATCH:
        return DuelGoesOnError
    if state is State.OVER:
        return DuelOverError
    if event in _CHALLENGE_EVENTS:
        return AlreadyUnderWayError
    if state is State.INVITED:
        return NotAcceptedYetError
    if state is State.STARTING and event not in _REFUSALS:
        return StartMissingError
    return _REFUSALS.get(event, SecretsMissingError)
