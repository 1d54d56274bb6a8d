"""Tables of what the bot posts on its own: daily posts, finishers' threads, reminders."""

from sqlalchemy import (
    BigInteger,
    Column,
    Date,
    Integer,
    String,
    Table,
)

from bot.db.tables.kinds import UtcDateTime, metadata

post_plans = Table(
    "post_plans",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("post_at", UtcDateTime, index=True, doc="when to look next; null for never"),
    Column("since", UtcDateTime, nullable=False, doc="hours before this are not made up for"),
    Column("refusals", Integer, nullable=False, doc="of the channel, in a row"),
    Column("problem", String(16), doc="the last refusal: forbidden or gone; off by a manager"),
    Column("off_at", UtcDateTime, doc="when three refusals or a manager switched it off"),
    comment="When a server with a channel gets its next post.",
)

posts = Table(
    "posts",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Date, primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("claimed_at", UtcDateTime, nullable=False, doc="since when it may have been sent"),
    Column("tried_at", UtcDateTime, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("outcome", String(16), doc="sent, refused or unsure; null while nobody knows"),
    Column("message_id", BigInteger),
    comment="What was posted of its own accord, claimed before it was sent.",
)

finishers_threads = Table(
    "finishers_threads",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Date, primary_key=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("claimed_at", UtcDateTime, doc="since when it may have been made"),
    Column("thread_id", BigInteger, doc="null until Discord has made it"),
    Column("closes_at", UtcDateTime, nullable=False, index=True, doc="or when to try again"),
    Column("closed_at", UtcDateTime),
    Column("look_at", UtcDateTime, index=True, doc="when to look next; null: nobody waits"),
    comment="The private thread of a date for those who have finished its puzzle.",
)

finishers = Table(
    "finishers",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Date, primary_key=True),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("asked_at", UtcDateTime, nullable=False),
    Column("added_at", UtcDateTime),
    comment="Who belongs into an open finishers' thread; forgotten when it closes.",
)

reminder_plans = Table(
    "reminder_plans",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("look_at", UtcDateTime, index=True, doc="when to look next; null for never"),
    Column("refused_at", UtcDateTime, doc="when Discord refused and so switched it off"),
    comment="Who has asked for reminders.",
)

reminders = Table(
    "reminders",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Date, primary_key=True),
    Column("claimed_at", UtcDateTime, nullable=False, doc="since when it may have been sent"),
    Column("tried_at", UtcDateTime, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("outcome", String(16), doc="sent or refused; null while nobody knows"),
    Column("message_id", BigInteger),
    comment="Direct messages about a streak that was about to end.",
)

streak_restorations = Table(
    "streak_restorations",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Date, primary_key=True, doc="left out of the streak"),
    Column("guild_id", BigInteger, nullable=False),
    Column("restored_by", BigInteger, nullable=False, doc="the member who decided it"),
    Column("reason", String(200), nullable=False),
    Column("restored_at", UtcDateTime, nullable=False),
    comment="Dates that a manager of a server has excused after a streak had ended.",
)
