"""Tables of what the bot posts by itself, and of results that players share."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    UniqueConstraint,
)

from bot.db.tables.kinds import (
    PLAYERS,
    SERVERS,
    RowId,
    UtcDateTime,
    metadata,
    plain,
)

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
    comment="Those who belong into an open finishers' thread; forgotten when it closes.",
)

reminder_plans = Table(
    "reminder_plans",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("look_at", UtcDateTime, index=True, doc="when to look next; null for never"),
    plain("refused_at", UtcDateTime, doc="when Discord refused and so switched it off"),
    comment="Those who have asked for reminders.",
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

shares = Table(
    "shares",
    metadata,
    plain("id", RowId, primary_key=True),
    plain("play_id", ForeignKey("plays.id", ondelete="CASCADE")),
    plain("mastermind_id", ForeignKey("masterminds.id", ondelete="CASCADE")),
    plain("duel_id", ForeignKey("duels.id", ondelete="CASCADE")),
    plain("channel_id", BigInteger, nullable=False),
    Column("player_id", BigInteger, nullable=False, info=PLAYERS, doc="who has shared it"),
    plain("shared_at", UtcDateTime, nullable=False),
    plain("claimed_at", UtcDateTime, doc="since when it is being posted; null once it is"),
    UniqueConstraint("play_id", "channel_id"),
    UniqueConstraint("mastermind_id", "channel_id"),
    UniqueConstraint("duel_id", "channel_id"),
    Index(None, "player_id"),
    CheckConstraint(
        "CASE WHEN play_id IS NULL THEN 0 ELSE 1 END"
        " + CASE WHEN mastermind_id IS NULL THEN 0 ELSE 1 END"
        " + CASE WHEN duel_id IS NULL THEN 0 ELSE 1 END = 1",
        name="of_one_game",
    ),
    comment="A result is posted to a channel once.",
)

cards = Table(
    "cards",
    metadata,
    plain("id", RowId, primary_key=True),
    Column("guild_id", BigInteger, nullable=False, info=SERVERS),
    plain("channel_id", BigInteger, nullable=False),
    plain("number", Integer, nullable=False, doc="of the puzzle"),
    plain("length", Integer, nullable=False, doc="of the puzzle"),
    plain("closes_at", UtcDateTime, nullable=False, doc="when its date has ended in the server"),
    plain("look_at", UtcDateTime, nullable=False, index=True, doc="when to look next"),
    plain("version", Integer, nullable=False, doc="grows with each change of what it shows"),
    plain("shown", Integer, nullable=False, doc="the version that Discord shows"),
    plain("message_id", BigInteger, doc="null while there is none"),
    plain("claimed_at", UtcDateTime, doc="since when another may have been sent"),
    plain("tried_at", UtcDateTime, doc="since when somebody is at it; null if nobody is"),
    plain("drawn_at", UtcDateTime, doc="when it was last sent or edited"),
    plain("closed_at", UtcDateTime, doc="null while it runs"),
    plain("deleted_at", UtcDateTime, doc="when it was found to be deleted by others"),
    UniqueConstraint("channel_id", "number", "length"),
    Index(None, "guild_id", "number", "length"),
    comment="The one message of a puzzle in a server, with everybody's results.",
)

card_rows = Table(
    "card_rows",
    metadata,
    plain("card_id", ForeignKey("cards.id", ondelete="CASCADE"), primary_key=True),
    Column(
        "player_id", BigInteger, primary_key=True, autoincrement=False, index=True, info=PLAYERS
    ),
    Column("guild_id", BigInteger, nullable=False, info=SERVERS),
    plain("entered_at", UtcDateTime, nullable=False),
    comment="Whose results are in a card; forgotten some days after it has closed.",
)

always_shares = Table(
    "always_shares",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("channel_id", BigInteger, nullable=False),
    plain("chosen_at", UtcDateTime, nullable=False),
    comment="Where a player's dailies of a server go into the card by themselves.",
)
