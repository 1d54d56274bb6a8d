"""`watch`: the bot breaks a code that it drew."""

import secrets

from bot.services.mastermind.model import Kind, MastermindGame
from bot.services.mastermind.setting import Setting
from bot.services.mastermind.stepping import Stepping, explained
from bot.services.mastermind.transactions import MastermindTransactions
from bot.storage.masterminds import NewMastermind


class Watch(Stepping):
    """Use cases of `watch`."""

    def __init__(self, transactions: MastermindTransactions) -> None:
        super().__init__(transactions, Kind.WATCH)

    async def open(self, player_id: int, setting: Setting) -> MastermindGame:
        """A new game, or the player's own at this setting in which nothing was done yet.

        Raises:
            WrongSettingError, PegsBeyondColoursError: there is no such setting.
            TooManyGamesError: the player has too many open.
        """
        rules = setting.rules()
        secret = rules.draw(secrets.SystemRandom())
        new = NewMastermind(Kind.WATCH, rules.encode(), player_id, secret=secret)
        async with self._transactions.begin() as work:
            row = await work.open(new)
        return await explained(row)

    async def view(self, player_id: int, game_id: int) -> MastermindGame:
        """A player's own game as it stands.

        Raises:
            NoSuchGameError, NotYourGameError: it is not this player's to see.
        """
        return await explained(await self._read_own(player_id, game_id))
