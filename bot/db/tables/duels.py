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

from bot.db.tables.kinds import IN_A_SERVER, RowId, UtcDateTime, metadata

CALLED_OFF: Final = text("ending IN ('declined', 'withdrawn', 'lapsed')")
"""Which duels have come to nothing."""

duels = Table(
    "duels",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("rules", String(64), nullable=False),
    Column("mode", String(16), nullable=False, doc="equal, classic or race"),
    Column("pace", String(16), nullable=False, doc="live or relaxed"),
    Column("rated", Boolean, nullable=False),
    Column("strength", String(16), doc="of the bot; null between players"),
    Column("challenger_id", BigInteger, nullable=False),
    Column("guild_id", BigInteger, doc="Discord server, or null in private"),
    Column("channel_id", BigInteger, doc="where its board is"),
    Column("message_id", BigInteger),
    Column("thread_id", BigInteger),
    Column("nudge_message_id", BigInteger, doc="the message that last told whose turn it is"),
    Column("state", String(16), nullable=False, doc="invited, setting, starting, playing or over"),
    Column("draw_offered_by", Integer, doc="seat whose offer stands"),
    Column("draw_declined_by", Integer, doc="seat that declined one since the last guess"),
    Column[int]("rematch_of", ForeignKey("duels.id", ondelete="SET NULL"), index=True),
    Column(
        "of_series",
        Boolean,
        nullable=False,
        server_default=false(),
        doc="begun as one of several, and still open when that was given up",
    ),
    Column("terms", Integer, doc="their version; null where both numbers come after Accept"),
    Column("opened_at", UtcDateTime, nullable=False, index=True),
    Column("moved_at", UtcDateTime, nullable=False, doc="when anybody last did anything"),
    Column("accepted_at", UtcDateTime),
    Column(
        "ready_at", UtcDateTime, doc="when both secrets were there, and Start was to be pressed"
    ),
    Column("playing_at", UtcDateTime, doc="when the first turn began"),
    Column(
        "deadline_at",
        UtcDateTime,
        nullable=False,
        doc="the next at which somebody is late, or can accept at once no more",
    ),
    Column("finished_at", UtcDateTime),
    Column("ending", String(16)),
    Column("winner", Integer, doc="seat; null while it goes on, and for nobody"),
    Column("version", Integer, nullable=False, default=0, doc="of what its public board says"),
    Column("stale_at", UtcDateTime, index=True, doc="since when Discord may show another one"),
    Column("nudge_at", UtcDateTime, index=True, doc="when to see whether to say whose turn it is"),
    Column("claimed_at", UtcDateTime, doc="since when what calls a player may have been sent"),
    Index(None, "finished_at", "deadline_at"),
    Index(
        "ix_duels_called_off", "finished_at", sqlite_where=CALLED_OFF, postgresql_where=CALLED_OFF
    ),
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
    Column[int]("duel_id", ForeignKey("duels.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, doc="0 moves first, 1 second"),
    Column("player_id", BigInteger, doc="Discord user, or null for the bot"),
    Column("secret", String(64), doc="what the other seat is to find; null until set"),
    Column("salt", String(32), doc="of the commitment to it; null where there is none"),
    Column("started_at", UtcDateTime, doc="in a race, when this player's own time began"),
    Column(
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
    Column[int]("duel_id", ForeignKey("duels.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, doc="0-based, of both players together"),
    Column("seat", Integer, nullable=False),
    Column("turn", Integer, nullable=False, doc="0-based, of this seat"),
    Column("code", String(64), nullable=False),
    Column("moved_at", UtcDateTime, nullable=False),
    UniqueConstraint("duel_id", "seat", "turn"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False, doc="rated ones"),
    Column("changed_at", UtcDateTime, nullable=False),
    Column(
        "established", Boolean, nullable=False, server_default=false(), doc="counts as an opponent"
    ),
    Column("of_age_at", UtcDateTime, index=True, doc="when they are, if only age is missing"),
    Column("dates", Integer, nullable=False, server_default=text("0"), doc="of rated games"),
    Column("proven_mu", Float, nullable=False, server_default=text("0"), doc="boards go by it"),
    Column("proven_sigma", Float, nullable=False, server_default=text("0")),
    Column("base_mu", Float, doc="what that is folded from; null for the start"),
    Column("base_sigma", Float),
    Column("played_mu", Float, nullable=False, server_default=text("0"), doc="no short duels"),
    Column("played_sigma", Float, nullable=False, server_default=text("0")),
    comment="How strong a player is thought to be, and how sure that is.",
)

rating_changes = Table(
    "rating_changes",
    metadata,
    Column[int]("duel_id", ForeignKey("duels.id", ondelete="CASCADE"), primary_key=True),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("opponent_id", BigInteger, nullable=False),
    Column("mu_before", Float, nullable=False),
    Column("sigma_before", Float, nullable=False),
    Column("mu_after", Float, nullable=False),
    Column("sigma_after", Float, nullable=False),
    Column("games", Integer, nullable=False, doc="rated ones, with this"),
    Column("share", Integer, nullable=False, doc="n, where 1/n of the change was applied"),
    Column("changed_at", UtcDateTime, nullable=False),
    Column(
        "established", Boolean, nullable=False, server_default=false(), doc="the opponent, by now"
    ),
    Column("mean_before", Float, doc="on the present scale; the others as told"),
    Column("deviation_before", Float),
    Column("mean_after", Float),
    Column("deviation_after", Float),
    Column("opponent_mean", Float, doc="before it; null from before ratings were proven"),
    Column("opponent_deviation", Float),
    Column("floor", Integer, doc="what is then sure without short duels; null for one"),
    Index(None, "player_id", "opponent_id", "changed_at"),
    comment="What each rated duel did to a player's rating.",
)
