"""Choice of a guess by playouts, where only candidates may be guessed, as in hard mode.

The candidate with the most parts often leaves families in one of them: equations that differ in one
number. Where only candidates may be guessed, a family is tried one by one, and its last members
take more guesses than a game has. So candidates are played out against all others, and lost games
are penalised. Playouts choose by the most parts, which ranks candidates well; for the best of them
several guesses are played out in each part, which finds families that one guess misses. All parts
of several games are processed together, guess by guess.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.equations import SYMBOLS
from engine.solvers.focdle.search import Signatures
from engine.solvers.space import PAIR, Columns

# Which of many pairs of guess and secret get the same marks, compared as integers.
#
# `Signatures` compare every guess with every candidate. Candidates in parts (with equal replies so
# far) are compared only within their part, pair by pair. Each code is packed into two integers of
# four bits a field: the symbol in each place, and the number of copies of each symbol, up to seven.
# A reply is one integer made of both codes' fields.

Integers = NDArray[np.uint64]
Indices = NDArray[np.intp]

_WIDTH: Final = 4
_MOST_COPIES: Final = 7
_ONE: Final = np.uint64(1)
_TWO: Final = np.uint64(2)
_THREE: Final = np.uint64(3)
_LOWEST: Final = np.uint64(0x1111_1111_1111_1111)
"""The lowest bit of all fields of four."""
_HIGHEST: Final = np.uint64(0x8888_8888_8888_8888)
_HALF: Final = np.uint64(32)
# Odd numbers near the golden ratio of 2**64 spread integers evenly over their range of indices.
_MIXERS: Final = tuple(np.uint64(0x9E37_79B9_7F4A_7C15 + 2 * step) for step in range(8))


class Packed:
    """Codes packed into integers of 64 bits, four bits a field.

    Attributes:
        places: for each code its symbols, a field a place.
        copies: for each code how often it has each symbol, up to seven.
    """

    def __init__(self, columns: Columns) -> None:
        self.places = _packed(columns)
        counts = [(columns == symbol).sum(axis=0) for symbol in range(len(SYMBOLS))]
        self.copies = _packed(np.minimum(np.array(counts), _MOST_COPIES))

    def replies(self, guesses: Indices, secrets: Indices, times: Indices) -> Integers:
        """The replies of secrets to guesses; both are given as indices of these codes.

        Two replies to one guess are equal if and only if the marks are. Several secrets reply to
        each guess: `times` has their numbers, `secrets` has them guess by guess.
        """
        differ = np.repeat(self.places[guesses], times)
        differ ^= self.places[secrets]
        differ |= differ >> _ONE
        differ |= differ >> _TWO
        differ &= _LOWEST
        # The lesser number of copies in each field: where a - b borrows no highest bit, b's.
        mine, theirs = np.repeat(self.copies[guesses], times), self.copies[secrets]
        least = mine | _HIGHEST
        least -= theirs
        least &= _HIGHEST
        least -= least >> _THREE
        least &= mine ^ theirs
        least ^= mine
        differ <<= _THREE
        least |= differ
        return least


def _packed(fields: NDArray[np.uint8] | NDArray[np.intp]) -> Integers:
    packed = np.zeros(fields.shape[1], np.uint64)
    for row, field in enumerate(fields):
        packed |= field.astype(np.uint64) << np.uint64(_WIDTH * row)
    return packed


def alike(replies: Integers, times: Indices) -> Indices:
    """For each reply, the index of an equal one: the same index for all that are equal.

    `replies` come in stretches of the lengths `times`. Only replies of one stretch are compared.
    Each reply writes its index into a hash table. A reply that then finds the index of a different
    reply there tries again with the next hash.
    """
    room = np.repeat(2 * times, times)
    begins = np.repeat(2 * (np.cumsum(times) - times), times)
    table = np.empty(2 * len(replies), np.intp)
    places = np.arange(len(replies))
    found = places
    waiting, step = replies, 0
    while len(waiting):
        slots = _hashed(waiting, room, step)
        slots += begins
        table[slots] = places
        like = table[slots]
        if step:
            found[places] = like
        else:
            found = like
        others = np.flatnonzero(replies[like] != waiting)
        places, waiting = places[others], waiting[others]
        room, begins = room[others], begins[others]
        step += 1
    return found


def _hashed(replies: Integers, room: Indices, step: int) -> Indices:
    """A hash of each reply, below its `room`; `step` chooses one of eight hash functions."""
    hashed = replies * _MIXERS[step % len(_MIXERS)]
    hashed >>= _HALF
    hashed *= room.view(np.uint64)
    hashed >>= _HALF
    return hashed.view(np.intp)


Costs = NDArray[np.float64]

MOST: Final = 12_500
"""The most candidates that are played out: with more it takes long, and counting parts does."""

_SAMPLE: Final = 400
"""The most candidates that are rated by the parts that they make of each other."""
# Fewer candidates are played out faster, which leaves time for more of them.
_BUDGET: Final = 100_000
_TRIED: Final = 8
"""The most members of a part that are tried as its guess in playouts."""
_LOOKED_INTO: Final = 8
"""The most guesses searched one level deeper, and the most tried in each of their parts."""
_RATED: Final = 32
"""The most members of a part that are rated before some of them are searched."""
_LOST: Final = 10
"""The penalty of a lost game, in guesses; `_TOO_LATE` comes on top."""
_TOO_LATE: Final = 3
"""The penalty of each guess beyond the game's limit, in guesses."""
# Data processed together fit the processor's cache.
_AT_ONCE: Final = 16_384
_GAMES_AT_ONCE: Final = 32


