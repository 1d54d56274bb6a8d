"""A player's rows on all leaderboards, read, changed and put back within one transaction."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Self

from bot.db import keys as storage_keys
from bot.db.database import Transaction
from bot.leaderboards.game.scores import BoardFigures, Sums, figures_of
from bot.leaderboards.model.keys import GLOBAL, BoardGame, is_live_slot, live_slots
from bot.leaderboards.store import leaderboards
from bot.leaderboards.store.leaderboards import StandingRow
from bot.people.store import members


class Sheet:
    """A player's rows, by server and slot.

    Attributes:
        player_id: whose.
        scopes: the servers on whose leaderboards the player is shown, and `GLOBAL` if there.
        today: the date in UTC.
    """

    def __init__(
        self,
        tx: Transaction,
        player_id: int,
        scopes: Sequence[int],
        today: date,
        rows: Iterable[StandingRow],
    ) -> None:
        self._tx = tx
        self.player_id = player_id
        self.scopes = scopes
        self.today = today
        self._stored = {(row.guild_id, row.slot): row for row in rows}
        self._rows = dict(self._stored)

    @classmethod
    async def read(
        cls, tx: Transaction, player_id: int, now: datetime, scopes: Sequence[int] | None = None
    ) -> Self:
        """The rows as they are; of these scopes if they are known already."""
        if scopes is None:
            scopes = await members.shown_in(tx, player_id, GLOBAL)
        rows = await leaderboards.of_player(tx, player_id)
        there = {*scopes, *(row.guild_id for row in rows)}
        await tx.about(*(storage_keys.server(scope) for scope in there))
        return cls(tx, player_id, scopes, now.astimezone(UTC).date(), rows)

    def get(self, scope: int, slot: str) -> BoardFigures | None:
        """What the player has on a leaderboard."""
        row = self._rows.get((scope, slot))
        return None if row is None else figures_of(slot, row.figures)

    def put(self, scope: int, slot: str, figures: BoardFigures) -> None:
        """Let the player have this on a leaderboard."""
        self._rows[scope, slot] = StandingRow(scope, slot, figures.sort_key, figures.encode())

    def add(self, scope: int, slot: str, gain: Sums) -> None:
        """Add something to what the player has on a leaderboard; nothing leaves no row."""
        if gain != type(gain)():
            found = self.get(scope, slot)
            self.put(scope, slot, found.plus(gain) if isinstance(found, Sums) else gain)

    def drop(self, keep: Callable[[StandingRow], bool]) -> None:
        """Forget the rows that are not to be kept."""
        self._rows = {key: row for key, row in self._rows.items() if keep(row)}

    def slots(self, game: BoardGame, day: date) -> list[str]:
        """The slots that something of a date counts for."""
        return live_slots(game, day, self.today)

    async def write(self) -> None:
        """Store what has changed, and only what can be looked at: who is shown, and of late."""
        self.drop(lambda row: row.guild_id in self.scopes and is_live_slot(row.slot, self.today))
        await leaderboards.replace(
            self._tx, self.player_id, self._stored.values(), self._rows.values()
        )
        self._stored = dict(self._rows)
