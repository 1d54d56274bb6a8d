"""Daily posts, threads and reminders.

Revises: 0006
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _add_choices()
    op.create_table(
        "post_plans",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_at", UtcDateTime(), nullable=True),
        sa.Column("since", UtcDateTime(), nullable=False),
        sa.Column("refusals", sa.Integer(), nullable=False),
        sa.Column("problem", sa.String(length=16), nullable=True),
        sa.Column("off_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_post_plans")),
        comment="When a server with a channel gets its next post.",
    )
    op.create_index(op.f("ix_post_plans_post_at"), "post_plans", ["post_at"])
    # Who had chosen a channel before there were posts is looked at first of all, and planned then.
    op.execute(
        "INSERT INTO post_plans (guild_id, post_at, since, refusals) "
        "SELECT guild_id, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 0 FROM guilds "
        "WHERE channel_id IS NOT NULL"
    )
    op.create_table(
        "posts",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("claimed_at", UtcDateTime(), nullable=False),
        sa.Column("tried_at", UtcDateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "day", "kind", name=op.f("pk_posts")),
        comment="What was posted of its own accord, claimed before it was sent.",
    )
    _create_threads()
    _create_reminders()
    op.create_table(
        "streak_restorations",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("restored_by", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("restored_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "day", name=op.f("pk_streak_restorations")),
        comment="Dates that a manager of a server has excused after a streak had ended.",
    )


def _add_choices() -> None:
    for column in (
        sa.Column("post_hour", sa.Integer(), nullable=False, server_default=sa.text("9")),
        sa.Column("post_days", sa.String(length=7), nullable=False, server_default="1234567"),
        sa.Column("post_role_id", sa.BigInteger(), nullable=True),
        sa.Column("finishers_threads", sa.Boolean(), nullable=False, server_default=sa.false()),
    ):
        op.add_column("guilds", column)


def _create_threads() -> None:
    op.create_table(
        "finishers_threads",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("claimed_at", UtcDateTime(), nullable=False),
        sa.Column("thread_id", sa.BigInteger(), nullable=True),
        sa.Column("closes_at", UtcDateTime(), nullable=False),
        sa.Column("closed_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "day", name=op.f("pk_finishers_threads")),
        comment="The private thread of a date for those who have finished its puzzle.",
    )
    op.create_index(op.f("ix_finishers_threads_closes_at"), "finishers_threads", ["closes_at"])
    op.create_table(
        "finishers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("asked_at", UtcDateTime(), nullable=False),
        sa.Column("added_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "day", "player_id", name=op.f("pk_finishers")),
        comment="Who belongs into an open finishers' thread; forgotten when it closes.",
    )
    op.create_index(op.f("ix_finishers_added_at"), "finishers", ["added_at"])


def _create_reminders() -> None:
    op.create_table(
        "reminder_plans",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("look_at", UtcDateTime(), nullable=True),
        sa.Column("refused_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_reminder_plans")),
        comment="Who has asked for reminders.",
    )
    op.create_index(op.f("ix_reminder_plans_look_at"), "reminder_plans", ["look_at"])
    op.create_table(
        "reminders",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("claimed_at", UtcDateTime(), nullable=False),
        sa.Column("tried_at", UtcDateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("player_id", "day", name=op.f("pk_reminders")),
        comment="Direct messages about a streak that was about to end.",
    )
