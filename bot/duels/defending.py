"""The bot breaks a number that a player thinks of or enters first, or one that it draws.

Nothing of it is stored: what was answered stands in the ids of the board's buttons, and the bot's
guesses follow from that. A number that was entered first stands there under a key.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.duels.game import DuelTransaction, DuelTransactions
from bot.duels.model import NumberRefusedError
from bot.duels.position import Options
from bot.games import game as games_game
from bot.games.model import Contradiction, KeyedIntegers
from bot.pool.pool import in_thread
from bot.pool.worker import Named
from engine import BullsAndCows, Code, NotationError, Score, Turn

_SEEDS: Final = 10_000
# What hides a number follows from the seed: one that comes twice would tell how two numbers differ.
_SEALED_SEEDS: Final = 2**53


@dataclass(frozen=True, slots=True)
class Hunt:
    """How far the bot has come.

    Attributes:
        turns: its guesses that were answered, in order.
        left: how many numbers were possible after each of them; 0 where none is.
        guess: its guess that waits for an answer; None if there is nothing more to guess.
        contradiction: why no number fits all answers; None if one does.
    """

    turns: tuple[Turn[Score], ...]
    left: tuple[int, ...]
    guess: Code | None
    contradiction: Contradiction | None = None


@dataclass(frozen=True, slots=True)
class NumberGame:
    """A hunt for a player's number, as its board shows it.

    Attributes:
        rules: what the number is one of.
        seed: what the digits' names in this game follow from.
        hunt: how far the bot has come.
        bulls: what was already answered of the guess that waits, cows being still to come.
        number: the number, where it was entered first or drawn, and the bot scores itself.
        sealed: the number as ids have it, which tells nothing without the key; empty without one,
            and where it is drawn, which follows from the seed and the key.
    """

    rules: BullsAndCows
    seed: int
    hunt: Hunt
    bulls: int | None = None
    number: Code | None = None
    sealed: str = ""

    @property
    def answers(self) -> tuple[Score, ...]:
        """What the bot's guesses were told."""
        return tuple(turn.feedback for turn in self.hunt.turns)

    @property
    def remaining(self) -> int:
        """How many numbers are possible now."""
        return self.hunt.left[-1] if self.hunt.left else self.rules.size

    @property
    def is_found(self) -> bool:
        """Whether the bot has found the number."""
        return bool(self.hunt.turns) and self.rules.solved(self.hunt.turns[-1].feedback)

    @property
    def is_drawn(self) -> bool:
        """Whether the number is the bot's own."""
        return self.number is not None and not self.sealed

    @property
    def choices(self) -> tuple[int, ...]:
        """What may be answered now: bulls of the guess, or cows once they are; ascending."""
        if self.hunt.guess is None:
            return ()
        answers = self.rules.answers(self.hunt.guess)
        if self.bulls is None:
            return tuple(sorted({answer.bulls for answer in answers}))
        return tuple(sorted(answer.cows for answer in answers if answer.bulls == self.bulls))


_SOLVING: Final = "bot.duels.solving"
HUNT: Final[Named[[BullsAndCows, int, Sequence[Score]], Hunt]] = Named(_SOLVING, "hunt")
HUNT_BLINDLY: Final[Named[[BullsAndCows, int, Code, int], Hunt]] = Named(_SOLVING, "hunt_blindly")


