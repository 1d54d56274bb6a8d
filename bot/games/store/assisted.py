"""How hints of earlier kinds count in a daily; the condition is of `plays`."""

from typing import Final

from sqlalchemy import case, exists

from bot.db.tables import hints, plays
from bot.games.model.hints import EARLIER_HINTS

HAS_EARLIER_HINTS: Final = exists().where(
    hints.c.play_id == plays.c.id, hints.c.kind.in_(EARLIER_HINTS)
)
"""Whether a play has hints by which it does not lengthen a streak."""
LEAST_POINTS: Final = case((HAS_EARLIER_HINTS, 1), else_=0)
"""What a play is worth at least if it is solved."""
