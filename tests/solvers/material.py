"""What the tests of the solvers are made from: games played to their end, codes as arrays."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine import BullsAndCows, Code, Focdle, Mastermind, Rules, Turn, is_consistent
from engine.solvers import Codebreaker, codebreaker
from engine.solvers.focdle.arrays import every_secret

F = TypeVar("F")

SYMBOLS = "0123456789+-*%="
_ENDLESS = 20


def play(rules: Rules[F], breaker: Codebreaker[F], secret: Code) -> list[Turn[F]]:
    """All turns of a game, up to the one that solves it."""
    turns: list[Turn[F]] = []
    while not (turns and rules.solved(turns[-1].feedback)):
        assert len(turns) < _ENDLESS, turns
        turns += answered(rules, secret, [breaker.next_guess(turns)])
    return turns


def answered(rules: Rules[F], secret: str, guesses: Iterable[str]) -> list[Turn[F]]:
    """These guesses with honest answers."""
    code = secret
    return [Turn(guess, rules.feedback(guess, code)) for guess in guesses]


def draws(rules: Rules[F], seed: int, count: int) -> list[Code]:
    """Some secrets."""
    rng = Random(seed)
    return [rules.draw(rng) for _ in range(count)]


def consistent(rules: Rules[F], codes: Iterable[Code], turns: Sequence[Turn[F]]) -> list[Code]:
    """The codes that explain all turns, one by one."""
    return [code for code in codes if is_consistent(rules, code, turns)]


def as_columns(codes: Sequence[str], alphabet: str = SYMBOLS) -> NDArray[np.uint8]:
    """Codes as columns of symbol numbers."""
    return np.array([as_numbers(code, alphabet) for code in codes], np.uint8).T


def as_numbers(code: str, alphabet: str = SYMBOLS) -> list[int]:
    """A code as symbol numbers."""
    return [alphabet.index(symbol) for symbol in code]


def as_codes(columns: NDArray[np.uint8], alphabet: str = SYMBOLS) -> list[Code]:
    """Columns of symbol numbers as codes."""
    return ["".join(alphabet[number] for number in column) for column in columns.T]


@cache
def secrets_as_array(length: int) -> NDArray[np.uint8]:
    """Every secret, kept for the tests that look at the same length."""
    return every_secret(length)


def noise(rng: Random, length: int) -> Code:
    """A guess that only programs make: any symbols, many of them twice."""
    return "".join(rng.choices(SYMBOLS, k=length))


def human(rules: Focdle, rng: Random) -> Code:
    """A guess that a person might make: another secret."""
    return rules.draw(rng)


def guesses_everywhere() -> list[Code]:
    """What every kind of Codebreaker guesses in some games of each kind."""
    settings = [
        *product(["perfect"], ["any", "form", "true", "hard"], ["mean", "worst"]),
        ("sharp", "any", "mean"),
        ("casual", "any", "mean"),
    ]
    found: list[Code] = []
    for strength, allowed, goal in settings:
        focdle = Focdle(7)
        breaker = codebreaker(focdle, strength, allowed, goal)
        found += [turn.guess for turn in play(focdle, breaker, "9*8%7=2")]
    for strength, goal in product(("perfect", "sharp", "casual"), ("mean", "worst")):
        for code_game in (Mastermind(pegs=3, colours=7), BullsAndCows(3, repeats=True)):
            code_breaker = codebreaker(code_game, strength, goal=goal)
            secret = code_game.draw(Random(1))
            found += [turn.guess for turn in play(code_game, code_breaker, secret)]
    return found
