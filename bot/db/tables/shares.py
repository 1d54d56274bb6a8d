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

from bot.db.tables.kinds import PLAYERS, SERVERS, RowId, UtcDateTime, metadata, plain

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

running_rows = Table(
    "running_rows",
    metadata,
    plain("running_id", ForeignKey("running_messages.id", ondelete="CASCADE"), primary_key=True),
    Column(
        "player_id", BigInteger, primary_key=True, autoincrement=False, index=True, info=PLAYERS
    ),
    Column("guild_id", BigInteger, nullable=False, info=SERVERS),
    plain("entered_at", UtcDateTime, nullable=False),
    comment="Whose results are in a running message; forgotten some days after it has closed.",
)

always_shares = Table(
    "always_shares",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("channel_id", BigInteger, nullable=False),
    plain("chosen_at", UtcDateTime, nullable=False),
    comment="Where a player's dailies of a server go into the running message by themselves.",
)
