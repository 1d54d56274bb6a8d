"""Plans a server's next post, within an open transaction."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.db.database import Transaction
from bot.games.game.send_once import LEASE
from bot.people.model.choices import ZoneChange
from bot.people.store import places
from bot.posts.game.first_day import is_first_day
from bot.posts.game.post_times import Timetable
from bot.posts.model.posts import TURNED_OFF, PostChoice, PostPlan
from bot.posts.store import posts

DAILY: Final = "daily"


async def read_choice(tx: Transaction, guild_id: int) -> PostChoice:
    """What a server has chosen about its posts."""
    return await posts.choices.get(tx, guild_id) or PostChoice()


async def timetable(tx: Transaction, guild_id: int, since: datetime) -> Timetable:
    """When a server wants its posts."""
    choice = await read_choice(tx, guild_id)
    zones = await places.get_zones(tx, "guild", guild_id)
    return Timetable(
        guild_id,
        zones,
        choice.post_hour,
        frozenset(map(int, choice.post_days)),
        since,
        [await _for_posts(tx, guild_id, row, since) for row in zones],
    )


async def _for_posts(
    tx: Transaction, guild_id: int, row: ZoneChange, since: datetime
) -> ZoneChange:
    """A zone from when on posts go by it: at once if it was chosen on the server's first day."""
    is_waited_for = max(row.set_at, since) < row.effective_at
    if is_waited_for and await is_first_day(tx, guild_id, row.set_at):
        return replace(row, effective_at=row.set_at)
    return row


async def start_over(tx: Transaction, guild_id: int, now: datetime, *, on: bool = False) -> None:
    """Plan a server's posts anew after a choice, with no refusals counted.

    Hours that have passed are not made up for, unless today's post was refused or is under way.
    What a manager has turned off stays so until it is to be on again, or its channel is given up.

    Args:
        tx: the transaction.
        guild_id: the server.
        now: the present instant.
        on: whether it is to be on.
    """
    choice = await read_choice(tx, guild_id)
    if choice.channel_id is None:
        await posts.plans.drop(tx, guild_id)
        return
    before = await posts.plans.get(tx, guild_id)
    if before is not None and before.problem == TURNED_OFF and not on:
        return
    since = now
    if before is not None:
        table = await timetable(tx, guild_id, before.since)
        claim = await posts.claims.get(tx, guild_id, table.today(now), DAILY)
        # Its hour is over, but not the minutes over which posts are spread.
        is_under_way = before.post_at is not None and before.post_at == table.next_after(now)
        if is_under_way or (claim is not None and claim.outcome == "refused"):
            since = before.since
    await posts.plans.put(tx, PostPlan(post_at=None, since=since), guild_id)
    await plan_next(tx, guild_id, now)


async def plan_next(tx: Transaction, guild_id: int, now: datetime) -> None:
    """Plan when to look at a server next, if it wants posts and was not switched off."""
    plan = await posts.plans.get(tx, guild_id)
    if plan is None or plan.off_at is not None:
        return
    table = await timetable(tx, guild_id, plan.since)
    today = table.today(now)
    claim = await posts.claims.get(tx, guild_id, today, DAILY)
    if table.due(now) is None or (claim is not None and claim.outcome in {"sent", "unsure"}):
        post_at = table.next_after(now, posted=None if claim is None else today)
    elif claim is None or claim.outcome == "refused":
        post_at = now
    else:  # somebody may be at it
        post_at = claim.tried_at + LEASE
    await posts.plans.put(tx, replace(plan, post_at=post_at), guild_id)
