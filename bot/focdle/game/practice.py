"""Practice: endless FoCdles of any length, for nothing but themselves."""

import random
import secrets
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.clock import Clock, date_in
from bot.dailies import number_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle.game.plays import begin, end_practice, played, read_own
from bot.focdle.model.play import Play
from bot.focdle.store import plays, puzzles
from bot.games.game import free_games
from bot.games.game.seals import new_salt
from bot.games.model.plays import Unfinished
from bot.people.game.places import DEFAULT_LENGTH, find_place
from engine import Focdle

MOST_UNFINISHED: Final = 250


async def unfinished_of(tx: Transaction, player_id: int, now: datetime) -> list[Unfinished]:
    """A player's plays that go on and were not dismissed, those opened last first."""
    return [
        Unfinished(
            play_id=row.id,
            number=row.number,
            length=row.length,
            turns=row.turns,
            is_today=row.number == number_of(date_in(row.zone, now)),
        )
        for row in await plays.unfinished(tx, player_id, most=MOST_UNFINISHED)
    ]


class Practice:
    """Use cases of practice, and of what is unfinished; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def open(self, player_id: int, guild_id: int | None, length: int | None = None) -> Play:
        """A player's unfinished practice of a length, or a new one.

        Args:
            player_id: the Discord user.
            guild_id: the Discord server it is opened in; None where the bot is no member.
            length: in symbols; None for whatever is unfinished, or else the usual length.

        Raises:
            NoSuchLengthError: there are no FoCdles of this length.
            EnoughGamesError: there may be no new one today.
        """
        return await self._database.write(
            lambda tx: self._open(tx, player_id, guild_id, length), keys.player(player_id)
        )

    async def swap(self, player_id: int, guild_id: int | None, play_id: int, length: int) -> Play:
        """A practice of a length in place of another one, which leaves the list if it is untouched.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's.
            NoSuchLengthError: there are no FoCdles of this length.
            EnoughGamesError: there may be no new one today.
        """
        async with self._database.transaction(keys.player(player_id)) as tx:
            now = self._clock.now()
            play = await read_own(tx, player_id, play_id, now)
            if play.rules.length == length:
                return play
            if play.puzzle is None and play.game.outcome is None and not play.game.turns:
                await plays.set_dismissed(tx, play.id, now)
            return await self._open(tx, player_id, guild_id, length)

    async def give_up(self, player_id: int, play_id: int) -> Play:
        """End a practice, and see its equation; one that is over, and a daily, stay as they are.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's.
        """
        async with self._database.transaction(keys.player(player_id)) as tx:
            now = self._clock.now()
            play = await end_practice(tx, await read_own(tx, player_id, play_id, now), now)
        return played(play, None)

    async def unfinished(self, player_id: int) -> list[Unfinished]:
        """A player's plays that go on, dailies and practices, those opened last first.

        What was dismissed is not among them.
        """
        return await self._database.read(lambda tx: unfinished_of(tx, player_id, self._clock.now()))

    async def dismiss(self, player_id: int, play_id: int) -> Play:
        """Take a play off its player's list.

        A practice with guesses ends, as if it were given up. Anything else is listed again once
        it is opened or guessed at. Today's puzzle, and what is over, stay as they are.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's.
        """
        async with self._database.transaction(keys.player(player_id)) as tx:
            now = self._clock.now()
            play = await read_own(tx, player_id, play_id, now)
            if play.puzzle is None and play.game.turns:
                play = await end_practice(tx, play, now)
            elif play.game.outcome is None and not play.is_today:
                await plays.set_dismissed(tx, play.id, now)
                play = replace(play, is_dismissed=True)
        return play

    async def _open(
        self, tx: Transaction, player_id: int, guild_id: int | None, length: int | None
    ) -> Play:
        rules = Focdle(DEFAULT_LENGTH if length is None else length)
        for play in await plays.unfinished(tx, player_id, most=MOST_UNFINISHED, practice=True):
            if length in (None, play.length):
                return await read_own(tx, player_id, play.id, self._clock.now())
        return await self._begin(tx, player_id, guild_id, rules)

    async def _begin(
        self, tx: Transaction, player_id: int, guild_id: int | None, rules: Focdle
    ) -> Play:
        now = self._clock.now()
        await free_games.begin(tx, player_id, now)
        place = await find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
        rng: random.Random = secrets.SystemRandom()
        puzzle_id = await puzzles.add(
            tx,
            number=None,
            length=rules.length,
            rules=rules.encode(),
            secret=rules.draw(rng),
            salt=new_salt(),
        )
        return await begin(tx, player_id, place, puzzle_id, now)
