"""Daily posts: what servers have chosen, when the next is due, what was claimed and sent."""

from datetime import date
from typing import Final

from sqlalchemy import func, select

from bot.db.database import Transaction
from bot.db.keyed import Agenda, Keyed
from bot.db.tables import guilds, post_plans, posts
from bot.posts.model.posts import PostChoice, PostClaim, PostPlan

choices: Final = Keyed[PostChoice, int](PostChoice, guilds)
"""What a server has chosen; nothing if it never chose anything."""

plans: Final = Keyed[PostPlan, int](PostPlan, post_plans)
"""When a server's next post is due; nothing without a channel."""

agenda: Final = Agenda(post_plans.c.post_at)
"""The servers to look at now."""

claims: Final = Keyed[PostClaim, int, date, str](PostClaim, posts)
"""What was claimed, by server, date and kind, and what came of it."""


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
