"""Hints: each shows a symbol of the secret in its place."""

from bot.clock import Clock
from bot.coach.model.errors import HintOverError
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle.game.plays import read_own
from bot.focdle.model.play import Play
from bot.games.game.hints import hint_of, history_of
from bot.games.store import hints
from bot.mastermind.game.transactions import MastermindTransaction, MastermindTransactions, game_of
from bot.mastermind.model.game import Kind, MastermindGame, Stage
from engine import next_hint


class Hints:
    """Use cases around hints; each is one transaction.

    A hint is of what its player saw: so many guesses, so many hints. If either is not so any
    more, or there is no hint to be had, nothing happens.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._transactions = MastermindTransactions(database, clock)

    async def of_play(self, player_id: int, play_id: int, turns: int, taken: int) -> Play:
        """Take a hint in a FoCdle; the play with it.

        Args:
            player_id: the Discord user.
            play_id: which play.
            turns: how many guesses the player saw.
            taken: how many hints the player had.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's.
            HintOverError: the game is over.
        """

        async def take(tx: Transaction) -> Play:
            now = self._clock.now()
            play = await read_own(tx, player_id, play_id, now)
            if play.game.outcome is not None:
                raise HintOverError
            shown = play.next_hint
            if shown is None or (len(play.game.turns), len(play.hints)) != (turns, taken):
                return play
            await hints.add(tx, "play", play_id, hint_of(turns, shown), given_at=now)
            return await read_own(tx, player_id, play_id, now)

        return await self._database.write(take, keys.player(player_id))

    async def of_mastermind(
        self, player_id: int, game_id: int, turns: int, taken: int
    ) -> MastermindGame:
        """Take a hint where a player breaks the bot's code; the game with it.

        Args and Raises:
            As `of_play`, with NoSuchGameError and NotYourGameError; a challenge has none.
        """

        async def take(work: MastermindTransaction) -> MastermindGame:
            row = await work.breakers_row(player_id, game_id, Kind.PLAY)
            game = game_of(row)
            if game.stage is Stage.OVER:
                raise HintOverError
            is_same = (len(game.turns), len(game.hints)) == (turns, taken)
            if not is_same or not game.may_hint or row.secret is None:
                return game
            shown = next_hint(game.rules, row.secret, history_of(game.turns, game.hints))
            if shown is None:
                return game
            hint = hint_of(turns, shown)
            await hints.add(work.tx, "mastermind", game_id, hint, given_at=work.now)
            return game_of(await work.touch(row, pending=row.pending))

        return await self._transactions.write(take, game_id, player_id)
