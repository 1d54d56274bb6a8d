"""Strategy trees that are shipped: the guess after every course of a game.

A file holds the guesses of one tree's inner nodes in preorder. An inner node is a set of at least
three candidates; its children are visited in ascending order of the reply ``bulls * (length + 1) +
(bulls + cows)``. Smaller sets need no entry: their codes are guessed in order. `tools.trees` writes
such files. Those of FoCdle differ a little, see `engine.solvers.focdle.tree`.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.code_games import DIGITS, CodeGame
from engine.focdle import Focdle
from engine.notation import decode
from engine.solvers.code_games import every_code
from engine.solvers.focdle.tree import FocdleTree
from engine.solvers.space import Symbols
from engine.solvers.tree_files import (
    SMALLEST_INNER,
    DamagedTreeError,
    Header,
    Tree,
    file_name,
    game_key,
)

_BOTH: Final = "both"


class _Node(NamedTuple):
    """A guess, and the next node by reply; the solving reply has none, as it ends the game."""

    guess: int
    after: "dict[int, _Node]"


class CodeTree(Tree[CodeGame]):
    """A tree of Mastermind or Bulls and Cows; inside, codes are numbers in their order."""

    def __init__(self, rules: CodeGame, goal: str, guesses: Sequence[str]) -> None:
        builder = _Builder(rules, guesses)
        self._root = builder.build()
        self.header = Header(game_key(rules), goal, builder.total, rules.size, builder.most)
        self._codes: list[Symbols] = list(map(tuple, code_array(rules).tolist()))

    def lookup(self, replies: Sequence[tuple[Symbols, int]]) -> Symbols | None:
        node: _Node | None = self._root
        for guess, reply in replies:
            if node is None or self._codes[node.guess] != guess:
                return None
            node = node.after.get(reply)
        return None if node is None else self._codes[node.guess]


def tree_of(rules: object, goal: str) -> Tree[Any] | None:
    """The shipped tree for a goal and rules, or None; the limit of guesses does not matter."""
    trees = (_shipped(game, each) for each in (str(goal), _BOTH) for game in _names(rules))
    return next((tree for tree in trees if tree is not None), None)


def _names(rules: object) -> list[str]:
    """The names, as in files, of the games with as many symbols and places as these rules."""
    if isinstance(rules, Focdle):
        return [game_key(rules)]
    if not isinstance(rules, CodeGame):
        return []
    symbols, repeats = len(rules.alphabet), "r" if rules.repeats else ""
    names = [f"mastermind:{rules.length}x{symbols}{repeats}"]
    if symbols == len(DIGITS):
        names.append(f"bulls:{rules.length}{repeats}")
    return names


@cache
def _shipped(game: str, goal: str) -> Tree[Any] | None:
    file = files("engine.solvers").joinpath("data", file_name(game, goal))
    if not file.is_file():
        return None
    rules, text = decode(f"{game}/1"), file.read_text(encoding="ascii")
    if isinstance(rules, Focdle):
        return FocdleTree.read(rules, text)
    return CodeTree.read(rules, text) if isinstance(rules, CodeGame) else None


def code_array(rules: CodeGame) -> NDArray[np.uint8]:
    """All codes as symbol numbers, shape (N, length)."""
    return np.ascontiguousarray(every_code(rules).T)


class _Builder:
    """Builds a tree by playing it against all secrets at once.

    Attributes:
        total: how many guesses all secrets together have taken so far.
        most: the most guesses that a secret has taken so far.
    """

    def __init__(self, rules: CodeGame, guesses: Sequence[str]) -> None:
        self._length = rules.length
        self._solving = rules.length * (rules.length + 1) + rules.length
        self._codes = code_array(rules)
        symbols = np.arange(len(rules.alphabet), dtype=np.uint8)
        self._copies = (self._codes[:, :, None] == symbols).sum(axis=1, dtype=np.uint8)
        self._indices = {str(code): index for index, code in enumerate(rules.codes())}
        self._guesses = iter(guesses)
        self._pairs: list[tuple[_Node, _Node]] = []
        self.total = 0
        self.most = 0

    def build(self) -> _Node:
        """Build the tree and return its root; raises DamagedTreeError."""
        root = self._node(np.arange(len(self._codes)), 1)
        if next(self._guesses, None) is not None:
            raise DamagedTreeError("guesses are left over")
        # Link the second node of each pair to the first; all pairs at once are faster.
        firsts = np.array([first.guess for first, _ in self._pairs], np.intp)
        seconds = np.array([second.guess for _, second in self._pairs], np.intp)
        replies = self._replies(firsts, seconds).tolist()
        for (first, second), reply in zip(self._pairs, replies, strict=True):
            first.after[reply] = second
        return root

    def _node(self, codes: NDArray[np.intp], turn: int) -> _Node:
        """Build the node in which these candidates are left before guess number `turn`, from 1."""
        if len(codes) < SMALLEST_INNER:
            first, *others = codes.tolist()
            self._solved(turn)
            node = _Node(first, {})
            for other in others:
                self._solved(turn + 1)
                self._pairs.append((node, _Node(other, {})))
            return node
        text = next(self._guesses, "")
        guess = self._indices.get(text)
        if guess is None:
            raise DamagedTreeError(f"no guess of this game: {text!r}")
        after: dict[int, _Node] = {}
        for reply, part in self._parts(guess, codes):
            if len(part) == len(codes):
                raise DamagedTreeError("a guess tells nothing")
            if reply == self._solving:
                self._solved(turn)
            else:
                after[reply] = self._node(part, turn + 1)
        return _Node(guess, after)

    def _solved(self, turn: int) -> None:
        self.total += turn
        self.most = max(self.most, turn)

    def _parts(self, guess: int, codes: NDArray[np.intp]) -> Iterator[tuple[int, NDArray[np.intp]]]:
        """Yield each reply to a guess, ascending, with the codes that give it, in their order."""
        replies = self._replies(guess, codes)
        order = np.argsort(replies, kind="stable")
        ordered = replies[order]
        starts = [0, *(np.flatnonzero(ordered[1:] != ordered[:-1]) + 1).tolist(), len(codes)]
        for start, end in pairwise(starts):
            yield int(ordered[start]), codes[order[start:end]]

    def _replies(
        self, guesses: int | NDArray[np.intp], codes: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """The replies of these codes to one guess, or of each to the guess at its index."""
        bulls = (self._codes[codes] == self._codes[guesses]).sum(axis=1)
        shared = np.minimum(self._copies[codes], self._copies[guesses]).sum(axis=1)
        return bulls * (self._length + 1) + shared
