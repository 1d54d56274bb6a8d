"""Nouns that all games share: names of games, hints, points, seals, claims on sending."""

import hashlib
import hmac
import random
import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from itertools import count
from typing import Any, Final, Self, TypeVar

from bot.clock import PuzzleName
from bot.refused import OthersGameError, Refused
from bot.text.language import N_, _
from bot.text.markup import mention
from engine import Mastermind, Rules, Shown, Turn

FAIR: Final = random.SystemRandom()
"""Draws what nobody may foresee."""


@dataclass(frozen=True, slots=True)
class Channel:
    guild_id: int
    channel_id: int

    @classmethod
    def of(cls, guild_id: int | None, channel_id: int | None) -> Self | None:
        """Return a server's channel; None if there is no server."""
        return None if guild_id is None or channel_id is None else cls(guild_id, channel_id)

    def __str__(self) -> str:
        return f"channel-{self.guild_id}-{self.channel_id}"


class Source(StrEnum):
    """The kind of a game, as stored."""

    PLAY = "play"
    MASTERMIND = "mastermind"
    DUEL = "duel"
    RACE = "race"


@dataclass(frozen=True, slots=True)
class GameName:
    """The kind and id of a game to show or analyse; as a text, without the seat, `race-3`.

    Attributes:
        seat: in a duel or race, the number of the seat whose guesses are meant; None for the
            asker's own.
    """

    source: Source
    id: int
    seat: int | None = None

    def __str__(self) -> str:
        return f"{self.source}-{self.id}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the game that a text names; ValueError if it names none."""
        written = _NAME.fullmatch(text)
        if written is None:
            raise ValueError(text)
        return cls(Source(written[1]), int(written[2]))


