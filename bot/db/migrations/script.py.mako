"""${message}.

Revises: ${down_revision or "nothing"}
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables.kinds import UtcDateTime
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}
