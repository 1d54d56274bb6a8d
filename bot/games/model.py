"""What all games share: their names, hints, seals, turns, claims of messages."""

import hashlib
import hmac
import random
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from itertools import count
from typing import Final, Generic, TypeVar

from bot.stored import HintKind
from engine import Mastermind, Shown, Turn


class Source(StrEnum):
    """What kind of game it is, as it is stored."""

    PLAY = "play"
    """FoCdle."""
    MASTERMIND = "mastermind"
    DUEL = "duel"


@dataclass(frozen=True, slots=True)
class GameName:
    """A game that can be looked at.

    Attributes:
        source: what kind of game.
        id: which one.
        seat: in a duel, whose guesses; None for the own ones.
    """

    source: Source
    id: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A message that is to be sent once.

    Attributes:
        claimed_at: when it was first claimed: it may have been sent since.
        tried_at: when somebody last began to try.
        attempts: how often somebody has.
        outcome: how sending went: ``sent``, ``refused`` or ``unsure``; None while nobody knows.
        message_id: the message, once it is known to be there.
    """

    claimed_at: datetime
    tried_at: datetime
    attempts: int = 1
    outcome: str | None = None
    message_id: int | None = None


@dataclass(frozen=True, slots=True)
class FreeGames:
    """Those of one player on the last day with any.

    Attributes:
        day: the date, in UTC.
        games: how many.
    """

    day: date
    games: int


EARLIER_HINTS: Final = (HintKind.COUNT, HintKind.SUGGESTION)
"""Kinds by whose rules a daily keeps its last point, and does not lengthen a streak."""
MOST_HINTS: Final = 2
"""How many hints a game has."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What a player was told.

    Attributes:
        turn: how many guesses had been made.
        kind: what it tells.
        answer: a 0-based place and a symbol, `3 7`; a number; or a code.
    """

    turn: int
    kind: HintKind
    answer: str


def least_points(hints: Iterable[Hint]) -> int:
    """What a solved daily with these hints is worth at least."""
    return int(any(hint.kind in EARLIER_HINTS for hint in hints))


def points_for(*, solved: bool, guesses: int, hints: int = 0, least: int = 0) -> int:
    """What a daily finished on its date is worth; a hint costs a point, down to `least`."""
    return max(7 - guesses - hints, least) if solved else 0


_BITS: Final = 64


class KeyedIntegers(random.Random):
    """Uniform integers that follow from a key and a label.

    The n-th 64-bit big-endian quarter of HMAC-SHA256(key, "label/0"),
    HMAC-SHA256(key, "label/1") and so on; those that would make small numbers
    likelier are skipped. Only `randrange` with one argument may be used.
    """

    def __init__(self, key: str, label: str) -> None:
        super().__init__(0)
        self._words = self._stream(key.encode(), label)

    @staticmethod
    def _stream(key: bytes, label: str) -> Iterator[int]:
        for block in count():
            digest = hmac.digest(key, f"{label}/{block}".encode(), hashlib.sha256)
            for start in range(0, len(digest), _BITS // 8):
                yield int.from_bytes(digest[start : start + _BITS // 8], "big")

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """An integer from 0 to `start` - 1, all equally likely."""
        if stop is not None or step != 1:
            raise NotImplementedError("keyed integers start at 0")
        limit = (1 << _BITS) - (1 << _BITS) % start
        return next(word for word in self._words if word < limit) % start


STANDARD_MASTERMIND: Final = Mastermind()
"""The usual setting, which the engine says; games at it are those that boards count."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A play that goes on.

    Attributes:
        play_id: what buttons call it by.
        number: the daily's number; None for a practice.
        length: its length in symbols.
        turns: guesses made.
        is_today: whether its date is today, where it was opened.
    """

    play_id: int
    number: int | None
    length: int
    turns: int
    is_today: bool


FEWEST_SHARED: Final = 10
"""Dailies that two must share before they are compared."""


@dataclass(frozen=True, slots=True)
class SharedDailies:
    """How dailies went that two players have both finished on their date.

    Attributes:
        dailies: how many there are.
        fewer: in how many the first of the two took fewer guesses.
        more: in how many more.
    """

    dailies: int
    fewer: int
    more: int

    @property
    def percent_fewer(self) -> int:
        """In how many of a hundred the first took fewer, rounded down."""
        return 100 * self.fewer // self.dailies

    @property
    def percent_more(self) -> int:
        """In how many of a hundred the first took more, rounded down."""
        return 100 * self.more // self.dailies


F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Reason(Generic[F]):
    """A guess of the bot's, and what it left.

    Attributes:
        turn: the guess and its feedback.
        before: how many codes were possible before it.
        after: how many were after it.
    """

    turn: Turn[F]
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Answers that cannot all be true.

    Attributes:
        turns: 0-based indices, ascending, of the smallest set of turns that cannot all be
            true.
        repairs: those of them whose answer alone, if corrected, makes the game possible
            again; perhaps none.
    """

    turns: tuple[int, ...]
    repairs: tuple[int, ...]


def hint_of(turn: int, shown: Shown) -> Hint:
    """The hint that shows a symbol after so many guesses, as it is stored."""
    return Hint(turn, HintKind.SYMBOL, f"{shown.place} {shown.symbol}")


def shown_by(hints: Iterable[Hint]) -> tuple[Shown, ...]:
    """What hints have shown, in order."""
    answers = (hint.answer.split() for hint in hints if hint.kind is HintKind.SYMBOL)
    return tuple(Shown(int(place), symbol) for place, symbol in answers)


def history_of(turns: Sequence[Turn[F]], hints: Sequence[Hint]) -> tuple[Turn[F] | Shown, ...]:
    """Turns, and what hints have shown before each of them and after the last, in order."""
    history: list[Turn[F] | Shown] = []
    for made in range(len(turns) + 1):
        history += shown_by(hint for hint in hints if hint.turn == made)
        history += turns[made : made + 1]
    return tuple(history)


# Seals: hashes that prove that a secret was fixed before its game began. While a game goes on its
# boards show the beginning of the SHA-256 of a text: the game, the secret and a random salt. At the
# end they show the text. Changing its form would leave players with seals that nobody can check; a
# golden test holds it.

SEAL_DIGITS: Final = 40
"""So many that agree cannot be found by trial, not even by who may choose both texts: that takes
some 2**80 of them, the square root of what it takes to meet a given one."""

_SALT_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Commitment:
    """What a board shows for one secret.

    Attributes:
        digest: the SHA-256 of the text, in 64 hexadecimal digits.
        text: what was hashed, once the game is over; None before, for whomever.
    """

    digest: str
    text: str | None

    @property
    def seal(self) -> str:
        """The beginning of the digest, which boards have room for."""
        return self.digest[:SEAL_DIGITS]


def new_salt() -> str:
    """128 random bits, in hexadecimal digits; nobody may see them before the end."""
    return secrets.token_hex(_SALT_BYTES)


def sealed_text(game: str, secret: str, salt: str) -> str:
    """The text that is hashed, such as ``focdle 325/10 25+4*12=73 9f…``; all of it is ASCII."""
    return f"{game} {secret} {salt}"


def digest(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def commitment(
    game: str, secret: str | None, salt: str | None, *, is_open: bool
) -> Commitment | None:
    """What is shown for a secret; None where there is none, or it was fixed without a salt.

    Args:
        game: what the text calls the game.
        secret: in notation.
        salt: its salt; games from before there were any have none.
        is_open: whether everybody who sees the board may know the secret.
    """
    if secret is None or salt is None:
        return None
    text = sealed_text(game, secret, salt)
    return Commitment(digest(text), text if is_open else None)