def safest_guess(columns: Columns, left: int) -> NDArray[np.intp]:
    """The candidate with the cheapest playouts; there may be at most `MOST` candidates.

    `left` is the number of guesses that the game has left.
    """
    return columns[:, Playouts(columns, left).best()].astype(np.intp)


class _Parts(NamedTuple):
    """Groups of candidates with the same marks so far, in several games played out at once.

    Attributes:
        members: candidates, part by part, each part in the order of all candidates.
        sizes: the number of members of each part.
        games: the game of each part.
    """

    members: Indices
    sizes: Indices
    games: Indices

    def begins(self) -> Indices:
        """The index of each part's first member."""
        return np.cumsum(self.sizes) - self.sizes

    def selected(self, which: Indices) -> "_Parts":
        """The parts at these indices, in this order; an index may occur several times."""
        sizes = self.sizes[which]
        moved = self.begins()[which] - (np.cumsum(sizes) - sizes)
        places = np.repeat(moved, sizes)
        places += np.arange(len(places))
        return _Parts(self.members[places], sizes, self.games[which])


class _Tried(NamedTuple):
    """Members of parts that are tried as guesses, part by part.

    Attributes:
        guesses: indices of candidates.
        made: the number of parts into which each guess divides its part.
        parts: the index of each guess's part.
        firsts: the index of each part's first guess.
    """

    guesses: Indices
    made: Indices
    parts: Indices
    firsts: Indices

    def ranks(self) -> Indices:
        """The position of each guess among the guesses of its part, from 0."""
        return np.arange(len(self.guesses)) - self.firsts[self.parts]


