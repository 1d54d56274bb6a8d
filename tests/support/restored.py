"""Streaks that managers of servers restored while that could be done."""

from datetime import date
from pathlib import Path
from typing import Final

from tests.support.sql import insert

HOST: Final = 99
"""The manager."""


def restore(
    folder: Path, player_id: int, guild_id: int, *days: date, by: int = HOST, reason: str = "Sick"
) -> None:
    """Store that dates of a player were excused."""
    for day in days:
        row = {
            "player_id": player_id,
            "day": str(day),
            "guild_id": guild_id,
            "restored_by": by,
            "reason": reason,
            "restored_at": f"{day} 12:00:00.000000",
        }
        insert(folder, "streak_restorations", row)
