"""`watch`, and how the bot breaks any code that it can score itself: step by step or at once."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Concatenate, Final, ParamSpec, TypeVar

from bot.games.model.reasons import Reason
from bot.mastermind.game.relabelling import Relabelling
from bot.mastermind.game.setting import Setting
from bot.mastermind.game.transactions import MastermindTransactions, game_of, secret_of
from bot.mastermind.model.errors import NoSuchGameError
from bot.mastermind.model.game import Ending, Kind, MastermindGame, Stage
from bot.mastermind.store.masterminds import MastermindRow, NewMastermind
from bot.pool.named import Named
from bot.pool.threads import in_thread
from bot.pool.workshop import Workshop
from engine import Code, Mastermind, Score, Turn

P = ParamSpec("P")
T = TypeVar("T")

_Turns = Sequence[Turn[Score]]

_SOLVING: Final = "bot.mastermind.game.solving"
EXPLAIN: Final[Named[[Mastermind, _Turns], tuple[Reason[Score], ...]]] = Named(_SOLVING, "explain")
PLAY_ON: Final[Named[[Mastermind, Code, _Turns, Relabelling, int], list[Turn[Score]]]] = Named(
    _SOLVING, "play_on"
)

# The standard game's; with a hundred times as many, a guess takes a tenth of a second.
_MOST_CODES_IN_THREAD: Final = 1296


class Stepping:
    """Use cases of a game that needs no answers.

    The bot plays blind: its guesses follow from the turns alone.
    """

    def __init__(
        self, transactions: MastermindTransactions, workshop: Workshop, kind: Kind
    ) -> None:
        self._transactions = transactions
        self._workshop = workshop
        self._kind = kind

    async def step(self, player_id: int, game_id: int, at_turn: int) -> MastermindGame:
        """One more guess.

        Args:
            player_id: the Discord user.
            game_id: which game.
            at_turn: how many turns the player saw; if it is not that many any more,
                nothing happens.

        Raises:
            NoSuchGameError, NotYourGameError: it is not this player's.
            RankedGameError, RatedDuelError: the bot's guesses would help in a game that counts.
        """
        row = await self._read_own(player_id, game_id)
        if len(row.turns) != at_turn:
            return await self._explained(row)
        return await self._advance(row, most=1)

    async def finish(self, player_id: int, game_id: int) -> MastermindGame:
        """All guesses to the end.

        Raises:
            As `step`.
        """
        row = await self._read_own(player_id, game_id)
        return await self._advance(row, most=game_of(row).guesses_left)

    async def _read_own(self, player_id: int, game_id: int) -> MastermindRow:
        row = await self._transactions.look(
            lambda work: work.owners_row(player_id, game_id, self._kind)
        )
        if row.secret is None:
            raise NoSuchGameError
        return row

    async def _work_out(
        self,
        work: Callable[Concatenate[Mastermind, P], T],
        rules: Mastermind,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """What a solver finds: in a thread where that takes little, else beside the bot."""
        if rules.size <= _MOST_CODES_IN_THREAD:
            return await in_thread(work, rules, *args, **kwargs)
        return await self._workshop.solve(partial(work, rules, *args, **kwargs))

    async def _explained(self, row: MastermindRow) -> MastermindGame:
        """A game in which the bot scores itself, with the reasons of its turns."""
        game = game_of(row)
        steps = await self._work_out(EXPLAIN, game.rules, game.turns)
        return replace(game, steps=steps, remaining=steps[-1].after if steps else game.rules.size)

    async def _advance(self, row: MastermindRow, most: int) -> MastermindGame:
        game, secret = game_of(row), secret_of(row)
        if game.stage is not Stage.PLAYING:
            return await self._explained(row)
        labels = Relabelling.decode(game.rules, row.relabelling)
        turns = await self._work_out(PLAY_ON, game.rules, secret, game.turns, labels, most)
        async with self._transactions.of_game(game.id, row.owner_id) as work:
            row = await work.row(game.id, game.kind)
            if game_of(row) == game:  # else another click was faster
                is_drawn = game.kind is Kind.WATCH
                await work.require_fair(row.owner_id, game.rules, is_drawn=is_drawn)
                await work.append(row, [turn.guess for turn in turns])
                is_solved = game.rules.solved(turns[-1].feedback)
                is_last = len(turns) == game.guesses_left
                ending = Ending.SOLVED if is_solved else Ending.LOST if is_last else None
                row = await work.move(row, ending=ending)
        return await self._explained(row)


class Watch(Stepping):
    """Use cases of `watch`."""

    def __init__(self, transactions: MastermindTransactions, workshop: Workshop) -> None:
        super().__init__(transactions, workshop, Kind.WATCH)

    async def open(self, player_id: int, setting: Setting) -> MastermindGame:
        """A new game, or the player's own at this setting in which nothing was done yet.

        Raises:
            WrongSettingError, PegsBeyondColoursError: there is no such setting.
            TooManyGamesError: the player has too many open.
        """
        rules = setting.rules()
        secret = rules.draw(secrets.SystemRandom())
        new = NewMastermind(Kind.WATCH, rules.encode(), player_id, secret=secret)
        async with self._transactions.of_players(player_id) as work:
            row = await work.open(new)
        return await self._explained(row)

    async def leave(self, player_id: int, game_id: int) -> None:
        """End the game where it stands; one that is over stays as it is.

        Raises:
            NoSuchGameError, NotYourGameError: it is not this player's.
        """
        async with self._transactions.of_game(game_id, player_id) as work:
            row = await work.owners_row(player_id, game_id, Kind.WATCH)
            if game_of(row).stage is Stage.PLAYING:
                await work.move(row, ending=Ending.SURRENDERED)

    async def view(self, player_id: int, game_id: int) -> MastermindGame:
        """A player's own game as it stands.

        Raises:
            NoSuchGameError, NotYourGameError: it is not this player's to see.
        """
        return await self._explained(await self._read_own(player_id, game_id))
