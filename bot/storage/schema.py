"""The tables. Notation is stored as it is: rules, secrets and guesses are short strings."""

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    TypeDecorator,
    UniqueConstraint,
)


class UtcDateTime(TypeDecorator[datetime]):
    """An instant: aware in Python, UTC without a zone in the database."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Store UTC; a naive datetime is a bug of the caller's."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive datetime is no instant")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give back what was stored, aware."""
        return None if value is None else value.replace(tzinfo=UTC)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

facts = Table(
    "facts",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", String(256), nullable=False),
    comment="What the bot must remember about itself: the puzzle key, the synced commands.",
)

puzzles = Table(
    "puzzles",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("number", Integer, doc="days since 2026-01-01, plus one; null in practice"),
    Column("length", Integer, nullable=False),
    Column("rules", String(64), nullable=False),
    Column("secret", String(64), nullable=False),
    UniqueConstraint("number", "length"),
    comment="A daily whose secret was fixed when first opened, or somebody's practice.",
)

plays = Table(
    "plays",
    metadata,
    Column("id", Integer, primary_key=True),
    Column[int]("puzzle_id", ForeignKey("puzzles.id"), nullable=False),
    Column("player_id", BigInteger, nullable=False, index=True, doc="Discord user"),
    Column("guild_id", BigInteger, index=True, doc="Discord server, or null in private"),
    Column("zone", String(64), nullable=False, doc="IANA zone it was opened with"),
    Column("hard", Boolean, nullable=False, doc="hard mode, from the first guess on"),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime),
    Column("outcome", String(16)),
    Column("on_date", Boolean, nullable=False, doc="finished while its date was today"),
    UniqueConstraint("puzzle_id", "player_id"),
    CheckConstraint("(finished_at IS NULL) = (outcome IS NULL)", name="finished_with_outcome"),
    comment="One player's one play of one puzzle.",
)

guesses = Table(
    "guesses",
    metadata,
    Column[int]("play_id", ForeignKey("plays.id", ondelete="CASCADE"), primary_key=True),
    Column("turn", Integer, primary_key=True, doc="0-based"),
    Column("code", String(64), nullable=False),
    Column("guessed_at", UtcDateTime, nullable=False),
    UniqueConstraint("play_id", "code"),
)

shares = Table(
    "shares",
    metadata,
    Column[int]("play_id", ForeignKey("plays.id", ondelete="CASCADE"), primary_key=True),
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("shared_at", UtcDateTime, nullable=False),
    comment="A result is posted to a channel once.",
)

masterminds = Table(
    "masterminds",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(16), nullable=False, doc="play, defend, challenge or watch"),
    Column("rules", String(64), nullable=False),
    Column("secret", String(64), doc="null where only its player knows it"),
    Column("owner_id", BigInteger, nullable=False, doc="Discord user who opened it"),
    Column("codebreaker_id", BigInteger, doc="Discord user, or null for the bot"),
    Column("guild_id", BigInteger, doc="where its public board is; else null"),
    Column("channel_id", BigInteger),
    Column("message_id", BigInteger),
    Column("pending", String(64), nullable=False, doc="the row that is being put together"),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("moved_at", UtcDateTime, nullable=False, doc="when its player last did anything"),
    Column("deadline_at", UtcDateTime, nullable=False, doc="when it ends unless moved in"),
    Column("accepted_at", UtcDateTime, doc="of a challenge"),
    Column("finished_at", UtcDateTime),
    Column("ending", String(16)),
    Index(None, "owner_id", "finished_at"),
    Index(None, "codebreaker_id", "finished_at"),
    Index(None, "finished_at", "deadline_at"),
    CheckConstraint("(finished_at IS NULL) = (ending IS NULL)", name="finished_with_ending"),
    comment="A game of Mastermind of any kind.",
)

mastermind_turns = Table(
    "mastermind_turns",
    metadata,
    Column[int]("game_id", ForeignKey("masterminds.id", ondelete="CASCADE"), primary_key=True),
    Column("turn", Integer, primary_key=True, doc="0-based"),
    Column("code", String(64), nullable=False),
    Column("blacks", Integer, doc="as answered; null if not yet, or if there is a secret"),
    Column("whites", Integer, doc="likewise"),
    Column("guessed_at", UtcDateTime, nullable=False),
    CheckConstraint("whites IS NULL OR blacks IS NOT NULL", name="whites_after_blacks"),
)

