"""The daily FoCdle: open it, guess, share the result."""

import logging
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from bot.services.clock import Clock, date_in, start_of
from bot.services.derivation import derive_secret
from bot.services.errors import (
    AlreadySharedError,
    GuessRefusedError,
    NoSuchPlayError,
    NotFinishedError,
    NotYourPlayError,
)
from bot.services.play import Play, PuzzleName
from bot.services.puzzles import name_puzzle
from bot.storage import plays, puzzles
from bot.storage.database import Database, Transaction
from bot.storage.plays import PlayRow
from engine import EngineError, Focdle, GameOverError, replay

log = logging.getLogger(__name__)

DEFAULT_ZONE: Final = "UTC"
DEFAULT_LENGTH: Final = 10


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a play is opened: the zone that says what today is, and the daily's length."""

    guild_id: int | None
    zone: str = DEFAULT_ZONE
    length: int = DEFAULT_LENGTH


class Daily:
    """Use cases of the daily; each is one transaction."""

    def __init__(self, database: Database, clock: Clock, key: str) -> None:
        self._database = database
        self._clock = clock
        self._key = key

    async def open(
        self,
        player_id: int,
        guild_id: int | None,
        *,
        puzzle: str | None = None,
        guess: str | None = None,
    ) -> Play:
        """A player's play of a puzzle, begun if it was not; with a guess, played at once.

        Args:
            player_id: the Discord user.
            guild_id: the Discord server it is opened in; None in private.
            puzzle: what the player typed to name it; None means today's.
            guess: what the player typed as a guess, if anything.

        Raises:
            UnreadablePuzzleError, NoSuchPuzzleError, FuturePuzzleError,
            NoSuchDailyLengthError: there is no such puzzle to play.
            GuessRefusedError: the guess was not played; the puzzle is open.
        """
        place = _Place(guild_id)
        async with self._database.transaction() as tx:
            name = name_puzzle(
                puzzle,
                today=date_in(place.zone, self._clock.now()),
                zone=place.zone,
                length=place.length,
            )
            play = await self._open(tx, player_id, place, name)
            refusal = None
            if guess is not None:
                play, refusal = await self._guess(tx, play, guess)
        return _played(play, refusal)

    async def view(self, player_id: int, play_id: int) -> Play:
        """A player's own play as it stands.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's to see.
        """
        async with self._database.transaction() as tx:
            return await self._own(tx, player_id, play_id)

    async def guess(self, player_id: int, play_id: int, text: str) -> Play:
        """Play a guess; the play after it.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's to play.
            GuessRefusedError: the guess was not played and cost nothing.
        """
        async with self._database.transaction() as tx:
            play = await self._own(tx, player_id, play_id)
            play, refusal = await self._guess(tx, play, text)
        return _played(play, refusal)

    async def share(self, player_id: int, play_id: int, channel_id: int) -> Play:
        """Claim the one post of a finished play to a channel.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's to share.
            NotFinishedError: it goes on.
            AlreadySharedError: it was posted there before.
        """
        async with self._database.transaction() as tx:
            play = await self._own(tx, player_id, play_id)
            if play.game.outcome is None:
                raise NotFinishedError
            if await plays.is_shared(tx, play_id, channel_id):
                raise AlreadySharedError
            await plays.add_share(tx, play_id, channel_id, shared_at=self._clock.now())
        log.info("play %d shared in channel %d", play_id, channel_id)
        return play

    async def unshare(self, play_id: int, channel_id: int) -> None:
        """Give back a claim whose post could not be sent."""
        async with self._database.transaction() as tx:
            await plays.remove_share(tx, play_id, channel_id)

    async def _open(self, tx: Transaction, player_id: int, place: _Place, name: PuzzleName) -> Play:
        puzzle_id = await self._fix(tx, name)
        play_id = await plays.find_id(tx, puzzle_id, player_id)
        if play_id is None:
            play_id = await plays.add(
                tx,
                puzzle_id=puzzle_id,
                player_id=player_id,
                guild_id=place.guild_id,
                zone=place.zone,
                opened_at=self._clock.now(),
            )
        return await self._own(tx, player_id, play_id)

    async def _fix(self, tx: Transaction, name: PuzzleName) -> int:
        """The stored puzzle of this name; its secret is drawn when first opened."""
        row = await puzzles.find(tx, name.number, name.length)
        if row is not None:
            return row.id
        return await puzzles.add(
            tx,
            number=name.number,
            length=name.length,
            rules=Focdle(name.length).encode(),
            secret=derive_secret(self._key, name),
        )

    async def _own(self, tx: Transaction, player_id: int, play_id: int) -> Play:
        row = await plays.get(tx, play_id)
        if row is None:
            raise NoSuchPlayError
        if row.player_id != player_id:
            raise NotYourPlayError(row.player_id)
        return self._read(row)

    def _read(self, row: PlayRow) -> Play:
        rules = Focdle.decode(row.rules)
        today: date = date_in(row.zone, self._clock.now())
        name = PuzzleName(row.number, row.length)
        return Play(
            id=row.id,
            player_id=row.player_id,
            puzzle=name,
            rules=rules,
            game=replay(rules, row.secret, row.guesses),
            is_today=name.day == today,
            next_puzzle_at=start_of(today + timedelta(days=1), row.zone),
        )

    async def _guess(
        self, tx: Transaction, play: Play, text: str
    ) -> tuple[Play, GuessRefusedError | None]:
        try:
            if play.game.outcome is not None:
                raise GameOverError
            code = play.rules.parse(text)
            game = play.game.guess(code)
        except EngineError as error:
            return play, GuessRefusedError(play, text, error)
        now = self._clock.now()
        await plays.add_guess(tx, play.id, turn=len(play.game.turns), code=code, guessed_at=now)
        if game.outcome is not None:
            await plays.finish(tx, play.id, outcome=game.outcome.value, finished_at=now)
        return replace(play, game=game), None


def _played(play: Play, refusal: GuessRefusedError | None) -> Play:
    """The play after its transaction, logged without its codes; or the refusal, raised."""
    if refusal is not None:
        log.info("play %d: guess refused, %s", play.id, refusal.cause)
        raise refusal
    outcome = play.game.outcome
    state = "goes on" if outcome is None else outcome.value
    log.info("play %d of %s: %d guesses, %s", play.id, play.puzzle, len(play.game.turns), state)
    return play
