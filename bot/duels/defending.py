"""Use cases of games in which the bot breaks a number: the player's own, sealed, or drawn.

No game is stored. The ids of the board's buttons hold the answers, from which the bot's guesses
follow, and a sealed number, encrypted under a key.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.duels.challenges import number_in
from bot.duels.game import DuelTransaction, DuelTransactions
from bot.duels.position import DuelOptions
from bot.games import game as games_game
from bot.games.model import Contradiction, KeyedIntegers
from bot.pool.pool import in_thread
from bot.pool.worker import Named
from engine import BullsAndCows, Code, Score, Turn

_SEEDS: Final = 10_000
# The pad of a sealed number follows from the seed. A repeated seed would reveal how two numbers
# differ.
_SEALED_SEEDS: Final = 2**53


@dataclass(frozen=True, slots=True)
class Hunt:
    """The bot's guesses at a number so far, with the answers.

    Attributes:
        left: the number of candidates after each turn.
        guess: the guess that waits for an answer; None if the number is found, or no number fits.
        contradiction: the turns that contradict each other; None while a number fits all answers.
    """

    turns: tuple[Turn[Score], ...]
    left: tuple[int, ...]
    guess: Code | None
    contradiction: Contradiction | None = None


@dataclass(frozen=True, slots=True)
class NumberGame:
    """A game in which the bot breaks a number.

    Attributes:
        seed: decides how digits are renamed in this game, and which number is drawn.
        bulls: the bulls already answered for the waiting guess, while its cows are missing.
        number: a sealed or drawn number, by which the bot's guesses are scored; None if the
            player scores them.
        sealed: the encrypted number, as the ids of buttons hold it; empty without a seal.
    """

    rules: BullsAndCows
    seed: int
    hunt: Hunt
    bulls: int | None = None
    number: Code | None = None
    sealed: str = ""

    @property
    def answers(self) -> tuple[Score, ...]:
        return tuple(turn.feedback for turn in self.hunt.turns)

    @property
    def remaining(self) -> int:
        return self.hunt.left[-1] if self.hunt.left else self.rules.size

    @property
    def is_found(self) -> bool:
        return bool(self.hunt.turns) and self.rules.solved(self.hunt.turns[-1].feedback)

    @property
    def is_drawn(self) -> bool:
        return self.number is not None and not self.sealed

    @property
    def choices(self) -> tuple[int, ...]:
        """The counts that may be answered now, in ascending order; empty at the end.

        They are counts of bulls or, once the bulls are answered, of cows.
        """
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
    """Use cases of players whose number the bot breaks.

    `key` encrypts sealed numbers, and determines drawn ones.
    """

    def __init__(self, transactions: DuelTransactions, key: str) -> None:
        self._transactions = transactions
        self._key = key

    async def open(self, player_id: int, options: DuelOptions) -> NumberGame:
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
        """Replay a game with these answers, and perhaps the bulls of one more.

        The replay stops before the first impossible answer. Bulls are left out if they are
        impossible, or if the replay stopped early. If they leave only one possible number of
        cows, the cows are answered as well.
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
        """Refuse a game if the bot's guesses in it would help the player in a game that counts."""
        await self._transactions.read(lambda work: work.require_fair(player_id, rules))

    async def open_sealed(self, player_id: int, rules: BullsAndCows, text: str) -> NumberGame:
        """Begin a game with a sealed number, which the bot does not look at.

        Raises:
            NumberRefusedError: the text is no number by these rules.
        """
        number = number_in(text, rules)
        await self._begin(player_id, rules)
        seed = secrets.randbelow(_SEALED_SEEDS)
        return await self.step(player_id, rules, seed, self._shifted(number, seed, 1), 0)

    async def step(
        self, player_id: int, rules: BullsAndCows, seed: int, sealed: str, guesses: int
    ) -> NumberGame:
        """Replay a sealed game up to a number of guesses, or until the number is found.

        Raises:
            NumberRefusedError: decryption gives no such number, as after a change of the key.
        """
        await self.prepare(player_id, rules)
        number = self._shifted(sealed, seed, -1)
        if not rules.is_code(number):
            return await self.open_sealed(player_id, rules, number)
        hunt = await in_thread(HUNT_BLINDLY, rules, seed, number, guesses)
        return NumberGame(rules, seed, hunt, number=number, sealed=sealed)

    async def open_drawn(self, player_id: int, rules: BullsAndCows) -> NumberGame:
        """Begin a game with a number that the bot draws: its guesses cannot help in other games."""
        await self._begin(player_id, rules, is_drawn=True)
        return await self.step_drawn(rules, secrets.randbelow(_SEALED_SEEDS), 0)

    async def step_drawn(self, rules: BullsAndCows, seed: int, guesses: int) -> NumberGame:
        """Replay a game with a drawn number up to a number of guesses, or until it is found."""
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
        dice = KeyedIntegers(self._key, f"bulls drawn 1/{rules.encode()}/{seed}")
        left, number = list(rules.alphabet), ""
        while len(number) < rules.length:
            digit = left[dice.randrange(len(left))]
            number += digit
            if not rules.repeats:
                left.remove(digit)
        return number

    def _shifted(self, digits: str, seed: int, direction: int) -> Code:
        """Encrypt digits (`direction` 1) or decrypt them (-1) with a pad from key and seed."""
        pad = KeyedIntegers(self._key, f"bulls sealed 1/{seed}")
        moved = ((int(digit) + direction * pad.randrange(10)) % 10 for digit in digits)
        return "".join(map(str, moved))
