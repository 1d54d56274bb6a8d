"""The beginning: what version 0.2.0 left. A new database has all tables at once, and skips it."""

revision = "0045"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    raise NotImplementedError
