"""Tables of FoCdle: puzzles, plays, streaks."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    UniqueConstraint,
    text,
)

from bot.db.tables.kinds import RowId, UtcDateTime, Word, metadata
from bot.streaks.model import Reason

puzzles = Table(
    "puzzles",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("number", Integer, doc="days since 2026-01-01, plus one; null in practice"),
    Column("length", Integer, nullable=False),
    Column("rules", String(64), nullable=False),
    Column("secret", String(64), nullable=False),
    Column("salt", String(32), doc="of the commitment; null where there was none yet"),
    UniqueConstraint("number", "length"),
    comment="A daily whose secret was fixed when first opened, or somebody's practice.",
    sqlite_autoincrement=True,
)

plays = Table(
    "plays",
    metadata,
    Column("id", RowId, primary_key=True),
    Column[int]("puzzle_id", ForeignKey("puzzles.id"), nullable=False),
    Column("player_id", BigInteger, nullable=False, index=True, doc="Discord user"),
    Column("guild_id", BigInteger, index=True, doc="Discord server, or null in private"),
    Column("zone", String(64), nullable=False, doc="IANA zone it was opened with"),
    Column("hard", Boolean, nullable=False, doc="hard mode, from the first guess on"),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime),
    Column("outcome", String(16)),
    Column("on_date", Boolean, nullable=False, doc="finished while its date was today"),
    Column("dismissed_at", UtcDateTime, doc="when it was taken off the unfinished; null if not"),
    Column("first_of_date", Boolean, doc="first guessed at; null before a guess or that rule"),
    UniqueConstraint("puzzle_id", "player_id"),
    Index(None, "puzzle_id", "guild_id"),
    CheckConstraint("(finished_at IS NULL) = (outcome IS NULL)", name="finished_with_outcome"),
    comment="One player's one play of one puzzle.",
    sqlite_autoincrement=True,
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

streaks = Table(
    "streaks",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("length", Integer, nullable=False),
    Column("best", Integer, nullable=False),
    Column("freezes", Integer, nullable=False),
    Column("settles_at", UtcDateTime, index=True, doc="when it may end by itself; null if never"),
    Column("assisted", Integer, nullable=False, server_default=text("0"), doc="dates with hints"),
    comment="A player's streak as it was last worked out from the plays.",
)

streak_changes = Table(
    "streak_changes",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Date, primary_key=True),
    Column("reason", Word(Reason, 32), nullable=False),
    Column("before", Integer, nullable=False, doc="length"),
    Column("after", Integer, nullable=False, doc="length"),
    Column("freezes", Integer, nullable=False, doc="held after it"),
    comment="What each date did to a player's streak, and why.",
)
