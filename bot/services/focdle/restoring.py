"""Restores a streak that has ended: a manager decides, and their name and reason are kept."""

import logging
from datetime import date, datetime, timedelta
from typing import Final

from bot.model.dailies import day_of
from bot.model.streaks import ENDED, SOLVES, Change, Restored, Streak
from bot.services.base.clock import Clock
from bot.services.focdle import streak_keeping
from bot.services.focdle.errors import NotRestorableError, Obstacle
from bot.storage.database import Database, Transaction
from bot.storage.focdle import restorations, streaks

log = logging.getLogger(__name__)

RESTORABLE_DAYS: Final = 7
"""How many days after its end a streak can be restored."""

REST_DAYS: Final = 30
"""How many days must lie between two restorations of one player."""

MOST_DATES: Final = 3
"""The most missed dates that a restoration covers."""

LONGEST_REASON: Final = 200
"""Characters of a reason."""

_DAY: Final = timedelta(days=1)


class Restorations:
    """Use cases of restoring streaks; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def restore(self, guild_id: int, by: int, player_id: int, reason: str) -> Streak:
        """Undo the last end of a player's streak: the dates it missed are left out of it.

        A streak belongs to its player in all servers, so the rules are narrow: only the last
        end, only within `RESTORABLE_DAYS`, only over `MOST_DATES`, only where the streak's last
        date was solved, not by the player, and once within `REST_DAYS`.

        Args:
            guild_id: the server whose manager decides.
            by: the manager, a Discord user.
            player_id: whose streak.
            reason: why; the player will read it.

        Returns:
            The streak as it is then.

        Raises:
            NotRestorableError: a rule is not met; nothing was changed.
        """
        reason = " ".join(reason.split())[:LONGEST_REASON]
        if not reason:
            raise NotRestorableError(obstacle=Obstacle.NO_REASON, player_id=player_id)
        if by == player_id:
            raise NotRestorableError(obstacle=Obstacle.OWN, player_id=player_id)
        async with self._database.transaction() as tx:
            now = self._clock.now()
            streak = await streak_keeping.refresh(tx, player_id, now)
            over = await streak_keeping.last_date_over(tx, player_id, now)
            ended = _last_end(streak)
            if ended is None:
                raise NotRestorableError(obstacle=Obstacle.NOTHING_ENDED, player_id=player_id)
            await self._check(tx, guild_id, player_id, streak, ended, over)
            missed = _missed_since(streak, ended, over)
            if len(missed) > MOST_DATES:
                raise NotRestorableError(
                    obstacle=Obstacle.TOO_MANY, player_id=player_id, day=ended.day
                )
            restored = Restored(by, reason, guild_id)
            await restorations.add(tx, player_id, missed, restored, restored_at=now)
            streak = await streak_keeping.refresh(tx, player_id, now)
        log.info("a streak was restored in server %d: %d dates", guild_id, len(missed))
        return streak

    async def _check(
        self,
        tx: Transaction,
        guild_id: int,
        player_id: int,
        streak: Streak,
        ended: Change,
        over: date,
    ) -> None:
        if ended.day < over - (RESTORABLE_DAYS - 1) * _DAY:
            raise NotRestorableError(
                obstacle=Obstacle.TOO_LONG_AGO, player_id=player_id, day=ended.day
            )
        last = _last_solve(streak, ended)
        plays = await streaks.get_dailies(tx, player_id)
        here = {
            day_of(row.number)
            for row in plays
            if row.guild_id == guild_id and row.on_date and row.outcome == "solved"
        }
        if last not in here:
            raise NotRestorableError(obstacle=Obstacle.ELSEWHERE, player_id=player_id, day=last)
        last_at = await restorations.last_at(tx, player_id)
        if last_at is not None and self._clock.now() < last_at + REST_DAYS * _DAY:
            raise NotRestorableError(
                obstacle=Obstacle.RESTORED_LATELY,
                player_id=player_id,
                again_at=last_at + REST_DAYS * _DAY,
            )


async def is_restorable(
    tx: Transaction, player_id: int, streak: Streak, day: date, now: datetime
) -> bool:
    """Whether the manager of some server could undo the end of a streak on a date now."""
    end = _last_end(streak)
    over = await streak_keeping.last_date_over(tx, player_id, now)
    if end is None or end.day != day or day < over - (RESTORABLE_DAYS - 1) * _DAY:
        return False
    if len(_missed_since(streak, end, over)) > MOST_DATES:
        return False
    last_at = await restorations.last_at(tx, player_id)
    if last_at is not None and now < last_at + REST_DAYS * _DAY:
        return False
    last = _last_solve(streak, end)
    plays = await streaks.get_dailies(tx, player_id)
    return any(
        day_of(row.number) == last
        for row in plays
        if row.guild_id is not None and row.on_date and row.outcome == "solved"
    )


def _last_solve(streak: Streak, end: Change) -> date:
    """The last date of a streak that has ended."""
    return max(c.day for c in streak.changes if c.day < end.day and c.reason in SOLVES)


def _last_end(streak: Streak) -> Change | None:
    return next((c for c in reversed(streak.changes) if c.reason in ENDED), None)


def _missed_since(streak: Streak, ended: Change, over: date) -> list[date]:
    """The dates from a streak's end to the next solve, or to the last date that is over."""
    next_solve = min((c.day for c in streak.changes if c.day > ended.day), default=over + _DAY)
    return [ended.day + n * _DAY for n in range((next_solve - ended.day).days)]