duels = Table(
    "duels",
    metadata,
    Column("id", Integer, primary_key=True),
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
    Column("state", String(16), nullable=False, doc="invited, setting, playing or over"),
    Column("draw_offered_by", Integer, doc="seat whose offer stands"),
    Column[int]("rematch_of", ForeignKey("duels.id", ondelete="SET NULL"), index=True),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("moved_at", UtcDateTime, nullable=False, doc="when anybody last did anything"),
    Column("accepted_at", UtcDateTime),
    Column("playing_at", UtcDateTime, doc="when both secrets were there"),
    Column("deadline_at", UtcDateTime, nullable=False, doc="the next at which somebody is late"),
    Column("finished_at", UtcDateTime),
    Column("ending", String(16)),
    Column("winner", Integer, doc="seat; null while it goes on, and for nobody"),
    Index(None, "finished_at", "deadline_at"),
    CheckConstraint("(finished_at IS NULL) = (ending IS NULL)", name="finished_with_ending"),
    CheckConstraint("(finished_at IS NULL) = (state <> 'over')", name="over_when_finished"),
    CheckConstraint("winner IS NULL OR finished_at IS NOT NULL", name="winner_at_end"),
    comment="A duel of Bulls and Cows, from the challenge on.",
)

duel_seats = Table(
    "duel_seats",
    metadata,
    Column[int]("duel_id", ForeignKey("duels.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, doc="0 moves first, 1 second"),
    Column("player_id", BigInteger, doc="Discord user, or null for the bot"),
    Column("secret", String(64), doc="what the other seat is to find; null until set"),
    Column("started_at", UtcDateTime, doc="in a race, when this player's own time began"),
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
    Index(None, "player_id", "opponent_id", "changed_at"),
    comment="What each rated duel did to a player's rating.",
)

preferences = Table(
    "preferences",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("hard_mode", Boolean, nullable=False),
    Column("palette", String(16), nullable=False),
    Column("skip_question", Boolean, nullable=False, doc="play false equations unasked"),
    comment="What a player has chosen; no row means the defaults.",
)

guilds = Table(
    "guilds",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, doc="where the bot posts; null for nowhere"),
    comment="What a server has chosen.",
)

guild_lengths = Table(
    "guild_lengths",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("from_day", Date, primary_key=True),
    Column("length", Integer, nullable=False),
    comment="The length of a server's daily, from a date on.",
)

zones = Table(
    "zones",
    metadata,
    Column("subject", String(8), primary_key=True, doc="guild or player"),
    Column("subject_id", BigInteger, primary_key=True, autoincrement=False),
    Column("effective_at", UtcDateTime, primary_key=True),
    Column("zone", String(64), nullable=False, doc="IANA"),
    Column("set_at", UtcDateTime, nullable=False),
    comment="The zone of a server or player, from an instant on.",
)

outages = Table(
    "outages",
    metadata,
    Column("began_at", UtcDateTime, primary_key=True),
    Column("ended_at", UtcDateTime, nullable=False),
    comment="When the bot was not connected, from its own heartbeat.",
)

streaks = Table(
    "streaks",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("length", Integer, nullable=False),
    Column("best", Integer, nullable=False),
    Column("freezes", Integer, nullable=False),
    comment="A player's streak as it was last worked out from the plays.",
)

streak_changes = Table(
    "streak_changes",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Date, primary_key=True),
    Column("reason", String(32), nullable=False),
    Column("before", Integer, nullable=False, doc="length"),
    Column("after", Integer, nullable=False, doc="length"),
    Column("freezes", Integer, nullable=False, doc="held after it"),
    comment="What each date did to a player's streak, and why.",
)

emojis = Table(
    "emojis",
    metadata,
    Column("application_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(32), primary_key=True),
    Column("digest", String(64), nullable=False, doc="SHA-256 of the picture uploaded"),
    comment="Which pictures Discord has as application emojis.",
)
