"""What all games share: transactions, a limit of games, messages sent once, no unfair help."""

import hashlib
import logging
import math
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from typing import Any, Final, Generic, TypeVar

from bot.clock import LENGTHS, Clock, PuzzleName, first_running, number_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.db.keyed import PAGE
from bot.db.keys import Key
from bot.db.transaction import Body
from bot.games import store
from bot.games.model import STANDARD_MASTERMIND, Claim, FreeGames, Source
from bot.refused import (
    EnoughGamesError,
    RankedGameError,
    RatedDuelError,
    Refused,
    UnfinishedDailyError,
)
from engine import BullsAndCows, CodeGame, Focdle, Mastermind, Rules

# Free games, just for fun: no leaderboard, rating or streak counts them. Whatever the game,
# beginning one goes through `begin`. A game that has begun is never cut short.

MOST_A_DAY: Final = 300
"""How many free games a player may begin on a UTC date, all kinds together."""


def begin(tx: Transaction, player_id: int, now: datetime) -> None:
    games = _begun(tx, player_id, now)
    store.of_player.put(tx, FreeGames(_today(now), games + 1), player_id)


def require_more(tx: Transaction, player_id: int, now: datetime) -> None:
    """Refuse a player who may begin no more free games; store nothing."""
    _begun(tx, player_id, now)


def _begun(tx: Transaction, player_id: int, now: datetime) -> int:
    found, today = store.of_player.get(tx, player_id), _today(now)
    games = found.games if found is not None and found.day == today else 0
    if games >= MOST_A_DAY:
        again_at = datetime.combine(today + timedelta(days=1), time.min, UTC)
        raise EnoughGamesError(games=games, again_at=again_at)
    return games


def _today(now: datetime) -> date:
    return now.astimezone(UTC).date()


# Sends a message exactly once, though the bot may end between any two steps. The bot claims a row
# before it sends the message, and notes the message's id after. A claim without an id does not tell
# whether the message was sent. So the bot sends it again with the same nonce: soon after the first,
# Discord returns the first message instead of a second one. Later the bot has to look for its own
# message in the channel.

TRY_SECONDS: Final = 30.0
"""The most seconds that one attempt to send or change something at Discord may take."""

LEASE: Final = timedelta(seconds=60)
"""The time after which an attempt without a noted result counts as failed: another may begin."""

NONCE_LASTS: Final = timedelta(minutes=2)
"""The time for which Discord certainly remembers a nonce."""

_NONCE_CHARACTERS: Final = 24


class Step(Enum):
    SEND = "send"
    """Send the message with its nonce."""
    LOOK = "look"
    """Look in the channel for the message."""


def next_step(claim: Claim | None, now: datetime) -> Step | None:
    """Choose how to send a message; None once it is sent or given up, or may be on its way."""
    if claim is None or claim.outcome == "refused":
        return Step.SEND
    if claim.outcome is not None or now < claim.tried_at + LEASE:
        return None
    return Step.SEND if now <= claim.claimed_at + NONCE_LASTS else Step.LOOK


def nonce(*parts: object) -> str:
    """Make the nonce of a message from what identifies it: all attempts to send it share one."""
    text = ":".join(map(str, parts))
    return hashlib.sha256(text.encode()).hexdigest()[:_NONCE_CHARACTERS]


# The bot may end before it notes the message of a game that it has posted. The first public message
# that is clicked is then the game's: noted in the click's own transaction, it is edited whatever
# happens next.


@dataclass(frozen=True, slots=True)
class Clicked:
    """A public message with a button of a game."""

    source: Source
    game_id: int
    channel_id: int
    message_id: int


_clicked: ContextVar[Clicked | None] = ContextVar("clicked", default=None)


def note_click(clicked: Clicked) -> None:
    """Note what was clicked, for all later transactions of the current task."""
    _clicked.set(clicked)


def clicked_message(source: Source, game_id: int) -> Clicked | None:
    """The public message of a game that the current task is about; None without one."""
    clicked = _clicked.get()
    is_of_game = clicked is not None and (clicked.source, clicked.game_id) == (source, game_id)
    return clicked if is_of_game else None


log = logging.getLogger(__name__)


class GameTransaction(ABC):
    """A transaction about games; methods of subclasses are its use cases, or parts of them."""

    def __init__(self, tx: Transaction, now: datetime) -> None:
        self.tx = tx
        self.now = now

    @abstractmethod
    def report(self) -> Iterable[str]:
        """Return a log line for each change, without secrets and guesses."""


T = TypeVar("T")
V = TypeVar("V", bound=GameTransaction)
UseCase = Callable[[V], T]
"""The body of a game's transaction."""


