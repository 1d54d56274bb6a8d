"""Tables of what the bot posts on its own: daily posts, finishers' threads, reminders."""

from sqlalchemy import (
    BigInteger,
    Column,
    Date,
    Integer,
    String,
    Table,
)

from bot.db.tables.kinds import AT_SERVER, PLAYERS, SERVERS, STAND_IN, UtcDateTime, metadata, plain

post_plans = Table(
    "post_plans",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("post_at", UtcDateTime, index=True, doc="when to look next; null for never"),
    plain("since", UtcDateTime, nullable=False, doc="hours before this are not made up for"),
    plain("refusals", Integer, nullable=False, doc="of the channel, in a row"),
    plain("problem", String(16), doc="the last refusal: forbidden or gone; off by a manager"),
    plain("off_at", UtcDateTime, doc="when three refusals or a manager switched it off"),
    comment="When a server with a channel gets its next post.",
)

posts = Table(
    "posts",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("day", Date, primary_key=True),
    plain("kind", String(16), primary_key=True),
    plain("channel_id", BigInteger, nullable=False),
    plain("claimed_at", UtcDateTime, nullable=False, doc="since when it may have been sent"),
    plain("tried_at", UtcDateTime, nullable=False),
    plain("attempts", Integer, nullable=False),
    plain("outcome", String(16), doc="sent, refused or unsure; null while nobody knows"),
    plain("message_id", BigInteger),
    comment="What was posted of its own accord, claimed before it was sent.",
)

finishers_threads = Table(
    "finishers_threads",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("day", Date, primary_key=True),
    plain("channel_id", BigInteger, nullable=False),
    plain("claimed_at", UtcDateTime, doc="since when it may have been made"),
    plain("thread_id", BigInteger, doc="null until Discord has made it"),
    plain("closes_at", UtcDateTime, nullable=False, index=True, doc="or when to try again"),
    plain("closed_at", UtcDateTime),
    plain("look_at", UtcDateTime, index=True, doc="when to look next; null: nobody waits"),
    comment="The private thread of a date for those who have finished its puzzle.",
)

finishers = Table(
    "finishers",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("day", Date, primary_key=True),
    Column(
        "player_id", BigInteger, primary_key=True, autoincrement=False, index=True, info=PLAYERS
    ),
    plain("asked_at", UtcDateTime, nullable=False),
    plain("added_at", UtcDateTime),
    comment="Who belongs into an open finishers' thread; forgotten when it closes.",
)

reminder_plans = Table(
    "reminder_plans",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("look_at", UtcDateTime, index=True, doc="when to look next; null for never"),
    plain("refused_at", UtcDateTime, doc="when Discord refused and so switched it off"),
    comment="Who has asked for reminders.",
)

reminders = Table(
    "reminders",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("day", Date, primary_key=True),
    plain("claimed_at", UtcDateTime, nullable=False, doc="since when it may have been sent"),
    plain("tried_at", UtcDateTime, nullable=False),
    plain("attempts", Integer, nullable=False),
    plain("outcome", String(16), doc="sent or refused; null while nobody knows"),
    plain("message_id", BigInteger),
    comment="Direct messages about a streak that was about to end.",
)

streak_restorations = Table(
    "streak_restorations",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("day", Date, primary_key=True, doc="left out of the streak"),
    Column("guild_id", BigInteger, nullable=False, info=AT_SERVER),
    Column(
        "restored_by", BigInteger, nullable=False, info=STAND_IN, doc="the member who decided it"
    ),
    plain("reason", String(200), nullable=False),
    plain("restored_at", UtcDateTime, nullable=False),
    comment="Dates that a manager of a server has excused after a streak had ended.",
)
