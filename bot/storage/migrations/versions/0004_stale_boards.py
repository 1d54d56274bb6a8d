"""Public boards of Mastermind that may not show the game as it is; ids that are never used again.

Ids stand on public buttons, so a deleted game's must not become another game's. PostgreSQL's
sequences never go back; SQLite must be told by AUTOINCREMENT, for which a table is built anew.

Revises: 0003
"""

from collections.abc import Iterable
from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_UNSHOWN: Final = sa.text("message_id IS NOT NULL AND shown < revision")
# Tables to build anew with those that refer to them, directly or not, nearest first.
_REFERRING: Final = {
    "masterminds": ("mastermind_turns",),
    "puzzles": ("plays", "guesses", "shares"),
    "plays": ("guesses", "shares"),
    "duels": ("duel_seats", "duel_moves", "rating_changes"),
}


def upgrade() -> None:
    """Count a game's changes, note which of them its board shows, and keep ids apart."""
    for name in ("revision", "shown"):
        op.add_column(
            "masterminds", sa.Column(name, sa.Integer(), server_default="0", nullable=False)
        )
    if op.get_bind().dialect.name == "sqlite":
        rematches = op.get_bind().execute(
            sa.text("SELECT id, rematch_of FROM duels WHERE rematch_of IS NOT NULL")
        )
        pairs = rematches.all()
        for table, referring in _REFERRING.items():
            _rebuild(table, referring)
        for duel_id, rematch_of in pairs:
            change = sa.text("UPDATE duels SET rematch_of = :rematch_of WHERE id = :duel_id")
            op.execute(change.bindparams(rematch_of=rematch_of, duel_id=duel_id))
    op.create_index(
        "ix_masterminds_unshown",
        "masterminds",
        ["id"],
        sqlite_where=_UNSHOWN,
        postgresql_where=_UNSHOWN,
    )


def _rebuild(table: str, referring: Iterable[str]) -> None:
    """Build a table anew, without losing what refers to it.

    Foreign keys stay enforced within a transaction: dropping the old table would delete, or
    forbid, the rows that refer to it. So they are put aside meanwhile.
    """
    for name in referring:
        op.execute(f"CREATE TEMPORARY TABLE aside_{name} AS SELECT * FROM {name}")  # noqa: S608 - names of ours
    for name in reversed(tuple(referring)):
        op.execute(f"DELETE FROM {name}")  # noqa: S608 - names of ours
    with op.batch_alter_table(
        table, recreate="always", table_kwargs={"sqlite_autoincrement": True}
    ):
        pass
    for name in referring:
        op.execute(f"INSERT INTO {name} SELECT * FROM aside_{name}")  # noqa: S608 - names of ours
        op.execute(f"DROP TABLE aside_{name}")