class Defending:
    """Use cases of a player whose number the bot breaks.

    Args:
        transactions: of duels.
        key: what hides numbers in ids.
    """

    def __init__(self, transactions: DuelTransactions, key: str) -> None:
        self._transactions = transactions
        self._key = key

    async def open(self, player_id: int, options: Options) -> NumberGame:
        """A new game, with the bot's first guess.

        Raises:
            WrongDigitsError: there are no such numbers.
            RankedGameError, RatedDuelError: the bot's guesses would help in a game that counts.
            EnoughGamesError: there may be no new one today.
        """
        rules = options.rules()
        await self._begin(player_id, rules)
        return await self.view(player_id, rules, secrets.randbelow(_SEEDS), ())

    async def view(
        self,
        player_id: int,
        rules: BullsAndCows,
        seed: int,
        answers: Sequence[Score],
        bulls: int | None = None,
    ) -> NumberGame:
        """The game after these answers, and perhaps the bulls of one more.

        An answer that no number gives is left out, with all after it. Where only one number of cows
        goes with the bulls, that answers the cows, too.

        Raises:
            RankedGameError, RatedDuelError: the bot's guesses would help in a game that counts.
        """
        await self.prepare(player_id, rules)
        game = NumberGame(rules, seed, await in_thread(HUNT, rules, seed, answers))
        if bulls is None or bulls not in game.choices or len(game.answers) != len(answers):
            return game
        halfway = NumberGame(rules, seed, game.hunt, bulls)
        cows, *others = halfway.choices
        if others:
            return halfway
        answered = (*answers, Score(bulls, cows))
        return NumberGame(rules, seed, await in_thread(HUNT, rules, seed, answered))

    async def prepare(self, player_id: int, rules: BullsAndCows) -> None:
        """Refuse what all others would but those for a number that is drawn.

        Raises:
            RankedGameError, RatedDuelError: the bot's guesses would help in a game that counts.
        """
        await self._transactions.read(lambda work: work.require_fair(player_id, rules))

    async def open_sealed(self, player_id: int, rules: BullsAndCows, text: str) -> NumberGame:
        """A game with the number entered first; the bot does not look at it.

        Raises:
            NumberRefusedError: the text is no such number.
            RankedGameError, RatedDuelError: the bot's guesses would help in a game that counts.
            EnoughGamesError: there may be no new one today.
        """
        try:
            number = rules.parse(text)
        except NotationError as error:
            raise NumberRefusedError(rules=rules, text=text, cause=error) from error
        await self._begin(player_id, rules)
        seed = secrets.randbelow(_SEALED_SEEDS)
        return await self.step(player_id, rules, seed, self._shifted(number, seed, 1), 0)

    async def step(
        self, player_id: int, rules: BullsAndCows, seed: int, sealed: str, guesses: int
    ) -> NumberGame:
        """The game after so many guesses, or fewer where the number is found before.

        Args:
            player_id: the Discord user.
            rules: what the number is one of.
            seed: what the digits' names follow from, and what hides the number.
            sealed: the number as ids have it.
            guesses: how many.

        Raises:
            NumberRefusedError: it is no such number; as after a change of the key.
            RankedGameError, RatedDuelError: the bot's guesses would help in a game that counts.
        """
        await self.prepare(player_id, rules)
        number = self._shifted(sealed, seed, -1)
        if not rules.is_secret(number):
            return await self.open_sealed(player_id, rules, number)
        hunt = await in_thread(HUNT_BLINDLY, rules, seed, number, guesses)
        return NumberGame(rules, seed, hunt, number=number, sealed=sealed)

    async def open_drawn(self, player_id: int, rules: BullsAndCows) -> NumberGame:
        """A game with a number that is drawn, which helps nobody in another.

        Raises:
            EnoughGamesError: there may be no new one today.
        """
        await self._begin(player_id, rules, is_drawn=True)
        return await self.step_drawn(rules, secrets.randbelow(_SEALED_SEEDS), 0)

    async def step_drawn(self, rules: BullsAndCows, seed: int, guesses: int) -> NumberGame:
        """The same after so many guesses, or fewer where the number is found before."""
        number = self._drawn(rules, seed)
        hunt = await in_thread(HUNT_BLINDLY, rules, seed, number, guesses)
        return NumberGame(rules, seed, hunt, number=number)

    async def _begin(self, player_id: int, rules: BullsAndCows, *, is_drawn: bool = False) -> None:
        def body(work: DuelTransaction) -> None:
            if not is_drawn:
                work.require_fair(player_id, rules)
            games_game.begin(work.tx, player_id, work.now)

        await self._transactions.begin(body, player_id)

    def _drawn(self, rules: BullsAndCows, seed: int) -> Code:
        """A number that follows from the key and the seed."""
        dice = KeyedIntegers(self._key, f"bulls drawn 1/{rules.encode()}/{seed}")
        left, number = list(rules.alphabet), ""
        while len(number) < rules.length:
            digit = left[dice.randrange(len(left))]
            number += digit
            if not rules.repeats:
                left.remove(digit)
        return Code(number)

    def _shifted(self, digits: str, seed: int, direction: int) -> Code:
        """Digits moved up, or down again, by what follows from the key and the seed."""
        pad = KeyedIntegers(self._key, f"bulls sealed 1/{seed}")
        moved = ((int(digit) + direction * pad.randrange(10)) % 10 for digit in digits)
        return Code("".join(map(str, moved)))
