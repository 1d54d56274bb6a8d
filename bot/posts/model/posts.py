"""What the bot sends of its own accord: when it looks next, and what it has claimed."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from bot.games.model.claims import Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class PostClaim(Claim):
    """A daily post that is to be sent once, and to which channel."""

    channel_id: int


@dataclass(frozen=True, slots=True)
class PostChoice:
    """What a server has chosen about its posts.

    Attributes:
        channel_id: where they go; None for nowhere.
        post_hour: 0 to 23, in the server's zone.
        post_days: the weekdays with a post, 1 for Monday.
        post_role_id: who is mentioned; None for nobody.
        finishers_threads: whether each date gets a private thread for who has finished.
        takes_results: whether members who may not write there share the day's result below it.
        todays_card: whether results of a date go into one message, today's card.
        weekly_recap: whether the first one of a week tells how the last week went.
    """

    channel_id: int | None = None
    post_hour: int = 9
    post_days: str = "1234567"
    post_role_id: int | None = None
    finishers_threads: bool = False
    takes_results: bool = False
    todays_card: bool = True
    weekly_recap: bool = True


TURNED_OFF: Final = "off"
"""Why there are no posts where a manager wants none."""


@dataclass(frozen=True, slots=True)
class PostPlan:
    """When a server gets its next post, and how its channel has behaved.

    Attributes:
        post_at: when to look at it next; None for never.
        since: hours before this are not made up for.
        refusals: of the channel, in a row.
        problem: the last one: ``forbidden`` or ``gone``; `TURNED_OFF` where a manager did it.
        off_at: when they, or a manager, switched the posts off.
    """

    post_at: datetime | None
    since: datetime
    refusals: int = 0
    problem: str | None = None
    off_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReminderPlan:
    """When a player is to be looked at who has asked for reminders.

    Attributes:
        look_at: when; None for never, since Discord has refused a message.
        refused_at: when it has.
    """

    look_at: datetime | None
    refused_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class FinishersThread:
    """The private thread of a date for who has finished its puzzle.

    Attributes:
        channel_id: the channel that it belongs to.
        closes_at: when its time is over, or when to try again to close it.
        look_at: when to look next for who waits; None if nobody does.
        claimed_at: since when Discord may have made it.
        thread_id: the thread; None until Discord has made it.
        closed_at: when it was closed.
    """

    channel_id: int
    closes_at: datetime
    look_at: datetime | None = None
    claimed_at: datetime | None = None
    thread_id: int | None = None
    closed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DueThread:
    """A thread that is to be closed; `thread_id` is None if it was never made."""

    guild_id: int
    day: date
    thread_id: int | None
