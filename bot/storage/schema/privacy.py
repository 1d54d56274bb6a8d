"""Tables of what outlives a deletion for a while, and of servers that are to be forgotten."""

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    String,
    Table,
)

from bot.storage.schema.kinds import UtcDateTime, metadata

spent_dailies = Table(
    "spent_dailies",
    metadata,
    Column("digest", String(64), primary_key=True, doc="of a player, with the salt"),
    Column("salt", String(32), nullable=False),
    Column("number", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Index(None, "number", "length"),
    comment="Dailies that somebody had opened who is forgotten, until their date is over.",
)

departed_guilds = Table(
    "departed_guilds",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("left_at", UtcDateTime, nullable=False, index=True),
    comment="Servers that have removed the bot, and since when.",
)
