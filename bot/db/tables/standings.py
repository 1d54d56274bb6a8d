"""Tables of who is known where, and of who leads."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    Integer,
    String,
    Table,
    false,
)

from bot.db.tables.kinds import PLAYERS, SERVERS, UtcDateTime, metadata, plain

players = Table(
    "players",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("name", String(128), nullable=False, doc="anywhere, as last seen"),
    plain("seen_at", UtcDateTime, nullable=False, index=True),
    plain("avatar", String(64), doc="Discord's hash of it, as last seen; null while hidden"),
    comment="Who has done something, wherever.",
)

members = Table(
    "members",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    Column(
        "player_id", BigInteger, primary_key=True, autoincrement=False, index=True, info=PLAYERS
    ),
    plain("name", String(128), nullable=False, doc="there, as last seen; empty if never"),
    plain("seen_at", UtcDateTime, nullable=False, doc="doing something there"),
    plain("looked_up_at", UtcDateTime, doc="when Discord was last asked"),
    comment="Who has done something in a server, and has not left it as far as is known.",
)

standings = Table(
    "standings",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    Column(
        "guild_id",
        BigInteger,
        primary_key=True,
        autoincrement=False,
        info=SERVERS,
        doc="0: all servers",
    ),
    plain("slot", String(16), primary_key=True, doc="which game and period"),
    plain("sort_key", BigInteger, doc="what rows are ranked by, lowest first; null: not yet"),
    plain("figures", String(64), nullable=False, doc="what the key follows from"),
    Index(None, "guild_id", "slot", "sort_key", "player_id"),
    comment="The rows of leaderboards: of those only who are shown, and of recent periods.",
    sqlite_with_rowid=False,
)

standing_levels = Table(
    "standing_levels",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("slot", String(16), primary_key=True),
    plain("level", BigInteger, primary_key=True, autoincrement=False, doc="a key's upper bits"),
    plain("players", Integer, nullable=False),
    CheckConstraint("players >= 0", name="nobody_below_none"),
    comment="How many ranked rows a leaderboard has at each level.",
    sqlite_with_rowid=False,
)

standing_rebuilds = Table(
    "standing_rebuilds",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("duels_only", Boolean, nullable=False, server_default=false(), doc="no other game's"),
    comment="Whose rows are to be worked out anew.",
)
