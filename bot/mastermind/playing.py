"""Use cases of a player who breaks a code: filling the row, guessing."""

import secrets
from dataclasses import replace
from typing import Final

from bot.games.model import STANDARD_MASTERMIND
from bot.mastermind import store
from bot.mastermind.game import (
    Change,
    MastermindTransaction,
    MastermindTransactions,
    Setting,
    secret_of,
)
from bot.mastermind.model import (
    ColourUsedError,
    Ending,
    GameFinishedError,
    Kind,
    MastermindGame,
    MastermindRefusedError,
    NewMastermind,
    NotAcceptedError,
    RowFullError,
    RowIncompleteError,
    Stage,
)
from bot.refused import MovedOnError, NotFinishedError
from bot.text.tiles import in_letters
from engine import (
    Code,
    EngineError,
    Game,
    GameOverError,
    NotationError,
    Outcome,
    Problem,
)

_ENDINGS: Final = {Outcome.SOLVED: Ending.SOLVED, Outcome.LOST: Ending.LOST}


class Guessing:
    """Use cases of a Codebreaker, each one transaction.

    All methods take the player and the game's id, and return the game after the change. They raise
    NoSuchGameError and NotYourGameError. Methods that change the game also raise NotAcceptedError
    and GameFinishedError with the stored game, unless their own text says otherwise.
    """

    def __init__(self, transactions: MastermindTransactions, kind: Kind) -> None:
        self._transactions = transactions
        self._kind = kind

    async def view(self, player_id: int, game_id: int) -> MastermindGame:
        return await self._transactions.read(lambda work: self._game(work, player_id, game_id))

    async def put(self, player_id: int, game_id: int, colour: str) -> MastermindGame:
        """Put a peg into the next place of the row.

        Raises:
            MastermindRefusedError: the colour is not in play.
            RowFullError: the row has no empty place.
            ColourUsedError: the row has the colour, and the setting allows no repeats.
        """

        def put(work: MastermindTransaction, game: MastermindGame) -> MastermindGame:
            _require_playing(game)
            if not colour or colour not in game.rules.alphabet:
                cause = NotationError(Problem.COLOUR_NOT_IN_PLAY, 0, symbol=colour)
                raise MastermindRefusedError(game=game, text=colour, cause=cause)
            if len(game.pending) >= game.rules.pegs:
                raise RowFullError(game=game)
            if not game.rules.repeats and colour in game.pending:
                raise ColourUsedError(game=game, symbol=colour)
            return work.touch(game, pending=game.pending + colour)

        return await self._change(player_id, game_id, put)

    async def undo(self, player_id: int, game_id: int) -> MastermindGame:
        def undo(work: MastermindTransaction, game: MastermindGame) -> MastermindGame:
            _require_playing(game)
            return work.touch(game, pending=game.pending[:-1])

        return await self._change(player_id, game_id, undo)

    async def submit(self, player_id: int, game_id: int, seen: str) -> MastermindGame:
        """Guess the code in the player's row.

        Nothing happens, even in a finished game, if the row was submitted or changed after the
        player saw it.

        Raises:
            MastermindRefusedError: the code was guessed before.
            RowIncompleteError: the row has empty places.
        """

        def submit(work: MastermindTransaction, game: MastermindGame) -> MastermindGame:
            if game.pending != seen:
                return game
            _require_playing(game)
            if len(seen) < game.rules.pegs:
                raise RowIncompleteError(game=game)
            return _guess(work, game, seen, seen)

        return await self._change(player_id, game_id, submit)

    async def guess(
        self, player_id: int, game_id: int, text: str, *, at: int | None = None
    ) -> MastermindGame:
        """Guess a typed code, and clear the row.

        `at` is the revision that the player saw; None for any.

        Raises:
            MovedOnError: the game has another revision.
            MastermindRefusedError: the guess was not played and cost nothing. It is also raised
                instead of GameFinishedError.
        """

        def guess(work: MastermindTransaction, game: MastermindGame) -> MastermindGame:
            if at not in {None, game.revision}:
                raise MovedOnError
            try:
                _require_playing(game)
            except GameFinishedError as error:
                raise MastermindRefusedError(
                    game=error.game, text=text, cause=GameOverError()
                ) from error
            try:
                code = game.rules.parse(in_letters(text))
            except NotationError as error:
                raise MastermindRefusedError(game=game, text=text, cause=error) from error
            return _guess(work, game, code, text)

        return await self._change(player_id, game_id, guess)

    async def _change(self, player_id: int, game_id: int, change: Change) -> MastermindGame:
        def changed(work: MastermindTransaction) -> MastermindGame:
            return change(work, self._game(work, player_id, game_id))

        return await self._transactions.write(changed, game_id, player_id)

    def _game(self, work: MastermindTransaction, player_id: int, game_id: int) -> MastermindGame:
        return work.breakers_game(player_id, game_id, self._kind)


class Solo(Guessing):
    """Use cases of `play`: a player breaks the bot's code."""

    def __init__(self, transactions: MastermindTransactions) -> None:
        super().__init__(transactions, Kind.PLAY)

    async def open(self, player_id: int, setting: Setting) -> MastermindGame:
        """Begin a game, or return the player's own untouched one at this setting.

        A game at the standard setting is ranked if `MastermindTransaction.may_rank` is true.
        """
        return await self._transactions.begin(
            lambda work: _open(work, player_id, setting), player_id
        )

    async def change(self, player_id: int, game_id: int, setting: Setting) -> MastermindGame:
        """Begin a game at another setting in place of an untouched one.

        Raises:
            HasBegunError: something was done in the game.
        """
        rules = setting.rules()

        def change(work: MastermindTransaction) -> MastermindGame:
            game = work.changeable_game(player_id, game_id, Kind.PLAY, rules)
            if game.rules == rules:
                return game
            new = _open(work, player_id, setting, besides=game.id)
            work.move(game, ending=Ending.REPLACED)
            return new

        return await self._transactions.write(change, game_id, player_id)

    async def surrender(self, player_id: int, game_id: int) -> MastermindGame:
        """Give up and show the code; a finished game stays as it is."""
        return await self._change(player_id, game_id, MastermindTransaction.give_up)

    async def result(self, player_id: int, game_id: int) -> MastermindGame:
        game = await self.view(player_id, game_id)
        if game.stage is not Stage.OVER:
            raise NotFinishedError
        return game


def _open(
    work: MastermindTransaction, player_id: int, setting: Setting, *, besides: int = 0
) -> MastermindGame:
    rules = setting.rules()
    secret = rules.draw(secrets.SystemRandom())
    new = NewMastermind(Kind.PLAY, rules, player_id, player_id, secret)
    ranked = rules != STANDARD_MASTERMIND or work.may_rank(new)
    game = work.open(replace(new, ranked=ranked), besides=besides)
    if game.ranked != ranked:  # an untouched game from before, whose rank is decided again
        store.set_ranked(work.tx, game.id, ranked=ranked)
        game = replace(game, ranked=ranked)
    return game


def _require_playing(game: MastermindGame) -> None:
    if game.stage is Stage.INVITED:
        raise NotAcceptedError(game=game)
    if game.stage is Stage.OVER:
        raise GameFinishedError(game=game)


def _guess(
    work: MastermindTransaction, game: MastermindGame, code: Code, text: str
) -> MastermindGame:
    try:
        after = Game(game.rules, secret_of(game), game.turns).guess(code)
    except EngineError as error:
        raise MastermindRefusedError(game=game, text=text, cause=error) from error
    work.append(game, [code])
    ending = None if after.outcome is None else _ENDINGS[after.outcome]
    return work.move(game, ending=ending)
