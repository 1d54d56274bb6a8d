"""`play`: a player breaks the bot's code."""

import secrets

from bot.services.mastermind.guessing import Guessing
from bot.services.mastermind.model import Ending, Kind, MastermindGame, Stage
from bot.services.mastermind.setting import Setting
from bot.services.mastermind.transactions import MastermindTransactions, game_of
from bot.services.standings import update
from bot.storage.masterminds import NewMastermind


class Solo(Guessing):
    """Use cases of `play`."""

    def __init__(self, transactions: MastermindTransactions) -> None:
        super().__init__(transactions, Kind.PLAY)

    async def open(self, player_id: int, setting: Setting) -> MastermindGame:
        """A new game, or the player's own at this setting in which nothing was done yet.

        It is ranked, if boards count its setting, unless the bot breaks a code of the player's
        like it meanwhile: that would be asking the bot for guesses.

        Raises:
            WrongSettingError, PegsBeyondColoursError: there is no such setting.
            TooManyGamesError: the player has too many open.
        """
        rules = setting.rules()
        secret = rules.draw(secrets.SystemRandom())
        new = NewMastermind(Kind.PLAY, rules.encode(), player_id, player_id, secret)
        async with self._transactions.begin() as work:
            row = await work.open(new)
            is_standard = new.rules == update.STANDARD_MASTERMIND
            ranked = not (is_standard and await work.has_solver(player_id, rules))
            if row.ranked != ranked:
                row = await work.settle_rank(row, ranked=ranked)
            return game_of(row)

    async def surrender(self, player_id: int, game_id: int) -> MastermindGame:
        """Give up, and see the code; a game that is over stays as it is.

        Raises:
            NoSuchGameError, NotYourGameError: it is not this player's.
        """
        async with self._transactions.begin() as work:
            row = await self._row(work, player_id, game_id)
            if game_of(row).stage is Stage.PLAYING:
                row = await work.move(row, ending=Ending.SURRENDERED)
            return game_of(row)
