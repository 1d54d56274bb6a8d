"""Tables of players and servers: choices, members, leaderboards, champions, deletions."""

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
    text,
    true,
)

from bot.db.tables.kinds import (
    AT_SERVER,
    CHOSEN,
    PLACE,
    PLAYERS,
    SERVERS,
    STAND_IN,
    WORN,
    RowId,
    UtcDateTime,
    metadata,
    plain,
)

preferences = Table(
    "preferences",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("hard_mode", Boolean, nullable=False),
    plain("palette", String(16), nullable=False),
    plain("hidden", Boolean, nullable=False, server_default=false(), doc="on no board"),
    plain("no_challenges", Boolean, nullable=False, server_default=false(), doc="from anybody"),
    plain(
        "asks",
        String(16),
        nullable=False,
        server_default="false",
        doc="before which guesses: false, impossible, nothing",
    ),
    plain("language", String(8), doc="as Discord names it; null for that of their Discord"),
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
    plain(
        "takes_equations",
        Boolean,
        nullable=False,
        server_default=true(),
        doc="members may set equations",
    ),
    plain("champion_role_id", BigInteger, doc="the role of the winners; null for none"),
    plain("champion_period", String(8), nullable=False, server_default="week", doc="week or month"),
    plain("champion_day", Date, doc="the first of the period whose winners have the role"),
    plain("champion_at", UtcDateTime, index=True, doc="when to look who was first"),
    plain("language", String(8), doc="as Discord names it; null for the server's at Discord"),
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

players = Table(
    "players",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("name", String(128), nullable=False, doc="anywhere, as last seen"),
    plain("seen_at", UtcDateTime, nullable=False, index=True),
    plain("avatar", String(64), doc="Discord's hash of it, as last seen; null while hidden"),
    plain("language", String(8), doc="in which they were last answered"),
    comment="Those who have done something, wherever.",
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
    comment="Those who have done something in a server, and have not left it as far as is known.",
)

member_posts = Table(
    "member_posts",
    metadata,
    plain("id", RowId, primary_key=True),
    Column("player_id", BigInteger, nullable=False, info=PLAYERS),
    Column("guild_id", BigInteger, nullable=False, info=SERVERS, doc="0: outside servers"),
    plain("posted_at", UtcDateTime, nullable=False, index=True),
    Index(None, "player_id", "guild_id", "posted_at"),
    comment="When members have posted something within the last hour.",
)

exclusions = Table(
    "exclusions",
    metadata,
    plain("id", RowId, primary_key=True),
    Column("guild_id", BigInteger, nullable=False, info=SERVERS),
    Column("player_id", BigInteger, index=True, info=STAND_IN, doc="null once forgotten"),
    plain("digest", String(64), nullable=False, unique=True, doc="of server and player, keyed"),
    Column("by_id", BigInteger, nullable=False, info=STAND_IN, doc="the manager"),
    plain("made_at", UtcDateTime, nullable=False),
    plain("is_told", Boolean, nullable=False, server_default=false(), doc="the player knows"),
    plain("met_at", UtcDateTime, doc="when last, if forgotten; else null"),
    Index(None, "guild_id", "player_id"),
    comment="Whom managers have taken off their server's boards.",
    sqlite_autoincrement=True,
)

kept_out = Table(
    "kept_out",
    metadata,
    plain("digest", String(64), primary_key=True, doc="of a user or a server, with a key"),
    Column("user_id", BigInteger, index=True, info=STAND_IN, doc="null once forgotten"),
    Column("guild_id", BigInteger, info=AT_SERVER),
    plain("since", UtcDateTime, nullable=False),
    comment="Users and servers that the host keeps out.",
)

standings = Table(
    "standings",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("slot", String(16), primary_key=True, doc="which game and period"),
    plain("missing", Integer, nullable=False, doc="how many more games it needs to be shown"),
    plain("sort_key", BigInteger, nullable=False, doc="what rows are ranked by, lowest first"),
    plain("figures", String(64), nullable=False, doc="what the key follows from"),
    Index(None, "guild_id", "slot", "missing", "sort_key", "player_id"),
    comment="The rows of leaderboards: only of players who are shown, and of recent periods.",
    sqlite_with_rowid=False,
)

champions = Table(
    "champions",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("role_id", BigInteger, primary_key=True, autoincrement=False),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=WORN),
    plain("look_at", UtcDateTime, index=True, doc="when to look at it next; null: they have it"),
    plain("is_ours", Boolean, nullable=False, doc="the bot has given it, or begun to"),
    plain("over_at", UtcDateTime, doc="since when it is to be taken back"),
    comment="Those who have, or are to have, a server's champion's role from the bot.",
)

standing_rebuilds = Table(
    "standing_rebuilds",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    comment="Whose rows are to be worked out anew.",
)

recent_deletions = Table(
    "recent_deletions",
    metadata,
    plain("digest", String(64), primary_key=True, doc="of a player, with a key"),
    plain("ends_at", UtcDateTime, nullable=False, index=True, doc="seven days later"),
    comment="Players who have just deleted their data: what they begin does not count.",
)

departed_guilds = Table(
    "departed_guilds",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, info=SERVERS),
    plain("left_at", UtcDateTime, nullable=False, index=True),
    comment="Servers that have removed the bot, and since when.",
)

web_tickets = Table(
    "web_tickets",
    metadata,
    plain("digest", String(64), primary_key=True, doc="SHA-256 of what the link carries"),
    Column("player_id", BigInteger, nullable=False, index=True, info=PLAYERS),
    Column("guild_id", BigInteger, info=SERVERS, doc="where it was earned"),
    Column("channel_id", BigInteger, info=PLACE),
    plain("place", String(32), doc="the game that it opens, if it opens one, such as `race-3`"),
    plain("ends_at", UtcDateTime, nullable=False, index=True),
    plain("instance", String(64), doc="SHA-256 of the id of what was launched; null for a link"),
    comment="Links to the page, each for one use within minutes, and launches within Discord.",
)

web_posts = Table(
    "web_posts",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("place", String(32), primary_key=True, doc="the game, such as `play-17`, or `write`"),
    plain("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger, nullable=False, info=SERVERS),
    plain("asked_at", UtcDateTime, nullable=False, index=True),
    plain("claimed_at", UtcDateTime, doc="when a process first began to post it"),
    plain("tried_at", UtcDateTime, doc="when one last did"),
    plain("outcome", String(16), doc="`sent`, `refused` or `absent`; null: open"),
    comment="What players of the page have asked the bot to post, or to permit, for minutes.",
)

web_sessions = Table(
    "web_sessions",
    metadata,
    plain("digest", String(64), primary_key=True, doc="SHA-256 of what the browser keeps"),
    Column("player_id", BigInteger, nullable=False, index=True, info=PLAYERS),
    Column("guild_id", BigInteger, info=SERVERS, doc="where it was earned"),
    Column("channel_id", BigInteger, info=PLACE),
    plain("ends_at", UtcDateTime, nullable=False, index=True),
    plain("is_framed", Boolean, nullable=False, server_default=false(), doc="within Discord"),
    plain("instance", String(64), doc="SHA-256 of the id of the Activity in which it plays"),
    comment="Browsers in which a player plays on the page, for hours.",
)
