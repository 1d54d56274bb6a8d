"""Tables of what outlives a deletion for a while, and of servers that are to be forgotten."""

from sqlalchemy import (
    BigInteger,
    Column,
    Date,
    Float,
    Index,
    Integer,
    String,
    Table,
    text,
)

from bot.db.tables.kinds import UtcDateTime, metadata

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

kept_salts = Table(
    "kept_salts",
    metadata,
    Column("day", Date, primary_key=True, doc="of deletions, in UTC"),
    Column("salt", String(32), nullable=False),
    comment="What ratings and pairs are hashed with, of who deleted their data that day.",
)

kept_ratings = Table(
    "kept_ratings",
    metadata,
    Column("digest", String(64), primary_key=True, doc="of a player, with the day's salt"),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False, doc="rated ones"),
    Column("kept_until", UtcDateTime, nullable=False, index=True),
    Column("proven_mu", Float, nullable=False, server_default=text("0")),
    Column("proven_sigma", Float, nullable=False, server_default=text("0")),
    Column("played_mu", Float, nullable=False, server_default=text("0")),
    Column("played_sigma", Float, nullable=False, server_default=text("0")),
    comment="Ratings of who is forgotten, for seven days.",
)

kept_pairs = Table(
    "kept_pairs",
    metadata,
    Column("digest", String(64), primary_key=True, doc="of two players, with the day's salt"),
    Column("duels", Integer, nullable=False, doc="rated ones of the two, in seven days"),
    Column("last_at", UtcDateTime, nullable=False, index=True),
    comment="How often two have played of whom one is forgotten, for seven days from the last.",
)

erasures = Table(
    "erasures",
    metadata,
    Column("stand_in", BigInteger, primary_key=True, autoincrement=False),
    Column("look_at", UtcDateTime, nullable=False, index=True, doc="when to go on with it"),
    comment="Stand-ins of who is forgotten, of whose games some are still to be deleted.",
)

guild_erasures = Table(
    "guild_erasures",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("began_at", UtcDateTime, nullable=False, doc="what came later stays"),
    Column("look_at", UtcDateTime, nullable=False, index=True, doc="when to go on with it"),
    comment="Servers that have deleted their data, of which some are still to be deleted.",
)

kept_servers = Table(
    "kept_servers",
    metadata,
    Column("digest", String(64), primary_key=True, doc="of a server, with the salt"),
    Column("salt", String(32), nullable=False),
    Column("kept_until", UtcDateTime, nullable=False, index=True),
    comment="Servers that have deleted their data, and are no new ones for thirty days.",
)

departed_guilds = Table(
    "departed_guilds",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("left_at", UtcDateTime, nullable=False, index=True),
    comment="Servers that have removed the bot, and since when.",
)