class GameTransactions(Generic[V]):
    def __init__(
        self,
        database: Database,
        clock: Clock,
        make: Callable[[Transaction, datetime], V],
        subject: str,
    ) -> None:
        self._database = database
        self._clock = clock
        self._make = make
        self._subject = subject

    def now(self) -> datetime:
        return self._clock.now()

    async def write(self, use: UseCase[V, T], game_id: int, *player_ids: int) -> T:
        """Run a use case under the locks of a game and of these players.

        The transaction commits even if the use case refuses: a game that is found to be over stays
        over. So use cases refuse before they write changes of their own.
        """
        return await self._write(
            use, keys.game(self._subject, game_id), *map(keys.player, player_ids)
        )

    async def begin(self, use: UseCase[V, T], *player_ids: int) -> T:
        """Run a use case that may begin a game of these players.

        Without players, it locks everything.
        """
        return await self._write(use, *map(keys.player, player_ids))

    async def read(self, use: UseCase[V, T]) -> T:
        """Run a use case that is meant to read.

        If it must write, as when a deadline has passed, it is called once more, in a transaction
        that locks everything.
        """
        work, found = await self._database.read(self._body(use))
        return self._told(work, found)

    async def _write(self, use: UseCase[V, T], *about: Key) -> T:
        work, found = await self._database.write(self._body(use), *about)
        return self._told(work, found)

    def _body(self, use: UseCase[V, T]) -> Body[tuple[V, T | Refused]]:
        def body(tx: Transaction) -> tuple[V, T | Refused]:
            work = self._make(tx, self._clock.now())
            try:
                return work, use(work)
            except Refused as refusal:
                return work, refusal

        return body

    def _told(self, work: V, found: T | Refused) -> T:
        for line in work.report():
            log.info("%s", line)
        if isinstance(found, Refused):
            log.info("%s: refused, %s", self._subject, found)
            raise found
        return found

    async def every(self, find: Callable[[V, int], list[int]]) -> AsyncGenerator[int]:
        """Yield all ids that `find` finds; it is asked for one page after the other.

        Callers handle each id in a transaction of its own, so that players' clicks get in between.
        """
        after = 0
        while True:
            ids = await self.read(lambda work, after=after: find(work, after))
            for number in ids:
                yield number
            if len(ids) < PAGE:
                return
            after = ids[-1]


# Games at stake: the bot must not help a player to win a running game that counts.

_HELPS_FROM: Final = 3
"""A solver helps a player if it can break one in this many codes of the player's game."""

AT_STAKE: Final = "at_stake"
"""The stored ending of a *defend* that was ended because a rated duel of its player began."""


def is_alike(solver: CodeGame, game: CodeGame) -> bool:
    """True if breaking codes of the solver's rules helps to break the game's code.

    Symbols can be renamed: four of ten colours without repeats are like four different digits, and
    a larger alphabet includes a smaller one. A solver of a third of the game's codes helps as much
    as one of all: the player notices in time whether the code is among them.

    Args:
        solver: the rules of the codes that the bot breaks.
        game: the rules of the code that the player has to find.
    """
    if solver.length != game.length:
        return False
    shared = min(len(solver.alphabet), len(game.alphabet))
    repeats = solver.repeats and game.repeats
    broken = shared**game.length if repeats else math.perm(shared, game.length)
    return _HELPS_FROM * broken >= game.size


def require_nothing_at_stake(
    tx: Transaction,
    player_id: int,
    rules: Rules[Any],
    now: datetime,
    *,
    set_on: date | None = None,
    is_sealable: bool = False,
) -> None:
    """Refuse to tell a player about codes of these rules if that helps in a game that counts.

    Whatever tells what a solver would guess asks this: games in which the bot guesses, the coach,
    its lessons. A hint does not: it shows a symbol of its own game's secret.

    Args:
        set_on: the date on which the player opened an equation that a member had set; None for
            other FoCdles, whose secrets nobody chooses.

    Raises:
        UnfinishedDailyError: the member may have set it by that date's daily of the same length,
            which the player has not finished, and which goes on somewhere.
        RankedGameError: a ranked Mastermind with codes that are alike goes on; see `is_alike`. With
            `is_sealable`, it offers to seal a code instead.
        RatedDuelError: an accepted rated duel with codes that are alike goes on.
    """
    if isinstance(rules, Focdle):
        number = 0 if set_on is None else number_of(set_on)
        if rules.length in LENGTHS and number >= first_running(now):
            name = PuzzleName(number, rules.length)
            if not store.has_finished(tx, player_id, name):
                raise UnfinishedDailyError(number=number, symbols=rules.length)
    if not isinstance(rules, CodeGame):
        return
    if is_alike(rules, STANDARD_MASTERMIND):
        for game_id in store.open_ranked(tx, player_id, STANDARD_MASTERMIND.encode(), now):
            raise RankedGameError(rules=rules, game_id=game_id, is_sealable=is_sealable)
    for duel_id, written, opponent_id in store.open_rated(tx, player_id):
        numbers = BullsAndCows.decode(written)
        if is_alike(rules, numbers):
            raise RatedDuelError(
                rules=rules, duel_id=duel_id, player_id=opponent_id, numbers=numbers
            )


def defences_alike(tx: Transaction, player_id: int, rules: CodeGame, now: datetime) -> list[int]:
    """List the ids of running *defend* games by which a player could break a code of `rules`.

    These have no seal, and codes like those of `rules`.
    """
    return [
        game_id
        for game_id, written in store.open_defended(tx, player_id, now)
        if is_alike(Mastermind.decode(written), rules)
    ]


def close_defences(tx: Transaction, player_id: int, rules: CodeGame, now: datetime) -> list[int]:
    """End the games of `defences_alike`, because a rated duel begins; return their ids."""
    games = defences_alike(tx, player_id, rules, now)
    if games:
        store.end_defended(tx, games, AT_STAKE, now)
    return games
