"""Who has asked for reminders, and which were claimed and sent."""

from dataclasses import asdict, dataclass
from datetime import date, datetime

from sqlalchemy import delete, insert, select, update

from bot.storage.database import Transaction
from bot.storage.schema import reminder_plans, reminders


@dataclass(frozen=True, slots=True)
class ReminderPlanRow:
    """When to look at a player next; `look_at` is None when Discord has refused a message."""

    look_at: datetime | None
    refused_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReminderRow:
    """A reminder that was claimed, and what came of it."""

    claimed_at: datetime
    tried_at: datetime
    attempts: int
    outcome: str | None = None
    message_id: int | None = None


async def get_plan(tx: Transaction, player_id: int) -> ReminderPlanRow | None:
    """When to look at a player; None if they want no reminders."""
    query = select(reminder_plans.c.look_at, reminder_plans.c.refused_at).where(
        reminder_plans.c.player_id == player_id
    )
    row = (await tx.execute(query)).mappings().one_or_none()
    return None if row is None else ReminderPlanRow(**row)


async def put_plan(tx: Transaction, player_id: int, row: ReminderPlanRow) -> None:
    """Store when to look at a player, in place of what was planned."""
    await drop_plan(tx, player_id)
    await tx.execute(insert(reminder_plans).values(player_id=player_id, **asdict(row)))


async def drop_plan(tx: Transaction, player_id: int) -> None:
    """Note that a player wants no reminders."""
    await tx.execute(delete(reminder_plans).where(reminder_plans.c.player_id == player_id))


async def put_off(tx: Transaction, player_id: int, look_at: datetime) -> None:
    """Look at a player again at an instant."""
    await tx.execute(
        update(reminder_plans)
        .where(reminder_plans.c.player_id == player_id, reminder_plans.c.look_at.is_not(None))
        .values(look_at=look_at)
    )


async def find_due(tx: Transaction, now: datetime, *, most: int) -> list[int]:
    """The players to look at now, those that have waited longest first."""
    query = (
        select(reminder_plans.c.player_id)
        .where(reminder_plans.c.look_at <= now)
        .order_by(reminder_plans.c.look_at, reminder_plans.c.player_id)
        .limit(most)
    )
    return list((await tx.scalars(query)).all())


async def get(tx: Transaction, player_id: int, day: date) -> ReminderRow | None:
    """A date's reminder."""
    query = select(
        reminders.c.claimed_at,
        reminders.c.tried_at,
        reminders.c.attempts,
        reminders.c.outcome,
        reminders.c.message_id,
    ).where(reminders.c.player_id == player_id, reminders.c.day == day)
    row = (await tx.execute(query)).mappings().one_or_none()
    return None if row is None else ReminderRow(**row)


async def put(tx: Transaction, player_id: int, day: date, row: ReminderRow) -> None:
    """Store a date's reminder, in place of what was known of it."""
    await tx.execute(
        delete(reminders).where(reminders.c.player_id == player_id, reminders.c.day == day)
    )
    await tx.execute(insert(reminders).values(player_id=player_id, day=day, **asdict(row)))
