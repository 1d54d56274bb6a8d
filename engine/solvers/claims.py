"""What a shipped tree is called, and what its file says of it in the first line."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol, TypeVar

from engine.code_games import CodeGame
from engine.errors import EngineError
from engine.focdle import Focdle

_HEADER: Final = re.compile(
    " ".join(["#", r"(\S+)", r"([a-z]+)", r"(\d+)/(\d+)", "max", r"(\d+)"]), re.ASCII
)


class DamagedTreeError(EngineError):
    """A file that is not the tree it claims to be."""


class Claim(NamedTuple):
    """What a tree's first line says of it.

    Attributes:
        game: the rules without the number of guesses, like ``mastermind:4x6r``.
        goal: *mean* or *worst*; or *both*, where no tree is known that is better by either.
        total: guesses that all secrets together take, the right ones included.
        codes: how many secrets there are.
        most: guesses that the hardest secret takes.
    """

    game: str
    goal: str
    total: int
    codes: int
    most: int

    @classmethod
    def read(cls, line: str) -> "Claim":
        """Read a first line; raises DamagedTreeError."""
        match = _HEADER.fullmatch(line)
        if match is None:
            raise DamagedTreeError(f"no header: {line!r}")
        game, goal, *numbers = match.groups()
        return cls(game, goal, *map(int, numbers))

    def __str__(self) -> str:
        return f"# {self.game} {self.goal} {self.total}/{self.codes} max {self.most}"


def game_key(rules: CodeGame | Focdle) -> str:
    """The rules as a string, without the number of guesses, which changes no strategy."""
    return rules.encode().partition("/")[0]


def file_name(game: str, goal: str) -> str:
    """The name of the file that holds the tree of a game."""
    return f"{game.replace(':', '-')}-{goal}.txt"


class Claiming(Protocol):
    """A tree that has been played against every secret."""

    @property
    def claim(self) -> Claim:
        """What playing it has shown."""
        ...


T = TypeVar("T", bound=Claiming)


def read_tree(text: str, make: Callable[[str, list[str]], T]) -> T:
    """A tree from its file.

    Args:
        text: the file's.
        make: a tree for a goal with these guesses.

    Raises:
        DamagedTreeError: it is no tree, or not what its first line says.
    """
    header, _, body = text.partition("\n")
    said = Claim.read(header)
    tree = make(said.goal, body.split())
    if tree.claim != said:
        raise DamagedTreeError(f"says {said}, is {tree.claim}")
    return tree
