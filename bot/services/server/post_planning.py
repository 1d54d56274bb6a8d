"""Plans a server's next post, within an open transaction."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.services.base.send_once import LEASE
from bot.services.server.post_times import Timetable
from bot.storage import places
from bot.storage.database import Transaction
from bot.storage.server import posts
from bot.storage.server.posts import ChoiceRow, PlanRow

DAILY: Final = "daily"
DEFAULTS: Final = ChoiceRow(
    channel_id=None,
    post_hour=9,
    post_days="1234567",
    post_role_id=None,
    finishers_threads=False,
    takes_results=False,
)


async def read_choice(tx: Transaction, guild_id: int) -> ChoiceRow:
    """What a server has chosen about its posts."""
    return await posts.get_choice(tx, guild_id) or DEFAULTS


async def timetable(tx: Transaction, guild_id: int, since: datetime) -> Timetable:
    """When a server wants its posts."""
    choice = await read_choice(tx, guild_id)
    zones = await places.get_zones(tx, "guild", guild_id)
    return Timetable(
        guild_id, zones, choice.post_hour, frozenset(map(int, choice.post_days)), since
    )


async def start_over(tx: Transaction, guild_id: int, now: datetime) -> None:
    """Plan a server's posts anew after a choice, with no refusals counted.

    Hours that have passed are not made up for, unless today's post was refused.
    """
    choice = await read_choice(tx, guild_id)
    if choice.channel_id is None:
        await posts.drop_plan(tx, guild_id)
        return
    before = await posts.get_plan(tx, guild_id)
    since = now
    if before is not None:
        today = (await timetable(tx, guild_id, now)).today(now)
        row = await posts.get(tx, guild_id, today, DAILY)
        since = before.since if row is not None and row.outcome == "refused" else now
    await posts.put_plan(tx, guild_id, PlanRow(post_at=None, since=since))
    await plan_next(tx, guild_id, now)


async def plan_next(tx: Transaction, guild_id: int, now: datetime) -> None:
    """Plan when to look at a server next, if it wants posts and was not switched off."""
    plan = await posts.get_plan(tx, guild_id)
    if plan is None or plan.off_at is not None:
        return
    table = await timetable(tx, guild_id, plan.since)
    today = table.today(now)
    row = await posts.get(tx, guild_id, today, DAILY)
    if table.due(now) is None or (row is not None and row.outcome in {"sent", "unsure"}):
        post_at = table.next_after(now, posted=None if row is None else today)
    elif row is None or row.outcome == "refused":
        post_at = now
    else:  # somebody may be at it
        post_at = row.tried_at + LEASE
    await posts.put_plan(tx, guild_id, replace(plan, post_at=post_at))
