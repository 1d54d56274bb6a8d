"""Strategy trees that are shipped: what all have in common, and how their files begin."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final, Generic, NamedTuple, Self, TypeVar

from engine.code_games import CodeGame
from engine.errors import EngineError
from engine.focdle import Focdle
from engine.solvers.space import Symbols

R = TypeVar("R", CodeGame, Focdle)

SMALLEST_INNER: Final = 3
"""The smallest set of candidates whose guess is in a file."""

_HEADER: Final = re.compile(
    " ".join(["#", r"(\S+)", r"([a-z]+)", r"(\d+)/(\d+)", "max", r"(\d+)"]), re.ASCII
)


class DamagedTreeError(EngineError):
    """The file is no tree, or not the one that its header claims."""


class Header(NamedTuple):
    """The header of a tree's file.

    Attributes:
        game: the rules without the number of guesses, like ``mastermind:4x6r``.
        goal: *mean* or *worst*, what the tree minimises; *both* if no known tree is better in the
            mean or in the worst case.
        total: how many guesses all secrets together take; the right guesses count.
        codes: the number of secrets.
        most: the most guesses that a secret takes.
    """

    game: str
    goal: str
    total: int
    codes: int
    most: int

    @property
    def mean(self) -> float:
        return self.total / self.codes

    @classmethod
    def read(cls, line: str) -> "Header":
        """Parse the first line of a file; raises DamagedTreeError if it is no header."""
        match = _HEADER.fullmatch(line)
        if match is None:
            raise DamagedTreeError(f"no header: {line!r}")
        game, goal, *numbers = match.groups()
        return cls(game, goal, *map(int, numbers))

    def __str__(self) -> str:
        return f"# {self.game} {self.goal} {self.total}/{self.codes} max {self.most}"


class Tree(ABC, Generic[R]):
    """A whole strategy for one game; immutable and thread-safe.

    Args:
        rules: the game; its limit of guesses is ignored.
        guesses: those of the inner nodes, in the order of the file.

    Attributes:
        header: the results of playing the tree against every secret.

    Raises:
        DamagedTreeError: guesses are missing, left over, of another game, or useless.
    """

    header: Header

    @abstractmethod
    def __init__(self, rules: R, goal: str, guesses: Sequence[str]) -> None: ...

    @abstractmethod
    def lookup(self, replies: Sequence[tuple[Symbols, int]]) -> Symbols | None:
        """The next guess after these turns, pairs of a guess and the number of its feedback.

        None if a guess is not the tree's own, if no code gives these answers, or if the game is
        solved; in FoCdle also if no more than two candidates are left.
        """

    @classmethod
    def read(cls, rules: R, text: str) -> Self:
        """Read a tree from the text of its file.

        Raises:
            DamagedTreeError: the text is no tree of these rules, or not the one that its header
                claims.
        """
        header, _, body = text.partition("\n")
        said = Header.read(header)
        tree = cls(rules, said.goal, body.split())
        if tree.header != said:
            raise DamagedTreeError(f"says {said}, is {tree.header}")
        return tree


def game_key(rules: CodeGame | Focdle) -> str:
    """Encode the rules without the number of guesses, which changes no strategy."""
    return rules.encode().partition("/")[0]


def file_name(game: str, goal: str) -> str:
    return f"{game.replace(':', '-')}-{goal}.txt"
