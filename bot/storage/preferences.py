"""What players have chosen for themselves."""

from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import bindparam, delete, insert, select

from bot.storage.database import Transaction
from bot.storage.schema import preferences


@dataclass(frozen=True, slots=True)
class PreferencesRow:
    """A player's choices, as stored."""

    hard_mode: bool
    palette: str
    skip_question: bool
    hidden: bool = False
    on_global_boards: bool = False
    no_challenges: bool = False


_CHOICES: Final = select(
    preferences.c.hard_mode,
    preferences.c.palette,
    preferences.c.skip_question,
    preferences.c.hidden,
    preferences.c.on_global_boards,
    preferences.c.no_challenges,
).where(preferences.c.player_id == bindparam("player"))


async def get(tx: Transaction, player_id: int) -> PreferencesRow | None:
    """A player's choices; None if they never made any."""
    row = (await tx.execute(_CHOICES, {"player": player_id})).mappings().one_or_none()
    return None if row is None else PreferencesRow(**row)


async def is_hidden(tx: Transaction, player_id: int) -> bool:
    """Whether a player has chosen to be hidden."""
    row = await get(tx, player_id)
    return row is not None and row.hidden


async def put(tx: Transaction, player_id: int, row: PreferencesRow) -> None:
    """Store a player's choices, in place of earlier ones."""
    await tx.execute(delete(preferences).where(preferences.c.player_id == player_id))
    await tx.execute(insert(preferences).values(player_id=player_id, **asdict(row)))
