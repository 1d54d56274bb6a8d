"""The beginning.

Revises: nothing
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "emojis",
        sa.Column("application_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("application_id", "name", name=op.f("pk_emojis")),
        comment="Which pictures Discord has as application emojis.",
    )
    op.create_table(
        "facts",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.String(length=256), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_facts")),
        comment="What the bot must remember about itself: the puzzle key, the synced commands.",
    )
    op.create_table(
        "guild_lengths",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("from_day", sa.Date(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "from_day", name=op.f("pk_guild_lengths")),
        comment="The length of a server's daily, from a date on.",
    )
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guilds")),
        comment="What a server has chosen.",
    )
    op.create_table(
        "outages",
        sa.Column("began_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("began_at", name=op.f("pk_outages")),
        comment="When the bot was not connected, from its own heartbeat.",
    )
    op.create_table(
        "preferences",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hard_mode", sa.Boolean(), nullable=False),
        sa.Column("palette", sa.String(length=16), nullable=False),
        sa.Column("skip_question", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_preferences")),
        comment="What a player has chosen; no row means the defaults.",
    )
    op.create_table(
        "puzzles",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzles")),
        sa.UniqueConstraint("number", "length", name=op.f("uq_puzzles_number_length")),
        comment="A daily whose secret was fixed when first opened, or somebody's practice.",
    )
    op.create_table(
        "streak_changes",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("before", sa.Integer(), nullable=False),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("freezes", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "day", name=op.f("pk_streak_changes")),
        comment="What each date did to a player's streak, and why.",
    )
    op.create_table(
        "streaks",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=False),
        sa.Column("freezes", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_streaks")),
        comment="A player's streak as it was last worked out from the plays.",
    )
    op.create_table(
        "zones",
        sa.Column("subject", sa.String(length=8), nullable=False),
        sa.Column("subject_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("effective_at", UtcDateTime(), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("set_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("subject", "subject_id", "effective_at", name=op.f("pk_zones")),
        comment="The zone of a server or player, from an instant on.",
    )
    op.create_table(
        "plays",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("puzzle_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("hard", sa.Boolean(), nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("on_date", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (outcome IS NULL)", name=op.f("ck_plays_finished_with_outcome")
        ),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzles.id"], name=op.f("fk_plays_puzzle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plays")),
        sa.UniqueConstraint("puzzle_id", "player_id", name=op.f("uq_plays_puzzle_id_player_id")),
        comment="One player's one play of one puzzle.",
    )
    op.create_index(op.f("ix_plays_guild_id"), "plays", ["guild_id"])
    op.create_index(op.f("ix_plays_player_id"), "plays", ["player_id"])
    op.create_table(
        "guesses",
        sa.Column("play_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("guessed_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["play_id"], ["plays.id"], name=op.f("fk_guesses_play_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("play_id", "turn", name=op.f("pk_guesses")),
        sa.UniqueConstraint("play_id", "code", name=op.f("uq_guesses_play_id_code")),
    )
    op.create_table(
        "shares",
        sa.Column("play_id", sa.Integer(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("shared_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["play_id"], ["plays.id"], name=op.f("fk_shares_play_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("play_id", "channel_id", name=op.f("pk_shares")),
        comment="A result is posted to a channel once.",
    )
