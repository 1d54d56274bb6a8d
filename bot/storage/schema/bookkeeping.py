"""Tables of what the bot must remember about itself."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    String,
    Table,
    false,
)

from bot.storage.schema.kinds import UtcDateTime, metadata

facts = Table(
    "facts",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", String(256), nullable=False),
    comment="What the bot must remember about itself: the puzzle key, the synced commands.",
)

outages = Table(
    "outages",
    metadata,
    Column("began_at", UtcDateTime, primary_key=True),
    Column("shard", Integer, primary_key=True, autoincrement=False, server_default="0"),
    Column(
        *("shard_count", Integer),
        primary_key=True,
        autoincrement=False,
        server_default="1",
        doc="of how many; the first of one serves everybody",
    ),
    Column("ended_at", UtcDateTime, nullable=False),
    Column(
        "is_brief", Boolean, nullable=False, server_default=false(), doc="for live deadlines only"
    ),
    Index(None, "is_brief", "ended_at"),
    comment="When the bot was not connected, from its own heartbeat.",
)

silences = Table(
    "silences",
    metadata,
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("shard_count", Integer, primary_key=True, autoincrement=False),
    Column("since", UtcDateTime, nullable=False),
    comment="Outages that go on: by which shards nothing comes now.",
)

emojis = Table(
    "emojis",
    metadata,
    Column("application_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(32), primary_key=True),
    Column("digest", String(64), nullable=False, doc="SHA-256 of the picture uploaded"),
    comment="Which pictures Discord has as application emojis.",
)
