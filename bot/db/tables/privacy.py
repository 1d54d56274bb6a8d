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

from bot.db.tables.kinds import SERVERS, UtcDateTime, metadata, plain

spent_dailies = Table(
    "spent_dailies",
    metadata,
    plain("digest", String(64), primary_key=True, doc="of a player, with the salt"),
    plain("salt", String(32), nullable=False),
    plain("number", Integer, nullable=False),
    plain("length", Integer, nullable=False),
    Index(None, "number", "length"),
    comment="Dailies that somebody had opened who is forgotten, until their date is over.",
)

kept_salts = Table(
    "kept_salts",
    metadata,
    plain("day", Date, primary_key=True, doc="of deletions, in UTC"),
    plain("salt", String(32), nullable=False),
    comment="What ratings and pairs are hashed with, of who deleted their data that day.",
)

kept_ratings = Table(
    "kept_ratings",
    metadata,
    plain("digest", String(64), primary_key=True, doc="of a player, with the day's salt"),
    plain("mu", Float, nullable=False),
    plain("sigma", Float, nullable=False),
    plain("games", Integer, nullable=False, doc="rated ones"),
    plain("kept_until", UtcDateTime, nullable=False, index=True),
    plain("proven_mu", Float, nullable=False, server_default=text("0")),
    plain("proven_sigma", Float, nullable=False, server_default=text("0")),
    plain("played_mu", Float, nullable=False, server_default=text("0")),
    plain("played_sigma", Float, nullable=False, server_default=text("0")),
    comment="Ratings of who is forgotten, for seven days.",
)

kept_pairs = Table(
    "kept_pairs",
    metadata,
    plain("digest", String(64), primary_key=True, doc="of two players, with the day's salt"),
    plain("duels", Integer, nullable=False, doc="rated ones of the two, in seven days"),
    plain("last_at", UtcDateTime, nullable=False, index=True),
    comment="How often two have played of whom one is forgotten, for seven days from the last.",
)

erasures = Table(
    "erasures",
    metadata,
    plain("stand_in", BigInteger, primary_key=True, autoincrement=False),
    plain("look_at", UtcDateTime, nullable=False, index=True, doc="when to go on with it"),
    comment="Stand-ins of who is forgotten, of whose games some are still to be deleted.",
)

guild_erasures = Table(
    "guild_erasures",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("began_at", UtcDateTime, nullable=False, doc="what came later stays"),
    plain("look_at", UtcDateTime, nullable=False, index=True, doc="when to go on with it"),
    comment="Servers that have deleted their data, of which some are still to be deleted.",
)

kept_servers = Table(
    "kept_servers",
    metadata,
    plain("digest", String(64), primary_key=True, doc="of a server, with the salt"),
    plain("salt", String(32), nullable=False),
    plain("kept_until", UtcDateTime, nullable=False, index=True),
    comment="Servers that have deleted their data, and are no new ones for thirty days.",
)

departed_guilds = Table(
    "departed_guilds",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("left_at", UtcDateTime, nullable=False, index=True),
    comment="Servers that have removed the bot, and since when.",
)
