"""Games of every kind: which are open, which are over, and what came of them."""

import logging
from collections.abc import AsyncGenerator
from datetime import datetime, timedelta
from typing import Final

from bot.db.database import Transaction
from bot.failures import Failures
from bot.mastermind.game.transactions import MastermindTransactions, game_of
from bot.mastermind.model.game import Ending, MastermindGame, SettingRecord
from bot.mastermind.store import masterminds
from bot.mastermind.store.masterminds import ResultRow
from bot.outages import ALL, ShardRange
from engine import Mastermind

log = logging.getLogger(__name__)

# For how long a move may still show the board itself: of two edits at once the older might win.
_JUST_MOVED: Final = timedelta(seconds=15)


class Games:
    """Use cases that look at many games."""

    def __init__(self, transactions: MastermindTransactions, shards: ShardRange = ALL) -> None:
        self._transactions = transactions
        self._shards = shards
        self._failures = Failures(log)

    async def open_of(self, player_id: int) -> list[MastermindGame]:
        """A player's open games, those moved in last first, invitations among them."""
        return await self._transactions.look(
            lambda work: self.open_within(work.tx, player_id, work.now)
        )

    async def open_within(
        self, tx: Transaction, player_id: int, now: datetime
    ) -> list[MastermindGame]:
        """The same, where other things are looked at, too."""
        return [game_of(row) for row in await masterminds.open_of(tx, player_id, now)]

    async def sweep(self) -> list[MastermindGame]:
        """End all games whose deadline has passed; those that it ended, each only once."""
        passed = self._transactions.every(
            lambda v, page: masterminds.passed(v.tx, v.now, page, self._shards)
        )
        swept = self._failures.each("deadline of mastermind", passed, self._swept)
        return [game async for game in swept]

    async def _swept(self, game_id: int) -> MastermindGame | None:
        """A game whose deadline had passed, ended; None if somebody else was here first."""
        async with self._transactions.of_game(game_id) as work:
            row = await work.about_players(game_id)
            if row is None or row.finished_at is not None or row.deadline_at > work.now:
                return None
            return game_of(await work.close(row))

    def unshown(self) -> AsyncGenerator[MastermindGame]:
        """The challenges whose board does not show them as they are, for want of an edit."""
        behind = self._transactions.every(
            lambda v, page: masterminds.unshown(v.tx, v.now - _JUST_MOVED, page, self._shards)
        )
        return self._failures.each("board of mastermind", behind, self._unshown)

    async def _unshown(self, game_id: int) -> MastermindGame | None:
        """A challenge as it stands; None if somebody has shown it meanwhile, or is about to."""
        async with self._transactions.of_game(game_id) as work:
            row = await masterminds.get(work.tx, game_id)
            if row is None or row.moved_at > work.now - _JUST_MOVED:
                return None
        is_shown = row.message_id is None or row.shown >= row.revision
        return None if is_shown else game_of(row)

    async def record(self, player_id: int) -> list[SettingRecord]:
        """What a player has done as Codebreaker, in `play` and challenges, by setting."""
        results = self._transactions.look(lambda work: masterminds.results(work.tx, player_id))
        return setting_records(await results)


def setting_records(rows: list[ResultRow]) -> list[SettingRecord]:
    """What these results come to, by setting."""
    settings = dict.fromkeys(row.rules for row in rows)
    return [_record(rules, [row for row in rows if row.rules == rules]) for rules in settings]


def _record(rules: str, rows: list[ResultRow]) -> SettingRecord:
    solved = {row.turns: row.games for row in rows if row.ending == Ending.SOLVED}
    count = sum(solved.values())
    return SettingRecord(
        rules=Mastermind.decode(rules),
        games=sum(row.games for row in rows),
        solved=count,
        mean=sum(turns * games for turns, games in solved.items()) / count if count else None,
        best=min(solved, default=None),
    )
