"""Ratings as if there had been no short duels, and what is sure of them after each duel.

Revises: 0054
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import groupby
from math import exp, log, sqrt
from typing import Any

import sqlalchemy as sa
from alembic import op

from bot.db.tables.kinds import UtcDateTime

revision = "0056"
down_revision = "0054"
branch_labels = None
depends_on = None

_START = (1500.0, 55.0)
_BETA = 400 / log(10) / sqrt(2)
_TAU = 0.5
_WEEK = timedelta(days=7)
_FEWEST_GUESSES = 3
_AT_ONCE = 1000
# The side of each player in each rated duel, in order, with the fewest guesses of the side that did
# not win.
_SIDES = sa.text(
    "SELECT c.duel_id, c.player_id, c.opponent_id, c.changed_at,"
    " coalesce(c.mean_before, c.mu_before) AS mean_before,"
    " coalesce(c.deviation_before, c.sigma_before) AS deviation_before,"
    " c.opponent_mean, c.opponent_deviation, s.seat, d.winner,"
    " (SELECT min((SELECT count(*) FROM duel_moves m WHERE m.duel_id = l.duel_id"
    " AND m.seat = l.seat)) FROM duel_seats l WHERE l.duel_id = c.duel_id"
    " AND (d.winner IS NULL OR l.seat <> d.winner)) AS made"
    " FROM rating_changes c JOIN duels d ON d.id = c.duel_id"
    " JOIN duel_seats s ON s.duel_id = c.duel_id AND s.player_id = c.player_id"
    " ORDER BY c.changed_at, c.duel_id, s.seat"
).columns(changed_at=UtcDateTime())
_FLOOR = sa.text(
    "UPDATE rating_changes SET floor = :floor WHERE duel_id = :duel_id AND player_id = :player_id"
)
_PLAYED = sa.text(
    "UPDATE ratings SET played_mu = :mu, played_sigma = :sigma WHERE player_id = :player_id"
)


def upgrade() -> None:
    for table in ("ratings", "kept_ratings"):
        for name in ("played_mu", "played_sigma"):
            column = sa.Column(name, sa.Float(), nullable=False, server_default=sa.text("0"))
            op.add_column(table, column)
    op.add_column("rating_changes", sa.Column("floor", sa.Integer(), nullable=True))
    # Ratings without any stored duel stay as they are.
    op.execute("UPDATE ratings SET played_mu = mu, played_sigma = sigma")
    op.execute("UPDATE kept_ratings SET played_mu = mu, played_sigma = sigma")
    played, floors = _folded(op.get_bind().execute(_SIDES).all())
    _execute(_FLOOR, floors)
    _execute(
        _PLAYED,
        [{"player_id": player, "mu": mu, "sigma": sigma} for player, (mu, sigma) in played.items()],
    )
    op.execute(
        "INSERT INTO standing_rebuilds (player_id, duels_only) SELECT player_id, TRUE FROM ratings"
        " WHERE player_id NOT IN (SELECT player_id FROM standing_rebuilds)"
    )


def _execute(statement: sa.TextClause, values: list[dict[str, Any]]) -> None:
    for first in range(0, len(values), _AT_ONCE):
        op.get_bind().execute(statement, values[first : first + _AT_ONCE])


def _folded(
    sides: Iterable[Any],
) -> tuple[dict[int, tuple[float, float]], list[dict[str, Any]]]:
    """Fold all duels to means and deviations, with those after each that was not short."""
    played: dict[int, tuple[float, float]] = {}
    floors: list[dict[str, Any]] = []
    met: dict[tuple[int, int], list[datetime]] = {}
    for duel_id, both in groupby(sides, key=lambda side: side.duel_id):
        rows = list(both)
        before: dict[int, tuple[float, float]] = {}
        for row in rows:
            stood = (row.mean_before, row.deviation_before)
            before[row.player_id] = played.setdefault(row.player_id, stood)
        for row in rows:
            if row.made < _FEWEST_GUESSES:
                continue
            other = before.get(row.opponent_id)
            if other is None:  # an opponent who was deleted
                kept = (row.opponent_mean, row.opponent_deviation)
                other = _START if row.opponent_mean is None else kept
            since = row.changed_at - _WEEK
            recent = met.setdefault((row.player_id, row.opponent_id), [])
            recent[:] = [at for at in recent if at > since] + [row.changed_at]
            score = 0.5 if row.winner is None else float(row.winner == row.seat)
            mean, deviation = _told(before[row.player_id], other, score, len(recent))
            played[row.player_id] = mean, deviation
            floor = round(mean - 2 * deviation)
            floors.append({"duel_id": duel_id, "player_id": row.player_id, "floor": floor})
    return played, floors


def _told(
    own: tuple[float, float], other: tuple[float, float], score: float, share: int
) -> tuple[float, float]:
    """Compute the new mean and deviation after a duel, weighted by 1/`share`."""
    (mean, deviation), variances = own, [sigma**2 + _TAU**2 for _, sigma in (own, other)]
    spread = sqrt(sum(variances) + 2 * _BETA**2)
    expected = 1 / (1 + exp((other[0] - mean) / spread))
    moved = variances[0] / spread * (score - expected)
    left = 1 - variances[0] / spread**2 * expected * (1 - expected)
    after = sqrt(variances[0] * left)
    return mean + moved / share, deviation + (after - deviation) / share
