"""Tables of results for others to see: posted one by one, or in a server's running message."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    UniqueConstraint,
)

from bot.db.tables.kinds import RowId, UtcDateTime, metadata

shares = Table(
    "shares",
    metadata,
    Column("id", RowId, primary_key=True),
    Column[int]("play_id", ForeignKey("plays.id", ondelete="CASCADE")),
    Column[int]("mastermind_id", ForeignKey("masterminds.id", ondelete="CASCADE")),
    Column[int]("duel_id", ForeignKey("duels.id", ondelete="CASCADE")),
    Column("channel_id", BigInteger, nullable=False),
    Column("player_id", BigInteger, nullable=False, doc="who has shared it"),
    Column("shared_at", UtcDateTime, nullable=False),
    Column("claimed_at", UtcDateTime, doc="since when it is being posted; null once it is"),
    UniqueConstraint("play_id", "channel_id"),
    UniqueConstraint("mastermind_id", "channel_id"),
    UniqueConstraint("duel_id", "channel_id"),
    Index(None, "player_id", "shared_at"),
    CheckConstraint(
        "CASE WHEN play_id IS NULL THEN 0 ELSE 1 END"
        " + CASE WHEN mastermind_id IS NULL THEN 0 ELSE 1 END"
        " + CASE WHEN duel_id IS NULL THEN 0 ELSE 1 END = 1",
        name="of_one_game",
    ),
    comment="A result is posted to a channel once.",
)

running_messages = Table(
    "running_messages",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("number", Integer, nullable=False, doc="of the puzzle"),
    Column("length", Integer, nullable=False, doc="of the puzzle"),
    Column("closes_at", UtcDateTime, nullable=False, doc="when its date has ended in the server"),
    Column("look_at", UtcDateTime, nullable=False, index=True, doc="when to look next"),
    Column("version", Integer, nullable=False, doc="grows with each change of what it shows"),
    Column("shown", Integer, nullable=False, doc="the version that Discord shows"),
    Column("message_id", BigInteger, doc="null while there is none"),
    Column("claimed_at", UtcDateTime, doc="since when another may have been sent"),
    Column("tried_at", UtcDateTime, doc="since when somebody is at it; null if nobody is"),
    Column("drawn_at", UtcDateTime, doc="when it was last sent or edited"),
    Column("closed_at", UtcDateTime, doc="null while it runs"),
    Column("deleted_at", UtcDateTime, doc="when it was found to be deleted by others"),
    UniqueConstraint("channel_id", "number", "length"),
    Index(None, "guild_id", "number", "length"),
    comment="The one message of a puzzle in a server, with everybody's results.",
)

running_rows = Table(
    "running_rows",
    metadata,
    Column[int](
        "running_id", ForeignKey("running_messages.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("entered_at", UtcDateTime, nullable=False),
    comment="Whose results are in a running message; forgotten some days after it has closed.",
)

always_shares = Table(
    "always_shares",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("chosen_at", UtcDateTime, nullable=False),
    comment="Where a player's dailies of a server go into the running message by themselves.",
)
