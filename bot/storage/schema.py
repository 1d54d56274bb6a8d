"""The tables. Notation is stored as it is: rules, secrets and guesses are short strings."""

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
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
    Column("number", Integer, nullable=False, doc="days since 2026-01-01, plus one"),
    Column("length", Integer, nullable=False),
    Column("rules", String(64), nullable=False),
    Column("secret", String(64), nullable=False),
    UniqueConstraint("number", "length"),
    comment="A daily whose secret was fixed when somebody first opened it.",
)

plays = Table(
    "plays",
    metadata,
    Column("id", Integer, primary_key=True),
    Column[int]("puzzle_id", ForeignKey("puzzles.id"), nullable=False),
    Column("player_id", BigInteger, nullable=False, doc="Discord user"),
    Column("guild_id", BigInteger, doc="Discord server it was opened in; null in private"),
    Column("zone", String(64), nullable=False, doc="IANA zone it was opened with"),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime),
    Column("outcome", String(16)),
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
