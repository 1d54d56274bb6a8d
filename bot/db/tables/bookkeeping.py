"""Tables about the bot itself: facts, outages, pulses, logins, emojis, clicks, leases."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Index,
    Integer,
    String,
    Table,
    false,
)

from bot.db.tables.kinds import PLAYERS, UtcDateTime, metadata, plain

facts = Table(
    "facts",
    metadata,
    plain("name", String(64), primary_key=True),
    plain("value", String(256), nullable=False),
    comment="What the bot must remember about itself: the puzzle key, the synced commands.",
)

outages = Table(
    "outages",
    metadata,
    plain("began_at", UtcDateTime, primary_key=True),
    plain("shard", Integer, primary_key=True, autoincrement=False, server_default="0"),
    plain(
        "shard_count",
        Integer,
        primary_key=True,
        autoincrement=False,
        server_default="1",
        doc="of how many; the first of one serves everybody",
    ),
    plain("ended_at", UtcDateTime, nullable=False),
    plain("is_brief", Boolean, nullable=False, server_default=false(), doc="for races only"),
    Index(None, "is_brief", "ended_at"),
    comment="When the bot was not connected, from its own heartbeat.",
)

pulses = Table(
    "pulses",
    metadata,
    plain("shard", Integer, primary_key=True, autoincrement=False),
    plain("shard_count", Integer, primary_key=True, autoincrement=False),
    plain("beat_at", UtcDateTime, nullable=False),
    plain("process", String(32), nullable=False, doc="random; empty for none so far"),
    plain("silent_since", UtcDateTime, doc="an outage that goes on"),
    comment="When each shard was last heard, and which process has it.",
)

login_slots = Table(
    "login_slots",
    metadata,
    plain("bucket", Integer, primary_key=True, autoincrement=False),
    plain("free_at", UtcDateTime, nullable=False, doc="by the database's clock"),
    comment="When the next shard may log in: Discord lets so many do so within five seconds.",
)

emojis = Table(
    "emojis",
    metadata,
    plain("application_id", BigInteger, primary_key=True, autoincrement=False),
    plain("name", String(32), primary_key=True),
    plain("digest", String(64), nullable=False, doc="SHA-256 of the picture uploaded"),
    comment="Which pictures Discord has as application emojis.",
)

free_games = Table(
    "free_games",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("day", Date, nullable=False, doc="in UTC"),
    plain("games", Integer, nullable=False),
    comment="How many games just for fun a player has begun on the last day.",
)

spent_clicks = Table(
    "spent_clicks",
    metadata,
    plain("message_id", BigInteger, primary_key=True, autoincrement=False),
    plain("spent_at", UtcDateTime, nullable=False, index=True),
    comment="Messages whose button works once, and on which it was pressed.",
)

leases = Table(
    "leases",
    metadata,
    plain("name", String(64), primary_key=True, doc="of what one process at a time does"),
    plain("holder", String(32), nullable=False, doc="which process, drawn at its start"),
    plain("until", UtcDateTime, nullable=False, doc="when others may do it, if it says nothing"),
    comment="What one process does, so that others do not.",
)
