"""Players race at one puzzle.

Revises: 0059
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables.kinds import UtcDateTime

revision = "0060"
down_revision = "0059"
branch_labels = None
depends_on = None

_ROW_ID = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "races",
        sa.Column("id", _ROW_ID),
        sa.Column("opener_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("series", _ROW_ID, nullable=True),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("salt", sa.String(32), nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("second_at", UtcDateTime(), nullable=True),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("ending", sa.String(16), nullable=True),
        sa.Column("look_at", UtcDateTime(), nullable=True),
        sa.Column("tried_at", UtcDateTime(), nullable=True),
        sa.Column("shown", sa.String(48), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_races")),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (ending IS NULL)", name=op.f("ck_races_finished_with_ending")
        ),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_races_look_at"), "races", ["look_at"])
    op.create_index(op.f("ix_races_opener_id_opened_at"), "races", ["opener_id", "opened_at"])
    op.create_index(op.f("ix_races_series"), "races", ["series"])
    for name, column, where in (
        ("ix_races_guild_id", "guild_id", sa.text("guild_id IS NOT NULL")),
        ("ix_races_unraced", "finished_at", sa.text("ending IN ('called_off', 'lapsed')")),
    ):
        op.create_index(op.f(name), "races", [column], sqlite_where=where, postgresql_where=where)
    op.create_table(
        "race_seats",
        sa.Column("race_id", _ROW_ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("joined_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("outcome", sa.String(16), nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("race_id", "seat", name=op.f("pk_race_seats")),
        sa.ForeignKeyConstraint(
            ["race_id"], ["races.id"], name=op.f("fk_race_seats_race_id"), ondelete="CASCADE"
        ),
        sa.UniqueConstraint("player_id", "race_id", name=op.f("uq_race_seats_player_id_race_id")),
    )
    op.create_table(
        "race_guesses",
        sa.Column("race_id", _ROW_ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("guessed_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("race_id", "seat", "turn", name=op.f("pk_race_guesses")),
        sa.ForeignKeyConstraint(
            ["race_id"], ["races.id"], name=op.f("fk_race_guesses_race_id"), ondelete="CASCADE"
        ),
    )
