"""Any other game of this kind: a list of secrets, and what each answers to a guess."""

import random
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final, Generic, TypeGuard, TypeVar, cast

from engine.codes import Code, bare
from engine.errors import (
    EngineError,
    FeedbackError,
    ForeignGuessError,
    ImpossibleRulesError,
    NotationError,
    Problem,
    listed,
)
from engine.feedback import (
    Fact,
    Mark,
    Score,
    mark,
    read_marks,
    read_score,
    score,
    write_counts,
    write_marks,
)
from engine.rules import check_limit, understood

F = TypeVar("F")

MOST_PAIRS: Final = 10_000_000
"""The most pairs of a guess and a secret that are answered one by one."""
MOST_SYMBOLS: Final = 255


@dataclass(frozen=True, slots=True, repr=False)
class Codes(Generic[F]):
    """The rules of a game of one's own: what the secrets are, and what they answer to guesses.

    >>> from engine import mark, play
    >>> from engine.solvers import codebreaker
    >>> fruit = Codes(["apple", "grape", "lemon", "mango", "melon", "peach"], feedback=mark)
    >>> play(fruit, "melon", codebreaker(fruit)).guesses
    ('lemon', 'melon')

    Attributes:
        secrets: strings of one length.
        guesses: what else may be guessed; None for nothing else.
        feedback: the answer of a secret to a guess, in this order; of any type that can be hashed.
            All right guesses get the same answer, and no others get it. `engine.mark` and
            `engine.score` are known to the solvers, which count with numpy for them.
        at_once: the answers of many secrets to one guess, for games of more than `MOST_PAIRS`
            pairs: of an array of strings, an array of integers, equal where the answers are.
        names: for each answer, how it is written and typed. Marks, scores, strings and whole
            numbers need none.
        max_guesses: 1 to 99.
        name: a word for the game, with which `encode` begins; see `engine.register`.

    Raises:
        ImpossibleRulesError: nobody can play by these values; says why.
    """

    secrets: Sequence[str]
    guesses: Sequence[str] | None = None
    _: KW_ONLY
    feedback: Callable[[str, str], F]
    at_once: Callable[[str, Any], Any] | None = None
    names: Mapping[F, str] | None = None
    max_guesses: int = 6
    name: str = "codes"
    every_guess: tuple[Code, ...] = field(init=False, compare=False)
    """The secrets, then the other guesses."""
    right: F = field(init=False, compare=False)
    """The answer to a right guess."""
    _numbers: dict[str, int] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self._put("secrets", tuple(dict.fromkeys(self.secrets)))
        self._put("every_guess", tuple(dict.fromkeys([*self.secrets, *(self.guesses or ())])))
        self._put("guesses", self.guesses and self.every_guess[len(self.secrets) :])
        self._put("_numbers", {code: number for number, code in enumerate(self.every_guess)})
        self._check()
        self._put("right", self.feedback(self.secrets[0], self.secrets[0]))
        if not isinstance(self.right, Hashable):
            raise ImpossibleRulesError("An answer is hashed: it is a tuple rather than a list.")
        for secret in self.secrets:
            if (answer := self.feedback(secret, secret)) != self.right:
                raise ImpossibleRulesError(
                    "Right guesses must all get the same answer; "
                    f"{self.secrets[0]} gets {self.right}, {secret} {answer}."
                )

    def _put(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check(self) -> None:
        if not self.secrets or not self.secrets[0]:
            raise ImpossibleRulesError("There must be a secret.")
        for code in self.every_guess:
            if len(code) != self.length:
                raise ImpossibleRulesError(
                    f"Codes of a game have one length: {self.secrets[0]!r} and {code!r} differ."
                )
        if len(self.alphabet) > MOST_SYMBOLS:
            raise ImpossibleRulesError(f"Codes have {MOST_SYMBOLS} different symbols at most.")
        check_limit(self.max_guesses)
        if not re.fullmatch(r"[\w-]+", self.name):
            raise ImpossibleRulesError(f"{self.name!r} is no single word.")
        pairs = len(self.secrets) * len(self.every_guess)
        if pairs > MOST_PAIRS and self.feedback not in {mark, score} and self.at_once is None:
            raise ImpossibleRulesError(
                f"That makes {pairs:,} pairs of a guess and a secret; {MOST_PAIRS:,} are the most "
                "that are answered one by one. Give at_once, which answers a guess for all secrets."
            )

    def __repr__(self) -> str:
        return f"<{self.encode()}: {self.size:,} codes>"

    def __hash__(self) -> int:
        return hash((self.secrets[0], self.secrets[-1], self.size, self.feedback, self.encode()))

    @property
    def alphabet(self) -> str:
        """The symbols that occur, in the order of their code points."""
        return "".join(sorted({symbol for code in self.every_guess for symbol in code}))

    @property
    def length(self) -> int:
        return len(self.secrets[0])

    @property
    def size(self) -> int:
        return len(self.secrets)

    def codes(self) -> Iterator[Code]:
        return iter(self.secrets)

    def parse(self, text: str) -> Code:
        """Parse a typed guess, with spaces anywhere, in capitals or not.

        Raises:
            NotationError: the text is no guess; says what is wrong.
        """
        typed = bare(text).strip()
        code = "".join(typed.split())
        for each in (typed, code, code.lower(), code.upper()):
            if each in self._numbers:
                return each
        if not code:
            raise NotationError(Problem.EMPTY, 0)
        problem, start = Problem.UNKNOWN_CODE, text.find(typed)
        if len(code) != self.length:
            problem = Problem.TOO_SHORT if len(code) < self.length else Problem.TOO_LONG
        raise NotationError(problem, start, symbol=typed, found=len(code), wanted=self.length)

    def check(self, code: Code, history: Sequence[Fact[F]]) -> None:
        """Accept every guess, whatever the history; raises ForeignGuessError for other strings."""
        if code not in self._numbers:
            raise ForeignGuessError(code)

    def check_secret(self, text: str) -> None:
        """Refuse a string that is no secret, by ForeignGuessError."""
        if self._numbers.get(text, self.size) >= self.size:
            raise ForeignGuessError(text)

    def places_found(self, feedback: F) -> frozenset[int]:
        """The 0-based places that are marked as right, if feedback is marks."""
        marks = feedback if _are_marks(feedback) else ()
        return frozenset(place for place, m in enumerate(marks) if m is Mark.CORRECT)

    def solved(self, feedback: F | str) -> bool:
        return understood(self, feedback) == self.right

    def read_feedback(self, text: str) -> F:
        """Parse typed feedback by its name; marks, scores and numbers as people type them.

        Raises:
            NotationError: the text is none of these answers.
        """
        return cast("F", self._read_feedback(text, text.strip()))

    def _read_feedback(self, text: str, typed: str) -> object:
        if self.names is not None:
            for answer, name in self.names.items():
                if typed.casefold() == name.casefold() or typed == answer:
                    return answer
            known = listed(self.names.values(), "or")
        elif _are_marks(self.right):
            return read_marks(text, self.length)
        elif isinstance(self.right, Score):
            return read_score(text, self.length)
        elif isinstance(self.right, str):
            return typed
        elif not isinstance(self.right, int):
            raise EngineError("These answers have no names: give names to be typed.")
        elif re.fullmatch(r"[+-]?\d+", typed):
            return int(typed)
        else:
            known = "a whole number"
        raise FeedbackError(Problem.UNKNOWN_SYMBOL, 0, symbol=repr(typed), known=known)

    def write_feedback(self, feedback: F) -> str:
        """Write feedback by its name, marks and scores as letters and counts."""
        if self.names is not None and feedback in self.names:
            return self.names[feedback]
        if _are_marks(feedback):
            return write_marks(feedback)
        return write_counts(feedback) if isinstance(feedback, Score) else str(feedback)

    def draw(self, rng: random.Random) -> Code:
        return rng.choice(self.secrets)

    def encode(self) -> str:
        """Encode name and limit: ``words/6``, which is decoded where the rules are registered."""
        return f"{self.name}/{self.max_guesses}"


def _are_marks(feedback: object) -> TypeGuard[tuple[Mark, ...]]:
    return isinstance(feedback, tuple) and all(isinstance(m, Mark) for m in cast("Any", feedback))
