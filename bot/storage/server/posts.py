"""Daily posts: what servers have chosen, when the next is due, what was claimed and sent."""

from dataclasses import asdict, dataclass
from datetime import date, datetime

from sqlalchemy import delete, func, insert, select, update

from bot.storage.database import Transaction
from bot.storage.schema import guilds, post_plans, posts


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """What a server has chosen about its posts, as stored."""

    channel_id: int | None
    post_hour: int
    post_days: str
    post_role_id: int | None
    finishers_threads: bool
    takes_results: bool


@dataclass(frozen=True, slots=True)
class PlanRow:
    """When a server's next post is due, and how its channel has behaved."""

    post_at: datetime | None
    since: datetime
    refusals: int = 0
    problem: str | None = None
    off_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PostRow:
    """A post that was claimed, and what came of it."""

    channel_id: int
    claimed_at: datetime
    tried_at: datetime
    attempts: int
    outcome: str | None
    message_id: int | None


async def get_choice(tx: Transaction, guild_id: int) -> ChoiceRow | None:
    """What a server has chosen; None if it never chose anything."""
    query = select(
        guilds.c.channel_id,
        guilds.c.post_hour,
        guilds.c.post_days,
        guilds.c.post_role_id,
        guilds.c.finishers_threads,
        guilds.c.takes_results,
    ).where(guilds.c.guild_id == guild_id)
    row = (await tx.execute(query)).mappings().one_or_none()
    return None if row is None else ChoiceRow(**row)


async def get_plan(tx: Transaction, guild_id: int) -> PlanRow | None:
    """When a server's next post is due; None without a channel."""
    query = select(
        post_plans.c.post_at,
        post_plans.c.since,
        post_plans.c.refusals,
        post_plans.c.problem,
        post_plans.c.off_at,
    ).where(post_plans.c.guild_id == guild_id)
    row = (await tx.execute(query)).mappings().one_or_none()
    return None if row is None else PlanRow(**row)


async def put_plan(tx: Transaction, guild_id: int, row: PlanRow) -> None:
    """Store a server's plan, in place of an earlier one."""
    await drop_plan(tx, guild_id)
    await tx.execute(insert(post_plans).values(guild_id=guild_id, **asdict(row)))


async def drop_plan(tx: Transaction, guild_id: int) -> None:
    """Forget a server's plan: it gets no posts."""
    await tx.execute(delete(post_plans).where(post_plans.c.guild_id == guild_id))


async def put_off(tx: Transaction, guild_id: int, post_at: datetime) -> None:
    """Look at a server again at an instant."""
    await tx.execute(
        update(post_plans).where(post_plans.c.guild_id == guild_id).values(post_at=post_at)
    )


async def find_due(tx: Transaction, now: datetime, *, most: int) -> list[int]:
    """The servers to look at now, those that have waited longest first."""
    query = (
        select(post_plans.c.guild_id)
        .where(post_plans.c.post_at <= now)
        .order_by(post_plans.c.post_at, post_plans.c.guild_id)
        .limit(most)
    )
    return list((await tx.scalars(query)).all())


async def get(tx: Transaction, guild_id: int, day: date, kind: str) -> PostRow | None:
    """A post that was claimed."""
    query = select(
        posts.c.channel_id,
        posts.c.claimed_at,
        posts.c.tried_at,
        posts.c.attempts,
        posts.c.outcome,
        posts.c.message_id,
    ).where(posts.c.guild_id == guild_id, posts.c.day == day, posts.c.kind == kind)
    row = (await tx.execute(query)).mappings().one_or_none()
    return None if row is None else PostRow(**row)


async def put(tx: Transaction, guild_id: int, day: date, kind: str, row: PostRow) -> None:
    """Store a claim, or what came of it."""
    await tx.execute(
        delete(posts).where(posts.c.guild_id == guild_id, posts.c.day == day, posts.c.kind == kind)
    )
    values = {"guild_id": guild_id, "day": day, "kind": kind, **asdict(row)}
    await tx.execute(insert(posts).values(values))


async def last_day(tx: Transaction, guild_id: int, kind: str, *, before: date) -> date | None:
    """The last date before another that has a post."""
    query = select(func.max(posts.c.day)).where(
        posts.c.guild_id == guild_id,
        posts.c.kind == kind,
        posts.c.day < before,
        posts.c.outcome == "sent",
    )
    return await tx.scalar(query)


async def last_unsure(tx: Transaction, guild_id: int, *, since: date) -> date | None:
    """The last date whose post may or may not have been sent."""
    query = select(func.max(posts.c.day)).where(
        posts.c.guild_id == guild_id, posts.c.day >= since, posts.c.outcome == "unsure"
    )
    return await tx.scalar(query)
