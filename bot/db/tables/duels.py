"""Tables of duels and ratings."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    UniqueConstraint,
    false,
    text,
)

from bot.db.tables.kinds import (
    AT_SERVER,
    IN_A_SERVER,
    PLACE,
    PLAYERS,
    STAND_IN,
    RowId,
    UtcDateTime,
    metadata,
    plain,
)

UNPLAYED: Final = text("ending IN ('declined', 'withdrawn', 'lapsed')")
"""Which duels have come to nothing."""

duels = Table(
    "duels",
    metadata,
    plain("id", RowId, primary_key=True),
    plain("rules", String(64), nullable=False),
    plain("mode", String(16), nullable=False, doc="equal, classic or race"),
    plain("pace", String(16), nullable=False, doc="live or relaxed"),
    plain("rated", Boolean, nullable=False),
    plain("strength", String(16), doc="of the bot; null between players"),
    Column("challenger_id", BigInteger, nullable=False, info=STAND_IN),
    Column("guild_id", BigInteger, info=AT_SERVER, doc="Discord server, or null in private"),
    Column("channel_id", BigInteger, info=PLACE, doc="where its board is"),
    Column("message_id", BigInteger, info=PLACE),
    Column("thread_id", BigInteger, info=PLACE),
    Column(
        "nudge_message_id",
        BigInteger,
        info=PLACE,
        doc="the message that last told whose turn it is",
    ),
    plain("state", String(16), nullable=False, doc="invited, setting, starting, playing or over"),
    plain("draw_offered_by", Integer, doc="seat whose offer stands"),
    plain("draw_declined_by", Integer, doc="seat that declined one since the last guess"),
    plain("rematch_of", ForeignKey("duels.id", ondelete="SET NULL"), index=True),
    plain(
        "of_series",
        Boolean,
        nullable=False,
        server_default=false(),
        doc="begun as one of several, and still open when that was given up",
    ),
    plain("terms", Integer, doc="their version; null where both numbers come after Accept"),
    plain("opened_at", UtcDateTime, nullable=False, index=True),
    plain("moved_at", UtcDateTime, nullable=False, doc="when anybody last did anything"),
    plain("accepted_at", UtcDateTime),
    plain("ready_at", UtcDateTime, doc="when both secrets were there, and Start was to be pressed"),
    plain("playing_at", UtcDateTime, doc="when the first turn began"),
    plain(
        "deadline_at",
        UtcDateTime,
        nullable=False,
        doc="the next at which somebody is late, or can accept at once no more",
    ),
    plain("finished_at", UtcDateTime),
    plain("ending", String(16)),
    plain("winner", Integer, doc="seat; null while it goes on, and for nobody"),
    plain(
        "version",
        Integer,
        nullable=False,
        server_default=text("0"),
        doc="of what its public board says",
    ),
    plain("stale_at", UtcDateTime, index=True, doc="since when Discord may show another one"),
    plain("nudge_at", UtcDateTime, index=True, doc="when to see whether to say whose turn it is"),
    plain("claimed_at", UtcDateTime, doc="since when what calls a player may have been sent"),
    Index(None, "finished_at", "deadline_at"),
    Index("ix_duels_called_off", "finished_at", sqlite_where=UNPLAYED, postgresql_where=UNPLAYED),
    Index(None, "guild_id", "finished_at", sqlite_where=IN_A_SERVER, postgresql_where=IN_A_SERVER),
    CheckConstraint("(finished_at IS NULL) = (ending IS NULL)", name="finished_with_ending"),
    CheckConstraint("(finished_at IS NULL) = (state <> 'over')", name="over_when_finished"),
    CheckConstraint("winner IS NULL OR finished_at IS NOT NULL", name="winner_at_end"),
    comment="A duel of Bulls and Cows, from the challenge on.",
    sqlite_autoincrement=True,
)

duel_seats = Table(
    "duel_seats",
    metadata,
    plain("duel_id", ForeignKey("duels.id", ondelete="CASCADE"), primary_key=True),
    plain("seat", Integer, primary_key=True, doc="0 moves first, 1 second"),
    Column("player_id", BigInteger, info=STAND_IN, doc="Discord user, or null for the bot"),
    plain("secret", String(64), doc="what the other seat is to find; null until set"),
    plain("salt", String(32), doc="of the commitment to it; null where there is none"),
    plain("started_at", UtcDateTime, doc="in a race, when this player's own time began"),
    plain(
        "offers",
        Integer,
        nullable=False,
        server_default=text("0"),
        doc="of a draw, since the last guess: the first one calls",
    ),
    UniqueConstraint("player_id", "duel_id"),
    CheckConstraint("seat IN (0, 1)", name="two_seats"),
)

duel_moves = Table(
    "duel_moves",
    metadata,
    plain("duel_id", ForeignKey("duels.id", ondelete="CASCADE"), primary_key=True),
    plain("number", Integer, primary_key=True, doc="0-based, of both players together"),
    plain("seat", Integer, nullable=False),
    plain("turn", Integer, nullable=False, doc="0-based, of this seat"),
    plain("code", String(64), nullable=False),
    plain("moved_at", UtcDateTime, nullable=False),
    UniqueConstraint("duel_id", "seat", "turn"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("mu", Float, nullable=False),
    plain("sigma", Float, nullable=False),
    plain("games", Integer, nullable=False, doc="rated ones"),
    plain("changed_at", UtcDateTime, nullable=False),
    plain(
        "established", Boolean, nullable=False, server_default=false(), doc="counts as an opponent"
    ),
    plain("of_age_at", UtcDateTime, index=True, doc="when they are, if only age is missing"),
    plain("dates", Integer, nullable=False, server_default=text("0"), doc="of rated games"),
    plain("proven_mu", Float, nullable=False, server_default=text("0"), doc="boards go by it"),
    plain("proven_sigma", Float, nullable=False, server_default=text("0")),
    plain("base_mu", Float, doc="what that is folded from; null for the start"),
    plain("base_sigma", Float),
    plain("played_mu", Float, nullable=False, server_default=text("0"), doc="no short duels"),
    plain("played_sigma", Float, nullable=False, server_default=text("0")),
    comment="How strong a player is thought to be, and how sure that is.",
)

rating_changes = Table(
    "rating_changes",
    metadata,
    plain("duel_id", ForeignKey("duels.id", ondelete="CASCADE"), primary_key=True),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    Column("opponent_id", BigInteger, nullable=False, info=STAND_IN),
    plain("mu_before", Float, nullable=False),
    plain("sigma_before", Float, nullable=False),
    plain("mu_after", Float, nullable=False),
    plain("sigma_after", Float, nullable=False),
    plain("games", Integer, nullable=False, doc="rated ones, with this"),
    plain("share", Integer, nullable=False, doc="n, where 1/n of the change was applied"),
    plain("changed_at", UtcDateTime, nullable=False),
    plain(
        "established", Boolean, nullable=False, server_default=false(), doc="the opponent, by now"
    ),
    plain("mean_before", Float, doc="on the present scale; the others as told"),
    plain("deviation_before", Float),
    plain("mean_after", Float),
    plain("deviation_after", Float),
    plain("opponent_mean", Float, doc="before it; null from before ratings were proven"),
    plain("opponent_deviation", Float),
    plain("floor", Integer, doc="what is then sure without short duels; null for one"),
    Index(None, "player_id", "opponent_id", "changed_at"),
    comment="What each rated duel did to a player's rating.",
)
