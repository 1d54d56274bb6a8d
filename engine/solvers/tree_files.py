"""Names and header lines of shipped trees."""

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


def game_key(rules: CodeGame | Focdle) -> str:
    """Encode the rules without the number of guesses, which changes no strategy."""
    return rules.encode().partition("/")[0]


def file_name(game: str, goal: str) -> str:
    return f"{game.replace(':', '-')}-{goal}.txt"


class HasHeader(Protocol):
    @property
    def header(self) -> Header: ...


T = TypeVar("T", bound=HasHeader)


def read_tree(text: str, make: Callable[[str, list[str]], T]) -> T:
    """Read a tree from the text of its file, and check what its header says.

    `make` builds a tree from a goal and the guesses of its nodes.

    Raises:
        DamagedTreeError: the text is no tree, or not the one that its header claims.
    """
    header, _, body = text.partition("\n")
    said = Header.read(header)
    tree = make(said.goal, body.split())
    if tree.header != said:
        raise DamagedTreeError(f"says {said}, is {tree.header}")
    return tree
