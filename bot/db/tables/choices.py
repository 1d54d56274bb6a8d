"""Tables of what players and servers have chosen."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Integer,
    String,
    Table,
    false,
    text,
    true,
)

from bot.db.tables.kinds import CHOSEN, PLAYERS, SERVERS, UtcDateTime, metadata, plain

preferences = Table(
    "preferences",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("hard_mode", Boolean, nullable=False),
    plain("palette", String(16), nullable=False),
    plain("hidden", Boolean, nullable=False, server_default=false(), doc="on no board"),
    plain("on_global_boards", Boolean, nullable=False, server_default=false()),
    plain("no_challenges", Boolean, nullable=False, server_default=false(), doc="from anybody"),
    plain(
        "asks",
        String(16),
        nullable=False,
        server_default="false",
        doc="before which guesses: false, impossible, nothing",
    ),
    comment="What a player has chosen; no row means the defaults.",
)

blocks = Table(
    "blocks",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    Column("blocked_id", BigInteger, primary_key=True, autoincrement=False, info=CHOSEN),
    plain("blocked_at", UtcDateTime, nullable=False),
    comment="From whom a player wants no challenges; it stays when that one is forgotten.",
)

guilds = Table(
    "guilds",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("channel_id", BigInteger, doc="where the bot posts; null for nowhere"),
    plain("duel_threads", Boolean, nullable=False, server_default=false(), doc="duels get threads"),
    plain(
        "post_hour",
        Integer,
        nullable=False,
        server_default=text("9"),
        doc="0 to 23, in the server's zone",
    ),
    plain("post_days", String(7), nullable=False, server_default="1234567", doc="1 is Monday"),
    plain("post_role_id", BigInteger, doc="who is mentioned; null for nobody"),
    plain(
        "finishers_threads", Boolean, nullable=False, server_default=false(), doc="a thread a date"
    ),
    plain(
        "takes_results",
        Boolean,
        nullable=False,
        server_default=false(),
        doc="shared below the post",
    ),
    plain(
        "todays_card",
        Boolean,
        nullable=False,
        server_default=true(),
        doc="results of a date go into one message",
    ),
    plain(
        "weekly_recap", Boolean, nullable=False, server_default=true(), doc="in a week's first post"
    ),
    plain(
        "asked_to_post",
        Boolean,
        nullable=False,
        server_default=false(),
        doc="a manager was asked whether the daily post shall come",
    ),
    comment="What a server has chosen.",
)

guild_lengths = Table(
    "guild_lengths",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("from_day", Date, primary_key=True),
    plain("length", Integer, nullable=False),
    comment="The length of a server's daily, from a date on.",
)

zones = Table(
    "zones",
    metadata,
    plain("subject", String(8), primary_key=True, doc="guild or player"),
    Column("subject_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS | SERVERS),
    plain("effective_at", UtcDateTime, primary_key=True),
    plain("zone", String(64), nullable=False, doc="IANA"),
    plain("set_at", UtcDateTime, nullable=False),
    plain(
        "is_correction", Boolean, nullable=False, server_default=false(), doc="of the one before"
    ),
    comment="The zone of a server or player, from an instant on.",
)
