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

from bot.db.tables.kinds import (
    AT_SERVER,
    PLAYERS,
    STAND_IN,
    RowId,
    UtcDateTime,
    Word,
    metadata,
    plain,
)
from bot.streaks.model import Reason

puzzles = Table(
    "puzzles",
    metadata,
    plain("id", RowId, primary_key=True),
    plain("number", Integer, doc="days since 2026-01-01, plus one; null in practice"),
    plain("length", Integer, nullable=False),
    plain("rules", String(64), nullable=False),
    plain("secret", String(64), nullable=False),
    plain("salt", String(32), doc="of the commitment; null where there was none yet"),
    UniqueConstraint("number", "length"),
    comment="A daily whose secret was fixed when first opened, or somebody's practice.",
    sqlite_autoincrement=True,
)

plays = Table(
    "plays",
    metadata,
    plain("id", RowId, primary_key=True),
    plain("puzzle_id", ForeignKey("puzzles.id"), nullable=False),
    Column("player_id", BigInteger, nullable=False, index=True, info=STAND_IN, doc="Discord user"),
    Column(
        "guild_id", BigInteger, index=True, info=AT_SERVER, doc="Discord server, or null in private"
    ),
    plain("zone", String(64), nullable=False, doc="IANA zone it was opened with"),
    plain("hard", Boolean, nullable=False, doc="hard mode, from the first guess on"),
    plain("opened_at", UtcDateTime, nullable=False),
    plain("finished_at", UtcDateTime),
    plain("outcome", String(16)),
    plain("on_date", Boolean, nullable=False, doc="finished while its date was today"),
    plain("dismissed_at", UtcDateTime, doc="when it was taken off the unfinished; null if not"),
    plain("first_of_date", Boolean, doc="first guessed at; null before a guess or that rule"),
    UniqueConstraint("puzzle_id", "player_id"),
    Index(None, "puzzle_id", "guild_id"),
    CheckConstraint("(finished_at IS NULL) = (outcome IS NULL)", name="finished_with_outcome"),
    comment="One player's one play of one puzzle.",
    sqlite_autoincrement=True,
)

guesses = Table(
    "guesses",
    metadata,
    plain("play_id", ForeignKey("plays.id", ondelete="CASCADE"), primary_key=True),
    plain("turn", Integer, primary_key=True, doc="0-based"),
    plain("code", String(64), nullable=False),
    plain("guessed_at", UtcDateTime, nullable=False),
    UniqueConstraint("play_id", "code"),
)

streaks = Table(
    "streaks",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("length", Integer, nullable=False),
    plain("best", Integer, nullable=False),
    plain("freezes", Integer, nullable=False),
    plain("settles_at", UtcDateTime, index=True, doc="when it may end by itself; null if never"),
    plain("assisted", Integer, nullable=False, server_default=text("0"), doc="dates with hints"),
    comment="A player's streak as it was last worked out from the plays.",
)

streak_changes = Table(
    "streak_changes",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("day", Date, primary_key=True),
    plain("reason", Word(Reason, 32), nullable=False),
    plain("before", Integer, nullable=False, doc="length"),
    plain("after", Integer, nullable=False, doc="length"),
    plain("freezes", Integer, nullable=False, doc="held after it"),
    comment="What each date did to a player's streak, and why.",
)
