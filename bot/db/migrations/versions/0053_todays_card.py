"""A server's results of a date go into one message, unless a manager has chosen otherwise.

Revises: 0051
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables.kinds import UtcDateTime

revision = "0053"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    chosen = sa.Column("todays_card", sa.Boolean(), server_default=sa.true(), nullable=False)
    op.add_column("guilds", chosen)
    # Where there was such a message, and is none now, a manager has switched it off.
    op.execute(
        "UPDATE guilds SET todays_card = false WHERE NOT running_results AND ("
        "guild_id IN (SELECT guild_id FROM running_messages)"
        " OR guild_id IN (SELECT guild_id FROM always_shares))"
    )
    op.drop_column("guilds", "running_results")
    # Discord had refused these messages, or members had deleted them.
    op.execute(
        "DELETE FROM running_rows WHERE running_id IN"
        " (SELECT id FROM running_messages WHERE message_id IS NULL AND NOT is_wanted)"
    )
    op.execute("DELETE FROM running_messages WHERE message_id IS NULL AND NOT is_wanted")
    op.add_column("running_messages", sa.Column("deleted_at", UtcDateTime(), nullable=True))
    for name in ("is_wanted", "posted_at", "outdated_id"):
        op.drop_column("running_messages", name)
    op.create_index(
        op.f("ix_running_messages_guild_id_number_length"),
        "running_messages",
        ["guild_id", "number", "length"],
    )
