"""The baseline: all tables, which `bot.db.migrations.make` makes at once."""

from bot.db.revisions import BASELINE

revision = BASELINE
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    raise NotImplementedError