_NAME: Final = re.compile(rf"({'|'.join(Source)})-(\d{{1,18}})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim on sending a message once.

    Attributes:
        claimed_at: when sending was first claimed; after a refusal, when it was claimed again.
        tried_at: when the last attempt began.
        outcome: ``sent``, ``refused`` or ``unsure``; None while nobody knows.
    """

    claimed_at: datetime
    tried_at: datetime
    attempts: int = 1
    outcome: str | None = None
    message_id: int | None = None


@dataclass(frozen=True, slots=True)
class FreeGames:
    """The number of games just for fun that a player began on the UTC date `day`."""

    day: date
    games: int


MOST_HINTS: Final = 2


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint that a player has taken: the symbol of a 0-based place, after `turn` guesses."""

    turn: int
    place: int
    symbol: str


def points_for(*, solved: bool, guesses: int, hints: int) -> int:
    """Compute a daily's points: 7 less guesses and hints, down to none; 0 if not solved."""
    return max(7 - guesses - hints, 0) if solved else 0


def guesses_for(*, made: int, hints: int, most: int) -> int:
    """Count the guesses of a solved Mastermind: each hint is one, and unsolved is one too many."""
    return min(made + hints, most + 1)


_BITS: Final = 64


class KeyedIntegers(random.Random):
    """Uniform integers that follow from a key and a label.

    They come from the 64-bit big-endian quarters of HMAC-SHA256(key, "label/0"),
    HMAC-SHA256(key, "label/1") and so on, one after the other; quarters that would make
    small numbers likelier are skipped. All but `randrange` with one argument is refused, since
    it would not depend on the key.
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
        """Return an integer from 0 to `start` - 1, all equally likely."""
        if stop is not None or step != 1:
            raise NotImplementedError("keyed integers start at 0")
        limit = (1 << _BITS) - (1 << _BITS) % start
        return next(word for word in self._words if word < limit) % start

    def random(self) -> float:
        raise NotImplementedError("keyed integers are no fractions")

    def getrandbits(self, k: int, /) -> int:
        raise NotImplementedError("keyed integers are no bits")


STANDARD_MASTERMIND: Final = Mastermind()
"""The engine's default setting; leaderboards count only games with it."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A play that is not finished.

    Attributes:
        number: the daily's number; None for a practice or a set equation.
        is_today: whether its date is today in the zone where it was opened.
        setter: who set its equation, empty if that is not to be told; None of any other play.
    """

    play_id: int
    number: int | None
    length: int
    turns: int
    is_today: bool
    setter: str | None = None


FEWEST_SHARED: Final = 10
"""The fewest common dailies for which two players are compared."""


@dataclass(frozen=True, slots=True)
class SharedDailies:
    """Comparison of two players on the dailies that both finished on their date.

    For `fewer` of them the first player took fewer guesses than the second, for `more` more. Hints
    count as guesses, and a lost daily as seven.
    """

    dailies: int
    fewer: int
    more: int

    @property
    def percent_fewer(self) -> int:
        return 100 * self.fewer // self.dailies

    @property
    def percent_more(self) -> int:
        return 100 * self.more // self.dailies


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A player's answers that cannot all be true.

    Attributes:
        turns: the 0-based indices, ascending, of the smallest set of contradictory turns.
        repairs: those of `turns` where correcting just one answer would resolve the contradiction;
            may be empty.
    """

    turns: tuple[int, ...]
    repairs: tuple[int, ...]

    @property
    def suspects(self) -> tuple[int, ...]:
        """The repairs, unless all of the turns are: that tells nothing."""
        return () if self.repairs == self.turns else self.repairs


def shown_by(hints: Iterable[Hint]) -> tuple[Shown, ...]:
    """The symbols that hints have shown, in order."""
    return tuple(Shown(hint.place, hint.symbol) for hint in hints)


F = TypeVar("F")


def history_of(turns: Sequence[Turn[F]], hints: Sequence[Hint]) -> tuple[Turn[F] | Shown, ...]:
    """Return turns and shown symbols in the order in which the player saw them."""
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
"""Length of a seal, in hexadecimal digits.

Two texts with the same seal cannot be found by trial, even by somebody who chooses both: that takes
about 2**80 attempts, the square root of what a match with a given seal takes.
"""

_SALT_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Commitment:
    """A commitment to one secret: the digest of a text that contains it.

    `text` is None as long as the secret must not be known.
    """

    digest: str
    text: str | None

    @property
    def seal(self) -> str:
        return self.digest[:SEAL_DIGITS]


def new_salt() -> str:
    """Return 128 random bits in hexadecimal digits. They stay secret until the game ends."""
    return secrets.token_hex(_SALT_BYTES)


def sealed_text(game: str, secret: str, salt: str) -> str:
    """Return the ASCII text to hash, such as ``focdle 325/10 25+4*12=73 9f…``."""
    return f"{game} {secret} {salt}"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def commitment(
    game: str, secret: str | None, salt: str | None, *, is_open: bool
) -> Commitment | None:
    """Return the commitment to a secret, as `sealed` does; None without a secret or a salt."""
    return None if secret is None or salt is None else sealed(game, secret, salt, is_open=is_open)


def sealed(game: str, secret: str, salt: str, *, is_open: bool) -> Commitment:
    """Return the commitment to a secret.

    `is_open` says that everybody who sees the board may know the secret.
    """
    text = sealed_text(game, secret, salt)
    return Commitment(digest(text), text if is_open else None)


# Finished games, as the coach looks at them.


class StillPlayingError(Refused):
    sentence = N_("The coach speaks when the game is over.")


class NobodyGuessedError(Refused):
    sentence = N_("Nobody has guessed in this game.")


class NotAPlayerError(OthersGameError):
    """The user is neither of the two players of this game."""

    player_ids: tuple[int, ...]

    def told(self) -> str:
        return _(
            "This game is for {first} and {second}. Play a game of your own, then press **Coach**."
        ).format(first=mention(self.player_ids[0]), second=mention(self.player_ids[-1]))


@dataclass(frozen=True, slots=True)
class Record:
    """A game to analyse.

    Attributes:
        notation: the rules as stored.
        secret: None where only its player knows it.
        most: the number of guesses made, if the last one was a last chance, which could only
            draw; None if only the rules limited the guesses.
    """

    rules: Rules[Any]
    notation: str
    secret: str | None
    turns: tuple[Turn[Any], ...]
    most: int | None = None
    hints: tuple[Hint, ...] = ()

    def before(self, turn: int) -> tuple[Turn[Any] | Shown, ...]:
        """The turns and hints that the player knew before a guess; `turn` is its 0-based index.

        With the number of guesses as `turn`, it is what the player knew in the end.
        """
        return history_of(self.turns[:turn], self.hints)


class Role(StrEnum):
    """Whose guesses a review is about: the viewer's, the other player's or the bot's."""

    OWN = "own"
    OTHER = "other"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game whose guesses a viewer may have reviewed.

    Attributes:
        player_id: the viewer.
        name: the game's name under which the analysis is stored; in a duel or race, with a seat.
        breaker_id: the player who guessed; None for the bot.
        other_seat: in a duel, the seat whose guesses are not in the record; None if it made none.
        is_drawn: whether the bot drew the secret, for a breaker who could not choose it.
        set_on: the date on which the player opened an equation that a member had set; else None.
        setter: that member's name, empty if it is not to be told; None if nobody set it.
    """

    player_id: int
    name: GameName
    record: Record
    role: Role
    breaker_id: int | None
    puzzle: PuzzleName | None = None
    guild_id: int | None = None
    other_seat: int | None = None
    is_drawn: bool = False
    set_on: date | None = None
    setter: str | None = None
