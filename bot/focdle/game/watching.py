"""The bot breaks an equation that it drew, while a player watches.

Nothing of it is stored: the ids of the board's buttons have the seed from which the equation is
drawn with the key of puzzles, and so is which of equal openings the bot begins with: who watches
often does not learn which equations are found last. The other guesses follow from their marks.
"""

import secrets
from dataclasses import dataclass
from typing import Final

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database
from bot.games.game import free_games
from bot.games.model.keyed_integers import KeyedIntegers
from bot.games.model.reasons import Reason
from bot.people.game.places import DEFAULT_LENGTH
from bot.people.model.preferences import Choices
from bot.people.store import preferences
from bot.pool.named import Named
from bot.pool.threads import in_thread
from engine import Code, Focdle, Marks


@dataclass(frozen=True, slots=True)
class Watched:
    """A FoCdle that the bot plays.

    Attributes:
        rules: its rules.
        seed: what the equation is drawn from; without the key it tells nothing.
        secret: the equation.
        steps: the guesses so far, with their reasons.
        palette: the tiles that who watches wants.
    """

    rules: Focdle
    seed: str
    secret: Code
    steps: tuple[Reason[Marks], ...]
    palette: str

    @property
    def is_found(self) -> bool:
        """Whether the bot has found the equation."""
        return bool(self.steps) and self.steps[-1].turn.guess == self.secret

    @property
    def is_over(self) -> bool:
        """Whether the bot guesses no more."""
        return self.is_found or len(self.steps) == self.rules.max_guesses


_SEED_BYTES: Final = 8

DRAWS: Final = 840
"""Divided by every number up to eight, so each of so many equal openings is as likely."""

BREAK_EQUATION: Final[Named[[Focdle, Code, int, int], tuple[Reason[Marks], ...]]] = Named(
    "bot.focdle.game.solving", "break_equation"
)


class Watching:
    """Use cases of who watches.

    Args:
        database: where players' choices are.
        clock: what tells the time.
        key: the key of puzzles.
    """

    def __init__(self, database: Database, clock: Clock, key: str) -> None:
        self._database = database
        self._clock = clock
        self._key = key

    async def open(self, player_id: int, length: int | None = None) -> Watched:
        """A new equation, of the usual length unless another is asked for.

        Raises:
            NoSuchLengthError: there are no FoCdles of this length.
            EnoughGamesError: there may be no new one today.
        """
        rules = Focdle(DEFAULT_LENGTH if length is None else length)
        await self._database.write(
            lambda tx: free_games.begin(tx, player_id, self._clock.now()), keys.player(player_id)
        )
        return await self.step(player_id, rules.length, secrets.token_hex(_SEED_BYTES), 0)

    async def step(self, player_id: int, length: int, seed: str, guesses: int) -> Watched:
        """The same after so many guesses, or fewer where the equation is found before.

        Args:
            player_id: who watches.
            length: how many symbols the equation has.
            seed: what it is drawn from.
            guesses: how many.

        Raises:
            NoSuchLengthError: there are no FoCdles of this length.
        """
        rules = Focdle(length)
        secret = rules.draw(KeyedIntegers(self._key, f"focdle watched 1/{length}/{seed}"))
        choices = await self._database.read(lambda tx: preferences.choices.get(tx, player_id))
        draw = KeyedIntegers(self._key, f"focdle opening 1/{length}/{seed}").randrange(DRAWS)
        steps = await in_thread(BREAK_EQUATION, rules, secret, guesses, draw)
        return Watched(rules, seed, secret, steps, (choices or Choices()).palette)
