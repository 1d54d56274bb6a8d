"""The table of results that were posted for others to see."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    UniqueConstraint,
)

from bot.storage.schema.kinds import UtcDateTime, metadata

shares = Table(
    "shares",
    metadata,
    Column("id", Integer, primary_key=True),
    Column[int]("play_id", ForeignKey("plays.id", ondelete="CASCADE")),
    Column[int]("mastermind_id", ForeignKey("masterminds.id", ondelete="CASCADE")),
    Column[int]("duel_id", ForeignKey("duels.id", ondelete="CASCADE")),
    Column("channel_id", BigInteger, nullable=False),
    Column("player_id", BigInteger, nullable=False, doc="who has shared it"),
    Column("shared_at", UtcDateTime, nullable=False),
    Column("claimed_at", UtcDateTime, doc="since when it is being posted; null once it is"),
    UniqueConstraint("play_id", "channel_id"),
    UniqueConstraint("mastermind_id", "channel_id"),
    UniqueConstraint("duel_id", "channel_id"),
    Index(None, "player_id", "shared_at"),
    CheckConstraint(
        "CASE WHEN play_id IS NULL THEN 0 ELSE 1 END"
        " + CASE WHEN mastermind_id IS NULL THEN 0 ELSE 1 END"
        " + CASE WHEN duel_id IS NULL THEN 0 ELSE 1 END = 1",
        name="of_one_game",
    ),
    comment="A result is posted to a channel once.",
)
