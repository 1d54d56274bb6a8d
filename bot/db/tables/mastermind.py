"""Tables of Mastermind."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    text,
    true,
)

from bot.db.tables.kinds import (
    AT_SERVER,
    IN_A_SERVER,
    PLACE,
    STAND_IN,
    RowId,
    UtcDateTime,
    metadata,
    plain,
)

UNSHOWN: Final = text("message_id IS NOT NULL AND shown < revision")
"""Which games have a public board that may not show them as they are."""

FLEETING: Final = text("(kind = 'watch' OR (kind = 'challenge' AND accepted_at IS NULL))")
"""Which games are nobody's achievement: those that were watched or have never begun."""

CHALLENGES: Final = text("kind = 'challenge'")
"""Which games one player has set for another."""

masterminds = Table(
    "masterminds",
    metadata,
    plain("id", RowId, primary_key=True),
    plain("kind", String(16), nullable=False, doc="play, defend, challenge or watch"),
    plain("rules", String(64), nullable=False),
    plain("secret", String(64), doc="null where only its player knows it"),
    plain("salt", String(32), doc="of the commitment to it; null where there is none"),
    Column("owner_id", BigInteger, nullable=False, info=STAND_IN, doc="Discord user who opened it"),
    Column("codebreaker_id", BigInteger, info=STAND_IN, doc="Discord user, or null for the bot"),
    Column("guild_id", BigInteger, info=AT_SERVER, doc="where its public board is; else null"),
    Column("channel_id", BigInteger, info=PLACE),
    Column("message_id", BigInteger, info=PLACE, doc="its public board; null while there is none"),
    plain("revision", Integer, nullable=False, server_default="0", doc="how often it changed"),
    plain("shown", Integer, nullable=False, server_default="0", doc="the one its board shows"),
    plain("pending", String(64), nullable=False, doc="the row that is being put together"),
    plain("opened_at", UtcDateTime, nullable=False),
    plain("moved_at", UtcDateTime, nullable=False, doc="when its player last did anything"),
    plain("deadline_at", UtcDateTime, nullable=False, doc="when it ends unless somebody goes on"),
    plain("accepted_at", UtcDateTime, doc="of a challenge"),
    plain("finished_at", UtcDateTime),
    plain("ending", String(16)),
    plain(
        "ranked",
        Boolean,
        nullable=False,
        server_default=true(),
        doc="whether boards may count it; settled before its first guess",
    ),
    plain(
        "relabelling",
        String(32),
        doc="what the solver's colours and places are called here; null if as they are",
    ),
    Index(None, "owner_id", "finished_at"),
    Index(None, "codebreaker_id", "finished_at"),
    Index(None, "finished_at", "deadline_at"),
    Index(None, "guild_id", sqlite_where=IN_A_SERVER, postgresql_where=IN_A_SERVER),
    Index(
        "ix_masterminds_fleeting", "finished_at", sqlite_where=FLEETING, postgresql_where=FLEETING
    ),
    Index("ix_masterminds_unshown", "id", sqlite_where=UNSHOWN, postgresql_where=UNSHOWN),
    Index(
        "ix_masterminds_challenges",
        "codebreaker_id",
        "opened_at",
        sqlite_where=CHALLENGES,
        postgresql_where=CHALLENGES,
    ),
    CheckConstraint("(finished_at IS NULL) = (ending IS NULL)", name="finished_with_ending"),
    comment="A game of Mastermind of any kind.",
    sqlite_autoincrement=True,
)

mastermind_turns = Table(
    "mastermind_turns",
    metadata,
    plain("game_id", ForeignKey("masterminds.id", ondelete="CASCADE"), primary_key=True),
    plain("turn", Integer, primary_key=True, doc="0-based"),
    plain("code", String(64), nullable=False),
    plain("blacks", Integer, doc="as answered; null if not yet, or if there is a secret"),
    plain("whites", Integer, doc="likewise"),
    plain("guessed_at", UtcDateTime, nullable=False),
    CheckConstraint("whites IS NULL OR blacks IS NOT NULL", name="whites_after_blacks"),
)
