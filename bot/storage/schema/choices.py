"""Tables of what players and servers have chosen."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Integer,
    String,
    Table,
)

from bot.storage.schema.kinds import UtcDateTime, metadata

preferences = Table(
    "preferences",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("hard_mode", Boolean, nullable=False),
    Column("palette", String(16), nullable=False),
    Column("skip_question", Boolean, nullable=False, doc="play false equations unasked"),
    comment="What a player has chosen; no row means the defaults.",
)

guilds = Table(
    "guilds",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, doc="where the bot posts; null for nowhere"),
    comment="What a server has chosen.",
)

guild_lengths = Table(
    "guild_lengths",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("from_day", Date, primary_key=True),
    Column("length", Integer, nullable=False),
    comment="The length of a server's daily, from a date on.",
)

zones = Table(
    "zones",
    metadata,
    Column("subject", String(8), primary_key=True, doc="guild or player"),
    Column("subject_id", BigInteger, primary_key=True, autoincrement=False),
    Column("effective_at", UtcDateTime, primary_key=True),
    Column("zone", String(64), nullable=False, doc="IANA"),
    Column("set_at", UtcDateTime, nullable=False),
    comment="The zone of a server or player, from an instant on.",
)