class Playouts:
    """Plays candidates out against each other; the game has `left` guesses left."""

    def __init__(self, columns: Columns, left: int) -> None:
        self._columns = columns
        self._left = left
        self._codes = Packed(columns)
        self._every: Indices = np.arange(columns.shape[1])

    def best(self) -> int:
        """The index of the best candidate that was found."""
        count = len(self._every)
        some = self._every[:_SAMPLE] * count // min(count, _SAMPLE)
        parts = own_parts(self._columns[:, some])
        order = np.argsort(-parts, kind="stable")
        if parts[order[0]] == count:
            return int(some[order[0]])
        tried = some[order[: _BUDGET // count]]
        costs = self._playout_costs(tried)
        best = tried[np.argsort(costs, kind="stable")[:_LOOKED_INTO]]
        at_once = _AT_ONCE // (count * _LOOKED_INTO)
        if not at_once:
            return int(best[0])
        starts = range(0, len(best), at_once)
        costs = np.concatenate([self._searched_costs(best[i : i + at_once]) for i in starts])
        return int(best[costs.argmin()])

    def _playout_costs(self, tried: Indices) -> Costs:
        """For each of these guesses, the guesses and penalties of all candidates as secrets.

        A guess that turns out not to be among the best costs infinity.
        """
        at_once = max(1, min(_AT_ONCE // len(self._every), _GAMES_AT_ONCE))
        costs = np.full(len(tried), np.inf)
        for start in range(0, len(tried), at_once):
            guesses = tried[start : start + at_once]
            limit = np.sort(costs)[:_LOOKED_INTO][-1]
            found = self._costs(self._games(len(guesses)), guesses, 1, limit)
            costs[start : start + at_once] = found
        return costs

    def _searched_costs(self, guesses: Indices) -> Costs:
        """Costs after each of these guesses, with several next ones tried in each part.

        Each part counts with the cheapest of them.
        """
        parts = self._divided(self._games(len(guesses)), guesses)
        costs = np.full(len(guesses), float(self._guess(1)))
        parts = self._settled(costs, parts, parts.sizes <= PAIR, 2)
        if not len(parts.sizes):
            return costs
        tried = self._tried(parts, _RATED)
        best = np.lexsort((-tried.made, tried.parts))[tried.ranks() < _LOOKED_INTO]
        several = parts.selected(tried.parts[best])._replace(games=np.arange(len(best)))
        each = self._costs(several, tried.guesses[best], 2, np.inf)
        numbers = np.minimum(parts.sizes, _LOOKED_INTO)
        least = np.minimum.reduceat(each, np.cumsum(numbers) - numbers)
        costs += np.bincount(parts.games, least, len(costs))
        return costs

    def _games(self, count: int) -> _Parts:
        sizes = np.full(count, len(self._every))
        return _Parts(np.tile(self._every, count), sizes, np.arange(count))

    def _costs(self, parts: _Parts, guesses: Indices, turn: int, limit: float) -> Costs:
        """Play out games that start with one part each; return the cost of each game.

        `guesses` has the first guess of each game, which is guess number `turn`, from 1. Costs of
        `limit` or more become infinite.
        """
        costs = np.zeros(len(guesses))
        while len(guesses):
            costs += np.bincount(parts.games, minlength=len(costs)) * self._guess(turn)
            turn += 1
            parts = self._divided(parts, guesses)
            least = np.bincount(parts.games, self._least(parts.sizes, turn), len(costs))
            costs[costs + least >= limit] = np.inf
            settled = (parts.sizes <= PAIR) | (costs == np.inf)[parts.games]
            parts = self._settled(costs, parts, settled, turn)
            tried = self._tried(parts, _TRIED)
            # The most parts, and of equal ones the lowest rank.
            values = tried.made * _TRIED - tried.ranks()
            best = np.maximum.reduceat(values, tried.firsts) if len(values) else values
            guesses = tried.guesses[tried.firsts + -best % _TRIED]
            settled = -(-best // _TRIED) == parts.sizes
            guesses = guesses[~settled]
            parts = self._settled(costs, parts, settled, turn)
        return costs

    def _guess(self, turn: int) -> int:
        """The cost of a candidate found with guess number `turn`; penalties if that is too late."""
        late = turn - self._left
        return turn + (_LOST + _TOO_LATE * late if late > 0 else 0)

    def _least(self, sizes: Indices, turn: int) -> Indices:
        """The costs of parts whose next guess, number `turn`, tells all others apart."""
        return self._guess(turn) + (sizes - 1) * self._guess(turn + 1)

    def _settled(self, costs: Costs, parts: _Parts, which: NDArray[np.bool_], turn: int) -> _Parts:
        """Add the least costs of the parts in `which` to their games, and return the other parts.

        The next guess in these parts, number `turn`, is a member that tells all others apart.
        """
        least = np.where(which, self._least(parts.sizes, turn), 0)
        costs += np.bincount(parts.games, least, len(costs))
        return parts.selected(np.flatnonzero(~which))

    def _divided(self, parts: _Parts, guesses: Indices) -> _Parts:
        """Divide each part, without its guess, by the replies to that guess."""
        part = np.repeat(np.arange(len(parts.sizes)), parts.sizes)
        wrong = parts.members != guesses[part]
        members, part = parts.members[wrong], part[wrong]
        like = alike(self._codes.replies(guesses, members, parts.sizes - 1), parts.sizes - 1)
        # They are few enough for numbers of sixteen bits, which are sorted fastest.
        order = np.argsort(like.astype(np.uint16), kind="stable")
        like = like[order]
        starts = np.flatnonzero(np.append(True, like[1:] != like[:-1]))
        sizes = np.diff(starts, append=len(like))
        return _Parts(members[order], sizes, parts.games[part[order[starts]]])

    def _tried(self, parts: _Parts, most: int) -> _Tried:
        """Choose at most `most` members of each part, evenly spread, to be tried as its guess."""
        numbers = np.minimum(parts.sizes, most)
        firsts = np.cumsum(numbers) - numbers
        of = np.repeat(np.arange(len(numbers)), numbers)
        ranks = np.arange(len(of)) - firsts[of]
        guesses = parts.members[parts.begins()[of] + ranks * parts.sizes[of] // numbers[of]]
        pairs = parts.selected(of)
        like = alike(self._codes.replies(guesses, pairs.members, pairs.sizes), pairs.sizes)
        is_new = (like == np.arange(len(like))).view(np.uint8)
        made = np.add.reduceat(is_new, pairs.begins(), dtype=np.intp) if len(of) else of
        return _Tried(guesses, made, of, firsts)


def own_parts(columns: Columns) -> NDArray[np.intp]:
    """The number of parts into which each candidate divides all candidates, shape (n,)."""
    guesses = np.ascontiguousarray(columns.T).astype(np.intp)
    ordered = np.sort(Signatures(columns).of(guesses), axis=1)
    return 1 + np.count_nonzero(ordered[:, 1:] != ordered[:, :-1], axis=1)
